/* What a typed answer means, before it is compared with anything. Text is read by the grammar of
 * sims/quantity/quantity_parse.h; what does not fit it, such as a sum, by
 * sims/quantity/scratch.h; and words as drills/answer_said.h has them. Behind a count may stand what is counted in
 * this field: "35 busy workers". */
#ifndef RIDGE_ANSWER_H
#define RIDGE_ANSWER_H

#include "drills/question.h"
#include "sims/quantity/quantity_parse.h"

#include <stdbool.h>
#include <stddef.h>

/* BARE: a number without a unit of its own. WRONG_DIM: a quantity of another kind than asked
 * for. */
enum answer_kind { ANSWER_READ, ANSWER_BARE, ANSWER_WRONG_DIM, ANSWER_INVALID };
struct answer {
	enum answer_kind kind;
	double value;      /* in question.unit */
	bool expression;   /* it had to be worked out first: "(2 + 3) GB" */
	double half_digit; /* half a unit of the last typed digit, in question.unit; 0: no digits */
	struct unit given, asked;
	char counted[SYMBOL_SIZE]; /* what a count was said to be of: "cards"; or "" */
	char understood[320];      /* "10 GiB = 10.74 GB" */
	char problem[320];         /* why it is INVALID or WRONG_DIM */
};

/* Reads text as an answer to q. */
void answer_read(const struct question *q, const char *text, struct answer *out);

#endif
