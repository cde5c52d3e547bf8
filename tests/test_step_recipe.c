/* Recipes of training in few bits: what each keeps and moves, counted by hand; on which GPUs it is; and
 * that a step and its memory follow the row. */
#include "sims/architecture/architecture.h"
#include "sims/gpu/kernel.h"
#include "sims/registry/registry.h"
#include "sims/training/model_step.h"
#include "sims/training/step_parts.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

static struct tables facts;

static void load(void)
{
	facts = load_tables();
}

static void unload(void)
{
	tables_release(&facts);
}

TestSuite(step_recipe, .init = load, .fini = unload);

static double said(const char *sim, const char *settings, const char *id)
{
	return sim_number(sim_find(sim), &facts, settings, id);
}

/* A value and its share of a scale: 4 B to 128 are a 32nd, 1 B to 32 as much, 1 B to 16 a 16th. Read in
 * 2 B, once or twice, and written both ways. */
Test(step_recipe, what_each_keeps_and_moves)
{
	static const struct {
		enum step_recipe_id id;
		double input, weight, rounding, moments;
	} rows[] = {
		{ RECIPE_BF16, 2, 2, 0, 8 },
		{ RECIPE_FP8, 1, 2, 2 + 2 + 1 + 1, 8 },
		{ RECIPE_FP8_DELAYED, 1, 2, 2 + 1 + 1, 8 },
		{ RECIPE_FP8_BLOCK, 1.03125, 2 + 1 + 1, 2 + 1.03125 + 1.03125, 4 },
		{ RECIPE_MXFP8, 1.03125, 1.03125 + 1.03125, 2 + 2 + 1.03125 + 1.03125, 8 },
		{ RECIPE_FP4, 0.5625, 2 + 0.5625 + 0.5625, 2 + 2 + 0.5625 + 0.5625, 8 },
		{ RECIPE_NVFP4, 0.5625, 2 + 0.5625 + 0.5625, 2 + 2 + 0.5625 + 0.5625, 8 },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct step_recipe *r = &step_recipes[rows[i].id];
		cr_expect(eq(dbl, r->input_bytes, rows[i].input), "row %zu", i);
		cr_expect(eq(dbl, r->weight_bytes, rows[i].weight), "row %zu", i);
		cr_expect(
			epsilon_eq(dbl, r->rounding_bytes, rows[i].rounding, 1e-12), "row %zu", i);
		cr_expect(eq(dbl, r->moment_bytes, rows[i].moments), "row %zu", i);
		cr_expect(r->rounding_bytes > 0 || r->dtype == DTYPE_BF16);
	}
	cr_expect(eq(sz, COUNT(rows), (size_t)N_STEP_RECIPES));
	/* Ten of 62 blocks: two at the beginning, eight at the end. */
	cr_expect(epsilon_eq(dbl, step_recipes[RECIPE_NVFP4].wide_layers, 0.16, 0.005));
}

/* Transformer Engine's matrix: per tensor from Ada on, blocks from Hopper on, scales of few values on
 * Blackwell alone. */
Test(step_recipe, on_which_gpus_it_is)
{
	static const struct {
		const char *gpu;
		bool tensor, block, micro;
	} rows[] = { { "a100", false, false, false }, { "l40s", true, false, false },
		{ "h100", true, true, false }, { "h800", true, true, false },
		{ "b200", true, true, true }, { "gb300", true, true, true } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct accelerator *g = gpu_find(&facts, rows[i].gpu);
		cr_assert(g != NULL, "%s", rows[i].gpu);
		for (int id = 0; id < N_STEP_RECIPES; id++) {
			bool want = id == RECIPE_BF16        ? true
				    : id == RECIPE_FP8_BLOCK ? rows[i].block
				    : id >= RECIPE_MXFP8     ? rows[i].micro
							     : rows[i].tensor;
			cr_expect(eq(int, step_recipe_exists(&step_recipes[id], g), want), "%s: %s",
				rows[i].gpu, step_recipe_ids[id]);
		}
	}
}

static struct step_setup setup(const char *model, const char *gpu, enum step_recipe_id id)
{
	return (struct step_setup){ .model = any_model_find(&facts, model),
		.gpu = gpu_find(&facts, gpu),
		.net = network_ideal(8, 100e9, 10e9, 0),
		.tp = 1,
		.pp = 1,
		.cp = 1,
		.dp = 8,
		.shard = 1,
		.micro_batch = 1,
		.micro_batches = 1,
		.seq = 4096,
		.dtype = step_recipes[id].dtype,
		.recipe = &step_recipes[id],
		.flash = true,
		.sequence_parallel = true,
		.loss_share = 1,
		.software.date = SOFTWARE_2025,
		.ep = 8 };
}

/* Llama-3 8B: a layer rounds the inputs of queries and of the gate (4,096 each), of the projection (4,096)
 * and of down (14,336). */
