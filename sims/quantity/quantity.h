/* Numbers with units, in from people and out to people: one reader and one writer for knobs, the
 * calculator, pages and the answer grader, so that "25 GB/s" means the same everywhere.
 *
 * Nothing here depends on the locale: reader and writer are our own, because strtod and printf
 * follow the locale's decimal sign. GB is 1e9 bytes, GiB is 2^30. */
#ifndef RIDGE_QUANTITY_H
#define RIDGE_QUANTITY_H

#include "sims/quantity/unit.h"

#include <stdbool.h>
#include <stddef.h>

/* Reads a unit as our own tables write it ("GB/s", "FLOP/B", "token", "$/h", "%", ""), where each
 * symbol has one reading (B is byte, FLOP/s is a rate). False: not a unit. */
bool unit_parse(const char *text, struct unit *out);

/* Reads what a person typed for a parameter whose unit is `unit` (as unit_parse): a bare number is
 * in that unit, another unit of the same dimension is converted ("200 Gb/s" for "GB/s" is 25).
 * Accepts what the grammar of answers accepts: 1,024  1_024  3e9  3x10^9  2 x 8  25 GB/s  64k  1/3.
 * 0 and *value in `unit`; -1 and one line in err that says what was wrong and what was expected. */
int quantity_read(const char *text, const char *unit, double *value, char *err, size_t err_size);

/* Writes a value for people, with an SI prefix where the unit is a base one ("B", "B/s", "FLOP",
 * "FLOP/s", "s" and so on) and thousands separated by commas: 4294967296 "B" -> "4.29 GB",
 * 0.0817 "s" -> "81.7 ms", 8192 "token" -> "8,192 tokens", 0.8602 "" -> "0.86". A unit with a
 * prefix of its own ("GB", "ms", "GB/s", "TFLOP/s") is kept; only 10,000 ms and more become
 * s, and 10,000 MB and more GB.
 *
 * Three significant digits, and from 1,000 on whole numbers: 2,234 FLOP/B, 3,220 s, 9.56. Four
 * where figures are compared and added up, in x and in units with a prefix of their own, from 1 on:
 * 3.065x, 277.3 ms, 52.37 GB, but 0.395 ms. Money is written in full: $16,311, $4.10.
 *
 * "yes/no" is the unit of 1 and 0. INFINITY is "infinite", NAN is "undefined". Returns buf. */
char *quantity_format(char *buf, size_t size, double value, const char *unit);

/* The unit of a time of hours and more, as people count it: "h", "d", "years". */
const char *quantity_long_time(double seconds);

/* The same for a glance: three digits everywhere, and a unit that people would pick: 3.07x, 52.4 GB,
 * 1.58 s for 1575 ms, 19 min for 0.316 h, 2.1 h for 7,571 s, 50 us for 0.05 ms. Returns buf. */
char *quantity_brief(char *buf, size_t size, double value, const char *unit);

/* The number alone and to a digit more, for workings that a reader follows: 2.039, 1,365.3. */
char *number_format(char *buf, size_t size, double value);

/* The number with at most `digits` significant ones and thousands separated; whole numbers below
 * 1e15 are written in full whatever their length: "10,737.4". Returns buf. */
char *number_write(char *buf, size_t size, double value, int digits);

#endif
