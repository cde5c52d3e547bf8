/* The simulation `compression`: a small network that reads digits, really quantised, pruned and
 * replaced by a student at each turn of a knob, and really tested. */
#include "sims/knobs.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/figure/sim.h"
#include "sims/compression/compress.h"
#include "sims/compression/compression_study.h"
#include "sims/compression/networks.h"

#include <math.h>

static const char *const views[] = { "all", "quantise", "prune", "distil", NULL };
static const char *const granularities[] = { "tensor", "channel", "group", NULL };
static const char *const granularity_names[] = { "per tensor", "per channel", "per group", NULL };
static const char *const methods[] = { "rtn", "gptq", "gptq_wrong_sign", NULL };
static const char *const method_names[] = { "to nearest", "GPTQ", "GPTQ, wrong sign", NULL };
static const char *const smoothings[] = { "none", "smoothquant", "awq", NULL };
static const char *const smoothing_names[] = { "none", "SmoothQuant", "AWQ", NULL };
static const char *const patterns[] = { "unstructured", "2:4", "structured", NULL };
static const char *const pattern_names[] = { "single weights", "2:4", "whole neurons", NULL };
static const char *const saliencies[] = { "magnitude", "activation", NULL };
static const char *const saliency_names[] = { "magnitude", "Wanda", NULL };
static const char *const students[] = { "1", "1/2", "1/4", "1/8", "1/16", NULL };
static const char *const student_names[] = { "full size", "1/2", "1/4", "1/8", "1/16", NULL };
static const char *const teachers[] = { "labels", "teacher", NULL };
static const char *const images[] = { "all", "few", NULL };
static const char *const image_names[] = { "all 1,198", "160", NULL };

static const struct knob knobs[N_COMPRESSION_KNOBS] = {
	[COMPRESSION_VIEW] = KNOB_CHOICE_OF("view", "shown", views, NULL, "all",
		"which of the three techniques is shown in detail; all that is set stays in force"),
	[COMPRESSION_BITS] = KNOB_WHOLE("bits", "weight bits", "bit", 2, 16, 4,
		"n bits give 2^n values; below 16 weights become multiples of a scale, and each "
		"bit less doubles the step between them"),
	[COMPRESSION_GRANULARITY] = KNOB_CHOICE_OF("granularity", "scale", granularities,
		granularity_names, "channel",
		"the largest weight sets the step for all that share its scale: fewer share, "
		"finer steps, more scales to store"),
	[COMPRESSION_GROUP] = KNOB_DOUBLING("group", "group", "weight", 8, 64, 32,
		"neighbours in a row that share a scale: 16 bits of scale over so many weights",
		.when = { WHEN(COMPRESSION_GRANULARITY, PER_GROUP) }, .group = "quantisation"),
	[COMPRESSION_METHOD] = KNOB_CHOICE_OF("method", "rounding", methods, method_names, "rtn",
		"GPTQ rounds to nearest too, but lets the weights that come later undo the error "
		"in the output; with the sign turned round they double it"),
	[COMPRESSION_ZERO_POINT] = KNOB_SWITCH("zero_point", "zero point", 0,
		"fits the codes between the smallest and the largest weight instead of around 0, "
		"for one more number per scale",
		.group = "quantisation"),
	[COMPRESSION_ACTIVATIONS] = KNOB_WHOLE("activations", "activation bits", "bit", 2, 16, 16,
		"below 16 what flows between layers is rounded as well, with one scale for a "
		"layer: its largest channel sets the step for all",
		.group = "quantisation"),
	[COMPRESSION_OUTLIERS] = KNOB_FACTOR("outliers", "outliers", "x", 1, 64, 1, 2,
		"makes one channel in 24 so many times as large, and the weights behind it "
		"smaller: the answers stay the same, rounding does not"),
	[COMPRESSION_SMOOTHING] = KNOB_CHOICE_OF("smoothing", "smoothing", smoothings,
		smoothing_names, "none",
		"divides channels by a scale and multiplies the weights behind: SmoothQuant from "
		"the largest activation and weight, AWQ from the mean activation",
		.group = "quantisation"),
	[COMPRESSION_ALPHA] = KNOB_LINEAR("alpha", "strength", "", 0, 1, 0.5, 0.05,
		"how much of a channel's size moves into the weights",
		.when = { WHEN(COMPRESSION_SMOOTHING, SMOOTH_QUANT, SMOOTH_AWQ) },
		.group = "quantisation"),
	[COMPRESSION_SPARSITY] = KNOB_LINEAR("sparsity", "sparsity", "%", 0, 95, 0, 5,
		"the share of weights, or of hidden neurons, that is taken away; there is no "
		"retraining",
		.when = { WHEN(COMPRESSION_PATTERN, PRUNE_WEIGHTS, PRUNE_NEURONS) }),
	[COMPRESSION_PATTERN] = KNOB_CHOICE_OF("pattern", "what is pruned", patterns, pattern_names,
		"unstructured",
		"single weights cost least accuracy but their places must be stored; 2:4 is what "
		"Tensor Cores skip; whole neurons leave a smaller dense network",
		.group = "pruning"),
	[COMPRESSION_SALIENCY] = KNOB_CHOICE_OF("saliency", "judged by", saliencies, saliency_names,
		"magnitude",
		"small weights go first; Wanda multiplies them by the norm of their input, so "
		"that a small weight behind a large channel stays",
		.group = "pruning"),
	[COMPRESSION_STUDENT] = KNOB_CHOICE_OF("student", "network", students, student_names, "1",
		"a network with that share of the hidden neurons, trained for it, takes the "
		"teacher's place"),
	[COMPRESSION_TAUGHT_BY] = KNOB_CHOICE_OF("taught_by", "taught by", teachers, NULL,
		"teacher",
		"students: labels name one digit, the teacher's softened answer says how much it "
		"looks like each of the ten",
		.group = "student"),
	[COMPRESSION_IMAGES] = KNOB_CHOICE_OF("images", "taught on", images, image_names, "all",
		"how many images students saw: with few of them the teacher's answers are worth "
		"most",
		.group = "student"),
};

static double percent(const struct outcome *o)
{
	return 100 * o->accuracy;
}

/* --- Published results --- */

/* What was measured on large models, for comparison. Numbers are copied from the sources named.
 *
 * llama.cpp (MIT): Llama-3-8B, perplexity on Wikitext-2 by quantisation, perplexity README at
 * f364eb6f. wanda (MIT): Llama-2-7B, Wikitext-2 at half the weights, README at 1317b0ba.
 * DeepLearningExamples (Apache-2.0): BERT distillation, README at 729963dd. */

