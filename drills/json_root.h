/* Parses a whole JSON file: a bank of drills, or a question. */
#ifndef RIDGE_JSON_ROOT_H
#define RIDGE_JSON_ROOT_H

#include <cjson/cJSON.h>
#include <stddef.h>

/* To be freed with cJSON_Delete. NULL where it is not JSON; then *line says where, from 1. */
cJSON *json_root(const char *json, size_t *line);

#endif
