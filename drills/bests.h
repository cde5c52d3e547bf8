/* What a sitting did better than all before it. */
#ifndef RIDGE_BESTS_H
#define RIDGE_BESTS_H

#include "drills/session.h"
#include "drills/stats.h"

enum { MOST_BEST_TIMES = 5 };

/* A problem right at once, without a hint, faster than any of its skill before. */
struct best_time {
	size_t item; /* an index into the items of the session */
	double before_s;
};

struct session_bests {
	bool known;                              /* there was a history to compare with */
	struct best_time times[MOST_BEST_TIMES]; /* one a skill, as the problems come */
	size_t n_times;
	size_t run, run_before; /* most problems right in a row; run is 0 where it beats nothing */
	bool is_sprint;
	size_t sprint, sprint_before; /* right in it, and in the best one before, if any */
};

/* before: of a history that ends where the session began. */
struct session_bests session_bests(const struct drill_session *s, const struct stats *before);

/* Takes out what was answered at that time or later, such as a sitting that began then. */
void history_until(struct history *h, int64_t at_s);

#endif
