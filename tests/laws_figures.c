/* Any figure that a simulation may make, with any of what is optional, in any room: what is drawn stays in its
 * room, is the same each time, and takes no more rows than it was given. LAWS_FIGURES of them are made. */
#include "sims/base/array.h"
#include "sims/base/rng.h"
#include "tests/laws.h"
#include "ui/commands/export.h"
#include "ui/views/figure_view.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>

enum { FIGURES = 1500, SIZES = 4, MOST_LANES = 9, MOST_COLUMNS = 40 };

static const char *const words[] = { "", "a", "weights", "key-value cache", "一二三",
	"what a step waits for; its gradients go round, and then once more", "12.5 ms", "! late",
	"no drill: \"x\"", "GPU 3" };

static const char *any_word(struct rng *r)
{
	return words[rng_below(r, LENGTH(words))];
}

static const char *maybe_word(struct rng *r)
{
	return rng_below(r, 2) ? any_word(r) : NULL;
}

/* From a millionth to a million, now and then none. */
static double any_size(struct rng *r)
{
	return one_in(r, 8) ? 0 : pow(10, 12 * rng_uniform(r) - 6);
}

static enum role any_role(struct rng *r)
{
	return (enum role)rng_below(r, ROLE_ACCENT + 1);
}

static enum meaning any_meaning(struct rng *r)
{
	return (enum meaning)rng_below(r, N_MEANINGS);
}