Test(step_recipe, rounding_moves_its_bytes)
{
	const double values = 4096.0 * (3 * 4096 + 14336);
	for (int id = RECIPE_FP8; id <= RECIPE_FP8_BLOCK; id++) {
		struct step_setup s = setup("llama3-8b", "h100", (enum step_recipe_id)id);
		cr_expect(epsilon_eq(dbl, step_work_of(&s).layer.rounding_bytes,
				  step_recipes[id].rounding_bytes * values, 1),
			"%s", step_recipe_ids[id]);
	}
	/* One scale less to seek is a shorter step. */
	struct step_setup now = setup("llama3-8b", "h100", RECIPE_FP8);
	struct step_setup delayed = setup("llama3-8b", "h100", RECIPE_FP8_DELAYED);
	cr_expect(lt(dbl, model_step(&delayed, 1).step_s, model_step(&now, 1).step_s));
	/* An A100 rounds nothing, whatever is asked for, and its step is that in BF16. */
	struct step_setup old = setup("llama3-8b", "a100", RECIPE_FP8_BLOCK);
	struct step_setup wide = setup("llama3-8b", "a100", RECIPE_BF16);
	cr_expect(eq(dbl, step_work_of(&old).layer.rounding_bytes, 0));
	cr_expect(eq(dbl, model_step(&old, 1).step_s, model_step(&wide, 1).step_s));
	/* And so is the H100's with scales of few values. */
	struct step_setup micro = setup("llama3-8b", "h100", RECIPE_MXFP8);
	wide = setup("llama3-8b", "h100", RECIPE_BF16);
	cr_expect(eq(dbl, model_step(&micro, 1).step_s, model_step(&wide, 1).step_s));
}

/* Sums that Hopper promotes on the side take longer, as measured of such products; Blackwell's units
 * multiply by the scales themselves. Router, attention and vocabulary are the same in every recipe. */
Test(step_recipe, products_of_blocks_are_promoted)
{
	double ratio = gemm_format_find("fp8_block")->compute_ratio;
	cr_assert(ratio > 0.5 && ratio < 1);
	static const char *const gpus[] = { "h100", "b200" };
	for (int i = 0; i < 2; i++) {
		struct step_setup tensor = setup("llama3-8b", gpus[i], RECIPE_FP8);
		struct step_setup block = setup("llama3-8b", gpus[i], RECIPE_FP8_BLOCK);
		struct step_setup wide = setup("llama3-8b", gpus[i], RECIPE_BF16);
		struct step_work t = step_work_of(&tensor), b = step_work_of(&block);
		struct step_work w = step_work_of(&wide);
		cr_expect(epsilon_eq(
			dbl, b.layer.products_s * (i == 0 ? ratio : 1), t.layer.products_s, 1e-12));
		cr_expect(epsilon_eq(
			dbl, b.layer.weights_s * (i == 0 ? ratio : 1), t.layer.weights_s, 1e-12));
		cr_expect(lt(dbl, t.layer.products_s, w.layer.products_s));
		cr_expect(eq(dbl, b.head_s, w.head_s));
		cr_expect(eq(dbl, b.layer.attention_s, w.layer.attention_s));
		/* Moments of 2 B each: 8 B a parameter less to read and write of 44. */
		cr_expect(epsilon_eq(dbl, b.optimizer_bytes / w.optimizer_bytes, 36. / 44, 1e-9));
		cr_expect(eq(dbl, t.optimizer_bytes, w.optimizer_bytes));
	}
}

/* Of the layers a sixth stays wide: the mean over both kinds. */
Test(step_recipe, nvfp4_leaves_layers_wide)
{
	struct step_setup all = setup("llama3-8b", "b200", RECIPE_FP4);
	struct step_setup some = setup("llama3-8b", "b200", RECIPE_NVFP4);
	struct step_setup none = setup("llama3-8b", "b200", RECIPE_BF16);
	double low = step_work_of(&all).layer.products_s,
	       wide = step_work_of(&none).layer.products_s;
	cr_expect(epsilon_eq(
		dbl, step_work_of(&some).layer.products_s, low + 10. / 62 * (wide - low), 1e-12));
	cr_expect(epsilon_eq(dbl, step_work_of(&some).layer.rounding_bytes,
		52. / 62 * step_work_of(&all).layer.rounding_bytes, 1));
	cr_expect(eq(dbl, step_work_of(&some).layer.params, step_work_of(&all).layer.params));
	cr_expect(lt(dbl, model_step(&all, 1).step_s, model_step(&some, 1).step_s));
	cr_expect(lt(dbl, model_step(&some, 1).step_s, model_step(&none, 1).step_s));
}

/* A token of a mixture travels in 8 bits to its experts and in 16 back, as DeepSeek-V3's does: of 2 + 2 B
 * 1 1/32 + 2 are left. */
