#include "ui/views/plot_curves.h"

#include "ui/views/plot_dots.h"
#include "ui/views/series_look.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Room ---------------------------------------------------------------------------------- */

int plot_trace_init(struct plot_trace *t, int rows, int cols)
{
	assert(rows > 0 && cols > 0);
	size_t borders = (size_t)cols + 4; /* one more than columns, and a few beyond the ends */
	*t = (struct plot_trace){ 0 };
	t->samples = malloc(borders * sizeof *t->samples);
	t->halves = malloc(2 * borders * sizeof *t->halves);
	t->heights = malloc(borders * sizeof *t->heights);
	t->pieces = malloc(borders * sizeof *t->pieces);
	t->bits = malloc((size_t)(rows + 1) * borders);
	t->along = malloc(borders * sizeof *t->along);
	if (t->samples && t->halves && t->heights && t->pieces && t->bits && t->along)
		return 0;
	plot_trace_release(t);
	return -1;
}

void plot_trace_release(struct plot_trace *t)
{
	free(t->samples);
	free(t->halves);
	free(t->heights);
	free(t->pieces);
	free(t->bits);
	free(t->along);
	*t = (struct plot_trace){ 0 };
}

/* -- Reading a series ---------------------------------------------------------------------- */

/* The points that are joined: a step has a corner between every two points of its series. */
static size_t corners(const struct series *s)
{
	return s->style == SERIES_STEP && s->n > 0 ? 2 * s->n - 1 : s->n;
}

/* Where such a point stands in cells. False: nowhere, there is a gap. */
static bool corner(const struct chart *c, const struct series *s, size_t i, double *x, double *y)
{
	bool step = s->style == SERIES_STEP;
	*x = chart_x(c, s->points[step ? (i + 1) / 2 : i].x);
	*y = chart_y(c, s->points[step ? i / 2 : i].y);
	return !isnan(*x) && !isnan(*y);
}

static void read_segment(const struct chart *c, const struct plot_trace *t, double x0, double y0,
	double x1, double y1)
{
	if (x0 > x1) {
		read_segment(c, t, x1, y1, x0, y0);
		return;
	}
	double first = ceil(fmax(2 * x0 + 1, 0)), last = floor(fmin(2 * x1 + 1, 2 * c->cols + 3));
	double slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
	for (int h = (int)first; h <= (int)last; h++)
		t->halves[h] = y0 + slope * (h / 2.0 - 0.5 - x0);
}

static void read_point(const struct chart *c, const struct plot_trace *t, double shift, size_t i,
	double x, double y)
{
	double place = floor(x + shift + 0.5);
	if (!(place >= 0 && place <= c->cols + 1))
		return;
	struct plot_sample *s = &t->samples[(int)place];
	if (!(s->top <= y)) {
		s->top = y;
		s->top_at = i;
	}
	if (!(s->bottom >= y)) {
		s->bottom = y;
		s->bottom_at = i;
	}
}

bool plot_read_run(const struct chart *c, const struct plot_trace *t, const struct series *s,
	double shift, size_t *next, struct plot_run *run)
{
	size_t i = *next, n = corners(s);
	double x, y, nx, ny;
	while (i < n && !corner(c, s, i, &x, &y))
		i++;
	if (i >= n)
		return false;
	for (int k = 0; k < c->cols + 2; k++)
		t->samples[k] = (struct plot_sample){ NAN, NAN, 0, 0 };
	*run = (struct plot_run){ .x0 = x, .y0 = y };
	read_point(c, t, shift, i, x, y);
	for (i++; i < n; i++) {
		if (!corner(c, s, i, &nx, &ny))
			break;
		int way = nx > x ? 1 : nx < x ? -1 : run->way;
		if (run->way && way != run->way) {
			i--; /* a turn: the next run starts where this one ends */
			break;
		}
		run->way = way;
		read_segment(c, t, x, y, nx, ny);
		read_point(c, t, shift, i, nx, ny);
		x = nx;
		y = ny;
	}
	*next = i;
	run->x1 = x;
	run->y1 = y;
	if (run->way < 0)
		*run = (struct plot_run){ x, y, run->x0, run->y0, -1, 0, 0 };
	run->first = (int)fmin(fmax(floor(run->x0 + 0.5), 1), c->cols + 1);
	run->last = (int)fmax(fmin(floor(run->x1 + 0.5), c->cols), 0);
	return true;
}

double plot_run_height(const struct plot_trace *t, const struct plot_run *run, int half)
{
	double x = half / 2.0 - 0.5;
	return x <= run->x0 ? run->y0 : x >= run->x1 ? run->y1 : t->halves[half];
}

/* The line of a series goes through this cell; the name goes where the last one is. */
static void note_tail(const struct chart *c, size_t series, int row, int col)
{
	struct plot_tail *tail = &c->tails[series];
	if (!tail->drawn || col >= tail->col)
		*tail = (struct plot_tail){ true, tail->listed, row, col };
}

/* -- From points to heights ---------------------------------------------------------------- */

enum turn { STRAIGHT, PEAK, VALLEY };

/* The height to draw at border i. If a peak and a valley fall to the same border, the earlier
 * one is drawn here and the later one is left in *late, for the next border. */
