/* Five ways to add the same numbers. All go through one adder, so that formats differ in nothing
 * but how it rounds. */
#include "sims/compression/summation.h"

#include <assert.h>
#include <stdlib.h>

/* --- terms ------------------------------------------------------------------------------ */

void sum_terms(double *x, size_t n, const struct number_format *f, enum sum_data data, double value,
	uint64_t seed)
{
	struct rng r = rng_stream(seed, "terms", data);
	for (size_t i = 0; i < n; i++)
		switch (data) {
		case DATA_UNIFORM:
			x[i] = rng_uniform(&r);
			break;
		case DATA_NORMAL:
			x[i] = rng_normal(&r);
			break;
		case DATA_CONSTANT:
			x[i] = value;
			break;
		case DATA_UPDATES:
			x[i] = i == 0 ? 1 : value;
			break;
		}
	number_quantise(f, x, n, x);
}

/* Keeps the sum, and apart from it what rounding took, which Knuth's two-sum finds exactly. */
double sum_exact(const double *x, size_t n)
{
	double sum = 0, rest = 0;
	for (size_t i = 0; i < n; i++) {
		double next = sum + x[i], back = next - sum;
		rest += (sum - (next - back)) + (x[i] - back);
		sum = next;
	}
	return sum + rest;
}

/* --- adding ----------------------------------------------------------------------------- */

struct adder adder_of(const struct number_format *f, const double *x, size_t n)
{
	double amax = 0;
	for (size_t i = 0; i < n; i++)
		amax = fmax(amax, fabs(x[i]));
	return (struct adder){ rounder_of(f, false), number_block_scale(f, amax), NULL };
}

static double round_stochastic(const struct rounder *r, double x, double u)
{
	int step = rounder_step(r, x);
	double rounded = floor(x * power_of_two(-step) + u) * power_of_two(step);
	/* Beyond the ends of the format it goes as in rounding to nearest. */
	return rounded > r->most || rounded < r->least ? rounder_nearest(r, x) : rounded;
}

static inline double store(const struct adder *a, double x)
{
	if (a->scale != 1)
		x /= a->scale;
	x = a->stochastic ? round_stochastic(&a->rounder, x, rng_uniform(a->stochastic))
			  : rounder_nearest(&a->rounder, x);
	return a->scale != 1 ? x * a->scale : x;
}

static double sum_naive(const struct adder *a, const double *x, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum = store(a, sum + x[i]);
	return sum;
}

static double sum_kahan(const struct adder *a, const double *x, size_t n)
{
	double sum = 0, taken = 0;
	for (size_t i = 0; i < n; i++) {
		double term = store(a, x[i] - taken), next = store(a, sum + term);
		taken = store(a, store(a, next - sum) - term);
		sum = next;
	}
	return sum;
}

/* Depth log2(n): the recursion is bounded by the bits of a size. */
static double sum_pairwise(const struct adder *a, const double *x, size_t n)
{
	if (n <= 1)
		return n ? x[0] : 0;
	size_t half = n / 2;
	return store(a, sum_pairwise(a, x, half) + sum_pairwise(a, x + half, n - half));
}

static int by_magnitude(const void *a, const void *b)
{
	double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
	return (x > y) - (x < y);
}

double sum_in(const struct adder *a, enum sum_order order, const double *x, size_t n, double *room)
{
	assert(order < N_SUM_ORDERS);
	struct adder wide = { rounder_of(&number_formats[NUMBER_FP32], false), 1, a->stochastic };
	switch (order) {
	case SUM_SORTED:
		if (n)
			memcpy(room, x, n * sizeof *x);
		qsort(room, n, sizeof *room, by_magnitude);
		return sum_naive(a, room, n);
	case SUM_PAIRWISE:
		return sum_pairwise(a, x, n);
	case SUM_KAHAN:
		return sum_kahan(a, x, n);
	case SUM_WIDE:
		return store(a, sum_naive(&wide, x, n));
	default:
		return sum_naive(a, x, n);
	}
}

double sum_counting_lost(const struct adder *a, const double *x, size_t n, size_t *lost)
{
	double sum = 0;
	*lost = 0;
	for (size_t i = 0; i < n; i++) {
		double next = store(a, sum + x[i]);
		*lost += x[i] != 0 && next == sum;
		sum = next;
	}
	return sum;
}

double sum_depth(enum sum_order order, double n)
{
	switch (order) {
	case SUM_PAIRWISE:
		return ceil(log2(fmax(n, 1)));
	case SUM_KAHAN:
		return 2;
	case SUM_WIDE:
		return 1;
	default:
		return fmax(n - 1, 0);
	}
}
