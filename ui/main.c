/* ridge: from the command line to a command or to the explorer. The explorer's loop is here: keys
 * and the clock go into the app, frames come out, and its place is saved while nobody types. */
#include "ui/term/environment.h"
#include "ui/files/printed.h"
#include "ui/term/keys.h"
#include "ui/term/term.h"
#include "ui/programs/code_draft.h"
#include "ui/programs/code_edit.h"
#include "ui/programs/code_run.h"
#include "ui/programs/private_dir.h"
#include "ui/programs/talk_wire.h"
#include "ui/data/content.h"
#include "ui/talks/tour_append.h"
#include "ui/interviewer/interviewer_files.h"
#include "ui/practice/case_record.h"
#include "ui/shell/app.h"
#include "ui/shell/recorder.h"
#include "ui/screens/interviewer/interviewer_screen.h"
#include "ui/screens/present/present_screen.h"
#include "ui/screens/screens.h"
#include "ui/commands/text_gate.h"
#include "ui/commands/cmd_interviews.h"
#include "ui/commands/cmd_present.h"
#include "ui/commands/commands.h"
#include "ui/commands/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int64_t clock_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What everything is drawn by, and what that follows from. */
struct looks {
	struct wishes wishes;
	struct environment now;
};

/* The glyphs that the user chose in a terminal of that name, in this session or before. */
static int chosen_glyphs(const void *context, const char *terminal)
{
	return progress_glyphs(context, terminal);
}

/* Draws by what is known now: of the environment, and of what the terminal said. */
static void look_anew(struct app *app, struct looks *looks)
{
	looks->now = environment_read(&looks->wishes);
	app->glyphs = looks->now.glyphs;
	app->octants = looks->now.octants;
	app->scales = looks->now.scales;
	strcpy(app->terminal, looks->now.terminal);
}

static bool take(
	struct app *app, struct looks *looks, enum term_event event, const struct input_event *in)
{
	bool mouse = app->mouse, go_on = true;
	int rows, cols;
	switch (event) {
	case TERM_KEY:
		if (in->key == KEY_MOUSE_CLICK)
			app_click(app, in->row, in->col);
		else if (in->key == KEY_MOUSE_DRAG)
			app_drag(app, in->row, in->col);
		else if (in->key == KEY_WHEEL_UP || in->key == KEY_WHEEL_DOWN)
			app_wheel(app, in->key == KEY_WHEEL_UP ? -1 : 1, in->row, in->col);
		else
			go_on = app_key(app, in->key, clock_ms());
		break;
	case TERM_RESIZE:
		term_size(&rows, &cols);
		app_resize(app, rows, cols);
		break;
	case TERM_SUSPEND:
		app->suspend = true;
		break;
	case TERM_SAID:
		looks->wishes.said = term_said();
		look_anew(app, looks);
		term_background(looks->now.background);
		break;
	case TERM_GONE:
		go_on = false;
		break;
	case TERM_NOTHING:
		break;
	}
	if (mouse != app->mouse && term_mouse(app->mouse) != app->mouse) {
		app->mouse = false;
		app_say(app, "This terminal reports no mouse.");
	}
	if (app->suspend) {
		app->suspend = false;
		app_pause(app);
		term_suspend();
		term_size(&rows, &cols);
		app_resize(app, rows, cols);
	}
	if (app->redraw) {
		app->redraw = false;
		term_redraw();
	}
	if (app->copied[0]) {
		if (environment_takes_clipboard())
			term_copy(app->copied);
		app->copied[0] = '\0';
	}
	return go_on;
}

/* Keys that arrived together are taken together, so that a thousand of them draw one frame. A key
 * that is held down must not keep us from drawing, which is why this ends after LONGEST_MS. */
static bool take_all(struct app *app, struct looks *looks, int timeout_ms)
{
	enum { LONGEST_MS = 100 };
	struct input_event in;
	enum term_event event = term_wait(timeout_ms, &in);
	int64_t began_ms = clock_ms();
	bool go_on = take(app, looks, event, &in);
	while (go_on && event != TERM_NOTHING && clock_ms() - began_ms < LONGEST_MS) {
		event = term_wait(0, &in);
		go_on = take(app, looks, event, &in);
	}
	return go_on;
}

