/* The comparison `memory`: peaks of device memory in training (sims/memory/memory_replay.h). */
#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/comparisons/torchtitan.h"
#include "sims/published/names.h"
#include "sims/memory/memory_replay.h"
#include "sims/scaling/parallel_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 2000 };

/* --- Pipelines: the fullest GPU of a parallel plan, as `parallelism` has it --- */

static void add_pipeline(struct validation *v, size_t file, size_t row, const struct plan_setup *s,
	double measured_GiB)
{
	struct arena arena = { 0 };
	struct parallel_plan plan;

	if (plan_memory(s, &plan, &arena))
		validation_add(v, file, row, validation_group(v, true, "pipeline %s", s->model->id),
			plan.memory_bytes / GIB_BYTES, measured_GiB);
	else
		v->arena.failed = true;
	arena_release(&arena);
}

static void say_pipeline(const struct plan_setup *s, struct measured_words *w)
{
	struct arena arena = { 0 };
	struct parallel_plan plan;

	if (plan_memory(s, &plan, &arena)) {
		const double *part = plan.part_bytes + plan.fullest * N_PLAN_PARTS;
		double state = part[PLAN_WEIGHTS] + part[PLAN_GRADIENTS] + part[PLAN_OPTIMIZER];
		snprintf(w->thought, sizeof w->thought,
			"stage %zu of %g is the fullest, %.1f GiB of weights, gradients and "
			"optimizer, %.1f GiB of activations",
			plan.fullest + 1, plan.pp, state / GIB_BYTES,
			part[PLAN_ACTIVATIONS] / GIB_BYTES);
	} else {
		w->failed = true;
	}
	arena_release(&arena);
}

/* What frameworks with pipelines have in common: the optimizer's state is cut over the replicas,
 * weights stay whole from micro-batch to micro-batch, and gradients add up in FP32. The rest is
 * the job's: its GPUs are those of one mesh, others hold copies. */
static struct plan_setup pipeline_of(const struct model *m, double chunks)
{
	return (struct plan_setup){ .model = m,
		.strategy = PLAN_3D,
		.tp = 1,
		.pp = 1,
		.cp = 1,
		.zero = 1,
		.schedule = chunks > 1 ? PIPELINE_INTERLEAVED : PIPELINE_1F1B,
		.chunks = chunks,
		.dtype = DTYPE_BF16,
		.software.date = SOFTWARE_2025,
		.sequence_parallel = true,
		.wide_gradients = true };
}

/* NULL, or why the plan cannot be dealt out: pieces without a layer, or parts of a micro-batch. */
static const char *undealt(const struct plan_setup *s)
{
	if (s->pp * s->chunks > s->model->layers)
		return "expected a layer at least in each chunk of each stage";
	if (s->micro_batches < 1 || s->micro_batches != floor(s->micro_batches))
		return "expected a batch of whole micro-batches";
	return s->batch * s->seq > 1e9 ? "over 1e9 tokens on a GPU" : NULL;
}

#define COUNTED(column) .name = column, .kind = CSV_NUMBER, .min = 1, .max = 1e6, .whole = true
/* "n/a" is common where there is no pipeline: it is read as text. */
static double degree_at(const struct csv *c, size_t row, size_t column)
{
	char text[32];
	return fmax(1, strtod(csv_text(c, row, column, text, sizeof text), NULL));
}

/* --- torchtitan: FSDP with FP32 shards that are gathered in BF16, a 96 GB card --- */

enum {
	TT_MODEL,
	TT_GPUS,
	TT_PARALLEL,
	TT_BATCH,
	TT_SEQ,
	TT_CHECKPOINT,
	TT_MICRO,
	TT_CHUNKS,
	TT_PEAK,
	N_TT
};
static const struct csv_column tt_columns[N_TT] = {
	[TT_MODEL] = { .name = "model" },
	[TT_GPUS] = { COUNTED("n_gpus") },
	[TT_PARALLEL] = { .name = "parallelism" },
	[TT_BATCH] = { COUNTED("local_batch") },
	[TT_SEQ] = { .name = "seq_len",
		.kind = CSV_NUMBER,
		.min = 1,
		.max = 1e8,
		.whole = true,
		.blank = true },
	[TT_CHECKPOINT] = { .name = "activation_ckpt", .blank = true },
	[TT_MICRO] = { COUNTED("mbs"), .blank = true, .optional = true },
	[TT_CHUNKS] = { .name = "vp", .blank = true, .optional = true },
	[TT_PEAK] = { .name = "peak_memory_GiB", .kind = CSV_NUMBER, .min = 0.01, .max = 1e4 },
};
/* What the table leaves out: the card, and the sequence where its cell is blank. */
static const double tt_card_bytes = 96e9, tt_seq = 8192;