static const struct {
	const char *name;
	double size_gib, perplexity;
} llama3_8b[] = {
	{ "f16", 14.97, 6.233160 },
	{ "q8_0", 7.96, 6.234284 },
	{ "q6_K", 6.14, 6.253382 },
	{ "q5_K_M", 5.33, 6.288607 },
	{ "q5_K_S", 5.21, 6.336598 },
	{ "q4_K_M", 4.58, 6.407115 },
	{ "q4_K_S", 4.37, 6.500529 },
	{ "q4_0", 4.34, 6.700147 },
	{ "q3_K_L", 4.03, 6.787876 },
	{ "q3_K_M", 3.74, 6.888498 },
	{ "q3_K_S", 3.41, 7.863786 },
	{ "q2_K", 2.96, 9.751568 },
};
static const char *const llama2_7b[][4] = {
	{ "none (dense)", "5.12", "5.12", "5.12" },
	{ "half, anywhere", "14.89", "6.51", "6.42" },
	{ "4 of 8", "16.48", "8.12", "7.97" },
	{ "2 of 4", "54.59", "10.17", "11.02" },
};
static const char *const bert[][5] = {
	{ "BERT-base, the teacher", "91.51", "88.58", "1,385", "429" },
	{ "6 layers, 768 wide", "91.97", "88.43", "", "" },
	{ "4 layers, 288 wide", "90.82", "83.09", "", "" },
	{ "4 layers, 312 wide", "", "", "13,600", "2,300" },
};

static void published_quantised(struct figure *fig, const struct tables *t)
{
	const struct model *m = model_find(t, "llama3-8b");
	struct plot *p;
	if (!m || !(m->params > 0))
		return;
	p = figure_plot(fig, "Published: Llama-3-8B (llama.cpp)", "Bits per weight", "",
		AXIS_LINEAR, "Perplexity, Wikitext-2", "", AXIS_LINEAR);
	figure_tab(fig, "Published");
	struct series *points = plot_series(fig, p, "Llama-3-8B", SERIES_POINTS, MEANS_KIND + 5);
	if (p) {
		p->x.min = 2;
		p->y.min = 6;
	}
	if (points)
		points->measured = true;
	for (size_t i = 0; i < LENGTH(llama3_8b); i++)
		series_mark(fig, points, llama3_8b[i].size_gib * 0x1p30 * 8 / m->params,
			llama3_8b[i].perplexity, llama3_8b[i].name, ROLE_PLAIN);
}

static void published_pruned(struct figure *fig)
{
	static const char *const head[] = { "Pruned", "Magnitude", "SparseGPT", "Wanda" };
	struct table *t = figure_table(fig,
		"Published: perplexity of Llama-2-7B, Wikitext-2, not retrained (wanda)", head, 4,
		"0111");
	figure_tab(fig, "Published");
	for (size_t i = 0; i < LENGTH(llama2_7b); i++)
		table_row(fig, t, llama2_7b[i]);
}

static void published_distilled(struct figure *fig)
{
	static const char *const head[] = { "Network", "SST-2 %", "SQuAD F1", "seq/s, 128",
		"seq/s, 384" };
	struct table *t = figure_table(
		fig, "Published: BERT distilled (NVIDIA DeepLearningExamples)", head, 5, "01111");
	figure_tab(fig, "Published");
	for (size_t i = 0; i < LENGTH(bert); i++)
		table_row(fig, t, bert[i]);
}

/* --- the images that it gets wrong ----------------------------------------------------------- */

/* Each pixel is drawn as two by two, smoothly: eye and pen know no squares. */
enum { SHOWN = 6, GREYS = 8, SMOOTH = 2, DRAWN_SIDE = SMOOTH * DIGIT_SIDE };

static bool is_wrong(const struct study *s, size_t i)
{
	return s->answer[i] != s->test.label[i];
}

static bool teacher_is_wrong(const struct study *s, size_t i)
{
	return s->teacher_answer[i] != s->test.label[i];
}

/* First the images that only compression made it miss. */
static size_t choose_images(const struct study *s, size_t chosen[SHOWN])
{
	size_t n = 0;
	for (int both = 0; both < 2; both++)
		for (size_t i = 0; i < s->test.n && n < SHOWN; i++)
			if (is_wrong(s, i) && teacher_is_wrong(s, i) == both)
				chosen[n++] = i;
	return n;
}

/* The ink between the middles of the four nearest pixels, 0 to 1, and none outside. */
static double ink_between(const struct digits *d, size_t image, double row, double col)
{
	int top = (int)floor(row), left = (int)floor(col);
	double ink = 0;
	for (int y = top; y <= top + 1; y++)
		for (int x = left; x <= left + 1; x++)
			if (y >= 0 && y < DIGIT_SIDE && x >= 0 && x < DIGIT_SIDE)
				ink += (1 - fabs(row - y)) * (1 - fabs(col - x)) *
				       digit_ink(d, image, (size_t)y * DIGIT_SIDE + (size_t)x);
	return ink;
}

static void draw_digit(const struct study *s, struct grid *g, size_t image, size_t left)
{
	for (size_t row = 0; row < DRAWN_SIDE; row++)
		for (size_t col = 0; col < DRAWN_SIDE; col++) {
			double ink =
				ink_between(&s->test, image, ((double)row + 0.5) / SMOOTH - 0.5,
					((double)col + 0.5) / SMOOTH - 0.5);
			grid_set(g, 0, row, left + col, (unsigned)(ink * (GREYS - 1) + 0.5));
		}
}

/* In shades of grey, white on black as pens write on a screen; under each what it is and what it is
 * read as. */
static void compression_images(struct study *s)
{
	static const char *const kinds[GREYS] = { "paper", "", "", "", "", "", "", "ink" };
	enum meaning means[GREYS];
	size_t chosen[SHOWN], n = choose_images(s, chosen);
	const char *captions[SHOWN];
	if (n == 0)
		return;
	for (unsigned k = 0; k < GREYS; k++)
		means[k] = (enum meaning)(MEANS_GREY + k);
	struct grid *g = figure_grid(s->fig, "Misread: what it is → what it is taken for", kinds,
		GREYS, NULL, DRAWN_SIDE, n * (DRAWN_SIDE + 1) - 1, NULL, 1);
	figure_tab(s->fig, "Mistakes");
	grid_mean(s->fig, g, means, GREYS);
	for (size_t i = 0; i < n; i++) {
		captions[i] = figure_text(s->fig, "%u → %u", (unsigned)s->test.label[chosen[i]],
			(unsigned)s->answer[chosen[i]]);
		draw_digit(s, g, chosen[i], i * (DRAWN_SIDE + 1));
	}
	grid_captions(s->fig, g, captions, n);
	for (unsigned k = 0; g && k < GREYS; k++) /* white ink needs no legend */
		g->used[k] = false;
}

