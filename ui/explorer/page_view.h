/* The parts of reading that ui/explorer/page_screen.c makes a screen of. */
#ifndef RIDGE_PAGE_VIEW_H
#define RIDGE_PAGE_VIEW_H

#include "ui/explorer/app.h"

void page_view_relayout(struct app *app);
bool page_view_act(struct app *app, enum action a);
void page_view_draw(const struct app *app, struct canvas *cv, struct rect r);

#endif
