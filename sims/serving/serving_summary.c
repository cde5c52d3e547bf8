/* What a run says about the steady state. */
#include "sims/serving/serving.h"

#include "sims/base/stats.h"

#include <math.h>

enum { TOO_FEW_TO_CUT = 20, CUT = 10 };

static size_t warm_up(size_t n)
{
	return n < TOO_FEW_TO_CUT ? 0 : n / CUT;
}

/* The latency of every request that was served, from `skip` on. */
typedef double latency(const struct served *q);

static double ttft(const struct served *q)
{
	return q->first_s - q->arrival_s;
}

static double e2e(const struct served *q)
{
	return q->finish_s - q->arrival_s;
}

static double done_at(const struct served *q)
{
	return q->finish_s;
}

static size_t gather(const struct serving_run *run, latency *what, size_t skip, double out[])
{
	size_t n = 0;
	for (size_t i = skip; i < run->n; i++)
		if (isfinite(run->served[i].finish_s))
			out[n++] = what(&run->served[i]);
	return n;
}

static double or_infinity(double quantile)
{
	return isnan(quantile) ? INFINITY : quantile;
}

static void throughput(const struct serving_setup *setup, const struct serving_run *run, double x[],
	struct serving_summary *out)
{
	size_t n = gather(run, done_at, 0, x), done = 0;
	double from_s = 0, to_s = run->end_s, tokens = 0;
	if (n >= TOO_FEW_TO_CUT) {
		from_s = quantile_select(x, n, 1.0 / CUT);
		to_s = quantile_select(x, n, 1 - 1.0 / CUT);
	}
	/* All done at once has no middle. */
	if (!(to_s > from_s)) {
		from_s = 0;
		to_s = run->end_s;
	}
	for (size_t i = 0; i < run->n; i++) {
		double at_s = run->served[i].finish_s;
		if ((at_s > from_s || (from_s <= 0 && isfinite(at_s))) && at_s <= to_s) {
			done++;
			tokens += fmax(1, setup->requests[i].output_tokens);
		}
	}
	if (to_s > from_s) {
		out->requests_per_s = (double)done / (to_s - from_s);
		out->tokens_per_s = tokens / (to_s - from_s);
	}
}

static double share_within(const struct serving_setup *setup, const struct serving_run *run,
	double ttft_limit_s, double itl_limit_s)
{
	size_t skip = warm_up(run->n), within = 0;
	for (size_t i = skip; i < run->n; i++) {
		const struct served *q = &run->served[i];
		double gaps = fmax(1, setup->requests[i].output_tokens) - 1;
		if (isfinite(q->finish_s) && ttft(q) <= ttft_limit_s &&
			q->finish_s - q->first_s <= gaps * itl_limit_s)
			within++;
	}
	return run->n > skip ? (double)within / (double)(run->n - skip) : 0;
}

struct serving_summary serving_summarise(struct arena *a, const struct serving_setup *setup,
	const struct serving_run *run, double ttft_limit_s, double itl_limit_s)
{
	struct serving_summary out = { .ttft_p50_s = INFINITY,
		.ttft_p99_s = INFINITY,
		.e2e_p50_s = INFINITY,
		.e2e_p99_s = INFINITY };
	double *x = arena_array(a, run->n, sizeof *x);
	if (!x || run->n == run->refused)
		return out;

	size_t n = gather(run, ttft, warm_up(run->n), x);
	out.ttft_p50_s = or_infinity(quantile_select(x, n, 0.5));
	out.ttft_p99_s = or_infinity(quantile_select(x, n, 0.99));
	n = gather(run, e2e, warm_up(run->n), x);
	out.e2e_p50_s = or_infinity(quantile_select(x, n, 0.5));
	out.e2e_p99_s = or_infinity(quantile_select(x, n, 0.99));
	if (run->itl_s.total > 0) {
		out.itl_p50_s = histogram_quantile(&run->itl_s, 0.5);
		out.itl_p99_s = histogram_quantile(&run->itl_s, 0.99);
	}
	throughput(setup, run, x, &out);
	out.within_limits = share_within(setup, run, ttft_limit_s, itl_limit_s);
	if (run->end_s > 0) {
		out.busy_ratio = run->busy_s / run->end_s;
		out.mean_waiting = run->waiting_s / run->end_s;
		out.mean_in_system = run->in_system_s / run->end_s;
	}
	if (run->reserved_token_s > 0)
		out.waste_ratio = fmax(0, 1 - run->used_token_s / run->reserved_token_s);
	if (run->iterations > 0) {
		out.idle_slot_ratio = 1 - run->tokens / run->slot_iterations;
		out.mean_batch = run->tokens / run->iterations;
	}
	return out;
}
