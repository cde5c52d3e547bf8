/* One run is taken failure by failure. Between two of them training is up for a while that is
 * known: how many cycles of work and checkpoint fit into it, and how many of those were saved in
 * time, are divisions. So a run costs as much as it has failures, however often it writes
 * checkpoints; single stretches are made out only for somebody who watches. */
#include "sims/scaling/goodput_run.h"

#include "sims/base/rng.h"

#include <assert.h>
#include <math.h>

static void tell(
	goodput_watch *watch, void *ctx, enum goodput_phase phase, double start_s, double end_s)
{
	if (watch && end_s > start_s)
		watch(ctx, phase, start_s, end_s);
}

/* Tells the stretches of an uptime one by one; the sums are made without a loop. */
static void show_uptime(const struct goodput_plan *p, double start_s, double end_s, double kept,
	goodput_watch *watch, void *ctx)
{
	double cycle_s = p->work_s + p->stall_s;
	for (double k = 0; start_s + k * cycle_s < end_s; k++) {
		double at_s = start_s + k * cycle_s, worked_s = fmin(at_s + p->work_s, end_s);
		tell(watch, ctx, k < kept ? PHASE_WORK : PHASE_LOST, at_s, worked_s);
		tell(watch, ctx, PHASE_CHECKPOINT, worked_s, fmin(at_s + cycle_s, end_s));
	}
}

/* Training is up from start_s to end_s, where a failure (if it fails) takes what was not saved. */
static void live(const struct goodput_plan *p, double start_s, double end_s, bool fails,
	struct goodput_share *sum, goodput_watch *watch, void *ctx)
{
	double up_s = end_s - start_s, cycle_s = p->work_s + p->stall_s;
	double cycles = floor(up_s / cycle_s);
	double worked_s = cycles * p->work_s + fmin(up_s - cycles * cycle_s, p->work_s);
	double kept = up_s > p->lag_s ? floor((up_s - p->lag_s) / cycle_s) : 0;
	double saved_s = fails ? kept * p->work_s : worked_s;
	sum->work_s += saved_s;
	sum->lost_s += worked_s - saved_s;
	sum->checkpoint_s += up_s - worked_s;
	if (watch)
		show_uptime(p, start_s, end_s, fails ? kept : INFINITY, watch, ctx);
}

struct goodput_share goodput_run(
	const struct goodput_plan *p, const double failures_s[], goodput_watch *watch, void *ctx)
{
	assert(p->work_s > 0 && p->stall_s >= 0 && p->lag_s >= 0);
	struct goodput_share sum = { 0 };
	double now_s = 0, up_s = 0; /* training resumes at up_s */
	for (size_t i = 0; now_s < p->horizon_s; i++) {
		double next_s = fmin(failures_s[i], p->horizon_s);
		double down_s = fmin(up_s, next_s);
		sum.restart_s += down_s - now_s;
		tell(watch, ctx, PHASE_RESTART, now_s, down_s);
		if (next_s > up_s)
			live(p, up_s, next_s, failures_s[i] < p->horizon_s, &sum, watch, ctx);
		sum.failures += failures_s[i] < p->horizon_s;
		now_s = next_s;
		up_s = next_s + p->restart_s;
	}
	return sum;
}

double *goodput_failures(
	struct arena *a, double mtbf_s, double horizon_s, uint64_t seed, uint64_t part)
{
	assert(mtbf_s > 0);
	struct rng r = rng_stream(seed, "cluster failures", part);
	size_t n = 0, cap = (size_t)(horizon_s / mtbf_s * 1.5) + 32;
	double *at_s = arena_array(a, cap, sizeof *at_s), now_s = 0;
	while (at_s && now_s <= horizon_s && n + 1 < cap) {
		now_s += rng_exponential(&r, mtbf_s);
		at_s[n++] = now_s;
	}
	if (at_s && now_s <= horizon_s)
		at_s[n] = INFINITY; /* so many failures are ten deviations from the mean */
	return at_s;
}
