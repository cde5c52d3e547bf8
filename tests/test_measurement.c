/* The benchmark that lies: each lie by hand, the statistics against published tables, and the whole
 * of it mended. */
#include "sims/gpu/benchmark.h"
#include "sims/formulas/measurement.h"
#include "sims/base/stats.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

/* 50 us kernels, 5 us launches, nothing that disturbs. */
static struct benchmark quiet(enum timer timer)
{
	return (struct benchmark){ .timer = timer,
		.iterations = 100,
		.kernel_s = 50e-6,
		.launch_s = 5e-6,
		.sync_s = 8e-6,
		.queue_depth = 1024,
		.locked = true,
		.seed = 1 };
}

static double reported(struct benchmark b, enum statistic statistic)
{
	struct arena a = { 0 };
	struct benchmark_run run = benchmark_simulate(&a, &b);
	cr_assert(eq(sz, run.n, b.warmup + b.iterations));
	double s = benchmark_report(&a, &b, &run, statistic).value_s;
	arena_release(&a);
	return s;
}

Test(measurement, what_each_clock_sees)
{
	struct benchmark b = quiet(TIMER_NONE);
	cr_expect(epsilon_eq(dbl, reported(b, STATISTIC_MEAN), 5e-6, 1e-12), "the launch");
	b.timer = TIMER_EACH;
	cr_expect(epsilon_eq(dbl, reported(b, STATISTIC_MEAN), 63e-6, 1e-12), "5 + 50 + 8");
	b.timer = TIMER_END;
	/* One launch is not hidden, one awaiting at the end. */
	cr_expect(epsilon_eq(
		dbl, reported(b, STATISTIC_P99), (5e-6 + 100 * 50e-6 + 8e-6) / 100, 1e-12));
	b.timer = TIMER_EVENTS;
	cr_expect(epsilon_eq(dbl, reported(b, STATISTIC_MEDIAN), 50e-6, 1e-12));
	/* Shorter than a launch: the stamps lie a launch apart. */
	b.kernel_s = 2e-6;
	cr_expect(epsilon_eq(dbl, reported(b, STATISTIC_MEDIAN), 5e-6, 1e-12));
}

/* Once the queue is full, every launch waits for a kernel. */
Test(measurement, a_full_queue_makes_it_true)
{
	struct benchmark b = quiet(TIMER_NONE);
	b.queue_depth = 1;
	cr_expect(epsilon_eq(dbl, reported(b, STATISTIC_MEDIAN), 55e-6, 1e-12));
	b.queue_depth = 10;
	b.iterations = 1000;
	cr_expect(epsilon_eq(dbl, reported(b, STATISTIC_MEDIAN), 50e-6, 1e-12));
	b.queue_depth = 1024;
	cr_expect(epsilon_eq(dbl, reported(b, STATISTIC_MEDIAN), 5e-6, 1e-12));
}

/* F11.1: 100 runs of 50 ms, the first of 20 s: 249.5 ms. */
Test(measurement, mean_with_a_slow_first)
{
	struct benchmark b = quiet(TIMER_EACH);
	b.kernel_s = 0.05;
	b.launch_s = b.sync_s = 0;
	b.first_s = 19.95;
	double want = CALL(mean_with_first, .runs = 100, .first_time = 20, .steady_time = 0.05);
	cr_expect(epsilon_eq(dbl, reported(b, STATISTIC_MEAN), want, 1e-9));
	cr_expect(epsilon_eq(dbl, want, 0.2495, 1e-12));
	cr_expect(epsilon_eq(dbl, reported(b, STATISTIC_MEDIAN), 0.05, 1e-9));
	b.warmup = 1;
	cr_expect(epsilon_eq(dbl, reported(b, STATISTIC_MEAN), 0.05, 1e-9));
}

Test(measurement, cache_and_clock)
{
	struct benchmark b = quiet(TIMER_EVENTS);
	b.memory_s = 30e-6;
	b.hot_s = 20e-6;
	cr_expect(
		epsilon_eq(dbl, reported(b, STATISTIC_MEDIAN), 30e-6, 1e-12), "without its misses");
	b.flush_s = 40e-6;
	cr_expect(epsilon_eq(dbl, reported(b, STATISTIC_MEDIAN), 50e-6, 1e-12),
		"the flush is outside");
	b.timer = TIMER_END;
	cr_expect(lt(dbl, 89e-6, reported(b, STATISTIC_MEAN)), "here it is inside");
	/* Boosted by a quarter, 20 us of arithmetic take 16; long after the ramp, long before
	 * heat. */
	b.timer = TIMER_EVENTS;
	b.locked = false;
	b.boost = 0.25;
	b.warmup = 2000;
	cr_expect(epsilon_eq(dbl, reported(b, STATISTIC_MEDIAN), 46e-6, 0.1e-6));
	/* The first kernels run at half the clock: 40 + 30. */
	b.warmup = 0;
	b.iterations = 1;
	b.launch_s = 0;
	cr_expect(epsilon_eq(dbl, reported(b, STATISTIC_MEDIAN), 70e-6, 0.5e-6));
}

