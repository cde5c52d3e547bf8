/* The y axes of plots over the turns of knobs: an axis that jumps at every turn hides what the turn
 * did to the curve. */
#ifndef RIDGE_UI_LIVE_KEPT_AXES_H
#define RIDGE_UI_LIVE_KEPT_AXES_H

#include "sims/figure/figure.h"

/* Lets each plot of `now` reach as far as the plot in its place reached `before`, where the two have
 * the same axes, all of the new data has a place there, and it takes a good part of it: half the
 * height. Otherwise the axis follows the data. */
void keep_axes(struct figure *now, const struct figure *before);

#endif
