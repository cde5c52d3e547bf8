/* The map of the whole system: one component after another from the data of the fleet to the car
 * and the server; where the time of each goes, by the models of the other simulations; and what a
 * technique could gain there at most, which is Amdahl's law on the part that it touches. */
#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/base/stats.h"
#include "sims/formulas/measurement.h"
#include "sims/figure/sim.h"
#include "sims/knobs.h"
#include "sims/gpu/engine.h"
#include "sims/training/training.h"
#include "sims/driving/driving.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum { COMPONENT, GPUS, GPU, WORKLOAD, INTER, MODEL, BATCH, CONTEXT, PLATFORM, FPS, N_KNOBS };
enum { DATA, TRAINING, PROFILING, COMPRESSION, PREFILL, SERVING, VEHICLE, N_COMPONENTS };

static const char *const components[] = { "data", "training", "profiling", "compression",
	"inference", "serving", "vehicle", NULL };
static const char *const component_names[] = { "data", "training", "profiling", "compression",
	"inference", "serving", "vehicle" };
static const char *const workload_names[] = { "ResNet-50", "BERT-large", "Llama-2 7B",
	"Llama-3 70B", "GPT-3 175B" };

static const struct knob knobs[N_KNOBS] = {
	[COMPONENT] = KNOB_CHOICE_OF("component", "component", components, component_names,
		"training",
		"what can be done there, by how much it could help at most, and where to read and "
		"practise it"),
	[GPUS] = KNOB_DOUBLING("gpus", "GPUs", "", 1, 4096, 8,
		"training is the only component that they change: what they add in communication "
		"is a larger target for everything that hides it",
		.group = "training"),
	[GPU] = KNOB_ANY_GPU("a100",
		"a faster one moves every component towards what is not arithmetic",
		.group = "training"),
	[WORKLOAD] = KNOB_CHOICE_OF("workload", "trained", workload_ids, workload_names, "resnet50",
		"images wait for CPUs, language models for the network", .group = "training"),
	[INTER] = KNOB_FACTOR("inter_GBps", "network per GPU", "GB/s", 0.1, 400,
		NETWORK_CARD_GB_PER_S, 2, "between nodes of eight", .group = "training"),
	[MODEL] = KNOB_ANY_MODEL("model", "served", "llama3-8b",
		"its weights are what every decode step reads", .group = "serving"),
	[BATCH] = KNOB_DOUBLING("batch", "batch", "", 1, 512, 16,
		"shares the reading of the weights, not that of the caches", .group = "serving"),
	[CONTEXT] = KNOB_DOUBLING("context", "context", "token", 128, 32768, 2048,
		"each sequence reads its own cache", .group = "serving"),
	[PLATFORM] = KNOB_CHOICE_OF("platform", "car", platform_ids, platform_names, "orin",
		"the frame's deadline stays where it is", .group = "driving"),
	[FPS] = KNOB_LINEAR("fps", "frames per second", "", 5, 120, 30, 5,
		"the deadline of a frame is one over it", .group = "driving"),
};

/* Where the time of a component goes. */
enum { ARITHMETIC, MEMORY, COMMUNICATION, WAITING, N_PARTS };
static const char *const part_names[N_PARTS] = { "arithmetic", "memory", "communication",
	"waiting" };

struct component {
	double part_s[N_PARTS];
	const char *unit_of_work; /* "a step", "a token" */
};

static double sum(const double x[], size_t n)
{
	double total = 0;
	for (size_t i = 0; i < n; i++)
		total += x[i];
	return total;
}

static struct training_step step_of(const struct tables *t, const double v[])
{
	const struct accelerator *g = gpu_at(t, v[GPU]);
	struct network net = network_measured(
		g->family, NODE_GPUS, g->link_bandwidth, v[INTER] * 1e9, NETWORK_LATENCY_S);
	struct training tr = training_defaults(&workloads[(size_t)v[WORKLOAD]], g, net);
	tr.gpus = v[GPUS];
	tr.global_batch = tr.workload->gpu_batch * v[GPUS];
	tr.overlap = 0.9;
	tr.jitter = 0.02;
	return training_step(&tr);
}

/* The roofline splits what is computed: the share of matrix products is arithmetic, the rest moves
 * tensors. */
