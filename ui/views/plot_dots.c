/* Masks become glyphs by arithmetic: Unicode has braille in the order of its masks, with the lowest
 * row of dots last (it came later); octants are in ui/term/octants.h. */
#include "ui/views/plot_dots.h"

#include "sims/base/array.h"
#include "ui/term/octants.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* -- Glyphs -------------------------------------------------------------------------------- */

static uint32_t braille(unsigned mask)
{
	static const uint8_t bit[DOTS_ACROSS * DOTS_DOWN] = { 1, 8, 2, 16, 4, 32, 64, 128 };
	unsigned bits = 0;
	for (size_t i = 0; i < LENGTH(bit); i++)
		bits |= mask >> i & 1 ? bit[i] : 0u;
	return bits ? 0x2800u | bits : ' ';
}

uint32_t dots_glyph(enum glyphs glyphs, unsigned mask)
{
	assert(glyphs_have_dots(glyphs) && mask < 256);
	return glyphs == GLYPHS_OCTANTS ? octant_glyph(mask) : braille(mask);
}

/* -- Walking ------------------------------------------------------------------------------- */

/* Column 1 of the picture has dots 2 and 3, row 0 has dots 0 to 3. The middle of a cell lies
 * between its dots, so that half a dot is subtracted before rounding. */
static double dot_x(double x)
{
	return DOTS_ACROSS * x + 0.5;
}

/* The axis is the middle of row c->rows, and a line that lies on it has its dots there. What is
 * less than half a row below it is a line on the axis as well. Where the axis is a slider, a line keeps above it; one
 * that only passes through its row on the way to it is cut there: a level foot would be a bend that it does not have. */
static double dot_y(const struct chart *c, double y, bool passes)
{
	if (!chart_lines_reach_axis(c)) {
		if (passes)
			return DOTS_DOWN * y + 1.5;
		double lowest = c->rows - 0.5;
		if (y > lowest && y <= c->rows + 0.5)
			y = lowest - 0.5 / DOTS_DOWN;
	} else if (y > c->rows && y <= c->rows + 0.5) {
		y = c->rows;
	}
	return DOTS_DOWN * y + 1.5;
}

/* The rows of dots that lines may use. */
static int dot_rows(const struct chart *c)
{
	return DOTS_DOWN * c->rows + (chart_lines_reach_axis(c) ? DOTS_DOWN - 1 : 0);
}

static void set_dot(const struct dot_walk *w, int x, int y)
{
	int stride = w->c->cols + 1, cols = DOTS_ACROSS * stride, rows = dot_rows(w->c);
	if (x >= DOTS_ACROSS && x < cols && y >= 0 && y < rows)
		w->bits[y / DOTS_DOWN * stride + x / DOTS_ACROSS] |=
			(uint8_t)(1u << (y % DOTS_DOWN * DOTS_ACROSS + x % DOTS_ACROSS));
}

static void put_dot(struct dot_walk *w, int x, int y)
{
	if (w->down && x == w->x && y == w->y)
		return;
	w->x = x;
	w->y = y;
	if (w->n++ % w->of < w->drawn)
		set_dot(w, x, y);
	w->down = true;
}

/* Sets a dot; where the last one is not beside it, those between as well. */
static void reach_dot(struct dot_walk *w, int x, int y)
{
	int from_x = w->x, from_y = w->y, across = x - from_x, down = y - from_y;
	int steps = abs(across) > abs(down) ? abs(across) : abs(down);
	for (int i = 1; w->down && i < steps; i++)
		put_dot(w, from_x + (int)lround((double)(across * i) / steps),
			from_y + (int)lround((double)(down * i) / steps));
	put_dot(w, x, y);
}

/* The part of the way inside the box, as shares of its length (after Liang and Barsky). */
static bool clip(double from, double way, double lo, double hi, double *t0, double *t1)
{
	if (way == 0)
		return from >= lo && from <= hi;
	double a = (lo - from) / way, b = (hi - from) / way;
	*t0 = fmax(*t0, fmin(a, b));
	*t1 = fmin(*t1, fmax(a, b));
	return *t0 <= *t1;
}

