/* From the heights of a line to pieces, one a column. They are laid on a lattice of half rows: the
 * middle of a cell (a level line) and the edge between two cells (a low line in the upper one).
 * Where the line is shallow it moves by half rows; where it is steeper it keeps to the edges, so
 * that a diagonal, which leads from corner to corner, joins both neighbours; steeper still it
 * stands upright. */
#include "ui/views/plot_private.h"

#include <math.h>
#include <stdlib.h>

/* Flatter than this, half rows alone are smoother than a diagonal now and then. */
static const double shallow = 0.12;

double column_height(const struct chart *c, int col)
{
	return fmin((c->heights[col] + c->heights[col + 1]) / 2, c->rows - 0.5);
}

/* The edge nearest to a height. */
static int edge_of(const struct chart *c, double y)
{
	int row = row_of(c, y);
	return row < 0 ? -1 : row >= c->rows ? c->rows + 1 : (int)floor(fmin(y, c->rows - 0.5) + 1);
}

bool edge_inside(const struct chart *c, int edge)
{
	return edge >= 0 && edge <= c->rows;
}

static void name_piece(struct piece *p)
{
	int rows = abs(p->from - p->to);
	p->kind = rows == 0 ? PIECE_FLAT : rows == 1 ? PIECE_SLANT : PIECE_STEEP;
	p->half = 2 * p->from - 1;
}

/* How far a column leads up or down. The line may end within the first and the last one; they
 * are drawn as their neighbours are. */
static double rise_of(const struct chart *c, const struct run *run, int col)
{
	bool first = col == run->first, last = col == run->last;
	int like = first && !last ? col + 1 : last && !first ? col - 1 : col;
	return fmax(fabs(c->heights[col + 1] - c->heights[col]),
		fabs(c->heights[like + 1] - c->heights[like]));
}

static void cut(const struct chart *c, const struct run *run)
{
	for (int col = run->first; col <= run->last; col++) {
		struct piece *p = &c->pieces[col];
		double rise = rise_of(c, run, col);
		*p = (struct piece){ PIECE_STEEP, 0, edge_of(c, c->heights[col]),
			edge_of(c, c->heights[col + 1]) };
		if (!edge_inside(c, p->from) || !edge_inside(c, p->to)) {
			p->kind = p->from == p->to ? PIECE_NONE : PIECE_STEEP;
		} else if (rise < shallow) {
			p->kind = PIECE_FLAT;
			p->half = (int)lround(2 * column_height(c, col));
		} else {
			name_piece(p);
		}
	}
}

/* From col on in direction `way`, flat pieces that are hardly off the height. */
static void flatten(const struct chart *c, const struct run *run, int col, int way, double y)
{
	for (; col >= run->first && col <= run->last; col += way) {
		if (c->pieces[col].kind != PIECE_FLAT || fabs(column_height(c, col) - y) > 0.3)
			return;
		c->pieces[col].half = 2 * row_of(c, y);
	}
}

/* What is level for long goes through the middle of its cells, wherever it is in them. */
static void level(const struct chart *c, const struct run *run)
{
	enum { LONG = 6 };
	for (int col = run->first, end; col <= run->last; col = end) {
		double y = c->heights[col];
		for (end = col; end <= run->last && fabs(c->heights[end + 1] - y) < 0.01; end++)
			;
		if (end - col >= LONG && c->pieces[col].kind == PIECE_FLAT) {
			flatten(c, run, col, 1, y);
			flatten(c, run, col - 1, -1, y);
		}
		end += end == col;
	}
}

/* What climbs or falls to a level piece stops at the nearer side of its row. */
static void meet(const struct chart *c, const struct piece *level_piece, int other, int *edge)
{
	if (level_piece->kind == PIECE_FLAT && level_piece->half % 2 == 0 && edge_inside(c, other))
		*edge = level_piece->half / 2 + (other > level_piece->half / 2);
}

static void settle(const struct chart *c, const struct run *run)
{
	for (int col = run->first; col <= run->last; col++) {
		struct piece *p = &c->pieces[col];
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

void cut_pieces(struct chart *c, const struct run *run)
{
	cut(c, run);
	level(c, run);
	settle(c, run);
}
