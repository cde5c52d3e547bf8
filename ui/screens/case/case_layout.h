/* Where the parts of a sitting stand in the body of its screen. Pure; tested at many sizes.
 *
 * From 96 columns on a column at the side has the clock and what is known so far, and from 140 on it
 * has room for the simulation's figure: there the clock is three rows, and knobs and goals have the width
 * of the column, below each other. In a narrower window a line or two above have the clock, and
 * the knobs with the figure take the place of the talk while the keys go to them. */
#ifndef RIDGE_UI_SCREENS_CASE_CASE_LAYOUT_H
#define RIDGE_UI_SCREENS_CASE_CASE_LAYOUT_H

#include "ui/term/canvas.h"

#include <stdbool.h>

/* Rects of no rows are not shown. */
struct case_layout {
	struct rect head; /* the clock in a line or two */
	/* What the case asks, and the number that is to be estimated next: whoever draws makes room
	 * for both. */
	struct rect opening, ask;
	struct rect talk;   /* what is said */
	struct rect line;   /* what is typed */
	struct rect side;   /* the clock, goals, numbers, facts */
	struct rect knobs;  /* the candidate's, with the goals beside or under them, */
	bool goals_aside;   /* or these at the side */
	bool roomy;         /* the side has knobs and figure */
	struct rect figure; /* what the simulation says of them */
	struct rect told; /* facts, where no figure stands in their way: whoever draws makes room */
};

/* desk: the keys go to the knobs. design: there are knobs to be shown, so many rows of them and of
 * goals. */
struct case_layout case_layout(
	struct rect body, bool desk, bool design, int knob_rows, int goal_rows);

/* Whether knobs and goals stand beside each other in so many columns, where they could as well have the whole
 * width below each other (roomy) or could not. */
bool case_band_is_wide(int cols, bool roomy);

#endif
