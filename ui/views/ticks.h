/* Where the ticks of an axis stand, and what is written there. On linear axes a search finds round
 * numbers that fit the range (ticks.c says how). On logarithmic ones powers of the base are tried
 * first, then finer mantissas within them, then linear ticks. */
#ifndef RIDGE_UI_VIEWS_TICKS_H
#define RIDGE_UI_VIEWS_TICKS_H

#include "sims/figure/figure.h"

enum { MAX_TICKS = 32 };
struct ticks {
	size_t n;
	double at[MAX_TICKS];      /* ascending, inside [min, max] */
	char label[MAX_TICKS][16]; /* one number format for the whole axis */
	const char *unit; /* what they are counted in; "": each says its own; NULL: the axis's */
};

/* Ticks for [min, max], min < max (positive on a logarithmic axis), at most `most` labels; on
 * logarithmic axes at least two. */
struct ticks ticks_linear(double min, double max, int want);
struct ticks ticks_log(double min, double max, int base, int most, bool information);
/* The multiples of step (> 0) in [min, max], for an axis whose step is already chosen. */
struct ticks ticks_every(double min, double max, double step);
/* The ticks of an axis whose step is already chosen: multiples of it; on a logarithmic axis every
 * step-th power of its base, or one of the others here. */
enum { TICKS_1_2_5 = 0, TICKS_DOUBLING = -1 /* from a power of ten near the middle */ };
struct ticks axis_ticks_every(const struct axis *a, double min, double max, double step);
/* The ticks of an axis as its scale and unit ask for. */
struct ticks axis_ticks(const struct axis *a, double min, double max, int most);

/* The best labelling of [min, max] with about `want` ticks, before any is cut off: its first and
 * last may lie outside. Returns the count. */
size_t ticks_search(double min, double max, int want, double at[MAX_TICKS]);

#endif
