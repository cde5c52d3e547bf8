/* What the audience of a talk sees. */
#ifndef RIDGE_UI_SCREENS_PRESENT_DRAW_H
#define RIDGE_UI_SCREENS_PRESENT_DRAW_H

#include "ui/talks/talk.h"
#include "ui/term/canvas.h"

/* The caption above, under it the one part of the figure that the step is about, and beside it (or
 * below, in less than 90 columns) the value that stands large, up to three more, and the knobs that
 * the step moved. */
void present_draw(struct canvas *cv, struct rect r, const struct talk *t);

#endif