/* --- where the bytes are ------------------------------------------------------ */

static void compression_bytes(struct study *s)
{
	enum { VALUES, PLACES, SCALES, BIASES, N_PARTS };
	static const char *const parts[N_PARTS] = { "weights", "which ones", "scales", "biases" };
	const struct stored *now = &s->now.stored;
	const struct mlp *whole = &s->base.net;
	double biases = 2 * (double)mlp_biases(whole), weights = 2 * (double)mlp_weights(whole);
	struct bars *b = figure_bars(s->fig, "Where the bytes are", "B", parts, N_PARTS);
	static const enum meaning means[N_PARTS] = { MEANS_COMPUTE, MEANS_FIXED, MEANS_TRAFFIC,
		MEANS_HELD };
	figure_tab(s->fig, "Bytes");
	bars_mean(s->fig, b, means, N_PARTS);
	bars_add(s->fig, b, "in FP16", (const double[N_PARTS]){ weights, 0, 0, biases });
	struct bar *bar = bars_add(s->fig, b, "as set",
		(const double[N_PARTS]){ now->values, now->places, now->scales, now->biases });
	if (bar && study_prunes(&s->recipe))
		bar->note = figure_text(s->fig, "%s", storage_names[now->form]);
}

static double misread_pct(const struct outcome *o)
{
	return 100 - percent(o);
}

/* Wrong answers; one that has none stands where the axis ends. */
static double wrong_pct(const struct outcome *o)
{
	const double least = 0.1;
	return fmax(least, misread_pct(o));
}

/* Mistakes on a logarithmic axis: from 97 to 98 % right is a third of them, and between 0 and 100 % it is
 * no distance at all. */
static void mistakes_axis(struct study *s, struct plot *p)
{
	if (p) {
		p->y.min = 2;
		p->y.max = 100;
	}
	plot_rule(s->fig, p, true, 100 - GAME_PERCENT,
		figure_text(s->fig, "no use past %d %% wrong", 100 - GAME_PERCENT), ROLE_DIM);
}

static struct plot *accuracy_plot(struct study *s, const char *tab, const char *title,
	const char *x, const char *unit, enum axis_scale scale)
{
	struct plot *p =
		figure_plot(s->fig, title, x, unit, scale, "Wrong answers", "%", AXIS_LOG10);
	figure_tab(s->fig, tab);
	mistakes_axis(s, p);
	return p;
}

/* This setting, called what it is: "4 bits". The axis has its wrong answers, and the first value. */
static void mark_here(struct study *s, struct plot *p, double x)
{
	bool rounded = study_quantises(&s->recipe) && !study_prunes(&s->recipe) && s->student == 0;
	const char *name = rounded ? bits_text(s->fig, s->recipe.quantiser.bits) : "here";
	struct series *mark = plot_series(s->fig, p, name, SERIES_POINTS, MEANS_KIND + 4);
	series_mark(s->fig, mark, x, wrong_pct(&s->outcome), name, ROLE_ACCENT);
}

/* --- quantisation ----------------------------------------------------------------------------- */

static void bits_plot(struct study *s)
{
	enum { N = SEARCHED_BITS - LEAST_BITS + 1 };
	struct plot *p =
		accuracy_plot(s, "Bits", "Wrong answers by bits", "Weight bits", "", AXIS_LINEAR);
	for (unsigned g = PER_TENSOR; g <= PER_GROUP; g++) {
		struct series *line = plot_series(s->fig, p, granularity_names[g], SERIES_LINE,
			(enum meaning)(MEANS_KIND + g));
		struct recipe r[N];
		struct outcome out[N];
		for (unsigned i = 0; i < N; i++) {
			r[i] = s->recipe;
			r[i].quantiser.granularity = (enum granularity)g;
			r[i].quantiser.bits = LEAST_BITS + i;
		}
		study_try(s, s->student, s->teaching, r, N, out);
		for (unsigned i = 0; i < N; i++)
			series_point(s->fig, line, LEAST_BITS + i, wrong_pct(&out[i]));
	}
	mark_here(s, p, s->recipe.quantiser.bits);
}

static void rounding_bars(struct study *s)
{
	static const char *const parts[] = { "error of the output" };
	struct bars *b =
		figure_bars(s->fig, "What rounding does to each layer's output", "%", parts, 1);
	figure_tab(s->fig, "Rounding");
	for (size_t k = 0; k < s->now.net.n_layers; k++)
		for (unsigned how = ROUND_NEAREST; how <= ROUND_GPTQ_WRONG_SIGN; how++) {
			double error = 100 * study_layer_error(s, k, (enum rounding)how);
			struct bar *bar = bars_add(s->fig, b,
				figure_text(s->fig, "%zu: %s", k + 1, method_names[how]), &error);
			if (bar && how == s->recipe.quantiser.rounding)
				bar->role = ROLE_ACCENT;
		}
}

/* How many steps from 0 the weights of the first layer are, before rounding: where an outlier sets
 * the scale, most of them share a few codes. */
static void codes_plot(struct study *s)
{
	enum { MOST_BITS = 5, BINS = 1 << (MOST_BITS + 2) };
	const struct mlp_layer *l = &s->now.from.net.layer[0];
	struct quantiser q = s->recipe.quantiser;
	struct grids g;
	double before[BINS + 1] = { 0 }, most;
	q.asymmetric = false;
	if (q.bits >= UNQUANTISED_BITS || grids_of(&g, &s->scratch, l, &q) || g.n == 0)
		return;
	most = (double)g.grid[0].most;
	double width = fmax(0.25, 2 * (most + 1) / BINS);
	size_t bins = (size_t)(2 * (most + 0.5) / width + 0.5), n = l->in * l->out;
	for (size_t i = 0; i < n; i++) {
		const struct code_grid *grid = grid_at(&g, i / l->in, i % l->in);
		double steps = (double)(l->weight[i] / grid->scale) + most + 0.5;
		before[(size_t)fmin(fmax(steps / width, 0), (double)bins - 1)] += 1;
	}
	struct plot *p = figure_plot(s->fig, "Weights of layer 1 in steps of their scale", "Steps",
		"", AXIS_LINEAR, "Weights", "%", AXIS_LINEAR);
	figure_tab(s->fig, "Codes");
	struct series *line = plot_series(s->fig, p, "weights", SERIES_STEP, MEANS_KIND);
	for (size_t i = 0; i < bins; i++)
		series_point(
			s->fig, line, (double)i * width - most - 0.5, 100 * before[i] / (double)n);
	for (double code = -most; code <= most && most <= 7; code++)
		plot_rule(s->fig, p, false, code, "", ROLE_DIM);
}

