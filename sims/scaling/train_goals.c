/* Goals are read by the knobs that every simulation has, so that `ridge plan train` refuses a word
 * as all commands do. */
#include "sims/scaling/train_goals.h"

#include "sims/base/array.h"
#include "sims/constants.h"
#include "sims/gpu/kernel.h"
#include "sims/knobs.h"
#include "sims/quantity/quantity.h"
#include "sims/training/model_params.h"

#include <assert.h>
#include <math.h>

enum {
	MODEL,
	GPU,
	GPUS,
	TOKENS,
	BATCH_TOKENS,
	SEQ,
	DTYPE,
	SOFTWARE,
	GPUS_PER_NODE,
	ROUTING,
	OVERLAP,
	INTER,
	LATENCY,
	PRICE,
	TP,
	PP,
	CP,
	CHECKPOINTING,
	SCHEDULE,
	VIRTUAL,
	MICRO_BATCH,
	N_KNOBS
};

enum { FIRST_PIN = TP };

static const char *const checkpointing_ids[] = { "any", "none", "selective", "full", NULL };
static const char *const schedule_ids[] = { "any", "1f1b", "interleaved", NULL };
static_assert(LENGTH(checkpointing_ids) == N_RECOMPUTE + 2, "one for each, and any");

/* Tokens for each parameter, where none are asked for (Hoffmann et al., 2022). */
static const double tokens_per_param = 20;

static const struct knob knobs[N_KNOBS] = {
	[MODEL] = KNOB_ANY_PARTS_OF("model", "model", "llama3-70b", "what is trained"),
	[GPU] = KNOB_ANY_GPU("h100", "on which it is trained"),
	[GPUS] = KNOB_DOUBLING("gpus", "GPUs", "", 1, 16384, 64, "all of them are used"),
	[TOKENS] = KNOB_FACTOR("tokens", "tokens", "token", 0, 1e15, 0, 2,
		"to train on; auto is 20 for each parameter", .zero = "auto"),
	[BATCH_TOKENS] = KNOB_FACTOR(
		"batch_tokens", "batch", "token", 1, 1e9, 4194304, 2, "of a step over all GPUs"),
	[SEQ] = KNOB_DOUBLING("seq", "sequence", "token", 128, 131072, 8192, "of one sequence"),
	[DTYPE] = KNOB_CHOICE_OF("act_dtype", "products in", step_recipe_ids, NULL, "bf16",
		"the recipe of types that products are computed in"),
	[SOFTWARE] = KNOB_CHOICE_OF(
		"software", "software", software_ids, NULL, "megatron2025", software_help),
	[GPUS_PER_NODE] = KNOB_DOUBLING("gpus_per_node", "GPUs per node", "", 0, 128, 0,
		"that the fast link joins; auto: 72 of a rack of GB200, else 8", .least = 1,
		.zero = "auto"),
	[ROUTING] = KNOB_CHOICE_OF("routing", "routing", routing_ids, NULL, "recorded",
		"of a mixture: who leads tokens to their experts"),
	[OVERLAP] = KNOB_SWITCH("dispatch_overlap", "hidden travel", 0,
		"of a mixture: tokens travel while another micro-batch computes"),
	[INTER] = KNOB_FACTOR("inter_GBps", "network per GPU", "GB/s", 0.1, 1000, NDR_CARD_GB_PER_S,
		HALF_AN_OCTAVE, "one direction"),
	[LATENCY] = KNOB_FACTOR("latency_us", "latency", "us", 0.1, 1000, NETWORK_LATENCY_US,
		HALF_AN_OCTAVE, "of a hop between nodes"),
	[PRICE] = KNOB_LINEAR("price_per_gpu_h", "price per hour", "$", 0, 100, 0, 0.1,
		"auto is the GPU's usual price", .zero = "auto"),
	[TP] = KNOB_DOUBLING("tp", "tensor par.", "", 0, 64, 0, "held at this, or searched for",
		.least = 1, .zero = "any"),
	[PP] = KNOB_DOUBLING("pp", "pipeline par.", "", 0, 64, 0, "held at this, or searched for",
		.least = 1, .zero = "any"),
	[CP] = KNOB_DOUBLING("cp", "context par.", "", 0, 64, 0, "held at this, or searched for",
		.least = 1, .zero = "any"),
	[CHECKPOINTING] = KNOB_CHOICE_OF("checkpointing", "checkpointing", checkpointing_ids, NULL,
		"any", "what runs again: held at this, or searched for"),
	[SCHEDULE] = KNOB_CHOICE_OF("schedule", "schedule", schedule_ids, NULL, "any",
		"of the pipeline: held at this, or searched for"),
	[VIRTUAL] = KNOB_WHOLE("virtual_stages", "chunks per stage", "", 0, 8, 0,
		"held at this, or searched for", .zero = "any"),
	[MICRO_BATCH] = KNOB_DOUBLING("micro_batch", "micro-batch", "", 0, 256, 0,
		"sequences that a replica takes at a time: held at this, or searched for",
		.least = 1, .zero = "any"),
};

