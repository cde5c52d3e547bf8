/* Noise as a band. A series of more points than columns that goes up and down from point to point is a hairy
 * stripe when its points are joined: nobody sees its middle, how wide it is, or what stands out. It is drawn as
 * the median of the points around each one, over a tint from their 5th percentile to their 95th, and points
 * far outside are dots. */
#ifndef RIDGE_UI_VIEWS_PLOT_CALM_H
#define RIDGE_UI_VIEWS_PLOT_CALM_H

#include "sims/figure/figure.h"

/* Of one series. Of one that is no noise all is empty, and of an area, which is a median alone. */
struct plot_band {
	struct series low, high; /* percentiles, a point for each of the series */
	struct point *beyond;
	size_t n_beyond;
};

/* A plot whose noise is calm. It borrows all else of the plot that it was made of. */
struct plot_calm {
	struct plot plot;
	struct plot_band *bands; /* one a series; NULL: there is no noise */
};

/* For a picture of at most so many columns. Where memory is short the noise stays. */
struct plot_calm plot_calm_of(const struct plot *p, int cols);
void plot_calm_release(struct plot_calm *c);

#endif
