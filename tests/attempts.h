/* What a program that means harm may try, each attempt one or two calls of the system. The tests' own
 * binary is started again, confined, with the name of an attempt in its environment: it makes the
 * attempt before anything else, exits with what came of it, and nothing of the test framework runs. */
#ifndef RIDGE_TESTS_ATTEMPTS_H
#define RIDGE_TESTS_ATTEMPTS_H

#include <stddef.h>

/* Variables of the environment: which attempt, and what the test has laid out for it. */
#define ATTEMPT "RIDGE_ATTEMPT"
#define ATTEMPT_OUTSIDE "RIDGE_ATTEMPT_OUTSIDE" /* a file in a folder that is not the program's */
#define ATTEMPT_FOLDER "RIDGE_ATTEMPT_FOLDER"   /* that folder */
#define ATTEMPT_TTY "RIDGE_ATTEMPT_TTY"         /* the terminal of its parent */
#define ATTEMPT_SEGMENT "RIDGE_ATTEMPT_SEGMENT" /* shared memory of its parent, by number */

enum {
	/* Without confinement it gets through, for any user, and does no harm: so the test can show
	 * that it is a real attempt. */
	SHOWN = 1,
	OF_COMPILERS = 2, /* a compiler may, in its own folder */
	OF_ALL = 4,       /* everybody may: what is confined still works */
	ENDED = 8         /* it ends the process, instead of failing */
};

struct attempt {
	const char *name;
	int (*make)(void); /* 0: it got through; else the errno with which it was refused */
	unsigned kinds;
};

extern const struct attempt attempts[];
extern const size_t n_attempts;

#endif
