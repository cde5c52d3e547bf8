/* Text of people within Markdown. */
#ifndef RIDGE_UI_PRACTICE_PLAIN_TEXT_H
#define RIDGE_UI_PRACTICE_PLAIN_TEXT_H

#include <stdio.h>

/* Writes it so that none of it acts as a mark, also at the beginning of a line and in a table; what would not act
 * stands as it is. Control bytes become blanks. */
void markdown_escape(const char *text, FILE *out);

#endif
