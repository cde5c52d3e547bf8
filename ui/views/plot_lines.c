/* Lines as glyphs. A series is read at the borders between columns; each column then joins the
 * row at its left to the row at its right, so that the stroke never breaks. A peak or a valley
 * between two borders is moved to the nearer one, so that none is lost. */
#include "ui/figure_view.h"
#include "ui/views/plot_private.h"

#include <math.h>
#include <stdlib.h>

/* -- Reading a series ---------------------------------------------------------------------- */

/* Points as drawn: steps have a corner between every two. */
size_t corners(const struct series *s)
{
	return s->style == SERIES_STEP && s->n > 0 ? 2 * s->n - 1 : s->n;
}

bool corner(const struct chart *c, const struct series *s, size_t i, double *x, double *y)
{
	bool step = s->style == SERIES_STEP;
	*x = chart_x(c, s->points[step ? (i + 1) / 2 : i].x);
	*y = chart_y(c, s->points[step ? i / 2 : i].y);
	return !isnan(*x) && !isnan(*y);
}

static void read_segment(struct chart *c, double x0, double y0, double x1, double y1)
{
	if (x0 > x1) {
		read_segment(c, x1, y1, x0, y0);
		return;
	}
	double first = ceil(fmax(2 * x0 + 1, 0)), last = floor(fmin(2 * x1 + 1, 2 * c->cols + 3));
	double slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
	for (int h = (int)first; h <= (int)last; h++)
		c->halves[h] = y0 + slope * (h / 2.0 - 0.5 - x0);
}

static void read_point(struct chart *c, double shift, size_t i, double x, double y)
{
	double place = floor(x + shift + 0.5);
	if (!(place >= 0 && place <= c->cols + 1))
		return;
	struct sample *s = &c->samples[(int)place];
	if (!(s->top <= y)) {
		s->top = y;
		s->top_at = i;
	}
	if (!(s->bottom >= y)) {
		s->bottom = y;
		s->bottom_at = i;
	}
}

bool read_run(struct chart *c, const struct series *s, double shift, size_t *next, struct run *run)
{
	size_t i = *next, n = corners(s);
	double x, y, nx, ny;
	while (i < n && !corner(c, s, i, &x, &y))
		i++;
	if (i >= n)
		return false;
	for (int k = 0; k < c->cols + 2; k++)
		c->samples[k] = (struct sample){ NAN, NAN, 0, 0 };
	*run = (struct run){ .x0 = x, .y0 = y };
	read_point(c, shift, i, x, y);
	for (i++; i < n; i++) {
		if (!corner(c, s, i, &nx, &ny))
			break;
		int way = nx > x ? 1 : nx < x ? -1 : run->way;
		if (run->way && way != run->way) {
			i--; /* a turn: the next run starts where this one ends */
			break;
		}
		run->way = way;
		read_segment(c, x, y, nx, ny);
		read_point(c, shift, i, nx, ny);
		x = nx;
		y = ny;
	}
	*next = i;
	run->x1 = x;
	run->y1 = y;
	if (run->way < 0)
		*run = (struct run){ x, y, run->x0, run->y0, -1, 0, 0 };
	run->first = (int)fmin(fmax(floor(run->x0 + 0.5), 1), c->cols + 1);
	run->last = (int)fmax(fmin(floor(run->x1 + 0.5), c->cols), 0);
	return true;
}

double run_height(const struct chart *c, const struct run *run, int half)
{
	double x = half / 2.0 - 0.5;
	return x <= run->x0 ? run->y0 : x >= run->x1 ? run->y1 : c->halves[half];
}

/* -- From heights to rows ------------------------------------------------------------------ */

/* The lowest half row belongs to the axis; lines keep above it. */
int row_of(const struct chart *c, double y)
{
	if (!(y >= -0.5))
		return -1;
	if (y < c->rows - 0.5)
		return (int)floor(y + 0.5);
	return y <= c->rows + 0.5 ? c->rows - 1 : c->rows;
}

enum turn { STRAIGHT, PEAK, VALLEY };

/* The height to draw at border i. Of a peak and a valley at the same border the later one is left
 * in *late, for the next. */
static double pick(
        const struct chart *c, const struct run *run, int i, enum turn *late, double *late_y)
{
	const struct sample *s = &c->samples[i];
	double left = run_height(c, run, 2 * i - 1), right = run_height(c, run, 2 * i + 1);
	bool peak = s->top<fmin(left, right) - 0.3, valley = s->bottom> fmax(left, right) + 0.3;
	enum turn here = peak ? PEAK : valley ? VALLEY : STRAIGHT;
	double y = run_height(c, run, 2 * i);
	if (peak && valley && (s->top_at < s->bottom_at) != (run->way >= 0))
		here = VALLEY;
	if (*late != STRAIGHT) {
		here = *late;
		y = *late_y;
	}
	if (here == PEAK && peak)
		y = y < s->top && *late ? y : s->top;
	if (here == VALLEY && valley)
		y = y > s->bottom && *late ? y : s->bottom;
	*late = here == PEAK && valley ? VALLEY : here == VALLEY && peak ? PEAK : STRAIGHT;
	*late_y = *late == PEAK ? s->top : s->bottom;
	return y;
}

