#include "sims/base/stats.h"

#include <assert.h>
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
	assert(q >= 0 && q <= 1);
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
	assert(q >= 0 && q <= 1);
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

/* How many of the lower ones quantile q of n values takes no notice of. */
static size_t below_quantile(size_t n, double q)
{
	assert(q >= 0 && q <= 1);
	return n ? (size_t)(q * (double)(n - 1)) : 0;
}

size_t top_room(size_t n, double q)
{
	return n - below_quantile(n, q);
}

static void sift_up(double *heap, size_t at)
{
	for (; at > 0 && heap[at] < heap[(at - 1) / 2]; at = (at - 1) / 2)
		swap(&heap[at], &heap[(at - 1) / 2]);
}

static void sift_down(double *heap, size_t n)
{
	for (size_t at = 0, child; (child = 2 * at + 1) < n; at = child) {
		child += child + 1 < n && heap[child + 1] < heap[child];
		if (!(heap[child] < heap[at]))
			return;
		swap(&heap[child], &heap[at]);
	}
}

void top_add(struct top_values *top, double x)
{
	if (top->n < top->room) {
		top->heap[top->n] = x;
		sift_up(top->heap, top->n++);
	} else if (top->n > 0 && top->heap[0] < x) {
		top->heap[0] = x;
		sift_down(top->heap, top->n);
	}
}

double top_quantile(const struct top_values *top, size_t n, double q)
{
	const size_t i = below_quantile(n, q);
	if (n == 0)
		return NAN;
	assert(top->n == n - i);
	double at = q * (double)(n - 1), least = top->heap[0], next = least;
	if (top->n > 1)
		next = top->heap[top->n > 2 && top->heap[2] < top->heap[1] ? 2 : 1];
	if (at == (double)i || next == least) /* equal also where both are infinite */
		return least;
	return least + (at - (double)i) * (next - least);
}

size_t largest_of(const double *x, size_t n)
{
	size_t most = 0;
	for (size_t i = 1; i < n; i++)
		if (x[i] > x[most])
			most = i;
	return most;
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

/* The 97.5 % point of Student's t: exact to its digits up to 4 degrees of freedom, then the
 * expansion about the normal one (Abramowitz, Stegun, 26.7.5), good to three digits. */
static double student_975(double degrees)
{
	assert(degrees >= 1);
	static const double few[] = { 12.7062, 4.3027, 3.1824, 2.7764 };
	const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
	if (degrees <= 4)
		return few[(size_t)degrees - 1];
	return z + (z3 + z) / 4 / degrees + (5 * z5 + 16 * z3 + 3 * z) / 96 / pow(degrees, 2) +
	       (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384 / pow(degrees, 3);
}

double mean_half_width95(const double *x, size_t n)
{
	if (n < 2)
		return INFINITY;
	return student_975((double)n - 1) * deviation_of(x, n) / sqrt((double)n);
}

enum { BATCHES_OF_LONG = 5 };

static double mean_of_batch(const double *x, size_t n, double level)
{
	(void)level;
	return mean_of(x, n);
}

static double share_above(const double *x, size_t n, double level)
{
	size_t above = 0;
	for (size_t i = 0; i < n; i++)
		above += x[i] > level;
	return (double)above / (double)n;
}

/* Half width of the 95 % interval of what `of` says of a batch, over its mean. */
static double batches_relative95(
	const double *x, size_t n, double (*of)(const double *, size_t, double), double level)
{
	double said[BATCHES_OF_LONG];
	size_t each = n / BATCHES_OF_LONG;
	for (size_t b = 0; b < BATCHES_OF_LONG; b++)
		said[b] = of(x + b * each, each, level);
	double mean = mean_of(said, BATCHES_OF_LONG);
	return mean > 0 ? mean_half_width95(said, BATCHES_OF_LONG) / mean : 0;
}

static const double fewest_in_batch = 10;

struct interval mean_interval95(const double *x, size_t n)
{
	double mean = mean_of(x, n);
	if ((double)n < fewest_in_batch * BATCHES_OF_LONG)
		return (struct interval){ 0, mean, INFINITY };
	double half = batches_relative95(x, n, mean_of_batch, 0);
	double low = mean * exp(-half), high = mean * exp(half);
	return (struct interval){ low, mean, high };
}

static double well_inside(double q)
{
	static const double excess_at = 10;
	return fmax(0, 1 - excess_at * (1 - q));
}

size_t quantile_interval_room(size_t n, double q)
{
	return top_room(n, well_inside(q));
}

/* Quantile q of n values from the largest of them alone, which are in any order and among which it lies. */
static double quantile_of_top(const struct top_values *top, size_t n, double q)
{
	const double span = (double)(n - 1), from = (double)(n - top->n);
	return quantile_select(
		top->heap, top->n, span > from ? (q * span - from) / (span - from) : 0);
}

/* What is known of a quantile is how many values lie beyond it: the share beyond a level swings from
 * batch to batch. Where clusters of large values come at random the square of its relative swing
 * grows as the share shrinks, so it is taken at a share four times as large, where there are more of
 * them, and carried outwards. An exponential tail of mean excess b turns a share that is off by a
 * factor of e^d into a quantile that is off by b d; b is taken beyond a share ten times as large.
 * The logarithm is of the distance from b below 0, where such a tail would begin. */
struct interval quantile_interval95(const double *x, double *scratch, size_t n, double q)
{
	assert(q >= 0.9 && q < 1);
	const double beyond = 1 - q, swing_at = 4;
	struct top_values most = { .heap = scratch, .room = quantile_interval_room(n, q) };
	for (size_t i = 0; i < n; i++)
		top_add(&most, x[i]);
	/* All that is not less than a quantile well inside: the others are found among it. */
	double inner = top_quantile(&most, n, well_inside(q)), sum = 0;
	size_t above = 0;
	if ((double)n * beyond < fewest_in_batch)
		return (struct interval){ 0, quantile_of_top(&most, n, q), INFINITY };
	for (size_t i = 0; i < most.n; i++) {
		sum += fmax(0, scratch[i] - inner);
		above += scratch[i] > inner;
	}
	double excess = above ? sum / (double)above : 0;
	double level = quantile_of_top(&most, n, 1 - swing_at * beyond);
	double at = quantile_of_top(&most, n, q);
	double swing = batches_relative95(x, n, share_above, level) *
		       sqrt(share_above(x, n, level) / beyond);
	double origin = at + excess, factor = origin > 0 ? exp(swing * excess / origin) : 1;
	return (struct interval){ at > 0 ? fmax(0, origin / factor - excess) : 0, at,
		origin * factor - excess };
}

void quantile_ranks95(size_t n, double q, size_t *low, size_t *high)
{
	assert(q > 0 && q < 1 && low && high);
	/* below: P(fewer than k of the n lie below the quantile), k one past the rank at hand. */
	double log_p = (double)n * log1p(-q), below = 0;
	*low = *high = 0;
	for (size_t k = 0; k <= n; k++) {
		below += exp(log_p);
		if (below <= 0.025 && k < n)
			*low = k + 1;
		if (below >= 0.975 && k < n && *high == 0)
			*high = k + 1;
		log_p += log((double)(n - k) / ((double)k + 1)) + log(q / (1 - q));
	}
}

/* Inverse of the normal distribution by bisection of erfc: exact to rounding, and called rarely. */
static double normal_quantile(double p)
{
	double lo = -40, hi = 40;
	for (int i = 0; i < 80; i++) {
		double mid = (lo + hi) / 2;
		if (mid == lo || mid == hi) /* there is nothing between them */
			break;
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
