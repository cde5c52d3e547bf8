/* Kernels against the datasheet's roofline, against laws, and against published timings. */
#include "sims/gpu/kernel.h"
#include "sims/gpu/linear_ops.h"
#include "sims/base/rng.h"
#include "sims/base/stats.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Round numbers, so that the expected times can be worked by hand. */
static const struct accelerator toy = {
	.id = "toy",
	.family = "toy",
	.peak_flops = { [DTYPE_BF16] = 100e12, [DTYPE_FP8] = 200e12 },
	.bandwidth = 1e12,
	.link_bandwidth = 100e9,
	.achieved = { .compute = 0.8, .memory = 0.5, .launch_s = 2e-6 },
};

static struct tables load(void)
{
	struct tables t = { 0 };
	char err[200];
	cr_assert(tables_load(&t, err, sizeof err) == 0, "%s", err);
	return t;
}

Test(kernel, roofline_by_hand)
{
	static const struct {
		enum dtype d;
		double flops, bytes, ideal_s, achieved_s;
	} rows[] = {
		{ DTYPE_BF16, 100e9, 1e6, 1e-3, 2e-6 + 1.25e-3 }, /* compute-bound */
		{ DTYPE_BF16, 1e6, 1e9, 1e-3, 2e-6 + 2e-3 },      /* memory-bound */
		{ DTYPE_BF16, 100e9, 1e9, 1e-3, 2e-6 + 2e-3 },    /* at the ridge */
		{ DTYPE_FP8, 100e9, 1e6, 0.5e-3, 2e-6 + 0.625e-3 },
		{ DTYPE_FP4, 100e9, 1e6, 1e-3, 2e-6 + 1.25e-3 },     /* no unit: BF16 does it */
		{ DTYPE_INT8, 100e9, 1e6, 0.5e-3, 2e-6 + 0.625e-3 }, /* FP8 does it */
		{ DTYPE_BF16, 0, 0, 0, 2e-6 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double ideal = datasheet_time_s(&toy, rows[i].d, rows[i].flops, rows[i].bytes);
		double got = kernel_time_s(&toy, rows[i].d, rows[i].flops, rows[i].bytes);
		cr_expect(epsilon_eq(dbl, ideal, rows[i].ideal_s, 1e-12), "row %zu", i);
		cr_expect(epsilon_eq(dbl, got, rows[i].achieved_s, 1e-12), "row %zu", i);
	}
	struct accelerator nothing = { .bandwidth = 1e12 };
	cr_expect(isinf(datasheet_time_s(&nothing, DTYPE_BF16, 1, 0)));
}

/* As the library has it, to the last digits but one; of nothing, and of what never ends, itself. */
Test(kernel, roots_of_cubes)
{
	for (double b = 0; b <= 1; b += 0.01) {
		double want = cbrt(1 + b * b * b);
		cr_expect(epsilon_eq(dbl, root_of_cubes(1, b), want, 1e-15));
		cr_expect(epsilon_eq(dbl, root_of_cubes(1e-6 * b, 1e-6), 1e-6 * want, 1e-21));
	}
	cr_expect(eq(dbl, root_of_cubes(0, 0), 0));
	cr_expect(eq(dbl, root_of_cubes(INFINITY, 1), INFINITY));
	cr_expect(eq(dbl, root_of_cubes(INFINITY, INFINITY), INFINITY));
	cr_expect(isnan(root_of_cubes(NAN, 1)));
}

Test(kernel, missing_units_fall_back)
{
	struct tables t = load();
	const struct accelerator *v100 = gpu_find(&t, "v100"), *a100 = gpu_find(&t, "a100");
	cr_expect(eq(int, kernel_math_dtype(v100, DTYPE_BF16), DTYPE_FP16));
	cr_expect(eq(int, kernel_math_dtype(v100, DTYPE_TF32), DTYPE_FP32));
	cr_expect(eq(int, kernel_math_dtype(a100, DTYPE_FP8), DTYPE_BF16));
	cr_expect(eq(int, kernel_math_dtype(a100, DTYPE_FP4), DTYPE_BF16));
	cr_expect(eq(int, kernel_math_dtype(a100, DTYPE_INT8), DTYPE_INT8));
	/* 4-bit weights on an A100: 16-bit activations (64 x 4096 each way) and half a byte of
	 * 4096 x 4096: 0.524 + 8.389 + 0.524 MB. */
	double bytes = gemm_bytes(a100, DTYPE_FP4, 64, 4096, 4096);
	cr_expect(epsilon_eq(dbl, bytes, 9437184, 0.5));
	tables_release(&t);
}

/* One tile of 128 x 256 is the work of one SM: on 2 SMs, tiles of that size take whole waves. */
Test(kernel, products_pay_for_whole_waves)
{
	struct accelerator g = toy;
	g.sm_count = 2;
	g.achieved.memory = 1;
	g.bandwidth = 1e15; /* nothing waits for memory */
	g.achieved.launch_s = 0;
	/* 2 x 128 x 256 x 8192 FLOP on one of two SMs of 40 TFLOP/s sustained: 13.42 us. */
	double wave_s = 2.0 * 128 * 256 * 8192 / 40e12;
	double two = gemm_time_s(&g, DTYPE_BF16, 256, 256, 8192);
	cr_expect(epsilon_eq(dbl, two, wave_s, wave_s * 1e-3));
	double four = gemm_time_s(&g, DTYPE_BF16, 512, 256, 8192);
	cr_expect(epsilon_eq(dbl, four, 2 * wave_s, wave_s * 1e-3));
	/* A row more opens another row of tiles; the smallest kind adds half a wave at best. */
	double more = gemm_time_s(&g, DTYPE_BF16, 513, 256, 8192);
	cr_expect(lt(dbl, four * 1.05, more));
}

/* Rows of 510 values of 2 B start on multiples of 4 B: an SM that takes 64 B a clock in pieces of
 * 16 B takes 16 then. Two tiles of 128 x 128 on two SMs, each with 256 rows of operands and its
 * result: (256 x 510 + 128 x 128) x 2 B at 16 GB/s. */
Test(kernel, rows_that_start_anywhere_come_in_small_pieces)
{
	struct accelerator g = toy;
	g.sm_count = 2;
	g.clock_hz = 1e9;
	g.bandwidth = 1e15;
	g.achieved.launch_s = 0;
	g.achieved.operand_bytes = 64;
	double s = gemm_time_s(&g, DTYPE_BF16, 256, 128, 510);
	cr_expect(epsilon_eq(dbl, s, 18.368e-6, 1e-10));
	/* Half the vector, half the rate, even where only the result's rows are odd:
	 * (256 x 504 + 128 x 128) x 2 B at 8 GB/s. */
	double odd = gemm_time_s(&g, DTYPE_BF16, 256, 127, 504);
	cr_expect(epsilon_eq(dbl, odd, 36.352e-6, 1e-10));
	/* Whole vectors, and parts of a value, which somebody has to pad, cost nothing. */
	double whole = gemm_time_s(&g, DTYPE_BF16, 256, 128, 504);
	cr_expect(lt(dbl, whole, s / 3));
	cr_expect(epsilon_eq(dbl, gemm_time_s(&g, DTYPE_BF16, 256, 127.5, 504), whole, 1e-10));
}

/* Products of traces of BERT and TimeSformer on an H100 (TraceLens), and what padding a vocabulary
 * of 30,522 to 30,528 would save. */
Test(kernel, unaligned_products_as_traced)
{
	static const struct {
		double batch, m, n, k, us, within;
	} rows[] = {
		{ 1, 141, 30522, 512, 41.28, 0.15 },
		{ 1, 141, 512, 2048, 8.225, 0.15 },
		{ 96, 3137, 3137, 64, 1897, 0.15 },
		{ 96, 3137, 64, 3137, 1694, 0.15 },
		{ 1, 25089, 768, 3072, 158.9, 0.15 },
	};
	struct tables t = load();
	const struct accelerator *g = gpu_find(&t, "h100");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double s = eager_product_s(
			&eager_engine, g, rows[i].batch, rows[i].m, rows[i].n, rows[i].k);
		cr_expect(fabs(1e6 * s / rows[i].us - 1) < rows[i].within, "row %zu: %g", i, s);
	}
	double odd = gemm_time_s(g, DTYPE_BF16, 141, 30522, 512);
	cr_expect(lt(dbl, gemm_time_s(g, DTYPE_BF16, 141, 30528, 512), odd / 1.5));
	tables_release(&t);
}

