/* The words make a request, the request makes a session or deals a case, and that is asked line by line or
 * printed on a sheet. */
#include "ui/commands/cmd_drill.h"

#include "drills/code.h"
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
#include "ui/commands/export.h"
#include "ui/commands/paper_file.h"
#include "ui/data/case_list.h"
#include "ui/practice/case_sheet.h"

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

/* The sheet as a page in the file that was asked for. */
static int print_page(
	const struct drill_session *s, const struct wanted *w, const struct streams *io)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int rc = 1;
	if (out)
		drill_markdown(s, w->request.code, w->request.answers, out);
	if (out && fclose(out) == 0)
		rc = paper_file(w->html, text, COMMAND_DRILL, io);
	else
		fprintf(io->err, "ridge drill: out of memory\n");
	free(text);
	return rc;
}

static int print_sheet(
	const struct drill_session *s, const struct wanted *w, const struct streams *io)
{
	const struct drill_request *r = &w->request;
	FILE *out = io->out;
	if (w->json)
		return drill_json(s, r->code, r->answers, out);
	if (w->html)
		return print_page(s, w, io);
	if (w->markdown) {
		drill_markdown(s, r->code, r->answers, out);
		return fflush(out) ? 1 : 0;
	}
	drill_sheet(s, r->answers, out);
	if (!w->sheet && s->mode == MODE_INTERVIEW)
		interviewer_print_lists(s, out);
	return fflush(out) ? 1 : 0;
}

static int run(struct wanted *w, const struct tables *t, const struct drill_bank *b,
	const struct streams *io)
{
	struct drill_session session = { 0 };
	struct drill_request *r = &w->request;
	struct drill_lines lines = { io->in, io->out, io->err, now_ms, (int64_t)time(NULL),
		r->forget ? NULL : answers_keep, answers_load };
	char why[300];
	int rc = 2;
	if (drill_request_complete_from(r, b, answers_load, lines.began_s,
		    (uint64_t)lines.began_s % 100000, why, sizeof why) ||
		session_init(&session, b, t, &r->options, why, sizeof why)) {
		/* That nothing is due is good news and no mistake. */
		rc = !r->nothing_due ? usage_error(io, COMMAND_DRILL, "%s", why)
				     : fprintf(io->out, "ridge drill: %s\n", why) < 0;
		session_release(&session);
		return rc;
	}
	if (r->attempts)
		session.max_attempts = r->attempts;
	if (!w->json && !w->markdown && !w->html)
		fprintf(io->out, "%zu problem%s, %s, seed %llu%s%s\n\n", session.n,
			session.n == 1 ? "" : "s", mode_names[session.mode],
			(unsigned long long)session.seed, *r->code ? ", code " : ", ",
			*r->code ? r->code : code_missing(b, &session));
	rc = w->sheet || r->answers ? print_sheet(&session, w, io)
				    : drill_lines_run(&session, &lines);
	session_release(&session);
	return rc;
}

/* --- An interview at a case --- */

static int print_case(struct dealt_case *d, const struct wanted *w, FILE *out)
{
	if (w->json)
		return json_print(case_sheet_json(d, w->request.answers), out);
	return (w->request.answers ? case_sheet_interviewer : case_sheet_candidate)(d, out);
}

static int print_case_page(struct dealt_case *d, const struct wanted *w, const struct streams *io)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int rc = out ? print_case(d, w, out) : -1;
	if ((out && fclose(out)) || rc)
		fprintf(io->err, "ridge drill: out of memory\n");
	else
		rc = paper_file(w->html, text, COMMAND_DRILL, io);
	free(text);
	return rc;
}

static int show_case(struct case_sitting *s, struct case_dealing *d, const struct wanted *w,
	const struct streams *io)
{
	const struct drill_request *r = &w->request;
	char word[CASE_WORD_SIZE];
	if (w->html)
		return print_case_page(&s->deal, w, io);
	if (w->sheet || r->answers) {
		if (!w->json)
			fprintf(io->out, "An interview of %u minutes, code %s%s%s\n\n", s->minutes,
				r->code, r->answers ? "; what it came to is released by: " : "",
				r->answers ? case_release_word(&s->deal, word) : "");
		return print_case(&s->deal, w, io->out) || fflush(io->out);
	}
	return case_sit(s, d, !r->forget, COMMAND_DRILL, io);
}

/* Who was given a code has an interviewer; who asked for an interview has none. */
static int run_case(struct wanted *w, const struct tables *t, const struct streams *io)
{
	struct drill_request *r = &w->request;
	struct case_dealing d = {
		.seeded = true, .levelled = true, .timed = true, .held = r->code[0] != '\0'
	};
	struct design_case c = { .n_facts = 0 };
	struct case_sitting s = { .stage = 0 };
	char why[700];
	int rc = 2;
	if (drill_request_complete_case(r, (uint64_t)io->now_s % 100000, why, sizeof why) ||
		case_load(&c, t, r->case_id, why, sizeof why) ||
		case_sitting_begin(&s, &c, t, r->options.seed, r->level, why, sizeof why)) {
		usage_error(io, COMMAND_DRILL, "%s", why);
	} else {
		d.seed = r->options.seed;
		d.level = r->level;
		d.minutes = s.minutes = r->minutes;
		case_dealing_complete(&d, &c, !w->sheet && !r->answers && !r->forget, io->now_s);
		s.company = d.held ? CASE_HELD : CASE_ALONE;
		rc = show_case(&s, &d, w, io) ? 1 : 0;
	}
	free(d.record);
	case_sitting_release(&s);
	case_release(&c);
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
	/* A sheet has the problems that were asked for. Without one, the answers are those of an
	 * interview, unless another mode is named. */
	if (w.request.answers && !w.sheet && !option_given(line, OPTION_MODE))
		w.request.options.mode = MODE_INTERVIEW;
	if (tables_load_for(&t, "ridge drill", io->err))
		return 1;
	int rc = drill_request_at_case(&w.request)               ? run_case(&w, &t, io)
		 : bank_load_for(&b, &t, "ridge drill", io->err) ? 1
								 : run(&w, &t, &b, io);
	bank_release(&b);
	tables_release(&t);
	return rc;
}