const struct sim train_goals = {
	.id = "train",
	.title = "Training plan",
	.summary = "The quickest layout of a training job",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
};

const char *train_software_text(const double v[])
{
	return software_ids[(size_t)v[SOFTWARE]];
}

static void warn(struct train_answer *a, struct arena *arena)
{
	const struct train_goal *g = &a->goal;
	char lack[160];
	if (*step_recipe_lack(g->recipe, g->gpu, lack, sizeof lack))
		a->warnings[a->n_warnings++] = arena_printf(arena, "%s", lack);
	if (g->model->context > 0 && g->seq > g->model->context)
		a->warnings[a->n_warnings++] = arena_printf(arena,
			"%s was trained for sequences of %.0f tokens, not of %.0f.", g->model->name,
			g->model->context, g->seq);
	if (g->model->encoder)
		a->warnings[a->n_warnings++] = arena_printf(arena,
			"%s is an encoder: it sees all of a sequence, and guesses few of its words; the "
			"plan is that of a model that generates.",
			g->model->name);
}

/* 4e6 tokens are 488.3 sequences of 8,192: the step has 488, and says so. */
static void take_whole_sequences(struct train_answer *a, double batch_tokens, struct arena *arena)
{
	const double whole = round(a->goal.global_batch);
	char asked[64], taken[64];
	if (whole == a->goal.global_batch)
		return;
	a->goal.global_batch = whole;
	a->warnings[a->n_warnings++] = arena_printf(arena,
		"A step has %.0f sequences of %.0f: %s tokens, the nearest to batch_tokens=%s.",
		whole, a->goal.seq, number_write(taken, sizeof taken, whole * a->goal.seq, 15),
		number_write(asked, sizeof asked, batch_tokens, 15));
}

/* The choices of both knobs begin with "any". */
static struct train_pins pins_of(const double v[])
{
	static const enum pipeline_kind kinds[] = { PIPELINE_1F1B, PIPELINE_INTERLEAVED };
	return (struct train_pins){ .tp = v[TP],
		.pp = v[PP],
		.cp = v[CP],
		.micro_batch = v[MICRO_BATCH],
		.chunks = v[VIRTUAL],
		.schedule = v[SCHEDULE] > 0 ? 1 + (int)kinds[(size_t)v[SCHEDULE] - 1] : 0,
		.recompute = (int)v[CHECKPOINTING] };
}

/* Why no layout can have all that is pinned, or NULL. */
static const char *pins_refusal(const struct train_goal *g, struct arena *arena)
{
	const struct train_pins *p = &g->pins;
	double group = fmax(1, p->tp) * fmax(1, p->pp) * fmax(1, p->cp);
	if (p->schedule == 1 + PIPELINE_1F1B && p->chunks > 1)
		return arena_printf(arena, "virtual_stages=%g: 1F1B has no chunks", p->chunks);
	if (p->schedule == 1 + PIPELINE_INTERLEAVED && p->chunks == 1)
		return "virtual_stages=1: an interleaved schedule has two chunks or more";
	if ((p->schedule == 1 + PIPELINE_INTERLEAVED || p->chunks > 1) && p->pp == 1)
		return "pp=1: chunks take a pipeline";
	if (group > g->gpus)
		return arena_printf(
			arena, "tp x pp x cp: a replica takes %g GPUs, of %g", group, g->gpus);
	if (p->tp > g->model->heads)
		return arena_printf(arena, "tp=%g: %s has %g heads to share", p->tp, g->model->name,
			g->model->heads);
	if (p->pp > g->model->layers)
		return arena_printf(arena, "pp=%g: %s has %g layers to share", p->pp,
			g->model->name, g->model->layers);
	return NULL;
}

