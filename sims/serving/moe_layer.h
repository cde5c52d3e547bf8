/* How long a drawn batch takes in the experts of one layer: dispatch, products, combine, in one piece or
 * in two halves of which one computes while the other travels. The physics are those of the engine
 * (sims/gpu/engine_parts.h), with rows and copies counted where that takes means. Times in s. */
#ifndef RIDGE_MOE_LAYER_H
#define RIDGE_MOE_LAYER_H

#include "sims/base/arena.h"
#include "sims/communication/collective.h"
#include "sims/gpu/experts.h"
#include "sims/serving/routing.h"

#include <stdbool.h>

struct moe_place {
	const struct accelerator *gpu;
	struct experts experts; /* as they lie on one GPU (engine_experts) */
	struct network net;
	size_t gpus, groups;
	bool travels;      /* tokens go to their experts and back; else every GPU has them all */
	double rows_share; /* of the batch, what one GPU sees of its tokens: 1 / copies of attention */
};

/* One half of the batch, or all of it. */
struct moe_part {
	struct routing_load load;
	double *work_s;   /* [groups]: products, and what stands around them */
	double slowest_s; /* of the busiest group */
	double mean_s;    /* over all */
	double dispatch_s, combine_s;
	double sent_bytes; /* by the GPU with the most, there and back, to others */
};

struct moe_layer {
	struct moe_part parts[2];
	size_t n;                     /* of the parts: 1, or 2 in halves */
	double computing_s, travel_s; /* of all parts, the busiest GPU's */
};
/* Out of memory in the arena (its `failed`): zeros. */
struct moe_layer moe_layer_of(
	const struct moe_place *p, const struct routing *r, bool halves, struct arena *arena);

#endif
