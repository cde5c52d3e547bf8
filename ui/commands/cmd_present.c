#include "ui/commands/cmd_present.h"

#include "sims/base/minmax.h"
#include "sims/registry/registry.h"
#include "ui/commands/talk_paper.h"
#include "ui/commands/talk_record.h"
#include "ui/data/tables_load.h"
#include "ui/data/content.h"
#include "ui/files/own_file.h"
#include "ui/programs/talk_wire.h"
#include "ui/programs/vote_source.h"
#include "ui/screens/present/present_screen.h"
#include "ui/screens/screens.h"
#include "ui/shell/layout.h"
#include "ui/talks/talk_check.h"
#include "ui/term/environment.h"
#include "ui/views/quantity_show.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DONE = 0, FAILED = 1, MOST_TOURS = 64, USUAL_ROWS = 30, USUAL_COLS = 100 };

bool present_prints(const struct command_line *line)
{
	static const enum option_id paper[] = { OPTION_CHECK, OPTION_TEXT, OPTION_SVG_FOLDER,
		OPTION_RECORD, OPTION_HTML, OPTION_MARKDOWN, OPTION_NEW };
	for (size_t i = 0; i < sizeof paper / sizeof *paper; i++)
		if (option_given(line, paper[i]))
			return true;
	return line->help || (line->n_words == 0 && !option_says_yes(line, OPTION_NOTES));
}

int present_running(char *name, size_t size, char *err, size_t err_size)
{
	enum { MOST = 8 };
	char names[MOST][WIRE_NAME];
	size_t n = wire_running(names, MOST), used;
	if (n == 1) {
		snprintf(name, size, "%s", names[0]);
		return 0;
	}
	used = (size_t)snprintf(err, err_size, "--notes: %s",
		n ? "several talks are given, name one:"
		  : "no talk is given just now; notes that have its name wait for it, as "
		    "`ridge present queueing --notes` does");
	for (size_t i = 0; i < n && i < MOST && used < err_size; i++)
		used += (size_t)snprintf(err + used, err_size - used, " %s", names[i]);
	return -1;
}

static int say_error(const struct streams *io, const char *err)
{
	fprintf(io->err, "ridge present: %s\n", err);
	return FAILED;
}

static int no_memory(const struct streams *io)
{
	return say_error(io, "out of memory");
}

/* --- The list --- */

/* Two blanks, the name, minutes, the title. */
static void list_line(const struct talk *t, int widest, const struct streams *io)
{
	fprintf(io->out, "  %-*s  %2.0f min  %s\n", widest, t->tour.id,
		fmax(1, t->tour.seconds / 60), t->tour.title);
}

static bool is_tour(const char *id)
{
	return sim_find(id) != NULL;
}

static bool is_talk(const char *id)
{
	return !is_tour(id);
}

/* The columns of the names that `counts` says yes to; NULL: of all. */
static int widest_of(char ids[][TOUR_ID_BYTES], size_t n, bool (*counts)(const char *id))
{
	size_t widest = 0;
	for (size_t i = 0; i < n; i++)
		if (!counts || counts(ids[i]))
			widest = max_size(widest, strlen(ids[i]));
	return (int)widest;
}

static int list_one(
	const struct tables *tables, const char *id, int widest, const struct streams *io)
{
	char err[400];
	struct talk t;
	if (talk_open(&t, tables, id, err, sizeof err))
		return say_error(io, err);
	list_line(&t, widest, io);
	talk_release(&t);
	return DONE;
}

/* In the groups and the order of the simulations, as the home screen has them. */
static int list_tours(
	const struct tables *tables, char ids[][TOUR_ID_BYTES], size_t n, const struct streams *io)
{
	const int widest = widest_of(ids, n, is_tour);
	size_t at = 0;
	int rc = DONE;
	fprintf(io->out, "Tours of one simulation\n");
	for (size_t g = 0; g < n_sim_groups; g++) {
		bool headed = false;
		for (const size_t end = at + sim_groups[g].n; at < end; at++)
			for (size_t i = 0; i < n && !rc; i++) {
				if (strcmp(ids[i], sims[at]->id) != 0)
					continue;
				if (!headed)
					fprintf(io->out, " %s\n", sim_groups[g].title);
				headed = true;
				rc = list_one(tables, ids[i], widest, io);
			}
	}
	return rc;
}

