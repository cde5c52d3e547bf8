/* Draws the watched steps of a training loop as a profiler does, with a caption for each. */
#ifndef RIDGE_STEP_DRAW_H
#define RIDGE_STEP_DRAW_H

#include "sims/figure/figure.h"
#include "sims/training/step_timeline.h"

/* One lane each for workers (four at most), CPU, copy, GPU, and NCCL where there are peers; `when`
 * ends the title: ", as the run begins", or empty. Sets fig->duration_s. */
void step_draw_lanes(struct figure *fig, const struct step_machine *m, const struct step_run *run,
	const char *when);

#endif
