/* Tokens that choose experts, drawn one by one: which expert each takes, which of its choices find the
 * expert full, and how rows and copies of tokens then lie on the GPUs of a layer.
 *
 * A token draws `per_token` different experts, one after the other, each in proportion to its weight
 * among those that are left (the law of top-k with noise: Kool et al., Stochastic Beams, 2019). Weights
 * fall off with the rank of an expert as rank^-skew (Zipf), and the seed says which expert has which
 * rank; 0 makes all alike, as training tries to (Fedus et al., Switch Transformers, 2021). */
#ifndef RIDGE_ROUTING_H
#define RIDGE_ROUTING_H

#include "sims/base/arena.h"

#include <stddef.h>
#include <stdint.h>

struct router {
	size_t experts, per_token; /* per_token <= experts; both 1 or more */
	double skew;
	uint64_t seed;
	/* Rows that an expert takes, in those that it would get if all got the same; the first tokens
	 * are the first served. 0: whoever comes (Lepikhin et al., GShard, 2020). */
	double capacity_factor;
};

struct routing {
	size_t experts, per_token, tokens;
	uint32_t *chosen;  /* [tokens][per_token]: experts */
	uint8_t *taken;    /* the same: whether the expert had room */
	uint32_t *wanted;  /* by expert: tokens that chose it, */
	uint32_t *rows;    /* and those that it took */
	uint32_t capacity; /* of each expert; UINT32_MAX: there is none */
	size_t dropped;    /* choices that were not taken */
	size_t touched;    /* experts with a row */
};
/* Lives in the arena; out of memory there (its `failed`), everything is 0. The tokens of a smaller batch
 * are the first of a larger one. */
struct routing routing_draw(const struct router *r, size_t tokens, struct arena *arena);
/* The first tokens of a batch as a batch of their own, with the choices that were drawn. tokens <= of it. */
struct routing routing_first(
	const struct routing *of, const struct router *r, size_t tokens, struct arena *arena);

/* Rows that an expert takes under a capacity factor, and choices that it would drop: the first
 * count(wanted) of them find room. */
uint32_t routing_capacity(double factor, size_t tokens, size_t per_token, size_t experts);
size_t routing_overflow(const struct routing *r, uint32_t capacity);
/* The share of choices that is dropped in the mean, where every expert is as likely: the number of
 * tokens that choose one is binomial. The closed form beside the draw at skew 0. */
double routing_expected_drop(uint32_t capacity, size_t tokens, size_t per_token, size_t experts);

/* The layer's experts dealt in order to `groups` of GPUs, as evenly as they go; tokens dealt in order to
 * all GPUs. */
struct routing_load {
	size_t gpus, groups;
	const uint32_t *rows; /* [experts], of this part of the batch */
	uint32_t *group_rows; /* [groups] */
	double most, mean;    /* rows of the busiest group, and of all in the mean */
	/* Copies of tokens that a GPU sends to others, and that it gets from them: those of the GPU with
	 * the most of either, and the mean of either. A token goes once to each GPU that holds (a part
	 * of) any of its experts. */
	double most_copies, mean_copies;
	size_t tokens;
};
/* Of the tokens of one of `parts` equal parts, which are dealt in turn. Out of memory: zeros. */
struct routing_load routing_load(const struct routing *r, size_t gpus, size_t groups, size_t part,
	size_t parts, struct arena *arena);
/* The first expert of a group; of the one behind the last: how many there are. */
size_t routing_first_expert(size_t experts, size_t groups, size_t group);
size_t routing_group_of(size_t experts, size_t groups, size_t expert);

#endif
