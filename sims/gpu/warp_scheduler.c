#include "sims/gpu/warp_scheduler.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

/* --- closed form ----------------------------------------------------------------------------- */

/* Cycles of an iteration of a warp that is alone, without the latency of its loads. */
static double own_cycles(const struct sm_timing *t, const struct warp_program *p)
{
	double loads = (double)p->loads, rounds = (double)p->work;
	double round = fmax(loads * t->fma_interval, t->fma_latency);
	double work = rounds > 0 ? (rounds - 1) * round + (loads - 1) * t->fma_interval + 1 : 0;
	return loads - 1 + work;
}

static double loaded_latency(const struct sm_timing *t, double bytes_per_cycle)
{
	double share = bytes_per_cycle / t->bytes_per_cycle;
	return share < 1 ? t->load_latency / sqrt(1 - share * share) : INFINITY;
}

/* Little's law: what is under way at most, over the time that an iteration takes, which grows with what
 * comes out. Both sides are monotone, so halving finds where they meet. */
static double latency_bound(const struct sm_timing *t, const struct warp_program *p, double bytes)
{
	double low = 0, high = t->bytes_per_cycle, own = own_cycles(t, p);
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;
		if (middle * (own + loaded_latency(t, middle)) < bytes)
			low = middle;
		else
			high = middle;
	}
	return low;
}

struct warp_rate warp_rate_of(const struct sm_timing *t, const struct warp_program *p, size_t warps)
{
	assert(p->loads >= 1 && p->loads <= MOST_LOADS);
	struct warp_rate r = { 0, 0, t->load_latency, BOUND_LATENCY };
	if (warps == 0)
		return r;
	double load_bytes = WARP_THREADS * p->bytes_per_load, work = (double)p->work;
	double schedulers = fmin((double)warps, SM_SCHEDULERS);
	double by_latency = latency_bound(t, p, (double)warps * (double)p->loads * load_bytes);
	double by_issue = schedulers * load_bytes / (1 + work);
	double by_units = work > 0 ? schedulers * load_bytes / (work * t->fma_interval) : INFINITY;
	r.bytes_per_cycle = fmin(by_latency, fmin(by_issue, by_units));
	r.issued = r.bytes_per_cycle / load_bytes * (1 + work);
	r.load_latency = loaded_latency(t, r.bytes_per_cycle);
	static const double nearly = 0.9; /* of the bandwidth: more under way brings little */
	if (r.bytes_per_cycle < by_latency)
		r.bound = by_units < by_issue ? BOUND_UNITS : BOUND_ISSUE;
	else if (r.bytes_per_cycle >= nearly * t->bytes_per_cycle)
		r.bound = BOUND_BANDWIDTH;
	return r;
}

/* --- the clock ------------------------------------------------------------------------------- */

enum { WARM = 2, MEASURED = 4, MOST_CYCLES = 400000, BUCKETS = 192 };

struct warp {
	size_t at;                /* the next instruction of the iteration */
	double ready;             /* the first cycle in which it can start */
	double arrives;           /* the last of its loads */
	double chain[MOST_LOADS]; /* when the result of each multiply-add is there */
	size_t iterations;
	double first, last; /* when iteration WARM began, and the last one that has begun */
};

struct scheduler {
	size_t warps[MOST_WARPS / SM_SCHEDULERS], n;
	size_t present;    /* the warp that it started an instruction of last */
	double units_free; /* when a multiply-add can start */
	double wake;       /* nothing can start before */
};

struct bucket {
	unsigned cycles[N_WARP_STATES];
};

struct clock {
	const struct sm_timing *t;
	const struct warp_program *p;
	struct warp warps[MOST_WARPS];
	size_t n;
	struct scheduler schedulers[SM_SCHEDULERS];
	float *returns; /* B that arrive in a cycle, by its lower bits: ring of them */
	uint64_t ring;  /* a power of two, above the latency of any load */
	double under_way;
	double latency_sum, n_loads, issued, ready_sum;
	struct bucket *buckets; /* [warp of the first scheduler][bucket], then its own; or NULL */
	double bucket_cycles;
};

static bool works(const struct clock *c, const struct warp *w)
{
	return w->at >= c->p->loads;
}

/* Of a load that starts when so much is under way, itself included. */
static double latency_behind(const struct sm_timing *t, double bytes)
{
	return hypot(t->load_latency, bytes / t->bytes_per_cycle);
}