/* --- statistics --------------------------------------------------------------------------- */

Test(measurement, ranks_of_published_tables)
{
	static const struct {
		size_t n;
		double q;
		size_t low, high;
	} rows[] = {
		{ 5, 0.5, 0, 0 }, /* 2 x 2^-5 is more than 5 % */
		{ 6, 0.5, 1, 6 },
		{ 10, 0.5, 2, 9 }, /* Conover's and every table of the sign test */
		{ 20, 0.5, 6, 15 },
		{ 100, 0.5, 40, 61 },
		{ 367, 0.99, 360, 0 }, /* 0.99^367 is 2.501 % */
		{ 368, 0.99, 0, 368 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t low, high;
		quantile_ranks95(rows[i].n, rows[i].q, &low, &high);
		cr_expect(eq(sz, high, rows[i].high), "n %zu", rows[i].n);
		if (rows[i].q == 0.5)
			cr_expect(eq(sz, low, rows[i].low), "n %zu", rows[i].n);
		cr_expect(low <= rows[i].n);
	}
}

/* Student's t for 1, 4, 5, 10, 30 and 100 degrees of freedom. */
Test(measurement, half_width_of_a_mean)
{
	static const struct {
		size_t n;
		double t;
	} rows[] = { { 2, 12.706 }, { 5, 2.776 }, { 6, 2.571 }, { 11, 2.228 }, { 31, 2.042 },
		{ 101, 1.984 } };
	double x[101];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = rows[i].n;
		for (size_t k = 0; k < n; k++)
			x[k] = k % 2 ? 1 : -1;
		double want = rows[i].t * deviation_of(x, n) / sqrt((double)n);
		cr_expect(
			epsilon_eq(dbl, mean_half_width95(x, n), want, 1.5e-3 * want), "n %zu", n);
	}
	cr_expect(isinf(mean_half_width95(x, 1)));
}

/* The expansion (Abramowitz, Stegun 26.7.5) term by term, at 5 degrees of freedom: 1.959964 +
 * 0.474454 + 0.112900 + 0.020447. */
Test(measurement, expansion_of_students_t)
{
	static const double x[6] = { 1, -1, 1, -1, 1, -1 };
	double error = deviation_of(x, 6) / sqrt(6);
	cr_expect(epsilon_eq(dbl, mean_half_width95(x, 6) / error, 2.567765, 2e-6));
}

/* Twenty batches of ten with means 1 to 20: a deviation of the root of 35, t = 2.093 of 19 degrees. */
Test(measurement, batch_means)
{
	double x[200];
	for (size_t i = 0; i < 200; i++)
		x[i] = 1 + (double)(i / 10);
	cr_expect(epsilon_eq(dbl, mean_ci95(x, 200), 2.093 * 5.916080 / 4.472136, 1e-5));
	cr_expect(isinf(mean_ci95(x, 199)));
}

/* Five batches of ten with means 1 to 5: 3 and, with t = 2.776 of 4 degrees of freedom, a half width of
 * 2.776 sqrt(2.5 / 5) = 1.963, which is 0.654 of 3: 3 e^-0.654 to 3 e^0.654. */
Test(measurement, interval_of_the_mean_of_a_long_run)
{
	double x[50];
	for (size_t i = 0; i < 50; i++)
		x[i] = 1 + (double)(i / 10);
	struct interval m = mean_interval95(x, 50);
	cr_expect(eq(dbl, m.at, 3));
	cr_expect(epsilon_eq(dbl, m.low, 1.559, 1e-3));
	cr_expect(epsilon_eq(dbl, m.high, 5.772, 1e-3));
	m = mean_interval95(x, 49);
	cr_expect(m.low == 0 && isinf(m.high));
	for (size_t i = 0; i < 50; i++)
		x[i] = 0;
	m = mean_interval95(x, 50);
	cr_expect(m.low == 0 && m.at == 0 && m.high == 0);
}

