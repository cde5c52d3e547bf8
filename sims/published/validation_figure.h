/* A validation as a figure: drawn, printed and exported like every other. */
#ifndef RIDGE_VALIDATION_FIGURE_H
#define RIDGE_VALIDATION_FIGURE_H

#include "sims/published/validation.h"

/* "met", "not met", or "no data". */
const char *measured_verdict_word(const struct measured_verdict *d);

/* Fills a figure: headline values, marks, errors by group, the worst rows, what was left out; with
 * plot also predicted against measured. */
void validation_figure(const struct validation *v, bool plot, struct figure *fig);

#endif
