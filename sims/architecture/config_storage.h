/* In how many bits a configuration says that its weights are stored. */
#ifndef RIDGE_CONFIG_STORAGE_H
#define RIDGE_CONFIG_STORAGE_H

#include "sims/architecture/architecture.h"
#include "sims/architecture/config_fields.h"

/* Fills bits, rest_bits and storage, and adds a note where a way of quantising is not known. */
void config_read_storage(struct config_fields *f, struct architecture *a);
/* Adds a note; what has no room is left out. */
void architecture_note(struct architecture *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
