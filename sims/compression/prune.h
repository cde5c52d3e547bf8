/* Taking weights away: single ones, two of four neighbours, or whole neurons. Without
 * retraining. */
#ifndef RIDGE_PRUNE_H
#define RIDGE_PRUNE_H

#include "sims/compression/channels.h"

enum pattern { PRUNE_WEIGHTS, PRUNE_2_OF_4, PRUNE_NEURONS };

/* keep[out][in] := 1 for the weights that stay: of each output's row the largest, by magnitude, or
 * times the norm of their input where c is given (Wanda). sparsity in 0..1; PRUNE_2_OF_4 has its
 * own. */
void prune_mask(unsigned char *keep, const struct mlp_layer *l, enum pattern pattern,
	double sparsity, const struct channel *c);

/* A copy without the least neurons of each hidden layer, at least one stays: least by the norm of
 * what comes in times what goes out, where c (of each layer's inputs) is given by that of what it
 * says times what goes out. */
int prune_neurons(struct mlp *m, struct arena *a, const struct mlp *from, double sparsity,
	struct channel *const c[MLP_LAYERS]);

#endif
