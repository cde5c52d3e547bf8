/* The parts of the drill screen. */
#ifndef RIDGE_DRILL_VIEW_H
#define RIDGE_DRILL_VIEW_H

#include "ui/app.h"
#include "ui/drill_summary.h"

/* The problem that is on the screen, answered or not; NULL when all are done with. */
const struct session_item *drill_view_item(const struct drill_view *d);

void drill_view_draw(const struct app *app, struct canvas *cv, struct rect r);

/* The result, after the last problem (ui/drill_result.c). Its problems can be opened again, closed
 * as they are: drill_view_item is then the one that is looked at. */
bool drill_result_is_shown(const struct drill_view *d);
void drill_result_draw(const struct app *app, struct canvas *cv, struct rect r);
bool drill_result_act(struct app *app, enum action a); /* true: it was for the result */
bool drill_result_acts(const struct app *app, enum action a);
void drill_result_settle(struct app *app); /* looks up personal bests, once */

/* The same minute gives the same set, which is fresh enough; but not the one that is open. */
uint64_t drill_fresh_seed(const struct app *app);

#endif
