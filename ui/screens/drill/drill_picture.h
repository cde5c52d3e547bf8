/* The formula of a problem that is over, with the problem's own numbers, as a picture: in a large window it stands below
 * the list of the problems, or below the working of the one that is chosen in the result. */
#ifndef RIDGE_UI_SCREENS_DRILL_DRILL_PICTURE_H
#define RIDGE_UI_SCREENS_DRILL_DRILL_PICTURE_H

#include "ui/screens/drill/drill_state.h"

/* "formula:kv_cache_bytes layers=32 ...", for app_go_to. False: the problem has no formula. */
bool drill_formula_target(const struct variant *v, char *target, size_t size);

/* Whether a window of so many columns and rows has room for one. */
bool drill_picture_has_room(int cols, int rows);
/* Makes that of the problem whose working is shown, NULL: none is; none where the window has no room for it. */
void drill_picture_settle(struct app *app, const struct session_item *item);
/* In r. False: there is none, or no room for it. */
bool drill_picture_draw(const struct app *app, struct canvas *cv, struct rect r);
void drill_picture_release(struct drill_picture *p);

#endif
