/* The simulation `inference`: the panel of an inference engine. Fusion, fewer bits and the batch,
 * for a convolutional network and a transformer encoder, kernel by kernel, and for a step of any
 * language model. */
#include "sims/knobs.h"
#include "sims/base/array.h"
#include "sims/figure/sim.h"
#include "sims/published/measured.h"
#include "sims/published/overlay.h"
#include "sims/gpu/precision.h"
#include "sims/figure/uncovered.h"
#include "sims/gpu/room.h"
#include "sims/gpu/transformer.h"
#include "sims/gpu/convnet.h"
#include "sims/serving/decode_pass.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <stdio.h>

enum {
	NETWORK,
	SEQ,
	MODEL,
	CONTEXT,
	TP,
	GPU,
	PRECISION,
	FUSION,
	GRAPH,
	LAUNCH_US,
	BATCH,
	DEADLINE_MS,
	N_KNOBS
};
enum { RESNET50, BERT_LARGE, DECODER };

static const char *const networks[] = { "resnet50", "bert_large", "decoder", NULL };
static const char *const network_names[] = { "ResNet-50", "BERT-large", "language model" };
static const char *const precisions[] = { "fp32", "tf32", "fp16", "int8", "fp8", NULL };
static const char *const precision_names[] = { "FP32", "TF32", "FP16", "INT8", "FP8" };
static const enum dtype precision_dtypes[] = { DTYPE_FP32, DTYPE_TF32, DTYPE_FP16, DTYPE_INT8,
	DTYPE_FP8 };

static_assert(LENGTH(networks) == LENGTH(network_names) + 1, "a name for every choice");
static_assert(LENGTH(precisions) == LENGTH(precision_names) + 1, "a name for every choice");

