/* The list is one macro of names, expanded once to declarations and once to the table. A name that
 * is none of these is looked for among the formulas. */
#include "sims/registry/registry.h"

#include "sims/base/array.h"
#include "sims/registry/formula_sim.h"

#include <assert.h>
#include <string.h>

/* The groups and their order are those of every list, from one GPU to the whole run. */
#define A_GPU(X) X(roofline) X(flashattention) X(measurement)
#define ONE_STEP(X) X(memory) X(compile) X(timeline)
#define MANY_GPUS(X) X(scaling) X(amdahl) X(allreduce) X(parallelism)
#define SMALLER_MODELS(X) X(formats) X(compression)
#define SERVING(X) X(inference) X(kvcache) X(batching) X(speculative) X(queueing) X(capacity)
#define ON_THE_ROAD(X) X(latency)
#define WHOLE_RUNS(X) X(system) X(stacking) X(goodput) X(diagnosis) X(caselab)
#define SIMS(X)                                                                                    \
	A_GPU(X) ONE_STEP(X) MANY_GPUS(X) SMALLER_MODELS(X) SERVING(X) ON_THE_ROAD(X) WHOLE_RUNS(X)

#define X(name) extern const struct sim name##_sim;
SIMS(X)
#undef X
#define X(name) &name##_sim,
const struct sim *const sims[] = { SIMS(X) };
#undef X
#define X(name) +1
const struct sim_group sim_groups[] = {
	{ "a GPU", A_GPU(X) },
	{ "one step", ONE_STEP(X) },
	{ "many GPUs", MANY_GPUS(X) },
	{ "smaller models", SMALLER_MODELS(X) },
	{ "serving", SERVING(X) },
	{ "on the road", ON_THE_ROAD(X) },
	{ "whole runs", WHOLE_RUNS(X) },
};
#undef X
const size_t n_sim_groups = LENGTH(sim_groups);
const size_t n_sims = LENGTH(sims);

const struct sim *sim_find(const char *id)
{
	assert(id);
	for (size_t i = 0; i < n_sims; i++)
		if (strcmp(sims[i]->id, id) == 0)
			return sims[i];
	return strncmp(id, "formula:", 8) == 0 ? formula_sim_find(id + 8) : NULL;
}
