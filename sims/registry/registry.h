/* The list of all simulations. Nothing below this folder knows it: a simulation knows only
 * itself. */
#ifndef RIDGE_REGISTRY_H
#define RIDGE_REGISTRY_H

#include "sims/figure/sim.h"

#include <stddef.h>

extern const struct sim *const sims[]; /* in the order in which they are listed */
extern const size_t n_sims;
/* What each of them shows, in the same order: a line of at most 42 columns, for lists where its summary
 * is too long. */
extern const char *const sim_briefs[];

/* Each simulation belongs to one group; a group's stand together in the list above, and the groups
 * in this order. */
struct sim_group {
	const char *title; /* "one step" */
	size_t n;
};
extern const struct sim_group sim_groups[];
extern const size_t n_sim_groups;

/* A simulation of the list, or "formula:ID": a formula with its parameters as knobs. NULL if
 * none. */
const struct sim *sim_find(const char *id);

#endif
