#include "sims/base/array.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

bool array_grow(struct arena *a, void *array, size_t n, size_t *room, size_t size)
{
	/* A large one moves without a copy, and would leave much of twice its room empty. */
	enum { LARGE_BYTES = 1 << 15 };
	const bool large = size && *room >= LARGE_BYTES / size;
	size_t more = *room == 0 ? 16 : large ? *room + *room / 4 : *room * 2;
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
