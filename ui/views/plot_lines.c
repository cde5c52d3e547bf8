/* Lines as glyphs. A series is read at the borders between columns; each column then joins the
 * row at its left to the row at its right, so that the stroke never breaks. A peak or a valley
 * between two borders is moved to the nearer one, so that none is lost. */
#include "ui/views/figure_view.h"
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

/* A climb to the edge that goes on beyond it at the next border is one climb. */
static void leave_at_once(struct chart *c, int i, int way)
{
	int row = row_of(c, c->heights[i]), edge = row < c->rows / 2 ? 0 : c->rows - 1,
	    beyond = edge ? c->rows : -1;
	int next = row_of(c, c->heights[i + way]), last = row_of(c, c->heights[i - way]);
	if (row == edge && next == beyond && last != edge && last != beyond)
		c->heights[i] = c->heights[i + way];
}

static void trace(struct chart *c, const struct run *run)
{
	enum turn late = STRAIGHT;
	double late_y = NAN;
	for (int i = run->first; i <= run->last + 1; i++)
		c->heights[i] = pick(c, run, i, &late, &late_y);
	for (int i = run->first + 1; i <= run->last; i++) {
		leave_at_once(c, i, -1);
		leave_at_once(c, i, 1);
	}
}

/* -- Whole lines --------------------------------------------------------------------------- */

void draw_line(struct chart *c, size_t series)
{
	struct run run;
	for (size_t next = 0; read_run(c, &c->p->series[series], 0.5, &next, &run);) {
		trace(c, &run);
		draw_run(c, series, &run);
	}
}

static bool free_for_marker(const struct chart *c, size_t series, int row, int col)
{
	const struct spot *s = row >= 0 && row < c->rows ? chart_at(c, row, col) : NULL;
	return s && (s->ink == INK_LINE || s->ink == INK_DASH) && s->owner == series + 1;
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
				row--; /* a low line in the cell above */
			if (!free_for_marker(c, series, row, col))
				continue;
			struct spot *spot = chart_at(c, row, col);
			spot->code = chart_marker(c, s, ROLE_PLAIN);
			spot->ink = INK_MARK;
			break;
		}
	}
}
