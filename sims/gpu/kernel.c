/* Where a GPU's constants are missing they follow from others, in one place (kernel_efficiency).
 * Below it stand three models of kernels: matrix products, the long one, with the tile sizes that a
 * library tries (struct product); fused attention, in prefill by blocks of queries and in decode by
 * the bytes of the cache; and kernels that only move bytes. */
#include "sims/gpu/kernel.h"

#include "sims/constants.h"
#include "sims/base/array.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const enum dtype next_best[N_DTYPES][4] = {
	[DTYPE_FP32] = { DTYPE_FP32, DTYPE_FP32, DTYPE_FP32, DTYPE_FP32 },
	[DTYPE_TF32] = { DTYPE_TF32, DTYPE_FP32, DTYPE_FP32, DTYPE_FP32 },
	[DTYPE_FP16] = { DTYPE_FP16, DTYPE_BF16, DTYPE_TF32, DTYPE_FP32 },
	[DTYPE_BF16] = { DTYPE_BF16, DTYPE_FP16, DTYPE_TF32, DTYPE_FP32 },
	[DTYPE_FP8] = { DTYPE_FP8, DTYPE_BF16, DTYPE_FP16, DTYPE_FP32 },
	[DTYPE_INT8] = { DTYPE_INT8, DTYPE_FP8, DTYPE_BF16, DTYPE_FP16 },
	[DTYPE_FP4] = { DTYPE_FP4, DTYPE_BF16, DTYPE_FP16, DTYPE_FP32 },
};

enum dtype kernel_math_dtype(const struct accelerator *g, enum dtype d)
{
	assert(g && (unsigned)d < N_DTYPES);
	for (size_t i = 0; i < 4; i++)
		if (g->peak_flops[next_best[d][i]] > 0)
			return next_best[d][i];
	for (int other = 0; other < N_DTYPES; other++)
		if (g->peak_flops[other] > 0)
			return (enum dtype)other;
	return d;
}

double kernel_peak_flops(const struct accelerator *g, enum dtype d)
{
	return g->peak_flops[kernel_math_dtype(g, d)];
}

static double known(double value, double otherwise)
{
	return value > 0 ? value : otherwise;
}

/* Every row of the tables says how much of its bandwidth kernels reach. Only the user's own machine
 * may not: where no triad was measured. */
static const double machine_memory_ratio = 0.8;

static void know_compute(struct efficiency *e)
{
	e->compute = known(e->compute, ASSUMED_COMPUTE_EFFICIENCY);
	e->compute_8bit = known(e->compute_8bit, e->compute);
	e->compute_4bit = known(e->compute_4bit, e->compute_8bit);
	e->compute_32bit = known(e->compute_32bit, e->compute);
}

struct efficiency kernel_efficiency(const struct accelerator *g)
{
	struct efficiency e = g->achieved;
	know_compute(&e);
	e.memory = known(e.memory, machine_memory_ratio);
	e.quantise_s = known(e.quantise_s, 2 * e.launch_s);
	e.attention = known(e.attention, 0.6 * e.compute);
	e.attention_memory = known(e.attention_memory, e.memory);
	e.attention_s = known(e.attention_s, 4 * e.launch_s);
	e.attention_head_s = known(e.attention_head_s, e.attention_s / 6);
	e.attention_group_s = known(e.attention_group_s, e.attention_s / 2);
	return e;
}

double kernel_compute_ratio(const struct accelerator *g, enum dtype math)
{
	struct efficiency e = g->achieved;
	double bytes = dtype_bytes(math);
	know_compute(&e);
	if (math == DTYPE_FP32)
		return e.compute_32bit;
	return bytes < 1 ? e.compute_4bit : bytes < 2 ? e.compute_8bit : e.compute;
}

/* No work takes no time, even on a machine without the unit that would do it. */
static double work_s(double amount, double per_s)
{
	return amount > 0 ? amount / per_s : 0;
}

