/* What others may ask of the talk on the screen: who records it, and tests. */
#ifndef RIDGE_UI_SCREENS_PRESENT_SCREEN_H
#define RIDGE_UI_SCREENS_PRESENT_SCREEN_H

#include "ui/shell/app.h"
#include "ui/talks/talk.h"

const struct talk *present_talk(const struct app *app);
void present_go(struct app *app, size_t step);
/* Opens the answer of a question, where the step asks one. */
void present_show_answer(struct app *app);
/* Begins what the step plays by itself, unless a question stands before it; the clock of app_tick moves
 * it. Then from one pause to the next: false where there is none. */
void present_play(struct app *app);
bool present_play_on(struct app *app);

#endif
