/* How often a part stands in a text, one after the other. */
#ifndef RIDGE_TESTS_TIMES_IN_H
#define RIDGE_TESTS_TIMES_IN_H

#include <string.h>

/* part: not empty. Of "aaa" in "aaaa" there is one. */
static inline size_t times_in(const char *text, const char *part)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
		n++;
	return n;
}

#endif
