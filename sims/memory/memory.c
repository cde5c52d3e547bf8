/* Memory of training: one tooth a step, what its peak is made of, where it breaks. */
#include "sims/architecture/architecture.h"
#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/base/stats.h"
#include "sims/formulas/memory.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/gpu/kernel.h"
#include "sims/knobs.h"
#include "sims/figure/uncovered.h"
#include "sims/memory/memory_replay.h"
#include "sims/architecture/model_bytes.h"
#include "sims/training/model_params.h"
#include "sims/training/model_step.h"
#include "sims/published/measured.h"
#include "sims/published/overlay.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct memory_found {
	struct memory_setup setup;
	const struct accelerator *gpu;
	struct arena scratch; /* holds trace and replay */
	struct memory_trace trace;
	struct memory_peak ideal; /* with context */
	struct memory_curve allocated;
	struct memory_replay replay; /* by the caching allocator, where that is chosen */
	bool caching, fits;
	double peak_bytes, capacity, outside; /* the peak: of the last step that is shown */
	/* Steps that are shown, and of these how many run: one that does not fit is the last. */
	int steps, run;
	double asked_ep; /* groups of experts, as the knob has it */
	bool asked_gpt;  /* the layer of the 34-byte rule */
	const struct step_recipe *asked_recipe;
	double leak_bytes; /* that each step leaves behind */
	int last_step;     /* with such a leak, the first step that does not fit; 0: none leaks */
	bool leak_broke;   /* one of those that are shown does not fit, because of the leak */
	size_t broke_at;   /* event, where it does not fit */
	double broke_s;
	/* The cheapest change that fits where the present setting does not; NULL: there is none. */
	const char *remedy;
	double remedy_bytes;
};

/* What the peak is made of: the kinds of tensors, and what is not a tensor. */
enum { PART_LEAKED = N_MEMORY_KINDS, PART_CACHED, PART_CONTEXT, N_MEMORY_PARTS };

enum {
	MODEL,
	BATCH,
	SEQ,
	PRECISION,
	RECIPE,
	OPTIMIZER,
	CHECKPOINTING,
	K,
	ZERO,
	GPUS,
	TP,
	EP,
	ATTENTION,
	GPU,
	ALLOCATOR,
	LAYER,
	FUSED,
	OFFLOAD,
	STEPS,
	LEAK,
	N_KNOBS
};
enum { FLASH, UNFUSED };
enum { IDEAL, CACHING };
enum { GPT, ACTUAL };

static const char *const precision_ids[] = { "fp32", "amp_autocast", "bf16", NULL };
static const char *const precision_names[] = { "FP32", "AMP autocast", "BF16" };
static const char *const optimizer_ids[] = { "adamw", "adam8bit", "sgd", NULL };
static const char *const optimizer_names[] = { "AdamW", "8-bit Adam", "SGD" };
static const char *const checkpointing_ids[] = { "none", "selective", "every_k", "full", NULL };
static const char *const checkpointing_names[] = { "none", "selective", "every k", "full" };
static const char *const attention_ids[] = { "flash", "unfused", NULL };
static const char *const allocator_ids[] = { "ideal", "caching", NULL };
static const char *const layer_ids[] = { "gpt", "actual", NULL };
static const char *const layer_names[] = { "GPT's", "the model's own" };

static const struct knob knobs[N_KNOBS] = {
	[MODEL] = KNOB_ANY_PARTS_OF("model", "model", "llama2-7b",
		"weights, gradients and optimizer state grow with parameters (16 B each under "
		"AdamW), activations with layers times width"),
	[BATCH] = KNOB_DOUBLING("batch", "batch per GPU", "", 1, 1024, 4,
		"activations and logits grow with it, the state does not: at a small batch the "
		"state is the peak"),
	[SEQ] = KNOB_DOUBLING("seq", "sequence", "token", 128, 1048576, 2048,
		"activations grow with it, and with its square where attention writes its scores"),
	[PRECISION] =
		KNOB_CHOICE_OF("precision", "precision", precision_ids, precision_names, "bf16",
			"all three hold 16 B of state per parameter under AdamW: 16 bits halve the "
			"activations only, and autocast adds 16-bit copies of its FP32 weights",
			.group = "state"),
	[RECIPE] = KNOB_CHOICE_OF("act_dtype", "products in", step_recipe_ids, step_recipe_names,
		"bf16",
		"a recipe of BF16 weights: what products read is kept in 8 or 4 bits, weights lie "
		"there in copies both ways, blocks halve the moments; master weights stay FP32",
		.when = { WHEN(PRECISION, MEMORY_BF16) }, .group = "state"),
	[OPTIMIZER] = KNOB_CHOICE_OF("optimizer", "optimizer", optimizer_ids, optimizer_names,
		"adamw",
		"AdamW keeps two FP32 moments (8 B per parameter), 8-bit Adam two of 1 B, SGD one "
		"of 4 B",
		.group = "state"),
	[CHECKPOINTING] = KNOB_CHOICE_OF("checkpointing", "checkpointing", checkpointing_ids,
		checkpointing_names, "none",
		"forgets activations and runs forward again in backward: 2 s b h per kept input "
		"instead of 34, for up to a third more compute"),
	[K] = KNOB_WHOLE("k", "segment", "layer", 1, 128, 4,
		"fewer inputs kept, but k whole layers alive while a segment runs again; one "
		"layer is nearly the best, not sqrt(L)",
		.when = { WHEN(CHECKPOINTING, CHECKPOINT_EVERY_K) }, .group = "layers"),
	[ZERO] = KNOB_WHOLE("zero", "ZeRO stage", "", 0, 3, 3,
		"1 shards the optimizer's state, 2 gradients too, 3 (FSDP) weights too, which are "
		"gathered layer by layer; no stage shards activations",
		.zero = "none"),
	[GPUS] = KNOB_DOUBLING("gpus", "GPUs", "", 1, 16384, 8,
		"ZeRO divides state by GPUs / tensor parallel; the batch per GPU stays, and so do "
		"its activations",
		.group = "cluster"),
	[TP] = KNOB_DOUBLING("tp", "tensor par.", "", 1, 64, 1,
		"cuts every layer, and with sequence parallelism its activations too: the only "
		"knob that divides both by t",
		.group = "cluster"),
	[EP] = KNOB_DOUBLING("ep", "expert groups", "", 0, 1024, 0,
		"of a mixture: groups of GPUs to which its experts are dealt; each then holds fewer, "
		"and ZeRO shards those over the GPUs that hold the same. auto: as many as the fast "
		"links join",
		.zero = "auto", .stands_for = "ep", .group = "cluster"),
	[ATTENTION] = KNOB_CHOICE_OF("attention", "attention", attention_ids, NULL, "flash",
		"unfused attention keeps 5 a s^2 b bytes of scores, softmax and mask per layer; a "
		"flash kernel keeps one number per row",
		.group = "layers"),
	[GPU] = KNOB_ANY_GPU("a100",
		"its memory is the line across the plot; its speed only stretches the time axis"),
	[ALLOCATOR] = KNOB_CHOICE_OF("allocator", "allocator", allocator_ids, NULL, "caching",
		"PyTorch caches what is freed and cuts it up: reserved stays above allocated, and "
		"a request can fail although enough is free in pieces",
		.group = "run"),
	[LAYER] = KNOB_CHOICE_OF("layer", "layer", layer_ids, layer_names, "actual",
		"gpt: the layer behind the 34-byte rule; actual: the model's own, where SwiGLU "
		"saves more, grouped keys less",
		.group = "layers"),
	[FUSED] = KNOB_SWITCH("fused", "fused loss", 0,
		"logits in chunks that are never whole, SwiGLU in one kernel: with 128K words of "
		"vocabulary the logits are the peak",
		.group = "layers"),
	[OFFLOAD] = KNOB_SWITCH("offload", "offload", 0,
		"gradients and optimizer state live in the CPU's memory: 14 of 16 B per parameter "
		"leave the card, over PCIe",
		.group = "state"),
	[STEPS] = KNOB_WHOLE("steps", "steps", "", 1, 8, 3,
		"every step is the same tooth; only what a script keeps makes the next one higher",
		.group = "run"),
	[LEAK] = KNOB_SWITCH("leak", "leak", 0,
		"a hook keeps what each attention and each MLP put out, and nobody clears its "
		"list: every step leaves that behind"),
};

