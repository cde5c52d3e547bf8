/* A bar grows on err while ui/machine/measure.h measures; the result is kept in a file for the
 * roofline, and printed as a figure. */
#include "ui/commands/cmd_measure.h"

#include "ui/files/printed.h"
#include "ui/machine/machine_json.h"
#include "ui/machine/measure_figure.h"
#include "ui/data/machine_file.h"
#include "ui/commands/export.h"
#include "ui/commands/text_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- The bar: one line on err that is overwritten while it grows, and erased at the end --- */

enum { BAR_CELLS = 30, LINE_CELLS = 72 };

struct progress_line {
	FILE *err;
	int percent;
};

static void show_bar(void *state, double share, const char *what)
{
	struct progress_line *b = state;
	int percent = (int)(100 * share), full = (int)(BAR_CELLS * share);
	char cells[BAR_CELLS + 1], line[2 * LINE_CELLS];

	if (percent == b->percent)
		return;
	b->percent = percent;
	for (int i = 0; i < BAR_CELLS; i++)
		cells[i] = i < full ? '#' : '.';
	cells[BAR_CELLS] = '\0';
	snprintf(line, sizeof line, "measuring  %s %3d %%  %.24s", cells, percent, what);
	fprintf(b->err, "\r%-*.*s", LINE_CELLS, LINE_CELLS, line);
	fflush(b->err);
}

static void clear_bar(const struct progress_line *b)
{
	if (b->percent < 0)
		return;
	fprintf(b->err, "\r%*s\r", LINE_CELLS, "");
	fflush(b->err);
}

/* A pipe has no bar, and a terminal that cannot go back to the start of a line has none either. */
static bool has_bar(const struct streams *io, bool plain)
{
	const char *term = getenv("TERM");

	return !plain && io->bar && !(term && strcmp(term, "dumb") == 0);
}

/* --- The command --- */

static int measure(struct machine *m, const struct command_line *line, const struct streams *io)
{
	struct measure_options o = measure_defaults(option_says_yes(line, OPTION_QUICK));
	struct progress_line bar = { io->bar, -1 };
	time_t now = (time_t)io->now_s;
	struct tm day;

	if (has_bar(io, option_says_yes(line, OPTION_PLAIN))) {
		o.progress = show_bar;
		o.state = &bar;
	}
	int rc = measure_machine(m, &o);
	clear_bar(&bar);
	if (rc)
		fprintf(io->err, "ridge measure: out of memory: expected %.0f MiB for the arrays\n",
			o.most_bytes / 1048576);
	if (gmtime_r(&now, &day))
		strftime(m->date, sizeof m->date, "%Y-%m-%d", &day);
	return rc;
}

/* What other programs took the processors from too often to be used is shown, and replaces nothing
 * that was kept before. */
static bool is_whole(const struct machine *m, const struct streams *io)
{
	struct accelerator a;
	char err[300];
	if (machine_accelerator(m, &a, err, sizeof err) == 0)
		return true;
	fprintf(io->err,
		"ridge measure: not kept: the machine is too busy, in %.1f s not all was "
		"measured; expected processors that are idle, or more time: without "
		"--quick\n",
		m->took_s);
	return false;
}

/* Writes the machine's file. 0 and its path, which is "" when no home directory is known. */
static int keep(const struct machine *m, char *path, size_t size, const struct streams *io)
{
	path[0] = '\0';
	if (!is_whole(m, io))
		return 1;
	if (!machine_path(path, size)) {
		fprintf(io->err, "ridge measure: not kept: expected HOME or XDG_DATA_HOME to be a "
				 "folder's full path\n");
		return 0;
	}
	if (machine_save(m, path) == 0)
		return 0;
	fprintf(io->err, "ridge measure: not kept: %.300s: %s\n", path, strerror(errno));
	path[0] = '\0';
	return 1;
}

static int print_text(const struct machine *m, const char *path, const struct streams *io)
{
	struct figure fig = { 0 };
	struct report_options o = report_defaults();

	machine_figure(m, &fig);
	fprintf(io->out, "This machine: %s\n\n", fig.subtitle ? fig.subtitle : m->cpu);
	int rc = fig.arena.failed ? -1 : report_figure(&fig, &o, io->out);
	figure_release(&fig);
	if (*path)
		fprintf(io->out,
			"\nMeasured in %.1f s, kept in %s.\nridge sim roofline gpu=this-machine "
			"draws it.\n",
			m->took_s, path);
	return rc;
}

int cmd_measure(const struct command_line *line, const struct streams *io)
{
	struct machine m;
	char path[4096];

	if (measure(&m, line, io))
		return 1;
	int kept = keep(&m, path, sizeof path, io);
	int rc = option_says_yes(line, OPTION_JSON) ? json_print(machine_json(&m), io->out)
						    : print_text(&m, path, io);
	if (rc && !ferror(io->out))
		fprintf(io->err, "ridge measure: out of memory\n");
	return rc || kept || printed_end(io->out) ? 1 : 0;
}