/* What a recipe does, and what it leaves, which lies in *a. False: memory is out, and *a is empty. */
static bool work_out(struct study *s, const struct recipe *r, struct outcome *out,
	struct compressed *left, struct arena *a)
{
	study_try(s, s->student, s->teaching, r, 1, out);
	s->fig->arena.failed |= compress(left, a, &s->base, &s->calibration, r) != 0;
	if (s->fig->arena.failed)
		arena_release(a);
	return !s->fig->arena.failed;
}

static void granularity_table(struct study *s)
{
	static const char *const head[] = { "Scale", "Right", "Size", "Scales", "Weights' SNR" };
	struct figure *fig = s->fig;
	struct table *t = figure_table(fig, "Who shares a scale", head, 5, "01111");
	figure_tab(fig, "Scales");
	for (unsigned g = PER_TENSOR; g <= PER_GROUP; g++) {
		struct recipe r = s->recipe;
		struct outcome out;
		struct arena a = { 0 };
		struct compressed c;
		r.quantiser.granularity = (enum granularity)g;
		if (!work_out(s, &r, &out, &c, &a))
			return;
		double snr_db = weight_snr_db(&c);
		table_row(fig, t,
			(const char *[]){ granularity_names[g],
				figure_text(fig, "%.1f %%", percent(&out)),
				figure_text(fig, "%.2f kB", out.bytes / 1e3),
				figure_text(fig, "%.0f B", c.stored.scales),
				isinf(snr_db) ? "no error" : figure_text(fig, "%.1f dB", snr_db) });
		arena_release(&a);
	}
}

static void quantise_blocks(struct study *s, const struct tables *t)
{
	bits_plot(s);
	codes_plot(s);
	rounding_bars(s);
	granularity_table(s);
	compression_images(s);
	published_quantised(s->fig, t);
}

/* --- pruning --------------------------------------------------------------------------------- */

static void sparsity_line(struct study *s, struct plot *p, const char *name, enum meaning colour,
	enum pattern pattern, bool by_activation)
{
	static const double sparsities[] = { 0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95 };
	enum { N = LENGTH(sparsities) };
	struct series *line = plot_series(s->fig, p, name, SERIES_LINE, colour);
	struct recipe r[N];
	struct outcome out[N];
	for (size_t i = 0; i < N; i++) {
		r[i] = s->recipe;
		r[i].pattern = pattern;
		r[i].by_activation = by_activation;
		r[i].sparsity = sparsities[i];
	}
	study_try(s, s->student, s->teaching, r, N, out);
	for (size_t i = 0; i < N; i++)
		series_point(s->fig, line, 100 * sparsities[i], wrong_pct(&out[i]));
}

static void sparsity_plot(struct study *s)
{
	struct plot *p = accuracy_plot(
		s, "Sparsity", "Wrong answers by sparsity", "Sparsity", "%", AXIS_LINEAR);
	struct recipe r = s->recipe;
	struct outcome half;
	sparsity_line(s, p, "by magnitude", MEANS_KIND, PRUNE_WEIGHTS, false);
	sparsity_line(s, p, "Wanda", MEANS_KIND + 1, PRUNE_WEIGHTS, true);
	sparsity_line(s, p, "neurons", MEANS_KIND + 2, PRUNE_NEURONS, s->recipe.by_activation);
	r.pattern = PRUNE_2_OF_4;
	study_try(s, s->student, s->teaching, &r, 1, &half);
	series_mark(s->fig, plot_series(s->fig, p, "2:4", SERIES_POINTS, MEANS_KIND + 3), 50,
		wrong_pct(&half), "2:4", ROLE_PLAIN);
	mark_here(s, p, s->recipe.pattern == PRUNE_2_OF_4 ? 50 : 100 * s->recipe.sparsity);
}

/* The first neurons, each with its 64 pixels as an image of 8 x 8. */
static void kept_weights(struct study *s)
{
	enum { NEURONS = 4, GONE = 0, POSITIVE = 1, NEGATIVE = 2, N_KINDS = 3 };
	static const char *const kinds[N_KINDS] = { "0", "positive", "negative" };
	const struct mlp_layer *l = &s->now.net.layer[0];
	size_t n = l->out < NEURONS ? l->out : NEURONS;
	struct grid *g =
		figure_grid(s->fig, "What is left of the first neurons: a weight for each pixel",
			kinds, N_KINDS, NULL, DIGIT_SIDE, n * (DIGIT_SIDE + 1) - 1, NULL, 1);
	figure_tab(s->fig, "Weights");
	for (size_t o = 0; o < n; o++)
		for (size_t i = 0; i < l->in; i++) {
			float w = l->weight[o * l->in + i];
			grid_set(g, 0, i / DIGIT_SIDE, o * (DIGIT_SIDE + 1) + i % DIGIT_SIDE,
				w > 0   ? POSITIVE
				: w < 0 ? NEGATIVE
					: GONE);
		}
}

static void storage_table(struct study *s)
{
	static const char *const head[] = { "Pattern", "Right", "Size", "Stored as" };
	struct figure *fig = s->fig;
	struct table *t = figure_table(fig,
		figure_text(fig, "The patterns at %s, %.0f %% where they can choose",
			bits_text(fig, s->recipe.quantiser.bits), 100 * s->recipe.sparsity),
		head, 4, "0110");
	figure_tab(fig, "Patterns");
	for (unsigned pattern = PRUNE_WEIGHTS; pattern <= PRUNE_NEURONS; pattern++) {
		struct recipe r = s->recipe;
		struct outcome out;
		struct arena a = { 0 };
		struct compressed c;
		r.pattern = (enum pattern)pattern;
		if (!work_out(s, &r, &out, &c, &a))
			return;
		table_row(fig, t,
			(const char *[]){ pattern_names[pattern],
				figure_text(fig, "%.1f %%", percent(&out)),
				figure_text(fig, "%.2f kB", out.bytes / 1e3),
				storage_names[c.stored.form] });
		arena_release(&a);
	}
}

static void prune_blocks(struct study *s)
{
	sparsity_plot(s);
	kept_weights(s);
	compression_bytes(s);
	storage_table(s);
	compression_images(s);
	published_pruned(s->fig);
}

/* --- distillation ---------------------------------------------------------------------------- */

static const char *const teaching_names[N_TEACHINGS] = { "labels, all", "teacher, all",
	"labels, 160", "teacher, 160" };

