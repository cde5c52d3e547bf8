/* The parts of the drill screen. */
#ifndef RIDGE_DRILL_VIEW_H
#define RIDGE_DRILL_VIEW_H

#include "ui/app.h"

/* The problem that is on the screen, answered or not; NULL when all are done with. */
const struct session_item *drill_view_item(const struct drill_view *d);

void drill_view_draw(const struct app *app, struct canvas *cv, struct rect r);
void drill_result_draw(const struct app *app, struct canvas *cv, struct rect r);

/* "1:05". */
void drill_clock_text(int64_t ms, char *buf, size_t size);

#endif
