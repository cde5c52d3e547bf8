/* The comparison `training`: throughputs in training as six publications have them, of language
 * models (sims/training/model_step.h) and of ResNet-50 (sims/training/training.h). Each has columns of its own, and leaves out what its readers are
 * taken to know: that is said where it is filled in, and in the assumptions that a validation
 * prints. */
#include "sims/comparisons/training_runs.h"

#include "sims/architecture/architecture.h"
#include "sims/base/array.h"
#include "sims/comparisons/dle.h"
#include "sims/comparisons/torchtitan.h"
#include "sims/constants.h"
#include "sims/published/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Network cards: 200 Gb/s for each A100, 400 for Hopper and Blackwell, 800 beside Grace with
 * Blackwell Ultra; a rack of Grace and Blackwell is one node. */
static const struct {
	const char *gpu; /* how its id begins */
	double card_bytes;
} machines[] = {
	{ "gb300", 100e9 },
	{ "gb200", 50e9 },
	{ "b", 50e9 },
	{ "h", 50e9 },
	{ "", NETWORK_CARD_BYTES_PER_S },
};

static struct network network_of(const struct accelerator *g)
{
	size_t i = 0;

	while (strncmp(g->id, machines[i].gpu, strlen(machines[i].gpu)) != 0)
		i++;
	return network_measured(g->family, gpu_domain(g), g->link_bandwidth, machines[i].card_bytes,
		NETWORK_LATENCY_S);
}

/* --- Runs --- */

/* Most rows are one run; those of a recipe in brackets are two. */
enum { RUNS_A_ROW = 2 };

struct run_list {
	struct training_run *runs;
	size_t n, cap;
};

static struct training_run *add_run(struct validation *v, size_t file, size_t row,
	const char *group, const struct accelerator *g)
{
	struct run_list *list = v->notes[file];

	if (!list || list->n == list->cap)
		return NULL;
	struct training_run *r = &list->runs[list->n++];
	*r = (struct training_run){ .chunks = 1,
		.group = group,
		.row = (uint32_t)row,
		.file = (uint8_t)file,
		.setup = { .gpu = g,
			.net = network_of(g),
			.tp = 1,
			.pp = 1,
			.cp = 1,
			.shard = 1,
			.dtype = DTYPE_BF16,
			.flash = true,
			.sequence_parallel = true,
			.loss_share = 1,
			.software.date = SOFTWARE_2023 } };
	return r;
}

/* Fills in what follows from the rest. False, and the row left out, where it does not go up. */
static bool complete(struct validation *v, struct training_run *r, double gpus, double global_batch)
{
	struct step_setup *s = &r->setup;
	double mesh = s->tp * s->pp * s->cp;

	if (!s->model)
		s->model = &r->shape;
	s->dp = gpus / mesh;
	s->micro_batches = global_batch / (s->micro_batch * s->dp);
	if (s->dp >= 1 && s->dp == floor(s->dp) && s->micro_batches >= 1 &&
		s->shard <= s->dp * s->cp && s->pp * r->chunks <= s->model->layers + 2)
		return true;
	struct run_list *list = v->notes[r->file];
	validation_skip(v, r->file, r->row,
		"%g GPUs, batch %g: expected whole replicas of %g x %g x %g GPUs, each with a "
		"micro-batch of %g at least",
		gpus, global_batch, s->tp, s->pp, s->cp, s->micro_batch);
	list->n--;
	return false;
}

double training_run_per_s(
	const struct training_run *r, const struct step_work *work, const struct step_costs *costs)
{
	if (r->images.workload)
		return training_step(&r->images).samples_per_s / r->images.gpus;
	struct step_work own = work ? *work : step_work_of(&r->setup);
	return step_time_of(&r->setup, &own, r->chunks, costs).tokens_per_s;
}

static void compare_runs(struct validation *v, size_t file)
{
	const struct run_list *list = v->notes[file];

	for (size_t i = 0; list && i < list->n; i++) {
		const struct training_run *r = &list->runs[i];
		/* The headline is of language models. */
		bool counts = !r->images.workload;
		/* What a mixture's step takes depends on the container more than on the GPU. */
		const char *of = r->container[0] ? r->container : r->setup.gpu->id;
		uint8_t group = validation_group(v, counts, "%s %s", r->group, of);
		validation_add(v, file, r->row, group, training_run_per_s(r, NULL, NULL), r->per_s);
	}
}

static bool begin(struct validation *v, size_t file)
{
	size_t most = RUNS_A_ROW * v->files[file].n_rows;
	struct run_list *list = arena_array(&v->arena, 1, sizeof *list);
	struct training_run *runs = arena_array(&v->arena, most + 1, sizeof *runs);

	if (!list || !runs)
		return false;
	*list = (struct run_list){ runs, 0, most };
	v->notes[file] = list;
	return true;
}

/* Reads every row by `read`, then predicts. */
static void predict_rows(
	struct validation *v, size_t file, void (*read)(struct validation *, size_t, size_t))
{
	if (!begin(v, file))
		return;
	for (size_t row = 0; row < v->files[file].n_rows; row++)
		read(v, file, row);
	compare_runs(v, file);
}

