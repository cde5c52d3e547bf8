/* The list of cases, from which one is chosen with its level. */
#ifndef RIDGE_UI_SCREENS_CASE_CASE_CHOOSE_H
#define RIDGE_UI_SCREENS_CASE_CASE_CHOOSE_H

#include "ui/screens/case/case_state.h"

/* Reads the list anew: cases, their work, and which were left. 0; or -1 and one line in err. A case that
 * is left out is told of. */
int case_choose_load(struct app *app, char *err, size_t err_size);
void case_choose_release(struct case_view *v);

void case_choose_draw(const struct app *app, struct canvas *cv, struct rect body);
/* The row of the list that is drawn there; -1: none is. */
int case_choose_at(const struct app *app, struct rect body, int row);

#endif
