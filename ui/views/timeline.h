/* Lanes of spans to scale, with rules and the playhead across them. */
#ifndef RIDGE_UI_VIEWS_TIMELINE_H
#define RIDGE_UI_VIEWS_TIMELINE_H

#include "sims/figure/figure.h"
#include "ui/term/canvas.h"

/* Fills r, from its first row. playhead_s: NAN for none. */
void timeline_draw(struct canvas *cv, struct rect r, const struct timeline *t, double playhead_s);
/* Rows that it would like at a width. */
int timeline_rows(const struct timeline *t, int cols);
/* How many of so many rows it fills: lanes grow by whole rows. */
int timeline_filled(const struct timeline *t, int rows, int cols);
/* Whether its lanes touch each other there. */
bool timeline_is_close(const struct timeline *t, int rows, int cols);
/* Rows with which it can well be read: of a picture that is about one lane, those without the lanes
 * that may be left out. */
int timeline_easy_rows(const struct timeline *t, int cols);

#endif
