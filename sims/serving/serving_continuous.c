/* Continuous batching: requests join and leave between iterations. A tick is an iteration; a
 * request that starts to decode knows the tick at which it will be done, so that the next departure
 * is the top of a heap, and iterations in which nobody comes or goes are taken in one stride. */
#include "sims/serving/serving_engine.h"

#include <math.h>

struct server {
	struct engine *e;
	struct events endings; /* by tick; stale where the sequence's ends_at differs */
	int64_t tick;
	uint32_t oldest, newest; /* of the running, linked in the order in which they joined */
	uint32_t prefilling;     /* the first that has not all of its prompt: the rest follow it */
	size_t running, decoding;
	int64_t kv_tokens, prefilled; /* cached by the decoding, and by the prefilling */
	uint32_t *free_slots;
	size_t n_free_slots;
};

/* What the next iterations do: all alike but for the cache that grows. */
struct stride {
	struct serving_iteration first;
	int64_t ticks, ticks_of_prefill;
	bool alone; /* the whole chunk belongs to one prompt that needs more */
};

static void admit(struct server *s, uint32_t id)
{
	struct engine *e = s->e;
	struct sequence *q = &e->seq[id];
	q->slot = s->free_slots[--s->n_free_slots];
	q->previous = s->running ? s->newest : NOBODY;
	q->next = NOBODY;
	if (s->running++)
		e->seq[s->newest].next = id;
	else
		s->oldest = id;
	s->newest = id;
	if (s->prefilling == NOBODY)
		s->prefilling = id;
	e->cache.free -= kv_units(&e->cache, q->target, q->prompt + q->output - 1);
	engine_log_span(e, id, q->made ? SPAN_PREEMPTED : SPAN_WAITING, q->since_s, e->now_s);
	q->since_s = e->now_s;
}

/* Out of the engine, with its cache. */
static void leave(struct server *s, uint32_t id)
{
	struct engine *e = s->e;
	struct sequence *q = &e->seq[id];
	int64_t cached = q->target;
	if (q->ends_at >= 0) {
		cached += s->tick - q->joined_at;
		kv_leave(&e->cache, s->tick, cached);
		s->decoding--;
		s->kv_tokens -= cached;
	}
	e->cache.free += kv_units(&e->cache, cached, q->prompt + q->output - 1);
	q->ends_at = -1;
	if (q->previous == NOBODY)
		s->oldest = q->next;
	else
		e->seq[q->previous].next = q->next;
	if (q->next == NOBODY)
		s->newest = q->previous;
	else
		e->seq[q->next].previous = q->previous;
	s->running--;
	s->free_slots[s->n_free_slots++] = q->slot;
}

static void preempt_newest(struct server *s)
{
	struct engine *e = s->e;
	uint32_t id = s->newest;
	struct sequence *q = &e->seq[id];
	bool decoding = q->ends_at >= 0;

	engine_log_span(e, id, decoding ? SPAN_DECODE : SPAN_PREFILL, q->since_s, e->now_s);
	if (decoding) {
		q->made += s->tick - q->joined_at;
		q->last_token_s = e->now_s;
	} else {
		s->prefilled -= q->done;
		if (s->prefilling == id)
			s->prefilling = NOBODY;
	}
	leave(s, id);
	q->target = q->prompt + q->made;
	q->done = 0;
	q->since_s = e->now_s;
	engine_put_back(e, id);
	e->out->preemptions++;
}

/* Blocks for the tokens that the next tick appends; true when somebody had to go for them. A
 * request alone always has room, or it would have been refused. */
static bool make_room(struct server *s)
{
	bool any = false;
	while (s->decoding && kv_growth(&s->e->cache, s->tick, 1) > s->e->cache.free) {
		preempt_newest(s);
		any = true;
	}
	return any;
}

static bool can_admit(const struct server *s, int64_t growth)
{
	const struct engine *e = s->e;
	if (!e->n_waiting || s->running >= e->setup->max_batch)
		return false;
	const struct sequence *q = &e->seq[e->first_waiting];
	int64_t units = kv_units(&e->cache, q->target, q->prompt + q->output - 1);
	int64_t spare = s->running && e->cache.paged ? e->cache.total / 100 : 0;
	return units + growth + spare <= e->cache.free;
}

