/* ridge drill, line by line: for pipes, screen readers and terminals that can do no more.
 *
 *   ridge drill [--topic T] [--count N] [--seed N] [--attempts N] [--plain]
 *   ridge drill --sheet [--answers] [--topic T] [--count N] [--seed N] */
#ifndef RIDGE_CMD_DRILL_H
#define RIDGE_CMD_DRILL_H

#include "drills/session.h"

#include <stdbool.h>
#include <stdio.h>

/* argv[0] is "drill". Writes no escape byte; the end of the input ends the sitting. 0 done, 1 a
 * file or the output failed, 2 usage. */
int cmd_drill(int argc, char **argv, FILE *in, FILE *out, FILE *err);

/* The problems on paper; with answers also keys, working, likely mistakes and follow-ups. */
void drill_sheet(const struct drill_session *s, bool answers, FILE *out);

/* One problem as it is asked; the text wrapped. n_of: "Problem 2 of 5", or NULL. */
void drill_problem(const struct variant *v, const char *n_of, FILE *out);

/* Text wrapped at 78 columns, behind an indent, without the marks of emphasis. */
void drill_text(const char *text, int indent, FILE *out);

#endif
