/* One setting of the simulation `moe`: a batch drawn, laid on GPUs in some way, and timed as a step of a
 * server. Times in s. */
#ifndef RIDGE_MOE_RUN_H
#define RIDGE_MOE_RUN_H

#include "sims/architecture/architecture.h"
#include "sims/base/arena.h"
#include "sims/gpu/engine_parts.h"
#include "sims/gpu/precision.h"
#include "sims/serving/moe_layer.h"
#include "sims/tables/tables.h"

#include <stdbool.h>

struct moe_model {
	const struct model *model;
	const struct architecture *a;
	const struct accelerator *gpu;
	const struct feed
		*feed; /* of the first layer that has experts; the others are taken alike */
	double layers; /* that have experts */
	enum value_type weights, cache;
	enum dtype activations;
	struct network net;
	bool prefill;
	double context; /* cached tokens of a sequence that decodes; the length of a prompt */
	struct router router;
};

/* The model on gpus = tp x copies GPUs, its experts in `ep` groups of them. */
struct moe_layout {
	struct engine_layout how;
	struct engine_shape rest; /* all but the routed experts and the travel */
	struct moe_place place;
};
/* only_tokens: the batch, where it will be asked for no other and few points of its tables will do; 0: any. */
struct moe_layout moe_layout_of(const struct moe_model *m, double gpus, double tp, double ep,
	bool overlap, double only_tokens);

struct moe_step {
	struct moe_layer layer;
	double rest_s; /* of the whole step */
	double step_s;
	double products_s,
		waiting_s; /* of the step: experts in the mean of GPUs, and until the busiest
				       * has done */
	double exposed_s;  /* travel that no product hides */
};
struct moe_step moe_step_of(const struct moe_model *m, const struct moe_layout *l,
	const struct routing *r, struct arena *arena);

/* Bytes of one expert as it is stored. */
double moe_expert_bytes(const struct moe_model *m);
/* Tokens up to which reading the experts takes longer than multiplying with them, by the datasheet; and
 * where every token passes all weights. INFINITY where the tables lack a peak. */
double moe_read_bound_tokens(const struct moe_model *m);
double moe_dense_bound_tokens(const struct moe_model *m);

/* --- One layer on the clock --- */

/* When a part of the batch is in which phase of the layer that is shown. */
struct moe_phases {
	double rest[2], dispatch[2], work[2], combine[2]; /* from, to */
};
/* The parts follow each other on one clock: attention and the rest, dispatch, products, combine, which
 * wait for each other; GPUs and network do one thing at a time. Layers follow each other too, and the
 * window is one of them after a few; `other` are the neighbours that reach into it. */
struct moe_clock {
	size_t parts;
	double layer_s;
	struct moe_phases shown[2], before[2], after[2];
};
struct moe_clock moe_clock_of(const struct moe_model *m, const struct moe_step *s);

#endif
