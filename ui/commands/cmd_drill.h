/* ridge drill, line by line: for pipes, screen readers and terminals that can do no more.
 *
 *   ridge drill [--mode M] [--topic T] [--count N] [--seed N] [--attempts N] [--no-history]
 *               [--plain]
 *   ridge drill --code CODE [...]
 *   ridge drill --answers [...]
 *   ridge drill --sheet [--answers] [--json] [...] */
#ifndef RIDGE_CMD_DRILL_H
#define RIDGE_CMD_DRILL_H

#include "drills/bests.h"

#include <stdbool.h>
#include <stdio.h>

/* argv[0] is "drill". Writes no escape byte; the end of the input ends the sitting. 0 done, 1 a
 * file or the output failed, 2 usage. */
int cmd_drill(int argc, char **argv, FILE *in, FILE *out, FILE *err);

/* The problems on paper; with answers also keys, working, likely mistakes and follow-ups. */
void drill_sheet(const struct drill_session *s, bool answers, FILE *out);

/* The same for programs: {"schema": 1, "code": ..., "problems": [...]}, keys and all that gives
 * them away only with answers. 0, or 1 when memory or the output fails. */
int drill_json(const struct drill_session *s, const char *code, bool answers, FILE *out);

/* The score sheet: a line for each problem that was seen, and what they add up to. */
void drill_score(const struct drill_session *s, const struct session_bests *b, FILE *out);

/* The step that is asked, after those before it. */
void drill_step_of(const struct variant *v, FILE *out);

/* One problem as it is asked; the text wrapped. n_of: "Problem 2 of 5", or NULL. */
void drill_problem(const struct variant *v, const char *n_of, FILE *out);

/* Of a program: the model solution and the check list. */
void drill_model(const struct variant *v, FILE *out);

/* Programs as answers, line by line (ui/commands/cmd_code.c). */
struct program_lines {
	FILE *in, *out;
	int64_t (*now_ms)(void);
	char *draft;      /* the program so far, or NULL; the caller frees it */
	bool model_shown; /* to judge the program by */
};

/* A line of input to the current problem where that is a program to write: "run FILE", "edit", or
 * the program's own first line, whose others are read until a line with a single dot. False: it is
 * none, or the line is not for it. */
bool program_line(struct program_lines *l, struct drill_session *s, const char *line);

/* Text wrapped at 78 columns, behind an indent, without the marks of emphasis. */
void drill_text(const char *text, int indent, FILE *out);

#endif
