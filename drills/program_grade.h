/* What a program's answers are worth: each number is compared with the key of its case, or with
 * what the model solution gave. */
#ifndef RIDGE_PROGRAM_GRADE_H
#define RIDGE_PROGRAM_GRADE_H

#include "drills/grade.h"
#include "drills/program.h"

struct program_result {
	size_t passed, n;
	bool loaded; /* false: there is something wrong before the first case */
	char load_reason[REASON_SIZE];
	size_t failed;     /* the first case that failed; n where all passed */
	const char *input; /* of that case: variant_case.shown */
	const char *item;  /* the expectation that was not met; NULL: no numbers at all */
	char expected[64], got[REASON_SIZE]; /* short; expected is "" where there are no numbers */
	const char *mistake;                 /* a known one that gives these numbers, or NULL */
};

/* Compares what a program gave with the keys and with what the model solution gave. */
void program_compare(const struct variant *v, const struct program_answers *model,
	const struct program_answers *given, struct program_result *out);

/* CORRECT when all cases passed; else NAMED where the first failure is a known mistake, or WRONG,
 * with the share of the cases as credit. What does not load is INVALID and costs nothing. */
void program_grade(const struct program_result *r, struct grade *out);

/* "5 of 6 cases", for the history. Returns buf. */
char *program_summary(const struct program_result *r, char *buf, size_t size);

/* One's own judgement by the check list, where nothing can be run: y or n for each line ("y y n y",
 * "yyny"). Credit is the share of y; CORRECT when it is all of them. What cannot be read is
 * INVALID. */
void program_assess(const struct variant *v, const char *marks, struct grade *out);

#endif