Test(kernel, nothing_beats_the_datasheet_and_more_takes_longer)
{
	struct tables t = load();
	struct rng r = rng_stream(1, "kernel", 0);
	for (int i = 0; i < 300; i++) {
		const struct accelerator *g = &t.gpus[rng_below(&r, t.n_gpus)];
		enum dtype d = (enum dtype)rng_below(&r, N_DTYPES);
		double m = floor(exp2(15 * rng_uniform(&r))),
		       n = 64 + floor(exp2(14 * rng_uniform(&r)));
		double k = 64 + floor(exp2(14 * rng_uniform(&r))), flops = 2 * m * n * k;
		double bytes = gemm_bytes(g, d, m, n, k);
		double ideal = datasheet_time_s(g, d, flops, bytes);
		double got = gemm_time_s(g, d, m, n, k);
		cr_expect(isfinite(got) && got >= ideal, "%s %d: %g x %g x %g", g->id, d, m, n, k);
		/* Twice the rows or the depth are never faster. */
		cr_expect(gemm_time_s(g, d, 2 * m, n, k) >= got * (1 - 1e-9), "%s m %g", g->id, m);
		cr_expect(
			kernel_time_s(g, d, 2 * flops, bytes) >= kernel_time_s(g, d, flops, bytes));
		cr_expect(
			kernel_time_s(g, d, flops, 2 * bytes) >= kernel_time_s(g, d, flops, bytes));
		struct attention_shape s = { .batch = 1 + floor(64 * rng_uniform(&r)),
			.q_heads = 32,
			.kv_heads = 8,
			.head_dim = 128,
			.kv_bytes = 2 };
		double decode = attention_decode_time_s(g, &s, m);
		cr_expect(isfinite(decode) && decode <= attention_decode_time_s(g, &s, 2 * m));
		double prefill = attention_prefill_time_s(g, &s, m, 0);
		cr_expect(isfinite(prefill) && prefill <= attention_prefill_time_s(g, &s, m, 100));
		cr_expect(prefill <= attention_prefill_time_s(g, &s, 2 * m, 0));
	}
	tables_release(&t);
}

