/* What a model of any make takes in memory: its weights and the caches of its sequences. */
#ifndef RIDGE_MODEL_BYTES_H
#define RIDGE_MODEL_BYTES_H

#include "sims/architecture/architecture.h"
#include "sims/tables/tables.h"

/* Bytes of all weights in a type; of a model that is made of parts, of those in its layers. Parts that
 * are published in fewer bits stay so (an FP8 model is not widened), and in four bits attention keeps
 * its own type, as published four-bit mixtures do. */
double model_weight_bytes(const struct model *m, enum dtype weights);
/* On all GPUs, where several copies of attention share the experts: everything else lies there as many
 * times. */
double model_weight_bytes_copied(const struct model *m, enum dtype weights, double copies);
/* Those that a step of so many tokens reads: of a mixture the experts that they choose. */
double model_read_bytes(const struct model *m, enum dtype weights, double tokens);
/* The type that the matrices of a part then lie in. */
enum dtype part_dtype(const struct architecture *a, enum weight_part part, enum dtype asked);

/* Routed experts of the layer that has the fewest of those that have any; 0: a model without experts. */
double model_experts(const struct model *m);

/* What a token adds to the cache as long as no window is full. */
double model_kv_bytes_per_token(const struct model *m, enum dtype kv);
/* The cache of a sequence of so many tokens, on all GPUs that share the model by tensor parallelism:
 * heads that are fewer than GPUs lie there several times, a latent vector on each. */
double model_cache_bytes(const struct model *m, enum dtype kv, double tokens, double gpus);

#endif
