#include "drills/case_stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double case_share(size_t part, size_t whole)
{
	return whole ? (double)part / (double)whole : NAN;
}

double case_phase_mark(const struct case_phase_sum *p)
{
	return case_share(p->marks_sum, p->n_marks);
}

double case_mean_mark(const struct case_result *r)
{
	size_t sum = 0, n = 0;
	for (size_t i = 0; i < N_CASE_PHASES; i++) {
		sum += r->marks[i];
		n += r->marks[i] > 0;
	}
	return case_share(sum, n);
}

double case_whole_mark(const struct case_result *r)
{
	return r->mark ? (double)r->mark : case_mean_mark(r);
}

/* --- Counting --- */

struct case_tally case_tally_of(const struct case_result *r, enum case_phase phase)
{
	if (!case_result_counts(r, phase))
		return (struct case_tally){ 0 };
	switch (phase) {
	case CASE_CLARIFY:
		return (struct case_tally){ case_result_must(r), case_result_asked(r), 0 };
	case CASE_ESTIMATE:
		return (struct case_tally){ r->numbers, r->near, r->exact };
	case CASE_DESIGN:
		return (struct case_tally){ r->goals, r->goals_met, 0 };
	case CASE_TWIST:
		return (struct case_tally){ r->twists, r->twists_met, 0 };
	default:
		return (struct case_tally){ 1, r->said > 0, 0 };
	}
}

static void add_phase(struct case_phase_sum *p, const struct case_result *r, enum case_phase phase)
{
	p->n_marks += r->marks[phase] > 0;
	p->marks_sum += r->marks[phase];
	if (!r->counts[phase])
		return;
	const struct case_tally t = case_tally_of(r, phase);
	p->n++;
	p->of += t.of;
	p->done += t.done;
	p->better += t.better;
	p->spent_ms += r->spent_ms[phase];
	p->planned_ms += r->planned_ms[phase];
}

static void add_result(struct case_person *p, const struct case_result *r)
{
	p->n_over += r->over;
	for (size_t i = 0; i < N_CASE_PHASES; i++)
		add_phase(&p->phases[i], r, (enum case_phase)i);
	for (size_t i = 0; i < N_FACT_KINDS && case_result_counts(r, CASE_CLARIFY); i++) {
		p->must[i] += r->must[i];
		p->asked[i] += r->asked[i];
	}
}

/* --- People --- */

static int by_time(const void *a, const void *b)
{
	const struct case_result *x = a, *y = b;
	return (x->at_s > y->at_s) - (x->at_s < y->at_s);
}

static bool is_of(const struct case_result *r, const struct case_result *of)
{
	return r->given == of->given && strcmp(r->who, of->who) == 0;
}

/* Whether there is a later result of the same person. */
static bool comes_again(const struct case_stats *s, size_t i)
{
	for (size_t k = i + 1; k < s->n; k++)
		if (is_of(&s->results[k], &s->results[i]))
			return true;
	return false;
}

/* Whether another result of the same person and case tells more: one that came to its end before one that did
 * not, and of two such the later. */
static bool is_superseded(const struct case_stats *s, size_t i)
{
	const struct case_result *r = &s->results[i];
	for (size_t k = 0; k < s->n; k++) {
		const struct case_result *other = &s->results[k];
		if (k == i || !is_of(other, r) || strcmp(other->id, r->id) != 0)
			continue;
		if (other->over == r->over ? k > i : other->over)
			return true;
	}
	return false;
}

static bool fill_person(struct case_stats *s, struct case_person *p, size_t last)
{
	const struct case_result *of = &s->results[last], **all, **lasts;
	all = arena_array(&s->arena, last + 1, sizeof(struct case_result *));
	lasts = arena_array(&s->arena, last + 1, sizeof(struct case_result *));
	if (!all || !lasts)
		return false;
	*p = (struct case_person){ .name = of->who, .given = of->given };
	for (size_t i = 0; i <= last; i++)
		if (is_of(&s->results[i], of)) {
			all[p->n++] = &s->results[i];
			add_result(p, &s->results[i]);
		}
	for (size_t i = last + 1; i-- > 0;)
		if (is_of(&s->results[i], of) && !is_superseded(s, i))
			lasts[p->n_last++] = &s->results[i];
	p->results = all;
	p->last = lasts;
	return true;
}

int case_stats_init(struct case_stats *s, const struct case_result results[], size_t n)
{
	*s = (struct case_stats){ .n = n };
	s->results = arena_array(&s->arena, n, sizeof *results);
	s->people = arena_array(&s->arena, n, sizeof *s->people);
	if (!s->results || !s->people)
		return -1;
	if (n) {
		memcpy(s->results, results, n * sizeof *results);
		qsort(s->results, n, sizeof *results, by_time);
	}
	for (int given = 0; given <= 1; given++)
		for (size_t i = n; i-- > 0;)
			if (s->results[i].given == given && !comes_again(s, i) &&
				!fill_person(s, &s->people[s->n_people++], i))
				return -1;
	return 0;
}

void case_stats_release(struct case_stats *s)
{
	arena_release(&s->arena);
	*s = (struct case_stats){ .n = 0 };
}

size_t case_forgotten(const struct case_person *p, enum fact_kind out[N_FACT_KINDS])
{
	size_t n = 0;
	for (size_t k = 0; k < N_FACT_KINDS; k++) {
		const size_t missed = p->must[k] - p->asked[k];
		size_t at = n;
		if (!missed)
			continue;
		while (at > 0 && p->must[out[at - 1]] - p->asked[out[at - 1]] < missed) {
			out[at] = out[at - 1];
			at--;
		}
		out[at] = (enum fact_kind)k;
		n++;
	}
	return n;
}

/* --- What comes next --- */

