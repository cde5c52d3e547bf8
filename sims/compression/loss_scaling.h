/* Gradients in a format of short range, and the scale on the loss that moves them into it
 * (Micikevicius et al., Mixed Precision Training, 2017; torch.amp.GradScaler). */
#ifndef RIDGE_LOSS_SCALING_H
#define RIDGE_LOSS_SCALING_H

#include "sims/base/rng.h"
#include "sims/compression/number_format.h"

/* Gradients have log-normal magnitudes: half of them below the median, about two thirds within
 * `spread` octaves of it either way. */
struct gradients {
	double median, spread_octaves;
};

/* g[0..n), of either sign. */
void gradients_draw(const struct gradients *what, double *g, size_t n, uint64_t seed);

/* What becomes of a gradient once it is scaled and stored. */
enum fate { FATE_ZERO, FATE_SUBNORMAL, FATE_NORMAL, FATE_OVERFLOW, N_FATES };

/* fates[i] of g[i] * scale in the format, blocks with scales of their own; scaled has room for n.
 * Overflow: becomes infinite or NaN, or is cut to the largest. */
void gradients_fates(const struct number_format *f, const double *g, size_t n, double scale,
	double *scaled, unsigned char *fates);
/* The share of each fate. */
void fate_shares(const unsigned char *fates, size_t n, double shares[N_FATES]);

/* The share of gradients that a format without blocks rounds to zero, in closed form. */
double gradients_zero_share(
	const struct gradients *what, const struct number_format *f, double scale);

/* torch.amp.GradScaler: an overflow skips the step and halves the scale, `interval` steps without
 * one double it. */
struct loss_scaler {
	double scale;
	size_t clean, interval;
};
void loss_scaler_step(struct loss_scaler *s, bool overflow);

/* The largest gradient of one step: extreme values of the normal logarithm (Gumbel) about
 * `typical` deviations above the median, which is expected_max_normal(gradients of a step). */
double gradients_largest(const struct gradients *what, double typical, struct rng *r);

#endif
