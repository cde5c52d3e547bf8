/* A record is read and done again, which gives the interview; then it is printed as it would have been
 * when it was left. */
#include "ui/commands/cmd_interviews.h"

#include "ui/commands/export.h"
#include "ui/commands/interviews_taken.h"
#include "ui/data/answers.h"
#include "ui/data/tables_load.h"
#include "ui/interviewer/interviewer_case.h"
#include "ui/interviewer/interviewer_files.h"
#include "ui/interviewer/interviewer_text.h"
#include "ui/practice/drill_summary.h"
#include "ui/term/environment.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct wanted {
	const struct tables *tables;
	bool json, markdown;
	size_t number; /* from 1, the newest; 0: the list */
	FILE *err;
};

/* --- One of them --- */

/* The interview of a record, with what the candidate answered meanwhile, on another machine or on this. */
static int load(const struct wanted *w, const char *name, struct interviewer *v, size_t *unreadable,
	char *err, size_t err_size)
{
	struct history h;
	char why[300];
	char *text = interviewer_file_read(name, err, err_size);
	if (!text)
		return -1;
	int rc = interviewer_replay(v, w->tables, text, unreadable, why, sizeof why);
	free(text);
	if (rc) {
		snprintf(err, err_size, "%s: %s", name, why);
		return -1;
	}
	const bool theirs = interviewer_file_follow(v, name, err, err_size);
	if (*err)
		fprintf(w->err, "ridge interviews: %s\n", err);
	if (theirs)
		return 0;
	if (answers_load(&h, why, sizeof why) == 0)
		interviewer_follow(v, h);
	else
		history_release(&h);
	return 0;
}

static void add_notes(cJSON *o, const struct interviewer_subject *s)
{
	cJSON *notes = cJSON_AddArrayToObject(o, "notes");
	for (const struct interviewer_note *n = s->notes; n; n = n->next) {
		cJSON *note = cJSON_CreateObject();
		cJSON_AddNumberToObject(note, "at_s", (double)n->at_ms / 1000);
		cJSON_AddStringToObject(note, "text", n->text);
		cJSON_AddItemToArray(notes, note);
	}
}

static void add_heard(cJSON *o, const struct interviewer_subject *s)
{
	cJSON *all = cJSON_AddArrayToObject(o, "heard");
	for (const struct interviewer_heard *h = s->heard; h; h = h->next) {
		cJSON *one = cJSON_CreateObject();
		cJSON_AddNumberToObject(one, "at_s", (double)h->at_ms / 1000);
		cJSON_AddNumberToObject(one, "part", (double)h->part);
		cJSON_AddStringToObject(one, "text", h->text);
		cJSON_AddStringToObject(one, "verdict", verdict_names[h->grade.verdict]);
		cJSON_AddStringToObject(one, "cause", h->grade.cause);
		cJSON_AddItemToArray(all, one);
	}
}

static void add_answers(cJSON *o, const struct interviewer *v, size_t stop)
{
	cJSON *all = cJSON_AddArrayToObject(o, "answers");
	size_t from = 0;
	for (const struct history_event *e; (e = interviewer_event(v, stop, &from));) {
		cJSON *one = cJSON_CreateObject();
		cJSON_AddStringToObject(one, "kind", history_kind_names[e->kind]);
		cJSON_AddStringToObject(one, "given", e->given);
		cJSON_AddStringToObject(one, "verdict", verdict_names[e->verdict]);
		cJSON_AddStringToObject(one, "cause", e->cause);
		json_add_number(one, "took_s", e->took_s);
		cJSON_AddItemToArray(all, one);
	}
}

static cJSON *stop_json(const struct interviewer *v, size_t stop)
{
	const struct interviewer_stop *s = &v->stops[stop];
	cJSON *o = cJSON_CreateObject();
	if (v->session.mode == MODE_INTERVIEW)
		cJSON_AddStringToObject(o, "phase", v->session.plan[s->phase].name);
	if (s->item) {
		const struct variant *x = &s->item->variant;
		cJSON_AddStringToObject(o, "drill", x->drill->id);
		cJSON_AddStringToObject(o, "title", x->drill->title);
		cJSON_AddNumberToObject(o, "parts", (double)x->n_steps);
		cJSON_AddNumberToObject(o, "parts_right", (double)interviewer_right_parts(v, stop));
		json_add_number(o, "par_s", x->drill->par_s);
		add_heard(o, &v->subjects[stop]);
		add_answers(o, v, stop);
	}
	cJSON_AddNumberToObject(o, "mark", v->subjects[stop].mark);
	cJSON_AddNumberToObject(
		o, "spent_s", (double)interviewer_spent_ms(v, stop, v->kept_ms) / 1000);
	add_notes(o, &v->subjects[stop]);
	return o;
}

