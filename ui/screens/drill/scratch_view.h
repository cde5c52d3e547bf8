/* The scratch pad under the drill or beside it. */
#ifndef RIDGE_UI_SCREENS_DRILL_SCRATCH_VIEW_H
#define RIDGE_UI_SCREENS_DRILL_SCRATCH_VIEW_H

#include "ui/shell/app.h"

/* Rows that it wants, and itself. */
int scratch_view_rows(const struct app *app);
void scratch_view_draw(const struct app *app, struct canvas *cv, struct rect r);

#endif
