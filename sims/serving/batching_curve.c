/* Latency against load under the three policies, and the sentence that reads the figure. */
#include "sims/base/array.h"
#include "sims/serving/batching.h"

#include "sims/formulas/serving.h"

#include <math.h>

enum { CURVE_REQUESTS = 400, MAX_LOADS = 14 };

struct loads {
	double at[MAX_LOADS];
	size_t n;
};

/* In units of what full continuous batches could serve: dense where static batching has its knee,
 * and past the end of it all. */
static struct loads open_loads(const struct batching *b)
{
	static const double of_capacity[] = { 0.03, 0.1, 0.17, 0.25, 0.32, 0.4, 0.5, 0.6, 0.7, 0.8,
		0.9, 1, 1.1 };
	struct loads l = { .n = 0 };
	double capacity = batching_capacity_per_s(b);
	for (size_t i = 0; i < LENGTH(of_capacity); i++)
		l.at[l.n++] = of_capacity[i] * capacity;
	if (b->v[BATCHING_RATE] > l.at[l.n - 1])
		l.at[l.n++] = b->v[BATCHING_RATE];
	return l;
}

/* Users, as far as each still sends several requests. */
static struct loads closed_loads(const struct batching *b, size_t requests)
{
	struct loads l = { .n = 0 };
	for (double users = 1; users <= (double)requests / 4 && l.n < MAX_LOADS; users *= 2)
		l.at[l.n++] = users;
	if (l.n == 0)
		l.at[l.n++] = b->v[BATCHING_CONCURRENCY];
	return l;
}

static double p99_at(const struct batching *b, enum serving_policy p, double load, size_t requests)
{
	struct arena arena = { 0 };
	struct serving_setup setup = b->setup;
	setup.policy = p;
	setup.n = requests;
	setup.watch = 0;
	if (setup.users)
		setup.users = (size_t)load;
	else
		setup.gap_s = 1 / load;
	struct serving_run *run = arena_alloc(&arena, sizeof *run);
	double p99_s = NAN;
	if (run) {
		*run = serving_simulate(&arena, &setup);
		p99_s = serving_summarise(&arena, &setup, run, 1, 1).e2e_p99_s;
	}
	if (arena.failed)
		b->arena->failed = true;
	arena_release(&arena);
	return isfinite(p99_s) ? p99_s : NAN;
}

void batching_draw_curve(const struct batching *b, const struct tables *t, struct figure *fig)
{
	size_t requests = (size_t)fmin(b->v[BATCHING_REQUESTS], CURVE_REQUESTS);
	if (b->run[b->policy].n == b->run[b->policy].refused)
		return;
	bool closed = b->setup.users > 0;
	struct loads loads = closed ? closed_loads(b, requests) : open_loads(b);
	struct plot *p = figure_plot(fig,
		figure_text(fig, "Time to the last token, p99 of %zu requests", requests),
		closed ? "Users" : "Load", closed ? "" : "req/s", closed ? AXIS_LOG2 : AXIS_LINEAR,
		"e2e p99", "s", AXIS_LOG10);
	for (unsigned policy = 0; policy < N_SERVING_POLICIES; policy++) {
		struct series *s =
			plot_series(fig, p, batching_policy_ids[policy], SERIES_LINE, policy);
		for (size_t i = 0; i < loads.n; i++)
			series_point(fig, s, loads.at[i],
				p99_at(b, (enum serving_policy)policy, loads.at[i], requests));
	}
	batching_overlay(b, t, fig, p);
	plot_rule(fig, p, false, closed ? b->v[BATCHING_CONCURRENCY] : b->v[BATCHING_RATE], "now",
		ROLE_ACCENT);
}

