/* Horizontal stacked bars: label, bar, total, a few words. Those in a chain are boxes (flow.h) where
 * there is room for these. */
#ifndef RIDGE_UI_VIEWS_BARS_H
#define RIDGE_UI_VIEWS_BARS_H

#include "sims/figure/figure.h"
#include "ui/term/pane.h"

/* Fills r, from its first row. ghost: pinned bars, whose ends are marked, or NULL. */
void bars_draw(struct canvas *cv, struct rect r, const struct bars *b, const struct bars *ghost);
/* Rows that they would like at a width. */
int bars_rows(const struct bars *b, int cols);
/* How many of so many rows they fill: bars grow by whole rows. */
int bars_filled(const struct bars *b, int rows, int cols);
/* The same without the blank rows between few bars. */
int bars_tight_rows(const struct bars *b, int cols);

/* One bar alone on so many columns, with the names of those parts that have room for them where
 * `names` is set; and whether a part of it has. */
void bars_stack_draw(const struct pane *p, int row, int col, int cols, const struct bars *b,
	size_t bar, bool names);
bool bars_stack_names(
	const struct canvas *cv, const struct bars *b, size_t bar, size_t part, int cols);

#endif
