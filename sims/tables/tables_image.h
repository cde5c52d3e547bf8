/* The accelerators and models of tables as one piece of data without pointers, to be compiled into a
 * program: to read them from JSON takes as long as everything else at its start. */
#ifndef RIDGE_TABLES_IMAGE_H
#define RIDGE_TABLES_IMAGE_H

#include "sims/tables/tables.h"

#include <stdint.h>

enum tables_kind { TABLES_GPUS, TABLES_MODELS, N_TABLES_KINDS };

/* Entries one after another as they lie in memory; where a text is pointed to, its place in texts
 * counted from 1 on, or 0. Good for programs of the same machine and compiler. */
struct tables_image {
	size_t n, entry_bytes;
	const uint64_t *words;
	const char *texts; /* terminated, one after another */
	size_t text_bytes;
};

/* In the arena; n is 0 when memory ran out (a->failed). The user's own machine is left out. */
struct tables_image tables_image_of(const struct tables *t, enum tables_kind kind, struct arena *a);
/* Puts the entries in place of those in the tables, which point to the image's texts from then on.
 * 0, or -1 when out of memory. */
int tables_take_image(struct tables *t, enum tables_kind kind, const struct tables_image *image);

#endif
