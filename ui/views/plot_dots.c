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

static double dot_y(double y)
{
	return DOTS_DOWN * y + 1.5;
}

/* The rows of dots of the picture. */
static int dot_rows(const struct chart *c)
{
	return DOTS_DOWN * c->rows;
}

/* The axis is the middle of the row below, which is its own: a line that lies on it, or less than half a row above or
 * below, is seen right above that row. */
static int floor_of(const struct chart *c)
{
	return dot_rows(c) + DOTS_DOWN;
}

static void set_dot(const struct dot_walk *w, int x, int y)
{
	int stride = w->c->cols + 1, cols = DOTS_ACROSS * stride, rows = dot_rows(w->c);
	y = y >= rows && y < floor_of(w->c) ? rows - 1 : y;
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
	if (dot >= dot_rows(w->c) && dot < floor_of(w->c))
		return dot_rows(w->c) - 2;
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

/* Whether a line that falls so steeply is through half a row within an eighth of the picture: it is cut at the axis's
 * row, where a level foot would be a bend that it does not have. */
static bool passes_soon(const struct chart *c, double across, double down)
{
	enum { HALF_ROW = DOTS_DOWN / 2, SHARE = 8 };
	return down * (DOTS_ACROSS * c->cols) > across * (HALF_ROW * SHARE);
}

void walk_line(struct dot_walk *w, double x, double y)
{
	const struct chart *c = w->c;
	double x0 = dot_x(w->from_x), y0 = dot_y(w->from_y), x1 = dot_x(x), y1 = dot_y(y);
	double t0 = 0, t1 = 1, left = DOTS_ACROSS - 0.5,
	       right = DOTS_ACROSS * (c->cols + 1) - 0.5 - 1e-6;
	const double level = 1.0 / 64; /* dots down for one across */
	bool is_level = DOTS_DOWN * fabs(y - w->from_y) <= level * fabs(x1 - x0);
	const int floor = passes_soon(c, fabs(x1 - x0), DOTS_DOWN * fabs(y - w->from_y))
				  ? dot_rows(c)
				  : floor_of(c);
	w->from_x = x;
	w->from_y = y;
	if (!clip(x0, x1 - x0, left, right, &t0, &t1) ||
		!clip(y0, y1 - y0, -0.5, floor - 0.5 - 1e-6, &t0, &t1)) {
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
