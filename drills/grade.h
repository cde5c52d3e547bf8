/* Grades one typed answer: drills/answer.h says what it means, and the first verdict below that
 * applies is given. Pure: same question and text, same grade. */
#ifndef RIDGE_GRADE_H
#define RIDGE_GRADE_H

#include "drills/question.h"

#include <stdbool.h>
#include <stddef.h>

enum verdict {
	VERDICT_INVALID,   /* cannot be read: costs nothing */
	VERDICT_NEED_UNIT, /* the unit is part of the answer: costs nothing, once */
	VERDICT_WRONG_DIM,
	VERDICT_CORRECT,
	VERDICT_NAMED,  /* a mistake the question knows */
	VERDICT_RATIO,  /* off by a ratio that means something */
	VERDICT_COARSE, /* too few digits to tell */
	VERDICT_NEAR, /* within twice the tolerance, or 5 % where 1 % or less precision is asked for */
	VERDICT_WRONG,
	N_VERDICTS
};
extern const char *const verdict_names[N_VERDICTS]; /* "CORRECT": as JSON has them */
extern const char *const verdict_words[N_VERDICTS]; /* "right", "close, but outside ..." */

struct grade {
	enum verdict verdict;
	bool attempt_used;
	double credit; /* 0..1 */
	bool has_value;
	double value;         /* in question.unit, where there is one */
	bool expression;      /* what was typed had to be worked out: "(2 + 3) GB" */
	bool follow_through;  /* right from a wrong value of an earlier step: set by a session */
	char understood[320]; /* "10 GiB = 10.74 GB"; "" where nothing was */
	char remark[320];     /* "" where there is nothing to say beyond the verdict */
	char cause[96];       /* the fault in a few words, for statistics: "bits vs bytes" */
};

/* unit_was_asked: the verdict on this question was NEED_UNIT before, so that now it costs an
 * attempt. */
void grade_answer(
	const struct question *q, const char *text, bool unit_was_asked, struct grade *out);

#endif
