/* Lengths of all stages of all frames are drawn beforehand, a random stream for each stage, so that
 * neither the pipelining nor a dropped frame changes the luck of the others. One function, work(),
 * then moves a worker over the frames: in a pipeline once for each stage, otherwise once for all of
 * them. A worker that is free takes the newest frame that is there; older ones are dropped where
 * they wait. */
#include "sims/driving/driving.h"

#include "sims/base/rng.h"
#include "sims/formulas/driving.h"

#include <assert.h>
#include <math.h>

const char *const stage_names[N_STAGES] = { "preprocess", "backbone", "detection", "segmentation",
	"tracking", "prediction", "planning" };
const char *const optimisation_names[N_OPTIMISATIONS] = { "shared input", "temporal fusion",
	"TensorRT", "sparse" };

static const double baseline_ms[N_STAGES] = { 5, 12, 8, 5, 3, 10, 5 };

/* What each optimisation takes off each stage, in ms of the reference machine. The published table
 * gives only both ends (48 and 27 ms); the split between them is ours, by what a technique can
 * reach, and adds up to the optimised column exactly. Amounts, so the order does not matter. */
static const double saved_ms[N_OPTIMISATIONS][N_STAGES] = {
	/* The table's 12 ms are one encoder already; what is left to share is the preparing of its
	 * input: one resize, normalisation and upload for all heads. */
	[BACKBONE_SHARING] = { [STAGE_PREPROCESS] = 3 },
	/* Bird's-eye-view features of the last frames are moved with the car, not computed. */
	[TEMPORAL_FUSION] = { [STAGE_DETECTION] = 1.5,
		[STAGE_SEGMENTATION] = 1,
		[STAGE_PREDICTION] = 1 },
	/* Fused layers and tuned kernels, for what is a network: 2x on the backbone. */
	[TENSORRT] = { [STAGE_BACKBONE] = 6,
		[STAGE_DETECTION] = 1.5,
		[STAGE_SEGMENTATION] = 0.5,
		[STAGE_PREDICTION] = 4 },
	/* Heads skip empty cells, and the planner checks fewer of them. */
	[SPARSE] = { [STAGE_DETECTION] = 1, [STAGE_SEGMENTATION] = 0.5, [STAGE_PLANNING] = 1 },
};

const char *const platform_ids[] = { "orin", "thor", "sa8650p", "desktop", NULL };
const char *const platform_names[N_PLATFORMS] = { "AGX Orin 64 GB", "AGX Thor",
	"Snapdragon Ride SA8650P", "desktop, RTX 4090" };

/* The published table names no machine: we take it for an Orin's. Dense INT8 or FP8 rate of the GPU
 * (without Orin's DLAs, as in content/hardware.json), memory bandwidth, and how much longer CPU
 * code takes. SA8650P's bandwidth and all CPU factors are estimates. */
static const struct {
	double tera_ops, bandwidth_GBps, cpu_factor;
} platforms[N_PLATFORMS] = {
	[PLATFORM_ORIN] = { 85, 204.8, 1 },
	[PLATFORM_THOR] = { 517, 273, 0.5 },
	[PLATFORM_SA8650P] = { 100, 102, 1 },
	[PLATFORM_DESKTOP] = { 660, 1008, 0.4 },
};

/* Half of a network's time is bound by arithmetic, half by memory. */
static double network_factor(enum platform p)
{
	return (platforms[PLATFORM_ORIN].tera_ops / platforms[p].tera_ops +
		       platforms[PLATFORM_ORIN].bandwidth_GBps / platforms[p].bandwidth_GBps) /
	       2;
}