/* What was typed while nothing could answer it was not meant for what came of it. */
static bool drop_keys(struct app *app, struct looks *looks)
{
	struct input_event in;
	enum term_event event;
	bool go_on = true;
	app->deaf = false;
	while (go_on && (event = term_wait(0, &in)) != TERM_NOTHING)
		if (event != TERM_KEY || in.key == KEY_CTRL_C)
			go_on = take(app, looks, event, &in);
	return go_on;
}

static int show(struct app *app, struct canvas *cv)
{
	if (cv->rows != app->rows || cv->cols != app->cols || cv->glyphs != app->glyphs) {
		canvas_release(cv);
		if (canvas_init(cv, app->rows, app->cols, app->glyphs))
			return -1;
	}
	cv->fills = term_fills();
	/* What is recorded is played in terminals of other kinds. */
	cv->scales = app->scales && !app->records;
	app_draw(app, cv);
	term_show(cv);
	return 0;
}

/* What is at work while the loop waits for it. */
struct waiting {
	struct app *app;
	struct canvas *cv;
	int64_t since_ms, shown_ms;
};

/* Before a frame, a moment; after it, until a key waits. How far it is stands in the footer. */
static bool go_on(void *context, double share)
{
	enum { MOMENT_MS = 25, SHOWN_EVERY_MS = 100 };
	struct waiting *w = context;
	int64_t now_ms = clock_ms();
	if (!w->app->at_work)
		return now_ms - w->since_ms < MOMENT_MS;
	if (term_is_asked())
		return false;
	if (now_ms - w->shown_ms >= SHOWN_EVERY_MS) {
		w->shown_ms = now_ms;
		app_say(w->app, "%.0f %% of the search is done.", 100 * share);
		show(w->app, w->cv);
		w->app->message[0] = '\0';
	}
	return true;
}

/* False when the place could not be written; errno says why. Without a home directory there is
 * nowhere to write it, and that is not an error. */
static bool save(const struct app *app)
{
	char path[4096];
	return !progress_path(path, sizeof path) || progress_save(app->progress) == 0;
}

/* *save_error becomes the errno of a place that could not be written, or stays as it was. */
static int loop(struct app *app, struct looks *looks, struct recorder *recorder, int *save_error)
{
	/* Without a key, so that a key that is held down does not write a file at each step. */
	enum { SAVE_AFTER_MS = 400 };
	struct canvas cv = { 0 };
	int rc = 0;
	struct waiting waiting = { .app = app, .cv = &cv };
	bool unsaved = false, more = true;
	/* Taken back before the loop ends. */
	/* cppcheck-suppress autoVariables */
	app->go_on_context = &waiting;
	while (more) {
		waiting.since_ms = waiting.shown_ms = clock_ms();
		/* The clock moves first, so that the frame shows the present. */
		int tick_ms = app_tick(app, clock_ms());
		app_settle(app);
		recorder_switch(recorder, app, looks->now.background, clock_ms());
		if (app->failed || show(app, &cv)) {
			rc = -1;
			break;
		}
		recorder_frame(recorder, app, &cv, clock_ms());
		if (app->hurried) /* leftovers of the dead wait for the first frame */
			private_dir_sweep();
		app->hurried = false;
		unsaved |= app_note_position(app);
		app->progress->unsaved = false;
		if (app->reopened) {
			app->reopened = false;
			/* A frame of its own, behind the place itself. */
			if (!app->message[0] && app_tell_due(app))
				continue;
		}
		if (app->works && !term_is_asked()) {
			int rows, cols;
			app_work(app);
			term_size(&rows, &cols);
			app_resize(app, rows, cols);
			more = !app->deaf || drop_keys(app, looks);
			continue;
		}
		int64_t before_ms = clock_ms();
		term_watch(app->watched, app->n_watched);
		bool rest = unsaved && (tick_ms < 0 || tick_ms > SAVE_AFTER_MS);
		more = take_all(app, looks, rest ? SAVE_AFTER_MS : tick_ms);
		/* The key that leaves may have come together with those that went somewhere. */
		unsaved |= !more && app_note_position(app);
		if (unsaved && (!more || clock_ms() - before_ms >= SAVE_AFTER_MS)) {
			*save_error = save(app) ? 0 : errno;
			unsaved = false;
		}
	}
	app->go_on = NULL;
	app->go_on_context = NULL;
	canvas_release(&cv);
	return rc;
}

