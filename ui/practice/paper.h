/* A sheet to be printed: Markdown as a page of HTML that needs nothing else. */
#ifndef RIDGE_UI_PRACTICE_PAPER_H
#define RIDGE_UI_PRACTICE_PAPER_H

#include <stdio.h>

/* Its first heading is the title of the page; "[ ]" at the beginning of an item is a box to tick. HTML in
 * the Markdown is left out. 0; -1 when out of memory. */
int paper_html(const char *markdown, FILE *out);

#endif
