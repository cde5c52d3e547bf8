/* A session on paper: its problems, its score, and one problem at a time for those who drill line
 * by line. */
#ifndef RIDGE_UI_PRACTICE_DRILL_SHEET_H
#define RIDGE_UI_PRACTICE_DRILL_SHEET_H

#include "drills/bests.h"

#include <stdbool.h>
#include <stdio.h>

/* The problems on paper; with answers also keys, working, likely mistakes and follow-ups. */
void drill_sheet(const struct drill_session *s, bool answers, FILE *out);

/* The score sheet: a line for each problem that was seen, and what they add up to. */
void drill_score(const struct drill_session *s, const struct session_bests *b, FILE *out);

/* The present step of a problem, once those before it are done. */
void drill_step_of(const struct variant *v, FILE *out);

/* One problem as it is asked. n_of: "Problem 2 of 5", or NULL. */
void drill_problem(const struct variant *v, const char *n_of, FILE *out);

/* The model solution of a program, and the check list. */
void drill_model(const struct variant *v, FILE *out);

/* A value of the question in the unit that its prompt asks for. Returns buf. */
char *drill_shown(const struct question *q, double value, char *buf, size_t size);

/* Text wrapped at 78 columns, behind an indent, without the marks of emphasis. */
void drill_text(const char *text, int indent, FILE *out);

#endif
