/* A measured machine as a figure: levels, main memory with its spread, the curve, arithmetic. */
#ifndef RIDGE_UI_MACHINE_MEASURE_FIGURE_H
#define RIDGE_UI_MACHINE_MEASURE_FIGURE_H

#include "sims/figure/figure.h"
#include "ui/machine/measure.h"

void machine_figure(const struct machine *m, struct figure *fig);

#endif