const struct training_run *training_runs(struct validation *v, size_t *n)
{
	struct training_run *all = arena_array(&v->arena, v->n + 1, sizeof *all);

	*n = 0;
	for (size_t f = 0; all && f < v->n_files; f++) {
		const struct run_list *list = v->notes[f];
		for (size_t i = 0; list && i < list->n; i++) {
			all[*n] = list->runs[i];
			if (all[*n].setup.model == &list->runs[i].shape)
				all[*n].setup.model = &all[*n].shape;
			if (all[*n].images.workload)
				all[*n].images.workload = &all[*n].workload;
			(*n)++;
		}
	}
	return all;
}

static void describe_images(const struct training_run *r, struct measured_words *w)
{
	const struct training *t = &r->images;
	struct training_step s = training_step(t);
	snprintf(w->what, sizeof w->what, "ResNet-50, %g x %s, %s, %g images each", t->gpus,
		t->gpu->id, dtype_names[t->dtype], s.gpu_batch);
	snprintf(w->thought, sizeof w->thought,
		"%.0f %% kernels, %.0f %% starts and optimizer, %.0f %% communication, %.0f %% "
		"waiting for images",
		100 * s.compute_s / s.step_s, 100 * s.fixed_s / s.step_s,
		100 * s.exposed_s / s.step_s, 100 * s.input_wait_s / s.step_s);
}

static void describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct run_list *list = v->notes[p->file];
	const struct training_run *r = NULL;

	for (size_t i = 0; i < list->n; i++)
		if (list->runs[i].row == p->row && list->runs[i].per_s == p->measured)
			r = &list->runs[i];
	if (r && r->images.workload)
		describe_images(r, w);
	if (!r || r->images.workload)
		return;
	const struct step_setup *s = &r->setup;
	struct step_time t = model_step(s, r->chunks);
	snprintf(w->what, sizeof w->what, "%s, %g x %s, %s, tp %g pp %g cp %g, %g x %g tokens",
		s->model->name, s->tp * s->pp * s->cp * s->dp, s->gpu->id, dtype_names[s->dtype],
		s->tp, s->pp, s->cp, s->micro_batch, s->seq);
	snprintf(w->thought, sizeof w->thought,
		"%.0f %% products, %.0f %% attention, %.0f %% other kernels, %.0f %% "
		"communication, %.0f %% pipeline",
		100 * t.part_s[SPENT_PRODUCTS] / t.step_s,
		100 * t.part_s[SPENT_ATTENTION] / t.step_s,
		100 * t.part_s[SPENT_POINTWISE] / t.step_s,
		100 *
			(t.part_s[SPENT_TENSOR] + t.part_s[SPENT_CONTEXT] + t.part_s[SPENT_GATHER] +
				t.part_s[SPENT_EXCHANGE]) /
			t.step_s,
		/* less than nothing by a rounding, where there is no pipeline */
		100 * fmax(0, t.part_s[SPENT_PIPELINE]) / t.step_s);
}

#define COUNTED(column)                                                                            \
	{                                                                                          \
		.name = column, .kind = CSV_NUMBER, .min = 1, .max = 1e9, .whole = true            \
	}
#define RATE(column)                                                                               \
	{                                                                                          \
		.name = column, .kind = CSV_NUMBER, .min = 1e-9, .max = 1e12                       \
	}

/* --- llm-foundry: MPT under FSDP, eager PyTorch of 2023 --- */

enum { LF_MODEL, LF_SEQ, LF_GPUS, LF_GPU, LF_MICRO, LF_GLOBAL, LF_RATE, LF_MODE, LF_CKPT, N_LF };
static const struct csv_column lf_columns[N_LF] = {
	[LF_MODEL] = { .name = "Model" },
	[LF_SEQ] = COUNTED("SeqLen_T"),
	[LF_GPUS] = COUNTED("n_gpus"),
	[LF_GPU] = { .name = "GPU" },
	[LF_MICRO] = COUNTED("MicroBatchSize"),
	[LF_GLOBAL] = COUNTED("GlobalBatchSize"),
	[LF_RATE] = RATE("Throughput_T/s/GPU"),
	[LF_MODE] = { .name = "MP_Mode", .blank = true },
	[LF_CKPT] = { .name = "Activation_Checkpointing" },
};

/* The MPT family: layers, width, heads (llm-foundry, scripts/train/yamls). */
static const struct {
	const char *name;
	double layers, hidden, heads;
} mpt_sizes[] = { { "125m", 12, 768, 12 }, { "350m", 24, 1024, 16 }, { "760m", 24, 1536, 12 },
	{ "1b", 24, 2048, 16 }, { "3b", 32, 2560, 20 }, { "7b", 32, 4096, 32 },
	{ "13b", 40, 5120, 40 }, { "30b", 48, 7168, 56 }, { "70b", 80, 8192, 64 } };

/* A GPT: four times as wide in between, as many KV heads as heads. */
static struct model gpt_shape(
	const char *name, double layers, double hidden, double heads, double vocab)
{
	struct model m = { .id = name,
		.name = name,
		.layers = layers,
		.hidden = hidden,
		.heads = heads,
		.kv_heads = heads,
		.head_dim = hidden / heads,
		.ffn = 4 * hidden,
		.vocab = vocab };
	m.params = layers * layer_product_params(&m) + vocab * hidden;
	return m;
}