static void explain_overload(const struct batching *b, struct figure *fig)
{
	const struct serving_summary *s = &b->sum[b->policy];
	const struct serving_run *run = &b->run[b->policy];
	double last_s = run->served[run->n - 1].arrival_s;
	double offered = last_s > 0 ? (double)(run->n - 1) / last_s : b->v[BATCHING_RATE];
	double fit = floor(b->setup.cache_tokens / (double)b->setup.reserve_tokens);
	const char *cause = figure_text(fig, "All %g slots are taken", b->v[BATCHING_MAX_BATCH]);
	if (b->policy != SERVING_CONTINUOUS)
		cause = figure_text(fig,
			"A batch runs until its longest is done, %.0f %% of slot time makes no "
			"token",
			100 * s->idle_slot_ratio);
	else if (!b->setup.paged && fit < b->v[BATCHING_MAX_BATCH])
		cause = figure_text(fig,
			"The cache holds %.0f reservations of %s tokens, each %.0f %% empty", fit,
			figure_quantity(fig, (double)b->setup.reserve_tokens, ""),
			100 * s->waste_ratio);
	else if (run->preemptions || s->mean_batch < 0.7 * b->v[BATCHING_MAX_BATCH])
		cause = "Cache or prefill run out before the slots do";
	figure_why(fig, "%s: %.3g of %.3g requests/s are served, and the queue keeps growing.",
		cause, s->requests_per_s, offered);
}

static void explain_whole_batches(const struct batching *b, struct figure *fig)
{
	const struct serving_summary *s = &b->sum[b->policy], *other = &b->sum[SERVING_CONTINUOUS];
	figure_why(fig,
		"A slot is held until the longest of its batch is done, %.0f %% of its time: half "
		"the first tokens take %s, %s if slots refill at once.",
		100 * s->idle_slot_ratio, figure_quantity(fig, s->ttft_p50_s, "s"),
		figure_quantity(fig, other->ttft_p50_s, "s"));
}

static void explain_reservations(const struct batching *b, struct figure *fig)
{
	double used = b->mean_prompt + b->mean_output, tokens = b->setup.cache_tokens;
	figure_why(fig,
		"Each request reserves %s tokens and uses %s, %.0f %% is empty: %s requests fit, "
		"in blocks of %g it would be %s.",
		figure_quantity(fig, (double)b->setup.reserve_tokens, ""),
		figure_quantity(fig, round(used), ""), 100 * b->sum[b->policy].waste_ratio,
		figure_quantity(fig, floor(tokens / (double)b->setup.reserve_tokens), ""),
		b->v[BATCHING_BLOCK_TOKENS], figure_quantity(fig, floor(tokens / used), ""));
}

/* In a closed loop users come as fast as they are answered; too few for a batch fill none. */
static const char *fill_text(const struct batching *b, struct figure *fig)
{
	if (b->setup.users || (double)b->setup.n < b->v[BATCHING_MAX_BATCH])
		return "";
	return figure_text(fig, ", where a batch takes %s to fill",
		figure_quantity(fig,
			CALL(batch_fill_wait, .batch = b->v[BATCHING_MAX_BATCH],
				.arrival_rate = b->v[BATCHING_RATE]),
			"s"));
}

static void explain_continuous(const struct batching *b, struct figure *fig)
{
	const struct serving_summary *s = &b->sum[SERVING_CONTINUOUS],
				     *old = &b->sum[SERVING_STATIC];
	const struct serving_run *run = &b->run[SERVING_CONTINUOUS];
	const char *first = figure_quantity(fig, s->ttft_p50_s, "s");
	if (run->preemptions)
		figure_why(fig,
			"The cache is full: %zu times the newest request gave its blocks up and "
			"was prefilled again, a pause of up to %s between tokens.",
			run->preemptions,
			figure_quantity(fig, histogram_quantile(&run->itl_s, 1), "s"));
	else if (!b->setup.paged && s->waste_ratio > 0.2)
		explain_reservations(b, fig);
	else if (batching_overloaded(b, SERVING_STATIC))
		figure_why(fig,
			"Slots refill at once: all %.3g requests/s are served, half the first "
			"tokens come in %s; static batching serves only %.3g and falls behind.",
			s->requests_per_s, first, old->requests_per_s);
	else
		figure_why(fig,
			"A request joins at the next iteration: half the first tokens take %s, not "
			"%s as under static batching%s.",
			first, figure_quantity(fig, old->ttft_p50_s, "s"), fill_text(b, fig));
}

void batching_explain(const struct batching *b, struct figure *fig)
{
	const struct serving_run *run = &b->run[b->policy];
	if (run->n == run->refused)
		figure_why(fig, "Nothing can be served: the cache has room for %s tokens.",
			figure_quantity(fig, floor(b->setup.cache_tokens), ""));
	else if (batching_overloaded(b, b->policy))
		explain_overload(b, fig);
	else if (b->policy == SERVING_CONTINUOUS)
		explain_continuous(b, fig);
	else
		explain_whole_batches(b, fig);
}