double datasheet_time_s(const struct accelerator *g, enum dtype d, double flops, double bytes)
{
	return fmax(work_s(flops, kernel_peak_flops(g, d)), work_s(bytes, g->bandwidth));
}

double kernel_time_s(const struct accelerator *g, enum dtype d, double flops, double bytes)
{
	assert(!(flops < 0) && !(bytes < 0));
	struct efficiency e = kernel_efficiency(g);
	double fraction = kernel_compute_ratio(g, kernel_math_dtype(g, d));
	return e.launch_s + fmax(work_s(flops, fraction * kernel_peak_flops(g, d)),
				    work_s(bytes, e.memory * g->bandwidth));
}

/* As fmax, of numbers: a call less where tiles are tried by the hundred. */
static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* The two limits overlap imperfectly near the ridge, where a kernel takes longer than either. */
static double overlapped(double a, double b)
{
	return cbrt(a * a * a + b * b * b);
}

/* A share that is more than what rounding does to a few operations. */
static const double rounded = 1e-12;

/* No more than that, by less than 4 % and without the root: the first terms of the series of the root of 1 + x. */
static double least_overlapped(double a, double b)
{
	double more = larger(a, b), ratio = more > 0 ? (a > b ? b : a) / more : 0;
	double x = ratio * ratio * ratio;
	return more * (1 - rounded + x * (1 / 3. - 1 / 9. * x));
}

/* The tile model of a matrix product. A library cuts C into tiles and gives each to an SM; the SMs
 * work through them in waves, and in the last wave some are idle. A tile is fetched and computed
 * whole, even where it sticks out over the edge of C, and takes the longest of its arithmetic, its
 * operands through the L2, and the latency of stepping through k. All waves overlap with the
 * traffic to memory, imperfectly near the ridge. A few rows have few tiles: then k is split among
 * several SMs, at the price of a second kernel that adds the parts. The library tries its kernels
 * and takes the fastest, so the model goes through the tile sizes of cuBLAS and CUTLASS and does
 * the same. Rows whose length is no multiple of 16 B (eight values of 16 bits) go through the L2 in
 * smaller pieces, as many a clock as before: half the bytes, half the rate.
 *
 * A product as this model sees it; sizes are counts, rates per s. */
struct product {
	double m, n, k, batch;
	double a_bytes, b_bytes, c_bytes; /* bytes of one value */
	double memory_s;
	double sm_count, flops_per_sm, operands_per_sm;
	double l2_bandwidth, launch_s, wave_s;
	double most_splits, least_rows;
	double vector_rows, vector_depth_s, depth_s;
	double compute_ratio; /* share of what the type's plain product sustains */
	bool b_in_l2;         /* the weights are there already */
	double vector_bytes;  /* that a thread moves at once: WHOLE_VECTOR or less */
};

/* What a thread moves at once where every row of every matrix starts on a multiple of it. */
enum { WHOLE_VECTOR = 16 };

/* The widest vector that rows of so many values allow. A part of a value is none: whoever cuts a
 * matrix so has to pad it. */
static double vector_bytes(double values, double value_bytes)
{
	double bytes = values * value_bytes, vector = WHOLE_VECTOR;
	while (vector > value_bytes && values == floor(values) && fmod(bytes, vector) > 0)
		vector /= 2;
	return vector;
}

/* The same without the block scales that travel with a value. */
static double without_scales(double value_bytes)
{
	return floor(2 * value_bytes) / 2;
}

/* Rows of the activations and of the weights are k long, as a linear layer stores them; those of
 * the result are n long, and one value is a column's. */
static double product_vector_bytes(const struct product *p)
{
	double result = p->n > 1 ? vector_bytes(p->n, p->c_bytes) : WHOLE_VECTOR;
	return fmin(result, fmin(vector_bytes(p->k, without_scales(p->a_bytes)),
				    vector_bytes(p->k, without_scales(p->b_bytes))));
}