double stage_ms(const struct driving *d, enum driving_stage stage)
{
	assert(stage < N_STAGES && d->platform < N_PLATFORMS);
	static const double table_cameras = 6;
	double ms = baseline_ms[stage];
	for (enum optimisation o = 0; o < N_OPTIMISATIONS; o++)
		ms -= d->on[o] ? saved_ms[o][stage] : 0;
	if (stage == STAGE_PREPROCESS || stage == STAGE_BACKBONE)
		ms *= d->cameras / table_cameras;
	bool on_cpu = stage == STAGE_TRACKING || stage == STAGE_PLANNING;
	return ms * (on_cpu ? platforms[d->platform].cpu_factor : network_factor(d->platform));
}

/* The sum takes any unit of time; in ms the table's whole numbers add up without rounding. */
double stages_total_ms(const struct driving *d)
{
	return CALL(driving_latency, .preprocessing = stage_ms(d, STAGE_PREPROCESS),
		.backbone = stage_ms(d, STAGE_BACKBONE), .detection = stage_ms(d, STAGE_DETECTION),
		.segmentation = stage_ms(d, STAGE_SEGMENTATION),
		.tracking = stage_ms(d, STAGE_TRACKING),
		.prediction = stage_ms(d, STAGE_PREDICTION),
		.planning = stage_ms(d, STAGE_PLANNING));
}

double slowest_stage_ms(const struct driving *d)
{
	double slowest = 0;
	for (enum driving_stage s = 0; s < N_STAGES; s++)
		slowest = fmax(slowest, stage_ms(d, s));
	return slowest;
}

/* When a frame could enter stage s; INFINITY if it was dropped before. */
static double ready_s(const struct driving_frame *f, unsigned s)
{
	return s == 0 ? f->capture_s : f->stages_done >= s ? f->end_s[s - 1] : INFINITY;
}

/* One worker that does stages first..last of each frame it takes. Frames become ready in order,
 * because one worker made them so. end_s holds the length of each stage until the run replaces it
 * by the time of its end. */
static void work(struct driving_frame *frames, size_t n, unsigned first, unsigned last)
{
	double free_s = 0;
	size_t i = 0;
	for (;;) {
		while (i < n && isinf(ready_s(&frames[i], first)))
			i++;
		if (i == n)
			return;
		/* Take the newest frame that is there by then; those before it are dropped where
		 * they wait. */
		for (size_t j = i + 1; j < n; j++) {
			double at_s = ready_s(&frames[j], first);
			if (isinf(at_s))
				continue;
			if (at_s > free_s)
				break;
			i = j;
		}
		struct driving_frame *f = &frames[i++];
		double at_s = fmax(free_s, ready_s(f, first));
		for (unsigned s = first; s <= last; s++) {
			f->start_s[s] = at_s;
			at_s += f->end_s[s];
			f->end_s[s] = at_s;
			f->stages_done = s + 1;
		}
		free_s = at_s;
	}
}

struct driving_frame *driving_run(struct arena *a, const struct driving *d, bool pipelined,
	double fps, double cv, size_t n, uint64_t seed)
{
	assert(fps > 0 && cv >= 0);
	struct driving_frame *frames = arena_array(a, n, sizeof *frames);
	if (!frames)
		return NULL;
	for (unsigned s = 0; s < N_STAGES; s++) {
		struct rng r = rng_stream(seed, stage_names[s], 0);
		double mean_s = stage_ms(d, (enum driving_stage)s) / 1e3;
		for (size_t i = 0; i < n; i++)
			frames[i].end_s[s] = rng_lognormal(&r, mean_s, cv);
	}
	for (size_t i = 0; i < n; i++)
		frames[i].capture_s = (double)i / fps;
	if (pipelined)
		for (unsigned s = 0; s < N_STAGES; s++)
			work(frames, n, s, s);
	else
		work(frames, n, 0, N_STAGES - 1);
	return frames;
}

bool frame_planned(const struct driving_frame *f)
{
	return f->stages_done == N_STAGES;
}

double frame_latency_s(const struct driving_frame *f)
{
	return frame_planned(f) ? f->end_s[N_STAGES - 1] - f->capture_s : INFINITY;
}
