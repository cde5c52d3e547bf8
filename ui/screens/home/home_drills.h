/* The last column of the home screen: interviews, kinds of sets, your answers, topics. */
#ifndef RIDGE_UI_SCREENS_HOME_HOME_DRILLS_H
#define RIDGE_UI_SCREENS_HOME_HOME_DRILLS_H

#include "ui/screens/home/home.h"

int home_drills(const struct app *app); /* how many entries */
int home_drills_fixed(void);            /* those before the topics */
/* What stands above an entry, but for the first, which stands under the column's own name; NULL: nothing. */
const char *home_drills_heading(int entry);

/* The entry in a line; what it opens, for app_open_target; a sentence about it. */
void home_drill_draw(
	const struct app *app, struct canvas *cv, struct rect line, int entry, bool focused);
void home_drill_target(const struct app *app, int entry, char *target, size_t size);
void home_drill_about(const struct app *app, int entry, char *text, size_t size);

/* Looks at what was answered: after the first paint, and again when something has come due. A
 * large history is left alone. ms until the next time; -1: never. */
int home_drills_tick(struct app *app, int64_t now_ms);

#endif
