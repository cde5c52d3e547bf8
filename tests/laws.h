/* What the law tests share: laws that hold for every drill of the bank at any seed, answers whose
 * truth is known before they are typed, and a program that is killed. `make test` tries some,
 * `make laws` as many as the design promises. */
#ifndef RIDGE_TESTS_LAWS_H
#define RIDGE_TESTS_LAWS_H

#include "sims/formula.h"

#include <stddef.h>
#include <stdlib.h>

/* How many of something to try: the environment's LAWS_SEEDS and so on, else so many. */
static inline size_t laws_count(const char *name, size_t otherwise)
{
	const char *text = getenv(name);
	size_t n = text ? (size_t)strtoull(text, NULL, 10) : 0;
	return n ? n : otherwise;
}

/* Everything that a printed number may have been before it was rounded; x is the number itself. */
struct range {
	double low, x, high;
};

/* Computes a printed working ("2 x 80 layers x 8,192 tokens x 2 B = 2.68 MB") from its text alone,
 * by a reader that shares nothing with the writer but the names and units of the formula's
 * parameters. stated is what the text says after its last "=". Values are in the units of the
 * formula. 0; or -1 and in why where the reading ended. */
int working_read(const char *text, const struct formula *f, struct range *computed,
	struct range *stated, char *why, size_t size);

#endif
