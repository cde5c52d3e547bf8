/* A driving pipeline from camera to plan: seven stages, what four optimisations take off each, and
 * frames that arrive, wait, run late or are dropped. Times in ms of the stage table and in s of the
 * simulation, as the names say. */
#ifndef RIDGE_DRIVING_H
#define RIDGE_DRIVING_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum driving_stage {
	STAGE_PREPROCESS,
	STAGE_BACKBONE,
	STAGE_DETECTION,
	STAGE_SEGMENTATION,
	STAGE_TRACKING,
	STAGE_PREDICTION,
	STAGE_PLANNING,
	N_STAGES
};
extern const char *const stage_names[N_STAGES];

enum optimisation { BACKBONE_SHARING, TEMPORAL_FUSION, TENSORRT, SPARSE, N_OPTIMISATIONS };
extern const char *const optimisation_names[N_OPTIMISATIONS];

enum platform { PLATFORM_ORIN, PLATFORM_THOR, PLATFORM_SA8650P, PLATFORM_DESKTOP, N_PLATFORMS };
extern const char *const platform_ids[N_PLATFORMS + 1]; /* NULL-terminated: a knob's choices */
extern const char *const platform_names[N_PLATFORMS];

struct driving {
	enum platform platform;
	bool on[N_OPTIMISATIONS];
	double cameras; /* preprocessing and the backbone grow with them; the table has 6 */
};

/* Mean time of a stage. */
double stage_ms(const struct driving *d, enum driving_stage stage);
double stages_total_ms(const struct driving *d);
double slowest_stage_ms(const struct driving *d);

/* A frame's way: when each stage began and ended with it, in s after the first frame's capture. A
 * dropped frame was overtaken by a newer one in the mailbox of stage `stages_done`. */
struct driving_frame {
	double capture_s;
	double start_s[N_STAGES], end_s[N_STAGES];
	unsigned stages_done; /* N_STAGES: planned */
};

/* Runs n frames at fps through the stages. Serial: one frame at a time has the whole machine.
 * Pipelined: each stage has a worker of its own. A worker that becomes free takes the newest frame
 * that waits; older ones are dropped, since their answer would describe the past. Stage times are
 * log-normal with coefficient of variation cv, the same for both modes. NULL when memory is out. */
struct driving_frame *driving_run(struct arena *a, const struct driving *d, bool pipelined,
	double fps, double cv, size_t n, uint64_t seed);

bool frame_planned(const struct driving_frame *f);
double frame_latency_s(const struct driving_frame *f); /* capture to plan; INFINITY when it was
						        * dropped */

#endif