Test(step_recipe, blocks_travel_narrow)
{
	struct step_setup wide = setup("deepseek-v3", "h800", RECIPE_FP8);
	struct step_setup block = setup("deepseek-v3", "h800", RECIPE_FP8_BLOCK);
	double there = step_work_of(&wide).layer.dispatch_bytes / 2;
	cr_expect(epsilon_eq(
		dbl, step_work_of(&block).layer.dispatch_bytes, there * (1 + 1.03125 / 2), 1));
	cr_expect(epsilon_eq(dbl, step_work_of(&block).layer.dispatch_s,
		step_work_of(&wide).layer.dispatch_s * (1 + 1.03125 / 2) / 2, 1e-12));
}

/* Llama-3 8B, a token of a layer: input and residual in 2 B; both norms, what the gate came to, in the
 * recipe's; queries, keys and values in 2; the context in both. Of gates' inputs blocks keep 8 bits. */
Test(step_recipe, a_layer_keeps_inputs_narrow)
{
	static const struct {
		const char *id;
		double input, gate;
	} rows[] = { { "bf16", 2, 2 }, { "fp8", 1, 2 }, { "fp8_block", 1.03125, 1.03125 },
		{ "mxfp8", 1.03125, 2 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		char plan[160], memory[160];
		double in = rows[i].input, copy = i > 0 ? in : 0;
		double kept = 2 * 2 * 4096 + in * 2 * 4096 + 2 * (4096 + 2 * 1024) + 4 * 32 +
			      (2 + copy) * 4096 + 2 * rows[i].gate * 14336 + 2 * 14336 + in * 14336;
		snprintf(plan, sizeof plan,
			"strategy=zero3 model=llama3-8b gpu=b200 gpus=8 seq=4096 micro_batches=1 "
			"act_dtype=%s",
			rows[i].id);
		snprintf(memory, sizeof memory,
			"zero=3 model=llama3-8b gpu=b200 gpus=8 seq=4096 batch=1 act_dtype=%s",
			rows[i].id);
		double want = 32 * 4096 * kept / 1e9;
		cr_expect(epsilon_eq(dbl, said("parallelism", plan, "activations_GB"), want,
				  1e-6 * want),
			"%s: %g, by hand %g", rows[i].id,
			said("parallelism", plan, "activations_GB"), want);
		cr_expect(epsilon_eq(dbl, said("memory", memory, "activations_GB"), want,
				  0.005 * want),
			"%s", memory);
		/* The embedding and the vocabulary, 2 x 128,256 x 4,096, in BF16; the rest of 8.03 G as
		 * the recipe has it. */
		double ends = 2 * 128256.0 * 4096, layers = 8030261248 - ends;
		int id = 0;
		while (strcmp(step_recipe_ids[id], rows[i].id) != 0)
			id++;
		double weights = (ends * 2 + layers * step_recipes[id].weight_bytes) / 8 / 1e9;
		cr_expect(epsilon_eq(dbl, said("parallelism", plan, "weights_GB"), weights,
				  1e-4 * weights),
			"%s: %g", plan, said("parallelism", plan, "weights_GB"));
		double state = said("parallelism", plan, "weights_GB") +
			       said("parallelism", plan, "gradients_GB") +
			       said("parallelism", plan, "optimizer_GB");
		cr_expect(epsilon_eq(dbl, said("memory", memory, "static_GB"), state, 1e-6 * state),
			"%s", memory);
		double step_s = said("parallelism", plan, "step_ms") / 1e3;
		cr_expect(epsilon_eq(dbl, said("memory", memory, "step_s"), step_s, 0.03 * step_s),
			"%s", memory);
	}
}

/* What is asked for and not there is said, with what runs instead. */
Test(step_recipe, a_recipe_without_a_unit_is_named)
{
	static const struct {
		const char *sim, *settings, *said;
	} rows[] = { { "parallelism", "gpu=h100 act_dtype=mxfp8",
			     "H100 SXM has no unit for MXFP8" },
		{ "memory", "gpu=a100 act_dtype=fp8_block",
			"A100-80 SXM has no unit for FP8 in blocks" },
		{ "memory", "gpu=b200 act_dtype=fp8_block", NULL },
		{ "parallelism", "gpu=gb200 act_dtype=nvfp4", NULL } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = sim_run(sim_find(rows[i].sim), &facts, rows[i].settings);
		const char *found = NULL;
		for (size_t k = 0; k < fig.n_blocks; k++)
			if (fig.blocks[k]->kind == BLOCK_NOTE &&
				strstr(fig.blocks[k]->as.note.text, "has no unit for"))
				found = fig.blocks[k]->as.note.text;
		if (rows[i].said)
			cr_expect(found && strstr(found, rows[i].said) &&
					  strstr(found, "run in BF16"),
				"%s: %s", rows[i].settings, found ? found : "nothing");
		else
			cr_expect(found == NULL, "%s: %s", rows[i].settings, found);
		figure_release(&fig);
	}
	/* Another spelling of what it always was. */
	cr_expect(eq(dbl, said("parallelism", "gpu=h100 act_dtype=fp4", "step_ms"),
		said("parallelism", "gpu=h100", "step_ms")));
}
