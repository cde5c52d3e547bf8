/* What a talk's screen tells its speaker's notes, and what these ask of it: one JSON line each. */
#ifndef RIDGE_UI_TALKS_TALK_STATE_H
#define RIDGE_UI_TALKS_TALK_STATE_H

#include "ui/talks/tour.h"

#include <stdbool.h>
#include <stddef.h>

struct talk_state {
	size_t step; /* from 0 */
	bool answered, off_script, running;
	double elapsed_s; /* since the talk began, while it runs */
	unsigned votes[TOUR_OPTIONS];
};

/* {"step":6,"answered":false,"off_script":true,"elapsed_s":531.2,"votes":[1,2,0,0,0]}; without
 * "elapsed_s" before the talk has begun. Returns buf. */
char *talk_state_write(const struct talk_state *s, char *buf, size_t size);
/* False: it is no such line, or a step beyond what can be; *s is then as it was. */
bool talk_state_read(const char *line, struct talk_state *s);
/* Whether two say the same, but for the time. */
bool talk_state_same(const struct talk_state *a, const struct talk_state *b);

enum talk_wish { WISH_NOTHING, WISH_NEXT, WISH_BACK };
/* {"do":"next"}; a literal. */
const char *talk_wish_text(enum talk_wish w);
enum talk_wish talk_wish_read(const char *line);

#endif
