/* The cheapest of many: by hand, and against working out all of them. */
#include "sims/base/cheapest.h"
#include "sims/base/rng.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

enum { MOST = 64 };
struct ways {
	double least[MOST], cost[MOST];
	size_t family[MOST], asked;
	bool bounds;
	bool lazily; /* each bound is half at first */
	bool sharp[MOST];
	size_t steps; /* after which it is to stop; 0: never */
};

static double least(const void *ways, size_t i)
{
	const struct ways *w = ways;
	return w->bounds ? w->least[i] * (w->lazily && !w->sharp[i] ? 0.5 : 1) : 0;
}

/* Of its family too, as whoever shares what the bound is from. */
static bool sharpen(void *ways, size_t i)
{
	struct ways *w = ways;
	if (!w->lazily || w->sharp[i])
		return false;
	for (size_t k = 0; k < MOST; k++)
		w->sharp[k] |= w->family[k] == w->family[i];
	return true;
}

static double cost(void *ways, size_t i, double limit)
{
	struct ways *w = ways;
	w->asked++;
	return w->cost[i] > limit ? INFINITY : w->cost[i];
}

static size_t family(const void *ways, size_t i)
{
	return ((const struct ways *)ways)->family[i];
}

static bool go_on(void *ways, double share)
{
	struct ways *w = ways;
	cr_expect(share >= 0 && share <= 1);
	return w->steps == 0 || w->asked < w->steps;
}

static struct cheapest find(struct ways *w, size_t n)
{
	w->asked = 0;
	memset(w->sharp, 0, sizeof w->sharp);
	return cheapest_of(&(struct cheapest_ways){ n, least, sharpen, cost, family, go_on, w });
}

/* Of 3, 7, 5, 4 the last is of the first one's family: 5 is second. The bound 6 is beyond it. */
Test(cheapest, by_hand)
{
	struct ways w = { .least = { 2, 6, 4, 3 },
		.cost = { 3, 7, 5, 4 },
		.family = { 0, 1, 2, 0 },
		.bounds = true };
	struct cheapest c = find(&w, 4);
	cr_expect(eq(long, c.best, 0L));
	cr_expect(eq(long, c.second, 2L));
	cr_expect(eq(sz, c.worked_out, (size_t)3));
	cr_expect(not(c.stopped));
}

Test(cheapest, nothing_is_possible)
{
	struct ways w = { .cost = { INFINITY, INFINITY }, .family = { 0, 1 } };
	struct cheapest c = find(&w, 2);
	cr_expect(eq(long, c.best, (long)NO_WAY));
	cr_expect(eq(long, c.second, (long)NO_WAY));
	c = find(&w, 0);
	cr_expect(eq(long, c.best, (long)NO_WAY));
}

Test(cheapest, it_stops_where_it_is_told_to)
{
	struct ways w = { .cost = { 3, 2, 1 }, .family = { 0, 1, 2 }, .steps = 2 };
	struct cheapest c = find(&w, 3);
	cr_expect(c.stopped);
	cr_expect(eq(sz, c.worked_out, (size_t)2));
}

/* Costs of few values, so that there are equals, and bounds below them. */
Test(cheapest, bounds_lose_nothing)
{
	struct rng r = rng_stream(1, "ways", 0);
	size_t saved = 0;
	for (int run = 0; run < 2000; run++) {
		struct ways w = { .bounds = true };
		size_t n = 1 + rng_below(&r, MOST);
		for (size_t i = 0; i < n; i++) {
			w.family[i] = i / 4;
			w.cost[i] = rng_below(&r, 4) ? (double)(1 + rng_below(&r, 20)) : INFINITY;
			w.least[i] = fmin(w.cost[i], 20) * rng_uniform(&r);
		}
		struct cheapest fast = find(&w, n);
		w.lazily = true;
		struct cheapest lazy = find(&w, n);
		cr_expect(eq(long, lazy.best, fast.best), "%d", run);
		cr_expect(eq(long, lazy.second, fast.second), "%d", run);
		cr_expect(eq(sz, lazy.worked_out, fast.worked_out), "%d", run);
		w.lazily = w.bounds = false;
		struct cheapest slow = find(&w, n);
		cr_expect(eq(long, fast.best, slow.best), "%d", run);
		cr_expect(eq(long, fast.second, slow.second), "%d", run);
		saved += slow.worked_out - fast.worked_out;
	}
	cr_expect(lt(sz, (size_t)2000, saved));
}
