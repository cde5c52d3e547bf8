/* The block cache's bookkeeping, the engine that fills it, and the published sizes. */
#include "sims/gpu/engine_shape.h"
#include "sims/registry/registry.h"
#include "sims/serving/block_cache.h"
#include "sims/formulas/inference.h"
#include "sims/formulas/serving.h"
#include "sims/serving/kvcache_run.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

/* A plain count beside the cache's own: who holds what. */
static void audit(const struct block_cache *c, const uint32_t held[], size_t n_held)
{
	size_t keyed = 0, refs = 0, used = 0, idle = 0;
	uint32_t *count = calloc(c->n, sizeof *count);
	cr_assert(count != NULL);
	for (size_t i = 0; i < n_held; i++)
		count[held[i]]++;
	for (size_t i = 0; i < c->n; i++) {
		const struct cache_block *b = &c->blocks[i];
		cr_assert(eq(u32, b->refs, count[i]));
		used += count[i] > 0;
		keyed += count[i] > 0 && b->key;
		refs += b->key ? count[i] : 0;
		idle += count[i] == 0 && b->key;
	}
	cr_assert(eq(sz, c->n_free + c->n_idle + used, c->n));
	cr_assert(eq(sz, c->n_keyed, keyed));
	cr_assert(eq(sz, c->n_keyed_refs, refs));
	cr_assert(le(sz, c->n_idle, idle)); /* free ones may remember a key */
	free(count);
}

Test(kvcache, blocks_are_never_lost)
{
	enum { BLOCKS = 50, MOST = 400, STEPS = 20000 };
	struct arena a = { 0 };
	struct block_cache c;
	struct rng r = rng_stream(3, "blocks", 0);
	uint32_t held[MOST];
	size_t n = 0, full = 0, found = 0;
	cr_assert(block_cache_init(&c, &a, BLOCKS));
	for (int i = 0; i < STEPS; i++) {
		uint64_t key = rng_below(&r, 2) ? 1 + rng_below(&r, 60) : 0;
		if (rng_below(&r, 100) < 52 && n < MOST) {
			uint32_t id = block_cache_find(&c, key);
			found += id != NO_BLOCK_ID;
			if (id == NO_BLOCK_ID)
				id = block_cache_new(&c, key);
			if (id == NO_BLOCK_ID) {
				cr_assert(zero(sz, block_cache_available(&c)));
				full++;
			} else {
				held[n++] = id;
			}
		} else if (n > 0) {
			size_t k = (size_t)rng_below(&r, n);
			block_cache_release(&c, held[k]);
			held[k] = held[--n];
		}
		if (i % 50 == 0)
			audit(&c, held, n);
	}
	cr_expect(lt(sz, 0, full));
	cr_expect(lt(sz, 0, found));
	cr_expect(lt(sz, 0, c.evicted));
	arena_release(&a);
}

/* Three blocks: the one that has been idle for longest goes first. */
Test(kvcache, the_least_recently_used_goes)
{
	struct arena a = { 0 };
	struct block_cache c;
	cr_assert(block_cache_init(&c, &a, 3));
	uint32_t id[3];
	for (size_t i = 0; i < 3; i++)
		id[i] = block_cache_new(&c, i + 1);
	block_cache_release(&c, id[1]);
	block_cache_release(&c, id[0]);
	block_cache_release(&c, id[2]);
	cr_expect(eq(u32, block_cache_find(&c, 2), id[1])); /* wanted again: no longer the oldest */
	block_cache_release(&c, id[1]);
	cr_expect(eq(u32, block_cache_new(&c, 9), id[0]));
	cr_expect(eq(u32, block_cache_find(&c, 1), NO_BLOCK_ID));
	cr_expect(eq(u32, block_cache_find(&c, 3), id[2]));
	arena_release(&a);
}

