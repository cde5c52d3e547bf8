/* What a type of weights saves: bytes always, arithmetic only where the GPU multiplies in it. One rule
 * for all simulations of servers. */
#include "sims/gpu/precision.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

extern const struct sim batching_sim, speculative_sim, capacity_sim, kvcache_sim;

static struct tables t;

static void load(void)
{
	t = load_tables();
}

static void unload(void)
{
	tables_release(&t);
}

TestSuite(precision, .init = load, .fini = unload);

/* B200 multiplies in FP8 and FP4, H100 in FP8 and INT8, A100 in INT8 alone; nothing in INT4. */
Test(precision, what_goes_into_products)
{
	static const struct {
		const char *gpu;
		enum value_type weights;
		enum dtype products;
	} rows[] = {
		{ "b200", VALUE_INT4, DTYPE_BF16 },
		{ "b200", VALUE_FP4, DTYPE_FP4 },
		{ "b200", VALUE_FP8, DTYPE_FP8 },
		{ "h100", VALUE_INT4, DTYPE_BF16 },
		{ "h100", VALUE_FP4, DTYPE_BF16 },
		{ "h100", VALUE_FP8, DTYPE_FP8 },
		{ "h100", VALUE_INT8, DTYPE_INT8 },
		{ "a100", VALUE_FP8, DTYPE_BF16 },
		{ "a100", VALUE_INT8, DTYPE_INT8 },
		{ "a100", VALUE_INT4, DTYPE_BF16 },
		{ "b200", VALUE_BF16, DTYPE_BF16 },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct accelerator *g = gpu_find(&t, rows[i].gpu);
		cr_expect(eq(int, (int)activation_dtype(g, rows[i].weights, ACTIVATION_AUTO),
				  (int)rows[i].products),
			"%s, %s", rows[i].gpu, value_type_names[rows[i].weights]);
		/* Asked for 16 bits, it is 16 bits. */
		cr_expect(eq(int, (int)activation_dtype(g, rows[i].weights, ACTIVATION_BF16),
			(int)DTYPE_BF16));
	}
}

/* A prompt of 8,192 tokens is bound by arithmetic, a token of one sequence by the bytes of 70e9
 * weights: on every GPU of the tables INT4 takes as long as BF16 for the one, and less for the
 * other. */
Test(precision, int4_saves_bytes_and_no_arithmetic)
{
	const struct model *m = model_find(&t, "llama3-70b");
	for (size_t i = 0; i < t.n_gpus; i++) {
		const struct accelerator *g = &t.gpus[i];
		if (!(g->bandwidth > 0 && g->peak_flops[DTYPE_BF16] > 0))
			continue;
		struct engine_shape wide =
			engine_shape_typed(m, g, 1, VALUE_BF16, ACTIVATION_AUTO, VALUE_BF16);
		struct engine_shape narrow =
			engine_shape_typed(m, g, 1, VALUE_INT4, ACTIVATION_AUTO, VALUE_BF16);
		double prompt_s = engine_step_s(&wide, 0, 0, 8192, 0);
		cr_expect(epsilon_eq(dbl, engine_step_s(&narrow, 0, 0, 8192, 0), prompt_s,
				  0.03 * prompt_s),
			"%s", g->id);
		cr_expect(
			engine_step_s(&narrow, 1, 1000, 0, 0) < engine_step_s(&wide, 1, 1000, 0, 0),
			"%s", g->id);
	}
}

/* Where arithmetic binds on B200, each simulation gains from FP8 and nothing from INT4; those that
 * offer FP4 gain more from it than from FP8. */
Test(precision, every_server_keeps_the_rule)
{
	static const struct {
		const struct sim *sim;
		const char *settings, *id, *types[4]; /* BF16, INT4, FP8, FP4 */
		bool rate;
	} rows[] = {
		{ &batching_sim,
			"gpu=b200 model=llama3-70b tp=4 rate_per_s=1000 prompt_tokens=8192 "
			"output_tokens=1 lengths=fixed requests=200 chunk_tokens=8192",
			"requests_per_s",
			{ "weight_dtype=bf16", "weight_dtype=int4", "weight_dtype=fp8",
				"weight_dtype=fp4" },
			true },
		{ &speculative_sim, "gpu=b200 times=engine model=llama3-70b batch=512 k=8",
			"round_ms",
			{ "weight_dtype=bf16", "weight_dtype=int4", "weight_dtype=fp8",
				"weight_dtype=fp4" },
			false },
		{ &capacity_sim,
			"gpu=b200 model=llama3-70b tp=4 rate_per_s=10000 chunk_tokens=2048",
			"gpus_compute",
			{ "weight_dtype=bf16", "weight_dtype=int4", "weight_dtype=fp8",
				"weight_dtype=fp4" },
			false },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		double took[4] = { 0 };
		for (size_t k = 0; k < 4 && rows[i].types[k]; k++) {
			char settings[240];
			snprintf(settings, sizeof settings, "%s %s", rows[i].settings,
				rows[i].types[k]);
			took[k] = sim_number(rows[i].sim, &t, settings, rows[i].id);
			took[k] = rows[i].rate ? 1 / took[k] : took[k];
		}
		cr_expect(epsilon_eq(dbl, took[1], took[0], 0.02 * took[0]), "%s", rows[i].sim->id);
		cr_expect(took[2] < 0.85 * took[0], "%s", rows[i].sim->id);
		cr_expect(rows[i].types[3] == NULL || took[3] < took[2], "%s", rows[i].sim->id);
	}
}

/* The cache's simulation shows its time as the length of its run: prompts of 30,000 tokens, few of
 * which fit at once. */
Test(precision, the_cache_keeps_the_rule)
{
	static const char *const types[] = { "bf16", "int4", "fp4" };
	double took_s[3];
	for (size_t i = 0; i < 3; i++) {
		char settings[200];
		snprintf(settings, sizeof settings,
			"gpu=b200 model=llama3-70b gpus=4 context=32768 prompt_tokens=30000 "
			"output_tokens=1 length_cv=0 requests=400 weight_dtype=%s",
			types[i]);
		struct figure fig = sim_run(&kvcache_sim, &t, settings);
		took_s[i] = fig.duration_s;
		figure_release(&fig);
	}
	cr_expect(took_s[0] > 0);
	cr_expect(epsilon_eq(dbl, took_s[1], took_s[0], 0.05 * took_s[0]));
	cr_expect(took_s[2] < 0.8 * took_s[0]);
}
