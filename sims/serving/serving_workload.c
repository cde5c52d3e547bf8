/* Requests as they come: arrival processes and lengths. */
#include "sims/serving/serving.h"

#include "sims/base/rng.h"

#include <math.h>

/* The trace's gap before request i, in mean gaps; from its end to its beginning it is one. */
static double trace_gap(const struct trace *t, size_t i)
{
	size_t at = i % t->n;
	double span = t->requests[t->n - 1].arrival_s - t->requests[0].arrival_s;
	if (at == 0)
		return 1;
	return span > 0 ? (t->requests[at].arrival_s - t->requests[at - 1].arrival_s) *
				  (double)(t->n - 1) / span
			: 0;
}

static double gap(const struct serving_workload *w, struct rng *r, size_t i)
{
	switch (w->arrivals) {
	case ARRIVALS_GAMMA:
		return rng_gamma(r, 1, w->arrival_cv);
	case ARRIVALS_TRACE:
		return trace_gap(w->trace, i);
	default:
		return rng_exponential(r, 1);
	}
}

/* Whole and at least one. The uniform law runs from 1 to twice the mean less one. */
static double length(const struct serving_workload *w, struct rng *r, double mean)
{
	switch (w->lengths) {
	case LENGTHS_EXPONENTIAL:
		return fmax(1, ceil(rng_exponential(r, mean)));
	case LENGTHS_UNIFORM:
		return 1 + (double)rng_below(r, (uint64_t)(2 * mean - 1));
	case LENGTHS_LOGNORMAL:
		return fmax(1, round(rng_lognormal(r, mean, w->length_cv)));
	default:
		return mean;
	}
}

struct request *workload_requests(struct arena *a, const struct serving_workload *w, size_t n)
{
	struct request *q = arena_array(a, n, sizeof *q);
	struct rng gaps = rng_stream(w->seed, "request arrivals", 0);
	struct rng prompts = rng_stream(w->seed, "prompt lengths", 0);
	struct rng outputs = rng_stream(w->seed, "output lengths", 0);
	double at_s = 0;

	for (size_t i = 0; q && i < n; i++) {
		if (i > 0)
			at_s += gap(w, &gaps, i);
		if (w->lengths == LENGTHS_TRACE)
			q[i] = w->trace->requests[i % w->trace->n];
		else
			q[i] = (struct request){ 0, length(w, &prompts, w->prompt_tokens),
				length(w, &outputs, w->output_tokens) };
		q[i].arrival_s = at_s;
	}
	return q;
}
