/* A column of the home screen as lines: entries, headings, and blank lines where there is room for
 * them. */
#ifndef RIDGE_UI_SCREENS_HOME_HOME_LINES_H
#define RIDGE_UI_SCREENS_HOME_HOME_LINES_H

#include "ui/screens/home/home.h"

enum { MOST_HOME_LINES = 256 };
struct home_lines {
	struct home_line {
		int entry;        /* -1: none */
		const char *text; /* of a heading; beside an entry: the group that begins with it */
		int part;         /* of the entry's description: which of its lines */
		int above; /* of a heading and the gap before it: the entry that it stands above; else -1 */
	} at[MOST_HOME_LINES];
	int n;
	int says;    /* columns of a simulation's description, 0: none is shown */
	bool beside; /* groups are named beside their entries, not above them */
};

int home_entries(const struct app *app, int column);
/* The heading above an entry, or NULL. */
const char *home_heading(const struct app *app, int column, int entry);

/* For a list of so many rows. l->says is given, and whether groups may be named beside entries. */
void home_lines(const struct app *app, int column, int rows, struct home_lines *l);
/* The first line that is shown, scrolled so that the entry in focus is. */
int home_lines_first(const struct home_lines *l, int entry, int rows);

#endif