static struct component training_of(const struct tables *t, const double v[])
{
	struct training_step s = step_of(t, v);
	double products = workloads[(size_t)v[WORKLOAD]].matmul_share;
	return (struct component){ { s.compute_s * products,
					   s.compute_s * (1 - products) + s.fixed_s, s.exposed_s,
					   s.straggler_s + s.input_wait_s },
		"a step" };
}

/* The loader's side of the same step: the CPUs prepare samples while the GPUs compute, or the GPUs
 * wait for them. */
static struct component data_of(const struct tables *t, const double v[])
{
	struct training_step s = step_of(t, v);
	return (struct component){ { 0, 0, 0, s.input_wait_s }, "a step" };
}

static struct component decode_of(
	const struct tables *t, const double v[], enum dtype weights, double batch)
{
	const struct accelerator *g = gpu_at(t, v[GPU]);
	const struct model *m = model_at(t, v[MODEL]);
	double kv_tokens = batch * v[CONTEXT];
	double all_s = decode_step_s(m, g, 1, weights, batch, kv_tokens);
	double math_s = 2 * m->params * batch / kernel_peak_flops(g, DTYPE_BF16);
	double read_s = (model_weight_bytes(m, weights) +
				kv_tokens * model_kv_bytes_per_token(m, DTYPE_BF16)) /
			g->bandwidth;
	/* The longer of the two is the step; what is over is launches and imperfect kernels. */
	struct component c = { { 0 }, "a token" };
	c.part_s[math_s > read_s ? ARITHMETIC : MEMORY] = fmin(all_s, fmax(math_s, read_s));
	c.part_s[WAITING] = fmax(0, all_s - fmax(math_s, read_s));
	return c;
}

static struct component prefill_of(const struct tables *t, const double v[])
{
	const struct accelerator *g = gpu_at(t, v[GPU]);
	const struct model *m = model_at(t, v[MODEL]);
	double all_s = prefill_s(m, g, 1, DTYPE_BF16, v[CONTEXT], 0);
	double math_s = prefill_work_flops(m, v[CONTEXT], 0) / kernel_peak_flops(g, DTYPE_BF16);
	struct component c = { { 0 }, "a prompt" };
	c.part_s[ARITHMETIC] = fmin(math_s, all_s);
	c.part_s[MEMORY] = all_s - c.part_s[ARITHMETIC];
	return c;
}

/* Convolutions and attention are arithmetic; camera input, tracking and planning are not. */
static struct component vehicle_of(const double v[])
{
	struct driving d = { .platform = (enum platform)v[PLATFORM], .cameras = 6 };
	struct component c = { { 0 }, "a frame" };
	for (int s = 0; s < N_STAGES; s++) {
		bool network = s == STAGE_BACKBONE || s == STAGE_DETECTION ||
			       s == STAGE_SEGMENTATION || s == STAGE_PREDICTION;
		c.part_s[network ? ARITHMETIC : MEMORY] +=
			stage_ms(&d, (enum driving_stage)s) / 1e3;
	}
	return c;
}

static struct component component_of(const struct tables *t, const double v[], int which)
{
	switch (which) {
	case DATA:
		return data_of(t, v);
	case TRAINING:
	case PROFILING: /* looks at the same step */
		return training_of(t, v);
	case COMPRESSION: /* what there is to compress: one sequence's token, weights in 16 bits */
		return decode_of(t, v, DTYPE_BF16, 1);
	case PREFILL:
		return prefill_of(t, v);
	case SERVING:
		return decode_of(t, v, DTYPE_BF16, v[BATCH]);
	default:
		return vehicle_of(v);
	}
}

/* A technique speeds up one part by at most `factor` (INFINITY: the part may vanish; NARROW: by
 * what the peak of the GPU gains from 8 bits). */
#define NARROW (-1.0)
struct technique {
	int component, part;
	double factor;
	const char *name, *sim, *drill;
};

