/* What the files of the plot view share. A plot is drawn on a plate, a scratch picture that knows
 * what each cell holds, so that labels can look for free room; the plate is then copied to the
 * canvas. Everything stays inside the plate, so nothing leaves the rectangle of plot_draw. */
#ifndef RIDGE_UI_VIEWS_PLOT_PRIVATE_H
#define RIDGE_UI_VIEWS_PLOT_PRIVATE_H

#include "sims/figure/figure.h"
#include "ui/term/canvas.h"
#include "ui/views/ticks.h"

/* What covers a cell, from what a label may stand on to what it may not. */
enum ink {
	INK_NONE,
	INK_FRAME,
	INK_FAINT, /* ghosts, the fill of an area */
	INK_POINT, /* measured points */
	INK_DASH,  /* of a dashed line */
	INK_RULE,
	INK_LINE,
	INK_MARK,
	INK_TEXT
};

/* code 0: the right half of a wide character, or nothing. */
struct spot {
	uint32_t code;
	uint8_t style, attr, ink;
	uint8_t owner;        /* the series that drew here, counted from 1 */
	int8_t lean;          /* lines: how far below its middle they are meant, in 1/100 rows */
	uint8_t bits, n_bits; /* braille: all dots, and how many of them are the owner's */
};
struct plate {
	int rows, cols;
	struct spot *spots;
};

/* 0, or -1 when out of memory. */
int plate_init(struct plate *pl, int rows, int cols);
void plate_release(struct plate *pl);
void plate_clear(struct plate *pl);
/* NULL outside. */
struct spot *plate_at(const struct plate *pl, int row, int col);
void plate_put(struct plate *pl, int row, int col, uint32_t code, enum style s, unsigned attr,
	enum ink ink);
/* Columns that a text takes with these glyphs. */
int plate_text_width(enum glyphs glyphs, const char *text);
/* Writes at most `width` columns, the last one an ellipsis where the text is cut. Returns the
 * columns used. */
int plate_text(struct plate *pl, enum glyphs glyphs, int row, int col, int width, const char *text,
	enum style s, unsigned attr);
void plate_show(const struct plate *pl, struct canvas *cv, int row, int col);

/* A stretch of an axis in cells: lo at 0, hi at `cells`, both at the middle of a cell. */
struct scale {
	enum axis_scale kind;
	double lo, hi, from, per;
};
struct scale scale_make(enum axis_scale kind, double lo, double hi, int cells);
/* NAN for what has no place (NAN, or not positive on a logarithmic axis); infinities and what is
 * far outside are cut to +-SCALE_FAR. */
double scale_cells(const struct scale *s, double value);
enum { SCALE_FAR = 1000000 };

/* lo > hi: nothing. */
struct range {
	double lo, hi;
};

/* Points of a series with x in one direction and no gap between them, as the picture's columns see
 * them: first..last. x0 <= x1; way < 0 where the series ran from right to left, 0: one place. */
struct run {
	double x0, y0, x1, y1;
	int way, first, last;
};

/* One series as it was drawn: where its name can go. */
struct tail {
	bool drawn;
	int row, col; /* the last cell of its line */
	double mean;  /* height of an area, in rows */
};

/* What the points around a place do, half a column to either side. */
struct sample {
	double top, bottom;       /* least and greatest y; NAN: no points */
	size_t top_at, bottom_at; /* which points these were */
};

/* What a line does in one column, from one edge to another. Edge j is the upper side of row j, 0 to
 * rows; -1 and rows + 1 are above and below the picture. */
struct piece {
	enum { PIECE_NONE, PIECE_FLAT, PIECE_SLANT, PIECE_STEEP } kind;
	int half; /* PIECE_FLAT: 2 r in the middle of row r, 2 r + 1 on the edge below it */
	int from, to;
};

struct chart {
	const struct plot *p, *ghost; /* ghost may be NULL */
	const struct canvas *cv;      /* asked for its glyphs only */
	enum glyphs glyphs;
	struct plate plate;
	struct range x_data, y_data;
	bool empty; /* no point has a place */

	/* The picture: its column 0 is the y axis and its row `rows` the x axis. Lines use columns
	 * 1..cols and rows 0..rows-1; markers may sit on the axes. */
	int row, col, rows, cols;
	struct scale x, y;
	struct ticks x_ticks, y_ticks;
	int title_row, y_title_row, x_title_row, legend_row, legend_rows; /* -1: none */
	bool direct; /* names stand at the ends of the lines, not in the legend */
	int gutter;  /* columns kept free for them on the right */

