/* The server in strides.
 *
 * An iteration is a tick, and a run of some hundred requests has a hundred thousand of them. But in
 * most ticks nobody comes, nobody leaves and no prompt is finished: then the only thing that
 * changes is that every running request has one more token in the cache, and each tick takes a
 * little longer than the one before, always by the same time. Such a stretch is a row of times
 * first, first + more, first + 2 more, ...; its sum is a formula (row_s), its time between tokens
 * goes into a histogram as a row, and the clock moves over it in one stride. The cost is per
 * request, not per token.
 *
 * How long a stride may be is what undisturbed_ticks() says: until the next request is done, until
 * the cache might run out, until a prompt is prefilled, and not longer than the row stays straight
 * (the time of attention bends a little where caches are short). An arrival ends it too, where the
 * new request could be admitted.
 *
 * A request that starts to decode knows the tick at which it will be done, so the next departure is
 * the top of a heap of ticks. Entries of requests that were preempted since are stale; they are
 * recognised because the tick is no longer the one that the request has, and dropped.
 *
 * Blocks of the cache are needed at known ticks as well. A request whose length is a multiple of
 * the block needs one in the next tick, and every unit_tokens ticks from then on: so the sequences
 * are counted by the residue of the tick at which their next block is due (serving_cache.due), and
 * what n ticks will need is a sum over the residues. */
#include "sims/serving/serving.h"

#include "sims/base/events.h"
#include "sims/base/minmax.h"
#include "sims/base/rng.h"
#include "sims/base/stats.h"
#include "sims/tables/trace.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* --- Requests as they come --- */

/* The trace's gap before request i, in mean gaps. From its end to its beginning the gap is one. */
static double trace_gap(const struct trace *t, size_t i)
{
	size_t at = i % t->n;
	double span = t->requests[t->n - 1].arrival_s - t->requests[0].arrival_s;
	if (at == 0)
		return 1;
	return span > 0 ? (t->requests[at].arrival_s - t->requests[at - 1].arrival_s) *
				  (double)(t->n - 1) / span
			: 0;
}

static double gap(const struct serving_workload *w, struct rng *r, size_t i)
{
	switch (w->arrivals) {
	case ARRIVALS_GAMMA:
		return rng_gamma(r, 1, w->arrival_cv);
	case ARRIVALS_TRACE:
		return trace_gap(w->trace, i);
	default:
		return rng_exponential(r, 1);
	}
}

/* Whole and at least one. The uniform law runs from 1 to one less than twice the mean. */
static double length(const struct serving_workload *w, struct rng *r, double mean)
{
	switch (w->lengths) {
	case LENGTHS_EXPONENTIAL:
		return fmax(1, ceil(rng_exponential(r, mean)));
	case LENGTHS_UNIFORM:
		return 1 + (double)rng_below(r, (uint64_t)(2 * mean - 1));
	case LENGTHS_LOGNORMAL:
		return fmax(1, round(rng_lognormal(r, mean, w->length_cv)));
	default:
		return mean;
	}
}

struct request *workload_requests(struct arena *a, const struct serving_workload *w, size_t n)
{
	assert(w->trace || (w->arrivals != ARRIVALS_TRACE && w->lengths != LENGTHS_TRACE));
	struct request *q = arena_array(a, n, sizeof *q);
	struct rng gaps = rng_stream(w->seed, "request arrivals", 0);
	struct rng prompts = rng_stream(w->seed, "prompt lengths", 0);
	struct rng outputs = rng_stream(w->seed, "output lengths", 0);
	double at_s = 0;

	for (size_t i = 0; q && i < n; i++) {
		if (i > 0)
			at_s += gap(w, &gaps, i);
		if (w->lengths == LENGTHS_TRACE)
			q[i] = w->trace->requests[i % w->trace->n];
		else
			q[i] = (struct request){ 0, length(w, &prompts, w->prompt_tokens),
				length(w, &outputs, w->output_tokens) };
		q[i].arrival_s = at_s;
	}
	return q;
}

struct request_lengths request_lengths(const struct request q[], size_t n)
{
	struct request_lengths l = { 0 };
	for (size_t i = 0; i < n; i++) {
		l.prompt += q[i].prompt_tokens / (double)n;
		l.output += fmax(1, q[i].output_tokens) / (double)n;
		l.longest = fmax(l.longest, q[i].prompt_tokens + q[i].output_tokens);
	}
	return l;
}

void workload_settle(struct serving_workload *w)
{
	if (w->arrivals == ARRIVALS_TRACE && !trace_has_gaps(w->trace))
		w->arrivals = ARRIVALS_POISSON;
	if (w->lengths == LENGTHS_TRACE && !w->trace)
		w->lengths = LENGTHS_FIXED;
}

enum { TOO_FEW_TO_CUT = 20, CUT = 10 };

size_t serving_warm_up(size_t n)
{
	return n < TOO_FEW_TO_CUT ? 0 : n / CUT;
}

