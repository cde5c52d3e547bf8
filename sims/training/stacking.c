/* The simulation `stacking`: what a list of claimed multipliers promises for a training step,
 * beside what the step's own parts and the data loader leave of it.
 *
 * This is the smallest simulation in the tree and the template for others. From top to bottom it
 * has what every simulation has: the knobs as rows, the model as functions with units in their
 * names, the pictures, the sentence that reads the figure for the reader, `run`, which only puts
 * these together, and the descriptor that sims/registry/ lists. Numbers that other models assume
 * too stand in sims/constants.h, formulas that are printed elsewhere in sims/formulas/; what is
 * assumed here alone stands beside the function that uses it. */
#include "sims/constants.h"
#include "sims/architecture/model_bytes.h"
#include "sims/knobs.h"
#include "sims/figure/uncovered.h"
#include "sims/base/array.h"
#include "sims/formulas/communication.h"
#include "sims/formulas/memory.h"
#include "sims/figure/sim.h"
#include "sims/training/model_params.h"
#include "sims/training/model_step.h"
#include "sims/training/step_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
	LOADER,
	AMP,
	COMPILE,
	FUSED_OPTIMIZER,
	OVERLAP,
	CHECKPOINTING,
	ACCUMULATION,
	COUPLING,
	BASE_MS,
	BASE_USD,
	DATA_PCT,
	MATMUL_PCT,
	POINTWISE_PCT,
	OPTIMIZER_PCT,
	LAUNCH_PCT,
	COMM_PCT,
	WORKERS,
	M_LOADER,
	M_AMP,
	M_COMPILE,
	M_FUSED,
	M_OVERLAP,
	MODEL,
	GPU,
	BATCH,
	SEQ,
	SHARDS,
	N_KNOBS
};
enum { PRODUCT, AMDAHL };
static const char *const couplings[] = { "product", "amdahl", NULL };
static const char *const coupling_names[] = { "product", "Amdahl" };
static_assert(LENGTH(couplings) == LENGTH(coupling_names) + 1, "every choice has a name");

#define PART_SHARE(id, label, why)                                                                 \
	KNOB_LINEAR(id "_pct", label, "%", 0, 100, 0, 1,                                           \
		why "; auto: as the model's own step has it", .zero = "auto",                      \
		.stands_for = "base_" id "_pct", .group = "the base step")
#define CLAIM(id, label, dflt, technique)                                                          \
	KNOB_LINEAR(id, label, "x", 0.5, 10, dflt, 0.05,                                           \
		"a claimed multiplier: it enters the product as it stands, whatever it was "       \
		"measured on",                                                                     \
		.when = { WHEN(technique, KNOB_ON) }, .group = "claims")

