/* The operations of a layer by their sheet, and the engine's iteration by its limits. */
#include "sims/gpu/engine_shape.h"
#include "sims/gpu/transformer.h"
#include "sims/base/rng.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

static struct tables load(void)
{
	struct tables t = { 0 };
	char err[200];
	cr_assert(tables_load(&t, err, sizeof err) == 0, "%s", err);
	return t;
}

static const struct layer_shape sheet_layer = { .hidden = 4096,
	.heads = 32,
	.kv_heads = 32,
	.head_dim = 128,
	.ffn = 16384,
	.batch = 4,
	.new_tokens = 2048,
	.dtype = DTYPE_BF16,
	.tp = 1 };

static struct operation find(
	const struct accelerator *g, const struct layer_shape *s, const char *id)
{
	struct operation ops[MAX_OPERATIONS];
	size_t n = layer_operations(g, s, ops);
	for (size_t i = 0; i < n; i++)
		if (strcmp(ops[i].id, id) == 0)
			return ops[i];
	return (struct operation){ .flops = NAN, .bytes = NAN };
}

/* A050 to A059c, softmax with its missing heads: batch 4, sequence 2,048, hidden 4,096, 32 heads,
 * every head's scores counted. */
Test(transformer, layer_by_the_sheet)
{
	static const struct {
		const char *id;
		bool flash;
		double gflop, mb, intensity, tolerance;
	} rows[] = {
		{ "qkv", false, 824.6, 369.1, 2234.2, 0.05 },
		{ "qk_t", false, 137.4, 1208.0, 113.8, 0.05 },
		{ "softmax", false, 2.684, 2147.5, 1.25, 1e-9 },
		{ "attn_v", false, 137.4, 1208.0, 113.8, 0.05 },
		{ "out_proj", false, 274.9, 167.8, 1638.4, 0.05 },
		{ "layernorm", false, 0.134, 402.7, 0.333, 0.0005 },
		{ "ffn_up", false, 1099.5, 469.8, 2340.6, 0.05 },
		{ "gelu", false, 1.074, 536.9, 2.0, 0.0005 }, /* 8 FLOP per element */
		{ "ffn_down", false, 1099.5, 469.8, 2340.6, 0.05 },
		{ "flash", true, 274.9, 268.4, 1024, 0.05 },
	};
	struct tables t = load();
	const struct accelerator *g = gpu_find(&t, "a100");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct layer_shape s = sheet_layer;
		s.flash = rows[i].flash;
		struct operation op = find(g, &s, rows[i].id);
		cr_expect(epsilon_eq(dbl, op.flops / 1e9, rows[i].gflop, rows[i].gflop * 2e-3),
			"%s", rows[i].id);
		cr_expect(epsilon_eq(dbl, op.bytes / 1e6, rows[i].mb, rows[i].mb * 2e-4), "%s",
			rows[i].id);
		cr_expect(
			epsilon_eq(dbl, op.flops / op.bytes, rows[i].intensity, rows[i].tolerance),
			"%s: %g", rows[i].id, op.flops / op.bytes);
	}
	tables_release(&t);
}

/* Sizes of which no two are alike: of 12 heads of 5 a GPU of four has 3, and one of the 2 KV heads,
 * each of which two of them hold; 10 of 40 FFN columns. 3 sequences of 7 new tokens after 11 are 21
 * rows of 64. 16-bit values, and 4 B in a norm.
 *   scores: 3 x (3 x 7) x 18 = 1134; 2 x 1134 x 5 FLOP; 2 x (3 x 5 x (21 + 18) + 1134) B
 *   causal pairs: 7 x (11 + 4) = 105 of 126; 4 x 3 x 3 x 105 x 5 FLOP; 4 x 3 x 5 x (21 + 18) B */
static const struct layer_shape small_layer = { .hidden = 64,
	.heads = 12,
	.kv_heads = 2,
	.head_dim = 5,
	.ffn = 40,
	.batch = 3,
	.new_tokens = 7,
	.context = 11,
	.dtype = DTYPE_BF16,
	.tp = 4 };

