/* The median of three times: one may be late because others use the machine, and one good one proves nothing. */
#ifndef RIDGE_TESTS_MEDIAN_H
#define RIDGE_TESTS_MEDIAN_H

#include <math.h>

static inline double median_of_three(const double t[3])
{
	return fmax(fmin(t[0], t[1]), fmin(fmax(t[0], t[1]), t[2]));
}

#endif
