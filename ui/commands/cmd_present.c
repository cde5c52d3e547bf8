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
#include "ui/term/glyphs.h"
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

enum { LIST_COLS = 80, GROUP_COLS = 18, LIST_MARGIN = 2 };

/* A talk as the list has it: what it is called, and how it is asked for. */
struct listed {
	char id[TOUR_ID_BYTES], title[160];
	char err[400]; /* why it cannot be read; "": it can */
	double minutes;
};

static bool is_tour(const char *id)
{
	return sim_find(id) != NULL;
}

static void read_one(const struct tables *tables, const char *id, struct listed *l)
{
	struct talk t;
	*l = (struct listed){ .minutes = 0 };
	snprintf(l->id, sizeof l->id, "%s", id);
	if (talk_open(&t, tables, id, l->err, sizeof l->err))
		return;
	snprintf(l->title, sizeof l->title, "%s", t.tour.title);
	l->minutes = fmax(1, t.tour.seconds / 60);
	talk_release(&t);
}

/* The title first: it says what a talk is about. One that cannot be read does not hide the others: its line says
 * what is wrong. */
static void write_listed(const struct listed *l, size_t n, const struct streams *io)
{
	int widest = 0;
	for (size_t i = 0; i < n; i++)
		widest = max_int(widest, text_width(l[i].title));
	for (size_t i = 0; i < n; i++)
		if (*l[i].err)
			fprintf(io->out, "  %s\n", l[i].err); /* it begins with the name */
		else
			fprintf(io->out, "  %s%*s  %2.0f min  %s\n", l[i].title,
				widest - text_width(l[i].title), "", l[i].minutes, l[i].id);
}

/* "  serving         inference, kvcache", on as many lines as the names of the group take. */
static void write_group(const struct sim_group *g, const struct sim *const *of,
	const struct listed *l, size_t n, const struct streams *io)
{
	int col = 0;
	for (size_t s = 0; s < g->n; s++)
		for (size_t i = 0; i < n; i++) {
			if (strcmp(l[i].id, of[s]->id) != 0)
				continue;
			const int cols = (int)strlen(l[i].id);
			const bool first = !col, full = col + LIST_MARGIN + cols >= LIST_COLS;
			if (first)
				fprintf(io->out, "  %-*s", GROUP_COLS - LIST_MARGIN, g->title);
			else
				fprintf(io->out, full ? ",\n%*s" : ",%*s", full ? GROUP_COLS : 1,
					"");
			col = first || full ? GROUP_COLS : col + LIST_MARGIN;
			fprintf(io->out, "%s", l[i].id);
			col += cols;
		}
	if (col)
		fprintf(io->out, "\n");
}

/* In the groups and the order of the simulations, as the home screen has them; their titles are there. A list of all
 * has to fit the smallest window. */
static void write_tours(const struct listed *l, size_t n, const struct streams *io)
{
	double least = INFINITY, most = 0;
	size_t at = 0;
	for (size_t i = 0; i < n; i++) {
		least = fmin(least, l[i].minutes);
		most = fmax(most, l[i].minutes);
	}
	fprintf(io->out, "Tours of one simulation, %.0f to %.0f min each\n", least, most);
	for (size_t g = 0; g < n_sim_groups; at += sim_groups[g++].n)
		write_group(&sim_groups[g], &sims[at], l, n, io);
}

/* Reads those that are tours of one simulation, or those that are not. Returns how many; the first that cannot be
 * read is in err. */
static size_t read_all(const struct tables *tables, char ids[][TOUR_ID_BYTES], size_t n, bool tours,
	struct listed *l, const char **err)
{
	size_t used = 0;
	for (size_t i = 0; i < n; i++) {
		if (is_tour(ids[i]) != tours)
			continue;
		read_one(tables, ids[i], &l[used++]);
		if (*l[used - 1].err && !*err)
			*err = l[used - 1].err;
	}
	return used;
}

/* Whole talks and one's own come last: they stay in sight above the prompt, and so does how to start one. */
static int list(const struct tables *tables, const struct streams *io)
{
	char ids[MOST_TOURS][TOUR_ID_BYTES];
	struct listed l[MOST_TOURS];
	const char *err = NULL;
	const size_t n = min_size(talk_list(ids, MOST_TOURS), MOST_TOURS);
	const size_t tours = read_all(tables, ids, n, true, l, &err);
	if (err)
		return say_error(io, err);
	write_tours(l, tours, io);
	const size_t talks = read_all(tables, ids, n, false, l, &err);
	if (err)
		return say_error(io, err);
	fprintf(io->out, "\nTalks\n");
	write_listed(l, talks, io);
	const size_t own = min_size(talk_list_own(ids, MOST_TOURS), MOST_TOURS);
	for (size_t i = 0; i < own; i++)
		read_one(tables, ids[i], &l[i]);
	if (own) {
		fprintf(io->out, "\nYour own, in %s/tours\n", own_folder_shown(OWN_DATA));
		write_listed(l, own, io);
	}
	fprintf(io->out, "\nStart one by its name: ridge present roofline\n");
	return fflush(io->out) ? FAILED : DONE;
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
	if (tables_load_for(&tables, "ridge present", io->err))
		return FAILED;
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