/* How long an SM takes for a tile, or for a part of it that is so deep. */
static double tile_s(const struct product *p, double rows, double cols, double depth)
{
	double math_s = 2 * rows * cols * depth / p->flops_per_sm;
	double operands = (rows * p->a_bytes + cols * p->b_bytes) * depth;
	if (p->vector_bytes < WHOLE_VECTOR) /* the result leaves in as many pieces */
		operands += rows * cols * p->c_bytes;
	return larger(larger(math_s, operands / p->operands_per_sm), depth * p->depth_s);
}

/* The product cut into tiles of rows x cols, each tile's k into `splits` parts that are summed
 * through the L2 by a second small kernel. A tile is fetched and computed whole. INFINITY where it
 * cannot be less than `best_s`. */
static double tiled_s(const struct product *p, double tiles, double rows, double cols,
	double splits, double best_s)
{
	double waves = ceil(tiles * splits / p->sm_count);
	double compute_s = waves * (tile_s(p, rows, cols, p->k / splits) + p->wave_s);
	double fixed_s = p->launch_s;
	if (splits > 1)
		fixed_s += p->launch_s +
			   2 * sizeof(float) * splits * p->batch * p->m * p->n / p->l2_bandwidth;
	if (fixed_s + larger(compute_s, p->memory_s) * (1 - rounded) >= best_s ||
		fixed_s + least_overlapped(compute_s, p->memory_s) >= best_s)
		return INFINITY;
	return fixed_s + overlapped(compute_s, p->memory_s);
}

/* Parts of tiles together are as much work as the tiles whole, and SMs that all work do no more than their share: if
 * that is too slow, so is any number of parts. */
static double splits_s(const struct product *p, double rows, double cols, double best_s)
{
	double tiles = p->batch * ceil(p->m / rows) * ceil(p->n / cols);
	double shared_s = tiles * tile_s(p, rows, cols, p->k) / p->sm_count;
	if (p->launch_s + larger(shared_s, p->memory_s) * (1 - rounded) >= best_s)
		return best_s;
	double most = fmin(p->most_splits, 4 * p->sm_count / tiles), splits = 1;
	do {
		double s = tiled_s(p, tiles, rows, cols, splits, best_s);
		best_s = s < best_s ? s : best_s;
	} while ((splits *= 2) <= most);
	return best_s;
}

/* Libraries hold few kernels for rows that start anywhere: small ones, and these. */
static double best_unaligned_s(const struct product *p)
{
	static const double tiles[][2] = { { 32, 32 }, { 128, 128 }, { 256, 128 } };
	double best_s = INFINITY;
	for (size_t i = 0; i < LENGTH(tiles); i++)
		best_s = splits_s(p, tiles[i][0], tiles[i][1], best_s);
	return best_s;
}

/* The library tries its kernels and takes the fastest; so does the model. Tiles are those of
 * cuBLAS and CUTLASS: powers of two up to 128x256, from Hopper on also what lies between. */
static double best_tiling_s(const struct product *p, double step)
{
	static const double tile_rows[] = { 16, 32, 64, 128, 192, 256 };
	const double accumulators = 32768 + (step < 64 ? 16384 : 0);
	double best_s = INFINITY;
	for (size_t i = 0; i < LENGTH(tile_rows); i++) {
		double rows = tile_rows[i];
		if (rows < p->least_rows)
			continue;
		for (double cols = 64; cols <= 256; cols += step < 64 ? step : cols) {
			if (rows * cols > accumulators || (step >= 64 && rows > 128 && rows < 256))
				continue;
			best_s = splits_s(p, rows, cols, best_s);
		}
	}
	return best_s;
}

double kernel_operand_bandwidth(const struct accelerator *g)
{
	double per_sm = kernel_efficiency(g).operand_bytes * g->clock_hz;
	return per_sm > 0 ? per_sm * g->sm_count : 4 * g->bandwidth;
}

