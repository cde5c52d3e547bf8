/* Where the lines of a page stand. Lines are kept in reading order; a row is what the reader scrolls
 * by. In a wide window live figures stand beside the text (struct page_beside): a figure begins in the
 * row of the text that follows its fence, and the text flows on, also that of the next section. Where its
 * own section has too little text after it, the figure moves up beside what the section has before it, and
 * its first rows stand beside that section in any case. A figure that finds the one before it in its way
 * stands below that or, if that is far, in the text. What is too wide for the text waits for a figure of
 * an earlier section that ends a few rows further down. That is where a figure is at home; while its section
 * is read it slides along, so that it is seen whole. */
#ifndef RIDGE_UI_PAGES_PAGE_PLACE_H
#define RIDGE_UI_PAGES_PAGE_PLACE_H

#include "ui/pages/page.h"

/* Where the next line goes, while a page is laid out. */
struct page_places {
	struct page_beside beside;
	bool aside;      /* lines are put beside the text now */
	size_t next;     /* row of the next line of the text */
	size_t free;     /* the first row below all that stands beside it */
	size_t first, n; /* the lines of the last figure beside it */
	size_t top;      /* the row that these begin in */
	size_t least;    /* and the highest that they may move up to */
	size_t bound;    /* the same for the figure that comes next */
	bool foreign;    /* that figure belongs to a section that is over */
};

/* Puts a line at the end of the page. */
void place_line(struct page_places *at, struct page *p, struct page_line line);
/* The lines that came after `before` was copied have been taken off the page again. */
void places_restore(struct page_places *at, struct page *p, const struct page_places *before);

/* Begins and ends what stands beside the text. `gap`: the next line of the text will have a blank one
 * before it. */
void place_begin_aside(struct page_places *at, struct page *p, bool gap);
void place_end_aside(struct page_places *at, struct page *p);
/* Whether a figure whose text comes next, of so many rows or a few more, would stand beside it, and not far
 * below. */
bool place_has_room(const struct page_places *at, bool gap, size_t text);
/* A section ends here, or the page: the last figure moves up beside it. `whole`: the next section is another
 * one of level 1 or 2, and begins below the first rows of the figure. */
void place_settle(struct page_places *at, struct page *p, bool whole);
/* The text goes on below the last figure if that belongs to a section that is over, and ends soon. */
void place_clear(struct page_places *at, bool gap);
/* What stands beside the text from now on begins below what the page has so far, and the blank line
 * after it, if there is one. */
void place_bound(struct page_places *at, bool gap);
/* Whether all columns of the page are free for the next line of text. */
bool place_is_free(const struct page_places *at, bool gap);

/* Fills in the rows of a page that has all its lines. */
void page_rows_list(struct page *p);

/* Slides what stands beside the text, for a window of so many rows that begins with row `top`: what is at home
 * in it stands beside the heading of its text or, below that, at the top of the window, and in any case so
 * high that it is seen whole; what was at home above it goes on at the top. All that as far as its section,
 * what is beside it and its neighbours leave room. What would be cut all the same, though a window has room for
 * it, is left out. */
void page_slide(struct page *p, size_t top, size_t rows);
/* Whether a line is left out of the window because what it belongs to would be cut. */
bool page_leaves_out(const struct page *p, size_t line);

/* The row of a line; of one beyond the page: its last. */
size_t page_row_of(const struct page *p, size_t line);
/* The line that a row begins with; beyond the page it is the number of lines. */
size_t page_line_at(const struct page *p, size_t row);
/* How many rows n lines take, from the highest to the lowest. */
size_t page_rows_of(const struct page *p, size_t first, size_t n);

#endif
