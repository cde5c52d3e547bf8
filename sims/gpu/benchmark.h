/* A benchmark of one GPU operation, simulated: the CPU puts launches into a queue, the GPU takes
 * them from it, and a clock looks at one of the two.
 *
 * What disturbs the result happens in the run, not in a formula: compilation and allocation in the
 * first calls, a GPU clock that rises from idle and falls when the chip is hot, input that is still
 * in the L2, pauses of the CPU and slow kernels. Times are in s. */
#ifndef RIDGE_BENCHMARK_H
#define RIDGE_BENCHMARK_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the clock looks. */
enum timer {
	TIMER_NONE,  /* CPU clock around the call, which only queues it */
	TIMER_END,   /* the same, and the GPU awaited once, after the last */
	TIMER_EACH,  /* the GPU awaited in every iteration */
	TIMER_EVENTS /* the GPU's own time stamps, before and after the operation */
};

struct benchmark {
	enum timer timer;
	size_t warmup, iterations; /* iterations >= 1 */
	double kernel_s;           /* true: cold input, sustained clock */
	double memory_s;         /* the part that is DRAM traffic, which no core clock speeds up */
	double hot_s;            /* the part of that which disappears when the input is still in
				    * the L2 */
	double launch_s, sync_s; /* CPU: to queue a launch; to learn that the GPU is done */
	double flush_s;          /* GPU: to overwrite the L2; 0: not done */
	size_t queue_depth;      /* launches that may be pending; >= 1 */
	double first_s;          /* CPU, first call: compilation, libraries */
	double allocation_s;     /* CPU, each of the first three calls */
	bool locked;             /* the clock stands at its sustained rate */
	double boost;            /* else: above that, of a cool chip, 0.1 = 10 % */
	double jitter;           /* coefficient of variation of kernel times */
	double outliers;         /* share of iterations; half pause the CPU, half slow the kernel */
	double outlier_s;        /* mean of what they add */
	uint64_t seed;
};

/* What happened in an iteration. On the CPU the call lasts from begin_s to queued_s, and waiting
 * for the GPU from there to end_s. */
struct benchmark_iteration {
	double begin_s, pause_s, queued_s, end_s;
	double flush_begin_s, gpu_begin_s, gpu_end_s;
	double measured_s; /* by the clock */
};

struct benchmark_run {
	struct benchmark_iteration *all; /* warm-up first */
	size_t n;                        /* warm-up and iterations; 0: memory ran out */
	double *measured_s;              /* the iterations after the warm-up, in order */
	double total_s; /* time of all those by the CPU's clock; with TIMER_END the wait at the end
			 * is in it */
};
struct benchmark_run benchmark_simulate(struct arena *a, const struct benchmark *b);

/* What the benchmark reports. With TIMER_END it can only report a mean. The run stays unsorted. */
enum statistic { STATISTIC_MEAN, STATISTIC_MEDIAN, STATISTIC_P99, STATISTIC_MIN };
struct report {
	double value_s;
	double low_s, high_s; /* 95 % confidence; 0 and INFINITY where the samples give no limit */
	double cv;            /* coefficient of variation of the samples; for a median from their
			       * quartiles, as if they were normal */
};
struct report benchmark_report(struct arena *a, const struct benchmark *b,
	const struct benchmark_run *run, enum statistic statistic);

/* The P99 that production would see: of 10,000 kernels with cold input at the sustained clock, slow
 * ones among them. */
double benchmark_true_p99_s(struct arena *a, const struct benchmark *b);

/* Seconds after which the clock of an idle GPU has nearly reached its sustained rate. */
double benchmark_ramp_s(void);

#endif
