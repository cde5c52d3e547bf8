/* The queueing simulation, and theory against long runs (F9.3 to F9.6). */
#include "sims/registry/registry.h"
#include "sims/formulas/formula.h"
#include "sims/serving/queue.h"
#include "sims/base/stats.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

extern const struct sim queueing_sim;

static struct tables t;

static void load(void)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	t = load_tables();
}

static void unload(void)
{
	tables_release(&t);
}

TestSuite(queueing, .init = load, .fini = unload);

static double value_of(const char *settings, const char *id)
{
	return sim_number(&queueing_sim, &t, settings, id);
}

/* Erlang's sum, written out for waits of half a service, one and two:
 * (1-r) e^(r/2), (1-r) e^r, (1-r) (e^2r - r e^r). */
static const struct {
	double utilisation, q, wait;
} md1_rows[] = {
	{ 0.5, 0.6420127, 0.5 },
	{ 0.5, 0.8243606, 1 },
	{ 0.5, 0.9469605, 2 },
	{ 0.75, 0.5292500, 1 },
	{ 0.75, 0.7234847, 2 },
	{ 0.5, 0.3, 0 },
	{ 1, 0.5, INFINITY },
};

Test(queueing, md1_quantile_is_erlangs)
{
	for (size_t i = 0; i < COUNT(md1_rows); i++) {
		double got = md1_wait_quantile_s(1, md1_rows[i].utilisation, md1_rows[i].q);
		if (isinf(md1_rows[i].wait))
			cr_expect(isinf(got), "row %zu", i);
		else
			cr_expect(epsilon_eq(dbl, got, md1_rows[i].wait, 2e-6), "row %zu", i);
	}
}

static const struct {
	const char *name;
	enum queue_law service;
	size_t servers;
	double wait_s; /* F9.3 to F9.5 at 75 % and a service of 1 s */
	double tolerance;
} long_rows[] = {
	{ "M/M/1", LAW_EXPONENTIAL, 1, 3, 1e-9 },
	{ "M/D/1", LAW_FIXED, 1, 1.5, 1e-9 },
	{ "M/M/c", LAW_EXPONENTIAL, 4, 0.509, 6e-4 },
	{ "M/M/c", LAW_EXPONENTIAL, 16, 0.051, 6e-4 },
};

/* Over 1,000,000 served requests, means and P99 lie within the 99 % interval. Eight are asked, and
 * one run in three would miss a 95 % interval. */
static const double t99_over_t95 = 4.604 / 2.776; /* Student's t, 4 degrees of freedom */

/* The interval is even about its middle in logarithms. */
static bool lies_in_99(const struct interval *x, double truth)
{
	double edge = truth < x->at ? x->low : x->high;
	return fabs(log(truth / x->at)) < t99_over_t95 * fabs(log(edge / x->at));
}

Test(queueing, theory_lies_in_the_interval_of_a_million, .description = "long", .timeout = 60)
{
	for (size_t i = 0; i < COUNT(long_rows); i++) {
		struct arena a = { 0 };
		struct queue_setup setup = { .arrivals = LAW_EXPONENTIAL,
			.service = long_rows[i].service,
			.rate_per_s = 0.75 * (double)long_rows[i].servers,
			.service_s = 1,
			.servers = long_rows[i].servers,
			.customers = 1000000,
			.seed = 1 };
		struct queue_theory th = queue_theory(&setup, 0);
		struct queue_run run = queue_simulate(&a, &setup);
		cr_assert(eq(sz, run.n, setup.customers));
		cr_expect(eq(str, (char *)th.name, (char *)long_rows[i].name));
		cr_expect(th.exact_mean && th.exact_tail);
		cr_expect(epsilon_eq(dbl, th.wait_s, long_rows[i].wait_s, long_rows[i].tolerance));
		struct queue_estimate e = queue_estimate(&run, &setup, 0);
		cr_expect(lies_in_99(&e.wait_s, th.wait_s), "%s %zu: %g to %g, %g", th.name,
			setup.servers, e.wait_s.low, e.wait_s.high, th.wait_s);
		cr_expect(lies_in_99(&e.wait_p99_s, th.wait_p99_s), "%s %zu: P99 %g to %g, %g",
			th.name, setup.servers, e.wait_p99_s.low, e.wait_p99_s.high, th.wait_p99_s);
		double by_little = run.arrival_rate_per_s * run.sojourn_mean_s;
		cr_expect(epsilon_eq(dbl, by_little / run.mean_in_system, 1, 1e-9));
		arena_release(&a);
	}
}

