/* A session as JSON: what a sheet says, for programs. */
#ifndef RIDGE_UI_PRACTICE_DRILL_JSON_H
#define RIDGE_UI_PRACTICE_DRILL_JSON_H

#include "drills/session.h"

#include <stdbool.h>
#include <stdio.h>

/* {"schema": 1, "code": ..., "problems": [...]}. The keys, and whatever gives them away, only with
 * answers. 0, or 1 when memory or the output fails. */
int drill_json(const struct drill_session *s, const char *code, bool answers, FILE *out);

#endif