/* Hopper's and Blackwell's matrix instructions take any multiple of 8 columns. */
static bool has_wide_instructions(const struct accelerator *g)
{
	return g->family &&
	       (strcmp(g->family, "hopper") == 0 || strcmp(g->family, "blackwell") == 0);
}

/* Rows that start anywhere are out of reach of the engine that feeds those wide instructions: the
 * kernels are those of the generation before, whose instructions reach 63 % of a Hopper's peak (Luo
 * et al., Dissecting the NVIDIA Hopper Architecture, 2024; taken for Blackwell too). */
static double unaligned_flops(const struct accelerator *g, enum dtype math, double peak)
{
	const double old_instructions = 0.63;
	return has_wide_instructions(g) ? fmin(peak, old_instructions * g->peak_flops[math]) : peak;
}

/* What an SM takes from the L2 in a clock, 16 B at a time, where it was not measured. */
static const double whole_operand_bytes = 64;

static double product_s(const struct accelerator *g, enum dtype math, const struct product *shape)
{
	assert(!(shape->m < 0) && !(shape->n < 0) && !(shape->k < 0) && !(shape->batch < 0));
	struct efficiency e = kernel_efficiency(g);
	struct product p = *shape;
	double ratio = fmin(1, p.compute_ratio * kernel_compute_ratio(g, math));
	double peak = ratio * g->peak_flops[math];
	double weights = p.b_in_l2 ? 0 : p.k * p.n * p.b_bytes;
	double bytes = p.batch * (p.m * p.k * p.a_bytes + weights + p.m * p.n * p.c_bytes);
	double flops = 2 * p.batch * p.m * p.n * p.k;
	p.memory_s = work_s(bytes, e.memory * g->bandwidth);
	p.launch_s = e.launch_s;
	if (flops <= 0 || g->sm_count <= 0)
		return e.launch_s + overlapped(work_s(flops, peak), p.memory_s);
	p.wave_s = e.wave_s;
	p.sm_count = g->sm_count;
	p.vector_bytes = product_vector_bytes(&p);
	bool aligned = p.vector_bytes >= WHOLE_VECTOR;
	p.flops_per_sm = (aligned ? peak : unaligned_flops(g, math, peak)) / g->sm_count;
	bool limited = e.operand_bytes > 0 || !aligned;
	p.operands_per_sm = limited && g->clock_hz > 0
				    ? known(e.operand_bytes, whole_operand_bytes) * g->clock_hz *
					      p.vector_bytes / WHOLE_VECTOR
				    : DBL_MAX;
	p.l2_bandwidth = kernel_operand_bandwidth(g);
	/* No library splits k into parts of less than 256. */
	p.most_splits = fmax(1, fmin(p.most_splits, p.k / 256));
	if (p.m <= p.vector_rows)
		return e.launch_s + overlapped(p.memory_s, p.k * p.vector_depth_s);
	if (!aligned)
		return best_unaligned_s(&p);
	return best_tiling_s(&p, has_wide_instructions(g) ? 32 : 64);
}

double gemm_bytes(const struct accelerator *g, enum dtype d, double m, double n, double k)
{
	double activation = dtype_bytes(kernel_math_dtype(g, d));
	return m * k * activation + k * n * dtype_bytes(d) + m * n * fmax(2, dtype_bytes(d));
}

/* Tiles of libraries begin at 64 rows, which is what one instruction of a Hopper takes (PTX, wgmma.m64),
 * in products of groups as well: experts with few rows wait for a whole tile. */
enum { LEAST_ROWS = 64 };

