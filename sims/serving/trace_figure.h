/* What a simulation that a trace drives says about it. */
#ifndef RIDGE_TRACE_FIGURE_H
#define RIDGE_TRACE_FIGURE_H

#include "sims/tables/tables.h"
#include "sims/figure/figure.h"

/* Whether there are gaps to take: false of NULL, of one request, of all in one moment. */
bool trace_has_gaps(const struct trace *t);

/* Says why Poisson arrivals stand in, where it has none. */
void trace_warn_gaps(struct figure *fig, const struct trace *t);

/* Headline values, computed from the whole trace: requests, span, mean rate, CV of the gaps, mean
 * lengths. Those that it does not have are left out. */
void trace_values(struct figure *fig, const struct trace *t);

#endif
