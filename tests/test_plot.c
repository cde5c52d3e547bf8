/* The plot view: pictures checked by hand, and what must hold for any data at any size. */
#include "sims/base/rng.h"
#include "sims/registry/registry.h"
#include "tests/picture_words.h"
#include "tests/settings.h"
#include "ui/views/plot.h"
#include "ui/views/plot_scale.h"
#include "ui/views/plot_calm.h"
#include "ui/views/plot_dots.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* The picture as text; the caller frees it. */
static char *picture(const struct plot *p, const struct plot *ghost, enum glyphs glyphs, int rows,
	int cols, double playhead_s)
{
	struct canvas cv;
	char *text = NULL;
	size_t size;
	cr_assert(eq(int, canvas_init(&cv, rows, cols, glyphs), 0));
	plot_draw(&cv, (struct rect){ 0, 0, rows, cols }, p, ghost, playhead_s);
	FILE *out = open_memstream(&text, &size);
	canvas_write_text(&cv, out);
	fclose(out);
	canvas_release(&cv);
	return text;
}

static void expect_picture(
	const struct plot *p, enum glyphs glyphs, int rows, int cols, const char *want)
{
	char *got = picture(p, NULL, glyphs, rows, cols, NAN);
	cr_expect(eq(str, got, (char *)want));
	free(got);
}

static void expect_text(const struct plot *p, int rows, int cols, const char *want)
{
	char *got = picture(p, NULL, GLYPHS_LINES, rows, cols, NAN);
	cr_expect(strstr(got, want) != NULL, "no '%s' in\n%s", want, got);
	free(got);
}

/* -- Pictures ------------------------------------------------------------------------------- */

/* The y axis ends at 50, two and a half steps of 20 a row and two; a row is 10 ms high, so that
 * the last third of the line climbs from the fourth row below the top to the first. */
static struct plot *wait_plot(struct figure *fig)
{
	struct plot *p =
		figure_plot(fig, "Wait", "Load", "req/s", AXIS_LINEAR, "Wait", "ms", AXIS_LINEAR);
	struct series *s = plot_series(fig, p, "mean", SERIES_LINE, 0);
	series_point(fig, s, 0, 0);
	series_point(fig, s, 10, 10);
	series_point(fig, s, 20, 10);
	series_point(fig, s, 30, 40);
	return p;
}

/* Three rows and eight columns a decade: the roof climbs to column 16 and runs level to 24; the
 * operation at (10, 3) stands at column 8, 1.4 rows above the axis. */
static struct plot *roof_plot(struct figure *fig)
{
	struct plot *p = figure_plot(
		fig, "Roof", "Intensity", "FLOP/B", AXIS_LOG10, "Speed", "TFLOP/s", AXIS_LOG10);
	p->x.min = p->y.min = 1;
	p->x.max = p->y.max = 1000;
	struct series *s = plot_series(fig, p, "roof", SERIES_LINE, 0);
	series_point(fig, s, 1, 1);
	series_point(fig, s, 100, 100);
	series_point(fig, s, 1000, 100);
	struct series *ops = plot_series(fig, p, "ops", SERIES_POINTS, 1);
	series_mark(fig, ops, 10, 3, "AV", ROLE_WARN);
	return p;
}

Test(plot, line_picture)
{
	struct figure fig = { 0 };
	const struct plot *p = wait_plot(&fig);
	expect_picture(p, GLYPHS_LINES, 9, 36,
		"Wait   Wait (ms)\n"
		"   │\n"
		"40 ┤                           __─\n"
		"   │                        _──\n"
		"20 ┤                     _──\n"
		"   │______───────────────\n"
		" 0 ┼─────────┬─────────┬─────────┬\n"
		"   0        10        20        30\n"
		"                        Load (req/s)\n");
	expect_picture(p, GLYPHS_ASCII, 9, 36,
		"Wait   Wait (ms)\n"
		"   |\n"
		"40 +                           __-\n"
		"   |                        _--\n"
		"20 +                     _--\n"
		"   |______---------------\n"
		" 0 +---------+---------+---------+\n"
		"   0        10        20        30\n"
		"                        Load (req/s)\n");
	figure_release(&fig);
}

Test(plot, log_log_picture)
{
	struct figure fig = { 0 };
	const struct plot *p = roof_plot(&fig);
	expect_picture(p, GLYPHS_LINES, 13, 36,
		"Roof   Speed (TFLOP/s)\n"
		"1,000 ┤\n"
		"      │\n"
		"      │\n"
		"  100 ┤             __───────── roof\n"
		"      │           _─\n"
		"      │        __─\n"
		"   10 ┤      _─\n"
		"      │   _──\n"
		"      │__─    △ AV\n"
		"    1 ┼───────┬───────┬───────┬\n"
		"      1      10      100    1,000\n"
		"△ ops             Intensity (FLOP/B)\n");
	expect_picture(p, GLYPHS_ASCII, 13, 36,
		"Roof   Speed (TFLOP/s)\n"
		"1,000 +\n"
		"      |\n"
		"      |\n"
		"  100 +             __--------- roof\n"
		"      |           _-\n"
		"      |        __-\n"
		"   10 +      _-\n"
		"      |   _--\n"
		"      |__-    b AV\n"
		"    1 +-------+-------+-------+\n"
		"      1      10      100    1,000\n"
		"b ops             Intensity (FLOP/B)\n");
	figure_release(&fig);
}

/* Five rows and 25 columns over 5 and 25, so that a cell is one by one. Between borders of columns
 * 8.5 and 12.5 the line climbs a row a column: a diagonal from the edge above the level part to
 * the one below the upper part, towards which that is bent. As steps the same points jump in
 * columns 12 and 18. */
Test(plot, diagonal_and_step)
{
	struct figure fig = { 0 };
	struct plot *p = figure_plot(&fig, "", "", "", AXIS_LINEAR, "", "", AXIS_LINEAR);
	p->x.min = p->y.min = 0;
	p->x.max = 25;
	p->y.max = 5;
	struct series *s = plot_series(&fig, p, "", SERIES_LINE, 0);
	series_point(&fig, s, 0, 1);
	series_point(&fig, s, 8.5, 1);
	series_point(&fig, s, 12.5, 5);
	series_point(&fig, s, 16.5, 5);
	series_point(&fig, s, 18.5, 3);
	series_point(&fig, s, 25, 3);
	expect_text(p, 7, 28,
		"  │            ╭──╮\n"
		"4 ┤           ╱    ╲_\n"
		"  │          ╱       ───────\n"
		"2 ┤        _╱\n"
		"  │────────\n");
	s->style = SERIES_STEP;
	expect_text(p, 7, 28,
		"  │           ┌─────┐\n"
		"4 ┤           │     │\n"
		"  │           │     └───────\n"
		"2 ┤           │\n"
		"  │───────────┘\n");
	figure_release(&fig);
}

/* A plot of one by one cells: 30 columns, 10 rows. */
static struct plot *unit_plot(struct figure *fig)
{
	struct plot *p = figure_plot(fig, "", "", "", AXIS_LINEAR, "", "", AXIS_LINEAR);
	p->x.min = p->y.min = 0;
	p->x.max = 30;
	p->y.max = 10;
	return p;
}

static void add_line(
	struct figure *fig, struct plot *p, enum series_style style, double from, double to)
{
	struct series *s = plot_series(fig, p, "", style, (unsigned)p->n_series);
	series_point(fig, s, 0, from);
	series_point(fig, s, 30, to);
}

/* A row holds the heights up to half a row to either side of its middle, six rows above the axis:
 * all of them are the same plain line. */
Test(plot, level_lines_are_plain)
{
	for (double y = 5.52; y < 6.5; y += 0.08) {
		struct figure fig = { 0 };
		struct plot *p = unit_plot(&fig);
		add_line(&fig, p, SERIES_LINE, y, y);
		expect_text(p, 12, 34, " 6 ┤──────────────────────────────\n");
		figure_release(&fig);
	}
}

/* Strokes join: where a diagonal leaves a cell, at the edge below the row above, the next column
 * starts, whatever the slope between half a row and a row a column. */
Test(plot, sloped_lines_are_joined)
{
	for (double rise = 13.7; rise <= 30; rise += 0.3) {
		struct figure fig = { 0 };
		struct plot *p = unit_plot(&fig);
		add_line(&fig, p, SERIES_LINE, 0, rise);
		struct canvas cv;
		cr_assert(eq(int, canvas_init(&cv, 12, 34, GLYPHS_LINES), 0));
		plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
		int edge = 10, last = rise < 10 ? 30 : (int)(270 / rise);
		for (int col = 1; col <= last; col++) {
			uint32_t low = cv.cells[(edge - 1) * 34 + 3 + col].code;
			cr_assert(low == '_' || low == 0x2571, "%g: column %d", rise, col);
			edge -= low == 0x2571;
		}
		canvas_release(&cv);
		figure_release(&fig);
	}
}

static size_t cells_of(const struct canvas *cv, enum style style)
{
	size_t n = 0;
	for (int i = 0; i < cv->rows * cv->cols; i++)
		n += cv->cells[i].style == style;
	return n;
}

/* Half a row apart the dashes are still seen, and they take nothing from the solid line. (In the
 * lowest row there is no place below a line.) */
