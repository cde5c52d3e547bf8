/* One measurement after another, within a budget of time: each has a weight, and may take the share
 * of the time left that its weight is of the weight left. What one does not use goes to the
 * rest. */
#include "ui/machine/measure.h"

#include "ui/machine/crew.h"
#include "ui/machine/host.h"
#include "ui/machine/memory_bench.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

const char *const crew_ids[N_CREWS] = { "one_thread", "all_threads" };

static const double least_bytes = 4096, mib = 1048576;
static const double flops_share = 0.2; /* of the budget */

struct measure_options measure_defaults(bool quick)
{
	double free_bytes = host_free_bytes(), most = (quick ? 128 : 512) * mib;

	while (free_bytes > 0 && most > free_bytes / 4 && most > 16 * mib)
		most /= 2;
	return (struct measure_options){
		.watch = stopwatch_real(), .budget_s = quick ? 3.5 : 14, .most_bytes = most
	};
}

/* A run of all measurements: how much of it is done, and when it has to end. */
struct run {
	struct machine *m;
	const struct measure_options *o;
	struct memory_bench *bench;
	struct crew *crew;
	double deadline_s;
	/* What is to be measured, where a large working set counts for as many as it takes
	 * longer. */
	double weight, done, all_weight; /* of this part; behind it; of all */
};

/* The time left is shared in proportion to weight: when a measurement of this weight should end. */
static double share_until_s(const struct run *r, double weight)
{
	double now_s = stopwatch_now_s(&r->o->watch);

	return now_s + (r->deadline_s - now_s) * weight / r->weight;
}

static void step(struct run *r, double weight, const char *what)
{
	r->weight -= weight;
	r->done += weight;
	if (r->o->progress)
		r->o->progress(r->o->state, r->done / r->all_weight, what);
}

static unsigned threads_of(const struct run *r, enum crew_kind crew)
{
	return crew == ONE_THREAD ? 1 : r->m->threads;
}

/* --- Arithmetic --- */

struct arithmetic {
	struct run *run;
	double (*loop)(size_t rounds);
	enum crew_kind crew;
	size_t passes;
};

enum { ROUNDS = 1 << 10 }; /* of a pass */

static void compute(void *job, unsigned thread, unsigned threads)
{
	const struct arithmetic *a = job;
	volatile double sink = a->loop(a->passes * ROUNDS);

	(void)sink;
	(void)thread;
	(void)threads;
}

static double arithmetic_once(void *state, size_t passes)
{
	struct arithmetic *a = state;

	a->passes = passes;
	return crew_run(a->run->crew, threads_of(a->run, a->crew), compute, a);
}

static void measure_width(struct run *r, const struct flops_kernel *k)
{
	struct flops_point *p = &r->m->flops[r->m->n_flops++];

	*p = (struct flops_point){ .bits = k->bits, .fused = k->fused };
	for (int crew = 0; crew < N_CREWS; crew++)
		for (int d = 0; d < N_PRECISIONS; d++) {
			struct arithmetic a = { r, k->run[d], (enum crew_kind)crew, 0 };
			double threads = threads_of(r, a.crew);
			struct work w = { arithmetic_once, &a, threads * ROUNDS * k->flops[d] };
			p->rate[crew][d] =
				sample(&r->o->watch, share_until_s(r, 1), r->deadline_s, &w);
			step(r, 1, "arithmetic");
		}
}

static void nothing(void *job, unsigned thread, unsigned threads)
{
	(void)job;
	(void)thread;
	(void)threads;
}

/* The time from the call to the return, which is longer than what crew_run reports. */
static double start_once(void *state, size_t passes)
{
	struct run *r = state;
	double from_s = stopwatch_now_s(&r->o->watch);

	for (size_t i = 0; i < passes; i++)
		crew_run(r->crew, r->m->threads, nothing, NULL);
	return stopwatch_now_s(&r->o->watch) - from_s;
}

static void measure_start(struct run *r)
{
	struct work w = { start_once, r, 1 };
	struct spread per_s = sample(&r->o->watch, share_until_s(r, 1), r->deadline_s, &w);

	r->m->start_s = per_s.n ? 1 / per_s.median : 0;
	step(r, 1, "starting threads");
}

/* --- Memory --- */

struct traffic {
	struct run *run;
	enum memory_kernel kernel;
	enum crew_kind crew;
	double bytes;
};

static double traffic_once(void *state, size_t passes)
{
	const struct traffic *t = state;
	double moved;

	return memory_bench_run(
		t->run->bench, t->kernel, t->bytes, threads_of(t->run, t->crew), passes, &moved);
}

static double weight_of(double bytes)
{
	return fmax(1, bytes / (32 * mib));
}

