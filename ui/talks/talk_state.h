/* What a talk's screen tells its speaker's notes, and what these ask of it: one JSON line each. */
#ifndef RIDGE_UI_TALKS_TALK_STATE_H
#define RIDGE_UI_TALKS_TALK_STATE_H

#include "ui/talks/tour.h"

#include <stdbool.h>
#include <stddef.h>

enum { TALK_PLACE = 512, TALK_KNOB = 64 };

struct talk_state {
	size_t step; /* from 0 */
	bool answered, off_script, running;
	double elapsed_s; /* since the talk began, while it runs */
	double plan_s;    /* how long it may take; 0: as its file says */
	unsigned votes[TOUR_OPTIONS];
	char place[TALK_PLACE]; /* off the script: what is on the screen, "queueing servers=2" */
	char knob[TALK_KNOB];   /* the one in hand there, which h and l turn; "": none */
};

/* {"step":6,"answered":false,"off_script":true,"elapsed_s":531.2,"plan_s":1200,
 * "place":"queueing servers=2","knob":"servers","votes":[1,2,0,0,0]}; without "elapsed_s" before the talk has begun,
 * and without what is empty. Returns buf. */
char *talk_state_write(const struct talk_state *s, char *buf, size_t size);
/* False: it is no such line, or a step beyond what can be; *s is then as it was. */
bool talk_state_read(const char *line, struct talk_state *s);
/* Whether two say the same, but for the time. */
bool talk_state_same(const struct talk_state *a, const struct talk_state *b);

/* Notes that have seen a talk die ask the one that takes its place to go on where it was; what is typed
 * in notes to turn a knob is turned before the audience. */
enum talk_wish { WISH_NOTHING, WISH_NEXT, WISH_BACK, WISH_RESUME, WISH_TURN };
/* {"do":"next"}, or {"do":"resume",...} with what talk_state_write writes of `at`, which may be NULL
 * for the first ones. Returns buf. */
char *talk_wish_write(enum talk_wish w, const struct talk_state *at, char *buf, size_t size);
/* WISH_RESUME: *at is where; WISH_TURN: its step, place and knob. */
enum talk_wish talk_wish_read(const char *line, struct talk_state *at);

#endif
