/* The parts of the interviewer's screen. */
#ifndef RIDGE_UI_SCREENS_INTERVIEWER_SCREEN_H
#define RIDGE_UI_SCREENS_INTERVIEWER_SCREEN_H

#include "ui/shell/app.h"
#include "ui/interviewer/interviewer_text.h"

/* Where the guide (or the summary) scrolls, and what stands there. */
struct rect interviewer_guide_rect(const struct interviewer *v, struct rect body);
enum interviewer_part interviewer_guide_part(struct rect body);

void interviewer_view_draw(const struct app *app, struct canvas *cv, struct rect r);
void interviewer_code_draw(const struct interviewer *v, struct canvas *cv, struct rect r);

#endif