/* Where the user left off, unless told where to go. */
static int open_first(
	struct app *app, const char *const words[], size_t n, char *err, size_t err_size)
{
	if (n > 0)
		return app_open(app, words[0], words + 1, n - 1, err, err_size);
	char place[sizeof app->progress->place];
	strcpy(place, app->progress->place);
	/* The place may no longer exist (another version, another table of models): then ridge
	 * starts on the home screen. */
	if (place[0] && app_open_target(app, place, err, err_size) == 0) {
		app->reopened = !app_screen(app)->root;
		if (app_screen(app)->scroll_to)
			app_screen(app)->scroll_to(app, app->progress->scroll);
	}
	return 0;
}

static void give(void *context)
{
	(void)context;
	term_give();
}

static void take_back(void *context)
{
	(void)context;
	term_take();
}

static int edit(const struct variant *v, bool keeps, char **text, char *err, size_t err_size)
{
	return code_edit(
		v, keeps, &(struct code_terminal){ give, take_back, NULL }, text, err, err_size);
}

/* While a program runs the keys come here: Ctrl-C stops it, as does a terminal that goes away. The
 * others do nothing; what they would act on is about to change. */
static bool run_stopped(void *context)
{
	struct input_event in;
	enum term_event event;
	(void)context;
	while ((event = term_wait(0, &in)) != TERM_NOTHING)
		if (event == TERM_GONE || (event == TERM_KEY && in.key == KEY_CTRL_C))
			return true;
	return false;
}

static int run_code(const struct variant *v, const char *text, struct code_result *out, char *err,
	size_t err_size)
{
	struct code_limits limits = { .stopped = run_stopped };
	return code_run(v, text, &limits, out, err, err_size);
}

static bool is_talk(const char *const words[], size_t n)
{
	static const char *const kinds[] = { "present:", "notes:" };
	bool talk = false;
	for (size_t i = 0; n && i < sizeof kinds / sizeof *kinds; i++)
		talk |= strncmp(words[0], kinds[i], strlen(kinds[i])) == 0;
	return talk;
}

/* A first frame within 8 ms has about this for what it shows: the rest is the start and the painting. */
static bool first_frame_due(const struct app *app)
{
	enum { FOR_CONTENT_MS = 2 };
	return clock_ms() - app->started_ms >= FOR_CONTENT_MS;
}

/* What the app does by others: keeps and loads, edits and runs. */
static void connect_app(struct app *app)
{
	app->go_on = go_on;
	app->due = first_frame_due;
	app->record = answers_keep;
	app->edit_program = edit;
	app->load_program = code_draft_read;
	app->keep_program = code_draft_keep;
	app->run_program = run_code;
	app->keep_step = tour_append;
	app->load_history = answers_load;
	app->history_bytes = answers_bytes;
	app->history_stamp = answers_stamp;
	app->keep_interview = interviewer_file_keep;
	app->load_interview = interviewer_file_unfinished;
	app->keep_case = case_file_keep;
	app->load_case = case_file_read;
	app->case_stamp = case_file_stamp;
}

/* What the interviewer's screen came to, if an interview was begun. 0, or -1 when it could not be said. */
static int print_interview(const struct app *app)
{
	const struct interviewer *v = interviewer_seen(app);
	const bool ascii = app->glyphs == GLYPHS_ASCII;
	if (!interviewer_begun(v, app->now_ms))
		return 0;
	FILE *out = text_gate(stdout, (struct gate_rules){ .ascii = ascii });
	if (!out)
		return -1;
	int rc = interviewer_print(v, app->now_ms, ascii, out) ? -1 : 0;
	return fclose(out) ? -1 : rc;
}

/* In the terminal, which is open, until the user leaves; then what remains to be said stands in lines
 * below it. note: what the terminal has to say, or "". Returns the exit status. */