static struct memory_setup setup_of(const struct model *m)
{
	/* The rates set the time axis only. */
	return (struct memory_setup){ .model = m,
		.batch = 1,
		.precision = MEMORY_AUTOCAST,
		.optimizer = MEMORY_ADAMW,
		.checkpointing = CHECKPOINT_FULL,
		.k = 1,
		.zero = 3,
		.gpus = 8,
		.tp = 1,
		.flash = true,
		.actual = true,
		.flops_per_s = 400e12,
		.bandwidth = 2e12 };
}

static bool tt_job(
	const struct csv *c, size_t row, struct torchtitan_job *job, char *err, size_t size)
{
	return torchtitan_job(
		c, row, TT_PARALLEL, TT_CHECKPOINT, csv_number(c, row, TT_GPUS), job, err, size);
}

static double tt_tokens(const struct csv *c, size_t row)
{
	double seq = csv_number(c, row, TT_SEQ);
	return isnan(seq) ? tt_seq : seq;
}

/* A local batch goes through the pipeline in micro-batches, of one sequence unless `mbs` says. */
static struct plan_setup tt_plan(
	const struct csv *c, size_t row, const struct model *m, const struct torchtitan_job *job)
{
	struct plan_setup s = pipeline_of(m, degree_at(c, row, TT_CHUNKS));
	double micro = csv_number(c, row, TT_MICRO);

	s.tp = job->tp;
	s.pp = job->pp;
	s.cp = job->cp;
	s.gpus = job->fsdp * job->tp * job->pp * job->cp;
	s.batch = isnan(micro) ? 1 : micro;
	s.micro_batches = csv_number(c, row, TT_BATCH) / s.batch;
	s.seq = tt_tokens(c, row);
	s.recompute = job->recompute;
	return s;
}

static struct memory_setup tt_setup(
	const struct csv *c, size_t row, const struct model *m, const struct torchtitan_job *job)
{
	static const enum memory_checkpointing checkpointing[N_RECOMPUTE] = {
		[RECOMPUTE_NONE] = CHECKPOINT_NONE,
		[RECOMPUTE_SELECTIVE] = CHECKPOINT_SELECTIVE,
		[RECOMPUTE_FULL] = CHECKPOINT_FULL,
	};
	struct memory_setup s = setup_of(m);

	s.gpus = job->fsdp * job->cp * job->tp; /* others hold copies */
	s.tp = job->tp;
	s.batch = csv_number(c, row, TT_BATCH);
	s.seq = tt_tokens(c, row) / job->cp;
	s.checkpointing = checkpointing[job->recompute];
	return s;
}

/* Says so where a step would be millions of events. */
static const char *too_much(const struct memory_setup *s)
{
	return s->batch * s->seq > 1e9 ? "over 1e9 tokens on a GPU" : NULL;
}

static void add_peak(struct validation *v, size_t file, size_t row, uint8_t group,
	const struct memory_setup *s, double card_bytes, double measured_GiB)
{
	double peak = memory_reserved_peak(s, card_bytes);

	v->arena.failed |= isnan(peak);
	validation_add(v, file, row, group, peak / GIB_BYTES, measured_GiB);
}

static void tt_pipeline(struct validation *v, size_t file, size_t row, const struct model *m,
	const struct torchtitan_job *job)
{
	struct plan_setup s = tt_plan(&v->files[file], row, m, job);

	if (undealt(&s))
		validation_skip(v, file, row, "%s", undealt(&s));
	else
		add_pipeline(v, file, row, &s, csv_number(&v->files[file], row, TT_PEAK));
}

static void tt_row(struct validation *v, size_t file, size_t row)
{
	const struct csv *c = &v->files[file];
	const struct model *m = validation_model(v, file, row, TT_MODEL);
	struct torchtitan_job job;
	char err[120];

	if (!m)
		return;
	if (!tt_job(c, row, &job, err, sizeof err)) {
		validation_skip(v, file, row, "%s", err);
		return;
	}
	if (job.pp > 1) {
		tt_pipeline(v, file, row, m, &job);
		return;
	}
	struct memory_setup s = tt_setup(c, row, m, &job);
	if (too_much(&s)) {
		validation_skip(v, file, row, "%s", too_much(&s));
		return;
	}
	add_peak(v, file, row, validation_group(v, true, "%s", m->id), &s, tt_card_bytes,
		csv_number(c, row, TT_PEAK));
}

