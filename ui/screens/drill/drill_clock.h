/* Where we are in a session and what the clock says. */
#ifndef RIDGE_UI_SCREENS_DRILL_DRILL_CLOCK_H
#define RIDGE_UI_SCREENS_DRILL_DRILL_CLOCK_H

#include "ui/shell/app.h"

/* Both in one row, of an interview in two; timed: with the clock, which else stands elsewhere. Returns the rows. */
int drill_head_draw(const struct app *app, bool timed, struct canvas *cv, struct rect r);
/* Whether there is a time to show; and that in large type, in clock_rows (ui/views/clock.h) and one more. */
bool drill_clock_is_shown(const struct app *app);
void drill_clock_draw(const struct app *app, struct canvas *cv, struct rect r);

/* ms until the clock on the screen changes; -1: none is running. */
int drill_clock_tick(const struct app *app);

#endif