static int stay(struct app *app, struct looks *looks, const struct present_wishes *talk,
	const char *note, const struct streams *io)
{
	char missing[160], err[320];
	int rows, cols, save_error = 0;
	struct recorder recorder = { .file = NULL };
	term_size(&rows, &cols);
	app_resize(app, rows, cols);
	if (talk)
		present_wish(app, talk);
	if (content_folder_missing() && !note[0]) {
		snprintf(missing, sizeof missing,
			"RIDGE_CONTENT=\"%.60s\" is not a folder: using the pages of the program",
			content_folder_missing());
		note = missing;
	}
	if (note[0])
		app_say(app, "%s", note);
	int rc = loop(app, looks, &recorder, &save_error) ? 1 : 0;
	term_close();
	recorder_end(&recorder, io->err, clock_ms());
	if (print_interview(app))
		rc = 1;
	if (talk && present_left(app, err, sizeof err))
		fprintf(io->err, "%s\n", err);
	if (note[0])
		fprintf(io->err, "ridge: %s\n", note);
	if (save_error)
		fprintf(io->err, "ridge: the place could not be kept: %s (ridge info says where)\n",
			strerror(save_error));
	if (rc)
		fprintf(io->err, "ridge: out of memory\n");
	return rc;
}

/* What a model took goes back to the system when it is released. Left to itself glibc keeps as much
 * as the largest array that was ever freed, and the explorer would grow with each turn of a knob. */
static void give_memory_back(void)
{
#ifdef __GLIBC__
	enum { KEPT_BYTES = 1 << 16 };
	mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
}

/* An interview that goes on, or is opened again, runs all its designs once more, which takes seconds in some cases: no
 * screen is there yet, so a line stands in its place, and goes before the screen comes. */
static void say_reading(const char *const words[], size_t n, bool begins, FILE *out)
{
	static const char reading[] = "Reading the interview: its designs are run once more ...";
	bool again = false;
	for (size_t i = 1; i < n && strcmp(words[0], "interviewer") == 0; i++)
		again |= strncmp(words[i], "record=", strlen("record=")) == 0 ||
			 strncmp(words[i], "code=", strlen("code=")) == 0;
	if (!again)
		return;
	if (begins)
		fputs(reading, out);
	else
		fprintf(out, "\r%*s\r", (int)strlen(reading), "");
	fflush(out);
}

/* talk: how the talk that the words name is given; NULL: they name none. */
static int explore(const char *const words[], size_t n, enum colour_choice colour,
	const struct present_wishes *talk, const struct streams *io)
{
	char err[320], note[160] = "";
	struct app state, *app = &state;
	struct progress progress;
	give_memory_back();
	progress_load(&progress);
	if (app_init(app, screens, 24, 80, GLYPHS_ASCII)) {
		fprintf(io->err, "ridge: out of memory\n");
		return 1;
	}
	*app->progress = progress;
	struct looks looks = { .wishes = { colour, chosen_glyphs, app->progress, NULL } };
	look_anew(app, &looks);
	connect_app(app);
	app->first_session = progress_is_new(&progress);
	app->hurried = true;
	app->shares_talks = true;
	app->epoch_s = (uint64_t)time(NULL);
	app->now_ms = app->started_ms = clock_ms();
	int rc = 2;
	say_reading(words, n, true, io->out);
	const bool failed = open_first(app, words, n, err, sizeof err);
	say_reading(words, n, false, io->out);
	if (failed) {
		const char *command = n && strcmp(words[0], "drill") == 0         ? "drill"
				      : n && strcmp(words[0], "interviewer") == 0 ? "interviews"
				      : is_talk(words, n)                         ? "present"
										  : "open";
		fprintf(io->err, "ridge %s: %s\n", command, err);
	} else if (term_open(&(struct term_options){ looks.now.depth, looks.now.direct,
				     looks.now.background, environment_asks(),
				     environment_asks_modes(), clock_ms },
			   err, sizeof err, note, sizeof note)) {
		fprintf(io->err, "ridge: %s\n", err);
		rc = 1;
	} else {
		rc = stay(app, &looks, talk, note, io);
	}
	app_release(app);
	return rc;
}

static bool shows(void)
{
	const char *name = getenv("TERM");
	return isatty(STDOUT_FILENO) && !(name && strcmp(name, "dumb") == 0);
}

static bool has_screen(void)
{
	return isatty(STDIN_FILENO) && shows();
}

static struct terminal_said ask_terminal(void)
{
	return term_ask(&(struct term_options){ .asks = environment_asks(),
		.asks_modes = environment_asks_modes(),
		.clock_ms = clock_ms });
}

/* If a standard stream is closed at start, the next file that is opened would take its number and
 * receive our output. /dev/null takes the place instead, opened the wrong way round, so that using
 * the stream still fails. */
