/* Between jobs the members sleep on a condition variable, which wakes them at different times; so
 * each then waits in a loop until all of a job's members are awake, and only then begins. */
#include "ui/machine/crew.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct member {
	struct crew *crew;
	pthread_t thread;
	unsigned index;
	double from_s, to_s;
	char apart[64]; /* no two members' times in one cache line */
};

struct crew {
	struct stopwatch watch;
	pthread_mutex_t lock;
	pthread_cond_t call;
	unsigned turn;    /* under the lock: counts the jobs */
	bool over;        /* under the lock */
	unsigned threads; /* of this job */
	void (*work)(void *job, unsigned thread, unsigned threads);
	void *job;
	atomic_uint ready, done;
	unsigned n;
	struct member members[];
};

/* Waits without keeping the processor from other programs. */
static void wait_for(atomic_uint *count, unsigned n)
{
	while (atomic_load_explicit(count, memory_order_acquire) < n)
		sched_yield();
}

static void take_part(struct member *m)
{
	struct crew *c = m->crew;

	atomic_fetch_add(&c->ready, 1);
	wait_for(&c->ready, c->threads);
	m->from_s = stopwatch_now_s(&c->watch);
	c->work(c->job, m->index, c->threads);
	m->to_s = stopwatch_now_s(&c->watch);
	atomic_fetch_add_explicit(&c->done, 1, memory_order_release);
}

static void *live(void *member)
{
	struct member *m = member;
	struct crew *c = m->crew;
	unsigned seen = 0;

	for (;;) {
		pthread_mutex_lock(&c->lock);
		while (!c->over && c->turn == seen)
			pthread_cond_wait(&c->call, &c->lock);
		bool over = c->over, called = m->index < c->threads;
		seen = c->turn;
		pthread_mutex_unlock(&c->lock);
		if (over)
			return NULL;
		if (called)
			take_part(m);
	}
}

struct crew *crew_new(unsigned threads, const struct stopwatch *w)
{
	unsigned wanted = threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : threads;
	struct crew *c = calloc(1, sizeof *c + wanted * sizeof *c->members);

	if (!c)
		return NULL;
	c->watch = *w;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->call, NULL);
	for (c->n = 0; c->n < wanted; c->n++) {
		struct member *m = &c->members[c->n];
		*m = (struct member){ .crew = c, .index = c->n };
		if (c->n && pthread_create(&m->thread, NULL, live, m))
			break;
	}
	return c;
}

void crew_free(struct crew *c)
{
	if (!c)
		return;
	pthread_mutex_lock(&c->lock);
	c->over = true;
	pthread_cond_broadcast(&c->call);
	pthread_mutex_unlock(&c->lock);
	for (unsigned i = 1; i < c->n; i++)
		pthread_join(c->members[i].thread, NULL);
	pthread_cond_destroy(&c->call);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

unsigned crew_size(const struct crew *c)
{
	return c->n;
}

double crew_run(struct crew *c, unsigned threads,
	void (*work)(void *job, unsigned thread, unsigned threads), void *job)
{
	double from_s = INFINITY, to_s = -INFINITY;
	assert(c && work);

	pthread_mutex_lock(&c->lock);
	c->threads = threads < 1 ? 1 : threads > c->n ? c->n : threads;
	c->work = work;
	c->job = job;
	atomic_store(&c->ready, 0);
	atomic_store(&c->done, 0);
	c->turn++;
	if (c->threads > 1)
		pthread_cond_broadcast(&c->call);
	pthread_mutex_unlock(&c->lock);
	take_part(&c->members[0]);
	wait_for(&c->done, c->threads);
	for (unsigned i = 0; i < c->threads; i++) {
		from_s = fmin(from_s, c->members[i].from_s);
		to_s = fmax(to_s, c->members[i].to_s);
	}
	return to_s - from_s;
}
