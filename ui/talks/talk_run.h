/* What a step plays by itself: a knob that goes through its values, a run that goes on to its next
 * pause. A step that nobody plays stands where its playing ends. */
#ifndef RIDGE_UI_TALKS_TALK_RUN_H
#define RIDGE_UI_TALKS_TALK_RUN_H

#include "ui/talks/talk.h"

/* Begins what the step plays: its sweep, or its run up to the first pause. */
void talk_begin(struct talk *t);
/* From one pause of the run to the next; false: there is none. */
bool talk_play_on(struct talk *t);
/* Ends at once what moves; false: nothing did. */
bool talk_hurry(struct talk *t);
/* Leaves what moves where it is, because a hand took it. */
void talk_stop(struct talk *t);
/* Moves what moves. Returns ms until the next tick, -1 when nothing moves. */
int talk_tick(struct talk *t, int64_t now_ms);
/* Puts everything where its playing ends. */
void talk_rest(struct talk *t);

/* When a pause of the step is, in seconds of the run. 0; or -1 and one line in err. */
int talk_pause(const struct talk *t, size_t i, double *at_s, char *err, size_t err_size);
/* How long a step stands between what it plays, in seconds: each of its halts. */
double talk_halt_s(const struct tour_step *s);
/* The part of a halt that the question before the answer takes, or the answer then: 0 to 1; 1 where
 * nothing is asked. */
double talk_share(const struct talk *t);

#endif
