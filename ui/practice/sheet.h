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

/* Makes room for so many more rows, which count as written, and returns the first of them:
 * canvas_text and its like then draw on s->cv. */
int sheet_rows(struct sheet *s, int rows);

/* Adds a blank row, unless the last one is blank or there is none. */
void sheet_gap(struct sheet *s);

/* Takes blank rows away, the first ones first, until it has so many rows or no blank one. */
void sheet_squeeze(struct sheet *s, int rows);

/* Text in so many columns of a row, in whole words where it is too long. */
void sheet_words(struct sheet *s, int row, int col, int cols, const char *text, enum style style,
	unsigned attr);

/* Text wrapped from a column on; the lines after the first stand `hang` columns further in. */
void sheet_text(
	struct sheet *s, int indent, int hang, const char *text, enum style style, unsigned attr);

/* Markdown, laid out as on a page. */
void sheet_markdown(struct sheet *s, int indent, const char *text);

/* Shows the rows from `first` on, and the cursor if it stands in them. */
void sheet_show(const struct sheet *s, struct canvas *cv, struct rect r, int first);

#endif