static int64_t prefill_part(
	struct server *s, uint32_t id, int64_t budget, struct serving_iteration *it)
{
	struct sequence *q = &s->e->seq[id];
	int64_t part = q->target - q->done < budget ? q->target - q->done : budget;
	it->prefill_tokens += (double)part;
	it->pairs += (double)part * ((double)q->done + (double)part / 2);
	q->done += part;
	s->prefilled += part;
	return part;
}

/* The next iteration's members; admits those whose prompts have a part in it. */
static struct stride plan(struct server *s, bool preempted)
{
	struct engine *e = s->e;
	struct stride p = { .first = { .decodes = (double)s->decoding,
				    .kv_tokens = (double)(s->kv_tokens + (int64_t)s->decoding) } };
	int64_t left = e->setup->chunk_tokens;
	int64_t growth = kv_growth(&e->cache, s->tick, 1);

	for (uint32_t id = s->prefilling; id != NOBODY && left > 0; id = e->seq[id].next)
		left -= prefill_part(s, id, left, &p.first);
	while (left > 0 && !preempted && can_admit(s, growth)) {
		uint32_t id = engine_take(e);
		admit(s, id);
		left -= prefill_part(s, id, left, &p.first);
	}
	if (s->prefilling != NOBODY && left == 0) {
		const struct sequence *q = &e->seq[s->prefilling];
		p.alone = p.first.prefill_tokens == (double)e->setup->chunk_tokens &&
			  s->prefilling == s->newest && q->done < q->target;
		p.ticks_of_prefill = 1 + (q->target - q->done) / e->setup->chunk_tokens;
	}
	return p;
}

static int64_t next_ending(struct server *s)
{
	const struct event *top;
	struct event stale;
	while ((top = events_next(&s->endings))) {
		if ((double)s->e->seq[top->data].ends_at == top->at)
			return (int64_t)top->at;
		events_pop(&s->endings, &stale);
	}
	return INT64_MAX;
}

/* Iterations until wait_s have passed, of `most` at most. */
static int64_t ticks_until(const struct iteration_row *r, double wait_s, int64_t most)
{
	if (row_s(r, (double)most) <= wait_s)
		return most;
	double b = r->first_s - r->more_s / 2;
	double n = wait_s / r->first_s;
	if (r->more_s > 0)
		n = (sqrt(b * b + 2 * r->more_s * wait_s) - b) / r->more_s;
	n = fmin((double)most, fmax(1, ceil(n)));
	while (n > 1 && row_s(r, n - 1) >= wait_s)
		n--;
	while (n < (double)most && row_s(r, n) < wait_s)
		n++;
	return (int64_t)n;
}

