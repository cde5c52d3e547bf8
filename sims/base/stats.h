/* Statistics that simulations share. */
#ifndef RIDGE_STATS_H
#define RIDGE_STATS_H

#include <stddef.h>

/* Quantile q in [0,1] of x[0..n) sorted ascending, linear between order statistics (type 7).
 * NAN when n is 0. */
double quantile_sorted(const double *x, size_t n, double q);
void sort_ascending(double *x, size_t n);

/* quantile_sorted for x in any order, in time n instead of n log n; reorders x. Values must not be
 * NAN. */
double quantile_select(double *x, size_t n, double q);

/* The largest of n values that come one after another: a high quantile of them takes no others.
 * room, the length of `heap`, is top_room(n, q). */
struct top_values {
	double *heap; /* none is less than heap[0] */
	size_t n, room;
};
size_t top_room(size_t n, double q);
void top_add(struct top_values *top, double x);
/* quantile_select of all n values, to the bit. NAN when n is 0. */
double top_quantile(const struct top_values *top, size_t n, double q);

/* The index of the largest of x[0..n), the first where several are; 0 when n is 0. */
size_t largest_of(const double *x, size_t n);

double mean_of(const double *x, size_t n);      /* NAN when n is 0 */
double deviation_of(const double *x, size_t n); /* sample standard deviation; 0 when n < 2 */

/* Half width of the 95 % confidence interval of the mean of a correlated sequence, by 20 batch
 * means. INFINITY below 200 values. */
double mean_ci95(const double *x, size_t n);

/* 95 % intervals of a long correlated sequence of values from 0 on, by BATCHES_OF_LONG batches: few, so
 * that each is long against the time for which neighbours are alike, at the price of a wider
 * Student's t. Both lie evenly about the estimate in logarithms: a run that met few large values
 * underrates its mean and its spread alike, and an even interval then ends too low. */
struct interval {
	double low, at, high; /* low 0 and high INFINITY: too few values */
};
struct interval mean_interval95(const double *x, size_t n);
/* For a quantile q in [0.9, 1) with a tail about exponential; scratch takes quantile_interval_room(n, q)
 * values: those far beyond it tell all. */
size_t quantile_interval_room(size_t n, double q);
struct interval quantile_interval95(const double *x, double *scratch, size_t n, double q);

/* mean_ci95 of n independent values: Student's t times the standard error. INFINITY below 2. */
double mean_half_width95(const double *x, size_t n);

/* The 95 % confidence interval of quantile q in (0, 1) of n independent values lies between their
 * ranks low and high, counted from 1 in ascending order, whatever the distribution (binomial, at
 * most 2.5 % outside on either side). 0: there is no such rank, n is too small. */
void quantile_ranks95(size_t n, double q, size_t *low, size_t *high);

/* Expected maximum of n independent normal step times, in deviations above the mean (Blom 1958's
 * approximation of the largest order statistic). 0 for n <= 1. */
double expected_max_normal(double n);

#endif