/* --- The engine --- */

#define NOBODY UINT32_MAX

/* A request inside the server. */
struct sequence {
	int64_t prompt, output;
	int64_t history;      /* tokens that the cache has before them */
	int64_t target, done; /* tokens to prefill, and how many of them are */
	int64_t made;         /* output tokens when it joined or was preempted */
	int64_t joined_at,
		ends_at; /* ticks: when it began to decode, and ends; ends_at < 0: it does not */
	double since_s;  /* when its present state began */
	double last_token_s;     /* when it was preempted: a pause between tokens */
	uint32_t previous, next; /* in the queue or among the running */
	uint32_t slot;
};

/* Paged, the units are blocks. Contiguous, they are tokens, all taken at admission. */
struct serving_cache {
	bool paged;
	int64_t unit_tokens, reserve, total, free;
	uint32_t *due; /* how many sequences need a block at a tick, by tick modulo the unit */
};

struct engine {
	struct arena *arena;
	const struct serving_setup *setup;
	struct serving_run *out;
	struct sequence *seq;
	struct serving_cache cache;
	double now_s;
	size_t next_arrival, issued; /* requests that have come; that have an arrival time */
	size_t in_system, n_waiting;
	uint32_t first_waiting, last_waiting;
};

/* What an iteration does. pairs: prefilled queries times the keys that each of them sees. */
struct serving_iteration {
	double decodes, kv_tokens, prefill_tokens, pairs;
	double largest; /* of prefill_tokens, those of one prompt */
};

/* Iterations first_s, first_s + more_s, first_s + 2 more_s, ... */
struct iteration_row {
	double first_s, more_s;
};
static inline double row_s(const struct iteration_row *r, double ticks)
{
	return ticks * r->first_s + r->more_s * ticks * (ticks - 1) / 2;
}

/* --- The cache's bookkeeping --- */

static int64_t kv_units(const struct serving_cache *c, int64_t tokens, int64_t whole_length)
{
	if (c->paged)
		return (tokens + c->unit_tokens - 1) / c->unit_tokens;
	return max_int64(whole_length, c->reserve);
}

static int64_t kv_growth(const struct serving_cache *c, int64_t tick, int64_t ticks)
{
	int64_t due = 0, rest = ticks;
	if (!c->paged)
		return 0;
	if (ticks >= c->unit_tokens) {
		int64_t all = 0;
		for (int64_t i = 0; i < c->unit_tokens; i++)
			all += c->due[i];
		due = ticks / c->unit_tokens * all;
		rest = ticks % c->unit_tokens;
	}
	/* The next ticks in turn: a division for all of them, not for each. */
	for (int64_t at = tick % c->unit_tokens; rest > 0; rest--) {
		at = at + 1 < c->unit_tokens ? at + 1 : 0;
		due += c->due[at];
	}
	return due;
}

static int64_t kv_safe_ticks(const struct serving_cache *c, size_t n)
{
	if (!c->paged || n == 0)
		return INT64_MAX;
	return c->free / (int64_t)n * c->unit_tokens;
}

/* Counts of sequences by the tick at which they need a block. With L tokens at `tick`, the first
 * tick after it that needs one appends token number L + 1 + i, for the least i with L + i a
 * multiple of the block. */
static uint32_t *slot_of(const struct serving_cache *c, int64_t tick, int64_t tokens)
{
	int64_t i = (c->unit_tokens - tokens % c->unit_tokens) % c->unit_tokens;
	return &c->due[(tick + 1 + i) % c->unit_tokens];
}

static void kv_join(struct serving_cache *c, int64_t tick, int64_t tokens)
{
	if (c->paged)
		++*slot_of(c, tick, tokens);
}

static void kv_leave(struct serving_cache *c, int64_t tick, int64_t tokens)
{
	if (c->paged)
		--*slot_of(c, tick, tokens);
}

static double kv_reserved_tokens(const struct serving_cache *c)
{
	return (double)((c->total - c->free) * c->unit_tokens);
}

/* --- The clock, the queue, iterations --- */

static void engine_clock(struct engine *e, double t_s)
{
	e->out->in_system_s += (double)e->in_system * (t_s - e->now_s);
	e->out->waiting_s += (double)e->n_waiting * (t_s - e->now_s);
	e->now_s = t_s;
}

static double engine_next_arrival_s(const struct engine *e)
{
	return e->next_arrival < e->issued ? e->out->served[e->next_arrival].arrival_s : INFINITY;
}

/* In a closed loop, a user who is free at t_s sends the next request. */
static void issue_next(struct engine *e, double t_s)
{
	if (e->setup->users && e->issued < e->setup->n)
		e->out->served[e->issued++].arrival_s = t_s;
}

static void engine_append(struct engine *e, uint32_t id)
{
	e->seq[id].next = NOBODY;
	if (e->n_waiting++)
		e->seq[e->last_waiting].next = id;
	else
		e->first_waiting = id;
	e->last_waiting = id;
}

