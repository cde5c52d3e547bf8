/* The words of the glossary in a list beside their entries, where the window has room for both: those whose
 * entries are in sight are bright. */
#ifndef RIDGE_UI_SCREENS_PAGE_PAGE_WORDS_H
#define RIDGE_UI_SCREENS_PAGE_PAGE_WORDS_H

#include "ui/screens/page/page_view.h"

enum { WORDS_GUTTER = 2, WORDS_COLS = 20, MOST_WORDS_COLS = 34 };

/* Where the list stands in the body of the window; no columns: nowhere. */
struct rect page_words_place(const struct page_view *p, struct rect body);
/* Draws it for a window that shows the page's rows before `end`. */
void page_words_draw(struct canvas *cv, struct rect r, const struct page_view *p, long end);
/* The heading whose word stands in a row and column of the window; -1: none does. */
int page_words_at(const struct page_view *p, struct rect r, int row, int col);

#endif
