/* Bars in a chain, as boxes: each is a frame with the bar inside, and arrows say what it hands on to
 * the next. They go to the right, then back to the left, so that the last stands near the first, to
 * which it may hand something on as well. */
#ifndef RIDGE_UI_VIEWS_FLOW_H
#define RIDGE_UI_VIEWS_FLOW_H

#include "sims/figure/figure.h"
#include "ui/term/canvas.h"

/* Rows of the boxes at a width. 0: they do not fit beside each other, and bars say it better. */
int flow_rows(const struct bars *b, int cols);
/* The rows that show them well. */
int flow_wish(const struct bars *b, int cols);
/* Fills r, which has at least these rows. */
void flow_draw(struct canvas *cv, struct rect r, const struct bars *b);

#endif
