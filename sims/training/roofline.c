/* The roofline: what a GPU can do at best with that much work per byte, and where the operations of
 * a transformer layer stand under it. */
#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/base/stats.h"
#include "sims/tables/tables.h"
#include "sims/formulas/roofline.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/knobs.h"
#include "sims/gpu/precision.h"
#include "sims/gpu/kernel.h"
#include "sims/gpu/transformer.h"
#include "sims/published/measured.h"
#include "sims/published/overlay.h"
#include "sims/training/model_step.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum {
	GPU,
	DTYPE,
	BATCH,
	SEQ,
	HIDDEN,
	HEADS,
	GQA,
	PHASE,
	ATTENTION,
	CAUSAL,
	FUSION,
	CEILING,
	COMPARE,
	FLOPS,
	BYTES,
	N_KNOBS
};
enum roofline_phase { TRAIN, PREFILL, DECODE };
enum roofline_attention { UNFUSED, FLASH };
enum ceiling { DATASHEET, ACHIEVED };
static const char *const phase_ids[] = { "train", "prefill", "decode", NULL };
static const char *const phase_names[] = { "training", "prefill", "decode" };
static const char *const attention_names[] = { "unfused", "FlashAttention" };
static const char *const attention_ids[] = { "unfused", "flash", NULL };
static const char *const ceiling_ids[] = { "datasheet", "achieved", NULL };
/* The names on the user's own machine, which has no datasheet. */
static const char *const measured_ceilings[] = { "best measured", "sustained" };

static const struct knob knobs[N_KNOBS] = {
	[GPU] = KNOB_ANY_MACHINE("a100",
		"the roof moves, the operations stay: intensity belongs to the work, the ridge to "
		"the machine"),
	[DTYPE] = KNOB_CHOICE_OF("dtype", "type", dtype_ids, dtype_names, "bf16",
		"fewer bytes move a product right, a faster unit moves the ridge right as well: "
		"halving both leaves a product where it was",
		.also = "weight_dtype act_dtype", .aliases = value_type_aliases),
	[BATCH] = KNOB_DOUBLING("batch", "batch", "", 1, 4096, 4,
		"the intensity of a weight product grows with tokens = batch x new tokens; "
		"attention's does not, each sequence has keys of its own"),
	[SEQ] = KNOB_DOUBLING("seq", "sequence", "token", 1, 1048576, 2048,
		"unfused attention writes its s x s scores: intensity s d / (s + 2 d) never "
		"passes the head dimension; flash grows as s / 2"),
	[HIDDEN] = KNOB_DOUBLING("hidden", "hidden size", "", 64, 65536, 4096,
		"wider weights give each token more work per byte, until the tokens are the "
		"lesser side",
		.group = "the layer"),
	[HEADS] = KNOB_DOUBLING("heads", "heads", "", 1, 512, 32,
		"more heads, each narrower: the same FLOPs, and one more score matrix per head",
		.group = "the layer"),
	[GQA] = KNOB_DOUBLING("gqa", "heads per KV head", "", 1, 64, 1,
		"heads that share keys and values read them once: in decode the intensity of "
		"attention is about this number",
		.group = "the layer"),
	[PHASE] = KNOB_CHOICE_OF("phase", "phase", phase_ids, phase_names, "train",
		"decode brings one token per sequence, so that every weight is read for batch x 2 "
		"FLOPs"),
	[ATTENTION] = KNOB_CHOICE_OF("attention", "attention", attention_ids, attention_names,
		"unfused",
		"a fused kernel keeps the scores on the chip: same FLOPs, a fraction of the bytes"),
	[CAUSAL] = KNOB_SWITCH("causal", "causal mask", 0,
		"a flash kernel skips the masked half; separate kernels compute it and throw it "
		"away",
		.group = "the layer"),
	[FUSION] = KNOB_SWITCH("fusion", "fuse pointwise", 0,
		"an operation that runs in its neighbour's kernel pays no traffic of its own",
		.group = "the layer"),
	[CEILING] = KNOB_CHOICE_OF("ceiling", "ceiling", ceiling_ids, NULL, "datasheet",
		"achieved: what measured kernels sustain, with launches, whole tiles and whole "
		"waves",
		.group = "the roof"),
	[COMPARE] = KNOB_SWITCH("compare", "other generations", 0,
		"from V100 to A100 and H100 compute grew faster than bandwidth; H200 and B200 "
		"turned that round"),
	[FLOPS] = KNOB_FACTOR("flops", "your point: work", "FLOP", 0, 1e18, 0, 2,
		"your kernel's FLOPs; with its bytes it becomes a point", .zero = "none",
		.group = "your point"),
	[BYTES] = KNOB_FACTOR("bytes", "your point: bytes", "B", 0, 1e15, 0, 2,
		"your kernel's DRAM traffic, as a profiler counts it", .zero = "none",
		.group = "your point"),
};