static void tt_predict(struct validation *v, size_t file)
{
	for (size_t row = 0; row < v->files[file].n_rows; row++)
		tt_row(v, file, row);
}

static void say_thought(const struct memory_setup *s, struct measured_words *w)
{
	snprintf(w->thought, sizeof w->thought,
		"%.1f GiB of weights and optimizer, %g tokens of activations",
		memory_static_bytes(s) / GIB_BYTES, s->batch * s->seq);
}

static void tt_describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];
	char model[32], parallel[32], checkpoint[16], err[120];
	struct torchtitan_job job;

	csv_text(c, p->row, TT_MODEL, model, sizeof model);
	if (!tt_job(c, p->row, &job, err, sizeof err))
		return;
	const struct model *m = measured_model_at(v->tables, c, p->row, TT_MODEL);
	snprintf(w->what, sizeof w->what, "%s, %g GPUs %s, %s", model,
		job.fsdp * job.cp * job.tp * job.pp,
		csv_text(c, p->row, TT_PARALLEL, parallel, sizeof parallel),
		csv_text(c, p->row, TT_CHECKPOINT, checkpoint, sizeof checkpoint));
	struct plan_setup plan = tt_plan(c, p->row, m, &job);
	struct memory_setup s = tt_setup(c, p->row, m, &job);
	if (job.pp > 1)
		say_pipeline(&plan, w);
	else
		say_thought(&s, w);
}

/* --- Megatron's degrees, named as Megatron-Bridge lists its recipes --- */

enum {
	MG_MODEL,
	MG_GPUS,
	MG_GLOBAL,
	MG_MICRO,
	MG_SEQ,
	MG_TP,
	MG_PP,
	MG_VP,
	MG_CP,
	MG_FSDP,
	MG_RECOMPUTE,
	MG_PEAK,
	N_MG
};
static const struct csv_column mg_columns[N_MG] = {
	[MG_MODEL] = { .name = "model" },
	[MG_GPUS] = { COUNTED("n_gpus") },
	[MG_GLOBAL] = { COUNTED("gbs") },
	[MG_MICRO] = { COUNTED("mbs") },
	[MG_SEQ] = { .name = "seq", .kind = CSV_NUMBER, .min = 1, .max = 1e8, .whole = true },
	[MG_TP] = { .name = "tp", .blank = true },
	[MG_PP] = { .name = "pp", .blank = true },
	[MG_VP] = { .name = "vp", .blank = true, .optional = true },
	[MG_CP] = { .name = "cp", .blank = true, .optional = true },
	[MG_FSDP] = { .name = "fsdp", .blank = true, .optional = true },
	[MG_RECOMPUTE] = { .name = "recompute", .blank = true, .optional = true },
	[MG_PEAK] = { .name = "peak_memory_GiB", .kind = CSV_NUMBER, .min = 0.01, .max = 1e4 },
};

static struct plan_setup mg_plan(const struct csv *c, size_t row, const struct model *m)
{
	double pp = degree_at(c, row, MG_PP), chunks = pp > 1 ? degree_at(c, row, MG_VP) : 1;
	struct plan_setup s = pipeline_of(m, chunks);
	char recompute[32];

	s.gpus = csv_number(c, row, MG_GPUS);
	s.tp = degree_at(c, row, MG_TP);
	s.pp = pp;
	s.cp = degree_at(c, row, MG_CP);
	s.shard = degree_at(c, row, MG_FSDP);
	s.zero = s.shard > 1 ? 3 : 1;
	s.batch = csv_number(c, row, MG_MICRO);
	s.micro_batches = csv_number(c, row, MG_GLOBAL) * s.tp * s.pp * s.cp / s.gpus / s.batch;
	s.seq = csv_number(c, row, MG_SEQ);
	int named = recompute_named(csv_text(c, row, MG_RECOMPUTE, recompute, sizeof recompute));
	s.recompute = named < 0 ? N_RECOMPUTE : (enum recompute)named;
	return s;
}

static const char *mg_wrong(const struct plan_setup *s)
{
	double copies = s->gpus / (s->tp * s->pp * s->cp);

	if (copies < 1 || copies != floor(copies) || s->shard > copies * s->cp)
		return "expected degrees whose product divides n_gpus";
	return s->recompute == N_RECOMPUTE ? "recompute: expected full, sel, none or a blank cell"
					   : undealt(s);
}