struct case_offer case_offer_of(const struct design_case *c)
{
	struct case_offer o = { .id = c->id,
		.title = c->title,
		.area = c->area,
		.numbers = c->drill.n_steps,
		.goals = c->n_goals,
		.twists = c->n_twists };
	for (size_t i = 0; i < c->n_facts; i++)
		o.must[c->facts[i].kind] += c->facts[i].must;
	return o;
}

/* Of a phase that went well enough nothing is to be practised. */
static const double well = 0.85;

/* The phase that went worst; N_CASE_PHASES: all went well. */
static enum case_phase worst_of(const struct case_person *p)
{
	enum case_phase worst = N_CASE_PHASES;
	double least = well;
	for (size_t i = 0; i < CASE_WRAP_UP; i++) {
		const double share = case_share(p->phases[i].done, p->phases[i].of);
		if (share < least) {
			least = share;
			worst = (enum case_phase)i;
		}
	}
	return worst;
}

/* The last result of a case; NULL: the person never had it. */
static const struct case_result *last_of(const struct case_person *p, const char *id)
{
	for (size_t i = 0; i < p->n_last; i++)
		if (strcmp(p->last[i]->id, id) == 0)
			return p->last[i];
	return NULL;
}

static size_t areas_taken(
	const struct case_person *p, const struct case_offer offers[], size_t n, const char *area)
{
	size_t taken = 0;
	for (size_t i = 0; i < n; i++)
		taken += strcmp(offers[i].area, area) == 0 && last_of(p, offers[i].id);
	return taken;
}

/* How much of what is to be practised a case has. */
static size_t practice(const struct case_offer *o, enum case_phase phase, enum fact_kind kind)
{
	return phase == CASE_CLARIFY    ? o->must[kind]
	       : phase == CASE_ESTIMATE ? o->numbers
	       : phase == CASE_DESIGN   ? o->goals
	       : phase == CASE_TWIST    ? o->twists
					: 0;
}

/* Before others: what was never taken; of these the most practice, then the area that was seen least. Of
 * what was taken, what lies longest ago. */
static bool comes_before(const struct case_person *p, const struct case_offer offers[], size_t n,
	const struct case_offer *a, const struct case_offer *b, enum case_phase phase,
	enum fact_kind kind)
{
	const struct case_result *x = last_of(p, a->id), *y = last_of(p, b->id);
	if (x && y)
		return x->at_s < y->at_s;
	if (x || y)
		return !x;
	const size_t more = practice(a, phase, kind), less = practice(b, phase, kind);
	if (more != less)
		return more > less;
	return areas_taken(p, offers, n, a->area) < areas_taken(p, offers, n, b->area);
}

/* The case whose last result missed the goals, the longest ago; NULL: there is none among the offers. */
static const struct case_offer *missed_goals(
	const struct case_person *p, const struct case_offer offers[], size_t n)
{
	const struct case_offer *found = NULL;
	for (size_t i = 0; i < n; i++) {
		const struct case_result *r = last_of(p, offers[i].id);
		if (r && r->counts[CASE_DESIGN] && r->goals_met < r->goals &&
			(!found || r->at_s < last_of(p, found->id)->at_s))
			found = &offers[i];
	}
	return found;
}

static void say_clarify(const struct case_person *p, const struct case_offer *o,
	enum fact_kind kind, char *why, size_t size)
{
	snprintf(why, size,
		"%zu of %zu facts that must be asked for were not, of these %zu about %s; "
		"this case has %zu such.",
		p->phases[CASE_CLARIFY].of - p->phases[CASE_CLARIFY].done,
		p->phases[CASE_CLARIFY].of, p->must[kind] - p->asked[kind], fact_kind_names[kind],
		o->must[kind]);
}

static void say_why(const struct case_person *p, const struct case_offer *o, enum case_phase phase,
	enum fact_kind kind, char *why, size_t size)
{
	const struct case_phase_sum *s = &p->phases[phase < N_CASE_PHASES ? phase : 0];
	const struct case_result *before = last_of(p, o->id);
	if (!p->n)
		snprintf(why, size, "It is the first of %s.", o->area);
	else if (phase == CASE_CLARIFY)
		say_clarify(p, o, kind, why, size);
	else if (phase == CASE_ESTIMATE)
		snprintf(why, size,
			"%zu of %zu numbers were off or not given; this case asks for %zu.",
			s->of - s->done, s->of, o->numbers);
	else if (phase == CASE_DESIGN && before)
		snprintf(why, size, "Its design met %zu of %zu goals the last time.",
			before->goals_met, before->goals);
	else if (phase == CASE_DESIGN)
		snprintf(why, size, "%zu of %zu goals were missed; this case has %zu.",
			s->of - s->done, s->of, o->goals);
	else if (phase == CASE_TWIST)
		snprintf(why, size,
			"After %zu of %zu twists no design met the goals; this case has %zu.",
			s->of - s->done, s->of, o->twists);
	else if (before)
		snprintf(why, size, "All went well, and this one lies longest ago.");
	else
		snprintf(why, size, "All went well, and %s was seen least.", o->area);
}

const struct case_offer *case_next(const struct case_person *p, const struct case_offer offers[],
	size_t n, char *why, size_t size)
{
	enum fact_kind kinds[N_FACT_KINDS] = { FACT_OTHER };
	const enum case_phase phase = worst_of(p);
	const struct case_offer *best = phase == CASE_DESIGN ? missed_goals(p, offers, n) : NULL;
	const bool again = best != NULL;
	case_forgotten(p, kinds);
	for (size_t i = 0; i < n && !again; i++)
		if (!best || comes_before(p, offers, n, &offers[i], best, phase, kinds[0]))
			best = &offers[i];
	if (best)
		say_why(p, best, phase, kinds[0], why, size);
	return best;
}
