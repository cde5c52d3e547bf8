/* A record is read and done again, which gives the interview; then it is printed as it would have been
 * when it was left. */
#include "ui/commands/cmd_interviews.h"

#include "drills/code.h"
#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "ui/commands/export.h"
#include "ui/commands/interviews_taken.h"
#include "ui/data/answers.h"
#include "ui/data/case_list.h"
#include "ui/data/tables_load.h"
#include "ui/files/own_file.h"
#include "ui/interviewer/interviewer_case.h"
#include "ui/interviewer/interviewer_files.h"
#include "ui/interviewer/interviewer_text.h"
#include "ui/practice/drill_summary.h"
#include "ui/practice/date_words.h"
#include "ui/term/environment.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct wanted {
	const struct tables *tables;
	bool json, markdown, edit, drop, taken;
	size_t number;    /* from 1, the newest; 0: the list, */
	const char *name; /* of those with such a candidate; NULL: of all */
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
		cJSON_AddStringToObject(one, "best", s->best_design[i] ? s->best_design[i] : "");
		cJSON_AddStringToObject(one, "last", s->last_design[i] ? s->last_design[i] : "");
		cJSON_AddBoolToObject(one, "last_met", s->last_met[i]);
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

/* The file of the interview that is wanted; NULL: there is none, and it was told. */
static const char *file_of(
	const struct wanted *w, const struct interviewer_files *f, const struct streams *io)
{
	if (w->number <= f->n)
		return f->files[w->number - 1].name;
	fprintf(io->err, "ridge interviews: there is no interview %zu: %zu %s kept\n", w->number,
		f->n, f->n == 1 ? "is" : "are");
	return NULL;
}