static int list_talks(
	const struct tables *tables, char ids[][TOUR_ID_BYTES], size_t n, const struct streams *io)
{
	const int widest = widest_of(ids, n, is_talk);
	int rc = DONE;
	fprintf(io->out, "\nTalks\n");
	for (size_t i = 0; i < n && !rc; i++)
		if (is_talk(ids[i]))
			rc = list_one(tables, ids[i], widest, io);
	return rc;
}

/* One that cannot be read does not hide the others: its line says what is wrong. */
static void list_own(
	const struct tables *tables, char ids[][TOUR_ID_BYTES], size_t n, const struct streams *io)
{
	const int widest = widest_of(ids, n, NULL);
	char err[400];
	fprintf(io->out, "\nYour own, in %s/tours\n", own_folder_shown(OWN_DATA));
	for (size_t i = 0; i < n; i++) {
		struct talk t;
		if (talk_open(&t, tables, ids[i], err, sizeof err)) {
			fprintf(io->out, "  %s\n", err); /* it begins with the name */
			continue;
		}
		list_line(&t, widest, io);
		talk_release(&t);
	}
}

/* Whole talks and one's own come last: they stay in sight above the prompt, and so does how to start one. */
static int list(const struct tables *tables, const struct streams *io)
{
	char ids[MOST_TOURS][TOUR_ID_BYTES];
	size_t n = talk_list(ids, MOST_TOURS);
	n = min_size(n, MOST_TOURS);
	int rc = list_tours(tables, ids, n, io);
	rc = rc ? rc : list_talks(tables, ids, n, io);
	n = talk_list_own(ids, MOST_TOURS);
	if (!rc && n)
		list_own(tables, ids, n, io);
	if (!rc)
		fprintf(io->out, "\nStart one by its name: ridge present roofline\n");
	return rc || fflush(io->out) ? FAILED : DONE;
}

/* "--no-notes": for paper that others read. */
static bool hides_notes(const struct command_line *line)
{
	return option_given(line, OPTION_NOTES) && !option_says_yes(line, OPTION_NOTES);
}

/* --- As text --- */

static void print_value(FILE *out, const struct talk *t, const struct value *v)
{
	char number[64], was[64];
	const struct value *before =
		v && t->live.has_pin ? figure_find(&t->live.pinned, v->id) : NULL;
	if (!v)
		return;
	fprintf(out, "  %s: %s", v->label, quantity_show(number, sizeof number, v->value, v->unit));
	if (before && before->value != v->value)
		fprintf(out, ", was %s",
			quantity_show(was, sizeof was, before->value, before->unit));
	fputc('\n', out);
}

static void print_step(FILE *out, const struct talk *t)
{
	const struct tour_step *s = talk_step(t);
	fprintf(out, "\n%zu. %s\n", t->at + 1, t->caption);
	for (size_t i = 0; i < s->n_options; i++) {
		struct tour_scene scene = talk_scene(t);
		char text[400], err[300];
		tour_caption(&scene, s->options[i].text, text, sizeof text, err, sizeof err);
		fprintf(out, "  [%c] %s\n", s->options[i].right ? 'x' : ' ', text);
	}
	if (t->live.sim) {
		print_value(out, t, talk_hero(t));
		for (size_t i = 0; i < s->n_also; i++)
			print_value(out, t, figure_find(&t->live.figure, s->also[i]));
	}
	if (*s->handout)
		fprintf(out, "%s\n", s->handout);
	if (*s->notes)
		fprintf(out, "  | %s\n", s->notes);
	if (t->live.sim)
		fprintf(out, "  ridge open %s\n", s->target);
	else if (*s->target)
		fprintf(out, "  ridge open %s\n", s->target);
}

/* All of it, or the step that the line names. */
static int print_talk(struct talk *t, const struct command_line *line, const struct streams *io)
{
	size_t first = 0, end = t->tour.n;
	char err[200];
	if (line->n_words > 1) {
		if (present_step_read(t, line->words[1], &first, err, sizeof err))
			return usage_error(io, COMMAND_PRESENT, "%s", err);
		end = first + 1;
	}
	if (hides_notes(line))
		talk_drop_notes(t);
	fprintf(io->out, "%s\n", t->tour.title);
	for (size_t i = first; i < end; i++) {
		talk_go(t, i);
		print_step(io->out, t);
	}
	return fflush(io->out) ? FAILED : DONE;
}

