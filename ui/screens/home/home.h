/* The home screen's state: which entry of which column is in focus, and what is known of earlier
 * answers. */
#ifndef RIDGE_UI_SCREENS_HOME_HOME_H
#define RIDGE_UI_SCREENS_HOME_HOME_H

#include "ui/shell/app.h"

/* The one line that counts, and under it what can be opened. */
enum home_column { HOME_LEAD, HOME_PAGES, HOME_TALKS, HOME_SIMS, HOME_DRILLS, HOME_COLUMNS };

/* What the drills' column says of earlier answers, once that was looked at. */
enum { HOME_TOPICS = 64 };
struct home_answers {
	bool wanted, known; /* wanted: to be looked at after the next paint */
	size_t problems, n_due;
	double due_s;    /* the par of what is due, all together */
	int64_t next_s;  /* when the next skill comes; 0: none ever does */
	char today[240]; /* what the calendar has for today; "": there is no interview in it */
	int days;        /* until that */
	/* The interview or placement that was begun last of those that were left, in the last day, given or
	 * taken; "": none was. */
	struct {
		char what[160], target[96], at[32];
		int64_t begun_s;
	} left;
	/* What a plan begins with today, where there is a date or a placement; "" and 0: neither. */
	struct {
		char what[160], target[96];
		int minutes;
	} first;
	struct {
		size_t problems, correct;
	} topics[HOME_TOPICS]; /* as in app->outline */
};

struct home_view {
	int column, row[HOME_COLUMNS];
	struct home_answers answers;
};

/* The state of the screen: to read while drawing, and to change. */
static inline const struct home_view *home_seen(const struct app *app)
{
	return app_state(app, SCREEN_HOME);
}

static inline struct home_view *home_of(struct app *app)
{
	return app_state(app, SCREEN_HOME);
}

#endif
