/* A wrapped paragraph on the canvas. */
#ifndef RIDGE_PARAGRAPH_H
#define RIDGE_PARAGRAPH_H

#include "ui/term/canvas.h"

/* Draws text wrapped into r; an ellipsis ends the last row when more follows. Rows used. */
int paragraph_draw(struct canvas *cv, struct rect r, const char *text, enum style s, unsigned attr);

#endif
