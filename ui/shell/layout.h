/* Where the frame of every screen stands, by the size of the window. Pure; tested from 1x1 to
 * 300x100. */
#ifndef RIDGE_UI_SHELL_LAYOUT_H
#define RIDGE_UI_SHELL_LAYOUT_H

#include "ui/term/canvas.h"

#include <stdbool.h>

enum { LEAST_ROWS = 12, LEAST_COLS = 40 }; /* below, a calm message instead */

bool too_small(int rows, int cols);

/* Every screen: a title line, a rule, a body, a footer. */
struct frame_layout {
	struct rect title, rule, body, footer;
};
struct frame_layout frame_layout(int rows, int cols);

#endif