static struct kv_run run_with(struct arena *a, bool paged, bool sharing, double prefix)
{
	static struct kv_request requests[64];
	struct tables t = load_tables();
	struct engine_shape shape = engine_shape_of(
		model_find(&t, "llama2-7b"), gpu_find(&t, "a100"), 1, DTYPE_BF16, DTYPE_BF16);
	for (size_t i = 0; i < 64; i++)
		requests[i] = (struct kv_request){ (uint32_t)prefix + 64, 64, 0 };
	struct kv_setup s = { requests, 64, &shape, 16384, 16, 1024, prefix, paged, sharing };
	struct kv_run r = kv_simulate(a, &s);
	tables_release(&t);
	return r;
}

/* 16,384 tokens of cache. Reserved: 16 sequences of 1,024 fit, of which 128 are used at the end and
 * 64 at the start: 96 in the mean (they run in step), 90.6 % empty. Paged: 64 x 128 = 8,192: all
 * fit. */
Test(kvcache, who_fits_by_hand)
{
	struct arena a = { 0 };
	struct kv_run whole = run_with(&a, false, false, 0), paged = run_with(&a, true, false, 0);
	cr_expect(eq(sz, whole.most_running, 16));
	cr_expect(eq(sz, paged.most_running, 64));
	cr_expect(eq(dbl, whole.tokens, 64 * 64));
	cr_expect(eq(dbl, paged.tokens, 64 * 64));
	cr_expect(epsilon_eq(dbl, whole.used_ratio, 96.0 / 1024, 10.0 / 1024));
	cr_expect(epsilon_eq(dbl, paged.used_ratio, 1, 1e-9), "lengths are whole blocks");
	cr_expect(lt(dbl, paged.span_s, whole.span_s));
	arena_release(&a);
}

/* Prompts that are admitted together are prefilled together, and none attends to another's tokens:
 * two of 1,024 are 2 x 1,024^2 / 2 pairs, not 2,048^2 / 2. Then a block of decoding. */
Test(kvcache, prompts_do_not_see_each_other)
{
	struct tables t = load_tables();
	struct arena a = { 0 };
	struct engine_shape e = engine_shape_of(
		model_find(&t, "llama2-7b"), gpu_find(&t, "a100"), 1, DTYPE_BF16, DTYPE_BF16);
	struct kv_request two[] = { { 1024, 1, 0, NULL, 0 }, { 1024, 1, 0, NULL, 0 } };
	struct kv_setup s = { two, 2, &e, 16384, 16, 2048, 0, true, false };
	struct kv_run r = kv_simulate(&a, &s);
	double too_many = 2048. * 2048 / 2 - 1024. * 1024;
	double want_s = engine_step_s(&e, 0, 0, 2048, 0) -
			too_many * e.attention[0].prefill_s_per_pair +
			16 * engine_step_s(&e, 2, 2048, 0, 0);
	cr_expect(epsilon_eq(dbl, r.span_s, want_s, 1e-3 * want_s));
	arena_release(&a);
	tables_release(&t);
}

/* A prefix of 256 tokens is 16 blocks: found by 63 of 64 requests, 256 of their 320 prompt
 * tokens. */
Test(kvcache, a_common_prompt_is_held_once)
{
	struct arena a = { 0 };
	struct kv_run alone = run_with(&a, true, false, 256),
		      shared = run_with(&a, true, true, 256);
	cr_expect(zero(dbl, alone.hit_ratio));
	cr_expect(epsilon_eq(dbl, shared.hit_ratio, 63.0 * 256 / (64 * 320), 1e-9));
	cr_expect(lt(sz, alone.most_running, shared.most_running));
	arena_release(&a);
}

/* F8.1: 524,288 B a token for 7B with MHA, 4.295 GB at 8,192; F9.2: 93.9 % and 2.3 % at 500. */
Test(kvcache, check_values)
{
	cr_expect(eq(dbl,
		CALL(kv_bytes_per_token, .layers = 32, .kv_heads = 32, .head_dim = 128,
			.bytes_per_value = 2),
		524288));
	cr_expect(epsilon_eq(
		dbl, CALL(contiguous_waste, .tokens = 500, .max_tokens = 8192), 0.939, 5e-4));
}

