/* Draws the watched steps of a training loop as a profiler does, with a caption for each. */
#ifndef RIDGE_STEP_DRAW_H
#define RIDGE_STEP_DRAW_H

#include "sims/figure/figure.h"
#include "sims/training/step_timeline.h"

#include <stdbool.h>

/* One lane each for the GPU, workers (four at most), copies on a stream of their own, CPU, and NCCL
 * where there are peers; `when` ends the title: ", as the run begins", or empty. Where tells_why, a
 * GPU that waits for nearly nothing but batches has "no data", and a CPU is seen to wait where it is
 * for the GPU. Sets fig->duration_s. */
void step_draw_lanes(struct figure *fig, const struct step_machine *m, const struct step_run *run,
	const char *when, bool tells_why);

#endif
