/* The serving engine on random settings: against a reference that loops over everything, and
 * against what must be conserved. */
#include "sims/gpu/engine_shape.h"
#include "sims/base/rng.h"
#include "sims/serving/serving.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct tables facts(void)
{
	struct tables t;
	char err[256] = "";
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&t, err, sizeof err)), "%s", err);
	return t;
}

/* The reference: continuous batching as its definition reads, with a loop over everything in every
 * iteration. */
enum { MOST = 64 };
struct reference {
	const struct serving_setup *s;
	int64_t cached[MOST], target[MOST], made[MOST];
	size_t waiting[MOST], n_waiting, running[MOST], n_running;
	bool decodes[MOST];
	double finish_s[MOST];
	size_t preemptions;
};

static int64_t units(const struct reference *r, size_t id)
{
	const struct request *q = &r->s->requests[id];
	int64_t whole = r->s->history_tokens + (int64_t)(q->prompt_tokens + q->output_tokens) - 1;
	int64_t held = r->cached[id] > r->target[id] ? r->cached[id] : r->target[id];
	if (!r->s->paged)
		return whole > r->s->reserve_tokens ? whole : r->s->reserve_tokens;
	return (held + r->s->block_tokens - 1) / r->s->block_tokens;
}

static int64_t free_units(const struct reference *r)
{
	int64_t n = (int64_t)r->s->cache_tokens / (r->s->paged ? r->s->block_tokens : 1);
	for (size_t i = 0; i < r->n_running; i++)
		n -= units(r, r->running[i]);
	return n;
}

static int64_t units_due(const struct reference *r)
{
	int64_t n = 0;
	for (size_t i = 0; i < r->n_running && r->s->paged; i++)
		n += r->decodes[r->running[i]] &&
		     r->cached[r->running[i]] % r->s->block_tokens == 0;
	return n;
}

static void drop(size_t list[], size_t *n, size_t at)
{
	memmove(list + at, list + at + 1, (--*n - at) * sizeof *list);
}

static bool reference_room(struct reference *r)
{
	bool any = false;
	for (; units_due(r) > free_units(r); any = true) {
		size_t id = r->running[--r->n_running];
		memmove(r->waiting + 1, r->waiting, r->n_waiting++ * sizeof *r->waiting);
		r->waiting[0] = id;
		r->target[id] = r->s->history_tokens + (int64_t)r->s->requests[id].prompt_tokens +
				r->made[id];
		r->cached[id] = 0;
		r->decodes[id] = false;
		r->preemptions++;
	}
	return any;
}

static double reference_step(struct reference *r, bool preempted)
{
	double decodes = 0, kv = 0, prefill = 0, pairs = 0;
	int64_t left = r->s->chunk_tokens;
	int64_t spare = r->s->paged ? (int64_t)r->s->cache_tokens / r->s->block_tokens / 100 : 0;
	for (size_t i = 0; i < r->n_running; i++)
		if (r->decodes[r->running[i]]) {
			decodes++;
			kv += (double)++r->cached[r->running[i]];
		}
	for (size_t i = 0; left > 0; i++) {
		if (i == r->n_running) {
			if (preempted || !r->n_waiting || r->n_running >= r->s->max_batch)
				break;
			if (units(r, r->waiting[0]) + (r->n_running ? spare : 0) > free_units(r))
				break;
			r->running[r->n_running++] = r->waiting[0];
			drop(r->waiting, &r->n_waiting, 0);
		}
		size_t id = r->running[i];
		int64_t need = r->target[id] - r->cached[id], part = need < left ? need : left;
		if (r->decodes[id])
			continue;
		if (r->target[id] == r->s->history_tokens + 1 && r->s->history_tokens > 0) {
			decodes++;
			kv += (double)r->target[id];
		} else {
			pairs += (double)part * ((double)r->cached[id] + (double)part / 2);
			prefill += (double)part;
		}
		r->cached[id] += part;
		left -= part;
	}
	if (r->s->fixed_step_s > 0)
		return r->s->fixed_step_s;
	return engine_step_s(r->s->engine, decodes, kv, prefill,
		prefill > 0 ? pairs / prefill - prefill / 2 : 0);
}

static void reference_run(struct reference *r)
{
	double now_s = 0;
	size_t arrived = 0;
	while (arrived < r->s->n || r->n_waiting + r->n_running) {
		while (arrived < r->s->n &&
			r->s->requests[arrived].arrival_s * r->s->gap_s <= now_s) {
			r->cached[arrived] = r->s->history_tokens;
			r->target[arrived] = r->s->history_tokens +
					     (int64_t)r->s->requests[arrived].prompt_tokens;
			r->waiting[r->n_waiting++] = arrived++;
		}
		if (r->n_waiting + r->n_running == 0) {
			now_s = r->s->requests[arrived].arrival_s * r->s->gap_s;
			continue;
		}
		bool preempted = reference_room(r);
		now_s += reference_step(r, preempted);
		for (size_t i = 0; i < r->n_running;) {
			size_t id = r->running[i];
			if (r->decodes[id] || r->cached[id] == r->target[id]) {
				r->made[id]++;
				r->decodes[id] = true;
			}
			if (r->decodes[id] &&
				r->made[id] == (int64_t)r->s->requests[id].output_tokens) {
				r->finish_s[id] = now_s;
				drop(r->running, &r->n_running, i);
			} else {
				i++;
			}
		}
	}
}

