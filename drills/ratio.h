/* Ratios between a wrong answer and the key that say what went wrong. */
#ifndef RIDGE_RATIO_H
#define RIDGE_RATIO_H

#include "drills/question.h"

#include <stdbool.h>
#include <stddef.h>

/* Ratios of x to the key that mean something, as "2x low: K and V; bytes per element?", at most
 * three of them. half_digit: half a unit of the last digit of x that was typed. Returns how many
 * there are; the first one is in cause. */
size_t ratio_reasons(const struct question *q, double x, double half_digit, char *remark,
	size_t remark_size, char *cause, size_t cause_size);

/* Whether x is the binary number with the decimal label, or the other way round, which only
 * questions with the tag info are asked. */
bool ratio_is_binary(const struct question *q, double x, char *remark, size_t remark_size);

#endif
