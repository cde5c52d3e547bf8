/* The constants: which there are, and how they are fitted. */
#include "tests/fit/descend.h"
#include "tests/fit/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct attention_shape attention_of(const struct row *r)
{
	return (struct attention_shape){ .q_heads = r->v[0],
		.kv_heads = r->v[1],
		.head_dim = r->v[2],
		.batch = r->v[3],
		.kv_bytes = 2 };
}

double world_predict_s(const struct fit_world *w, const struct row *r)
{
	const struct accelerator *g = &w->gpus[r->gpu];
	const struct attention_shape s = attention_of(r);
	switch (r->kind) {
	case GEMM:
		return gemm_rotated_time_s(g, &w->formats[r->format], r->v[0], r->v[1], r->v[2]);
	case PREFILL:
		return attention_prefill_time_s(g, &s, r->v[4], 0);
	case DECODE:
		return attention_replayed_time_s(g, &s, r->v[4]);
	case PRODUCTS:
	case ROWS:
		return linear_op_by_engine_s(&w->engine, g, w->model, (int)r->v[0], r->v[1], r->op);
	}
	return NAN;
}

static bool possible(const struct fit_world *w, const struct row *r)
{
	return r->kind != DECODE || row_kv_bytes(r) <= r->time_s * w->gpus[r->gpu].bandwidth;
}

/* --- Which there are --- */

enum {
	BF16 = 1 << 0,
	FP8 = 1 << 2,
	BLOCK = 1 << 3,
	FP4 = 1 << 4,
	SQ = 1 << 5,
	WO8 = 1 << 6,
	WO4 = 1 << 7
};
enum step {
	PLAIN,
	EIGHT_BITS,
	FOUR_BITS,
	FORMATS,
	DECODING,
	PREFILLING,
	EAGER_PRODUCTS,
	EAGER_ROWS
};
enum owner { OF_GPU, OF_FORMAT, OF_ENGINE };
static const struct {
	enum owner owner;
	unsigned kinds, formats; /* of the rows; 0: those of the format itself */
} steps[] = {
	[PLAIN] = { OF_GPU, 1 << GEMM, BF16 },
	[EIGHT_BITS] = { OF_GPU, 1 << GEMM, FP8 | SQ },
	[FOUR_BITS] = { OF_GPU, 1 << GEMM, FP4 },
	[FORMATS] = { OF_FORMAT, 1 << GEMM, 0 },
	[DECODING] = { OF_GPU, 1 << DECODE, ~0u },
	[PREFILLING] = { OF_GPU, 1 << PREFILL, ~0u },
	[EAGER_PRODUCTS] = { OF_ENGINE, 1 << PRODUCTS, ~0u },
	[EAGER_ROWS] = { OF_ENGINE, 1 << ROWS, ~0u },
};

/* Formats share their 8-bit and 4-bit rate with the GPU, so that those steps come twice. */
static const enum step order[] = { PLAIN, EIGHT_BITS, FOUR_BITS, FORMATS, EIGHT_BITS, FOUR_BITS,
	FORMATS, DECODING, PREFILLING, EAGER_PRODUCTS, EAGER_ROWS };

/* Bounds are physical: fractions end at 1, and an SM takes 64 B a clock from the L2; twice that
 * where multicast brings it to two SMs at once. */
