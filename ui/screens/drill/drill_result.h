/* The result, after the last problem. Its problems can be opened again, closed as they are:
 * drill_view_item is then the one that is looked at. */
#ifndef RIDGE_UI_SCREENS_DRILL_DRILL_RESULT_H
#define RIDGE_UI_SCREENS_DRILL_DRILL_RESULT_H

#include "ui/screens/drill/drill_state.h"

/* The problem that is chosen in the list; NULL: there is none. */
const struct session_item *drill_result_chosen(const struct drill_view *d);

/* Of the word for how a problem went: "right", "wrong", or another. */
enum style drill_word_style(const char *word);
void drill_result_draw(const struct app *app, struct canvas *cv, struct rect r);
/* The same kind of session with fresh numbers. */
void drill_begin_again(struct app *app);
bool drill_result_act(struct app *app, enum action a); /* true: it was for the result */
bool drill_result_acts(const struct app *app, enum action a);
void drill_result_settle(struct app *app); /* looks up personal bests, once */

#endif