static void draw_students(struct study *s)
{
	static const char *const head[] = { "Hidden", "Size", "labels", "teacher", "labels, 160",
		"teacher, 160" };
	struct figure *fig = s->fig;
	struct plot *p = accuracy_plot(
		s, "Students", "Students: what they were taught with", "Size", "kB", AXIS_LOG2);
	struct table *t =
		figure_table(fig, "Right answers of the students, as set", head, 6, "011111");
	figure_tab(fig, "Each");
	struct outcome out[STUDENT_SIZES][N_TEACHINGS];
	for (unsigned how = 0; how < N_TEACHINGS; how++) {
		struct series *line = plot_series(
			fig, p, teaching_names[how], SERIES_LINE, (enum meaning)(MEANS_KIND + how));
		for (size_t i = 1; i < STUDENT_SIZES; i++) {
			study_try(s, i, (enum teaching)how, &s->recipe, 1, &out[i][how]);
			series_point(fig, line, out[i][how].bytes / 1e3, wrong_pct(&out[i][how]));
		}
	}
	mark_here(s, p, s->outcome.bytes / 1e3);
	for (size_t i = 1; i < STUDENT_SIZES; i++) {
		const struct mlp *net = &s->nets.taught[i][0];
		const char *cell[6] = { figure_text(fig, "%zu-%zu", net->layer[0].out,
						net->layer[1].out),
			figure_text(fig, "%.2f kB", out[i][0].bytes / 1e3) };
		for (unsigned how = 0; how < N_TEACHINGS; how++)
			cell[2 + how] = figure_text(fig, "%.1f %%", percent(&out[i][how]));
		table_row(fig, t, cell);
	}
}

/* Shares of the classes for one image's outputs divided by a temperature. */
static void soften(const float *y, size_t lane, double temperature, double share[DIGIT_CLASSES])
{
	double sum = 0;
	for (size_t c = 0; c < DIGIT_CLASSES; c++)
		sum += share[c] = exp((double)y[c * LANES + lane] / temperature);
	for (size_t c = 0; c < DIGIT_CLASSES; c++)
		share[c] /= sum;
}

/* The teacher's answer to the image that it reads rightly with the least conviction. */
struct doubt {
	unsigned label;
	double hard[DIGIT_CLASSES], soft[DIGIT_CLASSES];
};

static void ask_teacher(const struct study *s, size_t block, struct doubt *d)
{
	const struct mlp *m = &s->nets.taught[0][0];
	float y[MLP_LAYERS][MLP_WIDTH * LANES];
	const float *x = s->test.x + block * DIGIT_PIXELS * LANES;
	for (size_t k = 0; k < m->n_layers; x = y[k++])
		layer_forward(&m->layer[k], x, y[k], k + 1 < m->n_layers);
	for (size_t lane = 0; lane < LANES && block * LANES + lane < s->test.n; lane++) {
		size_t image = block * LANES + lane;
		unsigned label = s->test.label[image];
		double hard[DIGIT_CLASSES];
		soften(x, lane, 1, hard);
		if (s->teacher_answer[image] != label || hard[label] >= d->hard[d->label])
			continue;
		d->label = label;
		for (size_t c = 0; c < DIGIT_CLASSES; c++)
			d->hard[c] = hard[c];
		soften(x, lane, DISTILLATION_TEMPERATURE, d->soft);
	}
}

static void soft_answer(struct study *s)
{
	static const char *const parts[] = { "softened" };
	struct doubt d = { .hard = { 2 } };
	for (size_t block = 0; block < s->test.n_blocks; block++)
		ask_teacher(s, block, &d);
	struct bars *b = figure_bars(s->fig,
		figure_text(s->fig, "What the teacher says of an unclear %u, softened by T = %d",
			d.label, DISTILLATION_TEMPERATURE),
		"%", parts, 1);
	figure_tab(s->fig, "Doubt");
	for (size_t c = 0; c < DIGIT_CLASSES && d.hard[0] <= 1; c++) {
		double share = 100 * d.soft[c];
		struct bar *bar = bars_add(s->fig, b, figure_text(s->fig, "a %zu", c), &share);
		if (bar)
			bar->note = figure_text(s->fig, "T = 1: %.1f %%", 100 * d.hard[c]);
	}
}

static void distil_blocks(struct study *s)
{
	draw_students(s);
	soft_answer(s);
	compression_images(s);
	compression_bytes(s);
	published_distilled(s->fig);
}

/* --- Everything at once --- */

enum { MOST_SWEEP = 16 };

static double kB(const struct outcome *o)
{
	return o->bytes / 1e3;
}

/* The fewest wrong answers in so many bytes: an outcome that another one beats in both is none. The
 * outcomes stand in any order. */
static void line(struct study *s, struct plot *p, const char *name, enum meaning colour,
	struct outcome out[], size_t n)
{
	struct series *points = plot_series(s->fig, p, name, SERIES_LINE, colour);
	double best = INFINITY;
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && out[k].bytes < out[k - 1].bytes; k--) {
			struct outcome o = out[k];
			out[k] = out[k - 1];
			out[k - 1] = o;
		}
	for (size_t i = 0; i < n; i++)
		if (wrong_pct(&out[i]) < best) {
			best = wrong_pct(&out[i]);
			series_point(s->fig, points, kB(&out[i]), best);
		}
}

/* Each technique alone on the teacher, and bits on students: the curves of the game. */
static void bits_alone(struct study *s, struct plot *p)
{
	struct recipe r[SEARCHED_BITS - LEAST_BITS + 2];
	struct outcome out[LENGTH(r)];
	size_t n = 0;
	for (unsigned bits = LEAST_BITS; bits <= SEARCHED_BITS; bits++) {
		r[n] = study_plain(s);
		r[n++].quantiser.bits = bits;
	}
	r[n++] = study_plain(s);
	study_try(s, 0, LABELS_ALL, r, n, out);
	line(s, p, "fewer bits", MEANS_KIND, out, n);
}

static void pruning_alone(struct study *s, struct plot *p)
{
	static const double sparsities[] = { 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.25, 0 };
	struct recipe r[MOST_SWEEP];
	struct outcome out[MOST_SWEEP];
	size_t n = 0;
	for (size_t i = 0; i < LENGTH(sparsities); i++) {
		r[n] = study_plain(s);
		r[n].by_activation = s->recipe.by_activation;
		r[n].pattern = s->recipe.pattern == PRUNE_NEURONS ? PRUNE_NEURONS : PRUNE_WEIGHTS;
		r[n++].sparsity = sparsities[i];
	}
	study_try(s, 0, LABELS_ALL, r, n, out);
	line(s, p, s->recipe.pattern == PRUNE_NEURONS ? "fewer neurons" : "fewer weights",
		MEANS_KIND + 1, out, n);
}

