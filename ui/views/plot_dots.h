/* Lines as dots, two by four a cell: in octants, which the terminal itself draws without gaps, or
 * in braille, which most fonts have. A line is walked from its points, not from its columns: at
 * each column of dots where it is flatter than a diagonal of dots, at each row of them where it is
 * steeper, so that no dot is more than half a dot away from where the line is (one dot where it is
 * level), and no stroke breaks however steep it is. */
#ifndef RIDGE_UI_VIEWS_PLOT_DOTS_H
#define RIDGE_UI_VIEWS_PLOT_DOTS_H

#include "ui/views/plot_chart.h"

enum { DOTS_ACROSS = 2, DOTS_DOWN = 4 };

static inline bool glyphs_have_dots(enum glyphs glyphs)
{
	return glyphs == GLYPHS_BRAILLE || glyphs == GLYPHS_OCTANTS;
}

/* The glyph that has the dots of a mask: bit 2 r + c is the one in row r (0 to 3) and column c
 * (0 or 1) of the cell. A blank where there are none. */
uint32_t dots_glyph(enum glyphs glyphs, unsigned mask);

/* A walk over the dots of a picture that remembers where it is. */
struct dot_walk {
	const struct chart *c;
	uint8_t *bits;         /* one mask a cell, (cols + 1) a row: where the dots go */
	int drawn, of;         /* so many dots of every `of` are drawn: 1 of 1, 1 of 2 */
	int n;                 /* dots walked so far */
	bool down;             /* the pen is on the paper */
	int x, y;              /* the last dot */
	double from_x, from_y; /* the last point, in cells */
};
/* Lifts the pen and starts at a point, in columns and rows of the picture. */
void walk_to(struct dot_walk *w, double x, double y);
/* Draws to a point. */
void walk_line(struct dot_walk *w, double x, double y);

#endif
