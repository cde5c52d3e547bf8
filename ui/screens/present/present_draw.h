/* What the audience of a talk sees. */
#ifndef RIDGE_UI_SCREENS_PRESENT_DRAW_H
#define RIDGE_UI_SCREENS_PRESENT_DRAW_H

#include "ui/talks/talk.h"
#include "ui/term/canvas.h"

/* Where everything stands in r; what is not shown has no rows. In place of a figure a question has its
 * answers, and a title its text. */
struct present_places {
	struct rect caption, answer, believed, votes, guess, figure;
	struct rect side, foot; /* values and knobs: one of the two */
	bool large_caption, large_answer;
};
struct present_places present_places(
	const struct canvas *cv, struct rect r, const struct talk *t, bool large);

struct present_look {
	bool large; /* in large type what has room in it, the figure keeping twelve rows */
	bool alone; /* nobody votes: whoever reads a question is asked for a number */
};
/* The caption above, under it the one part of the figure that the step is about, and beside it (or
 * below, in less than 90 columns) the value that stands large, up to three more, and the knobs that
 * the step moved. */
void present_draw(struct canvas *cv, struct rect r, const struct talk *t, struct present_look look);

#endif