/* What bounds an operation: its name and its colour, the same in the plot and in the bars. */
static const char *const bound_names[] = { "memory-bound", "compute-bound" };
static const enum meaning bound_means[] = { MEANS_TRAFFIC, MEANS_COMPUTE };

/* An operation with what the figure says of it. */
struct dot {
	struct operation op;
	double intensity, time_s; /* time_s: of all its occurrences in the layer */
	double rate_flops;        /* where it stands on the plot */
	bool memory_bound;
};

struct roofline_scene {
	const struct accelerator *gpu;
	enum dtype dtype;
	enum ceiling ceiling;
	struct layer_shape layer;
	double peak_flops, bandwidth, ridge; /* under the chosen ceiling */
	struct dot dots[MAX_OPERATIONS];
	size_t n;
	double layer_s, memory_bound_s, backward_s;
	size_t memory_bound;
};

static struct layer_shape layer_of(const double v[])
{
	enum roofline_phase phase = (enum roofline_phase)v[PHASE];
	return (struct layer_shape){
		.hidden = v[HIDDEN],
		.heads = v[HEADS],
		.kv_heads = fmax(1, v[HEADS] / v[GQA]),
		.head_dim = v[HIDDEN] / v[HEADS],
		.ffn = 4 * v[HIDDEN],
		.batch = v[BATCH],
		.new_tokens = phase == DECODE ? 1 : v[SEQ],
		.context = phase == DECODE ? v[SEQ] - 1 : 0,
		.dtype = (enum dtype)v[DTYPE],
		.flash = (enum roofline_attention)v[ATTENTION] == FLASH,
		.causal = v[CAUSAL] != 0,
		.fused = v[FUSION] != 0,
		.tp = 1,
	};
}

static void roof(const struct accelerator *g, enum dtype d, enum ceiling ceiling, double *peak,
	double *bandwidth)
{
	enum dtype math = kernel_math_dtype(g, d);
	*peak = g->peak_flops[math] * (ceiling == ACHIEVED ? kernel_compute_ratio(g, math) : 1);
	*bandwidth = g->bandwidth * (ceiling == ACHIEVED ? kernel_efficiency(g).memory : 1);
}

static const char *ceiling_name(const struct accelerator *g, enum ceiling ceiling)
{
	return g->measured_on ? measured_ceilings[ceiling] : ceiling_ids[ceiling];
}

/* Backward: a product has two of its size (inputs, weights), a flash kernel computes the scores
 * again (2.5 times its forward FLOPs), a pointwise operation reads and writes twice as much. */
static double backward_ratio(const struct operation *op)
{
	return op->kind == OP_ATTENTION ? FLASH_BACKWARD_OVER_FORWARD : BACKWARD_OVER_FORWARD;
}

/* Where an operation that computes in `math` turns from memory to arithmetic. */
static double ridge_of(const struct roofline_scene *s, enum dtype math)
{
	double peak, bandwidth;
	roof(s->gpu, math, s->ceiling, &peak, &bandwidth);
	return CALL(ridge_point, .peak_flops = peak, .bandwidth = bandwidth);
}

/* The type of attention's products: they stay in 16 bits, as layer_operations has it. */
static enum dtype attention_dtype(const struct roofline_scene *s)
{
	return dtype_bytes(s->dtype) < 2 ? DTYPE_BF16 : s->dtype;
}

static void add_dots(struct roofline_scene *s, bool train)
{
	struct operation ops[MAX_OPERATIONS];
	s->n = layer_operations(s->gpu, &s->layer, ops);
	for (size_t i = 0; i < s->n; i++) {
		const struct operation *op = &ops[i];
		bool achieved = s->ceiling == ACHIEVED;
		double one_s = operation_time_s(s->gpu, &s->layer, op, achieved);
		double intensity =
			CALL(arithmetic_intensity, .flops = op->flops, .bytes = op->bytes);
		struct dot *d = &s->dots[i];
		*d = (struct dot){ *op, intensity, op->count * one_s, op->flops / one_s,
			intensity < ridge_of(s, op->math) };
		s->layer_s += d->time_s;
		s->memory_bound += d->memory_bound;
		s->memory_bound_s += d->memory_bound ? d->time_s : 0;
		s->backward_s += train ? backward_ratio(op) * d->time_s : 0;
	}
}

