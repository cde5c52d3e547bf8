/* The history and the records of interviews are read and counted once, and one of five writers prints what
 * came of them. */
#include "ui/commands/cmd_stats.h"

#include "drills/case_stats_figure.h"
#include "drills/stats_figure.h"
#include "ui/data/answers.h"
#include "ui/data/history_file.h"
#include "ui/data/tables_load.h"
#include "ui/files/printed.h"
#include "ui/interviewer/interview_results.h"
#include "ui/commands/export.h"
#include "ui/commands/stats_export.h"
#include "ui/commands/text_report.h"

enum { PATH_SIZE = 4096 };

struct wanted {
	bool json, csv, events;
};

/* All that is counted. */
struct counted {
	struct stats stats;
	struct interview_results results;
	struct case_stats interviews;
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

static int write_figure(struct figure *fig, FILE *out)
{
	const struct report_options o = report_defaults();
	const int rc = fig->arena.failed ? -1 : report_figure(fig, &o, out);
	figure_release(fig);
	return rc;
}

/* Who takes interviews here and who was interviewed, one below the other. */
static int write_interviews(const struct counted *c, FILE *out)
{
	int rc = 0;
	for (size_t i = 0; i < c->interviews.n_people && !rc; i++) {
		const struct case_person *p = &c->interviews.people[i];
		struct figure fig = { 0 };
		case_stats_figure(p, c->results.offers, c->results.n_offers, c->stats.now_s, &fig);
		if (p->given)
			fprintf(out, "\nInterviews given: %s\n",
				*p->name ? p->name : "candidates without a name");
		else
			fprintf(out, "\nYour interviews\n");
		rc = write_figure(&fig, out);
	}
	if (c->results.unreadable)
		fprintf(out, "%zu record%s of interviews cannot be read.\n", c->results.unreadable,
			c->results.unreadable == 1 ? "" : "s");
	return rc;
}

static int write_report(
	const struct counted *c, const struct history *h, const char *path, FILE *out)
{
	const struct stats *s = &c->stats;
	struct figure fig = { 0 };
	char complaint[300];
	int rc = 0;
	if (s->n_problems == 0) {
		write_empty(path, out);
	} else {
		stats_figure(s, &fig);
		fprintf(out, "Your answers\n%s\n\n", path);
		rc = write_figure(&fig, out);
	}
	if (rc == 0)
		rc = write_interviews(c, out);
	if (*history_complaint(h, complaint, sizeof complaint))
		fprintf(out, "%s%s\n", s->n_problems ? "" : "\n", complaint);
	return rc;
}

static cJSON *all_json(const struct counted *c, const struct history *h)
{
	cJSON *o = stats_json(&c->stats, h);
	if (o)
		cJSON_AddItemToObject(
			o, "interviews", interviews_json(&c->interviews, &c->results));
	return o;
}

static int write_as(const struct wanted *w, const struct counted *c, const struct history *h,
	const char *path, FILE *out)
{
	if (w->events && w->csv)
		history_csv(h, out);
	else if (w->events)
		return history_export(h, out);
	else if (w->json)
		return json_print(all_json(c, h), out);
	else if (w->csv)
		stats_csv(&c->stats, out);
	else
		return write_report(c, h, path, out);
	return 0;
}

/* The records, where what is written has them. */
static int read_interviews(const struct wanted *w, struct counted *c, const struct streams *io)
{
	struct tables t = { 0 };
	if (w->csv || w->events)
		return 0;
	if (interview_results_find(&c->results))
		return -1;
	if (c->results.n && tables_load_for(&t, "ridge stats", io->err) == 0) {
		while (interview_results_next(&c->results, &t))
			;
		interview_results_offer(&c->results, &t);
	}
	tables_release(&t);
	if (c->results.arena.failed)
		return -1;
	return interview_results_count(&c->results, &c->interviews);
}

static int run(
	const struct wanted *w, const struct history *h, const char *path, const struct streams *io)
{
	struct counted c = { .results = { .n = 0 } };
	char complaint[300];
	int rc = stats_init(&c.stats, h, io->now_s);
	if (rc == 0)
		rc = answers_retire_alone(&c.stats);
	if (rc == 0)
		rc = read_interviews(w, &c, io);
	if (rc == 0)
		rc = write_as(w, &c, h, path, io->out);
	case_stats_release(&c.interviews);
	interview_results_release(&c.results);
	stats_release(&c.stats);
	if ((w->events || w->csv) && *history_complaint(h, complaint, sizeof complaint))
		fprintf(io->err, "ridge stats: %s\n", complaint);
	if (rc && !ferror(io->out))
		fprintf(io->err, "ridge stats: out of memory\n");
	return rc || printed_end(io->out) ? 1 : 0;
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
