/* Whole batches, static and dynamic: a batch is one stretch of iterations, summed in closed
 * form. */
#include "sims/serving/serving_engine.h"

#include <math.h>

/* When a batch starts at the latest if it does not fill: a static one when nobody comes any
 * more. */
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
	int64_t prompt, output; /* the longest of each: what everybody is padded to */
	int64_t prompts;        /* their sum */
	int64_t units;          /* of cache */
};

static int64_t longer(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The front of the queue, as far as the padded rectangle fits into the cache; the first always
 * does. */
static void form_batch(struct engine *e, struct batch *b)
{
	b->n = 0;
	b->prompt = b->output = b->prompts = b->units = 0;
	while (e->n_waiting && b->n < e->setup->max_batch) {
		const struct sequence *s = &e->seq[e->first_waiting];
		int64_t prompt = longer(b->prompt, s->prompt),
			output = longer(b->output, s->output);
		int64_t whole = prompt + output - 1;
		int64_t units = (int64_t)(b->n + 1) * kv_units(&e->cache, whole, whole);
		if (b->n && units > e->cache.total)
			return;
		b->prompt = prompt;
		b->output = output;
		b->units = units;
		b->prompts += s->prompt;
		b->members[b->n++] = engine_take(e);
	}
}

/* All decode the same number of tokens: padding reads as much cache as a live sequence. From
 * `reached` tokens made to `length`; `alive` of them are not done yet. */
static double decode_s(
	struct engine *e, const struct batch *b, int64_t reached, int64_t length, size_t alive)
{
	double n = (double)b->n, passed_s = 0;
	while (reached < length) {
		struct serving_iteration it = { n, n * (double)(b->prompt + reached), 0, 0 };
		int64_t most = iteration_straight_ticks(&it);
		int64_t ticks = length - reached < most ? length - reached : most;
		struct iteration_row r = iteration_row(e, &it, ticks, 0);
		histogram_add_row(
			&e->out->itl_s, r.first_s, r.more_s, (double)ticks, (double)alive);
		passed_s += row_s(&r, (double)ticks);
		reached += ticks;
	}
	return passed_s;
}

/* Members leave in the order of their lengths, and are put into it; their ends are kept in
 * finish_s. Returns when the longest ends. */
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

/* The clock stands at the batch's end and has counted everybody until then. */
static void dismiss(struct engine *e, const struct batch *b, double start_s)
{
	double end_s = e->now_s, used = 0, steps = (double)(b->output - 1);
	for (size_t i = 0; i < b->n; i++) {
		uint32_t id = b->members[i];
		const struct sequence *s = &e->seq[id];
		double made = (double)(s->output - 1);
		/* Its cache grows to prompt + output - 1 and then stays as it is, held. */
		used += (double)s->prompt;
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
	struct serving_iteration prefill = { 0, 0, n * prompt, n * prompt * prompt / 2 };
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

void serve_batches(struct engine *e)
{
	size_t most = e->setup->max_batch < e->setup->n ? e->setup->max_batch : e->setup->n;
	struct batch b = { .members = arena_array(e->arena, most, sizeof *b.members),
		.finish_s = arena_array(e->arena, most, sizeof *b.finish_s),
		.by_length = events_new(e->arena, most) };
	double free_since_s = -INFINITY; /* idle since ever: the first batch waits to fill */

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
