/* A sheet of rows that may be longer than its window: drawn as a canvas is, as long as it takes,
 * and shown from any row on. */
#ifndef RIDGE_UI_PRACTICE_SHEET_H
#define RIDGE_UI_PRACTICE_SHEET_H

#include "ui/term/canvas.h"

struct sheet {
	struct canvas cv;
	int rows; /* written so far */
};

/* At least one column. Without memory it stays empty. Release it either way. */
void sheet_init(struct sheet *s, int cols, enum glyphs glyphs);
void sheet_release(struct sheet *s);

/* Room for so many more rows, which count as written; the first of them. For canvas_text and the
 * like: s->cv has no other rows than these. */
int sheet_rows(struct sheet *s, int rows);

/* A blank row, unless one is there or nothing is. */
void sheet_gap(struct sheet *s);

/* Text wrapped from a column on; the lines after the first stand `hang` columns further in. */
void sheet_text(
	struct sheet *s, int indent, int hang, const char *text, enum style style, unsigned attr);

/* Markdown, laid out as on a page. */
void sheet_markdown(struct sheet *s, int indent, const char *text);

/* Rows from `first` on, and the cursor if it is there. */
void sheet_show(const struct sheet *s, struct canvas *cv, struct rect r, int first);

#endif
