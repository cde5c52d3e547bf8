/* The candidate's knobs, turned with the simulation's figure and the goals beside them. A knob that
 * nobody decided stands nowhere, and there is no figure before all are decided. */
#ifndef RIDGE_UI_SCREENS_CASE_CASE_DESK_H
#define RIDGE_UI_SCREENS_CASE_CASE_DESK_H

#include "ui/screens/case/case_state.h"

/* Turns the knob in focus so many steps; one that was not decided is decided first. */
void case_desk_turn(struct app *app, int n, bool big);
/* The knobs are as the sitting's design has them. */
void case_desk_follow(struct case_view *v);
/* Whether they differ from it. */
bool case_desk_differs(const struct case_view *v);
/* The line that says what differs, "design gpu=h100 tp=4". Returns buf. */
char *case_desk_line(const struct case_view *v, char *buf, size_t size);

/* Whether a line is that one and the simulation has said already what it comes to. */
bool case_desk_says(const struct case_view *v, const char *line);
/* The figure of the knobs, for a run of them; valid until they are turned. Zeroes: there is none, or not yet. */
struct case_means case_desk_means(const struct case_view *v);

/* Runs what has changed and judges it. */
void case_desk_settle(struct app *app);
/* Finishes a run that takes long. */
void case_desk_work(struct app *app);

void case_desk_release(struct case_desk *k);

#endif
