/* The simulation `inference`: the panel of an inference engine. Fusion, fewer bits and the batch,
 * for a convolutional network and a transformer encoder, kernel by kernel. */
#include "sims/knobs.h"
#include "sims/base/array.h"
#include "sims/figure/sim.h"
#include "sims/published/measured.h"
#include "sims/published/overlay.h"
#include "sims/gpu/precision.h"
#include "sims/gpu/transformer.h"
#include "sims/gpu/convnet.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum { NETWORK, SEQ, GPU, PRECISION, FUSION, GRAPH, LAUNCH_US, BATCH, DEADLINE_MS, N_KNOBS };
enum { RESNET50, BERT_LARGE };

static const char *const networks[] = { "resnet50", "bert_large", NULL };
static const char *const network_names[] = { "ResNet-50", "BERT-large" };
static const char *const precisions[] = { "fp32", "tf32", "fp16", "int8", "fp8", NULL };
static const char *const precision_names[] = { "FP32", "TF32", "FP16", "INT8", "FP8" };
static const enum dtype precision_dtypes[] = { DTYPE_FP32, DTYPE_TF32, DTYPE_FP16, DTYPE_INT8,
	DTYPE_FP8 };

static_assert(LENGTH(networks) == LENGTH(network_names) + 1, "a name for every choice");
static_assert(LENGTH(precisions) == LENGTH(precision_names) + 1, "a name for every choice");

static const struct knob knobs[N_KNOBS] = {
	[NETWORK] = KNOB_CHOICE_OF("network", "network", networks, network_names, "resnet50",
		"convolutions with a norm and an activation behind each, or large products",
		.group = "network"),
	[SEQ] = KNOB_DOUBLING("seq", "sequence", "token", 16, 512, 384,
		"of each request; the encoder sees all of it at once",
		.when = { WHEN(NETWORK, BERT_LARGE) }, .group = "network"),
	[GPU] = KNOB_ANY_GPU(
		"a100", "its ridge decides how large a batch has to be before arithmetic binds"),
	[PRECISION] = KNOB_CHOICE_OF("precision", "precision", precisions, precision_names, "fp16",
		"fewer bits, fewer bytes, and a higher peak where the hardware has one",
		.also = "act_dtype", .aliases = value_type_aliases),
	[FUSION] = KNOB_SWITCH("fusion", "fused layers", 0,
		"norm, activation and addition in the product's epilogue: their tensors never go "
		"to memory, and their kernels are gone"),
	[GRAPH] = KNOB_SWITCH("graph", "CUDA graph", 0,
		"one launch for the whole network: what the CPU took per kernel is gone"),
	[LAUNCH_US] = KNOB_FACTOR("launch_us", "a launch takes", "us", 1, 200, 20, 1.25,
		"eager PyTorch 60, a graph executor 20, C++ 5: hidden behind kernels that take "
		"longer, and the whole latency where they do not",
		.when = { WHEN(GRAPH, KNOB_OFF) }, .group = "engine"),
	[BATCH] = KNOB_DOUBLING("batch", "batch", "", 1, 512, 8,
		"weights are read and kernels launched once for all: throughput rises until "
		"arithmetic or activations bind, latency rises after that"),
	[DEADLINE_MS] = KNOB_FACTOR("deadline_ms", "deadline", "ms", 0, 10000, 20, 1.25,
		"the latency one may not exceed decides the batch, and the batch the cost",
		.zero = "none"),
};

/* What a batch takes. */
struct inference_pass {
	double gpu_s, product_s, other_s; /* kernels: all, products, everything else */
	double cpu_s;                     /* launches */
	double latency_s;
	double bytes, flops, kernels;
};

/* Launches run ahead of the kernels, so that one waits for the longer of the two. */
static void finish(struct inference_pass *p, const double v[])
{
	p->gpu_s = p->product_s + p->other_s;
	p->cpu_s = v[GRAPH] > 0 ? v[LAUNCH_US] / 1e6 : p->kernels * v[LAUNCH_US] / 1e6;
	p->latency_s = fmax(p->gpu_s, p->cpu_s) + (p->cpu_s > p->gpu_s ? p->gpu_s / p->kernels : 0);
}