static void engine_put_back(struct engine *e, uint32_t id)
{
	e->seq[id].next = e->n_waiting ? e->first_waiting : NOBODY;
	if (!e->n_waiting++)
		e->last_waiting = id;
	e->first_waiting = id;
}

static uint32_t engine_take(struct engine *e)
{
	assert(e->n_waiting > 0);
	uint32_t id = e->first_waiting;
	e->first_waiting = e->seq[id].next;
	e->n_waiting--;
	return id;
}

static int64_t history_of(const struct engine *e, uint32_t id)
{
	return e->setup->histories ? e->setup->histories[id] : e->setup->history_tokens;
}

/* Tokens that it has in the cache when its last one is made. */
static int64_t whole_length(const struct engine *e, const struct sequence *s)
{
	return history_of(e, (uint32_t)(s - e->seq)) + s->prompt + s->output - 1;
}

static void take_arrival(struct engine *e, uint32_t id)
{
	const struct request *q = &e->setup->requests[id];
	struct sequence *s = &e->seq[id];
	double arrival_s = e->out->served[id].arrival_s;

	e->out->served[id].start_s = INFINITY;
	*s = (struct sequence){ .prompt = (int64_t)q->prompt_tokens,
		.output = q->output_tokens < 1 ? 1 : (int64_t)q->output_tokens,
		.history = history_of(e, id),
		.ends_at = -1,
		.since_s = arrival_s };
	s->target = s->prompt;
	int64_t whole = whole_length(e, s);
	if (kv_units(&e->cache, whole, whole) > e->cache.total) {
		e->out->served[id].first_s = e->out->served[id].finish_s = INFINITY;
		e->out->refused++;
		issue_next(e, arrival_s);
		return;
	}
	e->in_system++;
	engine_append(e, id);
	e->out->in_system_s += e->now_s - arrival_s;
	e->out->waiting_s += e->now_s - arrival_s;
}

static void engine_take_arrivals(struct engine *e)
{
	while (engine_next_arrival_s(e) <= e->now_s)
		take_arrival(e, (uint32_t)e->next_arrival++);
}

static void engine_finish(struct engine *e, uint32_t id, double t_s)
{
	e->out->served[id].finish_s = t_s;
	e->out->end_s = fmax(e->out->end_s, t_s);
	e->in_system--;
	issue_next(e, t_s);
}

static double iteration_s(const struct engine *e, const struct serving_iteration *it)
{
	if (e->setup->fixed_step_s > 0)
		return e->setup->fixed_step_s;
	/* Several prompts see fewer keys than a single one of their length: as if that one had
	 * less context. */
	double context = it->prefill_tokens > 0
				 ? it->pairs / it->prefill_tokens - it->prefill_tokens / 2
				 : 0;
	return engine_step_of_prompts_s(e->setup->engine, it->decodes, it->kv_tokens,
		it->prefill_tokens, context, it->largest);
}

/* first_s: what `it` takes, where that is known; 0: it is not. */
static struct iteration_row iteration_row(const struct engine *e,
	const struct serving_iteration *it, double first_s, int64_t ticks, double pairs_more)
{
	assert(ticks >= 1);
	struct iteration_row r = { .first_s = first_s > 0 ? first_s : iteration_s(e, it) };
	double steps = (double)(ticks - 1);
	if (ticks > 1) {
		struct serving_iteration last = *it;
		last.kv_tokens += steps * it->decodes;
		last.pairs += steps * pairs_more;
		r.more_s = fmax(0, (iteration_s(e, &last) - r.first_s) / steps);
	}
	return r;
}

static int64_t iteration_straight_ticks(const struct serving_iteration *it)
{
	enum { LEAST = 64 };
	return it->decodes > 0 ? LEAST + (int64_t)(it->kv_tokens / it->decodes) : INT64_MAX;
}

static void engine_log_span(
	struct engine *e, uint32_t id, enum span_kind kind, double start_s, double end_s)
{
	struct serving_log *log = &e->out->log;
	if (id < e->setup->watch && log->n_spans < log->cap_spans && end_s > start_s)
		log->spans[log->n_spans++] =
			(struct serving_span){ id, e->seq[id].slot, kind, start_s, end_s };
}

static void engine_log_cache(
	struct engine *e, double at_s, double used, double reserved, size_t holders)
{
	struct serving_log *log = &e->out->log;
	e->out->most_reserved = fmax(e->out->most_reserved, reserved);
	if (!log->cache || log->cache_seen++ % log->cache_stride)
		return;
	if (log->n_cache == CACHE_SAMPLES) { /* full: every other sample stays */
		for (size_t i = 0; 2 * i < CACHE_SAMPLES; i++)
			log->cache[i] = log->cache[2 * i];
		log->n_cache /= 2;
		log->cache_stride *= 2;
	}
	log->cache[log->n_cache++] = (struct cache_sample){ at_s, used, reserved, holders };
}