/* The share of the dense peak at which the passes are laid out; the model of a step then says how
 * long they take together. */
static const double memory_assumed_mfu = 0.4;

/* What runs: BF16 where the GPU has no unit for what is asked. */
static const struct step_recipe *recipe_at(const struct accelerator *g, const double v[])
{
	return step_recipe_on(step_recipe_at(v[RECIPE]), g);
}

static struct memory_setup setup_of(const struct tables *t, const double v[])
{
	assert(v[PRECISION] <= MEMORY_BF16 && v[OPTIMIZER] <= MEMORY_SGD &&
		v[CHECKPOINTING] <= CHECKPOINT_FULL);
	const struct accelerator *g = gpu_at(t, v[GPU]);
	const struct model *m = model_at(t, v[MODEL]);
	enum memory_precision precision = (enum memory_precision)v[PRECISION];
	struct memory_setup s = { .model = m,
		.batch = v[BATCH],
		.seq = v[SEQ],
		.precision = precision,
		.recipe = recipe_at(g, v),
		.optimizer = (enum memory_optimizer)v[OPTIMIZER],
		.checkpointing = (enum memory_checkpointing)v[CHECKPOINTING],
		.k = (int)v[K],
		.zero = (int)v[ZERO],
		.gpus = v[GPUS],
		.tp = v[TP],
		.flash = (int)v[ATTENTION] == FLASH,
		.actual = (int)v[LAYER] == ACTUAL || m->made_of,
		.fused = v[FUSED] > 0,
		.offload = v[OFFLOAD] > 0,
		.flops_per_s =
			memory_assumed_mfu *
			kernel_peak_flops(g, precision == MEMORY_FP32 ? DTYPE_TF32 : DTYPE_BF16),
		.bandwidth = g->bandwidth };
	s.ep = expert_groups(m, v[EP], gpu_domain(g), s.tp * memory_shards(&s));
	return s;
}

/* Replays the trace on the card. One that is too small says where it breaks; then a card without
 * end says how much would have been enough. */
static void replay(struct memory_found *f)
{
	memory_replay_caching(&f->trace, f->outside, f->capacity, true, &f->replay, &f->scratch);
	f->fits = f->replay.fits;
	f->peak_bytes = (double)f->replay.peak_reserved + f->outside;
	f->broke_at = f->replay.event;
	f->broke_s = f->replay.at_s;
	if (f->fits || f->scratch.failed)
		return;
	struct memory_replay *endless = arena_alloc(&f->scratch, sizeof *endless);
	if (!endless)
		return;
	memory_replay_caching(
		&f->trace, f->outside, (double)ALLOCATOR_UNLIMITED, false, endless, &f->scratch);
	/* Beyond what 64 bits of an address hold, the ideal figure has to do. */
	f->peak_bytes = fmax(f->ideal.bytes, (double)endless->peak_reserved + f->outside);
	f->replay.reserved_at_peak = endless->reserved_at_peak;
	f->replay.allocated_at_peak = endless->allocated_at_peak;
}

/* Attention parts, or what stands in their place, and feed-forward parts of all layers. */
static double layer_parts(const struct model *m)
{
	const struct architecture *a = m->made_of;
	double parts = 0;
	for (size_t i = 0; a && i < a->n_groups; i++) {
		const struct feed *f = &a->groups[i].feed;
		parts += (double)a->groups[i].n * ((a->groups[i].mixer.kind != MIXING_NONE) +
							  (f->width > 0 || f->experts > 0));
	}
	return a ? parts : 2 * m->layers;
}

/* What the hook keeps of a step: the outputs of attention and MLP, in every layer. */
static double kept_bytes(const struct memory_setup *s)
{
	double value_bytes = s->precision == MEMORY_FP32 ? 4 : 2;
	return layer_parts(s->model) * s->batch * s->seq * s->model->hidden * value_bytes / s->tp;
}

/* When memory first exceeds the card in a step that begins with so many leaked bytes. */
static double crossing_s(const struct memory_found *f, double leaked)
{
	const struct memory_curve *c =
		f->caching && f->replay.reserved.n > 1 ? &f->replay.reserved : &f->allocated;
	for (size_t i = 0; i < c->n; i++)
		if (c->bytes[i] + leaked > f->capacity)
			return c->at_s[i];
	return f->ideal.at_s;
}

/* Repeats the step. What leaks lies under each later tooth; a step that does not fit alone leaks
 * nothing, for there is no second one. */
static void repeat(struct memory_found *f, bool leaks)
{
	if (!f->fits)
		f->steps = 1;
	f->run = f->steps;
	if (!leaks || !f->fits)
		return;
	f->leak_bytes = kept_bytes(&f->setup);
	f->last_step = 2 + (int)fmin((f->capacity - f->peak_bytes) / f->leak_bytes, 1e6);
	if (f->last_step <= f->steps) {
		f->run = f->last_step;
		f->fits = false;
		f->leak_broke = true;
		f->broke_s = (f->run - 1) * f->trace.duration_s +
			     crossing_s(f, (f->run - 1) * f->leak_bytes);
	}
	f->peak_bytes += (f->run - 1) * f->leak_bytes;
}

/* All that leaked before the last step. */
static double leaked_bytes(const struct memory_found *f)
{
	return (f->run - 1) * f->leak_bytes;
}

/* The same step as `parallelism` and `scaling` have it, on the software of 2025. */
static double model_step_s(const struct memory_found *f)
{
	static const enum recompute again[] = { [CHECKPOINT_NONE] = RECOMPUTE_NONE,
		[CHECKPOINT_SELECTIVE] = RECOMPUTE_SELECTIVE,
		[CHECKPOINT_EVERY_K] = RECOMPUTE_FULL,
		[CHECKPOINT_FULL] = RECOMPUTE_FULL };
	const struct memory_setup *s = &f->setup;
	double replicas = memory_shards(s);
	struct step_time t =
		model_step(&(struct step_setup){ .model = s->model,
				   .gpu = f->gpu,
				   .net = network_measured(f->gpu->family, gpu_domain(f->gpu),
					   f->gpu->link_bandwidth, NETWORK_CARD_BYTES_PER_S,
					   NETWORK_LATENCY_S),
				   .tp = s->tp,
				   .pp = 1,
				   .cp = 1,
				   .dp = replicas,
				   .shard = s->zero == 3 ? replicas : 1,
				   .shard_optimizer = s->zero > 0,
				   .micro_batch = s->batch,
				   .micro_batches = 1,
				   .seq = s->seq,
				   .dtype = s->precision == MEMORY_FP32   ? DTYPE_TF32
					    : s->precision == MEMORY_BF16 ? s->recipe->dtype
									  : DTYPE_BF16,
				   .recipe = s->precision == MEMORY_BF16 ? s->recipe : NULL,
				   .recompute = again[s->checkpointing],
				   .flash = s->flash,
				   .sequence_parallel = true,
				   .loss_share = 1,
				   .software.date = SOFTWARE_2025,
				   .ep = s->ep,
				   .routing = ROUTING_RECORDED,
				   .mtp = model_further_heads(s->model) },
			1);
	return t.step_s - t.optimizer_s;
}