/* The bubble and the exchange of gradients are the same however many micro-batches there are: where they are
 * most of what a GPU does the batch is too small for so many. */
static const char *starved_text(const struct train_answer *a, struct arena *arena)
{
	const double much = 1. / 3;
	const struct train_plan *p = &a->search.best[0];
	double all_s = 0, fixed_s = p->spent_s[SPENT_PIPELINE] + p->spent_s[SPENT_EXCHANGE];
	char sequences[64], gpus[64];
	for (size_t i = 0; i < N_SPENT; i++)
		all_s += p->spent_s[i];
	if (a->search.n == 0 || fixed_s <= much * all_s)
		return NULL;
	quantity_format(sequences, sizeof sequences, a->goal.global_batch, "");
	quantity_format(gpus, sizeof gpus, a->goal.gpus, "");
	return arena_printf(arena,
		"%s sequence%s on %s GPUs: %g micro-batch%s a replica. Of a step, %.0f %% are the "
		"bubble and\nthe exchange of gradients, which weigh less with a larger batch_tokens=.",
		sequences, a->goal.global_batch == 1 ? "" : "s", gpus, p->setup.micro_batches,
		p->setup.micro_batches == 1 ? "" : "es", 100 * fixed_s / all_s);
}

struct train_answer train_answer(const struct tables *t, const double v[], struct arena *arena)
{
	const struct accelerator *g = gpu_at(t, v[GPU]);
	const struct model *m = model_at(t, v[MODEL]);
	struct train_answer a = {
		.goal = { .model = m,
			.gpu = g,
			.net = network_measured(g->family,
				v[GPUS_PER_NODE] > 0 ? v[GPUS_PER_NODE] : gpu_domain(g),
				g->link_bandwidth, v[INTER] * 1e9, v[LATENCY] * 1e-6),
			.gpus = v[GPUS],
			.global_batch = v[BATCH_TOKENS] / v[SEQ],
			.seq = v[SEQ],
			.dtype = step_recipe_at(v[DTYPE])->dtype,
			.recipe = step_recipe_at(v[DTYPE]),
			.software = software_of(v[SOFTWARE]),
			.routing = (enum dispatcher)v[ROUTING],
			.dispatch_overlap = v[OVERLAP] > 0,
			.memory_share = PLAN_MEMORY_SHARE,
			.pins = pins_of(v) }
	};
	a.tokens = v[TOKENS] > 0 ? v[TOKENS] : tokens_per_param * model_active_params(m);
	a.usd_per_gpu_h = v[PRICE] > 0 ? v[PRICE] : g->usd_per_hour;
	if (a.goal.global_batch < 1) {
		a.refusal = arena_printf(arena,
			"batch_tokens=%.0f: expected at least seq=%.0f tokens, one sequence",
			v[BATCH_TOKENS], v[SEQ]);
		return a;
	}
	a.refusal = pins_refusal(&a.goal, arena);
	if (a.refusal)
		return a;
	take_whole_sequences(&a, v[BATCH_TOKENS], arena);
	warn(&a, arena);
	if (!train_search(&a.goal, &a.search, arena))
		arena->failed = true;
	a.starved = starved_text(&a, arena);
	return a;
}

double train_hours(const struct train_answer *a, const struct train_plan *p)
{
	return a->tokens / (p->tokens_per_s * a->goal.gpus) / HOUR_S;
}

const char *train_layout_text(const struct train_plan *p, struct arena *arena)
{
	static const char *const again[N_RECOMPUTE] = { "nothing runs again",
		"selective recomputation", "full recomputation" };
	const struct plan_setup *s = &p->setup;
	const char *chunks = s->chunks > 1 ? arena_printf(arena, " in %g chunks", s->chunks) : "";
	const char *cp = s->cp > 1 ? arena_printf(arena, " x CP %g", s->cp) : "";
	const char *ep = p->ep > 1 ? arena_printf(arena, " with EP %g", p->ep) : "";
	const char *zero = s->zero > 0 ? arena_printf(arena, "ZeRO-%d, ", s->zero) : "";
	return arena_printf(arena, "TP %g x PP %g%s%s x DP %g%s, %smicro-batch %g, %s", s->tp,
		s->pp, chunks, cp, p->dp, ep, zero, s->batch, again[s->recompute]);
}

