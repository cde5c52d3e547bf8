/* What the views of bars, timelines, grids and tables share: fills that differ without colour,
 * headings, legends, a scale with its axis. */
#ifndef RIDGE_UI_VIEWS_PARTS_H
#define RIDGE_UI_VIEWS_PARTS_H

#include "ui/term/pane.h"

/* What a kind of a picture, whose n kinds have these meanings, is filled with. Where the canvas is
 * textured, the first 8 kinds differ in texture and the next 26 are letters: so 34 kinds can be told
 * apart without colour. Where it is not, a meaning is a solid colour, and only a second kind of the
 * same meaning has a texture. What is empty is a dot. */
enum { N_FILLS = 34 };
struct fill {
	uint32_t code;
	enum style style;
};
struct fill fill_of(const struct canvas *cv, const enum meaning means[], size_t n, size_t kind);
bool fill_is_solid(struct fill fill);

/* Glyphs that the views share. */
uint32_t glyph_limit(enum glyphs glyphs);   /* a dotted vertical line */
uint32_t glyph_crossed(enum glyphs glyphs); /* the same where something passes the limit */
uint32_t glyph_ghost(enum glyphs glyphs);   /* where the end of a pinned bar is */

/* Values lo..hi on the columns col..col + width. */
struct scale {
	double lo, hi;
	int col, width;
	bool log;      /* the same ratio is as wide everywhere; lo > 0 */
	bool of_cells; /* a value is a whole column, as in a grid, and no place in one */
};
/* Where a value stands, in columns from s->col; values outside stand at the ends. */
double scale_at(const struct scale *s, double value);
/* The column of a value, inside the scale. */
int scale_col(const struct scale *s, double value);
/* Where an upright line at a value stands: in the middle of a column or at an edge of one, whichever is nearest, since
 * bars begin at edges of columns and end inside them. */
struct upright {
	int col;
	enum { UPRIGHT_LEFT, UPRIGHT_MIDDLE, UPRIGHT_RIGHT } side;
};
struct upright scale_upright(const struct scale *s, double value);
/* The glyph of such a line, which in the middle of a column is `middle`. In ASCII it always stands there. */
uint32_t upright_glyph(enum glyphs glyphs, struct upright at, uint32_t middle);

/* A thin line over a picture. On a solid part it is drawn in the terminal's ground, which stands out
 * from any colour, and the part goes on at both sides of it. */
void rule_put(const struct pane *p, int row, struct upright at, uint32_t code, enum style s,
	unsigned attr);
/* A share as a thick line on a thin one, to half a column; whatever is not nothing shows something. */
void meter_draw(const struct pane *p, int row, int col, int cols, double share, enum style style);
/* The same without the thin line, for a length, which nothing is missing from. */
void length_draw(const struct pane *p, int row, int col, int cols, double share, enum style style);
void fill_put(const struct pane *p, int row, int col, struct fill fill);

/* Rows that touch are told apart by parts that are low: a line in the terminal's ground at the foot of their row,
 * an eighth of it, parts them from what is below. No letter stands in a low part, and a rule takes a column of it: a
 * cell with either has all of its row, and the line would have a gap there. */
enum { FULL_BLOCK = 0x2588, FOOT = 0x2581 }; /* a cell, and an eighth of it at its foot */
void low_put(const struct pane *p, int row, int col, enum style style);
bool low_is(const struct cell *c); /* also where a cut in it has the line as its underline */

/* The title in bold, on as many lines as it needs, and a dim remark at the right end of the last
 * line or below it. Both may be empty or NULL. Both functions return the rows. */
int heading_rows(const char *title, const char *remark, int cols, enum glyphs glyphs);
int heading_draw(const struct pane *p, int row, const char *title, const char *remark);

/* Draws a line of a figure's text, as text_wrap gives it, with the sign for micro in its units. */
void line_draw(const struct pane *p, int row, int col, const struct text_line *line, enum style s,
	unsigned attr);

/* Names with their fills, flowing over lines. Where they do not fit in max_rows, "+3" counts the
 * rest. */
struct legend {
	const char *const *names;
	size_t n;
	const enum meaning *means; /* one for each name */
	const bool *absent;        /* names that are left out; NULL: none */
	const bool *hidden;        /* names whose place stays empty just now; NULL: none */
	uint32_t mark;             /* one more entry, dim; 0 for none */
	const char *mark_name;
};
int legend_rows(const struct legend *l, int cols, enum glyphs glyphs);
int legend_cols(const struct legend *l, enum glyphs glyphs); /* where it stands in one line */
int legend_draw(const struct pane *p, int row, int max_rows, const struct legend *l);
/* A legend of one row may stand behind so many columns of a title's row, apart from them. */
bool legend_fits_beside(int used, const struct legend *l, int cols, enum glyphs glyphs);
void legend_draw_beside(const struct pane *p, int row, int used, const struct legend *l);
enum { LEGEND_APART = 3 };

/* The unit in which people would write a value ("ms" for 0.02 s), and how many of `unit` it is. */
struct shown_unit {
	char name[24];
	double factor;
};
struct shown_unit pick_unit(const char *unit, double value);

/* Ticks and below them their labels, in a unit picked for the range: 2 rows. A line joins them in ASCII and under
 * cells; else it would stand between a bar and its tick. */
void scale_axis_draw(const struct pane *p, int row, const struct scale *s, const char *unit);

#endif
