/* The comparison `linear`: the operations of a decoder layer outside attention, each by itself
 * (sims/gpu/linear_ops.h). */
#include "sims/base/array.h"
#include "sims/published/names.h"
#include "sims/gpu/linear_ops.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define TIME_COLUMN(op)                                                                            \
	{ .name = op "_us", .kind = CSV_NUMBER, .min = 1e-6, .max = 1e12, .blank = true },

enum { GPU, MODEL, TP, TOKENS, N_SHAPE };
static const struct csv_column columns[] = { [GPU] = { .name = "gpu" },
	[MODEL] = { .name = "model" },
	[TP] = { .name = "tp", .kind = CSV_NUMBER, .min = 1, .max = 1024, .whole = true },
	[TOKENS] = { .name = "num_tokens",
		.kind = CSV_NUMBER,
		.min = 1,
		.max = 1e9,
		.whole = true },
	LINEAR_OPS(TIME_COLUMN) };
enum { N_OPS = LENGTH(columns) - N_SHAPE };

/* One setting, and the times of its operations. */
struct linear_setting {
	const struct accelerator *gpu; /* NULL: the place is empty */
	const struct model *model;
	double tp, tokens, op_s[N_OPS];
};

/* Long tables repeat their settings, and each costs ten kernels: the latest ones are kept in a
 * table by their hash, where another one on the same place takes it over. */
enum { PLACES = 4096 };
struct memo {
	struct linear_setting places[PLACES];
	uint8_t group[N_OPS]; /* an operation's, once it was timed */
	bool grouped[N_OPS];
};

static const struct linear_setting *setting_of(struct memo *memo, const struct accelerator *g,
	const struct model *m, double tp, double tokens)
{
	uint64_t key = (uint64_t)(tokens * 64 + tp) * 31 + (uintptr_t)g / sizeof *g * 7 +
		       (uintptr_t)m / sizeof *m;
	struct linear_setting *s = &memo->places[key * 0x9e3779b97f4a7c15u >> 52];

	if (s->gpu == g && s->model == m && s->tp == tp && s->tokens == tokens)
		return s;
	*s = (struct linear_setting){ .gpu = g, .model = m, .tp = tp, .tokens = tokens };
	for (size_t i = 0; i < N_OPS; i++)
		s->op_s[i] = linear_op_time_s(g, m, (int)tp, tokens, linear_op_ids[i]);
	return s;
}

/* A row may leave out the time of an operation, but not of all of them. */
static void predict_row(struct validation *v, size_t file, size_t row, struct memo *memo)
{
	const struct csv *c = &v->files[file];
	const struct accelerator *g = validation_gpu(v, file, row, GPU);
	const struct model *m = g ? validation_model(v, file, row, MODEL) : NULL;
	size_t timed = 0;

	if (!m)
		return;
	const struct linear_setting *s =
		setting_of(memo, g, m, csv_number(c, row, TP), csv_number(c, row, TOKENS));
	for (size_t i = 0; i < N_OPS; i++) {
		double measured_us = csv_number(c, row, N_SHAPE + i);
		if (isnan(measured_us))
			continue;
		timed++;
		if (!memo->grouped[i])
			memo->group[i] = validation_group(v, true, "%s", linear_op_ids[i]);
		memo->grouped[i] = true;
		if (!validation_add(v, file, row, memo->group[i], 1e6 * s->op_s[i], measured_us))
			return;
	}
	if (!timed)
		validation_skip(v, file, row, "expected the time of an operation, found none");
}

static void predict(struct validation *v, size_t file)
{
	struct memo *memo = arena_alloc(&v->arena, sizeof *memo);
	size_t rows = v->files[file].n_rows;

	if (!memo || !validation_reserve(v, rows * N_OPS))
		return;
	for (size_t row = 0; row < rows; row++)
		predict_row(v, file, row, memo);
}

static void describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];
	char gpu[32], model[40];

	snprintf(w->what, sizeof w->what, "%s %s tp %g, %g tokens",
		csv_text(c, p->row, GPU, gpu, sizeof gpu),
		csv_text(c, p->row, MODEL, model, sizeof model), csv_number(c, p->row, TP),
		csv_number(c, p->row, TOKENS));
	snprintf(w->thought, sizeof w->thought, "%s", v->groups[p->group].name);
}

static const struct measured_source sources[] = {
	{ .files = { "linear.csv" },
		.from = "Microsoft vidur",
		.columns = columns,
		.n_columns = LENGTH(columns),
		.predict = predict,
		.describe = describe },
};

const struct measured_model measured_linear = {
	.id = "linear",
	.title = "Linear layers",
	.predicts = "the time of each operation of a layer outside attention, a kernel each",
	.quantity = "time",
	.unit = "us",
	.sources = sources,
	.n_sources = 1,
	.marks = { { "", 0.5, 0.15, "median <= 15 %" } },
};
