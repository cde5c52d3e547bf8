/* A row of models.json, which is a plain decoder (or encoder), as an architecture. */
#ifndef RIDGE_MODEL_ARCHITECTURE_H
#define RIDGE_MODEL_ARCHITECTURE_H

#include "sims/architecture/architecture.h"
#include "sims/tables/tables.h"

/* Counted from the row's shapes: without biases and learned positions, of which it says nothing, and
 * with the head tied to the embedding where the row's own figure is nearer to that. A note says
 * so. */
struct architecture architecture_of_model(const struct model *m);

/* The other way: what a row can say of an architecture, for simulations and formulas, without id and
 * name. 0; or -1 and one line in err where it says more than a row can: experts, latent attention,
 * states, chunks, layers that differ in width. */
int model_of_architecture(
	const struct architecture *a, struct model *m, char *err, size_t err_size);

#endif
