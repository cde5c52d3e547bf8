/* The KV cache under a trace: whose blocks are found again, worked by hand and on Mooncake. */
#include "sims/gpu/engine_shape.h"
#include "sims/serving/kvcache_trace.h"
#include "sims/serving/block_cache.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "sims/tables/trace.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* The third prompt has two blocks of the second; the fourth has three of an earlier one, and the
 * latest of that length is the second. No earlier prompt is 9 blocks long: as many as there are are
 * taken. */
Test(kvcache_trace, prompts_go_on_from_the_latest)
{
	static const struct {
		size_t n, seen;
		uint32_t blocks[5];
	} rows[] = { { 2, 0, { 1, 2 } }, { 3, 0, { 3, 4, 5 } }, { 2, 1, { 3, 6 } },
		{ 4, 3, { 3, 4, 5, 7 } }, { 5, 9, { 3, 4, 5, 7, 8 } } };
	struct arena a = { 0 };
	struct prompt_blocks p;

	cr_assert(prompt_blocks_init(&p, &a, 16, 8));
	for (size_t i = 0; i < COUNT(rows); i++) {
		prompt_blocks_next(&p, rows[i].n, rows[i].seen);
		for (size_t k = 0; k < rows[i].n; k++)
			cr_expect(eq(u32, p.prompt[k], rows[i].blocks[k]), "row %zu, %zu", i, k);
	}
	arena_release(&a);
}

/* A trace may say of its first prompt that a block of it was seen: before the trace began. It is new
 * here, and the next prompt goes on from it. */
Test(kvcache_trace, nothing_was_before_the_first_prompt)
{
	struct arena a = { 0 };
	struct prompt_blocks p;
	cr_assert(prompt_blocks_init(&p, &a, 16, 8));
	prompt_blocks_next(&p, 1, 1);
	cr_expect(eq(u32, p.prompt[0], 1));
	prompt_blocks_next(&p, 2, 1);
	cr_expect(eq(u32, p.prompt[0], 1));
	cr_expect(eq(u32, p.prompt[1], 2));
	arena_release(&a);
}

static const uint32_t abc[] = { 1, 2, 3 }, abd[] = { 1, 2, 4 }, xy[] = { 9, 8 };
#define PROMPT(b)                                                                                  \
	{                                                                                          \
		512 * COUNT(b), 1, 0, b, COUNT(b)                                                  \
	}

/* The end of a prompt goes before its beginning: after abc and xy a cache of three has a, x, y. */
Test(kvcache_trace, hits_by_hand)
{
	static const struct {
		struct kv_request requests[3];
		size_t n, cache;
		double hits, blocks;
	} rows[] = {
		{ { PROMPT(abc), PROMPT(abd) }, 2, 6, 2, 6 },
		{ { PROMPT(abc), PROMPT(abd) }, 2, 2, 2, 6 },
		{ { PROMPT(abc), PROMPT(abd) }, 2, 1, 1, 6 },
		{ { PROMPT(abc), PROMPT(xy), PROMPT(abc) }, 3, 3, 1, 8 },
		{ { PROMPT(abc), PROMPT(xy), PROMPT(abc) }, 3, 5, 3, 8 },
		{ { PROMPT(xy), PROMPT(abc) }, 2, 5, 0, 5 },
	};
	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(epsilon_eq(dbl,
				  prefix_hit_ratio(rows[i].requests, rows[i].n, rows[i].cache),
				  rows[i].hits / rows[i].blocks, 1e-12),
			"row %zu", i);
}

