/* Deterministic random numbers, the same on every machine and compiler. Never rand().
 *
 * splitmix64 (Steele, Lea, Flood 2014) is written out here because a session code must give the
 * same problems everywhere. Streams are keyed, so adding a drill or a lane moves nothing else. */
#ifndef RIDGE_RNG_H
#define RIDGE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t state;
	double spare_normal; /* rng_normal makes two at a time */
	int has_spare;
};

/* A stream of its own for (seed, name, part). */
struct rng rng_stream(uint64_t seed, const char *name, uint64_t part);

uint64_t rng_next(struct rng *r);
double rng_uniform(struct rng *r);             /* in [0, 1), 53 bits */
uint64_t rng_below(struct rng *r, uint64_t n); /* in [0, n), unbiased; n > 0 */
/* Every order of the n elements is equally likely (Fisher and Yates, from the end: n - 1 draws). */
void rng_shuffle(struct rng *r, void *list, size_t n, size_t element_bytes);
double rng_exponential(struct rng *r, double mean);
double rng_normal(struct rng *r);                            /* mean 0, deviation 1 */
double rng_lognormal(struct rng *r, double mean, double cv); /* by its own mean and cv */
double rng_gamma(struct rng *r, double mean, double cv);     /* cv > 0; cv 1 is exponential */
/* The same before its scale: of mean 1 / cv^2, to be multiplied by the mean, then twice by cv. */
double rng_unscaled_gamma(struct rng *r, double cv);

#endif
