/* What every case claims, held at many seeds: its reference meets all goals before and after each twist,
 * the naive design and what the knobs stand at do not, and a twist breaks what met the goals before. */
#include "tests/cases.h"
#include "tests/laws.h"

#include <math.h>

enum { MOST_DRAWN = 200, MOST_BOUND = 64 };

static struct tables tables;

static void load(void)
{
	cases_load_tables(&tables);
}

static void drop(void)
{
	tables_release(&tables);
}

TestSuite(laws_cases, .init = load, .fini = drop);

/* All that a stage must fulfil, whoever sits the case. */
static void check_stage(struct dealt_case *d, size_t stage)
{
	struct case_design design = case_known_design(d, &d->reference[stage]);
	struct case_run r;
	cr_assert(zero(int, case_run(d, stage, &design, &r)));
	for (size_t i = 0; i < r.n_verdicts; i++)
		cr_expect(r.verdicts[i].met, "%s, seed %zu, stage %zu: %s: %s", d->of->id,
			(size_t)d->seed, stage, r.verdicts[i].goal->name, r.verdicts[i].words);
	cr_expect(isfinite(r.cost), "%s: it has a cost", d->of->id);
	cr_expect(r.why && *r.why, "%s: the simulation says what binds", d->of->id);
	case_run_release(&r);
	if (!stage)
		return;
	design = case_known_design(d, &d->reference[stage - 1]);
	cr_assert(zero(int, case_run(d, stage, &design, &r)));
	cr_expect(not(r.met), "%s, seed %zu: twist %zu changes nothing", d->of->id, (size_t)d->seed,
		stage);
	case_run_release(&r);
}

/* The naive design misses a goal, or costs clearly more than the reference. */
static void check_naive(struct dealt_case *d)
{
	struct case_design naive = case_known_design(d, &d->naive),
			   reference = case_known_design(d, &d->reference[0]);
	struct case_run r, best;
	cr_assert(zero(int, case_run(d, 0, &naive, &r)));
	cr_assert(zero(int, case_run(d, 0, &reference, &best)));
	const bool worse = !r.met || r.cost > 1.02 * best.cost;
	cr_expect(worse, "%s, seed %zu: the naive design is as good", d->of->id, (size_t)d->seed);
	case_run_release(&r);
	case_run_release(&best);
}

/* By the rule of the case: nothing is met by what the knobs stand at by themselves. */
static void check_defaults(struct dealt_case *d)
{
	struct case_design design = { .v = { 0 } };
	struct case_run r;
	sim_defaults(d->of->sim, &tables, design.v);
	for (size_t i = 0; i < d->of->n_knobs; i++)
		design.given[d->of->knobs[i].knob] = true;
	cr_assert(zero(int, case_run(d, 0, &design, &r)));
	cr_expect(not(r.met), "%s, seed %zu: met by the defaults", d->of->id, (size_t)d->seed);
	case_run_release(&r);
}

static bool is_candidates(const struct design_case *c, size_t knob)
{
	for (size_t i = 0; i < c->n_knobs; i++)
		if (c->knobs[i].knob == knob)
			return true;
	return false;
}

/* What the facts of the load tell in requests a second is what the simulation is asked for, also before a design is
 * said: an interviewer's desk opens it so. */
static void check_rate(struct dealt_case *d, size_t stage)
{
	double v[MAX_KNOBS];
	case_knobs(d, stage, v);
	for (size_t f = 0; f < d->of->n_facts; f++) {
		const char *told = case_tell(d, f, stage);
		if (d->of->facts[f].kind != FACT_LOAD || !strstr(told, "req/s"))
			continue;
		for (size_t i = 0; i < d->of->sim->n_knobs; i++) {
			const struct knob *k = &d->of->sim->knobs[i];
			char rate[64];
			if (!k->unit || strcmp(k->unit, "req/s") != 0 || is_candidates(d->of, i))
				continue;
			knob_format(k, d->tables, v[i], rate, sizeof rate);
			cr_expect(strncmp(told, rate, strlen(rate)) == 0,
				"%s, seed %zu, stage %zu: \"%s\", %s=%s", d->of->id,
				(size_t)d->seed, stage, told, k->id, rate);
		}
	}
}

/* What was dealt, so that a draw that was held already is not held again. */
struct draws {
	double values[MOST_DRAWN][MOST_BOUND];
	size_t n;
};

static bool is_new(struct draws *all, const struct dealt_case *d)
{
	double *now = all->values[all->n];
	const size_t n = d->variant.n_bindings;
	cr_assert(n <= MOST_BOUND);
	for (size_t i = 0; i < n; i++)
		now[i] = d->variant.bindings[i].value;
	for (size_t k = 0; k < all->n; k++)
		if (memcmp(all->values[k], now, n * sizeof *now) == 0)
			return false;
	all->n += all->n + 1 < MOST_DRAWN;
	return true;
}

/* LAWS_CASES seeds, those that deal other numbers. */
static void hold(const char *id)
{
	const size_t seeds = laws_count("LAWS_CASES", 3);
	struct design_case c;
	struct draws draws = { .n = 0 };
	cases_open(&c, &tables, id);
	for (uint64_t seed = 1; seed <= seeds; seed++) {
		struct dealt_case d;
		cases_deal(&d, &c, &tables, seed, LEVEL_PRINCIPAL);
		if (is_new(&draws, &d)) {
			for (size_t stage = 0; stage <= c.n_twists; stage++) {
				check_stage(&d, stage);
				check_rate(&d, stage);
			}
			check_naive(&d);
			check_defaults(&d);
		}
		case_deal_release(&d);
	}
	case_release(&c);
}

#define HOLD(word, id)                                                                             \
	Test(laws_cases, word)                                                                     \
	{                                                                                          \
		hold(id);                                                                          \
	}
EACH_CASE(HOLD)
