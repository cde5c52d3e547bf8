/* The map of the whole system: one component after another from the data of the fleet to the car
 * and the server; where the time of each goes, by the models of the other simulations; and what a
 * technique could gain there at most, which is Amdahl's law on the part that it touches. */
#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/base/stats.h"
#include "sims/formulas/driving.h"
#include "sims/formulas/measurement.h"
#include "sims/figure/sim.h"
#include "sims/knobs.h"
#include "sims/gpu/engine_shape.h"
#include "sims/gpu/room.h"
#include "sims/figure/uncovered.h"
#include "sims/training/training.h"
#include "sims/driving/driving.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COMPONENT, GPUS, GPU, WORKLOAD, INTER, MODEL, BATCH, CONTEXT, PLATFORM, FPS, N_KNOBS };
/* Of the car: as many as its table of stages has. */
enum { CAMERAS = 6 };
enum { DATA, TRAINING, PROFILING, COMPRESSION, PREFILL, SERVING, VEHICLE, N_COMPONENTS };

static const char *const components[] = { "data", "training", "profiling", "compression",
	"inference", "serving", "vehicle", NULL };
static const char *const component_names[] = { "data", "training", "profiling", "compression",
	"inference", "serving", "vehicle" };
/* The simulation that shows more of a component. */
static const char *const component_sims[N_COMPONENTS] = { "timeline", "scaling", "timeline",
	"compression", "inference", "batching", "latency" };
static const char *const workload_names[] = { "ResNet-50", "BERT-large", "Llama-2 7B",
	"Llama-3 70B", "GPT-3 175B" };

