/* The list is one macro of names, expanded once to declarations and once to the table. A name that
 * is none of these is looked for among the formulas. */
#include "sims/registry/registry.h"

#include "sims/base/array.h"
#include "sims/registry/formula_sim.h"

#include <assert.h>
#include <string.h>

/* The order of lists and of the home screen: that of the chapters. */
#define SIMS(X)                                                                                    \
	X(system)                                                                                  \
	X(scaling)                                                                                 \
	X(amdahl)                                                                                  \
	X(roofline)                                                                                \
	X(memory)                                                                                  \
	X(compile)                                                                                 \
	X(timeline)                                                                                \
	X(measurement)                                                                             \
	X(diagnosis)                                                                               \
	X(formats)                                                                                 \
	X(allreduce)                                                                               \
	X(parallelism)                                                                             \
	X(compression)                                                                             \
	X(inference)                                                                               \
	X(flashattention)                                                                          \
	X(kvcache)                                                                                 \
	X(speculative)                                                                             \
	X(batching)                                                                                \
	X(queueing)                                                                                \
	X(capacity)                                                                                \
	X(latency)                                                                                 \
	X(stacking)                                                                                \
	X(goodput)                                                                                 \
	X(caselab)

#define X(name) extern const struct sim name##_sim;
SIMS(X)
#undef X
#define X(name) &name##_sim,
const struct sim *const sims[] = { SIMS(X) };
#undef X
const size_t n_sims = LENGTH(sims);

const struct sim *sim_find(const char *id)
{
	assert(id);
	for (size_t i = 0; i < n_sims; i++)
		if (strcmp(sims[i]->id, id) == 0)
			return sims[i];
	return strncmp(id, "formula:", 8) == 0 ? formula_sim_find(id + 8) : NULL;
}