/* Facts that were told, numbers and designs as they were heard. */
static void add_case(cJSON *o, const struct interviewer *v)
{
	const struct case_sitting *s = &v->at_case->sitting;
	cJSON_AddStringToObject(o, "case", v->request.case_id);
	cJSON_AddStringToObject(o, "level", case_level_names[v->request.level]);
	cJSON_AddNumberToObject(o, "minutes", v->request.minutes);
	cJSON *told = cJSON_AddArrayToObject(o, "told");
	for (size_t i = 0; i < s->deal.of->n_facts; i++)
		if (s->told[i])
			cJSON_AddItemToArray(told, cJSON_CreateString(s->deal.of->facts[i].id));
	cJSON *numbers = cJSON_AddArrayToObject(o, "estimates");
	for (size_t i = 0; i < s->deal.variant.n_steps; i++) {
		cJSON *one = cJSON_CreateObject();
		cJSON_AddStringToObject(one, "name", s->deal.of->drill.steps[i].name);
		cJSON_AddStringToObject(
			one, "given", s->estimates[i].given ? s->estimates[i].given : "");
		cJSON_AddStringToObject(one, "verdict", estimate_words[s->estimates[i].best]);
		cJSON_AddItemToArray(numbers, one);
	}
	cJSON *designs = cJSON_AddArrayToObject(o, "designs");
	for (size_t i = 0; i <= s->stage; i++) {
		cJSON *one = cJSON_CreateObject();
		cJSON_AddNumberToObject(one, "twists", (double)i);
		cJSON_AddNumberToObject(one, "runs", (double)s->runs[i]);
		cJSON_AddBoolToObject(one, "met", s->met[i]);
		cJSON_AddStringToObject(one, "last", s->last_design[i] ? s->last_design[i] : "");
		cJSON_AddItemToArray(designs, one);
	}
}

static cJSON *interview_json(const struct interviewer *v)
{
	cJSON *o = cJSON_CreateObject();
	cJSON_AddNumberToObject(o, "schema", 1);
	cJSON_AddStringToObject(o, "candidate", v->candidate);
	cJSON_AddStringToObject(o, "code", v->request.code);
	cJSON_AddStringToObject(o, "mode", mode_names[v->session.mode]);
	cJSON_AddNumberToObject(o, "at", (double)v->opened_s);
	cJSON_AddNumberToObject(o, "clock_s", (double)v->kept_ms / 1000);
	cJSON_AddBoolToObject(o, "ended", v->ended);
	cJSON_AddNumberToObject(o, "mark", v->subjects[v->n_stops].mark);
	if (v->at_case)
		add_case(o, v);
	add_notes(o, &v->subjects[v->n_stops]);
	cJSON *stops = cJSON_AddArrayToObject(o, "stops");
	for (size_t i = 0; i < v->n_stops; i++)
		cJSON_AddItemToArray(stops, stop_json(v, i));
	return o;
}

static int print(const struct wanted *w, struct interviewer *v, FILE *out)
{
	if (w->json)
		return json_print(interview_json(v), out);
	if (!w->markdown)
		return interviewer_print(v, v->kept_ms, environment_glyphs() == GLYPHS_ASCII, out);
	interviewer_write_summary(v, v->kept_ms, out);
	return 0;
}

static int show(const struct wanted *w, const struct interviewer_files *f, const struct streams *io)
{
	struct interviewer v;
	size_t unreadable;
	char err[400];
	if (w->number > f->n) {
		fprintf(io->err, "ridge interviews: there is no interview %zu: %zu %s kept\n",
			w->number, f->n, f->n == 1 ? "is" : "are");
		return 2;
	}
	const char *name = f->files[w->number - 1].name;
	if (load(w, name, &v, &unreadable, err, sizeof err)) {
		fprintf(io->err, "ridge interviews: %s\n", err);
		return 1;
	}
	int rc = print(w, &v, io->out);
	if (unreadable)
		fprintf(io->err, "ridge interviews: %s: %zu %s\n", name, unreadable,
			unreadable == 1 ? "line cannot be read; it is kept"
					: "lines cannot be read; they are kept");
	interviewer_release(&v);
	return rc ? 1 : 0;
}

/* --- All of them --- */

static const char *state_text(const struct interviewer_head *h, char *buf, size_t size)
{
	if (h->ended)
		snprintf(buf, size, "%s", h->mark ? mark_words[h->mark] : "ended, not marked");
	else if (h->code[0])
		snprintf(buf, size, "not ended: ridge drill --answers --code %s", h->code);
	else
		snprintf(buf, size, "not ended");
	return buf;
}

