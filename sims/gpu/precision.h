/* The types that weights, activations and cached keys and values lie in, spelled alike in every
 * simulation: bf16, fp8, int8, fp4, int4. Other spellings are read too: 16, 8 and 4 bits, e4m3,
 * nvfp4, w8a8, awq. */
#ifndef RIDGE_PRECISION_H
#define RIDGE_PRECISION_H

#include "sims/figure/knob.h"
#include "sims/gpu/engine_parts.h"
#include "sims/tables/tables.h"

#include <stdbool.h>

enum value_type {
	VALUE_BF16,
	VALUE_FP8,
	VALUE_INT8,
	VALUE_FP4,
	VALUE_INT4, /* weights and caches alone, widened on their way: no engine multiplies in it */
	N_VALUE_TYPES
};
extern const char *const value_type_ids[N_VALUE_TYPES + 1], *const value_type_names[N_VALUE_TYPES];
/* For any knob of types: one that has the spelling itself means it. */
extern const struct choice_alias value_type_aliases[];
enum dtype value_type_dtype(enum value_type p); /* how wide, and in what the GPU may compute */

/* Activations: the weights' type where the GPU computes in that, or one of those above. */
enum activation {
	ACTIVATION_AUTO,
	ACTIVATION_BF16,
	ACTIVATION_FP8,
	ACTIVATION_INT8,
	ACTIVATION_FP4,
	N_ACTIVATIONS
};
extern const char *const activation_ids[N_ACTIVATIONS + 1], *const activation_names[N_ACTIVATIONS];
/* The type that goes into products with such weights on that GPU: BF16 where it has no unit for
 * what was asked. */
enum dtype activation_dtype(
	const struct accelerator *g, enum value_type weights, enum activation a);
/* An engine whose weights, activations and cache are of such types. Every simulation of a server
 * takes its own from here: so weights in a type that nothing multiplies in save bytes in all of them,
 * and arithmetic in none. */
struct engine_shape engine_shape_typed(const struct model *m, const struct accelerator *g, int tp,
	enum value_type weights, enum activation a, enum value_type cache);
/* The same with copies of attention. Those of a model without experts are copies of the whole. */
struct engine_shape engine_shape_spread(const struct model *m, const struct accelerator *g,
	const struct engine_layout *how, enum value_type weights, enum activation a,
	enum value_type cache);
/* What weights lie in when a type is asked for, as people say it: "FP8", or "published types" where the
 * model has no layers in more bits than that. */
const char *weights_name(const struct model *m, enum value_type asked);
/* Whether two types come to the same for that model. */
bool same_weights(const struct model *m, enum value_type asked, enum value_type other);
/* Whether the GPU multiplies in that type. */
bool computes_in(const struct accelerator *g, enum dtype d);

#endif
