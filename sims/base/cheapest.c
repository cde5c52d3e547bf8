#include "sims/base/cheapest.h"

#include <math.h>

struct ranked {
	double cost;
	long way;
};

/* Of equals the first in the list comes first, in whatever order they are worked out. */
static bool comes_before(const struct ranked *p, const struct ranked *q)
{
	return p->cost != q->cost ? p->cost < q->cost : p->way < q->way;
}

static bool one_family(const struct cheapest_ways *w, long a, long b)
{
	return a != NO_WAY && w->family &&
	       w->family(w->ways, (size_t)a) == w->family(w->ways, (size_t)b);
}

/* The two cheapest families known, each with its cheapest way. */
static void learn(const struct cheapest_ways *w, struct ranked known[2], struct ranked found)
{
	if (!isfinite(found.cost))
		return;
	if (comes_before(&found, &known[0])) {
		if (!one_family(w, known[0].way, found.way))
			known[1] = known[0];
		known[0] = found;
	} else if (!one_family(w, known[0].way, found.way) && comes_before(&found, &known[1])) {
		known[1] = found;
	}
}

/* --- The ways in their order: a heap, each before its two children --- */

static void sink(struct ranked heap[], size_t n, size_t at)
{
	for (size_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
		if (child + 1 < n && comes_before(&heap[child + 1], &heap[child]))
			child++;
		if (!comes_before(&heap[child], &heap[at]))
			return;
		const struct ranked up = heap[child];
		heap[child] = heap[at];
		heap[at] = up;
		at = child;
	}
}

static void order(const struct cheapest_ways *w, struct ranked heap[])
{
	for (size_t i = 0; i < w->n; i++)
		heap[i] = (struct ranked){ w->least(w->ways, i), (long)i };
	for (size_t i = w->n / 2; i-- > 0;)
		sink(heap, w->n, i);
}

/* Whether the first one's bound is higher than it was, and it has to wait for its turn again. */
static bool waits_again(const struct cheapest_ways *w, struct ranked heap[], size_t n)
{
	const size_t way = (size_t)heap[0].way;
	double now = w->least(w->ways, way);
	if (!(now > heap[0].cost)) {
		if (!w->sharpen || !w->sharpen(w->ways, way))
			return false;
		now = w->least(w->ways, way);
	}
	heap[0].cost = now;
	sink(heap, n, 0);
	return true;
}

struct cheapest cheapest_of(const struct cheapest_ways *w)
{
	struct cheapest c = { .stopped = false };
	struct ranked known[2] = { { INFINITY, NO_WAY }, { INFINITY, NO_WAY } };
	struct arena scratch = { 0 };
	struct ranked *heap = arena_array(&scratch, w->n, sizeof *heap);
	size_t n = heap ? w->n : 0;
	c.stopped = !heap;
	if (heap)
		order(w, heap);
	while (n > 0 && isfinite(heap[0].cost) && !(heap[0].cost > known[1].cost)) {
		c.stopped = w->go_on && !w->go_on(w->ways, (double)(w->n - n) / (double)w->n);
		if (c.stopped)
			break;
		if (waits_again(w, heap, n))
			continue;
		size_t way = (size_t)heap[0].way;
		learn(w, known,
			(struct ranked){ w->cost(w->ways, way, known[1].cost), heap[0].way });
		c.worked_out++;
		heap[0] = heap[--n];
		sink(heap, n, 0);
	}
	arena_release(&scratch);
	c.best = known[0].way;
	c.second = known[1].way;
	return c;
}