/* F9.4 at 75 % and a service of 1 s, through the door that users take. */
Test(queueing, closed_forms_are_the_sheets)
{
	static const struct {
		const char *settings, *id;
		double want, tolerance;
	} rows[] = {
		{ "service_ms=1000", "closed_form_ms", 3000, 1e-6 },
		{ "service_ms=1000 service=fixed", "closed_form_ms", 1500, 1e-6 },
		{ "service_ms=1000 service=gamma service_cv=2", "closed_form_ms", 7500, 1e-6 },
		{ "service_ms=1000", "kingman_ms", 3000, 1e-6 },
		{ "service_ms=1000 servers=4", "closed_form_ms", 509, 0.6 },
		{ "arrivals=fixed service=fixed", "wait_mean_ms", 0, 0 },
		{ "arrivals=fixed service=fixed", "closed_form_ms", 0, 0 },
	};
	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(epsilon_eq(dbl, value_of(rows[i].settings, rows[i].id), rows[i].want,
				  rows[i].tolerance),
			"row %zu", i);
}

Test(queueing, littles_law_is_exact_under_any_law)
{
	static const char *const settings[] = { "", "arrivals=trace trace=azure-code",
		"service=lognormal servers=7", "utilisation=1.2", "arrivals=gamma arrival_cv=16",
		"customers=200" };
	for (size_t i = 0; i < COUNT(settings); i++)
		cr_expect(lt(dbl, value_of(settings[i], "littles_gap"), 1e-9), "%s", settings[i]);
}

/* By hand: M/M/1 at 90 % waits 0.9 / 0.1 = 9 services, at 95 % 19. Two servers wait by
 * Sakasegawa's exponent, the root of 6 less 1, 0.95^1.449 / 0.05 against 0.9^1.449 / 0.1: 2.2 times as long. */
