/* The three techniques of `compression` in detail. */
#include "sims/base/array.h"
#include "sims/compression/compression.h"

#include <math.h>

static double percent(const struct outcome *o)
{
	return 100 * o->accuracy;
}

static struct plot *accuracy_plot(
	struct study *s, const char *title, const char *x, const char *unit, enum axis_scale scale)
{
	struct plot *p =
		figure_plot(s->fig, title, x, unit, scale, "Right answers", "%", AXIS_LINEAR);
	if (p) {
		p->y.min = 0;
		p->y.max = 100;
	}
	plot_rule(s->fig, p, true, GAME_PERCENT, "70 %: still works", ROLE_WARN);
	return p;
}

static void mark_here(struct study *s, struct plot *p, double x)
{
	struct series *mark = plot_series(s->fig, p, "this setting", SERIES_POINTS, 4);
	series_mark(s->fig, mark, x, percent(&s->outcome), NULL, ROLE_ACCENT);
}

/* --- quantisation ----------------------------------------------------------------------------- */

static void bits_plot(struct study *s)
{
	static const char *const names[] = { "per tensor", "per channel", "per group" };
	enum { N = SEARCHED_BITS - LEAST_BITS + 1 };
	struct plot *p = accuracy_plot(s, "Accuracy against bits", "Weight bits", "", AXIS_LINEAR);
	for (unsigned g = PER_TENSOR; g <= PER_GROUP; g++) {
		struct series *line = plot_series(s->fig, p, names[g], SERIES_LINE, g);
		struct recipe r[N];
		struct outcome out[N];
		for (unsigned i = 0; i < N; i++) {
			r[i] = s->recipe;
			r[i].quantiser.granularity = (enum granularity)g;
			r[i].quantiser.bits = LEAST_BITS + i;
		}
		study_try(s, s->student, s->teaching, r, N, out);
		for (unsigned i = 0; i < N; i++)
			series_point(s->fig, line, LEAST_BITS + i, percent(&out[i]));
	}
	mark_here(s, p, s->recipe.quantiser.bits);
}

static void rounding_bars(struct study *s)
{
	static const char *const parts[] = { "error of the output" };
	static const char *const names[] = { "to nearest", "GPTQ", "GPTQ, wrong sign" };
	struct bars *b =
		figure_bars(s->fig, "What rounding does to each layer's output", "%", parts, 1);
	for (size_t k = 0; k < s->now.net.n_layers; k++)
		for (unsigned how = ROUND_NEAREST; how <= ROUND_GPTQ_WRONG_SIGN; how++) {
			double error = 100 * study_layer_error(s, k, (enum rounding)how);
			struct bar *bar = bars_add(s->fig, b,
				figure_text(s->fig, "%zu: %s", k + 1, names[how]), &error);
			if (bar && how == s->recipe.quantiser.rounding)
				bar->role = ROLE_ACCENT;
		}
}

/* How many steps from 0 the weights of the widest layer are, before and after rounding: those that
 * an outlier crowds out stand on few codes. */
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
	struct series *line = plot_series(s->fig, p, "weights", SERIES_STEP, 0);
	for (size_t i = 0; i < bins; i++)
		series_point(
			s->fig, line, (double)i * width - most - 0.5, 100 * before[i] / (double)n);
	for (double code = -most; code <= most && most <= 7; code++)
		plot_rule(s->fig, p, false, code, "", ROLE_DIM);
}

static void granularity_table(struct study *s)
{
	static const char *const head[] = { "One scale", "Right", "Size", "Scales",
		"Weights' SNR" };
	static const char *const names[] = { "per tensor", "per channel", "per group" };
	struct figure *fig = s->fig;
	struct table *t = figure_table(fig, "Who shares a scale", head, 5, "01111");
	for (unsigned g = PER_TENSOR; g <= PER_GROUP; g++) {
		struct recipe r = s->recipe;
		struct outcome out;
		struct compressed c;
		r.quantiser.granularity = (enum granularity)g;
		study_try(s, s->student, s->teaching, &r, 1, &out);
		if (compress(&c, &s->scratch, &s->base, &s->calibration, &r))
			return;
		double snr_db = weight_snr_db(&c);
		table_row(fig, t,
			(const char *[]){ names[g], figure_text(fig, "%.1f %%", percent(&out)),
				figure_text(fig, "%.2f kB", out.bytes / 1e3),
				figure_text(fig, "%.0f B", c.stored.scales),
				isinf(snr_db) ? "no error" : figure_text(fig, "%.1f dB", snr_db) });
	}
}