/* Every smaller network at every number of bits. */
static void smaller_networks(struct study *s, struct plot *p)
{
	struct outcome out[STUDENT_SIZES * (SEARCHED_BITS - LEAST_BITS + 1)];
	size_t n = 0;
	for (size_t i = 1; i < STUDENT_SIZES; i++) {
		struct outcome of[SEARCHED_BITS + 1];
		study_try_bits(s, i, of);
		for (unsigned bits = LEAST_BITS; bits <= SEARCHED_BITS; bits++)
			out[n++] = of[bits];
	}
	line(s, p, "smaller network", MEANS_KIND + 2, out, n);
}

/* What each number of bits costs the network as set, flat and then a cliff, against the size that it leaves:
 * both are percentages, of FP16's bytes and of the digits. */
static void mistakes_by_bits(struct study *s)
{
	static const unsigned shown[] = { UNQUANTISED_BITS, 8, 4, 3, LEAST_BITS };
	static const char *const parts[] = { "size", "misread" };
	static const enum meaning means[] = { MEANS_COMPUTE, MEANS_SECOND };
	struct figure *fig = s->fig;
	unsigned bits[LENGTH(shown) + 1], here = s->recipe.quantiser.bits;
	struct recipe recipes[LENGTH(bits)];
	struct outcome out[LENGTH(bits)];
	size_t n = 0;
	for (size_t i = 0; i < LENGTH(shown); i++) {
		if (here > shown[i] && (i == 0 || here < shown[i - 1]))
			bits[n++] = here;
		bits[n++] = shown[i];
	}
	for (size_t i = 0; i < n; i++) {
		recipes[i] = s->recipe;
		recipes[i].quantiser.bits = bits[i];
	}
	study_try(s, s->student, s->teaching, recipes, n, out);
	struct bars *b =
		figure_bars(fig, "Size, against digits misread", "%", parts, LENGTH(parts));
	figure_tab(fig, "Bits");
	bars_mean(fig, b, means, LENGTH(means));
	for (size_t i = 0; i < n; i++) {
		struct bar *bar = bars_add(fig, b, figure_text(fig, "%2u bits", bits[i]),
			(const double[]){
				100 * out[i].bytes / s->teacher.bytes, misread_pct(&out[i]) });
		if (bar)
			bar->note = figure_text(
				fig, "%.3g kB, %.1f %%", kB(&out[i]), misread_pct(&out[i]));
		if (bar && bits[i] == here)
			bar->role = ROLE_ACCENT;
		else if (bar && misread_pct(&out[i]) > 100 - GAME_PERCENT)
			bar->role = ROLE_BAD;
	}
	if (b) {
		b->mirrored = true;
		b->limit = 100 - GAME_PERCENT;
		b->limit_label = "no use past";
	}
}

static void fronts(struct study *s)
{
	struct plot *p = figure_plot(s->fig, "Fewest wrong answers at each size, in log scale",
		"Size", "kB", AXIS_LOG2, "Wrong answers", "%", AXIS_LOG10);
	figure_tab(s->fig, "Size");
	mistakes_axis(s, p);
	bits_alone(s, p);
	pruning_alone(s, p);
	smaller_networks(s, p);
	mark_here(s, p, kB(&s->outcome));
}

static void compression_draw(struct study *s, const struct tables *t)
{
	switch ((enum compression_view)s->v[COMPRESSION_VIEW]) {
	case COMPRESSION_VIEW_QUANTISE:
		quantise_blocks(s, t);
		break;
	case COMPRESSION_VIEW_PRUNE:
		prune_blocks(s);
		break;
	case COMPRESSION_VIEW_DISTIL:
		distil_blocks(s);
		break;
	case COMPRESSION_VIEW_ALL:
		mistakes_by_bits(s);
		compression_images(s);
		compression_bytes(s);
		fronts(s);
		break;
	}
}

/* --- The sentence --- */

/* The sentence that reads the figure of `compression`: what the setting costs, and what would cost
 * less, each alternative really tried. */

/* Two standard errors of a share of right answers, in points. */
static double uncertainty_pct(const struct study *s)
{
	double p = s->outcome.accuracy;
	return 100 * 2 * sqrt(p * (1 - p) / (double)s->test.n);
}

/* Points of accuracy. What a test of so few images cannot tell apart is worth no word either. */
static double worth_saying(const struct study *s)
{
	const double least = 1;
	return fmax(least, uncertainty_pct(s));
}

static double wrong_with(
	struct study *s, const struct recipe *r, size_t student, enum teaching teaching)
{
	struct outcome out;
	study_try(s, student, teaching, r, 1, &out);
	return misread_pct(&out);
}

/* The setting with something changed in its recipe. */
static double instead(struct study *s, const struct recipe *r)
{
	return wrong_with(s, r, s->student, s->teaching);
}

static double wrong_now(const struct study *s)
{
	return misread_pct(&s->outcome);
}

/* --- one technique alone ---------------------------------------------------------------------- */

static bool wrong_sign(struct study *s, double now)
{
	struct recipe r = s->recipe;
	r.quantiser.rounding = ROUND_NEAREST;
	if (s->recipe.quantiser.rounding != ROUND_GPTQ_WRONG_SIGN)
		return false;
	figure_why(s->fig,
		"With the sign turned round every weight repeats the errors before it instead of "
		"undoing them: %.3g %% are misread, where rounding to nearest misreads %.3g.",
		now, instead(s, &r));
	return true;
}

static bool activations_cost(struct study *s, double now)
{
	struct recipe r = s->recipe, smooth = s->recipe;
	r.activation_bits = UNQUANTISED_BITS;
	if (s->recipe.activation_bits >= UNQUANTISED_BITS || now < instead(s, &r) + worth_saying(s))
		return false;
	smooth.smoothing = SMOOTH_QUANT;
	smooth.strength = 0.5;
	if (s->recipe.smoothing == SMOOTH_NONE && now > instead(s, &smooth) + worth_saying(s))
		figure_why(s->fig,
			"It is the activations: their largest channel sets the step for all, %.3g "
			"%% are misread. SmoothQuant, which moves its size into the weights: %.3g.",
			now, instead(s, &smooth));
	else
		figure_why(s->fig,
			"It is the activations: at %u bits %.3g %% are misread, at %d bits %.3g, "
			"and no rounding of weights undoes that.",
			s->recipe.activation_bits, now, UNQUANTISED_BITS, instead(s, &r));
	return true;
}

static bool one_scale_costs(struct study *s, double now)
{
	struct recipe r = s->recipe;
	r.quantiser.granularity = PER_CHANNEL;
	double better = instead(s, &r);
	if (s->recipe.quantiser.granularity != PER_TENSOR || now < better + worth_saying(s))
		return false;
	figure_why(s->fig,
		"One scale for a layer: its largest weight sets the step for all, %.3g %% are "
		"misread. With a scale per channel it is %.3g.",
		now, better);
	return true;
}

