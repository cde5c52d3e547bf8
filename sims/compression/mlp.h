/* A multi-layer perceptron, small enough to be evaluated while a knob moves: each layer is a matrix
 * and a bias, with ReLU between layers; the class of the largest output is the answer. */
#ifndef RIDGE_MLP_H
#define RIDGE_MLP_H

#include "sims/compression/digits.h"

#include <stdbool.h>

enum { MLP_LAYERS = 3, MLP_WIDTH = 128 }; /* the most layers, and inputs or outputs of one */

struct mlp_layer {
	size_t in, out;
	float *weight; /* [out][in] */
	float *bias;   /* [out] */
};
struct mlp {
	size_t n_layers;
	struct mlp_layer layer[MLP_LAYERS];
};

/* What a layer's input is rounded to: multiples of scale up to most. scale 0: it stays as it is. */
struct activation_grid {
	float scale, most;
};

/* A network of zeros with these widths (n_layers + 1 of them), or a copy of another. -1 and sticky
 * a->failed where memory is out. */
int mlp_new(struct mlp *m, struct arena *a, const size_t widths[], size_t n_layers);
int mlp_copy(struct mlp *m, struct arena *a, const struct mlp *from);

size_t mlp_weights(const struct mlp *m);
size_t mlp_biases(const struct mlp *m);

/* The layer's outputs for a block of LANES inputs, [neuron][lane]; with relu, none below 0. */
void layer_forward(const struct mlp_layer *l, const float *x, float *y, bool relu);

/* Sum of the products of LANES numbers. */
float lanes_dot(const float *x, const float *y);

/* The answer for each image, and how many are right. grid: one per layer, or NULL. */
size_t mlp_answer(const struct mlp *m, const struct activation_grid *grid, const struct digits *d,
	unsigned char *answer);

/* What each layer gets to see: input[k] is [block][neuron][lane] of layer k, in the arena. */
int mlp_inputs(const struct mlp *m, struct arena *a, const struct digits *d,
	const float *input[MLP_LAYERS]);

#endif