/* Stretches what comes before the optimizer to the time that the model of a step says. */
static void keep_pace(struct memory_found *f)
{
	struct memory_trace *t = &f->trace;
	double until_s = t->duration_s;
	for (size_t i = 0; i < t->n_phases; i++)
		if (t->phases[i].kind == PHASE_OPTIMIZER)
			until_s = fmin(until_s, t->phases[i].at_s);
	if (until_s <= 0)
		return;
	double longer_s = model_step_s(f) - until_s, ratio = 1 + longer_s / until_s;
	for (size_t i = 0; i < t->n_events; i++)
		t->events[i].at_s = t->events[i].at_s < until_s ? t->events[i].at_s * ratio
								: t->events[i].at_s + longer_s;
	for (size_t i = 0; i < t->n_phases; i++)
		t->phases[i].at_s = t->phases[i].at_s < until_s ? t->phases[i].at_s * ratio
								: t->phases[i].at_s + longer_s;
	t->duration_s += longer_s;
}

static void find(struct memory_found *f, const struct tables *t, const double v[])
{
	f->setup = setup_of(t, v);
	f->asked_ep = v[EP];
	f->asked_gpt = (int)v[LAYER] == GPT;
	f->asked_recipe = step_recipe_at(v[RECIPE]);
	f->gpu = gpu_at(t, v[GPU]);
	f->capacity = f->gpu->memory_bytes;
	f->outside = memory_context_bytes(&f->setup);
	f->caching = (int)v[ALLOCATOR] == CACHING;
	f->steps = (int)v[STEPS];
	memory_trace_build(&f->setup, &f->trace, &f->scratch);
	if (f->scratch.failed)
		return;
	keep_pace(f);
	f->ideal = memory_replay_ideal(&f->trace, f->outside, f->capacity, &f->allocated);
	f->peak_bytes = f->ideal.bytes;
	f->fits = f->ideal.bytes <= f->capacity;
	f->broke_at = f->ideal.over;
	if (f->broke_at < f->trace.n_events)
		f->broke_s = f->trace.events[f->broke_at].at_s;
	if (f->caching)
		replay(f);
	repeat(f, v[LEAK] > 0);
}

/* --- pictures -------------------------------------------------------------------------------- */

/* In a bar the cache, the context and what lives for a moment are one part. */
enum { BAR_LEAKED = MEMORY_OTHER, BAR_REST, N_BAR_PARTS };
static const char *const bar_part_names[N_BAR_PARTS] = { "weights", "gradients", "optimizer",
	"activations", "logits", "leaked", "cache, other" };
static const enum meaning bar_part_means[N_BAR_PARTS] = { MEANS_WEIGHTS, MEANS_GRADIENTS,
	MEANS_OPTIMIZER, MEANS_ACTIVATIONS, MEANS_LOGITS, MEANS_FOCUS, MEANS_HELD };
static const char *const memory_part_names[N_MEMORY_PARTS] = { "weights", "gradients", "optimizer",
	"activations", "logits", "other", "leaked", "cached", "context" };
/* Splits a peak into parts that add up to it. */
static void memory_parts(const struct memory_peak *ideal, double outside, double leaked,
	double peak_bytes, double part[N_MEMORY_PARTS])
{
	for (int k = 0; k < N_MEMORY_KINDS; k++)
		part[k] = ideal->part[k];
	part[MEMORY_OTHER] = fmax(0, part[MEMORY_OTHER] - outside);
	part[PART_LEAKED] = leaked;
	part[PART_CACHED] = fmax(0, peak_bytes - leaked - ideal->bytes);
	part[PART_CONTEXT] = outside;
}

static const char *phase_text(struct figure *fig, const struct memory_phase *p)
{
	switch (p->kind) {
	case PHASE_EMBED:
		return "forward, embedding";
	case PHASE_FORWARD:
		return figure_text(fig, "forward, layer %d", p->layer);
	case PHASE_LOSS:
		return "loss and its logits";
	case PHASE_RECOMPUTE:
		if (p->layer == p->last_layer)
			return figure_text(fig, "backward recomputes layer %d", p->layer);
		return figure_text(
			fig, "backward recomputes layers %d to %d", p->layer, p->last_layer);
	case PHASE_BACKWARD:
		return figure_text(fig, "backward, layer %d", p->layer);
	default:
		return "optimizer";
	}
}

/* "forward, layer 12": the phase of an event. */
static const char *memory_event_text(struct figure *fig, const struct memory_trace *t, size_t event)
{
	const struct memory_phase *at = NULL;
	for (size_t i = 0; i < t->n_phases && t->phases[i].first_event <= event; i++)
		at = &t->phases[i];
	return at ? phase_text(fig, at) : "loading the weights";
}

/* The passes of a step, and from when on. */
enum { PASS_FORWARD, PASS_BACKWARD, PASS_OPTIMIZER, N_PASSES };

static void find_passes(const struct memory_trace *t, double from_s[N_PASSES])
{
	from_s[PASS_FORWARD] = 0;
	from_s[PASS_BACKWARD] = from_s[PASS_OPTIMIZER] = t->duration_s;
	for (size_t i = t->n_phases; i-- > 0;) {
		if (t->phases[i].kind == PHASE_LOSS)
			from_s[PASS_BACKWARD] = t->phases[i].at_s;
		if (t->phases[i].kind == PHASE_OPTIMIZER)
			from_s[PASS_OPTIMIZER] = t->phases[i].at_s;
	}
}

/* A moment of a step on the clock of the run, never beyond where the next step begins: sums of
 * floats could be. */
static double on_clock(int step, double step_s, double at_s)
{
	return fmin(step * step_s + at_s, (step + 1) * step_s);
}

/* The teeth: by their passes until memory is out, and grey from there on. */
struct teeth {
	struct series *passes[N_PASSES], *after; /* after: NULL where the card holds all */
	double until_s;
};

static void tooth_point(struct figure *fig, const struct teeth *t, int pass, double at_s, double GB)
{
	struct series *live = t->passes[pass], *after = t->after;
	if (!after || at_s <= t->until_s) {
		series_point(fig, live, at_s, GB);
		return;
	}
	if (after->n == 0 && live && live->n > 0) { /* one goes on from the other */
		double last_GB = live->points[live->n - 1].y;
		series_point(fig, live, t->until_s, last_GB);
		series_point(fig, after, t->until_s, last_GB);
	}
	series_point(fig, after, at_s, GB);
}

/* One tooth, in the colours of its passes; each pass begins where the last one ended. */
static void draw_tooth(
	struct figure *fig, const struct memory_found *f, const struct teeth *t, int step)
{
	const struct memory_curve *c = &f->allocated;
	double from_s[N_PASSES], step_s = f->trace.duration_s;
	double lift = step * f->leak_bytes;
	find_passes(&f->trace, from_s);
	for (int pass = 0, i = 0; pass < N_PASSES; pass++) {
		double until_s = pass + 1 < N_PASSES ? from_s[pass + 1] : f->trace.duration_s;
		double begins_s = on_clock(step, step_s, from_s[pass]);
		const struct series *own = t->passes[pass];
		if (step > 0 && own && own->n > 0 && begins_s <= t->until_s)
			series_point(fig, t->passes[pass], begins_s, NAN);
		if (i > 0)
			i--;
		for (; i < (int)c->n && (c->at_s[i] <= until_s || pass + 1 == N_PASSES); i++)
			tooth_point(fig, t, pass,
				on_clock(step, step_s, fmax(c->at_s[i], from_s[pass])),
				(c->bytes[i] + lift) / 1e9);
	}
}

static void draw_reserved(struct figure *fig, struct plot *p, const struct memory_found *f)
{
	const struct memory_curve *c = &f->replay.reserved;
	if (!f->caching || c->n < 2)
		return;
	struct series *s = plot_series(fig, p,
		f->replay.first_step ? "first step, with PyTorch's cache" : "with PyTorch's cache",
		SERIES_STEP, MEANS_HELD);
	for (int step = 0; step < f->run; step++)
		for (size_t i = 0; i < c->n; i++)
			if (f->fits ||
				on_clock(step, f->trace.duration_s, c->at_s[i]) <= f->broke_s)
				series_point(fig, s,
					on_clock(step, f->trace.duration_s, c->at_s[i]),
					(c->bytes[i] + step * f->leak_bytes) / 1e9);
}

