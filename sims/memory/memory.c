/* Memory of a training step (W2, C3, C6, C15): the sawtooth, what it is made of, where it
 * breaks. */
#include "sims/memory/memory_draw.h"
#include "sims/figure/sim.h"
#include "sims/knobs.h"

#include <math.h>
#include <stdlib.h>

enum {
	MODEL,
	BATCH,
	SEQ,
	PRECISION,
	OPTIMIZER,
	CHECKPOINTING,
	K,
	ZERO,
	GPUS,
	TP,
	ATTENTION,
	GPU,
	ALLOCATOR,
	LAYER,
	FUSED,
	OFFLOAD,
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
	[MODEL] = KNOB_ANY_MODEL("model", "model", "llama2-7b",
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
			"activations only, and autocast adds 16-bit copies of its FP32 weights"),
	[OPTIMIZER] = KNOB_CHOICE_OF("optimizer", "optimizer", optimizer_ids, optimizer_names,
		"adamw",
		"AdamW keeps two FP32 moments (8 B per parameter), 8-bit Adam two of 1 B, SGD one "
		"of 4 B"),
	[CHECKPOINTING] = KNOB_CHOICE_OF("checkpointing", "checkpointing", checkpointing_ids,
		checkpointing_names, "none",
		"forgets activations and runs forward again in backward: 2 s b h per kept input "
		"instead of 34, for up to a third more compute"),
	[K] = KNOB_WHOLE("k", "segment", "layer", 1, 128, 4,
		"fewer inputs kept, but k whole layers alive while a segment runs again; one "
		"layer is nearly the best, not sqrt(L)",
		.when = { WHEN(CHECKPOINTING, CHECKPOINT_EVERY_K) }),
	[ZERO] = KNOB_WHOLE("zero", "ZeRO stage", "", 0, 3, 3,
		"1 shards the optimizer's state, 2 gradients too, 3 (FSDP) weights too, which are "
		"gathered layer by layer; no stage shards activations",
		.zero = "none"),
	[GPUS] = KNOB_DOUBLING("gpus", "GPUs", "", 1, 16384, 8,
		"ZeRO divides state by GPUs / tensor parallel; the batch per GPU stays, and so do "
		"its activations"),
	[TP] = KNOB_DOUBLING("tp", "tensor par.", "", 1, 64, 1,
		"cuts every layer, and with sequence parallelism its activations too: the only "
		"knob that divides both by t"),
	[ATTENTION] = KNOB_CHOICE_OF("attention", "attention", attention_ids, NULL, "flash",
		"unfused attention keeps 5 a s^2 b bytes of scores, softmax and mask per layer; a "
		"flash kernel keeps one number per row"),
	[GPU] = KNOB_ANY_GPU("a100",
		"its memory is the line across the plot; its speed only stretches the time axis"),
	[ALLOCATOR] = KNOB_CHOICE_OF("allocator", "allocator", allocator_ids, NULL, "caching",
		"PyTorch caches what is freed and cuts it up: reserved stays above allocated, and "
		"a request can fail although enough is free in pieces"),
	[LAYER] = KNOB_CHOICE_OF("layer", "layer", layer_ids, layer_names, "gpt",
		"gpt: the layer behind the 34-byte rule; actual: the model's own, where SwiGLU "
		"saves more, grouped keys less"),
	[FUSED] = KNOB_SWITCH("fused", "fused loss", 0,
		"logits in chunks that are never whole, SwiGLU in one kernel: with 128K words of "
		"vocabulary the logits are the peak"),
	[OFFLOAD] = KNOB_SWITCH("offload", "offload", 0,
		"gradients and optimizer state live in the CPU's memory: 14 of 16 B per parameter "
		"leave the card, over PCIe"),
};

static double peak_flops(const struct accelerator *g, enum memory_precision p)
{
	static const enum dtype wide[] = { DTYPE_TF32, DTYPE_FP32, DTYPE_BF16, DTYPE_FP16 };
	static const enum dtype narrow[] = { DTYPE_BF16, DTYPE_FP16, DTYPE_TF32, DTYPE_FP32 };
	const enum dtype *order = p == MEMORY_FP32 ? wide : narrow;
	for (int i = 0; i < 4; i++)
		if (g->peak_flops[order[i]] > 0)
			return g->peak_flops[order[i]];
	return 1e12; /* no such figure: an hour is as good as a second to look at */
}

static struct memory_setup setup_of(const struct tables *t, const double v[])
{
	const struct accelerator *g = &t->gpus[(size_t)v[GPU]];
	enum memory_precision precision = (enum memory_precision)v[PRECISION];
	return (struct memory_setup){ .model = &t->models[(size_t)v[MODEL]],
		.batch = v[BATCH],
		.seq = v[SEQ],
		.precision = precision,
		.optimizer = (enum memory_optimizer)v[OPTIMIZER],
		.checkpointing = (enum memory_checkpointing)v[CHECKPOINTING],
		.k = (int)v[K],
		.zero = (int)v[ZERO],
		.gpus = v[GPUS],
		.tp = v[TP],
		.flash = (int)v[ATTENTION] == FLASH,
		.actual = (int)v[LAYER] == ACTUAL,
		.fused = v[FUSED] > 0,
		.offload = v[OFFLOAD] > 0,
		.flops_per_s = memory_assumed_mfu * peak_flops(g, precision),
		.bandwidth = g->bandwidth > 0 ? g->bandwidth : 1e12 };
}

