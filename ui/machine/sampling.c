#include "ui/machine/sampling.h"

#include "sims/base/stats.h"

#include <assert.h>

static const double sample_s = 5e-4;
enum { MOST_PASSES = 1 << 24 };

struct spread spread_of(double x[], size_t n)
{
	if (!n)
		return (struct spread){ 0 };
	sort_ascending(x, n);
	return (struct spread){ quantile_sorted(x, n, 0.5), quantile_sorted(x, n, 0.1),
		quantile_sorted(x, n, 0.9), x[n - 1], n };
}

/* Doubles the passes until they take long enough; *took_s is the time of the last try. */
static size_t passes_for(const struct work *work, double *took_s)
{
	size_t passes = 1;

	*took_s = work->once(work->state, passes);
	while (*took_s < sample_s / 2 && passes < MOST_PASSES) {
		passes *= 2;
		*took_s = work->once(work->state, passes);
	}
	return passes;
}

struct spread sample(
	const struct stopwatch *w, double until_s, double deadline_s, const struct work *work)
{
	double rates[MOST_SAMPLES], took_s;
	size_t n = 0;
	assert(work->once && work->amount > 0);

	if (stopwatch_now_s(w) >= deadline_s)
		return (struct spread){ 0 };
	size_t passes = passes_for(work, &took_s); /* which also warms up */
	double amount = work->amount * (double)passes, warm_s = took_s;
	while (n < MOST_SAMPLES) {
		double ends_s = stopwatch_now_s(w) + took_s;
		if (ends_s > deadline_s || (ends_s > until_s && n >= LEAST_SAMPLES))
			break;
		took_s = work->once(work->state, passes);
		if (took_s > 0)
			rates[n++] = amount / took_s;
		else
			break;
	}
	if (!n && warm_s > 0)
		rates[n++] = amount / warm_s;
	return spread_of(rates, n);
}
