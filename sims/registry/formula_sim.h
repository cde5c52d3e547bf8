/* Every formula as a simulation of its own, made from its row: parameters become knobs, and the
 * figure shows the working and what each parameter does to the result. Found by sim_find() as
 * "formula:kv_cache_bytes"; not in the list of simulations. */
#ifndef RIDGE_FORMULA_SIM_H
#define RIDGE_FORMULA_SIM_H

#include "sims/figure/sim.h"

const struct sim *formula_sim_find(const char *formula_id); /* NULL if none */

#endif
