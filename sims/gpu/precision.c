#include "sims/gpu/precision.h"

#include "sims/base/array.h"
#include "sims/constants.h"
#include "sims/gpu/engine_shape.h"
#include "sims/gpu/kernel.h"

#include <assert.h>
#include <stddef.h>

const char *const value_type_ids[N_VALUE_TYPES + 1] = { "bf16", "fp8", "int8", "fp4", "int4",
	NULL };
const char *const value_type_names[N_VALUE_TYPES] = { "BF16", "FP8", "INT8", "FP4", "INT4" };
const struct choice_alias value_type_aliases[] = { { "fp16", "bf16" }, { "16", "bf16" },
	{ "8", "fp8" }, { "e4m3", "fp8" }, { "w8a8", "int8" }, { "sq", "int8" }, { "4", "fp4" },
	{ "nvfp4", "fp4" }, { "mxfp4", "fp4" }, { "e2m1", "fp4" }, { "awq", "int4" },
	{ "gptq", "int4" }, { "w4a16", "int4" }, { "int4", "fp4" }, { "bf16", "fp16" },
	{ NULL, NULL } };
const char *const activation_ids[N_ACTIVATIONS + 1] = { "auto", "bf16", "fp8", "int8", "fp4",
	NULL };
const char *const activation_names[N_ACTIVATIONS] = { "as weights", "BF16", "FP8", "INT8", "FP4" };

enum dtype value_type_dtype(enum value_type p)
{
	static const enum dtype dtypes[N_VALUE_TYPES] = { DTYPE_BF16, DTYPE_FP8, DTYPE_INT8,
		DTYPE_FP4, DTYPE_FP4 };
	assert(p < N_VALUE_TYPES);
	return dtypes[p];
}

bool computes_in(const struct accelerator *g, enum dtype d)
{
	return kernel_math_dtype(g, d) == d;
}

enum dtype activation_dtype(const struct accelerator *g, enum value_type weights, enum activation a)
{
	static const enum dtype asked[N_ACTIVATIONS] = { DTYPE_BF16, DTYPE_BF16, DTYPE_FP8,
		DTYPE_INT8, DTYPE_FP4 };
	assert(a < N_ACTIVATIONS);
	enum dtype d = a != ACTIVATION_AUTO ? asked[a] : value_type_dtype(weights);
	bool widened = weights == VALUE_INT4 || !computes_in(g, d);
	return widened ? DTYPE_BF16 : d;
}

struct engine_shape engine_shape_typed(const struct model *m, const struct accelerator *g, int tp,
	enum value_type weights, enum activation a, enum value_type cache)
{
	return engine_shape_mixed(m, g, tp, value_type_dtype(weights),
		activation_dtype(g, weights, a), value_type_dtype(cache));
}

struct engine_shape engine_shape_spread(const struct model *m, const struct accelerator *g,
	const struct engine_layout *how, enum value_type weights, enum activation a,
	enum value_type cache)
{
	if (m->made_of)
		return engine_shape_laid(m->made_of, g, how, value_type_dtype(weights),
			activation_dtype(g, weights, a), value_type_dtype(cache));
	struct engine_shape e = engine_shape_typed(m, g, (int)how->tp, weights, a, cache);
	e.copies = how->copies;
	return e;
}

/* The parts of layers, in types that a model may be asked for. */
static const enum weight_part layer_parts[] = { PART_MIXING, PART_DENSE, PART_EXPERTS,
	PART_SHARED };

static bool has_part(const struct architecture *a, enum weight_part part)
{
	return architecture_parameters(a).parts[part] > 0;
}

bool same_weights(const struct model *m, enum value_type asked, enum value_type other)
{
	bool same = asked == other || m->made_of;
	for (size_t i = 0; same && m->made_of && i < LENGTH(layer_parts); i++)
		same = !has_part(m->made_of, layer_parts[i]) ||
		       part_dtype(m->made_of, layer_parts[i], value_type_dtype(asked)) ==
			       part_dtype(m->made_of, layer_parts[i], value_type_dtype(other));
	return same;
}

const char *weights_name(const struct model *m, enum value_type asked)
{
	if (m->made_of && same_weights(m, asked, VALUE_BF16) &&
		model_weight_bytes(m, DTYPE_BF16) < BF16_BYTES * 0.9 * m->params)
		return "published types";
	return value_type_names[asked];
}