/* 5,001 values: 300 ones, 200 twos (20, 30, 40, 50 and 60 of each thousand), else noughts. P99 is 2.
 * Beyond the 90 % quantile, 0, the mean is (300 + 400) / 500 = 1.4. A share of 0.04 lies beyond the
 * 96 % quantile, 1: in batches 0.02 to 0.06, 2.776 sqrt(0.00025 / 5) = 0.01963 wide on either side,
 * 0.491 of it, and at a share of a quarter of 200 / 5,001 / 0.04 that is 0.9815. The interval is
 * (2 + 1.4) e^(+-0.9815 x 1.4 / 3.4) - 1.4. */
Test(measurement, interval_of_a_quantile_of_a_long_run)
{
	enum { N = 5001 };
	static double x[N], scratch[N];
	for (size_t i = 0; i < N; i++)
		x[i] = i >= 5000                              ? 0
		       : i % 1000 < 60                        ? 1
		       : i % 1000 < 20 + 10 * (i / 1000) + 60 ? 2
							      : 0;
	struct interval p = quantile_interval95(x, scratch, N, 0.99);
	cr_expect(eq(dbl, p.at, 2));
	cr_expect(epsilon_eq(dbl, p.low, 0.8696, 1e-3));
	cr_expect(epsilon_eq(dbl, p.high, 3.6933, 1e-3));
	p = quantile_interval95(x, scratch, 999, 0.99); /* not ten beyond the quantile */
	cr_expect(p.low == 0 && isinf(p.high));
	for (size_t i = 0; i < N; i++)
		x[i] = 0;
	p = quantile_interval95(x, scratch, N, 0.99);
	cr_expect(p.low == 0 && p.at == 0 && p.high == 0);
}

/* 19 intervals of 20 hold what they are about; 400 runs may miss by four deviations of that. */
Test(measurement, intervals_hold_the_truth)
{
	int median_holds = 0, mean_holds = 0;
	enum { RUNS = 400 };
	for (uint64_t seed = 1; seed <= RUNS; seed++) {
		struct arena a = { 0 };
		struct benchmark b = quiet(TIMER_EVENTS);
		b.jitter = 0.05;
		b.warmup = 1;
		b.seed = seed;
		struct benchmark_run run = benchmark_simulate(&a, &b);
		struct report mean = benchmark_report(&a, &b, &run, STATISTIC_MEAN);
		struct report median = benchmark_report(&a, &b, &run, STATISTIC_MEDIAN);
		double truth = 50e-6, middle = 50e-6 / sqrt(1 + 0.05 * 0.05); /* log-normal */
		mean_holds += mean.low_s <= truth && truth <= mean.high_s;
		median_holds += median.low_s <= middle && middle <= median.high_s;
		arena_release(&a);
	}
	cr_expect(mean_holds > RUNS * 0.90 && mean_holds < RUNS * 0.99, "%d", mean_holds);
	cr_expect(median_holds > RUNS * 0.91, "%d", median_holds);
}

/* --- the simulation ----------------------------------------------------------------------- */

static double value_at(const struct tables *t, const char *settings, const char *id)
{
	return sim_number(sim_find("measurement"), t, settings, id);
}

Test(measurement, mended_it_is_true)
{
	static const char mended[] = "sync=events warmup=1000 statistic=median flush_l2=on "
				     "clocks=locked iterations=1000";
	struct tables t = load_tables();
	for (int seed = 1; seed <= 10; seed++) {
		char text[256];
		snprintf(text, sizeof text, "%s seed=%d", mended, seed);
		cr_expect(epsilon_eq(dbl, value_at(&t, text, "reported_s"), 50e-6, 0.25e-6),
			"seed %d", seed);
	}
	cr_expect(lt(dbl, 10 * 50e-6, value_at(&t, "", "reported_s")), "and before it was a lie");
	/* Without awaiting the GPU: the launch, to the digit. */
	cr_expect(epsilon_eq(
		dbl, value_at(&t, "warmup=1000 statistic=median", "reported_s"), 6e-6, 1e-12));
	tables_release(&t);
}

Test(measurement, what_rounds_to_nothing_has_no_minus)
{
	struct figure fig = { 0 };
	cr_expect(eq(str, (char *)figure_signed(&fig, -0.04, "%"), "+0.0 %"));
	cr_expect(eq(str, (char *)figure_signed(&fig, -0.06, "%"), "-0.1 %"));
	cr_expect(eq(str, (char *)figure_signed(&fig, 2.46, "points"), "+2.5 points"));
	figure_release(&fig);
}

