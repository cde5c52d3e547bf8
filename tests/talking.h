/* A sitting with its talk and without a front end. */
#ifndef RIDGE_TESTS_TALKING_H
#define RIDGE_TESTS_TALKING_H

#include "tests/cases.h"

#include "drills/case_talk.h"

#include <string.h>

struct talking {
	struct design_case c;
	struct case_sitting sitting;
	struct case_talk talk;
};

/* At seed 1. The sitting and the talk point to each other: *t stays where it is until talking_end. */
static inline void talking_begin(
	struct talking *t, const struct tables *tables, const char *id, enum case_level level)
{
	char err[500];
	cases_open(&t->c, tables, id);
	cr_assert(zero(int, case_sitting_begin(
				    &t->sitting, &t->c, tables, 1, level, err, sizeof err)),
		"%s", err);
	case_talk_begin(&t->talk, &t->sitting);
}

static inline void talking_end(struct talking *t)
{
	case_talk_release(&t->talk);
	case_sitting_release(&t->sitting);
	case_release(&t->c);
}

/* Whether a paragraph has these words, from that one on. */
static inline bool says_since(const struct talking *t, size_t from, const char *words)
{
	for (size_t i = from; i < t->talk.said.n; i++)
		if (strstr(t->talk.said.list[i].text, words))
			return true;
	return false;
}

#endif