static struct roofline_scene scene_of(const struct tables *t, const double v[])
{
	assert(v[DTYPE] < N_DTYPES && v[PHASE] <= DECODE && v[CEILING] <= ACHIEVED);
	struct roofline_scene s = { .gpu = gpu_at(t, v[GPU]),
		.dtype = (enum dtype)v[DTYPE],
		.ceiling = (enum ceiling)v[CEILING],
		.layer = layer_of(v) };
	roof(s.gpu, s.dtype, s.ceiling, &s.peak_flops, &s.bandwidth);
	s.ridge = CALL(ridge_point, .peak_flops = s.peak_flops, .bandwidth = s.bandwidth);
	add_dots(&s, (enum roofline_phase)v[PHASE] == TRAIN);
	return s;
}

static double attainable(double intensity, double peak_flops, double bandwidth)
{
	return CALL(attainable_flops, .intensity = intensity, .peak_flops = peak_flops,
		.bandwidth = bandwidth);
}

static double own_intensity(const double v[])
{
	bool given = v[FLOPS] > 0 && v[BYTES] > 0;
	return given ? CALL(arithmetic_intensity, .flops = v[FLOPS], .bytes = v[BYTES]) : NAN;
}

static void add_own_values(struct figure *fig, const struct roofline_scene *s, const double v[])
{
	double own = own_intensity(v);
	if (isnan(own))
		return;
	figure_value(fig, "intensity_own", "your point", own, "FLOP/B", ROLE_PLAIN);
	double at_best_s = CALL(roofline_time, .flops = v[FLOPS], .bytes = v[BYTES],
		.peak_flops = s->peak_flops, .bandwidth = s->bandwidth);
	figure_value(fig, "own_ms", "its time, at best", 1e3 * at_best_s, "ms", ROLE_PLAIN);
}

/* What kernels sustain of a number of the datasheet; NULL where the number is what they sustain. */
static const char *reached(struct figure *fig, const struct roofline_scene *s, double share)
{
	return s->ceiling == ACHIEVED ? NULL : figure_text(fig, "%.0f %% reached", 100 * share);
}

/* The types that training computes in. */
static bool trains_in(enum dtype d)
{
	static const enum dtype types[] = { DTYPE_FP32, DTYPE_TF32, DTYPE_BF16, DTYPE_FP16,
		DTYPE_FP8, DTYPE_FP4 };
	for (size_t i = 0; i < LENGTH(types); i++)
		if (types[i] == d)
			return true;
	return false;
}

/* The same layer in a training step, forward and backward, as the one model of it has it: kernels as
 * they are, clocks that sink under load, starts. s; 0 where nobody trains so. */
static double trained_s(const struct roofline_scene *s)
{
	const struct layer_shape *l = &s->layer;
	const struct model layer = { .id = "layer",
		.name = "a layer",
		.layers = 1,
		.hidden = l->hidden,
		.heads = l->heads,
		.kv_heads = l->kv_heads,
		.head_dim = l->head_dim,
		.ffn = l->ffn,
		.vocab = 1 };
	const struct step_setup setup = { .model = &layer,
		.gpu = s->gpu,
		.tp = 1,
		.pp = 1,
		.cp = 1,
		.dp = 1,
		.shard = 1,
		.micro_batch = l->batch,
		.micro_batches = 1,
		.seq = l->new_tokens,
		.dtype = s->dtype,
		.flash = l->flash,
		.full = !l->causal,
		.loss_share = 1,
		.software.fused = l->fused,
		.software.date = SOFTWARE_2025 };
	if (s->gpu->measured_on || !trains_in(s->dtype))
		return 0;
	struct step_time time = model_step(&setup, 1);
	return time.forward_s + time.backward_s;
}

/* The pass that a training step has besides, and what the two take in a real one: kernels stay below the
 * roof. */
static void add_backward(struct figure *fig, const struct roofline_scene *s)
{
	double step_s = trained_s(s), roof_s = s->layer_s + s->backward_s;
	figure_value(fig, "backward_ms", "layer, backward", s->backward_s * 1e3, "ms",
		s->backward_s > 0 ? ROLE_PLAIN : ROLE_DIM);
	if (step_s <= 0 || s->backward_s <= 0)
		return;
	value_note(
		figure_value(fig, "trained_ms", "in a real step", 1e3 * step_s, "ms", ROLE_PLAIN),
		figure_text(fig, "%.3gx the roof", step_s / roof_s));
}