/* A climb to the edge row that goes on beyond it at the next border is one climb. */
static void leave_at_once(struct chart *c, int i, int way)
{
	int *row = &c->path[i], edge = *row < c->rows / 2 ? 0 : c->rows - 1,
	    beyond = edge ? c->rows : -1;
	if (*row == edge && row[way] == beyond && row[-way] != edge && row[-way] != beyond)
		*row = beyond;
}

static void trace(struct chart *c, const struct run *run)
{
	enum turn late = STRAIGHT;
	double late_y = NAN;
	for (int i = run->first; i <= run->last + 1; i++)
		c->path[i] = row_of(c, pick(c, run, i, &late, &late_y));
	for (int i = run->first + 1; i <= run->last; i++) {
		leave_at_once(c, i, -1);
		leave_at_once(c, i, 1);
	}
}

/* -- From rows to glyphs ------------------------------------------------------------------- */

struct stroke {
	uint32_t flat, upright, rise, fall, end_rise, start_rise, end_fall, start_fall;
};
static const struct stroke smooth = { 0x2500, 0x2502, 0x2571, 0x2572, 0x256d, 0x256f, 0x2570,
	0x256e },
                           square = { 0x2500, 0x2502, 0, 0, 0x250c, 0x2518, 0x2514, 0x2510 },
                           ascii = { '-', '|', '/', '\\', '.', '\'', '\'', '.' },
                           ascii_square = { '-', '|', 0, 0, '+', '+', '+', '+' };

static const struct stroke *stroke_of(const struct chart *c, const struct series *s)
{
	if (c->glyphs == GLYPHS_ASCII)
		return s->style == SERIES_STEP ? &ascii_square : &ascii;
	return s->style == SERIES_STEP ? &square : &smooth;
}

struct pen {
	struct chart *c;
	const struct stroke *stroke;
	enum style style;
	size_t series;
};

static void ink(const struct pen *pen, int row, int col, uint32_t code)
{
	struct chart *c = pen->c;
	chart_put(c, row, col, code, pen->style, 0, INK_LINE);
	struct spot *spot = row < c->rows ? chart_at(c, row, col) : NULL;
	if (!spot)
		return;
	spot->owner = (uint8_t)(pen->series + 1);
	struct tail *t = &c->tails[pen->series];
	if (!t->drawn || col >= t->col)
		*t = (struct tail){ true, row, col, NAN };
}

/* The line goes on beyond the edge. */
static void arrow(const struct pen *pen, int col, bool up)
{
	bool plain = pen->c->glyphs == GLYPHS_ASCII;
	int row = up ? 0 : pen->c->rows - 1;
	ink(pen, row, col, up ? (plain ? '^' : 0x25b2) : (plain ? 'v' : 0x25bc));
	chart_at(pen->c, row, col)->ink = INK_MARK;
}

static bool inside(const struct chart *c, int row)
{
	return row >= 0 && row < c->rows;
}

static void climb(const struct pen *pen, int col, int from, int to)
{
	const struct stroke *k = pen->stroke;
	bool up = to < from;
	int way = up ? -1 : 1;
	ink(pen, from, col, up ? k->start_rise : k->start_fall);
	for (int row = from + way; row != to; row += way)
		ink(pen, row, col, k->upright);
	ink(pen, to, col, up ? k->end_rise : k->end_fall);
	if (!inside(pen->c, from))
		arrow(pen, col, from < 0);
	if (!inside(pen->c, to))
		arrow(pen, col, to < 0);
}

/* One row a column for three columns or more: a diagonal is smoother than a staircase. */
static bool diagonal(const struct chart *c, const struct run *run, int col)
{
	const int *path = c->path;
	int d = path[col + 1] - path[col], length = 1;
	if (abs(d) != 1 || !inside(c, path[col]) || !inside(c, path[col + 1]))
		return false;
	for (int i = col - 1; i >= run->first && path[i + 1] - path[i] == d; i--)
		length++;
	for (int i = col + 1; i <= run->last && path[i + 1] - path[i] == d; i++)
		length++;
	return length >= 3;
}

/* +1 rising, -1 falling, 0: no diagonal here. */
static int slant(const struct chart *c, const struct run *run, int col)
{
	if (col < run->first || col > run->last || !diagonal(c, run, col))
		return 0;
	return c->path[col] - c->path[col + 1];
}