Test(transformer, a_small_layer_by_hand)
{
	enum { FLASH = 1, CAUSAL = 2, FUSED = 4, GATED = 8 };
	static const struct {
		const char *id;
		int flags;
		double count, flops, bytes, m, n, k, batch;
	} rows[] = {
		{ "qkv", 0, 1, 2 * 21 * 25 * 64, 0, 21, 25, 64, 1 },
		{ "qk_t", 0, 1, 11340, 3438, 21, 18, 5, 3 },
		{ "attn_v", 0, 1, 11340, 3438, 21, 5, 18, 3 },
		{ "softmax", 0, 1, 5 * 1134, 4 * 1134, 0, 0, 0, 0 },
		{ "flash", FLASH, 1, 22680, 2340, 0, 0, 0, 0 },
		{ "flash", FLASH | CAUSAL, 1, 18900, 2340, 0, 0, 0, 0 },
		{ "out_proj", 0, 1, 2 * 21 * 64 * 15, 0, 21, 64, 15, 1 },
		{ "ffn_up", 0, 1, 2 * 21 * 10 * 64, 0, 21, 10, 64, 1 },
		{ "ffn_up", GATED, 1, 2 * 21 * 20 * 64, 0, 21, 20, 64, 1 },
		{ "ffn_down", GATED, 1, 2 * 21 * 64 * 10, 0, 21, 64, 10, 1 },
		{ "layernorm", 0, 2, 4 * 1344, 12 * 1344, 0, 0, 0, 0 },
		{ "residual", 0, 2, 1344, 6 * 1344, 0, 0, 0, 0 },
		{ "norm_residual", FUSED, 2, 5 * 1344, 8 * 1344, 0, 0, 0, 0 },
		{ "gelu", 0, 1, 8 * 210, 4 * 210, 0, 0, 0, 0 },
		{ "gelu", GATED, 1, 9 * 210, 6 * 210, 0, 0, 0, 0 },
	};
	struct tables t = load();
	const struct accelerator *g = gpu_find(&t, "a100");
	struct operation ops[MAX_OPERATIONS];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct layer_shape s = small_layer;
		s.flash = rows[i].flags & FLASH;
		s.causal = rows[i].flags & CAUSAL;
		s.fused = rows[i].flags & FUSED;
		s.gated = rows[i].flags & GATED;
		struct operation op = find(g, &s, rows[i].id);
		cr_expect(eq(dbl, op.count, rows[i].count), "row %zu", i);
		cr_expect(eq(dbl, op.flops, rows[i].flops), "row %zu", i);
		if (rows[i].bytes > 0)
			cr_expect(eq(dbl, op.bytes, rows[i].bytes), "row %zu", i);
		cr_expect(eq(dbl, op.m, rows[i].m), "row %zu", i);
		cr_expect(eq(dbl, op.n, rows[i].n), "row %zu", i);
		cr_expect(eq(dbl, op.k, rows[i].k), "row %zu", i);
		cr_expect(eq(dbl, op.batch, rows[i].batch), "row %zu", i);
	}
	struct layer_shape s = small_layer;
	cr_expect(eq(sz, layer_operations(g, &s, ops), 10));
	s.flash = s.fused = true;
	cr_expect(eq(sz, layer_operations(g, &s, ops), 6));
	tables_release(&t);
}

/* What is written between kernels has 16 bits where the weights have 8, and 32 where they have
 * those: 2 x 1344 values of a residual are read, and as many written, of 2 B and of 4 B. */
Test(transformer, values_between_kernels)
{
	static const struct {
		enum dtype dtype;
		double bytes;
	} rows[] = { { DTYPE_FP8, 2 }, { DTYPE_INT8, 2 }, { DTYPE_FP16, 2 }, { DTYPE_FP32, 4 } };
	struct tables t = load();
	const struct accelerator *g = gpu_find(&t, "h100");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct layer_shape s = small_layer;
		s.dtype = rows[i].dtype;
		cr_expect(eq(dbl, find(g, &s, "residual").bytes, 3 * 1344 * rows[i].bytes));
		cr_expect(eq(dbl, find(g, &s, "softmax").bytes, 2 * 1134 * rows[i].bytes));
		enum dtype attention = rows[i].dtype == DTYPE_FP32   ? DTYPE_FP32
				       : rows[i].dtype == DTYPE_FP16 ? DTYPE_FP16
								     : DTYPE_BF16;
		cr_expect(eq(int, (int)find(g, &s, "qk_t").math, (int)attention));
		cr_expect(eq(int, (int)find(g, &s, "qkv").math, (int)rows[i].dtype));
	}
	tables_release(&t);
}

/* On the A100's datasheet the weight products of that layer take 3,298.5 GFLOP / 312 TFLOP/s. */
Test(transformer, weight_products_at_the_peak)
{
	struct tables t = load();
	const struct accelerator *g = gpu_find(&t, "a100");
	static const char *const ids[] = { "qkv", "out_proj", "ffn_up", "ffn_down" };
	double s = 0;
	for (size_t i = 0; i < 4; i++) {
		struct operation op = find(g, &sheet_layer, ids[i]);
		s += operation_time_s(g, &sheet_layer, &op, false);
	}
	cr_expect(epsilon_eq(dbl, s, 10.57e-3, 0.01e-3));
	tables_release(&t);
}

/* A tensor-parallel group shares heads and FFN columns: the products' FLOPs add up to the whole. */
Test(transformer, tensor_parallel_shares_the_products)
{
	struct tables t = load();
	const struct accelerator *g = gpu_find(&t, "h100");
	struct layer_shape s = sheet_layer;
	s.tp = 8;
	static const char *const ids[] = { "qkv", "qk_t", "attn_v", "out_proj", "ffn_up",
		"ffn_down" };
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		double one = find(g, &sheet_layer, ids[i]).flops, part = find(g, &s, ids[i]).flops;
		cr_expect(epsilon_eq(dbl, 8 * part, one, one * 1e-12), "%s", ids[i]);
	}
	tables_release(&t);
}

