/* The comparison `tiles`: a product tile by tile on a clock (sims/gpu/tiled_product.h), cut as a
 * library would, against products replayed in a CUDA graph. It is about the plain products of the
 * table: weight-only and block-scaled kernels do other things beside multiplying. */
#include "sims/base/array.h"
#include "sims/gpu/kernel.h"
#include "sims/gpu/tiled_product.h"
#include "sims/published/names.h"

#include <math.h>
#include <stdio.h>

#define SIZE_COLUMN(id)                                                                            \
	{                                                                                          \
		.name = id, .kind = CSV_NUMBER, .min = 1, .max = 1e6, .whole = true                \
	}

enum { GPU, DTYPE, M, N, K, TIME, N_COLUMNS };
static const struct csv_column columns[N_COLUMNS] = {
	[GPU] = { .name = "gpu" },
	[DTYPE] = { .name = "dtype" },
	[M] = SIZE_COLUMN("m"),
	[N] = SIZE_COLUMN("n"),
	[K] = SIZE_COLUMN("k"),
	[TIME] = { .name = "time_us", .kind = CSV_NUMBER, .min = 1e-6, .max = 1e12 },
};

static const char *const plain[] = { "bfloat16", "float16", "fp8" };

static const struct gemm_format *format_of(const struct csv *c, size_t row)
{
	for (size_t i = 0; i < LENGTH(plain); i++)
		if (measured_is(c, row, DTYPE, plain[i]))
			return gemm_format_find(plain[i]);
	return NULL;
}

static struct tiled_product product_of(
	const struct accelerator *g, const struct gemm_format *f, const struct csv *c, size_t row)
{
	struct tiled_product p = tiled_library_product(
		g, f->math, csv_number(c, row, M), csv_number(c, row, N), csv_number(c, row, K));
	p.b_in_l2 = gemm_rotated_in_l2(g, f, p.n, p.k);
	tiled_choose(&p);
	return p;
}

static void predict(struct validation *v, size_t file)
{
	const struct csv *c = &v->files[file];
	for (size_t row = 0; row < c->n_rows; row++) {
		const struct accelerator *g = validation_gpu(v, file, row, GPU);
		const struct gemm_format *f = g ? format_of(c, row) : NULL;
		if (g && !f)
			validation_set_aside(
				v, file, row, "dtype: not one of bfloat16, float16, fp8");
		if (!f)
			continue;
		struct arena arena = { 0 };
		struct tiled_product p = product_of(g, f, c, row);
		double s = tiled_product_run(&p, &arena, NULL, 0, NULL, 0).time_s +
			   gemm_rounding_s(g, f, p.m, p.k);
		v->arena.failed |= arena.failed;
		arena_release(&arena);
		uint8_t group = validation_group(v, true, "%s %s", g->id, f->name);
		validation_add(v, file, row, group, 1e6 * s, csv_number(c, row, TIME));
	}
}

static void describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];
	const struct accelerator *g = measured_gpu_at(v->tables, c, p->row, GPU);
	const struct gemm_format *f = format_of(c, p->row);
	struct tiled_product t = product_of(g, f, c, p->row);
	snprintf(w->what, sizeof w->what, "%s %s %g x %g x %g", g->id, f->name, t.m, t.n, t.k);
	snprintf(w->thought, sizeof w->thought, "tiles of %g x %g, k in %g, %.2f waves", t.tile_m,
		t.tile_n, t.split_k, tiled_rows(&t) * tiled_columns(&t) * t.split_k / tiled_sms(g));
}

static const struct measured_source sources[] = {
	{ .files = { "gemm.csv", "gemm_m_sweep.csv" },
		.from = "NVIDIA aiconfigurator",
		.columns = columns,
		.n_columns = N_COLUMNS,
		.predict = predict,
		.describe = describe },
};

const struct measured_model measured_tiles = {
	.id = "tiles",
	.title = "Products, tile by tile",
	.predicts = "the time of a product of m x k by k x n from the walk of its tiles",
	.quantity = "time",
	.unit = "us",
	.sources = sources,
	.n_sources = LENGTH(sources),
	.marks = { { "", 0.5, 0.15, "median <= 15 %" }, { "", 0.9, 0.4, "90 % of rows <= 40 %" } },
};
