/* What others may ask of the talk on the screen: who records it, and tests. */
#ifndef RIDGE_UI_SCREENS_PRESENT_SCREEN_H
#define RIDGE_UI_SCREENS_PRESENT_SCREEN_H

#include "ui/programs/vote_source.h"
#include "ui/shell/app.h"
#include "ui/talks/talk.h"

/* How the talk on the screen is to be given. */
struct present_wishes {
	double seconds;           /* how long it may take; 0: as its file says */
	bool automatic;           /* it goes on by itself */
	bool shows_keys;          /* those that are pressed */
	bool large;               /* captions and numbers in large type */
	struct vote_source votes; /* the screen closes it */
};
void present_wish(struct app *app, const struct present_wishes *w);

/* The index of the step that a word names, "1" for the first. 0; or -1 and one line in err. */
int present_step_read(
	const struct talk *t, const char *word, size_t *step, char *err, size_t err_size);

const struct talk *present_talk(const struct app *app);
void present_go(struct app *app, size_t step);
/* Gives the talk another length, without a clock on the screen. */
void present_plan(struct app *app, double seconds);
/* Forgets what only the speaker sees. */
void present_drop_notes(struct app *app);
/* Of a talk that was left on its way: "left at step 9 of 18: ridge present why-is-my-gpu-idle 9 goes on".
 * Returns buf; NULL: there is none. */
const char *present_left(const struct app *app, char *buf, size_t size);
/* Opens the answer of a question, where the step asks one. */
void present_show_answer(struct app *app);
/* Begins what the step plays by itself, unless a question stands before it; the clock of app_tick moves
 * it. Then from one pause to the next: false where there is none. */
void present_play(struct app *app);
bool present_play_on(struct app *app);

#endif
