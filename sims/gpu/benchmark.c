/* Iterations follow each other, and each knows the times of those before: when the GPU is free,
 * when the place in the queue is (the end of the iteration queue_depth before), and, where the
 * timer synchronises, when the CPU may go on. So one loop is enough, without a queue of events. */
#include "sims/gpu/benchmark.h"

#include "sims/base/rng.h"
#include "sims/base/stats.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Datacentre GPUs, in round numbers: an idle one runs at about half of its clock, rises within tens
 * of ms, and cools its boost away within half a minute. */
static const double idle_clock = 0.5, ramp_s = 0.01, heat_s = 30;
static const double normal_quartiles = 1.349; /* distance of the quartiles of a normal distribution,
					       * in deviations */
static const double cold_calls = 3;           /* until the allocator holds all that a call needs */

double benchmark_ramp_s(void)
{
	return 5 * ramp_s;
}

/* The clock relative to its sustained rate, that long after the first call. */
static double clock_at(const struct benchmark *b, double time_s)
{
	if (b->locked)
		return 1;
	double target = 1 + b->boost * exp(-time_s / heat_s);
	return target - (target - idle_clock) * exp(-time_s / ramp_s);
}

/* The random streams of one run, one for each kind of luck: mending one fault must not change the
 * luck of the others. */
struct luck {
	struct rng jitter, when, how_long;
};

static double kernel_s(const struct benchmark *b, struct luck *luck, size_t i, double time_s)
{
	bool hot = i > 0 && b->flush_s == 0;
	double compute_s = (b->kernel_s - b->memory_s) / clock_at(b, time_s);
	double s = compute_s + b->memory_s - (hot ? b->hot_s : 0);
	return b->jitter > 0 ? rng_lognormal(&luck->jitter, s, b->jitter) : s;
}

/* What an outlier adds, either to the CPU or to the GPU. */
static void disturb(const struct benchmark *b, struct luck *luck, double *cpu_s, double *gpu_s)
{
	double u = rng_uniform(&luck->when), s = rng_exponential(&luck->how_long, b->outlier_s);
	*cpu_s = u < b->outliers / 2 ? s : 0;
	*gpu_s = u >= b->outliers / 2 && u < b->outliers ? s : 0;
}

/* When the launch stands in the queue: the CPU waits for a free place in it. */
static double queue_launch(
	const struct benchmark *b, const struct benchmark_iteration *all, size_t i, double cpu_s)
{
	if (i >= b->queue_depth)
		cpu_s = fmax(cpu_s, all[i - b->queue_depth].gpu_end_s);
	return cpu_s + b->launch_s;
}

static double iterate(const struct benchmark *b, struct benchmark_iteration *all, size_t i,
	double cpu_s, struct luck *luck)
{
	struct benchmark_iteration *it = &all[i];
	double free_s = i ? all[i - 1].gpu_end_s : 0, pause_s, slow_s;
	disturb(b, luck, &pause_s, &slow_s);
	cpu_s += b->flush_s > 0 ? b->launch_s : 0;
	/* The flush is queued, and with TIMER_EACH awaited, before the clock starts. */
	it->flush_begin_s = fmax(free_s, cpu_s);
	free_s = b->flush_s > 0 ? it->flush_begin_s + b->flush_s : free_s;
	if (b->flush_s > 0 && b->timer == TIMER_EACH)
		cpu_s = free_s + b->sync_s;
	it->begin_s = cpu_s;
	it->pause_s = pause_s + (i == 0 ? b->first_s : 0) +
		      ((double)i < cold_calls ? b->allocation_s : 0);
	double asked_s = cpu_s + it->pause_s;
	it->queued_s = queue_launch(b, all, i, asked_s);
	it->gpu_begin_s = fmax(free_s, it->queued_s);
	it->gpu_end_s = it->gpu_begin_s + kernel_s(b, luck, i, it->gpu_begin_s) + slow_s;
	it->end_s = it->queued_s;
	if (b->timer == TIMER_EACH)
		it->end_s = it->gpu_end_s + b->sync_s;
	it->measured_s = it->end_s - it->begin_s;
	/* The GPU takes the first time stamp when it comes to it, whether the launch behind it has
	 * arrived or not. */
	if (b->timer == TIMER_EVENTS)
		it->measured_s = it->gpu_end_s - fmax(free_s, it->begin_s);
	return it->end_s;
}

