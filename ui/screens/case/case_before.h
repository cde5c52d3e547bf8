/* The page before the clock of a case starts: what the case is about, what its phases ask and how long each
 * takes, which keys there are. It is there while the case is dealt too, with what is known by then. */
#ifndef RIDGE_UI_SCREENS_CASE_CASE_BEFORE_H
#define RIDGE_UI_SCREENS_CASE_CASE_BEFORE_H

#include "ui/screens/case/case_state.h"

/* now_s: Unix time. */
void case_before_draw(
	const struct case_view *v, int64_t now_s, struct canvas *cv, struct rect body);

#endif
