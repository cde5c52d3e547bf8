/* Programs as answers where drills go line by line. */
#ifndef RIDGE_UI_PRACTICE_PROGRAM_LINES_H
#define RIDGE_UI_PRACTICE_PROGRAM_LINES_H

#include "drills/session.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

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

#endif