static void any_words(struct rng *r, const char *out[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = any_word(r);
}

static void any_meanings(struct rng *r, enum meaning out[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = any_meaning(r);
}

/* ---- Its parts. */

static double on_axis(struct rng *r, enum axis_scale scale)
{
	if (one_in(r, 12))
		return NAN;
	return scale == AXIS_LINEAR ? 200 * rng_uniform(r) - (one_in(r, 2) ? 100 : 0)
				    : pow(10, 8 * rng_uniform(r) - 3);
}

static void axis_of(struct rng *r, struct axis *a)
{
	const bool linear = a->scale == AXIS_LINEAR;
	a->is_time = linear && one_in(r, 4);
	a->information = a->scale == AXIS_LOG2 && one_in(r, 2);
	if (one_in(r, 3))
		a->min = linear ? -50 : 0.01;
	if (one_in(r, 3))
		a->max = linear ? 150 : 1e4;
	if (one_in(r, 4))
		a->reach_lo = linear ? 0 : 0.5;
	if (one_in(r, 4))
		a->reach_hi = linear ? 300 : 1e6;
}

static void add_plot(struct rng *r, struct figure *fig)
{
	static const char *const units[] = { "", "s", "%", "B", "token/s", "FLOP/B", "ms" };
	const enum axis_scale x = (enum axis_scale)rng_below(r, 3),
			      y = (enum axis_scale)rng_below(r, 3);
	struct plot *p =
		figure_plot(fig, any_word(r), any_word(r), units[rng_below(r, LENGTH(units))], x,
			any_word(r), units[rng_below(r, LENGTH(units))], y);
	axis_of(r, &p->x);
	axis_of(r, &p->y);
	p->y.is_time = false;
	const size_t n_series = rng_below(r, 5);
	for (size_t i = 0; i < n_series; i++) {
		struct series *s = plot_series(fig, p, any_word(r),
			(enum series_style)rng_below(r, 5),
			one_in(r, 4) ? MEANS_FOCUS : (enum meaning)rng_below(r, MEANS_LEVEL));
		const size_t n = one_in(r, 6) ? rng_below(r, 2) : 1 + rng_below(r, 60);
		double at = x == AXIS_LINEAR ? -20 : 0.05;
		s->measured = one_in(r, 4);
		s->unlisted = one_in(r, 4);
		for (size_t k = 0; k < n; k++) {
			at += x == AXIS_LINEAR ? 4 * rng_uniform(r) : at * rng_uniform(r);
			if (s->style != SERIES_POINTS) {
				series_point(fig, s, at, on_axis(r, y));
				continue;
			}
			series_mark(
				fig, s, on_axis(r, x), on_axis(r, y), maybe_word(r), any_role(r));
			if (one_in(r, 3))
				series_range(s, on_axis(r, y), on_axis(r, y));
		}
	}
	if (one_in(r, 3))
		plot_slider(fig, p, "knob", x == AXIS_LINEAR ? 7 : 3);
	for (size_t n = rng_below(r, 3); n > 0; n--) {
		const bool horizontal = one_in(r, 2);
		const double at = on_axis(r, horizontal ? y : x);
		plot_rule(fig, p, horizontal, isnan(at) ? 1 : at, any_word(r), any_role(r));
	}
}

static void add_bars(struct rng *r, struct figure *fig)
{
	const size_t n_parts = 1 + rng_below(r, 5), n = rng_below(r, 9);
	const char *names[5];
	enum meaning means[5];
	any_words(r, names, n_parts);
	any_meanings(r, means, n_parts);
	struct bars *b = figure_bars(fig, any_word(r), one_in(r, 2) ? "s" : "%", names, n_parts);
	if (one_in(r, 2))
		bars_mean(fig, b, means, n_parts);
	b->mirrored = n_parts == 2 && one_in(r, 2);
	b->shares = !b->mirrored && one_in(r, 5);
	b->log = n_parts == 1 && one_in(r, 3);
	b->chain = !b->log && !b->mirrored && one_in(r, 4);
	b->close = one_in(r, 3);
	if (one_in(r, 3)) {
		b->limit = 1 + any_size(r);
		b->limit_label = any_word(r);
		b->goal = one_in(r, 2);
		b->from_limit = n_parts == 1 && !b->log && !b->chain && one_in(r, 2);
	}
	b->mark_label = maybe_word(r);
	b->called = maybe_word(r);
	if (one_in(r, 3) && n)
		b->knob = "knob", b->knob_at = rng_below(r, n);
	for (size_t i = 0; i < n; i++) {
		double parts[5];
		for (size_t k = 0; k < n_parts; k++)
			parts[k] = b->shares ? 1. / (double)n_parts : any_size(r);
		struct bar *bar = bars_add(fig, b, any_word(r), parts);
		bar->note = maybe_word(r);
		bar->role = any_role(r);
		bar->passes = b->chain ? maybe_word(r) : NULL;
		bar->parts_ways = bar->passes && one_in(r, 4);
		bar->gains = b->chain ? maybe_word(r) : NULL;
		bar->opens = one_in(r, 4) ? "roofline" : NULL;
		bar->mark = one_in(r, 3) ? any_size(r) : 0;
		bar->was = one_in(r, 4) ? any_size(r) : 0;
	}
	if (n > 2 && !b->log && !b->chain && !b->mirrored && !b->from_limit && one_in(r, 3))
		b->n_steps = n - 1;
}

static void add_timeline(struct rng *r, struct figure *fig)
{
	const size_t n_lanes = 1 + rng_below(r, MOST_LANES), n_kinds = 1 + rng_below(r, 6);
	const char *lanes[MOST_LANES], *kinds[6];
	enum meaning means[6];
	unsigned char ranks[MOST_LANES];
	any_words(r, lanes, n_lanes);
	any_words(r, kinds, n_kinds);
	any_meanings(r, means, n_kinds);
	for (size_t i = 0; i < n_lanes; i++)
		ranks[i] = (unsigned char)rng_below(r, 4);
	struct timeline *t = figure_timeline(fig, any_word(r), lanes, n_lanes, kinds, n_kinds);
	if (one_in(r, 2))
		timeline_mean(fig, t, means, n_kinds);
	if (one_in(r, 2))
		timeline_rank(fig, t, ranks, n_lanes);
	t->slim = t->lane_ranks && one_in(r, 2);
	t->tall = one_in(r, 3) ? 1 + rng_below(r, n_lanes) : 0;
	t->wide = one_in(r, 4);
	t->rules_behind = one_in(r, 3);
	t->rest = one_in(r, 3) ? "slots" : NULL;
	t->without = one_in(r, 4) ? rng_below(r, 2000) : 0;
	for (size_t n = rng_below(r, 80); n > 0; n--) {
		const unsigned lane = (unsigned)rng_below(r, n_lanes),
			       kind = (unsigned)rng_below(r, n_kinds);
		const double start_s = 10 * rng_uniform(r),
			     end_s = start_s + (one_in(r, 9) ? 0 : rng_uniform(r));
		if (one_in(r, 6))
			timeline_count(fig, t, lane, kind, start_s, end_s,
				1 + (unsigned)rng_below(r, 30), any_word(r));
		else
			timeline_span(fig, t, lane, kind, start_s, end_s, maybe_word(r));
	}
	if (one_in(r, 2))
		for (unsigned i = 0; i < n_lanes; i++)
			timeline_note(fig, t, i, any_word(r));
	for (size_t n = rng_below(r, 3); n > 0; n--)
		timeline_rule(fig, t, 11 * rng_uniform(r), any_word(r), any_role(r));
}

static void fill_grid(struct rng *r, struct figure *fig, struct grid *g, size_t n_kinds)
{
	const bool numbers = one_in(r, 3), moves = one_in(r, 2);
	for (size_t f = 0; f < g->n_frames; f++)
		for (size_t row = 0; row < g->rows; row++)
			for (size_t col = 0; col < g->cols; col++) {
				grid_set(g, f, row, col, (unsigned)rng_below(r, n_kinds));
				if (numbers && one_in(r, 2))
					grid_write(fig, g, f, row, col, (unsigned)rng_below(r, 250),
						moves ? (int)rng_below(r, 3) - 1 : 0);
				if (numbers && moves && one_in(r, 8))
					grid_receive(g, f, row, col, (unsigned)rng_below(r, 250),
						one_in(r, 2));
			}
}

static void add_grid(struct rng *r, struct figure *fig)
{
	const size_t n_kinds = 1 + rng_below(r, 6), rows = 1 + rng_below(r, 12);
	const size_t cols = 1 + rng_below(r, MOST_COLUMNS), n_frames = 1 + rng_below(r, 4);
	static const double times[] = { 0, 1, 2.5, 8 };
	static const size_t done[] = { 0, 1, 2, 3 };
	const char *kinds[6], *names[12], *notes[12], *captions[4];
	enum meaning means[6];
	any_words(r, kinds, n_kinds);
	any_words(r, names, rows);
	any_words(r, notes, rows);
	any_words(r, captions, LENGTH(captions));
	any_meanings(r, means, n_kinds);
	struct grid *g = figure_grid(fig, any_word(r), kinds, n_kinds, one_in(r, 2) ? names : NULL,
		rows, cols, n_frames > 1 ? times : NULL, n_frames);
	if (one_in(r, 2))
		grid_mean(fig, g, means, n_kinds);
	fill_grid(r, fig, g, n_kinds);
	if (one_in(r, 2))
		grid_axes(fig, g, maybe_word(r), maybe_word(r));
	if (one_in(r, 3))
		grid_steps(fig, g, done, 5, one_in(r, 2) ? 3 : 0);
	if (one_in(r, 3))
		grid_row_notes(fig, g, notes);
	if (one_in(r, 4))
		grid_captions(fig, g, captions, 1 + rng_below(r, LENGTH(captions)));
	g->flows = one_in(r, 4);
	g->apart = one_in(r, 4);
	g->bare = one_in(r, 4);
	if (one_in(r, 5) && !g->flows && !g->notes) {
		grid_number_lines(fig, g, -3, 5, rng_below(r, rows), notes);
		if (one_in(r, 2))
			grid_wanted(fig, g, 8 * rng_uniform(r) - 3, any_word(r), any_word(r));
	}
}

static void add_table(struct rng *r, struct figure *fig)
{
	const size_t cols = 1 + rng_below(r, 7);
	const char *head[7], *cells[7];
	const bool turns = one_in(r, 3);
	any_words(r, head, cols);
	struct table *t = figure_table(fig, any_word(r), head, cols, "0110101");
	for (size_t n = rng_below(r, 12); n > 0; n--) {
		any_words(r, cells, cols);
		table_row(fig, t, cells);
		if (turns && !one_in(r, 4))
			table_turns(fig, t, "knob", any_role(r));
	}
	if (turns && one_in(r, 2))
		table_verb(fig, t, "buy");
	t->at_hand = t->n_rows && one_in(r, 4) ? 1 + rng_below(r, t->n_rows) : 0;
}

static void add_note(struct rng *r, struct figure *fig)
{
	figure_note(fig, any_role(r), "%s %s", any_word(r), any_word(r));
}

static struct figure any_figure(struct rng *r)
{
	static void (*const add[])(struct rng *, struct figure *) = { add_plot, add_bars,
		add_timeline, add_grid, add_table, add_note };
	struct figure fig = { .duration_s = one_in(r, 2) ? 10 : 0 };
	figure_value(&fig, "value", "a value", any_size(r), "s", any_role(r));
	for (size_t n = 1 + rng_below(r, 4); n > 0; n--) {
		add[rng_below(r, LENGTH(add))](r, &fig);
		if (one_in(r, 3))
			figure_tab(&fig, any_word(r));
	}
	return fig;
}

/* ---- What holds. */

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->code == b->code && a->style == b->style && a->attr == b->attr &&
	       a->under == b->under;
}

/* Draws it in a part of a screen. Outside of that part nothing is touched, and inside no control character is
 * put; another screen gets the same. */
static void draw_in(
	struct rng *r, const struct figure *fig, const struct figure_state *state, unsigned seed)
{
	enum { AROUND = 3 };
	const struct rect at = { AROUND, AROUND, (int)rng_below(r, one_in(r, 2) ? 12 : 50),
		(int)rng_below(r, one_in(r, 2) ? 40 : 170) };
	const enum glyphs glyphs = (enum glyphs)rng_below(r, N_GLYPHS);
	const enum fills fills = (enum fills)rng_below(r, FILLS_TINTED + 1);
	struct canvas cv[2], bare;
	int used[2];
	const int rows = at.rows + 2 * AROUND, cols = at.cols + 2 * AROUND;
	cr_assert(zero(int, canvas_init(&bare, rows, cols, glyphs)));
	for (int i = 0; i < 2; i++) {
		cr_assert(zero(int, canvas_init(&cv[i], rows, cols, glyphs)));
		cv[i].fills = fills;
		used[i] = figure_draw(&cv[i], at, fig, state);
	}
	cr_expect(le(int, used[0], at.rows), "figure %u", seed);
	cr_expect(eq(int, used[0], used[1]), "figure %u", seed);
	for (int row = 0; row < rows; row++)
		for (int col = 0; col < cols; col++) {
			const int k = row * cols + col;
			const bool inside = row >= at.row && row < at.row + at.rows &&
					    col >= at.col && col < at.col + at.cols;
			cr_assert(same_cell(&cv[0].cells[k], &cv[1].cells[k]),
				"figure %u: drawn twice", seed);
			cr_assert(inside || same_cell(&cv[0].cells[k], &bare.cells[k]),
				"figure %u at %d x %d: cell %d, %d", seed, at.cols, at.rows, col,
				row);
			cr_assert(cv[0].cells[k].code == 0 || cv[0].cells[k].code >= 0x20,
				"figure %u", seed);
		}
	const int wished = figure_rows(fig, at.cols),
		  within = figure_rows_within(fig, at.rows, at.cols);
	cr_expect(wished >= 0 && within <= at.rows, "figure %u: %d rows", seed, within);
	cr_expect(le(sz, figure_shown(fig, at.rows, at.cols, state), fig->n_blocks), "figure %u",
		seed);
	canvas_release(&cv[0]);
	canvas_release(&cv[1]);
	canvas_release(&bare);
}

static void hold(unsigned seed)
{
	struct rng r = rng_stream(seed, "figure", 0);
	struct figure fig = any_figure(&r), ghost = any_figure(&r);
	size_t shown = 0;
	cr_assert(not(fig.arena.failed));
	for (int i = 0; i < SIZES; i++) {
		const struct figure_state state = { .ghost = one_in(&r, 3)   ? &ghost
							     : one_in(&r, 3) ? &fig
									     : NULL,
			.playhead_s = one_in(&r, 2) ? 10 * rng_uniform(&r) : NAN,
			.first_block = one_in(&r, 3) ? rng_below(&r, fig.n_blocks) : 0,
			.more = one_in(&r, 2) ? "z" : NULL,
			.larger = one_in(&r, 2) ? "L" : NULL,
			.focus = one_in(&r, 2) ? "knob" : NULL,
			.named = one_in(&r, 2),
			.shown = one_in(&r, 2) ? &shown : NULL };
		draw_in(&r, &fig, &state, seed);
	}
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);
	figure_csv(&fig, f);
	fclose(f);
	cr_expect(lt(sz, 0, bytes));
	free(text);
	figure_release(&fig);
	figure_release(&ghost);
}

Test(laws_figures, stay_in_their_room, .description = "long", .timeout = 7200)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const size_t n = laws_count("LAWS_FIGURES", FIGURES);
	for (unsigned seed = 1; seed <= n; seed++)
		hold(seed);
}