/* A card that is too small says where it breaks; one without end, how much would have done. */
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

static void find(struct memory_found *f, const struct tables *t, const double v[])
{
	f->setup = setup_of(t, v);
	f->gpu = &t->gpus[(size_t)v[GPU]];
	f->capacity = f->gpu->memory_bytes;
	f->outside = memory_context_bytes(&f->setup);
	f->caching = (int)v[ALLOCATOR] == CACHING;
	memory_trace_build(&f->setup, &f->trace, &f->scratch);
	if (f->scratch.failed)
		return;
	f->ideal = memory_replay_ideal(&f->trace, f->outside, f->capacity, &f->allocated);
	f->peak_bytes = f->ideal.bytes;
	f->fits = f->ideal.bytes <= f->capacity;
	f->broke_at = f->ideal.over;
	if (f->broke_at < f->trace.n_events)
		f->broke_s = f->trace.events[f->broke_at].at_s;
	if (f->caching)
		replay(f);
}

/* The three that add up to the peak. */
static void sum_values(struct figure *fig, const struct memory_found *f)
{
	value_note(figure_value(fig, "allocated_GB", "allocated",
			   (f->ideal.bytes - f->outside) / 1e9, "GB", ROLE_PLAIN),
		"by tensors");
	if (f->caching)
		value_note(figure_value(fig, "cached_GB", "+ cached",
				   (f->peak_bytes - f->ideal.bytes) / 1e9, "GB", ROLE_PLAIN),
			"kept by PyTorch");
	value_note(figure_value(fig, "context_GB", "+ context", f->outside / 1e9, "GB", ROLE_PLAIN),
		f->setup.gpus > 1 ? "and NCCL: = peak" : "= peak");
}

static void values(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	const struct memory_replay *r = &f->replay;
	double left = f->capacity - f->peak_bytes;
	enum role role = f->fits ? ROLE_GOOD : ROLE_BAD;
	value_note(figure_value(fig, "peak_GB", "peak", f->peak_bytes / 1e9, "GB", role),
		figure_text(fig, "of %.0f", f->capacity / 1e9));
	const char *text = figure_quantity(fig, fabs(left), "B");
	value_note(figure_value(fig, "fits", "fits", f->fits, "yes/no", role),
		f->fits || left < 0 ? figure_text(fig, "%s %s", text, left < 0 ? "over" : "left")
				    : "in pieces too small");
	sum_values(fig, f);
	value_note(figure_value(fig, "static_GB", "state", memory_static_bytes(s) / 1e9, "GB",
			   ROLE_PLAIN),
		"all there at once");
	figure_value(
		fig, "activations_GB", "activations", f->ideal.activations / 1e9, "GB", ROLE_PLAIN);
	figure_value(
		fig, "recompute_pct", "recompute", 100 * f->trace.recompute_share, "%", ROLE_PLAIN);
	if (f->caching) {
		double waste = r->reserved_at_peak > 0
				       ? 1 - r->allocated_at_peak / r->reserved_at_peak
				       : 0;
		value_note(figure_value(fig, "reserved_GB", "reserved",
				   (f->peak_bytes - f->outside) / 1e9, "GB", ROLE_PLAIN),
			"allocated + cached");
		figure_value(
			fig, "fragmentation_pct", "fragmentation", 100 * waste, "%", ROLE_PLAIN);
	}
	figure_value(fig, "logits_GB", "logits", f->ideal.logits / 1e9, "GB", ROLE_PLAIN);
	figure_value(
		fig, "layer_constant", "layer", memory_layer_constant(s), "B/(s b h)", ROLE_PLAIN);
	figure_value(fig, "step_s", "step", f->trace.duration_s, "s", ROLE_DIM);
}

static void subtitle(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	figure_subtitle(fig, "%s · %s · %s · ZeRO-%d on %g", s->model->name, f->gpu->name,
		precision_names[s->precision], s->zero, s->gpus);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	/* Too large for a stack that may be anybody's. */
	struct memory_found *f = calloc(1, sizeof *f);
	if (!f) {
		fig->arena.failed = true;
		return;
	}
	find(f, t, v);
	if (f->scratch.failed) {
		fig->arena.failed = true;
	} else {
		fig->duration_s = f->trace.duration_s;
		subtitle(fig, f);
		values(fig, f);
		memory_overlay(fig, t, f, memory_draw_sawtooth(fig, f));
		memory_write_warnings(fig, f);
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
	.summary = "What a training step allocates, layer by layer, and where the card ends",
	.page = "pytorch",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.run = run,
};
