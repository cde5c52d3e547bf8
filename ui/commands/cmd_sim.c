/* ridge sim: a simulation without a terminal. */
#include "sims/quantity/quantity.h"
#include "sims/registry/registry.h"
#include "ui/term/ansi.h"
#include "ui/commands/commands.h"
#include "ui/term/environment.h"
#include "ui/commands/export.h"
#include "ui/data/own_trace.h"
#include "ui/views/figure_view.h"
#include "ui/live/live.h"
#include "ui/data/tables_load.h"
#include "ui/commands/text_report.h"

#include <math.h>
#include <string.h>

struct request_line {
	const char *name;
	const char *settings[MAX_KNOBS];
	size_t n;
	enum { AS_TEXT, AS_JSON, AS_CSV } as;
	struct report_options report;
};

static int list(const struct streams *io)
{
	for (size_t i = 0; i < n_sims; i++)
		fprintf(io->out, "%-15s%s\n", sims[i]->id, sims[i]->summary);
	return 0;
}

static int read_option(
	int argc, char **argv, int *i, struct request_line *line, const struct streams *io)
{
	const char *word = argv[*i], *value = *i + 1 < argc ? argv[*i + 1] : NULL;
	char reason[160];
	if (strcmp(word, "--json") == 0) {
		line->as = AS_JSON;
	} else if (strcmp(word, "--csv") == 0) {
		line->as = AS_CSV;
	} else if (strcmp(word, "--text") == 0) {
		line->as = AS_TEXT;
	} else if (strcmp(word, "--color") == 0) {
		line->report.colour = true;
	} else if (strcmp(word, "--size") == 0) {
		if (!value || size_read(value, &line->report.cols, &line->report.rows))
			return usage_error(io, "sim", "--size: expected COLSxROWS, such as 100x30");
		++*i;
	} else if (strcmp(word, "--at") == 0) {
		if (!value || quantity_read(value, "s", &line->report.at_s, reason, sizeof reason))
			return usage_error(io, "sim", "--at: expected a time, such as 1.5 or 20ms");
		++*i;
	} else {
		return unknown_option(io, "sim", word);
	}
	return 0;
}

static int read_line(int argc, char **argv, struct request_line *line, const struct streams *io)
{
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "--", 2) == 0) {
			int rc = read_option(argc, argv, &i, line, io);
			if (rc)
				return rc;
		} else if (!line->name) {
			line->name = argv[i];
		} else if (line->n == MAX_KNOBS) {
			return usage_error(io, "sim", "more settings than knobs");
		} else {
			line->settings[line->n++] = argv[i];
		}
	}
	return 0;
}

static int print(const struct request_line *line, struct tables *t, const struct streams *io)
{
	struct live view;
	char err[320];
	int rc = 0;
	if (own_traces_read(t, line->name, line->settings, line->n, err, sizeof err) ||
		live_open(&view, t, line->name, line->settings, line->n, err, sizeof err))
		return usage_error(io, "sim", "%s", err);
	if (view.figure.arena.failed)
		rc = -1;
	else if (line->as == AS_JSON)
		rc = json_print(figure_json(view.sim, t, view.now.v, &view.figure), io->out);
	else if (line->as == AS_CSV)
		figure_csv(&view.figure, io->out);
	else {
		struct report_options how = line->report;
		how.at_s = isnan(how.at_s) ? view.playhead_s : how.at_s;
		rc = report_write(&view, &how, io->out);
	}
	live_release(&view);
	if (rc && !ferror(io->out))
		fprintf(io->err, "ridge sim: out of memory\n");
	return rc || fflush(io->out) || ferror(io->out) ? 1 : 0;
}

int cmd_sim(int argc, char **argv, const struct streams *io)
{
	struct request_line line = { .report = report_defaults() };
	struct tables t = { 0 };
	if (wants_help(argc, argv, io))
		return 0;
	int rc = read_line(argc, argv, &line, io);
	if (rc)
		return rc;
	if (!line.name)
		return list(io);
	if (tables_load_for(&t, "ridge sim", io->err))
		return 1;
	rc = print(&line, &t, io);
	tables_release(&t);
	return rc;
}