/* An iteration of the same kind right after a stretch makes it longer. */
static void engine_log_work(struct engine *e, const struct work_span *w)
{
	struct serving_log *log = &e->out->log;
	struct work_span *last = log->n_work ? &log->work[log->n_work - 1] : NULL;
	if (last && last->end_s >= w->start_s && last->prefills == w->prefills) {
		last->end_s = w->end_s;
		last->iterations += w->iterations;
	} else if (log->work && log->n_work < log->cap_work) {
		log->work[log->n_work++] = *w;
	}
}

/* --- Whole batches: static and dynamic --- */

/* The latest time at which a batch starts if it does not fill; a static one waits until nobody
 * comes any more. */
static double deadline_s(const struct engine *e, double free_since_s)
{
	double oldest_s = e->out->served[e->first_waiting].arrival_s;
	if (e->setup->policy == SERVING_STATIC)
		return INFINITY;
	return fmax(free_since_s, oldest_s + e->setup->timeout_s);
}

/* Waits for the batch to fill or for its deadline. */
static void wait_for_batch(struct engine *e, double free_since_s)
{
	double deadline = deadline_s(e, free_since_s);
	while (e->n_waiting < e->setup->max_batch) {
		double next_s = engine_next_arrival_s(e);
		if (isinf(next_s) && isinf(deadline))
			return;
		if (next_s > deadline) {
			engine_clock(e, fmax(e->now_s, deadline));
			return;
		}
		engine_clock(e, fmax(e->now_s, next_s));
		engine_take_arrivals(e);
	}
}

struct batch {
	uint32_t *members;
	double *finish_s;
	struct events by_length;
	size_t n;
	int64_t prompt, output; /* the longest of each: everybody is padded to them */
	int64_t prompts;        /* their sum, with histories */
	int64_t units;          /* of cache */
};

/* Takes requests from the front of the queue as long as the padded rectangle fits into the cache;
 * the first always does. */
static void form_batch(struct engine *e, struct batch *b)
{
	b->n = 0;
	b->prompt = b->output = b->prompts = b->units = 0;
	while (e->n_waiting && b->n < e->setup->max_batch) {
		const struct sequence *s = &e->seq[e->first_waiting];
		int64_t prompt = max_int64(b->prompt, s->prompt),
			output = max_int64(b->output, s->output);
		int64_t whole = e->setup->history_tokens + prompt + output - 1;
		int64_t units = (int64_t)(b->n + 1) * kv_units(&e->cache, whole, whole);
		if (b->n && units > e->cache.total)
			return;
		b->prompt = prompt;
		b->output = output;
		b->units = units;
		b->prompts += s->history + s->prompt;
		b->members[b->n++] = engine_take(e);
	}
}

/* The time from `reached` tokens made to `length`. All decode the same number of tokens, for
 * padding reads as much cache as a live sequence; `alive` of them are not done yet. */
static double decode_s(
	struct engine *e, const struct batch *b, int64_t reached, int64_t length, size_t alive)
{
	double n = (double)b->n, passed_s = 0;
	while (reached < length) {
		int64_t held = e->setup->history_tokens + b->prompt + reached;
		struct serving_iteration it = { .decodes = n, .kv_tokens = n * (double)held };
		int64_t most = iteration_straight_ticks(&it);
		int64_t ticks = length - reached < most ? length - reached : most;
		struct iteration_row r = iteration_row(e, &it, 0, ticks, 0);
		histogram_add_row(
			&e->out->itl_s, r.first_s, r.more_s, (double)ticks, (double)alive);
		passed_s += row_s(&r, (double)ticks);
		reached += ticks;
	}
	return passed_s;
}

/* Members are done in the order of their lengths, and are put into it; finish_s has when each is.
 * Returns when the longest is. */
static double decode_batch(struct engine *e, struct batch *b, double start_s)
{
	int64_t reached = 1;
	double now_s = start_s, ended = 0;
	double reserved = (double)(b->units * e->cache.unit_tokens);
	struct event length;

	for (size_t i = 0; i < b->n; i++)
		events_push(&b->by_length, (double)e->seq[b->members[i]].output, 0, b->members[i]);
	for (size_t i = 0; events_pop(&b->by_length, &length); i++) {
		const struct sequence *s = &e->seq[length.data];
		size_t alive = b->n - i;
		now_s += decode_s(e, b, reached, s->output, alive);
		reached = s->output;
		b->members[i] = length.data;
		b->finish_s[i] = now_s;
		engine_log_cache(e, now_s,
			(double)b->prompts + ended + (double)alive * (double)(reached - 1),
			reserved, b->n);
		ended += (double)(reached - 1);
	}
	return now_s;
}

/* The clock stands at the end of the batch and has counted everybody until then; whoever was done
 * earlier is taken off again. */
