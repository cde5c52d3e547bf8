/* Private to the simulation `timeline`: its knobs, the run, and what the figure says about it. */
#ifndef RIDGE_TIMELINE_H
#define RIDGE_TIMELINE_H

#include "sims/figure/figure.h"
#include "sims/training/step_verdict.h"

/* clang-format off */
enum timeline_knob {
	WORKERS, PREFETCH, PREP, PREP_CV, IO_BOUND, PIN_MEMORY, NON_BLOCKING, COPY_STREAM,
	PERSISTENT, AMP, COMPILE, FUSED, OVERLAP, SYNC, SYNCS, GPUS, FORWARD, BACKWARD, OPTIMIZER,
	KERNELS, LAUNCH, BATCH_MB, GRADIENT_MB, LINK, CORES, READERS, WORKER_GB, EPOCH_STEPS, SHOW,
	STEPS, SEED, N_TIMELINE_KNOBS
};
/* clang-format on */
enum { SHOW_STEADY, SHOW_START, SHOW_EPOCH };

struct timeline_scene {
	const double *v;
	struct step_machine machine;
	struct step_run run;
	struct step_verdict verdict;
	struct step_trials trials;
};

void timeline_draw_shares(struct figure *fig, const struct timeline_scene *s);
void timeline_draw_fixes(struct figure *fig, const struct timeline_scene *s);
void timeline_draw_curves(struct figure *fig, const struct timeline_scene *s);
void timeline_draw_tests(struct figure *fig, const struct timeline_scene *s);
void timeline_explain(struct figure *fig, const struct timeline_scene *s);

#endif
