/* The comparison `memory`: peaks of device memory in training (sims/memory/memory_replay.h). */
#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/published/names.h"
#include "sims/memory/memory_replay.h"

#include <ctype.h>
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

static bool begins(const char *text, const char *word)
{
	while (*word && tolower((unsigned char)*text) == tolower((unsigned char)*word))
		text++, word++;
	return !*word;
}

/* The number behind a word such as "TP" in "FSDP32, TP 8, asyncTP"; 0 where the word stands alone,
 * -1 where it is not there. */
static double degree(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *s = text; *s; s++) {
		bool inside = s > text && isalnum((unsigned char)s[-1]);
		if (inside || !begins(s, word) || isalpha((unsigned char)s[n]))
			continue;
		s += n;
		s += strspn(s, " =:-_");
		return isdigit((unsigned char)*s) ? strtod(s, NULL) : 0;
	}
	return -1;
}

/* How a job is cut: weights over fsdp x cp, each layer over tp, each sequence over cp. */
struct cut {
	double fsdp, tp, cp;
};

static struct cut cut_of(const struct csv *c, size_t row)
{
	char text[64];

	csv_text(c, row, TT_PARALLEL, text, sizeof text);
	struct cut k = { 0, fmax(1, degree(text, "TP")), fmax(1, degree(text, "CP")) };
	double fsdp = degree(text, "FSDP");
	k.fsdp = fsdp > 0 ? fsdp : csv_number(c, row, TT_GPUS) / (k.tp * k.cp);
	return k;
}

/* What is wrong with the cut of a row, or NULL. */
static const char *bad_cut(const struct csv *c, size_t row)
{
	static const char *const others[] = { "HSDP", "DDP", "EP", "ETP", "DP" };
	char text[64];

	csv_text(c, row, TT_PARALLEL, text, sizeof text);
	if (degree(text, "PP") >= 0 && degree(text, "PP") != 1)
		return "pipelines are not modelled";
	for (size_t i = 0; i < LENGTH(others); i++)
		if (degree(text, others[i]) >= 0 && degree(text, others[i]) != 1)
			return "expected FSDP, TP and CP only";
	if (degree(text, "FSDP") < 0 && degree(text, "TP") < 0 && degree(text, "CP") < 0)
		return "expected FSDP, TP or CP";
	struct cut k = cut_of(c, row);
	double copies = csv_number(c, row, TT_GPUS) / (k.fsdp * k.tp * k.cp);
	return copies == floor(copies) && k.fsdp >= 1 && copies >= 1
		       ? NULL
		       : "expected degrees whose product divides n_gpus";
}

static const struct {
	const char *word;
	enum memory_checkpointing checkpointing;
} checkpoint_words[] = { { "full", CHECKPOINT_FULL }, { "sel", CHECKPOINT_SELECTIVE },
	{ "sac", CHECKPOINT_SELECTIVE }, { "op", CHECKPOINT_SELECTIVE },
	{ "no", CHECKPOINT_NONE } };

/* Told by how "sel AC", "Full AC" or "op SAC" begins; -1: unknown. */
static int checkpointing_of(const struct csv *c, size_t row)
{
	char text[32];

	csv_text(c, row, TT_CHECKPOINT, text, sizeof text);
	if (!*text)
		return CHECKPOINT_NONE;
	for (size_t i = 0; i < LENGTH(checkpoint_words); i++) {
		if (begins(text, checkpoint_words[i].word))
			return (int)checkpoint_words[i].checkpointing;
	}
	return -1;
}

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

static struct memory_setup tt_setup(const struct csv *c, size_t row, const struct model *m)
{
	struct memory_setup s = setup_of(m);
	double seq = csv_number(c, row, TT_SEQ);
	struct cut k = cut_of(c, row);

	s.gpus = k.fsdp * k.cp * k.tp; /* others hold copies */
	s.tp = k.tp;
	s.batch = csv_number(c, row, TT_BATCH);
	s.seq = (isnan(seq) ? tt_seq : seq) / k.cp;
	s.checkpointing = (enum memory_checkpointing)checkpointing_of(c, row);
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
	const char *bad = bad_cut(c, row);
	char text[40];

	if (!m)
		return;
	if (bad) {
		validation_skip(v, file, row, "parallelism: %s, found \"%s\"", bad,
			csv_text(c, row, TT_PARALLEL, text, sizeof text));
		return;
	}
	if (checkpointing_of(c, row) < 0) {
		validation_skip(v, file, row,
			"activation_ckpt: expected full, sel, none or a blank cell, found \"%s\"",
			csv_text(c, row, TT_CHECKPOINT, text, sizeof text));
		return;
	}
	struct memory_setup s = tt_setup(c, row, m);
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
	char model[32], parallel[32], checkpoint[16];

	csv_text(c, p->row, TT_MODEL, model, sizeof model);
	struct memory_setup s =
		tt_setup(c, p->row, measured_model_at(v->tables, c, p->row, TT_MODEL));
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