static const struct knob knobs[N_KNOBS] = {
	[LOADER] = KNOB_SWITCH("loader", "loader workers", 1,
		"workers prepare the next batches while the GPU computes: the step becomes the "
		"longer of the two instead of their sum"),
	[AMP] = KNOB_SWITCH("amp", "BF16 autocast", 1,
		"halves the time of matmuls (against TF32) and the bytes of pointwise kernels; "
		"optimizer, launches and gradients in FP32 stay"),
	[COMPILE] = KNOB_SWITCH("compile", "torch.compile", 1,
		"fuses pointwise chains and hides launches; the matmuls are the same library "
		"calls"),
	[FUSED_OPTIMIZER] = KNOB_SWITCH("fused_optimizer", "fused AdamW", 1,
		"28 instead of 56 B of traffic per parameter: twice as fast, but only on the "
		"optimizer's own share"),
	[OVERLAP] = KNOB_SWITCH("overlap", "overlap network", 0,
		"gradients travel while backward still runs; only what is longer than backward, "
		"and the last bucket, shows"),
	[CHECKPOINTING] = KNOB_SWITCH("checkpointing", "checkpointing", 0,
		"runs forward once more in backward: a third more compute for activations that "
		"are gone"),
	[ACCUMULATION] = KNOB_DOUBLING("accumulation", "accumulation", "", 1, 64, 1,
		"the same batch in K micro-batches: 1/K of the activations, K times the launches"),
	[COUPLING] = KNOB_CHOICE_OF("coupling", "headline from", couplings, coupling_names,
		"amdahl",
		"a product of multipliers holds only if each was measured on top of the others",
		.group = "claims"),
	[BASE_MS] = KNOB_LINEAR("base_ms", "base step", "ms", 0, 1e5, 0, 10,
		"scales every time; no ratio depends on it; auto: the model's step in TF32, eager",
		.zero = "auto", .stands_for = "base_step_ms", .group = "the base step"),
	[BASE_USD] = KNOB_LINEAR("base_usd", "base run", "$", 0, 1e9, 50000, 1000,
		"money goes with the step time: same GPUs, fewer hours", .group = "the base step"),
	[DATA_PCT] = KNOB_LINEAR("data_pct", "data loading", "%", 0, 100, 10, 1,
		"the share of the base step in which the GPU waits for the CPU to prepare a batch",
		.group = "the base step"),
	[MATMUL_PCT] = PART_SHARE("matmul", "matmuls", "what Tensor Cores can speed up"),
	[POINTWISE_PCT] = PART_SHARE("pointwise", "pointwise", "what fusion can speed up"),
	[OPTIMIZER_PCT] =
		PART_SHARE("optimizer", "optimizer", "what a fused optimizer can speed up"),
	[LAUNCH_PCT] = PART_SHARE("launch", "launch gaps", "what compilation can hide"),
	[COMM_PCT] = PART_SHARE("comm", "communication", "what overlap can hide"),
	[WORKERS] = KNOB_WHOLE("workers", "workers", "", 1, 64, 8,
		"the loader delivers one batch per prep/workers: when the GPU step falls below "
		"that, the loader is the bottleneck again",
		.when = { WHEN(LOADER, KNOB_ON) }, .group = "the base step"),
	[M_LOADER] = CLAIM("m_loader", "claim: loader", 1.4, LOADER),
	[M_AMP] = CLAIM("m_amp", "claim: AMP", 1.7, AMP),
	[M_COMPILE] = CLAIM("m_compile", "claim: compile", 1.15, COMPILE),
	[M_FUSED] = CLAIM("m_fused", "claim: fused", 1.12, FUSED_OPTIMIZER),
	[M_OVERLAP] = CLAIM("m_overlap", "claim: overlap", 1.1, OVERLAP),
	[MODEL] = KNOB_ANY_PARTS_OF("model", "model", "llama2-7b",
		"whose step it is: what of it is matmuls, and what it holds", .group = "the job"),
	[GPU] = KNOB_ANY_GPU(
		"a100", "sets how long each part of the base step takes", .group = "the job"),
	[BATCH] = KNOB_DOUBLING("batch", "batch per GPU", "", 1, 1024, 4,
		"the step and its activations grow with it, state and communication do not",
		.group = "the job"),
	[SEQ] = KNOB_DOUBLING("seq", "sequence", "token", 128, 131072, 2048,
		"the step and its activations grow with it, attention with its square",
		.group = "the job"),
	[SHARDS] = KNOB_DOUBLING("shards", "state over", "GPU", 1, 1024, 8,
		"parameters, gradients and optimizer state are divided, and gathered for every "
		"layer; activations are not",
		.group = "the job"),
};

/* --- The model --- */

/* The parts of one step, in the order of the knobs that set their shares and in which they are
 * drawn. */
enum { DATA, MATMUL, POINTWISE, OPTIMIZER, LAUNCH, COMM, N_PARTS };
static_assert((int)DATA_PCT + (int)COMM == (int)COMM_PCT, "every part has a knob for its share");

/* What the techniques do to the part that they touch, where sims/constants.h does not say it. */
static const double launches_left = 0.2;    /* share of the gaps, once kernels come from graphs */
static const double gradient_bytes = 800e6; /* sent in buckets; nothing hides the last of them */
/* Checkpointing runs forward once more. */
static const double checkpointed_passes = (TRAINING_PASSES + 1) / TRAINING_PASSES;

static double sum(const double x[], size_t n)
{
	double total = 0;
	for (size_t i = 0; i < n; i++)
		total += x[i];
	return total;
}

/* The step before any technique, and what a technique leaves of each part. */
enum technique { BY_AMP, BY_COMPILE, BY_FUSED, BY_CHECKPOINTING, N_TECHNIQUES };
struct base {
	double ms[N_PARTS], step_ms;
	double left[N_TECHNIQUES][N_PARTS];
	double comm_shown; /* of communication, with as much to hide behind as there is; 1 where
			    * it is typed, and nobody knows in how many pieces it comes */
};