static void lf_row(struct validation *v, size_t file, size_t row)
{
	const struct csv *c = &v->files[file];
	const struct accelerator *g = validation_gpu(v, file, row, LF_GPU);
	char name[16];
	size_t i = 0;

	csv_text(c, row, LF_MODEL, name, sizeof name);
	while (i < LENGTH(mpt_sizes) && strcmp(mpt_sizes[i].name, name) != 0)
		i++;
	if (g && i == LENGTH(mpt_sizes))
		validation_skip(
			v, file, row, "Model: expected a size of MPT, 125m to 70b, found %s", name);
	if (!g || i == LENGTH(mpt_sizes))
		return;
	struct training_run *r = add_run(v, file, row, "llm-foundry", g);
	if (!r)
		return;
	/* 50,368 words: those of GPT-NeoX, to a multiple of 128. */
	r->shape = gpt_shape(mpt_sizes[i].name, mpt_sizes[i].layers, mpt_sizes[i].hidden,
		mpt_sizes[i].heads, 50368);
	struct step_setup *s = &r->setup;
	s->shard = csv_number(c, row, LF_GPUS);
	s->micro_batch = csv_number(c, row, LF_MICRO);
	s->seq = csv_number(c, row, LF_SEQ);
	s->recompute = measured_is(c, row, LF_CKPT, "true") ? RECOMPUTE_FULL : RECOMPUTE_NONE;
	s->wide_gradients = !measured_is(c, row, LF_MODE, "pure");
	r->per_s = csv_number(c, row, LF_RATE);
	complete(v, r, s->shard, csv_number(c, row, LF_GLOBAL));
}

static void lf_predict(struct validation *v, size_t file)
{
	predict_rows(v, file, lf_row);
}

/* --- Megatron-Bridge: NVIDIA's recipes of 2025 and 2026 --- */

enum {
	MB_MODEL,
	MB_SYSTEM,
	MB_GPUS,
	MB_PRECISION,
	MB_GLOBAL,
	MB_MICRO,
	MB_SEQ,
	MB_FSDP,
	MB_TP,
	MB_PP,
	MB_CP,
	MB_VP,
	MB_EP,
	MB_RATE,
	MB_CONTAINER,
	MB_TASK,
	/* As some of the source's tables call them. */
	MB_GPUS_TOO,
	MB_SEQ_TOO,
	MB_CONTAINER_TOO,
	N_MB
};
#define COUNTED_MAYBE(column)                                                                      \
	{                                                                                          \
		.name = column, .kind = CSV_NUMBER, .min = 1, .max = 1e9, .whole = true,           \
		.blank = true, .optional = true                                                    \
	}
/* Cells are text: some hold a second recipe in brackets. */
static const struct csv_column mb_columns[N_MB] = {
	[MB_MODEL] = { .name = "model" },
	[MB_SYSTEM] = { .name = "system" },
	[MB_GPUS] = COUNTED_MAYBE("n_gpus"),
	[MB_PRECISION] = { .name = "precision", .blank = true },
	[MB_GLOBAL] = COUNTED("gbs"),
	[MB_MICRO] = COUNTED("mbs"),
	[MB_SEQ] = COUNTED_MAYBE("seq"),
	[MB_FSDP] = { .name = "fsdp", .blank = true },
	[MB_TP] = { .name = "tp", .blank = true },
	[MB_PP] = { .name = "pp", .blank = true },
	[MB_CP] = { .name = "cp", .blank = true },
	[MB_VP] = { .name = "vp", .blank = true },
	[MB_EP] = { .name = "ep", .blank = true, .optional = true },
	[MB_CONTAINER] = { .name = "container", .blank = true, .optional = true },
	[MB_TASK] = { .name = "task", .blank = true, .optional = true },
	[MB_GPUS_TOO] = COUNTED_MAYBE("gpus"),
	[MB_SEQ_TOO] = COUNTED_MAYBE("seq_len"),
	[MB_CONTAINER_TOO] = { .name = "release", .blank = true, .optional = true },
	[MB_RATE] = { .name = "tokens_per_s_per_gpu" },
};

/* The recipe's part of a cell: "64 (0)" is 64 and, in brackets, 0; a cell without brackets holds for
 * both. */
static const char *recipe_text(
	const struct csv *c, size_t row, size_t column, bool bracketed, char *buf, size_t size)
{
	csv_text(c, row, column, buf, size);
	char *bracket = strchr(buf, '(');
	if (!bracket)
		return buf;
	if (bracketed) {
		bracket[strcspn(bracket, ")")] = '\0';
		return bracket + 1;
	}
	*bracket = '\0';
	while (bracket > buf && bracket[-1] == ' ')
		*--bracket = '\0';
	return buf;
}

/* At least `least`, which also stands for blank and "n/a". */
static double recipe_number(
	const struct csv *c, size_t row, size_t column, bool bracketed, double least)
{
	char buf[32];
	return fmax(least, strtod(recipe_text(c, row, column, bracketed, buf, sizeof buf), NULL));
}