static void mg_predict(struct validation *v, size_t file)
{
	const struct csv *c = &v->files[file];

	for (size_t row = 0; row < c->n_rows; row++) {
		const struct model *m = validation_model(v, file, row, MG_MODEL);
		if (!m)
			continue;
		struct plan_setup s = mg_plan(c, row, m);
		if (mg_wrong(&s))
			validation_skip(v, file, row, "%s", mg_wrong(&s));
		else
			add_pipeline(v, file, row, &s, csv_number(c, row, MG_PEAK));
	}
}

static void mg_describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];
	const struct model *m = measured_model_at(v->tables, c, p->row, MG_MODEL);
	struct plan_setup s = mg_plan(c, p->row, m);

	snprintf(w->what, sizeof w->what,
		"%s, %g GPUs, tp %g pp %g vp %g cp %g, %g x %g tokens, %s", m->name, s.gpus, s.tp,
		s.pp, s.chunks, s.cp, s.batch, s.seq, recompute_ids[s.recompute]);
	say_pipeline(&s, w);
}

/* --- Long sequences: Llama-3.1-8B on 8 GPUs, ZeRO-3, AdamW on the CPU, Liger's kernels --- */

enum { LONG_SEQ, LONG_H200, LONG_B200, N_LONG };
static const struct csv_column long_columns[N_LONG] = {
	[LONG_SEQ] = { .name = "seq_len", .kind = CSV_NUMBER, .min = 1, .max = 1e8, .whole = true },
	[LONG_H200] = { .name = "h200_peak_GiB",
		.kind = CSV_NUMBER,
		.min = 0.01,
		.max = 1e4,
		.blank = true },
	[LONG_B200] = { .name = "b200_peak_GiB",
		.kind = CSV_NUMBER,
		.min = 0.01,
		.max = 1e4,
		.blank = true },
};
static const char *const long_gpus[] = { "h200", "b200" };

static struct memory_setup long_setup(const struct csv *c, size_t row, const struct model *m)
{
	struct memory_setup s = setup_of(m);

	s.seq = csv_number(c, row, LONG_SEQ);
	s.precision = MEMORY_BF16;
	s.offload = true;
	s.fused = true;
	s.deepspeed = true;
	s.loads_whole = true; /* from_pretrained, then deepspeed.initialize */
	return s;
}

static void long_predict(struct validation *v, size_t file)
{
	const struct csv *c = &v->files[file];
	const struct model *m = model_find(v->tables, "llama3-8b");

	for (size_t row = 0; row < c->n_rows; row++)
		for (size_t i = 0; i < 2; i++) {
			const struct accelerator *g = gpu_find(v->tables, long_gpus[i]);
			double peak_GiB = csv_number(c, row, LONG_H200 + i);
			if (!g || !m || isnan(peak_GiB))
				continue;
			struct memory_setup s = long_setup(c, row, m);
			add_peak(v, file, row, validation_group(v, true, "%s", g->id), &s,
				g->memory_bytes, peak_GiB);
		}
}

static void long_describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];
	struct memory_setup s = long_setup(c, p->row, model_find(v->tables, "llama3-8b"));

	snprintf(w->what, sizeof w->what, "%s, %g tokens", v->groups[p->group].name, s.seq);
	say_thought(&s, w);
}

static const struct measured_source sources[] = {
	{ .files = { "memory.csv" },
		.from = "PyTorch torchtitan",
		.columns = tt_columns,
		.n_columns = N_TT,
		.most_rows = MOST_ROWS,
		.predict = tt_predict,
		.describe = tt_describe },
	{ .columns = mg_columns,
		.n_columns = N_MG,
		.most_rows = MOST_ROWS,
		.predict = mg_predict,
		.describe = mg_describe },
	{ .columns = long_columns,
		.n_columns = N_LONG,
		.most_rows = MOST_ROWS,
		.predict = long_predict,
		.describe = long_describe },
};

static void assume(struct figure *fig)
{
	figure_assume(fig, "torchtitan: a card of %s, and %s tokens where the table names none",
		figure_quantity(fig, tt_card_bytes, "B"), figure_quantity(fig, tt_seq, ""));
	figure_assume(fig,
		"pipelines: the fullest stage of a plan, as in `parallelism`; its optimizer "
		"cut over the replicas, gradients added up in FP32");
}

const struct measured_model measured_memory = {
	.id = "memory",
	.title = "Peaks of memory",
	.predicts = "the most that PyTorch reserves on a GPU in a training step",
	.assume = assume,
	.quantity = "peak",
	.unit = "GiB",
	.sources = sources,
	.n_sources = LENGTH(sources),
	.marks = { { "!", 0.9, 0.15, "without a pipeline: 90 % <= 15 %" },
		{ "pipeline", 0.9, 0.3, "pipelines: 90 % <= 30 %" } },
};