static void add_values(struct figure *fig, const struct roofline_scene *s, const double v[])
{
	add_own_values(fig, s, v);
	value_note(figure_value(fig, "memory_time_pct", "waits for memory",
			   100 * s->memory_bound_s / s->layer_s, "%", ROLE_ACCENT),
		"of the layer's time");
	figure_value(fig, "layer_ms", "layer, forward", s->layer_s * 1e3, "ms", ROLE_PLAIN);
	if (s->backward_s > 0)
		add_backward(fig, s);
	figure_value(fig, "ridge", "ridge", s->ridge, "FLOP/B", ROLE_PLAIN);
	/* On a logarithmic axis the roof that kernels reach lies on the datasheet's: a number says
	 * more. */
	enum dtype math = kernel_math_dtype(s->gpu, s->dtype);
	value_note(figure_value(
			   fig, "peak_tflops", "peak", s->peak_flops / 1e12, "TFLOP/s", ROLE_PLAIN),
		reached(fig, s, kernel_compute_ratio(s->gpu, math)));
	value_note(figure_value(fig, "bandwidth_TBps", "bandwidth", s->bandwidth / 1e12, "TB/s",
			   ROLE_PLAIN),
		reached(fig, s, kernel_efficiency(s->gpu).memory));
	value_note(figure_value(fig, "memory_bound_ops", "memory-bound", (double)s->memory_bound,
			   "", ROLE_PLAIN),
		figure_text(fig, "of %zu operations", s->n));
	if (s->backward_s <= 0)
		add_backward(fig, s);
	for (size_t i = 0; i < s->n; i++) {
		const struct dot *d = &s->dots[i];
		figure_value(fig, figure_text(fig, "intensity_%s", d->op.id), d->op.name,
			d->intensity, "FLOP/B", ROLE_DIM);
	}
}

/* --- the levels of a memory that was measured ------------------------------------------------ */

static const char *rate(struct figure *fig, double x)
{
	return x > 0 ? figure_quantity(fig, x, "B/s") : "-";
}

static const char *size_text(struct figure *fig, double bytes)
{
	bool small = bytes < 1048576;
	const char *text = figure_quantity(fig, bytes / (small ? 1024 : 1048576), "");
	return bytes > 0 ? figure_text(fig, "%s %s", text, small ? "KiB" : "MiB") : "-";
}

static const char *ridge_text(struct figure *fig, double peak_flops, double bandwidth)
{
	if (bandwidth <= 0)
		return "-";
	double ridge = CALL(ridge_point, .peak_flops = peak_flops, .bandwidth = bandwidth);
	return figure_quantity(fig, ridge, "");
}

/* Adds a table of the levels, with the ridge of each under peak_flops (per s); nothing where none
 * were measured. */
static void hierarchy_table(struct figure *fig, const struct accelerator *g, double peak_flops)
{
	static const char *const head[] = { "level", "per core", "read", "write", "triad",
		"ridge, FLOP/B" };
	if (!g->n_levels)
		return;
	const char *title = figure_text(fig, "Memory hierarchy, %u %s", g->threads,
		g->threads == 1 ? "thread" : "threads together");
	struct table *t = figure_table(fig, title, head, 6, "011111");
	figure_tab(fig, "Levels");
	for (size_t i = 0; i < g->n_levels; i++) {
		const struct memory_level *l = &g->levels[i];
		const char *const cells[] = { l->name, size_text(fig, l->bytes), rate(fig, l->read),
			rate(fig, l->write), rate(fig, l->triad),
			ridge_text(fig, peak_flops, l->read) };
		table_row(fig, t, cells);
	}
}

/* --- published timings under the roof -------------------------------------------------------- */

enum { MOST = 500, WANT = 4, BINS = 16 };
struct measured_product {
	double m, n, k, time_us;
};

static double intensity(const struct measured_product *p, double value_bytes)
{
	return 2 * p->m * p->n * p->k /
	       ((p->m * p->k + p->k * p->n) * value_bytes + 2 * p->m * p->n);
}

static double rate_flops(const struct measured_product *p)
{
	return 2 * p->m * p->n * p->k / (p->time_us * 1e-6);
}

/* The bin of an intensity: half decades from 0.1. */
static int bin_of(const struct measured_product *p, double value_bytes)
{
	return (int)floor(2 * log10(intensity(p, value_bytes) / 0.1));
}

static void add_points(struct figure *fig, struct plot *p, const struct measured_product rows[],
	size_t n, double value_bytes)
{
	struct series *s = overlay_series(fig, p, "matrix products, measured", 6);

	for (int bin = 0; bin < BINS; bin++) {
		double x[MOST], y[MOST];
		size_t found = 0;
		for (size_t i = 0; i < n; i++)
			if (bin_of(&rows[i], value_bytes) == bin) {
				x[found] = log(intensity(&rows[i], value_bytes));
				y[found++] = rate_flops(&rows[i]);
			}
		if (found)
			series_mark(fig, s, exp(quantile_select(x, found, 0.5)),
				quantile_select(y, found, 0.5) / 1e12, NULL, ROLE_PLAIN);
	}
}

