/* The constants of a training step (sims/training/model_step.h), fitted on published throughputs:
 * 222 runs of language models, six publications, seven kinds of GPUs; and how far off runs on images
 * are, of which it finds nothing. */
#ifndef RIDGE_FIT_STEPS_H
#define RIDGE_FIT_STEPS_H

#include "sims/tables/tables.h"

/* Prints the constants, the errors on all rows, and those on each publication and each GPU that a
 * fit did not see. Adds to *differ the constants that are not those of the tree. 0; or -1 and a
 * line on stderr. */
int steps_fit(const struct tables *t, const char *folder, int *differ);

#endif
