/* The clock of a sitting: its minutes, shared among its phases by the work that the case has for each.
 * Twists come at their minutes, so the phases before the first one share the time up to it. Who stays
 * in a phase longer than planned has less for those that follow: what is left is shared anew. Where a person tells the
 * twists these wait for no minute, and all phases that are left share it. Pure. */
#ifndef RIDGE_CASE_PLAN_H
#define RIDGE_CASE_PLAN_H

#include "drills/case_sitting.h"

struct sitting_plan {
	/* What is past as it was; the rest as it is planned now. A phase that was passed over, and
	 * that of the twists where there are none, takes no time. */
	int64_t from_ms[N_CASE_PHASES], to_ms[N_CASE_PHASES];
	int64_t over_ms; /* of the present phase, beyond what was planned as it began; 0: it is not */
	int64_t limit_ms; /* of the whole */
};
struct sitting_plan case_plan_of(const struct case_sitting *s, int64_t now_ms);

/* When a twist is due by a plan, where a person tells it: as far into its phase as it stood in the first plan. */
int64_t case_plan_twist_ms(
	const struct case_sitting *s, const struct sitting_plan *p, size_t twist);

/* The minutes of a phase in whole ones, as all screens show them: its two ends are rounded, so that the minutes of
 * all phases add up to those of the whole. 0: it takes no time, or hardly any. */
long case_plan_minutes(const struct sitting_plan *p, enum case_phase phase);
/* The same rounding of a time since the beginning. */
long case_plan_minute(int64_t ms);

#endif