extern const struct sim kvcache_sim;

/* Only the bar of the setting is in its type: the others compare heads at two bytes a value. */
Test(kvcache, bars_name_the_type_they_are_in)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	struct tables t = load_tables();
	struct figure fig = sim_run(&kvcache_sim, &t, "kv_dtype=fp8");
	const struct bars *b = &figure_block(&fig, BLOCK_BARS, NULL)->as.bars;
	cr_assert(eq(sz, b->n_bars, 4));
	cr_expect(eq(str, (char *)b->bars[0].label, "MHA, BF16"));
	cr_expect(eq(str, (char *)b->bars[3].label, "as set, FP8"));
	cr_expect(epsilon_eq(dbl, b->bars[3].parts[0], b->bars[0].parts[0] / 2, 1e-9));
	figure_release(&fig);
	tables_release(&t);
}

/* Llama-2-7B has a KV head for each query head: in BF16 the setting is the first bar, and there is no
 * other one that says the same. */
Test(kvcache, no_bar_is_there_twice)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	struct tables t = load_tables();
	struct figure fig = sim_run(&kvcache_sim, &t, "");
	const struct bars *b = &figure_block(&fig, BLOCK_BARS, NULL)->as.bars;
	cr_assert(eq(sz, b->n_bars, 3));
	cr_expect(eq(str, (char *)b->bars[0].label, "MHA, BF16, as set"));
	cr_expect(eq(str, (char *)b->bars[1].label, "GQA-8, BF16"));
	figure_release(&fig);
	tables_release(&t);
}

/* Two of 32 layers x 32 KV heads x 128 x 2 B are 524,288 B a token. 6,738,415,616 parameters of 2 B
 * leave 72 - 13.476831 GB of an A100 used at nine tenths. All requests alike, 500 tokens and one
 * that comes out: a reservation of 1,024 holds 500, pages of 16 hold 500 in 32 blocks. */
static const struct sim_row shown[] = {
	{ "", "kv_bytes_per_token", 512, 0 },
	{ "attention=gqa8", "kv_bytes_per_token", 128, 0 },
	{ "attention=mqa kv_dtype=fp8", "kv_bytes_per_token", 8, 0 },
	{ "kv_dtype=int4", "kv_bytes_per_token", 128, 0 },
	{ "", "kv_GB", 4.294967296, 0 },
	{ "batch=4 context=4096", "kv_GB", 8.589934592, 0 },
	{ "", "pool_GB", 72 - 13.476831232, 0 },
	{ "gpus=2", "pool_GB", 144 - 13.476831232, 0 },
	{ "memory_pct=50", "pool_GB", 40 - 13.476831232, 0 },
	{ "weights=fp8", "pool_GB", 72 - 6.738415616, 0 },
	/* One KV head on each of 16 GPUs; eight heads of 80 layers twice over on 16, once on 8. */
	{ "attention=mqa gpus=16", "kv_GB", 16 * 0.134217728, 0 },
	{ "model=llama3-70b gpus=8", "kv_GB", 2.68435456, 0 },
	{ "model=llama3-70b gpus=16", "kv_GB", 2 * 2.68435456, 0 },
	{ "model=bert-large", "kv_GB", 0, 0 },
	/* gpt-oss-20b: 13.76 GB of weights leave 58.24 GB; 131,072 tokens are 12 x (131,072 + 128) x
	 * 2,048 B, 3.2244 GB, of which 18 have a place. */
	{ "model=gpt-oss-20b context=131072", "contiguous_users", 18, 0.01 },
	{ "model=bert-large", "kv_bytes_per_token", 0, 0 },
	{ "", "contiguous_users", 13, 0 }, /* 111,624 tokens / 8,192 = 13.6 */
	{ "length_cv=0 context=1024 prompt_tokens=500 output_tokens=1", "contiguous_users", 109,
		0 },
	{ "length_cv=0 context=1024 prompt_tokens=500 output_tokens=1", "contiguous_waste_pct",
		100 * (1 - 500. / 1024), 0 },
	{ "length_cv=0 context=1024 prompt_tokens=500 output_tokens=1", "paged_waste_pct",
		100 * (1 - 500. / 512), 0 },
	/* Room for more, and a limit. */
	{ "length_cv=0 context=1024 prompt_tokens=500 output_tokens=1 max_batch=7",
		"contiguous_users", 7, 0 },
	{ "length_cv=0 context=1024 prompt_tokens=500 output_tokens=1 max_batch=7", "paged_users",
		7, 0 },
	/* Fifty ask about one document: the first brings its 65,536 tokens, the others find them. */
	{ "model=llama3-8b gpu=h200 context=131072 length_cv=0 prompt_tokens=16 output_tokens=16 "
	  "prefix_tokens=65536 groups=1 requests=50",
		"hit_pct", 100 * 49 * 65536. / (50 * 65552.), 1e-9 },
	{ "model=llama2-70b", "requests_per_s", 0, 0 },
};

