/* What stands on the sheet once an answer was graded: the verdict, the working, what was
 * answered. */
#ifndef RIDGE_UI_SCREENS_DRILL_DRILL_SOLUTION_H
#define RIDGE_UI_SCREENS_DRILL_DRILL_SOLUTION_H

#include "drills/session.h"
#include "ui/practice/sheet.h"
#include "ui/shell/app.h"

/* The verdict on the last answer, with the time once the problem is closed; then how it is worked
 * out. */
void drill_verdict_write(const struct app *app, struct sheet *s, const struct session_item *item);
/* The keys that lead on from a problem that is closed. */
void drill_ways_write(const struct app *app, struct sheet *s, const struct session_item *item);
/* One of them: "g   the same numbers as knobs". */
void drill_way_write(struct sheet *s, const char *key, const char *leads);
/* The solution, part by part. Returns the row that a part begins at. */
int drill_solution_write(
	const struct app *app, struct sheet *s, const struct session_item *item, size_t part);
/* A part of a problem that is done: its working, and what was answered to it. */
void drill_part_write(
	const struct app *app, struct sheet *s, const struct session_item *item, size_t step);

#endif
