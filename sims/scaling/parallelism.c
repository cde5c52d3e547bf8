/* Parallelism: who holds which bytes, who sends them, and the bubble of the pipeline, measured on a
 * schedule that is run. */
#include "sims/base/array.h"
#include "sims/constants.h"
#include "sims/quantity/quantity.h"
#include "sims/formulas/communication.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/gpu/kernel.h"
#include "sims/figure/uncovered.h"
#include "sims/knobs.h"
#include "sims/published/overlay.h"
#include "sims/architecture/architecture.h"
#include "sims/architecture/model_bytes.h"
#include "sims/scaling/parallel_plan.h"
#include "sims/training/model_params.h"

#include <assert.h>
#include <math.h>

enum {
	STRATEGY,
	MODEL,
	GPUS,
	TP,
	PP,
	CP,
	EP,
	ZERO,
	SHARING,
	SCHEDULE,
	MICRO_BATCHES,
	VIRTUAL,
	BATCH,
	SEQ,
	GPU,
	DTYPE,
	SOFTWARE,
	ROUTING,
	OVERLAP,
	HOT,
	CAPACITY,
	CHECKPOINTING,
	SEQUENCE,
	TRANSFERS,
	GPUS_PER_NODE,
	INTER,
	LATENCY,
	N_KNOBS
};

static const char *const strategy_ids[] = { "ddp", "zero1", "zero2", "zero3", "tp", "pp", "3d",
	NULL };
static const char *const strategy_labels[] = { "DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3 (FSDP)",
	"tensor (TP)", "pipeline (PP)", "3D: TP x PP x DP" };
static const struct choice_alias strategy_aliases[] = { { "fsdp", "zero3" }, { NULL, NULL } };
static const char *const pipeline_names[] = { "GPipe", "1F1B", "interleaved", "zero-bubble",
	"DualPipe" };
static const char *const schedule_ids[] = { "gpipe", "1f1b", "interleaved", "zero_bubble",
	"dualpipe", NULL };
static const struct knob knobs[N_KNOBS] = {
	[STRATEGY] = KNOB_CHOICE_OF("strategy", "strategy", strategy_ids, strategy_labels, "3d",
		"DDP copies everything, ZeRO shards state, TP cuts layers, PP deals them out; "
		"each of the single ones takes all GPUs for itself",
		.aliases = strategy_aliases),
	[MODEL] = KNOB_ANY_PARTS_OF("model", "model", "llama2-70b",
		"16 B of state per parameter under AdamW, before anything is cut"),
	[GPUS] = KNOB_DOUBLING("gpus", "GPUs", "", 1, 16384, 64,
		"more GPUs make ZeRO's shards smaller, a tensor group slower, a pipeline's bubble "
		"longer"),
	[TP] = KNOB_DOUBLING("tp", "tensor par.", "", 1, 64, 8,
		"cuts every layer; four all-reduces per layer and micro-batch that nothing hides: "
		"keep it inside the node",
		.when = { WHEN(STRATEGY, PLAN_3D) }),
	[PP] = KNOB_DOUBLING("pp", "pipeline par.", "", 1, 64, 4,
		"deals layers out to stages: little traffic, but stages wait for the first and "
		"the last micro-batch",
		.when = { WHEN(STRATEGY, PLAN_3D) }),
	[CP] = KNOB_DOUBLING("cp", "context par.", "", 1, 64, 1,
		"cuts every sequence: activations and attention are shared, keys and values go "
		"round the group in each layer",
		.when = { WHEN(STRATEGY, PLAN_3D) }, .group = "schedule"),
	[EP] = KNOB_DOUBLING("ep", "expert groups", "", 0, 1024, 0,
		"of a mixture: groups of GPUs, tensor and data parallel ones together, among which "
		"the experts are dealt; tokens travel to them and back in every layer. auto: as "
		"many as the fast links join",
		.zero = "auto", .group = "experts"),
	[ZERO] = KNOB_WHOLE("zero", "ZeRO stage", "", 0, 3, 1,
		"over the replicas: 1 shards the optimizer, 2 gradients too, 3 weights too, which "
		"are then gathered in every micro-batch",
		.zero = "none", .when = { WHEN(STRATEGY, PLAN_3D) }),
	[SHARING] = KNOB_DOUBLING("shard", "sharing GPUs", "", 0, 16384, 0,
		"of ZeRO-3: fewer GPUs share a copy and gather from nearby, groups then sum their "
		"gradients (hybrid sharding)",
		.zero = "all", .when = { WHEN(STRATEGY, PLAN_ZERO3, PLAN_3D) }, .group = "memory"),
	[SCHEDULE] = KNOB_CHOICE_OF("schedule", "schedule", schedule_ids, pipeline_names, "1f1b",
		"1F1B has GPipe's bubble but holds p micro-batches instead of m; interleaving "
		"cuts the bubble by v and sends v times as often; zero-bubble fills it with "
		"gradients of weights, which no stage waits for; DualPipe holds the model twice, "
		"enters at both ends, and hides tokens' way to experts behind a forward beside "
		"each backward",
		.when = { WHEN(STRATEGY, PLAN_PP, PLAN_3D) }, .group = "schedule"),
	[MICRO_BATCHES] = KNOB_DOUBLING("micro_batches", "micro-batches", "", 1, MOST_MICRO_BATCHES,
		8,
		"more of them fill the pipeline: the bubble is (p-1)/(m+p-1); without a pipeline "
		"they are accumulated"),
	[VIRTUAL] = KNOB_DOUBLING("virtual_stages", "chunks per stage", "", 1, 8, 2,
		"each stage takes v thinner pieces of the model in turn, so that the pipeline "
		"fills v times as fast",
		.when = { WHEN(SCHEDULE, PIPELINE_INTERLEAVED) }, .group = "batch"),
	[BATCH] = KNOB_DOUBLING("batch", "micro-batch", "", 1, 256, 1,
		"sequences that one replica takes at a time: activations grow with it",
		.group = "batch"),
	[SEQ] = KNOB_DOUBLING("seq", "sequence", "token", 128, 131072, 4096,
		"activations, and what a tensor group and a pipeline send, grow with it; "
		"gradients do not",
		.group = "batch"),
	[GPU] = KNOB_ANY_GPU("a100",
		"its memory is the line across the bars; a faster one leaves less to hide behind",
		.group = "memory"),
	[DTYPE] = KNOB_CHOICE_OF("act_dtype", "products in", step_recipe_ids, step_recipe_names,
		"bf16",
		"a recipe: narrower products are up to twice or four times as fast; attention, "
		"norms, router and the vocabulary stay in BF16, master weights in FP32, and "
		"rounding costs traffic; blocks are DeepSeek-V3's, MXFP8 and NVFP4 need Blackwell",
		.group = "software"),
	[SOFTWARE] = KNOB_CHOICE_OF("software", "software", software_ids, software_labels,
		"megatron2025", software_help, .group = "software"),
	[ROUTING] = KNOB_CHOICE_OF("routing", "routing", routing_ids, routing_labels, "recorded",
		"of a mixture: the host waits for the counts of each layer and sorts; one kernel "
		"sends and sorts; that and a CUDA graph before it; or the whole step is a graph, "
		"with the experts' products, gate and rounding in one kernel",
		.group = "experts"),
	[OVERLAP] = KNOB_SWITCH("dispatch_overlap", "hidden travel", 0,
		"of a mixture: tokens travel to experts while another micro-batch computes",
		.group = "experts"),
	[HOT] = KNOB_LINEAR("imbalance", "imbalance", "", 1, 8, 1, 0.1,
		"of a mixture: rows of the busiest group, in those of the mean; all wait for it",
		.group = "experts"),
	[CAPACITY] = KNOB_LINEAR("capacity", "capacity", "", 0, 8, 0, 0.25,
		"of a mixture: rows for which an expert has room, in those of the mean; it "
		"computes so many, and tokens beyond are dropped",
		.zero = "all come", .group = "experts"),
	[CHECKPOINTING] = KNOB_CHOICE_OF("checkpointing", "checkpointing", recompute_ids, NULL,
		"none",
		"full keeps each layer's input only and runs forward again: a third more compute, "
		"and the tensor group's all-reduces once more; selective repeats what is cheap",
		.group = "memory"),
	[SEQUENCE] = KNOB_SWITCH("sequence_parallel", "sequence par.", 1,
		"cuts norms and residuals along the sequence too: without it 10 of 34 parts of "
		"the activations stay whole on every GPU",
		.when = { WHEN(STRATEGY, PLAN_TP, PLAN_3D) }, .group = "memory"),
	[TRANSFERS] = KNOB_SWITCH("transfers", "stage transfers", 1,
		"each hand-over takes its link's time, and interleaving pays v times; off: stages "
		"hand over in no time",
		.when = { WHEN(STRATEGY, PLAN_PP, PLAN_3D) }, .group = "network"),
	[GPUS_PER_NODE] = KNOB_DOUBLING("gpus_per_node", "GPUs per node", "", 0, 128, 0,
		"a tensor group that leaves the node sends over the network; auto: as many as the "
		"GPU's fast links join, 72 of a rack of GB200",
		.least = 1, .zero = "auto", .group = "network"),
	[INTER] = KNOB_FACTOR("inter_GBps", "network per GPU", "GB/s", 0.1, 1000,
		NETWORK_CARD_GB_PER_S, HALF_AN_OCTAVE,
		"200 Gb/s are 25 GB/s; gradients and stages cross it", .group = "network"),
	[LATENCY] = KNOB_FACTOR("latency_us", "latency", "us", 0.1, 1000, NETWORK_LATENCY_US,
		HALF_AN_OCTAVE, "of a hop between nodes: it counts in many small messages",
		.group = "network"),
};

