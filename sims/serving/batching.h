/* The batching simulation's parts: its knobs read (batching.c), runs made, and drawn
 * (batching_figure.c, batching_curve.c). Not for others. */
#ifndef RIDGE_BATCHING_H
#define RIDGE_BATCHING_H

#include "sims/figure/figure.h"
#include "sims/serving/serving.h"
#include "sims/figure/sim.h"

enum batching_knob {
	BATCHING_POLICY,
	BATCHING_ARRIVALS,
	BATCHING_RATE,
	BATCHING_MAX_BATCH,
	BATCHING_OUTPUT_TOKENS,
	BATCHING_PROMPT_TOKENS,
	BATCHING_LENGTHS,
	BATCHING_LENGTH_CV,
	BATCHING_CV,
	BATCHING_CONCURRENCY,
	BATCHING_TRACE,
	BATCHING_TIMEOUT,
	BATCHING_CHUNK_TOKENS,
	BATCHING_MODEL,
	BATCHING_GPU,
	BATCHING_TP,
	BATCHING_KV_GB,
	BATCHING_PAGING,
	BATCHING_BLOCK_TOKENS,
	BATCHING_MAX_LEN,
	BATCHING_SLO_TTFT,
	BATCHING_SLO_ITL,
	BATCHING_STEP,
	BATCHING_STEP_MS,
	BATCHING_REQUESTS,
	BATCHING_SEED,
	N_BATCHING_KNOBS
};

extern const char *const batching_policy_ids[];

/* One setting of the knobs, and what came of it under each policy. */
struct batching {
	const double *v;
	const struct model *model;
	const struct accelerator *gpu;
	enum serving_policy policy; /* the chosen one */
	struct engine_shape engine;
	double weight_bytes, kv_bytes_per_token, cache_bytes;
	struct serving_setup setup; /* of the chosen policy; the others differ in that only */
	double mean_prompt, mean_output, longest; /* of the requests, in tokens */
	struct serving_run run[N_SERVING_POLICIES];
	struct serving_summary sum[N_SERVING_POLICIES];
	struct arena *arena; /* of all that is here */
};

/* Requests per second that full continuous batches would serve (closed form): the scale of
 * loads. */
double batching_capacity_per_s(const struct batching *b);
/* More comes than the policy serves, so that latencies only say how long the run was. */
bool batching_overloaded(const struct batching *b, enum serving_policy p);

void batching_draw_requests(const struct batching *b, struct figure *fig);
void batching_draw_slots(const struct batching *b, struct figure *fig);
void batching_draw_curve(const struct batching *b, const struct tables *t, struct figure *fig);
/* Measured servers on the curve, where this setting has any; or that it lies outside the data. */
void batching_overlay(
	const struct batching *b, const struct tables *t, struct figure *fig, struct plot *p);
void batching_draw_cache(const struct batching *b, struct figure *fig);
void batching_explain(const struct batching *b, struct figure *fig);

#endif
