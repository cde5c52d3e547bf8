/* The event queue that discrete-event simulations share: a 4-ary heap, 20 million events a second
 * and more with some hundreds pending. Events of the same time come out in the order in which they
 * were pushed, so that a run never depends on the shape of the heap.
 *
 * 	struct events q = events_new(arena, 64);
 * 	events_push(&q, 0, ARRIVAL, 0);
 * 	for (struct event e; events_pop(&q, &e);)
 * 		...
 *
 * Time is in whatever the caller counts (s, iterations) and must not be NAN. The memory belongs to
 * the arena; when it is out, arena->failed is set and events are dropped. */
#ifndef RIDGE_EVENTS_H
#define RIDGE_EVENTS_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event {
	double at;
	uint64_t order;      /* when it was pushed: breaks ties */
	uint32_t kind, data; /* the caller's */
};

struct events {
	struct arena *arena;
	struct event *heap;
	size_t n, cap;
	uint64_t pushed;
};

/* An empty queue with room for that many pending events; it grows when it needs more. */
struct events events_new(struct arena *a, size_t room);

void events_push(struct events *q, double at, uint32_t kind, uint32_t data);

/* The earliest event: events_next looks at it (NULL when there is none), events_pop takes it out
 * (false when there is none). */
const struct event *events_next(const struct events *q);
bool events_pop(struct events *q, struct event *out);

#endif