/* All fit at once: their prompts together, then two blocks of 16 steps, and they are done. A limit of
 * half of them takes that twice. */
Test(kvcache, requests_by_the_time_that_they_take)
{
	static const char all[] =
		"length_cv=0 prompt_tokens=1024 output_tokens=32 requests=64 context=2048 gpu=h200";
	enum { N = 64, PROMPT = 1024, BLOCK = 16 };
	struct tables t = load_tables();
	struct engine_shape e = engine_shape_of(
		model_find(&t, "llama2-7b"), gpu_find(&t, "h200"), 1, DTYPE_BF16, DTYPE_BF16);
	double want_s[2]; /* of all, and of half of them */
	for (int i = 0; i < 2; i++) {
		double n = i ? N / 2 : N;
		want_s[i] = engine_prefill_s(&e, n, n * PROMPT, n * PROMPT * PROMPT / 2) +
			    BLOCK * engine_step_s(&e, n, n * PROMPT, 0, 0) +
			    BLOCK * engine_step_s(&e, n, n * (PROMPT + BLOCK), 0, 0);
	}
	struct figure whole = sim_run(sim_find("kvcache"), &t, all);
	cr_expect(epsilon_eq(dbl, figure_find(&whole, "requests_per_s")->value, N / want_s[0],
		1e-9 * N / want_s[0]));
	figure_release(&whole);
	char limited[sizeof all + 20];
	snprintf(limited, sizeof limited, "%s max_batch=32", all);
	struct figure half = sim_run(sim_find("kvcache"), &t, limited);
	cr_expect(epsilon_eq(dbl, figure_find(&half, "requests_per_s")->value, N / (2 * want_s[1]),
		1e-9 * N / want_s[1]));
	figure_release(&half);
	tables_release(&t);
}

Test(kvcache, shown_values_by_hand)
{
	struct tables t = load_tables();
	expect_rows(sim_find("kvcache"), &t, shown, sizeof shown / sizeof *shown);
	tables_release(&t);
}

/* A bidirectional encoder has nothing to keep. */
Test(kvcache, an_encoder_has_none)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("kvcache"), &t, "model=bert-large");
	cr_expect(strstr(fig.why, "there is no KV cache") != NULL, "%s", fig.why);
	figure_release(&fig);
	tables_release(&t);
}

/* A pool of 40 tokens has two whole pages of 16. A sequence that ends with 33 tokens would need a third
 * one: it is refused, where it would otherwise wait for itself for ever. One of 32 runs. */
Test(kvcache, a_pool_has_whole_pages)
{
	struct tables t = load_tables();
	struct engine_shape shape = engine_shape_of(
		model_find(&t, "llama2-7b"), gpu_find(&t, "a100"), 1, DTYPE_BF16, DTYPE_BF16);
	const struct kv_request one[] = { { .prompt = 20, .output = 13 } },
				two[] = { { .prompt = 20, .output = 12 } };
	struct kv_setup s = { one, 1, &shape, 40, 16, 64, 0, true, false, 0 };
	struct arena a = { 0 };
	cr_expect(eq(sz, kv_simulate(&a, &s).refused, 1));
	s.requests = two;
	struct kv_run r = kv_simulate(&a, &s);
	cr_expect(eq(sz, r.refused, 0));
	cr_expect(eq(dbl, r.tokens, 12));
	tables_release(&t);
	arena_release(&a);
}

