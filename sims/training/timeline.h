/* Private to the simulation `timeline`: its knobs, the run, and what the figure says about it. */
#ifndef RIDGE_TIMELINE_H
#define RIDGE_TIMELINE_H

#include "sims/figure/figure.h"
#include "sims/training/step_verdict.h"

/* clang-format off */
enum timeline_knob {
	TIMELINE_WORKERS, TIMELINE_PREFETCH, TIMELINE_PREP, TIMELINE_PREP_CV, TIMELINE_IO_BOUND,
	TIMELINE_PIN_MEMORY, TIMELINE_NON_BLOCKING, TIMELINE_COPY_STREAM, TIMELINE_PERSISTENT,
	TIMELINE_AMP, TIMELINE_COMPILE, TIMELINE_FUSED, TIMELINE_OVERLAP, TIMELINE_SYNC,
	TIMELINE_SYNCS, TIMELINE_GPUS, TIMELINE_FORWARD, TIMELINE_BACKWARD, TIMELINE_OPTIMIZER,
	TIMELINE_KERNELS, TIMELINE_LAUNCH, TIMELINE_BATCH_MB, TIMELINE_GRADIENT_MB, TIMELINE_LINK,
	TIMELINE_CORES, TIMELINE_READERS, TIMELINE_WORKER_GB, TIMELINE_EPOCH_STEPS, TIMELINE_SHOW,
	TIMELINE_STEPS, TIMELINE_SEED, N_TIMELINE_KNOBS
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