const char *train_fate_text(
	const struct train_answer *a, const struct train_plan *p, struct arena *arena)
{
	static const char *const names[N_SPENT] = { [SPENT_PRODUCTS] = "products too thin",
		[SPENT_ATTENTION] = "attention in thinner pieces",
		[SPENT_POINTWISE] = "small kernels",
		[SPENT_RECOMPUTE] = "layers run again",
		[SPENT_TENSOR] = "sums inside layers",
		[SPENT_CONTEXT] = "keys and values on their way",
		[SPENT_DISPATCH] = "tokens on their way to experts",
		[SPENT_HOST] = "waiting for the host",
		[SPENT_GATHER] = "weights gathered",
		[SPENT_HEAD] = "the vocabulary",
		[SPENT_OPTIMIZER] = "the optimizer",
		[SPENT_EXCHANGE] = "gradients exchanged",
		[SPENT_PIPELINE] = "the bubble" };
	const struct train_plan *best = &a->search.best[0];
	size_t worst = 0;
	for (size_t i = 1; i < N_SPENT; i++)
		if (p->spent_s[i] - best->spent_s[i] > p->spent_s[worst] - best->spent_s[worst])
			worst = i;
	return arena_printf(arena, "%.0f %% slower: %s",
		100 * (1 - p->tokens_per_s / best->tokens_per_s), names[worst]);
}

const char *train_pins_text(const double v[], struct arena *arena)
{
	const char *text = "";
	for (size_t i = FIRST_PIN; i < N_KNOBS; i++)
		if (v[i] > 0)
			text = arena_printf(arena, "%s %s=%s", *text ? text : " with", knobs[i].id,
				knobs[i].choices ? knobs[i].choices[(size_t)v[i]]
						 : arena_printf(arena, "%g", v[i]));
	return text;
}

const char *train_dealt_text(const struct train_answer *a, const double v[], struct arena *arena)
{
	double below = train_gpus_dealt(&a->goal, -1), above = train_gpus_dealt(&a->goal, 1);
	char less[64], more[64];
	quantity_format(less, sizeof less, below, "");
	quantity_format(more, sizeof more, above, "");
	bool lower = below > 0, upper = above > 0 && above <= knobs[GPUS].max;
	if (!lower && !upper)
		return *train_pins_text(v, arena) ? "another batch or layout would do"
						  : "a batch of another size would do";
	return arena_printf(arena, "%s%s%s GPUs would do, or a batch of another size",
		lower ? less : "", lower && upper ? " or " : "", upper ? more : "");
}

const char *train_settings(const struct train_answer *a, const double v[],
	const struct train_plan *p, struct arena *arena)
{
	const struct plan_setup *s = &p->setup;
	const char *schedule =
		s->chunks > 1 ? arena_printf(arena, "interleaved virtual_stages=%g", s->chunks)
			      : "1f1b";
	const char *experts =
		p->ep > 1 ? arena_printf(arena, " ep=%g routing=%s dispatch_overlap=%s", p->ep,
				    routing_ids[s->routing], s->dispatch_overlap ? "on" : "off")
			  : "";
	return arena_printf(arena,
		"strategy=3d model=%s gpu=%s gpus=%g tp=%g pp=%g cp=%g zero=%d schedule=%s "
		"micro_batches=%g batch=%g seq=%g checkpointing=%s act_dtype=%s software=%s "
		"gpus_per_node=%g inter_GBps=%g latency_us=%g%s",
		s->model->id, s->gpu->id, a->goal.gpus, s->tp, s->pp, s->cp, s->zero, schedule,
		s->micro_batches, s->batch, s->seq, recompute_ids[s->recompute],
		step_recipe_ids[(size_t)v[DTYPE]], software_ids[(size_t)v[SOFTWARE]],
		s->net.gpus_per_node, v[INTER], v[LATENCY], experts);
}
