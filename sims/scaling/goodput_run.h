/* One long training run among failures: what of its wall clock moves it on. A function of the
 * times of the failures, so that every interval can be tried on the same ones. */
#ifndef RIDGE_GOODPUT_RUN_H
#define RIDGE_GOODPUT_RUN_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Training repeats a cycle of work and of a stall in which a checkpoint is taken; the
 * checkpoint can be resumed from once lag_s more have passed. A failure costs the restart and
 * all work since the last checkpoint that can be resumed from; a failure during the restart
 * begins the restart again. */
struct goodput_plan {
	double work_s;    /* between checkpoints; > 0 */
	double stall_s;   /* synchronous: the whole write; asynchronous: the copy to host memory */
	double lag_s;     /* asynchronous: the rest of the write, behind training */
	double restart_s; /* detect, replace, load, warm up */
	double horizon_s; /* the length of the run */
};

/* Where the wall clock of one run went; the four add up to the horizon. */
struct goodput_share {
	double work_s, checkpoint_s, lost_s, restart_s;
	double failures;
};

enum goodput_phase { PHASE_WORK, PHASE_CHECKPOINT, PHASE_LOST, PHASE_RESTART, N_PHASES };
/* Is told every stretch of a run in order. */
typedef void goodput_watch(void *ctx, enum goodput_phase phase, double start_s, double end_s);

/* failures_s: ascending, at least one of them at or after the horizon. watch: or NULL. */
struct goodput_share goodput_run(const struct goodput_plan *plan, const double failures_s[],
	goodput_watch *watch, void *ctx);

/* Failure times of one run from 0 until past the horizon, with exponential gaps, in the arena.
 * `part` tells the runs of one seed apart. NULL when memory is out. */
double *goodput_failures(
	struct arena *a, double mtbf_s, double horizon_s, uint64_t seed, uint64_t part);

#endif
