/* The parts of reading that ui/explorer/page_screen.c makes a screen of. */
#ifndef RIDGE_PAGE_VIEW_H
#define RIDGE_PAGE_VIEW_H

#include "ui/explorer/app.h"
#include "ui/pages/page_spot.h"

/* The page at a spot as page_spot_write has it, already laid out; a heading that is gone is told.
 */
void page_view_go(struct app *app, const struct page_spot *spot);

/* Bookmarks (page_marks.c): set or taken away at the line on top; listed in the palette; drawn in
 * the margin left of the page's column. */
void page_marks_toggle(struct app *app);
void page_marks_list(struct app *app);
void page_marks_draw(const struct app *app, struct canvas *cv, struct rect column);

void page_view_relayout(struct app *app);
bool page_view_act(struct app *app, enum action a);
void page_view_draw(const struct app *app, struct canvas *cv, struct rect r);

#endif
