/* What a simulation says about measurements of what it shows: how far off the model is, what was
 * measured nearest to the setting and by whom, or that there is nothing to compare with. */
#ifndef RIDGE_OVERLAY_H
#define RIDGE_OVERLAY_H

#include "sims/tables/tables.h"
#include "sims/figure/figure.h"

#include <stdbool.h>
#include <stddef.h>

/* Sets fig->accuracy to the error of `model` over the groups whose names begin with `groups` (see
 * measured_summary for most), with what was measured and by whom. False, with nothing set, where
 * there are none. */
bool overlay_error(struct figure *fig, const struct tables *t, const char *model,
	const char *groups, size_t most, const char *what);

/* The same for a curve that `ridge validate` does not know: errors[0..n) are
 * |predicted / measured - 1| at its points, and are reordered. Nothing where n is 0. */
void overlay_own_error(struct figure *fig, const struct tables *t, const char *model,
	double errors[], size_t n, const char *what);

/* Says in the same place that the setting lies outside the data, and what the model rests on. */
void overlay_outside(struct figure *fig, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds to the assumptions the nearest measured point, and where it is from. */
void overlay_nearest(struct figure *fig, const struct tables *t, const char *model, const char *fmt,
	...) __attribute__((format(printf, 4, 5)));

/* A series of published points. */
struct series *overlay_series(
	struct figure *fig, struct plot *p, const char *name, unsigned colour);

/* How far apart two amounts are: |log2|. */
double overlay_distance(double a, double b);

#endif
