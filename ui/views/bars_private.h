/* Where bars start and end, in the unit of the figure: shared by the files of the bars view. */
#ifndef RIDGE_UI_VIEWS_BARS_PRIVATE_H
#define RIDGE_UI_VIEWS_BARS_PRIVATE_H

#include "ui/views/parts.h"

/* Where a bar starts and ends, and how far its parts reach. */
struct extent {
	double start, end, lo, hi;
};

/* A part that is nothing, or not a number, takes no room. */
bool part_counts(double x);

/* Positive parts stack to the right of zero and negative ones to the left. */
struct extent part_extent(const struct bars *b, size_t bar, size_t part);

/* From zero to the sum of the parts. */
struct extent bar_extent(const struct bars *b, size_t bar);
double bar_sum(const struct bars *b, size_t bar);
bool bar_over_limit(const struct bars *b, const struct extent *e);

/* Values that hold all bars, those of the ghost (or NULL), zero and the limit; no columns yet. */
struct scale bars_scale(const struct bars *b, const struct bars *ghost);

#endif