static void dismiss(struct engine *e, const struct batch *b, double start_s)
{
	double end_s = e->now_s, used = 0, steps = (double)(b->output - 1);
	for (size_t i = 0; i < b->n; i++) {
		uint32_t id = b->members[i];
		const struct sequence *s = &e->seq[id];
		double made = (double)(s->output - 1);
		/* Its cache grows to prompt + output - 1 tokens and is then held as it is. */
		used += (double)(s->history + s->prompt);
		if (steps > 0)
			used += made * (steps - (made - 1) / 2) / steps;
		engine_log_span(e, id, SPAN_DECODE, start_s, b->finish_s[i]);
		engine_log_span(e, id, SPAN_HELD, b->finish_s[i], end_s);
		e->out->tokens += (double)s->output;
		e->out->in_system_s -= end_s - b->finish_s[i];
		engine_finish(e, id, b->finish_s[i]);
	}
	e->out->used_token_s += used * (end_s - start_s);
}

static void run_batch(struct engine *e, struct batch *b)
{
	double n = (double)b->n, prompt = (double)b->prompt, launch_s = e->now_s;
	double reserved = (double)(b->units * e->cache.unit_tokens);
	double before = (double)e->setup->history_tokens;
	struct serving_iteration prefill = { .prefill_tokens = n * prompt,
		.pairs = n * prompt * (before + prompt / 2),
		.largest = prompt };
	double prefill_s = iteration_s(e, &prefill), start_s = launch_s + prefill_s;

	for (size_t i = 0; i < b->n; i++) {
		uint32_t id = b->members[i];
		e->seq[id].slot = (uint32_t)i;
		e->out->served[id].first_s = start_s;
		engine_log_span(e, id, SPAN_WAITING, e->out->served[id].arrival_s, launch_s);
		engine_log_span(e, id, SPAN_PREFILL, launch_s, start_s);
	}
	engine_log_cache(e, launch_s, (double)b->prompts, reserved, b->n);
	double end_s = decode_batch(e, b, start_s);
	engine_clock(e, end_s);
	dismiss(e, b, start_s);
	engine_log_cache(e, end_s, 0, 0, 0);
	e->out->used_token_s += (double)b->prompts * prefill_s;
	e->out->reserved_token_s += reserved * (end_s - launch_s);
	e->out->busy_s += end_s - launch_s;
	e->out->iterations += (double)b->output;
	e->out->slot_iterations += n * (double)b->output;
}

static void serve_batches(struct engine *e)
{
	size_t most = min_size(e->setup->max_batch, e->setup->n);
	struct batch b = { .members = arena_array(e->arena, most, sizeof *b.members),
		.finish_s = arena_array(e->arena, most, sizeof *b.finish_s),
		.by_length = events_new(e->arena, most) };
	double free_since_s = -INFINITY; /* the first batch waits to fill as others do */

	while (!e->arena->failed) {
		engine_take_arrivals(e);
		if (!e->n_waiting) {
			double next_s = engine_next_arrival_s(e);
			if (!isfinite(next_s))
				return;
			engine_clock(e, next_s);
			continue;
		}
		wait_for_batch(e, free_since_s);
		form_batch(e, &b);
		run_batch(e, &b);
		free_since_s = e->now_s;
	}
}

/* --- Continuous batching --- */

struct server {
	struct engine *e;
	struct events endings; /* by tick; stale where the sequence's ends_at differs */
	int64_t tick;
	uint32_t oldest, newest; /* of the running, linked in the order in which they joined */
	/* The first without all of its prompt. With one copy of attention all behind it lack some
	 * too. */
	uint32_t prefilling;
	size_t running, decoding;
	int64_t kv_tokens, prefilled; /* cached by the decoding, and by the prefilling */
	uint32_t *free_slots;
	size_t n_free_slots;
};

/* What the iterations of a stride do: all the same, but for the cache that grows. */
struct stride {
	struct serving_iteration first;
	int64_t ticks, ticks_of_prefill;
	bool alone; /* the whole chunk belongs to one prompt, which needs more of them */
};

static void admit(struct server *s, uint32_t id)
{
	assert(s->n_free_slots > 0);
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
	e->cache.free -= kv_units(&e->cache, q->history + q->target, whole_length(e, q));
	s->prefilled += q->history;
	engine_log_span(e, id, q->made ? SPAN_PREEMPTED : SPAN_WAITING, q->since_s, e->now_s);
	q->since_s = e->now_s;
	e->out->served[id].start_s = fmin(e->out->served[id].start_s, e->now_s);
}

/* Takes a request out of the engine, with its cache. */
static void leave(struct server *s, uint32_t id)
{
	assert(s->running > 0);
	struct engine *e = s->e;
	struct sequence *q = &e->seq[id];
	int64_t cached = q->history + q->target;
	if (q->ends_at >= 0) {
		cached += s->tick - q->joined_at;
		kv_leave(&e->cache, s->tick, cached);
		s->decoding--;
		s->kv_tokens -= cached;
	}
	e->cache.free += kv_units(&e->cache, cached, whole_length(e, q));
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
		s->prefilled -= q->history + q->done;
		if (s->prefilling == id)
			s->prefilling = NOBODY;
	}
	leave(s, id);
	q->target = history_of(e, id) + q->prompt + q->made;
	q->history = q->done = 0;
	q->since_s = e->now_s;
	engine_put_back(e, id);
	e->out->preemptions++;
}

