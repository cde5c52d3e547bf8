/* The data loader of a training loop: batches dealt to workers in turn, shared cores and storage,
 * one thread that copies finished batches to pinned memory. */
#include "sims/training/step_engine.h"

#include "sims/formulas/formula.h"
#include "sims/base/rng.h"

#include <math.h>

const double step_read_ratio = 0.9;
/* One thread's memcpy from a worker's shared memory to pinned memory. */
static const double pin_bandwidth = 10e9;

static struct gate gate_new(struct arena *a, size_t servers, size_t room)
{
	room = room ? room : 1;
	return (struct gate){
		.free = servers, .queue = arena_array(a, room, sizeof(uint32_t)), .room = room
	};
}

void loader_init(struct loader *l, struct step_engine *e)
{
	const struct step_machine *m = e->m;
	struct rng r = rng_stream(m->seed, "batch preparation", 0);
	size_t n = m->steps, room = m->workers * m->prefetch + 1;
	*l = (struct loader){ .m = m,
		.worker = arena_array(e->arena, m->workers, sizeof *l->worker),
		.next = arena_array(e->arena, m->workers, sizeof *l->next),
		.prep_s = arena_array(e->arena, n, sizeof *l->prep_s),
		.ready = arena_array(e->arena, n, sizeof *l->ready),
		.cores = gate_new(e->arena, m->cores, m->workers),
		.storage = gate_new(e->arena, m->readers, m->workers),
		.pin = gate_new(e->arena, 1, room),
		.pin_s = m->pin_memory ? m->batch_bytes / pin_bandwidth : 0 };
	for (size_t i = 0; i < n && l->prep_s; i++)
		l->prep_s[i] = m->prep_s > 0 && m->prep_cv > 0
				       ? rng_lognormal(&r, m->prep_s, m->prep_cv)
				       : m->prep_s;
}

double loader_read_s(const struct loader *l, size_t batch)
{
	return l->m->io_bound ? step_read_ratio * l->prep_s[batch] : 0;
}

double loader_work_s(const struct loader *l, size_t batch)
{
	return l->prep_s[batch] - loader_read_s(l, batch);
}

/* --- what workers share ------------------------------------------------------------------ */

/* True: in at once. Otherwise gate_leave of somebody else will name it. */
static bool gate_enter(struct gate *g, uint32_t who)
{
	if (g->free > 0) {
		g->free--;
		return true;
	}
	g->queue[(g->first + g->waiting++) % g->room] = who;
	return false;
}

/* The next one in, if one waits: it takes the place of who leaves. */
static bool gate_leave(struct gate *g, uint32_t *who)
{
	if (g->waiting == 0) {
		g->free++;
		return false;
	}
	*who = g->queue[g->first];
	g->first = (g->first + 1) % g->room;
	g->waiting--;
	return true;
}

/* From now on worker k does what it stood in line for. */
static void begins(struct step_engine *e, uint32_t k)
{
	struct worker *w = &e->loader.worker[k];
	step_log(e, LANE_WORKER + k, STEP_WAIT, (unsigned)w->batch, w->since_s, e->now_s, false);
	w->since_s = e->now_s;
}

static void start_reading(struct step_engine *e, uint32_t k)
{
	const struct worker *w = &e->loader.worker[k];
	begins(e, k);
	events_push(&e->events, e->now_s + loader_read_s(&e->loader, w->batch), EVENT_READ, k);
}

static void start_working(struct step_engine *e, uint32_t k)
{
	const struct worker *w = &e->loader.worker[k];
	begins(e, k);
	events_push(&e->events, e->now_s + loader_work_s(&e->loader, w->batch), EVENT_WORK, k);
}

/* Worker k turns to its next batch, if that has been asked for. */
static void next_batch(struct step_engine *e, uint32_t k)
{
	struct loader *l = &e->loader;
	struct worker *w = &l->worker[k];
	if (w->busy || l->next[k] >= l->asked)
		return;
	w->busy = true;
	w->since_s = e->now_s;
	w->batch = l->next[k];
	l->next[k] += e->m->workers;
	if (e->m->io_bound) {
		if (gate_enter(&l->storage, k))
			start_reading(e, k);
	} else if (gate_enter(&l->cores, k)) {
		start_working(e, k);
	}
}

static void ask_until(struct step_engine *e, size_t batch)
{
	struct loader *l = &e->loader;
	l->asked = batch < l->epoch_end ? batch : l->epoch_end;
	for (uint32_t k = 0; k < e->m->workers && l->open; k++)
		next_batch(e, k);
}

/* --- the main process's side --------------------------------------------------------------- */

void loader_begin_epoch(struct step_engine *e)
{
	struct loader *l = &e->loader;
	const struct step_machine *m = e->m;
	bool started = l->open && m->persistent_workers;
	l->epoch_first = l->taken;
	l->epoch_end = m->epoch_steps && l->taken + m->epoch_steps < m->steps
			       ? l->taken + m->epoch_steps
			       : m->steps;
	for (size_t k = 0; k < m->workers; k++)
		l->next[k] = l->epoch_first + k;
	l->open = started;
	l->asked = l->epoch_first;
	if (started)
		ask_until(e, l->epoch_first + m->prefetch * m->workers);
	else if (m->workers > 0)
		events_push(&e->events, e->now_s + m->worker_start_s, EVENT_LOADER, 0);
}

bool loader_has(const struct loader *l, size_t batch)
{
	return l->ready[batch];
}

void loader_take(struct step_engine *e, size_t batch)
{
	struct loader *l = &e->loader;
	e->sum.taken++;
	e->sum.ready += (double)l->n_ready;
	l->taken = batch + 1;
	if (e->m->workers == 0)
		return;
	l->n_ready--;
	ask_until(e, l->asked + 1);
}

static bool finished(struct step_engine *e, size_t batch)
{
	e->loader.ready[batch] = true;
	e->loader.n_ready++;
	return true;
}

/* A worker is done with its batch: it goes to the pinning thread, the worker to its next one. */
static bool hand_over(struct step_engine *e, uint32_t k)
{
	struct loader *l = &e->loader;
	size_t batch = l->worker[k].batch;
	l->worker[k].busy = false;
	next_batch(e, k);
	if (l->pin_s <= 0)
		return finished(e, batch);
	if (gate_enter(&l->pin, (uint32_t)batch))
		events_push(&e->events, e->now_s + l->pin_s, EVENT_PIN, (uint32_t)batch);
	return false;
}

bool loader_event(struct step_engine *e, const struct event *event)
{
	struct loader *l = &e->loader;
	uint32_t k = event->data, other;
	switch (event->kind) {
	case EVENT_LOADER:
		l->open = true;
		ask_until(e, l->epoch_first + e->m->prefetch * e->m->workers);
		return false;
	case EVENT_READ:
		step_log(e, LANE_WORKER + k, STEP_DATA, (unsigned)l->worker[k].batch,
			l->worker[k].since_s, e->now_s, true);
		l->worker[k].since_s = e->now_s;
		if (gate_leave(&l->storage, &other))
			start_reading(e, other);
		if (gate_enter(&l->cores, k))
			start_working(e, k);
		return false;
	case EVENT_WORK:
		step_log(e, LANE_WORKER + k, STEP_DATA, (unsigned)l->worker[k].batch,
			l->worker[k].since_s, e->now_s, false);
		if (gate_leave(&l->cores, &other))
			start_working(e, other);
		return hand_over(e, k);
	case EVENT_PIN:
		if (gate_leave(&l->pin, &other))
			events_push(&e->events, e->now_s + l->pin_s, EVENT_PIN, other);
		return finished(e, k);
	default:
		return false;
	}
}
