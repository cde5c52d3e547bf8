/* A published config.json (of transformers) read as an architecture.
 *
 * It is strict where a meaning would be lost: a family that is not known is read as a plain decoder
 * only where every field that shapes a model is one of a plain decoder's; else it is refused by the
 * names of those fields. It is tolerant where nothing is lost: tokens, dropout, rotary angles. */
#ifndef RIDGE_ARCHITECTURE_CONFIG_H
#define RIDGE_ARCHITECTURE_CONFIG_H

#include "sims/architecture/architecture.h"

enum { LARGEST_CONFIG = 1 << 20 };

/* 0; or -1 and one line in err that names the field and says what was expected and found. */
int architecture_read(struct architecture *a, const char *json, char *err, size_t err_size);

#endif
