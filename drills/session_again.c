#include "drills/session_again.h"

#include "drills/session_deal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Whether an event closes its problem: it is right, given up or out of attempts, at its last step. */
static bool closes(const struct history_event *e, enum drill_mode mode)
{
	const bool last = e->step + 1 >= e->steps;
	return e->kind != HISTORY_ANSWER ||
	       (last && (e->verdict == VERDICT_CORRECT || e->attempt >= session_attempts(mode)));
}

/* The event of that mode, and of that set (NULL: of any), that came last since a time; NULL: none. */
static const struct history_event *last_of(
	const struct history *h, enum drill_mode mode, const char *set, int64_t since_s)
{
	for (size_t i = h->n; i-- > 0 && h->events[i].at_s >= since_s;) {
		const struct history_event *e = &h->events[i];
		if (strcmp(e->mode, mode_names[mode]) == 0 && (!set || strcmp(e->set, set) == 0))
			return e;
	}
	return NULL;
}

bool session_left(
	const struct history *h, enum drill_mode mode, int64_t since_s, struct session_left *out)
{
	const struct history_event *before = NULL, *last = last_of(h, mode, NULL, since_s);
	if (!last || (mode == MODE_SET && !*last->set))
		return false;
	*out = (struct session_left){ .set = last->set, .seed = last->seed, .begun_s = last->at_s };
	for (size_t i = 0; i < h->n; i++) {
		const struct history_event *e = &h->events[i];
		if (e->at_s < since_s || strcmp(e->mode, last->mode) != 0 ||
			strcmp(e->set, last->set) != 0 || e->seed != last->seed)
			continue;
		if (!before)
			out->begun_s = e->at_s;
		out->at +=
			!before || strcmp(e->drill, before->drill) != 0 || e->part != before->part;
		before = e;
	}
	out->at -= !closes(last, mode);
	return true;
}

size_t session_placement_left(const struct history *h, int64_t since_s)
{
	struct session_left left;
	const bool any = session_left(h, MODE_PLACEMENT, since_s, &left);
	return any && left.at < PLACEMENT_COUNT ? left.at + 1 : 0;
}

bool session_left_seed(const struct history *h, enum drill_mode mode, const char *set,
	int64_t since_s, uint64_t *seed)
{
	const struct history_event *last = last_of(h, mode, set, since_s);
	if (last)
		*seed = last->seed;
	return last != NULL;
}

/* A program is not run again: its grade is in the event. */
static void answer(
	struct drill_session *s, struct session_item *item, const struct history_event *e)
{
	/* A part may have had more hints as it was answered than it has now. */
	const unsigned has = (unsigned)item->variant.steps[item->variant.step].n_hints,
		       seen = e->hints < has ? e->hints : has;
	item->hints += seen > item->step_hints ? seen - item->step_hints : 0;
	item->step_hints = seen > item->step_hints ? seen : item->step_hints;
	if (!item->variant.program) {
		session_answer(s, e->given, 0);
		return;
	}
	struct grade g = { .verdict = e->verdict, .attempt_used = e->used, .credit = e->credit };
	session_answer_graded(s, &g, 0);
}

/* Whether something was found. */
static bool replay(struct drill_session *s, struct session_item *item, const struct history *h,
	int64_t since_s)
{
	bool found = false;
	for (size_t i = 0; i < h->n && !item->closed; i++) {
		const struct history_event *e = &h->events[i];
		if (e->at_s < since_s || strcmp(e->mode, mode_names[s->mode]) != 0 ||
			!history_is_of(e, &item->variant))
			continue;
		found = true;
		if (e->kind == HISTORY_ANSWER)
			answer(s, item, e);
		else
			session_give_up(s, 0);
		item->spent_ms = isfinite(e->took_s) ? llround(1000 * e->took_s) : 0;
	}
	return found;
}

size_t session_go_on(struct drill_session *s, const struct history *h, int64_t since_s)
{
	assert(s->mode != MODE_INTERVIEW && s->paused);
	session_resume(s, 0);
	while (!session_done(s)) {
		struct session_item *item = session_current(s);
		item->shown = replay(s, item, h, since_s);
		if (!item->closed)
			break;
		session_next(s, 0);
	}
	const bool begun = s->current < s->n && s->items[s->current].answered;
	session_pause(s, 0);
	if (s->current < s->n)
		s->items[s->current].shown = begun;
	return s->current;
}
