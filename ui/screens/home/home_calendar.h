/* What the calendar has for today, for the home screen. */
#ifndef RIDGE_UI_SCREENS_HOME_HOME_CALENDAR_H
#define RIDGE_UI_SCREENS_HOME_HOME_CALENDAR_H

#include "drills/history.h"
#include "ui/screens/home/home.h"
#include "ui/shell/app.h"

/* Fills answers->today, "Interview in 16 days. Today: chapters 0 and 1, problems on chapter 0, 67 min: c", and
 * answers->days, where there is an interview in the calendar; and answers->first, where there is one or a
 * placement was taken. */
void home_calendar(struct app *app, const struct history *h, struct home_answers *answers);

#endif
