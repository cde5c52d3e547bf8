/* A formula as people write it: its expression in words and signs, alone or with values put in. */
#ifndef RIDGE_FORMULA_TEXT_H
#define RIDGE_FORMULA_TEXT_H

#include "sims/formulas/formula.h"

#include <stdbool.h>
#include <stddef.h>

/* "2 × layers × kv_heads × ... ": the expression for people. ASCII when ascii is set ("x" for the
 * multiplication sign). Returns buf. */
char *formula_symbols(const struct formula *f, bool ascii, char *buf, size_t size);

/* The same in words for a reader: "1 / (serial fraction + ...)". What stands in an exponent stays one word:
 * "2^mantissa bits" would be a power of the mantissa alone. Returns buf. */
char *formula_words(const struct formula *f, bool ascii, char *buf, size_t size);

/* The expression with values put in, without what comes out. */
char *formula_substituted(
	const struct formula *f, const double args[], bool ascii, char *buf, size_t size);

/* The same with what comes out: "2 × 80 layers × 8 KV heads × 128 × 8,192 tokens × 2 B = 2.68
 * GB". */
char *formula_working(
	const struct formula *f, const double args[], bool ascii, char *buf, size_t size);

#endif