/* F11.1: ten exceedances of a P99 take a thousand samples. */
Test(measurement, samples_of_a_p99)
{
	struct tables t = load_tables();
	static const char few[] = "sync=events warmup=1000 statistic=p99 iterations=100";
	static const char many[] = "sync=events warmup=1000 statistic=p99 iterations=1000";
	cr_expect(eq(dbl, value_at(&t, few, "samples_needed"), 1000));
	cr_expect(isinf(value_at(&t, few, "ci_high_s")), "100 samples do not bound it from above");
	cr_expect(isfinite(value_at(&t, many, "ci_high_s")));
	cr_expect(eq(dbl, value_at(&t, "true_ms=1", "true_s"), 1e-3));
	tables_release(&t);
}

/* A mean of quiet samples with a cv of 5 % needs 97 for 1 %: F11.1's other row. */
Test(measurement, samples_of_a_mean)
{
	struct tables t = load_tables();
	double needed = value_at(&t,
		"sync=events warmup=1000 clocks=locked outliers_pct=0 jitter_pct=5 iterations=5000",
		"samples_needed");
	cr_expect(epsilon_eq(dbl, needed, 97, 8));
	tables_release(&t);
}

/* An operation of 50 us that takes 6 us to launch. Without awaiting it 100 iterations take 6 us
 * each, the first call 800 ms and the first three 1 ms each for memory: 803.6 / 100. Warm, the
 * launch alone: 88 % too short. With events, locked clocks and a flushed cache, the truth. */
static const struct sim_row shown[] = {
	{ "outliers_pct=0 jitter_pct=0", "reported_s", 8.036e-3, 0 },
	{ "outliers_pct=0 jitter_pct=0 iterations=1000", "reported_s", 0.809e-3, 0 },
	{ "warmup=1000 outliers_pct=0 jitter_pct=0", "reported_s", 6e-6, 0 },
	{ "sync=events warmup=1000 clocks=locked outliers_pct=0 jitter_pct=0 flush_l2=on",
		"reported_s", 50e-6, 0 },
	{ "", "true_s", 50e-6, 0 },
};

Test(measurement, shown_values_by_hand)
{
	struct tables t = load_tables();
	expect_rows(sim_find("measurement"), &t, shown, sizeof shown / sizeof *shown);
	tables_release(&t);
}

/* 8.036 ms for 50 us is 160 times; warmed up, 6 us is less by 50 / 6. The first part mends warm-up
 * first: the bar under the first is that of the launch. */
Test(measurement, the_sentence_has_both_times_and_the_bars_mend_them)
{
	static const char quiet_noise[] = "outliers_pct=0 jitter_pct=0";
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("measurement"), &t, quiet_noise);
	cr_expect(strstr(fig.why, "8.04 ms for a kernel of 50 us: the first calls "
				  "are in it") != NULL,
		"%s", fig.why);
	cr_assert(eq(int, (int)fig.blocks[0]->kind, BLOCK_BARS));
	const struct bars *b = &fig.blocks[0]->as.bars;
	cr_expect(b->log);
	cr_expect(epsilon_eq(dbl, b->limit, 50e-6, 1e-12));
	cr_assert(lt(sz, 2, b->n_bars));
	cr_expect(epsilon_eq(dbl, b->bars[0].parts[0], 8.036e-3, 1e-9));
	cr_expect(epsilon_eq(dbl, b->bars[1].parts[0], 6e-6, 1e-12));
	cr_expect(eq(int, (int)b->bars[0].role, ROLE_PLAIN));
	cr_expect(epsilon_eq(dbl, b->bars[b->n_bars - 1].parts[0], 50e-6, 1e-9));
	cr_expect(eq(int, (int)b->bars[b->n_bars - 1].role, ROLE_GOOD));
	figure_release(&fig);
	fig = sim_run(sim_find("measurement"), &t, "warmup=1000 outliers_pct=0 jitter_pct=0");
	cr_expect(eq(str, (char *)figure_find(&fig, "reported_s")->note, "8.3x too short"));
	cr_expect(strstr(fig.why, "the clock stops") != NULL, "%s", fig.why);
	figure_release(&fig);
	/* What is estimated from a few samples is a P99, and its truth is one too. */
	fig = sim_run(sim_find("measurement"), &t, "sync=events statistic=p99 warmup=1000");
	cr_expect(strstr(fig.why, "the true P99 is") != NULL, "%s", fig.why);
	figure_release(&fig);
	tables_release(&t);
}

static const struct plot *samples_of(const struct figure *fig)
{
	return &figure_block(fig, BLOCK_PLOT, NULL)->as.plot;
}

/* 160 times too long and 8.3 times too short: beside each bar stands which. Who awaits the GPU and does
 * not warm up is told why nothing moves; the axis of the samples has the decade of the lowest. */
