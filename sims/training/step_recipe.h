/* Recipes of training in few bits: one row says which type products run in, what stays wide, what is
 * kept of weights, activations and moments, what rounding moves, and which GPUs can. `parallelism`,
 * `memory`, `ridge plan train` and the model of a step read the same row. Sizes in B.
 *
 * What no recipe narrows: embedding, vocabulary, router, norms and attention run in 16 bits or more,
 * gradients of weights add up in 16 or 32, master weights are FP32. Not counted: weights are rounded once a
 * step, and where they lie narrow FSDP could gather them so; here it gathers 16 bits. Sources: NVIDIA, Transformer Engine
 * and Megatron-Bridge documentation, 2026 (recipes, what is gathered narrow, hardware matrix);
 * DeepSeek-AI, DeepSeek-V3, 2024, section 3.3 (blocks); NVIDIA, Pretraining Large Language Models with
 * NVFP4, 2025 (a sixth of the layers wide). */
#ifndef RIDGE_STEP_RECIPE_H
#define RIDGE_STEP_RECIPE_H

#include "sims/tables/tables.h"

#include <stdbool.h>
#include <stddef.h>

enum step_recipe_id {
	RECIPE_BF16,
	RECIPE_FP8,         /* one scale a tensor, found before it is used (current scaling) */
	RECIPE_FP8_DELAYED, /* one scale a tensor, from the steps before */
	RECIPE_FP8_BLOCK,   /* 128 x 128 weights, 1 x 128 activations, as DeepSeek-V3 */
	RECIPE_MXFP8,       /* 32 values share a scale of 8 bits */
	RECIPE_FP4,         /* NVFP4 in every layer, as benchmarks run it */
	RECIPE_NVFP4,       /* the same with the layers wide that long training keeps so */
	N_STEP_RECIPES
};

struct step_recipe {
	enum dtype dtype; /* of a layer's products, all three of each */
	/* Moved to round a value of a product's input: read, once more where its largest is sought
	 * first, and written both ways, along either side of the products. */
	double rounding_bytes;
	double input_bytes;    /* of a product's input, a value kept for the weights' gradients */
	double gate_bytes;     /* of what a gate is computed from, a value kept */
	double weight_bytes;   /* a parameter of a layer's products on a GPU, all its copies */
	double moment_bytes;   /* both moments of AdamW, a parameter */
	double dispatch_bytes; /* a value on its way to experts; back it goes in 16 bits */
	double wide_layers;    /* share of the layers whose products stay in 16 bits */
	bool promotes;     /* sums are scaled and added in FP32 beside the units, block by block,
			        * where these know no block scales */
	bool needs_blocks; /* units, or kernels, that multiply by the scales of blocks */
	bool needs_micro;  /* units that know the scales of 32 or 16 values */
	const char *keeps; /* in words, what is special to it */
};
extern const struct step_recipe step_recipes[N_STEP_RECIPES];

/* As knobs offer them, in the order of the rows. NULL-terminated. */
extern const char *const step_recipe_ids[N_STEP_RECIPES + 1];
extern const char *const step_recipe_names[N_STEP_RECIPES];
const char *step_recipe_name(const struct step_recipe *r);
const struct step_recipe *step_recipe_at(double choice);
/* The usual one of a type; BF16's for 16 bits and more. */
const struct step_recipe *step_recipe_of_dtype(enum dtype d);

/* Whether the GPU has what it takes. BF16's is had by all. */
bool step_recipe_exists(const struct step_recipe *r, const struct accelerator *g);
/* What runs on the GPU where it is asked for: it, or BF16's. */
const struct step_recipe *step_recipe_on(const struct step_recipe *r, const struct accelerator *g);
/* What the GPU lacks for it and what runs in its place, a sentence; "" where it has what it takes. Returns
 * buf. */
char *step_recipe_lack(
	const struct step_recipe *r, const struct accelerator *g, char *buf, size_t size);
/* Share of what plain products of the type sustain. */
double step_recipe_products_ratio(const struct step_recipe *r, const struct accelerator *g);

#endif
