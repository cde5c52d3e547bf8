/* A wrapped paragraph on the canvas. */
#ifndef RIDGE_UI_TERM_PARAGRAPH_H
#define RIDGE_UI_TERM_PARAGRAPH_H

#include "ui/term/canvas.h"

/* Draws text wrapped into r; an ellipsis ends the last row when more follows. Rows used. */
int paragraph_draw(struct canvas *cv, struct rect r, const char *text, enum style s, unsigned attr);

/* A column of text: at most `measure` columns, in the middle of r, with a margin where there is
 * room for one. */
struct rect text_column(struct rect r, int measure);

#endif
