/* From data to cells: which range each axis of a plot shows, where a value stands on it, and on
 * the y axis, which numbers are written there. Pure: it knows the plot and the room, no drawing. */
#ifndef RIDGE_UI_VIEWS_PLOT_SCALE_H
#define RIDGE_UI_VIEWS_PLOT_SCALE_H

#include "sims/figure/figure.h"
#include "ui/views/ticks.h"

/* lo > hi: nothing. */
struct plot_range {
	double lo, hi;
};

/* What the data, the pinned plot's (ghost, or NULL) and the rules reach. */
struct plot_extent {
	struct plot_range x, y;
	bool empty; /* no point has a place */
};
struct plot_extent plot_extent_of(const struct plot *p, const struct plot *ghost);

/* A stretch of an axis in cells: lo at 0, hi at `cells`, both at the middle of a cell. */
struct plot_scale {
	enum axis_scale kind;
	double lo, hi, from, per;
};
enum { SCALE_FAR = 1000000 };

/* NAN for what has no place (NAN, or not positive on a logarithmic axis); infinities and what is
 * far outside are cut to +-SCALE_FAR. */
double plot_scale_cells(const struct plot_scale *s, double value);
/* The value at a share (0 to 1) of the way from a to b, as a straight line on this axis has it. */
double plot_scale_between(const struct plot_scale *s, double a, double b, double share);

/* The x axis of p for its extent on so many columns, at most `most` ticks among them. It takes as
 * many of the columns as make its ticks stand equally far apart, and says how many these are. */
struct plot_scale plot_fit_even_x(const struct plot *p, const struct plot_extent *e, int *cols,
	int most, struct ticks *ticks);
/* The y axis on so many rows, with its ticks, an equal number of rows apart. */
struct plot_scale plot_fit_y(
	const struct plot *p, const struct plot_extent *e, int rows, struct ticks *ticks);
/* The x axis of a sparkline takes all columns. */
struct plot_scale plot_fit_x(const struct plot *p, const struct plot_extent *e, int cols);
/* The y axis of a sparkline: from an eighth of the lowest row to the top of the highest one. */
struct plot_scale plot_fit_sparkline(const struct plot *p, const struct plot_extent *e, int rows);

#endif
