/* Where the lines of a page stand. Lines are kept in reading order; a row is what the reader scrolls
 * by. */
#ifndef RIDGE_UI_PAGES_PAGE_PLACE_H
#define RIDGE_UI_PAGES_PAGE_PLACE_H

#include "ui/pages/page.h"

/* Where the next line goes, while a page is laid out. */
struct page_places {
	size_t next; /* row of the next line of the text */
};

/* Puts a line at the end of the page. */
void place_line(struct page_places *at, struct page *p, struct page_line line);
/* The lines that came after `before` was copied have been taken off the page again. */
void places_restore(struct page_places *at, struct page *p, const struct page_places *before);
/* Fills in the rows of a page that has all its lines. */
void page_rows_list(struct page *p);

/* The row of a line; of one beyond the page: its last. */
size_t page_row_of(const struct page *p, size_t line);
/* The line that a row begins with; beyond the page it is the number of lines. */
size_t page_line_at(const struct page *p, size_t row);
/* How many rows n lines take, from the highest to the lowest. */
size_t page_rows_of(const struct page *p, size_t first, size_t n);

#endif