Test(kernel, attention_by_hand)
{
	struct accelerator g = toy;
	g.achieved.attention = 0.5;
	g.achieved.attention_memory = 0.8;
	g.achieved.attention_s = 10e-6;
	struct attention_shape s = {
		.batch = 16, .q_heads = 32, .kv_heads = 8, .head_dim = 128, .kv_bytes = 2
	};
	/* 2 x 8 x 128 x 2 B x 16 x 12,800 tokens = 838.9 MB at 800 GB/s, after 10 us. */
	cr_expect(epsilon_eq(dbl, attention_decode_time_s(&g, &s, 12800), 1058.576e-6, 1e-9));
	/* Ten SMs that 16 x 8 blocks hold for 5 us each: 64 us, which the long stream hides
	 * (1,048.576 x (1 + (64 / 1,048.576)^3 / 3)) and which one token shows. */
	g.sm_count = 10;
	g.achieved.attention_group_s = 5e-6;
	cr_expect(epsilon_eq(dbl, attention_decode_time_s(&g, &s, 12800), 1058.655e-6, 2e-9));
	cr_expect(epsilon_eq(dbl, attention_decode_time_s(&g, &s, 1), 74e-6, 1e-9));
	/* With a head to each cache, 16 x 32 blocks of 2 us. */
	g.achieved.attention_head_s = 2e-6;
	s.kv_heads = 32;
	cr_expect(epsilon_eq(dbl, attention_decode_time_s(&g, &s, 1), 112.4e-6, 1e-9));
	s.kv_heads = 8;
	g.sm_count = 0;
	/* A long prefill comes down to its FLOPs: 4 x 32 x 128 x s^2 / 2 at 50 TFLOP/s. */
	s.batch = 1;
	double len = 131072, math_s = 2.0 * 32 * 128 * len * len / 50e12;
	double got = attention_prefill_time_s(&g, &s, len, 0);
	cr_expect(got > math_s && got < 1.02 * math_s, "%g against %g", got, math_s);
	s.full = true;
	cr_expect(attention_prefill_time_s(&g, &s, len, 0) > 1.95 * math_s);
}

