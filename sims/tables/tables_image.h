/* The accelerators and plain models of tables as images (sims/base/image.h): to read them from JSON takes
 * as long as everything else at a program's start. */
#ifndef RIDGE_TABLES_IMAGE_H
#define RIDGE_TABLES_IMAGE_H

#include "sims/base/image.h"
#include "sims/tables/tables.h"

enum tables_kind { TABLES_GPUS, TABLES_MODELS, N_TABLES_KINDS };

/* In the arena; n is 0 when memory ran out (a->failed). The user's own machine is left out. */
struct image tables_image_of(const struct tables *t, enum tables_kind kind, struct arena *a);
/* Puts the entries in place of those in the tables, which point to the image's texts from then on.
 * 0, or -1 when out of memory. */
int tables_take_image(struct tables *t, enum tables_kind kind, const struct image *image);

#endif
