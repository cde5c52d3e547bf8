/* Finds the fact that a question asks for, by its words. Nothing is worse than a wrong fact: where it is
 * not clear which one is meant, the nearest two are offered, to be asked for by name. */
#ifndef RIDGE_CASE_ASK_H
#define RIDGE_CASE_ASK_H

#include "drills/case.h"

enum { CASE_OFFERS = 2 };
enum case_match_kind {
	MATCH_NOTHING,
	MATCH_FACT, /* the first of the facts */
	MATCH_OFFER /* perhaps one of them is meant */
};
struct case_match {
	enum case_match_kind kind;
	size_t facts[CASE_OFFERS], n; /* the nearest first */
};

/* Any text; only letters of ASCII make words, and numbers say nothing. */
struct case_match case_ask(const struct design_case *c, const char *question);

#endif