struct constant {
	enum step step;
	const char *name, *unit;
	size_t at;
	double scale, start, least, most;
	unsigned formats; /* that have it */
};
#define GPU(member) offsetof(struct efficiency, member)
#define FORMAT(member) offsetof(struct gemm_format, member)
#define ENGINE(member) offsetof(struct eager_engine, member)
static const struct constant constants[] = {
	{ PLAIN, "compute", "", GPU(compute), 1, 0.8, 0.3, 1, 0 },
	{ PLAIN, "memory", "", GPU(memory), 1, 0.8, 0.3, 1, 0 },
	{ PLAIN, "launch", "us", GPU(launch_s), 1e-6, 2, 0.5, 10, 0 },
	{ PLAIN, "wave", "us", GPU(wave_s), 1e-6, 0.5, 0.01, 10, 0 },
	{ PLAIN, "operands", "B", GPU(operand_bytes), 1, 64, 10, 128, 0 },
	{ EIGHT_BITS, "compute_8bit", "", GPU(compute_8bit), 1, 0.7, 0.2, 1, 0 },
	{ EIGHT_BITS, "quantise", "us", GPU(quantise_s), 1e-6, 8, 0.1, 50, 0 },
	{ FOUR_BITS, "compute_4bit", "", GPU(compute_4bit), 1, 0.5, 0.2, 1, 0 },
	{ FORMATS, "compute_ratio", "", FORMAT(compute_ratio), 1, 1, 0.3, 1, BLOCK | WO8 | WO4 },
	{ FORMATS, "native_ratio", "", FORMAT(native_ratio), 1, 1, 0.3, 2, BLOCK },
	{ FORMATS, "depth_s", "ns", FORMAT(depth_s), 1e-9, 2, 0.1, 10, FP4 | SQ | WO8 | WO4 },
	{ FORMATS, "vector_depth_s", "ns", FORMAT(vector_depth_s), 1e-9, 1, 0.1, 10, WO8 | WO4 },
	{ FORMATS, "quantise_ratio", "", FORMAT(quantise_ratio), 1, 0.5, 0.01, 3,
		BLOCK | FP4 | WO8 | WO4 },
	{ FORMATS, "round_ratio", "", FORMAT(round_ratio), 1, 0.5, 0.1, 1, FP8 | BLOCK | FP4 | SQ },
	{ DECODING, "attention_memory", "", GPU(attention_memory), 1, 0.9, 0.3, 1, 0 },
	{ DECODING, "attention_start", "us", GPU(attention_s), 1e-6, 10, 1, 100, 0 },
	{ DECODING, "attention_head", "us", GPU(attention_head_s), 1e-6, 2, 0.01, 100, 0 },
	{ DECODING, "attention_group", "us", GPU(attention_group_s), 1e-6, 2, 0.01, 100, 0 },
	{ PREFILLING, "attention", "", GPU(attention), 1, 0.5, 0.2, 1, 0 },
	{ PREFILLING, "attention_block", "us", GPU(attention_block_s), 1e-6, 1, 0.01, 100, 0 },
	{ EAGER_PRODUCTS, "product_ratio", "", ENGINE(product_ratio), 1, 1, 0.3, 1, 0 },
	{ EAGER_PRODUCTS, "product_start_s", "us", ENGINE(product_start_s), 1e-6, 1, 0.01, 20, 0 },
	{ EAGER_ROWS, "start_s", "us", ENGINE(start_s), 1e-6, 2, 0.1, 20, 0 },
	{ EAGER_ROWS, "step_s", "us", ENGINE(step_s), 1e-6, 0.5, 0.01, 5, 0 },
	{ EAGER_ROWS, "row_bytes", "B", ENGINE(row_bytes), 1, 8, 1, 64, 0 },
	{ EAGER_ROWS, "stream_ratio", "", ENGINE(stream_ratio), 1, 0.9, 0.3, 1, 0 },
	{ EAGER_ROWS, "l2_ratio", "", ENGINE(l2_ratio), 1, 2, 1, 8, 0 },
};

static double most_of(const struct constant *c, const struct fit_world *w, size_t i)
{
	bool alone = c->step == PLAIN && strcmp(w->gpus[i].family, "ampere") == 0;
	return alone && c->at == GPU(operand_bytes) ? 64 : c->most;
}

static double *place(struct fit_world *w, const struct constant *c, size_t i)
{
	enum owner owner = steps[c->step].owner;
	void *base = owner == OF_GPU      ? (void *)&w->gpus[i].achieved
		     : owner == OF_FORMAT ? (void *)&w->formats[i]
					  : (void *)&w->engine;
	return (double *)((char *)base + c->at);
}

/* --- Fitting --- */

struct chosen { /* the rows of constants that are fitted together */
	const struct fit_world *world;
	const struct row **row;
	size_t n_rows;
};

bool row_is_held(const struct row *r, struct holdout h)
{
	switch (h.what) {
	case ROWS_OUT:
		return r->row_fold == h.which;
	case SHAPES_OUT:
		return r->shape_fold == h.which;
	case GPU_OUT:
		return r->gpu == h.which;
	default:
		return false;
	}
}

static double loss(const void *of)
{
	const struct chosen *c = of;
	double sum = 0;
	for (size_t i = 0; i < c->n_rows; i++)
		sum += fabs(log(world_predict_s(c->world, c->row[i]) / c->row[i]->time_s));
	return sum;
}

