/* Whether a model's weights lie in the memory that an engine may use, said alike wherever a model
 * is timed that would not start. */
#ifndef RIDGE_ROOM_H
#define RIDGE_ROOM_H

#include "sims/figure/figure.h"
#include "sims/tables/tables.h"

#include <stdbool.h>

/* Weights of `bytes` B in `type` ("BF16") on so many GPUs, of which an engine uses nine tenths. Where
 * they are more, says so in a warning, and with `verdict` in the figure's sentence instead of what
 * stood there; true then. */
bool warn_too_large(struct figure *fig, const struct model *m, const char *type, double bytes,
	const struct accelerator *g, double gpus, bool verdict);

#endif
