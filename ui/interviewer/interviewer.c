/* The stops are laid out once, when the session is dealt. What the candidate did at a stop is
 * looked up in the history each time, so that a history that is read anew needs no bookkeeping
 * here. */
#include "ui/interviewer/interviewer.h"

#include "drills/case_plan.h"
#include "drills/choose.h"
#include "sims/base/utf8.h"
#include "ui/data/bank_load.h"
#include "ui/interviewer/followed.h"
#include "ui/interviewer/interviewer_case.h"
#include "ui/practice/case_record.h"
#include "ui/practice/drill_summary.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const mark_words[MOST_MARK + 1] = { "not marked", "strong no", "no", "yes",
	"strong yes" };

static bool is_interview(const struct interviewer *v)
{
	return v->session.mode == MODE_INTERVIEW;
}

/* A phase without problems is one stop, of talk. */
static void lay_stops(struct interviewer *v)
{
	const struct drill_session *s = &v->session;
	const bool no_twist = v->at_case && v->at_case->sitting.deal.n_twists == 0;
	size_t item = 0;
	for (unsigned phase = 0; phase < N_INTERVIEW_PHASES; phase++) {
		size_t before = item;
		for (; item < s->n && (s->items[item].phase == phase || !is_interview(v)); item++)
			v->stops[v->n_stops++] =
				(struct interviewer_stop){ s->items[item].phase, &s->items[item] };
		if (item == before && is_interview(v) && !(no_twist && phase == PHASE_DRILL))
			v->stops[v->n_stops++] =
				(struct interviewer_stop){ (enum phase)phase, NULL };
	}
}

static int deal_asked(struct interviewer *v, const struct tables *t, uint64_t fresh_seed, char *err,
	size_t err_size)
{
	struct own_drills own;
	if (v->request.options.mode == MODE_REVIEW) {
		snprintf(err, err_size,
			"a review has no code that another person could type: mode=interview, set, "
			"study or sprint");
		return -1;
	}
	if (drill_request_at_case(&v->request)) {
		if (drill_request_complete_case(&v->request, fresh_seed, err, err_size) ||
			interviewer_case_begin(v, t, err, err_size))
			return -1;
	} else if (drill_request_bank(&v->request, &v->bank, t, &own, err, err_size) ||
		   drill_request_complete(&v->request, &v->bank, NULL, fresh_seed, err, err_size) ||
		   session_init(&v->session, &v->bank, t, &v->request.options, err, err_size))
		return -1;
	struct arena *a = &v->session.arena;
	size_t most = v->session.n + N_INTERVIEW_PHASES;
	v->stops = arena_array(a, most, sizeof *v->stops);
	v->subjects = arena_array(a, most + 1, sizeof *v->subjects);
	if (a->failed) {
		snprintf(err, err_size, "out of memory");
		return -1;
	}
	lay_stops(v);
	return 0;
}

/* Tells the session where the talk is. It must be paused for that; its clock is then set going
 * again if it went before. */
static void place_session(struct interviewer *v, int64_t now_ms)
{
	struct drill_session *s = &v->session;
	bool paused = s->paused;
	session_pause(s, now_ms);
	s->phase = v->at == v->n_stops ? N_INTERVIEW_PHASES : v->stops[v->at].phase;
	s->current = s->n;
	if (v->at < v->n_stops && v->stops[v->at].item)
		s->current = (size_t)(v->stops[v->at].item - s->items);
	if (!paused)
		session_resume(s, now_ms);
}

static bool go(struct interviewer *v, size_t stop, int64_t now_ms)
{
	int64_t total_ms = session_total_ms(&v->session, now_ms);
	if (stop > v->n_stops)
		return false;
	v->subjects[v->at].spent_ms += total_ms - v->since_total_ms;
	v->since_total_ms = total_ms;
	if (stop == v->n_stops && v->at != stop)
		v->back = v->at;
	v->at = stop;
	v->scroll = 0;
	place_session(v, now_ms);
	if (v->at_case && stop < v->n_stops)
		interviewer_case_reach(v->at_case, v->stops[stop].phase, total_ms);
	return true;
}

