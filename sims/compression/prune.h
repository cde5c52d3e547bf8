/* Taking weights away, without retraining: single ones, two of four
 * neighbours, or whole neurons. */
#ifndef RIDGE_PRUNE_H
#define RIDGE_PRUNE_H

#include "sims/compression/channels.h"

enum pattern { PRUNE_WEIGHTS, PRUNE_2_OF_4, PRUNE_NEURONS };

/* keep[out][in] := 1 for the weights that stay: of each output's row the largest, by magnitude, or
 * times the norm of their input where c is given (Wanda). sparsity in 0..1; PRUNE_2_OF_4 has its
 * own. */
void prune_mask(unsigned char *keep, const struct mlp_layer *l, enum pattern pattern,
	double sparsity, const struct channel *c);

/* A copy without the least neurons of each hidden layer; at least one stays. A neuron counts by the
 * norm of its incoming weights times that of its outgoing ones; where c is given (the channels of
 * each layer's inputs) by the norm of its activations times that of its outgoing weights. */
int prune_neurons(struct mlp *m, struct arena *a, const struct mlp *from, double sparsity,
	struct channel *const c[MLP_LAYERS]);

#endif