/* Many wait, none shares a block: what waited and was not admitted must not be found later. */
Test(kvcache_trace, who_waits_leaves_nothing_behind)
{
	enum { N = 32 };
	static struct kv_request requests[N];
	static uint32_t blocks[N][2];
	struct tables t = load_tables();
	struct arena a = { 0 };
	struct engine_shape shape = engine_shape_of(
		model_find(&t, "llama2-7b"), gpu_find(&t, "a100"), 1, DTYPE_BF16, DTYPE_BF16);

	for (uint32_t i = 0; i < N; i++) {
		blocks[i][0] = 2 * i + 1;
		blocks[i][1] = 2 * i + 2;
		requests[i] = (struct kv_request){ 1024, 64, 0, blocks[i], 2 };
	}
	struct kv_setup s = { requests, N, &shape, 4096, 16, 2048, 0, true, true,
		TRACE_BLOCK_TOKENS };
	struct kv_run r = kv_simulate(&a, &s);
	cr_expect(lt(dbl, 0, r.span_s));
	cr_expect(lt(sz, r.most_running, 4));
	cr_expect(zero(dbl, r.hit_ratio));
	/* The second half are the first once more: 1,024 of 1,024 tokens, as far as it is kept. */
	for (uint32_t i = 0; i < N; i++)
		requests[i].blocks = blocks[i / 2];
	r = kv_simulate(&a, &s);
	cr_expect(epsilon_eq(dbl, r.hit_ratio, 0.5, 1e-12));
	arena_release(&a);
	tables_release(&t);
}

/* Larger caches find no less, none more than the trace itself counted; without a limit they find
 * what it counted, but where no earlier prompt was long enough. */
Test(kvcache_trace, mooncake)
{
	struct tables t = load_tables();
	struct arena a = { 0 };
	const struct trace *mooncake = trace_find(&t, "mooncake");
	double counted = trace_facts(mooncake).seen_ratio, last = 0;
	size_t n;
	const struct kv_request *r = trace_kv_requests(&a, mooncake, 5000, &n);

	cr_assert(r && n == mooncake->n);
	for (size_t size = 64; size < (1 << 20); size *= 8) {
		double now = prefix_hit_ratio(r, n, size);
		cr_expect(le(dbl, last, now), "%zu", size);
		cr_expect(le(dbl, now, counted), "%zu", size);
		last = now;
	}
	cr_expect(lt(dbl, counted - 0.02, last));
	arena_release(&a);
	tables_release(&t);
}

/* Every trace drives it; only one that says which prompts begin alike has a curve. */
Test(kvcache_trace, all_traces)
{
	struct tables t = load_tables();
	const struct sim *s = sim_find("kvcache");
	double v[MAX_KNOBS];

	sim_defaults(s, &t, v);
	v[sim_knob_index(s, "lengths")] = 1;
	for (size_t i = 0; i < t.n_traces; i++) {
		struct figure fig = { 0 };
		v[sim_knob_index(s, "trace")] = (double)i;
		s->run(&t, v, &fig);
		const struct value *mean = figure_find(&fig, "trace_prompt_tokens");
		cr_assert(mean != NULL);
		cr_expect(eq(dbl, mean->value, trace_facts(trace_at(&t, (double)i)).prompt_tokens));
		cr_expect(eq(int, figure_find(&fig, "pool_hit_pct") != NULL,
			strcmp(t.traces[i].id, "mooncake") == 0));
		figure_release(&fig);
	}
	tables_release(&t);
}

/* The identities of a trace stand for 512 tokens each. A page of 513 begins in the first and ends in the
 * second: two prompts that differ there have no page in common; of 512, they have one. */
Test(kvcache, a_page_is_named_by_where_it_ends)
{
	struct tables t = load_tables();
	struct engine_shape shape = engine_shape_of(
		model_find(&t, "llama2-7b"), gpu_find(&t, "a100"), 1, DTYPE_BF16, DTYPE_BF16);
	static const uint32_t one[] = { 7, 8 }, other[] = { 7, 9 };
	const struct kv_request both[] = {
		{ .prompt = 1026, .output = 1, .blocks = one, .n_blocks = 2 },
		{ .prompt = 1026, .output = 1, .blocks = other, .n_blocks = 2 }
	};
	struct kv_setup s = { both, 2, &shape, 8192, 513, 2048, 0, true, true, 512 };
	struct arena a = { 0 };
	cr_expect(eq(dbl, kv_simulate(&a, &s).hit_ratio, 0));
	s.block_tokens = 512;
	cr_expect(epsilon_eq(dbl, kv_simulate(&a, &s).hit_ratio, 512. / 2052, 1e-12));
	arena_release(&a);
	tables_release(&t);
}