/* Less room than the mean needs is that of the mean. */
static double capacity_of(const double v[])
{
	return v[CAPACITY] > 0 ? fmax(1, v[CAPACITY]) : 0;
}

static struct plan_setup setup_of(const struct tables *t, const double v[])
{
	assert(v[STRATEGY] < N_PLAN_STRATEGIES && v[SCHEDULE] <= PIPELINE_DUALPIPE);
	assert(v[CHECKPOINTING] < N_RECOMPUTE);
	const struct accelerator *gpu = gpu_at(t, v[GPU]);
	return (struct plan_setup){ .model = model_at(t, v[MODEL]),
		.gpu = gpu,
		.net = network_measured(gpu->family,
			v[GPUS_PER_NODE] > 0 ? v[GPUS_PER_NODE] : gpu_domain(gpu),
			gpu->link_bandwidth, v[INTER] * 1e9, v[LATENCY] * 1e-6),
		.strategy = (enum plan_strategy)v[STRATEGY],
		.gpus = v[GPUS],
		.tp = v[TP],
		.pp = v[PP],
		.cp = v[CP],
		.zero = (int)v[ZERO],
		.shard = v[SHARING],
		.schedule = (enum pipeline_kind)v[SCHEDULE],
		.micro_batches = v[MICRO_BATCHES],
		.chunks = v[VIRTUAL],
		.batch = v[BATCH],
		.seq = v[SEQ],
		.recompute = (enum recompute)v[CHECKPOINTING],
		.dtype = step_recipe_at(v[DTYPE])->dtype,
		.recipe = step_recipe_at(v[DTYPE]),
		.software = software_of(v[SOFTWARE]),
		.ep = v[EP],
		.routing = (enum dispatcher)v[ROUTING],
		.dispatch_overlap = v[OVERLAP] > 0,
		.hot = v[HOT],
		.capacity = capacity_of(v),
		.sequence_parallel = v[SEQUENCE] > 0,
		.transfers = v[TRANSFERS] > 0 };
}

enum { SLICES = 12, GROUPS = 4, SOME_GPUS = 2, MAX_ROWS = 16, MAX_SPANS = 8192 };

static const char *const plan_names[N_PLAN_STRATEGIES] = { "DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3",
	"TP", "PP", "3D" };

/* The setting, and the same job under each strategy. */
struct plans {
	struct plan_setup setup;
	struct parallel_plan own, of[N_PLAN_STRATEGIES];
};