/* 256 new tokens behind 1,000 of two sequences, four heads of 64 over one of the cache. Blocks of 128
 * see 1,000 + (256 + 128) / 2 = 1,192 on average: 4 x 2 x 4 x 64 x 256 x 1,192 = 624.95 MFLOP at 50
 * TFLOP/s, 12.499 us. Rows of 4 + 2 heads are read twice and 4 written, of 2 B: 256 x 2 x 16, and
 * keys and values of 1,000 tokens, 2 x 2 x 1,000: 12,192 x 2 x 64 = 1.5606 MB at 0.5 TB/s, 3.121 us.
 * Two kernels start in 2 us each, the attention in 10. */
Test(kernel, prefill_by_hand)
{
	struct accelerator g = toy;
	g.achieved.attention = 0.5;
	g.achieved.attention_s = 10e-6;
	struct attention_shape s = {
		.batch = 2, .q_heads = 4, .kv_heads = 1, .head_dim = 64, .kv_bytes = 2
	};
	cr_expect(epsilon_eq(dbl, attention_prefill_time_s(&g, &s, 256, 1000), 29.620e-6, 1e-9));
	/* All see all: 1,256 instead of 1,192. */
	s.full = true;
	cr_expect(epsilon_eq(dbl, attention_prefill_time_s(&g, &s, 256, 1000),
		29.620e-6 + 12.499e-6 * 64 / 1192, 1e-9));
	/* 2 x 4 x 2 blocks of 5 us on eight SMs. */
	g.sm_count = 8;
	g.achieved.attention_block_s = 5e-6;
	cr_expect(epsilon_eq(dbl, attention_prefill_time_s(&g, &s, 256, 1000),
		39.620e-6 + 12.499e-6 * 64 / 1192, 1e-9));
}

Test(kernel, allreduce_moves_the_ring_share)
{
	cr_expect(zero(dbl, node_allreduce_time_s(&toy, 1, 1e9)));
	/* 2 x 7/8 x 1 GB at three quarters of 100 GB/s. */
	double s = node_allreduce_time_s(&toy, 8, 1e9) - node_allreduce_time_s(&toy, 8, 0);
	cr_expect(epsilon_eq(dbl, s, 1.75e9 / 75e9, 1e-9));
	cr_expect(lt(dbl, node_allreduce_time_s(&toy, 2, 0), node_allreduce_time_s(&toy, 8, 0)));
}

/* NCCL over PCIe: 8 B take 42 us over eight RTX 4090 (NVIDIA/nccl, issue 1530). Without a link of
 * its own a group of eight waits for 14 hops, so that it decodes more slowly than one on NVLink by
 * 2 x 32 layers x 14 hops of 2.6 us less the seven handshakes. */
Test(kernel, groups_over_pcie_wait_for_its_hops)
{
	struct tables t = load();
	const struct accelerator *g = gpu_find(&t, "rtx4090");
	cr_assert(g != NULL && g->link_bandwidth == 0);
	double s = node_allreduce_time_s(g, 8, 8);
	cr_expect(epsilon_eq(dbl, s, 42e-6, 4e-6));
	struct accelerator pcie = toy;
	pcie.link_bandwidth = 0;
	double more = node_allreduce_time_s(&pcie, 8, 0) - node_allreduce_time_s(&toy, 8, 0);
	cr_expect(epsilon_eq(dbl, more, 14 * 2.6e-6 - 7 * 0.5e-6, 1e-12));
	tables_release(&t);
}

struct measured {
	char gpu[16], format[16];
	double m, n, k, time_us;
};

static size_t read_measured(struct measured rows[], size_t most)
{
	FILE *f = fopen("tests/data/gemm.csv", "r");
	cr_assert(f != NULL);
	char line[200];
	size_t n = 0;
	while (n < most && fgets(line, sizeof line, f)) {
		struct measured *r = &rows[n];
		n += sscanf(line, "%15[^,#],%15[^,],%lf,%lf,%lf,%lf", r->gpu, r->format, &r->m,
			     &r->n, &r->k, &r->time_us) == 6;
	}
	fclose(f);
	return n;
}

