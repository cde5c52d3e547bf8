/* The order in which a simulation's knobs stand on its screen: those that a table of the figure has as
 * its rows, which stand there; in the list, first those that tell its story, then the others in groups
 * with headings. Where there is no room for all, only the group of the knob in
 * focus is open, so that the list stays short; each of the others is one line. */
#ifndef RIDGE_UI_LIVE_KNOB_LIST_H
#define RIDGE_UI_LIVE_KNOB_LIST_H

#include "sims/figure/sim.h"

/* A simulation and the knobs that stand first; none given (n 0): those of its story. */
struct knob_story {
	const struct sim *sim;
	const unsigned char *first;
	int n;
	const unsigned char *rows; /* knobs that are rows of a table, in its order */
	int n_rows;
};

struct knob_line {
	int knob;            /* its index; -1: a heading */
	const char *heading; /* of a group, or NULL */
	int count;           /* knobs in that group */
	bool open;           /* its knobs follow */
};
/* Every knob, and a heading for each (at most one for each knob). */
enum { MOST_KNOB_LINES = 2 * MAX_KNOBS };

enum { ALL_OPEN = -1 }; /* in place of a focus: every group is open */

/* The lines for a focus (a knob's index), or with all groups open. Returns how many. */
int knob_list(const struct knob_story *s, int focus, struct knob_line lines[MOST_KNOB_LINES]);
/* The same with as many more groups open, the first ones first, as so many rows hold. */
int knob_list_within(
	const struct knob_story *s, int focus, int rows, struct knob_line lines[MOST_KNOB_LINES]);
/* How many lines that makes of so many with n groups folded that have so many knobs. */
int knob_lines_within(const int folded[], int n, int lines, int rows);

/* All knobs in that order. Returns how many. */
int knob_order(const struct knob_story *s, int order[MAX_KNOBS]);
/* The first knob of the group after (way 1) or before (-1) the one that this knob is in; the rows of a
 * table are a group, and the story. After the last comes the first. */
int knob_group_beside(const struct knob_story *s, int knob, int way);

#endif
