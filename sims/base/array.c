#include "sims/base/array.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

bool array_grow(struct arena *a, void *array, size_t n, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : 16;
	void *old, *bigger;
	assert(n >= *room && n < more); /* it is full, or its first elements are left out */

	memcpy(&old, array, sizeof old);
	if (size && more > SIZE_MAX / 2 / size) {
		a->failed = true;
		return false;
	}
	bigger = old ? arena_regrow(a, old, *room * size, more * size) : arena_array(a, more, size);
	if (!bigger)
		return false;
	memcpy(array, &bigger, sizeof bigger);
	*room = more;
	return true;
}
