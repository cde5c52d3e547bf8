/* Light highlighting of code: comments are dim, strings and numbers have a colour, keywords are
 * bold. There is one scanner; what it knows of a language is that language's row in a table. */
#ifndef RIDGE_UI_PAGES_PAGE_CODE_H
#define RIDGE_UI_PAGES_PAGE_CODE_H

#include "ui/pages/page_run.h"

/* Appends a code block's text, highlighted by the language that its info string names. */
void code_collect(struct page_run *run, const char *text, const char *info);

#endif
