/* Quantiles of millions of weighted values in a fixed space: 64 bins an octave, each with its
 * weight and its sum, so that a quantile is the mean of its bin: at most 1.6 % off, and exact where
 * a bin holds one value only. Values from 60 ns to 18 h keep that resolution; beyond, the end bins
 * do not. */
#ifndef RIDGE_HISTOGRAM_H
#define RIDGE_HISTOGRAM_H

enum { HISTOGRAM_OCTAVES = 40, HISTOGRAM_BINS = 64 * HISTOGRAM_OCTAVES };
struct histogram {
	double weight[HISTOGRAM_BINS], sum[HISTOGRAM_BINS];
	double total;
};

/* value > 0, weight >= 0. */
void histogram_add(struct histogram *h, double value, double weight);

/* The n values first, first + step, first + 2 step, ..., each with that weight; step >= 0. */
void histogram_add_row(struct histogram *h, double first, double step, double n, double weight);

/* All values of another. */
void histogram_join(struct histogram *h, const struct histogram *other);

/* The least value with a share q of the weight at or below it. NAN when empty. */
double histogram_quantile(const struct histogram *h, double q);

#endif