/* The type that layers really have. No engine has kernels that keep activations in a type which
 * the GPU does not compute in: FP8 on an A100 runs in 16 bits, tensors and all. */
static enum dtype runs_in(const struct accelerator *g, const double v[])
{
	enum dtype d = precision_dtypes[(size_t)v[PRECISION]], math = kernel_math_dtype(g, d);
	return dtype_bytes(math) > dtype_bytes(d) ? math : d;
}

static struct inference_pass resnet_pass(
	const struct accelerator *g, const double v[], double batch)
{
	struct conv_op ops[MOST_CONV_OPS];
	size_t n = resnet50_ops(ops);
	struct inference_pass p = { 0 };
	enum dtype d = runs_in(g, v);
	for (size_t i = 0; i < n; i++) {
		double bytes, s = conv_op_time_s(g, d, &ops[i], batch, v[FUSION] > 0, &bytes);
		bool product = ops[i].kind == CONV_PRODUCT;
		p.kernels += product || ops[i].kind == CONV_POOL || v[FUSION] == 0;
		p.flops += product ? 2 * batch * ops[i].rows * ops[i].cols * ops[i].k : 0;
		p.bytes += bytes;
		*(product ? &p.product_s : &p.other_s) += s;
	}
	finish(&p, v);
	return p;
}

static struct inference_pass bert_pass(
	const struct accelerator *g, const struct model *m, const double v[], double batch)
{
	struct layer_shape s = { .hidden = m->hidden,
		.heads = m->heads,
		.kv_heads = m->kv_heads,
		.head_dim = m->head_dim,
		.ffn = m->ffn,
		.gated = m->gated > 0,
		.batch = batch,
		.new_tokens = v[SEQ],
		.dtype = runs_in(g, v),
		.flash = v[FUSION] > 0,
		.fused = v[FUSION] > 0,
		.tp = 1 };
	struct operation ops[MAX_OPERATIONS];
	size_t n = layer_operations(g, &s, ops);
	struct inference_pass p = { 0 };
	for (size_t i = 0; i < n; i++) {
		double times = ops[i].count * m->layers;
		double took_s = times * operation_time_s(g, &s, &ops[i], true);
		p.kernels += times;
		p.flops += times * ops[i].flops;
		p.bytes += times * ops[i].bytes;
		*(ops[i].kind == OP_POINTWISE ? &p.other_s : &p.product_s) += took_s;
	}
	finish(&p, v);
	return p;
}

static struct inference_pass pass_at(const struct tables *t, const double v[], double batch)
{
	const struct accelerator *g = gpu_at(t, v[GPU]);
	const struct model *bert = model_find(t, "bert-large");
	return v[NETWORK] == BERT_LARGE && bert ? bert_pass(g, bert, v, batch)
						: resnet_pass(g, v, batch);
}

enum { MOST_BATCH = 512 };

/* The first batch at which twice the batch brings less than a tenth more throughput. */
static double knee_of(const struct tables *t, const double v[])
{
	double batch = 1, now = 1 / pass_at(t, v, 1).latency_s;
	while (batch < MOST_BATCH) {
		double twice = 2 * batch / pass_at(t, v, 2 * batch).latency_s;
		if (twice < 1.1 * now)
			break;
		batch *= 2;
		now = twice;
	}
	return batch;
}

static bool in_deadline(const struct inference_pass *p, const double v[])
{
	return p->latency_s * 1e3 <= v[DEADLINE_MS];
}

static bool waits_for_cpu(const struct inference_pass *p)
{
	return p->cpu_s > p->gpu_s;
}