/* What techniques leave where sims/constants.h says it: the parts that are not named stay. */
static void techniques(double left[N_TECHNIQUES][N_PARTS])
{
	for (int i = 0; i < N_TECHNIQUES; i++)
		for (int k = 0; k < N_PARTS; k++)
			left[i][k] = 1;
	left[BY_AMP][MATMUL] = 1 / BF16_OVER_TF32;
	left[BY_AMP][POINTWISE] = 1 / FP32_OVER_BF16_BYTES;
	left[BY_COMPILE][POINTWISE] = 1 / FUSED_PASSES;
	left[BY_COMPILE][LAUNCH] = launches_left;
	left[BY_FUSED][OPTIMIZER] = ADAMW_FUSED_TRAFFIC_BYTES / ADAMW_UNFUSED_TRAFFIC_BYTES;
	left[BY_CHECKPOINTING][MATMUL] = checkpointed_passes;
	left[BY_CHECKPOINTING][POINTWISE] = checkpointed_passes;
}

/* The one model of a training step, in TF32 and eager: state and gradients dealt over the shards,
 * gathered and scattered in every layer, and nothing behind anything. */
static struct step_setup base_setup(const struct tables *t, const double v[])
{
	const struct accelerator *gpu = gpu_at(t, v[GPU]);
	const struct model *m = model_at(t, v[MODEL]);
	return (struct step_setup){ .model = m,
		.gpu = gpu,
		.net = network_measured(gpu->family, gpu_domain(gpu), gpu->link_bandwidth,
			NETWORK_CARD_BYTES_PER_S, NETWORK_LATENCY_S),
		.tp = 1,
		.pp = 1,
		.cp = 1,
		.dp = v[SHARDS],
		.shard = v[SHARDS],
		.micro_batch = v[BATCH],
		.micro_batches = 1,
		.seq = v[SEQ],
		.dtype = DTYPE_TF32,
		.flash = true,
		.full = m->encoder,
		.bare = 1,
		.loss_share = 1,
		.software.date = SOFTWARE_2023,
		.ep = 1,
		.routing = ROUTING_ON_HOST,
		.mtp = model_further_heads(m) };
}

static double comm_ms(const struct step_time *time)
{
	return 1e3 * (time->part_s[SPENT_GATHER] + time->part_s[SPENT_EXCHANGE]);
}

/* The model's step by our parts, without data. */
static void model_step_ms(const struct step_time *time, double ms[N_PARTS])
{
	const double *s = time->part_s;
	ms[MATMUL] = 1e3 * (s[SPENT_PRODUCTS] + s[SPENT_ATTENTION] + s[SPENT_HEAD]);
	ms[POINTWISE] = 1e3 * (s[SPENT_POINTWISE] - time->starts_s);
	/* The step's optimizer is one kernel; before it is fused it moves twice as much. */
	ms[OPTIMIZER] =
		1e3 * s[SPENT_OPTIMIZER] * ADAMW_UNFUSED_TRAFFIC_BYTES / ADAMW_FUSED_TRAFFIC_BYTES;
	ms[LAUNCH] = 1e3 * (time->starts_s + s[SPENT_HOST]);
	ms[COMM] = comm_ms(time);
}

/* What the model's own step says a technique leaves of the parts that are on auto. */
static void by_model(const struct step_setup *with, enum technique by, const double v[],
	const double ms[N_PARTS], struct base *b)
{
	struct step_time time = model_step(with, 1);
	double with_ms[N_PARTS] = { 0 };
	model_step_ms(&time, with_ms);
	for (int i = MATMUL; i <= POINTWISE; i++)
		if (v[DATA_PCT + i] == 0 && ms[i] > 0)
			b->left[by][i] = with_ms[i] / ms[i];
}

/* Communication counts as exposed where nothing hides it; what the model's step shows of it with all
 * of backward beside it is more than a last bucket, for collectives slow products down. */
static void techniques_of_model(
	struct step_setup setup, const double v[], const double ms[N_PARTS], struct base *b)
{
	setup.software.fused = true;
	by_model(&setup, BY_COMPILE, v, ms, b);
	setup.software.fused = false;
	setup.bare = 0;
	struct step_time hidden = model_step(&setup, 1);
	if (v[COMM_PCT] == 0 && ms[COMM] > 0)
		b->comm_shown = comm_ms(&hidden) / ms[COMM];
	setup.dtype = DTYPE_BF16;
	by_model(&setup, BY_AMP, v, ms, b);
}

/* The base step, part by part. Shares that are typed need not add up to 100 %: they are weights;
 * what they leave is dealt out as the model's step has it. */