static bool plans_make(struct plans *p, struct arena *arena)
{
	for (int i = 0; i < N_PLAN_STRATEGIES; i++) {
		struct plan_setup other = p->setup;
		other.strategy = (enum plan_strategy)i;
		if (!plan_make(&other, &p->of[i], arena))
			return false;
	}
	p->own = p->of[p->setup.strategy];
	return true;
}

static bool is_mixture(const struct plan_setup *s)
{
	return model_experts(s->model) > 0;
}

/* --- the schedule --------------------------------------------------------------------------- */

enum {
	FORWARD,
	BACKWARD,
	WEIGHTS,
	GRADIENTS,
	OPTIMIZER,
	WAITS,
	LATER,
	OTHER_WAY = LATER, /* in place of chunks */
	PAIRED = LATER + 2,
	N_SPAN_KINDS
};

static const char *schedule_title(struct figure *fig, const struct plan_setup *s,
	const struct parallel_plan *plan, size_t shown)
{
	if (plan->pp <= 1)
		return "One replica's step";
	const char *some = (double)shown < plan->pp
				   ? figure_text(fig, ", %zu of %g stages", shown, plan->pp)
				   : "";
	return figure_text(fig, "Micro-batches 1 to %g, %s%s", plan->micro_batches,
		pipeline_names[plan_schedule(s, plan)], some);
}

/* Stages say themselves for how long they exchange gradients. */
static bool has_network_lane(const struct parallel_plan *plan)
{
	return plan->pp <= 1;
}

/* A lane for each stage that is shown, or the network's under the only one; kinds as far as the schedule
 * has them. */
static struct timeline *schedule_lanes(struct figure *fig, const struct plan_setup *s,
	const struct parallel_plan *plan, size_t shown)
{
	const char *kinds[N_SPAN_KINDS] = { "forward", "backward", "gradients of weights",
		"all-reduce", "optimizer", "bubble", "forward, later chunks",
		"backward, later chunks", "forward and backward" };
	static const enum meaning means[N_SPAN_KINDS] = { MEANS_COMPUTE, MEANS_SECOND,
		MEANS_KIND + 3, MEANS_NETWORK, MEANS_FIXED, MEANS_WAITING, MEANS_KIND + 0,
		MEANS_KIND + 5, MEANS_FOCUS };
	const char *lanes[MAX_ROWS + 1];
	bool dual = plan_schedule(s, plan) == PIPELINE_DUALPIPE;
	if (dual) {
		kinds[OTHER_WAY] = "forward, other way";
		kinds[OTHER_WAY + 1] = "backward, other way";
	}
	for (size_t i = 0; i < shown; i++)
		lanes[i] = plan->pp > 1 ? figure_text(fig, "stage %zu", i) : "compute";
	lanes[shown] = "network";
	const size_t n_lanes = shown + has_network_lane(plan);
	size_t n_kinds = dual ? N_SPAN_KINDS : plan->chunks > 1 ? PAIRED : LATER;
	struct timeline *t = figure_timeline(
		fig, schedule_title(fig, s, plan, shown), lanes, n_lanes, kinds, n_kinds);
	timeline_mean(fig, t, means, t ? t->n_kinds : 0);
	if (t)
		t->wide = true;
	return t;
}

/* A work with its micro-batch's number; of a pair the forward stands for both. */
static void draw_work(struct figure *fig, struct timeline *t, const struct pipeline_op *op)
{
	unsigned pass = op->weights ? WEIGHTS : op->backward ? BACKWARD : FORWARD;
	unsigned later = op->chunk && !op->weights ? LATER : 0;
	if (op->paired && !op->backward)
		timeline_span(fig, t, op->stage, PAIRED, op->start_s, op->end_s,
			figure_text(fig, "%u,%u", op->micro_batch + 1, op[1].micro_batch + 1));
	if (!op->paired)
		timeline_span(fig, t, op->stage, pass + later, op->start_s, op->end_s,
			figure_text(fig, "%u", op->micro_batch + 1));
}

/* Works of a stage come in order; between them is the bubble. Behind the last the stage waits, first
 * for the other stages, then for what the network still has to send, which is of its colour. */
static void draw_stage(struct figure *fig, struct timeline *t, const struct parallel_plan *plan,
	size_t stage, double reduced_s)
{
	const struct pipeline_op *ops = plan->pipeline.ops;
	const size_t from = plan->pipeline.first[stage], to = plan->pipeline.first[stage + 1];
	const double drained_s = plan->pipeline.time_s, least_s = 1e-6 * drained_s;
	const unsigned lane = (unsigned)stage;
	for (size_t i = from; i < to; i++) {
		double idle_s = i > from ? ops[i - 1].end_s : 0;
		bool shown = !(ops[i].paired && ops[i].backward); /* or it is with its forward */
		if (shown && ops[i].start_s - idle_s > least_s)
			timeline_span(fig, t, lane, WAITS, idle_s, ops[i].start_s, NULL);
		draw_work(fig, t, &ops[i]);
	}
	if (to > from && drained_s - ops[to - 1].end_s > least_s)
		timeline_span(fig, t, lane, WAITS, ops[to - 1].end_s, drained_s, NULL);
	if (to > from && reduced_s - drained_s > least_s)
		timeline_span(fig, t, lane, GRADIENTS, drained_s, reduced_s, NULL);
}

static void parallelism_draw_schedule(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	const double works = (double)plan->pipeline.first[1]; /* of a stage */
	size_t shown = (size_t)fmin(fmin(plan->pp, MAX_ROWS), fmax(2, floor(MAX_SPANS / works)));
	struct timeline *t = schedule_lanes(fig, s, plan, shown);
	figure_tab(fig, "Schedule");
	const double reduced_s = plan->step_s - plan->optimizer_s;
	for (size_t i = 0; i < shown; i++)
		draw_stage(fig, t, plan, i, reduced_s);
	if (plan->data_s > 0 && has_network_lane(plan))
		timeline_span(fig, t, (unsigned)shown, GRADIENTS, fmax(0, reduced_s - plan->data_s),
			reduced_s, NULL);
	for (size_t i = 0; i < shown; i++)
		timeline_span(fig, t, (unsigned)i, OPTIMIZER, reduced_s, plan->step_s, NULL);
	fig->duration_s = plan->step_s;
}