static const struct technique techniques[] = {
	{ DATA, WAITING, INFINITY, "workers, prefetch, pinned memory", "stacking", "training" },
	{ DATA, WAITING, INFINITY, "decoded shards, decoding on the GPU", "scaling", "training" },
	{ TRAINING, ARITHMETIC, NARROW, "FP8 products", "roofline", "formats" },
	{ TRAINING, MEMORY, FUSED_PASSES, "torch.compile: fused chains", "stacking", "training" },
	{ TRAINING, MEMORY, ADAMW_UNFUSED_TRAFFIC_BYTES / ADAMW_FUSED_TRAFFIC_BYTES,
		"fused optimizer", "stacking", "training" },
	{ TRAINING, COMMUNICATION, INFINITY, "overlap, larger buckets", "scaling",
		"communication" },
	{ TRAINING, WAITING, INFINITY, "balanced work, faster input", "scaling", "scaling" },
	{ TRAINING, ARITHMETIC, 1, "checkpointing: memory for a third more arithmetic", "memory",
		"memory" },
	{ PROFILING, WAITING, INFINITY, "find who waits for whom", "scaling", "symptoms" },
	{ PROFILING, COMMUNICATION, INFINITY, "find what is not hidden", "scaling", "symptoms" },
	{ COMPRESSION, MEMORY, 4, "INT4 weights", "kvcache", "compression" },
	{ COMPRESSION, MEMORY, 2, "INT8 or FP8 weights", "inference", "compression" },
	{ COMPRESSION, MEMORY, 16.0 / 9, "2:4 sparsity: 9 bits for 16", "roofline", "compression" },
	{ PREFILL, ARITHMETIC, NARROW, "FP8 products", "inference", "inference" },
	{ PREFILL, MEMORY, INFINITY, "FlashAttention, fused layers", "flashattention",
		"inference" },
	{ SERVING, MEMORY, 2, "FP8 cache and weights", "kvcache", "inference" },
	{ SERVING, MEMORY, 3, "speculative decoding, at small batches", "speculative",
		"inference" },
	{ SERVING, WAITING, INFINITY, "CUDA graphs", "inference", "serving" },
	{ SERVING, MEMORY, 1, "continuous batching, paging: more at once, not faster", "batching",
		"serving" },
	{ VEHICLE, ARITHMETIC, 2, "INT8, compiled engine", "latency", "driving" },
	{ VEHICLE, ARITHMETIC, 3, "shared backbone, where it is not shared", "latency", "driving" },
	{ VEHICLE, MEMORY, 2, "input and tracking off the critical path", "latency", "driving" },
};
enum { N_TECHNIQUES = LENGTH(techniques) };

static double factor_of(const struct technique *q, const struct accelerator *g)
{
	return q->factor == NARROW
		       ? kernel_peak_flops(g, DTYPE_FP8) / kernel_peak_flops(g, DTYPE_BF16)
		       : q->factor;
}

static double gain_of(
	const struct technique *q, const struct accelerator *g, const struct component *c)
{
	assert(q->part < N_PARTS);
	double all_s = sum(c->part_s, N_PARTS), share = all_s > 0 ? c->part_s[q->part] / all_s : 0;
	return CALL(partial_speedup, .fraction = share, .factor = fmin(factor_of(q, g), 1e9));
}

static void draw_map(const struct tables *t, const double v[], struct figure *fig)
{
	struct bars *b = figure_bars(
		fig, "Where the time goes, from data to the road", "%", part_names, N_PARTS);
	static const enum meaning means[] = { MEANS_COMPUTE, MEANS_TRAFFIC, MEANS_NETWORK,
		MEANS_WAITING };
	bars_mean(fig, b, means, LENGTH(means));
	figure_tab(fig, "Map");
	if (b)
		b->shares = true;
	for (int i = 0; i < N_COMPONENTS; i++) {
		if (i == DATA || i == PROFILING)
			continue; /* they look at the training step */
		struct component c = component_of(t, v, i);
		double all_s = sum(c.part_s, N_PARTS), share[N_PARTS];
		for (int k = 0; k < N_PARTS; k++)
			share[k] = all_s > 0 ? 100 * c.part_s[k] / all_s : 0;
		struct bar *bar = bars_add(fig, b, component_names[i], share);
		if (!bar)
			continue;
		bar->note =
			figure_text(fig, "%s %s", c.unit_of_work, figure_quantity(fig, all_s, "s"));
		bar->role = i == (int)v[COMPONENT] ? ROLE_ACCENT : ROLE_PLAIN;
	}
}