/* The height in GB of the first tooth that a leak lifts over the card, where that is still to come and not
 * too far to be drawn; else 0. */
static double tooth_to_come(const struct memory_found *f)
{
	enum { FARTHEST = 12 };
	if (f->leak_bytes <= 0 || f->leak_broke || f->last_step > FARTHEST)
		return 0;
	return (f->peak_bytes + (f->last_step - f->run) * f->leak_bytes) / 1e9;
}

/* The height of the teeth at a moment of a step, between the points of its curve. */
static double height_at(const struct memory_curve *c, double at_s)
{
	size_t i = 1;
	while (i + 1 < c->n && c->at_s[i] < at_s)
		i++;
	double wide_s = c->at_s[i] - c->at_s[i - 1];
	double share = wide_s > 0 ? (at_s - c->at_s[i - 1]) / wide_s : 1;
	return c->bytes[i - 1] + fmin(fmax(share, 0), 1) * (c->bytes[i] - c->bytes[i - 1]);
}

/* Names the slopes where they are, and not in a legend: what rises is forward, what falls backward. Only
 * where few teeth fill the whole axis have they room beside them. */
static void name_slopes(
	struct figure *fig, struct plot *p, const struct memory_found *f, const struct teeth *t)
{
	double from_s[N_PASSES];
	const struct memory_curve *c = &f->allocated;
	enum { FEW = 3 };
	if (!f->fits || f->run < 2 || f->run > FEW || c->n < 2 || tooth_to_come(f) > 0)
		return;
	find_passes(&f->trace, from_s);
	for (int pass = 0; pass < PASS_OPTIMIZER; pass++) {
		double at_s = (from_s[pass] + from_s[pass + 1]) / 2;
		struct series *own = t->passes[pass];
		if (!own)
			return;
		struct series *name = plot_series(fig, p, "", SERIES_POINTS, own->meaning);
		if (!name)
			return;
		name->unlisted = name->names_only = own->unlisted = true;
		series_mark(fig, name, on_clock(1, f->trace.duration_s, at_s),
			(height_at(c, at_s) + f->leak_bytes) / 1e9, own->name, ROLE_PLAIN);
	}
}

/* Goes on from the highest moment of the run, as the leak does, to the step that does not fit. */
static void foresee(struct figure *fig, struct plot *p, const struct memory_found *f, double top_s)
{
	double over = tooth_to_come(f), step_s = f->trace.duration_s;
	if (over <= 0)
		return;
	p->x.max = f->last_step * step_s;
	const double round_to = 20; /* GB: even ticks stay on the axis */
	p->y.max = round_to * ceil(over / round_to);
	struct series *s = plot_series(fig, p,
		figure_text(fig, "%s a step", figure_quantity(fig, f->leak_bytes, "B")),
		SERIES_DASHED, MEANS_FOCUS);
	double full_s = on_clock(f->last_step - 1, step_s, top_s);
	series_point(fig, s, on_clock(f->run - 1, step_s, top_s), f->peak_bytes / 1e9);
	series_point(fig, s, full_s, over);
	struct series *full = plot_series(fig, p, "", SERIES_POINTS, MEANS_FOCUS);
	series_mark(fig, full, full_s, over, figure_text(fig, "full in step %d", f->last_step),
		ROLE_BAD);
}

/* Marks the highest moment of the run: what the card must hold. */
static void mark_peak(struct figure *fig, struct plot *p, const struct memory_found *f)
{
	const struct memory_curve *c = f->caching ? &f->replay.reserved : &f->allocated;
	size_t top = 0;
	for (size_t i = 1; i < c->n; i++)
		top = c->bytes[i] > c->bytes[top] ? i : top;
	if (c->n == 0 || !f->fits || f->run < 1)
		return;
	struct series *s = plot_series(fig, p, "peak", SERIES_POINTS, MEANS_FOCUS);
	int step = f->leak_bytes > 0 ? f->run - 1 : 0; /* the others are as high */
	series_mark(fig, s, on_clock(step, f->trace.duration_s, c->at_s[top]), f->peak_bytes / 1e9,
		"peak", ROLE_ACCENT);
	foresee(fig, p, f, c->at_s[top]);
}

/* Draws the sawtooth. Returns its plot, or NULL. */
static struct plot *memory_draw_sawtooth(struct figure *fig, const struct memory_found *f)
{
	static const char *const names[N_PASSES] = { "forward", "backward", "optimizer" };
	static const enum meaning means[N_PASSES] = { MEANS_COMPUTE, MEANS_SECOND, MEANS_FIXED };
	struct plot *p = figure_plot(fig,
		f->steps == 1 ? "One training step"
			      : figure_text(fig, "%d training steps", f->steps),
		"Time", "s", AXIS_LINEAR, "Memory of one GPU", "GB", AXIS_LINEAR);
	figure_tab(fig, "Steps");
	if (!p)
		return NULL;
	p->x.is_time = true;
	p->x.min = p->y.min = 0;
	p->x.max = f->steps * f->trace.duration_s;
	/* The scale ends with the card, unless the step would be a thin line at its foot. */
	double card = f->capacity / 1e9, peak = fmax(f->peak_bytes / 1e9, tooth_to_come(f));
	p->y.max = peak > card ? 1.06 * peak : peak > card / 8 ? card : 1.06 * peak;
	struct teeth teeth = { .until_s = f->fits ? INFINITY : f->broke_s };
	double from_s[N_PASSES];
	find_passes(&f->trace, from_s);
	for (int i = 0; i < N_PASSES; i++)
		if (i == 0 || from_s[i] <= teeth.until_s) /* the others never come */
			teeth.passes[i] = plot_series(fig, p, names[i], SERIES_AREA, means[i]);
	if (!f->fits)
		teeth.after = plot_series(fig, p, "would have needed", SERIES_AREA, MEANS_WAITING);
	for (int step = 0; step < f->run; step++)
		draw_tooth(fig, f, &teeth, step);
	draw_reserved(fig, p, f);
	name_slopes(fig, p, f, &teeth);
	mark_peak(fig, p, f);
	if (p->y.max >= card)
		plot_rule(fig, p, true, card, figure_text(fig, "%s %.0f GB", f->gpu->name, card),
			peak > card || !f->fits ? ROLE_BAD : ROLE_WARN);
	if (!f->fits)
		plot_rule(fig, p, false, f->broke_s, "out of memory", ROLE_BAD);
	return p;
}

/* The peak of another setting, with the allocator that is set. */
static double other_peak(
	const struct memory_found *f, const struct memory_setup *setup, struct memory_peak *ideal)
{
	struct arena scratch = { 0 };
	struct memory_trace trace = { 0 };
	double bytes = NAN;
	memory_trace_build(setup, &trace, &scratch);
	if (!scratch.failed) {
		*ideal = memory_replay_ideal(&trace, f->outside, f->capacity, NULL);
		bytes = ideal->bytes;
	}
	arena_release(&scratch);
	if (f->caching && !isnan(bytes))
		bytes = fmax(bytes, memory_reserved_peak(setup, f->capacity) + f->outside);
	return bytes + leaked_bytes(f);
}

