/* A run of sims/gpu/fork_join.h as a timeline. */
#ifndef RIDGE_FORK_JOIN_DRAW_H
#define RIDGE_FORK_JOIN_DRAW_H

#include "sims/figure/figure.h"
#include "sims/gpu/fork_join.h"

/* Runs the program and draws the first two rounds: up to six workers, evenly chosen, and, where
 * there is one, the lock. Sets the length of the figure's run. */
struct program_run fork_join_draw(struct figure *fig, const struct program *p,
	const char *const activities[N_ACTIVITIES], const char *lock);

#endif