static double gemm_in_s(const struct accelerator *g, enum dtype d, enum dtype math, double batch,
	double m, double n, double k)
{
	const struct product p = { .m = m,
		.n = n,
		.k = k,
		.batch = batch,
		.a_bytes = dtype_bytes(math),
		.b_bytes = dtype_bytes(d),
		.c_bytes = fmax(2, dtype_bytes(d)),
		.least_rows = LEAST_ROWS,
		.most_splits = dtype_bytes(math) < 1 ? 1 : 16,
		.compute_ratio = 1 };
	return product_s(g, math, &p);
}

double gemm_batch_time_s(
	const struct accelerator *g, enum dtype d, double batch, double m, double n, double k)
{
	return gemm_in_s(g, d, kernel_math_dtype(g, d), batch, m, n, k);
}

static enum dtype mixed_math(
	const struct accelerator *g, enum dtype weights, enum dtype activations)
{
	bool widened = dtype_bytes(activations) > dtype_bytes(weights);
	return kernel_math_dtype(g, widened ? activations : weights);
}

double gemm_mixed_time_s(const struct accelerator *g, enum dtype weights, enum dtype activations,
	double m, double n, double k)
{
	return gemm_in_s(g, weights, mixed_math(g, weights, activations), 1, m, n, k);
}

double gemm_grouped_time_s(const struct accelerator *g, enum dtype weights, enum dtype activations,
	double groups, double m, double n, double k)
{
	return gemm_in_s(g, weights, mixed_math(g, weights, activations), groups, m, n, k);
}

double gemm_time_s(const struct accelerator *g, enum dtype d, double m, double n, double k)
{
	return gemm_batch_time_s(g, d, 1, m, n, k);
}

/* Formats of published benchmarks. Scales of the block formats travel with the values: one byte per
 * 16 values of NVFP4, four per 128 of FP8. Hardware without block scales multiplies by them on the
 * side. Weight-only kernels widen the weights on their way to the units. The ratios and times were
 * fitted (make fit). */
/* clang-format off */
static const struct gemm_format gemm_formats[] = {
	/* name        math        a_bytes       b_bytes rows splits vector, then what was fitted:
	 * compute native depth_s  vector_s quantise round */
	{ "bfloat16",  DTYPE_BF16, 2,            2,      64,  16,    0,
	  1,      1,     0,       0,       0,       0 },
	{ "float16",   DTYPE_FP16, 2,            2,      64,  16,    0,
	  1,      1,     0,       0,       0,       0 },
	{ "fp8",       DTYPE_FP8,  1,            1,      64,  16,    0,
	  1,      1,     0,       0,       1,       0.39 },
	{ "fp8_block", DTYPE_FP8,  1 + 4 / 128., 1,      64,  16,    0,
	  0.836,  1.06,  0,       0,       0.275,   0.614 },
	{ "nvfp4",     DTYPE_FP4,  0.5625,       0.5625, 128, 1,     0,
	  1,      1,     1.83e-9, 0,       0.308,   0.46 },
	{ "sq",        DTYPE_INT8, 1,            1,      64,  1,     4,
	  1,      1,     1.94e-9, 0,       1,       1 },
	{ "int8_wo",   DTYPE_BF16, 2,            1,      16,  1,     4,
	  1,      1,     2.46e-9, 1.77e-9, 1.09,    0 },
	{ "int4_wo",   DTYPE_BF16, 2,            0.5,    16,  1,     4,
	  0.964,  1,     2.38e-9, 1.98e-9, 1.16,    0 },
};
/* clang-format on */

const struct gemm_format *gemm_format_find(const char *name)
{
	assert(name);
	for (size_t i = 0; i < LENGTH(gemm_formats); i++)
		if (strcmp(gemm_formats[i].name, name) == 0)
			return &gemm_formats[i];
	return NULL;
}

double gemm_rounding_s(const struct accelerator *g, const struct gemm_format *f, double m, double k)
{
	double bytes = f->round_ratio > 0 ? m * k * (2 + f->a_bytes) : 0;
	return f->quantise_ratio * kernel_efficiency(g).quantise_s +
	       work_s(bytes, f->round_ratio * g->bandwidth);
}