/* Sizes of the errors of the rows of one GPU, in ascending order; of one format, or of all. */
static size_t errors_of(const struct measured rows[], size_t n, const struct accelerator *g,
	const char *gpu, const char *format, double error[])
{
	size_t found = 0;
	for (size_t r = 0; r < n; r++) {
		const struct gemm_format *f = gemm_format_find(rows[r].format);
		if (strcasecmp(rows[r].gpu, gpu) != 0 || (format && strcmp(f->name, format) != 0))
			continue;
		double s = gemm_format_time_s(g, f, rows[r].m, rows[r].n, rows[r].k);
		error[found++] = fabs(s * 1e6 / rows[r].time_us - 1);
	}
	sort_ascending(error, found);
	return found;
}

/* Every so many rows of what was published; `make fit` has them all, and those held out. */
Test(kernel, products_as_measured)
{
	static const struct {
		const char *gpu, *format;
		double median, p90;
	} marks[] = {
		{ "a100", NULL, 0.08, 0.20 },
		{ "h100", NULL, 0.06, 0.20 },
		{ "b200", NULL, 0.08, 0.20 },
		{ "a100", "bfloat16", 0.08, 0.20 },
		{ "h100", "bfloat16", 0.06, 0.20 },
		{ "b200", "bfloat16", 0.08, 0.21 },
		{ "h100", "fp8", 0.06, 0.20 },
		{ "b200", "fp8", 0.08, 0.20 },
	};
	struct tables t = load();
	struct measured rows[100];
	double error[100];
	size_t n = read_measured(rows, 100);
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		const struct accelerator *g = gpu_find(&t, marks[i].gpu);
		const char *format = marks[i].format ? marks[i].format : "all";
		size_t found = errors_of(rows, n, g, marks[i].gpu, marks[i].format, error);
		cr_assert(found >= 6, "%s %s: %zu rows", marks[i].gpu, format, found);
		double median = quantile_sorted(error, found, 0.5);
		double p90 = quantile_sorted(error, found, 0.9);
		cr_expect(median <= marks[i].median && p90 <= marks[i].p90, "%s %s: %.3f, %.3f",
			marks[i].gpu, format, median, p90);
	}
	tables_release(&t);
}

/* Kernels that pad, split or step differently still obey: more rows are no faster, and none beats
 * the datasheet by its own bytes. */
Test(kernel, every_format_obeys)
{
	struct tables t = load();
	struct rng r = rng_stream(1, "formats", 0);
	static const char *const names[] = { "bfloat16", "fp8", "fp8_block", "nvfp4", "sq",
		"int8_wo", "int4_wo" };
	for (int i = 0; i < 400; i++) {
		const struct accelerator *g = &t.gpus[rng_below(&r, t.n_gpus)];
		const struct gemm_format *f = gemm_format_find(names[rng_below(&r, 7)]);
		double m = floor(exp2(14 * rng_uniform(&r)));
		double n = 64 * (1 + floor(exp2(8 * rng_uniform(&r))));
		double k = 64 * (1 + floor(exp2(8 * rng_uniform(&r))));
		enum dtype math = kernel_math_dtype(g, f->math);
		double bytes = m * k * f->a_bytes + n * k * f->b_bytes + 2 * m * n;
		double s = gemm_format_time_s(g, f, m, n, k);
		cr_expect(isfinite(s) && s >= datasheet_time_s(g, math, 2 * m * n * k, bytes),
			"%s %s %g x %g x %g", g->id, f->name, m, n, k);
		cr_expect(s <= gemm_format_time_s(g, f, 2 * m, n, k) * (1 + 1e-9),
			"%s %s %g x %g x %g", g->id, f->name, m, n, k);
		cr_expect(s <= gemm_format_time_s(g, f, m, n, 2 * k) * (1 + 1e-9),
			"%s %s %g x %g x %g", g->id, f->name, m, n, k);
	}
	tables_release(&t);
}

/* 2,048 x 4,096 BF16 weights are 16.8 MB. Five copies are 84 MB, which the L40S's 101 MB keep: 864
 * GB/s would have taken 19 us. Four fill the H100's 52 MB, of which each half keeps what it reads:
 * nothing is left for the next turn. 1,024 x 1,024 are 2.1 MB: five of them stay. */
