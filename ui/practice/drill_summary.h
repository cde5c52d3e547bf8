/* What a session came to, in words: the result screen and the score sheet say the same. */
#ifndef RIDGE_UI_PRACTICE_DRILL_SUMMARY_H
#define RIDGE_UI_PRACTICE_DRILL_SUMMARY_H

#include "drills/bests.h"

enum { SUMMARY_LINES = 7, SUMMARY_SIZE = 400 };

struct summary_line {
	const char *label; /* "mistakes"; "" for the first line, the score */
	char text[SUMMARY_SIZE];
};

/* Score; time against par; phases of an interview; what was missed; kinds of mistakes; personal
 * bests. Lines with nothing to say are left out. Returns how many. */
size_t drill_summary(const struct drill_session *s, const struct session_bests *b,
	struct summary_line out[SUMMARY_LINES]);

/* Whether problem i was seen. Lists leave out the problems that a sprint did not reach. */
bool drill_was_seen(const struct drill_session *s, size_t i);

/* Milliseconds as a clock shows them, in whole seconds towards zero: "1:05", "-0:30". Returns
 * buf. */
char *drill_clock_text(int64_t ms, char *buf, size_t size);
/* What is left until an end by a clock that stands before it: the difference of the two as they are shown, so
 * that who subtracts one from the other gets the same. Returns buf. */
char *drill_left_text(int64_t end_ms, int64_t clock_ms, char *buf, size_t size);
/* A time as one says it: "25 s", "90 s", "12 min". Returns buf. */
char *drill_time_text(double s, char *buf, size_t size);

#endif