char *interviewer_name(char *buf, size_t size, const char *text)
{
	text += strspn(text, " \t");
	size_t n = utf8_whole(text, size - 1);
	for (size_t i = 0; i < n; i++)
		buf[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? ' ' : text[i];
	while (n && buf[n - 1] == ' ')
		n--;
	buf[n] = '\0';
	return buf;
}

int interviewer_begin(struct interviewer *v, const struct drill_request *asked,
	const struct tables *t, int64_t now_s, char *err, size_t err_size)
{
	/* Not the seed of a candidate who opens a set in the same minute. */
	uint64_t fresh_seed = (uint64_t)now_s % 1000000 + 1;
	*v = (struct interviewer){ .open = true, .request = *asked, .opened_s = now_s };
	interviewer_name(v->candidate, sizeof v->candidate, asked->candidate);
	v->shows_code = !asked->code[0];
	if (deal_asked(v, t, fresh_seed, err, err_size)) {
		interviewer_release(v);
		return -1;
	}
	if (v->request.attempts)
		v->session.max_attempts = v->request.attempts;
	go(v, 0, 0);
	return 0;
}

void interviewer_release(struct interviewer *v)
{
	if (v->open) {
		session_release(&v->session);
		bank_release(&v->bank);
		history_release(&v->history);
		interviewer_case_release(v->at_case);
		followed_release(v->followed);
		free(v->to_run);
		free(v->their_record);
	}
	*v = (struct interviewer){ 0 };
}

void interviewer_replace(struct interviewer *v, struct interviewer *from)
{
	const bool own = from->request.options.topic == from->request.topic;
	interviewer_release(v);
	*v = *from;
	if (own)
		v->request.options.topic = v->request.topic;
	*from = (struct interviewer){ 0 };
}

bool interviewer_in_summary(const struct interviewer *v)
{
	return v->at == v->n_stops;
}

bool interviewer_begun(const struct interviewer *v, int64_t now_ms)
{
	bool begun = v->open && session_total_ms(&v->session, now_ms) > 0;
	begun |= v->open && v->at_case && interviewer_case_has_heard(v->at_case);
	for (size_t i = 0; v->open && i <= v->n_stops; i++)
		begun |= v->subjects[i].mark || v->subjects[i].notes || v->subjects[i].heard ||
			 v->subjects[i].n_answers;
	return begun;
}

size_t interviewer_phase_stop(const struct interviewer *v, int by)
{
	size_t to = v->at;
	if (interviewer_in_summary(v))
		return by < 0 ? v->back : v->at;
	enum phase phase = v->stops[v->at].phase;
	if (by > 0) {
		while (to < v->n_stops && v->stops[to].phase == phase)
			to++;
		return to;
	}
	while (to > 0 && v->stops[to].phase == phase)
		to--;
	while (to > 0 && v->stops[to - 1].phase == v->stops[to].phase)
		to--;
	return to;
}

int64_t interviewer_spent_ms(const struct interviewer *v, size_t stop, int64_t now_ms)
{
	assert(stop <= v->n_stops);
	int64_t stretch_ms = session_total_ms(&v->session, now_ms) - v->since_total_ms;
	return v->subjects[stop].spent_ms + (stop == v->at ? stretch_ms : 0);
}

int64_t interviewer_phase_ms(const struct interviewer *v, enum phase phase, int64_t now_ms)
{
	int64_t ms = 0;
	for (size_t i = 0; i < v->n_stops; i++)
		if (v->stops[i].phase == phase)
			ms += interviewer_spent_ms(v, i, now_ms);
	return ms;
}

/* In whole minutes that add up: of what is past as it was. */
static void round_minutes(const struct interviewer *v, int64_t now_ms, struct interviewer_times *t)
{
	int64_t end_ms = 0;
	for (int i = 0; i < N_INTERVIEW_PHASES; i++) {
		const long from = case_plan_minute(end_ms);
		end_ms += i < (int)v->session.phase ? interviewer_phase_ms(v, (enum phase)i, now_ms)
						    : t->planned_ms[i];
		t->minutes[i] = case_plan_minute(end_ms) - from;
	}
}

struct interviewer_times interviewer_times(const struct interviewer *v, int64_t now_ms)
{
	const struct pacing p = session_pacing(&v->session, now_ms);
	struct interviewer_times t = { .state = session_timer(&v->session, now_ms),
		.left_ms = p.phase_left_ms };
	memcpy(t.planned_ms, p.planned_ms, sizeof t.planned_ms);
	round_minutes(v, now_ms, &t);
	if (v->at_case)
		interviewer_case_times(v->at_case, session_total_ms(&v->session, now_ms), &t);
	return t;
}

char *interviewer_planned_text(int64_t ms, char *buf, size_t size)
{
	enum { STEP_MS = 10000 };
	return drill_clock_text((ms + STEP_MS / 2) / STEP_MS * STEP_MS, buf, size);
}

struct interviewer_note *interviewer_last_note(const struct interviewer *v)
{
	struct interviewer_note *last = v->subjects[v->at].notes;
	while (last && last->next)
		last = last->next;
	return last;
}

/* ---- What is done. ---- */

static bool set_clock(struct interviewer *v, bool runs, int64_t now_ms)
{
	if (runs)
		session_resume(&v->session, now_ms);
	else
		session_pause(&v->session, now_ms);
	/* A sprint whose time is up leaves its problem; here it stays in sight. */
	place_session(v, now_ms);
	return true;
}

static bool set_mark(struct interviewer *v, size_t mark)
{
	if (mark > MOST_MARK)
		return false;
	v->subjects[v->at].mark = (unsigned)mark;
	return true;
}

static bool add_note(struct interviewer *v, const char *text, int64_t at_ms)
{
	struct interviewer_note *note = arena_alloc(&v->session.arena, sizeof *note),
				*last = interviewer_last_note(v);
	if (!note)
		return false;
	*note = (struct interviewer_note){ .at_ms = at_ms };
	snprintf(note->text, sizeof note->text, "%s", text);
	if (last)
		last->next = note;
	else
		v->subjects[v->at].notes = note;
	return true;
}

static bool drop_note(struct interviewer *v)
{
	struct interviewer_note **at = &v->subjects[v->at].notes;
	while (*at && (*at)->next)
		at = &(*at)->next;
	bool there = *at != NULL;
	*at = NULL;
	return there;
}

static const struct variant *problem_at(const struct interviewer *v, size_t stop)
{
	return stop < v->n_stops && v->stops[stop].item ? &v->stops[stop].item->variant : NULL;
}

static bool hear(struct interviewer *v, const char *text, size_t part, int64_t at_ms)
{
	const struct variant *x = problem_at(v, v->at);
	struct interviewer_heard **last = &v->subjects[v->at].heard, *heard;
	if (v->at_case)
		return v->at < v->n_stops && interviewer_case_hear(v->at_case,
						     v->stops[v->at].phase, text, part == 1, at_ms);
	if (!x || part >= x->n_steps)
		return false;
	heard = arena_alloc(&v->session.arena, sizeof *heard);
	if (!heard)
		return false;
	*heard = (struct interviewer_heard){ .at_ms = at_ms, .part = part };
	snprintf(heard->text, sizeof heard->text, "%s", text);
	grade_step(&x->steps[part], heard->text, true, &heard->grade);
	while (*last)
		last = &(*last)->next;
	*last = heard;
	return true;
}

static bool unhear(struct interviewer *v)
{
	struct interviewer_heard **at = &v->subjects[v->at].heard;
	if (v->at_case)
		return interviewer_case_unhear(v->at_case);
	while (*at && (*at)->next)
		at = &(*at)->next;
	const bool there = *at != NULL;
	*at = NULL;
	return there;
}

static bool untell(struct interviewer *v, size_t number, int64_t at_ms)
{
	return v->at_case && v->at < v->n_stops &&
	       interviewer_case_untell(v->at_case, v->stops[v->at].phase, number, at_ms);
}

static bool see(struct interviewer *v, size_t stop, size_t n, int64_t clock_ms)
{
	if (stop >= v->n_stops)
		return false;
	v->subjects[stop].n_answers = n;
	v->subjects[stop].answered_ms = clock_ms;
	return true;
}

bool interviewer_do(struct interviewer *v, const struct interviewer_deed *d, int64_t now_ms)
{
	const char *text = d->text ? d->text : "";
	v->ended |= d->did == DID_END;
	switch (d->did) {
	case DID_GO:
		return go(v, d->n, now_ms);
	case DID_CLOCK:
		return set_clock(v, d->n > 0, now_ms);
	case DID_MARK:
		return set_mark(v, d->n);
	case DID_NOTE:
		return add_note(v, text, d->begun_ms);
	case DID_DROP:
		return drop_note(v);
	case DID_HEAR:
		if (v->at_case && d->read)
			case_heard_take(&v->at_case->talk, d->read);
		return hear(v, text, d->n, d->clock_ms);
	case DID_SEE:
		return see(v, d->stop, d->n, d->clock_ms);
	case DID_UNTELL:
		return untell(v, d->n, d->clock_ms);
	case DID_UNHEAR:
		return unhear(v);
	case DID_NAME:
		interviewer_name(v->candidate, sizeof v->candidate, text);
		return true;
	default:
		return d->did < N_DIDS;
	}
}

/* ---- Answers that were heard. ---- */

const struct interviewer_heard *interviewer_last_heard(const struct interviewer *v, size_t stop)
{
	const struct interviewer_heard *h = stop <= v->n_stops ? v->subjects[stop].heard : NULL;
	while (h && h->next)
		h = h->next;
	return h;
}

static bool heard_right(const struct interviewer *v, size_t stop, size_t part)
{
	bool right = false;
	for (const struct interviewer_heard *h = v->subjects[stop].heard; h; h = h->next)
		right |= h->part == part && h->grade.verdict == VERDICT_CORRECT;
	return right;
}

size_t interviewer_heard_part(const struct interviewer *v, const char **text)
{
	const struct variant *x = problem_at(v, v->at);
	size_t part = 0;
	if (!x)
		return 0;
	*text += strspn(*text, " ");
	if (x->n_steps > 1 && (*text)[0] >= 'a' && (*text)[0] < 'a' + MOST_STEPS &&
		(*text)[1] == ')') {
		part = (size_t)((*text)[0] - 'a');
		*text += 2 + strspn(*text + 2, " ");
		return part < x->n_steps ? part : x->n_steps;
	}
	while (part + 1 < x->n_steps && heard_right(v, v->at, part))
		part++;
	return part;
}

/* ---- What the candidate answered. ---- */

/* Whether it is of this interview by its time. What came from another machine is of no other, and that
 * one's clock may differ. */
static bool in_time(const struct interviewer *v, const struct history_event *e)
{
	return v->theirs || (e->at_s >= v->opened_s && (v->until_s == 0 || e->at_s <= v->until_s));
}

/* An answer without a word in it is left out: somebody pressed Enter. */
static bool is_of(const struct history_event *e, const struct session_item *item)
{
	bool empty = e->kind == HISTORY_ANSWER && !*e->given;
	return !empty && history_is_of(e, &item->variant);
}

const struct history_event *interviewer_event(
	const struct interviewer *v, size_t stop, size_t *from)
{
	const struct session_item *item = stop < v->n_stops ? v->stops[stop].item : NULL;
	while (item && *from < v->history.n) {
		const struct history_event *e = &v->history.events[(*from)++];
		if (in_time(v, e) && is_of(e, item))
			return e;
	}
	return NULL;
}

const struct history_event *interviewer_last_event(const struct interviewer *v, size_t stop)
{
	const struct history_event *last = NULL;
	size_t from = 0;
	for (const struct history_event *e; (e = interviewer_event(v, stop, &from));)
		last = e;
	return last;
}

size_t interviewer_candidate_at(const struct interviewer *v)
{
	const struct history_event *latest = NULL;
	size_t at = v->n_stops;
	for (size_t i = 0; i < v->n_stops; i++) {
		const struct history_event *e = interviewer_last_event(v, i);
		/* Both point into one array, which is in order of time. */
		if (e && (!latest || e > latest)) {
			latest = e;
			at = i;
		}
	}
	return at;
}

/* When a step gives way to the next, attempts are counted from 0 again, and the event says 0. The
 * last step has no next: it ends by a right answer or by its last attempt. */
static bool ends_step(const struct history_event *e, unsigned max_attempts)
{
	return e->used &&
	       (e->attempt == 0 || e->verdict == VERDICT_CORRECT || e->attempt >= max_attempts);
}

bool interviewer_closed(const struct interviewer *v, size_t stop)
{
	size_t from = 0, ended = 0;
	for (const struct history_event *e; (e = interviewer_event(v, stop, &from));) {
		if (e->kind != HISTORY_ANSWER)
			return true;
		ended += ends_step(e, v->session.max_attempts);
	}
	return stop < v->n_stops && v->stops[stop].item &&
	       ended >= v->stops[stop].item->variant.n_steps;
}

char *interviewer_part(const struct interviewer *v, size_t stop, const struct history_event *e,
	char *buf, size_t size)
{
	size_t from = 0, ended = 0;
	assert(stop < v->n_stops && v->stops[stop].item);
	for (const struct history_event *p; (p = interviewer_event(v, stop, &from)) && p != e;)
		ended += ends_step(p, v->session.max_attempts);
	buf[0] = '\0';
	if (v->stops[stop].item->variant.n_steps > 1 && ended < MOST_STEPS)
		snprintf(buf, size, "%c) ", (char)('a' + (int)ended));
	return buf;
}

void interviewer_follow(struct interviewer *v, struct history h)
{
	history_release(&v->history);
	v->history = h;
}

size_t interviewer_seen_at(const struct interviewer *v, size_t stop)
{
	size_t from = 0, n = 0;
	while (interviewer_event(v, stop, &from))
		n++;
	return n;
}

/* As interviewers read them; an answer that names its fault goes on with that. */
static const char *const verdict_shouts[N_VERDICTS] = { [VERDICT_INVALID] = "NOT READABLE",
	[VERDICT_NEED_UNIT] = "UNIT MISSING",
	[VERDICT_WRONG_DIM] = "WRONG KIND OF UNIT",
	[VERDICT_CORRECT] = "CORRECT",
	[VERDICT_NAMED] = "WRONG",
	[VERDICT_RATIO] = "WRONG",
	[VERDICT_COARSE] = "TOO COARSE",
	[VERDICT_NEAR] = "NEAR",
	[VERDICT_WRONG] = "WRONG" };

static char *shout(enum verdict verdict, const char *cause, bool costs, char *buf, size_t size)
{
	assert(verdict < N_VERDICTS);
	bool why = *cause && verdict != VERDICT_CORRECT && verdict != VERDICT_WRONG_DIM;
	snprintf(buf, size, "%s%s%s%s", verdict_shouts[verdict], why ? ": " : "", why ? cause : "",
		costs ? "" : ", costs nothing");
	return buf;
}

char *interviewer_heard_verdict(const struct interviewer_heard *h, char *buf, size_t size)
{
	return shout(h->grade.verdict, h->grade.cause, true, buf, size);
}

char *interviewer_verdict(const struct history_event *e, char *buf, size_t size)
{
	static const char *const kinds[N_HISTORY_KINDS] = {
		[HISTORY_GAVE_UP] = "gave up", [HISTORY_TIMED_OUT] = "ran out of time"
	};
	assert(e->kind < N_HISTORY_KINDS);
	if (e->kind == HISTORY_ANSWER)
		return shout(e->verdict, e->cause, e->used, buf, size);
	snprintf(buf, size, "%s", kinds[e->kind]);
	return buf;
}
