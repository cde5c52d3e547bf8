/* A long training run among failures: what of its wall clock moves it on (F0.5, F0.6). The model
 * (goodput_run.c) is a function of failure times, so that every interval is tried on the same
 * failures; goodput.c reads the knobs, goodput_figure.c draws. */
#ifndef RIDGE_GOODPUT_H
#define RIDGE_GOODPUT_H

#include "sims/base/arena.h"
#include "sims/figure/figure.h"

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

/* What a knob setting amounts to. */
struct goodput {
	const double *v;
	double parts_s[4];             /* of a step: compute, stragglers, communication, data */
	double step_s, gpus, wanted_s; /* wanted_s: the length asked for */
	double write_s, mtbf_s, young_s, daly_s;
	double interval_s; /* work between checkpoints, whole steps */
	struct goodput_plan plan;
	size_t runs;
	double *const *failures_s; /* of each run */
	struct goodput_share mean;
	double *work_s; /* that counts, of each run at interval_s */
	double best_s;
	struct arena *arena;
};
/* The plan with another interval. */
struct goodput_plan goodput_plan_at(const struct goodput *g, double interval_s);
/* Over the runs; the work that counts of each in work_s, unless that is NULL. */
struct goodput_share goodput_mean(const struct goodput *g, double interval_s, double work_s[]);
/* Work's share by Daly's formula; NAN for asynchronous checkpoints, of which it knows nothing. */
double goodput_formula(const struct goodput *g, double interval_s);
/* 1 - checkpoint and rework and restarts, each to first order in interval / MTBF (Young). */
double goodput_first_order(const struct goodput *g, double interval_s);

/* In minutes, as the axis has it; seconds where that is shorter than one. */
const char *goodput_interval_text(struct figure *fig, double s);

/* Draws share over interval, and finds the simulated best one. */
void goodput_draw_curve(struct goodput *g, struct figure *fig);
void goodput_draw_run(const struct goodput *g, struct figure *fig);
void goodput_draw_shares(const struct goodput *g, struct figure *fig);

#endif
