/* The line that leads the home screen: what is due, or the one next step. */
#ifndef RIDGE_UI_SCREENS_HOME_HOME_LEAD_H
#define RIDGE_UI_SCREENS_HOME_HOME_LEAD_H

#include "ui/screens/home/home.h"

enum { HOME_LEAD_SIZE = 320 };

/* The line in at most so many columns, and a quieter one under it ("": none). */
void home_lead(const struct app *app, int cols, char *line, char *under);
/* What Enter on it opens, for app_open_target. */
void home_lead_target(const struct app *app, char *target, size_t size);

/* Pages that are chapters, which come first. */
int home_chapters(const struct app *app);

#endif