/* The largest gain among the component's techniques. */
static double draw_techniques(const struct component *c, const double v[],
	const struct accelerator *g, const struct technique **best, struct figure *fig)
{
	static const char *const head[] = { "technique", "acts on", "at most", "simulation",
		"drills" };
	int which = (int)v[COMPONENT];
	double most = 0;
	struct table *t = figure_table(fig,
		figure_text(fig, "What can be done in %s", component_names[which]), head, 5,
		"00100");
	figure_tab(fig, "Techniques");
	*best = NULL;
	for (size_t i = 0; i < N_TECHNIQUES; i++) {
		const struct technique *q = &techniques[i];
		if (q->component != which)
			continue;
		double gain = gain_of(q, g, c);
		if (gain > most) {
			most = gain;
			*best = q;
		}
		table_row(fig, t,
			(const char *[]){ q->name, part_names[q->part],
				q->factor == 1  ? "not faster"
				: gain > 1.0005 ? figure_text(fig, "%.3gx", gain)
						: "nothing here",
				q->sim, q->drill });
	}
	return most;
}

static void read_for_the_reader(const struct component *c, const double v[], double most,
	const struct technique *best, struct figure *fig)
{
	double all_s = sum(c->part_s, N_PARTS);
	size_t part = largest_of(c->part_s, N_PARTS);
	if (v[COMPONENT] == DATA && all_s <= 0)
		figure_why(fig, "Nobody waits for data here: the CPUs prepare faster than the GPUs "
				"compute, and more workers would gain nothing.");
	else if (!best || most < 1.02)
		figure_why(fig, "Nothing listed gains much here: %.0f %% of %s is %s.",
			100 * c->part_s[part] / all_s, c->unit_of_work, part_names[part]);
	else
		figure_why(fig,
			"At most %.3gx, from %s: it touches only %s, and %.0f %% of %s is %s.",
			most, best->name, part_names[best->part], 100 * c->part_s[part] / all_s,
			c->unit_of_work, part_names[part]);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	assert(v[COMPONENT] < N_COMPONENTS && v[PLATFORM] < N_PLATFORMS);
	int which = (int)v[COMPONENT];
	struct component c = component_of(t, v, which), training = training_of(t, v);
	const struct technique *best;
	figure_subtitle(fig, "%s · %s x %s · serving %s", workload_names[(size_t)v[WORKLOAD]],
		figure_quantity(fig, v[GPUS], ""), gpu_at(t, v[GPU])->name,
		model_at(t, v[MODEL])->name);
	draw_map(t, v, fig);
	double most = draw_techniques(&c, v, gpu_at(t, v[GPU]), &best, fig);
	double all_s = sum(c.part_s, N_PARTS);
	value_note(figure_value(
			   fig, "time_ms", component_names[which], all_s * 1e3, "ms", ROLE_ACCENT),
		c.unit_of_work);
	value_note(figure_value(fig, "largest_gain", "largest gain", most, "x", ROLE_GOOD),
		best ? best->name : NULL);
	value_note(figure_value(fig, "training_step_ms", "training step",
			   sum(training.part_s, N_PARTS) * 1e3, "ms", ROLE_PLAIN),
		figure_text(fig, "%.0f %% arithmetic",
			100 * training.part_s[ARITHMETIC] / sum(training.part_s, N_PARTS)));
	struct component token = decode_of(t, v, DTYPE_BF16, v[BATCH]);
	figure_value(fig, "itl_ms", "a token served", sum(token.part_s, N_PARTS) * 1e3, "ms",
		ROLE_PLAIN);
	struct component frame = vehicle_of(v);
	double frame_ms = sum(frame.part_s, N_PARTS) * 1e3, deadline_ms = 1e3 / v[FPS];
	value_note(figure_value(fig, "frame_ms", "a frame", frame_ms, "ms",
			   frame_ms > deadline_ms ? ROLE_BAD : ROLE_PLAIN),
		figure_text(fig, "deadline %.3g ms", deadline_ms));
	read_for_the_reader(&c, v, most, best, fig);
	figure_assume(fig,
		"gains by Amdahl's law: a technique speeds up the part it touches, at most by the "
		"factor that its bytes or its units allow");
	figure_assume(fig, "training in weak scaling, nine tenths of backward hide communication");
	figure_assume(fig, "serving on one GPU, weights and cache in BF16");
	figure_leave_out(fig, "the work of people: collecting, labelling, evaluating, releasing");
	figure_leave_out(fig, "what techniques cost each other: see stacking");
}

extern const struct sim system_sim;
const struct sim system_sim = {
	.id = "system",
	.title = "The whole system",
	.summary =
		"From the fleet's data to the road: where time goes, and what each technique can gain",
	.page = "overview",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(COMPONENT, GPUS, GPU, BATCH, FPS),
	.try = "Turn the component to serving, then batch to 256. Which technique gains most now, and why?",
	.run = run,
};