/* --- who holds what ------------------------------------------------------------------------- */

enum { ELSEWHERE, WHOLE, SLICE, SHARD, BOTH, OWN_BATCH, BATCH_SLICE, N_HELD };

/* The i-th of `shown` out of n indices, evenly spread, both ends among them. */
static double chosen(size_t i, size_t shown, double n)
{
	return shown > 1 ? floor((double)i * (n - 1) / (double)(shown - 1)) : 0;
}

static bool holds_slice(
	const struct parallel_plan *plan, const struct model *m, size_t stage, size_t slice)
{
	double from = (double)slice * m->layers / SLICES, to = from + m->layers / SLICES;
	for (size_t c = 0; c < (size_t)fmax(plan->chunks, plan->copies); c++) {
		double first, end;
		if (plan->copies > 1)
			plan_layers(plan, c ? plan_twin(plan, stage) : stage, 0, &first, &end);
		else
			plan_layers(plan, stage, c, &first, &end);
		if (first < to && end > from)
			return true;
	}
	return false;
}

static unsigned held_kind(const struct plan_setup *s, const struct parallel_plan *plan, int group)
{
	if (group == PLAN_ACTIVATIONS)
		return plan->tp > 1 && s->sequence_parallel ? BATCH_SLICE : OWN_BATCH;
	/* Stage 1 shards the optimizer, 2 gradients too, 3 the weights. */
	bool sharded = plan->dp > 1 && plan->zero + group > PLAN_OPTIMIZER;
	return plan->tp > 1 ? (sharded ? BOTH : SLICE) : sharded ? SHARD : WHOLE;
}

/* Slices of the layers, for each kind of bytes: who holds what. All GPUs of a stage hold as much, so
 * that a stage is one row; without stages all hold as much, and two stand for them. */
static void parallelism_draw_holders(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	double shards = plan->zero == 3 ? plan->shard : plan->dp * plan->cp;
	const char *const kinds[N_HELD] = { "elsewhere", "whole",
		figure_text(fig, "a tensor slice, 1/%g", plan->tp),
		figure_text(fig, "ZeRO, 1/%g", shards),
		figure_text(fig, "a shard of a slice, 1/%g", plan->tp * shards), "own activations",
		figure_text(fig, "1/%g of activations", plan->tp) };
	bool staged = plan->pp > 1;
	double all = staged ? plan->pp : plan->used;
	size_t rows = (size_t)fmin(all, staged ? MAX_ROWS : SOME_GPUS);
	size_t cols = GROUPS * SLICES + GROUPS - 1;
	const char *names[MAX_ROWS];
	for (size_t r = 0; r < rows; r++)
		names[r] = figure_text(fig, staged ? "stage %g" : "GPU %g", chosen(r, rows, all));
	struct grid *g = figure_grid(fig,
		figure_text(fig, "Which layers each %s holds, first to last%s",
			staged ? "stage" : "GPU",
			(double)rows < all ? figure_text(fig, " (%zu of %g)", rows, all) : ""),
		kinds, N_HELD, names, rows, cols, NULL, 1);
	static const enum meaning means[N_HELD] = { MEANS_EMPTY, MEANS_LEVEL + 7, MEANS_LEVEL + 5,
		MEANS_LEVEL + 3, MEANS_LEVEL + 2, MEANS_ACTIVATIONS, MEANS_ACTIVATIONS };
	grid_mean(fig, g, means, N_HELD);
	static const char *const groups[GROUPS] = { "weights", "gradients", "optimizer",
		"activations" };
	grid_captions(fig, g, groups, GROUPS);
	figure_tab(fig, "Holders");
	for (size_t r = 0; g && r < rows; r++)
		for (size_t c = 0; c < cols; c++) {
			size_t group = c / (SLICES + 1), slice = c % (SLICES + 1);
			size_t stage = staged ? (size_t)chosen(r, rows, all) : 0;
			if (slice < SLICES && holds_slice(plan, s->model, stage, slice))
				grid_set(g, 0, r, c, held_kind(s, plan, (int)group));
		}
}

/* --- bytes ---------------------------------------------------------------------------------- */

static const char *const part_names[N_PLAN_PARTS] = { "weights", "gradients", "optimizer",
	"activations", "gathered layers", "logits" };

static struct bar *memory_bar(
	struct figure *fig, struct bars *b, const char *label, const double bytes[])
{
	double parts[N_PLAN_PARTS];
	for (int i = 0; i < N_PLAN_PARTS; i++)
		parts[i] = bytes[i] / 1e9;
	return bars_add(fig, b, label, parts);
}

static struct bars *memory_bars(struct figure *fig, const struct plan_setup *s, const char *title)
{
	static const enum meaning means[N_PLAN_PARTS] = { MEANS_WEIGHTS, MEANS_GRADIENTS,
		MEANS_OPTIMIZER, MEANS_ACTIVATIONS, MEANS_KIND + 7, MEANS_LOGITS };
	struct bars *b = figure_bars(fig, title, "GB", part_names, N_PLAN_PARTS);
	bars_mean(fig, b, means, N_PLAN_PARTS);
	if (b) {
		b->limit = s->gpu->memory_bytes / 1e9;
		b->limit_label = s->gpu->name;
	}
	return b;
}

static double stage_bytes(const struct parallel_plan *plan, size_t stage)
{
	double sum = 0;
	for (size_t i = 0; i < N_PLAN_PARTS; i++)
		sum += plan->part_bytes[stage * N_PLAN_PARTS + i];
	return sum;
}

/* A GPU of the fullest stage beside one of the emptiest, and how many micro-batches each has in hand
 * at most: two bars say what all of them would, and stay below the schedule. The title says what the
 * line at the card's end is, which saves the row of a label. */