static const struct {
	const char *begins;
	enum step_recipe_id recipe;
} mb_precisions[] = {
	{ "NVFP4", RECIPE_FP4 }, { "MXFP8", RECIPE_MXFP8 }, { "FP8-MX", RECIPE_MXFP8 },
	{ "FP8", RECIPE_FP8 }, { "BF16", RECIPE_BF16 },
	{ "", RECIPE_FP8 } /* blank in 25.09: per tensor, in brackets
						    * by blocks */
};

static const struct accelerator *mb_gpu(struct validation *v, size_t file, size_t row)
{
	char name[48];
	csv_text(&v->files[file], row, MB_SYSTEM, name, sizeof name);
	const char *gpu = strncmp(name, "DGX-", 4) == 0 ? name + 4 : name;
	const struct accelerator *g = measured_gpu(v->tables, gpu);
	if (!g)
		validation_skip(v, file, row, "system: no accelerator is known as \"%s\"", gpu);
	return g;
}

/* A number that stands under one of two names. */
static double either(const struct csv *c, size_t row, size_t column, size_t other)
{
	double n = csv_number(c, row, column);
	return isnan(n) ? csv_number(c, row, other) : n;
}

/* A word of a cell, whatever else it holds. */
static bool mentions(const struct csv *c, size_t row, size_t column, const char *word)
{
	char text[64];
	return strstr(csv_text(c, row, column, text, sizeof text), word) != NULL;
}

/* What the recipes say and the tables do not (scripts/performance/configs of the source, versions of
 * 2025 and 2026): the dispatcher, what CUDA graphs record, whether tokens travel behind another
 * micro-batch. The first row that fits a run holds; containers are numbered as 26.0201 for 26.02.01. */
static const struct {
	const char *model, *gpu; /* how they begin */
	double since;
	enum dispatcher routing;
	bool overlap, narrow; /* narrow: of 8 and 4 bits alone */
} mb_recipes[] = {
	{ "Nemotron", "", 0, ROUTING_SENT, false, false },
	{ "Qwen3_30B", "gb", 26.06, ROUTING_ON_GPU, false, true },
	{ "Qwen3_30B", "b", 26.06, ROUTING_ON_GPU, false, true },
	{ "Qwen3_30B", "b300", 26.02, ROUTING_RECORDED, false, false },
	{ "Qwen3_30B", "h", 26.0201, ROUTING_SENT, false, false },
	{ "Qwen3_30B", "b", 26.0201, ROUTING_RECORDED, false, false },
	{ "Qwen3_235B", "h", 25.11, ROUTING_ON_HOST, true, false },
	{ "", "gb", 26.06, ROUTING_ON_GPU, true, true },
	{ "", "b300", 26.06, ROUTING_ON_GPU, true, true },
	{ "DeepSeek", "b200", 26.0401, ROUTING_RECORDED, true, false },
	{ "DeepSeek", "gb300", 26.02, ROUTING_SENT, false, false },
	{ "DeepSeek", "b", 26.02, ROUTING_SENT, false, false },
	{ "DeepSeek", "h", 25.09, ROUTING_SENT, false, false },
	{ "Kimi", "", 25.11, ROUTING_SENT, false, false },
	{ "GPT", "b300", 26.0201, ROUTING_RECORDED, false, false },
	{ "GPT", "", 0, ROUTING_ON_HOST, false, false },
	{ "", "gb", 25.11, ROUTING_RECORDED, false, false },
	{ "", "", 0, ROUTING_ON_HOST, false, false },
};

/* 26.0201 for "26.02.01". */
static double container_number(const char *text)
{
	char *end;
	double number = strtod(text, &end);
	return number + (*end == '.' ? strtod(end + 1, NULL) / 1e4 : 0);
}

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static void mb_route(const char *model, const char *container, struct step_setup *s)
{
	double number = container_number(container);
	bool narrow = dtype_bytes(s->dtype) < BF16_BYTES;
	size_t i = 0;
	while (!starts(model, mb_recipes[i].model) || !starts(s->gpu->id, mb_recipes[i].gpu) ||
		number < mb_recipes[i].since || (mb_recipes[i].narrow && !narrow))
		i++;
	s->routing = mb_recipes[i].routing;
	s->dispatch_overlap = mb_recipes[i].overlap;
}

/* Experts get as many rows as each other: the source forces that. */
static void mb_mixture(const struct csv *c, size_t row, bool bracketed, struct training_run *r)
{
	struct step_setup *s = &r->setup;
	csv_text(c, row, MB_CONTAINER, r->container, sizeof r->container);
	if (!r->container[0])
		csv_text(c, row, MB_CONTAINER_TOO, r->container, sizeof r->container);
	s->ep = recipe_number(c, row, MB_EP, bracketed, 1);
	char model[48];
	mb_route(csv_text(c, row, MB_MODEL, model, sizeof model), r->container, s);
	s->capacity = mentions(c, row, MB_MODEL, "tokendrop");
	s->mtp = s->model->made_of->mtp_params > 0 && !mentions(c, row, MB_MODEL, "w/o MTP");
}

