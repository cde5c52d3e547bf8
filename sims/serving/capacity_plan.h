/* A plan for serving a model: how many GPUs it takes at least, by memory, by bandwidth and by
 * compute.
 *
 * Requests come at a rate, and how many are there at once follows by Little's law from how long an
 * answer takes. A replica of the engine is looked at in the mean: its iterations take s each and
 * decode what is there, rate x output x s sequences, and as many of them as the prompts need take a
 * chunk of a prompt too. One step in a hundred is much longer than the mean: so these are bounds, and
 * sims/serving/serving_search.h finds what it takes. */
#ifndef RIDGE_CAPACITY_PLAN_H
#define RIDGE_CAPACITY_PLAN_H

#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/gpu/precision.h"
#include "sims/serving/serving.h"

/* What is asked for, and the GPUs that are to give it. A replica is a group of `group` GPUs that
 * share each layer; sharded, all GPUs are one group. A replica of a mixture may be several copies
 * of attention, each with requests of its own, that share the experts. */
struct capacity_need {
	const struct model *model;
	const struct accelerator *gpu;
	double requests_per_s, prompt_tokens, output_tokens;
	double users;   /* who are there at once and hold a cache; 0: who follow from the rate */
	double context; /* tokens that each of them holds on average: the prompt and half of the
			 * answer, and what is left of them from before */
	double ttft_s, itl_s; /* goals: the first token and each next one, at P99 */
	double chunk_tokens;  /* of prompts that an iteration takes at most, of each copy */
	enum length_law lengths;
	double weight_bytes, kv_per_token; /* of all copies; kv: all bytes of one token */
	double waste, fill;                /* shares: of the cache, of a GPU's memory */
	enum value_type weights, kv;
	enum activation activations;
	bool sharded;
	double group;  /* GPUs of a replica; unused when sharded */
	double copies; /* of attention, in the group; 0 means 1 */
	double ep;     /* groups of GPUs to which experts are dealt; 0 means 1 */
	bool overlap;  /* the batch in two halves, one computes while the other travels */
};
/* How a replica of so many GPUs is laid out. */
struct engine_layout capacity_layout(const struct capacity_need *need, double gpus);

/* Engines with so many GPUs each, worked out once: a single one for replicas, a ladder of them for
 * sharding. */
enum { MAX_ENGINES = 96 };
struct capacity_engines {
	struct engine_shape *shape; /* in the arena */
	double gpus[MAX_ENGINES];
	size_t n;
};
struct engine_shape capacity_engine(const struct capacity_need *need, double gpus);
/* One that is never slower, worked out twenty times as fast: products of any size fill all SMs. */
struct engine_shape capacity_smooth_engine(const struct capacity_need *need, double gpus);
/* Makes one of them that of a need which differs in the type of the cache alone: false where it
 * cannot. */
bool capacity_engine_retype(struct engine_shape *e, bool smooth, const struct capacity_need *was,
	const struct capacity_need *is);
struct capacity_engines capacity_engines(struct arena *a, const struct capacity_need *need);

/* GPUs by each bound alone, and with decoding and prompts in the same steps (speed); INFINITY where
 * no number of them is enough. */
struct capacity_plan {
	double memory, bandwidth, compute, speed;
	double gpus; /* max(memory, speed) */
	double users_per_replica, replicas;
};
struct capacity_plan capacity_plan(
	const struct capacity_need *need, const struct capacity_engines *engines);
/* GPUs that prompts and decoding keep busy, each as it would alone, before they are made whole replicas:
 * of a plan's `speed` what is left over makes these whole. Where steps that do both save GPUs, so many less
 * in proportion. replica may be NULL: then it is whole numbers. INFINITY as in the plan. */
struct capacity_busy {
	double prompts, decoding;
};
struct capacity_busy capacity_busy(const struct capacity_need *need,
	const struct engine_shape *replica, const struct capacity_plan *plan);

/* No fewer replicas with this engine meet the goal of a token at P99: the bound `speed`, or more
 * where iterations with a part of a prompt are many and take longer than the goal. It is looked for from
 * `replicas` on, a whole number of which it is known that no fewer do, or 1. */
double capacity_gpus_for_token(
	const struct capacity_need *need, const struct engine_shape *engine, double replicas);

/* What one replica does with nothing else to do, in tokens/s: of prompts; and of answers, as many as leave
 * each token the time of the goal (0 where a lone user's take longer). */
double capacity_prompts_per_s(const struct capacity_need *n, const struct engine_shape *engine);
double capacity_decodes_per_s(const struct capacity_need *n, const struct engine_shape *engine);

/* Tokens of a user's context that are neither the prompt nor the answer: in the cache from before. */
double capacity_history(const struct capacity_need *need);
/* Tokens for whose caches, with their waste, a replica has room; 0 where the weights do not fit. */
double capacity_room_tokens(const struct capacity_need *need, double group);
/* Whether a replica of that engine has room for the caches of those who are there when so many
 * requests a second come to it and nothing but decoding delays them: on average, as a mean. */
bool capacity_has_room(
	const struct capacity_need *need, const struct engine_shape *engine, double requests_per_s);
/* With fewer replicas of this engine the caches do not fit: the bound `memory`, from `replicas` on. */
double capacity_gpus_for_caches(
	const struct capacity_need *need, const struct engine_shape *engine, double replicas);
/* Weights and the caches of so many users in B, as one large memory would hold them. */
double capacity_total_bytes(const struct capacity_need *need, double users);
/* Prompt tokens of an iteration, of all copies of attention; and the time of one with those and so
 * many users. */
double capacity_chunk(const struct capacity_need *need);
double capacity_chunk_step_s(
	const struct capacity_need *need, const struct engine_shape *engine, double users);
/* How many times a group of so many GPUs holds the cache of a user: more GPUs than KV heads repeat
 * heads. */
double capacity_kv_copies(const struct capacity_need *need, double gpus);
/* Of the cache of a user's context, each token's share on all GPUs of such a group: windows and states
 * do not grow with it. */
double capacity_token_bytes(const struct capacity_need *need, double gpus);
/* Users that one replica's memory holds; 0 where the weights alone do not fit. */
double capacity_users_per_replica(const struct capacity_need *need, double group);
/* The mean iteration of a replica to which so many requests a second come, with their prompts or
 * without; INFINITY where requests come faster than they can be served, or where it would take
 * longer than limit_s. */
double capacity_step_s(const struct capacity_need *need, const struct engine_shape *engine,
	double requests_per_s, bool prompts, double limit_s);

#endif