/* --- Checked --- */

static void tell(void *context, const char *line)
{
	const struct streams *io = context;
	fprintf(io->out, "%s\n", line);
}

/* Steps that show a page, a drill or another tour: can that be opened? Returns how many cannot. */
static size_t check_links(const struct talk *t, const struct streams *io)
{
	struct app app;
	size_t found = 0;
	if (app_init(&app, screens, USUAL_ROWS, USUAL_COLS, GLYPHS_BRAILLE))
		return (size_t)no_memory(io);
	for (size_t i = 0; i < t->tour.n; i++) {
		const struct tour_step *s = &t->tour.steps[i];
		char err[400];
		if (!*s->target || s->is_sim ||
			app_open_target(&app, s->target, err, sizeof err) == 0)
			continue;
		fprintf(io->out, "%s:%d: step %zu: %s\n", t->tour.id, s->line, i + 1, err);
		found++;
	}
	app_release(&app);
	return found;
}

static int check(struct talk *t, const struct streams *io)
{
	struct streams out = *io;
	size_t found = talk_check(t, tell, &out);
	if (found == TALK_UNCHECKED) {
		fprintf(io->err, "ridge present: out of memory\n");
		return FAILED;
	}
	found += check_links(t, io);
	if (!found)
		fprintf(io->out, "%s: %zu steps, all true\n", t->tour.id, t->tour.n);
	return found || fflush(io->out) ? FAILED : DONE;
}

/* --- A new one --- */

/* An example that can be given as it is, and says how one is written. Never over another file. */
static int write_new(const char *path, const struct streams *io)
{
	char err[400];
	size_t bytes;
	void *owned = NULL;
	const size_t n = strlen(path);
	if (n < 4 || strcmp(path + n - 3, ".md") != 0)
		return usage_error(io, COMMAND_PRESENT,
			"--new: expected a name that ends in .md, found \"%s\"", path);
	const char *text = content_read("new-tour.md", &bytes, &owned);
	FILE *out = text ? fopen(path, "wx") : NULL;
	bool written = out && fwrite(text, 1, bytes, out) == bytes;
	written = (!out || fclose(out) == 0) && written;
	free(owned);
	if (!written) {
		snprintf(err, sizeof err, "%.300s: %s", path, strerror(errno));
		return say_error(io, err);
	}
	fprintf(io->out,
		"%s is a talk of four steps that says how one is written.\n"
		"ridge present %s gives it, with --check it is held to be true.\n",
		path, path);
	return fflush(io->out) ? FAILED : DONE;
}

/* --- Recorded --- */

/* Writes a recording or a page to the file that an option names. */
static int write_to(enum option_id option, struct app *app, const struct command_line *line,
	const struct streams *io)
{
	const char *path = line->values[option].text;
	/* A page is printed more often than not. */
	enum background background =
		option_given(line, OPTION_BACKGROUND)
			? (enum background)line->values[OPTION_BACKGROUND].number
		: option == OPTION_HTML ? BACKGROUND_LIGHT
					: BACKGROUND_DARK;
	enum cast_form form = option_says_yes(line, OPTION_V2) ? CAST_V2 : CAST_V3;
	char err[400];
	FILE *out = fopen(path, "w");
	if (!out) {
		snprintf(err, sizeof err, "%.300s: %s", path, strerror(errno));
		return say_error(io, err);
	}
	int rc = option == OPTION_HTML ? talk_html(app, background, out)
				       : talk_record(app, form, background, out);
	bool lost = ferror(out) != 0;
	if (fclose(out) || lost) {
		snprintf(err, sizeof err, "%.300s: %s", path, strerror(errno));
		return say_error(io, err);
	}
	return rc ? no_memory(io) : DONE;
}

