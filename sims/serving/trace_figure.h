/* What a simulation that a trace drives says about it. */
#ifndef RIDGE_TRACE_FIGURE_H
#define RIDGE_TRACE_FIGURE_H

#include "sims/tables/tables.h"
#include "sims/figure/figure.h"

/* Says why Poisson arrivals stand in, where it has no gaps. */
void trace_warn_gaps(struct figure *fig, const struct trace *t);

/* Adds headline values of the whole trace: requests, span, mean rate, CV of the gaps, mean lengths.
 * Those that it does not have are left out. */
void trace_values(struct figure *fig, const struct trace *t);

#endif