/* One bar: the parts of a setting's peak. */
static double add_bar(struct figure *fig, struct bars *b, const struct memory_found *f,
	const char *label, const struct memory_setup *setup)
{
	struct memory_peak ideal = f->ideal;
	double part[N_MEMORY_PARTS], drawn[N_BAR_PARTS], bytes = f->peak_bytes;
	if (setup != &f->setup)
		bytes = other_peak(f, setup, &ideal);
	if (isnan(bytes)) {
		fig->arena.failed = true;
		return INFINITY;
	}
	memory_parts(&ideal, f->outside, leaked_bytes(f), bytes, part);
	for (int k = 0; k < BAR_LEAKED; k++)
		drawn[k] = part[k] / 1e9;
	drawn[BAR_LEAKED] = part[PART_LEAKED] / 1e9;
	drawn[BAR_REST] = (part[MEMORY_OTHER] + part[PART_CACHED] + part[PART_CONTEXT]) / 1e9;
	struct bar *bar = bars_add(fig, b, label, drawn);
	if (bar) {
		bar->role = setup == &f->setup ? ROLE_ACCENT : ROLE_PLAIN;
		if (bytes > f->capacity)
			bar->role = ROLE_BAD;
	}
	return bytes;
}

static void consider(struct memory_found *f, const char *label, double bytes)
{
	if (!f->fits && !f->remedy && bytes <= f->capacity) {
		f->remedy = label;
		f->remedy_bytes = bytes;
	}
}

static double total_of(const struct bar *bar)
{
	double sum = 0;
	for (int k = 0; k < N_BAR_PARTS; k++)
		sum += bar->parts[k];
	return sum;
}

/* Says why one more stage of ZeRO saves nothing. */
static void note_gradients(struct figure *fig, const struct bar *zero1, const struct bar *zero2)
{
	double more = total_of(zero2) - total_of(zero1);
	double kept = zero2->parts[BAR_REST] - zero1->parts[BAR_REST];
	if (zero1->parts[MEMORY_GRADIENTS] > 0 || more < 0)
		return;
	figure_note(fig, ROLE_PLAIN,
		"No gradient is alive at the peak of ZeRO-1, so ZeRO-2, which shards them, does not "
		"lower it%s.",
		more < 0.005 || fabs(more - kept) > 0.005
			? ""
			: figure_text(fig, ": the allocator's blocks even add %.2g GB", more));
}

/* The peak of this setting alone, for a window without room for the others. */
static void memory_draw_peak(struct figure *fig, const struct memory_found *f)
{
	struct bars *b = figure_bars(fig,
		figure_text(fig, "What the peak is made of (line: %s)",
			figure_quantity(fig, f->capacity, "B")),
		"GB", bar_part_names, N_BAR_PARTS);
	bars_mean(fig, b, bar_part_means, N_BAR_PARTS);
	figure_tab(fig, "Parts");
	if (!b)
		return;
	b->close = true;
	b->limit = f->capacity / 1e9;
	add_bar(fig, b, f, "peak", &f->setup);
}

/* Also finds the remedy. */
static void memory_draw_parts(struct figure *fig, struct memory_found *f)
{
	static const struct {
		const char *label;
		enum memory_checkpointing how;
	} recomputation[] = { { "keep everything", CHECKPOINT_NONE },
		{ "selective", CHECKPOINT_SELECTIVE }, { "full recompute", CHECKPOINT_FULL } };
	static const char *const stages[] = { "no ZeRO", "ZeRO-1", "ZeRO-2", "ZeRO-3" };
	struct bars *b =
		figure_bars(fig, "What would change the peak", "GB", bar_part_names, N_BAR_PARTS);
	if (!b)
		return;
	bars_mean(fig, b, bar_part_means, N_BAR_PARTS);
	figure_tab(fig, "Peak");
	b->limit = f->capacity / 1e9;
	b->limit_label = f->gpu->name;
	size_t at[4] = { 0 }; /* index of each stage's bar; 0 is the bar of this setting */
	add_bar(fig, b, f, "this setting", &f->setup);
	for (size_t i = 0; i < LENGTH(recomputation); i++) {
		struct memory_setup other = f->setup;
		other.checkpointing = recomputation[i].how;
		if (other.checkpointing != f->setup.checkpointing)
			consider(f, recomputation[i].label,
				add_bar(fig, b, f, recomputation[i].label, &other));
	}
	for (int stage = 0; stage <= 3 && memory_shards(&f->setup) > 1; stage++) {
		struct memory_setup other = f->setup;
		other.zero = stage;
		if (stage == f->setup.zero)
			continue;
		at[stage] = b->n_bars;
		consider(f, stages[stage], add_bar(fig, b, f, stages[stage], &other));
	}
	struct memory_setup both = f->setup;
	both.checkpointing = CHECKPOINT_FULL;
	both.zero = 3;
	if (!f->fits && !f->remedy && memory_shards(&both) > 1)
		consider(f, "full + ZeRO-3", add_bar(fig, b, f, "full + ZeRO-3", &both));
	if (memory_shards(&f->setup) > 1 && !fig->arena.failed)
		note_gradients(fig, &b->bars[at[1]], &b->bars[at[2]]);
}

static void memory_draw_blocks(struct figure *fig, const struct memory_found *f)
{
	static const char *const kinds[N_MEMORY_CELL_KINDS] = { "not reserved", "in use",
		"free, rest of a split", "free, whole segment" };
	const struct memory_replay *r = &f->replay;
	if (!f->caching || !r->n_frames)
		return;
	double times[8 * MEMORY_FRAMES];
	size_t n = 0;
	for (int step = 0; step < f->run; step++)
		for (size_t i = 0; i < r->n_frames && n < LENGTH(times); i++)
			times[n++] = step * f->trace.duration_s + r->frame_s[i];
	struct grid *g = figure_grid(fig,
		figure_text(fig, "The allocator's blocks, a cell is %.0f MB", r->cell_bytes / 1e6),
		kinds, N_MEMORY_CELL_KINDS, NULL, MEMORY_ROWS, MEMORY_COLS, times, n);
	grid_mean(fig, g,
		(const enum meaning[]){ MEANS_EMPTY, MEANS_COMPUTE, MEANS_WAITING, MEANS_FREE },
		N_MEMORY_CELL_KINDS);
	figure_tab(fig, "Allocator");
	for (size_t i = 0; i < n; i++)
		for (size_t c = 0; c < MEMORY_CELLS; c++)
			grid_set(g, i, c / MEMORY_COLS, c % MEMORY_COLS,
				r->cells[i % r->n_frames][c]);
}

/* The moment of a step that begins at at_s at which most is alive. */
static void tell_top(
	struct figure *fig, const struct memory_found *f, double at_s, const char *which)
{
	figure_moment(fig, at_s + f->ideal.at_s, "%s%s, most is alive", which,
		memory_event_text(fig, &f->trace, f->ideal.event));
}

static void memory_draw_moments(struct figure *fig, const struct memory_found *f)
{
	enum { MOST = 600 };
	static const char *const begins[N_PASSES] = { "forward begins", "backward begins",
		"optimizer step" };
	const struct memory_trace *t = &f->trace;
	size_t every = t->n_phases * (size_t)f->run / MOST + 1, last = t->n_phases - 1;
	double from_s[N_PASSES];
	find_passes(t, from_s);
	for (int step = 0; step < f->run; step++) {
		double at_s = step * t->duration_s;
		const char *which = f->steps > 1 ? figure_text(fig, "step %d: ", step + 1) : "";
		bool told = !f->fits && at_s + f->ideal.at_s > f->broke_s;
		for (int pass = 0; pass < N_PASSES; pass++)
			figure_landmark(fig, at_s + from_s[pass], "%s", begins[pass]);
		for (size_t i = 0; i <= last; i = i < last && i + every > last ? last : i + every) {
			const struct memory_phase *p = &t->phases[i];
			if (!told && p->first_event > f->ideal.event) {
				tell_top(fig, f, at_s, which);
				told = true;
			}
			figure_moment(fig, at_s + p->at_s, "%s%s", which, phase_text(fig, p));
		}
		if (!told)
			tell_top(fig, f, at_s, which);
	}
}

