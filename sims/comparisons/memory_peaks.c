/* The comparison `memory`: peaks of device memory in training (sims/memory/memory_replay.h). */
#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/comparisons/torchtitan.h"
#include "sims/published/names.h"
#include "sims/memory/memory_replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 2000 };

/* --- torchtitan: FSDP with FP32 shards that are gathered in BF16, a 96 GB card --- */

enum { TT_MODEL, TT_GPUS, TT_PARALLEL, TT_BATCH, TT_SEQ, TT_CHECKPOINT, TT_PEAK, N_TT };
static const struct csv_column tt_columns[N_TT] = {
	[TT_MODEL] = { .name = "model" },
	[TT_GPUS] = { .name = "n_gpus", .kind = CSV_NUMBER, .min = 1, .max = 1e6, .whole = true },
	[TT_PARALLEL] = { .name = "parallelism" },
	[TT_BATCH] = { .name = "local_batch",
		.kind = CSV_NUMBER,
		.min = 1,
		.max = 1e6,
		.whole = true },
	[TT_SEQ] = { .name = "seq_len",
		.kind = CSV_NUMBER,
		.min = 1,
		.max = 1e8,
		.whole = true,
		.blank = true },
	[TT_CHECKPOINT] = { .name = "activation_ckpt", .blank = true },
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

static struct memory_setup tt_setup(
	const struct csv *c, size_t row, const struct model *m, const struct torchtitan_job *job)
{
	static const enum memory_checkpointing checkpointing[N_RECOMPUTE] = {
		[RECOMPUTE_NONE] = CHECKPOINT_NONE,
		[RECOMPUTE_SELECTIVE] = CHECKPOINT_SELECTIVE,
		[RECOMPUTE_FULL] = CHECKPOINT_FULL,
	};
	struct memory_setup s = setup_of(m);
	double seq = csv_number(c, row, TT_SEQ);

	s.gpus = job->fsdp * job->cp * job->tp; /* others hold copies */
	s.tp = job->tp;
	s.batch = csv_number(c, row, TT_BATCH);
	s.seq = (isnan(seq) ? tt_seq : seq) / job->cp;
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
	struct memory_setup s =
		tt_setup(c, p->row, measured_model_at(v->tables, c, p->row, TT_MODEL), &job);
	snprintf(w->what, sizeof w->what, "%s, %g GPUs %s, %s", model, s.gpus,
		csv_text(c, p->row, TT_PARALLEL, parallel, sizeof parallel),
		csv_text(c, p->row, TT_CHECKPOINT, checkpoint, sizeof checkpoint));
	say_thought(&s, w);
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
}

const struct measured_model measured_memory = {
	.id = "memory",
	.title = "Peaks of memory",
	.predicts = "the most that PyTorch reserves on a GPU in a training step",
	.assume = assume,
	.quantity = "peak",
	.unit = "GiB",
	.sources = sources,
	.n_sources = 2,
	.marks = { { "", 0.9, 0.15, "90 % of rows <= 15 %" } },
};
