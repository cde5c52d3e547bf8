/* The simulation `queueing` says between which limits a wait lies: the truth does lie there, in 19 of
 * 20 runs or nearly. Where no run of that length could say it, it says so. */
#include "sims/serving/queue.h"
#include "tests/laws.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { CUSTOMERS = 100000 }; /* the simulation's default */

static const struct {
	enum queue_law service;
	size_t servers;
} queues[] = { { LAW_EXPONENTIAL, 1 }, { LAW_FIXED, 1 }, { LAW_EXPONENTIAL, 4 } };
static const double loads[] = { 0.5, 0.75, 0.9 };

static struct queue_setup setup_of(size_t queue, double load, size_t seed)
{
	return (struct queue_setup){ .arrivals = LAW_EXPONENTIAL,
		.service = queues[queue].service,
		.rate_per_s = load * (double)queues[queue].servers,
		.service_s = 1,
		.servers = queues[queue].servers,
		.customers = CUSTOMERS,
		.seed = seed };
}

static struct queue_estimate estimate(const struct queue_setup *setup)
{
	struct arena a = { 0 };
	struct queue_run run = queue_simulate(&a, setup);
	struct queue_estimate e = queue_estimate(&run, setup, 0);
	cr_assert(eq(sz, run.n, setup->customers));
	arena_release(&a);
	return e;
}

static bool covers(const struct interval *x, double truth)
{
	return x->low <= truth && truth <= x->high;
}

/* Each queue and load has seeds of its own: the same customers at another load have the same luck. Of
 * few runs the shares of all queues and loads together must hold, of a hundred each one. */
Test(laws_queueing, intervals_cover_the_truth, .timeout = 600)
{
	size_t runs = laws_count("LAWS_RUNS", 20), means = 0, tails = 0, all = 0;
	for (size_t i = 0; i < COUNT(queues); i++)
		for (size_t k = 0; k < COUNT(loads); k++) {
			size_t mean = 0, tail = 0;
			for (size_t seed = 0; seed < runs; seed++) {
				struct queue_setup setup =
					setup_of(i, loads[k], 1000 * (COUNT(loads) * i + k) + seed);
				struct queue_theory th = queue_theory(&setup, 0);
				struct queue_estimate e = estimate(&setup);
				cr_assert(th.exact_mean && th.exact_tail);
				cr_expect(isfinite(e.wait_s.high) && isfinite(e.wait_p99_s.high));
				mean += covers(&e.wait_s, th.wait_s);
				tail += covers(&e.wait_p99_s, th.wait_p99_s);
			}
			means += mean;
			tails += tail;
			all += runs;
			if (runs < 100)
				continue;
			cr_expect(10 * mean >= 9 * runs, "queue %zu at %g: mean in %zu of %zu", i,
				loads[k], mean, runs);
			cr_expect(10 * tail >= 9 * runs, "queue %zu at %g: P99 in %zu of %zu", i,
				loads[k], tail, runs);
		}
	cr_expect(10 * means >= 9 * all, "means in %zu of %zu", means, all);
	cr_expect(10 * tails >= 9 * all, "P99 in %zu of %zu", tails, all);
}

/* Near full load a run of any length that one waits for says nothing: no interval, and how many
 * customers it would take. */
Test(laws_queueing, too_short_a_run_says_so)
{
	for (size_t i = 0; i < COUNT(queues); i++) {
		struct queue_setup setup = setup_of(i, 0.99, 1);
		struct queue_estimate e = estimate(&setup);
		cr_expect(isinf(e.wait_s.high) && isinf(e.wait_p99_s.high));
		cr_expect(e.wait_s.low <= 0 && e.wait_p99_s.low <= 0);
		cr_expect(lt(dbl, CUSTOMERS, e.enough));
	}
}
