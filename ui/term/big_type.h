/* Large type: five rows of dots, two of them in a row of cells where there are half blocks. For
 * what is read from the back of a room: a code that is read out, the one number of a slide. */
#ifndef RIDGE_UI_TERM_BIG_TYPE_H
#define RIDGE_UI_TERM_BIG_TYPE_H

#include "ui/term/canvas.h"

#include <stdbool.h>

/* Whether every character has a large form: digits, capitals but I, L, O and U, which codes do
 * without, and . , - + % $ x */
bool big_type_has(const char *text);
/* Columns of a text that has, without the gap behind the last letter; rows of any. */
int big_type_cols(const char *text);
int big_type_rows(enum glyphs glyphs);

/* Returns the rows it took; 0 where it does not fit, or where a character has no large form. */
int big_type_draw(struct canvas *cv, struct rect r, const char *text, enum style style);

#endif