static void measure_point(struct run *r, double bytes)
{
	struct memory_point *p = &r->m->points[r->m->n_points++];
	char what[64];

	*p = (struct memory_point){ .bytes = bytes };
	snprintf(what, sizeof what, bytes < mib ? "memory, %.0f KiB" : "memory, %.0f MiB",
		bytes < mib ? bytes / 1024 : bytes / mib);
	for (int crew = 0; crew < N_CREWS; crew++)
		for (int k = 0; k < N_MEMORY_KERNELS; k++) {
			struct traffic t = { r, (enum memory_kernel)k, (enum crew_kind)crew,
				bytes };
			struct work w = { traffic_once, &t, 0 };
			double threads = threads_of(r, t.crew), arrays = k == KERNEL_TRIAD ? 3 : 1;
			/* Smaller parts would measure how long threads take to start. */
			bool fits = bytes / threads >= least_bytes &&
				    bytes / threads / arrays >= KERNEL_BLOCK * sizeof(double);
			if (fits) {
				memory_bench_run(
					r->bench, t.kernel, bytes, (unsigned)threads, 0, &w.amount);
				p->rate[crew][k] = sample(&r->o->watch,
					share_until_s(r, weight_of(bytes)), r->deadline_s, &w);
			}
			step(r, weight_of(bytes), what);
		}
}

static void measure_memory(struct run *r)
{
	for (double b = least_bytes; b <= r->o->most_bytes && r->m->n_points < MOST_POINTS; b *= 2)
		measure_point(r, b);
}

static double weight_of_memory(const struct measure_options *o)
{
	double weight = 0;

	for (double b = least_bytes; b <= o->most_bytes; b *= 2)
		weight += N_CREWS * N_MEMORY_KERNELS * weight_of(b);
	return weight;
}

/* --- All of it --- */

/* The two parts have budgets of their own, so that neither starves the other. */
static void measure_all(struct run *r, double began_s)
{
	struct flops_kernel widths[MOST_WIDTHS];
	size_t n = flops_kernels(widths);
	double arithmetic = (double)n * N_CREWS * N_PRECISIONS + 1;
	double memory = weight_of_memory(r->o);

	r->all_weight = arithmetic + memory;
	r->weight = arithmetic;
	r->deadline_s = began_s + flops_share * r->o->budget_s;
	for (size_t i = 0; i < n; i++)
		measure_width(r, &widths[i]);
	measure_start(r);
	r->weight = memory;
	r->deadline_s = began_s + r->o->budget_s;
	measure_memory(r);
}

int measure_machine(struct machine *m, const struct measure_options *o)
{
	assert(o->watch.now_s && o->budget_s > 0 && o->most_bytes > 0);
	double began_s = stopwatch_now_s(&o->watch);
	struct run r = { .m = m, .o = o };
	int rc = -1;

	*m = (struct machine){ .threads = host_threads(), .memory_bytes = host_memory_bytes() };
	host_cpu(m->cpu, sizeof m->cpu);
	m->n_caches = host_caches(m->caches);
	r.crew = crew_new(m->threads, &o->watch);
	m->threads = r.crew ? crew_size(r.crew) : 1;
	r.bench = r.crew ? memory_bench_new(o->most_bytes, m->threads, &o->watch) : NULL;
	if (!r.bench)
		goto out;
	measure_all(&r, began_s);
	m->took_s = stopwatch_now_s(&o->watch) - began_s;
	rc = 0;
out:
	memory_bench_free(r.bench);
	crew_free(r.crew);
	return rc;
}

double machine_cache_bytes(const struct machine *m, const struct cache *c, enum crew_kind crew)
{
	assert(crew < N_CREWS && m->n_caches <= MOST_CACHES);
	double threads = crew == ONE_THREAD ? 1 : m->threads;

	return c->bytes * ceil(threads / fmax(1, c->threads));
}

double machine_memory_begins(const struct machine *m, enum crew_kind crew)
{
	if (!m->n_caches)
		return INFINITY;
	return MEMORY_BEGINS * machine_cache_bytes(m, &m->caches[m->n_caches - 1], crew);
}

double machine_memory_best(const struct machine *m, enum crew_kind crew, enum memory_kernel k)
{
	assert(crew < N_CREWS && k < N_MEMORY_KERNELS && m->n_points <= MOST_POINTS);
	double best = 0;

	for (size_t i = m->n_points; i > 0; i--) {
		const struct memory_point *p = &m->points[i - 1];
		if (best > 0 && p->bytes < machine_memory_begins(m, crew))
			break;
		if (p->rate[crew][k].n)
			best = fmax(best, p->rate[crew][k].best);
	}
	return best;
}

const struct spread *machine_peak(
	const struct machine *m, enum crew_kind crew, enum precision precision)
{
	assert(crew < N_CREWS && precision < N_PRECISIONS && m->n_flops <= MOST_WIDTHS);
	const struct spread *best = NULL;

	for (size_t i = 0; i < m->n_flops; i++) {
		const struct spread *s = &m->flops[i].rate[crew][precision];
		if (s->n && (!best || s->best > best->best))
			best = s;
	}
	return best;
}
