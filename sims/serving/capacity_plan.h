/* A plan for serving a model: how many GPUs it needs by memory, by bandwidth and by compute. */
#ifndef RIDGE_CAPACITY_PLAN_H
#define RIDGE_CAPACITY_PLAN_H

#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/serving/serving.h"

/* What is asked for, and the GPUs that are to give it. A replica is a group of `group` GPUs that
 * share each layer; sharded, all GPUs are one group. */
struct capacity_need {
	const struct model *model;
	const struct accelerator *gpu;
	double users, context, itl_s, requests_per_s, prompt_tokens, output_tokens;
	double weight_bytes, kv_per_token; /* kv: all bytes of one token */
	double waste, fill;                /* shares: of the cache, of a GPU's memory */
	enum dtype weights, kv;
	bool sharded;
	double group; /* GPUs of a replica; unused when sharded */
};

/* Engines with so many GPUs each, worked out once: a single one for replicas, a ladder of them for
 * sharding. */
enum { MAX_ENGINES = 96 };
struct capacity_engines {
	struct engine_shape *shape; /* in the arena */
	double gpus[MAX_ENGINES];
	size_t n;
};
struct capacity_engines capacity_engines(struct arena *a, const struct capacity_need *need);

/* GPUs by each bound alone, and with decode and prefill sharing the time (speed); INFINITY where no
 * number of them is enough. */
struct capacity_plan {
	double memory, bandwidth, compute, speed;
	double gpus; /* max(memory, speed) */
	double users_per_replica, replicas;
};
struct capacity_plan capacity_plan(
	const struct capacity_need *need, const struct capacity_engines *engines);

/* Weights and all caches in B, as one large memory would hold them. */
double capacity_total_bytes(const struct capacity_need *need);
/* How many times a group of so many GPUs holds the cache: more GPUs than KV heads repeat heads. */
double capacity_kv_copies(const struct capacity_need *need, double gpus);
/* Users that one replica's memory holds; 0 where the weights alone do not fit. */
double capacity_users_per_replica(const struct capacity_need *need, double group);
/* Time between tokens with so many users in a group whose engine spends prefill_ratio of its time
 * on prompts; INFINITY from a ratio of 1 on. */
double capacity_itl_s(
	const struct engine_shape *engine, double users, double context, double prefill_ratio);

/* What binds: "memory", "bandwidth", "compute", or "both" where steps and
 * prompts share the time. */
const char *capacity_binding(const struct capacity_plan *plan);

#endif
