/* A case line by line: for terminals, pipes and screen readers. What is said is the talk's
 * (drills/case_talk.h). Writes no escape byte. */
#ifndef RIDGE_UI_PRACTICE_CASE_LINES_H
#define RIDGE_UI_PRACTICE_CASE_LINES_H

#include "drills/case_talk.h"

#include <stdbool.h>
#include <stdio.h>

struct case_lines {
	const char *name; /* of the program, for messages */
	FILE *in, *out, *err;
	int64_t (*clock_ms)(void);
	/* Keeps a line of the sitting's record (ui/practice/case_record.h), before anything is done with
	 * what it says. 0; or -1 and one line in err. NULL: nothing is kept. */
	int (*keep)(void *context, const char *line, char *err, size_t err_size);
	void *context;
	int64_t from_ms;   /* where the sitting's clock stands: 0, or where it was left */
	const char *first; /* a line that was read already (case_lines_wait), or NULL */
};

/* Prints what was said from a paragraph on, in lines of words. Returns up to where. */
size_t case_lines_print(const struct case_said *said, size_t from, FILE *out);

/* Waits for the line that starts the clock: an empty one, or the first that is for the talk, into line, of
 * CASE_LINE_SIZE bytes. False: the input ends before. */
bool case_lines_wait(FILE *in, FILE *out, char *line);

/* Prints what was said so far, then reads lines until "quit" or the end of the input. From the debrief on the
 * clock stands. What cannot be kept costs one line in err, once. 0, or 1 when the output or the input fails. */
int case_lines_run(struct case_talk *t, const struct case_lines *l);

#endif
