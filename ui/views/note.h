/* A paragraph among the blocks of a figure. Its role is said by a mark as well as by colour. */
#ifndef RIDGE_UI_VIEWS_NOTE_H
#define RIDGE_UI_VIEWS_NOTE_H

#include "sims/figure/figure.h"
#include "ui/term/canvas.h"

/* Draws it from the first row of r. Returns the rows used. */
int note_draw(struct canvas *cv, struct rect r, const struct note *n);
/* Rows that it would like at a width. */
int note_rows(const struct note *n, int cols);

#endif
