#include "sims/base/json_text.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

cJSON *json_text_parse(const char *text, const char **end)
{
	const char *stopped = NULL;
	/* Of all that cJSON calls only the allocator says ENOMEM. */
	const int before = errno;
	errno = 0;
	cJSON *json = cJSON_ParseWithOpts(text, &stopped, true);
	const int why = errno;
	if (end)
		*end = stopped ? stopped : text;
	errno = json ? before : why == ENOMEM ? ENOMEM : EINVAL;
	return json;
}