static void start_load(struct clock *c, struct warp *w, double now)
{
	double bytes = WARP_THREADS * c->p->bytes_per_load;
	c->under_way += bytes;
	double latency = ceil(latency_behind(c->t, c->under_way));
	assert(latency < (double)c->ring);
	c->returns[(uint64_t)(now + latency) & (c->ring - 1)] += (float)bytes;
	c->latency_sum += latency;
	c->n_loads++;
	if (w->at == 0) {
		if (w->iterations == WARM)
			w->first = now;
		w->last = now;
		w->iterations++;
		w->arrives = 0;
	}
	w->arrives = fmax(w->arrives, now + latency);
	w->at++;
	w->ready = w->at < c->p->loads ? now + 1 : w->arrives;
	if (w->at == c->p->loads && c->p->work == 0)
		w->at = 0;
}

static void start_work(struct clock *c, struct scheduler *s, struct warp *w, double now)
{
	size_t k = w->at - c->p->loads, loads = c->p->loads;
	w->chain[k % loads] = now + c->t->fma_latency;
	s->units_free = now + c->t->fma_interval;
	w->at++;
	w->ready = now + 1;
	if (k + 1 == loads * c->p->work)
		w->at = 0;
	else if (k + 1 >= loads)
		w->ready = fmax(now + 1, w->chain[(k + 1) % loads]);
}

/* The first cycle in which a warp can start its next instruction. */
static double startable(const struct clock *c, const struct scheduler *s, const struct warp *w)
{
	return works(c, w) ? fmax(w->ready, s->units_free) : w->ready;
}

/* The warp to go on with, or NULL; then *wake is when there is one. */
static struct warp *choose(struct clock *c, struct scheduler *s, double now)
{
	struct warp *best = NULL;
	s->wake = INFINITY;
	for (size_t i = 0; i < s->n; i++) {
		struct warp *w = &c->warps[s->warps[i]];
		double from = startable(c, s, w);
		s->wake = fmin(s->wake, from);
		if (from > now)
			continue;
		c->ready_sum++;
		bool present = s->warps[i] == s->present;
		if (present || !best || (best != &c->warps[s->present] && w->ready < best->ready))
			best = w;
	}
	return best;
}

static enum warp_state state_of(
	const struct clock *c, const struct scheduler *s, const struct warp *w, double now)
{
	if (startable(c, s, w) <= now)
		return WARP_READY;
	if (w->ready <= now)
		return WARP_WAITS_UNITS;
	return w->at == 0             ? (c->p->work ? WARP_READY : WARP_WAITS_MEMORY)
	       : w->at == c->p->loads ? WARP_WAITS_MEMORY
	       : works(c, w)          ? WARP_WAITS_UNITS
				      : WARP_READY;
}

/* Notes what the first scheduler and its warps do from now until `until`, before `chosen` starts. */
static void watch(struct clock *c, const struct warp *chosen, double now, double until)
{
	const struct scheduler *s = &c->schedulers[0];
	for (double cycle = now; cycle < until; cycle++) {
		size_t b = (size_t)(cycle / c->bucket_cycles);
		if (b >= BUCKETS)
			return;
		for (size_t i = 0; i < s->n; i++) {
			const struct warp *w = &c->warps[s->warps[i]];
			enum warp_state state = w != chosen   ? state_of(c, s, w, cycle)
						: works(c, w) ? WARP_WORKS
							      : WARP_LOADS;
			c->buckets[i * BUCKETS + b].cycles[state]++;
		}
		c->buckets[s->n * BUCKETS + b].cycles[chosen ? WARP_WORKS : WARP_WAITS_MEMORY]++;
	}
}

static bool unfinished(const struct clock *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->warps[i].iterations <= WARM + MEASURED)
			return true;
	return false;
}

/* Whether the first scheduler started something. */
static bool step(struct clock *c, double now)
{
	bool first = false;
	for (size_t k = 0; k < SM_SCHEDULERS; k++) {
		struct scheduler *s = &c->schedulers[k];
		if (s->n == 0 || s->wake > now)
			continue;
		struct warp *w = choose(c, s, now);
		if (!w)
			continue;
		if (c->buckets && k == 0)
			watch(c, w, now, now + 1);
		first = first || k == 0;
		c->issued++;
		s->present = (size_t)(w - c->warps);
		s->wake = now + 1;
		if (works(c, w))
			start_work(c, s, w, now);
		else
			start_load(c, w, now);
	}
	return first;
}

/* A picture prefers what is short: the cycles in which loads start would else be lost among hundreds of
 * waiting. */
static enum warp_state seen(const struct bucket *b)
{
	if (b->cycles[WARP_LOADS])
		return WARP_LOADS;
	enum warp_state most = WARP_WORKS;
	for (enum warp_state s = WARP_WORKS; s < N_WARP_STATES; s++)
		if (b->cycles[s] > b->cycles[most])
			most = s;
	return most;
}

