/* What a program that means harm may try, each attempt one or two calls of the system. The test's own
 * binary is started again, confined, with the name of an attempt in its environment: it makes the
 * attempt before anything else, says how it went, and ends. */
#ifndef RIDGE_TESTS_ATTEMPTS_H
#define RIDGE_TESTS_ATTEMPTS_H

#include <stddef.h>

struct attempt {
	const char *name;
	/* 0: it got through. An errno: it was refused with that. -1: this system has no such
	 * thing to attack. */
	int (*make)(void);
	/* Without confinement it harms nothing but what the test made for it; so the test can show
	 * that it is a real attempt, which gets through then. */
	int can_be_shown;
};

extern const struct attempt attempts[];
extern const size_t n_attempts;

#endif
