/* One long training run among failures: what of its wall clock moves it on. A function of the
 * times of the failures, so that every interval can be tried on the same ones. */
#ifndef RIDGE_GOODPUT_RUN_H
#define RIDGE_GOODPUT_RUN_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Training repeats: so much work, then a stall while a checkpoint is taken; it can be resumed from
 * `lag_s` after the stall. A failure costs the restart and all work since the last checkpoint that
 * can be resumed from; a failure during the restart begins it again. */
struct goodput_plan {
	double work_s;    /* between checkpoints; > 0 */
	double stall_s;   /* synchronous: the whole write; asynchronous: the copy to host memory */
	double lag_s;     /* asynchronous: the rest of the write, behind training */
	double restart_s; /* detect, replace, load, warm up */
	double horizon_s; /* of the run */
};

/* Where the wall clock of one run went; the four add up to the horizon. */
struct goodput_share {
	double work_s, checkpoint_s, lost_s, restart_s;
	double failures;
};

enum goodput_phase { PHASE_WORK, PHASE_CHECKPOINT, PHASE_LOST, PHASE_RESTART, N_PHASES };
/* Told every stretch of a run in order; NULL for nobody. */
typedef void goodput_watch(void *ctx, enum goodput_phase phase, double start_s, double end_s);

/* failures_s: ascending, at least one of them at or after the horizon. */
struct goodput_share goodput_run(const struct goodput_plan *plan, const double failures_s[],
	goodput_watch *watch, void *ctx);

/* Failure times of one run from 0 until past the horizon, gaps exponential; in the arena. `part`
 * tells runs of one seed apart. NULL when memory is out. */
double *goodput_failures(
	struct arena *a, double mtbf_s, double horizon_s, uint64_t seed, uint64_t part);

#endif
