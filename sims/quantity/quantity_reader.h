/* What readers of numbers and units share: the grammar of sims/quantity/quantity_parse.h, piece by
 * piece. */
#ifndef RIDGE_QUANTITY_READER_H
#define RIDGE_QUANTITY_READER_H

#include "sims/quantity/quantity_parse.h"

struct quantity_reader {
	const char *at;
	char *err;
	size_t err_size;
	bool dollar_first;
};

/* One line in err; -1, always. */
int reader_refuse(struct quantity_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The beginning of what stands at p, fit to be quoted. */
const char *reader_quote(const char *p, char buf[SYMBOL_SIZE]);

bool reader_begins(const char *p, const char *with);
bool reader_digit(char c);
size_t reader_digits(const char *p); /* bytes of a run of them */
const char *reader_after_blanks(const char *p);

/* Bytes of the first of the words that stands at p; 0 when none does. */
size_t reader_any_of(const char *p, const char *const words[]);
extern const char *const reader_times_signs[]; /* "**" first */
extern const char *const reader_dots[];

/* Bytes of a symbol at p: letters with the two code points of micro, or one of "%$". */
size_t reader_symbol_bytes(const char *p);

/* A sign and a digit, or a digit. */
bool reader_at_int(const char *p);

/* [sign] int within the limit; r->at stands on the sign or digit. */
int reader_exponent(struct quantity_reader *r, int *out);

/* A number at r->at. power: "3 x 10^9" is one, too; else 3 alone. last_digit may be NULL. */
int reader_number(struct quantity_reader *r, bool power, double *value, int *last_digit);

#endif
