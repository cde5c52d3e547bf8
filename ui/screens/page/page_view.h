/* The parts of reading that ui/screens/page/page_screen.c makes a screen of: layout and drawing
 * (page_view.c), keys (page_act.c), bookmarks (page_marks.c). */
#ifndef RIDGE_UI_SCREENS_PAGE_PAGE_VIEW_H
#define RIDGE_UI_SCREENS_PAGE_PAGE_VIEW_H

#include "ui/shell/app.h"
#include "ui/live/action.h"
#include "ui/pages/page_spot.h"

/* The page at a spot as page_spot_write has it, already laid out; a heading that is gone is
 * told. */
void page_view_go(struct app *app, const struct page_spot *spot);

/* Bookmarks (page_marks.c): set or taken away at the line on top; listed in the palette; drawn in
 * the margin left of the page's column. */
void page_marks_toggle(struct app *app);
void page_marks_list(struct app *app);
void page_marks_draw(const struct app *app, struct canvas *cv, struct rect column);

/* What Tab stops at, in reading order. */
struct page_item {
	enum { ITEM_LINK, ITEM_NUMBER, ITEM_FIGURE } kind;
	int index;
	size_t line;
};
enum { MAX_PAGE_ITEMS = 1024 };
size_t page_items(const struct page *p, struct page_item items[MAX_PAGE_ITEMS]);
/* The one in focus; false: none is. */
bool page_view_item(const struct page_view *p, struct page_item *item);

/* Rows of a page that a window shows; the scroll that shows its last ones; into the range that this
 * makes. */
long page_view_rows(const struct app *app);
long page_view_last(const struct app *app);
void page_view_keep(struct app *app);

void page_view_relayout(struct app *app);
bool page_view_act(struct app *app, enum action a);
void page_view_draw(const struct app *app, struct canvas *cv, struct rect r);

#endif