static struct base base_of(const struct tables *t, const double v[])
{
	struct base b = { .comm_shown = 1 };
	struct step_setup setup = base_setup(t, v);
	struct step_time time = model_step(&setup, 1);
	double model_ms[N_PARTS] = { 0 }, pct[N_PARTS], left = 100, unsaid_ms = 0;
	model_step_ms(&time, model_ms);
	techniques(b.left);
	techniques_of_model(setup, v, model_ms, &b);
	for (int i = 0; i < N_PARTS; i++) {
		left -= v[DATA_PCT + i];
		unsaid_ms += v[DATA_PCT + i] > 0 ? 0 : model_ms[i];
	}
	for (int i = 0; i < N_PARTS; i++)
		pct[i] = v[DATA_PCT + i] > 0 || unsaid_ms <= 0
				 ? v[DATA_PCT + i]
				 : fmax(0, left) * model_ms[i] / unsaid_ms;
	double shares = sum(pct, N_PARTS), computed = fmax(1e-6, shares - pct[DATA]) / shares;
	b.step_ms = v[BASE_MS] > 0 ? v[BASE_MS] : sum(model_ms, N_PARTS) / computed;
	for (int i = 0; i < N_PARTS; i++)
		b.ms[i] = b.step_ms * pct[i] / shares;
	return b;
}

/* What the GPU computes: each technique speeds up its own part and no other. */
static void speed_up_compute(const struct base *b, const double v[], double part[N_PARTS])
{
	static const int knob[N_TECHNIQUES] = { AMP, COMPILE, FUSED_OPTIMIZER, CHECKPOINTING };
	for (int i = 0; i < N_TECHNIQUES; i++)
		for (int k = 0; k < N_PARTS; k++)
			part[k] *= v[knob[i]] > 0 ? b->left[i][k] : 1;
	part[LAUNCH] *= v[ACCUMULATION];
}

/* The step with the knobs' techniques on, part by part. What hides behind other parts comes after
 * them: communication behind backward, the loader behind all that the GPU does. */
static void coupled_step_ms(const struct base *b, const double v[], double part[N_PARTS])
{
	for (int i = 0; i < N_PARTS; i++)
		part[i] = b->ms[i];
	speed_up_compute(b, v, part);
	if (v[OVERLAP] > 0 && b->comm_shown < 1) {
		part[COMM] *= b->comm_shown;
	} else if (v[OVERLAP] > 0) {
		double backward_ms =
			(part[MATMUL] + part[POINTWISE]) * BACKWARD_OVER_FORWARD / TRAINING_PASSES;
		part[COMM] = CALL(exposed_comm_time, .comm_time = part[COMM],
			.backward_time = backward_ms, .buckets = gradient_bytes / DDP_BUCKET_BYTES);
	}
	if (v[LOADER] > 0) {
		double gpu_ms = sum(part + MATMUL, N_PARTS - MATMUL);
		part[DATA] = fmax(0, part[DATA] / v[WORKERS] - gpu_ms);
	}
}

/* What the list of claims promises: their product, as if each had been measured on top of the
 * others. */
static double product_speedup(const double v[])
{
	double m = 1;
	m *= v[LOADER] > 0 ? v[M_LOADER] : 1;
	m *= v[AMP] > 0 ? v[M_AMP] : 1;
	m *= v[COMPILE] > 0 ? v[M_COMPILE] : 1;
	m *= v[FUSED_OPTIMIZER] > 0 ? v[M_FUSED] : 1;
	m *= v[OVERLAP] > 0 ? v[M_OVERLAP] : 1;
	m *= v[CHECKPOINTING] > 0 ? 3.0 / 4 : 1; /* of compute alone, as it is usually claimed */
	return m;
}

/* Memory of one GPU: the state of training, divided over the shards, and activations. The state is
 * 16 B per parameter either way: 2 + 2 + 12 in BF16 with a master copy, 4 + 4 + 8 in FP32. */
enum { STATE, ACTIVATIONS, N_KEPT };

/* The rule of 34 bytes knows no experts, latents or states: what such layers keep themselves. */
static double parts_activations(const struct tables *t, const double v[], double micro_batch)
{
	struct step_setup setup = base_setup(t, v);
	setup.micro_batch = micro_batch;
	return (setup.model->layers + setup.mtp) *
	       parts_kept_bytes(&setup, v[CHECKPOINTING] > 0 ? RECOMPUTE_FULL : RECOMPUTE_NONE);
}