static void by_stage(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	struct bars *b = memory_bars(fig, s,
		figure_text(
			fig, "Memory (line: %s)", figure_quantity(fig, s->gpu->memory_bytes, "B")));
	figure_tab(fig, "Stages");
	if (b) {
		b->close = true;
		b->limit_label = NULL;
	}
	size_t ends[] = { plan->fullest, 0 };
	for (size_t i = 0; i < (size_t)plan->pp; i++)
		if (stage_bytes(plan, i) <= stage_bytes(plan, ends[1]))
			ends[1] = i;
	for (size_t i = 0; i < LENGTH(ends); i++) {
		struct bar *bar = memory_bar(fig, b, figure_text(fig, "stage %zu", ends[i]),
			plan->part_bytes + ends[i] * N_PLAN_PARTS);
		if (bar)
			bar->note = figure_text(fig, "%s, %.3g micro-batch%s in hand",
				i == 0 ? "fullest" : "emptiest", plan->pipeline.in_flight[ends[i]],
				plan->pipeline.in_flight[ends[i]] == 1 ? "" : "es");
	}
}

/* Draws what the fullest GPU holds under each strategy, against the card. */
static void parallelism_draw_memory(struct figure *fig, const struct plans *all)
{
	const struct plan_setup *s = &all->setup;
	struct bars *b = memory_bars(fig, s, "What the fullest GPU holds");
	figure_tab(fig, "Memory");
	for (int i = 0; i < N_PLAN_STRATEGIES; i++) {
		const struct parallel_plan *p = &all->of[i];
		struct bar *bar = memory_bar(
			fig, b, plan_names[i], p->part_bytes + p->fullest * N_PLAN_PARTS);
		if (bar)
			bar->role = i == (int)s->strategy ? ROLE_ACCENT : ROLE_PLAIN;
	}
}

/* Strategies take batches of different sizes: what they send and how long they take is compared for
 * each token that is trained on. */
static double tokens_of_gpu(const struct plan_setup *s, const struct parallel_plan *plan)
{
	return plan->tokens_per_s * plan->step_s * fmax(s->gpus, plan->used) / plan->used;
}

static void parallelism_draw_traffic(struct figure *fig, const struct plans *all)
{
	static const char *const names[N_PLAN_TRAFFIC] = { "gradients and weights", "inside layers",
		"between stages", "keys and values", "to experts and back" };
	static const char *const head[] = { "strategy", "memory", "sent a token", "bubble",
		"tokens/s a GPU" };
	const struct plan_setup *s = &all->setup;
	/* All of it is communication; what is exchanged between replicas has the colour that it has
	 * in the schedule, and no kind that of what lies in memory. */
	static const enum meaning means[N_PLAN_TRAFFIC] = { MEANS_NETWORK, MEANS_KIND + 6,
		MEANS_KIND + 2, MEANS_KIND + 1, MEANS_KIND + 5 };
	size_t kinds = is_mixture(s) ? N_PLAN_TRAFFIC : TRAFFIC_EXPERTS;
	struct bars *b = figure_bars(fig, "What a GPU sends for a token", "MB", names, kinds);
	bars_mean(fig, b, means, kinds);
	figure_tab(fig, "Traffic");
	struct table *table = figure_table(fig, "", head, 5, "01111");
	figure_tab(fig, "Side by side");
	for (int i = 0; i < N_PLAN_STRATEGIES; i++) {
		const struct parallel_plan *p = &all->of[i];
		double parts[N_PLAN_TRAFFIC], sum = 0, tokens = tokens_of_gpu(s, p);
		for (int j = 0; j < N_PLAN_TRAFFIC; j++) {
			parts[j] = p->traffic_bytes[j] / tokens / 1e6;
			sum += p->traffic_bytes[j] / tokens;
		}
		struct bar *bar = bars_add(fig, b, plan_names[i], parts);
		if (bar)
			bar->role = i == (int)s->strategy ? ROLE_ACCENT : ROLE_PLAIN;
		bool fits = p->memory_bytes <= s->gpu->memory_bytes;
		const char *memory = figure_text(
			fig, "%s%s", figure_quantity(fig, p->memory_bytes, "B"), fits ? "" : " !");
		const char *sent = figure_quantity(fig, sum, "B");
		const char *bubble = figure_quantity(fig, 100 * p->pipeline.bubble, "%");
		const char *rate = figure_quantity(fig, p->tokens_per_s, "");
		table_row(
			fig, table, (const char *[]){ plan_names[i], memory, sent, bubble, rate });
	}
}

/* --- values and words ------------------------------------------------------------------------ */

/* The same of two ways, of layers dealt evenly, on a middle stage, which waits longest: m - p - 1 of its
 * forwards have a backward beside them. */
static double dual_bubble(const struct parallel_plan *plan)
{
	const struct step_time *t = &plan->time;
	double forward = t->forward_s + t->gather_s / 3;
	double backward = t->backward_s + t->gather_s * 2 / 3;
	double pair = plan->pair_s;
	double idle = CALL(dualpipe_bubble, .stages = plan->pp, .pair_time = pair,
		.backward_time = backward, .weights_time = t->weights_s);
	double pairs = plan->micro_batches - plan->pp - 1;
	double busy = pairs * pair + (plan->micro_batches - pairs) * (forward + backward);
	return idle / (busy + idle);
}

/* The bubble by the formula, as a share of the step. Gradients of weights, a third of the work where
 * all are equal, fill two thirds of it (ZB-H1). */
static double formula_bubble(const struct plan_setup *s, const struct parallel_plan *plan)
{
	if (plan->copies > 1)
		return dual_bubble(plan);
	bool fills = plan_schedule(s, plan) == PIPELINE_ZERO_BUBBLE;
	return CALL(pipeline_bubble, .stages = plan->pp,
		.microbatches = (fills ? TRAINING_PASSES : 1) * plan->chunks * plan->micro_batches);
}

static double most_in_flight(const struct parallel_plan *plan)
{
	double most = 0;
	for (size_t i = 0; i < (size_t)plan->pp; i++)
		most = fmax(most, plan->pipeline.in_flight[i]);
	return most;
}

/* What a setting suffers from most; the sentence and the first value are about it. */
enum trouble { IMPOSSIBLE, IDLE, NO_ROOM, EXPOSED, BUBBLE, NO_TROUBLE };

