/* The models of architectures.json that no row of models.json can say, as rows of the tables. */
#ifndef RIDGE_UI_DATA_COMPOSED_MODELS_H
#define RIDGE_UI_DATA_COMPOSED_MODELS_H

#include "sims/architecture/architecture.h"
#include "sims/base/image.h"
#include "sims/tables/tables.h"

#include <stddef.h>

/* From what the build has read (known_composed), or the file where that is not in the program or the
 * pages are read from a folder. 0; or -1 and one line in err. */
int composed_models_load(struct tables *t, char *err, size_t err_size);
/* Adds a model of any make: as a plain row where that says all, else with its parts. `id` and `name`
 * are copied. 0; or -1 when out of memory. */
int any_model_add(struct tables *t, const struct architecture *a, const char *id, const char *name);

/* Those that tables have, with their parts, to be compiled in. In the arena; n is 0 when memory ran
 * out. */
struct image composed_models_image(const struct tables *t, struct arena *a);

#endif
