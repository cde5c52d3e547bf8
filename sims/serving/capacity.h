/* What `capacity` answers from its knobs, for its figure and for `ridge plan serve`. */
#ifndef RIDGE_CAPACITY_H
#define RIDGE_CAPACITY_H

#include "sims/serving/serving_search.h"

enum capacity_knob {
	CAPACITY_REQUESTS_PER_S,
	CAPACITY_PROMPT_TOKENS,
	CAPACITY_OUTPUT_TOKENS,
	CAPACITY_MODEL,
	CAPACITY_GPU,
	CAPACITY_ITL_MS,
	CAPACITY_TTFT_MS,
	CAPACITY_WEIGHT_DTYPE,
	CAPACITY_USERS,
	CAPACITY_CONTEXT,
	CAPACITY_FLEET,
	CAPACITY_LAYOUT,
	CAPACITY_TP,
	CAPACITY_COPIES,
	CAPACITY_EP,
	CAPACITY_OVERLAP,
	CAPACITY_CHUNK_TOKENS,
	CAPACITY_ACT_DTYPE,
	CAPACITY_KV_DTYPE,
	CAPACITY_WASTE_PCT,
	CAPACITY_MEMORY_PCT,
	CAPACITY_KV_RULE,
	CAPACITY_PARAMS,
	CAPACITY_PRICE,
	CAPACITY_LENGTHS,
	CAPACITY_CHECKED,
	CAPACITY_SEED,
	N_CAPACITY_KNOBS
};
enum capacity_layout { CAPACITY_REPLICATED, CAPACITY_SHARDED };
extern const struct sim capacity_sim;

struct capacity {
	const struct tables *t;
	const double *v;
	struct arena *arena;
	struct capacity_need need;       /* what is asked for; its layout is that of the best, or of
				    * the first */
	struct capacity_plan plan;       /* its bounds, */
	struct capacity_engines engines; /* and its engines; none where there is a refusal */
	const char *refusal; /* why users and requests cannot both be as they are; NULL: they can */
	double users_wait_s; /* then: how long each may wait for an answer, */
	double answer_s;     /* and how long an answer takes, at best or at the goals */
	struct serving_search search;
	const struct serving_layout *best, *second; /* NULL: there is none */
	const struct serving_layout *nearest;       /* to being a plan, where there is none */
	bool draft; /* nothing was simulated: best is the one with the least bound */
	/* No layout meets the goals even for a lone user: the plan is for the nearest that can be
	 * met, which stand in the layouts' needs. */
	bool relaxed;
};

/* Answers; everything is in the arena. go_on may be NULL, see struct serving_search; where it stops
 * the search, search.found.stopped is set. */
struct capacity capacity_answer(const struct tables *t, const double v[], struct arena *a,
	bool draft, bool (*go_on)(void *context, double share), void *context);

/* A replica, by what was left open of it: "2 GPUs", "2 x MI355X, FP8, BF16 cache", "16 GPUs dp16
 * ep16". */
const char *capacity_layout_text(const struct capacity *c, const struct serving_layout *l);
/* Why it is not the answer; of the answer what it is. */
const char *capacity_fate_text(const struct capacity *c, const struct serving_layout *l);
const char *capacity_weights_text(const struct capacity_need *n); /* "FP8", "4-bit" */
/* The settings that open it: "gpu=h100 weight_dtype=fp8 kv_dtype=bf16 tp=2 chunk_tokens=512", of a
 * mixture with "attn_dp=4 ep=8" too. */
const char *capacity_settings(const struct capacity *c, const struct serving_layout *l);
/* Layouts that pictures compare, at most: a row of the screen each. */
enum { MOST_TOLD = 8 };
/* The layouts worth telling, the best first: of each family its best, and where GPUs are left open
 * of each GPU its best. Returns how many, `most` at most. */
size_t capacity_ranking(const struct capacity *c, const struct serving_layout *out[], size_t most);
/* What it costs an hour; its GPUs where no price is known. */
double capacity_cost(const struct serving_layout *l);
double capacity_usd_per_token(const struct capacity *c, const struct serving_layout *l);

#endif
