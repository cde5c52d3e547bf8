/* The lines in box drawing characters (U+2500 to U+257F): which of them run from the middle of a
 * cell to its edges and where each ends, so that a picture can draw a whole rule, frame or axis in
 * one stroke. A cell is 8 wide and 16 high. */
#ifndef RIDGE_UI_TERM_GLYPH_LINES_H
#define RIDGE_UI_TERM_GLYPH_LINES_H

#include <stdbool.h>
#include <stdint.h>

enum { GLYPH_WIDTH = 8, GLYPH_HEIGHT = 16 };

/* Double lines are two light ones: the near one is the upper or left one of them. */
enum line_kind { LINE_LIGHT, LINE_HEAVY, LINE_NEAR, LINE_FAR, N_LINE_KINDS };

/* Along a cell a line goes from its left (or upper) edge as far as `to`, and again from `from` to
 * the other edge. From to on: it runs through. { 0, size of the cell }: there is none. */
struct reach {
	double to, from;
};

struct reach line_across(uint32_t code, enum line_kind kind);
struct reach line_down(uint32_t code, enum line_kind kind);
/* Where such a line lies: below the upper edge if it goes across, else right of the left one. */
double line_place(enum line_kind kind, bool down);

/* Dashes in a cell: 2, 3 or 4; 0: the line is whole. */
unsigned line_dashes(uint32_t code);
/* Round corners and diagonals, as the data of an SVG path after its first point, which is at
 * (*x, *y); NULL: it is none of them. */
const char *line_curve(uint32_t code, int *x, int *y);

#endif
