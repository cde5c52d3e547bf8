/* Draws figures. It knows kinds of blocks, never a simulation. Drawing takes everything const. */
#ifndef RIDGE_UI_VIEWS_FIGURE_VIEW_H
#define RIDGE_UI_VIEWS_FIGURE_VIEW_H

#include "sims/figure/figure.h"
#include "ui/term/canvas.h"

/* How a figure is shown just now. */
struct figure_state {
	const struct figure *ghost; /* a pinned figure, drawn dim under this one; or NULL */
	double playhead_s;  /* NAN: none; timelines, time plots and grids show this moment */
	size_t first_block; /* the ones before it are scrolled away */
	const char *more;   /* the key that shows what does not fit; NULL: none does */
	const char
		*larger; /* the key that gives the figure more room, for rows of a table; or NULL */
};

/* Draws all blocks inside r, sharing its rows among them by what each kind needs; a figure that
 * does not fit loses its last blocks, with a line that says so. Returns the rows used. */
int figure_draw(struct canvas *cv, struct rect r, const struct figure *fig,
	const struct figure_state *state);

/* Rows the blocks would like at this width (for printing as text and for pages). */
int figure_rows(const struct figure *fig, int cols);
/* Rows that figure_draw uses of so many. */
int figure_rows_within(const struct figure *fig, int rows, int cols);

/* The views of single kinds, one file each in ui/views/. Each fills r, from its first row. */
void plot_draw(struct canvas *cv, struct rect r, const struct plot *p, const struct plot *ghost,
	double playhead_s);
void bars_draw(struct canvas *cv, struct rect r, const struct bars *b, const struct bars *ghost);
void timeline_draw(struct canvas *cv, struct rect r, const struct timeline *t, double playhead_s);
void grid_draw(struct canvas *cv, struct rect r, const struct grid *g, double playhead_s);
/* larger: the key that gives a table more room, named where rows are left out; or NULL. */
void table_draw(struct canvas *cv, struct rect r, const struct table *t, const char *larger);
int note_draw(struct canvas *cv, struct rect r, const struct note *n); /* rows used */

/* Rows that a block of each kind would like at a width. */
int plot_rows(const struct plot *p, int cols);
int bars_rows(const struct bars *b, int cols);
int timeline_rows(const struct timeline *t, int cols);
int grid_rows(const struct grid *g, int cols);
int table_rows(const struct table *t, int cols);
int note_rows(const struct note *n, int cols);

/* Where row i of a table stands below its first line, as table_draw has it, and its lines. */
int table_row_place(const struct table *t, int cols, enum glyphs glyphs, size_t row, int *lines);

/* Series colour i: its style and its marker (a different shape for each; ASCII letters). */
enum style series_style(unsigned i);
uint32_t series_marker(const struct canvas *cv, unsigned i);

#endif
