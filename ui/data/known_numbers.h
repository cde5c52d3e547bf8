/* The numbers that the program's own pages quote from simulations, as its build has worked them out
 * (content/numbers.c), because some take a tenth of a second each. Programs that are linked without the list work
 * them out when they need them, and so does who reads pages or tables of their own. */
#ifndef RIDGE_UI_DATA_KNOWN_NUMBERS_H
#define RIDGE_UI_DATA_KNOWN_NUMBERS_H

#include "sims/tables/tables.h"

#include <stddef.h>
#include <stdint.h>

/* What a source ("roofline gpu=a100 : ridge") comes to, as people read it. NULL: it is not in the list, or the
 * tables are not the program's own. */
const char *known_number(const struct tables *t, const char *source);

/* Sources, each with its number behind it, all terminated; where each source begins, in the order of strcmp. */
extern const char known_number_texts[] __attribute__((weak));
extern const uint32_t known_numbers[] __attribute__((weak));
extern const size_t n_known_numbers __attribute__((weak));

#endif
