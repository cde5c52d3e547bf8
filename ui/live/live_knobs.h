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
/* The lines of the list for the present focus, and of all knobs; groups that are folded, and the knobs in
 * each, of which as many are drawn as there is room for. */
struct knob_counts {
	int lines, all, headings, n_folded;
	int folded[MAX_KNOBS];
};
struct knob_counts live_knob_counts(const struct live *s);

#endif
