/* A validation for programs. */
#ifndef RIDGE_UI_COMMANDS_VALIDATE_JSON_H
#define RIDGE_UI_COMMANDS_VALIDATE_JSON_H

#include "sims/published/validation.h"

#include <cjson/cJSON.h>

/* {"schema":1,"model":ID,"rows":N,"skipped":N,"median_error":..,"p90_error":..,"bias":..} and more:
 * rows were compared, skipped ones left out, of "read" rows in all. Errors are fractions: relative
 * ones, or differences of shares where "error" is "points"; bias is the signed median. Where
 * nothing was compared they are null. NULL when out of memory; the caller deletes it. */
cJSON *validation_json(const struct validation *v);

/* The blocks of its figure, as those of a simulation. */
cJSON *validation_blocks_json(const struct validation *v, const struct figure *fig);

#endif
