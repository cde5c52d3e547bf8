/* The playhead of a simulation that runs over time: playing at a speed, scrubbing, and jumping from
 * one moment with a name to the next. */
#ifndef RIDGE_UI_LIVE_LIVE_RUN_H
#define RIDGE_UI_LIVE_LIVE_RUN_H

#include "ui/live/live.h"
#include "ui/term/canvas.h"

enum { SLOWEST = -2, FASTEST = 3 }; /* of struct live's speed: a quarter to eight times */

/* Does what an action means to the playhead. False: it means nothing to it. */
bool run_act(struct live *s, enum action a);

/* Puts the playhead where "40ms" or "end" says. 0; or -1 and one line in err. */
int run_read_time(struct live *s, const char *text, char *err, size_t err_size);
/* Forgets the stop that a key led to where it is not in this run, or at another time. */
void run_keep_stop(struct live *s);
/* What that reads as the present place of the playhead again. */
void run_write_time(const struct live *s, char *buf, size_t size);

/* Whether the knob in focus is a check box, which Space turns instead of playing. */
bool live_has_box(const struct live *s);
/* Whether there is more to say of the run than how to play it. */
bool run_is_told(const struct live *s);
/* Rows of so many columns that the captions of the run need. */
int run_rows(const struct live *s, int cols, enum glyphs glyphs);
/* Where the run is and what happens there, wrapped into r, and where there is room its keys; or how it
 * is played. elsewhere: the part of the figure that plays where it is not in sight; or NULL. */
void run_draw(struct canvas *cv, struct rect r, const struct live *s, const char *elsewhere);

#endif
