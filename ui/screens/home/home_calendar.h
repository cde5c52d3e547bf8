/* What the calendar has for today, as a line of the home screen. */
#ifndef RIDGE_UI_SCREENS_HOME_HOME_CALENDAR_H
#define RIDGE_UI_SCREENS_HOME_HOME_CALENDAR_H

#include "drills/history.h"
#include "ui/shell/app.h"

/* "Interview in 16 days. Today: chapter 0, five problems on chapter 0, 31 min: ridge calendar"; "" where
 * there is no interview in the calendar, or the calendar cannot be made. */
void home_calendar(struct app *app, const struct history *h, char *text, size_t size);

#endif