static const struct knob knobs[N_KNOBS] = {
	[COMPONENT] = KNOB_CHOICE_OF("component", "component", components, component_names,
		"vehicle",
		"what can be done there, by how much it could help at most, and where to see and "
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
static const char *const part_names[N_PARTS] = { "arithmetic", "memory", "network", "waiting" };

enum { ALL_OPTIMISATIONS = N_OPTIMISATIONS, N_SWITCHED };
struct component {
	double part_s[N_PARTS];
	const char *unit_of_work;      /* "a step", "a token" */
	double switched_s[N_SWITCHED]; /* of the vehicle: with one of its optimisations, or all */
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
		g->family, gpu_domain(g), g->link_bandwidth, v[INTER] * 1e9, NETWORK_LATENCY_S);
	struct training tr = training_defaults(&workloads[(size_t)v[WORKLOAD]], g, net);
	tr.gpus = v[GPUS];
	tr.global_batch = tr.workload->gpu_batch * v[GPUS];
	tr.overlap = 0.9;
	tr.jitter = 0.02;
	tr.input_per_s = training_input_per_s(tr.workload, g->family);
	tr.model = tr.workload->model ? model_find(t, tr.workload->model) : NULL;
	return training_step(&tr);
}

/* Of what is computed the matrix products are arithmetic, the rest moves tensors. */
static struct component training_of(const struct tables *t, const double v[])
{
	struct training_step s = step_of(t, v);
	return (struct component){ .part_s = { s.products_s, s.compute_s - s.products_s + s.fixed_s,
					   s.exposed_s, s.straggler_s + s.input_wait_s },
		.unit_of_work = "a step" };
}

/* The loader's side of the same step: the CPUs prepare samples while the GPUs compute, or the GPUs
 * wait for them. */
static struct component data_of(const struct tables *t, const double v[])
{
	struct training_step s = step_of(t, v);
	return (struct component){ .part_s = { s.step_s - s.input_wait_s, 0, 0, s.input_wait_s },
		.unit_of_work = "a step" };
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
	struct component c = { .unit_of_work = "a token" };
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
	struct component c = { .unit_of_work = "a prompt" };
	c.part_s[ARITHMETIC] = fmin(math_s, all_s);
	c.part_s[MEMORY] = all_s - c.part_s[ARITHMETIC];
	return c;
}

/* Convolutions and attention are arithmetic; camera input, tracking and planning are not. */
static struct component vehicle_of(const double v[])
{
	struct driving d = { .platform = (enum platform)v[PLATFORM], .cameras = CAMERAS };
	struct component c = { .unit_of_work = "a frame" };
	for (int s = 0; s < N_STAGES; s++) {
		bool network = s == STAGE_BACKBONE || s == STAGE_DETECTION ||
			       s == STAGE_SEGMENTATION || s == STAGE_PREDICTION;
		c.part_s[network ? ARITHMETIC : MEMORY] +=
			stage_ms(&d, (enum driving_stage)s) / 1e3;
	}
	for (int o = 0; o < N_SWITCHED; o++) {
		struct driving with = d;
		for (int i = 0; i < N_OPTIMISATIONS; i++)
			with.on[i] = i == o || o == ALL_OPTIMISATIONS;
		c.switched_s[o] = stages_total_ms(&with) / 1e3;
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
 * what the peak of the GPU gains from 8 bits); or, of the vehicle, it is a switch of the frame budget, which
 * says what a frame takes with it: SWITCH(which). */
#define NARROW (-1.0)
#define SWITCH(which) (-2.0 - (which))
struct technique {
	int component, part;
	double factor;
	const char *name, *sim, *drill; /* the simulation's title, the topic of drills */
};

static const struct technique techniques[] = {
	{ DATA, WAITING, INFINITY, "workers, pinned memory", "Step timeline", "training" },
	{ DATA, WAITING, INFINITY, "decoding on the GPU", "Step timeline", "training" },
	{ TRAINING, ARITHMETIC, NARROW, "FP8 products", "Roofline", "formats" },
	{ TRAINING, MEMORY, FUSED_PASSES, "torch.compile", "Compiled or eager", "training" },
	{ TRAINING, MEMORY, ADAMW_UNFUSED_TRAFFIC_BYTES / ADAMW_FUSED_TRAFFIC_BYTES,
		"a fused optimizer", "Optimisation stack", "training" },
	{ TRAINING, COMMUNICATION, INFINITY, "overlap, larger buckets", "Scaling",
		"communication" },
	{ TRAINING, WAITING, INFINITY, "balanced work", "Scaling", "scaling" },
	{ TRAINING, ARITHMETIC, 1, "checkpointing (memory)", "Training memory", "memory" },
	{ PROFILING, WAITING, INFINITY, "finding who waits", "Step timeline", "symptoms" },
	{ PROFILING, COMMUNICATION, INFINITY, "finding what is exposed", "Scaling", "symptoms" },
	{ COMPRESSION, MEMORY, 4, "INT4 weights", "KV cache", "compression" },
	{ COMPRESSION, MEMORY, 2, "8-bit weights", "Inference engine", "compression" },
	{ COMPRESSION, MEMORY, 16.0 / 9, "2:4 sparsity", "Roofline", "compression" },
	{ PREFILL, ARITHMETIC, NARROW, "FP8 products", "Inference engine", "inference" },
	{ PREFILL, MEMORY, INFINITY, "fused attention", "FlashAttention", "inference" },
	{ SERVING, MEMORY, 2, "FP8 cache and weights", "KV cache", "inference" },
	{ SERVING, MEMORY, 3, "speculative decoding", "Speculative decoding", "inference" },
	{ SERVING, WAITING, INFINITY, "CUDA graphs", "Inference engine", "serving" },
	{ SERVING, MEMORY, 1, "continuous batching", "Batching", "serving" },
	{ VEHICLE, ARITHMETIC, SWITCH(ALL_OPTIMISATIONS), "all techniques together", "Frame budget",
		"driving" },
	{ VEHICLE, ARITHMETIC, SWITCH(TENSORRT), "TensorRT", "Frame budget", "driving" },
	{ VEHICLE, ARITHMETIC, SWITCH(TEMPORAL_FUSION), "temporal fusion", "Frame budget",
		"driving" },
	{ VEHICLE, MEMORY, SWITCH(BACKBONE_SHARING), "shared input", "Frame budget", "driving" },
	{ VEHICLE, ARITHMETIC, SWITCH(SPARSE), "sparse heads", "Frame budget", "driving" },
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
	if (q->factor <= SWITCH(0))
		return all_s / c->switched_s[(int)(SWITCH(0) - q->factor)];
	return CALL(partial_speedup, .fraction = share, .factor = fmin(factor_of(q, g), 1e9));
}

/* The most that a technique gains in a component, and in *best which one; 0 and NULL where none is
 * known. */
static double largest_gain(
	const struct tables *t, const double v[], int which, const struct technique **best)
{
	struct component c = component_of(t, v, which);
	double most = 0;
	*best = NULL;
	for (size_t i = 0; i < N_TECHNIQUES; i++) {
		double gain = techniques[i].component == which
				      ? gain_of(&techniques[i], gpu_at(t, v[GPU]), &c)
				      : 0;
		if (gain > most) {
			most = gain;
			*best = &techniques[i];
		}
	}
	return most;
}

/* What a box of the map shows. The CPUs of the data pipeline are at work while they prepare the samples
 * of a step, and wait for the rest of it; profiling looks at the step of training. */
static struct component box_of(const struct tables *t, const double v[], int which)
{
	if (which != DATA)
		return component_of(t, v, which);
	const struct training_workload *w = &workloads[(size_t)v[WORKLOAD]];
	struct training_step s = step_of(t, v);
	double local = fmin(s.active_gpus, gpu_domain(gpu_at(t, v[GPU])));
	double rate = training_input_per_s(w, gpu_at(t, v[GPU])->family);
	double ready_s = rate > 0 ? local * s.gpu_batch / rate : 0;
	double work_s = fmin(ready_s, s.step_s);
	return (struct component){ .part_s = { work_s, 0, 0, s.step_s - work_s },
		.unit_of_work = "a step" };
}

/* Whether the model that is trained is the one that is served. */
static bool trains_served(const struct tables *t, const double v[])
{
	const char *trained = workloads[(size_t)v[WORKLOAD]].model;
	return trained && strcmp(trained, model_at(t, v[MODEL])->id) == 0;
}

/* How long a component's unit of work takes. */
static const char *clock_of(const struct component *c, struct figure *fig)
{
	return figure_text(
		fig, "%s %s", c->unit_of_work, figure_quantity(fig, sum(c->part_s, N_PARTS), "s"));
}

/* What a component hands on to the next; the car's frames are the data that training begins with. */
static const char *passes(
	const struct tables *t, const double v[], int which, double unit_s, struct figure *fig)
{
	const struct model *m = model_at(t, v[MODEL]);
	const struct training_workload *w = &workloads[(size_t)v[WORKLOAD]];
	switch (which) {
	case DATA:
		return figure_text(fig, "%s %ss/s",
			figure_about(fig, step_of(t, v).samples_per_s, ""), w->sample);
	case TRAINING:
		return trains_served(t, v) ? "trained weights" : "another model";
	case COMPRESSION:
		return figure_text(fig, "%s, %s in BF16",
			figure_quantity(fig, model_weight_bytes(m, DTYPE_BF16), "B"), m->name);
	case PREFILL:
		return figure_text(fig, "%s cache",
			figure_quantity(
				fig, v[CONTEXT] * model_kv_bytes_per_token(m, DTYPE_BF16), "B"));
	case SERVING:
		return figure_text(fig, "%s tokens/s", figure_about(fig, v[BATCH] / unit_s, ""));
	default:
		return figure_text(fig, "%s of camera frames",
			figure_quantity(fig,
				CALL(sensor_rate, .cameras = CAMERAS, .pixels = 2e6,
					.bytes_per_pixel = 3, .fps = v[FPS]),
				"B/s"));
	}
}

static void draw_map(const struct tables *t, const double v[], struct figure *fig)
{
	static const int boxes[] = { DATA, TRAINING, COMPRESSION, PREFILL, SERVING, VEHICLE };
	static const enum meaning means[] = { MEANS_COMPUTE, MEANS_TRAFFIC, MEANS_NETWORK,
		MEANS_WAITING };
	struct bars *b =
		figure_bars(fig, "Where the time of each part goes", "%", part_names, N_PARTS);
	bars_mean(fig, b, means, LENGTH(means));
	figure_tab(fig, "Map");
	if (!b)
		return;
	b->shares = b->chain = true;
	b->knob = knobs[COMPONENT].id;
	for (size_t k = 0; k < LENGTH(boxes); k++) {
		int i = boxes[k];
		struct component c = box_of(t, v, i);
		double all_s = sum(c.part_s, N_PARTS), share[N_PARTS];
		for (int part = 0; part < N_PARTS; part++)
			share[part] = all_s > 0 ? 100 * c.part_s[part] / all_s : 0;
		struct bar *bar = bars_add(fig, b, component_names[i], share);
		if (!bar)
			continue;
		/* Profiling is no box: it looks at training's. */
		bool chosen =
			i == (int)v[COMPONENT] || (i == TRAINING && v[COMPONENT] == PROFILING);
		if (chosen)
			b->knob_at = k;
		double late_s = i == VEHICLE ? all_s - 1 / v[FPS] : 0;
		bar->role = chosen ? ROLE_ACCENT : late_s > 0 ? ROLE_BAD : ROLE_PLAIN;
		/* The sentence above is about the chosen one's largest part, whose name the part itself
		 * may be too small for; its time is among the numbers. */
		size_t most = largest_of(share, N_PARTS);
		bar->note = i == DATA    ? figure_text(fig, "CPUs %.3g %% busy", share[ARITHMETIC])
			    : late_s > 0 ? figure_text(fig, "%s%s late", chosen ? "! " : "",
						   figure_quantity(fig, late_s, "s"))
			    : chosen ? figure_text(fig, "%s %.0f %%", part_names[most], share[most])
				     : clock_of(&c, fig);
		const struct technique *best;
		double gain = largest_gain(t, v, i, &best);
		bar->gains = gain > 1.005 ? figure_text(fig, "%.3gx max", gain) : NULL;
		bar->passes = passes(t, v, i, all_s, fig);
		bar->parts_ways = i == TRAINING && !trains_served(t, v);
		bar->opens = component_sims[chosen ? (int)v[COMPONENT] : i];
	}
}

/* The techniques of the chosen component, those that gain most first. */
static void draw_techniques(const struct component *c, const double v[],
	const struct accelerator *g, struct figure *fig)
{
	static const char *const head[] = { "technique", "acts on", "at most", "then", "shown in",
		"drills" };
	int which = (int)v[COMPONENT];
	struct table *t = figure_table(fig,
		figure_text(fig, "What can be done in %s%s", which == VEHICLE ? "the " : "",
			component_names[which]),
		head, LENGTH(head), "001100");
	figure_tab(fig, "Techniques");
	const double all_s = sum(c->part_s, N_PARTS);
	size_t order[N_TECHNIQUES], n = 0;
	for (size_t i = 0; i < N_TECHNIQUES; i++) {
		if (techniques[i].component != which)
			continue;
		double gain = gain_of(&techniques[i], g, c);
		size_t at = n++;
		for (; at > 0 && gain_of(&techniques[order[at - 1]], g, c) < gain; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	for (size_t k = 0; k < n; k++) {
		const struct technique *q = &techniques[order[k]];
		double gain = gain_of(q, g, c);
		table_row(fig, t,
			(const char *[]){ q->name, part_names[q->part],
				gain > 1.005 ? figure_text(fig, "%.3gx", gain) : "no gain",
				figure_quantity(fig, all_s / fmax(1, gain), "s"), q->sim,
				q->drill });
	}
}

/* Where the most is to be gained, which need not be where it is most urgent. */
static void draw_gains(const struct tables *t, const double v[], struct figure *fig)
{
	static const char *const parts[] = { "as it is", "gained" };
	static const enum meaning means[] = { MEANS_HELD, MEANS_KIND + 2 };
	struct bars *b = figure_bars(fig, "The most to be gained in each", "x", parts, 2);
	figure_tab(fig, "Gains");
	bars_mean(fig, b, means, 2);
	for (int i = 0; i < N_COMPONENTS; i++) {
		const struct technique *best;
		double gain = largest_gain(t, v, i, &best);
		struct bar *bar =
			i != PROFILING /* the gain is training's */
				? bars_add(fig, b, component_names[i],
					  (const double[]){ fmin(1, gain), fmax(0, gain - 1) })
				: NULL;
		if (bar && best && gain > 1.005)
			bar->note = best->name;
		if (bar && i == (int)v[COMPONENT])
			bar->role = ROLE_ACCENT;
	}
}

static double frame_late_s(const double v[])
{
	struct component frame = vehicle_of(v);
	return sum(frame.part_s, N_PARTS) - 1 / v[FPS];
}

/* What else the map says, beside the chosen box: what is late comes first, then what gains more. */
static const char *elsewhere(
	const struct tables *t, const double v[], double most, struct figure *fig)
{
	double late_s = frame_late_s(v), more = most;
	const struct technique *how = NULL;
	if (v[COMPONENT] != VEHICLE && late_s > 0)
		return figure_text(fig, "The vehicle is more urgent: its frame is %s late.",
			figure_quantity(fig, late_s, "s"));
	for (int i = 0; i < N_COMPONENTS; i++) {
		const struct technique *best;
		double gain = largest_gain(t, v, i, &best);
		if (i != (int)v[COMPONENT] && i != PROFILING && gain > more) {
			more = gain;
			how = best;
		}
	}
	return how ? figure_text(fig, "Most is to be gained in %s: %.3gx, by %s.",
			     component_names[how->component], more, how->name)
		   : "No other box has more to gain.";
}

/* Of a vehicle whose frames are late that comes first, then what would gain most. */
static const char *late_vehicle(const struct component *c, const double v[], double most,
	const struct technique *best, struct figure *fig)
{
	double left_s = sum(c->part_s, N_PARTS) / fmax(1, most) - 1 / v[FPS];
	const char *late = figure_text(
		fig, "The vehicle's frame is %s late", figure_quantity(fig, frame_late_s(v), "s"));
	if (!best || most < 1.02)
		return figure_text(fig, "%s: nothing listed makes it much faster.", late);
	bool all = best->factor == SWITCH(ALL_OPTIMISATIONS);
	if (left_s <= 0)
		return figure_text(
			fig, "%s: %s bring%s it in time.", late, best->name, all ? "" : "s");
	return figure_text(
		fig, "%s; with %s still %s.", late, best->name, figure_quantity(fig, left_s, "s"));
}

/* What the chosen box says: where its time goes, and what gains most there. */
static const char *chosen_box(const struct component *c, double busy, const double v[], double most,
	const struct technique *best, struct figure *fig)
{
	double all_s = sum(c->part_s, N_PARTS);
	size_t part = largest_of(c->part_s, N_PARTS);
	const char *name =
		v[COMPONENT] == VEHICLE ? "the vehicle" : component_names[(size_t)v[COMPONENT]];
	const char *of = figure_text(fig, "%.0f %% of %s is %s", 100 * c->part_s[part] / all_s,
		c->unit_of_work, part_names[part]);
	if (v[COMPONENT] == DATA && c->part_s[WAITING] <= 0)
		return figure_text(fig,
			"Nobody waits for data: the CPUs prepare it in %.3g %% of a step.",
			100 * busy);
	if (v[COMPONENT] == PROFILING) /* no box has its name */
		return figure_text(fig, "Profiling looks at training, which gains %s from %s: %s.",
			most < 1.02 ? "nothing much" : figure_text(fig, "at most %.3gx", most),
			best ? best->name : "it", of);
	if (!best || most < 1.02)
		return figure_text(fig, "In %s %s: nothing listed makes it much faster.", name, of);
	if (v[COMPONENT] == DATA)
		return figure_text(fig,
			"Training gains at most %.3gx from %s: it waits no longer for samples.",
			most, best->name);
	if ((int)part != best->part)
		return figure_text(fig, "In %s %s, which %s leaves alone: at most %.3gx faster.",
			name, of, best->name, most);
	return figure_text(
		fig, "In %s %s: at most %.3gx faster, by %s.", name, of, most, best->name);
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
	draw_gains(t, v, fig);
	draw_techniques(&c, v, gpu_at(t, v[GPU]), fig);
	double most = largest_gain(t, v, which, &best);
	double all_s = sum(c.part_s, N_PARTS), step_s = sum(training.part_s, N_PARTS);
	value_note(figure_value(fig, "largest_gain", "faster at most", most, "x", ROLE_ACCENT),
		best && most > 1.005 ? best->name : NULL);
	value_note(figure_value(fig, "time_ms",
			   which == VEHICLE ? "a frame" : component_names[which], all_s * 1e3, "ms",
			   which == VEHICLE && frame_late_s(v) > 0 ? ROLE_BAD : ROLE_PLAIN),
		which == VEHICLE
			? figure_text(fig, "deadline %s", figure_quantity(fig, 1 / v[FPS], "s"))
			: c.unit_of_work);
	/* The other clocks of the map: that of the chosen component stands above. */
	if (which != TRAINING && which != PROFILING)
		value_note(figure_value(fig, "training_step_ms", "a training step", step_s * 1e3,
				   "ms", ROLE_PLAIN),
			figure_text(fig, "%.0f %% arithmetic",
				100 * training.part_s[ARITHMETIC] / step_s));
	struct component token = decode_of(t, v, DTYPE_BF16, v[BATCH]);
	if (which != SERVING)
		figure_value(fig, "itl_ms", "a token served", sum(token.part_s, N_PARTS) * 1e3,
			"ms", ROLE_PLAIN);
	struct component frame = vehicle_of(v);
	if (which != VEHICLE)
		value_note(
			figure_value(fig, "frame_ms", "a frame", 1e3 * sum(frame.part_s, N_PARTS),
				"ms", frame_late_s(v) > 0 ? ROLE_BAD : ROLE_PLAIN),
			figure_text(fig, "deadline %s", figure_quantity(fig, 1 / v[FPS], "s")));
	struct component data = box_of(t, v, DATA);
	double busy = data.part_s[ARITHMETIC] / sum(data.part_s, N_PARTS);
	if (which == VEHICLE && frame_late_s(v) > 0)
		figure_why(fig, "%s", late_vehicle(&c, v, most, best, fig));
	else
		figure_why(fig, "%s %s", chosen_box(&c, busy, v, most, best, fig),
			elsewhere(t, v, most, fig));
	const struct model *served = model_at(t, v[MODEL]);
	warn_too_large(fig, served, "BF16", model_weight_bytes(served, DTYPE_BF16),
		gpu_at(t, v[GPU]), 1, which == COMPRESSION || which == PREFILL || which == SERVING);
	note_encoder(fig, served);
	figure_assume(
		fig, "of the vehicle's frame, what the switches of the frame budget take off it");
	figure_assume(fig,
		"gains by Amdahl's law: a technique speeds up the part it touches, at most by the "
		"factor that its bytes or its units allow");
	figure_assume(fig, "training in weak scaling, nine tenths of backward hide communication");
	figure_assume(fig, "serving on one GPU, weights and cache in BF16");
	figure_leave_out(fig, "the work of people: collecting, labelling, evaluating, releasing");
	figure_leave_out(fig, "what techniques cost each other: the optimisation stack shows that");
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
	.STORY(COMPONENT, FPS, GPUS, GPU, BATCH),
	.try = "Turn component to compression. Why does that not help the late frame?",
	.run = run,
};
