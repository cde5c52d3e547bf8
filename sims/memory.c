/* Memory of a training step (W2, C3, C6, C15): the sawtooth, what it is made of, where it breaks.
 */
#include "sims/formula.h"
#include "sims/memory_draw.h"
#include "sims/sim.h"

#include <math.h>
#include <stdlib.h>

/* clang-format off */
enum {
	MODEL, BATCH, SEQ, PRECISION, OPTIMIZER, CHECKPOINTING, K, ZERO, GPUS, TP, ATTENTION, GPU,
	ALLOCATOR, LAYER, FUSED, OFFLOAD, N_KNOBS
};
enum { FLASH, UNFUSED };
enum { IDEAL, CACHING };
enum { GPT, ACTUAL };

static const char *const precision_ids[] = { "fp32", "amp_autocast", "bf16", NULL };
static const char *const optimizer_ids[] = { "adamw", "adam8bit", "sgd", NULL };
static const char *const checkpointing_ids[] = { "none", "selective", "every_k", "full", NULL };
static const char *const attention_ids[] = { "flash", "unfused", NULL };
static const char *const allocator_ids[] = { "ideal", "caching", NULL };
static const char *const layer_ids[] = { "gpt", "actual", NULL };

static const struct knob knobs[N_KNOBS] = {
	[MODEL] = { "model", "model", "", KNOB_MODEL, .dflt_choice = "llama2-7b",
		.help = "weights, gradients and optimizer state grow with parameters (16 B each under "
			"AdamW), activations with layers times width" },
	[BATCH] = { "batch", "batch per GPU", "", KNOB_NUMBER, 1, 1024, 4, 2, .geometric = true,
		.integer = true,
		.help = "activations and logits grow with it, the state does not: at a small batch the "
			"state is the peak" },
	[SEQ] = { "seq", "sequence", "token", KNOB_NUMBER, 128, 1048576, 2048, 2, .geometric = true,
		.integer = true,
		.help = "activations grow with it, and with its square where attention writes its "
			"scores" },
	[PRECISION] = { "precision", "precision", "", KNOB_CHOICE, .choices = precision_ids,
		.dflt_choice = "bf16",
		.help = "all three hold 16 B of state per parameter under AdamW: 16 bits halve the "
			"activations only, and autocast adds 16-bit copies of its FP32 weights" },
	[OPTIMIZER] = { "optimizer", "optimizer", "", KNOB_CHOICE, .choices = optimizer_ids,
		.dflt_choice = "adamw",
		.help = "AdamW keeps two FP32 moments (8 B per parameter), 8-bit Adam two of 1 B, SGD one "
			"of 4 B" },
	[CHECKPOINTING] = { "checkpointing", "checkpointing", "", KNOB_CHOICE,
		.choices = checkpointing_ids, .dflt_choice = "none",
		.help = "forgets activations and runs forward again in backward: 2 s b h per kept "
			"input instead of 34, for up to a third more compute" },
	[K] = { "k", "segment", "layer", KNOB_NUMBER, 1, 128, 4, 1, .integer = true,
		.help = "every_k only: fewer inputs kept, but k whole layers alive while a segment runs "
			"again; one layer is nearly the best, not sqrt(L)" },
	[ZERO] = { "zero", "ZeRO stage", "", KNOB_NUMBER, 0, 3, 3, 1, .integer = true,
		.help = "1 shards the optimizer's state, 2 gradients too, 3 (FSDP) weights too, which "
			"are gathered layer by layer; no stage shards activations" },
	[GPUS] = { "gpus", "GPUs", "", KNOB_NUMBER, 1, 16384, 8, 2, .geometric = true,
		.integer = true,
		.help = "ZeRO divides state by GPUs / tensor parallel; the batch per GPU stays, and so do "
			"its activations" },
	[TP] = { "tp", "tensor par.", "", KNOB_NUMBER, 1, 64, 1, 2, .geometric = true,
		.integer = true,
		.help = "cuts every layer, and with sequence parallelism its activations too: the only "
			"knob that divides both by t" },
	[ATTENTION] = { "attention", "attention", "", KNOB_CHOICE, .choices = attention_ids,
		.dflt_choice = "flash",
		.help = "unfused attention keeps 5 a s^2 b bytes of scores, softmax and mask per layer; a "
			"flash kernel keeps one number per row" },
	[GPU] = { "gpu", "GPU", "", KNOB_GPU, .dflt_choice = "a100",
		.help = "its memory is the line across the plot; its speed only stretches the time axis" },
	[ALLOCATOR] = { "allocator", "allocator", "", KNOB_CHOICE, .choices = allocator_ids,
		.dflt_choice = "caching",
		.help = "PyTorch caches what is freed and cuts it up: reserved stays above allocated, and "
			"a request can fail although enough is free in pieces" },
	[LAYER] = { "layer", "layer", "", KNOB_CHOICE, .choices = layer_ids, .dflt_choice = "gpt",
		.help = "gpt: the layer behind the 34-byte rule; actual: the model's own, where SwiGLU "
			"saves more, grouped keys less" },
	[FUSED] = { "fused", "fused loss", "", KNOB_TOGGLE, 0, 1, 0, 1,
		.help = "logits in chunks that are never whole, SwiGLU in one kernel: with 128K words of "
			"vocabulary the logits are the peak" },
	[OFFLOAD] = { "offload", "offload", "", KNOB_TOGGLE, 0, 1, 0, 1,
		.help = "gradients and optimizer state live in the CPU's memory: 14 of 16 B per parameter "
			"leave the card, over PCIe" },
};
/* clang-format on */

