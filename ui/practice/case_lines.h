/* A case line by line: for terminals, pipes and screen readers. Questions are typed as they are asked;
 * a few words do the rest. Writes no escape byte. */
#ifndef RIDGE_UI_PRACTICE_CASE_LINES_H
#define RIDGE_UI_PRACTICE_CASE_LINES_H

#include "drills/case_sitting.h"

#include <stdio.h>

/* What one line does. True: go on; false: it was the last ("quit"). */
bool case_line(struct case_sitting *s, const char *line, int64_t now_ms, FILE *out);

/* What is said before the first line. */
void case_lines_begin(struct case_sitting *s, FILE *out);

struct case_lines {
	FILE *in, *out, *err;
	int64_t (*clock_ms)(void);
	/* Keeps a line as it was typed, at a time since the beginning, before anything is done with it.
	 * 0; or -1 and one line in err. NULL: nothing is kept. */
	int (*keep)(void *context, const char *line, int64_t at_ms, char *err, size_t err_size);
	void *context;
};

/* Reads lines until "quit" or the end of the input. What cannot be kept costs one line in err, once. 0,
 * or 1 when the output fails. */
int case_lines_run(struct case_sitting *s, const struct case_lines *l);

#endif
