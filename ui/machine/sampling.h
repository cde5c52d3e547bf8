/* Times a piece of work as often as its share of the time allows, after one run to warm up. A busy
 * or slow machine gets fewer repeats, never more time. */
#ifndef RIDGE_UI_MACHINE_SAMPLING_H
#define RIDGE_UI_MACHINE_SAMPLING_H

#include "ui/machine/stopwatch.h"

#include <stddef.h>

enum { MOST_SAMPLES = 101, LEAST_SAMPLES = 3 };

/* What n samples say: their median, the range from P10 to P90, and the best. n is 0 when the
 * measurement was left out. */
struct spread {
	double median, p10, p90, best;
	size_t n;
};
/* Reorders x. The best is the largest, as these are rates. */
struct spread spread_of(double x[], size_t n);

struct work {
	/* Does the work `passes` times and says how many seconds that took. */
	double (*once)(void *state, size_t passes);
	void *state;
	double amount; /* of one pass: bytes, FLOP */
};

/* The rate of the work, in `amount` per s. A sample takes as many passes as fill half a
 * millisecond. After `until_s` it samples only until there are LEAST_SAMPLES, and it begins nothing
 * that would end after `deadline_s`. When there is time for one pass only, that pass counts. Past
 * the deadline n is 0. */
struct spread sample(
	const struct stopwatch *w, double until_s, double deadline_s, const struct work *work);

#endif