/* Of the peak, on the time axis only. */
static const double assumed_mfu = 0.4;

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
		.flops_per_s = assumed_mfu * peak_flops(g, precision),
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
	f->broke_at = f->ideal.n_events;
	if (f->broke_at < f->trace.n_events)
		f->broke_s = f->trace.events[f->broke_at].at_s;
	if (f->caching)
		replay(f);
}

static const char *break_text(struct figure *fig, const struct memory_found *f)
{
	const char *where = memory_event_text(fig, &f->trace, f->broke_at);
	bool first = f->caching && f->replay.first_step && f->broke_at >= f->trace.n_loading;
	return figure_text(fig, "%s%s", first ? "first step, " : "", where);
}

static void note(struct value *v, const char *text)
{
	if (v)
		v->note = text;
}

/* B saved per token and unit of the hidden size, of one layer: 34 in the GPT rule. */
static double layer_constant(const struct memory_setup *s)
{
	struct layer l = memory_layer(s);
	return layer_saved_bytes(&l) * s->tp / (s->batch * s->seq * s->model->hidden);
}

static void values(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	const struct memory_replay *r = &f->replay;
	double card = f->capacity, reserved = f->caching ? (double)r->peak_reserved : 0;
	enum role role = f->fits ? ROLE_GOOD : ROLE_BAD;
	note(figure_value(fig, "peak_GB", "peak", f->peak_bytes / 1e9, "GB", role),
		figure_text(fig, "of %.0f", card / 1e9));
	note(figure_value(fig, "fits", "fits", f->fits, "", role),
		f->fits ? figure_text(fig, "%.3g GB left", (card - f->peak_bytes) / 1e9)
			: break_text(fig, f));
	note(figure_value(
		     fig, "static_GB", "state", memory_static_bytes(s) / 1e9, "GB", ROLE_PLAIN),
		"all there at once");
	figure_value(
		fig, "activations_GB", "activations", f->ideal.activations / 1e9, "GB", ROLE_PLAIN);
	figure_value(
		fig, "recompute_pct", "recompute", 100 * f->trace.recompute_share, "%", ROLE_PLAIN);
	if (f->caching) {
		double waste = r->reserved_at_peak > 0
				       ? 1 - r->allocated_at_peak / r->reserved_at_peak
				       : 0;
		figure_value(fig, "reserved_GB", "reserved", reserved / 1e9, "GB", ROLE_PLAIN);
		figure_value(
			fig, "fragmentation_pct", "fragmentation", 100 * waste, "%", ROLE_PLAIN);
	}
	figure_value(fig, "allocated_GB", "allocated", f->ideal.bytes / 1e9, "GB", ROLE_PLAIN);
	figure_value(
		fig, "logits_GB", "logits", f->ideal.part[MEMORY_LOGITS] / 1e9, "GB", ROLE_PLAIN);
	figure_value(fig, "layer_constant", "layer", layer_constant(s), "B/(s b h)", ROLE_PLAIN);
	figure_value(fig, "step_s", "step", f->trace.duration_s, "s", ROLE_DIM);
}

