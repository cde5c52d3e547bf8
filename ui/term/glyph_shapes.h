/* Characters that are pictures, as shapes: blocks (halves, eighths, quadrants, octants) as
 * rectangles, braille as dots, markers as outlines. Fonts draw them with seams or not at all. A cell
 * is GLYPH_WIDTH by GLYPH_HEIGHT (ui/term/glyph_lines.h). */
#ifndef RIDGE_UI_TERM_GLYPH_SHAPES_H
#define RIDGE_UI_TERM_GLYPH_SHAPES_H

#include "ui/term/canvas.h"

/* The rectangles of a block in its cell, none over another. Returns how many: 0 where it is no
 * block. */
enum { MOST_RECTS = 4 };
size_t block_rects(uint32_t code, struct rect rects[MOST_RECTS]);

/* The share of the cell that a shade (U+2591 to U+2593) or the full block covers; 0 for all else. */
double shade_share(uint32_t code);

/* The dots of a braille character: bit 2 * row + column of 4 rows and 2 columns. 0: none. */
unsigned braille_dots(uint32_t code);

/* A marker: a circle, a square, a triangle or a diamond, as the data of an SVG path after its first
 * point, which is at (x, y); filled by the even-odd rule. */
struct mark_shape {
	uint32_t code;
	bool filled; /* else its line is drawn */
	double x, y;
	const char *path;
};
/* NULL: it is none. */
const struct mark_shape *mark_shape(uint32_t code);

#endif