static const struct knob knobs[N_KNOBS] = {
	[NETWORK] = KNOB_CHOICE_OF("network", "network", networks, network_names, "resnet50",
		"convolutions with a norm and an activation behind each, large products, or a "
		"token of each sequence of a model",
		.group = "network"),
	[SEQ] = KNOB_DOUBLING("seq", "sequence", "token", 16, 512, 384,
		"of each request; the encoder sees all of it at once",
		.when = { WHEN(NETWORK, BERT_LARGE) }, .group = "network"),
	[MODEL] = KNOB_ANY_PARTS_OF("model", "model", "llama3-8b",
		"its weights are read in every step; of a mixture the experts that the batch "
		"chooses",
		.when = { WHEN(NETWORK, DECODER) }, .group = "network"),
	[CONTEXT] = KNOB_DOUBLING("context", "cached", "token", 0, 131072, 1024,
		"of each sequence: read for every token, and shared by nobody",
		.when = { WHEN(NETWORK, DECODER) }, .group = "network"),
	[TP] = KNOB_DOUBLING("tp", "tensor parallel", "GPU", 1, 16, 1,
		"GPUs that share every layer, for two all-reduces in each",
		.when = { WHEN(NETWORK, DECODER) }, .group = "network"),
	[GPU] = KNOB_ANY_GPU(
		"a100", "its ridge decides how large a batch has to be before arithmetic binds"),
	[PRECISION] = KNOB_CHOICE_OF("precision", "precision", precisions, precision_names, "fp16",
		"fewer bits, fewer bytes, and a higher peak where the hardware has one",
		.also = "act_dtype", .aliases = value_type_aliases),
	[FUSION] = KNOB_SWITCH("fusion", "fused layers", 0,
		"norm, activation and addition in the product's epilogue: their tensors never go "
		"to memory, and their kernels are gone",
		.when = { WHEN(NETWORK, RESNET50, BERT_LARGE) }),
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

static bool decodes(const double v[])
{
	return v[NETWORK] == DECODER;
}

/* What a batch takes. */
struct inference_pass {
	double gpu_s, product_s, other_s; /* kernels: all, products, everything else */
	double cache_s;                   /* attention's, of a step that reads a cache */
	double cpu_s;                     /* launches */
	double latency_s;
	double bytes, flops, kernels;
};

/* What no launch changes of it, of the batches that were asked for: curves, bars and deadline share most of
 * them. */
enum { MOST_PASSES = 64 };
struct known_passes {
	size_t n;
	struct {
		double precision, fusion, batch;
		struct inference_pass pass;
	} at[MOST_PASSES];
};

/* The tables, and what was asked of them at the network, the GPU and the lengths of a figure: engines of a
 * model by the type of its weights, the operations of ResNet-50, passes. */
struct networks {
	const struct tables *t;
	struct decoder decoders[LENGTH(precision_dtypes)];
	bool known[LENGTH(precision_dtypes)];
	struct conv_op ops[MOST_CONV_OPS];
	size_t n_ops; /* 0: not listed yet */
	struct known_passes passes;
};

/* Launches run ahead of the kernels, so that one waits for the longer of the two. */
static void finish(struct inference_pass *p, const double v[])
{
	p->gpu_s = p->product_s + p->other_s + p->cache_s;
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
	struct networks *t, const struct accelerator *g, const double v[], double batch)
{
	const struct conv_op *ops = t->ops;
	struct conv_time times[MOST_CONV_OPS];
	size_t n = t->n_ops ? t->n_ops : (t->n_ops = resnet50_ops(t->ops));
	struct inference_pass p = { 0 };
	conv_times(g, runs_in(g, v), ops, n, batch, v[FUSION] > 0, times);
	for (size_t i = 0; i < n; i++) {
		bool product = ops[i].kind == CONV_PRODUCT;
		p.kernels += product || ops[i].kind == CONV_POOL || v[FUSION] == 0;
		p.flops += product ? 2 * batch * ops[i].rows * ops[i].cols * ops[i].k : 0;
		p.bytes += times[i].bytes;
		*(product ? &p.product_s : &p.other_s) += times[i].s;
	}
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
	return p;
}

static const char *network_name(const struct networks *t, const double v[])
{
	return decodes(v) ? model_at(t->t, v[MODEL])->name : network_names[(size_t)v[NETWORK]];
}

static const struct decoder *decoder_at(struct networks *t, const double v[])
{
	const size_t i = (size_t)v[PRECISION];
	if (!t->known[i])
		t->decoders[i] = decoder_of(model_at(t->t, v[MODEL]), gpu_at(t->t, v[GPU]), v[TP],
			v[CONTEXT], precision_dtypes[i]);
	t->known[i] = true;
	return &t->decoders[i];
}

static struct inference_pass decoder_pass(struct networks *t, const double v[], double batch)
{
	const struct decode_pass d = decode_pass(decoder_at(t, v), batch);
	return (struct inference_pass){ .product_s = d.products_s,
		.other_s = d.other_s,
		.cache_s = d.attention_s,
		.kernels = d.kernels,
		.bytes = d.weight_bytes + d.expert_bytes + d.cache_bytes,
		.flops = d.flops };
}

static struct inference_pass kernels_at(struct networks *t, const double v[], double batch)
{
	const struct accelerator *g = gpu_at(t->t, v[GPU]);
	const struct model *bert = model_find(t->t, "bert-large");
	if (decodes(v))
		return decoder_pass(t, v, batch);
	return v[NETWORK] == BERT_LARGE && bert ? bert_pass(g, bert, v, batch)
						: resnet_pass(t, g, v, batch);
}

/* v: the knobs of the figure but for precision, fusion and launches. */
static struct inference_pass pass_at(struct networks *t, const double v[], double batch)
{
	struct known_passes *known = &t->passes;
	struct inference_pass p;
	size_t i = 0;
	while (i < known->n && !(known->at[i].batch == batch && known->at[i].fusion == v[FUSION] &&
				       known->at[i].precision == v[PRECISION]))
		i++;
	p = i < known->n ? known->at[i].pass : kernels_at(t, v, batch);
	if (i == known->n && i < MOST_PASSES) {
		known->at[i].precision = v[PRECISION];
		known->at[i].fusion = v[FUSION];
		known->at[i].batch = batch;
		known->at[i].pass = p;
		known->n++;
	}
	finish(&p, v);
	return p;
}

enum { MOST_BATCH = 512 };

/* The first batch at which twice the batch brings less than a tenth more throughput. */
static double knee_of(struct networks *t, const double v[])
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
static double largest_in_time(struct networks *t, const double v[])
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
	enum meaning meaning; /* none of the colours that the parts of a batch have */
} stages[] = { { "as written", 0, 0, 0, MEANS_KIND + 5 }, { "+ fusion", 1, 0, 0, MEANS_KIND + 2 },
	{ "+ CUDA graph", 1, 1, 0, MEANS_KIND + 4 }, { "+ INT8", 1, 1, 1, MEANS_KIND + 3 } };
