/* The list of all comparisons with measurements. A comparison leads from a row of a table to the
 * functions that the simulations call; adding one is a file with its columns, its `predict`, its
 * `describe` and its descriptor, and a word in the list in comparisons.c. */
#ifndef RIDGE_COMPARISONS_H
#define RIDGE_COMPARISONS_H

#include "sims/published/validation.h"

#include <stddef.h>

/* For tables->comparisons too. */
extern const struct measured_model *const measured_models[];
extern const size_t n_measured_models;
const struct measured_model *measured_model_find(const char *id); /* NULL if none */

#endif
