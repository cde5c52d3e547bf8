/* Arrays: how long one is, and one that grows in an arena. A grown array moves: a pointer into it is
 * good until the next element is added. */
#ifndef RIDGE_ARRAY_H
#define RIDGE_ARRAY_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* The number of elements of an array (not of a parameter, which is a pointer). */
#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Makes room for one more element in owner->array, which holds owner->count of owner->room; false
 * when memory is out. */
#define ARRAY_ROOM(arena, owner, array, count, room)                                               \
	((owner)->count < (owner)->room || array_grow(arena, &(owner)->array, (owner)->count,      \
						   &(owner)->room, sizeof *(owner)->array))
/* The same, and returns the new element, counted; NULL when memory is out. It is zeroed as long as
 * the count was never set back. */
#define ARRAY_PUSH(arena, owner, array, count, room)                                               \
	(ARRAY_ROOM(arena, owner, array, count, room) ? &(owner)->array[(owner)->count++] : NULL)

/* Appends an element that is there already; nothing when memory is out. */
#define ARRAY_APPEND(arena, owner, array, count, room, ...)                                        \
	do {                                                                                       \
		if (ARRAY_ROOM(arena, owner, array, count, room))                                  \
			(owner)->array[(owner)->count++] = (__VA_ARGS__);                          \
	} while (0)

/* For the macros, when the room is used up: array is the address of a pointer. */
bool array_grow(struct arena *a, void *array, size_t n, size_t *room, size_t size);

#endif
