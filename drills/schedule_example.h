/* How a skill comes back that is answered right each time, for who has no answers yet: the schedule's own
 * numbers. */
#ifndef RIDGE_SCHEDULE_EXAMPLE_H
#define RIDGE_SCHEDULE_EXAMPLE_H

#include "sims/figure/figure.h"

enum { EXAMPLE_REVIEWS = 4 };

/* Whole days after the first answer at which it comes back, those of the first day left out. Returns how many: as
 * many as asked for. */
size_t schedule_example_days(long days[], size_t n);

/* Adds a plot of what is remembered over that time. */
void schedule_example_figure(struct figure *fig);

#endif
