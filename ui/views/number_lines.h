/* A grid whose rows are lines of numbers (struct grid, lo and hi): a rule for each row with ticks where
 * its numbers are, a double rule where they are too many to be told apart, and a diamond at the place
 * that the row is about. */
#ifndef RIDGE_UI_VIEWS_NUMBER_LINES_H
#define RIDGE_UI_VIEWS_NUMBER_LINES_H

#include "sims/figure/figure.h"
#include "ui/term/pane.h"

void number_lines_draw(const struct pane *p, const struct grid *g, size_t frame);
/* Rows that they would like at a width. */
int number_lines_rows(const struct grid *g, int cols);

#endif
