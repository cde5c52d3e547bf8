/* The comparisons `gemm`, `attention_prefill` and `attention_decode`: kernels one by one
 * (sims/gpu/kernel.h). Products come from two sources: replayed in a CUDA graph, and from traces of
 * models that PyTorch ran kernel by kernel (sims/gpu/linear_ops.h). */
#include "sims/base/array.h"
#include "sims/published/names.h"
#include "sims/gpu/kernel.h"
#include "sims/gpu/linear_ops.h"

#include <math.h>
#include <stdio.h>

#define SIZE_COLUMN(id)                                                                            \
	{                                                                                          \
		.name = id, .kind = CSV_NUMBER, .min = 1, .max = 1e9, .whole = true                \
	}
#define TIME_COLUMN(id)                                                                            \
	{                                                                                          \
		.name = id, .kind = CSV_NUMBER, .min = 1e-6, .max = 1e12                           \
	}

/* Whether a kernel of so much work is bound by memory or by arithmetic, and how far: "memory-bound,
 * 1.3x the datasheet's roofline". */
static void say_bound(const struct accelerator *g, enum dtype d, double flops, double bytes,
	double predicted_s, char *buf, size_t size)
{
	double floor_s = datasheet_time_s(g, d, flops, bytes);
	double launch_s = kernel_efficiency(g).launch_s;
	double arithmetic_s = datasheet_time_s(g, d, flops, 0);
	const char *bound = floor_s < launch_s       ? "launch-bound"
			    : arithmetic_s < floor_s ? "memory-bound"
						     : "compute-bound";

	snprintf(buf, size, "%s, %.1fx the roofline", bound, predicted_s / floor_s);
}

/* --- gemm --- */

enum { GEMM_GPU, GEMM_DTYPE, GEMM_M, GEMM_N, GEMM_K, GEMM_TIME, N_GEMM };
static const struct csv_column gemm_columns[N_GEMM] = {
	[GEMM_GPU] = { .name = "gpu" },
	[GEMM_DTYPE] = { .name = "dtype" },
	[GEMM_M] = SIZE_COLUMN("m"),
	[GEMM_N] = SIZE_COLUMN("n"),
	[GEMM_K] = SIZE_COLUMN("k"),
	[GEMM_TIME] = TIME_COLUMN("time_us"),
};

/* As the table writes it, or "BF16", "fp16", "FP8". */
static const struct gemm_format *format_of(const struct csv *c, size_t row)
{
	static const struct {
		const char *written, *name;
	} others[] = { { "bf16", "bfloat16" }, { "fp16", "float16" }, { "bfloat16", "bfloat16" },
		{ "float16", "float16" }, { "fp8", "fp8" }, { "fp8_block", "fp8_block" },
		{ "nvfp4", "nvfp4" } };
	char name[24];
	const struct gemm_format *f =
		gemm_format_find(csv_text(c, row, GEMM_DTYPE, name, sizeof name));

	for (size_t i = 0; !f && i < LENGTH(others); i++)
		if (measured_is(c, row, GEMM_DTYPE, others[i].written))
			f = gemm_format_find(others[i].name);
	return f;
}

static void gemm_row(struct validation *v, size_t file, size_t row)
{
	const struct csv *c = &v->files[file];
	const struct accelerator *g = validation_gpu(v, file, row, GEMM_GPU);
	char name[24];

	if (!g)
		return;
	const struct gemm_format *f = format_of(c, row);
	if (!f) {
		validation_skip(v, file, row,
			"dtype: expected bfloat16, fp8, fp8_block, nvfp4, int8_wo, int4_wo or sq, "
			"found \"%s\"",
			csv_text(c, row, GEMM_DTYPE, name, sizeof name));
		return;
	}
	double s = gemm_rotated_time_s(g, f, csv_number(c, row, GEMM_M), csv_number(c, row, GEMM_N),
		csv_number(c, row, GEMM_K));
	uint8_t group = validation_group(v, true, "%s %s", g->id, f->name);
	validation_add(v, file, row, group, 1e6 * s, csv_number(c, row, GEMM_TIME));
}

static void gemm_predict(struct validation *v, size_t file)
{
	for (size_t row = 0; row < v->files[file].n_rows; row++)
		gemm_row(v, file, row);
}

