/* A row of models.json, which is a plain decoder (or encoder), as an architecture. */
#ifndef RIDGE_MODEL_ARCHITECTURE_H
#define RIDGE_MODEL_ARCHITECTURE_H

#include "sims/architecture/architecture.h"
#include "sims/tables/tables.h"

#include <stddef.h>

/* Counted from the row's shapes: without biases and learned positions, of which it says nothing, and
 * with the head tied to the embedding where the row's own figure is nearer to that. A note says
 * so. */
struct architecture architecture_of_model(const struct model *m);

/* What the architecture has that no row can say: "routed experts". NULL: nothing. */
const char *architecture_beyond_a_row(const struct architecture *a);

/* The other way: what a row can say of an architecture, for simulations and formulas, without id and
 * name. 0; or -1 and one line in err where it says more than a row can: experts, latent attention,
 * states, chunks, layers that differ in width. */
int model_of_architecture(
	const struct architecture *a, struct model *m, char *err, size_t err_size);

/* A row for a model of any make: made_of is `a`, which must live as long as the row; heads to ffn are
 * of the first layers that have them. */
struct model model_made_of(const struct architecture *a);

/* The models of the tables that have routed experts, in their order, and the row that a knob of
 * KNOB_MIXTURE has chosen among them. */
size_t mixtures_count(const struct tables *t);
const struct model *mixture_at(const struct tables *t, double knob);

/* Names that formulas use for what the architecture knows ("experts", "latent", "full_layers"): 1 and
 * *value, or 0 where it has no such thing, or where layers differ in it. A mixture has no "params": it
 * has active_params, and those that are no routed experts as other_params. */
int architecture_parameter(const struct architecture *a, const char *name, double *value);

#endif
