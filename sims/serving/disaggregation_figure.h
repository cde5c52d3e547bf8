/* The pictures of `disaggregation`. */
#ifndef RIDGE_DISAGGREGATION_FIGURE_H
#define RIDGE_DISAGGREGATION_FIGURE_H

#include "sims/serving/disaggregation.h"

/* The pools on a clock, with their captions: what a first frame shows. */
void disaggregation_draw_run(const struct disaggregation *d, struct figure *fig);
/* What else there is to see, from what has been tried. */
void disaggregation_draw_rest(const struct disaggregation *d, struct figure *fig);

#endif
