/* A session that was left goes on: what the history has of its problems is answered once more. */
#ifndef RIDGE_SESSION_AGAIN_H
#define RIDGE_SESSION_AGAIN_H

#include "drills/history.h"

/* The session of a mode, an ordinary or a placement, that was answered last. */
struct session_left {
	const char *set; /* what was asked for (drills/history.h); part of the history */
	uint64_t seed;
	int64_t begun_s; /* Unix time of its first answer */
	size_t at;       /* the problem that it stands at, from 0, as far as its answers say */
};
/* False: there is none since that time (Unix time), or its set has no name. */
bool session_left(
	const struct history *h, enum drill_mode mode, int64_t since_s, struct session_left *out);

/* The problem, from 1, at which a placement was left since that time; 0: there is none that is not done. */
size_t session_placement_left(const struct history *h, int64_t since_s);

/* The seed of the session of that mode, and of that set ("": of none that has a name), that was answered last, since a
 * time (Unix time). False: there is none. */
bool session_left_seed(const struct history *h, enum drill_mode mode, const char *set,
	int64_t since_s, uint64_t *seed);

/* Answers the problems of a session that has just been dealt, and not begun, as the history has it since a time.
 * It stands still after that, at the first problem that is not done. Returns how many are done. */
size_t session_go_on(struct drill_session *s, const struct history *h, int64_t since_s);

#endif