void walk_to(struct dot_walk *w, double x, double y)
{
	w->down = false;
	w->from_x = x;
	w->from_y = y;
}

static int nearest_dot(double at)
{
	return (int)floor(at + 0.5);
}

/* A level line keeps to the inner dots of its cells: a mark, which fills the middle of one, lies on it. */
static int level_dot(const struct dot_walk *w, double at)
{
	int dot = nearest_dot(at), place = dot % DOTS_DOWN;
	bool outer = place == 0 || place == DOTS_DOWN - 1;
	bool goes_on = w->down &&
		       w->y == dot; /* from a slope: another row of dots would be a hook in it */
	if (dot < 0 || dot >= dot_rows(w->c) || goes_on || !outer)
		return dot;
	return place == 0 ? dot + 1 : dot - 1;
}

static void walk_across(
	struct dot_walk *w, double x0, double y0, double x1, double y1, bool is_level)
{
	int way = x0 < x1 ? 1 : -1, end = (int)floor(way * x1 + 1e-9);
	for (int at = (int)ceil(way * x0 - 1e-9); at <= end; at++) {
		double x = way * at, y = x1 == x0 ? y0 : y0 + (x - x0) / (x1 - x0) * (y1 - y0);
		reach_dot(w, way * at, is_level ? level_dot(w, y) : nearest_dot(y));
	}
}

static void walk_down(struct dot_walk *w, double x0, double y0, double x1, double y1)
{
	int way = y0 < y1 ? 1 : -1, end = (int)floor(way * y1 + 1e-9);
	for (int at = (int)ceil(way * y0 - 1e-9); at <= end; at++) {
		double y = way * at, x = y1 == y0 ? x0 : x0 + (y - y0) / (y1 - y0) * (x1 - x0);
		reach_dot(w, nearest_dot(x), way * at);
	}
}

/* Whether a line that falls so steeply is through half a row within an eighth of the picture. */
static bool passes_soon(const struct chart *c, double across, double down)
{
	enum { HALF_ROW = DOTS_DOWN / 2, SHARE = 8 };
	return down * (DOTS_ACROSS * c->cols) > across * (HALF_ROW * SHARE);
}

void walk_line(struct dot_walk *w, double x, double y)
{
	const struct chart *c = w->c;
	double x0 = dot_x(w->from_x), x1 = dot_x(x);
	const bool passes = passes_soon(c, fabs(x1 - x0), DOTS_DOWN * fabs(y - w->from_y));
	double y0 = dot_y(c, w->from_y, passes), y1 = dot_y(c, y, passes);
	double t0 = 0, t1 = 1, left = DOTS_ACROSS - 0.5,
	       right = DOTS_ACROSS * (c->cols + 1) - 0.5 - 1e-6;
	/* Whether it is level in truth, and not because it keeps above the axis. */
	const double level = 1.0 / 64; /* dots down for one across */
	bool is_level = DOTS_DOWN * fabs(y - w->from_y) <= level * fabs(x1 - x0);
	w->from_x = x;
	w->from_y = y;
	if (!clip(x0, x1 - x0, left, right, &t0, &t1) ||
		!clip(y0, y1 - y0, -0.5, dot_rows(c) - 0.5 - 1e-6, &t0, &t1)) {
		w->down = false;
		return;
	}
	double across = x1 - x0, down = y1 - y0;
	w->down = w->down && t0 == 0;
	if (fabs(across) >= fabs(down))
		walk_across(w, x0 + t0 * across, y0 + t0 * down, x0 + t1 * across, y0 + t1 * down,
			is_level);
	else
		walk_down(w, x0 + t0 * across, y0 + t0 * down, x0 + t1 * across, y0 + t1 * down);
	w->down = w->down && t1 == 1;
}