static double format_product_s(const struct accelerator *g, const struct gemm_format *f,
	double batch, double m, double n, double k, bool b_in_l2)
{
	assert(f && !(m < 0) && !(n < 0) && !(k < 0));
	/* The units themselves multiply by block scales. */
	bool native = g->peak_flops[DTYPE_FP4] > 0;
	const struct product p = { .m = m,
		.n = n,
		.k = k,
		.batch = batch,
		.b_in_l2 = b_in_l2,
		.a_bytes = f->a_bytes,
		.b_bytes = f->b_bytes,
		.c_bytes = 2,
		.least_rows = f->least_rows,
		.most_splits = f->most_splits,
		.vector_rows = f->vector_rows,
		.vector_depth_s = f->vector_depth_s,
		.depth_s = f->depth_s,
		.compute_ratio = native ? f->native_ratio : f->compute_ratio };
	return product_s(g, kernel_math_dtype(g, f->math), &p);
}

double gemm_rounded_time_s(const struct accelerator *g, const struct gemm_format *f, double groups,
	double m, double n, double k)
{
	return format_product_s(g, f, groups, m, n, k, false);
}

static double gemm_format_s(const struct accelerator *g, const struct gemm_format *f, double m,
	double n, double k, bool b_in_l2)
{
	return format_product_s(g, f, 1, m, n, k, b_in_l2) + gemm_rounding_s(g, f, m, k);
}

double gemm_format_time_s(
	const struct accelerator *g, const struct gemm_format *f, double m, double n, double k)
{
	return gemm_format_s(g, f, m, n, k, false);
}

double kernel_l2_for_all(const struct accelerator *g)
{
	static const char *const halved[] = { "ampere", "hopper", "blackwell" };
	for (size_t i = 0; g->family && i < LENGTH(halved); i++)
		if (strcmp(g->family, halved[i]) == 0)
			return g->l2_bytes / 2;
	return g->l2_bytes;
}

bool gemm_rotated_in_l2(
	const struct accelerator *g, const struct gemm_format *f, double n, double k)
{
	const double most_copies = 5;
	double weights = n * k * f->b_bytes;
	double copies = fmax(1, fmin(most_copies, ceil(g->l2_bytes / weights)));
	return copies * weights <= kernel_l2_for_all(g);
}

double gemm_rotated_time_s(
	const struct accelerator *g, const struct gemm_format *f, double m, double n, double k)
{
	return gemm_format_s(g, f, m, n, k, gemm_rotated_in_l2(g, f, n, k));
}

/* Queries and keys go in blocks of 128: the block on the diagonal is computed whole, and each block
 * of queries takes its SM some time to start and end. Before it two kernels rotate Q and K and
 * append to the cache, so that Q, K and V are read twice, the second time mostly from the L2; the
 * output is written once. */
double attention_prefill_time_s(const struct accelerator *g, const struct attention_shape *s,
	double new_tokens, double context)
{
	assert(!(new_tokens < 0) && !(context < 0));
	const double block = 128;
	struct efficiency e = kernel_efficiency(g);
	double seen = s->full ? new_tokens : (new_tokens + block) / 2;
	double pairs = new_tokens > 0 ? new_tokens * (context + seen) : 0;
	double flops = 4 * s->batch * s->q_heads * s->head_dim * pairs;
	double row = s->q_heads + 2 * s->kv_heads;
	double bytes =
		s->batch * s->head_dim *
		(2 * new_tokens * (2 * row + s->q_heads) + 2 * s->kv_heads * s->kv_bytes * context);
	double blocks = s->batch * s->q_heads * ceil(new_tokens / block);
	return e.attention_s + 2 * e.launch_s + work_s(bytes, e.memory * g->bandwidth) +
	       (g->sm_count > 0 ? e.attention_block_s * blocks / g->sm_count : 0) +
	       work_s(flops, e.attention * kernel_peak_flops(g, DTYPE_BF16));
}

