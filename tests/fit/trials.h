/* The constants of the models that `ridge validate` holds against tables of their own: of
 * collectives, servers, queues, speculative decoding, batches and scaling. Fitted by validations
 * that are tried with other constants (sims/published/measured.h); held-out errors by validations
 * of the rows that the fit did not see. */
#ifndef RIDGE_FIT_TRIALS_H
#define RIDGE_FIT_TRIALS_H

#include "sims/tables/tables.h"

/* Prints each model's constants, and how many of its marks hold on rows that were held out. Adds to
 * *differ the constants that are not those of the tree. 0; or -1 and a line on stderr. */
int trials_fit(const struct tables *t, const char *folder, int *differ);

#endif