/* The recipe's rate; NAN where its part of the cell is no number. */
static double mb_rate(const struct csv *c, size_t row, bool bracketed)
{
	char buf[48], *end;
	const char *text = recipe_text(c, row, MB_RATE, bracketed, buf, sizeof buf);
	const double rate = strtod(text, &end);
	return end > text && !end[strspn(end, " ")] && rate > 0 ? rate : NAN;
}

/* False: the row is left out, and why is said. */
static bool mb_recipe(struct validation *v, size_t file, size_t row, const struct model *m,
	const struct accelerator *g, bool bracketed)
{
	const struct csv *c = &v->files[file];
	const double per_s = mb_rate(c, row, bracketed);
	char precision[32], rate[48];
	size_t i = 0;

	if (isnan(per_s)) {
		validation_skip(v, file, row,
			"tokens_per_s_per_gpu: expected a number, or two as in \"4357 (5243)\", found \"%s\"",
			csv_text(c, row, MB_RATE, rate, sizeof rate));
		return false;
	}
	struct training_run *r =
		add_run(v, file, row, m->made_of ? "mixtures" : "Megatron-Bridge", g);
	if (!r)
		return false;
	r->per_s = per_s;
	const char *text =
		recipe_text(c, row, MB_PRECISION, bracketed, precision, sizeof precision);
	while (strncmp(text, mb_precisions[i].begins, strlen(mb_precisions[i].begins)) != 0)
		i++;
	struct step_setup *s = &r->setup;
	s->model = m;
	s->software.date = SOFTWARE_2025;
	s->recipe = &step_recipes[mb_precisions[i].recipe];
	if (text[0] == '\0' && bracketed)
		s->recipe = &step_recipes[step_recipe_exists(&step_recipes[RECIPE_MXFP8], g)
						  ? RECIPE_MXFP8
						  : RECIPE_FP8_BLOCK];
	s->dtype = s->recipe->dtype;
	s->tp = recipe_number(c, row, MB_TP, bracketed, 1);
	s->pp = recipe_number(c, row, MB_PP, bracketed, 1);
	s->cp = recipe_number(c, row, MB_CP, bracketed, 1);
	s->shard = recipe_number(c, row, MB_FSDP, bracketed, 1);
	s->shard_optimizer = true;
	s->micro_batch = csv_number(c, row, MB_MICRO);
	s->seq = either(c, row, MB_SEQ, MB_SEQ_TOO);
	r->chunks = s->pp > 1 ? recipe_number(c, row, MB_VP, bracketed, 1) : 1;
	if (m->made_of)
		mb_mixture(c, row, bracketed, r);
	return complete(v, r, either(c, row, MB_GPUS, MB_GPUS_TOO), csv_number(c, row, MB_GLOBAL));
}

static void mb_row(struct validation *v, size_t file, size_t row)
{
	const struct csv *c = &v->files[file];
	char text[48];

	if (measured_is(c, row, MB_TASK, "LoRA")) {
		validation_skip(v, file, row, "task: LoRA trains adapters, not the model");
		return;
	}
	if (isnan(either(c, row, MB_GPUS, MB_GPUS_TOO)) ||
		isnan(either(c, row, MB_SEQ, MB_SEQ_TOO))) {
		validation_skip(v, file, row, "expected n_gpus and seq");
		return;
	}
	const struct model *m = validation_any_model(v, file, row, MB_MODEL);
	const struct accelerator *g = m ? mb_gpu(v, file, row) : NULL;
	if (!g)
		return;
	/* A row of two recipes is compared or left out as a whole. */
	struct run_list *list = v->notes[file];
	const size_t before = list->n;
	const bool two = strchr(csv_text(c, row, MB_RATE, text, sizeof text), '(') != NULL;
	if (!mb_recipe(v, file, row, m, g, false) || (two && !mb_recipe(v, file, row, m, g, true)))
		list->n = before;
}

static void mb_predict(struct validation *v, size_t file)
{
	predict_rows(v, file, mb_row);
}

/* --- torchtitan: FSDP of PyTorch, eager or compiled --- */

enum {
	TT_MODEL,
	TT_GPUS,
	TT_PARALLEL,
	TT_LOCAL,
	TT_GLOBAL,
	TT_SEQ,
	TT_CKPT,
	TT_COMPILE,
	TT_FLOAT8,
	TT_MICRO,
	TT_CHUNKS,
	TT_RATE,
	N_TT
};
static const struct csv_column tt_columns[N_TT] = {
	[TT_MODEL] = { .name = "model" },
	[TT_GPUS] = COUNTED("n_gpus"),
	[TT_PARALLEL] = { .name = "parallelism" },
	[TT_LOCAL] = COUNTED("local_batch"),
	[TT_GLOBAL] = { .name = "global_batch",
		.kind = CSV_NUMBER,
		.min = 1,
		.max = 1e9,
		.whole = true,
		.blank = true },
	[TT_SEQ] = { .name = "seq_len",
		.kind = CSV_NUMBER,
		.min = 1,
		.max = 1e8,
		.whole = true,
		.blank = true },
	[TT_CKPT] = { .name = "activation_ckpt", .blank = true },
	[TT_COMPILE] = { .name = "compile", .blank = true },
	[TT_FLOAT8] = { .name = "float8", .blank = true },
	[TT_MICRO] = { .name = "mbs",
		.kind = CSV_NUMBER,
		.min = 1,
		.max = 1e9,
		.whole = true,
		.blank = true,
		.optional = true },
	[TT_CHUNKS] = { .name = "vp", .blank = true, .optional = true },
	[TT_RATE] = RATE("tokens_per_s_per_gpu"),
};
static const double tt_seq = 8192;

