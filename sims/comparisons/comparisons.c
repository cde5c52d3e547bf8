/* The list stands above all that it names; what is below gets it through struct tables. */
#include "sims/comparisons/comparisons.h"

#include "sims/base/array.h"

#include <string.h>

#define MODELS(X)                                                                                  \
	X(gemm)                                                                                    \
	X(tiles)                                                                                   \
	X(attention_prefill)                                                                       \
	X(attention_decode)                                                                        \
	X(linear)                                                                                  \
	X(collectives)                                                                             \
	X(scaling)                                                                                 \
	X(training)                                                                                \
	X(memory)                                                                                  \
	X(loader)                                                                                  \
	X(serving) X(serving_moe) X(queueing) X(speculative) X(prefix_cache) X(batch_latency)

#define X(id) extern const struct measured_model measured_##id;
MODELS(X)
#undef X
#define X(id) &measured_##id,
const struct measured_model *const measured_models[] = { MODELS(X) };
#undef X
const size_t n_measured_models = LENGTH(measured_models);

const struct measured_model *measured_model_find(const char *id)
{
	for (size_t i = 0; i < n_measured_models; i++)
		if (strcmp(measured_models[i]->id, id) == 0)
			return measured_models[i];
	return NULL;
}