static void kept_bytes(const struct tables *t, const double v[], double kept[N_KEPT])
{
	const struct model *m = model_at(t, v[MODEL]);
	double micro_batch = v[BATCH] / v[ACCUMULATION];
	kept[STATE] = CALL(zero3_bytes, .params = model_trained_params(m), .gpus = v[SHARDS],
		.weight_bytes = FP32_BYTES, .gradient_bytes = FP32_BYTES,
		.optimizer_bytes = ADAMW_MOMENT_BYTES, .gathered_params = 0);
	double activations = CALL(flash_activation_bytes, .seq = v[SEQ], .batch = micro_batch,
		.hidden = m->hidden, .layers = m->layers);
	if (v[CHECKPOINTING] > 0)
		activations = CALL(full_recompute_bytes, .seq = v[SEQ], .batch = micro_batch,
			.hidden = m->hidden, .layers = m->layers);
	if (m->made_of)
		activations = parts_activations(t, v, micro_batch);
	kept[ACTIVATIONS] = activations * (v[AMP] > 0 ? 1 : FP32_OVER_BF16_BYTES);
}

static double memory_bytes(const struct tables *t, const double v[])
{
	double kept[N_KEPT];
	kept_bytes(t, v, kept);
	return sum(kept, N_KEPT);
}

/* --- The figure --- */

/* The stack as it grows by one technique after the other: what each of them adds depends on what is
 * there already. */
static const struct {
	int knob;
	const char *label;
} order[] = { { LOADER, "+ loader" }, { AMP, "+ BF16" }, { COMPILE, "+ compile" },
	{ FUSED_OPTIMIZER, "+ fused AdamW" }, { OVERLAP, "+ overlap" },
	{ CHECKPOINTING, "+ checkpoint" }, { ACCUMULATION, "+ accumulation" } };
enum { MOST_ROWS = LENGTH(order) + 1 };

struct stack_row {
	const char *label;
	double v[N_KNOBS], part_ms[N_PARTS], kept[N_KEPT], step_ms;
};

/* Returns how many rows there are: techniques that are off add none. */
static size_t stack_rows(const struct tables *t, const struct base *b, const double v[],
	struct stack_row rows[MOST_ROWS])
{
	size_t n = 0;
	double now[N_KNOBS];
	for (int i = 0; i < N_KNOBS; i++)
		now[i] = v[i];
	for (size_t i = 0; i < LENGTH(order); i++)
		now[order[i].knob] = order[i].knob == ACCUMULATION ? 1 : 0;
	for (int i = -1; i < (int)LENGTH(order); i++) {
		if (i >= 0 && now[order[i].knob] == v[order[i].knob])
			continue;
		if (i >= 0)
			now[order[i].knob] = v[order[i].knob];
		struct stack_row *row = &rows[n++];
		row->label = i < 0 ? "baseline" : order[i].label;
		for (int k = 0; k < N_KNOBS; k++)
			row->v[k] = now[k];
		coupled_step_ms(b, now, row->part_ms);
		kept_bytes(t, now, row->kept);
		row->step_ms = sum(row->part_ms, N_PARTS);
	}
	return n;
}

/* As it stands on the screen: to three digits. */
static double as_shown(double x)
{
	double last = x > 0 ? pow(10, floor(log10(x)) - 2) : 1;
	return last * round(x / last);
}

/* What a row took off the one before it, or put on; the numbers that stand there say the same. */
static void compare_rows(
	struct figure *fig, struct bar *bar, double now, double before, const char *unit)
{
	double by = as_shown(now) - as_shown(before);
	if (!bar)
		return;
	bar->was = before;
	if (fabs(by) > 1e-9 * before)
		bar->note = figure_text(
			fig, "%s%s", by > 0 ? "+" : "-", figure_about(fig, fabs(by), unit));
}

/* What is drawn of a step: what every step pays whatever it computes is one part. */
#define MEANS_GIVEN (MEANS_KIND + 2) /* by what a technique is faster: no part of a step */
/* As in the fine-tuning case; orange is what activations take of memory, on the same screen. */
#define MEANS_POINTWISE (MEANS_KIND + 6)
enum { DRAWN_DATA, DRAWN_MATMUL, DRAWN_POINTWISE, DRAWN_FIXED, DRAWN_COMM, N_DRAWN };

static struct bars *time_bars(struct figure *fig)
{
	static const char *const names[N_DRAWN] = { "data", "matmuls", "pointwise", "overhead",
		"network" };
	static const enum meaning means[N_DRAWN] = { MEANS_WAITING, MEANS_COMPUTE, MEANS_POINTWISE,
		MEANS_FIXED, MEANS_NETWORK };
	struct bars *time = figure_bars(
		fig, "Where a step goes (thin line: what a row saves)", "s", names, N_DRAWN);
	bars_mean(fig, time, means, N_DRAWN);
	figure_tab(fig, "Time");
	return time;
}

