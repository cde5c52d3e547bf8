/* The notes of a simulation: what its model assumes, what it leaves out, its knobs with their
 * ranges. */
#ifndef RIDGE_UI_LIVE_LIVE_NOTES_H
#define RIDGE_UI_LIVE_LIVE_NOTES_H

#include "ui/live/live.h"
#include "ui/term/canvas.h"

/* What to try, how wrong the model is and what it leaves out, as far as there is room. */
void live_draw_short_notes(struct canvas *cv, struct rect r, const struct live *s);
/* How many of so many lines of so many columns that takes, with what it leaves out (listed) or without. */
int live_short_note_lines(const struct live *s, int cols, int most, bool listed);
/* Scrolled by s->notes_scroll rows. */
void live_draw_notes(struct canvas *cv, struct rect r, const struct live *s);

#endif
