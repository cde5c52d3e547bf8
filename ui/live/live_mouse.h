/* The mouse on a simulation: a press on a track or on an axis that is a slider takes its bead, and
 * dragging moves it. */
#ifndef RIDGE_UI_LIVE_LIVE_MOUSE_H
#define RIDGE_UI_LIVE_LIVE_MOUSE_H

#include "ui/live/live.h"
#include "ui/term/canvas.h"

/* The button goes down at (row, col) of a screen that live_draw draws in r of a canvas with these
 * glyphs: the knob there comes into focus, and a bead goes to where the track was hit. The row of a
 * table that is in focus already is taken. */
void live_press(struct live *s, struct rect r, enum glyphs glyphs, int row, int col);
/* The same for knobs that live_draw_knobs draws in r, in one column. False: none is there. */
bool live_press_knobs(struct live *s, struct rect r, int row, int col);
/* It moves to a column: the bead that was taken follows. All of it is one step for undo. */
void live_drag(struct live *s, int col);
/* The knob at (row, col), on its line or as an axis; -1: none. */
int live_knob_under(const struct live *s, struct rect r, enum glyphs glyphs, int row, int col);

#endif