static int largest_part(const struct memory_peak *p)
{
	int most = 0;
	for (int k = 1; k < N_MEMORY_KINDS; k++)
		if (p->part[k] > p->part[most])
			most = k;
	return most;
}

static void explain(struct figure *fig, const struct memory_found *f)
{
	const struct memory_peak *p = &f->ideal;
	int most = largest_part(p);
	double peak = f->peak_bytes / 1e9, part = p->part[most] / 1e9;
	if (f->fits)
		figure_why(fig,
			"The peak, %.3g of %.0f GB, comes in %s: state that never leaves is %.3g "
			"GB of "
			"it, activations %.3g GB; the largest part is %s with %.3g GB.",
			peak, f->capacity / 1e9, memory_event_text(fig, &f->trace, p->event),
			(p->part[MEMORY_WEIGHTS] + p->part[MEMORY_OPTIMIZER]) / 1e9,
			p->part[MEMORY_ACTIVATIONS] / 1e9, memory_kind_names[most], part);
	else if (f->caching && p->bytes <= f->capacity)
		figure_why(fig,
			"%.3g GB would be enough, yet a request for %.3g GB fails in %s: %.3g GB "
			"are "
			"free, but cut up, the largest piece %.3g GB. That is fragmentation.",
			p->bytes / 1e9, (double)f->replay.wanted / 1e9, break_text(fig, f),
			(double)f->replay.cached / 1e9, (double)f->replay.largest_free / 1e9);
	else if (f->remedy)
		figure_why(fig,
			"Needs %.3g GB of %.0f and breaks: %s. The largest part is %s, %.3g GB; "
			"with "
			"\"%s\" alone the peak would be %.3g GB.",
			peak, f->capacity / 1e9, break_text(fig, f), memory_kind_names[most], part,
			f->remedy, f->remedy_bytes / 1e9);
	else
		figure_why(fig,
			"Needs %.3g GB of %.0f and breaks: %s. The largest part is %s, %.3g GB, "
			"and no "
			"bar below fits: it takes more GPUs, tensor parallelism or a smaller "
			"batch.",
			peak, f->capacity / 1e9, break_text(fig, f), memory_kind_names[most], part);
}

static bool divides(double t, double n)
{
	return fmod(n, t) == 0;
}

/* Where the input is outside of what the model knows. */
static void warnings(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	const struct model *m = s->model;
	double odd = f->trace.odd_params_ratio;
	if (fabs(odd - 1) > 0.02)
		figure_note(fig, ROLE_WARN,
			"%s has %.3g times the parameters that its shapes account for: a mixture "
			"of "
			"experts, which is not covered; they are spread evenly over the layers.",
			m->name, odd);
	if (!divides(s->tp, m->heads) || !divides(s->tp, m->ffn))
		figure_note(fig, ROLE_WARN,
			"%g heads do not divide over %g GPUs: no framework cuts the layer so; the "
			"figure "
			"divides all the same.",
			m->heads, s->tp);
	else if (!divides(s->tp, m->kv_heads) && s->actual)
		figure_note(fig, ROLE_WARN,
			"%g key-value heads are fewer than %g GPUs: real systems copy them, the "
			"figure "
			"divides.",
			m->kv_heads, s->tp);
	if (s->tp > s->gpus || !divides(s->tp, s->gpus))
		figure_note(fig, ROLE_WARN,
			"%g GPUs are no whole number of groups of %g: state is sharded over %g "
			"groups.",
			s->gpus, s->tp, memory_shards(s));
	if (s->zero > 0 && memory_shards(s) <= 1)
		figure_note(fig, ROLE_WARN,
			"ZeRO-%d has one group only and nothing to shard over: set more GPUs.",
			s->zero);
	if (s->seq > m->context)
		figure_note(fig, ROLE_WARN, "%s was trained for %g tokens; %g are more.", m->name,
			m->context, s->seq);
	if (s->checkpointing == CHECKPOINT_EVERY_K && s->k >= m->layers)
		figure_note(fig, ROLE_WARN,
			"A segment of %d holds all %g layers: everything is computed twice and "
			"everything is alive.",
			s->k, m->layers);
	if (s->precision != MEMORY_FP32 && !(f->gpu->peak_flops[DTYPE_BF16] > 0))
		figure_note(fig, ROLE_WARN,
			"%s has no BF16 units: FP16 with loss scaling takes the same memory.",
			f->gpu->name);
}