/* F8.2: 7e9 weights of 2 B over 2.039 TB/s and over 3.35 TB/s; F8.3: 29.8 TFLOP. */
Test(transformer, floors)
{
	struct tables t = load();
	struct model m = { .params = 7e9,
		.layers = 32,
		.hidden = 4096,
		.heads = 32,
		.kv_heads = 32,
		.head_dim = 128 };
	const struct accelerator *a100 = gpu_find(&t, "a100"), *h100 = gpu_find(&t, "h100");
	double a = decode_floor_s(&m, a100, 1, DTYPE_BF16, 1, 0);
	double h = decode_floor_s(&m, h100, 1, DTYPE_BF16, 1, 0);
	cr_expect(epsilon_eq(dbl, a, 6.866e-3, 0.001e-3));
	cr_expect(epsilon_eq(dbl, h, 4.179e-3, 0.001e-3));
	cr_expect(epsilon_eq(dbl, prefill_work_flops(&m, 2048, 0) / 1e12, 29.8, 0.05));
	cr_expect(epsilon_eq(dbl, model_kv_bytes_per_token(&m, DTYPE_BF16), 524288, 0));
	/* Two sequences of 1,024 tokens add 2,048 x 524,288 B. */
	double kv = decode_floor_s(&m, a100, 1, DTYPE_BF16, 2, 2048) - a;
	cr_expect(epsilon_eq(dbl, kv, 2048 * 524288 / 2.039e12, 1e-9));
	tables_release(&t);
}

/* gpt-fast's README (BSD-3): tokens per s of Llama-2-7B at batch 1 on A100-80. Compiled into one
 * graph per step, as the model has it; the tolerance is what a power limit of 330 W may cost. */
Test(transformer, decoding_alone_as_measured)
{
	static const struct {
		int tp;
		double tokens_per_s;
	} rows[] = { { 1, 104.9 }, { 2, 168.84 }, { 4, 254.02 }, { 8, 328.43 } };
	struct tables t = load();
	const struct model *m = model_find(&t, "llama2-7b");
	const struct accelerator *g = gpu_find(&t, "a100");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double got = 1 / decode_step_s(m, g, rows[i].tp, DTYPE_BF16, 1, 100);
		cr_expect(fabs(got / rows[i].tokens_per_s - 1) < 0.2, "tp %d: %g", rows[i].tp, got);
	}
	tables_release(&t);
}

Test(transformer, iterations_are_monotone_and_above_the_floor)
{
	struct tables t = load();
	struct rng r = rng_stream(1, "engine", 0);
	for (int i = 0; i < 60; i++) {
		const struct model *m = &t.models[rng_below(&r, t.n_models)];
		const struct accelerator *g = &t.gpus[rng_below(&r, t.n_gpus)];
		int tp = 1 << rng_below(&r, 4);
		struct engine_shape e = engine_shape_of(m, g, tp, DTYPE_BF16, DTYPE_BF16);
		cr_expect(zero(dbl, engine_step_s(&e, 0, 0, 0, 0)));
		for (int j = 0; j < 20; j++) {
			double seqs = 1 + floor(exp2(10 * rng_uniform(&r)));
			double kv = seqs * floor(exp2(14 * rng_uniform(&r)));
			double tokens = floor(exp2(14 * rng_uniform(&r)));
			double s = engine_step_s(&e, seqs, kv, tokens, 0);
			cr_expect(isfinite(s), "%s on %s", m->id, g->id);
			cr_expect(s <= engine_step_s(&e, seqs, 2 * kv, tokens, 0));
			cr_expect(s <= engine_step_s(&e, seqs, kv, tokens, 4096));
			cr_expect(s <= engine_step_s(&e, seqs, kv, 2 * tokens, 0));
			cr_expect(s >= engine_step_s(&e, seqs, kv, 0, 0));
		}
	}
	tables_release(&t);
}

/* The look-up passes through the model: decoding a grid point's batch is layers and head there. */
Test(transformer, tables_hold_the_products)
{
	struct tables t = load();
	const struct model *m = model_find(&t, "llama2-7b");
	const struct accelerator *g = gpu_find(&t, "h100");
	struct engine_shape e = engine_shape_of(m, g, 1, DTYPE_BF16, DTYPE_BF16);
	static const double rows[] = { 1, 128, 1024, 4096, 15872 };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double want = 32 * (gemm_time_s(g, DTYPE_BF16, rows[i], 3 * 4096, 4096) +
					   gemm_time_s(g, DTYPE_BF16, rows[i], 4096, 4096) +
					   gemm_time_s(g, DTYPE_BF16, rows[i], 2 * 11008, 4096) +
					   gemm_time_s(g, DTYPE_BF16, rows[i], 4096, 11008));
		want += gemm_time_s(g, DTYPE_BF16, 1, 32000, 4096) + e.fixed_s +
			e.attention[0].prefill_fixed_s;
		want += rows[i] * (e.s_per_token + e.attention[0].prefill_s_per_token +
					  e.attention[0].prefill_s_per_pair * rows[i] / 2);
		double got = engine_step_s(&e, 0, 0, rows[i], 0);
		cr_expect(epsilon_eq(dbl, got, want, want * 0.01), "%g rows: %g, %g", rows[i], got,
			want);
	}
	tables_release(&t);
}