static bool nearest_costs(struct study *s, double now)
{
	struct recipe r = s->recipe;
	r.quantiser.rounding = ROUND_GPTQ;
	double better = instead(s, &r);
	if (s->recipe.quantiser.rounding != ROUND_NEAREST || now < better + worth_saying(s))
		return false;
	figure_why(s->fig,
		"Each weight rounded for itself, %.3g %% are misread; with GPTQ, where later "
		"weights undo the error in the output, %.3g in the same bytes.",
		now, better);
	return true;
}

/* Weights stay in FP16: no byte is saved. */
static void activations_rounded(struct study *s, double now)
{
	if (!activations_cost(s, now))
		figure_why(s->fig,
			"Only activations are rounded, to %u bits: %.3g %% of digits are misread, "
			"in FP16 %.3g. The weights stay as large.",
			s->recipe.activation_bits, now, misread_pct(&s->teacher));
}

static void quantised(struct study *s)
{
	double now = wrong_now(s), teacher = misread_pct(&s->teacher);
	if (s->recipe.quantiser.bits >= UNQUANTISED_BITS) {
		activations_rounded(s, now);
		return;
	}
	if (wrong_sign(s, now) || activations_cost(s, now) || one_scale_costs(s, now) ||
		nearest_costs(s, now))
		return;
	const char *smaller = figure_text(s->fig, "At %s the network is %.3g times smaller and",
		bits_text(s->fig, s->recipe.quantiser.bits), s->teacher.bytes / s->outcome.bytes);
	bool as_well = fabs(now - teacher) <= uncertainty_pct(s);
	if (now == teacher)
		figure_why(s->fig, "%s misreads as many digits.", smaller);
	else if (as_well)
		figure_why(s->fig, "%s reads digits about as well.", smaller);
	else
		figure_why(s->fig,
			"%s misreads %.3g %% of digits, not %.3g: so coarse, weights move the outputs past "
			"the next digit.",
			smaller, now, teacher);
}

static double shrunk_to(const struct study *s)
{
	return 100 * s->outcome.bytes / s->teacher.bytes;
}

/* Compares the loss of whole neurons with the largest trained student of no more bytes. */
static void neurons_pruned(struct study *s)
{
	struct recipe plain = study_plain(s);
	struct outcome out = { 0 };
	for (size_t i = 1; i < STUDENT_SIZES; i++) {
		study_try(s, i, TEACHER_ALL, &plain, 1, &out);
		if (out.bytes <= s->outcome.bytes * 1.02)
			break;
	}
	figure_why(s->fig,
		"Neurons cut off leave a dense network of %.0f %% of the bytes that misreads %.3g "
		"%%; a student of %.3g kB, trained for its size, misreads %.3g.",
		shrunk_to(s), wrong_now(s), out.bytes / 1e3, misread_pct(&out));
}

static void pruned(struct study *s)
{
	struct recipe compensated = s->recipe;
	compensated.quantiser.rounding = ROUND_GPTQ;
	double now = wrong_now(s), better = instead(s, &compensated);
	if (s->recipe.pattern == PRUNE_NEURONS)
		neurons_pruned(s);
	else if (now > better + worth_saying(s))
		figure_why(s->fig,
			"%.0f %% of the weights are gone at once, %.3g %% are misread; if those "
			"that stay take over, as with SparseGPT (rounding: GPTQ), %.3g.",
			100 * (1 - s->now.stored.kept / s->now.stored.weights), now, better);
	else
		figure_why(s->fig,
			"%.0f %% of the weights are gone, but only %.0f %% of the bytes: those "
			"that stay say where they belong. %.3g %% are misread.",
			100 * (1 - s->now.stored.kept / s->now.stored.weights), 100 - shrunk_to(s),
			now);
}

static void distilled(struct study *s)
{
	double now = wrong_now(s);
	struct recipe plain = study_plain(s);
	enum teaching other = (enum teaching)(s->teaching ^ 1);
	bool by_teacher = s->teaching == TEACHER_ALL || s->teaching == TEACHER_FEW;
	double as_other = wrong_with(s, &plain, s->student, other);
	double labels = by_teacher ? as_other : now, teacher = by_teacher ? now : as_other;
	if (s->teaching == LABELS_FEW || s->teaching == TEACHER_FEW)
		figure_why(s->fig,
			"From %d images the student misreads %.3g %% where labels teach it and "
			"%.3g where the teacher's answers do: they also say what else an image "
			"looks like.",
			FEW_IMAGES, labels, teacher);
	else
		figure_why(s->fig,
			"In %.0f %% of the bytes the student misreads %.3g %% taught by labels and "
			"%.3g by the teacher%s. The teacher's answers add most where images are "
			"few.",
			shrunk_to(s), labels, teacher,
			labels == teacher || fabs(labels - teacher) > uncertainty_pct(s)
				? ""
				: figure_text(
					  s->fig, ", the same within ± %.1f", uncertainty_pct(s)));
}

/* --- several --------------------------------------------------------------------------------- */

struct losses {
	double sum;
	unsigned n;
	const char *text;
};

static void lose(struct study *s, struct losses *l, const char *name, double wrong)
{
	double points = wrong - misread_pct(&s->teacher);
	l->text = figure_text(s->fig, l->n++ ? "%s, %s %.1f" : "%s%s alone costs %.1f points",
		l->text, name, points);
	l->sum += points;
}

static void combined(struct study *s)
{
	struct recipe rounding = study_plain(s), pruning = study_plain(s), plain = study_plain(s);
	struct losses l = { .text = "" };
	double together = wrong_now(s) - misread_pct(&s->teacher), room = 2 * worth_saying(s);
	rounding.quantiser = s->recipe.quantiser;
	rounding.activation_bits = s->recipe.activation_bits;
	pruning.pattern = s->recipe.pattern;
	pruning.sparsity = s->recipe.sparsity;
	pruning.by_activation = s->recipe.by_activation;
	if (study_quantises(&s->recipe))
		lose(s, &l, "rounding", wrong_with(s, &rounding, 0, LABELS_ALL));
	if (study_prunes(&s->recipe))
		lose(s, &l, "pruning", wrong_with(s, &pruning, 0, LABELS_ALL));
	if (s->student > 0)
		lose(s, &l, "the smaller network", wrong_with(s, &plain, s->student, s->teaching));
	figure_why(s->fig, "%.3g %% are misread, not %.3g: %s; together they cost %.1f, %s.",
		wrong_now(s), misread_pct(&s->teacher), l.text, together,
		together > l.sum + room   ? "more than their sum: what is left has nothing to spare"
		: together < l.sum - room ? "less than their sum"
					  : "about their sum");
}

