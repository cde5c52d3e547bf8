/* The words make a request, the request makes a session or deals a case, and that is asked line by line or
 * printed on a sheet. */
#include "ui/commands/cmd_drill.h"

#include "drills/code.h"
#include "drills/session_again.h"
#include "ui/data/answers.h"
#include "ui/data/bank_load.h"
#include "ui/data/tables_load.h"
#include "ui/practice/drill_json.h"
#include "ui/practice/drill_lines.h"
#include "ui/practice/drill_markdown.h"
#include "ui/practice/drill_request.h"
#include "ui/practice/drill_sheet.h"
#include "ui/interviewer/interviewer.h"
#include "ui/interviewer/interviewer_listen.h"
#include "ui/commands/case_sit.h"
#include "ui/commands/drill_stream.h"
#include "ui/commands/paper_file.h"

#include <stdlib.h>
#include <time.h>

struct wanted {
	struct drill_request request;
	bool sheet, json, markdown;
	const char *html; /* the file for a page; NULL: none is wanted */
};

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

struct printing {
	const struct drill_session *s;
	const struct drill_request *r;
};

static int write_sheet(const void *what, FILE *out)
{
	const struct printing *p = what;
	drill_markdown(p->s, p->r->code, p->r->answers, out);
	return 0;
}

static int print_sheet(
	const struct drill_session *s, const struct wanted *w, const struct streams *io)
{
	const struct drill_request *r = &w->request;
	FILE *out = io->out;
	if (w->json)
		return drill_json(s, r->code, r->answers, out);
	if (w->html)
		return paper_file_of(
			w->html, write_sheet, &(struct printing){ s, r }, COMMAND_DRILL, io);
	if (w->markdown) {
		drill_markdown(s, r->code, r->answers, out);
		return fflush(out) ? 1 : 0;
	}
	drill_sheet(s, r->answers, out);
	if (!w->sheet && s->mode == MODE_INTERVIEW)
		interviewer_print_lists(s, out);
	return fflush(out) ? 1 : 0;
}

/* Here a placement begins anew. One that was left within a day goes on in the explorer, which is said before it is
 * lost sight of. */
static void say_left(const struct drill_lines *l, FILE *out)
{
	struct history h = { 0 };
	char unused[300];
	const bool read = l->load_history(&h, unused, sizeof unused) == 0;
	const size_t at = read ? session_placement_left(&h, l->began_s - CALENDAR_DAY_S) : 0;
	if (at > 0)
		fprintf(out,
			"A placement was left at problem %zu of %d: ridge open drill "
			"mode=placement goes on with it.\n\n",
			at, PLACEMENT_COUNT);
	history_release(&h);
}

static int run(struct wanted *w, const struct tables *t, const struct drill_bank *b,
	const struct streams *io)
{
	struct drill_session session = { 0 };
	struct drill_request *r = &w->request;
	struct drill_lines lines = { io->in, io->out, io->err, now_ms, (int64_t)time(NULL),
		r->forget ? NULL : answers_keep, answers_load, NULL };
	char why[300], subject[100];
	int rc = 2;
	if (drill_request_complete_from(r, b, answers_load, lines.began_s,
		    (uint64_t)lines.began_s % CASE_SEEDS, why, sizeof why) ||
		session_init(&session, b, t, &r->options, why, sizeof why)) {
		/* That nothing is due is good news and no mistake. */
		rc = !r->nothing_due ? usage_error(io, COMMAND_DRILL, "%s", why)
				     : fprintf(io->out, "ridge drill: %s\n", why) < 0;
		session_release(&session);
		return rc;
	}
	if (r->attempts)
		session.max_attempts = r->attempts;
	/* An interview has so many problems besides. */
	const size_t estimates = session.mode == MODE_INTERVIEW;
	if (!w->json && !w->markdown && !w->html)
		fprintf(io->out, "%s%zu problem%s, %s, %s, seed %llu%s%s\n\n",
			estimates ? "an estimate and " : "", session.n - estimates,
			session.n - estimates == 1 ? "" : "s", mode_names[session.mode],
			drill_request_subject(r, subject, sizeof subject),
			(unsigned long long)session.seed, *r->code ? ", code " : ", ",
			*r->code ? r->code : code_missing(b, &session));
	const bool asks = !w->sheet && !r->answers;
	if (asks && session.mode == MODE_PLACEMENT && !r->forget)
		say_left(&lines, io->out);
	lines.set = session.mode == MODE_SET && !r->pack[0] ? r->code : NULL;
	rc = !asks ? print_sheet(&session, w, io) : drill_lines_run(&session, &lines);
	session_release(&session);
	return rc;
}