/* --- why, warnings, rules, assumptions ------------------------------------------------------- */

/* Says where it broke: "first step, forward, layer 12". */
static const char *memory_break_text(struct figure *fig, const struct memory_found *f)
{
	const char *where = memory_event_text(fig, &f->trace, f->broke_at);
	if (!f->caching && f->broke_at < f->trace.n_loading)
		return "the state alone, before the step";
	bool first = f->caching && f->replay.first_step && f->broke_at >= f->trace.n_loading;
	return figure_text(fig, "%s%s", first ? "first step, " : "", where);
}

/* B that one layer saves per token and unit of the hidden size: 34 by the GPT rule. */
static double memory_layer_constant(const struct memory_setup *s)
{
	return memory_saved_bytes(s) * s->tp / (s->batch * s->seq * s->model->hidden);
}

static void explain_break(struct figure *fig, const struct memory_found *f)
{
	const struct memory_replay *r = &f->replay;
	size_t most = largest_of(f->ideal.part, N_MEMORY_KINDS);
	const char *where = memory_break_text(fig, f);
	const char *cause = figure_text(fig, "Out of memory at %s (%s). Most is %s, %s of %s",
		figure_quantity(fig, f->capacity, "B"), where, memory_part_names[most],
		figure_quantity(fig, f->ideal.part[most], "B"),
		figure_quantity(fig, f->peak_bytes, "B"));
	if (f->caching && f->ideal.bytes <= f->capacity)
		figure_why(fig,
			"Fragmentation: %s would do, yet %s fail (%s): %s are free, but in pieces "
			"of at most %s.",
			figure_quantity(fig, f->ideal.bytes, "B"),
			figure_quantity(fig, (double)r->wanted, "B"), where,
			figure_quantity(fig, (double)r->cached, "B"),
			figure_quantity(fig, (double)r->largest_free, "B"));
	else if (f->remedy)
		figure_why(fig, "%s; \"%s\" alone brings it to %s.", cause, f->remedy,
			figure_quantity(fig, f->remedy_bytes, "B"));
	else
		figure_why(fig, "%s. No bar fits: more GPUs or less batch.", cause);
}

static void explain_leak(struct figure *fig, const struct memory_found *f)
{
	const char *left = figure_quantity(fig, f->leak_bytes, "B"),
		   *card = figure_quantity(fig, f->capacity, "B");
	if (f->leak_broke)
		figure_why(fig,
			"Step %d is out of memory: each leaves %s behind that a script keeps.",
			f->last_step, left);
	else
		figure_why(fig,
			"Each step leaves %s behind that a script keeps, so each tooth stands "
			"higher: step %d will not fit in %s.",
			left, f->last_step, card);
}

static const char *const at_loss = "where the loss is computed";

/* When a step is at its highest, as the end of a sentence. */
static const char *peak_text(struct figure *fig, const struct memory_found *f)
{
	const char *event = memory_event_text(fig, &f->trace, f->ideal.event);
	return strncmp(event, "loss", 4) == 0
		       ? at_loss
		       : figure_text(fig, "in %s%s",
				 strncmp(event, "optimizer", 9) == 0 ? "the " : "", event);
}

/* "60.2" of "60.2 GB" before "80 GB": a unit that both have is written once. */
static const char *unit_once(struct figure *fig, const char *peak, const char *card)
{
	const char *unit = strrchr(peak, ' '), *of = strrchr(card, ' ');
	return unit && of && strcmp(unit, of) == 0
		       ? figure_text(fig, "%.*s", (int)(unit - peak), peak)
		       : peak;
}

static void memory_write_explain(struct figure *fig, const struct memory_found *f)
{
	double part[N_MEMORY_PARTS];
	memory_parts(&f->ideal, f->outside, leaked_bytes(f), f->peak_bytes, part);
	size_t most = largest_of(part, N_MEMORY_PARTS);
	const char *much = figure_quantity(fig, part[most], "B"),
		   *card = figure_quantity(fig, f->capacity, "B"),
		   *peak = unit_once(fig, figure_quantity(fig, f->peak_bytes, "B"), card),
		   *where = peak_text(fig, f);
	/* Where the two meet the picture shows, and the sentence says it already. */
	const bool between = strcmp(where, at_loss) == 0;
	if (f->setup.tp > f->setup.gpus)
		figure_why(fig,
			"There %s %g GPU%s, and a tensor group takes %g. The figure shows one GPU of "
			"such a group: %s of %s.",
			f->setup.gpus > 1 ? "are" : "is", f->setup.gpus,
			f->setup.gpus > 1 ? "s" : "", f->setup.tp, peak, card);
	else if (f->leak_bytes > 0)
		explain_leak(fig, f);
	else if (!f->fits)
		explain_break(fig, f);
	else if (most == MEMORY_ACTIVATIONS)
		figure_why(fig,
			"Forward piles up %s, backward frees it: each step %s %s of %s%s%s.", much,
			f->caching ? "reserves" : "peaks at", peak, card, between ? "" : ", ",
			between ? "" : where);
	else
		figure_why(fig,
			"Most of the peak is %s, %s; %severy step adds its tooth and reaches %s of "
			"%s, %s.",
			memory_part_names[most], much, f->caching ? "with PyTorch's cache " : "",
			peak, card, where);
}

static bool divides(double t, double n)
{
	return fmod(n, t) == 0;
}

static void warn_sharding(struct figure *fig, const struct memory_setup *s)
{
	const struct model *m = s->model;
	if (!divides(s->tp, m->heads) || !divides(s->tp, m->ffn))
		figure_note(fig, ROLE_WARN,
			"%g heads do not divide over %g GPUs: no framework cuts the layer so, the "
			"figure divides all the same.",
			m->heads, s->tp);
	else if (!divides(s->tp, m->kv_heads) && s->actual)
		figure_note(fig, ROLE_WARN,
			"%g key-value heads do not divide over %g GPUs: real systems copy them, "
			"the figure divides.",
			m->kv_heads, s->tp);
	if (!divides(s->tp, s->gpus))
		figure_note(fig, ROLE_WARN,
			"%g GPUs are no whole number of groups of %g: state is sharded over %g.",
			s->gpus, s->tp, memory_shards(s));
	if (s->zero > 0 && memory_shards(s) <= 1)
		figure_note(fig, ROLE_WARN,
			"ZeRO-%d has nothing to shard over: one group of GPUs only.", s->zero);
}

/* What a knob asks for, and the model or the GPU has not. */
static void warn_parts(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	if (f->asked_ep > 1 && f->asked_ep != s->ep)
		figure_note(fig, ROLE_WARN,
			model_experts(s->model) > 0
				? "Experts and GPUs divide into %g groups, not into %g."
				: "There are no routed experts: they are in %g group, not in %g.",
			s->ep, f->asked_ep);
	if (s->precision == MEMORY_BF16 && f->asked_recipe != s->recipe)
		figure_note(fig, ROLE_WARN, "%s has no unit for %s: its products run in BF16.",
			f->gpu->name, step_recipe_name(f->asked_recipe));
	if (f->asked_gpt && s->model->made_of)
		figure_note(fig, ROLE_WARN,
			"The 34-byte rule knows no layer like those of %s: its own are walked.",
			s->model->name);
}