Test(measurement, bars_that_are_too_short_say_so)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("measurement"), &t, "outliers_pct=0 jitter_pct=0");
	const struct bars *b = &fig.blocks[0]->as.bars;
	cr_expect(b->from_limit);
	cr_expect(eq(str, (char *)b->bars[0].note, "160x too long"));
	cr_expect(eq(str, (char *)b->bars[1].note, "8.3x too short"));
	cr_expect(eq(int, (int)b->bars[1].role, ROLE_PLAIN), "wrong, and no alarm");
	cr_expect(eq(str, (char *)b->bars[b->n_bars - 1].note, "right"));
	/* launches of 6 us are the lowest */
	cr_expect(epsilon_eq(dbl, samples_of(&fig)->y.min, 1e-6, 1e-18));
	figure_release(&fig);
	fig = sim_run(sim_find("measurement"), &t, "sync=end");
	cr_expect(strstr(fig.why, "The first calls, which compile, hide all else: ") == fig.why,
		"%s", fig.why);
	figure_release(&fig);
	tables_release(&t);
}

/* One call of 801 ms and 99 of next to nothing: a deviation of 801 / 10 ms, and Student's t of 99
 * degrees of freedom, 1.984, times that over the root of 100 is 15.89 ms. The mean is 8.04: 23.93 at
 * most, and no time is below 0, so the samples bound the mean from above only. */
Test(measurement, an_interval_is_two_bounds_and_0_is_none)
{
	static const char *const nothing = "too spread to say more", *const sure = "95 % sure";
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("measurement"), &t, "outliers_pct=0 jitter_pct=0");
	const struct value *low = figure_find(&fig, "ci_low_s"),
			   *high = figure_find(&fig, "ci_high_s");
	cr_expect(eq(dbl, low->value, 0));
	cr_expect(eq(str, (char *)low->label, "mean, at least"));
	cr_expect(eq(str, (char *)low->note, (char *)nothing));
	cr_expect(epsilon_eq(dbl, high->value, 23.93e-3, 0.03e-3));
	cr_expect(eq(str, (char *)high->note, (char *)sure));
	figure_release(&fig);
	/* 1,000 quiet samples mended: bounded on both sides, and the sentence has both. */
	fig = sim_run(sim_find("measurement"), &t,
		"sync=events warmup=1000 statistic=median flush_l2=on clocks=locked "
		"iterations=1000");
	cr_expect(eq(str, (char *)figure_find(&fig, "ci_low_s")->label, "median, at least"));
	cr_expect(eq(str, (char *)figure_find(&fig, "ci_low_s")->note, (char *)sure));
	cr_expect(strstr(fig.why, "right, and the interval says so, ") != NULL, "%s", fig.why);
	figure_release(&fig);
	tables_release(&t);
}

/* Without noise a median is the mean and a hundred samples say what a thousand do: neither has a bar.
 * Left are as it is, warm-up, events, cold L2, locked clocks. */
Test(measurement, what_mends_nothing_has_no_bar)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("measurement"), &t, "outliers_pct=0 jitter_pct=0");
	static char *const left[] = { "as it is", "+ warm-up", "+ CUDA events", "+ cold L2",
		"+ locked clocks" };
	const struct bars *b = &fig.blocks[0]->as.bars;
	cr_assert(eq(sz, b->n_bars, sizeof left / sizeof *left));
	for (size_t i = 0; i < b->n_bars; i++)
		cr_expect(eq(str, (char *)b->bars[i].label, left[i]));
	figure_release(&fig);
	tables_release(&t);
}

static size_t named(const struct plot *p, const char *name)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n_series; i++)
		for (size_t k = 0; k < p->series[i].n; k++) {
			const char *is = p->series[i].points[k].name;
			n += is && strcmp(is, name) == 0;
		}
	return n;
}

/* The first call takes 801 ms for a launch of 6 us. A clock that does not wait sees launches, in the
 * colour that these have in the queue; events see kernels. */
Test(measurement, samples_say_what_they_are)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("measurement"), &t, "");
	const struct plot *p = samples_of(&fig);
	cr_expect(eq(str, (char *)p->series[0].name, "launch"));
	cr_expect(eq(int, (int)p->series[0].meaning, MEANS_FIXED));
	cr_expect(eq(sz, named(p, "the first call"), 1));
	figure_release(&fig);
	fig = sim_run(sim_find("measurement"), &t, "sync=events first_ms=0 outliers_pct=0");
	p = samples_of(&fig);
	cr_expect(eq(str, (char *)p->series[0].name, "run"));
	cr_expect(eq(int, (int)p->series[0].meaning, MEANS_COMPUTE));
	cr_expect(eq(sz, named(p, "a pause") + named(p, "a slow kernel"), 0));
	figure_release(&fig);
	tables_release(&t);
}