/* A line across the bars: the step that the claims promise. */
static void draw_promise(const struct base *b, const struct stack_row *last, struct bars *time)
{
	double claimed = product_speedup(last->v);
	if (!time || claimed == 1)
		return;
	time->limit = b->step_ms / claimed / 1e3;
	time->limit_label = "as claimed";
	time->goal = true;
}

/* Where the step goes, a technique more in each row. */
static void draw_time(
	const struct base *b, const struct stack_row rows[], size_t n, struct figure *fig)
{
	struct bars *time = time_bars(fig);
	for (size_t i = 0; i < n; i++) {
		const double *ms = rows[i].part_ms;
		double drawn[N_DRAWN] = { ms[DATA], ms[MATMUL], ms[POINTWISE],
			ms[OPTIMIZER] + ms[LAUNCH], ms[COMM] };
		for (size_t k = 0; k < N_DRAWN; k++)
			drawn[k] /= 1e3;
		struct bar *bar = bars_add(fig, time, rows[i].label, drawn);
		if (!bar)
			continue;
		bar->was = i > 0 ? rows[i - 1].step_ms / 1e3 : 0;
		bar->role = i + 1 == n ? ROLE_ACCENT : ROLE_PLAIN;
	}
	draw_promise(b, &rows[n - 1], time);
	if (time)
		time->close = true;
}

/* Two digits, or all before the point: 2.5, 33, 150. What is less than a twentieth is nothing: a step
 * that does not change is not the same to the last bit. */
static const char *percent(struct figure *fig, double x)
{
	return figure_text(fig, fabs(x) < 10 ? "%.2g %%" : "%.0f %%", fabs(x) < 0.05 ? 0 : x);
}

/* Both numbers, the one that the step gives first. */
static const char *claim_note(struct figure *fig, double gives, double claims)
{
	if (gives <= -0.05)
		return figure_text(fig, "%s slower", percent(fig, -gives));
	const char *given = percent(fig, gives), *claimed = percent(fig, claims);
	return strcmp(given, claimed) == 0 ? figure_text(fig, "%s, as claimed", given)
					   : figure_text(fig, "%s, not %s", given, claimed);
}

/* By how much a row is faster than the one before it, in %, and what is claimed of it. */
static double gives_pct(const struct stack_row *row)
{
	return 100 * (row[-1].step_ms / row->step_ms - 1);
}

static double claims_pct(const struct stack_row *row)
{
	return 100 * (product_speedup(row->v) / product_speedup(row[-1].v) - 1);
}

/* Whether BF16 gives more than is claimed of it because pointwise kernels move half the bytes as well, which
 * no claim counts. */
static bool halves_bytes(const struct stack_row *row)
{
	double saved_ms = row[-1].part_ms[POINTWISE] - row->part_ms[POINTWISE];
	return row->v[AMP] > row[-1].v[AMP] &&
	       as_shown(gives_pct(row)) > as_shown(claims_pct(row)) &&
	       100 * (row[-1].step_ms / (row->step_ms + saved_ms) - 1) <= claims_pct(row);
}

/* What the step gives for each claim, in % faster, and a tick at the claim. */
static void draw_claims(const struct stack_row rows[], size_t n, struct figure *fig)
{
	static const char *const names[] = { "given" };
	struct bars *bars = NULL;
	for (size_t i = 1; i < n; i++) {
		double gives = gives_pct(&rows[i]), claims = claims_pct(&rows[i]);
		if (!bars) {
			bars = figure_bars(
				fig, "What each gives, and claims (tick): % faster", "%", names, 1);
			if (!bars)
				return;
			bars->shares = true; /* the notes have both numbers */
			bars_mean(fig, bars, (const enum meaning[]){ MEANS_GIVEN }, 1);
			figure_tab(fig, "Claims");
		}
		struct bar *bar = bars_add(fig, bars, rows[i].label, (double[]){ gives });
		if (!bar)
			continue;
		bar->mark = fmax(0, claims);
		bar->note = figure_text(fig, "%s%s", claim_note(fig, gives, claims),
			halves_bytes(&rows[i]) ? ": bytes halve too" : "");
	}
	if (bars)
		bars->close = true;
}

