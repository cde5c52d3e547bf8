/* Where the parts of a simulation stand in the body of its screen. Pure; tested from 1x1 to
 * 300x100. */
#ifndef RIDGE_UI_LIVE_LIVE_LAYOUT_H
#define RIDGE_UI_LIVE_LIVE_LAYOUT_H

#include "ui/term/canvas.h"

#include <stdbool.h>

/* A simulation's body. Rects of no rows are not shown. */
struct sim_layout {
	struct rect figure, values, knobs, playhead, sentence, honesty;
};
struct sim_layout sim_layout(struct rect body, int n_values, int n_knobs, bool plays, bool zoomed);

#endif