static void gemm_describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];
	char bound[80];
	double m = csv_number(c, p->row, GEMM_M), n = csv_number(c, p->row, GEMM_N);
	double k = csv_number(c, p->row, GEMM_K);

	const struct gemm_format *f = format_of(c, p->row);
	const struct accelerator *g = measured_gpu_at(v->tables, c, p->row, GEMM_GPU);
	double bytes = m * k * f->a_bytes + k * n * f->b_bytes + 2 * m * n;
	snprintf(w->what, sizeof w->what, "%s %s %g x %g x %g", g->id, f->name, m, n, k);
	say_bound(g, f->math, 2 * m * n * k, bytes, p->predicted / 1e6, bound, sizeof bound);
	double tiles = ceil(m / 128) * ceil(n / 128);
	if (g->sm_count > 0)
		snprintf(w->thought, sizeof w->thought, "%s, %.1f waves of 128 x 128 tiles", bound,
			tiles / g->sm_count);
	else
		snprintf(w->thought, sizeof w->thought, "%s", bound);
}

/* --- products of a trace --- */

enum { TRACED_GPU, TRACED_BATCH, TRACED_M, TRACED_N, TRACED_K, TRACED_TIME, N_TRACED };
static const struct csv_column traced_columns[N_TRACED] = {
	[TRACED_GPU] = { .name = "gpu" },
	[TRACED_BATCH] = SIZE_COLUMN("batch"),
	[TRACED_M] = SIZE_COLUMN("m"),
	[TRACED_N] = SIZE_COLUMN("n"),
	[TRACED_K] = SIZE_COLUMN("k"),
	[TRACED_TIME] = TIME_COLUMN("time_us"),
};

static void traced_predict(struct validation *v, size_t file)
{
	const struct csv *c = &v->files[file];
	for (size_t row = 0; row < c->n_rows; row++) {
		const struct accelerator *g = validation_gpu(v, file, row, TRACED_GPU);
		if (!g)
			continue;
		double s = eager_product_s(&eager_engine, g, csv_number(c, row, TRACED_BATCH),
			csv_number(c, row, TRACED_M), csv_number(c, row, TRACED_N),
			csv_number(c, row, TRACED_K));
		validation_add(v, file, row, validation_group(v, true, "traced %s", g->id), 1e6 * s,
			csv_number(c, row, TRACED_TIME));
	}
}

static void traced_describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];
	const struct accelerator *g = measured_gpu_at(v->tables, c, p->row, TRACED_GPU);
	double batch = csv_number(c, p->row, TRACED_BATCH), m = csv_number(c, p->row, TRACED_M);
	double n = csv_number(c, p->row, TRACED_N), k = csv_number(c, p->row, TRACED_K);
	double bytes = batch * gemm_bytes(g, DTYPE_BF16, m, n, k);
	snprintf(w->what, sizeof w->what, "%s BF16, %g of %g x %g x %g", g->id, batch, m, n, k);
	say_bound(g, DTYPE_BF16, 2 * batch * m * n * k, bytes, p->predicted / 1e6, w->thought,
		sizeof w->thought);
}

static const struct measured_source gemm_sources[] = {
	{ .files = { "gemm.csv", "gemm_m_sweep.csv" },
		.from = "NVIDIA aiconfigurator",
		.columns = gemm_columns,
		.n_columns = N_GEMM,
		.predict = gemm_predict,
		.describe = gemm_describe },
	{ .files = { "gemm_traced.csv" },
		.from = "AMD TraceLens",
		.columns = traced_columns,
		.n_columns = N_TRACED,
		.predict = traced_predict,
		.describe = traced_describe },
};

const struct measured_model measured_gemm = {
	.id = "gemm",
	.title = "Matrix products",
	.predicts = "the time of a product of m x k by k x n, rounding of its inputs included",
	.quantity = "time",
	.unit = "us",
	.sources = gemm_sources,
	.n_sources = LENGTH(gemm_sources),
	.marks = { { "h100 ", 0.5, 0.06, "H100: median <= 6 %" },
		{ "a100 ", 0.5, 0.08, "A100: median <= 8 %" },
		{ "b200 ", 0.5, 0.08, "B200: median <= 8 %" },
		{ "", 0.9, 0.2, "90 % of rows <= 20 %" },
		{ "traced ", 0.5, 0.15, "of traces: median <= 15 %" },
		{ "!", 0.5, 0.1, "other GPUs: median <= 10 %" } },
};

/* --- attention --- */

enum { ATT_GPU, ATT_Q_HEADS, ATT_KV_HEADS, ATT_HEAD_DIM, ATT_BATCH, ATT_LENGTH, ATT_TIME, N_ATT };
#define ATTENTION_COLUMNS(length)                                                                  \
	{                                                                                          \
		[ATT_GPU] = { .name = "gpu" }, [ATT_Q_HEADS] = SIZE_COLUMN("q_heads"),             \
		[ATT_KV_HEADS] = SIZE_COLUMN("kv_heads"),                                          \
		[ATT_HEAD_DIM] = SIZE_COLUMN("head_dim"), [ATT_BATCH] = SIZE_COLUMN("batch"),      \
		[ATT_LENGTH] = SIZE_COLUMN(length), [ATT_TIME] = TIME_COLUMN("time_us")            \
	}
