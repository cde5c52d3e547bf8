/* Only the lock needs an order, so only waiting for it is an event: workers enter a queue when they
 * have done their private work, and hold the lock in the order in which they come out. Everything
 * else moves a worker's own clock. With a barrier the queue runs dry in every round; without one, a
 * worker goes on to its next round as soon as it gives the lock back. */
#include "sims/gpu/fork_join.h"

#include "sims/base/events.h"
#include "sims/base/rng.h"

#include <assert.h>
#include <math.h>

struct fork_join_run {
	const struct program *p;
	const struct watcher *watcher;
	struct events ready; /* at the lock */
	struct rng luck;
	double *free_s;  /* when each worker finished what it did last */
	size_t *rounds;  /* rounds that each worker has begun */
	double lock_s;   /* when the lock is free */
	double waited_s; /* waiting of all workers together */
};

static void spend(struct fork_join_run *r, size_t worker, enum activity activity, double end_s)
{
	double start_s = r->free_s[worker];
	if (end_s <= start_s)
		return;
	r->free_s[worker] = end_s;
	if (activity == ACTIVITY_WAIT)
		r->waited_s += end_s - start_s;
	if (r->watcher)
		r->watcher->see(r->watcher->context,
			&(struct activity_span){ worker, activity, start_s, end_s });
}

/* A worker does its private work, then stands in line for the lock. */
static void begin_round(struct fork_join_run *r, size_t worker)
{
	const struct program *p = r->p;
	bool random = p->cv > 0 && p->private_s > 0;
	double s = random ? rng_lognormal(&r->luck, p->private_s, p->cv) : p->private_s;
	r->rounds[worker]++;
	spend(r, worker, ACTIVITY_WORK, r->free_s[worker] + s);
	events_push(&r->ready, r->free_s[worker], 0, (uint32_t)worker);
}

/* The lock is held by one worker at a time, first come, first served. */
static void pass_lock(struct fork_join_run *r, size_t worker)
{
	const struct program *p = r->p;
	double told_s = p->crosstalk_s * ((double)p->workers - 1);
	if (p->locked_s + told_s <= 0)
		return;
	spend(r, worker, ACTIVITY_WAIT, r->lock_s);
	spend(r, worker, ACTIVITY_LOCK, r->free_s[worker] + p->locked_s);
	spend(r, worker, ACTIVITY_CROSSTALK, r->free_s[worker] + told_s);
	r->lock_s = r->free_s[worker];
}

static double last_of(const struct fork_join_run *r)
{
	double last = 0;
	for (size_t i = 0; i < r->p->workers; i++)
		last = fmax(last, r->free_s[i]);
	return last;
}

static void await_all(struct fork_join_run *r)
{
	double last = last_of(r);
	for (size_t i = 0; i < r->p->workers; i++)
		spend(r, i, ACTIVITY_WAIT, last);
}

/* One round up to the barrier, or, without one, all that is left of the run. */
static void run_round(struct fork_join_run *r)
{
	const struct program *p = r->p;
	spend(r, 0, ACTIVITY_SERIAL, r->free_s[0] + p->serial_s);
	await_all(r);
	for (size_t i = 0; i < p->workers; i++)
		begin_round(r, i);
	for (struct event e; events_pop(&r->ready, &e);) {
		pass_lock(r, e.data);
		if (!p->barrier && r->rounds[e.data] < p->rounds)
			begin_round(r, e.data);
	}
	await_all(r);
}

struct program_run program_simulate(
	struct arena *a, const struct program *p, const struct watcher *watcher)
{
	assert(p->workers > 0 && p->rounds > 0 && p->cv >= 0);
	struct fork_join_run r = { .p = p,
		.watcher = watcher,
		.ready = events_new(a, p->workers),
		.luck = rng_stream(p->seed, "private work", p->workers),
		.free_s = arena_array(a, p->workers, sizeof *r.free_s),
		.rounds = arena_array(a, p->workers, sizeof *r.rounds) };
	if (!r.free_s || !r.rounds || a->failed)
		return (struct program_run){ INFINITY, 0 };
	for (size_t i = 0; i < (p->barrier ? p->rounds : 1); i++)
		run_round(&r);
	double time_s = last_of(&r);
	return (struct program_run){ time_s,
		time_s > 0 ? r.waited_s / time_s / (double)p->workers : 0 };
}
