/* Units: the dimensions that we compute with, and the table of names, prefixes and multipliers that
 * a symbol such as "GB", "ms" or "billion" is looked up in.
 *
 * GB is 1e9 bytes, GiB is 2^30. A symbol may still mean several things ("B" is byte or billion,
 * "TFLOPs" an amount or a rate): the table gives all its readings, and whoever knows what was asked
 * for chooses (sims/quantity/quantity_parse.h). */
#ifndef RIDGE_UNIT_H
#define RIDGE_UNIT_H

#include <stdbool.h>
#include <stddef.h>

/* Base dimensions. Information is counted in bits so that bits and bytes share a dimension;
 * request and device are soft (a missing "per GPU" is a remark, not an error). */
enum dimension {
	DIM_TIME,        /* s */
	DIM_INFORMATION, /* bit */
	DIM_WORK,        /* FLOP */
	DIM_TOKEN,
	DIM_PARAMETER,
	DIM_REQUEST,
	DIM_DEVICE,
	DIM_DOLLAR,
	DIM_ENERGY, /* J */
	DIM_LENGTH, /* m */
	N_DIMENSIONS
};

/* factor: how many base units (s, bit, FLOP, ...) one of this unit is. */
struct unit {
	double factor;
	signed char dim[N_DIMENSIONS];
};

bool unit_same_dimension(const struct unit *a, const struct unit *b);
/* Same but for the soft dimensions, request and device. */
bool unit_same_hard_dimension(const struct unit *a, const struct unit *b);

/* "bytes per second", "tokens", "a plain number". Returns buf. */
char *unit_words(const struct unit *u, char *buf, size_t size);

/* "bytes given, parameters asked"; "rate given, amount asked: ..." where they differ by time. */
void unit_difference(
	const struct unit *given, const struct unit *asked, char *err, size_t err_size);

/* value * ratio, and by way of a division where the ratio is 1/1000 and the like, so that 25 ms is
 * the double 0.025 and not a neighbour of it. */
double unit_scale(double value, double ratio);

/* --- symbols --- */

enum { QUANTITY_MAX_READINGS = 3, SYMBOL_SIZE = 24 };

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

/* All readings of a symbol, in the order of the unit table. 0: it has none, or it is refused
 * because people would read it in two ways ("kb"). */
size_t symbol_readings(const char *symbol, struct quantity_reading out[QUANTITY_MAX_READINGS]);

/* Whether it is refused because people would read it in two ways. */
bool symbol_is_unclear(const char *symbol);
/* Why a symbol has no reading, with what may have been meant. */
void symbol_refuse(const char *symbol, char *err, size_t err_size);

#endif
