/* Where the ticks of an axis stand, and what is written there (spec: extended Wilkinson search on
 * linear axes; powers, then finer mantissas, then linear ticks on logarithmic ones). */
#ifndef RIDGE_UI_VIEWS_TICKS_H
#define RIDGE_UI_VIEWS_TICKS_H

#include "sims/figure/figure.h"

enum { MAX_TICKS = 32 };
struct ticks {
	size_t n;
	double at[MAX_TICKS];      /* ascending, inside [min, max] */
	char label[MAX_TICKS][16]; /* one number format for the whole axis */
};

/* Ticks for [min, max], min < max (positive on a logarithmic axis), at most `most` labels; on
 * logarithmic axes at least two. */
struct ticks ticks_linear(double min, double max, int want);
struct ticks ticks_log(double min, double max, int base, int most, bool information);
/* The multiples of step (> 0) in [min, max], for an axis whose step is already chosen. */
struct ticks ticks_every(double min, double max, double step);
struct ticks axis_ticks(const struct axis *a, double min, double max, int most);

/* The raw labelling of Talbot, Lin and Hanrahan: may lie outside [min, max]. Returns the count. */
size_t wilkinson(double min, double max, int want, double at[MAX_TICKS]);

#endif
