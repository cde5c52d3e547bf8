/* The accelerators and models that the program comes with, as its build has read them
 * (content/tables.c). Programs that are linked without them read the files. */
#ifndef RIDGE_UI_DATA_KNOWN_TABLES_H
#define RIDGE_UI_DATA_KNOWN_TABLES_H

#include "sims/tables/tables_image.h"

extern const struct image known_tables[N_TABLES_KINDS] __attribute__((weak));
/* Those of architectures.json that are made of parts (ui/data/composed_models.h). */
extern const struct image known_composed __attribute__((weak));

#endif