/* A local batch goes through a pipeline in micro-batches, of one sequence unless `mbs` says; weights
 * are gathered once for all of them. */
static void tt_mesh(
	const struct csv *c, size_t row, const struct torchtitan_job *job, struct training_run *r)
{
	struct step_setup *s = &r->setup;
	double micro = csv_number(c, row, TT_MICRO);

	s->tp = job->tp;
	s->cp = job->cp;
	s->pp = job->pp;
	s->micro_batch = csv_number(c, row, TT_LOCAL);
	if (s->pp > 1) {
		s->micro_batch = isnan(micro) ? 1 : micro;
		s->shard_optimizer = true;
		r->chunks = recipe_number(c, row, TT_CHUNKS, false, 1);
	} else
		s->shard = job->fsdp * job->cp;
}

static void tt_row(struct validation *v, size_t file, size_t row)
{
	const struct csv *c = &v->files[file];
	const struct model *m = validation_model(v, file, row, TT_MODEL);
	const struct accelerator *g = gpu_find(v->tables, "h100-500w");
	double gpus = csv_number(c, row, TT_GPUS), batch = csv_number(c, row, TT_GLOBAL);
	struct torchtitan_job job;
	char err[120];

	if (!m || !g)
		return;
	if (!torchtitan_job(c, row, TT_PARALLEL, TT_CKPT, gpus, &job, err, sizeof err)) {
		validation_skip(v, file, row, "%s", err);
		return;
	}
	struct training_run *r =
		add_run(v, file, row, job.cp > 1 ? "torchtitan-CP" : "torchtitan", g);
	if (!r)
		return;
	struct step_setup *s = &r->setup;
	s->model = m;
	tt_mesh(c, row, &job, r);
	s->tensor_overlap = job.async_tp;
	s->wide_gradients = true;
	s->seq = isnan(csv_number(c, row, TT_SEQ)) ? tt_seq : csv_number(c, row, TT_SEQ);
	s->recompute = job.recompute;
	s->software.fused = measured_is(c, row, TT_COMPILE, "compile");
	s->dtype = measured_is(c, row, TT_FLOAT8, "float8") ? DTYPE_FP8 : DTYPE_BF16;
	r->per_s = csv_number(c, row, TT_RATE);
	if (isnan(batch))
		batch = csv_number(c, row, TT_LOCAL) * gpus / (s->tp * s->cp * s->pp);
	complete(v, r, gpus, batch);
}

static void tt_predict(struct validation *v, size_t file)
{
	predict_rows(v, file, tt_row);
}

/* --- Megatron-LM on A100: Narayanan et al., 2021, and Korthikanti et al., 2022 --- */

static const double megatron_seq = 2048, megatron_vocab = 51200;

static struct training_run *megatron_run(struct validation *v, size_t file, size_t row,
	const char *group, double layers, double hidden, double heads)
{
	const struct accelerator *g = gpu_find(v->tables, "a100");
	struct training_run *r = g ? add_run(v, file, row, group, g) : NULL;

	if (!r)
		return NULL;
	r->shape = gpt_shape("GPT", layers, hidden, heads, megatron_vocab);
	r->setup.seq = megatron_seq;
	r->setup.software = software_of(MEGATRON_2021);
	r->setup.flash = false;
	return r;
}

enum { MG_PARAMS, MG_HEADS, MG_HIDDEN, MG_LAYERS, MG_TP, MG_PP, MG_GPUS, MG_GLOBAL, MG_RATE, N_MG };
static const struct csv_column mg_columns[N_MG] = {
	[MG_PARAMS] = RATE("params_B"),
	[MG_HEADS] = COUNTED("heads"),
	[MG_HIDDEN] = COUNTED("hidden"),
	[MG_LAYERS] = COUNTED("layers"),
	[MG_TP] = COUNTED("tp"),
	[MG_PP] = COUNTED("pp"),
	[MG_GPUS] = COUNTED("n_gpus"),
	[MG_GLOBAL] = COUNTED("global_batch"),
	[MG_RATE] = RATE("tflops_per_gpu"),
};

/* The table does not list micro-batches. Models that one node holds have room for more. */
static double mg_micro_batch(double params_B)
{
	return params_B < 4 ? 16 : params_B < 100 ? 4 : 1;
}

/* Nor the chunks of its interleaved schedule: the fewest that deal the layers evenly. */
static double fewest_chunks(double layers, double stages)
{
	for (double chunks = 2; stages > 1 && chunks * stages <= layers; chunks++)
		if (fmod(layers, chunks * stages) == 0)
			return chunks;
	return 1;
}

