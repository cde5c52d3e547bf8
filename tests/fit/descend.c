/* A pass tries every constant up and down by the factor; passes repeat until none helps, then
 * the factor shrinks. */
#include "tests/fit/descend.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static double rounded(double value, double scale)
{
	char text[32];
	snprintf(text, sizeof text, "%.3g", value / scale);
	return strtod(text, NULL) * scale;
}

/* Tries one constant up and down; whether either was better. */
static bool nudge(const struct descent *d, size_t i, double by, double *best)
{
	const double old = *d->value[i], tries[] = { old * by, old / by };
	for (size_t k = 0; k < 2; k++) {
		*d->value[i] = fmin(d->most[i], fmax(d->least[i], tries[k]));
		double now = d->loss(d->of);
		if (now < *best * (1 - 1e-6)) {
			*best = now;
			return true;
		}
	}
	*d->value[i] = old;
	return false;
}

/* Two at once, apart and together: along a valley that lies across the axes. */
static bool nudge_pair(const struct descent *d, size_t i, size_t j, double by, double *best)
{
	const double a = *d->value[i], b = *d->value[j];
	for (int k = 0; k < 4; k++) {
		double x = k & 1 ? a * by : a / by, y = k & 2 ? b * by : b / by;
		*d->value[i] = fmin(d->most[i], fmax(d->least[i], x));
		*d->value[j] = fmin(d->most[j], fmax(d->least[j], y));
		double now = d->loss(d->of);
		if (now < *best * (1 - 1e-6)) {
			*best = now;
			return true;
		}
	}
	*d->value[i] = a;
	*d->value[j] = b;
	return false;
}

/* Each constant up or down, then each two of them; whether anything was better. */
static bool pass(const struct descent *d, double by, double *best)
{
	bool better = false;
	for (size_t i = 0; i < d->n; i++)
		better |= nudge(d, i, by, best);
	for (size_t i = 0; d->pairs && i < d->n; i++)
		for (size_t j = 0; j < i; j++)
			better |= nudge_pair(d, i, j, by, best);
	return better;
}

void descend(const struct descent *d)
{
	enum { MOST_PASSES = 6 };
	double best = d->loss(d->of);
	for (double by = 1.4; by > 1.005; by = sqrt(by))
		for (int i = 0; i < MOST_PASSES && pass(d, by, &best); i++)
			;
	for (size_t i = 0; i < d->n; i++)
		*d->value[i] = rounded(*d->value[i], d->scale[i]);
}