static void list_row(const struct interviewer_head *h, size_t number, FILE *out)
{
	char date[32], at[32], state[96];
	fprintf(out, "%3zu  %-16s  %-12s %-16.16s %7s  %s\n", number,
		interviews_date_text(h->at_s, date, sizeof date), h->code, h->candidate,
		drill_clock_text(h->clock_ms, at, sizeof at), state_text(h, state, sizeof state));
}

static cJSON *list_json(const struct interviewer_head *h, size_t number)
{
	cJSON *o = cJSON_CreateObject();
	cJSON_AddNumberToObject(o, "number", (double)number);
	cJSON_AddStringToObject(o, "candidate", h->candidate);
	cJSON_AddStringToObject(o, "code", h->code);
	cJSON_AddNumberToObject(o, "at", (double)h->at_s);
	cJSON_AddNumberToObject(o, "clock_s", (double)h->clock_ms / 1000);
	cJSON_AddNumberToObject(o, "mark", h->mark);
	cJSON_AddBoolToObject(o, "ended", h->ended);
	return o;
}

static int list(const struct wanted *w, const struct interviewer_files *f, const struct streams *io)
{
	cJSON *root = w->json ? cJSON_CreateObject() : NULL,
	      *all = root ? cJSON_AddArrayToObject(root, "interviews") : NULL;
	int rc = 0;
	if (!w->json && f->n == 0)
		fprintf(io->out,
			"No interviews given yet. Those that you took: ridge interviews taken.\n\n"
			"  ridge drill --answers              the interviewer's side of a new one\n"
			"  ridge drill --answers --name Ada   with the candidate's name\n");
	else if (!w->json)
		fprintf(io->out, "     %-16s  %-12s %-16s %7s\n", "begun (UTC)", "code",
			"candidate", "clock");
	for (size_t i = 0; i < f->n; i++) {
		struct interviewer_head head;
		char err[400];
		char *text = interviewer_file_read(f->files[i].name, err, sizeof err);
		bool is = text && interviewer_head_read(text, &head);
		if (!is) {
			fprintf(io->err, "ridge interviews: %s%s\n", text ? f->files[i].name : err,
				text ? ": it does not begin as a record" : "");
			rc = 1;
		} else if (w->json) {
			cJSON_AddItemToArray(all, list_json(&head, i + 1));
		} else {
			list_row(&head, i + 1, io->out);
		}
		free(text);
	}
	if (root && json_print(root, io->out))
		rc = 1;
	return rc;
}

/* 0: it is no number from 1 to 9999. */
static size_t read_number(const char *word)
{
	enum { MOST_DIGITS = 4 };
	size_t n = strspn(word, "0123456789");
	return n && n <= MOST_DIGITS && !word[n] ? strtoul(word, NULL, 10) : 0;
}

int cmd_interviews(const struct command_line *line, const struct streams *io)
{
	struct tables t = { 0 };
	struct interviewer_files f;
	char err[300];
	int rc = 1;
	struct wanted w = { &t, option_says_yes(line, OPTION_JSON),
		option_says_yes(line, OPTION_MARKDOWN), 0, io->err };
	if (w.json && w.markdown)
		return usage_error(io, line->command, "--json and --md: expected one of them");
	const bool taken = line->n_words && strcmp(line->words[0], "taken") == 0;
	const size_t at = taken ? 1 : 0;
	if (line->n_words > at && !(w.number = read_number(line->words[at])))
		return usage_error(io, line->command,
			"expected a number of the list, from 1%s, found \"%.60s\"",
			taken ? "" : ", or taken", line->words[at]);
	if (!taken && line->n_words > 1)
		return usage_error(io, line->command,
			"one interview at a time: found \"%.60s\" as well", line->words[1]);
	if (w.markdown && !w.number)
		return usage_error(io, line->command, "--md prints one interview: say which");
	if (taken) {
		const struct taken_wish wish = { w.number, w.json, w.markdown };
		rc = interviews_taken(&wish, io);
		return rc ? rc : fflush(io->out) ? 1 : 0;
	}
	if (w.number && tables_load_for(&t, "ridge interviews", io->err))
		return 1;
	if (interviewer_files_list(&f, err, sizeof err))
		fprintf(io->err, "ridge interviews: %s\n", err);
	else
		rc = w.number ? show(&w, &f, io) : list(&w, &f, io);
	interviewer_files_release(&f);
	tables_release(&t);
	return rc ? rc : fflush(io->out) ? 1 : 0;
}