/* Where the input is outside of what the model knows. */
static void memory_write_warnings(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	const struct model *m = s->model;
	double odd = f->trace.odd_params_ratio;
	if (fabs(odd - 1) > 0.02)
		figure_note(fig, ROLE_WARN,
			"%s has %.3g times the parameters of its shapes: they are spread evenly over "
			"the layers.",
			m->name, odd);
	warn_sharding(fig, s);
	warn_parts(fig, f);
	if (s->seq > m->context)
		figure_note(fig, ROLE_WARN, "%s was trained for %s; %s are more.", m->name,
			figure_quantity(fig, m->context, "token"),
			figure_quantity(fig, s->seq, ""));
	if (s->checkpointing == CHECKPOINT_EVERY_K && s->k >= m->layers)
		figure_note(fig, ROLE_WARN,
			"A segment of %d holds all %g layers: all is computed twice, nothing "
			"saved.",
			s->k, m->layers);
	if (s->precision != MEMORY_FP32 && !(f->gpu->peak_flops[DTYPE_BF16] > 0))
		figure_note(fig, ROLE_WARN,
			"%s has no BF16 units: FP16 with loss scaling takes the same memory.",
			f->gpu->name);
}

/* What the rules of thumb say, beside what the walk finds. */
static void memory_write_rules(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	const struct model *m = s->model;
	struct memory_setup own = *s;
	own.actual = own.flash = true;
	double here = memory_layer_constant(s);
	double rule = CALL(flash_activation_bytes, .layers = m->layers, .seq = s->seq,
		.batch = s->batch, .hidden = m->hidden);
	double logits = CALL(logits_bytes, .batch = s->batch, .seq = s->seq, .vocab = m->vocab,
		.bytes_per_value = 4);
	figure_note(fig, ROLE_PLAIN,
		"The 34-byte rule says %.3g GB of activations: LayerNorm, dropout, GELU and 4 h, "
		"the GPT layer in 16 bits. %s's own layer saves %.3g B%s. Each FP32 copy of the "
		"logits is %.3g GB.%s",
		rule / s->tp / 1e9, m->name, memory_layer_constant(&own),
		s->actual ? "" : " (layer=actual)", logits / s->tp / 1e9,
		fabs(here - 34) < 0.05 ? ""
				       : figure_text(fig,
						 " This setting's layer (%s, %s attention) makes "
						 "%.3g B.",
						 s->precision == MEMORY_FP32 ? "FP32" : "16 bits",
						 s->flash ? "flash" : "unfused", here));
	if (s->checkpointing == CHECKPOINT_SELECTIVE && s->flash && !s->actual)
		figure_note(fig, ROLE_PLAIN,
			"Selective recomputation drops the attention scores, which a flash kernel "
			"never writes: here it changes nothing.");
	if (f->caching && f->replay.flushes > 0)
		figure_note(fig, ROLE_PLAIN,
			"The card filled up and cached segments went back to the driver (%zu "
			"times), which stalls the GPU. Watch reserved against allocated; "
			"expandable_segments:True is the cure, empty_cache() is not.",
			f->replay.flushes);
}

static void assume_parts(struct figure *fig, const struct memory_setup *s)
{
	if (model_experts(s->model) > 0)
		figure_assume(fig,
			"experts in %g group%s of GPUs, each of which gets as many rows as any other; "
			"over %g that hold the same ZeRO shards them; rows that have travelled are kept",
			s->ep, s->ep == 1 ? "" : "s", memory_expert_shards(s));
	if (model_further_heads(s->model) > 0)
		figure_assume(fig,
			"one head for a further token is trained, a layer and a product more; its "
			"logits take the room of the others");
}

static void memory_write_assume(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	struct state_bytes b = memory_setup_state(s);
	figure_assume(fig, "GB = 1e9 B; %s, counted from the shapes, with %g B of state each",
		figure_quantity(fig, s->model->params, "parameter"),
		b.weight + b.gradient + b.optimizer);
	figure_assume(fig,
		"peak, plot and bars hold %.3g GB for the CUDA context%s; allocated and reserved, "
		"as PyTorch counts them, do not",
		f->outside / 1e9, s->gpus > 1 ? " and NCCL" : "");
	figure_assume(fig,
		"gradients come as backward walks and go after the optimizer; the script holds its "
		"logits until their backward");
	figure_assume(fig,
		"ZeRO-3 gathers one layer ahead; tensor parallelism cuts sequences too; BF16 "
		"weights have a fused optimizer, the others PyTorch's foreach with its "
		"temporaries");
	figure_assume(fig,
		"bars: the allocator that is set; time: of the model that `ridge validate training` "
		"holds against published steps");
	if (s->offload)
		figure_assume(fig,
			"offload: gradients down and weights up over PCIe at %.0f GB/s, Adam at "
			"%.0f GB/s of host memory per GPU, one after the other: %.2g s of the step",
			PCIE_BYTES_PER_S / 1e9, memory_host_bandwidth / 1e9, memory_offload_s(s));
	if (s->model->made_of)
		assume_parts(fig, s);
	if (s->precision == MEMORY_BF16 && s->recipe->dtype != DTYPE_BF16)
		figure_assume(fig,
			"%s: %s; a product's input is kept in %.3g B a value, a layer's weight "
			"lies in %.3g B, all copies; embedding and vocabulary in BF16",
			step_recipe_name(s->recipe), s->recipe->keeps, s->recipe->input_bytes,
			b.weight);
	figure_leave_out(fig, "pipeline and context parallelism");
	figure_leave_out(fig, "torch.compile, kernel workspaces, other streams, expandable "
			      "segments");
}

/* --- published peaks ------------------------------------------------------------------------- */

enum { MOST_RUNS = 9, RUN_BATCH = 0, RUN_SEQ, RUN_PEAK_GIB, N_RUN_COLUMNS };
/* Each predicted row is a step that is walked and replayed: no more than this many are worth their
 * time at a knob. */
enum { MOST_PREDICTED = 6 };

/* Whether this setting has what all published runs have in common. */
static bool comparable(const struct memory_setup *s)
{
	return s->actual && s->flash && s->zero == 3 && s->precision == MEMORY_AUTOCAST &&
	       s->optimizer == MEMORY_ADAMW && !s->fused && !s->offload;
}

/* Runs of this very shape; a blank length is the model's of 8,192. */
static size_t find_peaks(struct measured_memo *memo, const struct tables *t,
	const struct memory_setup *s, const char *suffix, double peaks_GiB[MOST_RUNS])
{
	static const char *const want[N_RUN_COLUMNS] = { "local_batch", "seq_len",
		"peak_memory_GiB" };
	char plan[48];
	double rows[MOST_RUNS][N_RUN_COLUMNS];
	const struct measured_condition c[] = { { "model", s->model->id, 0, 0 },
		{ "parallelism", plan, 0, 0 }, { "n_gpus", NULL, s->gpus, s->gpus },
		{ "activation_ckpt",
			s->checkpointing == CHECKPOINT_FULL        ? "full AC"
			: s->checkpointing == CHECKPOINT_SELECTIVE ? "sel AC"
								   : "none",
			0, 0 } };
	size_t found = 0;

	snprintf(plan, sizeof plan, "FSDP%g%s", s->gpus / s->tp, suffix);
	size_t n =
		measured_points(memo, t, "memory", c, 4, want, N_RUN_COLUMNS, rows[0], MOST_RUNS);
	for (size_t i = 0; i < n; i++) {
		double seq = isnan(rows[i][RUN_SEQ]) ? 8192 : rows[i][RUN_SEQ];
		if (rows[i][RUN_BATCH] == s->batch && seq == s->seq)
			peaks_GiB[found++] = rows[i][RUN_PEAK_GIB];
	}
	return found;
}

static void add_peak(struct figure *fig, const struct tables *t, struct plot *p,
	const struct memory_found *f, const double peaks_GiB[], size_t n)
{
	double low = peaks_GiB[0], high = peaks_GiB[0];

	for (size_t i = 1; i < n; i++) {
		low = fmin(low, peaks_GiB[i]);
		high = fmax(high, peaks_GiB[i]);
	}
	plot_rule(fig, p, true, low * GIB_BYTES / 1e9, "measured", ROLE_GOOD);
	if (high > low)
		plot_rule(fig, p, true, high * GIB_BYTES / 1e9, "measured", ROLE_GOOD);
	overlay_nearest(fig, t, "memory",
		"%zu run%s of this shape on H100 with 96 GB, reserved %.3g to %.3g GB; the walk "
		"says %.3g GB with %.3g GB outside PyTorch",
		n, n > 1 ? "s" : "", low * GIB_BYTES / 1e9, high * GIB_BYTES / 1e9,
		f->peak_bytes / 1e9, f->outside / 1e9);
}

