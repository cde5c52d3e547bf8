/* What the candidate did, where both sit at one machine: events of the history that belong to the
 * problems dealt here, since this screen was opened. */
#include "ui/interviewer/interviewer.h"

#include <stdio.h>
#include <string.h>

/* An Enter on an empty line says nothing. */
static bool is_of(const struct history_event *e, const struct session_item *item, int64_t since_s)
{
	const struct variant *v = &item->variant;
	bool empty = e->kind == HISTORY_ANSWER && !*e->given;
	return !empty && e->at_s >= since_s && e->seed == v->seed && e->part == v->part &&
	       strcmp(e->drill, v->drill->id) == 0;
}

const struct history_event *interviewer_event(
	const struct interviewer *v, size_t stop, size_t *from)
{
	const struct session_item *item = stop < v->n_stops ? v->stops[stop].item : NULL;
	while (item && *from < v->history.n) {
		const struct history_event *e = &v->history.events[(*from)++];
		if (is_of(e, item, v->opened_s))
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
		if (e && (!latest || e > latest)) { /* of one array, in the order of the file */
			latest = e;
			at = i;
		}
	}
	return at;
}

/* A step that gives way to the next begins its attempts anew; the last one ends as it was
 * graded. */
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
	for (const struct history_event *p; (p = interviewer_event(v, stop, &from)) && p != e;)
		ended += ends_step(p, v->session.max_attempts);
	buf[0] = '\0';
	if (v->stops[stop].item->variant.n_steps > 1 && ended < MOST_STEPS)
		snprintf(buf, size, "%c) ", (char)('a' + (int)ended));
	return buf;
}

void interviewer_follow(struct interviewer *v, struct history h, int64_t now_ms)
{
	history_release(&v->history);
	v->history = h;
	for (size_t i = 0; i < v->n_stops; i++) {
		struct interviewer_subject *s = &v->subjects[i];
		size_t from = 0, n = 0;
		while (interviewer_event(v, i, &from))
			n++;
		if (n > s->n_answers)
			s->answered_ms = session_total_ms(&v->session, now_ms);
		s->n_answers = n;
	}
}

char *interviewer_verdict(const struct history_event *e, char *buf, size_t size)
{
	static const char *const kinds[N_HISTORY_KINDS] = {
		[HISTORY_GAVE_UP] = "gave up", [HISTORY_TIMED_OUT] = "ran out of time"
	};
	static const char *const words[N_VERDICTS] = { [VERDICT_INVALID] = "NOT READABLE",
		[VERDICT_NEED_UNIT] = "UNIT MISSING",
		[VERDICT_WRONG_DIM] = "WRONG KIND OF UNIT",
		[VERDICT_CORRECT] = "CORRECT",
		[VERDICT_NAMED] = "WRONG",
		[VERDICT_RATIO] = "WRONG",
		[VERDICT_COARSE] = "TOO COARSE",
		[VERDICT_NEAR] = "NEAR",
		[VERDICT_WRONG] = "WRONG" };
	if (e->kind != HISTORY_ANSWER) {
		snprintf(buf, size, "%s", kinds[e->kind]);
		return buf;
	}
	bool why = *e->cause && e->verdict != VERDICT_CORRECT && e->verdict != VERDICT_WRONG_DIM;
	snprintf(buf, size, "%s%s%s%s", words[e->verdict], why ? ": " : "", why ? e->cause : "",
		e->used ? "" : ", costs nothing");
	return buf;
}