/* Three sequences of 64 prompt tokens have four pages of 16 each, in a pool of thirteen: the picture
 * tells them apart, and one page is free. */
Test(kvcache, pages_show_whose_they_are)
{
	struct tables t = load_tables();
	struct engine_shape shape = engine_shape_of(
		model_find(&t, "llama2-7b"), gpu_find(&t, "a100"), 1, DTYPE_BF16, DTYPE_BF16);
	const struct kv_request three[] = { { .prompt = 64, .output = 1 },
		{ .prompt = 64, .output = 1 }, { .prompt = 64, .output = 1 } };
	struct kv_setup s = { three, 3, &shape, 13 * 16, 16, 128, 0, true, false, 0 };
	struct arena a = { 0 };
	struct kv_run r = kv_simulate(&a, &s);
	size_t pages[N_KV_CELLS] = { 0 };
	cr_assert(eq(sz, r.n_cells, 13));
	for (size_t i = 0; i < r.n_cells; i++)
		pages[r.cells[0][i]]++;
	for (size_t i = 0; i < KV_TINTS; i++)
		cr_expect(eq(sz, pages[KV_USED + i], 4));
	cr_expect(eq(sz, pages[KV_FREE], 1));
	tables_release(&t);
	arena_release(&a);
}

/* A pool of 990 tokens is 495 cells of two. 64 are kept for a prompt of 21, 32 cells: its tokens are most
 * of the first ten, and the eleventh is half full, which is not most of it. */
Test(kvcache, cells_kept_for_one_request)
{
	struct tables t = load_tables();
	struct engine_shape shape = engine_shape_of(
		model_find(&t, "llama2-7b"), gpu_find(&t, "a100"), 1, DTYPE_BF16, DTYPE_BF16);
	const struct kv_request one[] = { { .prompt = 21, .output = 1 } };
	struct kv_setup s = { one, 1, &shape, 990, 16, 64, 0, false, false, 0 };
	struct arena a = { 0 };
	struct kv_run r = kv_simulate(&a, &s);
	size_t cells[N_KV_CELLS] = { 0 };
	cr_assert(eq(sz, r.n_cells, 495));
	for (size_t i = 0; i < r.n_cells; i++)
		cells[r.cells[0][i]]++;
	cr_expect(eq(sz, cells[KV_USED], 10));
	cr_expect(eq(sz, cells[KV_RESERVED], 22));
	cr_expect(eq(sz, cells[KV_FREE], 463));
	tables_release(&t);
	arena_release(&a);
}

/* 68.98e9 parameters of 2 B are 138 GB, and 90 % of 80 GB are 72. Two cards give 144; at 1 B they are
 * 69, and 8,192 tokens of 2 x 80 layers x 8 heads x 128 x 2 B are 2.7. */
Test(kvcache, says_what_a_model_too_large_needs)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("kvcache"), &t, "model=llama2-70b");
	cr_expect(eq(str, (char *)fig.why,
		"138 GB of weights do not fit 72 GB, 90 % of 1 card: take 2 cards or 8 bits a "
		"weight."));
	cr_expect(figure_find(&fig, "paged_users")->role == ROLE_BAD);
	cr_assert(fig.blocks[0]->kind == BLOCK_BARS);
	const struct bars *b = &fig.blocks[0]->as.bars;
	cr_expect(epsilon_eq(dbl, b->limit, 72, 1e-9));
	cr_assert(eq(sz, b->n_bars, 3));
	cr_expect(lt(dbl, b->limit, b->bars[0].parts[0]));
	for (size_t i = 1; i < b->n_bars; i++)
		cr_expect(lt(dbl, b->bars[i].parts[0], b->limit));
	figure_release(&fig);
	tables_release(&t);
}

