/* Published timings of all-reduces over the curve of time against size. */
#ifndef RIDGE_ALLREDUCE_MEASURED_H
#define RIDGE_ALLREDUCE_MEASURED_H

#include "sims/figure/figure.h"
#include "sims/communication/collective.h"
#include "sims/tables/tables.h"

/* Adds the points of this GPU and so many of them in one node; says how far off the model is, and
 * what was measured nearest to the message; or that nothing was. */
void allreduce_overlay(struct figure *fig, struct plot *p, const struct tables *t,
	const struct accelerator *g, const struct network *net, double gpus, double gpus_per_node,
	double bytes);

#endif
