#include "sims/serving/serving_engine.h"

#include "sims/base/stats.h"

#include <math.h>
#include <string.h>

void engine_clock(struct engine *e, double t_s)
{
	e->out->in_system_s += (double)e->in_system * (t_s - e->now_s);
	e->out->waiting_s += (double)e->n_waiting * (t_s - e->now_s);
	e->now_s = t_s;
}

double engine_next_arrival_s(const struct engine *e)
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

void engine_put_back(struct engine *e, uint32_t id)
{
	e->seq[id].next = e->n_waiting ? e->first_waiting : NOBODY;
	if (!e->n_waiting++)
		e->last_waiting = id;
	e->first_waiting = id;
}

uint32_t engine_take(struct engine *e)
{
	uint32_t id = e->first_waiting;
	e->first_waiting = e->seq[id].next;
	e->n_waiting--;
	return id;
}

static void take_arrival(struct engine *e, uint32_t id)
{
	const struct request *q = &e->setup->requests[id];
	struct sequence *s = &e->seq[id];
	double arrival_s = e->out->served[id].arrival_s;

	*s = (struct sequence){ .prompt = (int64_t)q->prompt_tokens,
		.output = q->output_tokens < 1 ? 1 : (int64_t)q->output_tokens,
		.ends_at = -1,
		.since_s = arrival_s };
	s->target = s->prompt;
	int64_t whole = s->prompt + s->output - 1;
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

void engine_take_arrivals(struct engine *e)
{
	while (engine_next_arrival_s(e) <= e->now_s)
		take_arrival(e, (uint32_t)e->next_arrival++);
}

void engine_finish(struct engine *e, uint32_t id, double t_s)
{
	e->out->served[id].finish_s = t_s;
	e->out->end_s = fmax(e->out->end_s, t_s);
	e->in_system--;
	issue_next(e, t_s);
}

double iteration_s(const struct engine *e, const struct serving_iteration *it)
{
	if (e->setup->fixed_step_s > 0)
		return e->setup->fixed_step_s;
	/* Several prompts see fewer keys than one of their length would: as if it had less
	 * context. */
	double context = it->prefill_tokens > 0
				 ? it->pairs / it->prefill_tokens - it->prefill_tokens / 2
				 : 0;
	return engine_step_s(
		e->setup->engine, it->decodes, it->kv_tokens, it->prefill_tokens, context);
}

struct iteration_row iteration_row(const struct engine *e, const struct serving_iteration *it,
	int64_t ticks, double pairs_more)
{
	struct iteration_row r = { .first_s = iteration_s(e, it) };
	double steps = (double)(ticks - 1);
	if (ticks > 1) {
		struct serving_iteration last = *it;
		last.kv_tokens += steps * it->decodes;
		last.pairs += steps * pairs_more;
		r.more_s = fmax(0, (iteration_s(e, &last) - r.first_s) / steps);
	}
	return r;
}

int64_t iteration_straight_ticks(const struct serving_iteration *it)
{
	enum { LEAST = 64 };
	return it->decodes > 0 ? LEAST + (int64_t)(it->kv_tokens / it->decodes) : INT64_MAX;
}

void engine_log_span(
	struct engine *e, uint32_t id, enum span_kind kind, double start_s, double end_s)
{
	struct serving_log *log = &e->out->log;
	if (id < e->setup->watch && log->n_spans < log->cap_spans && end_s > start_s)
		log->spans[log->n_spans++] =
			(struct serving_span){ id, e->seq[id].slot, kind, start_s, end_s };
}

void engine_log_cache(struct engine *e, double at_s, double used, double reserved, size_t holders)
{
	struct serving_log *log = &e->out->log;
	e->out->most_reserved = fmax(e->out->most_reserved, reserved);
	if (!log->cache || log->cache_seen++ % log->cache_stride)
		return;
	if (log->n_cache == CACHE_SAMPLES) { /* every other one stays */
		for (size_t i = 0; 2 * i < CACHE_SAMPLES; i++)
			log->cache[i] = log->cache[2 * i];
		log->n_cache /= 2;
		log->cache_stride *= 2;
	}
	log->cache[log->n_cache++] = (struct cache_sample){ at_s, used, reserved, holders };
}

static void log_open(struct arena *a, const struct serving_setup *setup, struct serving_log *log)
{
	enum { SPANS_EACH = 6 };
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