Test(queueing, more_load_is_of_the_same_queue)
{
	static const char *const rows[][2] = {
		{ "", "; at 90 % it would be 9." },
		{ "utilisation=0.9", "; at 95 % it would be 19." },
		{ "utilisation=0.9 servers=2 service=gamma service_cv=1.2 customers=400000",
			"; at 95 % about 2.2 times as long." },
		{ "utilisation=0.985 customers=400000", "400,000 customers are too few to see it" },
		{ "arrivals=fixed service=fixed", "nobody finds all servers busy" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = sim_run(&queueing_sim, &t, rows[i][0]);
		cr_expect(ne(ptr, strstr(fig.why, rows[i][1]), NULL), "row %zu: %s", i, fig.why);
		figure_release(&fig);
	}
}

/* E28: nothing happens at 75 %; and the laws that the page states. */
Test(queueing, waits_grow_with_load_and_spread_and_shrink_with_servers)
{
	double last = 0, ratio = 0;
	for (double rho = 0.6; rho < 0.91; rho += 0.05) {
		char set[64];
		snprintf(set, sizeof set, "utilisation=%.2f customers=50000", rho);
		double wait = value_of(set, "wait_mean_ms");
		cr_expect(lt(dbl, last, wait), "at %g", rho);
		ratio = last > 0 && rho < 0.87 ? fmax(ratio, wait / last) : ratio;
		last = wait;
	}
	cr_expect(lt(dbl, ratio, 1.8)); /* theory: at most 1.5 for five points up to 85 % */
	cr_expect(lt(dbl, value_of("service=fixed", "wait_mean_ms"), value_of("", "wait_mean_ms")));
	cr_expect(lt(dbl, value_of("servers=16", "wait_mean_ms"), 10));
	cr_expect(lt(dbl, 20 * value_of("", "wait_mean_ms"),
		value_of("arrivals=trace trace=azure-code", "wait_mean_ms")));
}

/* Clockwork: a customer every 133.3 ms, served in 100, never waits, and is there three quarters of
 * the time. M/M/1 at three quarters: 3 services of waiting in the mean. M/D/1: half of that. */
static const struct sim_row shown[] = {
	{ "arrivals=fixed service=fixed", "wait_mean_ms", 0, 0 },
	{ "arrivals=fixed service=fixed", "wait_p99_ms", 0, 0 },
	{ "arrivals=fixed service=fixed", "sojourn_p99_ms", 100, 0 },
	{ "arrivals=fixed service=fixed", "wait_pct", 0, 0 },
	{ "arrivals=fixed service=fixed customers=20000", "busy_pct", 75, 0.01 },
	{ "arrivals=fixed service=fixed", "in_system", 0.75, 0.0001 },
	{ "", "closed_form_ms", 300, 0 },
	{ "service=fixed", "closed_form_ms", 150, 0 },
	{ "utilisation=0.5", "closed_form_ms", 100, 0 },
	{ "", "wait_services", 3, 0 },
	{ "utilisation=0.9", "wait_p99_services", 44.998097, 1e-6 }, /* 10 ln 90 */
	{ "utilisation=0.9 service_ms=10", "p99_theory_ms", 449.98097, 1e-5 },
};

Test(queueing, shown_values_by_hand)
{
	expect_rows(sim_find("queueing"), &t, shown, sizeof shown / sizeof *shown);
}

/* M/M/1 forgets in 1 / (1 - root of rho)^2 services, in which rho times as many come: at a quarter,
 * 0.25 / 0.25 = 1 and the one in service. Gaps of spread 3 beside services of 1: (9 + 1) / 2 = 5. */
Test(queueing, memory_by_hand)
{
	struct queue_setup s = { .arrivals = LAW_EXPONENTIAL,
		.service = LAW_EXPONENTIAL,
		.rate_per_s = 0.25,
		.service_s = 1,
		.servers = 1 };
	cr_expect(epsilon_eq(dbl, queue_memory_customers(&s, 0), 2, 1e-12));
	cr_expect(epsilon_eq(dbl, queue_enough_customers(&s, 0), 400, 1e-9));
	s.service = LAW_FIXED;
	cr_expect(epsilon_eq(dbl, queue_memory_customers(&s, 0), 1.5, 1e-12));
	s.service = LAW_EXPONENTIAL;
	s.arrivals = LAW_TRACE;
	cr_expect(epsilon_eq(dbl, queue_memory_customers(&s, 3), 6, 1e-12));
	s.arrivals = LAW_EXPONENTIAL;
	s.servers = 4;
	s.rate_per_s = 1;
	cr_expect(epsilon_eq(dbl, queue_memory_customers(&s, 0), 5, 1e-12));
	s.rate_per_s = 4;
	cr_expect(isinf(queue_memory_customers(&s, 0)));
	s.arrivals = s.service = LAW_FIXED;
	s.rate_per_s = 1;
	cr_expect(zero(dbl, queue_memory_customers(&s, 0)));
}

/* A made-up run of 2,000: the first tenth waited for ever, of the others every second one half of a
 * service; all are served in 1 s. */
Test(queueing, estimate_by_hand)
{
	enum { N = 2000 };
	static double wait_s[N], tail[N], longest_s[N];
	struct top_values sojourns = { .heap = longest_s, .room = top_room(N - N / 10, 0.99) };
	struct queue_setup s = { .arrivals = LAW_FIXED,
		.service = LAW_FIXED,
		.rate_per_s = 0.5,
		.service_s = 1,
		.servers = 1 };
	for (size_t i = 0; i < N; i++) {
		wait_s[i] = i < N / 10 ? INFINITY : i % 2 ? 0.5 : 0;
		if (i >= N / 10)
			top_add(&sojourns, wait_s[i] + 1);
	}
	struct queue_run run = { .wait_s = wait_s, .tail = tail, .n = N, .sojourns = sojourns };
	struct queue_estimate e = queue_estimate(&run, &s, 0);
	cr_expect(eq(dbl, e.waited_ratio, 0.5));
	cr_expect(epsilon_eq(dbl, e.wait_s.at, 0.25, 1e-12));
	/* all batches are alike */
	cr_expect(epsilon_eq(dbl, e.wait_s.low, 0.25, 1e-12));
	cr_expect(epsilon_eq(dbl, e.wait_s.high, 0.25, 1e-12));
	cr_expect(eq(dbl, e.wait_p99_s.at, 0.5));
	cr_expect(eq(dbl, e.sojourn_p99_s, 1.5));
	cr_expect(e.enough <= 0);
	/* At a quarter M/M/1 needs 400, as above; with ten servers a memory of 1 + 10 needs 2,200. */
	s.arrivals = s.service = LAW_EXPONENTIAL;
	s.rate_per_s = 0.25;
	cr_expect(isfinite(queue_estimate(&run, &s, 0).wait_s.high));
	/* 400 are enough, without their first 40 */
	struct queue_run least = { .wait_s = wait_s + 160, .tail = tail, .n = 400 };
	least.sojourns = (struct top_values){ .heap = longest_s, .n = 5, .room = 5 };
	cr_expect(isfinite(queue_estimate(&least, &s, 0).wait_s.high));
	s.servers = 10;
	s.rate_per_s = 2.5;
	e = queue_estimate(&run, &s, 0);
	cr_expect(epsilon_eq(dbl, e.enough, 2200, 1e-9));
	cr_expect(isinf(e.wait_s.high) && isinf(e.wait_p99_s.high));
	cr_expect(e.wait_s.low <= 0 && e.wait_p99_s.low <= 0);
}

/* Gaps of 2, 3 and 7 in turn have a mean of 4 and come at 0, 2, 5, 12, 14, ...: customer 2,000 after
 * 666 rounds and two gaps more. Whoever asks in the middle is told the same as from the start. */
Test(queueing, tells_again_when_customers_came)
{
	static const double gaps[] = { 0.5, 0.75, 1.75 };
	struct arena a = { 0 };
	struct queue_setup s = { .arrivals = LAW_TRACE,
		.service = LAW_EXPONENTIAL,
		.rate_per_s = 0.25,
		.service_s = 1,
		.gaps = gaps,
		.n_gaps = COUNT(gaps),
		.servers = 2,
		.customers = 2001,
		.seed = 1 };
	struct queue_run run = queue_simulate(&a, &s);
	double came_s[4], last_s;
	queue_arrivals(&run, &s, 0, 4, came_s);
	cr_expect(eq(dbl, came_s[1], 2));
	cr_expect(eq(dbl, came_s[3], 12));
	queue_arrivals(&run, &s, 1022, 4, came_s); /* around a mark */
	cr_expect(eq(dbl, came_s[0], 340 * 12 + 5));
	cr_expect(eq(dbl, came_s[3], 341 * 12 + 5));
	queue_arrivals(&run, &s, 2000, 1, &last_s);
	cr_expect(eq(dbl, last_s, 666 * 12 + 5));
	/* And when they left: later than their turn came, and no more than 2 services at once. */
	static double arrival_s[QUEUE_BLOCK], left_s[QUEUE_BLOCK];
	cr_assert(eq(sz, queue_block(&run, &s, 1, 0, arrival_s, left_s), 2001 - QUEUE_BLOCK));
	cr_expect(eq(dbl, arrival_s[2000 - QUEUE_BLOCK], last_s));
	for (size_t i = 0; i < 2001 - QUEUE_BLOCK; i++) {
		size_t beside = 0;
		const double turn_s = arrival_s[i] + run.wait_s[QUEUE_BLOCK + i];
		cr_expect(left_s[i] > turn_s);
		for (size_t k = 0; k < i; k++)
			beside += left_s[k] > turn_s;
		cr_expect(beside < s.servers, "%zu", i);
	}
	cr_expect(zero(sz, queue_block(&run, &s, 0, last_s + 1000, arrival_s, left_s)));
	arena_release(&a);
}

/* Two ways to the same waits: from event to event, and from customer to customer by the server that is free
 * first. One luck serves three loads. */
Test(queueing, waits_alone_are_those_of_the_events)
{
	enum { CUSTOMERS = 5000, MOST_SERVERS = 16 };
	static const double gaps[] = { 0.5, 0.75, 1.75 }, rates[] = { 0.5, 0.9, 1.1 };
	static const size_t servers[] = { 1, 3, MOST_SERVERS };
	for (enum queue_law law = LAW_FIXED; law <= LAW_TRACE; law++) {
		struct arena a = { 0 };
		struct queue_setup s = { .arrivals = law,
			.service = law == LAW_TRACE ? LAW_EXPONENTIAL : law,
			.arrival_cv = 2,
			.service_cv = 0.7,
			.gaps = gaps,
			.n_gaps = COUNT(gaps),
			.customers = CUSTOMERS,
			.seed = 1 };
		struct queue_luck luck = queue_draw(&a, &s, CUSTOMERS);
		double wait_s[CUSTOMERS], free_s[MOST_SERVERS];
		for (size_t i = 0; i < COUNT(servers); i++)
			for (size_t r = 0; r < COUNT(rates); r++) {
				s.servers = servers[i];
				s.service_s = (double)servers[i];
				s.rate_per_s = rates[r];
				struct queue_run run = queue_simulate(&a, &s);
				queue_waits(&s, &luck, CUSTOMERS, wait_s, free_s);
				cr_assert(eq(int, memcmp(wait_s, run.wait_s, sizeof wait_s), 0),
					"law %d, %zu servers, rate %g", (int)law, servers[i],
					rates[r]);
			}
		arena_release(&a);
	}
}

/* By hand: M/M/1 at 99 % waits 0.99 / 0.01 = 99 services, and takes
 * 200 (0.99 / (1 - root of 0.99)^2 + 1) = 7.88 million customers. At 90 % it waits 0.9 / 0.1 = 9.
 * Services of a spread of 3 wait (1 + 9) / 2 times as long. The truth stands in the sentence and in
 * the large number where it is known. */
Test(queueing, says_the_truth_where_it_is_known_and_what_is_too_short)
{
	static const char *const rows[][2] = {
		{ "utilisation=0.99",
			"a request waits 99 service times on average. 100,000 customers are too few to see it: that "
			"takes 7,880,000." },
		{ "utilisation=0.9", "a request waits 9 service times on average; at 95 %" },
		{ "service=fixed", "a request waits 1.5 service times on average; at 90 %" },
		{ "service=gamma service_cv=3",
			"a request waits 15 service times, and 3 with exponential" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = sim_run(&queueing_sim, &t, rows[i][0]);
		cr_expect(ne(ptr, strstr(fig.why, rows[i][1]), NULL), "row %zu: %s", i, fig.why);
		figure_release(&fig);
	}
	struct figure fig = sim_run(&queueing_sim, &t, "utilisation=0.99");
	cr_expect(eq(str, (char *)figure_find(&fig, "simulated_services")->note,
		(char *)"too short a run"));
	figure_release(&fig);
}

/* What the screen shows: marks lie on the line of their colour, for the same waits. */
Test(queueing, the_simulation_has_the_colour_of_its_theory)
{
	struct figure fig = sim_run(&queueing_sim, &t, "");
	const struct plot *p = &fig.blocks[0]->as.plot;
	cr_assert(eq(int, (int)fig.blocks[0]->kind, BLOCK_PLOT));
	cr_assert(eq(sz, p->n_series, 4));
	cr_expect(p->series[2].unlisted && p->series[3].unlisted);
	for (size_t i = 0; i < 2; i++) {
		const struct series *line = &p->series[i], *marks = &p->series[i + 2];
		cr_expect(eq(int, (int)line->meaning, (int)marks->meaning));
		for (size_t k = 0; k < marks->n; k++)
			for (size_t j = 0; j < line->n; j++)
				if (fabs(line->points[j].x - marks->points[k].x) < 1e-6)
					cr_expect(lt(dbl,
							  fabs(log(marks->points[k].y /
								   line->points[j].y)),
							  log(2)),
						"%s at %g %%", line->name, line->points[j].x);
	}
	figure_release(&fig);
}

/* Three values are bright, the others wait; the axis ends where the queue has no end. */
Test(queueing, three_values_are_in_sight)
{
	struct figure fig = sim_run(&queueing_sim, &t, "");
	for (size_t i = 0; i < fig.n_values; i++)
		cr_expect(
			eq(int, fig.values[i].role == ROLE_DIM, i >= 3), "%s", fig.values[i].label);
	cr_expect(eq(dbl, fig.blocks[0]->as.plot.x.max, 100));
	figure_release(&fig);
}

/* By hand: with gaps of no spread Kingman's rule has half of the 3 service times that Poisson arrivals wait at a
 * load of 3/4; real gaps come in clumps, and wait longer than Poisson's. The mark of the run has both numbers. */
Test(queueing, bursts_are_bars_beside_theory)
{
	struct figure fig = sim_run(sim_find("queueing"), &t, "");
	const struct bars *bursts = &figure_block(&fig, BLOCK_BARS, "Bursts")->as.bars;
	cr_assert(bursts->n_bars > 2);
	cr_expect(bursts->log, "one that is a hundred times as long hides the others");
	cr_expect(bursts->bars[0].note && strcmp(bursts->bars[0].note, "theory 1.5") == 0);
	cr_expect(bursts->bars[1].note && strcmp(bursts->bars[1].note, "theory 3") == 0);
	cr_expect(eq(int, bursts->bars[1].role, ROLE_ACCENT));
	for (size_t i = 2; i < bursts->n_bars; i++)
		cr_expect(lt(dbl, bursts->bars[1].parts[0], bursts->bars[i].parts[0]));
	const struct plot *p = &fig.blocks[0]->as.plot;
	bool both = false;
	for (size_t i = 0; i < p->n_series; i++)
		for (size_t k = 0; k < p->series[i].n; k++) {
			const char *name = p->series[i].points[k].name;
			both |= name && strstr(name, " (theory 3)") != NULL;
		}
	cr_expect(both);
	figure_release(&fig);
}

/* Five batches of ten, each of equal values, with means of 0.01 to 0.05: their mean is 0.03, their
 * deviation sqrt(0.001 / 4), and Student's t for four degrees of freedom is 2.7764. The interval is as
 * many times below the mean as above it. */
Test(queueing, an_interval_of_five_batches_by_hand)
{
	double x[50];
	for (size_t i = 0; i < 50; i++)
		x[i] = 0.01 * (double)(1 + i / 10);
	const double half = 2.776445 * sqrt(0.001 / 4 / 5) / 0.03;
	const struct interval said = mean_interval95(x, 50);
	cr_expect(epsilon_eq(dbl, said.low, 0.03 * exp(-half), 1e-6));
	cr_expect(epsilon_eq(dbl, said.high, 0.03 * exp(half), 1e-6));
	/* Fewer than ten in a batch say nothing. */
	cr_expect(mean_interval95(x, 49).high == INFINITY);
}
