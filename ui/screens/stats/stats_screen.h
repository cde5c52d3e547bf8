/* Your answers: the state of the screen that shows the statistics, read when it opens. */
#ifndef RIDGE_UI_SCREENS_STATS_STATS_SCREEN_H
#define RIDGE_UI_SCREENS_STATS_STATS_SCREEN_H

#include "drills/case_stats.h"
#include "sims/figure/figure.h"
#include "ui/interviewer/interview_results.h"
#include "ui/screens/stats/stats_rows.h"
#include "ui/shell/app.h"

struct stats_view {
	struct answers answers;
	struct figure figure;
	struct stats_topic topics[STATS_TOPICS]; /* those answered, then the bank's others */
	size_t n_topics;
	bool wanted, announced; /* large: to be read once the screen has said so */
	char error[256];
	int focus; /* among the rows of the lists; -1: the next step */
	long scroll;
	/* Interviews: their records are read one at a time, and stay read. */
	struct interview_results interviews;
	struct case_stats people;
	struct figure marks; /* of the person shown: their marks over time */
	size_t part;         /* 0: the answers; else 1 + the person whose interviews are shown */
};

/* The state of the screen: to read while drawing, and to change. */
static inline const struct stats_view *stats_seen(const struct app *app)
{
	return app_state(app, SCREEN_STATS);
}

static inline struct stats_view *stats_of(struct app *app)
{
	return app_state(app, SCREEN_STATS);
}

#endif
