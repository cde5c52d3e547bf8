/* Large type, two rows of dots in a row of cells where there are half blocks. For what is read from
 * the back of a room: a code that is read out, the one number of a slide, its caption. */
#ifndef RIDGE_UI_TERM_BIG_TYPE_H
#define RIDGE_UI_TERM_BIG_TYPE_H

#include "ui/term/canvas.h"

#include <stdbool.h>

/* Text has every character of ASCII and those that captions use, and needs half blocks; large and
 * double type have digits, capitals but I, L, O and U, which codes do without, and . , : - + % $ x */
enum type_size { TYPE_TEXT, TYPE_LARGE, TYPE_DOUBLE };

/* Whether every character has a form. */
bool big_type_has(enum type_size size, const char *text);
/* Columns of a text that has, without the gap behind the last letter; rows of any. */
int big_type_cols(enum type_size size, const char *text);
int big_type_rows(enum type_size size, enum glyphs glyphs);

/* Returns the rows it took; 0 where it does not fit, or where a character has no form. */
int big_type_draw(
	struct canvas *cv, struct rect r, enum type_size size, const char *text, enum style style);

/* Lines of TYPE_TEXT that a text takes in so many columns, ended at words but not behind a number;
 * 0 where a character has no form or a word is wider than a line. */
int big_text_lines(const char *text, int cols);
/* The rows of so many lines. */
int big_text_rows(int lines);
/* Draws a text in such lines, each about as long as the others. Returns the rows it took; 0 as
 * above, where it needs more rows than r has, and in ASCII. */
int big_text_draw(struct canvas *cv, struct rect r, const char *text, enum style style);

#endif