/* Makes sure of blocks for the tokens that the next tick appends; true when somebody had to go for
 * them. A request alone always has room, or it would have been refused. */
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
	int64_t units = kv_units(&e->cache, q->history + q->target, whole_length(e, q));
	int64_t spare = s->running && e->cache.paged ? e->cache.total / 100 : 0;
	return units + growth + spare <= e->cache.free;
}

static int64_t prefill_part(
	struct server *s, uint32_t id, int64_t budget, struct serving_iteration *it)
{
	struct sequence *q = &s->e->seq[id];
	int64_t part = q->target - q->done < budget ? q->target - q->done : budget;
	if (q->target == 1 && q->history > 0) {
		/* One query that reads all that is cached: nothing tells it from a decode. */
		it->decodes++;
		it->kv_tokens += (double)(q->history + 1);
	} else {
		it->prefill_tokens += (double)part;
		it->largest = fmax(it->largest, (double)part);
		it->pairs += (double)part * ((double)(q->history + q->done) + (double)part / 2);
	}
	q->done += part;
	s->prefilled += part;
	return part;
}

static double copies_of(const struct serving_setup *setup)
{
	return setup->engine ? setup->engine->copies : 1;
}

/* Of one prompt in an iteration, at most: it is on one of the copies of attention, which have equal
 * parts of the chunk. */
static int64_t most_of_prompt(const struct serving_setup *setup)
{
	const double copies = copies_of(setup);
	return copies > 1 ? (int64_t)fmax(1, (double)setup->chunk_tokens / copies)
			  : setup->chunk_tokens;
}

/* Chooses the members of the next iteration; admits those whose prompts have a part in it. */
static struct stride plan(struct server *s, bool preempted)
{
	struct engine *e = s->e;
	struct stride p = { .first = { .decodes = (double)s->decoding,
				    .kv_tokens = (double)(s->kv_tokens + (int64_t)s->decoding) } };
	int64_t left = e->setup->chunk_tokens;
	const int64_t growth = kv_growth(&e->cache, s->tick, 1), most = most_of_prompt(e->setup);

