/* Draws figures: who gets how many rows, and what stands beside what. Each kind of block has a view
 * of its own (plot.h, bars.h, timeline.h, grid.h, table.h, note.h); none of them knows a
 * simulation. Drawing takes everything const.
 *
 * Rows are shared in three steps. Each block has a least height, one that it would like, and one
 * beyond which more is of no use. First as many blocks are taken as have their least (and the
 * first one what it needs to be read); then blocks of a fixed height grow up to their wish, one
 * row a turn, then pictures that scale up to theirs, then plots beyond it. */
#ifndef RIDGE_UI_VIEWS_FIGURE_VIEW_H
#define RIDGE_UI_VIEWS_FIGURE_VIEW_H

#include "sims/figure/figure.h"
#include "ui/term/canvas.h"

/* How a figure is shown just now. */
struct figure_state {
	const struct figure *ghost; /* a pinned figure, drawn dim under this one; or NULL */
	double playhead_s;  /* the moment that timelines, time plots and grids show; NAN: none */
	size_t first_block; /* the ones before it are scrolled away */
	const char *more;   /* the key that shows what does not fit; NULL: none does */
	const char *larger; /* the key that gives room for more rows of a table; or NULL */
	const char *focus;  /* the id of the knob in hand, on which Enter opens things; or NULL */
	bool named;    /* the parts' names stand elsewhere: those that do not fit are not counted */
	size_t *shown; /* gets how many blocks are drawn, from first_block on; NULL: nobody asks */
};

/* Draws all blocks inside r, sharing its rows among them by what each kind needs; a figure that
 * does not fit loses its last blocks, with a line that says so. On a canvas that grows, a block that
 * is alone gets all rows. Returns the rows given. */
int figure_draw(struct canvas *cv, struct rect r, const struct figure *fig,
	const struct figure_state *state);

/* How many blocks figure_draw draws in so many rows and columns, from state->first_block on. */
size_t figure_shown(const struct figure *fig, int rows, int cols, const struct figure_state *state);
/* Whether a block looks different at another moment of the run. */
bool block_moves(const struct block *b);

/* Whether a block loses more by fewer columns than by fewer rows: a map of boxes with arrows between
 * them, and lanes whose spans have words in them. */
bool block_is_wide(const struct block *b);

/* Rows the blocks would like at this width (for printing as text and for pages). */
int figure_rows(const struct figure *fig, int cols);
/* How many of so many rows figure_draw uses. */
int figure_rows_within(const struct figure *fig, int rows, int cols);

#endif
