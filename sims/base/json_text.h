/* Parses a whole JSON text, and tells a text that is none from memory that is out, which cJSON does not:
 * whoever blames the file for it sends people to look for a mistake that is not there. */
#ifndef RIDGE_JSON_TEXT_H
#define RIDGE_JSON_TEXT_H

#include <cjson/cJSON.h>

/* To be freed with cJSON_Delete. NULL with errno: ENOMEM, or EINVAL where it is not JSON, or more than
 * that; then *end, where one asks for it, is where it stopped. */
cJSON *json_text_parse(const char *text, const char **end);

#endif