	for (uint32_t id = s->prefilling; id != NOBODY && left > 0; id = e->seq[id].next)
		if (e->seq[id].ends_at < 0)
			left -= prefill_part(s, id, min_int64(left, most), &p.first);
	while (left > 0 && !preempted && can_admit(s, growth)) {
		uint32_t id = engine_take(e);
		admit(s, id);
		left -= prefill_part(s, id, min_int64(left, most), &p.first);
	}
	assert(e->setup->chunk_tokens > 0);
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

/* How many iterations of the row it takes until wait_s have passed, `most` at most: the root of a
 * quadratic, corrected for rounding. */
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

/* How many iterations pass before anything inside the engine can change. */
static int64_t undisturbed_ticks(struct server *s, const struct stride *p, bool preempted)
{
	bool prefills = p->first.prefill_tokens > 0;
	bool joined = p->first.decodes > (double)s->decoding;
	if (preempted || joined || (prefills && !p->alone))
		return 1;
	int64_t ticks = prefills ? p->ticks_of_prefill : INT64_MAX;
	if (s->decoding)
		ticks = min_int64(ticks, next_ending(s) - s->tick);
	ticks = min_int64(ticks, kv_safe_ticks(&s->e->cache, s->decoding));
	ticks = min_int64(ticks, iteration_straight_ticks(&p->first));
	return ticks < 1 ? 1 : ticks;
}

/* The row of iterations of the stride to come, and their number. */
static struct iteration_row next_row(
	struct server *s, const struct stride *p, bool preempted, int64_t *ticks)
{
	struct engine *e = s->e;
	bool prefills = p->first.prefill_tokens > 0;
	double pairs_more = p->alone ? p->first.prefill_tokens * p->first.prefill_tokens : 0;
	int64_t most = undisturbed_ticks(s, p, preempted);
	struct iteration_row r = iteration_row(e, &p->first, 0, most, pairs_more);
	*ticks = most;
	/* An arrival changes nothing while others wait already, or while the chunk is taken. */
	if (most > 1 && !prefills && !e->n_waiting && s->running < e->setup->max_batch)
		*ticks = ticks_until(&r, engine_next_arrival_s(e) - e->now_s, most);
	return *ticks < most ? iteration_row(e, &p->first, r.first_s, *ticks, pairs_more) : r;
}

static void first_token(struct engine *e, uint32_t id)
{
	struct served *q = &e->out->served[id];
	q->first_s = e->now_s;
	if (id >= serving_warm_up(e->setup->n) && q->first_s - q->arrival_s > e->setup->give_up_s)
		e->out->late++;
}

/* Of the requests after warm-up, one in a hundred is late already. */
static bool gives_up(const struct engine *e)
{
	const struct serving_setup *setup = e->setup;
	size_t counted = setup->n - serving_warm_up(setup->n);
	return (setup->give_up_s > 0 && e->out->late > counted / 100 + 1) ||
	       (setup->most_strides > 0 && e->out->strides >= setup->most_strides);
}

/* All of a prompt is in the cache: the iteration that finished it made a token. */
static void join(struct server *s, uint32_t id)
{
	struct engine *e = s->e;
	struct sequence *q = &e->seq[id];
	s->prefilled -= q->history + q->target;
	engine_log_span(e, id, SPAN_PREFILL, q->since_s, e->now_s);
	q->since_s = e->now_s;
	if (q->made)
		histogram_add(&e->out->itl_s, e->now_s - q->last_token_s, 1);
	else
		first_token(e, id);
	q->made++;
	if (q->made == q->output) {
		leave(s, id);
		engine_finish(e, id, e->now_s);
		return;
	}
	q->joined_at = s->tick;
	q->ends_at = s->tick + q->output - q->made;
	s->decoding++;
	s->kv_tokens += q->history + q->target;
	kv_join(&e->cache, s->tick, q->history + q->target);
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
	uint32_t first = NOBODY, next;
	for (uint32_t id = s->prefilling; id != NOBODY; id = next) {
		const struct sequence *q = &e->seq[id];
		next = q->next;
		if (q->ends_at >= 0)
			continue;
		if (q->done >= q->target) {
			e->out->tokens++;
			join(s, id);
		} else if (first == NOBODY) {
			first = id;
			if (copies_of(e->setup) <= 1)
				break; /* all behind it lack some too */
		}
	}
	s->prefilling = first;
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
	engine_log_work(e, &(struct work_span){ e->now_s, e->now_s + passed_s, k, chunk > 0 });
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

static void serve_continuously(struct engine *e)
{
	size_t slots = min_size(e->setup->max_batch, e->setup->n);
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
		e->out->strides++;
		e->out->gave_up = gives_up(e);
		if (e->out->gave_up)
			return;
	}
}

/* --- A run --- */

static void log_open(struct arena *a, const struct serving_setup *setup, struct serving_log *log)
{
	enum { SPANS_EACH = 6 };
	log->cap_work = setup->watch_work;
	if (setup->watch_work)
		log->work = arena_array(a, log->cap_work, sizeof *log->work);
	if (!setup->watch)
		return;
	log->cap_spans = SPANS_EACH * setup->watch;
	log->spans = arena_array(a, log->cap_spans, sizeof *log->spans);
	log->cache = arena_array(a, CACHE_SAMPLES, sizeof *log->cache);
	log->cache_stride = 1;
}

static struct serving_cache kv_new(struct arena *a, const struct serving_setup *setup)
{
	struct serving_cache c = {
		.paged = setup->paged, .unit_tokens = 1, .reserve = setup->reserve_tokens
	};
	if (c.paged) {
		c.unit_tokens = setup->block_tokens;
		c.due = arena_array(a, (size_t)c.unit_tokens, sizeof *c.due);
	}
	if (setup->cache_tokens > 0)
		c.total = (int64_t)fmin(setup->cache_tokens, 1e15) / c.unit_tokens;
	c.free = c.total;
	return c;
}

struct serving_run serving_simulate(struct arena *a, const struct serving_setup *setup)
{
	assert(setup->policy < N_SERVING_POLICIES && setup->max_batch >= 1);
	assert(setup->engine || setup->fixed_step_s > 0);
	assert(!setup->paged || setup->block_tokens >= 1);
	assert(setup->policy != SERVING_CONTINUOUS || setup->chunk_tokens >= 1);
	assert(setup->policy == SERVING_CONTINUOUS || !setup->histories);
	struct serving_run run = { .served = arena_array(a, setup->n, sizeof *run.served) };
	struct arena scratch = { 0 };
	struct engine e = { .arena = &scratch,
		.setup = setup,
		.out = &run,
		.seq = arena_array(&scratch, setup->n, sizeof *e.seq),
		.cache = kv_new(&scratch, setup) };