static double exposed_s(const struct parallel_plan *plan)
{
	return plan->data_exposed_s + plan->tensor_s + plan->dispatch_s;
}

static enum trouble trouble_of(const struct plan_setup *s, const struct parallel_plan *plan)
{
	return plan->used > s->gpus                        ? IMPOSSIBLE
	       : plan->used < s->gpus                      ? IDLE
	       : plan->memory_bytes > s->gpu->memory_bytes ? NO_ROOM
	       : exposed_s(plan) > 0.3 * plan->step_s      ? EXPOSED
	       : plan->pipeline.bubble > 0.2               ? BUBBLE
							   : NO_TROUBLE;
}

/* Whether a stage hands its outputs on more slowly than it computes them. */
static bool waits_for_transfers(const struct plan_setup *s, const struct parallel_plan *plan)
{
	double busy_s = plan->step_s * (1 - plan->pipeline.bubble) / plan->micro_batches;
	return s->transfers && 2 * plan->chunks * plan->time.transfer_s > busy_s;
}

static void value_of_bubble(struct figure *fig, const struct parallel_plan *plan)
{
	/* Sums of times differ in digits that nobody sees; two settings of one bubble must not. */
	double bubble = round(100e9 * plan->pipeline.bubble) / 1e9;
	value_note(figure_value(fig, "bubble_pct", "bubble", bubble, "%",
			   bubble > 20 ? ROLE_WARN : ROLE_PLAIN),
		"of the pipeline's time");
}

static void value_of_exposed(struct figure *fig, const struct parallel_plan *plan)
{
	double s = exposed_s(plan);
	value_note(figure_value(fig, "exposed_ms", "communication", s * 1e3, "ms",
			   s > 0.2 * plan->step_s ? ROLE_WARN : ROLE_PLAIN),
		"not hidden");
}

/* The others of a plan, which explain. */
static void expert_values(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	if (!is_mixture(s))
		return;
	figure_value(fig, "ep", "expert groups", plan->ep, "", ROLE_DIM);
	value_note(figure_value(fig, "dispatch_ms", "tokens on the way", 1e3 * plan->dispatch_s,
			   "ms", ROLE_DIM),
		"not hidden");
	figure_value(fig, "host_ms", "waits for host", 1e3 * plan->host_s, "ms", ROLE_DIM);
}

static void detail_values(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	static const char *const ids[] = { "weights_GB", "gradients_GB", "optimizer_GB",
		"activations_GB", "gathered_GB", "logits_GB" };
	static const char *const labels[] = { "weights", "gradients", "optimizer", "activations",
		"gathered layers", "logits" };
	for (int i = 0; i < N_PLAN_PARTS; i++)
		figure_value(fig, ids[i], labels[i],
			plan->part_bytes[plan->fullest * N_PLAN_PARTS + (size_t)i] / 1e9, "GB",
			ROLE_DIM);
	figure_value(fig, "fits", "fits", plan->memory_bytes <= s->gpu->memory_bytes, "yes/no",
		ROLE_DIM);
	figure_value(fig, "dp", "replicas", plan->dp, "", ROLE_DIM);
	figure_value(fig, "global_batch", "sequences a step",
		plan->dp * plan->micro_batches * s->batch, "", ROLE_DIM);
	figure_value(fig, "mfu_pct", "MFU", 100 * plan->mfu, "%", ROLE_DIM);
	expert_values(fig, s, plan);
	value_note(figure_value(fig, "bubble_formula_pct", "with equal stages",
			   100 * formula_bubble(s, plan), "%", ROLE_DIM),
		"by formula");
}

static void values(struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	enum trouble trouble = trouble_of(s, plan);
	bool fits = plan->memory_bytes <= s->gpu->memory_bytes;
	double sent = 0;
	for (int i = 0; i < N_PLAN_TRAFFIC; i++)
		sent += plan->traffic_bytes[i];
	if (trouble == BUBBLE)
		value_of_bubble(fig, plan);
	if (trouble == EXPOSED)
		value_of_exposed(fig, plan);
	value_note(figure_value(fig, "memory_GB", "fullest GPU", plan->memory_bytes / 1e9, "GB",
			   fits ? ROLE_GOOD : ROLE_BAD),
		figure_text(fig, "of %s", figure_quantity(fig, s->gpu->memory_bytes / 1e9, "")));
	if (trouble != BUBBLE)
		value_of_bubble(fig, plan);
	figure_value(fig, "step_ms", "step", plan->step_s * 1e3, "ms", ROLE_PLAIN);
	value_note(figure_value(fig, "tokens_per_s", "tokens/s", plan->tokens_per_s, "token/s",
			   ROLE_PLAIN),
		"a GPU");
	value_note(figure_value(fig, "in_flight", "micro-batches held", most_in_flight(plan), "",
			   ROLE_PLAIN),
		"at most");
	if (trouble != EXPOSED)
		value_of_exposed(fig, plan);
	figure_value(fig, "traffic_GB", "sent per step", sent / 1e9, "GB", ROLE_PLAIN);
	detail_values(fig, s, plan);
}

/* GB without their unit, as the value beside the figure has them. */
static const char *gigabytes(struct figure *fig, double bytes)
{
	return figure_quantity(fig, bytes / 1e9, "");
}

/* What would fit where more ran again: " Selective recomputation takes 45 GB.", or "" where nothing does. */
static const char *kept_less(struct figure *fig, const struct plan_setup *s)
{
	static const char *const names[N_RECOMPUTE] = { "", "Selective", "Full" };
	for (int r = (int)s->recompute + 1; r < N_RECOMPUTE; r++) {
		struct plan_setup again = *s;
		struct parallel_plan plan;
		again.recompute = (enum recompute)r;
		if (!plan_memory(&again, &plan, &fig->arena))
			return "";
		if (plan.memory_bytes <= s->gpu->memory_bytes)
			return figure_text(fig, " %s recomputation takes %s GB.", names[r],
				gigabytes(fig, plan.memory_bytes));
	}
	return "";
}