static void draw_memory(const struct stack_row rows[], size_t n, struct figure *fig)
{
	static const char *const names[N_KEPT] = { "weights and state", "activations" };
	static const enum meaning means[N_KEPT] = { MEANS_WEIGHTS, MEANS_ACTIVATIONS };
	struct bars *memory =
		figure_bars(fig, "Memory of one GPU, where it changes", "GB", names, N_KEPT);
	bars_mean(fig, memory, means, N_KEPT);
	figure_tab(fig, "Memory");
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && sum(rows[i].kept, N_KEPT) == sum(rows[i - 1].kept, N_KEPT))
			continue;
		const double kept[] = { rows[i].kept[STATE] / 1e9,
			rows[i].kept[ACTIVATIONS] / 1e9 };
		struct bar *gb = bars_add(fig, memory, rows[i].label, kept);
		if (i > 0)
			compare_rows(fig, gb, sum(rows[i].kept, N_KEPT) / 1e9,
				sum(rows[i - 1].kept, N_KEPT) / 1e9, "GB");
	}
}

/* What checkpointing frees and what that costs, against the same setting without it. */
static bool price_of_checkpointing(const struct tables *t, const struct base *b, const double v[],
	const double part[], struct figure *fig)
{
	double without[N_KNOBS], part_without[N_PARTS];
	for (int i = 0; i < N_KNOBS; i++)
		without[i] = v[i];
	without[CHECKPOINTING] = 0;
	coupled_step_ms(b, without, part_without);
	double freed = memory_bytes(t, without) - memory_bytes(t, v);
	double more_ms = sum(part, N_PARTS) - sum(part_without, N_PARTS);
	double usd = v[BASE_USD] * more_ms / b->step_ms;
	if (v[CHECKPOINTING] == 0 || freed <= 0 || usd <= 0)
		return false;
	figure_why(fig,
		"Checkpointing frees %s and computes forward twice: %s more for the run, %s for "
		"each GB.",
		figure_quantity(fig, freed, "B"), figure_about(fig, usd, "$"),
		figure_about(fig, usd / (freed / 1e9), "$"));
	return true;
}

/* Why the step gives less than the claims, without a word that one of them belies. */
static const char *shortfall(const struct stack_row rows[], size_t n, struct figure *fig)
{
	size_t more = 0, less = 0, which = 0;
	for (size_t i = 1; i < n; i++) {
		const double gives = as_shown(gives_pct(&rows[i])),
			     claims = as_shown(claims_pct(&rows[i]));
		more += gives > claims;
		less += gives < claims;
		which = gives > claims ? i : which;
	}
	const char *plus = "+ ";
	if (more == 1 && less + 2 == n && less > 1)
		return figure_text(
			fig, "only %s keeps its promise", rows[which].label + strlen(plus));
	return more == 0     ? "each speeds up only its share"
	       : less > more ? "most give less than they claim"
			     : "what falls short weighs more";
}

/* The one sentence that says what the setting teaches. */
static void read_for_the_reader(const struct tables *t, const struct base *b, const double v[],
	const double part[], double product, double coupled, const char *shortfall,
	struct figure *fig)
{
	bool starves = part[DATA] > 0 && v[LOADER] > 0;
	if (!starves && price_of_checkpointing(t, b, v, part, fig))
		return;
	if (starves)
		figure_why(fig,
			"The loader is the bottleneck again: %g worker%s longer to prepare a batch "
			"than the GPU to compute it.",
			v[WORKERS], v[WORKERS] == 1 ? " takes" : "s take");
	else if (product == 1 && coupled == 1)
		figure_why(fig,
			"Nothing is on. Matmuls are %.0f %% of the step: if they took no time at "
			"all, it would be %.3gx as fast.",
			100 * part[MATMUL] / sum(part, N_PARTS),
			sum(part, N_PARTS) / fmax(sum(part, N_PARTS) - part[MATMUL], 1e-9));
	else if (fabs(product / coupled - 1) < 0.02)
		figure_why(fig,
			"Each claim fits its share here: the product promises %.3gx, the step's "
			"parts give %.3gx.",
			product, coupled);
	else if (product < coupled)
		figure_why(fig,
			"Claims may promise too little as well: their product is %.3gx, the step's "
			"parts give %.3gx.",
			product, coupled);
	else
		figure_why(fig, "Claims multiply to %.3gx, the step gives %.3gx: %s.", product,
			coupled, shortfall);
}

/* Settings that are computed all the same, though they make no sense. */
static void warn(const double v[], struct figure *fig)
{
	double shares = sum(v + DATA_PCT, N_PARTS);
	bool dealt = false;
	for (int i = MATMUL; i < N_PARTS; i++)
		dealt |= v[DATA_PCT + i] == 0;
	if (shares > 100.05 || (!dealt && shares < 99.95))
		figure_note(fig, ROLE_WARN,
			"The shares add up to %g %%; they are taken as weights.", shares);
	if (v[ACCUMULATION] > v[BATCH])
		figure_note(fig, ROLE_WARN,
			"%g micro-batches of a batch of %g: no sequence can be cut into %g parts, "
			"the figure divides all the same.",
			v[ACCUMULATION], v[BATCH], v[ACCUMULATION] / v[BATCH]);
}

