/* A numeric question as the grader sees it: the key from the model, its unit, how near is near
 * enough, and what may go wrong on the way. */
#ifndef RIDGE_QUESTION_H
#define RIDGE_QUESTION_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct cJSON;

enum tolerance_mode {
	TOLERANCE_RELATIVE, /* amount: a fraction of the key */
	TOLERANCE_ABSOLUTE, /* amount: in the shown unit */
	TOLERANCE_FACTOR,   /* amount > 1: an order-of-magnitude question */
	TOLERANCE_DIGITS,   /* amount: significant digits, 1 to 15 */
	TOLERANCE_EXACT     /* counts */
};
struct tolerance {
	enum tolerance_mode mode;
	double amount;
};

enum unit_policy {
	UNIT_NAMED,    /* the prompt names the unit; a bare number is fine */
	UNIT_REQUIRED, /* the unit is part of the skill */
	UNIT_NONE
};

/* What a question is about: which ratios of a wrong answer mean something. */
enum question_tag {
	TAG_INFO = 1,
	TAG_KV = 2,
	TAG_FLOPS = 4,
	TAG_PEAK = 8,
	TAG_LINK = 16,
	TAG_DTYPE = 32,
	TAG_TRAIN = 64,
	TAG_TIME = 128
};

/* One of the model's own multipliers: forgotten or counted twice, it names the fault. */
struct factor {
	const char *name;
	double value;
};

struct mistake {
	const char *name; /* "used query heads, not KV heads" */
	double value;     /* what the model gives then, in question.unit */
	double credit;    /* 0..1 */
	const char *link; /* to a paragraph, or NULL */
};

/* Whether the key is a count that came out of a quotient, and how it was made whole. */
enum whole_number { WHOLE_NOT, WHOLE_UP, WHOLE_DOWN };

struct question {
	double key;             /* in `unit` */
	const char *unit;       /* "B/s", as unit_parse reads it */
	const char *shown_unit; /* the one the prompt names: "GB/s"; of the same dimension */
	struct tolerance tolerance;
	enum unit_policy unit_policy;
	enum whole_number whole;
	bool dual; /* counts and fractions: a bare 0.42 answers 42 % as well as 42 */
	unsigned tags;
	const struct factor *factors;
	size_t n_factors;
	const struct mistake *mistakes;
	size_t n_mistakes;
};

enum { DEFAULT_CREDIT_PERCENT = 25 }; /* of a named mistake */

/* Reads one question object, or one of the file {"questions": {NAME: ...}}; name
 * may be NULL where the file holds one question only. Everything it owns is in the arena.
 * 0, or -1 and one line in err. */
int question_read(const char *json, const char *name, struct arena *a, struct question *q,
	char *err, size_t err_size);

/* Readers that question files and drill banks share. An absent member leaves *out as it is. */
int tolerance_read(const struct cJSON *object, struct tolerance *out, char *err, size_t err_size);
int unit_policy_read(const struct cJSON *object, enum unit_policy *out, char *err, size_t err_size);
int tags_read(const struct cJSON *object, unsigned *out, char *err, size_t err_size);

/* 0; or -1 where key, units, tolerance, factors and mistakes do not make a question. */
int question_check(const struct question *q, char *err, size_t err_size);

/* Half the width of what is accepted, as a fraction of the key; f - 1 where it is a factor f. */
double question_tolerance_ratio(const struct question *q);

/* Whether `value`, in q->unit, is near enough. */
bool question_accepts(const struct question *q, double value);

/* The count that a value comes to where the key is one and that count is near enough: 34.2 GPUs are 35. Else, and of a
 * whole one, the value itself. */
double question_rounded(const struct question *q, double value);

/* The ends of what is accepted, in q->unit. */
void question_accepted(const struct question *q, double *low, double *high);

/* min(tolerance, 1.5 %): how near an answer must be to a mistake or a ratio to be called that. */
double question_diagnosis_ratio(const struct question *q);

/* Whether every mistake is farther from the key than the two tolerances together reach; mistakes
 * that come to the key itself do not count. */
bool question_separable(const struct question *q);

/* "within 5 %", "exactly": the rule alone. Returns buf. */
char *tolerance_rule(const struct question *q, char *buf, size_t size);

/* "within 5 %: for 200 GB, 190 to 210 GB count": before answering, and never with numbers that
 * answer the question or one of its mistakes. Returns buf. */
char *tolerance_words(const struct question *q, char *buf, size_t size);

#endif
