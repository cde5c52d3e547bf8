/* Gradients are drawn from their law, stored, and counted by what became of them. */
#include "sims/compression/loss_scaling.h"

#include "sims/formulas/formats.h"

#include <assert.h>

void gradients_draw(const struct gradients *what, double *g, size_t n, uint64_t seed)
{
	struct rng r = rng_stream(seed, "gradients", 0);
	for (size_t i = 0; i < n; i++) {
		double magnitude = what->median * exp2(what->spread_octaves * rng_normal(&r));
		g[i] = rng_next(&r) & 1 ? magnitude : -magnitude;
	}
}

static enum fate fate_of(const struct rounder *r, double min_normal, double x)
{
	double kept = fabs(rounder_nearest(r, x));
	if (!(kept <= r->most))
		return FATE_OVERFLOW;
	if (kept == 0)
		return x == 0 ? FATE_NORMAL : FATE_ZERO;
	return kept < min_normal ? FATE_SUBNORMAL : FATE_NORMAL;
}

void gradients_fates(const struct number_format *f, const double *g, size_t n, double scale,
	double *scaled, unsigned char *fates)
{
	assert(scale > 0);
	struct rounder r = rounder_of(f, false);
	size_t block = f->block ? f->block : n;
	double half_step = number_ulp(f, r.most) / 2, min_normal = number_min_normal(f);
	for (size_t from = 0; from < n; from += block) {
		size_t end = from + block < n ? from + block : n;
		double amax = 0;
		for (size_t i = from; i < end; i++) {
			scaled[i] = CALL(scaled_gradient, .gradient = g[i], .scale = scale);
			amax = fmax(amax, fabs(scaled[i]));
		}
		double unit = number_block_scale(f, amax);
		for (size_t i = from; i < end; i++) {
			double x = scaled[i] / unit;
			bool cut = f->specials == SPECIALS_NONE && fabs(x) > r.most + half_step;
			fates[i] =
				(unsigned char)(cut ? FATE_OVERFLOW : fate_of(&r, min_normal, x));
		}
	}
}

void fate_shares(const unsigned char *fates, size_t n, double shares[N_FATES])
{
	size_t count[N_FATES] = { 0 };
	for (size_t i = 0; i < n; i++)
		count[fates[i]]++;
	for (size_t k = 0; k < N_FATES; k++)
		shares[k] = n ? (double)count[k] / (double)n : 0;
}

double gradients_zero_share(
	const struct gradients *what, const struct number_format *f, double scale)
{
	double octaves = log2(number_min_subnormal(f) / 2 / scale / what->median);
	return erfc(-octaves / what->spread_octaves / sqrt(2)) / 2;
}

void loss_scaler_step(struct loss_scaler *s, bool overflow)
{
	assert(s->interval > 0);
	s->clean = overflow ? 0 : s->clean + 1;
	if (overflow)
		s->scale /= 2;
	if (s->clean == s->interval) {
		s->scale *= 2;
		s->clean = 0;
	}
}

double gradients_largest(const struct gradients *what, double typical, struct rng *r)
{
	const double mean = 0.5772156649; /* of Gumbel's variable: Euler's constant */
	double gumbel = -log(rng_exponential(r, 1));
	return what->median * exp2(what->spread_octaves * (typical + (gumbel - mean) / typical));
}
