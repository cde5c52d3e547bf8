/* Series drawn as lines. A series is read at the borders between columns; each column then joins
 * the row at its left to the row at its right, so that the stroke never breaks. A peak or a valley
 * between two borders is moved to the nearer one, so that none is lost. Where the terminal shows
 * braille or octants, lines are dots instead (plot_dots.h).
 *
 * Heights are counted in rows downwards, as the picture's rows are. */
#ifndef RIDGE_UI_VIEWS_PLOT_CURVES_H
#define RIDGE_UI_VIEWS_PLOT_CURVES_H

#include "ui/views/plot_chart.h"

/* Points of a series that follow one another in one direction of x, without a gap. They cross the
 * columns first..last of the picture. x0 <= x1; way < 0 where the series ran from right to left, 0
 * where all points stand in one place. */
struct plot_run {
	double x0, y0, x1, y1;
	int way, first, last;
};

/* The highest and the lowest of the points around a border, half a column to either side. */
struct plot_sample {
	double top, bottom;       /* least and greatest y; NAN: no points */
	size_t top_at, bottom_at; /* which points these were */
};

/* What a line does in one column, from one edge to another. Edge j is the upper side of row j, 0 to
 * rows; -1 and rows + 1 are above and below the picture. */
struct plot_piece {
	enum { PIECE_NONE, PIECE_FLAT, PIECE_SLANT, PIECE_STEEP } kind;
	int half; /* PIECE_FLAT: 2 r in the middle of row r, 2 r + 1 on the edge below it */
	int from, to;
};

/* Room to read one series at a time. Only plot_curves.c writes in it. A border lies between two
 * columns, or at an end of the picture. */
struct plot_trace {
	struct plot_sample *samples; /* one a border */
	double *halves;              /* the height of a line at x = i/2 - 1/2 */
	double *heights;             /* at the borders of columns, peaks and valleys among them */
	struct plot_piece *pieces;   /* one a column */
	uint8_t *bits;               /* one a cell: the dots of a series */
	bool *along;                 /* one a column: it runs beside another one there */
};

/* For a plate of so many cells. 0, or -1 when out of memory. */
int plot_trace_init(struct plot_trace *t, int rows, int cols);
void plot_trace_release(struct plot_trace *t);

/* Reads from point *next to the end of its run into t->samples (around x = i - shift) and
 * t->halves. False: no points left. */
bool plot_read_run(const struct chart *c, const struct plot_trace *t, const struct series *s,
	double shift, size_t *next, struct plot_run *run);
/* The height of the run just read at x = half/2 - 1/2. */
double plot_run_height(const struct plot_trace *t, const struct plot_run *run, int half);

/* The line of a series. As dots it takes every cell that it runs through; else dashes take only
 * cells that no line holds, so dashed lines are drawn last. */
void draw_line(const struct chart *c, const struct plot_trace *t, size_t series);
/* Whether a line is one that others are compared with: what is grey is no work. */
bool line_is_context(const struct series *s);
/* Of the lines with a name that run where this one does, the one that is seen: they are marked and
 * named once, together. */
size_t line_leader(const struct chart *c, size_t series);
/* Sets the dots of a line in t->bits, (cols + 1) masks a row (plot_dots.h). */
void read_line_dots(const struct chart *c, const struct plot_trace *t, const struct series *s);
/* A line in dots, every second one, of a series that is not this plot's. */
void draw_dotted(const struct chart *c, const struct plot_trace *t, const struct series *s);
/* The same from one point to another, over what is there. */
void draw_trail(const struct chart *c, const struct plot_trace *t, const struct point *from,
	const struct point *to);
/* Whether a line runs within a row of a mark at height y. */
bool line_is_near(const struct chart *c, double y, int col);
/* The row of a mark at height y: chart_row, or the row beside it where a line within half a row of
 * it runs, so that what agrees is seen on the line. */
int row_on_line(const struct chart *c, double y, int col);
/* Three marks on a line that is drawn. */
void mark_line(const struct chart *c, size_t series);

#endif
