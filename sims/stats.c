#include "sims/stats.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

void sort_ascending(double *x, size_t n)
{
	if (n > 1)
		qsort(x, n, sizeof *x, ascending);
}

double quantile_sorted(const double *x, size_t n, double q)
{
	if (n == 0)
		return NAN;
	double at = q * (double)(n - 1);
	size_t i = (size_t)at;
	if (i + 1 >= n)
		return x[n - 1];
	return x[i] + (at - (double)i) * (x[i + 1] - x[i]);
}

static void swap(double *a, double *b)
{
	double t = *a;
	*a = *b;
	*b = t;
}

/* Hoare's selection, the middle of three as pivot: afterwards x[k] is where sorting would put it
 * and nothing to its right is less. */
static void select_kth(double *x, size_t n, size_t k)
{
	size_t lo = 0, hi = n - 1;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2, i = lo, j = hi;
		if (x[mid] < x[lo])
			swap(&x[mid], &x[lo]);
		if (x[hi] < x[lo])
			swap(&x[hi], &x[lo]);
		if (x[hi] < x[mid])
			swap(&x[hi], &x[mid]);
		double pivot = x[mid];
		for (;;) {
			while (x[i] < pivot)
				i++;
			while (pivot < x[j])
				j--;
			if (i >= j)
				break;
			swap(&x[i++], &x[j--]);
		}
		/* Left of i nothing is more than the pivot, right of j nothing less. */
		if (k <= j)
			hi = j;
		else
			lo = j + 1;
	}
}

double quantile_select(double *x, size_t n, double q)
{
	if (n == 0)
		return NAN;
	double at = q * (double)(n - 1);
	size_t i = (size_t)at;
	select_kth(x, n, i);
	double next = INFINITY;
	for (size_t k = i + 1; k < n; k++)
		next = x[k] < next ? x[k] : next;
	if (i + 1 >= n || at == (double)i || next == x[i]) /* equal also where both are infinite */
		return x[i];
	return x[i] + (at - (double)i) * (next - x[i]);
}

double mean_of(const double *x, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return n ? sum / (double)n : NAN;
}

double deviation_of(const double *x, size_t n)
{
	if (n < 2)
		return 0;
	double mean = mean_of(x, n), sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sqrt(sum / (double)(n - 1));
}

enum { BATCHES = 20 };

static double batches_ci95(const double of_batch[BATCHES])
{
	const double t_19 = 2.093; /* Student's t, 19 degrees of freedom, 97.5 % */
	return t_19 * deviation_of(of_batch, BATCHES) / sqrt(BATCHES);
}

double mean_ci95(const double *x, size_t n)
{
	if (n < 10 * BATCHES)
		return INFINITY;
	double means[BATCHES];
	size_t each = n / BATCHES;
	for (size_t b = 0; b < BATCHES; b++)
		means[b] = mean_of(x + b * each, each);
	return batches_ci95(means);
}

double quantile_ci95(double *x, size_t n, double q)
{
	size_t each = n / BATCHES;
	if (n < 10 * BATCHES || (double)each * (1 - q) < 1)
		return INFINITY;
	double quantiles[BATCHES];
	for (size_t b = 0; b < BATCHES; b++)
		quantiles[b] = quantile_select(x + b * each, each, q);
	return batches_ci95(quantiles);
}

/* Inverse of the normal distribution by bisection of erfc: exact to rounding, and called rarely. */
static double normal_quantile(double p)
{
	double lo = -40, hi = 40;
	for (int i = 0; i < 80; i++) {
		double mid = (lo + hi) / 2;
		if (erfc(-mid / sqrt(2)) / 2 < p)
			lo = mid;
		else
			hi = mid;
	}
	return (lo + hi) / 2;
}

double expected_max_normal(double n)
{
	return n <= 1 ? 0 : normal_quantile((n - 0.375) / (n + 0.25));
}
