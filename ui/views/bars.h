/* Horizontal stacked bars: label, bar, total, a few words. */
#ifndef RIDGE_UI_VIEWS_BARS_H
#define RIDGE_UI_VIEWS_BARS_H

#include "sims/figure/figure.h"
#include "ui/term/canvas.h"

/* Fills r, from its first row. ghost: pinned bars, whose ends are marked, or NULL. */
void bars_draw(struct canvas *cv, struct rect r, const struct bars *b, const struct bars *ghost);
/* Rows that they would like at a width. */
int bars_rows(const struct bars *b, int cols);

#endif