enum { N_STAGES = LENGTH(stages), FUSED = 1, INT8 = 3 };

static void stage_knobs(const double v[], size_t i, double out[N_KNOBS])
{
	for (int k = 0; k < N_KNOBS; k++)
		out[k] = v[k];
	out[FUSION] = stages[i].fusion;
	out[GRAPH] = stages[i].graph;
	if (stages[i].int8)
		out[PRECISION] = INT8;
}

/* Where INT8 is set all of them have it, and the step to it would be the bar before once more. A
 * language model's layers are fused from the first on. */
static bool is_stage(const double v[], size_t i)
{
	return !(stages[i].int8 && v[PRECISION] == INT8) && !(i == FUSED && decodes(v));
}

enum { MOST_MEASURED = 16, WANT = 2 };

/* Latencies of one framework: a series, and the batch nearest to this one. */
static bool add_framework(struct networks *t, const double v[], const char *framework,
	unsigned colour, struct plot *p, struct figure *fig)
{
	static const char *const want[WANT] = { "batch", "lat_avg_ms" };
	static const char *const in_csv[] = { "FP32", "TF32", "FP16-mixed", "-", "-" };
	const struct accelerator *g = gpu_at(t->t, v[GPU]);
	const struct measured_condition c[] = { { "gpu", g->id, 0, 0 },
		{ "precision", in_csv[(size_t)v[PRECISION]], 0, 0 },
		{ "framework", framework, 0, 0 } };
	double rows[MOST_MEASURED][WANT], plain[N_KNOBS];
	size_t best = 0, n = measured_points(fig->memo, t->t, "batch_latency", c, 3, want, WANT,
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
	overlay_nearest(fig, t->t, "batch_latency",
		"%s, eager, batch %g on %s, %.3g ms; the model with %g us a launch, %.3g ms",
		framework, rows[best][0], g->name, rows[best][1], v[LAUNCH_US],
		1e3 * pass_at(t, plain, rows[best][0]).latency_s);
	return true;
}

/* What was measured on this GPU with this type, eager: it belongs beside the curve "as written". */
static void add_measured(struct networks *t, const double v[], struct plot *p, struct figure *fig)
{
	const struct accelerator *g = gpu_at(t->t, v[GPU]);
	bool there = v[NETWORK] == RESNET50;
	bool pytorch = there && add_framework(t, v, "PyTorch", 6, p, fig);
	bool mxnet = there && add_framework(t, v, "MXNet", 7, p, fig);
	if (pytorch || mxnet)
		overlay_error(fig, t->t, "batch_latency", "", 0,
			"ResNet-50, eager, launches as of each framework");
	else
		overlay_outside(fig, "no latency of %s on %s in %s; kernels as of %s",
			network_name(t, v), g->name, precision_names[(size_t)v[PRECISION]],
			g->achieved.measured ? "the products measured on it" : "its family");
}

/* The batch from which on a stage takes as long as the one before it (if there is any), so that their lines are
 * one; 0: all the time. */
static double joins_at(struct networks *t, const double stage[], const double before[], bool any)
{
	const double alike = 0.01;
	double most = MOST_BATCH;
	while (any && most >= 1 &&
		fabs(pass_at(t, stage, most).latency_s / pass_at(t, before, most).latency_s - 1) <
			alike)
		most /= 2;
	return most < 1 ? 0 : fmin(2 * most, MOST_BATCH);
}

static void draw_tradeoff(
	struct networks *t, const double v[], const struct inference_pass *here, struct figure *fig)
{
	struct plot *p = figure_plot(fig, "Every batch from 1 to 512: best is lower right",
		"throughput", "/s", AXIS_LOG10, "latency", "s", AXIS_LOG10);
	figure_tab(fig, "Trade-off");
	double before[N_KNOBS];
	bool any = false;
	for (unsigned i = 0; i < N_STAGES; i++) {
		double stage[N_KNOBS];
		if (!is_stage(v, i))
			continue;
		stage_knobs(v, i, stage);
		const double most = joins_at(t, stage, before, any);
		if (most < 1)
			continue; /* no line of its own */
		struct series *s =
			plot_series(fig, p, stages[i].name, SERIES_LINE, stages[i].meaning);
		for (double b = 1; b <= most; b *= 2) {
			double latency_s = pass_at(t, stage, b).latency_s;
			series_point(fig, s, b / latency_s, latency_s);
		}
		memcpy(before, stage, sizeof before);
		any = true;
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

enum { PART_PRODUCTS, PART_OTHER, PART_WAIT, PART_CACHE, N_PARTS };

/* What a batch waits for: taking away anything else gains nothing. */
static const char *what_binds(const struct inference_pass *p)
{
	return waits_for_cpu(p)                              ? "launches set the pace"
	       : p->cache_s > fmax(p->product_s, p->other_s) ? "reading caches sets the pace"
	       : p->other_s > p->product_s                   ? "norms set the pace"
							     : "products set the pace";
}

/* How many times as fast as the first bar it has become; a step that hardly adds to that says so. */
static const char *gain_text(
	struct figure *fig, double first_s, double before_s, const struct inference_pass *p)
{
	const double hardly = 1.01;
	return before_s / p->latency_s < hardly ? "no gain"
						: figure_text(fig, "%.2gx", first_s / p->latency_s);
}

static void draw_parts(
	struct networks *t, const double v[], const struct inference_pass *here, struct figure *fig)
{
	static const char *const parts[N_PARTS] = { "products", "norms, activations",
		"waits for launches", "reading caches" };
	const size_t n_parts = decodes(v) ? N_PARTS : PART_CACHE;
	struct bars *b =
		figure_bars(fig, figure_text(fig, "A batch of %g: %s", v[BATCH], what_binds(here)),
			"s", parts, n_parts);
	static const enum meaning means[N_PARTS] = { MEANS_COMPUTE, MEANS_TRAFFIC, MEANS_WAITING,
		MEANS_CACHE };
	bars_mean(fig, b, means, n_parts);
	figure_tab(fig, "Where it goes");
	double before_s = 0, first_s = 0;
	for (size_t i = 0; i < N_STAGES; i++) {
		double stage[N_KNOBS];
		if (!is_stage(v, i))
			continue;
		stage_knobs(v, i, stage);
		struct inference_pass p = pass_at(t, stage, v[BATCH]);
		first_s = i == 0 ? p.latency_s : first_s;
		double took_s[N_PARTS] = { p.product_s, p.other_s, fmax(0, p.latency_s - p.gpu_s),
			p.cache_s };
		struct bar *bar = bars_add(fig, b, stages[i].name, took_s);
		if (!bar)
			continue;
		bar->note = i == 0 ? "1x" : gain_text(fig, first_s, before_s, &p);
		before_s = p.latency_s;
		if ((decodes(v) || stage[FUSION] == v[FUSION]) && stage[GRAPH] == v[GRAPH] &&
			stage[PRECISION] == v[PRECISION])
			bar->role = ROLE_ACCENT;
	}
}

/* What doubling the batch brings: the knob goes from bar to bar, and those past the deadline say so. */
static void draw_over_batch(struct networks *t, const double v[], struct figure *fig)
{
	static const enum meaning means[] = { MEANS_KIND + 6 };
	struct bars *b = figure_bars(fig, "Throughput by batch, and the time of one batch", "/s",
		(const char *[]){ "throughput" }, 1);
	bars_mean(fig, b, means, LENGTH(means));
	figure_tab(fig, "Batches");
	for (double batch = 1; batch <= MOST_BATCH; batch *= 2) {
		bool fourth = fmod(log2(batch), 2) == 0; /* enough to see where it ends to grow */
		if (!fourth && batch != v[BATCH])
			continue;
		struct inference_pass p = pass_at(t, v, batch);
		struct bar *bar = bars_add(fig, b, figure_text(fig, "batch %g", batch),
			(double[]){ batch / p.latency_s });
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

/* What the next steps of the engine make of launches that the GPU waits for: the gain at their bar. */
static const char *fewer_launches(struct networks *t, const double v[], struct figure *fig)
{
	double graph[N_KNOBS];
	for (int k = 0; k < N_KNOBS; k++)
		graph[k] = v[k];
	graph[FUSION] = graph[GRAPH] = 1;
	struct inference_pass one = pass_at(t, graph, v[BATCH]);
	return figure_text(fig, "a %sCUDA graph is %.2gx as fast",
		v[FUSION] > 0 || decodes(v) ? "" : "fused ",
		pass_at(t, v, v[BATCH]).latency_s / one.latency_s);
}

static const char *fused_text(struct networks *t, const double v[], struct figure *fig)
{
	double fused[N_KNOBS];
	for (int k = 0; k < N_KNOBS; k++)
		fused[k] = v[k];
	fused[FUSION] = 1;
	return figure_text(fig, "with fused layers %s",
		figure_quantity(fig, pass_at(t, fused, v[BATCH]).latency_s, "s"));
}

/* --- A language model --- */

/* What a step reads: a batch shares the weights, of a mixture the experts that several of it
 * choose, and no cache. */
static void draw_reads(struct networks *t, const double v[], struct figure *fig)
{
	static const char *const parts[] = { "weights", "experts", "caches" };
	static const enum meaning means[] = { MEANS_WEIGHTS, MEANS_KIND + 3, MEANS_CACHE };
	struct bars *b =
		figure_bars(fig, "What a step reads, by batch", "GB", parts, LENGTH(parts));
	bars_mean(fig, b, means, LENGTH(means));
	figure_tab(fig, "Reads");
	for (double batch = 1; batch <= MOST_BATCH; batch *= 2) {
		if (fmod(log2(batch), 2) != 0 && batch != v[BATCH])
			continue;
		const struct decode_pass p = decode_pass(decoder_at(t, v), batch);
		struct bar *bar = bars_add(fig, b, figure_text(fig, "%g", batch),
			(double[]){
				p.weight_bytes / 1e9, p.expert_bytes / 1e9, p.cache_bytes / 1e9 });
		if (!bar)
			continue;
		double all = p.weight_bytes + p.expert_bytes + p.cache_bytes;
		bar->note = p.experts > 0 ? figure_text(fig, "%.3g of %g experts", p.experts_read,
						    p.experts)
					  : figure_text(fig, "%s a token",
						    figure_quantity(fig, all / batch, "B"));
		bar->role = batch == v[BATCH] ? ROLE_ACCENT : ROLE_PLAIN;
	}
	if (b)
		b->close = true;
}

static void add_reads(struct networks *t, const double v[], struct figure *fig)
{
	const struct decode_pass p = decode_pass(decoder_at(t, v), v[BATCH]);
	figure_value(fig, "weights_GB", "weights read", p.weight_bytes / 1e9, "GB", ROLE_PLAIN);
	if (p.experts > 0) {
		value_note(figure_value(fig, "expert_GB", "experts read", p.expert_bytes / 1e9,
				   "GB", ROLE_PLAIN),
			figure_text(fig, "%.3g of %g in a layer", p.experts_read, p.experts));
		figure_value(
			fig, "experts_read", "experts of a layer", p.experts_read, "", ROLE_PLAIN);
	}
	figure_value(fig, "cache_GB", "caches read", p.cache_bytes / 1e9, "GB", ROLE_PLAIN);
}

/* What twice the batch would bring, and why. */
static void explain_decoder(struct networks *t, const double v[], const struct inference_pass *p,
	double knee, struct figure *fig)
{
	const struct decode_pass d = decode_pass(decoder_at(t, v), v[BATCH]);
	const struct decode_pass twice = decode_pass(decoder_at(t, v), 2 * v[BATCH]);
	const double all = p->bytes, most = 0.9;
	if (d.experts > 0 && d.experts_read < most * d.experts)
		figure_why(fig,
			"A batch of %g chooses %.3g of %g experts in a layer, and twice the batch "
			"%.3g: what a step reads grows with it, and no expert has many rows.",
			v[BATCH], d.experts_read, d.experts, twice.experts_read);
	else if (d.cache_bytes > all / 2)
		figure_why(fig,
			"%.0f %% of what a step reads are caches, which no batch shares: twice the "
			"batch reads twice as much of them. Fewer KV heads, windows or latent "
			"vectors help.",
			100 * d.cache_bytes / all);
	else
		figure_why(fig,
			"%.0f %% of what a step reads are weights, which the batch shares: twice "
			"the batch makes nearly twice the tokens, until about %g.",
			100 * (1 - d.cache_bytes / all), knee);
}

static void read_for_the_reader(struct networks *t, const double v[],
	const struct inference_pass *p, double knee, double in_time, struct figure *fig)
{
	const struct accelerator *g = gpu_at(t->t, v[GPU]);
	enum dtype d = precision_dtypes[(size_t)v[PRECISION]], runs = runs_in(g, v);
	bool late = v[DEADLINE_MS] > 0 && !in_deadline(p, v);
	if (decodes(v) && !waits_for_cpu(p) && !late) {
		explain_decoder(t, v, p, knee, fig);
		return;
	}
	if (waits_for_cpu(p) && v[PRECISION] == INT8)
		figure_why(fig, "INT8 changes nothing: %.0f launches take %s%s; %s.", p->kernels,
			figure_quantity(fig, p->latency_s, "s"), late ? ", past the deadline" : "",
			fewer_launches(t, v, fig));
	else if (waits_for_cpu(p))
		figure_why(fig, "%.3g %% of a batch waits for launches%s; %s.",
			100 * (1 - p->gpu_s / p->latency_s), late ? ", past the deadline" : "",
			fewer_launches(t, v, fig));
	else if (late)
		figure_why(fig, "A batch of %g takes %s, past the deadline of %g ms: %s.", v[BATCH],
			figure_quantity(fig, p->latency_s, "s"), v[DEADLINE_MS],
			in_time < 1 ? "not even a single one is done in it"
			: v[FUSION] > 0 || decodes(v)
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

/* A model that is larger than its GPUs, or that is no decoder. */
static void warn_decoder(struct networks *t, const double v[], struct figure *fig)
{
	const struct decoder *d = decoder_at(t, v);
	double caches = decode_pass(d, v[BATCH]).cache_bytes;
	const char *type =
		figure_text(fig, "%s, and caches", precision_names[(size_t)v[PRECISION]]);
	warn_too_large(fig, d->model, type, model_weight_bytes(d->model, d->weights) + caches,
		d->gpu, v[TP], true);
	note_encoder(fig, d->model);
}

/* What of a batch the GPU has nothing to do in. */
static void add_waiting(const struct inference_pass *p, struct figure *fig)
{
	value_note(figure_value(fig, "launch_wait_pct", "waits for launches",
			   fmax(0, 100 * (1 - p->gpu_s / p->latency_s)), "%",
			   waits_for_cpu(p) ? ROLE_WARN : ROLE_PLAIN),
		figure_text(fig, "%.0f kernels", p->kernels));
}

static void run(const struct tables *tables, const double v[], struct figure *fig)
{
	struct networks of = { .t = tables }, *t = &of;
	struct inference_pass p = pass_at(t, v, v[BATCH]);
	double plain[N_KNOBS], knee = knee_of(t, v);
	double in_time = v[DEADLINE_MS] > 0 ? largest_in_time(t, v) : 0;
	stage_knobs(v, 0, plain);
	struct inference_pass unfused = pass_at(t, plain, v[BATCH]);
	figure_subtitle(fig, "%s on %s%s · %s%s", network_name(t, v),
		decodes(v) && v[TP] > 1 ? figure_text(fig, "%g x ", v[TP]) : "",
		gpu_at(tables, v[GPU])->name, precision_names[(size_t)v[PRECISION]],
		v[FUSION] > 0 && !decodes(v) ? " · fused" : "");
	bool late = v[DEADLINE_MS] > 0 && p.latency_s * 1e3 > v[DEADLINE_MS];
	const bool waits = waits_for_cpu(&p);
	if (waits) /* the sentence is about it */
		add_waiting(&p, fig);
	value_note(figure_value(fig, "latency_ms", "latency", p.latency_s * 1e3, "ms",
			   late ? ROLE_BAD : ROLE_ACCENT),
		v[DEADLINE_MS] > 0 ? figure_text(fig, "deadline %g ms", v[DEADLINE_MS]) : NULL);
	figure_value(fig, "throughput", "throughput", v[BATCH] / p.latency_s, "/s", ROLE_ACCENT);
	value_note(figure_value(fig, "knee_batch", "gain ends at batch", knee, "", ROLE_PLAIN),
		knee < MOST_BATCH ? "then < 10 % a doubling" : "the most that is tried");
	if (v[DEADLINE_MS] > 0)
		value_note(figure_value(fig, "largest_batch", "largest batch", in_time, "",
				   in_time < 1 ? ROLE_BAD : ROLE_PLAIN),
			figure_text(fig, "meets %g ms", v[DEADLINE_MS]));
	if (!waits)
		add_waiting(&p, fig);
	figure_value(fig, "gpu_busy_pct", "GPU busy", 100 * p.gpu_s / p.latency_s, "%", ROLE_DIM);
	value_note(figure_value(fig, "moved_GB", "moved", p.bytes / 1e9, "GB", ROLE_PLAIN),
		v[FUSION] > 0 && !decodes(v) ? figure_text(fig, "%.0f %% less than unfused",
						       100 * (1 - p.bytes / unfused.bytes))
					     : NULL);
	if (decodes(v))
		add_reads(t, v, fig);
	figure_value(fig, "intensity", "intensity", p.flops / p.bytes, "FLOP/B", ROLE_PLAIN);
	draw_parts(t, v, &p, fig);
	if (decodes(v))
		draw_reads(t, v, fig);
	draw_over_batch(t, v, fig);
	draw_tradeoff(t, v, &p, fig);
	read_for_the_reader(t, v, &p, knee, in_time, fig);
	if (v[PRECISION] == INT8)
		figure_note(fig, ROLE_DIM,
			"INT8 needs calibration or training with it; layers that lose accuracy "
			"stay in 16 bits and their tensors are converted in between.");
	if (decodes(v))
		warn_decoder(t, v, fig);
	figure_assume(fig, "inputs are on the GPU; nothing else runs there");
	figure_assume(
		fig, "launches run ahead of the kernels: one waits for the longer of the two");
	figure_assume(fig, decodes(v) ? "layers fused as engines have them; the cache in BF16; "
					"experts equally often chosen"
				      : "ResNet-50 v1.5 at 224 x 224; BERT-large without its "
					"embeddings and head");
	figure_leave_out(
		fig, "copies to and from the GPU, pre-processing, queueing before the batch");
	figure_leave_out(fig, decodes(v)
				      ? "prompts, sequences that come and go: `batching` has both"
				      : "Winograd and other algorithms with fewer "
					"multiplications");
}

const struct sim inference_sim = {
	.id = "inference",
	.title = "Inference engine",
	.summary = "Fusion, fewer bits, launches and the batch: latency against throughput; what a "
		   "language model's step reads",
	.page = "inference",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(FUSION, GRAPH, BATCH, PRECISION, DEADLINE_MS, GPU),
	.try = "Turn batch to 256. What binds now, and which technique still gains?",
	.run = run,
};
