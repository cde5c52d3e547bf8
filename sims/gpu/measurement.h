/* The pictures of the simulation `measurement`. The model is sims/gpu/benchmark.h. */
#ifndef RIDGE_MEASUREMENT_H
#define RIDGE_MEASUREMENT_H

#include "sims/gpu/benchmark.h"
#include "sims/figure/figure.h"

/* Every sample, with what is reported and what is true. */
void measurement_draw_samples(struct figure *fig, const struct benchmark *b,
	const struct benchmark_run *run, double shown_s, double true_s);

/* The calls of some iterations on the CPU and the GPU; sets the figure's run and its moments. */
void measurement_draw_queue(
	struct figure *fig, const struct benchmark *b, const struct benchmark_run *run);

#endif
