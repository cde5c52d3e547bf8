/* What stands on the sheet before a problem is closed: the card, talk, what is asked, what is known
 * already, and the line for the answer. Until an answer is graded nothing here shows the key. */
#ifndef RIDGE_UI_SCREENS_DRILL_DRILL_PROBLEM_H
#define RIDGE_UI_SCREENS_DRILL_DRILL_PROBLEM_H

#include "ui/practice/sheet.h"
#include "ui/screens/drill/drill_state.h"

/* That nothing is due, when something will be, and what to do meanwhile, in so many rows. */
void drill_nothing_write(const struct app *app, int rows, struct sheet *s);
/* The schedule of reviews as an example, grey, since it is nobody's; in so many rows, none if these are few. */
void drill_schedule_write(int rows, struct sheet *s);
/* The cards before a session against the clock, and while it is paused. */
void drill_ready_write(const struct app *app, struct sheet *s);
void drill_hidden_write(const struct app *app, struct sheet *s);

/* A phase of an interview that is talk; a problem. */
void drill_talk_write(const struct app *app, struct sheet *s);
void drill_problem_write(const struct app *app, struct sheet *s, const struct session_item *item);
/* The program so far, and what came of it. Returns the row of what is to be seen of it next, 0: none. */
int drill_program_write(const struct app *app, struct sheet *s);

/* The line that is typed, with what there is to say about it. */
void drill_note_line_write(const struct app *app, struct sheet *s);
void drill_answer_line_write(const struct app *app, struct sheet *s);
/* The keys that help with a problem that is open, below a heading or without one. */
void drill_open_ways_write(const struct app *app, struct sheet *s, bool headed);

#endif