static void open_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static void wish_glyphs(const struct command_line *line)
{
	const struct option_value *v = &line->values[OPTION_GLYPHS];
	if (v->at)
		environment_wish((enum glyphs)v->number);
}

static enum colour_choice colour_of(const struct command_line *line, enum colour_choice otherwise)
{
	const struct option_value *v = &line->values[OPTION_COLOR];
	return v->at ? (enum colour_choice)v->number : otherwise;
}

/* Whether `ridge drill` opens the explorer on a drill: in a terminal, unless its words ask for
 * paper, for lines or for help, or cannot be read. */
static bool drills_on_screen(const struct command_line *before, const char *const words[], size_t n,
	enum colour_choice *colour)
{
	struct command_line line;
	char err[400];
	if (option_says_yes(before, OPTION_PLAIN) || !shows() ||
		command_line_read(&line, COMMAND_DRILL, words, n, err, sizeof err))
		return false;
	/* Where a candidate is followed through the standard input, keys come from the terminal. */
	const char *follow = line.values[OPTION_FOLLOW].text;
	if (!has_screen() && !(follow && strcmp(follow, "-") == 0))
		return false;
	*colour = colour_of(&line, colour_of(before, COLOUR_AUTO));
	wish_glyphs(&line);
	return !line.help && !option_says_yes(&line, OPTION_SHEET) &&
	       !option_says_yes(&line, OPTION_STREAM) && !option_says_yes(&line, OPTION_JSON) &&
	       !option_says_yes(&line, OPTION_PLAIN);
}

/* Whether `ridge present` gives the talk: in a terminal, unless its words ask for paper, or cannot be
 * read. Where votes come through the standard input the terminal is the one that the screen is on. */
static bool presents_on_screen(const char *const words[], size_t n, struct command_line *line)
{
	char err[400];
	if (!shows() || command_line_read(line, COMMAND_PRESENT, words, n, err, sizeof err))
		return false;
	const char *votes = line->values[OPTION_VOTES].text;
	bool piped = votes && strcmp(votes, "-") == 0;
	return (piped || has_screen()) && !present_prints(line);
}

static int present(const struct command_line *line, const struct streams *io)
{
	char target[4200], err[400];
	bool notes = option_says_yes(line, OPTION_NOTES);
	struct present_wishes wishes = { .seconds = line->values[OPTION_TIME].seconds,
		.automatic = option_says_yes(line, OPTION_AUTO),
		.large = option_says_yes(line, OPTION_BIG),
		.shows_keys = option_says_yes(line, OPTION_SHOW_KEYS),
		.votes = NO_VOTES };
	if (option_given(line, OPTION_VOTES) && !notes &&
		votes_open(&wishes.votes, line->values[OPTION_VOTES].text, err, sizeof err)) {
		fprintf(io->err, "ridge present: %s\n", err);
		return 1;
	}
	char running[WIRE_NAME];
	if (!line->n_words && present_running(running, sizeof running, err, sizeof err)) {
		fprintf(io->err, "ridge present: %s\n", err);
		return 2;
	}
	const char *const words[] = { target, line->n_words > 1 ? line->words[1] : "1" };
	snprintf(target, sizeof target, "%s:%s", notes ? "notes" : "present",
		line->n_words ? line->words[0] : running);
	wish_glyphs(line);
	return explore(words, 2, colour_of(line, COLOUR_AUTO), notes ? NULL : &wishes, io);
}

/* Whether `ridge interviews` opens one again: in a terminal, where its words ask for that and can be read. */
static bool edits_on_screen(const char *const words[], size_t n, struct command_line *line)
{
	char err[400];
	return has_screen() &&
	       command_line_read(line, COMMAND_INTERVIEWS, words, n, err, sizeof err) == 0 &&
	       !line->help && option_says_yes(line, OPTION_EDIT);
}

static int edit_interview(const struct command_line *line, const struct streams *io)
{
	char name[RECORD_NAME_SIZE], word[RECORD_NAME_SIZE + 16];
	const int rc = interviews_edited(line, io, name);
	if (rc)
		return rc;
	const char *const words[] = { "interviewer", word };
	snprintf(word, sizeof word, "record=%s", name);
	wish_glyphs(line);
	return explore(words, 2, colour_of(line, COLOUR_AUTO), NULL, io);
}