static void compression_why(struct study *s)
{
	bool rounds = study_quantises(&s->recipe), prunes = study_prunes(&s->recipe);
	if (rounds + prunes + (s->student > 0) > 1)
		combined(s);
	else if (rounds)
		quantised(s);
	else if (prunes)
		pruned(s);
	else if (s->student > 0)
		distilled(s);
	else
		figure_why(s->fig,
			"Nothing is compressed: %s weights of 2 bytes, %.3g %% of digits are "
			"misread. Turn the bits down, prune, or take a student.",
			figure_quantity(s->fig, (double)mlp_weights(&s->now.net), ""),
			wrong_now(s));
}

/* --- The simulation --- */

static const char *champion_name(struct figure *fig, const struct champion *c)
{
	if (c->is_setting)
		return "this setting";
	/* As the knobs say it that it takes to get there. */
	return figure_text(
		fig, "network %s, %s", student_names[c->student], bits_text(fig, c->bits));
}

static void values(struct study *s)
{
	struct figure *fig = s->fig;
	const struct stored *stored = &s->now.stored;
	const struct champion *best = &s->champion;
	double accuracy = 100 * s->outcome.accuracy, bytes = s->outcome.bytes;
	double weights = (double)mlp_weights(&s->base.net);
	bool works = accuracy >= GAME_PERCENT;

	value_note(figure_value(fig, "wrong_pct", "wrong answers", 100 - accuracy, "%",
			   works ? ROLE_ACCENT : ROLE_BAD),
		figure_text(fig, works ? "± %.1f" : "± %.1f, over %d %%", uncertainty_pct(s),
			100 - GAME_PERCENT));
	figure_value(fig, "size_kB", "size", bytes / 1e3, "kB", ROLE_PLAIN);
	value_note(figure_value(fig, "ratio", "times smaller", s->teacher.bytes / bytes, "x",
			   ROLE_PLAIN),
		"than in FP16");
	/* The rest only explains. */
	value_note(figure_value(fig, "best_bytes", "least that works",
			   best->found ? best->bytes : INFINITY, "B", ROLE_PLAIN),
		best->found ? champion_name(fig, best) : "none reaches 70 %");
	value_note(figure_value(fig, "score_pct", "could shrink to",
			   works ? 100 * best->bytes / bytes : 0, "%",
			   best->is_setting ? ROLE_GOOD : ROLE_DIM),
		works ? "of this size" : figure_text(fig, "needs %d %% right", GAME_PERCENT));
	value_note(figure_value(fig, "bits_per_weight", "bits per weight",
			   8 * (bytes - stored->biases) / weights, "bit", ROLE_DIM),
		"scales, places in it");
	double snr_db = weight_snr_db(&s->now);
	value_note(figure_value(fig, "snr_db", "weights' SNR", snr_db, "dB", ROLE_DIM),
		isinf(snr_db) ? "none is changed" : NULL);
	value_note(figure_value(fig, "output_error_pct", "output error", 100 * s->output_error, "%",
			   ROLE_DIM),
		figure_text(fig, "layer %zu", s->worst_layer + 1));
	figure_value(fig, "accuracy_pct", "right", accuracy, "%", ROLE_DIM);
}

static const char *pruned_text(const struct study *s)
{
	if (!study_prunes(&s->recipe))
		return "nothing pruned";
	return s->recipe.pattern == PRUNE_2_OF_4
		       ? "2:4"
		       : figure_text(s->fig, "%.0f %% of %s pruned", 100 * s->recipe.sparsity,
				 s->recipe.pattern == PRUNE_NEURONS ? "neurons" : "weights");
}

static void explain(struct study *s)
{
	struct figure *fig = s->fig;
	const struct mlp *net = &s->now.net;
	bool rounded = s->recipe.quantiser.bits < UNQUANTISED_BITS;
	figure_subtitle(fig, "%zu-%zu-%zu-%zu neurons · %s%s%s · %s", net->layer[0].in,
		net->layer[0].out, net->layer[1].out, net->layer[2].out,
		bits_text(fig, s->recipe.quantiser.bits), rounded ? " " : "",
		rounded ? granularity_names[s->recipe.quantiser.granularity] : "", pruned_text(s));
	compression_why(s);
	fig->accuracy = figure_text(fig,
		"model error: none, the network itself is run; %zu of %zu test images misread, "
		"give or take %.1f points",
		s->test.n - (size_t)(s->outcome.accuracy * (double)s->test.n + 0.5), s->test.n,
		uncertainty_pct(s));
	figure_assume(fig,
		"a perceptron of 64-96-48-10 for 8 x 8 digits (Alpaydin and Kaynak, 1998), trained "
		"by sims/compression/train.c; every third image is for testing");
	figure_assume(fig,
		"sizes: codes, FP16 scales, zero points, places of sparse weights in the shortest "
		"of three forms, FP16 biases");
	figure_assume(fig,
		"calibrated on %zu training images: ranges of activations, norms, GPTQ's H with 1 "
		"%% of damping, each layer on inputs before compression",
		s->calibration.n);
	figure_assume(fig,
		"pruned within each output's row; GPTQ spreads what pruning takes too; errors are "
		"against the network before rounding, without the neurons that were cut off");
	if (rounded && s->recipe.quantiser.bits > SEARCHED_BITS)
		figure_note(fig, ROLE_WARN,
			"No hardware multiplies integers of %u bits; the size is as if they were "
			"packed.",
			s->recipe.quantiser.bits);
	figure_leave_out(fig, "retraining after pruning, quantisation-aware training, codebooks");
	figure_leave_out(fig,
		"speed: kernels decide whether fewer bits or zeros are faster, large models lose "
		"otherwise than small ones");
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct study s;
	char err[128];
	fig->unfinished = fig->hurried;
	if (fig->hurried)
		return; /* nothing of it is quick: the network is run for its first number */
	if (study_open(&s, t, v, fig, err, sizeof err)) {
		values(&s);
		compression_draw(&s, t);
		explain(&s);
	} else if (*err) {
		figure_why(fig, "There is no network to compress.");
		figure_note(fig, ROLE_BAD, "%s", err);
	}
	study_close(&s);
}

const struct sim compression_sim = {
	.id = "compression",
	.title = "Compression",
	.summary = "A real small network quantised, pruned and distilled: size against accuracy",
	.page = "compression",
	.knobs = knobs,
	.n_knobs = N_COMPRESSION_KNOBS,
	.STORY(COMPRESSION_BITS, COMPRESSION_METHOD, COMPRESSION_GRANULARITY, COMPRESSION_OUTLIERS,
		COMPRESSION_SPARSITY, COMPRESSION_STUDENT, COMPRESSION_VIEW),
	.try = "Turn weight bits to 2, then rounding to GPTQ. How many answers come back?",
	.run = run,
	.slow = true,
};
