/* A trace says how much of a prompt was seen before, and prompt_blocks makes identities of blocks
 * out of that. The hit ratio is then simply found: prompts go one after the other through the real
 * cache of sims/serving/block_cache.h, and what it still has is counted. */
#include "sims/serving/kvcache_trace.h"

#include "sims/serving/block_cache.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { MOST_BLOCKS = 1 << 20, MOST_PROMPTS = 2000 };

/* Counts the blocks of the first *n requests and of the longest prompt; lowers *n where there would
 * be too many. */
static size_t count_blocks(const struct trace *t, size_t *n, size_t *longest)
{
	size_t blocks = 0, i = 0;
	for (*longest = 1; i < *n && blocks + t->prefixes[i].blocks <= MOST_BLOCKS; i++) {
		blocks += t->prefixes[i].blocks;
		*longest = t->prefixes[i].blocks > *longest ? t->prefixes[i].blocks : *longest;
	}
	*n = i;
	return blocks;
}

static bool identify(struct arena *a, const struct trace *t, struct kv_request r[], size_t *n)
{
	assert(t->prefixes);
	struct prompt_blocks p;
	size_t longest, blocks = count_blocks(t, n, &longest);
	uint32_t *at = arena_array(a, blocks + 1, sizeof *at);

	if (!at || !prompt_blocks_init(&p, a, blocks, longest))
		return false;
	for (size_t i = 0; i < *n; i++) {
		r[i].n_blocks = t->prefixes[i].blocks;
		prompt_blocks_next(&p, r[i].n_blocks, t->prefixes[i].seen);
		memcpy(at, p.prompt, r[i].n_blocks * sizeof *at);
		r[i].blocks = at;
		at += r[i].n_blocks;
	}
	return true;
}

const struct kv_request *trace_kv_requests(
	struct arena *a, const struct trace *t, size_t most, size_t *n)
{
	assert(t && most > 0);
	struct kv_request *r = arena_array(a, most, sizeof *r);

	*n = most < t->n ? most : t->n;
	for (size_t i = 0; r && i < *n; i++)
		r[i] = (struct kv_request){ .prompt = (uint32_t)t->requests[i].prompt_tokens,
			.output = (uint32_t)fmax(1, t->requests[i].output_tokens) };
	return r && (!t->prefixes || identify(a, t, r, n)) ? r : NULL;
}

/* How many leading blocks are found; afterwards all that there is room for are in the cache. */
static size_t serve(struct block_cache *c, uint32_t held[], const struct kv_request *r)
{
	size_t hits = 0, n = 0;

	for (; n < r->n_blocks; n++) {
		held[n] = block_cache_find(c, r->blocks[n]);
		if (held[n] != NO_BLOCK_ID)
			hits += hits == n;
		else if ((held[n] = block_cache_new(c, r->blocks[n])) == NO_BLOCK_ID)
			break;
	}
	while (n > 0)
		block_cache_release(c, held[--n]);
	return hits;
}

double prefix_hit_ratio(const struct kv_request requests[], size_t n, size_t cache_blocks)
{
	struct arena a = { 0 };
	struct block_cache c;
	size_t hits = 0, blocks = 0, longest = 1;
	double ratio = NAN;

	for (size_t i = 0; i < n; i++) {
		blocks += requests[i].n_blocks;
		longest = requests[i].n_blocks > longest ? requests[i].n_blocks : longest;
	}
	uint32_t *held = arena_array(&a, longest, sizeof *held);
	if (held && block_cache_init(&c, &a, cache_blocks < blocks ? cache_blocks : blocks)) {
		for (size_t i = 0; i < n; i++)
			hits += serve(&c, held, &requests[i]);
		ratio = (double)hits / (double)blocks;
	}
	arena_release(&a);
	return ratio;
}

static void add_hit_values(struct figure *fig, double pool, double seen, double pool_bytes)
{
	value_note(figure_value(fig, "pool_hit_pct", "blocks found", 100 * pool, "%", ROLE_PLAIN),
		figure_text(fig, "cache of %s", figure_quantity(fig, pool_bytes, "B")));
	value_note(figure_value(
			   fig, "unlimited_hit_pct", "without limit", 100 * seen, "%", ROLE_PLAIN),
		"as the trace counted");
}

void trace_draw_hits(
	struct figure *fig, const struct trace *t, double bytes_per_token, double pool_tokens)
{
	enum { FEWEST = 64, FACTOR = 4, SIZES = 10 };
	size_t n, blocks = 0, seen = 0;
	double block_GB = bytes_per_token * TRACE_BLOCK_TOKENS / 1e9;
	const struct kv_request *r =
		t->prefixes ? trace_kv_requests(&fig->arena, t, MOST_PROMPTS, &n) : NULL;
	for (size_t i = 0; r && i < n; i++) {
		blocks += t->prefixes[i].blocks;
		seen += t->prefixes[i].seen;
	}
	if (blocks == 0)
		return;
	struct plot *p = figure_plot(fig, "Prompt blocks found, over the size of the cache",
		"Cache", "GB", AXIS_LOG10, "Found", "%", AXIS_LINEAR);
	struct series *found = plot_series(fig, p, "least recently used goes", SERIES_LINE, 0);
	size_t size = FEWEST;
	for (int i = 0; i < SIZES; i++, size *= FACTOR) {
		series_point(
			fig, found, (double)size * block_GB, 100 * prefix_hit_ratio(r, n, size));
		if (size >= blocks)
			break;
	}
	double count = (double)seen / (double)blocks,
	       pool = floor(pool_tokens / TRACE_BLOCK_TOKENS);
	if (p)
		p->y.min = 0;
	plot_rule(fig, p, true, 100 * count, "without limit, as counted", ROLE_DIM);
	if (pool < 1)
		return;
	plot_rule(fig, p, false, pool * block_GB, "this pool", ROLE_ACCENT);
	add_hit_values(
		fig, prefix_hit_ratio(r, n, (size_t)pool), count, pool_tokens * bytes_per_token);
}
