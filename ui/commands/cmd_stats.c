/* The history is read and counted once, and one of five writers prints what came of it. */
#include "ui/commands/cmd_stats.h"

#include "drills/stats_figure.h"
#include "ui/data/answers.h"
#include "ui/data/history_file.h"
#include "ui/commands/export.h"
#include "ui/commands/stats_export.h"
#include "ui/commands/text_report.h"

enum { PATH_SIZE = 4096 };

struct wanted {
	bool json, csv, events;
};

static void write_empty(const char *path, FILE *out)
{
	fprintf(out,
		"No answers yet.\n\n"
		"  ridge drill          asks five problems, with hints and worked solutions\n"
		"  ridge drill --topic  narrows them to a topic or a skill\n\n"
		"Then this shows what you know, what is slow, which mistakes come back and\n"
		"what is due. Answers are kept in %s\n",
		path);
}

static int write_report(const struct stats *s, const struct history *h, const char *path, FILE *out)
{
	struct figure fig = { 0 };
	struct report_options o = report_defaults();
	char complaint[300];
	int rc = 0;
	if (s->n_problems == 0) {
		write_empty(path, out);
	} else {
		stats_figure(s, &fig);
		fprintf(out, "Your answers\n%s\n\n", path);
		rc = fig.arena.failed ? -1 : report_figure(&fig, &o, out);
	}
	if (*history_complaint(h, complaint, sizeof complaint))
		fprintf(out, "%s%s\n", s->n_problems ? "" : "\n", complaint);
	figure_release(&fig);
	return rc;
}

static int write_as(const struct wanted *w, const struct stats *s, const struct history *h,
	const char *path, FILE *out)
{
	if (w->events && w->csv)
		history_csv(h, out);
	else if (w->events)
		return history_export(h, out);
	else if (w->json)
		return json_print(stats_json(s, h), out);
	else if (w->csv)
		stats_csv(s, out);
	else
		return write_report(s, h, path, out);
	return 0;
}

static int run(
	const struct wanted *w, const struct history *h, const char *path, const struct streams *io)
{
	struct stats s;
	char complaint[300];
	int rc = stats_init(&s, h, io->now_s);
	if (rc == 0)
		rc = answers_retire_alone(&s);
	if (rc == 0)
		rc = write_as(w, &s, h, path, io->out);
	stats_release(&s);
	if ((w->events || w->csv) && *history_complaint(h, complaint, sizeof complaint))
		fprintf(io->err, "ridge stats: %s\n", complaint);
	if (rc && !ferror(io->out))
		fprintf(io->err, "ridge stats: out of memory\n");
	return rc || fflush(io->out) || ferror(io->out) ? 1 : 0;
}

int cmd_stats(const struct command_line *line, const struct streams *io)
{
	const struct wanted w = { option_says_yes(line, OPTION_JSON),
		option_says_yes(line, OPTION_CSV), option_says_yes(line, OPTION_EXPORT) };
	struct history h;
	char path[PATH_SIZE], err[300];
	int rc;
	if (w.json && w.csv)
		return usage_error(io, line->command, "--json and --csv: expected one of them");
	if (!history_path(path, sizeof path)) {
		fprintf(io->err,
			"ridge stats: expected HOME or XDG_DATA_HOME to be a folder's full path\n");
		return 1;
	}
	if (history_load(&h, path, err, sizeof err)) {
		fprintf(io->err, "ridge stats: %s\n", err);
		rc = 1;
	} else {
		rc = run(&w, &h, path, io);
	}
	history_release(&h);
	return rc;
}