/* A setting drawn at random, hard on the cache. */
static struct serving_setup random_setup(
	struct rng *r, struct request q[], size_t n, const struct engine_shape *e)
{
	double at = 0;
	int64_t longest = 1;
	for (size_t i = 0; i < n; i++) {
		at += rng_exponential(r, 1);
		q[i] = (struct request){ at, 1 + (double)rng_below(r, 900),
			1 + (double)rng_below(r, 300) };
		int64_t whole = (int64_t)(q[i].prompt_tokens + q[i].output_tokens);
		longest = whole > longest ? whole : longest;
	}
	static const int64_t blocks[] = { 1, 3, 16, 128 }, chunks[] = { 16, 100, 512, 8192 };
	struct serving_setup s = {
		.policy = SERVING_CONTINUOUS, .requests = q, .n = n, .engine = e
	};
	s.gap_s = 0.02 + rng_uniform(r);
	s.fixed_step_s = rng_below(r, 2) ? 0.01 : 0;
	s.max_batch = 1 + rng_below(r, 20);
	s.paged = rng_below(r, 4) > 0;
	s.block_tokens = blocks[rng_below(r, COUNT(blocks))];
	s.chunk_tokens = chunks[rng_below(r, COUNT(chunks))];
	s.history_tokens = rng_below(r, 3) ? 0 : (int64_t)rng_below(r, 2000);
	longest += s.history_tokens;
	s.reserve_tokens = longest;
	s.cache_tokens = (double)longest * (1 + 3 * rng_uniform(r)) + 128;
	s.timeout_s = rng_uniform(r);
	return s;
}

Test(serving, agrees_with_the_reference)
{
	struct tables t = facts();
	struct engine_shape e = engine_shape_of(
		model_find(&t, "llama3-8b"), gpu_find(&t, "a100"), 1, DTYPE_BF16, DTYPE_BF16);
	struct rng r = rng_stream(5, "test", 0);
	size_t preemptions = 0;
	for (int i = 0; i < 250; i++) {
		struct request q[MOST];
		struct arena a = { 0 };
		struct serving_setup s = random_setup(&r, q, 10 + rng_below(&r, MOST - 10), &e);
		struct serving_run run = serving_simulate(&a, &s);
		struct reference ref = { .s = &s };
		reference_run(&ref);
		/* With steps of a fixed length the two agree on when each request ends. */
		for (size_t k = 0; k < s.n && s.fixed_step_s > 0; k++)
			cr_assert(epsilon_eq(dbl, run.served[k].finish_s, ref.finish_s[k], 1e-6),
				"setting %d request %zu of %zu", i, k, s.n);
		/* Otherwise a rare decision falls the other way, and only the whole agrees. */
		double got = 0, want = 0;
		for (size_t k = 0; k < s.n; k++) {
			got += run.served[k].finish_s - run.served[k].arrival_s;
			want += ref.finish_s[k] - run.served[k].arrival_s;
		}
		cr_expect(fabs(got / want - 1) < 0.01, "setting %d: %g for %g", i, got, want);
		if (s.fixed_step_s > 0)
			cr_expect(eq(sz, run.preemptions, ref.preemptions), "setting %d", i);
		preemptions += run.preemptions;
		arena_release(&a);
	}
	cr_expect(preemptions > 500, "%zu preemptions tried the cache", preemptions);
	tables_release(&t);
}

static void expect_lawful(const struct serving_setup *s, const struct serving_run *run, int setting)
{
	double outputs = 0, sojourns_s = 0;
	cr_assert(eq(sz, run->n, s->n));
	for (size_t i = 0; i < s->n; i++) {
		const struct served *q = &run->served[i];
		outputs += s->requests[i].output_tokens;
		sojourns_s += q->finish_s - q->arrival_s;
		cr_assert(isfinite(q->finish_s), "setting %d request %zu", setting, i);
		cr_assert(q->arrival_s < q->first_s && q->first_s <= q->finish_s &&
				  q->finish_s <= run->end_s * (1 + 1e-12),
			"setting %d request %zu", setting, i);
	}
	cr_expect(epsilon_eq(dbl, run->tokens, outputs, 0), "setting %d", setting);
	/* Little: counted as the engine's state changes, and request by request. */
	cr_expect(fabs(run->in_system_s / sojourns_s - 1) < 1e-9, "setting %d: %.12g %.12g",
		setting, run->in_system_s, sojourns_s);
	cr_expect(run->most_reserved <= s->cache_tokens, "setting %d", setting);
	cr_expect(run->used_token_s <= run->reserved_token_s * (1 + 1e-9), "setting %d", setting);
	cr_expect(run->tokens <= run->slot_iterations, "setting %d", setting);
	cr_expect(run->slot_iterations <= run->iterations * (double)s->max_batch, "setting %d",
		setting);
	cr_expect(run->busy_s <= run->end_s * (1 + 1e-9), "setting %d", setting);
	/* Every gap between two tokens of a request, once. */
	cr_expect(epsilon_eq(dbl, run->itl_s.total, outputs - (double)s->n, 1e-6), "setting %d",
		setting);
}

Test(serving, conserves_requests_tokens_and_time)
{
	struct tables t = facts();
	struct engine_shape e = engine_shape_of(
		model_find(&t, "llama3-8b"), gpu_find(&t, "a100"), 1, DTYPE_BF16, DTYPE_BF16);
	struct rng r = rng_stream(6, "test", 0);
	for (int i = 0; i < 300; i++) {
		struct request q[200];
		struct arena a = { 0 };
		struct serving_setup s = random_setup(&r, q, 1 + rng_below(&r, COUNT(q)), &e);
		s.policy = (enum serving_policy)(i % 3);
		s.users = rng_below(&r, 2) ? 1 + rng_below(&r, 40) : 0;
		struct serving_run run = serving_simulate(&a, &s);
		expect_lawful(&s, &run, i);
		arena_release(&a);
	}
	tables_release(&t);
}
