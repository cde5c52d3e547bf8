/* The comparison `speculative`: the speed-up of speculative decoding from the tokens that a round
 * brings. A round drafts in so many passes, one after the other, and verifies a tree of so many
 * tokens at once; both are facts of a method, from its paper or its code. Everything runs in eager
 * PyTorch at batch 1, so that a pass takes the longer of what the CPU launches and what the GPU
 * does. */
#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/published/names.h"
#include "sims/gpu/engine_shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEVICE, TARGET, METHOD, ACCEPTED, SPEEDUP, N_COLUMNS };
static const struct csv_column columns[N_COLUMNS] = {
	[DEVICE] = { .name = "device" },
	[TARGET] = { .name = "target_model" },
	[METHOD] = { .name = "method" },
	[ACCEPTED] = { .name = "mean_accepted_tokens", .kind = CSV_NUMBER, .min = 1, .max = 1000 },
	[SPEEDUP] = { .name = "speedup_overall", .kind = CSV_NUMBER, .min = 0.01, .max = 1000 },
};

/* layers: in a draft pass. passes 0: drafts are looked up, which costs next to nothing. */
struct method {
	const char *name;
	double passes, layers, tree_tokens;
};
static const struct method methods[] = {
	{ "SpS", 4, 2, 5 },     /* a model of two layers drafts a chain */
	{ "EAGLE", 5, 1, 26 },  /* one layer, a fixed tree five deep */
	{ "EAGLE2", 6, 1, 60 }, /* the same with a tree that follows confidence */
	{ "EAGLE3", 7, 1, 60 },
	{ "SAMD[EAGLE2]", 6, 1, 60 }, /* a suffix automaton beside EAGLE-2 */
	{ "Hydra", 4, 1, 64 },        /* heads that depend on each other */
	{ "Medusa", 1, 1, 64 },       /* heads that do not: one pass */
	{ "Recycling", 1, 0, 80 },    /* candidates of earlier steps, kept in a matrix */
	{ "REST", 1, 0, 64 },         /* retrieved from a store */
	{ "Lookahead", 1, 0, 90 },    /* n-grams beside Jacobi windows */
	{ "PLD", 0, 0, 11 },          /* n-grams of the prompt */
	{ "SAMD", 0, 0, 40 },
	{ "SAM-Decoding", 0, 0, 40 },
	{ "SAMD[Recycling]", 1, 0, 80 },
};
enum { N_METHODS = LENGTH(methods) };

/* What the CPU takes to launch a layer in eager PyTorch; and everything else of a pass, in layers:
 * embedding, head, sampling, the loop in Python. */
static const double layer_launch_s = 0.62e-3, pass_layers = 4.24;
enum { LAYER_LAUNCH, PASS_LAYERS, N_CONSTANTS };
static const struct measured_constant constants[N_CONSTANTS] = {
	[LAYER_LAUNCH] = { .name = "launch of a layer",
		.unit = "ms",
		.scale = 1e-3,
		.at = &layer_launch_s,
		.least = 0.1e-3,
		.most = 5e-3 },
	[PASS_LAYERS] = { .name = "rest of a pass, in layers",
		.unit = "",
		.scale = 1,
		.at = &pass_layers,
		.least = 0.5,
		.most = 32 },
};
/* Tokens in the cache, as in the benchmark's prompts: next to nothing beside the weights. */
static const double context = 512;

static const struct method *method_of(const struct csv *c, size_t row)
{
	for (size_t i = 0; i < N_METHODS; i++)
		if (measured_is(c, row, METHOD, methods[i].name))
			return &methods[i];
	return NULL;
}

static double pass_s(const struct validation *v, double layers, double gpu_s)
{
	double of_the_host = layers + validation_constant(v, PASS_LAYERS);

	return fmax(of_the_host * validation_constant(v, LAYER_LAUNCH), gpu_s);
}

/* The times of a round, and of a plain step. */
struct speculative_run {
	double draft_s, verify_s, plain_s;
};

static struct speculative_run round_of(const struct validation *v, const struct model *m,
	const struct accelerator *g, const struct method *how)
{
	struct engine_shape e = engine_shape_of(m, g, 1, DTYPE_BF16, DTYPE_BF16);
	double plain_s = engine_step_s(&e, 1, context, 0, 0);
	double draft_s = pass_s(v, how->layers, plain_s * how->layers / m->layers);

	return (struct speculative_run){ how->passes * draft_s,
		pass_s(v, m->layers, engine_step_s(&e, how->tree_tokens + 1, context, 0, 0)),
		pass_s(v, m->layers, plain_s) };
}

static void predict_row(struct validation *v, size_t file, size_t row)
{
	const struct csv *c = &v->files[file];
	const struct accelerator *g = validation_gpu(v, file, row, DEVICE);
	const struct model *m = g ? validation_model(v, file, row, TARGET) : NULL;
	const struct method *how = method_of(c, row);
	char name[40], hint[HINT_SIZE];

	if (!m)
		return;
	if (!how) {
		const char *names[N_METHODS];
		for (size_t i = 0; i < N_METHODS; i++)
			names[i] = methods[i].name;
		csv_text(c, row, METHOD, name, sizeof name);
		validation_skip(v, file, row, "method: unknown \"%s\"%s", name,
			did_you_mean(name, names, N_METHODS, hint, sizeof hint));
		return;
	}
	struct speculative_run r = round_of(v, m, g, how);
	double speedup = csv_number(c, row, ACCEPTED) * r.plain_s / (r.draft_s + r.verify_s);
	validation_add(v, file, row, validation_group(v, true, "%s", g->id), speedup,
		csv_number(c, row, SPEEDUP));
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
	char device[32], model[40], name[32];

	csv_text(c, p->row, DEVICE, device, sizeof device);
	csv_text(c, p->row, TARGET, model, sizeof model);
	struct speculative_run r = round_of(v, measured_model_at(v->tables, c, p->row, TARGET),
		measured_gpu_at(v->tables, c, p->row, DEVICE), method_of(c, p->row));
	snprintf(w->what, sizeof w->what, "%s %s %s", device, model,
		csv_text(c, p->row, METHOD, name, sizeof name));
	snprintf(w->thought, sizeof w->thought,
		"%.2f tokens a round that costs %.2f + %.2f steps: drafts, verification",
		csv_number(c, p->row, ACCEPTED), r.draft_s / r.plain_s, r.verify_s / r.plain_s);
}

static const struct measured_source sources[] = {
	{ .files = { "speculative.csv" },
		.from = "Spec-Bench",
		.columns = columns,
		.n_columns = N_COLUMNS,
		.most_rows = 2000,
		.predict = predict,
		.describe = describe },
};

static void assume(struct figure *fig)
{
	figure_assume(fig,
		"eager PyTorch at batch 1: %s of CPU a layer, and as much as %g layers around each "
		"pass",
		figure_quantity(fig, layer_launch_s, "s"), pass_layers);
}

const struct measured_model measured_speculative = {
	.id = "speculative",
	.title = "Speculative decoding",
	.predicts = "the speed-up from the tokens that a round brings",
	.assume = assume,
	.quantity = "speed-up",
	.unit = "",
	.sources = sources,
	.n_sources = 1,
	.marks = { { "", 0.5, 0.15, "median <= 15 %" } },
	.constants = constants,
	.n_constants = N_CONSTANTS,
	.held = { { "GPU", DEVICE }, { "method", METHOD } },
};
