#include "sims/base/cheapest.h"

#include <math.h>
#include <stdlib.h>

struct ranked {
	double cost;
	long way;
};

/* Of equals the first in the list comes first, in whatever order they are worked out. */
static int by_cost(const void *a, const void *b)
{
	const struct ranked *p = a, *q = b;
	if (p->cost != q->cost)
		return p->cost < q->cost ? -1 : 1;
	return p->way < q->way ? -1 : p->way > q->way;
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
	if (by_cost(&found, &known[0]) < 0) {
		if (!one_family(w, known[0].way, found.way))
			known[1] = known[0];
		known[0] = found;
	} else if (!one_family(w, known[0].way, found.way) && by_cost(&found, &known[1]) < 0) {
		known[1] = found;
	}
}

struct cheapest cheapest_of(const struct cheapest_ways *w)
{
	struct cheapest c = { .stopped = false };
	struct ranked known[2] = { { INFINITY, NO_WAY }, { INFINITY, NO_WAY } };
	struct arena scratch = { 0 };
	struct ranked *order = arena_array(&scratch, w->n, sizeof *order);
	c.stopped = !order;
	for (size_t i = 0; order && i < w->n; i++)
		order[i] = (struct ranked){ w->least(w->ways, i), (long)i };
	if (order)
		qsort(order, w->n, sizeof *order, by_cost);
	for (size_t i = 0; order && i < w->n; i++) {
		if (!isfinite(order[i].cost) || order[i].cost > known[1].cost)
			break;
		c.stopped = w->go_on && !w->go_on(w->ways, (double)i / (double)w->n);
		if (c.stopped)
			break;
		size_t way = (size_t)order[i].way;
		learn(w, known,
			(struct ranked){ w->cost(w->ways, way, known[1].cost), order[i].way });
		c.worked_out++;
	}
	arena_release(&scratch);
	c.best = known[0].way;
	c.second = known[1].way;
	return c;
}