void quantise_blocks(struct study *s, const struct tables *t)
{
	bits_plot(s);
	codes_plot(s);
	rounding_bars(s);
	granularity_table(s);
	compression_images(s);
	published_quantised(s->fig, t);
}

/* --- pruning --------------------------------------------------------------------------------- */

static void sparsity_line(struct study *s, struct plot *p, const char *name, unsigned colour,
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
		series_point(s->fig, line, 100 * sparsities[i], percent(&out[i]));
}

static void sparsity_plot(struct study *s)
{
	struct plot *p =
		accuracy_plot(s, "Accuracy against sparsity", "Sparsity", "%", AXIS_LINEAR);
	struct recipe r = s->recipe;
	struct outcome half;
	sparsity_line(s, p, "by magnitude", 0, PRUNE_WEIGHTS, false);
	sparsity_line(s, p, "Wanda", 1, PRUNE_WEIGHTS, true);
	sparsity_line(s, p, "neurons", 2, PRUNE_NEURONS, s->recipe.by_activation);
	r.pattern = PRUNE_2_OF_4;
	study_try(s, s->student, s->teaching, &r, 1, &half);
	series_mark(s->fig, plot_series(s->fig, p, "2:4", SERIES_POINTS, 3), 50, percent(&half),
		"2:4", ROLE_PLAIN);
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
	static const char *const names[] = { "single weights", "2:4", "whole neurons" };
	struct figure *fig = s->fig;
	struct table *t = figure_table(fig,
		figure_text(fig, "The patterns at %s, %.0f %% where they can choose",
			bits_text(fig, s->recipe.quantiser.bits), 100 * s->recipe.sparsity),
		head, 4, "0110");
	for (unsigned pattern = PRUNE_WEIGHTS; pattern <= PRUNE_NEURONS; pattern++) {
		struct recipe r = s->recipe;
		struct outcome out;
		struct compressed c;
		r.pattern = (enum pattern)pattern;
		study_try(s, s->student, s->teaching, &r, 1, &out);
		if (compress(&c, &s->scratch, &s->base, &s->calibration, &r))
			return;
		table_row(fig, t,
			(const char *[]){ names[pattern],
				figure_text(fig, "%.1f %%", percent(&out)),
				figure_text(fig, "%.2f kB", out.bytes / 1e3),
				storage_names[c.stored.form] });
	}
}

void prune_blocks(struct study *s)
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

static void students(struct study *s)
{
	static const char *const head[] = { "Hidden", "Size", "labels", "teacher", "labels, 160",
		"teacher, 160" };
	struct figure *fig = s->fig;
	struct plot *p =
		accuracy_plot(s, "Students: what they were taught with", "Size", "kB", AXIS_LOG2);
	struct table *t =
		figure_table(fig, "Right answers of the students, as set", head, 6, "011111");
	struct outcome out[STUDENT_SIZES][N_TEACHINGS];
	for (unsigned how = 0; how < N_TEACHINGS; how++) {
		struct series *line = plot_series(fig, p, teaching_names[how], SERIES_LINE, how);
		for (size_t i = 1; i < STUDENT_SIZES; i++) {
			study_try(s, i, (enum teaching)how, &s->recipe, 1, &out[i][how]);
			series_point(fig, line, out[i][how].bytes / 1e3, percent(&out[i][how]));
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

/* The teacher's answer to the image that it is right about with the least conviction. */
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
	for (size_t c = 0; c < DIGIT_CLASSES && d.hard[0] <= 1; c++) {
		double share = 100 * d.soft[c];
		struct bar *bar = bars_add(s->fig, b, figure_text(s->fig, "a %zu", c), &share);
		if (bar)
			bar->note = figure_text(s->fig, "T = 1: %.1f %%", 100 * d.hard[c]);
	}
}

void distil_blocks(struct study *s)
{
	students(s);
	soft_answer(s);
	compression_images(s);
	compression_bytes(s);
	published_distilled(s->fig);
}
