/* Text of people within Markdown. */
#ifndef RIDGE_UI_PRACTICE_PLAIN_TEXT_H
#define RIDGE_UI_PRACTICE_PLAIN_TEXT_H

#include <stdio.h>

/* Writes it so that none of it acts as a mark. Control bytes become blanks. */
void markdown_escape(const char *text, FILE *out);

#endif
