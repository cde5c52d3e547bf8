/* The operations of a decoder layer outside attention, each by itself (sims/gpu/linear_ops.h). */
#include "sims/measured/measured.h"

#include "sims/gpu/linear_ops.h"

#include <math.h>
#include <stdio.h>

#define TIME_COLUMN(id)                                                                            \
	{                                                                                          \
		.name = id "_us", .kind = CSV_NUMBER, .min = 1e-6, .max = 1e12, .blank = true      \
	}

enum { GPU, MODEL, TP, TOKENS, N_SHAPE, N_OPS = 10, N_COLUMNS = N_SHAPE + N_OPS };
static const struct csv_column columns[N_COLUMNS] = {
	[GPU] = { .name = "gpu" },
	[MODEL] = { .name = "model" },
	[TP] = { .name = "tp", .kind = CSV_NUMBER, .min = 1, .max = 1024, .whole = true },
	[TOKENS] = { .name = "num_tokens",
		.kind = CSV_NUMBER,
		.min = 1,
		.max = 1e9,
		.whole = true },
	/* In the order of op_ids. */
	TIME_COLUMN("emb"),
	TIME_COLUMN("input_layernorm"),
	TIME_COLUMN("attn_pre_proj"),
	TIME_COLUMN("attn_rope"),
	TIME_COLUMN("attn_post_proj"),
	TIME_COLUMN("post_attention_layernorm"),
	TIME_COLUMN("mlp_up_proj"),
	TIME_COLUMN("mlp_act"),
	TIME_COLUMN("mlp_down_proj"),
	TIME_COLUMN("add"),
};
static const char *const op_ids[N_OPS] = { "emb", "input_layernorm", "attn_pre_proj", "attn_rope",
	"attn_post_proj", "post_attention_layernorm", "mlp_up_proj", "mlp_act", "mlp_down_proj",
	"add" };

/* An operation that was not timed is no fault of its row; a row without any is. */
static void predict_row(struct validation *v, size_t file, size_t row)
{
	const struct csv *c = &v->files[file];
	const struct accelerator *g = validation_gpu(v, file, row, GPU);
	const struct model *m = g ? validation_model(v, file, row, MODEL) : NULL;
	size_t timed = 0;

	if (!m)
		return;
	for (size_t i = 0; i < N_OPS; i++) {
		double measured_us = csv_number(c, row, N_SHAPE + i);
		if (isnan(measured_us))
			continue;
		timed++;
		double s = linear_op_time_s(
			g, m, (int)csv_number(c, row, TP), csv_number(c, row, TOKENS), op_ids[i]);
		uint8_t group = validation_group(v, true, "%s", op_ids[i]);
		if (!validation_add(v, file, row, group, 1e6 * s, measured_us))
			return;
	}
	if (!timed)
		validation_skip(v, file, row, "expected the time of an operation, found none");
}

static void predict(struct validation *v, size_t file)
{
	for (size_t row = 0; row < v->files[file].n_rows; row++)
		predict_row(v, file, row);
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
		.n_columns = N_COLUMNS,
		.predict = predict,
		.describe = describe },
};

extern const struct measured_model measured_linear;
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
