#include "drills/case_plan.h"

#include <math.h>
#include <stdbool.h>

struct weights {
	double of[N_CASE_PHASES];
};

/* Gives the phases first..last the time from..to, by their weights. */
static void share(struct sitting_plan *p, const struct weights *w, int first, int last,
	int64_t from_ms, int64_t to_ms)
{
	double all = 0, before = 0;
	const int64_t time_ms = to_ms > from_ms ? to_ms - from_ms : 0;
	for (int i = first; i <= last; i++)
		all += w->of[i];
	for (int i = first; i <= last; i++) {
		p->from_ms[i] = from_ms + (int64_t)((double)time_ms * before / all);
		before += w->of[i];
		p->to_ms[i] = from_ms + (int64_t)((double)time_ms * before / all);
	}
}

/* Plans the phases from..last, of which the first began at from_ms, up to to_ms; what lies behind `now`
 * is no longer there to be shared. Returns where the last one ends. */
static int64_t plan_group(struct sitting_plan *p, const struct weights *w, int first, int last,
	int64_t from_ms, int64_t to_ms, int64_t now_ms)
{
	share(p, w, first, last, from_ms, to_ms);
	if (p->to_ms[first] >= now_ms)
		return to_ms > from_ms ? to_ms : from_ms;
	p->over_ms = now_ms - p->to_ms[first];
	p->to_ms[first] = now_ms;
	if (first < last)
		share(p, w, first + 1, last, now_ms, to_ms);
	return to_ms > now_ms ? to_ms : now_ms;
}

static struct weights work_of(const struct case_sitting *s)
{
	struct weights w = { .of = { 0 } };
	for (int i = 0; i < N_CASE_PHASES; i++)
		w.of[i] = case_phase_minutes(&s->deal, (enum case_phase)i);
	return w;
}

/* The plan before anything was done, where there are twists: those before the first share the time up to it. */
static void plan_first(const struct case_sitting *s, struct sitting_plan *p)
{
	const struct weights work = work_of(s);
	const int64_t twist_ms = case_twist_ms(s, 0);
	share(p, &work, CASE_CLARIFY, CASE_DESIGN, 0, twist_ms);
	share(p, &work, CASE_TWIST, CASE_WRAP_UP, twist_ms, p->limit_ms);
}

/* By the times of the first plan, so that it stays as it is where all keep to it. */
static struct weights times_of(const struct sitting_plan *first)
{
	struct weights w;
	for (int i = 0; i < N_CASE_PHASES; i++)
		w.of[i] = (double)(first->to_ms[i] - first->from_ms[i]);
	return w;
}

struct sitting_plan case_plan_of(const struct case_sitting *s, int64_t now_ms)
{
	struct sitting_plan p = { .limit_ms = (int64_t)s->minutes * CASE_MINUTE_MS };
	const int phase = (int)s->phase;
	const int64_t began_ms = s->entered_ms[phase];
	struct weights w = work_of(s);
	if (s->deal.n_twists) {
		plan_first(s, &p);
		w = s->company == CASE_ALONE ? w : times_of(&p);
	}
	for (int i = 0; i < phase; i++) {
		p.from_ms[i] = s->entered_ms[i];
		p.to_ms[i] = s->entered_ms[i + 1];
	}
	if (s->deal.n_twists == 0 || phase >= CASE_TWIST || s->company != CASE_ALONE) {
		plan_group(&p, &w, phase, CASE_WRAP_UP, began_ms, p.limit_ms, now_ms);
		return p;
	}
	const int64_t twist_ms = case_twist_ms(s, 0);
	const int64_t end_ms = plan_group(&p, &w, phase, CASE_DESIGN, began_ms, twist_ms, now_ms);
	share(&p, &w, CASE_TWIST, CASE_WRAP_UP, end_ms, p.limit_ms);
	return p;
}

int64_t case_plan_twist_ms(const struct case_sitting *s, const struct sitting_plan *p, size_t twist)
{
	struct sitting_plan first = { .limit_ms = p->limit_ms };
	plan_first(s, &first);
	const double length_ms = (double)(first.to_ms[CASE_TWIST] - first.from_ms[CASE_TWIST]),
		     into_ms = (double)(case_twist_ms(s, twist) - first.from_ms[CASE_TWIST]);
	const double part = length_ms > 0 ? into_ms / length_ms : 0;
	/* One that stood behind its phase is due at its end. */
	return p->from_ms[CASE_TWIST] +
	       (int64_t)(fmin(part, 1) * (double)(p->to_ms[CASE_TWIST] - p->from_ms[CASE_TWIST]));
}

long case_plan_minute(int64_t ms)
{
	return (long)((ms + CASE_MINUTE_MS / 2) / CASE_MINUTE_MS);
}

long case_plan_minutes(const struct sitting_plan *p, enum case_phase phase)
{
	return case_plan_minute(p->to_ms[phase]) - case_plan_minute(p->from_ms[phase]);
}
