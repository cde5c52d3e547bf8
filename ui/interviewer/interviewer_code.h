/* The code of a session, so large that it can be read out from the other side of a desk. */
#ifndef RIDGE_UI_INTERVIEWER_INTERVIEWER_CODE_H
#define RIDGE_UI_INTERVIEWER_INTERVIEWER_CODE_H

#include "ui/term/canvas.h"
#include "ui/interviewer/interviewer.h"

void interviewer_code_draw(const struct interviewer *v, struct canvas *cv, struct rect r);

#endif
