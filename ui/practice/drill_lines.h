/* A sitting line by line: for pipes, screen readers and terminals that can do no more. Writes no
 * escape byte. */
#ifndef RIDGE_UI_PRACTICE_DRILL_LINES_H
#define RIDGE_UI_PRACTICE_DRILL_LINES_H

#include "drills/history.h"

#include <stdio.h>

struct drill_lines {
	FILE *in, *out, *err;
	int64_t (*clock_ms)(void);
	int64_t began_s; /* Unix time at the call */
	/* 0; or -1 and one line in err. NULL: answers are not kept, and earlier ones not known. */
	int (*record)(const struct history_event *e, char *err, size_t err_size);
	int (*load_history)(struct history *h, char *err, size_t err_size);
	const char *set; /* what a set that is left goes on by (drills/history.h); or NULL */
};

/* Asks until everything is answered, the input ends or "quit" is read; then prints the score sheet.
 * An answer that cannot be kept costs one line in err, once, and the sitting goes on. 0, or 1 when
 * the output or the input fails. */
int drill_lines_run(struct drill_session *s, const struct drill_lines *l);

#endif
