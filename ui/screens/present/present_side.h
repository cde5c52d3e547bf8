/* What stands beside a talk's figure, or under it: the value that the step is about, others, and the
 * knobs that it moved. */
#ifndef RIDGE_UI_SCREENS_PRESENT_SIDE_H
#define RIDGE_UI_SCREENS_PRESENT_SIDE_H

#include "ui/talks/talk.h"
#include "ui/term/canvas.h"

/* large: the value and its label in large type where they have room in it. */
void present_side_draw(struct canvas *cv, struct rect r, const struct talk *t, bool large);
/* One behind the other in as many rows as they take: the value and what it was, the knobs, the others. */
void present_foot_draw(struct canvas *cv, struct rect r, const struct talk *t);
/* How many rows that is. */
int present_foot_rows(enum glyphs glyphs, int cols, const struct talk *t);

#endif
