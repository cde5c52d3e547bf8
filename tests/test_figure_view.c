/* Composition, and what holds for any figure at any size. */
#include "sims/base/rng.h"
#include "ui/views/figure_view.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *picture(const struct figure *fig, int rows, int cols, enum glyphs glyphs,
	const struct figure_state *state)
{
	struct canvas cv;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	cr_assert(zero(int, canvas_init(&cv, rows, cols, glyphs)));
	figure_draw(&cv, (struct rect){ 0, 0, rows, cols }, fig, state);
	canvas_write_text(&cv, f);
	fclose(f);
	canvas_release(&cv);
	return text;
}

static void expect_picture(const struct figure *fig, int rows, int cols, enum glyphs glyphs,
	const struct figure_state *state, const char *want)
{
	char *got = picture(fig, rows, cols, glyphs, state);
	cr_expect(eq(str, got, (char *)want));
	free(got);
}

Test(figure, what_was_scrolled_away_makes_room)
{
	struct figure fig = { 0 };
	struct figure_state state = { .playhead_s = NAN, .first_block = 1, .more = "PgDn" };
	for (int i = 1; i <= 3; i++)
		figure_note(&fig, ROLE_PLAIN, "note %d", i);
	expect_picture(&fig, 3, 40, GLYPHS_LINES, &state, "note 2\n\nnote 3\n");
	expect_picture(&fig, 2, 40, GLYPHS_LINES, &state, "note 2\n+ 1 more: PgDn\n");
	figure_release(&fig);
}

Test(figure, what_does_not_fit_is_counted)
{
	struct figure fig = { 0 };
	expect_picture(&fig, 1, 10, GLYPHS_LINES, NULL, "\n");
	for (int i = 1; i <= 3; i++)
		figure_note(&fig, ROLE_PLAIN, "note %d", i);
	cr_expect(eq(int, figure_rows(&fig, 40), 5));
	expect_picture(&fig, 5, 40, GLYPHS_LINES, NULL, "note 1\n\nnote 2\n\nnote 3\n");
	expect_picture(&fig, 4, 40, GLYPHS_LINES, NULL, "note 1\n\nnote 2\n+ 1 more\n");
	expect_picture(&fig, 2, 40, GLYPHS_LINES, NULL, "note 1\n+ 2 more\n");
	expect_picture(&fig, 1, 40, GLYPHS_LINES, NULL, "note 1\n");
	figure_release(&fig);
}

/* Hidden parts are named where somebody can go to them, as many as fit. */
Test(figure, what_does_not_fit_is_named)
{
	struct figure fig = { 0 };
	struct figure_state state = { .playhead_s = NAN, .more = "Enter" };
	static const char *const names[] = { "One", "Two", "Three", "Four" };
	for (int i = 0; i < 4; i++) {
		figure_note(&fig, ROLE_PLAIN, "note %d", i + 1);
		figure_tab(&fig, names[i]);
	}
	expect_picture(
		&fig, 2, 60, GLYPHS_LINES, &state, "note 1\n+ 3 more (Two, Three, Four): Enter\n");
	/* 15 columns of sign, number and key, 3 of brackets, and 5 that are kept for dots. */
	expect_picture(
		&fig, 2, 34, GLYPHS_LINES, &state, "note 1\n+ 3 more (Two, Three, ...): Enter\n");
	expect_picture(&fig, 2, 20, GLYPHS_LINES, &state, "note 1\n+ 3 more: Enter\n");
	expect_picture(&fig, 2, 60, GLYPHS_LINES, NULL, "note 1\n+ 3 more\n");
	figure_release(&fig);
}

static int line_of(const char *text, const char *word)
{
	const char *at = strstr(text, word);
	int line = 0;
	for (const char *p = text; at && p < at; p++)
		line += *p == '\n';
	return at ? line : -1;
}

Test(figure, two_plots_stand_side_by_side_where_there_is_room)
{
	struct figure fig = { 0 };
	for (int i = 0; i < 2; i++) {
		struct plot *p = figure_plot(
			&fig, i ? "Right" : "Left", "x", "s", AXIS_LINEAR, "y", "", AXIS_LINEAR);
		struct series *s = plot_series(&fig, p, "a", SERIES_LINE, 0);
		series_point(&fig, s, 0, 0);
		series_point(&fig, s, 1, 1);
	}
	char *wide = picture(&fig, 40, 150, GLYPHS_LINES, NULL);
	char *narrow = picture(&fig, 40, 149, GLYPHS_LINES, NULL);
	cr_expect(eq(int, line_of(wide, "Right"), line_of(wide, "Left")));
	cr_expect(lt(int, line_of(narrow, "Left") + 7, line_of(narrow, "Right")));
	cr_expect(lt(int, figure_rows(&fig, 150), figure_rows(&fig, 149)));
	free(wide);
	free(narrow);
	figure_release(&fig);
}

