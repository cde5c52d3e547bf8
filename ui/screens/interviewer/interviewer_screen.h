/* The parts of the interviewer's screen. */
#ifndef RIDGE_UI_SCREENS_INTERVIEWER_INTERVIEWER_SCREEN_H
#define RIDGE_UI_SCREENS_INTERVIEWER_INTERVIEWER_SCREEN_H

#include "ui/interviewer/interviewer.h"
#include "ui/interviewer/interviewer_text.h"
#include "ui/shell/app.h"

/* The state of the screen: to read while drawing, and to change. */
static inline const struct interviewer *interviewer_seen(const struct app *app)
{
	return app_state(app, SCREEN_INTERVIEWER);
}

static inline struct interviewer *interviewer_of(struct app *app)
{
	return app_state(app, SCREEN_INTERVIEWER);
}

/* Where the guide (or the summary) scrolls, and what stands there. */
struct rect interviewer_guide_rect(const struct interviewer *v, struct rect body);
/* How much room that is for a case's guide. */
struct case_room interviewer_room(const struct interviewer *v, struct rect body);
enum interviewer_part interviewer_guide_part(struct rect body);

void interviewer_view_draw(const struct app *app, struct canvas *cv, struct rect r);

#endif
