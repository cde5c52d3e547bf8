/* A page in a canvas, and searching in it. */
#ifndef RIDGE_UI_PAGES_PAGE_DRAW_H
#define RIDGE_UI_PAGES_PAGE_DRAW_H

#include "ui/pages/page.h"

/* Draws rows [first, first + r.rows) into r. Those of figures are left blank: the caller draws
 * them. Matches of `highlight` (may be NULL) are reversed; the link or computed span that is
 * focused (index, or -1) is in the accent colour, reversed. */
void page_draw(struct canvas *cv, struct rect r, const struct page *p, size_t first,
	const char *highlight, int focused_link, int focused_computed);

/* The next line after `from` (or before it, if backwards) where `text` begins, whatever its
 * case; -1: there is none. Of text that is hidden it is the line that stands for the fold. */
long page_find(const struct page *p, const char *text, long from, bool backwards);

#endif
