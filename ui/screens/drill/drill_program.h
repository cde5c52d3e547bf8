/* Programs as answers on the drill screen: edited in the user's editor, run between two frames. */
#ifndef RIDGE_UI_SCREENS_DRILL_DRILL_PROGRAM_H
#define RIDGE_UI_SCREENS_DRILL_DRILL_PROGRAM_H

#include "ui/practice/sheet.h"
#include "ui/screens/drill/drill_view.h"

/* Whether the problem that is open is answered by a program. */
bool drill_program_open(const struct drill_view *d);

/* What was asked of the world by a key (struct program_draft), once the frame that says so is on the screen. */
void drill_program_work(struct app *app);

/* The judgement of one's own, a letter for each line of the check list. */
void drill_program_assess(struct app *app, const char *marks);

/* The program so far, and what the last run printed. */
void drill_program_write(const struct app *app, struct sheet *s);

void drill_program_release(struct program_draft *p);

#endif