/* What the numbers rest on, and what they do not know. */
static void tell_limits(struct figure *fig)
{
	figure_assume(fig, "base step in TF32, no workers, eager, unfused AdamW in FP32");
	figure_assume(fig,
		"BF16 matmuls 2x TF32, pointwise bytes halved, state 16 B/parameter both ways");
	figure_assume(
		fig, "loader overlaps: step = max(prep / workers, GPU); cost goes with the step");
	figure_leave_out(fig, "CPU contention between workers, compile time, recompilation");
	figure_leave_out(fig, "logits, workspace and fragmentation in the memory figure");
}

static void add_base_values(const struct base *b, struct figure *fig)
{
	static const struct {
		const char *id, *label;
	} shares[N_PARTS] = { { "base_data_pct", "base: data" },
		{ "base_matmul_pct", "base: matmuls" }, { "base_pointwise_pct", "base: pointwise" },
		{ "base_optimizer_pct", "base: optimizer" },
		{ "base_launch_pct", "base: launches" }, { "base_comm_pct", "base: network" } };
	figure_value(fig, "base_step_ms", "base step", b->step_ms, "ms", ROLE_DIM);
	for (int i = 0; i < N_PARTS; i++)
		figure_value(fig, shares[i].id, shares[i].label, 100 * b->ms[i] / b->step_ms, "%",
			ROLE_DIM);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	assert((size_t)v[COUPLING] < LENGTH(coupling_names));
	double part[N_PARTS];
	const struct base b = base_of(t, v);
	coupled_step_ms(&b, v, part);
	double coupled = b.step_ms / sum(part, N_PARTS), product = product_speedup(v);
	double speedup = v[COUPLING] == PRODUCT ? product : coupled;

	figure_subtitle(fig, "%s base step · %s", figure_quantity(fig, b.step_ms, "ms"),
		coupling_names[(size_t)v[COUPLING]]);
	value_note(figure_value(fig, "speedup", "speed-up", speedup, "x", ROLE_ACCENT),
		v[COUPLING] == PRODUCT ? "as claimed" : "of the step");
	figure_value(fig, "step_ms", "step", b.step_ms / speedup, "ms", ROLE_PLAIN);
	figure_value(
		fig, "memory_GB", "memory of a GPU", memory_bytes(t, v) / 1e9, "GB", ROLE_PLAIN);
	figure_value(fig, "cost_usd", "the run", v[BASE_USD] / speedup, "$", ROLE_PLAIN);
	add_base_values(&b, fig);
	/* The one of these that is not the first value; the sentence has it too. */
	bool claimed = v[COUPLING] == PRODUCT;
	value_note(figure_value(fig, claimed ? "coupled_speedup" : "product_speedup",
			   claimed ? "step's parts" : "claims multiplied",
			   claimed ? coupled : product, "x", ROLE_DIM),
		claimed ? "part by part" : "as claimed");
	value_note(figure_value(fig, claimed ? "product_speedup" : "coupled_speedup",
			   claimed ? "claims multiplied" : "step's parts",
			   claimed ? product : coupled, "x", ROLE_DIM),
		claimed ? "as claimed" : "part by part");

	struct stack_row rows[MOST_ROWS];
	size_t n = stack_rows(t, &b, v, rows);
	draw_time(&b, rows, n, fig);
	draw_claims(rows, n, fig);
	draw_memory(rows, n, fig);
	read_for_the_reader(t, &b, v, part, product, coupled, shortfall(rows, n, fig), fig);
	warn(v, fig);
	note_windows(fig, model_at(t, v[MODEL]), v[SEQ]);
	if (model_experts(model_at(t, v[MODEL])) > 0)
		figure_assume(fig, "a mixture's experts are sharded like all weights, no token "
				   "travels; the host that waits for their rows is a launch");
	tell_limits(fig);
}

const struct sim stacking_sim = {
	.id = "stacking",
	.title = "Optimisation stack",
	.summary = "Stacked optimisations: the product of claims beside what the step's parts "
		   "leave of it",
	.page = "training-speed",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(LOADER, AMP, COMPILE, FUSED_OPTIMIZER, OVERLAP, CHECKPOINTING, ACCUMULATION),
	.try = "Turn checkpointing on. What does each GB that it saves cost in dollars?",
	.run = run,
};