static void say_nearest(struct figure *fig, const struct tables *t, const struct accelerator *g,
	enum dtype d, const struct measured_product rows[], size_t n,
	const struct measured_product *to, const char *name)
{
	const struct measured_product *best = NULL;
	double least = INFINITY;

	for (size_t i = 0; i < n; i++) {
		double off = overlay_distance(rows[i].m, to->m) +
			     overlay_distance(rows[i].n, to->n) +
			     overlay_distance(rows[i].k, to->k);
		if (off < least) {
			least = off;
			best = &rows[i];
		}
	}
	if (!best)
		return;
	double model_s = gemm_time_s(g, d, best->m, best->n, best->k);
	overlay_nearest(fig, t, "gemm",
		"to %s, %.0f x %.0f x %.0f, %s; the model of kernels says %s", name, best->m,
		best->n, best->k, figure_quantity(fig, best->time_us * 1e-6, "s"),
		figure_quantity(fig, model_s, "s"));
}

/* Adds the points of this GPU and type, one for each stretch of intensity: the product whose rate
 * is in the middle of those there. Says how far off the model of kernels is on them, and what was
 * measured nearest to a product of m x k by k x n called `name`; or that nothing was. */
static void roofline_overlay(struct figure *fig, struct plot *p, const struct tables *t,
	const struct accelerator *g, enum dtype d, const char *name, double m, double n, double k)
{
	const char *format = d == DTYPE_BF16 ? "bfloat16" : d == DTYPE_FP8 ? "fp8" : "-";
	const struct measured_condition c[] = { { "gpu", g->id, 0, 0 }, { "dtype", format, 0, 0 } };
	static const char *const want[WANT] = { "m", "n", "k", "time_us" };
	struct measured_product rows[MOST];
	char groups[48];

	snprintf(groups, sizeof groups, "%s %s", g->id, format);
	const char *what = figure_text(fig, "products on %s in %s", g->name, dtype_names[d]);
	size_t found = measured_points(fig->memo, t, "gemm", c, 2, want, WANT, &rows[0].m, MOST);
	if (!found || !overlay_error(fig, t, "gemm", groups, 400, what)) {
		overlay_outside(fig, "no %s; the datasheet%s", what,
			g->achieved.measured ? ", and constants fitted to other types"
					     : ", and the constants of its family");
		return;
	}
	add_points(fig, p, rows, found, dtype_bytes(d));
	say_nearest(fig, t, g, d, rows, found, &(struct measured_product){ m, n, k, 0 }, name);
}

/* --- pictures -------------------------------------------------------------------------------- */

struct roofline_range {
	double min, max;
};

static void widen(struct roofline_range *r, double x)
{
	if (x > 0 && isfinite(x)) {
		r->min = fmin(r->min, x / 2);
		r->max = fmax(r->max, x * 2);
	}
}

static void add_roof(struct figure *fig, struct plot *p, const char *name, enum series_style style,
	enum meaning meaning, struct roofline_range x, double peak_flops, double bandwidth)
{
	struct series *line = plot_series(fig, p, name, style, meaning);
	double ridge = CALL(ridge_point, .peak_flops = peak_flops, .bandwidth = bandwidth);
	const double at[] = { x.min, ridge, x.max };
	for (size_t i = 0; i < LENGTH(at); i++)
		series_point(fig, line, at[i], attainable(at[i], peak_flops, bandwidth) / 1e12);
}

/* The roof in its two halves, in the colours of what it does to those under it: left of the ridge the
 * memory sets the rate, right of it the arithmetic units do. Each half says how many those are. */
static void add_own_roof(
	struct figure *fig, struct plot *p, const struct roofline_scene *s, struct roofline_range x)
{
	for (int compute = 0; compute < 2; compute++) {
		size_t under = compute ? s->n - s->memory_bound : s->memory_bound;
		const char *name = figure_text(fig, "%zu %s", under, bound_names[compute]);
		struct series *half = plot_series(fig, p, name, SERIES_AREA, bound_means[compute]);
		const double at[] = { compute ? s->ridge : x.min, compute ? x.max : s->ridge };
		for (size_t i = 0; i < LENGTH(at); i++)
			series_point(fig, half, at[i],
				attainable(at[i], s->peak_flops, s->bandwidth) / 1e12);
	}
}

static void add_generations(struct figure *fig, struct plot *p, const struct tables *t,
	const struct roofline_scene *s, struct roofline_range x)
{
	static const char *const generations[] = { "v100", "a100", "h100", "h200", "b200" };
	for (size_t i = 0; i < LENGTH(generations); i++) {
		const struct accelerator *g = gpu_find(t, generations[i]);
		double peak, bandwidth;
		if (!g || g == s->gpu)
			continue;
		roof(g, s->dtype, s->ceiling, &peak, &bandwidth);
		add_roof(fig, p, g->name, SERIES_DASHED, MEANS_KIND + 2 + (unsigned)i, x, peak,
			bandwidth);
	}
}

