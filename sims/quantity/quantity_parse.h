/* The grammar of quantities: a number or a product of numbers, then a unit whose symbols may still
 * mean several things. It stands behind quantity_read() and the answer grader: the reader of knobs
 * takes the reading whose dimension was asked for, the grader chooses by its own rules, and the
 * scratch pad reads a larger language that is made of the same pieces.
 *
 *   quantity = [ "~" ] ( [ "$" ] product [ unit ] | duration )
 *   product  = number { ("*" | "x" | "×" | "/") number }
 *   number   = [sign] digits [ "." digits ] [ exponent ]
 *   exponent = ("e"|"E") [sign] int  |  ("x"|"×"|"*"|"·") "10" ("^"|"**") [sign] int
 *   unit     = term { ["*" | "·" | "-" | "/" | "per"] term }
 *   term     = ( symbol [ ("^" | "**") int ] ) | plain integer
 *
 * Digits may stand in groups of three joined by one and the same "_" "'" "," or space. After "/" or
 * "per" every term divides, until "*" or "·". A plain integer stands only after one of these, as in
 * "$0.23 per 1M tokens". A "-" stands between letters only: "GPU-hours". After a leading "$" a "/" belongs to the unit. A duration has more than one part, "3
 * min 20 s" (sims/quantity/duration.h). */
#ifndef RIDGE_QUANTITY_PARSE_H
#define RIDGE_QUANTITY_PARSE_H

#include "sims/quantity/unit.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	QUANTITY_MAX_BYTES = 200,
	QUANTITY_MAX_TERMS = 16,
	QUANTITY_MAX_POWER = 4,
	QUANTITY_MAX_EXPONENT = 400
};

struct term {
	char symbol[SYMBOL_SIZE];
	int power;         /* negative: divides */
	size_t n_readings; /* at least one */
	struct quantity_reading readings[QUANTITY_MAX_READINGS];
};

struct quantity {
	double number;
	bool has_last_digit; /* no operator: the number was typed, not computed */
	int last_digit; /* decimal exponent of the last typed digit: -1 in 10.7, 8 in 1.07e10 */
	struct term terms[QUANTITY_MAX_TERMS];
	size_t n_terms; /* 0: a bare number */
};

/* 0; or -1 and one line in err, which quotes no byte outside printable ASCII. */
int quantity_parse(const char *text, struct quantity *q, char *err, size_t err_size);

/* A unit alone, into q->terms; here a plain integer may come first ("1/s"). "" has no terms. */
int quantity_parse_unit(const char *text, struct quantity *q, char *err, size_t err_size);

enum unit_fit {
	UNIT_FITS,    /* one reading has the hard dimensions asked for */
	UNIT_DIFFERS, /* none has: *out is made of the first reading of each symbol */
	UNIT_UNCLEAR  /* two have, and are different in size; or "m" where no length is asked */
};

/* Chooses a reading of every term; *flags are those of the chosen readings, together. */
enum unit_fit quantity_unit(
	const struct quantity *q, const struct unit *asked, struct unit *out, unsigned *flags);

/* The unit that the first reading of every term makes. */
struct unit quantity_first_unit(const struct quantity *q);

/* Why a quantity was UNIT_UNCLEAR, and what to type where `asked` is asked. */
void unit_unclear(const struct quantity *q, const char *asked, char *err, size_t err_size);

/* Everything after the number multiplies, and nothing has a unit: "2.9k", "70 billion". "B" is one
 * of them unless bytes were asked for. */
bool quantity_only_multiplies(const struct quantity *q, const struct unit *asked);

/* The multiplier of such a quantity (1 when it is bare). */
double quantity_multiplier(const struct quantity *q);

/* A unit with a prefix or a multiplier of its own, such as "GB" or "billion". */
bool unit_has_prefix(const struct quantity *unit);

/* --- the pieces, for readers of a larger language (sims/quantity/scratch.h) --- */

struct quantity_reader {
	const char *at;
	char *err;
	size_t err_size;
	bool dollar_first;
};

/* Writes one line into err and returns -1, always. */
int reader_refuse(struct quantity_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The beginning of what stands at p, fit to be quoted. */
const char *reader_quote(const char *p, char buf[SYMBOL_SIZE]);

bool reader_begins(const char *p, const char *with);
bool reader_digit(char c);
const char *reader_after_blanks(const char *p);

/* Bytes of the first of the words (NULL-terminated) that stands at p; 0 when none does. */
size_t reader_any_of(const char *p, const char *const words[]);
extern const char *const reader_times_signs[]; /* "**" first */
extern const char *const reader_dots[];

/* Bytes of the sign of a margin at p, as in "31 +- 1"; 0 when there is none. */
size_t reader_margin(const char *p);

/* Bytes of a symbol at p: letters with the two code points of micro, or one of "%$". */
size_t reader_symbol_bytes(const char *p);

/* Whether a digit stands at p, or a sign and a digit. */
bool reader_at_int(const char *p);

/* [sign] int within the limit; r->at stands on the sign or digit. */
int reader_exponent(struct quantity_reader *r, int *out);

/* A number at r->at. power: "3 x 10^9" is one number too; otherwise 3 alone is. last_digit may be
 * NULL. */
int reader_number(struct quantity_reader *r, bool power, double *value, int *last_digit);

#endif
