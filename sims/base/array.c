#include "sims/base/array.h"

#include <assert.h>
#include <string.h>

bool array_grow(struct arena *a, void *array, size_t n, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : 16;
	void *old, *bigger;
	assert(n >= *room && n < more); /* it is full, or its first elements are left out */

	bigger = arena_array(a, more, size);
	if (!bigger)
		return false;
	memcpy(&old, array, sizeof old);
	if (old)
		memcpy(bigger, old, *room * size);
	memcpy(array, &bigger, sizeof bigger);
	*room = more;
	return true;
}