	struct tail *tails;     /* one a series */
	struct sample *samples; /* one a column, and a few */
	double *halves;         /* the height of a line at x = i/2 - 1/2 */
	double *heights;        /* at the borders of columns, peaks and valleys among them */
	struct piece *pieces;   /* one a column */
	uint8_t *bits;          /* one a cell: a series' braille dots; its named points */
};

/* -- plot_scale.c -- */
void chart_ranges(struct chart *c);
void chart_fit_x(struct chart *c, int cols);
/* Also chooses the y ticks, so that they stand an equal number of rows apart. */
void chart_fit_y(struct chart *c, int rows);
/* From an eighth of the lowest row to the top of the highest one. */
void chart_fit_sparkline(struct chart *c);
/* Where a point stands, in columns and rows of the picture; NAN: nowhere. */
double chart_x(const struct chart *c, double value);
double chart_y(const struct chart *c, double value);
/* The y (in the axis's own numbers) of a series at a column; NAN where it has none. */
double chart_value_at(const struct chart *c, const struct series *s, double x_cells);

/* -- plot_lines.c -- */
/* The points to join (a step has a corner between every two), in cells; false: a gap. */
size_t corners(const struct series *s);
bool corner(const struct chart *c, const struct series *s, size_t i, double *x, double *y);
/* Reads from point *next to the end of its run into c->samples (around x = i - shift) and
 * c->halves. False: no points left. */
bool read_run(struct chart *c, const struct series *s, double shift, size_t *next, struct run *run);
/* The height of the run at x = half/2 - 1/2. */
double run_height(const struct chart *c, const struct run *run, int half);
/* The row of a line at this height: -1 above the picture, c->rows below it. */
int row_of(const struct chart *c, double y);
void draw_line(struct chart *c, size_t series);
void mark_line(struct chart *c, size_t series);

/* -- plot_pieces.c -- */
/* c->heights[run->first .. run->last + 1] into c->pieces[run->first .. run->last]. */
void cut_pieces(struct chart *c, const struct run *run);
bool edge_inside(const struct chart *c, int edge);
/* Where the middle of a column of c->heights stands. */
double column_height(const struct chart *c, int col);

/* -- plot_strokes.c -- */
/* Draws a run whose heights are in c->heights[run->first .. run->last + 1]. Dashes take only cells
 * that no line holds, so they are drawn last. */
void draw_run(struct chart *c, size_t series, const struct run *run);

/* -- plot_braille.c -- */
void draw_braille(struct chart *c, size_t series);

/* -- plot_marks.c -- */
/* Drawn as a line, or as markers: what was measured is never joined. The rest are areas. */
bool is_line(const struct series *s);
bool is_scatter(const struct series *s);
bool is_area(const struct series *s);
/* Draws in the picture without its axes. */
void chart_put(struct chart *c, int row, int col, uint32_t code, enum style s, unsigned attr,
	enum ink ink);
/* NULL outside the picture with its axes. */
struct spot *chart_at(const struct chart *c, int row, int col);
uint32_t chart_marker(const struct chart *c, const struct series *s, enum role role);
enum style chart_style(const struct series *s, enum role role);
/* What an area is filled with: another shade for each. */
uint32_t area_fill(const struct chart *c, const struct series *s);
void draw_area(struct chart *c, size_t series);
/* The higher ones first, so that the lower ones are seen before them. */
void draw_areas(struct chart *c);
void draw_ghost(struct chart *c, const struct series *s);
void draw_points(struct chart *c, size_t series);
void draw_rules(struct chart *c);
/* at: where the moment stands, in the x axis's own numbers. */
void draw_playhead(struct chart *c, double at);

/* -- plot_labels.c -- */
/* Names at the ends of lines; false when one found no place. */
bool label_series(struct chart *c);
void label_empty(struct chart *c);
void label_rules(struct chart *c);
void label_points(struct chart *c);
/* The value of each line at a moment, where there is room. */
void label_values(struct chart *c, double at);

/* -- plot_names.c -- */
bool has_names(const struct plot *p);
/* Lines carry markers where there are several of their kind. */
bool is_marked(const struct chart *c, const struct series *s);
/* Columns to keep free on the right of `cols` for names at the ends of lines; 0 where they would
 * take too much, or stand on each other. The y axis is fitted by now. */
int names_gutter(struct chart *c, int cols);
/* Puts n ascending rows at least one apart inside the picture; false when one moves too far. */
bool spread_rows(const struct chart *c, int rows[], size_t n);
/* The name of a series with its marker, as written beside its line. */
void write_name(const struct chart *c, const struct series *s, char *text, size_t size);
/* Rows of the legend, and the columns that its last row takes. */
int legend_height(const struct chart *c, int most, int *last_width);
void draw_legend(struct chart *c);

#endif
