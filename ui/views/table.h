/* Aligned columns. Nothing is cut: text wraps inside its column; where even that does not fit, the
 * table is turned. Where it is still too wide, its last columns are left out if there is a key that
 * shows them, and otherwise each row is written as a list of "head: cell".
 *
 * A table whose rows turn knobs has a cursor at its left, and where it is too long it goes on under
 * the cursor. */
#ifndef RIDGE_UI_VIEWS_TABLE_H
#define RIDGE_UI_VIEWS_TABLE_H

#include "sims/figure/figure.h"
#include "ui/term/canvas.h"

/* Fills r, from its first row. larger: the key that gives a table more room, named where rows or
 * columns are left out; NULL: there is none, and no column is. focus: the id of the knob in hand, or
 * NULL. */
void table_draw(struct canvas *cv, struct rect r, const struct table *t, const char *larger,
	const char *focus);
/* The fewest rows that show all of such a table whose rows turn knobs, one line of each. */
int table_least(const struct table *t, int cols);
/* Rows that it would like at a width. */
int table_rows(const struct table *t, int cols, bool may_leave_out);
/* The columns that it would like: no cell wrapped. */
int table_cols(const struct table *t);
/* How many lines of table_draw stand above row `row` (from 0), and in *lines how many that
 * takes. */
int table_row_place(const struct table *t, int cols, enum glyphs glyphs, size_t row, int *lines);

#endif
