/* Where the lines of a page stand. Lines are kept in reading order; a row is what the reader scrolls
 * by. In a wide window live figures stand beside the text (struct page_beside), in columns that are theirs
 * alone: the text flows on as if they were not there. Each figure has the rows of the text that is about it,
 * from the heading of its section, or from its fence where that section had a figure before, as far as those
 * of the next one. A window shows the figure that most of its text is about, from its first row on, so that it
 * stands still while the text scrolls; and others below it where much of the text is about those, or asks
 * to press the key that leads to them. So these columns are never empty, and no text speaks of a figure out of
 * sight. */
#ifndef RIDGE_UI_PAGES_PAGE_PLACE_H
#define RIDGE_UI_PAGES_PAGE_PLACE_H

#include "ui/pages/page.h"

/* Where the next line goes, while a page is laid out. */
struct page_places {
	struct page_beside beside;
	bool aside;  /* lines are put beside the text now: */
	size_t n;    /* so many times that was begun */
	size_t next; /* row of the next line of the text */
	size_t home; /* of what stands beside it now: the row that its text begins with */
};

/* Puts a line at the end of the page. */
void place_line(struct page_places *at, struct page *p, struct page_line line);
/* The lines that came after `before` was copied have been taken off the page again. */
void places_restore(struct page_places *at, struct page *p, const struct page_places *before);

/* Begins and ends what stands beside the text. `gap`: the next line of the text will have a blank one
 * before it. */
void place_begin_aside(struct page_places *at, bool gap);
void place_end_aside(struct page_places *at);

/* Fills in the rows of a page that has all its lines. */
void page_rows_list(struct page *p);

/* A window of a page: from row `top` to before top + rows, with text as far as before `end`. `figure` is
 * shown alone if any text in sight is about it; NO_FIGURE: none is asked for. */
#define NO_FIGURE SIZE_MAX
struct page_sight {
	size_t top, end, rows;
	size_t figure;
};

/* Places in a window what stands beside its text. A figure that has to share the rows with another loses some
 * of its own (struct page_figure). */
void page_place_beside(struct page *p, const struct page_sight *sight);
/* Whether a line has no place in the window because what it belongs to has none. */
bool page_leaves_out(const struct page *p, size_t line);

/* The row of a line; of one beyond the page: its last. */
size_t page_row_of(const struct page *p, size_t line);
/* The same, but of what stands beside the text the row that its fence is in front of. */
size_t page_home_of(const struct page *p, size_t line);
/* The line that a row begins with; beyond the page it is the number of lines. */
size_t page_line_at(const struct page *p, size_t row);
/* How many rows n lines take, from the highest to the lowest. */
size_t page_rows_of(const struct page *p, size_t first, size_t n);

#endif
