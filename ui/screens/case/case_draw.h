/* A sitting on the screen: the talk with the line that is typed, the clock, what is known, the knobs with
 * the simulation's figure. */
#ifndef RIDGE_UI_SCREENS_CASE_CASE_DRAW_H
#define RIDGE_UI_SCREENS_CASE_CASE_DRAW_H

#include "ui/screens/case/case_state.h"

void case_draw(const struct app *app, struct canvas *cv, struct rect body);

/* The nearest of so many rows by which the talk can be scrolled up. */
long case_talk_within(const struct app *app, long up);

#endif