struct benchmark_run benchmark_simulate(struct arena *a, const struct benchmark *b)
{
	assert(b->iterations > 0 && b->queue_depth > 0 && b->timer <= TIMER_EVENTS);
	size_t n = b->warmup + b->iterations;
	struct benchmark_run run = { .all = arena_array(a, n, sizeof *run.all),
		.measured_s = arena_array(a, b->iterations, sizeof *run.measured_s) };
	struct luck luck = { rng_stream(b->seed, "jitter", 0), rng_stream(b->seed, "outliers", 0),
		rng_stream(b->seed, "outliers", 1) };
	double cpu_s = 0, begin_s = 0;
	if (!run.all || !run.measured_s)
		return (struct benchmark_run){ 0 };
	for (size_t i = 0; i < n; i++) {
		/* A script that warms up also waits for the end of it. */
		if (i == b->warmup && i > 0)
			cpu_s = fmax(cpu_s, run.all[i - 1].gpu_end_s) + b->sync_s;
		begin_s = i == b->warmup ? cpu_s : begin_s;
		cpu_s = iterate(b, run.all, i, cpu_s, &luck);
		if (i >= b->warmup)
			run.measured_s[i - b->warmup] = run.all[i].measured_s;
	}
	if (b->timer == TIMER_END)
		cpu_s = fmax(cpu_s, run.all[n - 1].gpu_end_s) + b->sync_s;
	run.n = n;
	run.total_s = cpu_s - begin_s;
	return run;
}

double benchmark_true_p99_s(struct arena *a, const struct benchmark *b)
{
	enum { CLEAN = 10000 };
	double *x = arena_array(a, CLEAN, sizeof *x);
	struct rng jitter = rng_stream(b->seed, "clean", 0), slow = rng_stream(b->seed, "clean", 1);
	if (!x)
		return b->kernel_s;
	for (size_t i = 0; i < CLEAN; i++) {
		x[i] = b->jitter > 0 ? rng_lognormal(&jitter, b->kernel_s, b->jitter) : b->kernel_s;
		if (rng_uniform(&slow) < b->outliers / 2)
			x[i] += rng_exponential(&slow, b->outlier_s);
	}
	return quantile_select(x, CLEAN, 0.99);
}

static const double *sorted(struct arena *a, const double *x, size_t n)
{
	double *copy = arena_array(a, n, sizeof *copy);
	if (!copy)
		return NULL;
	memcpy(copy, x, n * sizeof *x);
	sort_ascending(copy, n);
	return copy;
}

static struct report report_quantile(const double *x, size_t n, double q)
{
	size_t low, high;
	quantile_ranks95(n, q, &low, &high);
	return (struct report){ .value_s = quantile_sorted(x, n, q),
		.low_s = low ? x[low - 1] : 0,
		.high_s = high ? x[high - 1] : INFINITY };
}

struct report benchmark_report(struct arena *a, const struct benchmark *b,
	const struct benchmark_run *run, enum statistic statistic)
{
	assert(run->n > 0 && statistic <= STATISTIC_MIN);
	size_t n = b->iterations;
	struct report r = { .high_s = INFINITY };
	const double *x = sorted(a, run->measured_s, n);
	double half;
	if (!x)
		return r;
	if (b->timer == TIMER_END) {
		r.value_s = run->total_s / (double)n;
		return r;
	}
	switch (statistic) {
	case STATISTIC_MEAN:
		half = mean_half_width95(x, n);
		r.value_s = mean_of(x, n);
		r.low_s = fmax(0, r.value_s - half);
		r.high_s = r.value_s + half;
		break;
	case STATISTIC_MEDIAN:
		r = report_quantile(x, n, 0.5);
		break;
	case STATISTIC_P99:
		r = report_quantile(x, n, 0.99);
		break;
	case STATISTIC_MIN:
		r.value_s = x[0];
		break;
	}
	r.cv = deviation_of(x, n) / mean_of(x, n);
	if (statistic == STATISTIC_MEDIAN)
		r.cv = (quantile_sorted(x, n, 0.75) - quantile_sorted(x, n, 0.25)) /
		       (normal_quartiles * r.value_s);
	return r;
}
