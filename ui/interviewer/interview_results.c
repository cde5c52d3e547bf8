#include "ui/interviewer/interview_results.h"

#include "sims/base/array.h"
#include "ui/data/case_list.h"
#include "ui/interviewer/interviewer_case.h"
#include "ui/interviewer/interviewer_files.h"
#include "ui/practice/case_record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- One --- */

/* Types a record's lines. What is asked and typed behind the debrief, which has all answers, counts for
 * nothing but marks. */
static void type_all(
	struct case_talk *talk, const char *text, struct case_result *r, bool *debriefed)
{
	const char *at = text;
	int64_t ms;
	char *line;
	while ((line = case_record_line(&at, &ms))) {
		case_talk_line(talk, "", ms);
		case_record_reading(talk, at);
		case_talk_line(talk, line, ms);
		if (talk->debriefed && !*debriefed) {
			case_result_of(talk->sitting, true, ms, r);
			*debriefed = true;
		}
		free(line);
	}
}

static bool count_taken(
	const struct case_head *h, const char *text, struct case_sitting *s, struct case_result *r)
{
	struct case_talk talk;
	bool debriefed = false;
	s->minutes = h->minutes;
	s->company = h->held ? CASE_HELD : CASE_ALONE;
	case_talk_begin(&talk, s);
	type_all(&talk, text, r, &debriefed);
	if (!debriefed)
		case_result_of(s, h->ended, h->clock_ms, r);
	for (size_t i = 0; i < N_CASE_PHASES; i++)
		r->marks[i] = s->marks[i];
	r->asks_seen = !h->held;
	r->at_s = h->at_s;
	case_talk_release(&talk);
	return s->company != CASE_HELD;
}

bool interview_result_taken(
	const struct tables *t, const char *text, struct case_result *r, bool *readable)
{
	struct case_head h;
	struct design_case c;
	struct case_sitting s;
	char err[500];
	bool is = false;
	*readable = case_head_read(text, &h);
	if (!*readable || !h.typed)
		return false;
	if (case_load(&c, t, h.id, err, sizeof err)) {
		*readable = false;
	} else {
		*readable = case_sitting_begin(&s, &c, t, h.seed, h.level, err, sizeof err) == 0;
		is = *readable && count_taken(&h, text, &s, r);
		case_sitting_release(&s);
	}
	case_release(&c);
	return is;
}

/* The desk has marks and times of its own. */
static void take_desk(const struct interviewer *v, struct case_result *r)
{
	enum case_phase at = CASE_CLARIFY;
	r->given = true;
	r->at_s = v->opened_s;
	r->mark = v->subjects[v->n_stops].mark;
	snprintf(r->who, sizeof r->who, "%s", v->candidate);
	for (size_t i = 0; i < N_CASE_PHASES; i++) {
		r->spent_ms[i] = interviewer_phase_ms(v, (enum phase)i, v->kept_ms);
		r->planned_ms[i] = (int64_t)(1000 * v->session.plan[i].share * v->session.limit_s);
		at = r->spent_ms[i] > 0 ? (enum case_phase)i : at;
	}
	for (size_t i = 0; i < v->n_stops; i++)
		r->marks[v->stops[i].phase] = v->subjects[i].mark;
	case_result_reached(r, at);
}

static bool is_marked(const struct case_result *r)
{
	bool any = r->mark > 0;
	for (size_t i = 0; i < N_CASE_PHASES; i++)
		any = any || r->marks[i];
	return any;
}

bool interview_result_given(
	const struct tables *t, const char *text, struct case_result *r, bool *readable)
{
	struct interviewer v;
	size_t lines;
	char err[400];
	bool is = false;
	*readable = interviewer_replay(&v, t, text, &lines, err, sizeof err) == 0;
	if (!*readable)
		return false;
	if (v.at_case) {
		const bool over = v.ended || interviewer_in_summary(&v);
		case_result_of(&v.at_case->sitting, over, v.kept_ms, r);
		take_desk(&v, r);
		is = interviewer_case_has_heard(v.at_case) || is_marked(r);
	}
	interviewer_release(&v);
	return is;
}

/* --- All --- */

static bool is_listed(const struct interview_results *r, const char *name, bool given)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->list[i].given == given && strcmp(r->list[i].name, name) == 0)
			return true;
	return false;
}

static int add(struct interview_results *r, const char *name, bool given)
{
	if (is_listed(r, name, given))
		return 0;
	struct interview_result *one = ARRAY_PUSH(&r->arena, r, list, n, room);
	if (!one)
		return -1;
	*one = (struct interview_result){ .given = given, .name = arena_text(&r->arena, name) };
	return r->arena.failed ? -1 : 0;
}

int interview_results_find(struct interview_results *r)
{
	struct interviewer_files f;
	char err[300];
	size_t n;
	int rc = 0;
	char(*names)[CASE_RECORD_NAME_SIZE] = case_files_all(&n);
	for (size_t i = 0; i < n && !rc; i++)
		rc = add(r, names[i], false);
	free(names);
	if (interviewer_files_list(&f, err, sizeof err) == 0)
		for (size_t i = 0; i < f.n && !rc; i++)
			rc = add(r, f.files[i].name, true);
	interviewer_files_release(&f);
	r->listed = true;
	return rc;
}

bool interview_results_next(struct interview_results *r, const struct tables *t)
{
	char err[300];
	bool readable = false;
	if (r->at == r->n)
		return false;
	struct interview_result *one = &r->list[r->at++];
	errno = 0;
	char *text = one->given ? interviewer_file_read(one->name, err, sizeof err)
				: case_file_text(one->name);
	if (text)
		one->is = one->given ? interview_result_given(t, text, &one->result, &readable)
				     : interview_result_taken(t, text, &one->result, &readable);
	snprintf(one->result.file, sizeof one->result.file, "%s", one->name);
	r->unreadable += !readable;
	r->arena.failed |= !readable && errno == ENOMEM;
	free(text);
	return true;
}

int interview_results_count(const struct interview_results *r, struct case_stats *s)
{
	struct case_result *results = malloc((r->n + 1) * sizeof *results);
	size_t n = 0;
	*s = (struct case_stats){ .n = 0 };
	if (!results)
		return -1;
	for (size_t i = 0; i < r->at; i++)
		if (r->list[i].is)
			results[n++] = r->list[i].result;
	const int rc = case_stats_init(s, results, n);
	free(results);
	return rc;
}

/* The texts of an offer are its case's, which is closed again. */
static void keep_texts(struct arena *a, struct case_offer *o)
{
	o->id = arena_text(a, o->id);
	o->title = arena_text(a, o->title);
	o->area = arena_text(a, o->area);
}

void interview_results_offer(struct interview_results *r, const struct tables *t)
{
	struct case_list l;
	char err[500];
	if (r->n_offers)
		return;
	case_list_load(&l, NULL);
	for (size_t i = 0; i < l.n; i++) {
		struct design_case c;
		struct case_offer *o = NULL;
		if (case_load(&c, t, l.cases[i].id, err, sizeof err) == 0)
			o = ARRAY_PUSH(&r->arena, r, offers, n_offers, offers_room);
		if (o) {
			*o = case_offer_of(&c);
			keep_texts(&r->arena, o);
		}
		case_release(&c);
	}
	case_list_release(&l);
}

void interview_results_release(struct interview_results *r)
{
	arena_release(&r->arena);
	*r = (struct interview_results){ .n = 0 };
}