Test(kernel, small_rotated_weights_stay_in_the_l2)
{
	struct tables t = load();
	const struct accelerator *h100 = gpu_find(&t, "h100"), *l40s = gpu_find(&t, "l40s");
	const struct gemm_format *f = gemm_format_find("bfloat16");
	cr_assert(h100 && l40s && f);
	cr_expect(epsilon_eq(dbl, gemm_rotated_time_s(h100, f, 1, 2048, 4096),
		gemm_format_time_s(h100, f, 1, 2048, 4096), 0));
	cr_expect(lt(dbl, gemm_rotated_time_s(h100, f, 1, 1024, 1024),
		gemm_format_time_s(h100, f, 1, 1024, 1024)));
	cr_expect(lt(dbl, gemm_rotated_time_s(l40s, f, 1, 2048, 4096), 19e-6));
	cr_expect(lt(dbl, 19e-6, gemm_format_time_s(l40s, f, 1, 2048, 4096)));
	tables_release(&t);
}

/* 8 sequences of 1,024 tokens, 8 heads of 128 in BF16: 33.6 MB of keys and values. The H100 keeps
 * 26 MB of it or nothing, the L40S all: 864 GB/s would have taken 38 us. */
Test(kernel, a_replayed_cache_stays_in_the_l2)
{
	struct tables t = load();
	const struct accelerator *h100 = gpu_find(&t, "h100"), *l40s = gpu_find(&t, "l40s");
	const struct attention_shape s = {
		.batch = 8, .q_heads = 32, .kv_heads = 8, .head_dim = 128, .kv_bytes = 2
	};
	cr_assert(h100 && l40s);
	cr_expect(epsilon_eq(dbl, attention_replayed_time_s(h100, &s, 1024),
		attention_decode_time_s(h100, &s, 1024), 0));
	cr_expect(lt(dbl, attention_replayed_time_s(h100, &s, 512),
		attention_decode_time_s(h100, &s, 512)));
	cr_expect(lt(dbl, attention_replayed_time_s(l40s, &s, 1024), 38e-6));
	cr_expect(lt(dbl, 38e-6, attention_decode_time_s(l40s, &s, 1024)));
	tables_release(&t);
}

