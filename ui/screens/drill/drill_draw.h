/* The drill screen: a head that stays, a sheet that may scroll, the line that is typed under it,
 * and the scratch pad under that or beside it. */
#ifndef RIDGE_UI_SCREENS_DRILL_DRILL_DRAW_H
#define RIDGE_UI_SCREENS_DRILL_DRILL_DRAW_H

#include "ui/shell/app.h"

void drill_view_draw(const struct app *app, struct canvas *cv, struct rect r);

/* How far the sheet can be scrolled in the present window; and where its newest part is seen: the
 * verdict of a closed problem, else the end. */
long drill_view_last_scroll(const struct app *app);
long drill_view_newest(const struct app *app);

/* Rows that a page more turns: those in sight, less one that stays. */
long drill_view_page(const struct app *app);

/* Whether what one can do with an open problem stands on the screen in the present window. */
bool drill_view_has_ways(const struct app *app);

#endif
