/* The inputs of a hidden layer as channels: how large they get, and moving size between them and
 * the weights behind, which changes no answer: ReLU(c x) = c ReLU(x). Large models grow channels
 * that are tens of times larger than the others; SmoothQuant and AWQ take the difficulty out
 * again. */
#ifndef RIDGE_CHANNELS_H
#define RIDGE_CHANNELS_H

#include "sims/compression/mlp.h"

struct channel {
	float largest, mean, norm; /* over the images that were looked at */
};
/* What is seen of a layer's inputs x, [block][input][lane]; all blocks are full. */
int channels_of(
	struct channel **c, struct arena *a, const float *x, size_t n_blocks, size_t inputs);

/* Makes one channel in OUTLIER_EVERY, at least one, of each hidden layer factor times as large. */
enum { OUTLIER_EVERY = 24, OUTLIER_FIRST = 1 };
void outliers_add(struct mlp *m, float factor);

/* Divides a layer's inputs by the scale of SmoothQuant or of AWQ (sims/formulas/compression.def);
 * the weights behind them grow. Channels that are never active stay as they are. */
enum smoothing { SMOOTH_NONE, SMOOTH_QUANT, SMOOTH_AWQ };
void channels_smooth(
	struct mlp *m, size_t layer, const struct channel *c, enum smoothing how, double strength);

#endif
