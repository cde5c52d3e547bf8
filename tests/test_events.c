/* The event queue's order, and queues simulated on it against their closed forms. */
#include "sims/base/events.h"
#include "sims/formulas/serving.h"
#include "sims/serving/queue.h"
#include "sims/base/rng.h"
#include "sims/base/stats.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

Test(events, come_out_in_order_and_ties_as_pushed)
{
	struct arena a = { 0 };
	struct events q = events_new(&a, 0);
	struct rng r = rng_stream(7, "test", 0);
	struct event e, last = { .at = -1 };
	enum { N = 20000 };
	size_t n = 0;

	for (uint32_t i = 0; i < N; i++)
		events_push(&q, (double)rng_below(&r, 500), 1, i); /* forty of each time */
	cr_assert(events_next(&q)->at == 0);
	while (events_pop(&q, &e)) {
		cr_assert(
			last.at < e.at || (last.at == e.at && last.data < e.data), "event %zu", n);
		last = e;
		n++;
	}
	cr_assert(eq(sz, n, N));
	cr_assert(zero(ptr, (void *)events_next(&q)));
	arena_release(&a);
}

/* Pushes among pops, against the slowest queue there is: look through all of them. */
Test(events, agrees_with_a_list)
{
	struct arena a = { 0 };
	struct events q = events_new(&a, 4);
	struct rng r = rng_stream(8, "test", 0);
	double pending[400];
	size_t n = 0;

	for (int i = 0; i < 20000; i++) {
		if (n < COUNT(pending) && (n == 0 || rng_below(&r, 100) < 52)) {
			pending[n] = rng_uniform(&r);
			events_push(&q, pending[n++], 0, 0);
			continue;
		}
		struct event e;
		size_t best = 0;
		for (size_t k = 1; k < n; k++)
			if (pending[k] < pending[best])
				best = k;
		cr_assert(events_pop(&q, &e));
		cr_assert(e.at == pending[best]);
		pending[best] = pending[--n];
	}
	arena_release(&a);
}

/* Independent runs, and from them the mean's 99 % confidence interval (Student's t, 9 degrees of
 * freedom), which one run in a hundred misses by chance. */
enum { RUNS = 10, CUSTOMERS = 50000 };
struct estimate {
	double mean, ci;
};
static struct estimate estimate_of(const double x[RUNS])
{
	return (struct estimate){ mean_of(x, RUNS), 3.25 * deviation_of(x, RUNS) / sqrt(RUNS) };
}

/* Utilisation 0.75 and a service of 1 s, as in F9.3 to F9.5. Kingman is exact for M/M/1 and
 * M/D/1. */
static const struct {
	const char *name;
	enum queue_law arrivals, service;
	size_t servers;
	double wait_s;    /* published: 3 S, 1.5 S; Erlang C 0.509 S, 0.357/2 S, 0.205/4 S */
	double tolerance; /* of the published figure's rounding */
} rows[] = {
	{ "M/M/1", LAW_EXPONENTIAL, LAW_EXPONENTIAL, 1, 3.0, 1e-9 },
	{ "M/D/1", LAW_EXPONENTIAL, LAW_FIXED, 1, 1.5, 1e-9 },
	{ "M/M/4", LAW_EXPONENTIAL, LAW_EXPONENTIAL, 4, 0.509, 6e-4 },
	{ "M/M/8", LAW_EXPONENTIAL, LAW_EXPONENTIAL, 8, 0.179, 6e-4 },
	{ "M/M/16", LAW_EXPONENTIAL, LAW_EXPONENTIAL, 16, 0.051, 6e-4 },
};
static const double rho = 0.75;

static double closed_form_wait_s(size_t i)
{
	double cs = rows[i].service == LAW_FIXED ? 0 : 1;
	if (rows[i].servers == 1)
		return CALL(kingman_wait, .service_time = 1, .utilisation = rho, .arrival_cv = 1,
			.service_cv = cs);
	return CALL(mmc_wait, .service_time = 1, .utilisation = rho,
		.servers = (double)rows[i].servers);
}

static struct queue_run simulate(struct arena *a, size_t i, uint64_t seed)
{
	struct queue_setup setup = { .arrivals = rows[i].arrivals,
		.service = rows[i].service,
		.rate_per_s = rho * (double)rows[i].servers,
		.service_s = 1,
		.servers = rows[i].servers,
		.customers = CUSTOMERS,
		.seed = seed };
	return queue_simulate(a, &setup);
}

