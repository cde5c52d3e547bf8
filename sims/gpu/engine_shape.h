/* The engine of any model: of a plain one from its row, of one that is made of parts from those. */
#ifndef RIDGE_ENGINE_SHAPE_H
#define RIDGE_ENGINE_SHAPE_H

#include "sims/gpu/engine.h"

/* tp >= 1. weights and kv: types in which they lie in memory. A model that is made of parts is laid out
 * by tensor parallelism alone (sims/gpu/engine_parts.h has the other ways). */
struct engine_shape engine_shape_of(const struct model *m, const struct accelerator *g, int tp,
	enum dtype weights, enum dtype kv);
/* The same with activations of a type of their own. */
struct engine_shape engine_shape_mixed(const struct model *m, const struct accelerator *g, int tp,
	enum dtype weights, enum dtype activations, enum dtype kv);

/* The same without an engine_shape at hand, with keys and values in BF16. */
double decode_step_s(const struct model *m, const struct accelerator *g, int tp, enum dtype weights,
	double batch, double kv_tokens_total);
double prefill_s(const struct model *m, const struct accelerator *g, int tp, enum dtype weights,
	double tokens, double context);

#endif
