#include "ui/machine/stopwatch.h"

#include <assert.h>
#include <stddef.h>
#include <time.h>

static double monotonic_s(void *state)
{
	struct timespec t;

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct stopwatch stopwatch_real(void)
{
	return (struct stopwatch){ monotonic_s, NULL };
}

double stopwatch_now_s(const struct stopwatch *w)
{
	assert(w->now_s);
	return w->now_s(w->state);
}
