/* What instruments make of a training loop: means over its steady part, quantiles, the rhythm of
 * its stalls. */
#include "sims/base/array.h"
#include "sims/training/step_engine.h"

#include "sims/base/stats.h"

#include <math.h>

/* A wait that is part of a rhythm, relative to the mean step. */
static const double stall_ratio = 0.02;

/* Steps [first, end) are the steady part. */
struct part {
	size_t first, end;
};

static struct part steady_part(const struct step_machine *m)
{
	size_t n = m->steps, epoch = m->epoch_steps;
	if (epoch > 0 && 2 * epoch <= n)
		return (struct part){ epoch, n / epoch * epoch };
	size_t skip = m->workers * (m->prefetch + 1) + 4;
	skip = 2 * skip < n ? skip : n / 2;
	/* Waits come in rounds of the workers: whole rounds only. */
	size_t rounds = m->workers ? (n - skip) / m->workers : 0;
	return (struct part){ rounds ? n - rounds * m->workers : skip, n };
}

static struct totals before(const struct step_engine *e, size_t step)
{
	return step > 0 ? e->at_end[step - 1] : (struct totals){ 0 };
}

/* Of the steps that waited, what share came so many steps after another: a period is one when
 * nearly all do. The workers' count is the usual one. */
static size_t stall_period(const struct step_readings *r, const struct step_machine *m)
{
	size_t w = m->workers, waited = 0, in_class = 0;
	if (w < 2 || r->n < 4 * w)
		return 0;
	for (size_t c = 0; c < w; c++) {
		size_t here = 0;
		for (size_t i = c; i < r->n; i += w)
			here += r->wait_s[i] > stall_ratio * r->mean_s;
		waited += here;
		in_class = here > in_class ? here : in_class;
	}
	bool regular = 4 * in_class >= 3 * waited && 2 * in_class * w >= r->n;
	return waited > 0 && regular ? w : 0;
}

static double epoch_wait(const struct step_engine *e, const struct part *p)
{
	size_t epoch = e->m->epoch_steps, n = 0;
	double wait_s = 0;
	for (size_t i = p->first; epoch > 0 && i < p->end; i++) {
		if (i % epoch != 0)
			continue;
		wait_s += e->at_end[i].idle_s[IDLE_DATA] - before(e, i).idle_s[IDLE_DATA];
		n++;
	}
	return n ? wait_s / (double)n : 0;
}

static void per_step(struct step_engine *e, const struct part *p, struct step_readings *r)
{
	r->step_s = arena_array(e->arena, r->n, sizeof *r->step_s);
	r->wait_s = arena_array(e->arena, r->n, sizeof *r->wait_s);
	double *sorted = arena_array(e->arena, r->n, sizeof *sorted);
	if (e->arena->failed)
		return;
	for (size_t i = 0; i < r->n; i++) {
		const struct totals *now = &e->at_end[p->first + i];
		struct totals last = before(e, p->first + i);
		sorted[i] = r->step_s[i] = now->at_s - last.at_s;
		r->wait_s[i] = now->idle_s[IDLE_DATA] - last.idle_s[IDLE_DATA];
	}
	r->ci95_s = mean_ci95(r->step_s, r->n);
	sort_ascending(sorted, r->n);
	r->p50_s = quantile_sorted(sorted, r->n, 0.5);
	r->p99_s = quantile_sorted(sorted, r->n, 0.99);
}

static double power(const struct step_machine *m, const struct totals *a, const struct totals *z,
	double span_s, double busy_ratio)
{
	double work_s = 0;
	for (int k = STEP_FORWARD; k <= STEP_BACKWARD; k++)
		work_s += z->work_s[k] - a->work_s[k];
	double pointwise = m->pointwise_ratio, bound = work_s / span_s;
	double memory_ratio = (z->work_s[STEP_OPTIMIZER] - a->work_s[STEP_OPTIMIZER]) / span_s;
	double comm_ratio = fmax(0, (z->any_s - a->any_s) / span_s - busy_ratio);
	return step_power((1 - pointwise) * bound * m->clock_ratio,
		memory_ratio + pointwise * bound, comm_ratio);
}

static struct step_readings read_part(struct step_engine *e, const struct part *p)
{
	const struct step_machine *m = e->m;
	struct totals a = before(e, p->first), z = e->at_end[p->end - 1];
	double span_s = z.at_s - a.at_s, n = (double)(p->end - p->first), idle_s = 0;
	struct step_readings r = { .n = p->end - p->first,
		.mean_s = span_s / n,
		.copy_s = (z.copy_s - a.copy_s) / n,
		.comm_s = (z.comm_s - a.comm_s) / n,
		.late_s = (z.late_s - a.late_s) / n,
		.util_ratio = (z.any_s - a.any_s) / span_s,
		.clock_ratio = m->clock_ratio,
		.gaps = (size_t)(z.gaps - a.gaps),
		.epoch_wait_s = epoch_wait(e, p),
		.ready = z.taken > a.taken ? (z.ready - a.ready) / (z.taken - a.taken) : 0 };
	static const enum cpu_state at_work[] = { CPU_WORKS, CPU_PREPARES, CPU_SAVES };
	for (size_t i = 0; i < LENGTH(at_work); i++)
		r.main_ratio += (z.cpu_s[at_work[i]] - a.cpu_s[at_work[i]]) / span_s;
	for (int i = 0; i < N_IDLE_CAUSES; i++) {
		r.idle_s[i] = (z.idle_s[i] - a.idle_s[i]) / n;
		idle_s += r.idle_s[i];
	}
	r.busy_ratio = fmax(0, 1 - idle_s / r.mean_s);
	if (m->workers > 0) {
		r.worker_cpu_ratio = (z.cores_s - a.cores_s) / span_s / (double)m->workers;
		r.worker_read_ratio = (z.reads_s - a.reads_s) / span_s / (double)m->workers;
	}
	r.power_ratio = power(m, &a, &z, span_s, r.busy_ratio);
	per_step(e, p, &r);
	r.stall_period = e->arena->failed ? 0 : stall_period(&r, m);
	return r;
}

struct step_run step_finish(struct step_engine *e)
{
	const struct step_machine *m = e->m;
	if (e->arena->failed)
		return (struct step_run){ 0 };
	struct part p = steady_part(m);
	struct step_run run = { .r = read_part(e, &p),
		.spans = e->spans,
		.n_spans = e->n_spans,
		.steps = m->steps,
		.ends = arena_array(e->arena, m->steps, sizeof *run.ends) };
	if (e->arena->failed)
		return (struct step_run){ 0 };
	for (size_t i = 0; i < m->steps; i++) {
		struct totals last = before(e, i);
		run.ends[i].at_s = e->at_end[i].at_s;
		for (int k = 0; k < N_IDLE_CAUSES; k++)
			run.ends[i].idle_s[k] = e->at_end[i].idle_s[k] - last.idle_s[k];
	}
	if (m->watch_n > 0 && m->watch_first + m->watch_n <= m->steps) {
		run.first = m->watch_first;
		run.watched = m->watch_n;
		run.from_s = m->watch_first > 0 ? run.ends[m->watch_first - 1].at_s : 0;
		run.to_s = run.ends[m->watch_first + m->watch_n - 1].at_s;
	}
	return run;
}
