/* Finds the fact that a question asks for, by its words. Nothing is better than a wrong fact: where two
 * facts are about equally near it asks again, and where the words speak of something else it says so. */
#ifndef RIDGE_CASE_ASK_H
#define RIDGE_CASE_ASK_H

#include "drills/case.h"

enum case_match_kind {
	MATCH_NOTHING,
	MATCH_FACT,
	MATCH_SEVERAL, /* about equally near: fact and other */
	MATCH_UNSURE   /* fact is the nearest, and the question has much that it does not know */
};
struct case_match {
	enum case_match_kind kind;
	size_t fact, other; /* of several: the two nearest */
};

/* Any text; only letters of ASCII make words, and numbers say nothing. */
struct case_match case_ask(const struct design_case *c, const char *question);

#endif
