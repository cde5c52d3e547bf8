/* The picture of a plot while it is drawn. It is drawn on a plate, a scratch canvas that knows what
 * covers each of its cells, so that labels can look for free room; the plate is then copied to the
 * canvas. Everything stays inside the plate, so nothing leaves the rectangle of plot_draw.
 *
 * plot.c sets up a chart: its place, its scales. Whatever draws in it gets it const, and may change
 * the cells of the plate and note where the lines ended, nothing else. */
#ifndef RIDGE_UI_VIEWS_PLOT_CHART_H
#define RIDGE_UI_VIEWS_PLOT_CHART_H

#include "sims/figure/figure.h"
#include "ui/term/canvas.h"
#include "ui/views/plot_calm.h"
#include "ui/views/plot_scale.h"

/* What covers a cell, from what a label may stand on to what it may not. */
enum ink {
	INK_NONE,
	INK_FRAME,
	INK_FAINT, /* ghosts, the fill of an area */
	INK_POINT, /* measured points */
	INK_DASH,  /* a dashed line */
	INK_RULE,
	INK_LINE,
	INK_MARK,
	INK_TEXT
};

/* code 0: the right half of a wide character, or nothing. */
struct spot {
	uint32_t code;
	uint8_t style, attr, ink;
	uint8_t under; /* the style of its ground, which stays under what is drawn later */
	uint8_t owner; /* the series that drew here, counted from 1 */
	int8_t lean;   /* lines: how far below its middle they are meant, in 1/100 rows */
	int8_t rise;   /* and how far they rise in this column */
	uint8_t bits;  /* lines of dots: the owner's (plot_dots.h) */
};
struct plate {
	int rows, cols;
	struct spot *spots;
};

/* 0, or -1 when out of memory. */
int plate_init(struct plate *pl, int rows, int cols);
void plate_release(struct plate *pl);
void plate_clear(const struct plate *pl);
/* A cell; NULL outside. */
struct spot *plate_at(const struct plate *pl, int row, int col);
void plate_put(const struct plate *pl, int row, int col, uint32_t code, enum style s, unsigned attr,
	enum ink ink);
/* Writes at most `width` columns, the last one an ellipsis where the text is cut. Returns the
 * columns used. */
int plate_text(const struct plate *pl, enum glyphs glyphs, int row, int col, int width,
	const char *text, enum style s, unsigned attr);
void plate_under(const struct plate *pl, int row, int col, enum style under);
void plate_show(const struct plate *pl, struct canvas *cv, int row, int col);

/* One series as it was drawn: where its name can go. */
struct plot_tail {
	bool drawn;
	bool listed;  /* its area is narrower than its name, which is in the legend */
	int row, col; /* the last cell of its line */
};

struct chart {
	const struct plot *p, *ghost;  /* ghost may be NULL */
	const struct plot_band *bands; /* one a series, or NULL */
	enum glyphs glyphs;
	enum fills fills;
	struct plate plate;
	bool empty;   /* no point has a place */
	bool squares; /* points are squares of half a cell: lines of dots are between rows too */

	/* Where on the plate the picture is: its column 0 is the y axis and its row `rows` the x
	 * axis. Both are kept whole: what is drawn uses columns 1..cols and rows 0..rows-1. */
	int row, col, rows, cols;
	struct plot_scale x, y;

	struct plot_tail *tails; /* one a series */
	bool *starved;           /* the canvas's: something was left out for want of memory */
};

/* Where a point stands, in columns and rows of the picture; NAN: nowhere. */
double chart_x(const struct chart *c, double value);
double chart_y(const struct chart *c, double value);
/* The row of a line at this height: -1 above the picture, c->rows below it. The lowest half row
 * belongs to the axis; lines keep above it. */
int chart_row(const struct chart *c, double y);
/* The y (in the axis's own numbers) of a series at a column; NAN where it has none. */
double chart_value_at(const struct chart *c, const struct series *s, double x_cells);

/* What marks a point of a series. Beside lines of dots a point is a square, but for those that were measured and those
 * that warn: other shapes stand in the middle of cells only, beside their line. */
enum { SQUARE = 0x25a0 };
uint32_t chart_marker(const struct chart *c, const struct series *s, enum role role);
/* Whether a line has marks on it: not where points of the model's own are squares, for one of which a mark would be
 * taken. There lines differ in colour, and their names stand at them. */
bool chart_marks_line(const struct chart *c, const struct series *s);
/* glyph_or for the glyphs of this chart. */
uint32_t chart_glyph(const struct chart *c, uint32_t code, uint32_t ascii);
/* Draws in the picture without its axes. */
void chart_put(const struct chart *c, int row, int col, uint32_t code, enum style s, unsigned attr,
	enum ink ink);
/* A cell of the picture or its axes; NULL outside. */
struct spot *chart_at(const struct chart *c, int row, int col);

#endif