/* Roofs that the levels above main memory would give, where they were measured. */
static void add_level_roofs(
	struct figure *fig, struct plot *p, const struct roofline_scene *s, struct roofline_range x)
{
	const struct accelerator *g = s->gpu;
	for (size_t i = 0; i + 1 < g->n_levels; i++)
		if (g->levels[i].read > 0)
			add_roof(fig, p, g->levels[i].name, SERIES_DASHED,
				MEANS_KIND + 2 + (unsigned)i % 5, x, s->peak_flops,
				g->levels[i].read);
}

/* Operations nearer to each other than this, as a ratio of intensities, have one name together. */
static const double beside = 1.5;

static bool is_weight_product(const struct dot *d)
{
	return d->op.kind == OP_GEMM && d->op.batch <= 1;
}

/* The name of a dot on the plot: its own; of several in one place, the first has one for all of them
 * and the others have none (NULL). */
static const char *dot_name(struct figure *fig, const struct roofline_scene *s, size_t at)
{
	const struct dot *d = &s->dots[at], *second = NULL, *third = NULL;
	size_t n = 0;
	bool weights = true;
	for (size_t i = 0; i < s->n; i++) {
		const struct dot *other = &s->dots[i];
		double ratio = other->intensity / d->intensity;
		if (other->memory_bound != d->memory_bound || ratio > beside || ratio * beside < 1)
			continue;
		if (i < at)
			return NULL;
		n++;
		weights = weights && is_weight_product(other);
		third = second && !third ? other : third;
		second = i > at && !second ? other : second;
	}
	if (n == 1)
		return d->op.name;
	if (n == 2)
		return figure_text(fig, "%s and %s", d->op.name, second->op.name);
	if (n == 3 && !weights)
		return figure_text(fig, "%s, %s, %s", d->op.name, second->op.name, third->op.name);
	return weights ? figure_text(fig, "%zu weight products", n)
		       : figure_text(fig, "%s, %zu more", d->op.name, n - 1);
}

/* Operations under one half of the roof, in its colour. */
static void mark_dots(
	struct figure *fig, struct plot *p, const struct roofline_scene *s, bool memory_bound)
{
	struct series *dots = NULL;
	for (size_t i = 0; i < s->n; i++) {
		const struct dot *d = &s->dots[i];
		if (d->memory_bound != memory_bound)
			continue;
		if (!dots)
			dots = plot_series(fig, p, "", SERIES_POINTS, bound_means[!memory_bound]);
		series_mark(fig, dots, d->intensity, d->rate_flops / 1e12, dot_name(fig, s, i),
			ROLE_PLAIN);
	}
}

static void add_plot(struct figure *fig, const struct tables *t, const struct roofline_scene *s,
	const double v[])
{
	struct plot *p = figure_plot(fig, "Operations of a layer under the roof",
		"Arithmetic intensity", "FLOP/B", AXIS_LOG10, "Performance", "TFLOP/s", AXIS_LOG10);
	figure_tab(fig, "Roof");
	struct roofline_range x = { 0.1, 1e4 };
	double own = own_intensity(v);
	widen(&x, s->ridge);
	widen(&x, own);
	for (size_t i = 0; i < s->n; i++)
		widen(&x, s->dots[i].intensity);
	if (p) {
		p->x.min = x.min;
		p->x.max = x.max;
	}
	add_own_roof(fig, p, s, x);
	if (v[COMPARE] != 0)
		add_generations(fig, p, t, s, x);
	else
		add_level_roofs(fig, p, s, x);
	mark_dots(fig, p, s, false);
	mark_dots(fig, p, s, true);
	roofline_overlay(fig, p, t, s->gpu, s->dtype, "FFN up",
		s->layer.batch * s->layer.new_tokens, s->layer.ffn, s->layer.hidden);
	if (!isnan(own))
		series_mark(fig, plot_series(fig, p, "your point", SERIES_POINTS, 3), own,
			attainable(own, s->peak_flops, s->bandwidth) / 1e12, NULL, ROLE_ACCENT);
	plot_rule(
		fig, p, false, s->ridge, figure_text(fig, "ridge %.0f FLOP/B", s->ridge), ROLE_DIM);
}

/* All of the layer's time in one bar: what those left of the ridge take of it. */
static void add_share(struct figure *fig, const struct roofline_scene *s)
{
	double memory = 100 * s->memory_bound_s / s->layer_s;
	static const char *const parts[] = { "waits for memory", "computes" };
	struct bars *b = figure_bars(fig, "Where the layer's time goes", "%", parts, 2);
	bars_mean(fig, b, bound_means, 2);
	figure_tab(fig, "Share");
	if (b)
		b->shares = b->close = true;
	bars_add(fig, b, "time", (const double[]){ memory, 100 - memory });
}

