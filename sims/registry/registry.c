/* The list is one macro of names and lines, expanded once to declarations and once to each table. A name that
 * is none of these is looked for among the formulas. */
#include "sims/registry/registry.h"

#include "sims/base/array.h"
#include "sims/registry/formula_sim.h"

#include <assert.h>
#include <string.h>

/* The groups and their order are those of every list, from one GPU to the whole run. */
#define A_GPU(X)                                                                                   \
	X(roofline, "What a GPU can do for each byte it moves")                                    \
	X(occupancy, "Few warps or many: what hides latency")                                      \
	X(tiles, "A matrix product in tiles: waves, bytes, idle SMs")                              \
	X(flashattention, "Attention in tiles that stay on the chip")                              \
	X(measurement, "One kernel timed wrongly in five ways")
#define ONE_STEP(X)                                                                                \
	X(memory, "What fills a GPU during a training step")                                       \
	X(compile, "When compiling pays back, and when never")                                     \
	X(timeline, "What the GPU waits for in a training step")
#define MANY_GPUS(X)                                                                               \
	X(scaling, "How much of the ideal many GPUs reach")                                        \
	X(amdahl, "What serial work leaves of more workers")                                       \
	X(allreduce, "Ring, tree, hierarchy: which adds up first")                                 \
	X(parallelism, "Who holds what, who sends what, who waits")
#define SMALLER_MODELS(X)                                                                          \
	X(formats, "Where the numbers of FP32, BF16, FP8 lie")                                     \
	X(compression, "How few bits a real network can do with")
#define SERVING(X)                                                                                 \
	X(inference, "Fusion, CUDA graphs, fewer bits, batches")                                   \
	X(kvcache, "How many sequences fit, reserved or paged")                                    \
	X(moe, "Tokens to experts: what is read, who waits")                                       \
	X(batching, "Static, dynamic, continuous: who waits")                                      \
	X(disaggregation, "Prefill and decode apart: when it pays")                                \
	X(speculative, "When guessing tokens ahead is faster")                                     \
	X(queueing, "How waiting grows as servers fill up")                                        \
	X(capacity, "How many GPUs a service needs, and why")
#define ON_THE_ROAD(X) X(latency, "From camera to plan before the deadline")
#define WHOLE_RUNS(X)                                                                              \
	X(system, "Where time goes, from data to the road")                                        \
	X(stacking, "What is left of speed-ups when they stack")                                   \
	X(goodput, "What failures and checkpoints cost a run")                                     \
	X(diagnosis, "Find a hidden fault with few readings")                                      \
	X(caselab, "Find a bottleneck by buying experiments")
#define SIMS(X)                                                                                    \
	A_GPU(X) ONE_STEP(X) MANY_GPUS(X) SMALLER_MODELS(X) SERVING(X) ON_THE_ROAD(X) WHOLE_RUNS(X)

#define X(name, brief) extern const struct sim name##_sim;
SIMS(X)
#undef X
#define X(name, brief) &name##_sim,
const struct sim *const sims[] = { SIMS(X) };
#undef X
#define X(name, brief) brief,
const char *const sim_briefs[] = { SIMS(X) };
#undef X
#define X(name, brief) +1
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