Test(plot, dashes_beside_a_line)
{
	for (double rise = 0; rise <= 8; rise += 0.5)
		for (int way = -1; way <= 1; way += 2) {
			struct figure fig = { 0 };
			struct canvas alone, both;
			struct plot *p = unit_plot(&fig);
			canvas_init(&alone, 12, 34, GLYPHS_LINES);
			canvas_init(&both, 12, 34, GLYPHS_LINES);
			add_line(&fig, p, SERIES_LINE, 1.7, 1.7 + rise);
			plot_draw(&alone, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
			add_line(&fig, p, SERIES_DASHED, 1.7 + 0.5 * way, 1.7 + rise + 0.5 * way);
			plot_draw(&both, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
			cr_expect(ge(sz, cells_of(&both, STYLE_SERIES + 1), 10));
			for (int i = 0; i < 12 * 34; i++)
				cr_assert(alone.cells[i].style != STYLE_SERIES ||
					  alone.cells[i].code == both.cells[i].code);
			canvas_release(&alone);
			canvas_release(&both);
			figure_release(&fig);
		}
}

/* Columns 10 and 11 touch; 13 is on its own. */
Test(plot, points_side_by_side_share_a_label)
{
	struct figure fig = { 0 };
	struct plot *p = unit_plot(&fig);
	struct series *s = plot_series(&fig, p, "", SERIES_POINTS, 0);
	series_mark(&fig, s, 10, 5, "A", ROLE_GOOD);
	series_mark(&fig, s, 10.2, 5, "B", ROLE_GOOD);
	series_mark(&fig, s, 11, 5, "C", ROLE_GOOD);
	series_mark(&fig, s, 10, 5.1, "D", ROLE_GOOD);
	series_mark(&fig, s, 10, 5, "E", ROLE_GOOD);
	series_mark(&fig, s, 13, 8, "F", ROLE_GOOD);
	expect_text(p, 12, 34, "■■ A, B, C, 2 more\n");
	expect_text(p, 12, 34, "■ F\n");
	figure_release(&fig);
}

/* -- Dots ----------------------------------------------------------------------------------- */

/* The block of octants has no gaps and ends where Unicode says: mask 254 is its last one. */
Test(plot_dots, octants_by_mask)
{
	static const struct {
		unsigned mask;
		uint32_t code;
	} rows[] = { { 0, ' ' }, { 1, 0x1cea8 }, { 4, 0x1cd00 }, { 6, 0x1cd01 }, { 7, 0x1cd02 },
		{ 8, 0x1cd03 }, { 9, 0x1cd04 }, { 11, 0x1cd05 }, { 15, 0x2580 }, { 240, 0x2584 },
		{ 254, 0x1cde5 }, { 255, 0x2588 } };
	uint32_t next = 0x1cd00;
	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(eq(u32, dots_glyph(GLYPHS_OCTANTS, rows[i].mask), rows[i].code));
	for (unsigned mask = 0; mask < 256; mask++) {
		uint32_t code = dots_glyph(GLYPHS_OCTANTS, mask);
		cr_expect(eq(int, code_width(code), 1));
		if (code >= 0x1cd00 && code <= 0x1cde5)
			cr_expect(eq(u32, code, next++), "mask %u", mask);
	}
	cr_expect(eq(u32, next, 0x1cde6));
}

/* The dots of a glyph, by looking for the mask that gives it. */
static unsigned mask_of(enum glyphs glyphs, uint32_t code)
{
	for (unsigned mask = 1; mask < 256; mask++)
		if (dots_glyph(glyphs, mask) == code)
			return mask;
	return 0;
}

/* Braille numbers its dots down the left side, then the right; the two lowest came later. */
Test(plot_dots, braille_by_mask)
{
	static const unsigned bits[] = { 1, 8, 2, 16, 4, 32, 64, 128 };
	for (unsigned i = 0; i < COUNT(bits); i++)
		cr_expect(eq(u32, dots_glyph(GLYPHS_BRAILLE, 1u << i), 0x2800 + bits[i]));
}

/* How far the furthest dot of a line from (0, from) to (30, to) is from it, in rows; each column of
 * dots must have one. Cells are one by one: column x has its dots at x -+ 1/4, and the row y above
 * the axis at y -+ 1/8, 3/8. */
static double deviation(enum glyphs glyphs, double from, double to, double points)
{
	struct figure fig = { 0 };
	struct canvas cv;
	struct plot *p = unit_plot(&fig);
	struct series *s = plot_series(&fig, p, "", SERIES_LINE, 0);
	double worst = 0;
	for (int i = 0; i < points; i++)
		series_point(&fig, s, 30 * i / (points - 1), from + (to - from) * i / (points - 1));
	canvas_init(&cv, 12, 34, glyphs);
	plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
	for (int col = 1; col <= 30; col++)
		for (int side = 0; side < 2; side++) {
			double x = fmin(col - 0.25 + 0.5 * side, 30);
			double want = from + (to - from) * x / 30, slope = (to - from) / 30;
			int found = 0;
			for (int row = 0; row < 10; row++) {
				unsigned mask = mask_of(glyphs, cv.cells[row * 34 + 3 + col].code);
				for (int k = 0; k < 4; k++) {
					double y = 10 - row + 0.375 - 0.25 * k;
					double off = fabs(y - want) / fmax(1, fabs(slope) / 0.5);
					found += mask >> (2 * k + side) & 1;
					if (mask >> (2 * k + side) & 1)
						worst = fmax(worst, off);
				}
			}
			cr_expect(found > 0 || x > 29.9, "%g to %g: a gap at %g", from, to, x);
		}
	canvas_release(&cv);
	figure_release(&fig);
	return worst;
}

Test(plot_dots, a_straight_line_is_straight)
{
	static const double counts[] = { 2, 7, 100, 1000 };
	for (int glyphs = GLYPHS_BRAILLE; glyphs <= GLYPHS_OCTANTS; glyphs++)
		for (double rise = -9; rise <= 9; rise += 0.37)
			for (size_t k = 0; k < COUNT(counts); k++) {
				double from = rise < 0 ? 10 : 0.7;
				double off = deviation(
					(enum glyphs)glyphs, from, from + rise, counts[k]);
				cr_expect(le(dbl, off, 0.25), "rise %g", rise);
			}
}

/* A cell of a line that another is compared with it has the dots of the first alone. */
Test(plot_dots, a_cell_has_the_dots_of_one_line)
{
	struct figure fig = { 0 };
	struct canvas alone, both;
	struct plot *p = unit_plot(&fig);
	canvas_init(&alone, 12, 34, GLYPHS_BRAILLE);
	canvas_init(&both, 12, 34, GLYPHS_BRAILLE);
	add_line(&fig, p, SERIES_LINE, 2, 6);
	plot_draw(&alone, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
	add_line(&fig, p, SERIES_DASHED, 1.7, 6.5);
	plot_draw(&both, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
	for (int i = 0; i < 12 * 34; i++)
		if (alone.cells[i].style == STYLE_SERIES && alone.cells[i].code > 0x2800) {
			cr_assert(eq(u8, both.cells[i].style, STYLE_SERIES));
			cr_assert(eq(u32, both.cells[i].code, alone.cells[i].code));
		}
	canvas_release(&alone);
	canvas_release(&both);
	figure_release(&fig);
}

/* -- What cannot be placed ------------------------------------------------------------------ */

Test(plot, degenerate_data)
{
	static const struct {
		double x[4], y[4];
		enum axis_scale scale;
		const char *want;
	} rows[] = {
		{ { NAN, NAN, NAN, NAN }, { 1, 2, 3, 4 }, AXIS_LINEAR, "no data" },
		{ { 1, 2, 3, 4 }, { NAN, NAN, NAN, NAN }, AXIS_LINEAR, "no data" },
		{ { -1, -2, -3, 0 }, { 1, 2, 3, 4 }, AXIS_LOG10, "no data" },
		{ { 1, NAN, NAN, NAN }, { 5, 5, 5, 5 }, AXIS_LINEAR, "●" },
		{ { 1, 2, 3, 4 }, { 5, 5, 5, 5 }, AXIS_LINEAR, "──────────" },
		{ { 1, 2, 3, 4 }, { 5, 6, INFINITY, 5 }, AXIS_LINEAR, "▲" },
		{ { 1, 2, 3, 4 }, { 5, 6, -INFINITY, 5 }, AXIS_LINEAR, "▼" },
		{ { 1, 2, 3, 4 }, { INFINITY, INFINITY, INFINITY, INFINITY }, AXIS_LOG2, "▲" },
		{ { 1, 2, 3, 4 }, { -1e308, 1e308, 0, 5 }, AXIS_LINEAR, "▲" },
		{ { 3, 3, 3, 3 }, { 1, 2, 3, 4 }, AXIS_LINEAR, "│" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = { 0 };
		struct plot *p =
			figure_plot(&fig, "", "x", "", rows[i].scale, "y", "", rows[i].scale);
		struct series *s = plot_series(&fig, p, "s", SERIES_LINE, 0);
		for (size_t k = 0; k < 4; k++)
			series_point(&fig, s, rows[i].x[k], rows[i].y[k]);
		expect_text(p, 10, 40, rows[i].want);
		figure_release(&fig);
	}
}

Test(plot, a_plot_of_nothing)
{
	struct figure fig = { 0 };
	struct plot *p = figure_plot(&fig, "", "x", "s", AXIS_LINEAR, "y", "s", AXIS_LINEAR);
	expect_text(p, 10, 40, "no data");
	expect_picture(p, GLYPHS_LINES, 2, 10, "\n\n");
	figure_release(&fig);
}

/* -- The playhead --------------------------------------------------------------------------- */

/* 5,000 ms of 10,000 on 20 columns: the playhead stands in column 10, where the line is at 50. */
Test(plot, playhead)
{
	struct figure fig = { 0 };
	struct plot *p = figure_plot(&fig, "", "t", "ms", AXIS_LINEAR, "", "", AXIS_LINEAR);
	p->x.is_time = true;
	p->y.min = p->x.min = 0;
	p->y.max = 100;
	p->x.max = 10000;
	struct series *s = plot_series(&fig, p, "", SERIES_LINE, 3);
	series_point(&fig, s, 0, 0);
	series_point(&fig, s, 10000, 100);
	struct canvas cv;
	cr_assert(eq(int, canvas_init(&cv, 13, 25, GLYPHS_LINES), 0));
	plot_draw(&cv, (struct rect){ 0, 0, 13, 25 }, p, NULL, 5.0);
	const struct cell *mid = &cv.cells[5 * 25 + 4 + 10];
	cr_expect(eq(u32, mid->code, 0x25cf));
	cr_expect(eq(u8, mid->style, STYLE_SERIES + 3));
	cr_expect(eq(u32, mid[-25].code, 0x2502));
	cr_expect(eq(u8, mid[-25].style, STYLE_ACCENT));
	for (int row = 0; row < 10; row++)
		for (int col = 15; col < 25; col++) {
			const struct cell *cell = &cv.cells[row * 25 + col];
			bool value = cell->code == '5' || cell->code == '0'; /* "50", beside it */
			cr_expect(value || cell->style != STYLE_SERIES + 3);
		}
	canvas_release(&cv);
	figure_release(&fig);
}

/* -- Marks and names ------------------------------------------------------------------------ */

static bool is_marker(uint32_t code)
{
	return code == 0x25a0 || code == 0x25b2 || code == 0x25cf || code == 0x25c6;
}

/* Lines through random points in a plot of one by one cells, and a series of points on the first of
 * them: each mark stands in a cell that its line crosses. */
Test(plot, marks_lie_on_their_line)
{
	struct rng rng = rng_stream(23, "marks", 0);
	for (int i = 0; i < 400; i++) {
		struct figure fig = { 0 };
		struct canvas cv;
		struct plot *p = unit_plot(&fig);
		double y[4][31];
		struct series *s[4];
		for (unsigned k = 0; k < 4; k++) {
			double at = 1 + 8 * rng_uniform(&rng);
			s[k] = plot_series(
				&fig, p, "", k < 3 ? SERIES_LINE : SERIES_POINTS, (enum meaning)k);
			for (int x = 0; x <= 30; x++) {
				at = fmin(fmax(at + rng_uniform(&rng) - 0.5, 0.05), 10);
				y[k][x] = k < 3 ? at : y[0][x];
				if (k < 3 || x % 7 == 0)
					series_point(&fig, s[k], x, y[k][x]);
			}
		}
		enum glyphs glyphs = (enum glyphs)(GLYPHS_LINES + i % 3);
		canvas_init(&cv, 12, 34, glyphs);
		plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
		for (int row = 0; row < 10; row++)
			for (int col = 1; col < 30; col++) {
				const struct cell *cell = &cv.cells[row * 34 + 3 + col];
				if (!is_marker(cell->code))
					continue;
				const double *line = y[(cell->style - STYLE_SERIES) % 3];
				double a = fmin(line[col - 1], line[col]),
				       b = fmax(line[col - 1], line[col]);
				a = fmin((a + b) / 2,
					fmin(line[col], (line[col] + line[col + 1]) / 2));
				b = fmax((line[col - 1] + line[col]) / 2,
					fmax(line[col], (line[col] + line[col + 1]) / 2));
				double slack = glyphs == GLYPHS_LINES ? 0.55 : 0.3;
				double low = row == 9 ? 0 : 10 - row - 0.5, high = 10 - row + 0.5;
				cr_expect(b >= low - slack && a <= high + slack,
					"plot %d: (%d, %d)", i, row, col);
			}
		canvas_release(&cv);
		figure_release(&fig);
	}
}

/* What is simulated stands on the theory where they differ by less than half a row, in whichever of
 * two rows that is. */
Test(plot, what_agrees_shares_a_cell)
{
	for (double y = 0.05; y < 9.5; y += 0.13)
		for (double off = -0.45; off < 0.5; off += 0.15) {
			struct figure fig = { 0 };
			struct canvas cv;
			struct plot *p = unit_plot(&fig);
			add_line(&fig, p, SERIES_LINE, y, y);
			struct series *s = plot_series(&fig, p, "", SERIES_POINTS, 1);
			series_point(&fig, s, 15, fmax(y + off, 0));
			canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
			plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
			for (int row = 0; row < 10; row++) {
				const struct cell *mark = &cv.cells[row * 34 + 3 + 15];
				cr_expect(mark->code != 0x25b2 || mark[-1].code > 0x2800,
					"%g and %g", y, y + off);
			}
			canvas_release(&cv);
			figure_release(&fig);
		}
}

/* A level line, whether it is of two points or of many that hardly differ, has all its dots in one row of
 * cells, and there a mark on it is. */
Test(plot, a_level_line_has_a_cell_for_its_marks)
{
	for (double y = 0.3; y < 9.5; y += 0.07)
		for (int many = 0; many < 2; many++) {
			struct figure fig = { 0 };
			struct canvas cv;
			struct plot *p = unit_plot(&fig);
			struct series *line = plot_series(&fig, p, "", SERIES_LINE, 0);
			for (int x = 0; x <= 30; x += many ? 1 : 30)
				series_point(&fig, line, x, y + 0.001 * (x % 2));
			series_point(&fig, plot_series(&fig, p, "", SERIES_POINTS, 1), 15, y);
			canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
			plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
			int of_dots = -1, of_mark = -1;
			for (int row = 0; row < 10; row++)
				for (int col = 1; col <= 30; col++) {
					uint32_t code = cv.cells[row * 34 + 3 + col].code;
					bool dots = code > 0x2800 && code < 0x2900;
					if (dots && of_dots < 0)
						of_dots = row;
					if (dots)
						cr_expect(eq(int, row, of_dots), "at %g", y);
					of_mark = code == 0x25b2 ? row : of_mark;
				}
			cr_expect(eq(int, of_mark, of_dots), "a mark at %g", y);
			canvas_release(&cv);
			figure_release(&fig);
		}
}

static size_t count_of(const struct canvas *cv, uint32_t code)
{
	size_t n = 0;
	for (int i = 0; i < cv->rows * cv->cols; i++)
		n += cv->cells[i].code == code;
	return n;
}

Test(plot, marks_do_not_hide_their_line)
{
	struct figure fig = { 0 };
	struct canvas cv;
	struct plot *p = unit_plot(&fig);
	add_line(&fig, p, SERIES_LINE, 1, 9);
	struct series *s = plot_series(&fig, p, "", SERIES_POINTS, 1);
	for (int x = 1; x <= 29; x++)
		series_point(&fig, s, x, 1 + 8 * x / 30.0);
	canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
	plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
	cr_expect(eq(sz, count_of(&cv, 0x25b2), 6));
	canvas_release(&cv);
	figure_release(&fig);
}

/* Marks at 5, in the middle of row 5 of ten, with ranges: 0.4 rows, nothing; 3.8 to 6.2, 0.7 of the rows
 * above and below; 3.6 to 6.4, 0.9 of both; 4.2 to 5, 0.3 of the row below; 2.9 to 5.1, all of that and 0.6
 * of the next. Half strokes where there are such, else whole ones for what is half a row and more. */
Test(plot, a_range_is_as_long_as_it_is)
{
	static const double low[] = { 4.8, 3.8, 3.6, 4.2, 2.9 }, high[] = { 5.2, 6.2, 6.4, 5, 5.1 };
	static const uint32_t dots[][COUNT(low)] = { { ' ', 0x2577, 0x2502, ' ', ' ' },
		{ 0x25a0, 0x25a0, 0x25a0, 0x25a0, 0x25a0 }, { ' ', 0x2575, 0x2502, 0x2575, 0x2502 },
		{ ' ', ' ', ' ', ' ', 0x2575 } };
	static const uint32_t lines[][COUNT(low)] = { { ' ', 0x2502, 0x2502, ' ', ' ' },
		{ 0x25a0, 0x25a0, 0x25a0, 0x25a0, 0x25a0 }, { ' ', 0x2502, 0x2502, ' ', 0x2502 },
		{ ' ', ' ', ' ', ' ', 0x2502 } };
	for (int glyphs = GLYPHS_LINES; glyphs <= GLYPHS_BRAILLE; glyphs++) {
		const uint32_t(*want)[COUNT(low)] = glyphs == GLYPHS_LINES ? lines : dots;
		struct figure fig = { 0 };
		struct canvas cv;
		struct plot *p = unit_plot(&fig);
		struct series *s = plot_series(&fig, p, "", SERIES_POINTS, 0);
		for (size_t i = 0; i < COUNT(low); i++) {
			series_point(&fig, s, 5 + 5 * (double)i, 5);
			series_range(s, low[i], high[i]);
		}
		canvas_init(&cv, 12, 34, (enum glyphs)glyphs);
		plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
		for (int row = 0; row < 4; row++)
			for (int i = 0; i < (int)COUNT(low); i++)
				cr_expect(eq(u32, cv.cells[(4 + row) * 34 + 3 + 5 + 5 * i].code,
						  want[row][i]),
					"range %d, row %d", i, 4 + row);
		canvas_release(&cv);
		figure_release(&fig);
	}
}

Test(plot, lines_in_one_place_are_named_together)
{
	struct figure fig = { 0 };
	struct plot *p = unit_plot(&fig);
	add_line(&fig, p, SERIES_LINE, 1, 8);
	add_line(&fig, p, SERIES_LINE, 1, 8.05);
	add_line(&fig, p, SERIES_LINE, 1, 5);
	p->series[0].name = "ideal";
	p->series[1].name = "Gustafson";
	p->series[2].name = "Amdahl";
	expect_text(p, 14, 80, "ideal, Gustafson\n");
	figure_release(&fig);
}

/* A line has a mark in each third of the picture: two, where it ends before the last, and its name stands
 * behind it. Where there is colour a name has none of its own, which would be read as a third. */
Test(plot, a_name_in_the_picture_is_no_point)
{
	static const enum fills fills[] = { FILLS_TEXTURED, FILLS_SOLID, FILLS_TINTED };
	for (size_t i = 0; i < COUNT(fills); i++) {
		struct figure fig = { 0 };
		struct canvas cv;
		struct plot *p = unit_plot(&fig);
		for (unsigned k = 0; k < 2; k++) {
			struct series *s = plot_series(
				&fig, p, k ? "high" : "low", SERIES_LINE, (enum meaning)k);
			series_point(&fig, s, 0, 2 + 5 * k);
			series_point(&fig, s, 20, 2.5 + 5 * k);
		}
		canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
		cv.fills = fills[i];
		plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
		size_t want = fills[i] == FILLS_TEXTURED ? 3 : 2;
		cr_expect(eq(sz, count_of(&cv, 0x25a0), want));
		cr_expect(eq(sz, count_of(&cv, 0x25b2), want));
		canvas_release(&cv);
		figure_release(&fig);
	}
}

/* From (5, 2) to (25, 2): the mark is at column 25 in row 8, the head of the arrow before it. */
Test(plot, what_moved_leaves_a_trail)
{
	struct figure fig = { 0 };
	struct plot *p = unit_plot(&fig), *old = unit_plot(&fig);
	series_mark(&fig, plot_series(&fig, p, "", SERIES_POINTS, 0), 25, 2, "op", ROLE_PLAIN);
	series_mark(&fig, plot_series(&fig, old, "", SERIES_POINTS, 0), 5, 2, "op", ROLE_PLAIN);
	for (int glyphs = GLYPHS_ASCII; glyphs <= GLYPHS_OCTANTS; glyphs++) {
		char *text = picture(p, old, (enum glyphs)glyphs, 12, 34, NAN);
		const char *want = glyphs == GLYPHS_ASCII ? ">A op" : "→■ op";
		cr_expect(strstr(text, want) != NULL, "no %s in\n%s", want, text);
		free(text);
	}
	figure_release(&fig);
}

/* The line of an area is level, in row 4 of the picture: at 6.2 in the second row of dots of its
 * cells, at 5.95, 5.9 and 5.7 lower. The cells of the line have the ground only where
 * it is in their upper half, and all cells below have it; a rule that crosses keeps it. The axis
 * is whole. */
Test(plot, an_area_is_a_ground)
{
	static const struct {
		double y;
		int first; /* row with a ground */
	} rows[] = { { 6.2, 4 }, { 5.95, 5 }, { 5.9, 5 }, { 5.7, 5 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = { 0 };
		struct canvas cv;
		struct plot *p = unit_plot(&fig);
		add_line(&fig, p, SERIES_AREA, rows[i].y, rows[i].y);
		p->series[0].meaning = MEANS_COMPUTE;
		plot_rule(&fig, p, true, 3, "", ROLE_BAD);
		canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
		cv.fills = FILLS_TINTED;
		plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
		for (int row = 0; row < 10; row++)
			for (int col = 1; col < 30; col++) {
				enum style want = row >= rows[i].first ? meaning_tint(MEANS_COMPUTE)
								       : STYLE_PLAIN;
				cr_assert(eq(u8, cv.cells[row * 34 + 3 + col].under, want));
			}
		for (int col = 1; col < 30; col++) {
			const struct cell *axis = &cv.cells[10 * 34 + 3 + col];
			bool whole = (axis->code == 0x2500 || axis->code == 0x252c) &&
				     axis->under == STYLE_PLAIN;
			cr_expect(whole, "column %d", col);
		}
		cr_expect(eq(u32, cv.cells[7 * 34 + 20].code, 0x2504));
		cr_expect(eq(u8, cv.cells[4 * 34 + 20].style, meaning_style(MEANS_COMPUTE)));
		canvas_release(&cv);
		figure_release(&fig);
	}
}

/* The row of the x axis; -1: there is none. */
static int axis_row_of(const struct canvas *cv)
{
	for (int i = 0; i < cv->rows * cv->cols; i++)
		if (cv->cells[i].code == 0x2514)
			return i / cv->cols;
	return -1;
}

/* The ground does not stand out over its line: a cell of an area's line that has it has dots in its
 * upper half (and in its lower one at most those of another line that crosses), or is the tip of a peak
 * beside other ground. One with all its dots in the uppermost row has the ground. */
static void expect_ground_within(const struct plot *p, const char *name, int rows, int cols)
{
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, rows, cols, GLYPHS_BRAILLE)));
	cv.fills = FILLS_TINTED;
	plot_draw(&cv, (struct rect){ 0, 0, rows, cols }, p, NULL, NAN);
	struct plot_calm calm = plot_calm_of(p, cols);
	for (size_t i = 0; i < p->n_series; i++) {
		const struct series *s = &p->series[i];
		bool noise = calm.bands && calm.bands[i].low.points;
		bool alone = s->style == SERIES_AREA && !s->measured && !noise &&
			     p->y.scale == AXIS_LINEAR; /* else it is a strip, below */
		for (size_t k = 0; k < p->n_series; k++)
			alone &= k == i || p->series[k].meaning != s->meaning;
		for (size_t k = 0; k < s->n; k++) /* an area from zero down has its line below */
			alone &= isnan(s->points[k].y) || s->points[k].y >= 0;
		for (int at = 0; alone && at < rows * cols; at++) {
			const struct cell *cell = &cv.cells[at];
			bool line = cell->code > 0x2800 && cell->code < 0x2900 &&
				    cell->style == meaning_style(s->meaning);
			enum { HIGHEST = 3, UPPER_HALF = 0x0f };
			unsigned mask = line ? mask_of(GLYPHS_BRAILLE, cell->code) : HIGHEST;
			bool ground = cell->under == meaning_tint(s->meaning);
			bool tip = at > 0 && at + 1 < rows * cols &&
				   (cell[-1].under != cell->under || cell[1].under != cell->under);
			bool wrong = ground ? !(mask & UPPER_HALF) && !tip
					    : line && !(mask & ~(unsigned)HIGHEST) &&
						      cell->under == STYLE_PLAIN;
			cr_expect(wrong == false, "%s %dx%d: (%d, %d)", name, cols, rows, at / cols,
				at % cols);
		}
	}
	plot_calm_release(&calm);
	canvas_release(&cv);
}

/* The areas of every simulation. */
Test(plot, a_ground_ends_at_its_line, .timeout = 60)
{
	static const int sizes[][2] = { { 11, 76 }, { 17, 59 }, { 20, 59 }, { 24, 110 }, { 30, 96 },
		{ 40, 140 } };
	struct tables t = load_tables();
	for (size_t i = 0; i < n_sims; i++) {
		struct figure fig = { 0 };
		double v[MAX_KNOBS];
		sim_defaults(sims[i], &t, v);
		sims[i]->run(&t, v, &fig);
		for (size_t b = 0; b < fig.n_blocks; b++)
			for (size_t k = 0; k < COUNT(sizes) && fig.blocks[b]->kind == BLOCK_PLOT;
				k++)
				expect_ground_within(&fig.blocks[b]->as.plot, sims[i]->id,
					sizes[k][0], sizes[k][1]);
		figure_release(&fig);
	}
	tables_release(&t);
}

static int bits_in(unsigned mask)
{
	int n = 0;
	for (; mask; mask &= mask - 1)
		n++;
	return n;
}

/* Areas below lines through random points, in a plot of one by one cells: a cell of the line has
 * the ground where more than half its dots are in its upper half, another one where it is below the
 * line. */
Test(plot, a_ground_is_what_is_inside)
{
	struct rng rng = rng_stream(29, "grounds", 0);
	for (int i = 0; i < 200; i++) {
		struct figure fig = { 0 };
		struct canvas cv;
		struct plot *p = unit_plot(&fig);
		struct series *s = plot_series(&fig, p, "", SERIES_AREA, MEANS_COMPUTE);
		double y[31] = { 1 + 8 * rng_uniform(&rng) };
		for (int x = 0; x <= 30; x++) {
			y[x] = fmin(fmax(y[x > 0 ? x - 1 : 0] + 4 * (rng_uniform(&rng) - 0.5), 0.5),
				9.5);
			series_point(&fig, s, x, y[x]);
		}
		canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
		cv.fills = FILLS_TINTED;
		plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
		for (int row = 0; row < 10; row++)
			for (int col = 1; col < 30; col++) {
				enum { UPPER_HALF = 0x0f, LOWER_HALF = 0xf0 };
				const struct cell *cell = &cv.cells[row * 34 + 3 + col];
				bool line = cell->code > 0x2800 && cell->code < 0x2900;
				unsigned mask = line ? mask_of(GLYPHS_BRAILLE, cell->code) : 0;
				double middle = 10 - row; /* the middle of row 10 is 0 */
				bool half = bits_in(mask & UPPER_HALF) > bits_in(mask & LOWER_HALF);
				bool inside = line ? half : middle < y[col];
				cr_expect(eq(int, cell->under != STYLE_PLAIN, inside),
					"plot %d: (%d, %d)", i, row, col);
			}
		canvas_release(&cv);
		figure_release(&fig);
	}
}

/* On a logarithmic axis there is no amount below a line: the ground is two rows high in a plot of ten. */
Test(plot, a_ground_is_a_strip_on_a_logarithmic_axis)
{
	struct figure fig = { 0 };
	struct canvas cv;
	struct plot *p = unit_plot(&fig);
	p->y.scale = AXIS_LOG10;
	p->y.min = 1;
	p->y.max = 1e10;
	add_line(&fig, p, SERIES_AREA, 1e8, 1e8);
	canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
	cv.fills = FILLS_TINTED;
	plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
	int axis = axis_row_of(&cv);
	for (int row = 0; row < axis; row++)
		cr_expect(eq(int, cv.cells[row * 34 + 30].under != STYLE_PLAIN, row >= axis - 2),
			"row %d of %d", row, axis);
	canvas_release(&cv);
	figure_release(&fig);
}

/* Two areas meet at 8.8, in the lower part of a row: the ground is there in one column, and not beside it, where they
 * are lower by more than a row. */
Test(plot, areas_that_meet_in_a_peak_reach_it)
{
	struct figure fig = { 0 };
	struct canvas cv;
	struct plot *p = unit_plot(&fig);
	add_line(&fig, p, SERIES_AREA, 0, 0);
	add_line(&fig, p, SERIES_AREA, 0, 0);
	p->series[0].n = p->series[1].n = 0;
	series_point(&fig, &p->series[0], 10, 0);
	series_point(&fig, &p->series[0], 15, 8.8);
	series_point(&fig, &p->series[1], 15, 8.8);
	series_point(&fig, &p->series[1], 20, 0);
	canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
	cv.fills = FILLS_TINTED;
	plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
	int highest = 0, widest = 0;
	while (highest < 10 && !widest)
		for (int col = 0, row = highest++; col < 34; col++)
			widest += cv.cells[row * 34 + col].under != STYLE_PLAIN;
	cr_expect(eq(int, highest - 1, 1), "8.8 is in row 1, which is from 8.5 to 9.5");
	cr_expect(eq(int, widest, 1));
	canvas_release(&cv);
	figure_release(&fig);
}

static unsigned dots_at(const struct canvas *cv, int i)
{
	uint32_t code = cv->cells[i].code;
	return code > 0x2800 && code < 0x2900 ? mask_of(GLYPHS_BRAILLE, code) : 0;
}

/* The columns in which a style has cells of dots, of 30; each of those cells has all the dots of its line, and no dot
 * that is not of one of the two. */
static int columns_of(const struct canvas *cv, const struct canvas *alone,
	const struct canvas *other, enum style style)
{
	int columns = 0;
	for (int col = 4; col < 34; col++) {
		bool here = false;
		for (int i = col; i < 10 * 34; i += 34) {
			const struct cell *cell = &cv->cells[i];
			bool dots = cell->code > 0x2800 && cell->code < 0x2900;
			if (!dots || cell->style != style)
				continue;
			unsigned mask = mask_of(GLYPHS_BRAILLE, cell->code);
			unsigned own = dots_at(alone, i), both = own | dots_at(other, i);
			cr_expect(eq(u32, mask & own, own), "cell %d", i);
			cr_expect(eq(u32, mask | both, both), "cell %d", i);
			here = true;
		}
		columns += here;
	}
	return columns;
}

/* Two lines run 0.3 rows apart, so that they share most cells. Each cell has the dots of both, and they take turns
 * with their colours: each is in a third of the 30 columns or more. A third one that runs along the first is not
 * seen. */
Test(plot, lines_in_one_cell_take_turns)
{
	struct figure fig = { 0 };
	struct canvas cv, alone[2];
	struct plot *p = unit_plot(&fig);
	for (int k = 0; k < 2; k++) {
		struct figure own = { 0 };
		struct plot *q = unit_plot(&own);
		add_line(&own, q, SERIES_LINE, 1 + 0.3 * k, 9 + 0.3 * k);
		add_line(&fig, p, SERIES_LINE, 1 + 0.3 * k, 9 + 0.3 * k);
		canvas_init(&alone[k], 12, 34, GLYPHS_BRAILLE);
		plot_draw(&alone[k], (struct rect){ 0, 0, 12, 34 }, q, NULL, NAN);
		figure_release(&own);
	}
	add_line(&fig, p, SERIES_LINE, 1, 9);
	canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
	plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
	for (int k = 0; k < 2; k++)
		cr_expect(ge(int, columns_of(&cv, &alone[k], &alone[!k], STYLE_SERIES + k), 10),
			"%d", k);
	cr_expect(zero(int, columns_of(&cv, &alone[0], &alone[1], STYLE_SERIES + 2)));
	for (int k = 0; k < 2; k++)
		canvas_release(&alone[k]);
	canvas_release(&cv);
	figure_release(&fig);
}

/* The same two where one is what the other is compared with: the one that is meant is whole and alone in its cells, and no
 * dot of the other has its colour. */
Test(plot, what_a_line_is_compared_with_keeps_its_own_colour)
{
	struct figure fig = { 0 };
	struct canvas cv, alone[2];
	struct plot *p = unit_plot(&fig);
	for (int k = 0; k < 2; k++) {
		struct figure own = { 0 };
		struct plot *q = unit_plot(&own);
		add_line(&own, q, SERIES_LINE, 1 + 0.3 * k, 9 + 1.6 * k);
		add_line(&fig, p, SERIES_LINE, 1 + 0.3 * k, 9 + 1.6 * k);
		p->series[k].meaning = q->series[0].meaning = k ? MEANS_WAITING : MEANS_COMPUTE;
		canvas_init(&alone[k], 12, 34, GLYPHS_BRAILLE);
		plot_draw(&alone[k], (struct rect){ 0, 0, 12, 34 }, q, NULL, NAN);
		figure_release(&own);
	}
	canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
	plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
	int behind = 0;
	for (int i = 0; i < 10 * 34; i++) {
		const unsigned meant = dots_at(&alone[0], i), other = dots_at(&alone[1], i);
		if (is_marker(cv.cells[i].code))
			continue;
		if (meant || dots_at(&cv, i))
			cr_expect(eq(uint, dots_at(&cv, i), meant ? meant : other), "cell %d", i);
		if (meant)
			cr_expect(eq(int, cv.cells[i].style, meaning_style(MEANS_COMPUTE)));
		else if (other)
			cr_expect(eq(int, cv.cells[i].style, meaning_style(MEANS_WAITING)));
		behind += !meant && other;
	}
	cr_expect(lt(int, 10, behind)); /* they part, and it is seen */
	for (int k = 0; k < 2; k++)
		canvas_release(&alone[k]);
	canvas_release(&cv);
	figure_release(&fig);
}

/* Two lines cross, a row apart after every five columns: on top is the earlier one, and not a cell of it is missing, or
 * has a dot of the other. */
Test(plot, where_lines_cross_one_is_whole)
{
	struct figure fig = { 0 }, own = { 0 };
	struct canvas cv, alone;
	struct plot *p = unit_plot(&fig), *q = unit_plot(&own);
	add_line(&own, q, SERIES_LINE, 4, 6);
	add_line(&fig, p, SERIES_LINE, 4, 6);
	add_line(&fig, p, SERIES_LINE, 1, 9);
	canvas_init(&alone, 12, 34, GLYPHS_BRAILLE);
	plot_draw(&alone, (struct rect){ 0, 0, 12, 34 }, q, NULL, NAN);
	canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
	plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
	int seen = 0;
	for (int i = 0; i < 10 * 34; i++) {
		if (!dots_at(&alone, i))
			continue;
		seen++;
		cr_expect(is_marker(cv.cells[i].code) || cv.cells[i].code == alone.cells[i].code,
			"cell %d", i);
		cr_expect(eq(int, cv.cells[i].style, STYLE_SERIES), "cell %d", i);
	}
	cr_expect(lt(int, 20, seen)); /* of 34 columns, less those of the axis and of marks */
	canvas_release(&alone);
	canvas_release(&cv);
	figure_release(&own);
	figure_release(&fig);
}

/* The axes are whole, whatever comes to them: a line from 0 at their corner, one that lies on zero, one that falls to
 * it, an area, marks at both ends. What lies on zero is seen right above the axis. */
Test(plot, nothing_is_drawn_on_the_axes)
{
	static const enum glyphs kinds[] = { GLYPHS_BRAILLE, GLYPHS_OCTANTS };
	for (size_t k = 0; k < COUNT(kinds); k++)
		for (int tinted = 0; tinted < 2; tinted++) {
			struct figure fig = { 0 };
			struct canvas cv;
			struct plot *p = unit_plot(&fig);
			add_line(&fig, p, SERIES_LINE, 0, 1.2);
			add_line(&fig, p, SERIES_LINE, 0, 0);
			add_line(&fig, p, SERIES_LINE, 8, 0);
			add_line(&fig, p, SERIES_AREA, 6, 0);
			struct series *s = plot_series(&fig, p, "", SERIES_POINTS, 1);
			series_point(&fig, s, 0, 5);
			series_point(&fig, s, 15, 0);
			canvas_init(&cv, 12, 34, kinds[k]);
			cv.fills = tinted ? FILLS_TINTED : FILLS_TEXTURED;
			plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
			for (int row = 0; row < 10; row++) {
				const struct cell *axis = &cv.cells[row * 34 + 3];
				cr_expect(axis->code == 0x2502 || axis->code == 0x2524, "row %d",
					row);
				cr_expect(eq(int, axis->under, STYLE_PLAIN), "row %d", row);
			}
			for (int col = 1; col < 30; col++) {
				const struct cell *axis = &cv.cells[10 * 34 + 3 + col];
				cr_expect(axis->code == 0x2500 || axis->code == 0x252c, "column %d",
					col);
				cr_expect(lt(u32, ' ', axis[-34].code), "column %d", col);
			}
			canvas_release(&cv);
			figure_release(&fig);
		}
}

/* A thin level line keeps to the two inner dots of its cells, whatever its height: a mark, which fills the
 * middle of a cell, lies on it. */
Test(plot, a_thin_level_line_keeps_to_the_middle)
{
	enum { OUTER = 0xc3 }; /* the dots of the highest and of the lowest row */
	for (double y = 0; y < 9.5; y += 0.07) {
		struct figure fig = { 0 };
		struct canvas cv;
		struct plot *p = unit_plot(&fig);
		add_line(&fig, p, SERIES_DASHED, y, y);
		canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
		plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
		for (int i = 0; i < 10 * 34; i++) {
			uint32_t code = cv.cells[i].code;
			if (code > 0x2800 && code < 0x2900)
				cr_expect(zero(u32, mask_of(GLYPHS_BRAILLE, code) & OUTER), "at %g",
					y);
		}
		canvas_release(&cv);
		figure_release(&fig);
	}
}

/* The highest dot around a column, in rows of dots from above, since marks stand side by side. */
static int roof_over(const struct canvas *cv, int col)
{
	for (int dot = 0; dot < DOTS_DOWN * cv->rows; dot++)
		for (int k = col - 3; k <= col + 3 && k < cv->cols; k++) {
			uint32_t code = k >= 0 ? cv->cells[dot / DOTS_DOWN * cv->cols + k].code : 0;
			bool dots = code > 0x2800 && code < 0x2900;
			unsigned mask = dots ? mask_of(GLYPHS_BRAILLE, code) : 0;
			if (mask >> DOTS_ACROSS * (dot % DOTS_DOWN) & 3)
				return dot;
		}
	return DOTS_DOWN * cv->rows;
}

/* No operation and nothing measured is above the roof of the roofline, at any size. */
static void expect_marks_below(const struct plot *p, const char *name, int rows)
{
	struct canvas cv;
	if (strcmp(name, "roofline") != 0 || p->n_series == 0 || p->series[0].style != SERIES_AREA)
		return;
	for (int cols = 40; cols < 140; cols += 9) {
		canvas_init(&cv, rows, cols, GLYPHS_BRAILLE);
		cv.fills = FILLS_TINTED;
		plot_draw(&cv, (struct rect){ 0, 0, rows, cols }, p, NULL, NAN);
		for (int i = 0; i < rows * cols; i++) {
			uint32_t code = cv.cells[i].code;
			bool in_legend = i + 2 < rows * cols && cv.cells[i + 2].code == 'm';
			bool mark = (is_marker(code) || code == '+') && !in_legend &&
				    i / cols < axis_row_of(&cv);
			/* Where the roof is level. The middle of a mark is half a dot above the third dot of its
			 * cell. */
			if (mark && i % cols > 0.72 * cols)
				cr_expect(DOTS_DOWN * (i / cols) + 2 >= roof_over(&cv, i % cols),
					"%dx%d: (%d, %d)", cols, rows, i / cols, i % cols);
		}
		canvas_release(&cv);
	}
}

/* A level rule is drawn within a quarter of a row of where it is: in the middle of a cell, or
 * along its upper or lower side, where there are dots to compare it with. */
Test(plot, a_level_rule_is_where_it_is)
{
	for (double at = 0.6; at < 9.4; at += 0.07)
		for (int glyphs = GLYPHS_LINES; glyphs <= GLYPHS_OCTANTS; glyphs++) {
			struct figure fig = { 0 };
			struct canvas cv;
			struct plot *p = unit_plot(&fig);
			add_line(&fig, p, SERIES_LINE, 9.9, 9.9);
			plot_rule(&fig, p, true, at, "", ROLE_BAD);
			canvas_init(&cv, 12, 34, (enum glyphs)glyphs);
			plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
			double drawn = NAN;
			for (int row = 0; row < 10; row++) {
				uint32_t code = cv.cells[row * 34 + 3 + 20].code;
				drawn = code == 0x2504   ? 10 - row
					: code == 0x2594 ? 10 - row + 0.5
					: code == 0x2581 ? 10 - row - 0.5
							 : drawn;
			}
			double most = glyphs == GLYPHS_LINES ? 0.5 : 0.26;
			cr_expect(le(dbl, fabs(drawn - at), most), "at %g", at);
			canvas_release(&cv);
			figure_release(&fig);
		}
}

/* The area takes columns 1 to 15: five letters stand in the middle of its lowest row, from column 6. */
Test(plot, an_area_has_its_name_in_it)
{
	struct figure fig = { 0 };
	struct canvas cv;
	struct plot *p = unit_plot(&fig);
	struct series *area = plot_series(&fig, p, "below", SERIES_AREA, MEANS_COMPUTE);
	series_point(&fig, area, 1, 6);
	series_point(&fig, area, 15, 6);
	add_line(&fig, p, SERIES_LINE, 9, 9);
	canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
	cv.fills = FILLS_TINTED;
	plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
	for (int i = 0; i < 5; i++)
		cr_expect(eq(u32, cv.cells[9 * 34 + 3 + 6 + i].code, (uint32_t) "below"[i]));
	canvas_release(&cv);
	figure_release(&fig);
}

/* Columns 1 to 3 have no room for five letters: they stand beside the heading, and not across what is
 * beside the area. */
Test(plot, a_narrow_area_is_named_in_the_legend)
{
	struct figure fig = { 0 };
	struct canvas cv;
	struct plot *p = unit_plot(&fig);
	struct series *area = plot_series(&fig, p, "below", SERIES_AREA, MEANS_COMPUTE);
	series_point(&fig, area, 1, 6);
	series_point(&fig, area, 3, 6);
	struct series *beside = plot_series(&fig, p, "wide", SERIES_AREA, MEANS_SECOND);
	series_point(&fig, beside, 3, 6);
	series_point(&fig, beside, 30, 6);
	canvas_init(&cv, 13, 34, GLYPHS_BRAILLE);
	cv.fills = FILLS_TINTED;
	plot_draw(&cv, (struct rect){ 0, 0, 13, 34 }, p, NULL, NAN);
	size_t in_areas = 0, outside = 0;
	for (int row = 0; row < 13; row++)
		for (int col = 0; col + 5 <= 34; col++) {
			size_t same = 0;
			for (int i = 0; i < 5; i++)
				same += cv.cells[row * 34 + col + i].code == (uint32_t) "below"[i];
			in_areas += same == 5 && cv.cells[row * 34 + col].under != STYLE_PLAIN;
			outside += same == 5 && cv.cells[row * 34 + col].under == STYLE_PLAIN;
		}
	cr_expect(eq(sz, in_areas, 0));
	cr_expect(eq(sz, outside, 1));
	canvas_release(&cv);
	figure_release(&fig);
}

/* The rule at 10 takes row 0, the point at (6, 8) row 2, and lines all of rows 3 and 4 and what is
 * beside the point. So its name stands in row 1, and the rule's further to the right. */
Test(plot, a_point_has_its_name_off_the_rules)
{
	struct figure fig = { 0 };
	struct plot *p = unit_plot(&fig);
	add_line(&fig, p, SERIES_LINE, 7, 7);
	add_line(&fig, p, SERIES_LINE, 6, 6);
	add_line(&fig, p, SERIES_LINE, 8, 8);
	struct series *s = plot_series(&fig, p, "peak", SERIES_POINTS, MEANS_FOCUS);
	series_mark(&fig, s, 6, 8, "the peak", ROLE_ACCENT);
	plot_rule(&fig, p, true, 10, "all of it", ROLE_BAD);
	struct canvas cv;
	canvas_init(&cv, 12, 34, GLYPHS_LINES);
	plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
	for (int col = 1; col <= 30; col++)
		cr_expect(eq(u32, cv.cells[0 * 34 + 3 + col].code, 0x2504));
	canvas_release(&cv);
	expect_text(p, 12, 34, "the peak");
	expect_text(p, 12, 34, "all of it");
	figure_release(&fig);
}

/* Both rules are at 5. Twenty letters take columns 2 to 21 of the row above; seven more would end at
 * column 30 and so begin two blanks behind them: they go below. */
Test(plot, labels_in_one_row_are_three_blanks_apart)
{
	struct figure fig = { 0 };
	struct plot *p = unit_plot(&fig);
	add_line(&fig, p, SERIES_LINE, 1, 1);
	plot_rule(&fig, p, true, 5, "abcdefghijklmnopqrst", ROLE_BAD);
	plot_rule(&fig, p, true, 5, "uvwxyza", ROLE_BAD);
	struct canvas cv;
	canvas_init(&cv, 12, 34, GLYPHS_LINES);
	plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
	cr_expect(eq(u32, cv.cells[4 * 34 + 3 + 2].code, 'a'));
	cr_expect(eq(u32, cv.cells[6 * 34 + 3 + 2].code, 'u'));
	canvas_release(&cv);
	figure_release(&fig);
}

/* Of three areas side by side the second is narrower than its name: the legend has all three, in
 * one row below the picture. Where it is as wide as the others, each has its name within. */
Test(plot, a_legend_of_areas_names_all_or_none)
{
	static const char *const names[] = { "before", "between", "behind" };
	for (int wide = 0; wide < 2; wide++) {
		struct figure fig = { 0 };
		struct canvas cv;
		struct plot *p = unit_plot(&fig);
		const double ends[] = { 0, 10, wide ? 20 : 12, 30 };
		for (int i = 0; i < 3; i++) {
			struct series *s = plot_series(
				&fig, p, names[i], SERIES_AREA, MEANS_COMPUTE + (enum meaning)i);
			series_point(&fig, s, ends[i], 8);
			series_point(&fig, s, ends[i + 1], 8);
		}
		cr_assert(zero(int, canvas_init(&cv, 16, 64, GLYPHS_BRAILLE)));
		cv.fills = FILLS_TINTED;
		plot_draw(&cv, (struct rect){ 0, 0, 16, 64 }, p, NULL, NAN);
		for (int i = 0; i < 3; i++) {
			cr_assert(eq(int, times_shown(&cv, names[i]), 1), "%s", names[i]);
			const int row = cell_of(&cv, names[i]) / cv.cols;
			cr_expect(
				eq(int, row == cv.rows - 1, !wide), "%s in row %d", names[i], row);
		}
		canvas_release(&cv);
		figure_release(&fig);
	}
}

/* A line that is not listed has no name in the picture either, beside one that has. */
Test(plot, a_line_that_is_not_listed_is_not_named)
{
	for (int unlisted = 0; unlisted < 2; unlisted++) {
		struct figure fig = { 0 };
		struct canvas cv;
		struct plot *p = unit_plot(&fig);
		for (int i = 0; i < 2; i++) {
			struct series *s = plot_series(
				&fig, p, i ? "other" : "titled", SERIES_LINE, MEANS_KIND + i);
			cr_assert(ne(ptr, s, NULL));
			s->unlisted = !i && unlisted;
			series_point(&fig, s, 0, 2 + 5 * i);
			series_point(&fig, s, 30, 2 + 5 * i);
		}
		cr_assert(zero(int, canvas_init(&cv, 12, 60, GLYPHS_BRAILLE)));
		plot_draw(&cv, (struct rect){ 0, 0, 12, 60 }, p, NULL, NAN);
		cr_expect(eq(int, times_shown(&cv, "titled"), !unlisted));
		cr_expect(eq(int, times_shown(&cv, "other"), 1));
		canvas_release(&cv);
		figure_release(&fig);
	}
}

/* Row 5 is a line that measured points lie on, row 7 another line: the name of the rule between them stands
 * in the rule's own row, for over the points it would break their line. */
Test(plot, no_name_breaks_a_line_under_its_points)
{
	struct figure fig = { 0 };
	struct canvas cv;
	struct plot *p = unit_plot(&fig);
	add_line(&fig, p, SERIES_LINE, 5, 5);
	add_line(&fig, p, SERIES_LINE, 3, 3);
	struct series *points = plot_series(&fig, p, "", SERIES_POINTS, MEANS_KIND);
	for (int x = 1; x <= 30; x++)
		series_mark(&fig, points, x, 5, NULL, ROLE_PLAIN);
	if (points)
		points->measured = true;
	plot_rule(&fig, p, true, 4, "name", ROLE_BAD);
	canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
	plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
	size_t on_points = 0, in_rule = 0;
	for (int col = 3; col < 34; col++) {
		on_points += cv.cells[5 * 34 + col].code == 'n';
		in_rule += cv.cells[6 * 34 + col].code == 'n';
	}
	cr_expect(eq(sz, on_points, 0));
	cr_expect(eq(sz, in_rule, 1));
	canvas_release(&cv);
	figure_release(&fig);
}

/* From 700 to 800 nothing is twice as high as anything: the axis says from where it goes on. One from 0 does not. All
 * its steps are as long as they look, so the sign of a break stands at its foot, below the lowest. */
Test(plot, an_axis_that_is_cut_says_so)
{
	for (int cut = 0; cut < 2; cut++) {
		struct figure fig = { 0 };
		struct plot *p =
			figure_plot(&fig, "", "x", "", AXIS_LINEAR, "speed", "m/s", AXIS_LINEAR);
		struct series *s = plot_series(&fig, p, "", SERIES_LINE, MEANS_KIND);
		series_point(&fig, s, 0, cut ? 700 : 0);
		series_point(&fig, s, 10, 800);
		char *got = picture(p, NULL, GLYPHS_LINES, 14, 50, NAN);
		cr_expect(eq(int, strstr(got, "speed (m/s, from 700)") != NULL, cut), "%s", got);
		cr_expect(eq(int, strstr(got, "700 ≈") != NULL, cut), "%s", got);
		free(got);
		figure_release(&fig);
	}
}

/* From the bead at (10, 0) to the mark at (10, 6), which stands in row 4, and no further. */
Test(plot, a_slider_leads_up_to_its_mark)
{
	struct figure fig = { 0 };
	struct canvas cv;
	struct plot *p = unit_plot(&fig);
	plot_slider(&fig, p, "knob", 10);
	series_mark(&fig, plot_series(&fig, p, "", SERIES_POINTS, MEANS_FOCUS), 10, 6, NULL,
		ROLE_ACCENT);
	canvas_init(&cv, 12, 34, GLYPHS_BRAILLE);
	plot_draw(&cv, (struct rect){ 0, 0, 12, 34 }, p, NULL, NAN);
	for (int row = 0; row < 10; row++) {
		const struct cell *cell = &cv.cells[row * 34 + 3 + 10];
		cr_expect(eq(int, cell->code == 0x2502, row > 4), "row %d", row);
	}
	canvas_release(&cv);
	figure_release(&fig);
}

/* -- Ticks ---------------------------------------------------------------------------------- */

static bool is_y_tick(uint32_t code)
{
	return code == 0x2524 || code == 0x253c || code == 0x2534;
}

static bool is_x_tick(uint32_t code)
{
	return code == 0x252c || code == 0x253c || code == 0x251c;
}

/* No two different distances between ticks (one may be hidden by a mark on the axis). *last < 0
 * before the first one. */
static bool evenly(int at, int *last, int *gap)
{
	int apart = at - *last;
	bool even = *last < 0 || *gap == 0 || apart % *gap == 0;
	if (*last >= 0 && *gap == 0)
		*gap = apart;
	*last = at;
	return even;
}

static void expect_even_ticks(const struct plot *p, const char *name, int rows, int cols)
{
	struct canvas cv;
	int axis_row = -1, axis_col = -1;
	canvas_init(&cv, rows, cols, GLYPHS_BRAILLE);
	plot_draw(&cv, (struct rect){ 0, 0, rows, cols }, p, NULL, NAN);
	for (int i = 0; i < rows * cols && axis_row < 0; i++) {
		uint32_t code = cv.cells[i].code;
		bool corner = code == 0x2514 || code == 0x2534 || code == 0x253c || code == 0x251c;
		if (corner && cv.cells[i].style == STYLE_DIM) {
			axis_row = i / cols;
			axis_col = i % cols;
		}
	}
	for (int row = 0, last = -1, gap = 0; axis_row > 0 && row <= axis_row; row++)
		if (is_y_tick(cv.cells[row * cols + axis_col].code))
			cr_expect(evenly(row, &last, &gap), "%s %dx%d: y", name, cols, rows);
	int ticks =
		0; /* two do not say how an axis counts; a foot of an area or a slider hides some */
	bool hidden = p->x.knob || count_of(&cv, 0x2580) > 0;
	for (int col = axis_col, last = -1, gap = 0; axis_row > 0 && col < cols; col++)
		if (is_x_tick(cv.cells[axis_row * cols + col].code)) {
			cr_expect(evenly(col, &last, &gap), "%s %dx%d: x", name, cols, rows);
			ticks++;
		}
	cr_expect(axis_row < 0 || hidden || ticks >= 3, "%s %dx%d: %d ticks", name, cols, rows,
		ticks);
	canvas_release(&cv);
}

/* Over every plot of every simulation, in the sizes that it has on screens of 80x24, 100x32,
 * 160x48 and 200x60: ticks are evenly apart, and three or more of them on the x axis. */
Test(plot, ticks_are_evenly_apart, .timeout = 60)
{
	static const int sizes[][2] = { { 11, 76 }, { 17, 59 }, { 20, 59 }, { 24, 110 }, { 30, 96 },
		{ 40, 140 } };
	struct tables t = load_tables();
	for (size_t i = 0; i < n_sims; i++) {
		struct figure fig = { 0 };
		double v[MAX_KNOBS];
		sim_defaults(sims[i], &t, v);
		sims[i]->run(&t, v, &fig);
		for (size_t b = 0; b < fig.n_blocks; b++)
			for (size_t k = 0; k < COUNT(sizes) && fig.blocks[b]->kind == BLOCK_PLOT;
				k++)
				expect_even_ticks(&fig.blocks[b]->as.plot, sims[i]->id, sizes[k][0],
					sizes[k][1]);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* A tick is in the row of its number, and not half a row beside it because the axis began between two
 * rows: of a decade in thirds, 2 and 5 may be. */
static void expect_ticks_in_place(const struct plot *p, const char *name, int rows)
{
	struct ticks ticks;
	struct plot_extent e = plot_extent_of(p, NULL);
	struct plot_scale s = plot_fit_y(p, &e, rows, &ticks);
	bool thirds = p->y.scale == AXIS_LOG10;
	for (size_t i = 0; i < ticks.n && !e.empty; i++) {
		double at = plot_scale_cells(&s, ticks.at[i]), lead = log10(ticks.at[i]);
		bool power = !thirds || fabs(lead - round(lead)) < 1e-9;
		if (power)
			cr_expect(fabs(at - round(at)) < 0.02, "%s, %d rows: %s stands at %g", name,
				rows, ticks.label[i], at);
	}
}

/* Calls a check for every plot of every simulation. */
static void each_plot(void (*check)(const struct plot *p, const char *name, int rows))
{
	struct tables t = load_tables();
	for (size_t i = 0; i < n_sims; i++) {
		struct figure fig = { 0 };
		double v[MAX_KNOBS];
		sim_defaults(sims[i], &t, v);
		sims[i]->run(&t, v, &fig);
		for (size_t b = 0; b < fig.n_blocks; b++)
			for (int rows = 5; fig.blocks[b]->kind == BLOCK_PLOT && rows < 36; rows++)
				check(&fig.blocks[b]->as.plot, sims[i]->id, rows);
		figure_release(&fig);
	}
	tables_release(&t);
}

Test(plot, ticks_stand_where_their_numbers_are, .timeout = 60)
{
	each_plot(expect_ticks_in_place);
}

Test(plot, nothing_is_above_its_roof, .timeout = 60)
{
	each_plot(expect_marks_below);
}

/* -- Noise ---------------------------------------------------------------------------------- */

/* Eleven values in turn, evenly from 3.5 to 6.5 in a scrambled order, four a column, and one of 9.5. */
static void add_saw(struct figure *fig, struct plot *p, enum series_style style)
{
	struct series *s = plot_series(fig, p, "", style, MEANS_COMPUTE);
	for (int i = 0; i <= 120; i++)
		series_point(fig, s, i / 4.0, i == 60 ? 9.5 : 5 + 0.3 * ((i * 7) % 11 - 5));
}

static struct canvas drawn_calmly(const struct plot *p, enum fills fills)
{
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, 13, 34, GLYPHS_BRAILLE)));
	cv.fills = fills;
	plot_draw(&cv, (struct rect){ 0, 0, 13, 34 }, p, NULL, NAN);
	return cv;
}

/* Below the title are ten rows for ten units. The median is 5, in row 5 of them; P5 and P95 are 0.3 within
 * 3.5 and 6.5 at most, so that of whole rows 4 to 6 lie between them. There is a line in the middle, a tint around it and nowhere else, and one dot
 * where the point at 9.5 is, in column 15 and row 1 (0.5 is nearer to that). */
Test(plot, noise_is_a_band)
{
	static const enum series_style styles[] = { SERIES_LINE, SERIES_STEP };
	for (size_t k = 0; k < COUNT(styles); k++) {
		struct figure fig = { 0 };
		struct plot *p = unit_plot(&fig);
		add_saw(&fig, p, styles[k]);
		struct canvas cv = drawn_calmly(p, FILLS_TINTED);
		for (int row = 0; row < 10; row++)
			for (int col = 2; col < 29; col++) {
				const struct cell *c = &cv.cells[(row + 1) * 34 + 3 + col];
				bool line = c->code > 0x2800 && c->code < 0x2900;
				cr_expect(line == false || abs(row - 5) <= 1, "(%d, %d)", row, col);
				cr_expect(eq(int, c->under != STYLE_PLAIN, abs(row - 5) <= 1),
					"(%d, %d)", row, col);
				cr_expect(eq(int, c->code == 0x2022, col == 15 && row == 1),
					"(%d, %d)", row, col);
			}
		canvas_release(&cv);
		figure_release(&fig);
	}
}

/* Without a tint there is no band; and a curve of as many points that goes its way is no noise. */
Test(plot, what_is_no_noise_is_joined)
{
	struct figure fig = { 0 };
	struct plot *saw = unit_plot(&fig), *wave = unit_plot(&fig);
	add_saw(&fig, saw, SERIES_LINE);
	struct series *s = plot_series(&fig, wave, "", SERIES_LINE, MEANS_COMPUTE);
	for (int i = 0; i <= 120; i++)
		series_point(&fig, s, i / 4.0, 5 + 4 * sin(i / 20.0));
	struct canvas textured = drawn_calmly(saw, FILLS_SOLID);
	struct canvas tinted = drawn_calmly(wave, FILLS_TINTED);
	for (int i = 0; i < 12 * 34; i++) {
		cr_expect(ne(u32, textured.cells[i].code, 0x2022));
		cr_expect(eq(u8, textured.cells[i].under, STYLE_PLAIN));
		cr_expect(eq(u8, tinted.cells[i].under, STYLE_PLAIN));
	}
	canvas_release(&textured);
	canvas_release(&tinted);
	figure_release(&fig);
}

/* The title says what the tint is, as far as there is room. */
Test(plot, a_band_is_explained)
{
	struct figure fig = { 0 };
	struct canvas cv;
	struct plot *p = unit_plot(&fig);
	char *text = NULL;
	size_t size;
	p->title = "Steps";
	p->y.title = "Time";
	add_saw(&fig, p, SERIES_LINE);
	canvas_init(&cv, 14, 60, GLYPHS_BRAILLE);
	cv.fills = FILLS_TINTED;
	plot_draw(&cv, (struct rect){ 0, 0, 14, 60 }, p, NULL, NAN);
	FILE *out = open_memstream(&text, &size);
	canvas_write_text(&cv, out);
	fclose(out);
	cr_expect(ne(ptr, strstr(text, "Steps   Time: median over P5 to P95, dots beyond"), NULL));
	free(text);
	canvas_release(&cv);
	figure_release(&fig);
}

/* -- Random plots --------------------------------------------------------------------------- */

static double some_value(struct rng *rng, bool wild)
{
	double pick = rng_uniform(rng);
	if (wild && pick < 0.03)
		return NAN;
	if (wild && pick < 0.06)
		return rng_uniform(rng) < 0.5 ? INFINITY : -INFINITY;
	if (wild && pick < 0.1)
		return (rng_uniform(rng) - 0.5) * 1e9;
	return 100 * rng_uniform(rng);
}

/* Names stand in braces, and nothing else does: a brace without its partner is a torn label. */
static void add_series(struct figure *fig, struct plot *p, struct rng *rng, unsigned i, bool wild)
{
	const char *name = figure_text(fig, "{s%u}", i);
	struct series *s = plot_series(fig, p, name, (enum series_style)rng_below(rng, 5), i);
	size_t n = (size_t)rng_below(rng, 60);
	bool named = s->style == SERIES_POINTS && rng_uniform(rng) < 0.5;
	s->measured = rng_uniform(rng) < 0.1;
	for (size_t k = 0; k < n; k++) {
		double x = wild && rng_uniform(rng) < 0.2 ? some_value(rng, wild) : (double)k;
		series_mark(fig, s, x, some_value(rng, wild),
			named ? figure_text(fig, "{p%zu}", k) : NULL, (enum role)rng_below(rng, 6));
	}
}

static struct plot *random_plot(struct figure *fig, struct rng *rng, unsigned n_series, bool wild)
{
	struct plot *p =
		figure_plot(fig, "Title", "Abscissa", "s", (enum axis_scale)rng_below(rng, 3),
			"Ordinate", "ms", (enum axis_scale)rng_below(rng, 3));
	p->x.is_time = rng_uniform(rng) < 0.5;
	for (unsigned i = 0; i < n_series; i++)
		add_series(fig, p, rng, i, wild);
	for (unsigned i = 0; i < rng_below(rng, 3); i++)
		plot_rule(fig, p, rng_uniform(rng) < 0.5, 150 * rng_uniform(rng),
			figure_text(fig, "{rule %u}", i), ROLE_WARN);
	return p;
}

/* Braces come in pairs on a line, and a name that was cut says so. */
static void expect_whole_labels(const char *text, int rows, int cols)
{
	bool open = false;
	for (const char *c = text; *c; c++) {
		bool torn = (*c == '{' && open) || (*c == '}' && !open) || (*c == '\n' && open);
		cr_assert(torn == false, "torn label at %dx%d:\n%s", cols, rows, text);
		if (*c == '{')
			open = true;
		if (*c == '}' || strncmp(c, "…", strlen("…")) == 0)
			open = false;
	}
}

static void expect_guard_untouched(const struct canvas *cv, struct rect r)
{
	for (int row = 0; row < cv->rows; row++)
		for (int col = 0; col < cv->cols; col++) {
			bool inside = row >= r.row && row < r.row + r.rows && col >= r.col &&
				      col < r.col + r.cols;
			cr_assert(inside || cv->cells[row * cv->cols + col].code == '~',
				"wrote outside %dx%d", r.cols, r.rows);
		}
}

static void draw_guarded(const struct plot *p, const struct plot *ghost, enum glyphs glyphs,
	int rows, int cols, double playhead_s)
{
	struct canvas cv;
	struct rect r = { 2, 3, rows, cols };
	cr_assert(eq(int, canvas_init(&cv, rows + 4, cols + 6, glyphs), 0));
	cv.fills = (enum fills)(rows % 3);
	canvas_fill(&cv, (struct rect){ 0, 0, cv.rows, cv.cols }, '~', STYLE_PLAIN, 0);
	plot_draw(&cv, r, p, ghost, playhead_s);
	expect_guard_untouched(&cv, r);
	canvas_release(&cv);
}

Test(plot, random_data_at_every_size, .description = "long", .timeout = 60)
{
	struct rng rng = rng_stream(23, "plot", 0);
	for (int i = 0; i < 1500; i++) {
		struct figure fig = { 0 }, old = { 0 };
		bool small = i % 2;
		int rows = 1 + (int)rng_below(&rng, small ? 12 : 100);
		int cols = 1 + (int)rng_below(&rng, small ? 50 : 300);
		unsigned n = (unsigned)rng_below(&rng, 6);
		const struct plot *p = random_plot(&fig, &rng, n, true);
		const struct plot *ghost = i % 3 ? NULL : random_plot(&old, &rng, n, true);
		double playhead_s = i % 4 ? NAN : some_value(&rng, true);
		enum glyphs glyphs = (enum glyphs)rng_below(&rng, 4);
		draw_guarded(p, ghost, glyphs, rows, cols, playhead_s);
		char *text = picture(p, ghost, GLYPHS_LINES, rows, cols, playhead_s);
		expect_whole_labels(text, rows, cols);
		cr_assert(rows < 10 || cols < 40 ||
				  (strstr(text, "Abscissa") && strstr(text, "Ordinate (ms)")),
			"a title is missing at %dx%d:\n%s", cols, rows, text);
		free(text);
		figure_release(&fig);
		figure_release(&old);
	}
}

/* Each series is named once, at its line or in the legend. */
Test(plot, names_are_always_there, .timeout = 60)
{
	struct rng rng = rng_stream(23, "names", 0);
	for (int i = 0; i < 600; i++) {
		struct figure fig = { 0 };
		unsigned n = 2 + (unsigned)rng_below(&rng, 4);
		int least = 6 * (int)n + 3 * ((int)n - 1); /* swatch, blank, name; gaps */
		int rows = 6 + (int)rng_below(&rng, 40);
		int cols = (least < 20 ? 20 : least) + (int)rng_below(&rng, 100);
		const struct plot *p = random_plot(&fig, &rng, n, i % 2);
		char *text = picture(p, NULL, GLYPHS_LINES, rows, cols, NAN);
		for (unsigned k = 0; k < n; k++) {
			const char *name = figure_text(&fig, "{s%u}", k), *at = strstr(text, name);
			cr_assert(at && !strstr(at + 1, name), "%s at %dx%d:\n%s", name, cols, rows,
				text);
		}
		free(text);
		figure_release(&fig);
	}
}

Test(plot, rows_wanted)
{
	struct figure fig = { 0 };
	const struct plot *p = wait_plot(&fig);
	int last = 0;
	for (int cols = 1; cols < 300; cols++) {
		int rows = plot_rows(p, cols);
		cr_assert(rows >= 6 && rows <= 30 && rows >= last);
		last = rows;
	}
	figure_release(&fig);
}

/* The bead of a slider stands under what it sets. */
Test(plot, an_axis_can_be_a_slider)
{
	struct figure fig = { 0 };
	struct plot *p = figure_plot(&fig, "", "GPUs", "", AXIS_LINEAR, "time", "s", AXIS_LINEAR);
	struct series *s = plot_series(&fig, p, "time", SERIES_LINE, MEANS_COMPUTE);
	series_point(&fig, s, 0, 0);
	series_point(&fig, s, 10, 10);
	plot_slider(&fig, p, "gpus", 5);
	plot_rule(&fig, p, false, 5, "here", ROLE_ACCENT);
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, 12, 40, GLYPHS_LINES)));
	plot_draw(&cv, (struct rect){ 0, 0, 12, 40 }, p, NULL, NAN);
	int beads = 0;
	for (int i = 0; i < 12 * 40; i++) {
		if (cv.cells[i].code != 0x25c9)
			continue;
		beads++;
		cr_expect(eq(u8, cv.cells[i].style, STYLE_ACCENT));
		cr_expect(eq(u32, cv.cells[i - 1].code, 0x2501));  /* heavy up to it */
		cr_expect(eq(u32, cv.cells[i - 40].code, 0x2506)); /* the rule stands on it */
	}
	cr_expect(eq(int, beads, 1));
	canvas_release(&cv);
	figure_release(&fig);
}
