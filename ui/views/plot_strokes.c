/* From pieces of a line to glyphs. Only glyphs that common fonts have: the scan lines of the VT100
 * (U+23BA and on) would be finer, but are missing from most. */
#include "ui/views/figure_view.h"
#include "ui/views/plot_private.h"

#include <math.h>
#include <stdlib.h>

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
	struct chart *c;
	const struct stroke *stroke;
	enum style style;
	enum ink ink;
	size_t series;
};

static bool inside(const struct chart *c, int row)
{
	return row >= 0 && row < c->rows;
}

static void ink(const struct pen *pen, int row, int col, uint32_t code)
{
	struct chart *c = pen->c;
	chart_put(c, row, col, code, pen->style, 0, pen->ink);
	struct spot *spot = row < c->rows ? chart_at(c, row, col) : NULL;
	if (!spot)
		return;
	spot->owner = (uint8_t)(pen->series + 1);
	spot->lean = (int8_t)lround(100 * fmin(fmax(column_height(c, col) - row, -1), 1));
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

static void steps(const struct pen *pen, const struct run *run)
{
	const struct chart *c = pen->c;
	for (int col = run->first; col <= run->last; col++) {
		int from = row_of(c, c->heights[col]), to = row_of(c, c->heights[col + 1]);
		if (from == to)
			ink(pen, from, col, pen->stroke->flat);
		else
			climb(pen, col, from, to);
	}
}

/* -- Smooth strokes ------------------------------------------------------------------------- */

/* The piece beside another one; none at the ends of a run. */
static struct piece beside(const struct chart *c, const struct run *run, int col)
{
	if (col < run->first || col > run->last)
		return (struct piece){ 0 };
	return c->pieces[col];
}

/* +1 rising, -1 falling. */
static int way_of(const struct piece *p)
{
	return p->kind == PIECE_SLANT || p->kind == PIECE_STEEP
		       ? (p->from > p->to) - (p->from < p->to)
		       : 0;
}

/* A level piece half a row from the end of a diagonal is bent towards it. */
static uint32_t bend(const struct pen *pen, const struct run *run, int col)
{
	const struct chart *c = pen->c;
	struct piece p = c->pieces[col], left = beside(c, run, col - 1),
		     right = beside(c, run, col + 1);
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

/* One end of an upright piece: joined to a level neighbour in its row or one row on, and to an
 * upright one that turns back. Moves *row to the neighbour's. */
static bool joined(const struct piece *p, const struct piece *next, int outward, int *row)
{
	if (next->kind == PIECE_STEEP)
		return way_of(next) == -way_of(p);
	if (next->kind != PIECE_FLAT || next->half % 2 != 0)
		return false;
	if (next->half / 2 == *row + outward)
		*row += outward;
	return next->half / 2 == *row;
}

static void upright(const struct pen *pen, const struct run *run, int col)
{
	const struct stroke *k = pen->stroke;
	const struct chart *c = pen->c;
	struct piece p = c->pieces[col], left = beside(c, run, col - 1),
		     right = beside(c, run, col + 1);
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

static void solid(const struct pen *pen, const struct run *run)
{
	const struct chart *c = pen->c;
	cut_pieces(pen->c, run);
	for (int col = run->first; col <= run->last; col++) {
		const struct piece *p = &c->pieces[col];
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

/* Solid lines lie over dashed ones, whichever was drawn first. */
static bool taken(const struct chart *c, int row, int col)
{
	const struct spot *spot = chart_at(c, row, col);
	return !spot || row >= c->rows || spot->ink >= INK_LINE || spot->ink == INK_DASH;
}

/* A dash in a taken cell moves to the side on which it lies of what is there, unless that is less
 * than an eighth of a row. False: there is no place for it. */
static bool dash_flat(const struct pen *pen, int half, int col)
{
	const struct stroke *k = pen->stroke;
	const struct chart *c = pen->c;
	int row = half < 0 ? 0 : half / 2;
	bool low = half % 2 != 0;
	if (!taken(c, row, col)) {
		put_flat(pen, half, col, k->flat);
		return true;
	}
	double apart = column_height(c, col) - row - chart_at(c, row, col)->lean / 100.0;
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
	const struct piece *p = &c->pieces[col];
	double y = column_height(c, col), rise = c->heights[col + 1] - c->heights[col];
	int row = row_of(c, y);
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
	int from = row_of(c, c->heights[col]), to = row_of(c, c->heights[col + 1]);
	for (int row = from < to ? from : to; row <= (from < to ? to : from); row++)
		if (!taken(c, row, col))
			ink(pen, row, col, pen->stroke->upright);
}

/* Two columns of dash and one of gap; a cell that a solid line holds is a gap as well. */
static void dashed(const struct pen *pen, const struct run *run)
{
	const struct chart *c = pen->c;
	int drawn = 0;
	cut_pieces(pen->c, run);
	for (int col = run->first; col <= run->last; col++) {
		const struct piece *p = &c->pieces[col];
		double rise = fabs(c->heights[col + 1] - c->heights[col]);
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

/* A run of one point is a dot; a run that never enters the picture shows where it went. */
static bool degenerate(const struct pen *pen, const struct run *run)
{
	struct chart *c = pen->c;
	bool above = true, below = true;
	for (int i = run->first; i <= run->last + 1; i++) {
		int row = row_of(c, c->heights[i]);
		above = above && row < 0;
		below = below && row >= c->rows;
	}
	if (run->first > run->last)
		return true;
	if (above || below)
		arrow(pen, run->first, above);
	else if (run->way == 0 && run->y0 == run->y1)
		ink(pen, row_of(c, c->heights[run->first]), run->first,
			c->glyphs == GLYPHS_ASCII ? 'o' : 0x25cf);
	else
		return false;
	return true;
}

void draw_run(struct chart *c, size_t series, const struct run *run)
{
	const struct series *s = &c->p->series[series];
	struct pen pen = { c, stroke_of(c, s), series_style(s->colour),
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
