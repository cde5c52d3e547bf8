/* A row of models.json, which is a plain decoder (or encoder), as an architecture. */
#ifndef RIDGE_MODEL_ARCHITECTURE_H
#define RIDGE_MODEL_ARCHITECTURE_H

#include "sims/architecture/architecture.h"
#include "sims/tables/tables.h"

/* Counted from the row's shapes: without biases and learned positions, of which it says nothing, and
 * with the head tied to the embedding where the row's own figure is nearer to that. A note says
 * so. */
struct architecture architecture_of_model(const struct model *m);

#endif