static void mg_row(struct validation *v, size_t file, size_t row)
{
	const struct csv *c = &v->files[file];
	double layers = csv_number(c, row, MG_LAYERS), hidden = csv_number(c, row, MG_HIDDEN);
	struct training_run *r = megatron_run(
		v, file, row, "Megatron 2021", layers, hidden, csv_number(c, row, MG_HEADS));

	if (!r)
		return;
	struct step_setup *s = &r->setup;
	s->tp = csv_number(c, row, MG_TP);
	s->pp = csv_number(c, row, MG_PP);
	s->sequence_parallel = false;
	s->recompute = RECOMPUTE_FULL;
	s->micro_batch = mg_micro_batch(csv_number(c, row, MG_PARAMS));
	r->chunks = fewest_chunks(layers, s->pp);
	/* Its FLOPs count what runs again, and the masked half of attention: equation 3 of the
	 * paper, 96 B s l h^2 (1 + s/6h + V/16lh). */
	double flops = 96 * layers * hidden * hidden *
		       (1 + megatron_seq / (6 * hidden) + megatron_vocab / (16 * layers * hidden));
	r->per_s = csv_number(c, row, MG_RATE) * 1e12 / flops;
	complete(v, r, csv_number(c, row, MG_GPUS), csv_number(c, row, MG_GLOBAL));
}

static void mg_predict(struct validation *v, size_t file)
{
	predict_rows(v, file, mg_row);
}

enum {
	KO_HEADS,
	KO_HIDDEN,
	KO_LAYERS,
	KO_TP,
	KO_PP,
	KO_GPUS,
	KO_GLOBAL,
	KO_MICRO,
	KO_FULL,
	KO_SELECTIVE,
	N_KO
};
static const struct csv_column ko_columns[N_KO] = {
	[KO_HEADS] = COUNTED("heads"),
	[KO_HIDDEN] = COUNTED("hidden"),
	[KO_LAYERS] = COUNTED("layers"),
	[KO_TP] = COUNTED("tp"),
	[KO_PP] = COUNTED("pp"),
	[KO_GPUS] = COUNTED("n_gpus"),
	[KO_GLOBAL] = COUNTED("global_batch"),
	[KO_MICRO] = COUNTED("microbatch"),
	[KO_FULL] = RATE("iter_s_full_recompute"),
	[KO_SELECTIVE] = RATE("iter_s_seqpar_selective"),
};
/* Its pipelines take three chunks a stage (table 3 of the paper). */
static const double ko_chunks = 3;

static void ko_run(struct validation *v, size_t file, size_t row, bool selective)
{
	const struct csv *c = &v->files[file];
	struct training_run *r =
		megatron_run(v, file, row, "Korthikanti 2022", csv_number(c, row, KO_LAYERS),
			csv_number(c, row, KO_HIDDEN), csv_number(c, row, KO_HEADS));

	if (!r)
		return;
	struct step_setup *s = &r->setup;
	double gpus = csv_number(c, row, KO_GPUS), batch = csv_number(c, row, KO_GLOBAL);
	s->tp = csv_number(c, row, KO_TP);
	s->pp = csv_number(c, row, KO_PP);
	s->sequence_parallel = selective;
	s->recompute = selective ? RECOMPUTE_SELECTIVE : RECOMPUTE_FULL;
	s->micro_batch = csv_number(c, row, KO_MICRO);
	r->chunks = s->pp > 1 ? ko_chunks : 1;
	r->per_s = batch * s->seq / gpus / csv_number(c, row, selective ? KO_SELECTIVE : KO_FULL);
	complete(v, r, gpus, batch);
}

static void ko_row(struct validation *v, size_t file, size_t row)
{
	ko_run(v, file, row, false);
	ko_run(v, file, row, true);
}

static void ko_predict(struct validation *v, size_t file)
{
	predict_rows(v, file, ko_row);
}

/* --- DeepLearningExamples: BERT and ResNet-50 --- */

static void dle_images(struct training_run *r, const struct dle_job *job)
{
	const struct accelerator *g = r->setup.gpu;
	r->workload = workloads[WORKLOAD_RESNET50];
	r->workload.micro_batch = job->batch;
	r->images = training_defaults(&r->workload, g, r->setup.net);
	r->images.gpus = job->gpus;
	r->images.global_batch = job->gpus * job->batch;
	r->images.dtype = job->dtype;
	r->images.fused = job->fused;
	r->images.planar = job->planar;
	r->images.input_per_s =
		job->decoded_by_gpu ? 0 : training_input_per_s(&r->workload, g->family);
	r->per_s = job->samples_per_s / job->gpus;
}

static void dle_bert(struct validation *v, struct training_run *r, const struct dle_job *job)
{
	struct step_setup *s = &r->setup;
	r->shape.vocab = dle_bert_words;
	s->flash = false;
	s->full = true;
	s->software = job->software;
	s->dtype = job->dtype;
	s->seq = job->seq;
	s->spread = job->spread;
	s->loss_share = job->loss_share;
	s->micro_batch = job->batch;
	r->per_s = job->samples_per_s / job->gpus * s->seq;
	complete(v, r, job->gpus, job->gpus * job->batch * job->accumulation);
}