Test(kernel, formats_are_found_by_name)
{
	static const char *const names[] = { "bfloat16", "float16", "fp8", "fp8_block", "nvfp4",
		"sq", "int8_wo", "int4_wo" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		cr_expect(gemm_format_find(names[i]) != NULL, "%s", names[i]);
	cr_expect(gemm_format_find("fp7") == NULL);
}

/* Bytes of a value as the formats define them: 16 bits; 8, with a scale of 4 B for a block of 128; 4, with
 * one of a byte for 16; and weights alone in 8 or 4 bits. */
Test(kernel, formats_have_the_bytes_that_define_them)
{
	static const struct {
		const char *name;
		double a_bytes, b_bytes;
	} rows[] = {
		{ "bfloat16", 2, 2 },
		{ "float16", 2, 2 },
		{ "fp8", 1, 1 },
		{ "fp8_block", 1.03125, 1 },
		{ "nvfp4", 0.5625, 0.5625 },
		{ "sq", 1, 1 },
		{ "int8_wo", 2, 1 },
		{ "int4_wo", 2, 0.5 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct gemm_format *f = gemm_format_find(rows[i].name);
		cr_assert(f != NULL, "%s", rows[i].name);
		cr_expect(eq(dbl, f->a_bytes, rows[i].a_bytes), "%s", rows[i].name);
		cr_expect(eq(dbl, f->b_bytes, rows[i].b_bytes), "%s", rows[i].name);
	}
}

Test(kernel, a_layers_own_kernels)
{
	struct accelerator g = toy;
	struct model m = { .hidden = 4096,
		.heads = 32,
		.kv_heads = 8,
		.head_dim = 128,
		.ffn = 14336,
		.gated = 1 };
	struct eager_engine e = { .start_s = 2e-6,
		.step_s = 0.5e-6,
		.row_bytes = 10,
		.stream_ratio = 0.5,
		.l2_ratio = 2,
		.product_ratio = 1,
		.product_start_s = 4e-6 };
	/* Three times 1,000 x 4,096 values of 2 B at 0.5 TB/s, no L2 to hit. */
	double add = linear_op_by_engine_s(&e, &g, &m, 1, 1000, "add");
	cr_expect(epsilon_eq(dbl, add, 2e-6 + 49.152e-6, 1e-12));
	/* An activation of 14,336 values reads gate and up and writes, without a gate reads one. */
	double act = linear_op_by_engine_s(&e, &g, &m, 1, 1000, "mlp_act");
	m.gated = false;
	double plain = linear_op_by_engine_s(&e, &g, &m, 1, 1000, "mlp_act");
	m.gated = true;
	double step_s = 0.5e-6 * 14;
	cr_expect(epsilon_eq(dbl, act, 2e-6 + cbrt(pow(172.032e-6, 3) + pow(step_s, 3)), 1e-10));
	cr_expect(epsilon_eq(dbl, plain, 2e-6 + cbrt(pow(114.688e-6, 3) + pow(step_s, 3)), 1e-10));
	/* A norm moves 2.75 of them, 45.056 us, in six steps of 0.5 us; and a hundred SMs ask for
	 * 1 TB/s, 22.528 us. */
	g.sm_count = 100;
	g.clock_hz = 1e9;
	double norm = linear_op_by_engine_s(&e, &g, &m, 1, 1000, "input_layernorm");
	double want = 2 + cbrt(pow(45.056, 3) + pow(3, 3) + pow(22.528, 3));
	cr_expect(epsilon_eq(dbl, norm, 1e-6 * want, 1e-12));
	/* An L2 that holds everything brings it twice as fast. */
	g.l2_bytes = 1e15;
	norm = linear_op_by_engine_s(&e, &g, &m, 1, 1000, "input_layernorm");
	want = 2 + cbrt(2 * pow(22.528, 3) + pow(3, 3));
	cr_expect(epsilon_eq(dbl, norm, 1e-6 * want, 1e-12));
	/* Gate and up of half the FFN each on two GPUs: one product 14,336 wide. */
	double up = linear_op_by_engine_s(&e, &g, &m, 2, 64, "mlp_up_proj");
	want = 4e-6 + gemm_time_s(&g, DTYPE_BF16, 64, 14336, 4096);
	cr_expect(epsilon_eq(dbl, up, want, 1e-12));
	for (size_t i = 0; linear_op_ids[i]; i++)
		cr_expect(linear_op_time_s(&g, &m, 4, 16, linear_op_ids[i]) > 0, "%s",
			linear_op_ids[i]);
	cr_expect(isnan(linear_op_time_s(&g, &m, 1, 1, "softmax")));
}

/* A GPU of which nothing is known has the usual shares, 0.75 and 0.8, and what follows from the time of
 * a launch; 8 and 4 bits and attention follow from 16 bits where nobody measured them. */
Test(kernel, constants_that_are_not_known)
{
	struct accelerator g = toy;
	g.achieved = (struct efficiency){ .launch_s = 6e-6 };
	struct efficiency e = kernel_efficiency(&g);
	const double got[] = { e.compute, e.memory, e.compute_8bit, e.compute_4bit, e.compute_32bit,
		e.quantise_s, e.attention, e.attention_memory, e.attention_s, e.attention_head_s,
		e.attention_group_s };
	const double want[] = { 0.75, 0.8, 0.75, 0.75, 0.75, 12e-6, 0.45, 0.8, 24e-6, 4e-6, 12e-6 };
	for (size_t i = 0; i < sizeof got / sizeof *got; i++)
		cr_expect(ieee_ulp_eq(dbl, got[i], want[i], 4), "%zu: %g", i, got[i]);
	g.achieved = (struct efficiency){ 0.7, 0.6, 5e-6, 1, 0.5, 0.4, 0.9, .quantise_s = 1e-6,
		.attention = 0.3, .attention_memory = 0.2, .attention_s = 7e-6,
		.attention_head_s = 8e-6, .attention_group_s = 9e-6 };
	e = kernel_efficiency(&g);
	cr_expect(eq(dbl, kernel_compute_ratio(&g, DTYPE_BF16), 0.7));
	cr_expect(eq(dbl, kernel_compute_ratio(&g, DTYPE_TF32), 0.7));
	cr_expect(eq(dbl, kernel_compute_ratio(&g, DTYPE_FP32), 0.9));
	cr_expect(eq(dbl, kernel_compute_ratio(&g, DTYPE_FP8), 0.5));
	cr_expect(eq(dbl, kernel_compute_ratio(&g, DTYPE_INT8), 0.5));
	cr_expect(eq(dbl, kernel_compute_ratio(&g, DTYPE_FP4), 0.4));
	cr_expect(eq(dbl, e.attention_group_s, 9e-6));
}
