/* A rectangle of a canvas with its own coordinates. Whatever is drawn through it stays inside, so
 * that a view can place things by arithmetic and be right at every size. */
#ifndef RIDGE_UI_TERM_PANE_H
#define RIDGE_UI_TERM_PANE_H

#include "ui/term/canvas.h"
#include "ui/term/textwrap.h"

struct pane {
	struct canvas *cv;
	struct rect r; /* on the canvas; never negative in size */
};

struct pane pane_of(struct canvas *cv, struct rect r);
/* A part of a pane, cut at its edges. */
struct pane pane_part(const struct pane *p, struct rect part);

void pane_put(const struct pane *p, int row, int col, uint32_t code, enum style s, unsigned attr);

/* Text from a column on, in at most `width` columns (negative: up to the edge). pane_text cuts what
 * is longer, pane_fit ends it with an ellipsis ('~' in ASCII). Both return the columns used. */
int pane_text(const struct pane *p, int row, int col, int width, const char *text, enum style s,
	unsigned attr);
int pane_fit(const struct pane *p, int row, int col, int width, const char *text, enum style s,
	unsigned attr);
/* pane_fit in whole words, and where there is one, up to the end of a clause without an ellipsis: no
 * word is cut, so that nothing at all may stand there. */
int pane_words(const struct pane *p, int row, int col, int width, const char *text, enum style s,
	unsigned attr);
/* The same, or nothing at all where not even a clause fits: never an ellipsis. */
int pane_clause(const struct pane *p, int row, int col, int width, const char *text, enum style s,
	unsigned attr);
/* pane_fit, but a text shorter than `width` stands at the right end of those columns. */
int pane_fit_right(const struct pane *p, int row, int col, int width, const char *text,
	enum style s, unsigned attr);
int pane_printf(const struct pane *p, int row, int col, int width, enum style s, unsigned attr,
	const char *fmt, ...) __attribute__((format(printf, 7, 8)));
void pane_line(const struct pane *p, int row, int col, const struct text_line *line, enum style s,
	unsigned attr);

/* What stands there; NULL outside. */
const struct cell *pane_cell(const struct pane *p, int row, int col);
/* Whether nothing stands there yet. Outside the pane something always does. */
bool pane_blank(const struct pane *p, int row, int col);

void pane_restyle(const struct pane *p, struct rect part, enum style s, unsigned attr);
/* The ground of a cell, where it is in the pane. */
void pane_under(const struct pane *p, int row, int col, enum style under);

#endif
