/* Numbers inside a text as people say them. printf's %g goes over to "1.5e+02" once a number has more
 * digits than it was asked for, and nobody reads that in a sentence. */
#ifndef RIDGE_SPOKEN_H
#define RIDGE_SPOKEN_H

#include "sims/base/arena.h"

/* The text with each such number written in full: "150", "1,500,000", "0.00002", and what is smaller than
 * one counts noughts as "6 x 10^-8".
 * A text without one is returned as it is; else it is in the arena. */
const char *numbers_spoken(struct arena *a, const char *text);

#endif
