/* Where the parts of a simulation stand in the body of its screen. Pure; tested from 1x1 to
 * 300x100.
 *
 * From 90 columns on the figure has a column at its side for the values and the knobs; from 60 to 89
 * they lie under it, the values in one line and the knobs in two columns; below that the knobs alone
 * lie under it. Under a figure that wants width they lie up to where the column leaves it no fewer
 * columns than a terminal of 80 has, and the first value has large digits where there are rows for
 * them. The sentence that reads the figure stands above all. */
#ifndef RIDGE_UI_LIVE_LIVE_LAYOUT_H
#define RIDGE_UI_LIVE_LIVE_LAYOUT_H

#include "ui/term/canvas.h"

#include <stdbool.h>

/* Columns of a body from which nearly every sentence has one line, and a second row would be empty. */
enum { ONE_LINE_FROM = 130 };
/* Rows of the notes at the side. */
enum { SIDE_NOTES = 13 };

/* What there is to place. */
struct sim_parts {
	int headline;       /* lines of the sentence; asked for from ONE_LINE_FROM columns on */
	int n_values;       /* lines of the values, those in the fold not among them */
	int all_values;     /* lines of all values */
	bool large;         /* the first one fits in large digits */
	int knob_lines;     /* of the list of knobs, with one group open at most */
	int all_knob_lines; /* with every group open */
	const int *folded;  /* knobs in each of the groups that are not open */
	int n_folded, n_headings;
	int note_lines; /* of what stands under the knobs where there is room, */
	int note_least; /* and without its list, which is not there in part */
	int n_blocks;   /* of the figure */
	bool wide;      /* which wants columns more than rows */
	bool plays;     /* it has a run */
	bool moved;     /* which plays, or in which one has moved */
	bool pinned;    /* it is compared with a setting, which the last line names */
	bool tries;     /* it has a line of what to try */
	bool zoomed;    /* the figure alone */
	bool values;    /* all values are wanted */
};

/* Rects of no rows are not shown. */
struct sim_layout {
	struct rect headline, tabs, figure, values, knobs, playhead, trial, honesty;
	struct rect notes; /* under the knobs: what to try and what the model leaves out */
	int knob_columns;  /* 1 or 2 */
	int hero; /* rows of the first value, with its label and a blank: more where it is large */
	bool aside; /* values and knobs have a column of their own */
};
struct sim_layout sim_layout(struct rect body, const struct sim_parts *parts);

/* Rows of so many values in a column: the first is large, and more than a few that follow it stand in
 * blocks with a blank row between them. */
int spaced_value_rows(int n);
/* Whether so many values that follow the first have a blank row after the one at i. */
bool value_ends_block(int i, int n);

/* Columns of the column at the side in a body of so many. */
int sim_side_columns(int cols);
/* Whether a body of so many columns has one, with values, knobs and notes. wide: the figure wants width. */
bool sim_has_side(int cols, bool wide);

#endif
