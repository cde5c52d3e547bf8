#include "sims/base/histogram.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The bits of a positive double, read as a whole number, grow with its value: exponent first, then
 * mantissa. Its exponent and the first 6 bits of its mantissa therefore number bins that are spaced
 * nearly evenly in the logarithm, and finding the bin takes a shift and no log(). */
enum { MANTISSA = 52, FINE = 6, SHIFT = MANTISSA - FINE, LOWEST = 1023 - 24 };

static int bin_of(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	int64_t bin = (int64_t)(bits >> SHIFT) - ((int64_t)LOWEST << FINE);
	return bin < 0 ? 0 : bin >= HISTOGRAM_BINS ? HISTOGRAM_BINS - 1 : (int)bin;
}

/* The value at which the next bin begins. */
static double bin_end(int bin)
{
	if (bin == HISTOGRAM_BINS - 1)
		return INFINITY;
	uint64_t bits = (uint64_t)(bin + 1 + (LOWEST << FINE)) << SHIFT;
	double end;
	memcpy(&end, &bits, sizeof end);
	return end;
}

static void add(struct histogram *h, int bin, double weight, double sum)
{
	h->weight[bin] += weight;
	h->sum[bin] += sum;
	h->total += weight;
}

void histogram_add(struct histogram *h, double value, double weight)
{
	assert(weight >= 0);
	add(h, bin_of(value), weight, weight * value);
}

void histogram_add_row(struct histogram *h, double first, double step, double n, double weight)
{
	assert(step >= 0 && weight >= 0);
	while (n > 0) {
		int bin = bin_of(first);
		double here = n, room = bin_end(bin) - first;
		if (step > 0 && room < n * step)
			here = fmin(n, fmax(1, ceil(room / step)));
		add(h, bin, weight * here, weight * (here * first + step * here * (here - 1) / 2));
		first += here * step;
		n -= here;
	}
}

void histogram_join(struct histogram *h, const struct histogram *other)
{
	for (int i = 0; i < HISTOGRAM_BINS; i++)
		add(h, i, other->weight[i], other->sum[i]);
}

double histogram_quantile(const struct histogram *h, double q)
{
	assert(q >= 0 && q <= 1);
	double below = 0;
	int last = -1;
	for (int i = 0; i < HISTOGRAM_BINS; i++) {
		if (h->weight[i] <= 0)
			continue;
		last = i;
		below += h->weight[i];
		if (below >= q * h->total)
			break;
	}
	return last < 0 ? NAN : h->sum[last] / h->weight[last];
}
