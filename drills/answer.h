/* What a typed answer means, before it is compared with anything. */
#ifndef RIDGE_ANSWER_H
#define RIDGE_ANSWER_H

#include "drills/question.h"
#include "sims/quantity/quantity_parse.h"

#include <stdbool.h>
#include <stddef.h>

/* How an answer was read (drills/answer.c): by the reading rules, before any comparison. */
enum answer_kind { ANSWER_READ, ANSWER_BARE, ANSWER_WRONG_DIM, ANSWER_INVALID };
struct answer {
	enum answer_kind kind;
	double value;      /* in question.unit */
	bool expression;   /* read by sims/quantity/scratch.h: no product with one unit behind it */
	double half_digit; /* half a unit of the last typed digit, in question.unit; 0: none */
	struct unit given, asked;
	char understood[320];
	char problem[320]; /* of INVALID and WRONG_DIM */
};
void answer_read(const struct question *q, const char *text, struct answer *out);

#endif
