#include "drills/case_plan.h"

#include <stdbool.h>

/* Gives the phases first..last the time from..to, by their minutes of work. */
static void share(struct sitting_plan *p, const struct case_sitting *s, int first, int last,
	int64_t from_ms, int64_t to_ms)
{
	double all = 0, before = 0;
	const int64_t time_ms = to_ms > from_ms ? to_ms - from_ms : 0;
	for (int i = first; i <= last; i++)
		all += case_phase_minutes(&s->deal, (enum case_phase)i);
	for (int i = first; i <= last; i++) {
		p->from_ms[i] = from_ms + (int64_t)((double)time_ms * before / all);
		before += case_phase_minutes(&s->deal, (enum case_phase)i);
		p->to_ms[i] = from_ms + (int64_t)((double)time_ms * before / all);
	}
}

/* Plans the phases from..last, of which the first began at from_ms, up to to_ms; what lies behind `now`
 * is no longer there to be shared. Returns where the last one ends. */
static int64_t plan_group(struct sitting_plan *p, const struct case_sitting *s, int last,
	int64_t from_ms, int64_t to_ms, int64_t now_ms)
{
	const int first = (int)s->phase;
	share(p, s, first, last, from_ms, to_ms);
	if (p->to_ms[first] >= now_ms)
		return to_ms > from_ms ? to_ms : from_ms;
	p->over_ms = now_ms - p->to_ms[first];
	p->to_ms[first] = now_ms;
	if (first < last)
		share(p, s, first + 1, last, now_ms, to_ms);
	return to_ms > now_ms ? to_ms : now_ms;
}

struct sitting_plan case_plan_of(const struct case_sitting *s, int64_t now_ms)
{
	struct sitting_plan p = { .limit_ms = (int64_t)s->minutes * CASE_MINUTE_MS };
	const int phase = (int)s->phase;
	const int64_t began_ms = s->entered_ms[phase];
	for (int i = 0; i < phase; i++) {
		p.from_ms[i] = s->entered_ms[i];
		p.to_ms[i] = s->entered_ms[i + 1];
	}
	if (s->deal.n_twists == 0 || phase >= CASE_TWIST) {
		plan_group(&p, s, CASE_WRAP_UP, began_ms, p.limit_ms, now_ms);
		return p;
	}
	const int64_t twist_ms = case_twist_ms(s, 0);
	const int64_t end_ms = plan_group(&p, s, CASE_DESIGN, began_ms, twist_ms, now_ms);
	share(&p, s, CASE_TWIST, CASE_WRAP_UP, end_ms, p.limit_ms);
	return p;
}

long case_plan_minute(int64_t ms)
{
	return (long)((ms + CASE_MINUTE_MS / 2) / CASE_MINUTE_MS);
}

long case_plan_minutes(const struct sitting_plan *p, enum case_phase phase)
{
	return case_plan_minute(p->to_ms[phase]) - case_plan_minute(p->from_ms[phase]);
}