static double pick(const struct plot_trace *t, const struct plot_run *run, int i, enum turn *late,
	double *late_y)
{
	const struct plot_sample *s = &t->samples[i];
	double left = plot_run_height(t, run, 2 * i - 1),
	       right = plot_run_height(t, run, 2 * i + 1);
	bool peak = s->top<fmin(left, right) - 0.3, valley = s->bottom> fmax(left, right) + 0.3;
	enum turn here = peak ? PEAK : valley ? VALLEY : STRAIGHT;
	double y = plot_run_height(t, run, 2 * i);
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

/* A line that reaches the edge of the picture at one border and is beyond it at the next leaves at
 * once: it is drawn as one climb. */
static void leave_at_once(const struct chart *c, const struct plot_trace *t, int i, int way)
{
	int row = chart_row(c, t->heights[i]), edge = row < c->rows / 2 ? 0 : c->rows - 1,
	    beyond = edge ? c->rows : -1;
	int next = chart_row(c, t->heights[i + way]), last = chart_row(c, t->heights[i - way]);
	if (row == edge && next == beyond && last != edge && last != beyond)
		t->heights[i] = t->heights[i + way];
}

static void trace(const struct chart *c, const struct plot_trace *t, const struct plot_run *run)
{
	enum turn late = STRAIGHT;
	double late_y = NAN;
	for (int i = run->first; i <= run->last + 1; i++)
		t->heights[i] = pick(t, run, i, &late, &late_y);
	for (int i = run->first + 1; i <= run->last; i++) {
		leave_at_once(c, t, i, -1);
		leave_at_once(c, t, i, 1);
	}
}

/* -- Pieces -------------------------------------------------------------------------------- */

/* The heights of a line become pieces, one a column, on a lattice of half rows: the middle of a
 * cell (a level line) and the edge between two cells (a low line in the upper one). Where the line
 * is shallow it moves by half rows; where it is steeper it keeps to the edges, so that a diagonal,
 * which leads from corner to corner, joins both neighbours; steeper still it stands upright. Three
 * passes do it: `cut` names each column's piece from its two heights alone, `level` pulls what is
 * level for long into the middle of its cells, where a line is darkest, and `settle` lets a climb
 * stop at the nearer side of the level piece that it meets. */

/* In rows a column. For a flatter line, half rows alone look smoother than diagonals, which would
 * leave it one row of resolution. */
static const double shallow = 0.45;

static double column_height(const struct chart *c, const struct plot_trace *t, int col)
{
	return fmin((t->heights[col] + t->heights[col + 1]) / 2, c->rows - 0.5);
}

/* The edge nearest to a height. */
static int edge_of(const struct chart *c, double y)
{
	int row = chart_row(c, y);
	return row < 0 ? -1 : row >= c->rows ? c->rows + 1 : (int)floor(fmin(y, c->rows - 0.5) + 1);
}

static bool edge_inside(const struct chart *c, int edge)
{
	return edge >= 0 && edge <= c->rows;
}

static void name_piece(struct plot_piece *p)
{
	int rows = abs(p->from - p->to);
	p->kind = rows == 0 ? PIECE_FLAT : rows == 1 ? PIECE_SLANT : PIECE_STEEP;
	p->half = 2 * p->from - 1;
}

/* How far a column leads up or down. The line may begin or end inside the first and the last
 * column, so these are taken to rise like their neighbours. */
static double rise_of(const struct plot_trace *t, const struct plot_run *run, int col)
{
	bool first = col == run->first, last = col == run->last;
	int like = first && !last ? col + 1 : last && !first ? col - 1 : col;
	return fmax(fabs(t->heights[col + 1] - t->heights[col]),
		fabs(t->heights[like + 1] - t->heights[like]));
}

static void cut(const struct chart *c, const struct plot_trace *t, const struct plot_run *run)
{
	for (int col = run->first; col <= run->last; col++) {
		struct plot_piece *p = &t->pieces[col];
		double rise = rise_of(t, run, col);
		*p = (struct plot_piece){ PIECE_STEEP, 0, edge_of(c, t->heights[col]),
			edge_of(c, t->heights[col + 1]) };
		if (!edge_inside(c, p->from) || !edge_inside(c, p->to)) {
			p->kind = p->from == p->to ? PIECE_NONE : PIECE_STEEP;
		} else if (rise < shallow) {
			p->kind = PIECE_FLAT;
			p->half = (int)lround(2 * column_height(c, t, col));
		} else {
			name_piece(p);
		}
	}
}

/* From col on in direction `way`, moves flat pieces that are hardly off the height y to the middle
 * of its row. */
static void flatten(const struct chart *c, const struct plot_trace *t, const struct plot_run *run,
	int col, int way, double y)
{
	for (; col >= run->first && col <= run->last; col += way) {
		if (t->pieces[col].kind != PIECE_FLAT || fabs(column_height(c, t, col) - y) > 0.3)
			return;
		t->pieces[col].half = 2 * chart_row(c, y);
	}
}

/* A stretch that is level for long is drawn through the middle of its cells, wherever in them it
 * is. */
static void level(const struct chart *c, const struct plot_trace *t, const struct plot_run *run)
{
	enum { LONG = 6 };
	for (int col = run->first, end; col <= run->last; col = end) {
		double y = t->heights[col];
		for (end = col; end <= run->last && fabs(t->heights[end + 1] - y) < 0.01; end++)
			;
		if (end - col >= LONG && t->pieces[col].kind == PIECE_FLAT) {
			flatten(c, t, run, col, 1, y);
			flatten(c, t, run, col - 1, -1, y);
		}
		end += end == col;
	}
}

/* A piece that climbs or falls to a level one stops at the nearer side of that one's row. */
static void meet(const struct chart *c, const struct plot_piece *level_piece, int other, int *edge)
{
	if (level_piece->kind == PIECE_FLAT && level_piece->half % 2 == 0 && edge_inside(c, other))
		*edge = level_piece->half / 2 + (other > level_piece->half / 2);
}

static void settle(const struct chart *c, const struct plot_trace *t, const struct plot_run *run)
{
	for (int col = run->first; col <= run->last; col++) {
		struct plot_piece *p = &t->pieces[col];
		if (p->kind != PIECE_SLANT && p->kind != PIECE_STEEP)
			continue;
		if (col > run->first)
			meet(c, p - 1, p->to, &p->from);
		if (col < run->last)
			meet(c, p + 1, p->from, &p->to);
		if (edge_inside(c, p->from) && edge_inside(c, p->to))
			name_piece(p);
	}
}

static void cut_pieces(
	const struct chart *c, const struct plot_trace *t, const struct plot_run *run)
{
	cut(c, t, run);
	level(c, t, run);
	settle(c, t, run);
}

/* -- Strokes ------------------------------------------------------------------------------- */

/* Pieces become glyphs: a level piece is a line in the middle of its cell or a low one at its lower
 * edge, a slant is a diagonal, a steep one a column of upright lines. Where two pieces meet, the
 * glyph of one of them is bent towards the other (bend, joined), so that the stroke has no gap.
 * Only glyphs that common fonts have are used: the scan lines of the VT100 (U+23BA and on) would be
 * finer, but are missing from most. */
struct stroke {
	uint32_t flat, low, high, upright, rise, fall, end_rise, start_rise, end_fall, start_fall;
};
static const struct stroke smooth = { 0x2500, '_', 0x203e, 0x2502, 0x2571, 0x2572, 0x256d, 0x256f,
	0x2570, 0x256e };
static const struct stroke square = { 0x2500, '_', 0x203e, 0x2502, 0, 0, 0x250c, 0x2518, 0x2514,
	0x2510 };
static const struct stroke dashes = { 0x2500, '_', 0x203e, 0x2506, 0x2571, 0x2572, 0, 0, 0, 0 };
static const struct stroke ascii = { '-', '_', '-', '|', '/', '\\', '.', '\'', '\'', '.' };
static const struct stroke ascii_square = { '-', '_', '-', '|', 0, 0, '+', '+', '+', '+' };
static const struct stroke ascii_dashes = { '-', '_', '-', ':', '/', '\\', 0, 0, 0, 0 };

static const struct stroke *stroke_of(const struct chart *c, const struct series *s)
{
	bool plain = c->glyphs == GLYPHS_ASCII;
	if (s->style == SERIES_STEP)
		return plain ? &ascii_square : &square;
	if (s->style == SERIES_DASHED)
		return plain ? &ascii_dashes : &dashes;
	return plain ? &ascii : &smooth;
}

struct pen {
	const struct chart *c;
	const struct plot_trace *t;
	const struct stroke *stroke;
	enum style style;
	enum ink ink;
	size_t series;
};

static bool inside(const struct chart *c, int row)
{
	return row >= 0 && row < c->rows;
}

static double rise_in(const struct plot_trace *t, int col)
{
	return t->heights[col + 1] - t->heights[col];
}

static void ink(const struct pen *pen, int row, int col, uint32_t code)
{
	const struct chart *c = pen->c;
	const struct plot_trace *t = pen->t;
	chart_put(c, row, col, code, pen->style, 0, pen->ink);
	struct spot *spot = row < c->rows ? chart_at(c, row, col) : NULL;
	if (!spot)
		return;
	spot->owner = (uint8_t)(pen->series + 1);
	spot->lean = (int8_t)lround(100 * fmin(fmax(column_height(c, t, col) - row, -1), 1));
	spot->rise = (int8_t)lround(100 * fmin(fmax(rise_in(t, col), -1), 1));
	note_tail(c, pen->series, row, col);
}

/* Shows that the line goes on beyond the edge. */
static void arrow(const struct pen *pen, int col, bool up)
{
	const struct chart *c = pen->c;
	int row = up ? 0 : c->rows - 1;
	ink(pen, row, col, up ? chart_glyph(c, 0x25b2, '^') : chart_glyph(c, 0x25bc, 'v'));
	chart_at(c, row, col)->ink = INK_MARK;
}

/* -- Steps: from the middle of a cell to the middle of another ------------------------------ */

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

static void steps(const struct pen *pen, const struct plot_run *run)
{
	const struct chart *c = pen->c;
	const struct plot_trace *t = pen->t;
	for (int col = run->first; col <= run->last; col++) {
		int from = chart_row(c, t->heights[col]), to = chart_row(c, t->heights[col + 1]);
		if (from == to)
			ink(pen, from, col, pen->stroke->flat);
		else
			climb(pen, col, from, to);
	}
}

/* -- Smooth strokes ------------------------------------------------------------------------- */

/* The piece in a neighbouring column; PIECE_NONE beyond the ends of a run. */
static struct plot_piece beside(const struct plot_trace *t, const struct plot_run *run, int col)
{
	if (col < run->first || col > run->last)
		return (struct plot_piece){ 0 };
	return t->pieces[col];
}

/* +1 for a rising piece, -1 for a falling one. */
static int way_of(const struct plot_piece *p)
{
	return p->kind == PIECE_SLANT || p->kind == PIECE_STEEP
		       ? (p->from > p->to) - (p->from < p->to)
		       : 0;
}

/* The glyph of a level piece: bent towards a diagonal that begins or ends half a row away. */
static uint32_t bend(const struct pen *pen, const struct plot_run *run, int col)
{
	const struct plot_trace *t = pen->t;
	struct plot_piece p = t->pieces[col], left = beside(t, run, col - 1),
			  right = beside(t, run, col + 1);
	int row = p.half / 2;
	bool from_below = left.kind == PIECE_SLANT && way_of(&left) > 0 && left.to == row + 1;
	bool from_above = left.kind == PIECE_SLANT && way_of(&left) < 0 && left.to == row;
	bool to_below = right.kind == PIECE_SLANT && way_of(&right) < 0 && right.from == row + 1;
	bool to_above = right.kind == PIECE_SLANT && way_of(&right) > 0 && right.from == row;
	if (from_below + from_above + to_below + to_above != 1)
		return pen->stroke->flat;
	return from_below   ? pen->stroke->end_rise
	       : from_above ? pen->stroke->end_fall
	       : to_below   ? pen->stroke->start_fall
			    : pen->stroke->start_rise;
}

static void put_flat(const struct pen *pen, int half, int col, uint32_t middle)
{
	if (half < 0)
		ink(pen, 0, col, pen->stroke->high);
	else
		ink(pen, half / 2, col, half % 2 ? pen->stroke->low : middle);
}

/* Whether one end of an upright piece joins its neighbour: a level one in its row or one row on
 * (*row then moves to the neighbour's), or an upright one that turns back. */
static bool joined(const struct plot_piece *p, const struct plot_piece *next, int outward, int *row)
{
	if (next->kind == PIECE_STEEP)
		return way_of(next) == -way_of(p);
	if (next->kind != PIECE_FLAT || next->half % 2 != 0)
		return false;
	if (next->half / 2 == *row + outward)
		*row += outward;
	return next->half / 2 == *row;
}

static void upright(const struct pen *pen, const struct plot_run *run, int col)
{
	const struct stroke *k = pen->stroke;
	const struct chart *c = pen->c;
	const struct plot_trace *t = pen->t;
	struct plot_piece p = t->pieces[col], left = beside(t, run, col - 1),
			  right = beside(t, run, col + 1);
	bool up = p.to < p.from;
	int way = up ? -1 : 1, from = up ? p.from - 1 : p.from, to = up ? p.to : p.to - 1;
	bool bent_from = edge_inside(c, p.from) && joined(&p, &left, -way, &from);
	bool bent_to = edge_inside(c, p.to) && joined(&p, &right, way, &to);
	for (int row = from; row != to + way; row += way)
		ink(pen, row, col, k->upright);
	if (bent_from)
		ink(pen, from, col, up ? k->start_rise : k->start_fall);
	if (bent_to)
		ink(pen, to, col, up ? k->end_rise : k->end_fall);
	if (!edge_inside(c, p.from))
		arrow(pen, col, p.from < 0);
	if (!edge_inside(c, p.to))
		arrow(pen, col, p.to < 0);
}

static void solid(const struct pen *pen, const struct plot_run *run)
{
	const struct plot_trace *t = pen->t;
	cut_pieces(pen->c, t, run);
	for (int col = run->first; col <= run->last; col++) {
		const struct plot_piece *p = &t->pieces[col];
		if (p->kind == PIECE_FLAT)
			put_flat(pen, p->half, col, bend(pen, run, col));
		else if (p->kind == PIECE_SLANT && p->to < p->from)
			ink(pen, p->to, col, pen->stroke->rise);
		else if (p->kind == PIECE_SLANT)
			ink(pen, p->from, col, pen->stroke->fall);
		else if (p->kind == PIECE_STEEP)
			upright(pen, run, col);
	}
}

/* -- Dashes --------------------------------------------------------------------------------- */

/* Whether a dash has no place in this cell: solid lines lie over dashed ones. */
static bool taken(const struct chart *c, int row, int col)
{
	const struct spot *spot = chart_at(c, row, col);
	return !spot || row >= c->rows || spot->ink >= INK_LINE || spot->ink == INK_DASH;
}

/* Draws a level dash. If its cell is taken by a line that runs beside it, it moves to the
 * neighbouring row on its side of that, unless the two are less than an eighth of a row apart; for
 * a line that it crosses it keeps its row and leaves a gap. False: there is no place for it. */
static bool dash_flat(const struct pen *pen, int half, int col)
{
	const struct stroke *k = pen->stroke;
	const struct chart *c = pen->c;
	const struct plot_trace *t = pen->t;
	int row = half < 0 ? 0 : half / 2;
	bool low = half % 2 != 0;
	if (!taken(c, row, col)) {
		put_flat(pen, half, col, k->flat);
		return true;
	}
	const struct spot *there = chart_at(c, row, col);
	double apart = column_height(c, t, col) - row - (there ? there->lean / 100.0 : 0);
	if (there && fabs(rise_in(t, col) - there->rise / 100.0) > 0.04)
		return false;
	if (apart > 0.125 && !taken(c, row + 1, col))
		ink(pen, row + 1, col, k->high);
	else if (apart < -0.125 && !low && !taken(c, row - 1, col))
		ink(pen, row - 1, col, k->low);
	else
		return false;
	return true;
}

static bool dash(const struct pen *pen, int col)
{
	const struct chart *c = pen->c;
	const struct plot_trace *t = pen->t;
	const struct plot_piece *p = &t->pieces[col];
	double y = column_height(c, t, col), rise = rise_in(t, col);
	int row = chart_row(c, y);
	if (fabs(rise) < 0.75) {
		bool level_here = p->kind == PIECE_FLAT && p->half % 2 == 0;
		return dash_flat(pen, level_here ? p->half : (int)lround(2 * y), col);
	}
	if (taken(c, row, col))
		return false;
	ink(pen, row, col, rise < 0 ? pen->stroke->rise : pen->stroke->fall);
	return true;
}

static void dash_upright(const struct pen *pen, int col)
{
	const struct chart *c = pen->c;
	const struct plot_trace *t = pen->t;
	int from = chart_row(c, t->heights[col]), to = chart_row(c, t->heights[col + 1]);
	for (int row = from < to ? from : to; row <= (from < to ? to : from); row++)
		if (!taken(c, row, col))
			ink(pen, row, col, pen->stroke->upright);
}

/* Two columns of dash, then one of gap; a cell that a solid line holds is a gap as well. */
static void dashed(const struct pen *pen, const struct plot_run *run)
{
	const struct chart *c = pen->c;
	const struct plot_trace *t = pen->t;
	int drawn = 0;
	cut_pieces(pen->c, pen->t, run);
	for (int col = run->first; col <= run->last; col++) {
		const struct plot_piece *p = &t->pieces[col];
		double rise = fabs(rise_in(t, col));
		bool steep = p->kind == PIECE_STEEP && rise > 1.6;
		if (steep)
			dash_upright(pen, col);
		else if (p->kind != PIECE_NONE)
			drawn = drawn < 2 && dash(pen, col) ? drawn + 1 : 0;
		if (edge_inside(c, p->from) != edge_inside(c, p->to))
			arrow(pen, col, p->from < 0 || p->to < 0);
	}
}

/* -- A run ---------------------------------------------------------------------------------- */

/* Draws runs that are not lines: a single point is a dot, and a run that never enters the
 * picture is an arrow to where it is. */
static bool degenerate(const struct pen *pen, const struct plot_run *run)
{
	const struct chart *c = pen->c;
	const struct plot_trace *t = pen->t;
	bool above = true, below = true;
	for (int i = run->first; i <= run->last + 1; i++) {
		int row = chart_row(c, t->heights[i]);
		above = above && row < 0;
		below = below && row >= c->rows;
	}
	if (run->first > run->last)
		return true;
	if (above || below)
		arrow(pen, run->first, above);
	else if (run->way == 0 && run->y0 == run->y1)
		ink(pen, chart_row(c, t->heights[run->first]), run->first,
			chart_glyph(c, 0x25cf, 'o'));
	else
		return false;
	return true;
}

static void draw_run(const struct chart *c, const struct plot_trace *t, size_t series,
	const struct plot_run *run)
{
	const struct series *s = &c->p->series[series];
	struct pen pen = { c, t, stroke_of(c, s), meaning_style(s->meaning),
		s->style == SERIES_DASHED ? INK_DASH : INK_LINE, series };
	if (degenerate(&pen, run))
		return;
	if (s->style == SERIES_DASHED)
		dashed(&pen, run);
	else if (s->style == SERIES_STEP)
		steps(&pen, run);
	else
		solid(&pen, run);
}

/* -- Lines in one place -------------------------------------------------------------------- */

/* Whether two points stand in one place, so many rows between them at most. */
static bool together(
	const struct chart *c, const struct point *p, const struct point *q, double rows)
{
	double a = chart_y(c, p->y), b = chart_y(c, q->y);
	bool beyond = fmin(a, b) > c->rows || fmax(a, b) < 0;
	return fabs(chart_x(c, p->x) - chart_x(c, q->x)) < 0.25 && (beyond || fabs(a - b) < rows);
}

/* Whether two lines run in one place in a column: how far apart may grow with how steep they are. */
static bool meet_at(const struct chart *c, const struct series *a, const struct series *b, double x,
	double rows)
{
	double p = chart_y(c, chart_value_at(c, a, x)), q = chart_y(c, chart_value_at(c, b, x));
	if (isnan(p) || isnan(q))
		return isnan(p) && isnan(q);
	double rise = chart_y(c, chart_value_at(c, a, x + 0.5)) -
		      chart_y(c, chart_value_at(c, a, x - 0.5));
	bool beyond = fmin(p, q) > c->rows || fmax(p, q) < 0;
	return beyond || fabs(p - q) < rows * fmax(1, isnan(rise) ? 1 : fabs(rise));
}

/* A thin line that runs through the cells of a thick one is not seen. */
static bool coincide(const struct chart *c, const struct series *a, const struct series *b)
{
	enum { SAMPLES = 12 };
	bool hidden = glyphs_have_dots(c->glyphs) &&
		      (a->style == SERIES_DASHED) != (b->style == SERIES_DASHED);
	const double apart = hidden ? 0.6 : 0.25, apart_at_ends = hidden ? 0.6 : 0.125;
	/* A tinted area has a line as its edge. */
	bool alike = c->fills == FILLS_TINTED || is_area(a) == is_area(b);
	if (a->n < 2 || b->n < 2 || is_scatter(a) || is_scatter(b) || !alike ||
		!together(c, &a->points[0], &b->points[0], apart_at_ends) ||
		!together(c, &a->points[a->n - 1], &b->points[b->n - 1], apart_at_ends))
		return false;
	for (int k = 1; k < SAMPLES; k++)
		if (!meet_at(c, a, b, (double)(c->cols * k) / SAMPLES, apart))
			return false;
	return true;
}

/* -- Dots ---------------------------------------------------------------------------------- */

/* Sets the dots of a line in t->bits. */
static void read_dots(const struct chart *c, const struct plot_trace *t, const struct series *s,
	struct dot_walk *w)
{
	bool on = false;
	memset(t->bits, 0, (size_t)(c->rows + 1) * (size_t)(c->cols + 1));
	for (size_t i = 0; i < corners(s); i++) {
		double x, y;
		bool placed = corner(c, s, i, &x, &y);
		if (placed && on)
			walk_line(w, x, y);
		else if (placed)
			walk_to(w, x, y);
		on = placed;
	}
}

/* Where there are no dots, what is drawn with them all the same (trails) is a point a cell. */
static uint32_t dot_glyph(const struct chart *c, unsigned bits)
{
	if (glyphs_have_dots(c->glyphs))
		return dots_glyph(c->glyphs, bits);
	return chart_glyph(c, 0xb7, '.');
}

bool line_is_context(const struct series *s)
{
	return !meaning_is_work(s->meaning);
}

/* How many solid lines come before a series. */
static size_t lines_before(const struct plot *p, size_t series)
{
	size_t n = 0;
	for (size_t i = 0; i < series; i++)
		n += !is_scatter(&p->series[i]) && p->series[i].style != SERIES_DASHED;
	return n;
}

/* The mean height of some dots of a cell, in rows below the top of it. */
static double mean_of_dots(unsigned bits)
{
	int sum = 0, n = 0;
	for (int bit = 0; bit < DOTS_ACROSS * DOTS_DOWN; bit++)
		if (bits >> bit & 1) {
			sum += bit / DOTS_ACROSS;
			n++;
		}
	return ((double)sum / n + 0.5) / DOTS_DOWN;
}

/* How high the line that is about to be drawn is in a column; NAN: it is not there. */
static double height_at(const struct pen *pen, int col)
{
	double sum = 0;
	int n = 0;
	for (int row = 0; row < pen->c->rows; row++) {
		const unsigned bits = pen->t->bits[row * (pen->c->cols + 1) + col];
		sum += bits ? row + mean_of_dots(bits) : 0;
		n += bits != 0;
	}
	return n ? sum / n : NAN;
}

/* Whether another line is within a row of this one in a column. */
static bool has_neighbour(const struct pen *pen, int col)
{
	const double near = 1, y = height_at(pen, col);
	if (isnan(y))
		return false;
	for (int row = (int)y - 1; row <= (int)y + 1; row++) {
		const struct spot *spot = chart_at(pen->c, row, col);
		if (spot && spot->owner && spot->owner != pen->series + 1 && spot->bits &&
			spot->ink == INK_LINE && fabs(row + mean_of_dots(spot->bits) - y) < near)
			return true;
	}
	return false;
}

/* Finds the columns in which a line runs beside another for longer than where it only crosses it. False: there are
 * none. */
static bool find_along(const struct pen *pen)
{
	enum { CROSSING = 10 };
	bool any = false, *along = pen->t->along;
	for (int col = 1, run = 0; col <= pen->c->cols; col++) {
		along[col] = false;
		run = has_neighbour(pen, col) ? run + 1 : 0;
		for (int k = col; run > CROSSING && k > col - run; k--)
			along[k] = any = true;
	}
	return any;
}

/* A cell has one colour: that of the line on top, with its own dots, where two cross, and wherever one of them is what
 * the other is compared with, which would else have its colour. Where two of a kind run side by side for long, a cell has
 * the dots of both, so that neither has holes, and they part where they do, to a dot. Two that are both work take turns
 * there with their colours, column by column; a line that runs where this one does has no turn. */
static bool is_anothers_turn(
	const struct pen *pen, const struct spot *spot, int col, const bool *takes_turns)
{
	const struct plot *p = pen->c->p;
	if (!spot->owner || spot->owner == pen->series + 1 || spot->ink != INK_LINE ||
		pen->ink != INK_LINE || !takes_turns[spot->owner - 1])
		return false;
	size_t lines = lines_before(p, p->n_series);
	assert(lines > 0); /* this one */
	size_t turn = (size_t)col % lines;
	size_t other = (lines_before(p, spot->owner - 1u) + lines - turn) % lines;
	return other < (lines_before(p, pen->series) + lines - turn) % lines;
}

/* takes_turns: which series do with this one; NULL: it runs along none. */
static void show_cell(
	const struct pen *pen, int row, int col, unsigned bits, const bool *takes_turns)
{
	const struct chart *c = pen->c;
	struct spot *spot = chart_at(c, row, col);
	const struct spot was = *spot;
	const struct series *under = was.owner ? &c->p->series[was.owner - 1] : NULL;
	const bool joins = takes_turns && was.ink == INK_LINE && pen->ink == INK_LINE && under &&
			   line_is_context(under) == line_is_context(&c->p->series[pen->series]);
	enum style style = pen->style;
	if (joins || (was.style == pen->style && pen->ink <= INK_FAINT))
		bits |= was.bits;
	const bool others = takes_turns && is_anothers_turn(pen, &was, col, takes_turns);
	if (others)
		style = (enum style)was.style;
	plate_put(&c->plate, c->row + row, c->col + col, dot_glyph(c, bits), style, 0, pen->ink);
	spot->bits = (uint8_t)bits;
	if (pen->ink > INK_FAINT)
		spot->owner = others ? was.owner : (uint8_t)(pen->series + 1);
	if (pen->ink > INK_FAINT && !others)
		note_tail(c, pen->series, row, col);
}

static bool show_dots(const struct pen *pen)
{
	const struct chart *c = pen->c;
	bool any = false, takes_turns[UINT8_MAX + 1] = { false }; /* a spot has no other owners */
	const bool runs_along = find_along(pen);
	for (size_t i = 0; runs_along && i < c->p->n_series && i <= UINT8_MAX; i++)
		takes_turns[i] = !line_is_context(&c->p->series[i]) &&
				 !coincide(c, &c->p->series[i], &c->p->series[pen->series]);
	for (int row = 0; row < c->rows; row++)
		for (int col = 1; col <= c->cols; col++) {
			unsigned bits = pen->t->bits[row * (c->cols + 1) + col];
			if (bits)
				show_cell(pen, row, col, bits,
					pen->t->along[col] ? takes_turns : NULL);
			any |= bits != 0;
		}
	return any;
}

/* What is no line: a point on its own, or a line beyond the picture. */
static void draw_specks(const struct pen *pen)
{
	struct plot_run run;
	const struct series *s = &pen->c->p->series[pen->series];
	for (size_t next = 0; plot_read_run(pen->c, pen->t, s, 0.5, &next, &run);) {
		trace(pen->c, pen->t, &run);
		degenerate(pen, &run);
	}
}

/* What a line is compared with is every second dot of one. */
void read_line_dots(const struct chart *c, const struct plot_trace *t, const struct series *s)
{
	struct dot_walk w = {
		.c = c, .bits = t->bits, .drawn = 1, .of = s->style == SERIES_DASHED ? 2 : 1
	};
	read_dots(c, t, s, &w);
}

static void draw_dots(const struct chart *c, const struct plot_trace *t, size_t series)
{
	const struct series *s = &c->p->series[series];
	struct pen pen = { c, t, stroke_of(c, s), meaning_style(s->meaning),
		s->style == SERIES_DASHED ? INK_DASH : INK_LINE, series };
	read_line_dots(c, t, s);
	if (!show_dots(&pen))
		draw_specks(&pen);
}

void draw_dotted(const struct chart *c, const struct plot_trace *t, const struct series *s)
{
	struct dot_walk w = { .c = c, .bits = t->bits, .drawn = 1, .of = 2 };
	struct pen pen = { .c = c, .t = t, .style = STYLE_DIM, .ink = INK_FAINT };
	assert(glyphs_have_dots(c->glyphs));
	read_dots(c, t, s, &w);
	show_dots(&pen);
}

void draw_trail(const struct chart *c, const struct plot_trace *t, const struct point *from,
	const struct point *to)
{
	struct dot_walk w = { .c = c, .bits = t->bits, .drawn = 1, .of = 2 };
	struct pen pen = { .c = c, .t = t, .style = STYLE_DIM, .ink = INK_FAINT };
	memset(t->bits, 0, (size_t)(c->rows + 1) * (size_t)(c->cols + 1));
	walk_to(&w, chart_x(c, from->x), chart_y(c, from->y));
	walk_line(&w, chart_x(c, to->x), chart_y(c, to->y));
	show_dots(&pen);
}

/* -- Heights ------------------------------------------------------------------------------- */

/* How high the line in a cell is there; NAN: there is none. */
static double height_in(const struct chart *c, int row, int col)
{
	const struct spot *s = chart_at(c, row, col);
	if (!s || !s->owner)
		return NAN;
	return row + (s->bits ? mean_of_dots(s->bits) - 0.5 : s->lean / 100.0);
}

/* How far beside the middle of a cell its line of dots is, in columns. */
static double beside_in(const struct chart *c, int row, int col)
{
	const struct spot *s = chart_at(c, row, col);
	int sum = 0, n = 0;
	for (int bit = 0; s && bit < DOTS_ACROSS * DOTS_DOWN; bit++)
		if (s->bits >> bit & 1) {
			sum += bit % DOTS_ACROSS;
			n++;
		}
	return n ? fabs(((double)sum / n + 0.5) / DOTS_ACROSS - 0.5) : 0;
}

bool line_is_near(const struct chart *c, double y, int col)
{
	int row = chart_row(c, y);
	for (int k = -1; k <= 1; k++)
		if (fabs(height_in(c, row + k, col) - y) <= 1)
			return true;
	return false;
}

/* Heights are known to half a dot. */
static const double half_a_dot = 0.5 / DOTS_DOWN;

/* How far a mark is from the line in a cell, as that is drawn or as it is meant; NAN: there is none. */
static double apart_in(const struct chart *c, int row, int col, double y)
{
	double drawn = height_in(c, row, col);
	if (isnan(drawn))
		return NAN;
	const struct series *s = &c->p->series[chart_at(c, row, col)->owner - 1];
	double meant = chart_y(c, chart_value_at(c, s, col));
	return fmin(fabs(drawn - y) - half_a_dot, fabs(meant - y));
}

int row_on_line(const struct chart *c, double y, int col)
{
	int row = chart_row(c, y), beside = y > row ? row + 1 : row - 1;
	bool on = isnan(height_in(c, row, col)) && apart_in(c, beside, col, y) <= 0.5;
	return on && row >= 0 && row < c->rows ? beside : row;
}

/* -- Whole lines --------------------------------------------------------------------------- */

void draw_line(const struct chart *c, const struct plot_trace *t, size_t series)
{
	struct plot_run run;
	assert(series < c->p->n_series && !is_scatter(&c->p->series[series]));
	if (glyphs_have_dots(c->glyphs)) {
		draw_dots(c, t, series);
		return;
	}
	for (size_t next = 0; plot_read_run(c, t, &c->p->series[series], 0.5, &next, &run);) {
		trace(c, t, &run);
		draw_run(c, t, series, &run);
	}
}

static bool has_name(const struct series *s)
{
	return s->name && s->name[0];
}

size_t line_leader(const struct chart *c, size_t series)
{
	const struct series *all = c->p->series;
	size_t leader = series;
	for (size_t i = 0; i < c->p->n_series && has_name(&all[series]); i++) {
		bool over = all[leader].style == SERIES_DASHED && all[i].style != SERIES_DASHED;
		bool alike =
			(all[leader].style == SERIES_DASHED) == (all[i].style == SERIES_DASHED);
		if ((over || (alike && i < leader)) && has_name(&all[i]) &&
			coincide(c, &all[i], &all[series]))
			leader = i;
	}
	return leader;
}

static bool is_of_line(const struct chart *c, int row, int col, size_t series, bool of_another)
{
	const struct spot *s = row >= 0 && row < c->rows ? chart_at(c, row, col) : NULL;
	bool line = s && s->owner && (s->ink == INK_LINE || s->ink == INK_DASH);
	return line && (s->owner == series + 1) != of_another;
}

static bool has_mark(const struct chart *c, int row, int col)
{
	const struct spot *s = chart_at(c, row, col);
	return s && s->ink == INK_MARK;
}

/* A mark right beside another line or its mark would be taken for one of that. */
static bool free_for_marker(const struct chart *c, size_t series, int row, int col)
{
	enum { APART = 2 };
	for (int k = -1; k <= 1; k++) {
		if (is_of_line(c, row + k, col, series, true))
			return false;
		for (int by = -APART; by <= APART; by++)
			if (has_mark(c, row + k, col + by))
				return false;
	}
	return is_of_line(c, row, col, series, false);
}

/* Where a line may be marked from a column on: in a cell of its own, and if it can be, where the line
 * runs through the middle of that, and not along a side of it. NULL: nowhere. */
static struct spot *place_marker(const struct chart *c, size_t series, int want, int within)
{
	const double a_column_on = 0.01; /* as bad as so many rows off */
	struct spot *best = NULL;
	double best_off = INFINITY;
	for (int col = want; col < want + within; col++) {
		int row = chart_row(c, chart_y(c, chart_value_at(c, &c->p->series[series], col)));
		if (!free_for_marker(c, series, row, col))
			row--; /* a low line in the cell above */
		if (!free_for_marker(c, series, row, col))
			continue;
		double off = fabs(height_in(c, row, col) - row) + beside_in(c, row, col) +
			     a_column_on * (col - want);
		if (off < best_off - 1e-6) {
			best_off = off;
			best = chart_at(c, row, col);
		}
	}
	return best;
}

/* Each line has three marks, staggered, so that lines can be told apart where they cross. */
void mark_line(const struct chart *c, size_t series)
{
	const struct series *s = &c->p->series[series];
	size_t n = c->p->n_series;
	double every = c->cols / 3.0, shift = every * (double)(series + 1) / (double)(n + 1);
	for (int k = 0; k < 3; k++) {
		struct spot *spot =
			place_marker(c, series, (int)(shift + k * every), (int)fmax(every / 2, 4));
		if (!spot)
			continue;
		spot->code = point_marker(c->glyphs, s, ROLE_PLAIN);
		spot->ink = INK_MARK;
	}
}
