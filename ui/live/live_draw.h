/* What a simulation in hand looks like: figure, headline values, knobs, the sentence on the last
 * change, what the model leaves out, the playhead. */
#ifndef RIDGE_UI_LIVE_LIVE_DRAW_H
#define RIDGE_UI_LIVE_LIVE_DRAW_H

#include "ui/term/canvas.h"
#include "ui/live/live.h"

/* All parts, where live_layout.h puts them. */
void live_draw(struct canvas *cv, struct rect r, const struct live *s);
/* Brings a part of the figure that the run moves into sight of a screen drawn in r, where none is. */
void live_show_run(struct live *s, struct rect r);
/* Brings the row of a table where the focus is into sight of a screen drawn in r. */
void live_show_focus(struct live *s, struct rect r);
/* The knob drawn at (row, col) of a screen drawn in r, or -1. */
int live_knob_at(const struct live *s, struct rect r, int row, int col);

/* The track drawn there, to be held; false: there is none. */
bool live_track_at(const struct live *s, struct rect r, int row, int col, struct grip *grip);

/* The figure alone, for pages. more: the key that shows the blocks that do not fit; larger: the one
 * that gives the figure more room, or NULL. */
void live_draw_figure(struct canvas *cv, struct rect r, const struct live *s, const char *more,
	const char *larger);

#endif