/* --- any figure, any size ---------------------------------------------------------------- */

/* A table of two rows leaves 10 of the 16 rows, fewer than the 12 that a table asks for, but better
 * than nothing. Out of 12 it would leave 6, so the other table is only counted. */
Test(figure, part_of_a_table_fills_what_would_stay_empty)
{
	static const char *const head[] = { "name" };
	struct figure fig = { 0 };
	struct table *few = figure_table(&fig, "Few", head, 1, "0");
	for (int i = 0; i < 2; i++)
		table_row(&fig, few, (const char *[]){ "row" });
	struct table *many = figure_table(&fig, "Many", head, 1, "0");
	for (int i = 0; i < 20; i++)
		table_row(&fig, many, (const char *[]){ "row" });
	char *tall = picture(&fig, 16, 40, GLYPHS_LINES, NULL);
	char *low = picture(&fig, 12, 40, GLYPHS_LINES, NULL);
	cr_expect(strstr(tall, "Few") && strstr(tall, "Many"), "%s", tall);
	cr_expect(strstr(low, "Few") && !strstr(low, "Many") && strstr(low, "1 more"), "%s", low);
	free(tall);
	free(low);
	figure_release(&fig);
}

static double any_number(struct rng *r)
{
	static const double odd[] = { 0, -1, 1e-300, 1e300, -1e300, INFINITY, -INFINITY, NAN };
	if (rng_below(r, 8) == 0)
		return odd[rng_below(r, sizeof odd / sizeof *odd)];
	return rng_lognormal(r, 1, 3);
}

static const char *any_text(struct rng *r)
{
	static const char *const texts[] = { "", "a", "Attention", "QKᵀ · softmax → V", "漢字 wide",
		"e\xcc\x81 combining", "bad \xff\xc0 bytes", "tab\tand\nnewline", "— “quoted” …",
		"a-very-long-word-without-any-blank-in-it-that-must-be-cut-somewhere",
		"several words that may well be longer than the pane they are put into" };
	return texts[rng_below(r, sizeof texts / sizeof *texts)];
}

static void any_bars(struct rng *r, struct figure *fig)
{
	const char *names[12];
	double parts[12];
	size_t n = rng_below(r, 12);
	for (size_t i = 0; i < n; i++)
		names[i] = any_text(r);
	struct bars *b = figure_bars(fig, any_text(r), "B", names, n);
	b->limit = any_number(r);
	b->limit_label = rng_below(r, 2) ? any_text(r) : NULL;
	b->log = rng_below(r, 4) == 0;
	for (uint64_t k = rng_below(r, 20); k > 0; k--) {
		for (size_t i = 0; i < n; i++)
			parts[i] = any_number(r);
		struct bar *bar = bars_add(fig, b, any_text(r), parts);
		bar->role = (enum role)rng_below(r, 6);
		bar->note = rng_below(r, 2) ? any_text(r) : NULL;
		bar->mark = rng_below(r, 4) ? 0 : any_number(r);
		bar->was = rng_below(r, 4) ? 0 : any_number(r);
	}
	b->mark_label = rng_below(r, 2) ? any_text(r) : NULL;
}

static void any_timeline(struct rng *r, struct figure *fig)
{
	const char *names[40];
	size_t lanes = rng_below(r, 40), kinds = rng_below(r, 40);
	for (size_t i = 0; i < 40; i++)
		names[i] = any_text(r);
	struct timeline *t = figure_timeline(fig, any_text(r), names, lanes, names, kinds);
	for (uint64_t k = rng_below(r, 60); k > 0; k--) {
		double start = any_number(r);
		timeline_span(fig, t, (unsigned)rng_below(r, lanes + 2), (unsigned)rng_below(r, 50),
			start, start + any_number(r), rng_below(r, 2) ? any_text(r) : NULL);
	}
	for (uint64_t k = rng_below(r, 5); k > 0; k--)
		timeline_rule(fig, t, any_number(r), any_text(r), (enum role)rng_below(r, 6));
	for (uint64_t k = lanes ? rng_below(r, 3) : 0; k > 0; k--)
		timeline_note(fig, t, (unsigned)rng_below(r, lanes), any_text(r));
	if (t)
		t->tall = rng_below(r, 2) ? rng_below(r, lanes + 1) : 0;
}

