/* The figure of `compression`: what all views share, and the view of everything at once. */
#include "sims/base/array.h"
#include "sims/compression/compression.h"

#include <math.h>

enum { MOST_SWEEP = 16 };

static double kB(const struct outcome *o)
{
	return o->bytes / 1e3;
}

static double percent(const struct outcome *o)
{
	return 100 * o->accuracy;
}

static void line(struct study *s, struct plot *p, const char *name, unsigned colour,
	const struct outcome out[], size_t n)
{
	struct series *points = plot_series(s->fig, p, name, SERIES_LINE, colour);
	for (size_t i = 0; i < n; i++)
		series_point(s->fig, points, kB(&out[i]), percent(&out[i]));
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
	line(s, p, "fewer bits", 0, out, n);
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
	line(s, p, s->recipe.pattern == PRUNE_NEURONS ? "fewer neurons" : "fewer weights", 1, out,
		n);
}

static void students_alone(struct study *s, struct plot *p)
{
	struct recipe plain = study_plain(s);
	struct outcome out[STUDENT_SIZES];
	for (size_t i = 0; i < STUDENT_SIZES; i++)
		study_try(s, STUDENT_SIZES - 1 - i, s->teaching, &plain, 1, &out[i]);
	line(s, p, "students", 2, out, STUDENT_SIZES);
}

static void searched(struct study *s, struct plot *p)
{
	struct series *points = plot_series(s->fig, p, "students, 2 to 8 bits", SERIES_POINTS, 3);
	for (size_t i = 1; i < STUDENT_SIZES; i++)
		for (unsigned bits = LEAST_BITS; bits <= SEARCHED_BITS; bits++)
			series_point(s->fig, points, kB(&s->tried[i][bits]),
				percent(&s->tried[i][bits]));
}

static void here(struct study *s, struct plot *p)
{
	struct series *mark = plot_series(s->fig, p, "this setting", SERIES_POINTS, 4);
	series_mark(s->fig, mark, kB(&s->outcome), percent(&s->outcome), NULL, ROLE_ACCENT);
	plot_rule(s->fig, p, true, GAME_PERCENT, "70 %: still works", ROLE_WARN);
	plot_rule(s->fig, p, false, kB(&s->outcome),
		figure_text(s->fig, "%.3g kB", kB(&s->outcome)), ROLE_ACCENT);
}

static void scatter(struct study *s)
{
	struct plot *p = figure_plot(s->fig, "Size against accuracy", "Size", "kB", AXIS_LOG2,
		"Right answers", "%", AXIS_LINEAR);
	if (p) {
		p->y.min = 0;
		p->y.max = 100;
	}
	bits_alone(s, p);
	pruning_alone(s, p);
	students_alone(s, p);
	searched(s, p);
	here(s, p);
}

/* --- the images that it gets wrong ----------------------------------------------------------- */

enum { SHOWN = 4, PAPER = 0, INK = 1 };

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

void compression_images(struct study *s)
{
	static const char *const kinds[] = { "paper", "ink" };
	static const float dark = 0.4F; /* of the darkest: shades would be colours here */
	size_t chosen[SHOWN], n = choose_images(s, chosen);
	const char *title = "";
	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		title = figure_text(s->fig, "%s%s %d as %d%s", title, i ? "," : "",
			s->test.label[chosen[i]], s->answer[chosen[i]],
			teacher_is_wrong(s, chosen[i]) ? " (the teacher too)" : "");
	struct grid *g = figure_grid(s->fig, figure_text(s->fig, "It reads%s", title), kinds, 2,
		NULL, DIGIT_SIDE, n * (DIGIT_SIDE + 1) - 1, NULL, 1);
	for (size_t i = 0; i < n; i++)
		for (size_t pixel = 0; pixel < DIGIT_PIXELS; pixel++)
			grid_set(g, 0, pixel / DIGIT_SIDE,
				i * (DIGIT_SIDE + 1) + pixel % DIGIT_SIDE,
				digit_ink(&s->test, chosen[i], pixel) > dark ? INK : PAPER);
}

/* --- where the bytes are ------------------------------------------------------ */

void compression_bytes(struct study *s)
{
	enum { VALUES, PLACES, SCALES, BIASES, N_PARTS };
	static const char *const parts[N_PARTS] = { "weights", "which ones", "scales", "biases" };
	const struct stored *now = &s->now.stored;
	const struct mlp *whole = &s->base.net;
	double biases = 2 * (double)mlp_biases(whole), weights = 2 * (double)mlp_weights(whole);
	struct bars *b = figure_bars(s->fig, "Where the bytes are", "B", parts, N_PARTS);
	bars_add(s->fig, b, "in FP16", (const double[N_PARTS]){ weights, 0, 0, biases });
	struct bar *bar = bars_add(s->fig, b, "as set",
		(const double[N_PARTS]){ now->values, now->places, now->scales, now->biases });
	if (bar && study_prunes(&s->recipe))
		bar->note = figure_text(s->fig, "%s", storage_names[now->form]);
}

void compression_draw(struct study *s, const struct tables *t)
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
		scatter(s);
		compression_images(s);
		compression_bytes(s);
		break;
	}
}
