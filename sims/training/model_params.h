/* Which of a model's parameters a GPU holds in training, and the state that goes with them: the one
 * accounting of `parallelism`, `memory`, `scaling` and `goodput`. Sizes in B, GB = 1e9 B. */
#ifndef RIDGE_MODEL_PARAMS_H
#define RIDGE_MODEL_PARAMS_H

#include "sims/tables/tables.h"

/* Of a model whose layers are not alike, the mean over them. The table's total is the truth; shapes say
 * how it is spread. */
struct model_params {
	double layer;           /* of one layer, without routed experts */
	double experts;         /* routed ones of a layer, all of them; 0: there are none */
	double embedding, head; /* head: 0 where both are one matrix */
	/* A head for a further token is trained where the model has any, as one however many there are:
	 * as large as a layer, its experts with it, and what joins the stream with the embedding. */
	double further; /* 0 or 1 */
	double join;
};
struct model_params model_params_of(const struct model *m);

/* All that is trained: what a checkpoint holds. */
double model_trained_params(const struct model *m);
/* Those that one token passes, by which tokens to train on and work are counted: of a mixture not all.
 * Without heads for further tokens. */
double model_active_params(const struct model *m);

/* Heads for further tokens that are trained: 0 or 1. */
double model_further_heads(const struct model *m);

/* Groups to which experts are dealt on so many GPUs that are no stages of a pipeline: as many as asked
 * for, or (asked 0) as the fast links join, `domain`; fewer where experts or GPUs do not divide. 1 for a
 * model that has none. */
double expert_groups(const struct model *m, double asked, double domain, double gpus);

/* State of `params` parameters on one GPU at a stage of ZeRO, 0..3, over a group that shares it, by
 * the formulas of ZeRO (Rajbhandari et al., 2020): w, g, o B per parameter of weights, gradients and
 * optimizer. */
double zero_state_bytes(int stage, double group, double params, double w, double g, double o);

#endif