/* A diagonal takes the lower one of its two rows. Where it leaves or meets that row it is bent,
 * and the level column at its upper end is bent towards it. */
static uint32_t slanted(const struct pen *pen, const struct run *run, int col)
{
	const struct stroke *k = pen->stroke;
	if (slant(pen->c, run, col) > 0)
		return slant(pen->c, run, col - 1) > 0 ? k->rise : k->start_rise;
	return slant(pen->c, run, col + 1) < 0 ? k->fall : k->end_fall;
}

static uint32_t level(const struct pen *pen, const struct run *run, int col)
{
	bool up_to = slant(pen->c, run, col - 1) > 0, down_from = slant(pen->c, run, col + 1) < 0;
	if (!pen->stroke->rise || up_to == down_from)
		return pen->stroke->flat;
	return up_to ? pen->stroke->end_rise : pen->stroke->start_fall;
}

static void solid(const struct pen *pen, const struct run *run)
{
	const struct chart *c = pen->c;
	for (int col = run->first; col <= run->last; col++) {
		int from = c->path[col], to = c->path[col + 1];
		if (from == to)
			ink(pen, from, col, level(pen, run, col));
		else if (pen->stroke->rise && slant(c, run, col))
			ink(pen, from > to ? from : to, col, slanted(pen, run, col));
		else
			climb(pen, col, from, to);
	}
}

/* No joints: each column shows the slope at its middle, and gaps come by themselves. */
static void dashed(const struct pen *pen, const struct run *run)
{
	const struct chart *c = pen->c;
	bool plain = c->glyphs == GLYPHS_ASCII;
	for (int col = run->first; col <= run->last; col++) {
		int from = c->path[col], to = c->path[col + 1];
		int row = row_of(c, run_height(c, run, 2 * col + 1));
		int before = c->path[col > run->first ? col - 1 : col];
		int after = c->path[col < run->last ? col + 2 : col + 1];
		int way = to > from ? 1 : -1;
		if (abs(after - before) < 2 && abs(to - from) < 2) {
			if (!plain || col % 2)
				ink(pen, row, col, plain ? '-' : 0x254c);
		} else if (abs(to - from) < 2) {
			if (col % 3)
				ink(pen, row, col,
				        after < before ? (plain ? '/' : 0x2571)
				                       : (plain ? '\\' : 0x2572));
		} else {
			for (int r = from; r != to; r += way)
				ink(pen, r, col, plain ? ':' : 0x2506);
		}
		if (inside(c, from) != inside(c, to))
			arrow(pen, col, from < 0 || to < 0);
	}
}

/* A run of one point is a dot; a run that never enters the picture shows where it went. */
static bool degenerate(const struct pen *pen, const struct run *run)
{
	struct chart *c = pen->c;
	bool above = true, below = true;
	for (int i = run->first; i <= run->last + 1; i++) {
		above = above && c->path[i] < 0;
		below = below && c->path[i] >= c->rows;
	}
	if (run->first > run->last)
		return true;
	if (above || below)
		arrow(pen, run->first, above);
	else if (run->way == 0 && run->y0 == run->y1)
		ink(pen, c->path[run->first], run->first, c->glyphs == GLYPHS_ASCII ? 'o' : 0x25cf);
	else
		return false;
	return true;
}

static bool free_for_marker(const struct chart *c, size_t series, int row, int col)
{
	const struct spot *s = row >= 0 && row < c->rows ? chart_at(c, row, col) : NULL;
	return s && s->ink == INK_LINE && s->owner == series + 1;
}

/* Three marks a line, staggered, so that lines can be told apart where they cross. */
void mark_line(struct chart *c, size_t series)
{
	const struct series *s = &c->p->series[series];
	size_t n = c->p->n_series;
	double every = c->cols / 3.0, shift = every * (double)(series + 1) / (double)(n + 1);
	for (int k = 0; k < 3; k++) {
		int want = (int)(shift + k * every);
		for (int col = want; col < want + 4; col++) {
			int row = row_of(c, chart_y(c, chart_value_at(c, s, col)));
			if (!free_for_marker(c, series, row, col))
				continue;
			struct spot *spot = chart_at(c, row, col);
			spot->code = chart_marker(c, s, ROLE_PLAIN);
			spot->ink = INK_MARK;
			break;
		}
	}
}

void draw_line(struct chart *c, size_t series)
{
	const struct series *s = &c->p->series[series];
	struct pen pen = { c, stroke_of(c, s), series_style(s->colour), series };
	struct run run;
	for (size_t next = 0; read_run(c, s, 0.5, &next, &run);) {
		trace(c, &run);
		if (degenerate(&pen, &run))
			continue;
		if (s->style == SERIES_DASHED)
			dashed(&pen, &run);
		else
			solid(&pen, &run);
	}
}
