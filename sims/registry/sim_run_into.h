/* Running a simulation. */
#ifndef RIDGE_SIM_RUN_INTO_H
#define RIDGE_SIM_RUN_INTO_H

#include "sims/figure/sim.h"

/* The simulation's run with v, into a figure that is empty or says only how to run. What is read only when it is
 * asked for (traces, measurements) may have had no memory: fig->arena.failed then, as for the figure itself. */
void sim_run_into(
	const struct sim *s, const struct tables *t, const double v[], struct figure *fig);

#endif
