/* What the law tests share: laws that hold for every drill of the bank at any seed, answers whose
 * truth is known before they are typed, and a program that is killed. `make test` tries some,
 * `make laws` as many as the design promises. */
#ifndef RIDGE_TESTS_LAWS_H
#define RIDGE_TESTS_LAWS_H

#include "drills/question.h"
#include "sims/formulas/formula.h"
#include "sims/base/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* How many of something to try: the environment's LAWS_SEEDS and so on, else so many. */
static inline size_t laws_count(const char *name, size_t otherwise)
{
	const char *text = getenv(name);
	size_t n = text ? (size_t)strtoull(text, NULL, 10) : 0;
	return n ? n : otherwise;
}

static inline bool one_in(struct rng *r, unsigned n)
{
	return rng_below(r, n) == 0;
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

/* Whether the text shows in 80 columns, as line mode and as a page print it, with all its words. */
bool text_fits(const char *text, char *why, size_t size);

/* About the number wanted, as somebody may write it: "10,737.4", "1.07e10", "10.7 x 10^9". Returns
 * what the text says exactly. */
long double number_draw(struct rng *r, double wanted, char *out, size_t size);

/* The same as two numbers with an operator: "16 x 0.67", "21.4 / 2". */
long double product_draw(struct rng *r, double wanted, bool divide, char *out, size_t size);

/* A whole text as a product of numbers, by the grammar of answers. 1 where it is one; 0 where it
 * does not begin with a number; -1 where something follows, which may be a unit: *value is what
 * stands before it. */
int numbers_read(const char *text, long double *value);

enum { TEXT_SIZE = 160, MOST_UNITS = 20 };

struct spelling {
	const char *text;
	double factor; /* in the question's unit */
};

/* What is asked, and how its unit may be written. first: the shown unit. */
struct subject {
	const char *unit, *shown;
	double key;
	bool required, dual, dollars_first; /* "$" may stand before the number */
	unsigned tags;
	struct spelling units[MOST_UNITS];
};
extern const struct subject subjects[];
extern const size_t n_subjects;
size_t subject_units(const struct subject *s);

/* One answer, as typed and as meant. */
struct trial {
	const struct subject *subject;
	struct mistake mistakes[2];
	struct question question;
	const struct spelling *unit; /* NULL: none is typed */
	bool dollar_first;
	char number[TEXT_SIZE], text[2 * TEXT_SIZE];
	long double truth; /* in the question's unit */
};

/* Its texts point into it: it must stay where it is. */
void trial_draw(struct rng *r, struct trial *t);

/* A value to be typed, before it is rounded to digits: right, nearly so, or far away. */
double trial_target(struct rng *r, const struct question *q);

/* What a number with the trial's unit, or without one, means. */
long double trial_truth(const struct trial *t, long double number);

#endif