static void add_bars(struct figure *fig, const struct roofline_scene *s)
{
	bool small = s->layer_s < 1e-3; /* one token each: all in us */
	struct bars *b = figure_bars(
		fig, "The layer's time by operation, forward", small ? "us" : "ms", bound_names, 2);
	bars_mean(fig, b, bound_means, 2);
	figure_tab(fig, "Time");
	for (size_t i = 0; i < s->n; i++) {
		const struct dot *d = &s->dots[i];
		double time = d->time_s * (small ? 1e6 : 1e3);
		const double part[] = { d->memory_bound ? time : 0, d->memory_bound ? 0 : time };
		const char *label = d->op.name;
		if (d->op.count > 1)
			label = figure_text(fig, "%.0f × %s", d->op.count, label);
		struct bar *bar = bars_add(fig, b, label, part);
		if (!bar)
			continue;
		bar->note = figure_text(fig, "%.0f %%, %s FLOP/B", 100 * d->time_s / s->layer_s,
			figure_quantity(fig, d->intensity, ""));
	}
}

static void add_table(struct figure *fig, const struct roofline_scene *s)
{
	static const char *const head[] = { "operation", "GFLOP", "MB", "FLOP/B", "us",
		"waits for" };
	struct table *t = figure_table(fig, "Each operation once", head, LENGTH(head), "011110");
	figure_tab(fig, "Operations");
	for (size_t i = 0; i < s->n; i++) {
		const struct dot *d = &s->dots[i];
		const char *const cells[] = { d->op.name,
			figure_quantity(fig, d->op.flops / 1e9, ""),
			figure_quantity(fig, d->op.bytes / 1e6, ""),
			figure_quantity(fig, d->intensity, ""),
			figure_quantity(fig, d->time_s / d->op.count * 1e6, ""),
			d->memory_bound ? "memory" : "math" };
		table_row(fig, t, cells);
	}
}

/* Says what bounds the reader's own point. */
static void add_own_why(struct figure *fig, const struct roofline_scene *s, const double v[])
{
	double own = own_intensity(v), at = attainable(own, s->peak_flops, s->bandwidth);
	bool memory = own < s->ridge;
	figure_why(fig,
		"%s bounds your point: %s FLOP/B lie %s of the ridge at %s, so that it reaches %s "
		"of %s TFLOP/s at best.",
		memory ? "Memory" : "Arithmetic", figure_quantity(fig, own, ""),
		memory ? "left" : "right", figure_quantity(fig, s->ridge, ""),
		figure_quantity(fig, at / 1e12, ""),
		figure_quantity(fig, s->peak_flops / 1e12, ""));
}

/* The layer with one knob turned. */
static struct roofline_scene turned(
	const struct tables *t, const double v[], size_t knob, double value)
{
	double other[N_KNOBS];
	for (size_t i = 0; i < N_KNOBS; i++)
		other[i] = i == knob ? value : v[i];
	return scene_of(t, other);
}

/* The least batch, by doubling, of which fewer operations wait; 0: none. */
static double better_batch(const struct tables *t, const struct roofline_scene *s, const double v[])
{
	for (double batch = 2 * v[BATCH]; batch <= knobs[BATCH].max; batch *= 2)
		if (turned(t, v, BATCH, batch).memory_bound < s->memory_bound)
			return batch;
	return 0;
}

/* What would change it, as a sentence with a blank before it; "" where nothing here would. */
static const char *remedy(struct figure *fig, const struct tables *t,
	const struct roofline_scene *s, const double v[])
{
	double batch = v[PHASE] == DECODE ? better_batch(t, s, v) : 0;
	size_t knob = v[PHASE] == DECODE ? BATCH : !s->layer.flash ? ATTENTION : FUSION;
	if (knob == BATCH && batch == 0)
		return "";
	struct roofline_scene other = turned(t, v, knob, knob == BATCH ? batch : 1);
	if (other.memory_bound_s / other.layer_s > 0.95 * s->memory_bound_s / s->layer_s)
		return "";
	const char *what =
		knob == BATCH ? figure_text(fig, "A batch of %s", figure_quantity(fig, batch, ""))
		: knob == ATTENTION ? "FlashAttention"
				    : "Fusion";
	if (other.memory_bound == 0)
		return figure_text(fig, " %s leaves none.", what);
	return other.memory_bound < s->memory_bound
		       ? figure_text(fig, " %s leaves %zu.", what, other.memory_bound)
		       : figure_text(fig, " %s makes it %.0f %%.", what,
				 100 * other.memory_bound_s / other.layer_s);
}

