/* Parallelism (W5, C6, F5.4 to F5.8): who holds which bytes, who sends them, and the pipeline's
 * bubble, measured on a schedule that is run. */
#include "sims/scaling/parallelism.h"

#include "sims/constants.h"
#include "sims/formulas/communication.h"
#include "sims/quantity/quantity.h"
#include "sims/figure/sim.h"
#include "sims/knobs.h"

#include <math.h>

enum {
	STRATEGY,
	MODEL,
	GPUS,
	TP,
	PP,
	ZERO,
	SCHEDULE,
	MICRO_BATCHES,
	VIRTUAL,
	BATCH,
	SEQ,
	GPU,
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
static const char *const schedule_ids[] = { "gpipe", "1f1b", "interleaved", NULL };
static const char *const checkpointing_ids[] = { "none", "full", NULL };

static const struct knob knobs[N_KNOBS] = {
	[STRATEGY] = KNOB_CHOICE_OF("strategy", "strategy", strategy_ids, strategy_labels, "3d",
		"DDP copies everything, ZeRO shards state, TP cuts layers, PP deals them out; "
		"each of the single ones takes all GPUs for itself"),
	[MODEL] = KNOB_ANY_MODEL("model", "model", "llama2-70b",
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
	[ZERO] = KNOB_WHOLE("zero", "ZeRO stage", "", 0, 3, 1,
		"over the replicas: 1 shards the optimizer, 2 gradients too, 3 weights too, which "
		"are then gathered in every micro-batch",
		.zero = "none", .when = { WHEN(STRATEGY, PLAN_3D) }),
	[SCHEDULE] = KNOB_CHOICE_OF("schedule", "schedule", schedule_ids, pipeline_names, "1f1b",
		"1F1B has GPipe's bubble but holds p micro-batches instead of m; interleaving "
		"cuts the bubble by v and sends v times as often",
		.when = { WHEN(STRATEGY, PLAN_PP, PLAN_3D) }),
	[MICRO_BATCHES] = KNOB_DOUBLING("micro_batches", "micro-batches", "", 1, 128, 8,
		"more of them fill the pipeline: the bubble is (p-1)/(m+p-1); without a pipeline "
		"they are accumulated"),
	[VIRTUAL] = KNOB_DOUBLING("virtual_stages", "chunks per stage", "", 1, 8, 2,
		"each stage takes v thinner pieces of the model in turn, so that the pipeline "
		"fills v times as fast",
		.when = { WHEN(SCHEDULE, PIPELINE_INTERLEAVED) }),
	[BATCH] = KNOB_DOUBLING("batch", "micro-batch", "", 1, 256, 1,
		"sequences that one replica takes at a time: activations grow with it"),
	[SEQ] = KNOB_DOUBLING("seq", "sequence", "token", 128, 131072, 4096,
		"activations, and what a tensor group and a pipeline send, grow with it; "
		"gradients do not"),
	[GPU] = KNOB_ANY_GPU("a100",
		"its memory is the line across the bars; a faster one leaves less to hide behind"),
	[CHECKPOINTING] = KNOB_CHOICE_OF("checkpointing", "checkpointing", checkpointing_ids, NULL,
		"none",
		"full keeps each layer's input only and runs forward again: a third more compute, "
		"and the tensor group's all-reduces once more"),
	[SEQUENCE] = KNOB_SWITCH("sequence_parallel", "sequence par.", 1,
		"cuts norms and residuals along the sequence too: without it 10 of 34 parts of "
		"the activations stay whole on every GPU",
		.when = { WHEN(STRATEGY, PLAN_TP, PLAN_3D) }),
	[TRANSFERS] = KNOB_SWITCH("transfers", "stage transfers", 0,
		"off: stages hand over in no time, the bubble is the formula's; on: each "
		"hand-over takes its link's time, and interleaving pays v times",
		.when = { WHEN(STRATEGY, PLAN_PP, PLAN_3D) }),
	[GPUS_PER_NODE] = KNOB_DOUBLING("gpus_per_node", "GPUs per node", "", 1, 72, 8,
		"a tensor group that leaves the node sends over the network"),
	[INTER] = KNOB_FACTOR("inter_GBps", "network per GPU", "GB/s", 0.1, 1000, 25,
		HALF_AN_OCTAVE, "200 Gb/s are 25 GB/s; gradients and stages cross it"),
	[LATENCY] = KNOB_FACTOR("latency_us", "latency", "us", 0.1, 1000, NETWORK_LATENCY_US,
		HALF_AN_OCTAVE, "of a hop between nodes: it counts in many small messages"),
};

static struct plan_setup setup_of(const struct tables *t, const double v[])
{
	const struct accelerator *gpu = &t->gpus[(size_t)v[GPU]];
	return (struct plan_setup){ .model = &t->models[(size_t)v[MODEL]],
		.gpu = gpu,
		.net = network_measured(gpu->family, v[GPUS_PER_NODE], gpu->link_bandwidth,
			v[INTER] * 1e9, v[LATENCY] * 1e-6),
		.strategy = (enum plan_strategy)v[STRATEGY],
		.gpus = v[GPUS],
		.tp = v[TP],
		.pp = v[PP],
		.zero = (int)v[ZERO],
		.schedule = (enum pipeline_kind)v[SCHEDULE],
		.micro_batches = v[MICRO_BATCHES],
		.chunks = v[VIRTUAL],
		.batch = v[BATCH],
		.seq = v[SEQ],
		.checkpointing = v[CHECKPOINTING] > 0,
		.sequence_parallel = v[SEQUENCE] > 0,
		.transfers = v[TRANSFERS] > 0 };
}

/* F5.6 as a share of the step. */
static double formula_bubble(const struct parallel_plan *plan)
{
	return CALL(pipeline_bubble, .stages = plan->pp,
		.microbatches = plan->chunks * plan->micro_batches);
}

static double most_in_flight(const struct parallel_plan *plan)
{
	double most = 0;
	for (size_t i = 0; i < (size_t)plan->pp; i++)
		most = fmax(most, plan->pipeline.in_flight[i]);
	return most;
}

static void values(struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	static const char *const ids[] = { "weights_GB", "gradients_GB", "optimizer_GB",
		"activations_GB", "gathered_GB" };
	static const char *const labels[] = { "parameters", "gradients", "optimizer", "activations",
		"gathered layers" };
	bool fits = plan->memory_bytes <= s->gpu->memory_bytes;
	double sent = 0, exposed_s = plan->data_exposed_s + plan->tensor_s;
	for (int i = 0; i < N_PLAN_TRAFFIC; i++)
		sent += plan->traffic_bytes[i];
	value_note(figure_value(fig, "memory_GB", "fullest GPU", plan->memory_bytes / 1e9, "GB",
			   fits ? ROLE_GOOD : ROLE_BAD),
		fits ? "fits" : "does not fit");
	value_note(figure_value(fig, "bubble_pct", "bubble", 100 * plan->pipeline.bubble, "%",
			   plan->pipeline.bubble > 0.2 ? ROLE_WARN : ROLE_PLAIN),
		plan->pp > 1 ? "as the schedule ran" : "no pipeline");
	figure_value(fig, "bubble_formula_pct", "by formula", 100 * formula_bubble(plan), "%",
		ROLE_PLAIN);
	value_note(
		figure_value(fig, "in_flight", "in flight", most_in_flight(plan), "", ROLE_PLAIN),
		"micro-batches, at most");
	figure_value(fig, "traffic_GB", "sent per step", sent / 1e9, "GB", ROLE_PLAIN);
	value_note(figure_value(fig, "exposed_ms", "exposed comm", exposed_s * 1e3, "ms",
			   exposed_s > 0.2 * plan->step_s ? ROLE_WARN : ROLE_PLAIN),
		figure_text(fig, "%.3g %% of the step", 100 * exposed_s / plan->step_s));
	figure_value(fig, "step_ms", "step", plan->step_s * 1e3, "ms", ROLE_PLAIN);
	for (int i = 0; i < N_PLAN_PARTS; i++)
		figure_value(fig, ids[i], labels[i],
			plan->part_bytes[plan->fullest * N_PLAN_PARTS + (size_t)i] / 1e9, "GB",
			ROLE_PLAIN);
	figure_value(fig, "fits", "fits", fits, "yes/no", fits ? ROLE_GOOD : ROLE_BAD);
	figure_value(fig, "dp", "replicas", plan->dp, "", ROLE_PLAIN);
	figure_value(fig, "global_batch", "sequences a step",
		plan->dp * plan->micro_batches * s->batch, "", ROLE_PLAIN);
	figure_value(fig, "mfu_pct", "MFU", 100 * plan->mfu, "%", ROLE_PLAIN);
}

static void explain(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	const double *part = plan->part_bytes + plan->fullest * N_PLAN_PARTS;
	size_t largest = 0;
	static const char *const what[] = { "parameters", "gradients", "optimizer state",
		"the activations of a replica's own batch", "gathered layers" };
	for (size_t i = 1; i < N_PLAN_PARTS; i++)
		largest = part[i] > part[largest] ? i : largest;
	double share = 100 * part[largest] / plan->memory_bytes;
	double shown_s = plan->data_exposed_s + plan->tensor_s;
	if (plan->memory_bytes > s->gpu->memory_bytes)
		figure_why(fig,
			"It does not fit: the fullest GPU needs %.3g GB of %.3g, and %.0f %% of "
			"that is %s.",
			plan->memory_bytes / 1e9, s->gpu->memory_bytes / 1e9, share, what[largest]);
	else if (shown_s > 0.3 * plan->step_s)
		figure_why(fig,
			"It fits, but %.0f %% of the step is communication that nothing hides, %s.",
			100 * shown_s / plan->step_s,
			plan->tensor_s > plan->data_exposed_s
				? plan->tp > s->net.gpus_per_node
					  ? "because the tensor group leaves the node"
					  : "inside layers, where the result is needed at once"
				: "between replicas");
	else if (plan->pipeline.bubble > 0.2)
		figure_why(fig,
			"It fits; %.1f %% of the step stages wait for the pipeline to fill and "
			"drain: more micro-batches, or chunks, shorten that.",
			100 * plan->pipeline.bubble);
	else
		figure_why(fig,
			"It fits with %.3g GB to spare; the bubble takes %.1f %%, exposed "
			"communication %.1f %% of the step.",
			(s->gpu->memory_bytes - plan->memory_bytes) / 1e9,
			100 * plan->pipeline.bubble, 100 * shown_s / plan->step_s);
}

static void warn(struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan)
{
	if (plan->used > s->gpus)
		figure_note(fig, ROLE_WARN,
			"One replica takes %g x %g = %g GPUs; there are %g. The figure shows one.",
			plan->tp, plan->pp, plan->used, s->gpus);
	else if (plan->used < s->gpus)
		figure_note(fig, ROLE_WARN, "%g of %g GPUs are idle: replicas take %g each.",
			s->gpus - plan->used, s->gpus, plan->tp * plan->pp);
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
			"Interleaving deals micro-batches in groups of %g stages: %g are run "
			"instead of %g.",
			plan->pp, plan->micro_batches, s->micro_batches);
	if (s->schedule == PIPELINE_INTERLEAVED && plan->pp > 1 && plan->chunks != s->chunks)
		figure_note(fig, ROLE_WARN, "A stage has layers for %g chunks, not for %g.",
			plan->chunks, s->chunks);
	if (fmod(s->model->layers, plan->pp * plan->chunks) > 0)
		figure_note(fig, ROLE_DIM,
			"%g layers do not divide evenly: some stages are longer, and the bubble is "
			"more than the formula's.",
			s->model->layers);
}

static void moments(struct figure *fig, const struct parallel_plan *plan)
{
	const struct pipeline *p = &plan->pipeline;
	size_t per_stage = p->n_ops / (size_t)plan->pp;
	const struct pipeline_op *last = p->ops + (p->n_ops - per_stage);
	size_t back = 0;
	while (back < per_stage && !last[back].backward)
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
	struct plan_setup s = setup_of(t, v);
	struct parallel_plan plan;
	if (!plan_make(&s, &plan, &fig->arena))
		return;
	figure_subtitle(fig, "%s · %g x %g x %g GPUs", s.model->name, plan.tp, plan.pp, plan.dp);
	values(fig, &s, &plan);
	explain(fig, &s, &plan);
	if (plan.pp > 1)
		parallelism_draw_schedule(fig, &s, &plan);
	parallelism_draw_holders(fig, &s, &plan);
	parallelism_draw_memory(fig, &s, &plan);
	if (plan.pp <= 1)
		parallelism_draw_schedule(fig, &s, &plan);
	parallelism_draw_traffic(fig, &s);
	moments(fig, &plan);
	warn(fig, &s, &plan);
	figure_assume(
		fig, "BF16 weights and gradients, 12 B of AdamW per parameter, flash attention");
	figure_assume(fig, "matmul speed as measured; embedding and head take memory, no time");
	figure_assume(fig,
		"a tensor group's all-reduces are exposed; gradients hide behind the last "
		"backward, ZeRO-3's gathers behind everything");
	figure_leave_out(fig, "logits, workspaces, fragmentation and the CUDA context");
	figure_leave_out(fig, "context and expert parallelism, stragglers");
}

const struct sim parallelism_sim = {
	.id = "parallelism",
	.title = "Parallelism",
	.summary = "Who holds and who sends which bytes under DDP, ZeRO, TP, PP; the pipeline's "
		   "bubble",
	.page = "distributed",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.run = run,
};
