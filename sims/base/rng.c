#include "sims/base/rng.h"

#include <assert.h>
#include <math.h>

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

struct rng rng_stream(uint64_t seed, const char *name, uint64_t part)
{
	assert(name);
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a of the name */
	for (const char *p = name; *p; p++)
		h = (h ^ (unsigned char)*p) * 0x100000001b3u;
	return (struct rng){ .state = mix(seed + 0x9e3779b97f4a7c15u) ^ mix(h) ^
				      mix(part * 0x9e3779b97f4a7c15u + 1) };
}

uint64_t rng_next(struct rng *r)
{
	r->state += 0x9e3779b97f4a7c15u;
	return mix(r->state);
}

double rng_uniform(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
	assert(n > 0);
	uint64_t reject = -n % n; /* the first 2^64 mod n values would be too likely */
	for (;;) {
		uint64_t x = rng_next(r);
		if (x >= reject)
			return x % n;
	}
}

static void swap(unsigned char *a, unsigned char *b, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		unsigned char kept = a[i];
		a[i] = b[i];
		b[i] = kept;
	}
}

void rng_shuffle(struct rng *r, void *list, size_t n, size_t element_bytes)
{
	assert(list || n == 0);
	unsigned char *at = list;

	for (size_t i = n; i > 1; i--)
		swap(at + (i - 1) * element_bytes, at + (size_t)rng_below(r, i) * element_bytes,
			element_bytes);
}

double rng_exponential(struct rng *r, double mean)
{
	return -mean * log(1 - rng_uniform(r)); /* the difference is exact: 53 bits */
}

double rng_normal(struct rng *r)
{
	if (r->has_spare) {
		r->has_spare = 0;
		return r->spare_normal;
	}
	for (;;) { /* Marsaglia's polar method: no trigonometry, so the same everywhere */
		double u = 2 * rng_uniform(r) - 1, v = 2 * rng_uniform(r) - 1;
		double s = u * u + v * v;
		if (s >= 1 || s == 0)
			continue;
		double f = sqrt(-2 * log(s) / s);
		r->spare_normal = v * f;
		r->has_spare = 1;
		return u * f;
	}
}

double rng_lognormal(struct rng *r, double mean, double cv)
{
	assert(cv >= 0);
	double sigma2 = log1p(cv * cv);
	return mean * exp(sqrt(sigma2) * rng_normal(r) - sigma2 / 2);
}

/* Marsaglia and Tsang (2000), with the boost for shapes below 1. */
double rng_unscaled_gamma(struct rng *r, double cv)
{
	assert(cv > 0);
	double shape = 1 / (cv * cv), boost = 1;
	if (shape < 1) {
		boost = pow(1 - rng_uniform(r), 1 / shape);
		shape += 1;
	}
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
	for (;;) {
		double x = rng_normal(r), v = 1 + c * x;
		if (v <= 0)
			continue;
		v = v * v * v;
		if (log(1 - rng_uniform(r)) < x * x / 2 + d - d * v + d * log(v))
			return d * v * boost;
	}
}

double rng_gamma(struct rng *r, double mean, double cv)
{
	return rng_unscaled_gamma(r, cv) * mean * cv * cv;
}
