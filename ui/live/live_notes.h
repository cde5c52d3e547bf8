/* The notes of a simulation: what its model assumes, what it leaves out, its knobs with their
 * ranges. */
#ifndef RIDGE_UI_LIVE_LIVE_NOTES_H
#define RIDGE_UI_LIVE_LIVE_NOTES_H

#include "ui/live/live.h"
#include "ui/term/canvas.h"

/* Scrolled by s->notes_scroll rows. */
void live_draw_notes(struct canvas *cv, struct rect r, const struct live *s);

#endif