static const struct csv_column prefill_columns[N_ATT] = ATTENTION_COLUMNS("seq_len");
static const struct csv_column decode_columns[N_ATT] = ATTENTION_COLUMNS("kv_len");

static struct attention_shape shape_of(const struct csv *c, size_t row)
{
	return (struct attention_shape){ .batch = csv_number(c, row, ATT_BATCH),
		.q_heads = csv_number(c, row, ATT_Q_HEADS),
		.kv_heads = csv_number(c, row, ATT_KV_HEADS),
		.head_dim = csv_number(c, row, ATT_HEAD_DIM),
		.kv_bytes = 2 };
}

static double kv_bytes(const struct attention_shape *s, double length)
{
	return 2 * s->batch * s->kv_heads * s->head_dim * s->kv_bytes * length;
}

static double attention_s(
	const struct accelerator *g, const struct attention_shape *s, double length, bool decode)
{
	return decode ? attention_replayed_time_s(g, s, length)
		      : attention_prefill_time_s(g, s, length, 0);
}

/* Marks are for caches that a server waits for: with a small one, launches and latency are all. */
static void attention_rows(struct validation *v, size_t file, bool decode)
{
	const struct csv *c = &v->files[file];

	for (size_t row = 0; row < c->n_rows; row++) {
		const struct accelerator *g = validation_gpu(v, file, row, ATT_GPU);
		struct attention_shape s = shape_of(c, row);
		double length = csv_number(c, row, ATT_LENGTH);
		if (!g)
			continue;
		bool large = kv_bytes(&s, length) > 1e6;
		uint8_t group = validation_group(
			v, true, "%s %s", large ? "over 1 MB" : "up to 1 MB", g->id);
		validation_add(v, file, row, group, 1e6 * attention_s(g, &s, length, decode),
			csv_number(c, row, ATT_TIME));
	}
}

static void prefill_predict(struct validation *v, size_t file)
{
	attention_rows(v, file, false);
}

static void decode_predict(struct validation *v, size_t file)
{
	attention_rows(v, file, true);
}

static void describe_attention(const struct validation *v, const struct prediction *p, bool decode,
	struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];
	struct attention_shape s = shape_of(c, p->row);
	double length = csv_number(c, p->row, ATT_LENGTH);
	const struct accelerator *g = measured_gpu_at(v->tables, c, p->row, ATT_GPU);

	double pairs = decode ? length : length * length / 2;
	double flops = 4 * s.batch * s.q_heads * s.head_dim * pairs;
	snprintf(w->what, sizeof w->what, "%s %g/%g heads of %g, batch %g, %g tokens", g->id,
		s.q_heads, s.kv_heads, s.head_dim, s.batch, length);
	say_bound(g, DTYPE_BF16, flops, kv_bytes(&s, length), p->predicted / 1e6, w->thought,
		sizeof w->thought);
}

static void prefill_describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	describe_attention(v, p, false, w);
}

static void decode_describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	describe_attention(v, p, true, w);
}

static const struct measured_source prefill_sources[] = {
	{ .files = { "attention_prefill.csv" },
		.from = "NVIDIA aiconfigurator",
		.columns = prefill_columns,
		.n_columns = N_ATT,
		.predict = prefill_predict,
		.describe = prefill_describe },
};
static const struct measured_source decode_sources[] = {
	{ .files = { "attention_decode.csv" },
		.from = "NVIDIA aiconfigurator",
		.columns = decode_columns,
		.n_columns = N_ATT,
		.predict = decode_predict,
		.describe = decode_describe },
};
#define ATTENTION_MARK                                                                             \
	{                                                                                          \
		{                                                                                  \
			"over 1 MB", 0.5, 0.15, "KV over 1 MB: median <= 15 %"                     \
		}                                                                                  \
	}

const struct measured_model measured_attention_prefill = {
	.id = "attention_prefill",
	.title = "Attention, prefill",
	.predicts = "the time of fused causal attention over whole prompts",
	.quantity = "time",
	.unit = "us",
	.sources = prefill_sources,
	.n_sources = 1,
	.marks = ATTENTION_MARK,
};

const struct measured_model measured_attention_decode = {
	.id = "attention_decode",
	.title = "Attention, decode",
	.predicts = "the time of attention of one new token per sequence",
	.quantity = "time",
	.unit = "us",
	.sources = decode_sources,
	.n_sources = 1,
	.marks = ATTENTION_MARK,
};
