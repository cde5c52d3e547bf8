/* Cells of kinds, at the moment under the playhead. What does not fit is gathered: a mark then
 * stands for a rectangle of cells and shows the kind that most of them have. */
#ifndef RIDGE_UI_VIEWS_GRID_H
#define RIDGE_UI_VIEWS_GRID_H

#include "sims/figure/figure.h"
#include "ui/term/canvas.h"

/* Fills r, from its first row. playhead_s: NAN shows the end, or the moment that the grid names. */
void grid_draw(struct canvas *cv, struct rect r, const struct grid *g, double playhead_s);
/* Rows that it would like at a width. */
int grid_rows(const struct grid *g, int cols);
/* The same without blank rows between its own. */
int grid_tight_rows(const struct grid *g, int cols);
/* The columns that it has use for, of so many. */
int grid_cols(const struct grid *g, int cols);
/* A small image in shades of grey, whose pixels are square. */
bool grid_is_image(const struct grid *g);

#endif