/* What filling and draining costs, and what twice the micro-batches would leave of it. */
static const char *fills_and_drains(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	const char *cost = figure_text(
		fig, "GPUs idle %.3g %% of the time, the bubble", 100 * plan->pipeline.bubble);
	struct plan_setup more = *s;
	struct parallel_plan twice;
	more.micro_batches = 2 * plan->micro_batches;
	if (more.micro_batches > MOST_MICRO_BATCHES)
		return figure_text(fig, "%s, and %d micro-batches are the most that are run here.",
			cost, MOST_MICRO_BATCHES);
	if (!plan_make(&more, &twice, &fig->arena))
		return figure_text(fig, "%s.", cost);
	const bool fits = twice.memory_bytes <= s->gpu->memory_bytes;
	return figure_text(fig, "%s: twice the micro-batches %s %.2g %%%s", cost,
		fits ? "leave" : "would leave", 100 * twice.pipeline.bubble,
		fits ? "." : ", but do not fit.");
}

static void explain(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	const double *part = plan->part_bytes + plan->fullest * N_PLAN_PARTS;
	size_t largest = 0;
	static const char *const what[] = { "weights", "gradients", "optimizer state",
		"the activations of a replica's own batch", "gathered layers", "the logits" };
	for (size_t i = 1; i < N_PLAN_PARTS; i++)
		largest = part[i] > part[largest] ? i : largest;
	switch (trouble_of(s, plan)) {
	case IMPOSSIBLE:
		figure_why(fig,
			"There %s, and one replica takes %g: %g x %g x %g. The figure "
			"shows one such replica.",
			s->gpus == 1 ? "is one GPU" : figure_text(fig, "are %g GPUs", s->gpus),
			plan->used, plan->tp, plan->pp, plan->cp);
		return;
	case IDLE:
		figure_why(fig,
			"%g of %g GPUs stand idle: replicas take %g each, and %g fit. MFU counts "
			"all that are paid for: %.3g %%.",
			s->gpus - plan->used, s->gpus, plan->tp * plan->pp * plan->cp, plan->dp,
			100 * plan->mfu);
		return;
	case NO_ROOM:
		figure_why(fig,
			"It does not fit: the fullest GPU needs %s GB of %s. %.0f %% of that is "
			"%s.%s",
			gigabytes(fig, plan->memory_bytes), gigabytes(fig, s->gpu->memory_bytes),
			100 * part[largest] / plan->memory_bytes, what[largest],
			largest == PLAN_ACTIVATIONS ? kept_less(fig, s) : "");
		return;
	case EXPOSED:
		figure_why(fig,
			"It fits, but %s of a step of %s are communication that nothing hides, %s.",
			figure_quantity(fig, exposed_s(plan), "s"),
			figure_quantity(fig, plan->step_s, "s"),
			plan->dispatch_s > fmax(plan->tensor_s, plan->data_exposed_s)
				? "as tokens travel to their experts and back"
			: plan->tensor_s > plan->data_exposed_s
				? plan->tp > s->net.gpus_per_node
					  ? "because the tensor group leaves the node"
					  : "inside layers, where the result is needed at once"
				: "between replicas");
		return;
	case BUBBLE:
		if (waits_for_transfers(s, plan)) {
			figure_why(fig,
				"The stages wait %.3g %% of the pipeline's time, most of it for what "
				"they hand on: %s from one to the next, for each micro-batch and way.",
				100 * plan->pipeline.bubble,
				figure_quantity(fig, plan->time.transfer_s, "s"));
			return;
		}
		if (plan->pipeline.bubble > 2 * formula_bubble(s, plan)) {
			figure_why(fig,
				"The stages wait %.3g %% of the pipeline's time, and %.3g %% would do "
				"if they were equal: %g layers do not divide by %g.",
				100 * plan->pipeline.bubble, 100 * formula_bubble(s, plan),
				s->model->layers, plan->pp * plan->chunks);
			return;
		}
		figure_why(fig, "%s", fills_and_drains(fig, s, plan));
		return;
	default:
		figure_why(fig,
			"It fits and runs at %.3g %% of the GPU's peak: %scommunication that nothing "
			"hides takes %.3g %% of the step.",
			100 * plan->mfu,
			plan->pp > 1
				? figure_text(fig, "the bubble takes %.3g %% of the pipeline, ",
					  100 * plan->pipeline.bubble)
				: "",
			100 * exposed_s(plan) / plan->step_s);
	}
}

static void warn_of_experts(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	if (!is_mixture(s)) {
		if (s->ep > 1)
			figure_note(fig, ROLE_WARN, "%s has no routed experts: ep changes nothing.",
				s->model->name);
		return;
	}
	if (s->ep > 0 && s->ep != plan->ep)
		figure_note(fig, ROLE_WARN,
			"Experts and GPUs of a stage divide into %g groups, not into %g.", plan->ep,
			s->ep);
	if (s->capacity > 0 && s->hot > s->capacity)
		figure_note(fig, ROLE_WARN,
			"The busiest group drops %.0f %% of its rows: they pass their layer "
			"unchanged.",
			100 * (1 - s->capacity / s->hot));
	if (plan->host_s > 0.1 * plan->step_s)
		figure_note(fig, ROLE_WARN,
			"%.0f %% of the step the GPU waits for the host that leads tokens to their "
			"experts: larger micro-batches or CUDA graphs shorten that.",
			100 * plan->host_s / plan->step_s);
}

