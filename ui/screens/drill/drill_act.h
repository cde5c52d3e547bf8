/* What the keys of the drill screen do. */
#ifndef RIDGE_UI_SCREENS_DRILL_DRILL_ACT_H
#define RIDGE_UI_SCREENS_DRILL_DRILL_ACT_H

#include "ui/screens/drill/drill_view.h"

/* --- lines (ui/screens/drill/drill_desk.c) --------------------------------------------------------- */

/* Which line the state has; ENTRY_NONE where keys are keys. */
enum entry_kind drill_line_kind(const struct drill_view *d);

/* The line that is typed is kept while the keys go elsewhere, and is there again. */
void drill_put_line_away(struct app *app);
void drill_take_line_up(struct app *app);

/* The keys go to the scratch pad, or back. */
void drill_to_pad(struct app *app, bool in_pad);

/* The line before, of the notes or of the pad, to be mended; false: there is none. */
bool drill_take_back(struct app *app);

/* The pad's last result, to the answer line. */
void drill_copy_result(struct app *app);

/* --- the course of a session (ui/screens/drill/drill_course.c) ------------------------------------- */

void drill_start(struct app *app);
void drill_pause(struct app *app);
void drill_resume(struct app *app);

/* Ends a sprint whose time is up, and the open problem with it; whether it was just now. */
bool drill_run_out(struct app *app);

void drill_next(struct app *app);
void drill_next_phase(struct app *app);
/* An answer that was graded elsewhere: a program. given: for the history. */
void drill_graded(struct app *app, const struct grade *g, const char *given);
void drill_hint(struct app *app);
void drill_give_up(struct app *app);

/* Scrolls to what has just come. */
void drill_show_newest(struct app *app);

/* --- ways on from a closed problem (ui/screens/drill/drill_links.c) -------------------------------- */

/* subject: its simulation; else its own numbers with every parameter a knob, where it has a
 * formula. */
void drill_open_numbers(struct app *app, bool subject);
void drill_open_paragraph(struct app *app);

#endif
