/* What the files of the scratch pad share. Not for others. */
#ifndef RIDGE_SCRATCH_PARSER_H
#define RIDGE_SCRATCH_PARSER_H

#include "sims/quantity/quantity_reader.h"
#include "sims/quantity/scratch.h"

/* Which readings of symbols to prefer, as bits; 0: as they are spelled. */
enum { OTHER_B = 1, OTHER_RATE = 2, N_CHOICES = 4 };

struct parser {
	struct quantity_reader r;
	const struct scratch_pad *pad;
	unsigned choice;
	int depth;
};

/* A factor before its unit is applied to it. */
struct factor_parts {
	struct scratch_value base, unit; /* unit.number is 1 of it */
	bool percent;
};

extern const struct scratch_value scratch_one;

bool scratch_plain(const struct scratch_value *v); /* without a dimension */

/* Arithmetic (sims/quantity/scratch_value.c): *v is changed; 0, or -1 and a line in p->r.err. */
int scratch_multiply(struct parser *p, struct scratch_value *v, const struct scratch_value *by);
int scratch_divide(struct parser *p, struct scratch_value *v, const struct scratch_value *by);
int scratch_sum(
	struct parser *p, struct scratch_value *v, const struct scratch_value *more, int sign);
int scratch_raise(struct parser *p, struct scratch_value *v, double power);

/* Units behind a number (sims/quantity/scratch_unit.c). */
int scratch_unit(struct parser *p, struct factor_parts *f);

/* "in", "per" and "ans" are words of their own: whether one stands there. */
bool scratch_word(const char *at, const char *word);
bool scratch_begins_number(const char *at);
/* "x" between two factors multiplies; behind the last one it is the unit of "1.5 x". */
bool scratch_times(const char *at);

#endif
