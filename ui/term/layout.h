/* Where things stand on a screen of a given size. Pure; tested from 1x1 to 300x100. */
#ifndef RIDGE_LAYOUT_H
#define RIDGE_LAYOUT_H

#include "ui/term/canvas.h"

#include <stdbool.h>

enum { LEAST_ROWS = 12, LEAST_COLS = 40 }; /* below, a calm message instead */

bool too_small(int rows, int cols);

/* Every screen: a title line, a rule, a body, a footer. */
struct frame_layout {
	struct rect title, rule, body, footer;
};
struct frame_layout frame_layout(int rows, int cols);

/* A simulation's body. Rects of no rows are not shown. */
struct sim_layout {
	struct rect figure, values, knobs, playhead, sentence, honesty;
};
struct sim_layout sim_layout(struct rect body, int n_values, int n_knobs, bool plays, bool zoomed);

/* A column of text: at most `measure` columns, in the middle of r, with a margin where there is
 * room for one. */
struct rect text_column(struct rect r, int measure);

#endif