Test(queue, mean_waits_meet_the_closed_forms)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		double want = closed_form_wait_s(i), waits[RUNS], busy[RUNS];
		for (unsigned run = 0; run < RUNS; run++) {
			struct arena a = { 0 };
			struct queue_run q = simulate(&a, i, run);
			waits[run] = mean_of(q.wait_s, q.n);
			busy[run] = q.utilisation;
			arena_release(&a);
		}
		struct estimate wait = estimate_of(waits), use = estimate_of(busy);
		cr_expect(epsilon_eq(dbl, want, rows[i].wait_s, rows[i].tolerance), "%s",
			rows[i].name);
		cr_expect(fabs(wait.mean - want) <= wait.ci, "%s: %g +- %g, expected %g",
			rows[i].name, wait.mean, wait.ci, want);
		cr_expect(wait.ci < 0.15 * want, "%s: interval %g", rows[i].name, wait.ci);
		cr_expect(fabs(use.mean - rho) <= use.ci && use.ci < 0.01, "%s: busy %g +- %g",
			rows[i].name, use.mean, use.ci);
	}
}

/* -ln(0.01) / (1 - 0.75) = 18.42 S, and the wait's tail P_w e^(-c (1 - rho) t) = 0.01 at
 * t = ln(P_w / 0.01) / (c (1 - rho)): 3.93 s for four servers. */
Test(queue, tails_meet_the_closed_forms)
{
	double one_s[RUNS], four_s[RUNS];
	for (unsigned run = 0; run < RUNS; run++) {
		struct arena a = { 0 };
		struct queue_run one = simulate(&a, 0, run), four = simulate(&a, 2, run);
		sort_ascending(four.wait_s, four.n);
		one_s[run] = top_quantile(&one.sojourns, one.n - one.n / 10, 0.99);
		four_s[run] = quantile_sorted(four.wait_s, four.n, 0.99);
		arena_release(&a);
	}
	struct estimate one = estimate_of(one_s), four = estimate_of(four_s);
	double want =
		CALL(mm1_sojourn_quantile, .service_time = 1, .utilisation = rho, .quantile = 0.99);
	cr_expect(epsilon_eq(dbl, want, 18.42, 5e-3));
	cr_expect(fabs(one.mean - want) <= one.ci, "M/M/1: %g +- %g", one.mean, one.ci);
	cr_expect(fabs(four.mean - 3.93) <= four.ci, "M/M/4: %g +- %g", four.mean, four.ci);
	cr_expect(epsilon_eq(dbl,
		CALL(mmc_wait_tail, .service_time = 1, .utilisation = rho, .servers = 4,
			.wait = 3.93),
		0.01, 1e-4));
}

/* The number in the system is counted as events happen, the sojourns customer by customer. */
Test(queue, littles_law_holds_to_rounding)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena a = { 0 };
		struct queue_run q = simulate(&a, i, 1);
		double in_flight = CALL(littles_law, .arrival_rate = q.arrival_rate_per_s,
			.time = q.sojourn_mean_s);
		cr_expect(fabs(q.mean_in_system / in_flight - 1) < 1e-9, "%s: %.15g %.15g",
			rows[i].name, q.mean_in_system, in_flight);
		arena_release(&a);
	}
}

/* D/D/1 below one never waits; at a rate of 2 per service, customer i waits i/2 services. */
Test(queue, without_chance)
{
	static const struct {
		double rate_per_s, last_wait_s;
	} cases[] = { { 0.5, 0 }, { 1, 0 }, { 2, 49.5 } };
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct arena a = { 0 };
		struct queue_setup setup = { .rate_per_s = cases[i].rate_per_s,
			.service_s = 1,
			.servers = 1,
			.customers = 100 };
		struct queue_run q = queue_simulate(&a, &setup);
		cr_expect(epsilon_eq(dbl, q.wait_s[99], cases[i].last_wait_s, 1e-9));
		arena_release(&a);
	}
}

/* (1 + 4)/2 = 2.5 times M/M/1's 3 S is Kingman's 7.5 S, exact for Poisson arrivals (Pollaczek and
 * Khinchine). */
Test(queue, variability_costs_what_kingman_says)
{
	double waits[RUNS];
	for (unsigned run = 0; run < RUNS; run++) {
		struct arena a = { 0 };
		struct queue_setup setup = { .arrivals = LAW_EXPONENTIAL,
			.service = LAW_GAMMA,
			.rate_per_s = rho,
			.service_s = 1,
			.service_cv = 2,
			.servers = 1,
			.customers = CUSTOMERS,
			.seed = run };
		struct queue_run q = queue_simulate(&a, &setup);
		waits[run] = mean_of(q.wait_s, q.n);
		arena_release(&a);
	}
	struct estimate wait = estimate_of(waits);
	cr_expect(fabs(wait.mean - 7.5) <= wait.ci, "%g +- %g", wait.mean, wait.ci);
	cr_expect(wait.ci < 1, "%g", wait.ci);
}
