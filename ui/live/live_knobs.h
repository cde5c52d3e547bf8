/* The knobs of a simulation as lines: name, track, value. */
#ifndef RIDGE_UI_LIVE_LIVE_KNOBS_H
#define RIDGE_UI_LIVE_LIVE_KNOBS_H

#include "ui/live/live.h"
#include "ui/term/canvas.h"

/* In one or two columns; the one in focus stays in sight. focused: the keys turn it. */
void live_draw_knobs(
	struct canvas *cv, struct rect r, int columns, const struct live *s, bool focused);
/* The knob drawn at (row, col) of the canvas, or -1. */
int live_knob_in(struct rect r, int columns, const struct live *s, int row, int col);
/* The track drawn there, to be held; false: there is none. */
bool live_track_in(
	struct rect r, int columns, const struct live *s, int row, int col, struct grip *grip);
/* The lines of the list for the present focus, or of all knobs; where one column has room for these,
 * they are drawn. */
int live_knob_lines(const struct live *s, bool all);

#endif