static void warn(struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	if (s->strategy == PLAN_PP && s->gpus > s->model->layers)
		figure_note(fig, ROLE_WARN,
			"%g layers make at most that many stages; there are %g replicas of the "
			"pipeline.",
			s->model->layers, plan->dp);
	if (plan->tp > s->model->heads)
		figure_note(fig, ROLE_WARN,
			"%s has %g heads: %g GPUs cannot share its attention, the figure divides "
			"all the same.",
			s->model->name, s->model->heads, plan->tp);
	if (plan->micro_batches != s->micro_batches)
		figure_note(fig, ROLE_WARN,
			plan->copies > 1
				? "DualPipe takes two micro-batches a stage or more, for %g stages: "
				  "%g are run instead of %g."
				: "Interleaving deals micro-batches in groups of %g stages: %g are run "
				  "instead of %g.",
			plan->pp, plan->micro_batches, s->micro_batches);
	if (s->schedule == PIPELINE_DUALPIPE && plan->pp > 1 && plan->copies <= 1)
		figure_note(fig, ROLE_WARN,
			"DualPipe folds its stages in two: %g are odd, and 1F1B is run.", plan->pp);
	if (s->schedule == PIPELINE_INTERLEAVED && plan->pp > 1 && plan->chunks != s->chunks)
		figure_note(fig, ROLE_WARN, "A stage has layers for %g chunks, not for %g.",
			plan->chunks, s->chunks);
	if (fmod(s->model->layers, plan->pp * plan->chunks) > 0)
		figure_note(fig, ROLE_DIM,
			"%g layers do not divide evenly over %g stages: those in between take one "
			"more than the ends, which have the embedding and the vocabulary besides.",
			s->model->layers, plan->pp * plan->chunks);
	warn_of_experts(fig, s, plan);
	char lack[160];
	if (*step_recipe_lack(s->recipe, s->gpu, lack, sizeof lack))
		figure_note(fig, ROLE_WARN, "%s", lack);
}

static void assume_parts(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	if (s->model->made_of->mtp_params > 0)
		figure_assume(fig,
			"one head for a further token is trained, on the last stage: a layer and "
			"the vocabulary once more");
	if (is_mixture(s))
		figure_assume(fig,
			"experts in %g group%s, dispatched in 16 bits; layers cost what the mean of "
			"all does",
			plan->ep, plan->ep == 1 ? "" : "s");
	else
		figure_assume(fig, "layers cost what the mean of all kinds does");
}

static void assume_recipe(struct figure *fig, const struct plan_setup *s)
{
	const struct step_recipe *r = s->recipe;
	if (r->dtype == DTYPE_BF16 || !step_recipe_exists(r, s->gpu)) {
		figure_assume(fig, "BF16 weights and gradients, 12 B of AdamW per parameter");
		return;
	}
	figure_assume(fig, "%s: %s", step_recipe_name(r), r->keeps);
	figure_assume(fig,
		"of it %.3g B a weight of layers, all copies, %.3g B a value kept of products' "
		"inputs, %.3g B moved to round one, %.3g B of AdamW with FP32 master weights",
		r->weight_bytes, r->input_bytes, r->rounding_bytes, FP32_BYTES + r->moment_bytes);
	figure_leave_out(fig, "rounding of weights, once a step, and gathering them narrow");
}

static void moments(struct figure *fig, const struct parallel_plan *plan)
{
	const struct pipeline *p = &plan->pipeline;
	const size_t *first = p->first + (size_t)plan->pp - 1;
	const struct pipeline_op *last = p->ops + first[0];
	size_t back = 0;
	while (back < first[1] - first[0] && !last[back].backward)
		back++;
	figure_moment(fig, 0, "%s",
		plan->pp > 1
			? "The first micro-batch enters; the other stages have nothing to do yet"
			: "Forward: activations pile up");
	figure_moment(fig, last[back].start_s, "%s",
		plan->pp > 1 ? "The last stage turns round: its first backward frees what it held"
			     : "Backward: activations go, gradients come");
	if (plan->data_s > 0 && plan->data_exposed_s > 0)
		figure_moment(fig, p->time_s, "What is left of the gradients' exchange shows");
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct plans all = { .setup = setup_of(t, v) };
	if (!plans_make(&all, &fig->arena))
		return;
	const struct plan_setup s = all.setup;
	const struct parallel_plan plan = all.own;
	figure_subtitle(fig, "%s · %g x %g x %g GPUs", s.model->name, plan.tp, plan.pp, plan.dp);
	values(fig, &s, &plan);
	explain(fig, &s, &plan);
	note_windows(fig, s.model, s.seq);
	note_domain(fig, s.gpu, s.net.gpus_per_node);
	/* Without stages nobody waits in a schedule: what counts is what the GPUs hold. */
	if (plan.pp > 1) {
		parallelism_draw_schedule(fig, &s, &plan);
		by_stage(fig, &s, &plan);
		parallelism_draw_memory(fig, &all);
		parallelism_draw_holders(fig, &s, &plan);
	} else {
		parallelism_draw_memory(fig, &all);
		parallelism_draw_holders(fig, &s, &plan);
		parallelism_draw_schedule(fig, &s, &plan);
	}
	parallelism_draw_traffic(fig, &all);
	moments(fig, &plan);
	warn(fig, &s, &plan);
	assume_recipe(fig, &s);
	if (plan.copies > 1)
		figure_assume(fig,
			"DualPipe: each stage's GPUs hold two pieces of the model; a forward beside a "
			"backward takes what both compute, while tokens travel by 20 SMs, or as long "
			"as these do");
	figure_assume(fig, "software of %.4s: %s", software_labels[(size_t)v[SOFTWARE]],
		software_says(v[SOFTWARE]));
	figure_assume(fig,
		"gradients hide behind the last backward, gathered weights behind everything, as "
		"far as measured steps show");
	figure_leave_out(fig, "workspaces, fragmentation and the CUDA context");
	if (plan.pp > 1 && plan.memory_bytes > s.gpu->memory_bytes)
		figure_leave_out(fig,
			"tensors of a layer that are freed before its backward, and schedules that "
			"hold fewer micro-batches: so Llama 3 405B fitted without running anything "
			"again (its report, 2024)");
	figure_leave_out(fig, "stragglers");
	if (s.model->made_of)
		assume_parts(fig, &s, &plan);
	overlay_error(fig, t, "training", s.model->made_of ? "mixtures" : "-mixtures", 0,
		"training steps");
}

const struct sim parallelism_sim = {
	.id = "parallelism",
	.title = "Parallelism",
	.summary = "Who holds and who sends which bytes under DDP, ZeRO, TP, PP; the pipeline's "
		   "bubble",
	.page = "distributed",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(MICRO_BATCHES, STRATEGY, GPUS, TP, PP, ZERO, MODEL),
	.try = "Turn micro-batches from 8 to 32. What is left of the bubble?",
	.run = run,
};
