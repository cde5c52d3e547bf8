/* Parses a whole JSON file: a bank of drills, or a question. */
#ifndef RIDGE_JSON_ROOT_H
#define RIDGE_JSON_ROOT_H

#include <cjson/cJSON.h>
#include <stddef.h>

/* To be freed with cJSON_Delete. NULL with errno, ENOMEM or EINVAL, and why in err: it is not JSON, and from
 * which line on, or memory is out. */
cJSON *json_root(const char *json, char *err, size_t err_size);

#endif