static void any_grid(struct rng *r, struct figure *fig)
{
	const char *names[64];
	double times[4] = { 0, 1, 1, 3 };
	size_t rows = rng_below(r, 64), cols = rng_below(r, 64), frames = rng_below(r, 5);
	for (size_t i = 0; i < 64; i++)
		names[i] = any_text(r);
	struct grid *g = figure_grid(fig, any_text(r), names, rng_below(r, 64),
		rng_below(r, 2) ? names : NULL, rows, cols, times, frames);
	for (int k = 0; g && k < 500; k++)
		grid_set(g, rng_below(r, frames + 1), rng_below(r, rows + 1),
			rng_below(r, cols + 1), (unsigned)rng_below(r, 256));
	if (!g)
		return;
	g->flows = rng_below(r, 4) == 0;
	g->apart = rng_below(r, 4) == 0;
	if (rng_below(r, 2))
		grid_axes(fig, g, any_text(r), rng_below(r, 2) ? any_text(r) : NULL);
	for (uint64_t k = rng_below(r, 2) * rng_below(r, 200); k > 0; k--)
		grid_write(fig, g, rng_below(r, frames + 1), rng_below(r, rows + 1),
			rng_below(r, cols + 1), (unsigned)rng_below(r, 255),
			(int)rng_below(r, 3) - 1);
	for (uint64_t k = rng_below(r, 2) * rng_below(r, 200); k > 0; k--)
		grid_receive(g, rng_below(r, frames + 1), rng_below(r, rows + 1),
			rng_below(r, cols + 1), (unsigned)rng_below(r, 255), rng_below(r, 2));
	if (rng_below(r, 2))
		grid_captions(fig, g, names, rng_below(r, 12));
	if (rng_below(r, 4) == 0)
		grid_number_lines(fig, g, -1, 1, rng_below(r, 64), rng_below(r, 2) ? names : NULL);
}

static void any_table(struct rng *r, struct figure *fig)
{
	const char *text[40];
	size_t cols = rng_below(r, 8) ? rng_below(r, 7) : rng_below(r, 40);
	for (size_t i = 0; i < 40; i++)
		text[i] = any_text(r);
	struct table *t =
		figure_table(fig, any_text(r), text, cols, rng_below(r, 2) ? "0110101" : "");
	for (uint64_t k = rng_below(r, 12); k > 0; k--) {
		for (size_t i = 0; i < 40; i++)
			text[i] = any_text(r);
		table_row(fig, t, text);
	}
}

static void any_note(struct rng *r, struct figure *fig)
{
	figure_note(fig, (enum role)rng_below(r, 6), "%s %s", any_text(r), any_text(r));
}

static void any_plot(struct rng *r, struct figure *fig)
{
	struct plot *p = figure_plot(
		fig, any_text(r), any_text(r), "s", AXIS_LINEAR, any_text(r), "B", AXIS_LOG10);
	for (uint64_t i = rng_below(r, 4); i > 0; i--) {
		struct series *s = plot_series(fig, p, any_text(r),
			(enum series_style)rng_below(r, 5), (unsigned)rng_below(r, 10));
		for (uint64_t k = rng_below(r, 20); k > 0; k--)
			series_point(fig, s, any_number(r), any_number(r));
	}
}

static void any_figure(struct rng *r, struct figure *fig)
{
	static void (*const make[])(struct rng *, struct figure *) = { any_plot, any_bars,
		any_timeline, any_grid, any_table, any_note };
	for (uint64_t n = rng_below(r, 5); n > 0; n--)
		make[rng_below(r, sizeof make / sizeof *make)](r, fig);
}

enum { BORDER = 2 };

