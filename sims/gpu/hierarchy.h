/* The levels of a memory that was measured, as the roofline shows them. */
#ifndef RIDGE_HIERARCHY_H
#define RIDGE_HIERARCHY_H

#include "sims/figure/figure.h"
#include "sims/tables/tables.h"

/* A table of the levels, with the ridge under peak_flops (per s) of each; nothing where there are
 * none. */
void hierarchy_table(struct figure *fig, const struct accelerator *g, double peak_flops);

#endif
