/* cJSON says where it stopped; this counts the lines until there. */
#include "drills/json_root.h"

#include "sims/base/json_text.h"

#include <errno.h>
#include <stdio.h>

cJSON *json_root(const char *json, char *err, size_t err_size)
{
	const char *end;
	cJSON *root = json_text_parse(json, &end);
	if (root)
		return root;
	const int why = errno;
	size_t line = 1;
	for (const char *p = json; p < end; p++)
		line += *p == '\n';
	if (why == ENOMEM)
		snprintf(err, err_size, "out of memory");
	else
		snprintf(err, err_size, "not JSON, at line %zu", line);
	errno = why;
	return NULL;
}
