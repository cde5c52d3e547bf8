/* Adding numbers in a number format: every partial sum is rounded, and the order in which they are
 * added decides what is left of them.
 *
 * A sum in the format is the exact sum of two of its numbers, rounded: computed in double and
 * rounded again, which is the same for formats of up to 24 bits of mantissa (Figueroa, 1995). */
#ifndef RIDGE_SUMMATION_H
#define RIDGE_SUMMATION_H

#include "sims/base/rng.h"
#include "sims/compression/number_format.h"

enum sum_order {
	SUM_NAIVE,    /* one after another */
	SUM_SORTED,   /* the smallest magnitudes first */
	SUM_PAIRWISE, /* halves, and halves of halves */
	SUM_KAHAN,    /* what rounding took is added to the next term */
	SUM_WIDE,     /* in FP32, rounded to the format at the end: what Tensor Cores do */
	N_SUM_ORDERS
};

enum sum_data { DATA_UNIFORM, DATA_NORMAL, DATA_CONSTANT, DATA_UPDATES };

/* How one addition rounds. */
struct adder {
	struct rounder rounder;
	double scale;           /* a block format's, the same for all terms; 1 for other formats */
	struct rng *stochastic; /* NULL: to nearest even */
};

/* x[0..n), rounded to the format, blocks with their scales; what is too large is the largest.
 * Uniform in [0, 1), normal with deviation 1, n times `value`, or 1 and then `value` each time. */
void sum_terms(double *x, size_t n, const struct number_format *f, enum sum_data data, double value,
	uint64_t seed);

/* Correct to some 30 digits: the reference for the others. */
double sum_exact(const double *x, size_t n);

/* The adder of a format for these terms; the scale of a block format is that of its largest. */
struct adder adder_of(const struct number_format *f, const double *x, size_t n);

/* The sum of x[0..n) in an order. `room` has space for n values; SUM_SORTED uses it. */
double sum_in(const struct adder *a, enum sum_order order, const double *x, size_t n, double *room);

/* The naive sum, and how many terms other than 0 left it as it was. */
double sum_counting_lost(const struct adder *a, const double *x, size_t n, size_t *lost);

/* How many roundings may add up at worst in a sum of n terms (Higham, Accuracy and Stability of
 * Numerical Algorithms, 2002, chapter 4): each adds 2^-(mantissa bits + 1) of the sum of
 * magnitudes. */
double sum_depth(enum sum_order order, double n);

#endif