/* --- An interview at a case --- */

/* Who was given a code has an interviewer; who asked for an interview has none. */
static int run_case(struct wanted *w, const struct tables *t, const struct streams *io)
{
	struct drill_request *r = &w->request;
	const bool held = r->code[0] != '\0';
	char why[700], word[CASE_WORD_SIZE], above[160];
	if (drill_request_complete_case(r, (uint64_t)io->now_s % CASE_SEEDS, why, sizeof why))
		return usage_error(io, COMMAND_DRILL, "%s", why);
	snprintf(above, sizeof above, "An interview of %u minutes, code %s%s%s", r->minutes,
		r->code, r->answers ? "; what it came to is released by: " : "",
		r->answers ? case_release_word(r->case_id, r->options.seed, r->level, word) : "");
	const struct case_order order = { .id = r->case_id,
		.how = { .seeded = true,
			.levelled = true,
			.timed = true,
			.held = held,
			.seed = r->options.seed,
			.level = r->level,
			.minutes = r->minutes },
		.sheet = w->sheet || r->answers,
		.json = w->json,
		.html = w->html,
		.candidate = !r->answers,
		.above = above,
		.keeps = !r->forget };
	return case_open(&order, t, COMMAND_DRILL, io);
}

static int load_bank(const struct drill_request *r, struct drill_bank *b, const struct tables *t,
	const struct streams *io)
{
	struct own_drills own;
	char why[600];
	int rc = drill_request_bank(r, b, t, &own, why, sizeof why);
	if (rc)
		fprintf(io->err, "ridge drill: %s\n", why);
	for (size_t i = 0; i < own.n_refused; i++)
		fprintf(io->err, "ridge drill: %s\n", own.refused[i]);
	return rc;
}

int cmd_drill(const struct command_line *line, const struct streams *io)
{
	struct wanted w = { .sheet = option_says_yes(line, OPTION_SHEET),
		.json = option_says_yes(line, OPTION_JSON),
		.markdown = option_says_yes(line, OPTION_MARKDOWN),
		.html = line->values[OPTION_HTML].text };
	struct tables t = { 0 };
	struct drill_bank b = { 0 };
	char why[300];
	if (w.json && !w.sheet)
		return usage_error(io, line->command, "--json goes with --sheet");
	if ((w.markdown || w.html) && !w.sheet)
		return usage_error(
			io, line->command, "--%s goes with --sheet", w.html ? "html" : "md");
	if (w.json + w.markdown + (w.html != NULL) > 1)
		return usage_error(io, line->command, "--json, --md, --html: expected one of them");
	if (drill_request_take(&w.request, line, why, sizeof why))
		return usage_error(io, line->command, "%s", why);
	if (option_says_yes(line, OPTION_STREAM) && !w.request.code[0])
		return usage_error(io, line->command, "--stream goes with --code");
	/* A sheet has the problems that were asked for. Without one, the answers are those of an
	 * interview, unless another mode is named. */
	if (w.request.answers && !w.sheet && !option_given(line, OPTION_MODE))
		w.request.options.mode = MODE_INTERVIEW;
	if (tables_load_for(&t, "ridge drill", io->err))
		return 1;
	int rc = option_says_yes(line, OPTION_STREAM) ? drill_stream(&w.request, &t, io)
		 : drill_request_at_case(&w.request)  ? run_case(&w, &t, io)
		 : load_bank(&w.request, &b, &t, io)  ? 1
						      : run(&w, &t, &b, io);
	bank_release(&b);
	tables_release(&t);
	return rc;
}
