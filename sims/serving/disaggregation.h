/* What `disaggregation` finds at a setting of its knobs, for its words and its pictures. */
#ifndef RIDGE_DISAGGREGATION_H
#define RIDGE_DISAGGREGATION_H

#include "sims/figure/sim.h"
#include "sims/gpu/precision.h"
#include "sims/serving/pools.h"

enum disaggregation_knob {
	DISAGG_PREFILL,
	DISAGG_DECODE,
	DISAGG_RATE,
	DISAGG_PROMPT,
	DISAGG_OUTPUT,
	DISAGG_LINK,
	DISAGG_MODEL,
	DISAGG_GPU,
	DISAGG_TTFT,
	DISAGG_ITL,
	DISAGG_HIT,
	DISAGG_OFFLOAD,
	DISAGG_REUSE,
	DISAGG_HOST_GB,
	DISAGG_HOST_LINK,
	DISAGG_ARRIVALS,
	DISAGG_CV,
	DISAGG_LENGTHS,
	DISAGG_LENGTH_CV,
	DISAGG_TRACE,
	DISAGG_LAYERS,
	DISAGG_TP,
	DISAGG_TP_PREFILL,
	DISAGG_TP_DECODE,
	DISAGG_COPIES,
	DISAGG_EP,
	DISAGG_OVERLAP,
	DISAGG_CHUNK,
	DISAGG_PREFILL_CHUNK,
	DISAGG_MAX_BATCH,
	DISAGG_BLOCK,
	DISAGG_WEIGHTS,
	DISAGG_ACTIVATIONS,
	DISAGG_KV_DTYPE,
	DISAGG_REQUESTS,
	DISAGG_SEED,
	N_DISAGG_KNOBS
};

/* Two arrangements of the same GPUs. */
enum arrangement { SPLIT, SHARED, N_ARRANGEMENTS };

/* GPUs of one kind that serve together. */
struct server_kind {
	struct engine_layout layout;
	struct engine_shape engine;
	double gpus; /* of a server */
	double cache_bytes, cache_tokens;
};
enum { KIND_PREFILL, KIND_DECODE, KIND_SHARED, N_SERVER_KINDS };

/* One way to divide the GPUs, tried. */
struct division {
	double prefill_gpus;
	struct pools_summary sum;
};
enum { MOST_DIVISIONS = 13 };

struct disaggregation {
	const struct tables *t;
	const double *v;
	struct arena *arena;
	const struct model *model;
	const struct accelerator *gpu;
	enum value_type weights, cache;
	enum dtype activations;
	struct server_kind kind[N_SERVER_KINDS];
	double gpus, used[N_ARRANGEMENTS]; /* all of them; those that are in a server */
	double weight_bytes;               /* of a decode server */
	double mean_prompt, mean_output, longest;
	double ttft_s, itl_s; /* the goals */
	struct pools_setup setup[N_ARRANGEMENTS];
	bool serves[N_ARRANGEMENTS]; /* whether there is a server at all, with room */
	struct pools_run *run[N_ARRANGEMENTS];
	struct pools_summary sum[N_ARRANGEMENTS];
	double prefill_per_s, decode_per_s; /* what each pool has the time for, in requests/s */
	struct division division[MOST_DIVISIONS];
	size_t n_divisions, best; /* best: its index */
};

/* The same arrangement at another load, or with other pools. */
struct pools_setup disaggregation_setup(
	const struct disaggregation *d, enum arrangement a, double rate, double prefill_gpus);
/* Runs it in memory of its own. False where nothing serves, or memory ran out (arena->failed). */
bool disaggregation_try(
	const struct disaggregation *d, const struct pools_setup *s, struct pools_summary *sum);

#endif