static int show(const struct wanted *w, const char *name, const struct streams *io)
{
	struct interviewer v;
	size_t unreadable;
	char err[400];
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

/* The head of a record. False: it cannot be read, which was told. */
static bool read_head(const char *name, struct interviewer_head *h, FILE *err)
{
	char why[400];
	char *text = interviewer_file_read(name, why, sizeof why);
	const bool is = text && interviewer_head_read(text, h);
	if (!is)
		fprintf(err, "ridge interviews: %s%s\n", text ? name : why,
			text ? ": it does not begin as a record" : "");
	free(text);
	return is;
}

/* An interview that was ended is somebody's result: only who says so removes it. */
static bool confirms(size_t number, const struct streams *io)
{
	char answer[16] = "";
	fprintf(io->out,
		"Interview %zu was ended: its marks and notes go with it. Type yes to remove it> ",
		number);
	fflush(io->out);
	own_read_line(answer, sizeof answer, io->in);
	fprintf(io->out, "\n");
	answer[strcspn(answer, "\r\n")] = '\0';
	return strcasecmp(answer, "yes") == 0;
}

static int drop(const struct wanted *w, const char *name, const struct streams *io)
{
	struct interviewer_head h;
	char err[400], date[32], at[32];
	if (!read_head(name, &h, io->err))
		return 1;
	if (h.ended && !confirms(w->number, io)) {
		fprintf(io->out, "It stays.\n");
		return 1;
	}
	if (interviewer_file_drop(name, err, sizeof err)) {
		fprintf(io->err, "ridge interviews: %s\n", err);
		return 1;
	}
	fprintf(io->out, "Removed: interview %zu, begun %s UTC, clock %s%s%s%s%s.\n", w->number,
		moment_text(h.at_s, date, sizeof date), drill_clock_text(h.clock_ms, at, sizeof at),
		h.code[0] ? ", code " : "", h.code, h.candidate[0] ? ", " : "", h.candidate);
	return 0;
}

/* --- All of them --- */

/* A row of the list. */
struct row {
	size_t number;
	struct interviewer_head head;
	const char *about; /* the id of its case, or "problems" */
	const char *level; /* "" and 0 where it is at no case */
	unsigned minutes;
	bool at_case;
};

struct rows {
	struct arena arena;
	struct case_list cases;
	struct row *list;
	size_t n, room;
};

/* What its code says of a case. */
static void read_code(struct rows *r, struct row *row)
{
	const char *const *ids = case_list_ids(&r->cases);
	struct case_code c;
	char err[300];
	row->about = "problems";
	row->level = "";
	if (!ids || !code_is_of_case(row->head.code))
		return;
	row->at_case = case_code_read(ids, r->cases.n, row->head.code, &c, err, sizeof err) == 0;
	row->about = row->at_case ? c.id : "a case that is gone";
	row->level = row->at_case ? case_level_names[c.level] : "";
	row->minutes = row->at_case ? c.minutes : 0;
}

/* A part of the name will do, in any case of its letters. */
static bool is_of(const struct interviewer_head *h, const char *name)
{
	const size_t n = name ? strlen(name) : 0;
	for (const char *at = h->candidate; n && *at; at++)
		if (strncasecmp(at, name, n) == 0)
			return true;
	return !name;
}

/* 0; or 1: one of them cannot be read, which was told. */
static int read_rows(struct rows *r, const struct wanted *w, const struct interviewer_files *f)
{
	int rc = case_list_load(&r->cases, NULL) ? 1 : 0;
	for (size_t i = 0; i < f->n; i++) {
		struct row row = { .number = i + 1 };
		if (!read_head(f->files[i].name, &row.head, w->err)) {
			rc = 1;
		} else if (is_of(&row.head, w->name)) {
			read_code(r, &row);
			ARRAY_APPEND(&r->arena, r, list, n, room, row);
		}
	}
	return rc;
}

static const char *state_text(const struct interviewer_head *h)
{
	return !h->ended ? "not ended" : h->mark ? mark_words[h->mark] : "ended, not marked";
}

/* The columns of a list: as wide as what stands in them. */
struct widths {
	int code, name, about, level;
};

static int wider(int width, const char *text)
{
	return max_int(width, text_width(text));
}

static struct widths widths_of(const struct rows *r)
{
	struct widths w = { .code = 4, .name = 9, .about = 4, .level = 5 };
	for (size_t i = 0; i < r->n; i++) {
		w.code = wider(w.code, r->list[i].head.code);
		w.name = wider(w.name, r->list[i].head.candidate);
		w.about = wider(w.about, r->list[i].about);
		w.level = wider(w.level, r->list[i].level);
	}
	return w;
}

static void put_column(const char *text, int width, FILE *out)
{
	fprintf(out, "%s%*s  ", text, max_int(0, width - text_width(text)), "");
}

static void put_row(const struct row *row, const struct widths *w, FILE *out)
{
	char date[32], at[32], minutes[16] = "";
	if (row->at_case)
		snprintf(minutes, sizeof minutes, "%u", row->minutes);
	fprintf(out, "%3zu  ", row->number);
	put_column(moment_text(row->head.at_s, date, sizeof date), 16, out);
	put_column(row->head.code, w->code, out);
	put_column(row->head.candidate, w->name, out);
	put_column(row->about, w->about, out);
	put_column(row->level, w->level, out);
	fprintf(out, "%3s  %7s  %s\n", minutes, drill_clock_text(row->head.clock_ms, at, sizeof at),
		state_text(&row->head));
}

/* How to go on with those that were not ended, in lines that the list's rows have no room for. */
static void put_unfinished(const struct rows *r, FILE *out)
{
	const struct row *first = NULL;
	for (size_t i = 0; i < r->n && !first; i++)
		first = r->list[i].head.ended ? NULL : &r->list[i];
	if (!first)
		return;
	fprintf(out, "\nNot ended:\n");
	for (size_t i = 0; i < r->n; i++)
		if (!r->list[i].head.ended && r->list[i].head.code[0])
			fprintf(out, "  ridge drill --answers --code %s goes on with %zu\n",
				r->list[i].head.code, r->list[i].number);
	fprintf(out, "  ridge interviews %zu --drop removes %zu\n", first->number, first->number);
}

static void put_rows(const struct rows *r, FILE *out)
{
	const struct widths w = widths_of(r);
	fprintf(out, "     ");
	put_column("begun (UTC)", 16, out);
	put_column("code", w.code, out);
	put_column("candidate", w.name, out);
	put_column("case", w.about, out);
	put_column("level", w.level, out);
	fprintf(out, "min    clock\n");
	for (size_t i = 0; i < r->n; i++)
		put_row(&r->list[i], &w, out);
	put_unfinished(r, out);
}

static cJSON *row_json(const struct row *row)
{
	const struct interviewer_head *h = &row->head;
	cJSON *o = cJSON_CreateObject();
	cJSON_AddNumberToObject(o, "number", (double)row->number);
	cJSON_AddStringToObject(o, "candidate", h->candidate);
	cJSON_AddStringToObject(o, "code", h->code);
	if (row->at_case) {
		cJSON_AddStringToObject(o, "case", row->about);
		cJSON_AddStringToObject(o, "level", row->level);
		cJSON_AddNumberToObject(o, "minutes", row->minutes);
	}
	cJSON_AddNumberToObject(o, "at", (double)h->at_s);
	cJSON_AddNumberToObject(o, "clock_s", (double)h->clock_ms / 1000);
	cJSON_AddNumberToObject(o, "mark", h->mark);
	cJSON_AddBoolToObject(o, "ended", h->ended);
	return o;
}

static int rows_json(const struct rows *r, FILE *out)
{
	cJSON *root = cJSON_CreateObject(), *all = cJSON_AddArrayToObject(root, "interviews");
	for (size_t i = 0; i < r->n; i++)
		cJSON_AddItemToArray(all, row_json(&r->list[i]));
	return json_print(root, out);
}

static int list(const struct wanted *w, const struct interviewer_files *f, const struct streams *io)
{
	struct rows r = { .n = 0 };
	int rc = read_rows(&r, w, f);
	if (r.arena.failed) {
		fprintf(io->err, "ridge interviews: out of memory\n");
		rc = 1;
	} else if (w->name && !r.n) {
		fprintf(io->err,
			"ridge interviews: no interview is with \"%.60s\": expected a number of the "
			"list, from 1, taken, or a candidate's name\n",
			w->name);
		rc = 2;
	} else if (w->json) {
		rc = rows_json(&r, io->out) ? 1 : rc;
	} else if (f->n == 0) {
		fprintf(io->out,
			"No interviews given yet. Those that you took: ridge interviews taken.\n\n"
			"  ridge drill --answers              the interviewer's side of a new one\n"
			"  ridge drill --answers --name Ada   with the candidate's name\n");
	} else {
		put_rows(&r, io->out);
	}
	case_list_release(&r.cases);
	arena_release(&r.arena);
	return rc;
}

/* --- The command --- */

/* 0: it is no number from 1 to 9999. */
static size_t read_number(const char *word)
{
	enum { MOST_DIGITS = 4 };
	size_t n = strspn(word, "0123456789");
	return n && n <= MOST_DIGITS && !word[n] ? strtoul(word, NULL, 10) : 0;
}

static bool is_digits(const char *word)
{
	return *word && !word[strspn(word, "0123456789")];
}

/* What the words want. 0, or the status of a mistake that was told. */
static int read_wish(const struct command_line *line, const struct streams *io, struct wanted *w)
{
	const bool taken = line->n_words && strcmp(line->words[0], "taken") == 0;
	const size_t at = taken ? 1 : 0;
	const char *word = line->n_words > at ? line->words[at] : NULL;
	w->json = option_says_yes(line, OPTION_JSON);
	w->markdown = option_says_yes(line, OPTION_MARKDOWN);
	w->edit = option_says_yes(line, OPTION_EDIT);
	w->drop = option_says_yes(line, OPTION_DROP);
	w->taken = taken;
	if (w->json && w->markdown)
		return usage_error(io, line->command, "--json and --md: expected one of them");
	if (word && !(w->number = read_number(word)) && (taken || is_digits(word)))
		return usage_error(io, line->command,
			"expected a number of the list, from 1%s, found \"%.60s\"",
			taken ? "" : ", taken, or a candidate's name", word);
	w->name = word && !w->number ? word : NULL;
	if (!taken && line->n_words > 1)
		return usage_error(io, line->command,
			"one interview at a time: found \"%.60s\" as well", line->words[1]);
	if (w->markdown && !w->number)
		return usage_error(io, line->command, "--md prints one interview: say which");
	if ((w->edit || w->drop) && (!w->number || taken))
		return usage_error(io, line->command,
			"--%s is for one interview that you gave: say which",
			w->edit ? "edit" : "drop");
	if (w->edit + w->drop + w->json + w->markdown > 1)
		return usage_error(
			io, line->command, "--edit and --drop go alone: expected one of them");
	return 0;
}

static int one_or_all(
	const struct wanted *w, const struct interviewer_files *f, const struct streams *io)
{
	if (!w->number)
		return list(w, f, io);
	const char *name = file_of(w, f, io);
	return !name ? 2 : w->drop ? drop(w, name, io) : show(w, name, io);
}

int cmd_interviews(const struct command_line *line, const struct streams *io)
{
	struct tables t = { 0 };
	struct interviewer_files f;
	struct wanted w = { .tables = &t, .err = io->err };
	char err[300];
	int rc = read_wish(line, io, &w);
	if (rc)
		return rc;
	if (w.edit)
		return usage_error(io, line->command, "--edit opens a screen: it needs a terminal");
	if (w.taken) {
		const struct taken_wish wish = { w.number, w.json, w.markdown };
		rc = interviews_taken(&wish, io);
		return rc ? rc : fflush(io->out) ? 1 : 0;
	}
	if (w.number && tables_load_for(&t, "ridge interviews", io->err))
		return 1;
	rc = 1;
	if (interviewer_files_list(&f, err, sizeof err))
		fprintf(io->err, "ridge interviews: %s\n", err);
	else
		rc = one_or_all(&w, &f, io);
	interviewer_files_release(&f);
	tables_release(&t);
	return rc ? rc : fflush(io->out) ? 1 : 0;
}

int interviews_edited(const struct command_line *line, const struct streams *io, char *name)
{
	struct interviewer_files f;
	struct wanted w = { .err = io->err };
	char err[300];
	int rc = read_wish(line, io, &w);
	if (rc)
		return rc;
	if (interviewer_files_list(&f, err, sizeof err)) {
		fprintf(io->err, "ridge interviews: %s\n", err);
		rc = 1;
	} else {
		const char *file = file_of(&w, &f, io);
		snprintf(name, RECORD_NAME_SIZE, "%s", file ? file : "");
		rc = file ? 0 : 2;
	}
	interviewer_files_release(&f);
	return rc;
}