/* Published peaks of this shape across the plot p, and how far off the model is on all of them; or
 * that the setting lies outside of them. */
static void memory_overlay(
	struct figure *fig, const struct tables *t, const struct memory_found *f, struct plot *p)
{
	char tp[24] = "";
	const struct memory_setup *s = &f->setup;
	double peaks_GiB[MOST_RUNS];

	if (!comparable(s)) {
		overlay_outside(fig, "peaks were published of ZeRO-3 (FSDP) with FP32 weights, "
				     "autocast, AdamW and the model's own layer");
		return;
	}
	if (s->tp > 1)
		snprintf(tp, sizeof tp, " TP%g", s->tp);
	size_t n = find_peaks(fig->memo, t, s, tp, peaks_GiB);
	if (n == 0 && s->tp == 1)
		n = find_peaks(fig->memo, t, s, " CP1", peaks_GiB);
	if (overlay_error(fig, t, "memory", "!", MOST_PREDICTED,
		    "reserved peaks of Llama-3 8B and 70B") &&
		n > 0)
		add_peak(fig, t, p, f, peaks_GiB, n);
	else
		figure_assume(fig, "no published peak has this very shape");
}

/* --- values, and all together ---------------------------------------------------------------- */

/* The three that add up to the peak. */
static void sum_values(struct figure *fig, const struct memory_found *f)
{
	double allocated = f->ideal.bytes + leaked_bytes(f);
	value_note(figure_value(fig, "allocated_GB", "allocated", (allocated - f->outside) / 1e9,
			   "GB", ROLE_DIM),
		"by tensors");
	if (f->caching)
		value_note(figure_value(fig, "cached_GB", "+ cached",
				   (f->peak_bytes - allocated) / 1e9, "GB", ROLE_DIM),
			"kept by PyTorch");
	value_note(figure_value(fig, "context_GB", "+ context", f->outside / 1e9, "GB", ROLE_DIM),
		f->setup.gpus > 1 ? "and NCCL: = peak" : "= peak");
}

/* The three that add up to the peak: activations, state, and the rest, as they are alive at it. */
static void peak_values(struct figure *fig, const struct memory_found *f)
{
	const double differs = 0.005;
	double part[N_MEMORY_PARTS];
	memory_parts(&f->ideal, f->outside, leaked_bytes(f), f->peak_bytes, part);
	double there = part[MEMORY_ACTIVATIONS], most = f->ideal.activations;
	double state = part[MEMORY_WEIGHTS] + part[MEMORY_GRADIENTS] + part[MEMORY_OPTIMIZER];
	value_note(figure_value(fig, "activations_GB", "activations", most / 1e9, "GB", ROLE_PLAIN),
		fabs(there - most) > differs * most ? figure_text(fig, "%.3g GB at it", there / 1e9)
						    : NULL);
	value_note(figure_value(fig, "peak_state_GB", "weights, optimizer", state / 1e9, "GB",
			   ROLE_PLAIN),
		part[MEMORY_GRADIENTS] > 0 ? "and gradients" : NULL);
	figure_value(fig, "peak_rest_GB",
		f->leak_bytes > 0 ? "cache, leak etc." : "logits, cache etc.",
		(f->peak_bytes - there - state) / 1e9, "GB", ROLE_PLAIN);
}

static void values(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	const struct memory_replay *r = &f->replay;
	double left = f->capacity - f->peak_bytes;
	/* What leaks fits for some steps. */
	enum role role = !f->fits ? ROLE_BAD : f->leak_bytes > 0 ? ROLE_WARN : ROLE_GOOD;
	value_note(figure_value(fig, "peak_GB", "peak", f->peak_bytes / 1e9, "GB", role),
		figure_text(fig, f->caching && f->fits ? "of %.0f, with cache" : "of %.0f",
			f->capacity / 1e9));
	const char *text = figure_quantity(fig, fabs(left), "B");
	value_note(figure_value(fig, "fits", "fits", f->fits, "yes/no", role),
		f->fits || left < 0 ? figure_text(fig, "%s %s", text, left < 0 ? "over" : "left")
				    : "in pieces too small");
	peak_values(fig, f);
	if (f->leak_bytes > 0)
		value_note(figure_value(fig, "leak_GB", "leaked a step", f->leak_bytes / 1e9, "GB",
				   ROLE_WARN),
			figure_text(fig, "%d steps fit", f->last_step - 1));
	value_note(figure_value(fig, "static_GB", "weights and state", memory_static_bytes(s) / 1e9,
			   "GB", ROLE_DIM),
		"of a whole step");
	figure_value(fig, "logits_GB", "logits", f->ideal.logits / 1e9, "GB", ROLE_DIM);
	sum_values(fig, f);
	if (f->caching) {
		double waste = r->reserved_at_peak > 0
				       ? 1 - r->allocated_at_peak / r->reserved_at_peak
				       : 0;
		value_note(figure_value(fig, "reserved_GB", "reserved",
				   (f->peak_bytes - f->outside) / 1e9, "GB", ROLE_DIM),
			"allocated + cached");
		figure_value(fig, "fragmentation_pct", "fragmentation", 100 * waste, "%", ROLE_DIM);
	}
	figure_value(
		fig, "recompute_pct", "recompute", 100 * f->trace.recompute_share, "%", ROLE_DIM);
	figure_value(
		fig, "layer_constant", "layer", memory_layer_constant(s), "B/(s b h)", ROLE_DIM);
	figure_value(fig, "step_s", "step", f->trace.duration_s, "s", ROLE_DIM);
	if (model_experts(s->model) > 0)
		figure_value(fig, "ep", "expert groups", s->ep, "", ROLE_DIM);
}

static void subtitle(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	bool narrow = s->precision == MEMORY_BF16 && s->recipe->dtype != DTYPE_BF16;
	figure_subtitle(fig, "%s · %s · %s · ZeRO-%d on %g", s->model->name, f->gpu->name,
		narrow ? step_recipe_name(s->recipe) : precision_names[s->precision], s->zero,
		s->gpus);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	/* This is too large for the stack, whose size we do not know. */
	struct memory_found *f = calloc(1, sizeof *f);
	if (!f) {
		fig->arena.failed = true;
		return;
	}
	find(f, t, v);
	if (f->scratch.failed) {
		fig->arena.failed = true;
	} else {
		fig->duration_s = f->steps * f->trace.duration_s;
		subtitle(fig, f);
		values(fig, f);
		memory_overlay(fig, t, f, memory_draw_sawtooth(fig, f));
		memory_write_warnings(fig, f);
		note_windows(fig, f->setup.model, f->setup.seq);
		memory_draw_peak(fig, f);
		/* Each other way to save memory is replayed, which takes as long as all else. */
		fig->unfinished = fig->hurried;
		if (!fig->hurried)
			memory_draw_parts(fig, f);
		memory_draw_blocks(fig, f);
		memory_draw_moments(fig, f);
		memory_write_explain(fig, f);
		memory_write_rules(fig, f);
		memory_write_assume(fig, f);
	}
	arena_release(&f->scratch);
	free(f);
}

const struct sim memory_sim = {
	.id = "memory",
	.title = "Training memory",
	.summary = "One tooth of memory a step: what it is made of, and where the card ends",
	.page = "pytorch",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(LEAK, MODEL, BATCH, SEQ, CHECKPOINTING, ZERO, GPU),
	.try = "Turn leak on. In which step will the card be full?",
	.run = run,
	.slow = true,
};
