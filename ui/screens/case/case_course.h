/* What becomes of a sitting as keys come and time passes: lines, the clock, the record. */
#ifndef RIDGE_UI_SCREENS_CASE_CASE_COURSE_H
#define RIDGE_UI_SCREENS_CASE_CASE_COURSE_H

#include "ui/screens/case/case_state.h"

/* Begins a case, or goes on with its last sitting where that was left and nothing else is asked for. It is
 * dealt at once, or where frames are drawn after the next of them (case_course_work), since its designs are
 * run. 0; or -1 and one line in err. */
int case_begin(struct app *app, const struct case_wish *wish, char *err, size_t err_size);
void case_course_work(struct app *app);
void case_end(struct case_view *v);
/* Leaves the first page: the clock starts. And deals the case of that page anew, with other numbers. */
void case_start(struct app *app);
void case_deal_anew(struct app *app);

/* A line as if it had been typed. One that runs a design for which there is no figure yet waits for the next
 * frame (v->to_run), where frames are drawn; until it is done nothing else is. */
void case_type(struct app *app, const char *line);
/* Brings an earlier line back, the one before (way 1) or after (-1) the last that was. */
void case_recall(struct app *app, int way);

void case_pause(struct app *app);
void case_resume(struct app *app);
/* The keys go to the knobs, or back to the line. */
void case_to_desk(struct app *app, bool open);
/* Tells what the clock tells. Returns ms until it wants to be called again, -1: it stands. */
int case_course_tick(struct app *app);

/* The line is put away while the keys go elsewhere, and taken up again. */
void case_put_line_away(struct app *app);
void case_take_line_up(struct app *app);

#endif
