/* Lines in braille: two by four dots a cell, joined by Bresenham's lines. One colour a cell, that
 * of the series with the most dots in it. */
#include "ui/views/plot_private.h"

#include "ui/views/figure_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void dot(struct chart *c, int x, int y)
{
	static const uint8_t bit[4][2] = { { 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 } };
	c->bits[y / 4 * (c->cols + 1) + x / 2] |= bit[y % 4][x % 2];
}

static bool skipped(const struct series *s, int n)
{
	return s->style == SERIES_DASHED && n % 5 >= 3;
}

static int bresenham(struct chart *c, const struct series *s, int n, int x, int y, int x1, int y1)
{
	int dx = abs(x1 - x), dy = -abs(y1 - y), error = dx + dy;
	int right = x < x1 ? 1 : -1, down = y < y1 ? 1 : -1;
	for (;; n++) {
		if (!skipped(s, n))
			dot(c, x, y);
		if (x == x1 && y == y1)
			return n;
		int twice = 2 * error;
		if (twice >= dy) {
			error += dy;
			x += right;
		}
		if (twice <= dx) {
			error += dx;
			y += down;
		}
	}
}

/* Liang and Barsky: the part of the segment inside the box, as shares of its length. */
static bool clip(double from, double way, double lo, double hi, double *t0, double *t1)
{
	if (way == 0)
		return from >= lo && from <= hi;
	double a = (lo - from) / way, b = (hi - from) / way;
	*t0 = fmax(*t0, fmin(a, b));
	*t1 = fmin(*t1, fmax(a, b));
	return *t0 <= *t1;
}

static void place(struct chart *c, const struct series *s, size_t i, double *x, double *y)
{
	corner(c, s, i, x, y);
	if (*y > c->rows - 0.5 && *y <= c->rows + 0.5)
		*y = c->rows - 0.5; /* lines keep above the axis */
	*x = 2 * *x + 0.5;          /* dot 0.0 is the middle of the first dot of column 0 */
	*y = 4 * *y + 1.5;
}

static void read_dots(struct chart *c, const struct series *s)
{
	double left = 2, right = 2 * c->cols + 1, bottom = 4 * c->rows - 1;
	int n = 0;
	for (size_t i = 0; i < corners(s); i++) {
		double x0, y0, x1 = NAN, y1 = NAN, t0 = 0, t1 = 1;
		place(c, s, i, &x0, &y0);
		if (i + 1 < corners(s))
			place(c, s, i + 1, &x1, &y1);
		if (isnan(x1) || isnan(y1)) { /* the end of a run: its last point */
			x1 = x0;
			y1 = y0;
		}
		if (isnan(x0) || isnan(y0) ||
			!clip(x0, x1 - x0, left - 0.5, right + 0.5, &t0, &t1) ||
			!clip(y0, y1 - y0, -0.5, bottom + 0.5, &t0, &t1))
			continue;
		int ends[4] = {
			(int)lround(fmin(fmax(x0 + t0 * (x1 - x0), left), right)),
			(int)lround(fmin(fmax(y0 + t0 * (y1 - y0), 0), bottom)),
			(int)lround(fmin(fmax(x0 + t1 * (x1 - x0), left), right)),
			(int)lround(fmin(fmax(y0 + t1 * (y1 - y0), 0), bottom)),
		};
		n = bresenham(c, s, n, ends[0], ends[1], ends[2], ends[3]);
	}
}

static unsigned count_bits(unsigned bits)
{
	unsigned n = 0;
	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

static void merge(struct chart *c, size_t series, int row, int col, unsigned bits)
{
	struct spot *spot = chart_at(c, row, col);
	unsigned n = count_bits(bits);
	if (spot->ink != INK_LINE)
		*spot = (struct spot){ .ink = INK_LINE };
	if (n >= spot->n_bits) {
		spot->n_bits = (uint8_t)n;
		spot->owner = (uint8_t)(series + 1);
		spot->style = (uint8_t)series_style(c->p->series[series].colour);
	}
	spot->bits |= (uint8_t)bits;
	spot->code = 0x2800u | spot->bits;
	struct tail *t = &c->tails[series];
	if (!t->drawn || col >= t->col)
		*t = (struct tail){ true, row, col, NAN };
}

void draw_braille(struct chart *c, size_t series)
{
	size_t cells = (size_t)c->rows * (size_t)(c->cols + 1);
	memset(c->bits, 0, cells);
	read_dots(c, &c->p->series[series]);
	for (int row = 0; row < c->rows; row++)
		for (int col = 1; col <= c->cols; col++) {
			unsigned bits = c->bits[row * (c->cols + 1) + col];
			if (bits)
				merge(c, series, row, col, bits);
		}
}
