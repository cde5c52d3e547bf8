/* Published timings of matrix products under the roof. */
#ifndef RIDGE_ROOFLINE_MEASURED_H
#define RIDGE_ROOFLINE_MEASURED_H

#include "sims/figure/figure.h"
#include "sims/gpu/transformer.h"
#include "sims/tables/tables.h"

/* Adds the points of this GPU and type, one for each stretch of intensity: the product whose rate
 * is in the middle of those there. Says how far off the model of kernels is on them, and what was
 * measured nearest to a product of m x k by k x n called `name`; or that nothing was. */
void roofline_overlay(struct figure *fig, struct plot *p, const struct tables *t,
	const struct accelerator *g, enum dtype d, const char *name, double m, double n, double k);

#endif