static int pictures(struct app *app, const struct command_line *line, const struct streams *io)
{
	const char *folder = line->values[OPTION_SVG_FOLDER].text;
	enum background background = (enum background)line->values[OPTION_BACKGROUND].number;
	char err[400];
	if (mkdir(folder, 0777) && errno != EEXIST) {
		snprintf(err, sizeof err, "%.300s: %s", folder, strerror(errno));
		return say_error(io, err);
	}
	for (size_t i = 0; i < present_talk(app)->tour.n; i++) {
		present_go(app, i);
		app_settle(app);
		present_show_answer(app);
		if (talk_picture(app, folder, i, background)) {
			snprintf(err, sizeof err, "%.300s: %s", folder, strerror(errno));
			return say_error(io, err);
		}
	}
	return DONE;
}

/* With an app of its own, without a terminal. */
static int draw(const struct command_line *line, const struct streams *io)
{
	const struct option_value *size = &line->values[OPTION_SIZE];
	const int rows = size->at ? size->rows : USUAL_ROWS,
		  cols = size->at ? size->cols : USUAL_COLS;
	char target[300], err[400];
	struct app app;
	if (too_small(rows, cols))
		return usage_error(io, COMMAND_PRESENT,
			"--size: expected %dx%d or more, found \"%dx%d\"", LEAST_COLS, LEAST_ROWS,
			cols, rows);
	snprintf(target, sizeof target, "present:%s", line->words[0]);
	if (app_init(&app, screens, rows, cols, GLYPHS_BRAILLE))
		return no_memory(io);
	app.quiet = true;
	app.large = option_says_yes(line, OPTION_BIG);
	int rc = app_open(&app, target, NULL, 0, err, sizeof err) ? say_error(io, err) : DONE;
	app_settle(&app);
	if (!rc && hides_notes(line))
		present_drop_notes(&app);
	if (!rc && option_given(line, OPTION_TIME))
		present_plan(&app, line->values[OPTION_TIME].seconds);
	if (!rc && line->values[OPTION_RECORD].at)
		rc = write_to(OPTION_RECORD, &app, line, io);
	if (!rc && line->values[OPTION_HTML].at) {
		present_go(&app, 0);
		rc = write_to(OPTION_HTML, &app, line, io);
	}
	if (!rc && option_says_yes(line, OPTION_MARKDOWN))
		rc = talk_markdown(&app, io->out) ? no_memory(io) : DONE;
	if (!rc && line->values[OPTION_SVG_FOLDER].at)
		rc = pictures(&app, line, io);
	app_release(&app);
	return rc;
}

/* A file of votes that cannot be read is refused on paper, too, where nobody votes. */
static int check_votes(const struct command_line *line, char *err, size_t err_size)
{
	struct vote_source votes = NO_VOTES;
	const char *path = line->values[OPTION_VOTES].text;
	if (!option_given(line, OPTION_VOTES) || strcmp(path, "-") == 0)
		return 0;
	int rc = votes_open(&votes, path, err, err_size);
	votes_close(&votes);
	return rc;
}

int cmd_present(const struct command_line *line, const struct streams *io)
{
	char err[400];
	struct tables tables;
	struct talk t;
	bool drawn = line->values[OPTION_RECORD].at || line->values[OPTION_SVG_FOLDER].at ||
		     line->values[OPTION_HTML].at || option_says_yes(line, OPTION_MARKDOWN);
	if (check_votes(line, err, sizeof err))
		return say_error(io, err);
	if (option_given(line, OPTION_NEW))
		return write_new(line->values[OPTION_NEW].text, io);
	if (drawn && !line->n_words)
		return usage_error(io, COMMAND_PRESENT,
			"expected the name of the talk that is to be recorded or drawn");
	if (drawn)
		return draw(line, io);
	if (tables_load(&tables, err, sizeof err))
		return say_error(io, err);
	int rc;
	if (!line->n_words && option_says_yes(line, OPTION_NOTES))
		rc = usage_error(io, COMMAND_PRESENT, "--notes: expected the name of the talk");
	else if (!line->n_words)
		rc = list(&tables, io);
	else if (talk_open(&t, &tables, line->words[0], err, sizeof err))
		rc = usage_error(io, COMMAND_PRESENT, "%s", err);
	else {
		rc = option_says_yes(line, OPTION_CHECK) ? check(&t, io) : print_talk(&t, line, io);
		talk_release(&t);
	}
	tables_release(&tables);
	return rc;
}