static int64_t lesser(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* How many iterations pass before anything inside the engine can change. */
static int64_t undisturbed_ticks(struct server *s, const struct stride *p, bool preempted)
{
	bool prefills = p->first.prefill_tokens > 0;
	if (preempted || (prefills && !p->alone))
		return 1;
	int64_t ticks = prefills ? p->ticks_of_prefill : INT64_MAX;
	if (s->decoding)
		ticks = lesser(ticks, next_ending(s) - s->tick);
	ticks = lesser(ticks, kv_safe_ticks(&s->e->cache, s->decoding));
	ticks = lesser(ticks, iteration_straight_ticks(&p->first));
	return ticks < 1 ? 1 : ticks;
}

/* The row of iterations to come and their number. */
static struct iteration_row next_row(
	struct server *s, const struct stride *p, bool preempted, int64_t *ticks)
{
	struct engine *e = s->e;
	bool prefills = p->first.prefill_tokens > 0;
	double pairs_more = p->alone ? p->first.prefill_tokens * p->first.prefill_tokens : 0;
	int64_t most = undisturbed_ticks(s, p, preempted);
	struct iteration_row r = iteration_row(e, &p->first, most, pairs_more);
	*ticks = most;
	/* Whoever comes now waits anyway when others already do, or when the chunk is taken. */
	if (most > 1 && !prefills && !e->n_waiting && s->running < e->setup->max_batch)
		*ticks = ticks_until(&r, engine_next_arrival_s(e) - e->now_s, most);
	return *ticks < most ? iteration_row(e, &p->first, *ticks, pairs_more) : r;
}

/* A prompt is in the cache: its iteration made a token. */
static void join(struct server *s, uint32_t id)
{
	struct engine *e = s->e;
	struct sequence *q = &e->seq[id];
	s->prefilled -= q->target;
	engine_log_span(e, id, SPAN_PREFILL, q->since_s, e->now_s);
	q->since_s = e->now_s;
	if (q->made)
		histogram_add(&e->out->itl_s, e->now_s - q->last_token_s, 1);
	else
		e->out->served[id].first_s = e->now_s;
	q->made++;
	if (q->made == q->output) {
		leave(s, id);
		engine_finish(e, id, e->now_s);
		return;
	}
	q->joined_at = s->tick;
	q->ends_at = s->tick + q->output - q->made;
	s->decoding++;
	s->kv_tokens += q->target;
	kv_join(&e->cache, s->tick, q->target);
	events_push(&s->endings, (double)q->ends_at, 0, id);
}

static void come_and_go(struct server *s)
{
	struct engine *e = s->e;
	struct event ending;
	while (next_ending(s) == s->tick) {
		events_pop(&s->endings, &ending);
		engine_log_span(e, ending.data, SPAN_DECODE, e->seq[ending.data].since_s, e->now_s);
		leave(s, ending.data);
		engine_finish(e, ending.data, e->now_s);
	}
	while (s->prefilling != NOBODY) {
		uint32_t id = s->prefilling;
		if (e->seq[id].done < e->seq[id].target)
			break;
		s->prefilling = e->seq[id].next;
		e->out->tokens++;
		join(s, id);
	}
}

static void run_stride(struct server *s, struct stride *p, bool preempted)
{
	struct engine *e = s->e;
	struct serving_run *out = e->out;
	double chunk = p->first.prefill_tokens, n = (double)s->decoding;
	int64_t ticks;
	struct iteration_row row = next_row(s, p, preempted, &ticks);
	double k = (double)ticks, passed_s = row_s(&row, k);

	e->cache.free -= kv_growth(&e->cache, s->tick, 1);
	double reserved = kv_reserved_tokens(&e->cache);
	double used = (double)(s->kv_tokens + s->prefilled) + n;
	if (ticks > 1) {
		int64_t rest = (ticks - 1) * (int64_t)chunk;
		e->cache.free -= kv_growth(&e->cache, s->tick + 1, ticks - 1);
		if (rest > 0)
			e->seq[s->prefilling].done += rest;
		s->prefilled += rest;
	}
	s->tick += ticks;
	s->kv_tokens += ticks * (int64_t)s->decoding;
	engine_clock(e, e->now_s + passed_s);

	double used_now = (double)(s->kv_tokens + s->prefilled);
	double reserved_now = kv_reserved_tokens(&e->cache);
	engine_log_cache(e, e->now_s, used_now, reserved_now, s->running);
	out->used_token_s += (used + used_now) / 2 * passed_s;
	out->reserved_token_s += (reserved + reserved_now) / 2 * passed_s;
	out->busy_s += passed_s;
	out->iterations += k;
	out->slot_iterations += k * (double)s->running;
	out->tokens += k * n;
	if (n > 0)
		histogram_add_row(&out->itl_s, row.first_s, row.more_s, k, n);
	come_and_go(s);
}

void serve_continuously(struct engine *e)
{
	size_t slots = e->setup->max_batch < e->setup->n ? e->setup->max_batch : e->setup->n;
	struct server s = { .e = e,
		.endings = events_new(e->arena, slots),
		.prefilling = NOBODY,
		.free_slots = arena_array(e->arena, slots, sizeof *s.free_slots) };

	if (!s.free_slots)
		return;
	for (size_t i = slots; i > 0; i--)
		s.free_slots[s.n_free_slots++] = (uint32_t)(i - 1);
	while (!e->arena->failed) {
		engine_take_arrivals(e);
		if (!s.running && !e->n_waiting) {
			double next_s = engine_next_arrival_s(e);
			if (!isfinite(next_s))
				return;
			engine_clock(e, next_s);
			continue;
		}
		bool preempted = make_room(&s);
		struct stride p = plan(&s, preempted);
		run_stride(&s, &p, preempted);
	}
}