	log_open(a, setup, &run.log);
	if (a->failed || scratch.failed)
		goto out;
	e.issued = setup->users && setup->users < setup->n ? setup->users : setup->n;
	for (size_t i = 0; i < e.issued; i++)
		run.served[i].arrival_s =
			setup->users ? 0 : setup->requests[i].arrival_s * setup->gap_s;
	if (setup->policy == SERVING_CONTINUOUS)
		serve_continuously(&e);
	else
		serve_batches(&e);
	run.n = setup->n;
out:
	if (scratch.failed) {
		a->failed = true;
		run.n = 0;
	}
	arena_release(&scratch);
	return run;
}

/* --- What a run says about the steady state --- */

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

/* Rounds of all users: until what runs at once is of all ages, and in all. */
enum { CLOSED_WARM_UP = 2, CLOSED_ROUNDS = 16 };

size_t closed_loop_requests(size_t n, size_t users)
{
	assert(users >= 1);
	size_t rounds = (n + users - 1) / users;
	return users * (rounds < CLOSED_ROUNDS ? CLOSED_ROUNDS : rounds);
}

/* Which requests count. */
struct steady {
	size_t skip;         /* the first of all */
	double from_s, to_s; /* done later than, and not later than */
};

/* Each request that is done brings the next one: a round is over when the last of another is sent. */
static struct steady closed_loop(const struct serving_run *run, size_t users)
{
	struct steady all = { 0, -INFINITY, run->end_s };
	if (run->n / (CLOSED_WARM_UP + 2) < users)
		return all;
	struct steady s = { 0, run->served[(CLOSED_WARM_UP + 1) * users - 1].arrival_s,
		run->served[run->n - 1].arrival_s };
	return s.to_s > s.from_s ? s : all;
}

static struct steady steady_of(const struct serving_setup *setup, const struct serving_run *run)
{
	if (setup->users)
		return closed_loop(run, setup->users);
	return (struct steady){ serving_warm_up(run->n), -INFINITY, INFINITY };
}

static size_t gather(
	const struct serving_run *run, latency *what, const struct steady *s, double out[])
{
	size_t n = 0;
	for (size_t i = s->skip; i < run->n; i++) {
		const struct served *q = &run->served[i];
		if (isfinite(q->finish_s) && q->finish_s > s->from_s && q->finish_s <= s->to_s)
			out[n++] = what(q);
	}
	return n;
}

static double or_infinity(double quantile)
{
	return isnan(quantile) ? INFINITY : quantile;
}

static void throughput(const struct serving_setup *setup, const struct serving_run *run,
	const struct steady *s, double x[], struct serving_summary *out)
{
	const struct steady all = { 0, -INFINITY, INFINITY };
	size_t n = gather(run, done_at, &all, x), done = 0;
	double from_s = 0, to_s = run->end_s, tokens = 0;
	if (setup->users) {
		from_s = fmax(0, s->from_s);
		to_s = s->to_s;
	} else if (n >= TOO_FEW_TO_CUT) {
		from_s = quantile_select(x, n, 1.0 / CUT);
		to_s = quantile_select(x, n, 1 - 1.0 / CUT);
	}
	/* Where all are done at once there is no middle. */
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

/* Requests that are refused are within no limit. */
static double share_within(const struct serving_setup *setup, const struct serving_run *run,
	const struct steady *s, double ttft_limit_s, double itl_limit_s)
{
	size_t counted = 0, within = 0;
	for (size_t i = s->skip; i < run->n; i++) {
		const struct served *q = &run->served[i];
		double gaps = fmax(1, setup->requests[i].output_tokens) - 1;
		if (isfinite(q->finish_s) && (q->finish_s <= s->from_s || q->finish_s > s->to_s))
			continue;
		counted++;
		if (isfinite(q->finish_s) && ttft(q) <= ttft_limit_s &&
			q->finish_s - q->first_s <= gaps * itl_limit_s)
			within++;
	}
	return counted ? (double)within / (double)counted : 0;
}

struct serving_summary serving_summarise(struct arena *a, const struct serving_setup *setup,
	const struct serving_run *run, double ttft_limit_s, double itl_limit_s)
{
	struct serving_summary out = { .ttft_p50_s = INFINITY,
		.ttft_p99_s = INFINITY,
		.e2e_p50_s = INFINITY,
		.e2e_p99_s = INFINITY,
		.e2e_mean_s = INFINITY };
	double *x = arena_array(a, run->n, sizeof *x);
	if (!x || run->n == run->refused)
		return out;

	struct steady steady = steady_of(setup, run);
	size_t n = gather(run, ttft, &steady, x);
	out.ttft_p50_s = or_infinity(quantile_select(x, n, 0.5));
	out.ttft_p99_s = or_infinity(quantile_select(x, n, 0.99));
	n = gather(run, e2e, &steady, x);
	out.e2e_mean_s = or_infinity(mean_of(x, n));
	out.e2e_p50_s = or_infinity(quantile_select(x, n, 0.5));
	out.e2e_p99_s = or_infinity(quantile_select(x, n, 0.99));
	if (run->itl_s.total > 0) {
		out.itl_p50_s = histogram_quantile(&run->itl_s, 0.5);
		out.itl_p99_s = histogram_quantile(&run->itl_s, 0.99);
	}
	throughput(setup, run, &steady, x, &out);
	out.within_limits = share_within(setup, run, &steady, ttft_limit_s, itl_limit_s);
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
