#include "drills/session.h"

#include "sims/nearest.h"
#include "sims/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 200, MOST_NAMES = 600, ATTEMPTS = 3 };

const char *const timer_names[] = { "OK", "WRAP UP", "OVER" };

static bool matches(const struct drill *d, const char *topic)
{
	return !topic || !*topic || strcmp(d->topic, topic) == 0 || strcmp(d->skill, topic) == 0 ||
	       strcmp(d->id, topic) == 0;
}

/* A place in the order of one round. Each drill draws its own, so that a new drill comes between
 * others and moves none. */
struct ranked {
	const struct drill *drill;
	uint64_t rank;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return strcmp(x->drill->id, y->drill->id);
}

static size_t choose(const struct drill_bank *b, const char *topic, struct ranked *out)
{
	size_t n = 0;
	for (size_t i = 0; i < b->n; i++)
		if (matches(&b->drills[i], topic))
			out[n++].drill = &b->drills[i];
	return n;
}

static void shuffle(struct ranked *drills, size_t n, uint64_t seed, uint64_t round)
{
	for (size_t i = 0; i < n; i++) {
		char name[256];
		snprintf(name, sizeof name, "order of %s", drills[i].drill->id);
		struct rng r = rng_stream(seed, name, round);
		drills[i].rank = rng_next(&r);
	}
	qsort(drills, n, sizeof *drills, by_rank);
}

static int refuse_topic(const struct drill_bank *b, const char *topic, char *err, size_t err_size)
{
	const char *names[MOST_NAMES];
	size_t n = 0;
	for (size_t i = 0; i < b->n && n + 3 <= MOST_NAMES; i++) {
		names[n++] = b->drills[i].topic;
		names[n++] = b->drills[i].skill;
		names[n++] = b->drills[i].id;
	}
	const char *near = nearest_name(topic, names, n);
	snprintf(err, err_size, "no topic, skill or drill \"%.60s\"%s%s", topic,
	        near ? ", did you mean " : "", near ? near : "");
	return -1;
}

static int deal_all(struct drill_session *s, struct ranked *drills, size_t n_drills,
        const struct tables *t, const struct session_options *o, char *err, size_t err_size)
{
	for (size_t i = 0; i < o->count; i++) {
		uint64_t round = i / n_drills;
		if (i % n_drills == 0)
			shuffle(drills, n_drills, o->seed, round);
		s->n++;
		if (deal(drills[i % n_drills].drill, t, o->seed, round, &s->items[i].variant, err,
		            err_size))
			return -1;
	}
	return 0;
}

int session_init(struct drill_session *s, const struct drill_bank *b, const struct tables *t,
        const struct session_options *o, char *err, size_t err_size)
{
	*s = (struct drill_session){ .seed = o->seed, .max_attempts = ATTEMPTS, .paused = true };
	if (o->count < 1 || o->count > MOST_ITEMS) {
		snprintf(err, err_size, "count: expected 1 to %d", MOST_ITEMS);
		return -1;
	}
	struct ranked *drills = arena_array(&s->arena, b->n, sizeof *drills);
	s->items = arena_array(&s->arena, o->count, sizeof *s->items);
	if (!drills || !s->items) {
		snprintf(err, err_size, "out of memory");
		return -1;
	}
	size_t n = choose(b, o->topic, drills);
	if (n == 0)
		return refuse_topic(b, o->topic ? o->topic : "", err, err_size);
	return deal_all(s, drills, n, t, o, err, err_size);
}

void session_release(struct drill_session *s)
{
	for (size_t i = 0; i < s->n; i++)
		variant_release(&s->items[i].variant);
	arena_release(&s->arena);
	*s = (struct drill_session){ 0 };
}

struct session_item *session_current(struct drill_session *s)
{
	return s->current < s->n ? &s->items[s->current] : NULL;
}

/* The stretch since the clock was last looked at. */
static int64_t stretch_ms(const struct drill_session *s, int64_t now_ms)
{
	if (s->paused || s->current >= s->n || s->items[s->current].closed || now_ms < s->since_ms)
		return 0;
	return now_ms - s->since_ms;
}

static void settle(struct drill_session *s, int64_t now_ms)
{
	if (s->current < s->n)
		s->items[s->current].spent_ms += stretch_ms(s, now_ms);
	s->since_ms = now_ms;
}

void session_pause(struct drill_session *s, int64_t now_ms)
{
	settle(s, now_ms);
	s->paused = true;
}

void session_resume(struct drill_session *s, int64_t now_ms)
{
	settle(s, now_ms);
	s->paused = false;
}

double session_credit(double credit, unsigned attempt, unsigned hints)
{
	for (unsigned i = 1; i < attempt; i++)
		credit /= 2;
	return credit * (1 - 0.1 * hints);
}

const struct grade *session_answer(struct drill_session *s, const char *text, int64_t now_ms)
{
	struct session_item *item = session_current(s);
	if (!item || item->closed || s->paused)
		return NULL;
	settle(s, now_ms);
	grade_answer(&item->variant.question, text, item->unit_was_asked, &item->grade);
	item->answered = true;
	if (item->grade.verdict == VERDICT_NEED_UNIT)
		item->unit_was_asked = true;
	if (!item->grade.attempt_used)
		return &item->grade;
	item->attempts++;
	double credit = session_credit(item->grade.credit, item->attempts, item->hints);
	item->credit = credit > item->credit ? credit : item->credit;
	item->closed = item->grade.verdict == VERDICT_CORRECT || item->attempts >= s->max_attempts;
	return &item->grade;
}

const char *session_hint(struct drill_session *s)
{
	struct session_item *item = session_current(s);
	if (!item || item->closed || item->hints >= 2)
		return NULL;
	return item->variant.hints[item->hints++];
}

void session_give_up(struct drill_session *s, int64_t now_ms)
{
	settle(s, now_ms);
	if (s->current < s->n)
		s->items[s->current].closed = true;
}

bool session_next(struct drill_session *s, int64_t now_ms)
{
	settle(s, now_ms);
	if (s->current < s->n)
		s->current++;
	return s->current < s->n;
}

int64_t session_spent_ms(const struct drill_session *s, int64_t now_ms)
{
	return s->current < s->n ? s->items[s->current].spent_ms + stretch_ms(s, now_ms) : 0;
}

int64_t session_total_ms(const struct drill_session *s, int64_t now_ms)
{
	int64_t total = stretch_ms(s, now_ms);
	for (size_t i = 0; i < s->n; i++)
		total += s->items[i].spent_ms;
	return total;
}

enum timer_state timer_state(int64_t spent_ms, double par_s)
{
	double spent_s = (double)spent_ms / 1000;
	return spent_s >= 1.5 * par_s ? TIMER_OVER : spent_s >= par_s ? TIMER_WRAP_UP : TIMER_OK;
}

enum timer_state session_timer(const struct drill_session *s, int64_t now_ms)
{
	if (s->current >= s->n)
		return TIMER_OK;
	return timer_state(session_spent_ms(s, now_ms), s->items[s->current].variant.drill->par_s);
}

struct session_score session_score(const struct drill_session *s)
{
	struct session_score score = { .n = s->n };
	for (size_t i = 0; i < s->n; i++) {
		const struct session_item *item = &s->items[i];
		bool correct = item->answered && item->grade.verdict == VERDICT_CORRECT;
		bool in_time = timer_state(item->spent_ms, item->variant.drill->par_s) == TIMER_OK;
		score.closed += item->closed;
		score.correct += correct;
		score.credit += item->closed ? item->credit : 0;
		score.spent_ms += item->spent_ms;
		score.within_par += correct && in_time;
	}
	return score;
}