double attention_fixed_s(const struct accelerator *g)
{
	return kernel_efficiency(g).attention_s;
}

double attention_sequence_s(const struct accelerator *g, const struct attention_shape *s)
{
	struct efficiency e = kernel_efficiency(g);
	double block_s = s->q_heads > s->kv_heads ? e.attention_group_s : e.attention_head_s;
	return g->sm_count > 0 ? s->kv_heads * block_s / g->sm_count : 0;
}

/* Time of reading kv_tokens of keys and values at that rate, or of the arithmetic on them where
 * that takes longer. */
static double stream_s(const struct accelerator *g, const struct attention_shape *s,
	double kv_tokens, double bytes_per_s)
{
	double bytes = 2 * s->kv_heads * s->head_dim * s->kv_bytes * kv_tokens;
	double flops = 4 * s->q_heads * s->head_dim * kv_tokens;
	return fmax(work_s(bytes, bytes_per_s),
		work_s(flops, kernel_efficiency(g).attention * kernel_peak_flops(g, DTYPE_BF16)));
}

double attention_stream_s(
	const struct accelerator *g, const struct attention_shape *s, double kv_tokens)
{
	return stream_s(g, s, kv_tokens, kernel_efficiency(g).attention_memory * g->bandwidth);
}

double attention_latent_stream_s(const struct accelerator *g, double heads, double cached,
	double latent, double kv_bytes, double kv_tokens)
{
	struct efficiency e = kernel_efficiency(g);
	double bytes = cached * kv_bytes * kv_tokens;
	double flops = 2 * heads * (cached + latent) * kv_tokens;
	return fmax(work_s(bytes, e.attention_memory * g->bandwidth),
		work_s(flops, e.attention * kernel_peak_flops(g, DTYPE_BF16)));
}

double attention_decode_time_s(
	const struct accelerator *g, const struct attention_shape *s, double kv_len)
{
	return attention_joined_s(attention_fixed_s(g), s->batch * attention_sequence_s(g, s),
		attention_stream_s(g, s, s->batch * kv_len));
}

double attention_replayed_time_s(
	const struct accelerator *g, const struct attention_shape *s, double kv_len)
{
	double tokens = s->batch * kv_len;
	if (2 * s->kv_heads * s->head_dim * s->kv_bytes * tokens > kernel_l2_for_all(g))
		return attention_decode_time_s(g, s, kv_len);
	return attention_joined_s(attention_fixed_s(g), s->batch * attention_sequence_s(g, s),
		stream_s(g, s, tokens, kernel_operand_bandwidth(g)));
}

double pointwise_time_s(const struct accelerator *g, double bytes)
{
	assert(!(bytes < 0));
	return kernel_time_s(g, DTYPE_FP32, 0, bytes);
}

double node_allreduce_time_s(const struct accelerator *g, double n, double bytes)
{
	if (n <= 1)
		return 0;
	/* Against NCCL and one-shot kernels on A100 and H100: three quarters of the link's rate,
	 * and a handshake that grows with the number of peers. Over PCIe there is a ring alone, of
	 * 2 (n - 1) hops through the host's bridges, of 2.6 us each: 8 B over eight RTX 4090 take
	 * NCCL 42 us (NVIDIA/nccl, issue 1530). */
	const double bus_ratio = 0.75, per_peer_s = 0.5e-6, bridge_hop_s = 2.6e-6;
	bool linked = g->link_bandwidth > 0;
	double link = linked ? g->link_bandwidth : PCIE_BYTES_PER_S;
	double start_s = 2 * kernel_efficiency(g).launch_s +
			 (n - 1) * (linked ? per_peer_s : 2 * bridge_hop_s);
	return start_s + 2 * (n - 1) / n * bytes / (bus_ratio * link);
}