/* What the rules of thumb say, beside what the walk finds. */
static void rules(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	const struct model *m = s->model;
	double own = layer_constant(&(struct memory_setup){ .model = m,
		.batch = 1,
		.seq = s->seq,
		.precision = s->precision,
		.zero = s->zero,
		.tp = 1,
		.flash = true,
		.actual = true,
		.fused = s->fused });
	double flash = CALL(flash_activation_bytes, .layers = m->layers, .seq = s->seq,
			       .batch = s->batch, .hidden = m->hidden) /
		       s->tp;
	figure_note(fig, ROLE_PLAIN,
		"Rule of thumb for 16 bits: 34 s b h L = %.3g GB. 34 B is the GPT layer "
		"(LayerNorm, "
		"dropout, GELU, 4 h) of Korthikanti et al.; %s's own saves %.3g B here "
		"(layer=actual). One FP32 copy of the logits is %.3g GB.",
		flash / 1e9, m->name, own,
		CALL(logits_bytes, .batch = s->batch, .seq = s->seq, .vocab = m->vocab,
			.bytes_per_value = 4) /
			s->tp / 1e9);
	if (f->caching && f->replay.flushes > 0)
		figure_note(fig, ROLE_PLAIN,
			"The card filled up %zu times and the allocator gave cached segments back, "
			"which stalls the GPU: reserved above allocated is the thing to watch, and "
			"expandable_segments:True the thing to try.",
			f->replay.flushes);
}

static void assume(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	struct state_bytes b = memory_state_bytes(s->precision, s->optimizer);
	figure_assume(fig,
		"GB = 1e9 B; %.4g parameters as counted from the shapes, %g B of state each",
		s->model->params, b.weight + b.gradient + b.optimizer);
	figure_assume(fig, "%.3g GB for the CUDA context%s", f->outside / 1e9,
		s->gpus > 1 ? " and NCCL's buffers" : "");
	figure_assume(fig,
		"gradients are made as backward walks and freed after the optimizer; the "
		"script holds its logits until their backward");
	figure_assume(fig, "ZeRO-3 gathers one layer ahead; tensor parallelism with sequence "
			   "parallelism; fused optimizer for BF16 weights, PyTorch's foreach else");
	figure_assume(fig, "time from FLOPs at %.0f %% of the dense peak", 100 * assumed_mfu);
	figure_leave_out(fig, "pipeline and context parallelism, mixtures of experts, FP8");
	figure_leave_out(fig, "torch.compile, workspaces of kernels, other streams' pools, "
			      "expandable segments, time to communicate");
	if (s->actual)
		fig->accuracy = "torchtitan's peaks (8B, FSDP over 8 H100): reserved within 15 % "
				"with amp_autocast, zero=3, layer=actual";
}

static void subtitle(struct figure *fig, const struct memory_found *f)
{
	const struct memory_setup *s = &f->setup;
	figure_subtitle(fig, "%s · %s · %s · ZeRO-%d on %g", s->model->name, f->gpu->name,
		precision_ids[s->precision], s->zero, s->gpus);
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
		memory_draw_sawtooth(fig, f);
		warnings(fig, f);
		memory_draw_parts(fig, f);
		memory_draw_blocks(fig, f);
		memory_draw_moments(fig, f);
		explain(fig, f);
		rules(fig, f);
		assume(fig, f);
	}
	arena_release(&f->scratch);
	free(f);
}

const struct sim memory_sim = {
	.id = "memory",
	.title = "Training memory",
	.summary = "what a training step allocates, layer by layer, and where the card ends",
	.page = "memory",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.run = run,
};