/* The one sentence: what is bound by memory, what that costs, and what would change it. */
static void add_why(struct figure *fig, const struct tables *t, const struct roofline_scene *s,
	const double v[])
{
	double share = 100 * s->memory_bound_s / s->layer_s;
	const char *ridge = figure_quantity(fig, s->ridge, "");
	if (!isnan(own_intensity(v)))
		add_own_why(fig, s, v);
	else if (s->memory_bound == 0)
		figure_why(fig,
			"No operation waits for memory: all do more than the ridge's %s FLOP a "
			"byte.",
			ridge);
	else
		figure_why(fig, "%zu of %zu operations %s for memory%s.%s", s->memory_bound, s->n,
			s->memory_bound == 1 ? "waits" : "wait",
			v[PHASE] == DECODE ? figure_text(fig, ": a step reads all weights for %s",
						     figure_quantity(fig, v[BATCH], "token"))
					   : figure_text(fig, " (%.3g %% of time)", share),
			remedy(fig, t, s, v));
}

static void assume_ceiling(struct figure *fig, const struct roofline_scene *s, enum dtype math)
{
	const struct accelerator *g = s->gpu;
	double compute = 100 * kernel_compute_ratio(g, math);
	double memory = 100 * kernel_efficiency(g).memory;
	if (g->measured_on)
		figure_assume(fig,
			"this machine: %s, %u %s, measured on %s (ridge measure), its best "
			"samples; sustained are the medians: compute %.0f %%, triad %.0f %% of the "
			"bandwidth",
			g->processor, g->threads, g->threads == 1 ? "thread" : "threads",
			g->measured_on, compute, memory);
	else if (s->ceiling == ACHIEVED)
		figure_assume(fig,
			"achieved: constants %s; sustained compute %.0f %%, bandwidth %.0f %%",
			g->achieved.measured ? "fitted on this GPU" : "of its family", compute,
			memory);
}

static void add_small_print(struct figure *fig, const struct roofline_scene *s, const double v[])
{
	if ((v[FLOPS] > 0) != (v[BYTES] > 0))
		figure_note(fig, ROLE_WARN,
			"Your point needs both: its work (flops) and its traffic (bytes).");
	enum dtype math = kernel_math_dtype(s->gpu, s->dtype);
	if (math != s->dtype)
		figure_note(fig, ROLE_WARN,
			"%s has no %s units: products run in %s, with weights stored in %s where "
			"that is narrower.",
			s->gpu->name, dtype_names[s->dtype], dtype_names[math],
			dtype_names[s->dtype]);
	double head_dim = s->layer.head_dim, kv_heads = v[HEADS] / v[GQA];
	if (head_dim != floor(head_dim) || kv_heads < 1 || kv_heads != floor(kv_heads))
		figure_note(fig, ROLE_WARN,
			"%.0f heads of %.4g, %.4g KV heads: not a shape that a model could have.",
			v[HEADS], head_dim, fmax(1, kv_heads));
	figure_assume(fig, "dense peaks; GB is 1e9 B; FFN of 4 x hidden, two matrices");
	figure_assume(fig, "traffic: every operand once from DRAM, results once to it");
	figure_assume(fig, "LayerNorm by itself: FP32, two reads and a write; 4 FLOP per element, "
			   "softmax 5, GELU 8");
	if (attention_dtype(s) != s->dtype)
		figure_assume(fig, "attention's products run in BF16: its ridge is at %.3g FLOP/B",
			ridge_of(s, DTYPE_BF16));
	assume_ceiling(fig, s, math);
	if (s->gpu->measured_on)
		figure_leave_out(fig,
			"how far real products stay below a loop of multiply-adds in registers");
	figure_leave_out(fig,
		"hits in the L2 from one operation to the next, clocks that sink under load, "
		"rotary embedding, dropout");
	if ((enum roofline_phase)v[PHASE] == TRAIN)
		figure_leave_out(fig,
			"optimizer and gradient traffic; backward is forward times %.3g, flash "
			"%.3g",
			BACKWARD_OVER_FORWARD, FLASH_BACKWARD_OVER_FORWARD);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct roofline_scene s = scene_of(t, v);
	figure_subtitle(fig, "%s · %s · %s · %s", s.gpu->name, dtype_names[s.dtype],
		phase_names[(size_t)v[PHASE]], ceiling_name(s.gpu, s.ceiling));
	add_values(fig, &s, v);
	add_plot(fig, t, &s, v);
	add_share(fig, &s);
	add_bars(fig, &s);
	add_table(fig, &s);
	hierarchy_table(fig, s.gpu, s.peak_flops);
	add_why(fig, t, &s, v);
	add_small_print(fig, &s, v);
}

const struct sim roofline_sim = {
	.id = "roofline",
	.title = "Roofline",
	.summary = "What a GPU can do at best per byte, and where a transformer layer's operations "
		   "stand",
	.page = "gpu",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(PHASE, GPU, BATCH, ATTENTION, SEQ, DTYPE, COMPARE),
	.try = "Turn phase to decode, batch to 128. What moves right, what does not?",
	.run = run,
};