/* `ridge` and `ridge open`: `before` has the options before the command, line those after it. */
static int open_explorer(const struct command_line *before, const struct command_line *line,
	const struct streams *io)
{
	bool plain = option_says_yes(before, OPTION_PLAIN) || option_says_yes(line, OPTION_PLAIN);
	wish_glyphs(line);
	if (plain || !has_screen())
		return plain_explore(line->words, line->n_words, io);
	return explore(line->words, line->n_words, colour_of(line, colour_of(before, COLOUR_AUTO)),
		NULL, io);
}

static int run_open(const struct command_line *before, const char *const words[], size_t n,
	const struct streams *io)
{
	struct command_line line;
	char err[400];
	if (command_line_read(&line, COMMAND_OPEN, words, n, err, sizeof err))
		return usage_error(io, COMMAND_OPEN, "%s", err);
	if (line.help)
		return command_help(COMMAND_OPEN, io->out) ? 1 : 0;
	if (option_says_yes(&line, OPTION_VERSION))
		return fprintf(io->out, "ridge %s\n", RIDGE_VERSION) < 0;
	if (!line.n_words)
		return usage_error(io, COMMAND_OPEN,
			"expected the name of a page, a simulation, \"drill\", \"case\", \"calendar\" or \"stats\"");
	return open_explorer(before, &line, io);
}

/* Options before the name of a command belong to the explorer. */
static int run(int argc, char **argv, struct streams io)
{
	const char *const *words = (const char *const *)argv + 1;
	size_t n = argc > 1 ? (size_t)argc - 1 : 0, n_before = 0;
	struct command_line before;
	enum command_id command;
	enum colour_choice colour;
	char err[400];
	while (n_before < n && words[n_before][0] == '-')
		n_before++;
	if (command_line_read(&before, COMMAND_OPEN, words, n_before, err, sizeof err)) {
		fprintf(io.err, "ridge: %s\n", err);
		return 2;
	}
	wish_glyphs(&before);
	if (before.help)
		return commands_help(stdout);
	if (option_says_yes(&before, OPTION_VERSION))
		return printf("ridge %s\n", RIDGE_VERSION) < 0;
	if (before.n_words)
		return commands_unknown(before.words[0], io.err);
	if (n_before == n)
		return open_explorer(&before, &before, &io);
	words += n_before;
	n -= n_before;
	if (!command_find(words[0], &command))
		return commands_unknown(words[0], io.err);
	if (command == COMMAND_OPEN)
		return run_open(&before, words + 1, n - 1, &io);
	if (command == COMMAND_DRILL && drills_on_screen(&before, words + 1, n - 1, &colour))
		return explore(words, n, colour, NULL, &io);
	struct command_line talk;
	if (command == COMMAND_PRESENT && presents_on_screen(words + 1, n - 1, &talk))
		return present(&talk, &io);
	struct command_line edited;
	if (command == COMMAND_INTERVIEWS && edits_on_screen(words + 1, n - 1, &edited))
		return edit_interview(&edited, &io);
	struct terminal_said said = command == COMMAND_INFO && has_screen()
					    ? ask_terminal()
					    : (struct terminal_said){ .all = false };
	io.said = &said;
	return command_run((int)n, argv + argc - n, &io);
}

int main(int argc, char **argv)
{
	open_standard_streams();
	/* A file size limit should be an error that we report, not a signal that kills. */
	signal(SIGXFSZ, SIG_IGN);
	/* Only the character type: a locale with a decimal comma would break strtod and printf. */
	errno = 0;
	if (!setlocale(LC_CTYPE, "") && errno == ENOMEM) {
		fprintf(stderr, "ridge: out of memory\n");
		return 1;
	}
	struct streams io = { stdin, stdout, stderr, (int64_t)time(NULL), NULL,
		isatty(STDERR_FILENO) ? stderr : NULL };
	/* What was mistyped comes back in messages, whatever its bytes are. */
	FILE *gate = text_gate(
		stderr, (struct gate_rules){ .ascii = environment_glyphs() == GLYPHS_ASCII });
	if (gate)
		setvbuf(gate, NULL, _IOLBF, 0);
	io.err = gate ? gate : stderr;
	int rc = run(argc, argv, io);
	if (gate)
		fclose(gate);
	if (printed_end(stdout)) {
		fprintf(stderr, "ridge: the output could not be written\n");
		rc = rc ? rc : 1;
	}
	return rc;
}