/* 0: not even one is done in time. A larger batch takes longer. */
static double largest_in_time(const struct tables *t, const double v[])
{
	double lo = 0, hi = MOST_BATCH + 1;
	while (hi - lo > 1) {
		double mid = floor((lo + hi) / 2);
		struct inference_pass p = pass_at(t, v, mid);
		if (in_deadline(&p, v))
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* Four steps of an engine's optimisation, at the same network and GPU. */
static const struct {
	const char *name;
	double fusion, graph;
	int int8;
} stages[] = { { "as written", 0, 0, 0 }, { "+ fusion", 1, 0, 0 }, { "+ CUDA graph", 1, 1, 0 },
	{ "+ INT8", 1, 1, 1 } };
enum { N_STAGES = LENGTH(stages), INT8 = 3 };

static void stage_knobs(const double v[], size_t i, double out[N_KNOBS])
{
	for (int k = 0; k < N_KNOBS; k++)
		out[k] = v[k];
	out[FUSION] = stages[i].fusion;
	out[GRAPH] = stages[i].graph;
	if (stages[i].int8)
		out[PRECISION] = INT8;
}

/* Where INT8 is set all of them have it, and the step to it would be the bar before once more. */
static size_t stages_shown(const double v[])
{
	return v[PRECISION] == INT8 ? N_STAGES - 1 : N_STAGES;
}

enum { MOST_MEASURED = 16, WANT = 2 };

/* Latencies of one framework: a series, and the batch nearest to this one. */
static bool add_framework(const struct tables *t, const double v[], const char *framework,
	unsigned colour, struct plot *p, struct figure *fig)
{
	static const char *const want[WANT] = { "batch", "lat_avg_ms" };
	static const char *const in_csv[] = { "FP32", "TF32", "FP16-mixed", "-", "-" };
	const struct accelerator *g = gpu_at(t, v[GPU]);
	const struct measured_condition c[] = { { "gpu", g->id, 0, 0 },
		{ "precision", in_csv[(size_t)v[PRECISION]], 0, 0 },
		{ "framework", framework, 0, 0 } };
	double rows[MOST_MEASURED][WANT], plain[N_KNOBS];
	size_t best = 0, n = measured_points(fig->memo, t, "batch_latency", c, 3, want, WANT,
				 rows[0], MOST_MEASURED);
	if (n == 0)
		return false;
	struct series *s =
		overlay_series(fig, p, figure_text(fig, "measured, %s", framework), colour);
	for (size_t i = 0; i < n; i++) {
		double latency_s = rows[i][1] * 1e-3;
		series_mark(fig, s, rows[i][0] / latency_s, latency_s, NULL, ROLE_PLAIN);
		if (overlay_distance(rows[i][0], v[BATCH]) <
			overlay_distance(rows[best][0], v[BATCH]))
			best = i;
	}
	stage_knobs(v, 0, plain);
	overlay_nearest(fig, t, "batch_latency",
		"%s, eager, batch %g on %s, %.3g ms; the model with %g us a launch, %.3g ms",
		framework, rows[best][0], g->name, rows[best][1], v[LAUNCH_US],
		1e3 * pass_at(t, plain, rows[best][0]).latency_s);
	return true;
}

/* What was measured on this GPU with this type, eager: it belongs beside the curve "as written". */
static void add_measured(
	const struct tables *t, const double v[], struct plot *p, struct figure *fig)
{
	const struct accelerator *g = gpu_at(t, v[GPU]);
	bool there = v[NETWORK] != BERT_LARGE;
	bool pytorch = there && add_framework(t, v, "PyTorch", 6, p, fig);
	bool mxnet = there && add_framework(t, v, "MXNet", 7, p, fig);
	if (pytorch || mxnet)
		overlay_error(fig, t, "batch_latency", "", 0,
			"ResNet-50, eager, launches as of each framework");
	else
		overlay_outside(fig, "no latency of %s on %s in %s; kernels as of %s",
			network_names[(size_t)v[NETWORK]], g->name,
			precision_names[(size_t)v[PRECISION]],
			g->achieved.measured ? "the products measured on it" : "its family");
}

static void draw_tradeoff(const struct tables *t, const double v[],
	const struct inference_pass *here, struct figure *fig)
{
	struct plot *p = figure_plot(fig, "Every batch from 1 to 512", "throughput", "/s",
		AXIS_LOG10, "latency", "s", AXIS_LOG10);
	figure_tab(fig, "Trade-off");
	for (unsigned i = 0; i < stages_shown(v); i++) {
		double stage[N_KNOBS];
		stage_knobs(v, i, stage);
		struct series *s = plot_series(fig, p, stages[i].name, SERIES_LINE, i);
		for (double b = 1; b <= MOST_BATCH; b *= 2) {
			double latency_s = pass_at(t, stage, b).latency_s;
			series_point(fig, s, b / latency_s, latency_s);
		}
	}
	double least_s = INFINITY;
	for (size_t i = 0; p && i < p->n_series; i++)
		least_s = p->series[i].n ? fmin(least_s, p->series[i].points[0].y) : least_s;
	if (p && isfinite(least_s))
		p->y.min = least_s / 4; /* room for a name below the lowest line */
	struct series *at = plot_series(fig, p, "", SERIES_POINTS, MEANS_FOCUS);
	series_mark(fig, at, v[BATCH] / here->latency_s, here->latency_s,
		figure_text(fig, "batch %g", v[BATCH]), ROLE_ACCENT);
	add_measured(t, v, p, fig);
	if (v[DEADLINE_MS] > 0)
		plot_rule(fig, p, true, v[DEADLINE_MS] / 1e3, "deadline", ROLE_WARN);
}

enum { PART_PRODUCTS, PART_OTHER, PART_WAIT, N_PARTS };

/* What a batch waits for: taking away anything else gains nothing. */
static const char *what_binds(const struct inference_pass *p)
{
	return waits_for_cpu(p)            ? "launches bind"
	       : p->other_s > p->product_s ? "norms bind"
					   : "products bind";
}

/* How many times as fast as the first bar it has become; a step that hardly adds to that says so. */
static const char *gain_text(
	struct figure *fig, double first_s, double before_s, const struct inference_pass *p)
{
	const double hardly = 1.01;
	return before_s / p->latency_s < hardly ? "no gain"
						: figure_text(fig, "%.2gx", first_s / p->latency_s);
}

static void draw_parts(const struct tables *t, const double v[], const struct inference_pass *here,
	struct figure *fig)
{
	static const char *const parts[N_PARTS] = { "products", "norms, activations",
		"waits for launches" };
	struct bars *b = figure_bars(fig,
		figure_text(fig, "Where a batch of %g goes: %s", v[BATCH], what_binds(here)), "s",
		parts, N_PARTS);
	static const enum meaning means[N_PARTS] = { MEANS_COMPUTE, MEANS_TRAFFIC, MEANS_WAITING };
	bars_mean(fig, b, means, N_PARTS);
	figure_tab(fig, "Where it goes");
	double before_s = 0, first_s = 0;
	for (size_t i = 0; i < stages_shown(v); i++) {
		double stage[N_KNOBS];
		stage_knobs(v, i, stage);
		struct inference_pass p = pass_at(t, stage, v[BATCH]);
		first_s = i == 0 ? p.latency_s : first_s;
		double took_s[N_PARTS] = { p.product_s, p.other_s, fmax(0, p.latency_s - p.gpu_s) };
		struct bar *bar = bars_add(fig, b, stages[i].name, took_s);
		if (!bar)
			continue;
		bar->note = i == 0 ? "1x" : gain_text(fig, first_s, before_s, &p);
		before_s = p.latency_s;
		if (stage[FUSION] == v[FUSION] && stage[GRAPH] == v[GRAPH] &&
			stage[PRECISION] == v[PRECISION])
			bar->role = ROLE_ACCENT;
	}
}

/* What doubling the batch brings: the knob goes from bar to bar, and those past the deadline say so. */
static void draw_over_batch(const struct tables *t, const double v[], struct figure *fig)
{
	static const enum meaning means[] = { MEANS_COMPUTE };
	struct bars *b = figure_bars(fig, "Throughput by batch, and how long one takes", "/s",
		(const char *[]){ "throughput" }, 1);
	bars_mean(fig, b, means, LENGTH(means));
	figure_tab(fig, "Batches");
	for (double batch = 1; batch <= MOST_BATCH; batch *= 2) {
		bool fourth = fmod(log2(batch), 2) == 0; /* enough to see where it ends to grow */
		if (!fourth && batch != v[BATCH])
			continue;
		struct inference_pass p = pass_at(t, v, batch);
		struct bar *bar = bars_add(
			fig, b, figure_text(fig, "%g", batch), (double[]){ batch / p.latency_s });
		if (!bar)
			continue;
		bool late = v[DEADLINE_MS] > 0 && !in_deadline(&p, v);
		bar->note = figure_text(
			fig, "%s%s", late ? "! " : "", figure_quantity(fig, p.latency_s, "s"));
		bar->role = batch == v[BATCH] ? ROLE_ACCENT : ROLE_PLAIN;
	}
	if (b)
		b->close = true;
}

/* What the next steps of the engine make of launches that the GPU waits for: the time of their bar. */
static const char *fewer_launches(const struct tables *t, const double v[], struct figure *fig)
{
	double graph[N_KNOBS];
	for (int k = 0; k < N_KNOBS; k++)
		graph[k] = v[k];
	graph[FUSION] = graph[GRAPH] = 1;
	struct inference_pass one = pass_at(t, graph, v[BATCH]);
	return figure_text(fig, "%s the batch takes %s",
		v[FUSION] > 0 ? "As one CUDA graph" : "Fused, as one CUDA graph,",
		figure_quantity(fig, one.latency_s, "s"));
}

static const char *fused_text(const struct tables *t, const double v[], struct figure *fig)
{
	double fused[N_KNOBS];
	for (int k = 0; k < N_KNOBS; k++)
		fused[k] = v[k];
	fused[FUSION] = 1;
	return figure_text(fig, "with fused layers %s",
		figure_quantity(fig, pass_at(t, fused, v[BATCH]).latency_s, "s"));
}

static void read_for_the_reader(const struct tables *t, const double v[],
	const struct inference_pass *p, double knee, double in_time, struct figure *fig)
{
	const struct accelerator *g = gpu_at(t, v[GPU]);
	enum dtype d = precision_dtypes[(size_t)v[PRECISION]], runs = runs_in(g, v);
	bool late = v[DEADLINE_MS] > 0 && !in_deadline(p, v);
	if (waits_for_cpu(p) && v[PRECISION] == INT8)
		figure_why(fig, "INT8 changes nothing: %.0f launches take %s%s. %s.", p->kernels,
			figure_quantity(fig, p->latency_s, "s"), late ? ", past the deadline" : "",
			fewer_launches(t, v, fig));
	else if (waits_for_cpu(p))
		figure_why(fig, "The GPU waits %.0f %% of the time for %.0f launches%s. %s.",
			100 * (1 - p->gpu_s / p->latency_s), p->kernels,
			late ? ", past the deadline" : "", fewer_launches(t, v, fig));
	else if (late)
		figure_why(fig, "A batch of %g takes %s, past the deadline of %g ms: %s.", v[BATCH],
			figure_quantity(fig, p->latency_s, "s"), v[DEADLINE_MS],
			in_time < 1 ? "not even a single one is done in it"
			: v[FUSION] > 0
				? figure_text(fig, "%g is the largest that is done in it", in_time)
				: fused_text(t, v, fig));
	else if (runs != d)
		figure_why(fig,
			"%s has no units for %s, and engines no such kernels: layers run in %s, "
			"and nothing is gained.",
			g->name, precision_names[(size_t)v[PRECISION]], dtype_names[runs]);
	else if (kernel_math_dtype(g, d) != d)
		figure_why(fig, "%s has no units for %s: the arithmetic runs in %s.", g->name,
			precision_names[(size_t)v[PRECISION]],
			dtype_names[kernel_math_dtype(g, d)]);
	else if (v[FUSION] == 0 && p->other_s > p->product_s)
		figure_why(fig,
			"Norms, activations and additions take longer than the products: they move "
			"tensors and compute nothing. Fusion takes their traffic away.");
	else if (v[DEADLINE_MS] > 0 && in_time < knee)
		figure_why(fig,
			"The deadline allows a batch of %g; throughput still grows until %g. "
			"Latency bought with money.",
			in_time, knee);
	else if (v[BATCH] > 2 * knee)
		figure_why(fig,
			"Beyond batch %g a larger one is a longer wait for nearly the same "
			"throughput.",
			knee);
	else
		figure_why(fig,
			"Weights and launches are shared by the batch until about %g; from there "
			"on arithmetic and activations grow with it.",
			knee);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct inference_pass p = pass_at(t, v, v[BATCH]);
	double plain[N_KNOBS], knee = knee_of(t, v);
	double in_time = v[DEADLINE_MS] > 0 ? largest_in_time(t, v) : 0;
	stage_knobs(v, 0, plain);
	struct inference_pass unfused = pass_at(t, plain, v[BATCH]);
	figure_subtitle(fig, "%s on %s · %s%s", network_names[(size_t)v[NETWORK]],
		gpu_at(t, v[GPU])->name, precision_names[(size_t)v[PRECISION]],
		v[FUSION] > 0 ? " · fused" : "");
	bool late = v[DEADLINE_MS] > 0 && p.latency_s * 1e3 > v[DEADLINE_MS];
	figure_value(fig, "latency_ms", "latency", p.latency_s * 1e3, "ms",
		late ? ROLE_BAD : ROLE_ACCENT);
	figure_value(fig, "throughput", "throughput", v[BATCH] / p.latency_s, "/s", ROLE_ACCENT);
	value_note(figure_value(fig, "knee_batch", "doubling pays to", knee, "", ROLE_PLAIN),
		"then under 10 %");
	if (v[DEADLINE_MS] > 0)
		value_note(figure_value(fig, "largest_batch", "largest batch", in_time, "",
				   in_time < 1 ? ROLE_BAD : ROLE_PLAIN),
			figure_text(fig, "in %g ms", v[DEADLINE_MS]));
	value_note(figure_value(fig, "gpu_busy_pct", "GPU busy", 100 * p.gpu_s / p.latency_s, "%",
			   p.cpu_s > p.gpu_s ? ROLE_WARN : ROLE_PLAIN),
		figure_text(fig, "%.0f kernels", p.kernels));
	value_note(figure_value(fig, "moved_GB", "moved", p.bytes / 1e9, "GB", ROLE_PLAIN),
		v[FUSION] > 0 ? figure_text(fig, "%.0f %% less than unfused",
					100 * (1 - p.bytes / unfused.bytes))
			      : NULL);
	figure_value(fig, "intensity", "intensity", p.flops / p.bytes, "FLOP/B", ROLE_PLAIN);
	draw_parts(t, v, &p, fig);
	draw_over_batch(t, v, fig);
	draw_tradeoff(t, v, &p, fig);
	read_for_the_reader(t, v, &p, knee, in_time, fig);
	if (v[PRECISION] == INT8)
		figure_note(fig, ROLE_DIM,
			"INT8 needs calibration or training with it; layers that lose accuracy "
			"stay in 16 bits and their tensors are converted in between.");
	figure_assume(fig, "inputs are on the GPU; nothing else runs there");
	figure_assume(
		fig, "launches run ahead of the kernels: one waits for the longer of the two");
	figure_assume(
		fig, "ResNet-50 v1.5 at 224 x 224; BERT-large without its embeddings and head");
	figure_leave_out(
		fig, "copies to and from the GPU, pre-processing, queueing before the batch");
	figure_leave_out(fig, "Winograd and other algorithms with fewer multiplications");
}

const struct sim inference_sim = {
	.id = "inference",
	.title = "Inference engine",
	.summary = "Fusion, fewer bits, launches and the batch: latency against throughput",
	.page = "inference",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(FUSION, GRAPH, BATCH, PRECISION, DEADLINE_MS, GPU),
	.try = "Turn batch to 256. What binds now, and which technique still gains?",
	.run = run,
};
