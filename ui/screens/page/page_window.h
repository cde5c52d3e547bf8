/* The windows of who reads on by Space: where each ends, and where the next one begins. A heading stands
 * together with the begin of its text, a line that ends with a colon with what it leads to, and a figure, a table
 * or a listing is seen whole. So a window
 * may end above its last row, and the text below its end is left to the next. */
#ifndef RIDGE_UI_SCREENS_PAGE_PAGE_WINDOW_H
#define RIDGE_UI_SCREENS_PAGE_PAGE_WINDOW_H

#include "ui/screens/page/page_view.h"

/* A window that is not the last of its page repeats so many rows of the one before. */
enum { SEEN_AGAIN = 2 };

/* The row of the page below the last one whose text a window shows that has so many rows and begins with row
 * `top`: after that, before top + rows + 1. */
long page_window_end(const struct page_view *v, long top, long rows);
/* The row that the window begins with which comes after the present one: below v->scroll. */
long page_window_next(const struct page_view *v, long rows);
/* How many rows of the page the caption of a figure has, right above it. */
int page_caption_rows(const struct page *p, size_t figure);

#endif
