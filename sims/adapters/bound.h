/* What the adapters of kernels say of a row. */
#ifndef RIDGE_BOUND_H
#define RIDGE_BOUND_H

#include "sims/tables/tables.h"

#include <stddef.h>

/* Whether a kernel of so much work is bound by memory or by arithmetic, and how far: "memory-bound,
 * 1.3x the datasheet's roofline". */
void measured_bound(const struct accelerator *g, enum dtype d, double flops, double bytes,
	double predicted_s, char *buf, size_t size);

#endif
