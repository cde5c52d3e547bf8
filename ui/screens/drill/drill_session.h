/* What becomes of a session as keys come: lines that are typed, answers, programs, problems,
 * phases, the clock. */
#ifndef RIDGE_UI_SCREENS_DRILL_DRILL_SESSION_H
#define RIDGE_UI_SCREENS_DRILL_DRILL_SESSION_H

#include "ui/screens/drill/drill_state.h"

/* --- lines */

/* The keys go to the scratch pad, or back. */
void drill_to_pad(struct app *app, bool in_pad);

/* Takes the last note, or line of the pad, back into the entry to be corrected; false: there is
 * none. */
bool drill_take_back(struct app *app);

/* The pad's last result, to the answer line. */
void drill_copy_result(struct app *app);

/* --- the course of a session */

void drill_start(struct app *app);
void drill_pause(struct app *app);
void drill_resume(struct app *app);

/* Ends a sprint whose time is up, and the open problem with it. True: that was just now. */
bool drill_run_out(struct app *app);

/* Ends a sprint that is paused and of which something was answered, and shows its result. False: there is none. */
bool drill_has_result(const struct drill_view *d);
bool drill_stop(struct app *app);

void drill_next(struct app *app);
void drill_next_phase(struct app *app);
void drill_hint(struct app *app);
void drill_give_up(struct app *app);

/* --- programs */

/* Edits or runs the program, as a key has asked, once the frame that says so is on the screen. */
void drill_program_work(struct app *app);
/* Puts the program as it was given in the place of one that was left, or that one back. */
void drill_program_as_given(struct app *app);

/* --- beginning and ending */

/* Begins the session that r asks for, completed by drill_request_complete. 0; -1 and a line. */
int drill_view_begin(struct app *app, const struct drill_request *r, char *err, size_t err_size);
void drill_view_answer(struct app *app, const char *text);
void drill_view_note(struct app *app, const char *text);
void drill_view_work(struct app *app, const char *text); /* a line of the scratch pad */

void drill_view_release(struct drill_view *d);

#endif
