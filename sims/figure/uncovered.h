/* What a model has and a simulation does not compute with, said in its figure beside the numbers. */
#ifndef RIDGE_UNCOVERED_H
#define RIDGE_UNCOVERED_H

#include "sims/figure/figure.h"
#include "sims/tables/tables.h"

/* Layers that see a window of the last tokens, where attention is timed as if every layer saw all of a
 * sequence of `seq` tokens. Nothing where there are none, or none shorter than that. */
void note_windows(struct figure *fig, const struct model *m, double seq);

/* GPUs whose fast links join more or fewer than the `per_node` that a figure puts into a node. */
void note_domain(struct figure *fig, const struct accelerator *g, double per_node);

/* An encoder where tokens are generated: it makes none, and caches nothing. */
void note_encoder(struct figure *fig, const struct model *m);

#endif