static void keep_spans(struct arena *arena, const struct clock *c, struct warp_clock *out)
{
	size_t lanes = c->schedulers[0].n + 1;
	out->spans = arena_array(arena, lanes * BUCKETS, sizeof *out->spans);
	if (!out->spans)
		return;
	for (size_t lane = 0; lane < lanes; lane++)
		for (size_t b = 0; b < BUCKETS; b++) {
			const struct bucket *bucket = &c->buckets[lane * BUCKETS + b];
			enum warp_state state = seen(bucket);
			double from = (double)b * c->bucket_cycles, to = from + c->bucket_cycles;
			struct warp_span *last =
				out->n_spans ? &out->spans[out->n_spans - 1] : NULL;
			if (last && last->warp == lane && last->state == state)
				last->to = to;
			else
				out->spans[out->n_spans++] =
					(struct warp_span){ lane, from, to, state };
		}
}

static void deal_warps(struct clock *c, size_t warps)
{
	c->n = warps;
	for (size_t i = 0; i < warps; i++) {
		struct scheduler *s = &c->schedulers[i % SM_SCHEDULERS];
		s->warps[s->n++] = i;
	}
}

struct warp_clock warp_clock_run(
	struct arena *arena, const struct sm_timing *t, const struct warp_program *p, size_t warps)
{
	struct warp_clock out = { 0 };
	assert(warps <= MOST_WARPS && p->loads >= 1 && p->loads <= MOST_LOADS);
	if (warps == 0)
		return out;
	struct arena own = { 0 };
	struct clock *c = arena_alloc(&own, sizeof *c);
	double most_bytes = (double)(warps * p->loads * WARP_THREADS) * p->bytes_per_load;
	double longest =
		latency_behind(t, most_bytes) + 2; /* rounded up, and what sums are off by */
	uint64_t ring = 1;
	while ((double)ring <= longest)
		ring *= 2;
	float *returns = arena_array(&own, (size_t)ring, sizeof *returns);
	if (!c || !returns)
		goto out;
	*c = (struct clock){ .t = t, .p = p, .returns = returns, .ring = ring };
	deal_warps(c, warps);
	if (arena) {
		struct warp_rate r = warp_rate_of(t, p, warps);
		out.watched = ceil(2.5 * most_bytes / r.bytes_per_cycle / BUCKETS) * BUCKETS;
		c->bucket_cycles = out.watched / BUCKETS;
		out.watched_warps = c->schedulers[0].n;
		size_t n = (out.watched_warps + 1) * BUCKETS;
		c->buckets = arena_array(&own, n, sizeof *c->buckets);
		if (!c->buckets)
			goto out;
	}
	/* A memory that is asked for much more than it gives takes longer for each iteration. */
	double most_cycles = fmax(MOST_CYCLES, (WARM + MEASURED + 1) * longest), now = 0;
	while (unfinished(c) && now < most_cycles) {
		double idle = now + (step(c, now) ? 1 : 0);
		double next = INFINITY;
		for (size_t k = 0; k < SM_SCHEDULERS; k++)
			if (c->schedulers[k].n)
				next = fmin(next, c->schedulers[k].wake);
		next = fmax(now + 1, ceil(next));
		if (c->buckets)
			watch(c, NULL, idle, fmin(next, out.watched));
		for (double cycle = now + 1; cycle <= next; cycle++) {
			float *back = &c->returns[(uint64_t)cycle & (ring - 1)];
			c->under_way -= (double)*back;
			*back = 0;
		}
		now = next;
	}
	for (size_t i = 0; i < warps; i++) {
		const struct warp *w = &c->warps[i];
		if (w->iterations > WARM + 1 && w->last > w->first)
			out.bytes_per_cycle += (double)(w->iterations - WARM - 1) *
					       (double)(p->loads * WARP_THREADS) *
					       p->bytes_per_load / (w->last - w->first);
	}
	/* Each warp is measured over whole iterations of its own. These end at different times, which in
	 * sum can come to a per cent more than there are slots, or than the memory gives. */
	double load_bytes = WARP_THREADS * p->bytes_per_load, a_load = 1 + (double)p->work;
	double slots = fmin((double)warps, SM_SCHEDULERS);
	out.bytes_per_cycle =
		fmin(out.bytes_per_cycle, fmin(t->bytes_per_cycle, slots * load_bytes / a_load));
	out.issued = out.bytes_per_cycle / load_bytes * a_load;
	out.load_latency = c->n_loads > 0 ? c->latency_sum / c->n_loads : t->load_latency;
	out.ready = now > 0 ? c->ready_sum / now / fmin((double)warps, SM_SCHEDULERS) : 0;
	if (c->buckets)
		keep_spans(arena, c, &out);
out:
	arena_release(&own);
	return out;
}
