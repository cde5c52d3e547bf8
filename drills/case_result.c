#include "drills/case_result.h"

#include "drills/case_plan.h"

#include <stdio.h>

static void count_facts(const struct case_sitting *s, struct case_result *r)
{
	for (size_t i = 0; i < s->deal.of->n_facts; i++) {
		const struct case_fact *f = &s->deal.of->facts[i];
		r->must[f->kind] += f->must;
		r->asked[f->kind] += f->must && s->told[i] && !s->late[i];
	}
}

static void count_numbers(const struct case_sitting *s, struct case_result *r)
{
	r->numbers = s->deal.variant.n_steps;
	r->near = case_numbers_counting(s);
	for (size_t i = 0; i < r->numbers; i++)
		r->exact += s->estimates[i].best == ESTIMATE_EXACT;
}

/* Who ran no design met none of the goals. */
static void count_designs(const struct case_sitting *s, struct case_result *r)
{
	const struct case_goal *goals[MOST_CASE_GOALS];
	r->designs = s->runs[0];
	r->goals = s->runs[0] ? s->goals[0] : case_goals(&s->deal, 0, goals);
	r->goals_met = s->most_met[0];
}

/* A twist that was told last may still be answered. */
static void count_twists(const struct case_sitting *s, bool over, struct case_result *r)
{
	const bool last = over || s->phase > CASE_TWIST;
	r->twists = s->stage - (s->stage > 0 && !last);
	for (size_t i = 1; i <= r->twists; i++)
		r->twists_met += s->met[i];
}

/* As it was planned before anything was done. */
static void take_times(const struct case_sitting *s, int64_t now_ms, struct case_result *r)
{
	struct case_sitting fresh = *s;
	fresh.phase = CASE_CLARIFY;
	fresh.entered_ms[CASE_CLARIFY] = 0;
	const struct sitting_plan p = case_plan_of(&fresh, 0);
	for (int i = 0; i < N_CASE_PHASES; i++) {
		const int64_t end_ms = i < (int)s->phase ? s->entered_ms[i + 1] : now_ms;
		r->planned_ms[i] = p.to_ms[i] - p.from_ms[i];
		r->spent_ms[i] = i <= (int)s->phase ? end_ms - s->entered_ms[i] : 0;
	}
}

void case_result_of(const struct case_sitting *s, bool over, int64_t now_ms, struct case_result *r)
{
	*r = (struct case_result){ .level = s->deal.level, .over = over, .asks_seen = true };
	snprintf(r->id, sizeof r->id, "%s", s->deal.of->id);
	snprintf(r->title, sizeof r->title, "%s", s->deal.of->title);
	count_facts(s, r);
	count_numbers(s, r);
	count_designs(s, r);
	count_twists(s, over, r);
	r->said = s->n_said;
	take_times(s, now_ms, r);
	case_result_reached(r, s->phase);
	for (int i = 0; i < N_CASE_PHASES; i++)
		r->marks[i] = s->marks[i];
}

/* Of a sitting that goes on, a phase counts from the fourth part of its time on. */
enum { LEAST_SHARE = 4 };

void case_result_reached(struct case_result *r, enum case_phase at)
{
	bool worked = false; /* in this phase or a later one */
	for (int i = N_CASE_PHASES - 1; i >= 0; i--) {
		/* Whoever asks for the debrief begins the last one with that. */
		worked |= r->spent_ms[i] > 0;
		/* What was passed over in seconds was looked at, and not worked on. */
		const bool used = LEAST_SHARE * r->spent_ms[i] >= r->planned_ms[i];
		r->counts[i] = worked && (r->over || (i < (int)at && used));
	}
}

bool case_result_counts(const struct case_result *r, enum case_phase phase)
{
	return r->counts[phase] && (phase != CASE_CLARIFY || r->asks_seen);
}

static size_t sum(const size_t n[N_FACT_KINDS])
{
	size_t all = 0;
	for (size_t i = 0; i < N_FACT_KINDS; i++)
		all += n[i];
	return all;
}

size_t case_result_must(const struct case_result *r)
{
	return sum(r->must);
}

size_t case_result_asked(const struct case_result *r)
{
	return sum(r->asked);
}
