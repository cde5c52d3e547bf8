/* How often a piece of work is timed: as often as its share of the time allows, the first time for
 * nothing. On a busy or slow machine there are fewer repeats; it never takes longer. */
#ifndef RIDGE_UI_MACHINE_SAMPLING_H
#define RIDGE_UI_MACHINE_SAMPLING_H

#include "ui/machine/stopwatch.h"

#include <stddef.h>

enum { MOST_SAMPLES = 101, LEAST_SAMPLES = 3 };

/* Of n samples: the median, where the middle four fifths lie, and the best. n 0: was left out. */
struct spread {
	double median, p10, p90, best;
	size_t n;
};
/* Reorders x. More is better: these are rates. */
struct spread spread_of(double x[], size_t n);

struct work {
	/* Does the work `passes` times and says how many seconds that took. */
	double (*once)(void *state, size_t passes);
	void *state;
	double amount; /* of one pass: bytes, FLOP */
};

/* The rate of the work, in `amount` per s. The passes of a sample are as many as take half a
 * millisecond. What is sampled after `until_s` are LEAST_SAMPLES at most; nothing begins that would
 * end after `deadline_s`, but for a first pass where no time is left for more: then that one
 * counts. Past the deadline: n 0. */
struct spread sample(
	const struct stopwatch *w, double until_s, double deadline_s, const struct work *work);

#endif
