/* What stands beside the sheet of a drill where the window is wide: the keys, the problems of the session so
 * far, and before a review the skills that are due. */
#ifndef RIDGE_UI_SCREENS_DRILL_DRILL_SIDE_H
#define RIDGE_UI_SCREENS_DRILL_DRILL_SIDE_H

#include "ui/practice/sheet.h"
#include "ui/screens/drill/drill_state.h"

/* Of a problem that is open or closed: its keys, and the problems of the session. rows: of the window for it. */
void drill_side_write(const struct app *app, enum drill_state state, int rows, struct sheet *s);

/* A problem that is over, with what was answered and how it goes. */
void drill_look_write(const struct app *app, const struct session_item *item, struct sheet *s);

/* The keys while problems are asked, before any is. */
void drill_keys_write(struct sheet *s);

/* The skills that a review goes through, with what is remembered of them, in so many rows at most; what has no
 * room is counted. */
void drill_due_write(const struct drill_request *r, int rows, struct sheet *s);

#endif
