#include "sims/base/events.h"

#include "sims/base/array.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* An implicit heap in an array: the children of i are 4 i + 1 to 4 i + 4, and none is earlier than
 * its parent, so that the earliest event is heap[0]. Four children instead of two halve the levels,
 * and siblings share a cache line or two (Johnson 1975; LaMarca and Ladner 1996). */
enum { CHILDREN = 4 };

/* Written and used without branches: which of two random times is earlier cannot be predicted, and
 * a wrong guess costs more than both comparisons. */
static inline size_t before(const struct event *a, const struct event *b)
{
	return (size_t)((a->at < b->at) | ((a->at == b->at) & (a->order < b->order)));
}

struct events events_new(struct arena *a, size_t room)
{
	assert(a);
	struct events q = { .arena = a };
	q.heap = arena_array(a, room ? room : 1, sizeof *q.heap);
	q.cap = q.heap ? (room ? room : 1) : 0;
	return q;
}

static void rise(struct event heap[], size_t i, const struct event *e)
{
	while (i > 0) {
		size_t parent = (i - 1) / CHILDREN;
		if (!before(e, &heap[parent]))
			break;
		heap[i] = heap[parent];
		i = parent;
	}
	heap[i] = *e;
}

void events_push(struct events *q, double at, uint32_t kind, uint32_t data)
{
	assert(!isnan(at));
	if (!ARRAY_ROOM(q->arena, q, heap, n, cap))
		return;
	struct event e = { at, q->pushed++, kind, data };
	rise(q->heap, q->n++, &e);
}

const struct event *events_next(const struct events *q)
{
	return q->n ? &q->heap[0] : NULL;
}

static size_t earliest_child(const struct event heap[], size_t first, size_t n)
{
	size_t best = first;
	if (first + CHILDREN <= n) {
		size_t left = first + before(&heap[first + 1], &heap[first]);
		size_t right = first + 2 + before(&heap[first + 3], &heap[first + 2]);
		return left + (right - left) * before(&heap[right], &heap[left]);
	}
	for (size_t i = first + 1; i < n; i++)
		if (before(&heap[i], &heap[best]))
			best = i;
	return best;
}

bool events_pop(struct events *q, struct event *out)
{
	assert(q && out);
	if (q->n == 0)
		return false;
	*out = q->heap[0];
	struct event last = q->heap[--q->n];
	size_t i = 0;
	/* The hole at the top goes down to a leaf along the earliest children; then `last`, which
	 * was a leaf and is late, rises from there into its place. That is cheaper than asking at
	 * each level whether it would stay (bottom-up heapsort, Wegener 1993). */
	for (size_t first = 1; first < q->n; first = CHILDREN * i + 1) {
		size_t child = earliest_child(q->heap, first, q->n);
		q->heap[i] = q->heap[child];
		i = child;
	}
	rise(q->heap, i, &last);
	return true;
}
