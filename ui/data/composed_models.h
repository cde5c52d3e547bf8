/* The models of architectures.json that no row of models.json can say, as rows of the tables. */
#ifndef RIDGE_UI_DATA_COMPOSED_MODELS_H
#define RIDGE_UI_DATA_COMPOSED_MODELS_H

#include "sims/architecture/architecture.h"
#include "sims/tables/tables.h"

#include <stddef.h>

/* 0; or -1 and one line in err. */
int composed_models_load(struct tables *t, char *err, size_t err_size);
/* Adds a model of any make: as a plain row where that says all, else with its parts. `id` and `name`
 * are copied. 0; or -1 when out of memory. */
int any_model_add(struct tables *t, const struct architecture *a, const char *id, const char *name);

#endif
