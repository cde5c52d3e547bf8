/* What the policies of sims/serving/serving.h share: the clock, the queue in front of the engine,
 * the cost of iterations, the cache. Not for others. */
#ifndef RIDGE_SERVING_ENGINE_H
#define RIDGE_SERVING_ENGINE_H

#include "sims/base/events.h"
#include "sims/serving/serving.h"

#define NOBODY UINT32_MAX

/* A request inside the server. */
struct sequence {
	int64_t prompt, output;
	int64_t target, done; /* tokens to prefill, and of them prefilled */
	int64_t made;         /* output tokens, as of joined_at or of preemption */
	int64_t joined_at,
		ends_at;     /* ticks: decoding since, and its last; ends_at < 0: not decoding */
	double since_s;      /* in its present state */
	double last_token_s; /* while preempted */
	uint32_t previous, next; /* in the queue or among the running */
	uint32_t slot;
};

/* Paged: units are blocks. Contiguous: units are tokens, taken for good at admission. */
struct serving_cache {
	bool paged;
	int64_t unit_tokens, reserve, total, free;
	uint32_t *due; /* sequences whose next block is due at a tick, by tick mod unit */
};

struct engine {
	struct arena *arena;
	const struct serving_setup *setup;
	struct serving_run *out;
	struct sequence *seq;
	struct serving_cache cache;
	double now_s;
	size_t next_arrival, issued; /* requests that came; that have an arrival time */
	size_t in_system, n_waiting;
	uint32_t first_waiting, last_waiting;
};

/* Policies' loops; e is ready and empty. */
void serve_batches(struct engine *e);
void serve_continuously(struct engine *e);

/* The clock goes to t_s, with the present numbers in the system and in the queue until then. */
void engine_clock(struct engine *e, double t_s);
/* Takes in everything that has arrived by now. */
void engine_take_arrivals(struct engine *e);
/* INFINITY when none is known. */
double engine_next_arrival_s(const struct engine *e);
/* Request id has its last token at t_s; in a closed loop its user sends the next. */
void engine_finish(struct engine *e, uint32_t id, double t_s);

void engine_put_back(struct engine *e, uint32_t id); /* at the front */
uint32_t engine_take(struct engine *e);              /* from the front; there must be one */

/* An iteration's members. pairs: of prefilled queries with the keys that they see. */
struct serving_iteration {
	double decodes, kv_tokens, prefill_tokens, pairs;
};
double iteration_s(const struct engine *e, const struct serving_iteration *it);

/* Iterations first_s, first_s + more_s, first_s + 2 more_s, ... */
struct iteration_row {
	double first_s, more_s;
};
/* `ticks` iterations from `it` on, in each of which every decoding sequence has one token more and
 * the prefill pairs_more pairs: their ends are exact, between them the time is taken to be straight
 * (it bends a little where attention is short). */
struct iteration_row iteration_row(const struct engine *e, const struct serving_iteration *it,
	int64_t ticks, double pairs_more);
/* So many ticks that the caches at most double: a stretch that is nearly straight. */
int64_t iteration_straight_ticks(const struct serving_iteration *it);
static inline double row_s(const struct iteration_row *r, double ticks)
{
	return ticks * r->first_s + r->more_s * ticks * (ticks - 1) / 2;
}

int64_t kv_units(const struct serving_cache *c, int64_t tokens, int64_t whole_length);
/* Units due at the next `ticks` ticks after `tick`. */
int64_t kv_growth(const struct serving_cache *c, int64_t tick, int64_t ticks);
/* Ticks that surely fit into what is free when n sequences grow. */
int64_t kv_safe_ticks(const struct serving_cache *c, size_t n);
/* A sequence with so many tokens starts or stops to grow after `tick`. */
void kv_join(struct serving_cache *c, int64_t tick, int64_t tokens);
void kv_leave(struct serving_cache *c, int64_t tick, int64_t tokens);
double kv_reserved_tokens(const struct serving_cache *c);

void engine_log_span(
	struct engine *e, uint32_t id, enum span_kind kind, double start_s, double end_s);
void engine_log_cache(struct engine *e, double at_s, double used, double reserved, size_t holders);

#endif