static void fit_step(struct fit_world *w, const struct rows *rows, struct holdout h, enum step step,
	size_t i, const struct row **space)
{
	struct chosen rows_of = { .world = w, .row = space };
	struct descent d = { .loss = loss, .of = &rows_of };
	enum owner owner = steps[step].owner;
	unsigned formats = owner == OF_FORMAT ? 1u << i : steps[step].formats;
	for (size_t k = 0; k < rows->n; k++) {
		const struct row *r = &rows->row[k];
		if (steps[step].kinds >> r->kind & 1 && formats >> r->format & 1 &&
			(owner != OF_GPU || r->gpu == i) && !row_is_held(r, h) && possible(w, r))
			rows_of.row[rows_of.n_rows++] = r;
	}
	for (size_t k = 0; k < COUNT(constants); k++) {
		const struct constant *c = &constants[k];
		if (c->step != step || (owner == OF_FORMAT && !(c->formats >> i & 1)))
			continue;
		d.value[d.n] = place(w, c, i);
		d.scale[d.n] = c->scale;
		d.least[d.n] = c->least * c->scale;
		d.most[d.n++] = most_of(c, w, i) * c->scale;
	}
	if (rows_of.n_rows > 0 && d.n > 0)
		descend(&d);
}

static size_t owners(enum owner owner)
{
	return owner == OF_GPU ? N_GPUS : owner == OF_FORMAT ? N_FORMATS : 1;
}

/* Whether there is such a thing to fit: no 4-bit rate without 4-bit units. */
static bool has(const struct fit_world *w, const struct constant *c, size_t i)
{
	if (c->step == FOUR_BITS)
		return w->gpus[i].peak_flops[DTYPE_FP4] > 0;
	return steps[c->step].owner != OF_FORMAT || c->formats >> i & 1;
}

/* The constants of the GPU that was left out: what the others have in common. */
static void borrow(struct fit_world *w, size_t out)
{
	for (size_t k = 0; k < COUNT(constants); k++) {
		double sum = 0, n = 0;
		for (size_t i = 0; i < N_GPUS && steps[constants[k].step].owner == OF_GPU; i++)
			if (i != out && has(w, &constants[k], i)) {
				sum += log(*place(w, &constants[k], i));
				n++;
			}
		if (n > 0)
			*place(w, &constants[k], out) = exp(sum / n);
	}
}

void world_fit(
	struct fit_world *w, const struct rows *rows, struct holdout h, const struct row **space)
{
	for (size_t k = 0; k < COUNT(constants); k++)
		for (size_t i = 0; i < owners(steps[constants[k].step].owner); i++)
			if (has(w, &constants[k], i))
				*place(w, &constants[k], i) =
					constants[k].start * constants[k].scale;
	for (size_t k = 0; k < COUNT(order); k++)
		for (size_t i = 0; i < owners(steps[order[k]].owner); i++)
			fit_step(w, rows, h, order[k], i, space);
	if (h.what == GPU_OUT)
		borrow(w, h.which);
}

int world_compare(const struct fit_world *fitted, const struct fit_world *tree)
{
	struct fit_world new = *fitted, old = *tree;
	int differ = 0;
	for (enum owner owner = OF_GPU; owner <= OF_ENGINE; owner++)
		for (size_t i = 0; i < owners(owner); i++) {
			if (owner == OF_GPU)
				printf("%s, \"achieved\":\n", fit_gpus[i]);
			else if (owner == OF_FORMAT)
				printf("gemm_formats, %s:\n", fit_formats[i]);
			else
				printf("eager_engine:\n");
			for (size_t k = 0; k < COUNT(constants); k++) {
				const struct constant *c = &constants[k];
				double got = *place(&new, c, i) / c->scale;
				double stands = *place(&old, c, i) / c->scale;
				if (steps[c->step].owner != owner || !has(fitted, c, i))
					continue;
				bool same = fabs(got - stands) <= 1e-9 * got;
				printf("\t%-18s %.4g%s%s", c->name, got, *c->unit ? " " : "",
					c->unit);
				if (!same)
					printf("   the tree has %.4g", stands);
				printf("\n");
				differ += !same;
			}
		}
	return differ;
}
