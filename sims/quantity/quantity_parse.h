/* What stands behind quantity.h and the answer grader: the number grammar, and units whose symbols
 * may still mean several things ("B" is byte or billion, "TFLOPs" an amount or a rate). The reader
 * of knobs takes the reading whose dimension was asked for; the grader does so by its own rules.
 *
 *   quantity = [ "~" ] [ "$" ] product [ unit ]
 *   product  = number { ("*" | "x" | "×" | "/") number }
 *   number   = [sign] digits [ "." digits ] [ exponent ]
 *   exponent = ("e"|"E") [sign] int  |  ("x"|"×"|"*"|"·") "10" ("^"|"**") [sign] int
 *   unit     = term { ["*" | "·" | "/" | "per"] term }
 *   term     = ( symbol [ ("^" | "**") int ] ) | plain integer
 *
 * Digits may stand in groups of three joined by one and the same "_" "'" "," or space. After "/" or
 * "per" every term divides, until "*" or "·". A plain integer stands only after one of these, as in
 * "$0.23 per 1M tokens". After a leading "$" a "/" belongs to the unit. */
#ifndef RIDGE_QUANTITY_PARSE_H
#define RIDGE_QUANTITY_PARSE_H

#include "sims/quantity/quantity.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	QUANTITY_MAX_BYTES = 200,
	QUANTITY_MAX_TERMS = 16,
	QUANTITY_MAX_READINGS = 3,
	QUANTITY_MAX_POWER = 4,
	QUANTITY_MAX_EXPONENT = 400,
	SYMBOL_SIZE = 24
};

enum reading_flag {
	READING_MULTIPLIER = 1, /* k, million, or a plain integer: no unit by itself */
	READING_PREFIXED = 2,
	READING_BINARY = 4, /* Ki, Mi, ...: powers of 1024 */
	READING_RATE = 8,   /* FLOPS, MACs, ... read as a rate */
	READING_AMOUNT = 16 /* the same words read as an amount */
};

struct quantity_reading {
	struct unit unit;
	unsigned flags;
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

/* All readings of a symbol, in the order of the unit table. 0: none, or one that is refused
 * because it would be read in two ways ("kb"). */
size_t symbol_readings(const char *symbol, struct quantity_reading out[QUANTITY_MAX_READINGS]);

/* Why a symbol has no reading, with what may have been meant. */
void symbol_refuse(const char *symbol, char *err, size_t err_size);

enum unit_fit {
	UNIT_FITS,    /* one reading has the hard dimensions asked for */
	UNIT_DIFFERS, /* none has: *out is made of the first reading of each symbol */
	UNIT_UNCLEAR  /* two have, and are different in size; or "m" where no length is asked */
};

/* Chooses a reading of every term; *flags are those of the chosen readings, together. */
enum unit_fit quantity_unit(
	const struct quantity *q, const struct unit *asked, struct unit *out, unsigned *flags);

/* Why a quantity was UNIT_UNCLEAR, and what to type where `asked` is asked. */
void unit_unclear(const struct quantity *q, const char *asked, char *err, size_t err_size);

/* Everything after the number multiplies, and nothing has a unit: "2.9k", "70 billion". "B" is one
 * of them unless bytes were asked for. */
bool quantity_only_multiplies(const struct quantity *q, const struct unit *asked);

/* The multiplier of such a quantity (1 when it is bare). */
double quantity_multiplier(const struct quantity *q);

/* A unit with a prefix or a multiplier of its own, such as "GB" or "billion". */
bool unit_has_prefix(const struct quantity *unit);

/* value * ratio, and by way of a division where the ratio is 1/1000 and the like, so that 25 ms is
 * the double 0.025 and not a neighbour of it. */
double unit_scale(double value, double ratio);

/* Same but for the soft dimensions, request and device. */
bool unit_same_hard_dimension(const struct unit *a, const struct unit *b);

/* "bytes per second", "tokens", "a plain number". Returns buf. */
char *unit_words(const struct unit *u, char *buf, size_t size);

/* "bytes given, parameters asked"; "rate given, amount asked: ..." where they differ by time. */
void unit_difference(
	const struct unit *given, const struct unit *asked, char *err, size_t err_size);

/* value with `digits` significant ones at most and thousands separated, by itself exact integers
 * below 1e15: "10,737.4". Returns buf. */
char *number_write(char *buf, size_t size, double value, int digits);

#endif
