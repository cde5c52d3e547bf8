/* Rounding a layer's weights to few bits: which weights share a scale, and what GPTQ does better
 * than rounding each alone. Scales are kept in FP16. */
#ifndef RIDGE_QUANTISE_H
#define RIDGE_QUANTISE_H

#include "sims/compression/mlp.h"

enum { UNQUANTISED_BITS = 16 };
enum granularity { PER_TENSOR, PER_CHANNEL, PER_GROUP };
enum rounding { ROUND_NEAREST, ROUND_GPTQ, ROUND_GPTQ_WRONG_SIGN };

struct quantiser {
	unsigned bits; /* UNQUANTISED_BITS: weights stay as they are */
	enum granularity granularity;
	size_t group;    /* inputs of a row that share a scale, where granularity is PER_GROUP */
	bool asymmetric; /* codes from 0 with a zero point, instead of on both sides of 0 */
	enum rounding rounding;
};

/* Weights w become scale * (code - zero), with codes from least to most. */
struct code_grid {
	float scale, zero, least, most;
};
float code_of(const struct code_grid *g, float weight);
float code_value(const struct code_grid *g, float code);

/* The grids of a layer: row o and input i have grid[o * per_row + i / group], one row for all where
 * per_row is 0. */
struct grids {
	size_t n, per_row, group;
	struct code_grid *grid;
};
int grids_of(
	struct grids *g, struct arena *a, const struct mlp_layer *l, const struct quantiser *q);
const struct code_grid *grid_at(const struct grids *g, size_t row, size_t input);
size_t scales_of(const struct mlp_layer *l, const struct quantiser *q);

/* What GPTQ needs to know of a layer's inputs x, [block][input][lane]: the upper factor U of the
 * inverse of H = 2 X X^T, damped by a hundredth of its mean diagonal; H^-1 = U^T U. */
struct curvature {
	size_t n;
	double *u; /* [n][n] */
};
int curvature_of(
	struct curvature *c, struct arena *a, const float *x, size_t n_blocks, size_t inputs);

/* Rounds the layer in place. keep: [out][in], where it is 0 the weight is pruned and becomes 0; or
 * NULL. Rounding to nearest needs no curvature; GPTQ also makes up for what pruning takes away. */
int layer_quantise(struct mlp_layer *l, struct arena *a, const struct quantiser *q,
	const struct curvature *c, const unsigned char *keep);

/* Power of the difference of two layers' outputs over inputs x, as a share of the power of the
 * first one's: ||W x - W' x||^2 / ||W x||^2, without biases. 0 where the first says nothing. */
int output_error(double *error, struct arena *a, const struct mlp_layer *before,
	const struct mlp_layer *after, const float *x, size_t n_blocks);

#endif