/* 350 and 16,000 tokens, all of one length: none of 400 goes into 8,192, and all do into 16,384. */
Test(kvcache, says_how_many_requests_are_cut)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("kvcache"), &t, "output_tokens=16000 length_cv=0");
	cr_expect(figure_has_note(&fig, "400 of 400 requests would be longer than 8,192 tokens"));
	figure_release(&fig);
	fig = sim_run(sim_find("kvcache"), &t, "output_tokens=16000 length_cv=0 context=16384");
	cr_expect(not(figure_has_note(&fig, "would be longer")));
	figure_release(&fig);
	tables_release(&t);
}

/* A cache of a quarter holds no fewer: of 400 requests all are there at once, which is said, and of 2,000 far more
 * than with all heads kept. */
Test(kvcache, says_when_requests_are_the_limit)
{
	struct tables t = load_tables();
	struct figure few = sim_run(&kvcache_sim, &t, "attention=gqa8 requests=400"),
		      many = sim_run(&kvcache_sim, &t, "attention=gqa8 requests=2000"),
		      all = sim_run(&kvcache_sim, &t, "requests=2000");
	cr_expect(eq(dbl, figure_number(&few, "paged_users"), 400));
	cr_expect(strstr(few.why, "hold all 400 requests at once") != NULL, "%s", few.why);
	cr_expect(strstr(many.why, "hold all") == NULL, "%s", many.why);
	cr_expect(lt(
		dbl, 3 * figure_number(&all, "paged_users"), figure_number(&many, "paged_users")));
	figure_release(&few);
	figure_release(&many);
	figure_release(&all);
	tables_release(&t);
}

/* What lets in no more than pages hold is in the sentence: their gain ends there. */
Test(kvcache, says_when_max_batch_is_the_limit)
{
	static const struct {
		const char *settings, *says;
	} rows[] = {
		{ "max_batch=4", "lets in 4 at once, and there is room for them either way" },
		{ "max_batch=16", "hold the 16 sequences that max batch lets in, reservations 13" },
		{ "max_batch=64", "hold the 64 sequences that max batch lets in, reservations 13" },
		{ "max_batch=1024", "Pages hold 18 times the sequences" },
		/* As many as there are: nobody waits to be let in. */
		{ "attention=gqa8 max_batch=400", "Pages hold all 400 requests at once" },
	};
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = sim_run(&kvcache_sim, &t, rows[i].settings);
		cr_expect(
			strstr(fig.why, rows[i].says) != NULL, "%s: %s", rows[i].settings, fig.why);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* The run goes on until the last is done, and its pictures with it: none is in the cache at the end. The
 * picture that stands still is of a time when both are in use. */
Test(kvcache, pictures_go_on_until_all_are_served)
{
	static const char *const settings[] = { "", "attention=gqa8", "context=32768",
		"max_batch=16" };
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		struct figure fig = sim_run(&kvcache_sim, &t, settings[i]);
		const struct grid *g = &fig.blocks[0]->as.grid;
		const size_t half = g->rows / 2 * g->cols, all = 2 * half, last = g->n_frames - 1;
		double paged_s = 400 / figure_number(&fig, "requests_per_s");
		size_t still = 0, busy[2] = { 0 };
		while (still < last && g->frame_times[still + 1] <= g->still_s)
			still++;
		for (size_t k = 0; k < all; k++)
			busy[k / half] += g->cells[still * all + k] != 0;
		cr_expect(lt(sz, half / 2, busy[0]), "%s", settings[i]);
		cr_expect(lt(sz, half / 20, busy[1]), "%s", settings[i]);
		for (size_t f = 0; f <= last; f++) {
			size_t held = 0;
			for (size_t k = half; k < all; k++)
				held += g->cells[f * all + k] != 0;
			if (g->frame_times[f] > paged_s)
				cr_expect(eq(sz, held, 0), "%s, frame %zu", settings[i], f);
		}
		figure_release(&fig);
	}
	tables_release(&t);
}
