/* One step of LoRA fine-tuning on one GPU, kernel by kernel in eager PyTorch: frozen weights in NF4
 * or 16 bits, adapters on q, k, v and o. `caselab` shows it. Times in s, sizes in B.
 *
 * Frozen weights have no gradients of their own: backward is one product per weight and not two, so
 * that a step is 4 P FLOP a token and a recomputed forward adds half of that, not a third. */
#ifndef RIDGE_FINETUNING_H
#define RIDGE_FINETUNING_H

#include "sims/base/arena.h"
#include "sims/tables/tables.h"

#include <stdbool.h>
#include <stddef.h>

/* Where a step goes. What positions without text take of the other parts is counted as padding. */
enum finetuning_part {
	PART_WAIT,       /* the GPU waits for the loader */
	PART_PRODUCTS,   /* with the weights, forward and backward */
	PART_RECOMPUTE,  /* forward once more, all of it */
	PART_DEQUANTISE, /* NF4 to 16 bits, before each use of a weight */
	PART_ATTENTION,  /* scores, softmax, weighted sum: the part that is quadratic */
	PART_POINTWISE,  /* norms, rotary, activation, residual, loss */
	PART_ADAPTERS,   /* LoRA's thin products and their dropout */
	PART_OPTIMIZER,
	PART_LAUNCH, /* the GPU waits for the CPU that launches kernels */
	PART_PADDING,
	N_FINETUNING_PARTS
};

enum finetuning_optimizer { OPTIMIZER_ADAMW_8BIT, OPTIMIZER_ADAMW, OPTIMIZER_SGD };

/* What the products, attention and the small kernels of a step take, which few of the settings change:
 * kept from step to step where many are asked for. A zeroed one is empty. */
struct finetuning_known;

struct finetuning {
	const struct model *model;
	const struct accelerator *gpu;
	double seq, batch, rank;
	double text_tokens; /* in a sample; longer texts are cut to seq, shorter ones padded */
	bool packing;       /* texts fill rows to the end; a cut one goes on in the next row */
	bool nf4, checkpointing, flash;
	enum finetuning_optimizer optimizer;
	double workers, prep_s; /* prep: a sample, on one core; 0 workers: the training process */
	struct finetuning_known *known; /* NULL: nothing is kept */
};

enum finetuning_memory {
	HOLDS_WEIGHTS,
	HOLDS_ADAPTERS, /* with gradients and optimizer state */
	HOLDS_CHECKPOINTS,
	HOLDS_LAYERS, /* what backward reads: one layer's, or all layers' without checkpointing */
	HOLDS_LOGITS,
	HOLDS_CONTEXT,
	N_FINETUNING_MEMORY
};

struct finetuning_step {
	double part_s[N_FINETUNING_PARTS];
	double step_s, gpu_s; /* gpu_s: with a kernel running */
	double kernels;
	double memory[N_FINETUNING_MEMORY], memory_bytes;
	bool fits;
	double positions;                   /* in a step, padding included */
	double padding, cut;                /* shares of the positions and of the text */
	double samples_per_s, tokens_per_s; /* samples: texts; tokens: of text, without padding */
	double mfu, hfu;                    /* useful FLOPs; all that are executed */
};
struct finetuning_step finetuning_step(const struct finetuning *f);

/* An empty one, which the arena owns; NULL where memory is out. */
struct finetuning_known *finetuning_known_new(struct arena *a);

/* The case: Mistral-7B on an A10, batch 4 of 1,024 tokens, NF4, rank 16, checkpointing, eager
 * attention, 8-bit AdamW, 4 workers. */
struct finetuning finetuning_case(const struct model *m, const struct accelerator *a10);

/* What the case study measured: the case with one change, or two. */
struct finetuning_measured {
	const char *name;
	double seq, batch, rank;
	bool nf4;
	enum finetuning_optimizer optimizer;
	double samples_per_s;
};
enum { N_FINETUNING_MEASURED = 6 };
extern const struct finetuning_measured finetuning_measured[N_FINETUNING_MEASURED];
/* The case with that change, to predict a measured row. */
struct finetuning finetuning_of(const struct finetuning *base, const struct finetuning_measured *m);

/* The model's constants. The first two are fitted, on all six rows together. */
extern const double finetuning_products_ratio;    /* what products sustain of the dense peak */
extern const double finetuning_nf4_weights_per_s; /* what the dequantising kernel widens */

#endif
