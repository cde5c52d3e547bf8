/* What one transformer layer allocates in a training step, tensor by tensor. Two lists:
 *
 * - the GPT layer of Korthikanti et al. (2022), "Reducing Activation Recomputation": LayerNorm,
 *   dropout, GELU, a feed-forward four times as wide, every head with its own keys. What it saves
 *   for backward adds up to s b h (34 + 5 a s / h) bytes in 16 bits; FlashAttention does without
 *   the last part;
 * - the layer as the model really is: gated (SwiGLU), RMSNorm, no dropout, grouped-query attention,
 *   its own feed-forward; a model that is not gated has the GPT list with its own widths.
 *
 * A model that is made of parts (sims/architecture/) has the second list for each kind of its layers:
 * keys and values out of a latent vector, windows, states in place of attention, experts and what all
 * tokens share.
 *
 * Sizes in B on one GPU: tensor and, unless asked otherwise, sequence parallelism divide what is
 * saved; a layer's inputs are gathered for its products, forward and backward, and dropped again. */
#ifndef RIDGE_TRAINING_LAYER_H
#define RIDGE_TRAINING_LAYER_H

#include "sims/tables/tables.h"

#include <stdbool.h>
#include <stddef.h>

enum row_flags {
	ROW_SAVED = 1,  /* backward needs it */
	ROW_STORED = 2, /* selective checkpointing keeps it from forward to backward */
	ROW_RERUN = 4,  /* selective checkpointing computes it again */
	ROW_EXPERTS = 8 /* its weight is experts', of which other GPUs hold other ones */
};

/* One tensor, and the operation that produces it. */
struct layer_row {
	const char *name;
	double bytes;
	double gradient_bytes; /* size of its gradient; 0: it has none, or shares another's */
	double flops;          /* forward */
	double params;         /* of the weight that produces it, on this GPU */
	unsigned flags;
	size_t last; /* the row of the last operation that reads it */
	const char *reader;
};

enum { MAX_LAYER_ROWS = 32 };
struct training_layer {
	struct layer_row rows[MAX_LAYER_ROWS]; /* in the order of forward; the last one is the
						* next layer's input */
	size_t n;
	double input_bytes;
	size_t input_reader; /* the row of the last operation that reads the layer's input */
};

struct layer_group;
struct step_recipe;
struct layer_setup {
	const struct model *model;
	/* Of a model that is made of parts, the layers that are meant; NULL: a plain one. */
	const struct layer_group *group;
	double expert_rows;  /* that come to the experts here, for each token of the batch */
	double expert_share; /* of a layer's routed experts, what lies on this GPU */
	double batch, seq, tp;
	double value_bytes;    /* 2, or 4 in FP32 */
	double residual_bytes; /* of the stream between layers: plain autocast keeps it in FP32 */
	/* What products' inputs and gates' are kept in; NULL: as all else. The mean over the layers, where
	 * it leaves some wide. */
	const struct step_recipe *recipe;
	bool flash, actual;
	bool whole_stream; /* no sequence parallelism: norms and residuals on every GPU */
	bool fused;        /* SwiGLU in one kernel that saves its two inputs only */
};
struct training_layer layer_of(const struct layer_setup *s);

/* What backward needs of one layer, its input included: sums over the rows. */
double layer_saved_bytes(const struct training_layer *l);
/* What selective checkpointing keeps of it. */
double layer_stored_bytes(const struct training_layer *l);
double layer_flops(const struct training_layer *l);
/* Of both kinds, and of experts alone. */
double layer_params(const struct training_layer *l);
double layer_expert_params(const struct training_layer *l);

#endif
