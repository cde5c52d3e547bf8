#include "sims/base/array.h"

#include <string.h>

bool array_grow(struct arena *a, void *array, size_t n, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : 16;
	void *old, *bigger;

	if (n < *room)
		return true;
	bigger = arena_array(a, more, size);
	if (!bigger)
		return false;
	memcpy(&old, array, sizeof old);
	if (old)
		memcpy(bigger, old, n * size);
	memcpy(array, &bigger, sizeof bigger);
	*room = more;
	return true;
}