static void expect_inside(const struct canvas *cv, struct rect r, unsigned seed)
{
	for (int i = 0; i < cv->rows * cv->cols; i++) {
		const struct cell *c = &cv->cells[i];
		int row = i / cv->cols, col = i % cv->cols;
		bool inside = row >= r.row && row < r.row + r.rows && col >= r.col &&
			      col < r.col + r.cols;
		if (!inside && (c->code != '@' || c->style != STYLE_CODE || c->attr))
			cr_assert(false, "seed %u wrote outside %dx%d at %d,%d", seed, r.cols,
				r.rows, row - r.row, col - r.col);
		if (cv->glyphs == GLYPHS_ASCII && c->code >= 0x7f)
			cr_assert(false, "seed %u drew U+%04X in ASCII", seed, (unsigned)c->code);
		if (c->code && c->code < 0x20)
			cr_assert(false, "seed %u drew a control byte", seed);
	}
}

/* Draws the same figure twice on a canvas with a border: it stays inside and is the same. */
static void draw_any(unsigned seed, int rows, int cols)
{
	struct rng r = rng_stream(seed, "views", 0);
	struct figure fig = { 0 }, ghost = { 0 };
	struct canvas cv[2];
	struct rect inner = { BORDER, BORDER, rows, cols };
	any_figure(&r, &fig);
	struct rng again = rng_stream(seed, "views", rng_below(&r, 2));
	any_figure(&again, &ghost);
	struct figure_state state = { rng_below(&r, 2) ? &ghost : NULL, any_number(&r) };
	for (int i = 0; i < 2; i++) {
		cr_assert(zero(int, canvas_init(&cv[i], rows + 2 * BORDER, cols + 2 * BORDER,
					    seed % 3 ? GLYPHS_LINES : GLYPHS_ASCII)));
		canvas_fill(
			&cv[i], (struct rect){ 0, 0, cv[i].rows, cv[i].cols }, '@', STYLE_CODE, 0);
		canvas_fill(&cv[i], inner, ' ', STYLE_PLAIN, 0);
		int used = figure_draw(&cv[i], inner, &fig, &state);
		cr_expect(le(int, used, rows), "seed %u", seed);
		expect_inside(&cv[i], inner, seed);
	}
	size_t size = (size_t)cv[0].rows * (size_t)cv[0].cols * sizeof *cv[0].cells;
	cr_expect(zero(int, memcmp(cv[0].cells, cv[1].cells, size)), "seed %u", seed);
	for (int i = 0; i < 2; i++)
		canvas_release(&cv[i]);
	figure_release(&fig);
	figure_release(&ghost);
}

Test(figure, stays_inside_at_any_size)
{
	struct rng r = rng_stream(1, "sizes", 0);
	for (unsigned seed = 0; seed < 1500; seed++) {
		bool small = seed % 2;
		draw_any(seed, 1 + (int)rng_below(&r, small ? 12 : 100),
			1 + (int)rng_below(&r, small ? 30 : 300));
	}
	draw_any(7, 1, 1);
	draw_any(8, 100, 300);
	draw_any(9, 60, 900);
}

/* What a figure asks for is what it needs: nothing is counted as left out. */
Test(figure, asks_for_the_rows_it_needs)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		struct rng r = rng_stream(seed, "views", 1);
		struct figure fig = { 0 };
		any_figure(&r, &fig);
		int cols = 30 + (int)rng_below(&r, 150), rows = figure_rows(&fig, cols);
		char *text = picture(&fig, rows ? rows : 1, cols, GLYPHS_LINES, NULL);
		cr_expect(eq(ptr, strstr(text, "enlarge the window"), NULL), "seed %u", seed);
		cr_expect(eq(ptr, strstr(text, "more row"), NULL), "seed %u", seed);
		free(text);
		figure_release(&fig);
	}
}

/* And what it says that it uses of less, it uses: a page keeps no empty rows under it. */
Test(figure, says_the_rows_it_uses)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		struct rng r = rng_stream(seed, "views", 1);
		struct figure fig = { 0 };
		struct canvas cv;
		any_figure(&r, &fig);
		int cols = 30 + (int)rng_below(&r, 150), rows = 1 + (int)rng_below(&r, 30);
		cr_assert(zero(int, canvas_init(&cv, rows, cols, GLYPHS_LINES)));
		int used = figure_draw(&cv, (struct rect){ 0, 0, rows, cols }, &fig, NULL);
		cr_expect(eq(int, figure_rows_within(&fig, rows, cols), used), "seed %u", seed);
		canvas_release(&cv);
		figure_release(&fig);
	}
}
