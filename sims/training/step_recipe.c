#include "sims/training/step_recipe.h"

#include "sims/base/array.h"
#include "sims/constants.h"
#include "sims/gpu/kernel.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Values with their share of a scale: four bytes to 128 of blocks, one to 32 of MXFP8, one to 16 of
 * NVFP4. */
#define FP8_VALUE 1.
#define BLOCK_VALUE (1 + 4 / 128.)
#define MXFP8_VALUE (1 + 1 / 32.)
#define NVFP4_VALUE (0.5 + 1 / 16.)
/* A value of 16 bits is read for the largest and again to be rounded, or but once. Of MXFP8 it is read
 * for either side, whose scales are not those of the other: the pairs of runs that Megatron-Bridge
 * published of one job in both (2025) are as quick with one scale a tensor as with its. */
#define READ_TWICE (2. * BF16_BYTES)
#define READ_ONCE (1. * BF16_BYTES)
#define BOTH_WAYS 2
/* Of a sixth of the blocks: two at the beginning and eight at the end of 62. */
#define NVFP4_WIDE (10 / 62.)

/* Weights that are gathered narrow lie narrow both ways and nowhere wide; those of blocks and NVFP4 lie
 * in BF16 besides. */
const struct step_recipe step_recipes[N_STEP_RECIPES] = {
	[RECIPE_BF16] = { DTYPE_BF16, 0, BF16_BYTES, BF16_BYTES, BF16_BYTES, ADAMW_MOMENT_BYTES,
		BF16_BYTES, 0, false, false, false, "" },
	[RECIPE_FP8] = { DTYPE_FP8, READ_TWICE + BOTH_WAYS *FP8_VALUE, FP8_VALUE, BF16_BYTES,
		BOTH_WAYS *FP8_VALUE, ADAMW_MOMENT_BYTES, BF16_BYTES, 0, false, false, false,
		"E4M3 forward, E5M2 backward, the largest of each tensor sought first" },
	[RECIPE_FP8_DELAYED] = { DTYPE_FP8, READ_ONCE + BOTH_WAYS *FP8_VALUE, FP8_VALUE, BF16_BYTES,
		BOTH_WAYS *FP8_VALUE, ADAMW_MOMENT_BYTES, BF16_BYTES, 0, false, false, false,
		"E4M3 forward, E5M2 backward, scales from the steps before" },
	[RECIPE_FP8_BLOCK] = { DTYPE_FP8, READ_ONCE + BOTH_WAYS *BLOCK_VALUE, BLOCK_VALUE,
		BLOCK_VALUE, BF16_BYTES + BOTH_WAYS *FP8_VALUE, 2 * BF16_BYTES, BLOCK_VALUE, 0,
		true, true, false,
		"E4M3 throughout, sums promoted to FP32 every 128 values; moments in BF16; gates' "
		"inputs and tokens on their way to experts in FP8" },
	[RECIPE_MXFP8] = { DTYPE_FP8, READ_TWICE + BOTH_WAYS *MXFP8_VALUE, MXFP8_VALUE, BF16_BYTES,
		BOTH_WAYS *MXFP8_VALUE, ADAMW_MOMENT_BYTES, BF16_BYTES, 0, false, false, true,
		"E4M3 throughout, rounded along both sides" },
	[RECIPE_FP4] = { DTYPE_FP4, READ_TWICE + BOTH_WAYS *NVFP4_VALUE, NVFP4_VALUE, BF16_BYTES,
		BF16_BYTES + BOTH_WAYS *NVFP4_VALUE, ADAMW_MOMENT_BYTES, BF16_BYTES, 0, false,
		false, true, "a scale for the tensor besides those of 16 values" },
	[RECIPE_NVFP4] = { DTYPE_FP4, READ_TWICE + BOTH_WAYS *NVFP4_VALUE, NVFP4_VALUE, BF16_BYTES,
		BF16_BYTES + BOTH_WAYS *NVFP4_VALUE, ADAMW_MOMENT_BYTES, BF16_BYTES, NVFP4_WIDE,
		false, false, true, "a sixth of the layers, at both ends, stay in BF16" },
};

const char *const step_recipe_ids[N_STEP_RECIPES + 1] = { "bf16", "fp8", "fp8_delayed", "fp8_block",
	"mxfp8", "fp4", "nvfp4", NULL };
const char *const step_recipe_names[N_STEP_RECIPES] = { "BF16", "FP8 per tensor", "FP8 delayed",
	"FP8 in blocks", "MXFP8", "NVFP4 everywhere", "NVFP4" };

const char *step_recipe_name(const struct step_recipe *r)
{
	return step_recipe_names[r - step_recipes];
}

const struct step_recipe *step_recipe_at(double choice)
{
	assert(choice >= 0 && choice < N_STEP_RECIPES);
	return &step_recipes[(size_t)choice];
}

const struct step_recipe *step_recipe_of_dtype(enum dtype d)
{
	return &step_recipes[d == DTYPE_FP8   ? RECIPE_FP8
			     : d == DTYPE_FP4 ? RECIPE_FP4
					      : RECIPE_BF16];
}

/* Units that multiply in 4 bits know the scales of few values. */
static bool has_micro_scales(const struct accelerator *g)
{
	return g->peak_flops[DTYPE_FP4] > 0;
}

bool step_recipe_exists(const struct step_recipe *r, const struct accelerator *g)
{
	if (r->dtype == DTYPE_BF16)
		return true;
	if (kernel_math_dtype(g, r->dtype) != r->dtype || (r->needs_micro && !has_micro_scales(g)))
		return false;
	bool hopper = g->family && strcmp(g->family, "hopper") == 0;
	return !r->needs_blocks || hopper || has_micro_scales(g);
}

const struct step_recipe *step_recipe_on(const struct step_recipe *r, const struct accelerator *g)
{
	return step_recipe_exists(r, g) ? r : &step_recipes[RECIPE_BF16];
}

char *step_recipe_lack(
	const struct step_recipe *r, const struct accelerator *g, char *buf, size_t size)
{
	*buf = '\0';
	if (!step_recipe_exists(r, g))
		snprintf(buf, size, "%s has no unit for %s: its products run in %s.", g->name,
			step_recipe_name(r), dtype_names[kernel_math_dtype(g, DTYPE_BF16)]);
	return buf;
}

/* Measured: products of blocks, promoted on the side (`make fit`). */
double step_recipe_products_ratio(const struct step_recipe *r, const struct accelerator *g)
{
	return r->promotes && !has_micro_scales(g) ? gemm_format_find("fp8_block")->compute_ratio
						   : 1;
}
