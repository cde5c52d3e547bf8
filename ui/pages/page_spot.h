/* A spot in a page that outlives its layout: it is found again at another width, and after the
 * author changed the text elsewhere. */
#ifndef RIDGE_UI_PAGES_PAGE_SPOT_H
#define RIDGE_UI_PAGES_PAGE_SPOT_H

#include "ui/pages/page.h"

/* A heading, how many letters of text after it, and how many rows after those (a figure has no
 * letters). */
struct page_spot {
	char anchor[128]; /* of the last heading at or before the line; "": before the first */
	long letters, rows;
};

/* Where a line is; lines beyond the page are its last. */
struct page_spot page_spot_at(const struct page *p, size_t line);
/* The line that a spot is in now. When its heading is gone: 0, and *lost (may be NULL) is set. */
size_t page_spot_line(const struct page *p, const struct page_spot *spot, bool *lost);

/* "roofline#the-ridge@120.2": a page's id and a spot in it. Reading takes "roofline" and
 * "roofline#the-ridge" as well, and returns false for anything else, or where a name is too long.
 * buf has room for size bytes; returns buf. */
char *page_spot_write(const char *id, const struct page_spot *spot, char *buf, size_t size);
bool page_spot_read(const char *text, char *id, size_t id_size, struct page_spot *spot);

#endif