static void dle_row(struct validation *v, size_t file, size_t row)
{
	const struct accelerator *g = validation_gpu(v, file, row, DLE_GPU);
	const struct model *bert = model_find(v->tables, "bert-large");
	struct dle_job job;
	char err[120];

	if (!g || !bert)
		return;
	if (!dle_job(&v->files[file], row, &job, err, sizeof err)) {
		validation_skip(v, file, row, "%s", err);
		return;
	}
	struct training_run *r =
		add_run(v, file, row, job.images ? "DLE ResNet-50" : "DLE BERT", g);
	if (!r)
		return;
	r->shape = *bert;
	if (job.images)
		dle_images(r, &job);
	else
		dle_bert(v, r, &job);
}

static void dle_predict(struct validation *v, size_t file)
{
	predict_rows(v, file, dle_row);
}

/* --- All of them --- */

static const struct measured_source sources[] = {
	{ .files = { "training_llmfoundry.csv" },
		.from = "llm-foundry, Megatron-Bridge, torchtitan, Megatron-LM",
		.columns = lf_columns,
		.n_columns = N_LF,
		.predict = lf_predict,
		.describe = describe },
	{ .files = { "training_megatron_bridge.csv" },
		.columns = mb_columns,
		.n_columns = N_MB,
		.predict = mb_predict,
		.describe = describe },
	{ .files = { "training_torchtitan.csv" },
		.columns = tt_columns,
		.n_columns = N_TT,
		.predict = tt_predict,
		.describe = describe },
	{ .files = { "training_megatron_2021.csv" },
		.columns = mg_columns,
		.n_columns = N_MG,
		.predict = mg_predict,
		.describe = describe },
	{ .files = { "training_korthikanti_2022.csv" },
		.columns = ko_columns,
		.n_columns = N_KO,
		.predict = ko_predict,
		.describe = describe },
	{ .files = { "training_dle.csv" },
		.columns = dle_columns,
		.n_columns = N_DLE,
		.predict = dle_predict,
		.describe = describe },
};

static void assume(struct figure *fig)
{
	figure_assume(fig,
		"the software of the time: Megatron-LM and PyTorch of 2021 without fused "
		"attention, PyTorch of 2023 with FlashAttention-2, Megatron-Bridge of 2025");
	figure_assume(fig,
		"network cards of 25 GB/s for an A100, 50 for Hopper and Blackwell, 100 for GB300; "
		"72 GPUs of GB200 and GB300 are one node");
	figure_assume(fig,
		"mixtures of experts: every expert gets as many rows, none dropped but where the "
		"table says so; dispatchers, CUDA graphs and overlap as the recipes of the source "
		"have them, which the table does not list");
	figure_assume(fig,
		"torchtitan: an H100 of 96 GB held to 500 W, %s tokens where the table "
		"names none",
		figure_quantity(fig, tt_seq, ""));
	figure_assume(fig, "Megatron 2021: micro-batches of 16, 4 and 1 for small, middle and "
			   "large models, which its table does not list");
	figure_assume(fig,
		"DLE is NVIDIA's DeepLearningExamples. BERT: phase 2 in bins of 64 tokens, as "
		"many sequences in each as Wikipedia has. ResNet-50, which is not in the headline: "
		"channels last in FP16 alone, PyTorch's images decoded by the CPUs");
}

const struct measured_model measured_training = {
	.id = "training",
	.title = "Training of language models",
	.predicts = "tokens a second of one GPU; images of ResNet-50",
	.assume = assume,
	.quantity = "throughput",
	.unit = "token/s",
	.sources = sources,
	.n_sources = LENGTH(sources),
	.marks = { { "-mixtures", 0.5, 0.04, "dense: median <= 4 %" },
		{ "-mixtures", 0.9, 0.11, "dense: 90 % of rows <= 11 %" },
		{ "llm-foundry", 0.5, 0.03, "llm-foundry: median <= 3 %" },
		{ "llm-foundry", 0.9, 0.08, "llm-foundry: 90 % <= 8 %" },
		{ "Megatron-Bridge", 0.5, 0.05, "Megatron-Bridge: median <= 5 %" },
		{ "Megatron-Bridge", 0.9, 0.12, "Megatron-Bridge: 90 % <= 12 %" },
		{ "Megatron 2021", 1, 0.12, "Megatron 2021: every row <= 12 %" },
		{ "Korthikanti", 1, 0.12, "Korthikanti 2022: every row <= 12 %" },
		{ "torchtitan ", 1, 0.12, "torchtitan: every row <= 12 %" },
		{ "torchtitan-CP", 1, 0.2, "torchtitan, context parallel: <= 20 %" },
		{ "DLE", 0.5, 0.05, "DLE: median <= 5 %" },
		{ "DLE", 0.9, 0.18, "DLE: 90 % <= 18 %" },
		{ "mixtures", 0.5, 0.08, "mixtures: median <= 8 %" },
		{ "mixtures", 0.9, 0.30, "mixtures: 90 % <= 30 %" },
		{ "mixtures 26.08", 0.5, 0.06, "mixtures, newest: median <= 6 %" },
		{ "mixtures 26.08", 0.9, 0.18, "mixtures, newest: 90 % <= 18 %" } },
};
