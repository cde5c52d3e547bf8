/* A step is a block of tokens for every running sequence. Before it, whoever waits is admitted as
 * long as there is room; after it, every sequence has grown by a block, and who is done leaves.
 * When a sequence needs a block and none is left, the one that joined last gives up its own.
 *
 * Paged, sequences have tables of blocks in a block_cache. Contiguous, memory is divided into
 * places for the longest sequence, and a sequence holds one of them, however short it is. */
#include "sims/serving/kvcache_run.h"

#include "sims/serving/block_cache.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A sequence in the engine. */
struct resident {
	uint32_t request;
	uint32_t tokens, end; /* cached now, and once it is done */
	uint32_t *blocks;     /* its table, where memory is paged */
	size_t n_blocks;
	size_t place; /* its reservation, where it is not */
};

struct engine_state {
	const struct kv_setup *setup;
	struct kv_run *out;
	struct arena *arena;
	struct block_cache cache;
	struct resident *running; /* in the order in which they joined */
	size_t n_running, most;
	bool *place_taken;
	uint32_t **tables;                /* of blocks, one for each element of running */
	size_t next, *waiting, n_waiting; /* waiting: those preempted, last in first out */
	uint32_t *made; /* [request]: tokens made before it was preempted, to be prefilled again */
	double held_tokens; /* by the running */
	double observed_s, running_s, used_s, taken_s, prompt_tokens, found_tokens;
	unsigned char
		*tints; /* of blocks, while a frame is taken; NULL where memory is not paged */
	size_t tick, stride;
};

static double reserved(const struct kv_setup *u)
{
	return u->reserved > 0 ? u->reserved : u->longest;
}

static double taken_tokens(const struct engine_state *e)
{
	if (!e->setup->paged)
		return (double)e->n_running * reserved(e->setup);
	size_t held = e->cache.n - e->cache.n_free - e->cache.n_idle;
	return (double)held * e->setup->block_tokens;
}

/* Tokens in the cache: those of a shared block count once. */
static double there_tokens(const struct engine_state *e)
{
	if (!e->setup->paged)
		return fmin(e->held_tokens, taken_tokens(e));
	double twice = (double)(e->cache.n_keyed_refs - e->cache.n_keyed);
	return e->held_tokens - twice * e->setup->block_tokens;
}

static size_t blocks_for(const struct engine_state *e, double tokens)
{
	return (size_t)ceil(tokens / e->setup->block_tokens);
}

/* The key of the i-th block of a request; 0 where no other prompt can have the same. The identity
 * of the trace's block that it lies in stands for everything before it as well, so that the
 * identity and i name the contents. */
static uint64_t key_of(const struct engine_state *e, const struct kv_request *r, size_t i)
{
	double end = (double)(i + 1) * e->setup->block_tokens;
	if (r->blocks) {
		size_t last = (size_t)((end - 1) / e->setup->identity_tokens);
		bool known = e->setup->sharing && end <= r->prompt && last < r->n_blocks;
		return known ? ((uint64_t)r->blocks[last] << 32 | (uint64_t)(i + 1)) : 0;
	}
	bool common = e->setup->sharing && end <= fmin(e->setup->prefix_tokens, r->prompt);
	return common ? ((uint64_t)(r->group + 1) << 32 | (uint64_t)(i + 1)) : 0;
}

static void release_blocks(struct engine_state *e, struct resident *s)
{
	for (size_t i = s->n_blocks; i-- > 0;)
		block_cache_release(&e->cache, s->blocks[i]);
	s->n_blocks = 0;
}

/* Takes blocks for the first `tokens` of a prompt; false, with nothing held, when there are not
 * enough: blocks that nobody prefilled must not be found later. Some room is left
 * for sequences that grow. */
static bool admit_paged(
	struct engine_state *e, struct resident *s, const struct kv_request *r, double tokens)
{
	size_t wanted = blocks_for(e, tokens), missing = 0;
	size_t reserve = e->n_running ? e->cache.n / 100 : 0;
	for (size_t i = 0; i < wanted; i++) {
		s->blocks[i] = block_cache_find(&e->cache, key_of(e, r, i));
		missing += s->blocks[i] == NO_BLOCK_ID;
	}
	bool fits = missing == 0 || missing + reserve <= block_cache_available(&e->cache);
	for (size_t i = wanted; !fits && i-- > 0;)
		if (s->blocks[i] != NO_BLOCK_ID)
			block_cache_release(&e->cache, s->blocks[i]);
	for (size_t i = 0; fits && i < wanted; i++)
		if (s->blocks[i] == NO_BLOCK_ID)
			s->blocks[i] = block_cache_new(&e->cache, key_of(e, r, i));
	e->found_tokens += fits ? (double)(wanted - missing) * e->setup->block_tokens : 0;
	s->n_blocks = fits ? wanted : 0;
	return fits;
}

static bool admit_contiguous(struct engine_state *e, struct resident *s)
{
	for (size_t i = 0; i < e->most; i++)
		if (!e->place_taken[i]) {
			e->place_taken[i] = true;
			s->place = i;
			return true;
		}
	return false;
}

/* Prompts that are prefilled together. */
struct prefill {
	double prompts, tokens, pairs;
};

/* Admits the next one that waits, and adds the tokens of its prompt that were not found; false when
 * nobody waits or it does not fit. */
static bool admit_one(struct engine_state *e, struct prefill *p)
{
	const struct kv_setup *u = e->setup;
	if (e->n_running == e->most || (e->n_waiting == 0 && e->next == u->n))
		return false;
	size_t id = e->n_waiting ? e->waiting[e->n_waiting - 1] : e->next;
	const struct kv_request *r = &u->requests[id];
	struct resident s = { .request = (uint32_t)id,
		.tokens = r->prompt + e->made[id],
		.end = r->prompt + r->output,
		.blocks = e->tables[e->n_running] };
	/* What does not fill a block at the end of the pool is no room for a sequence. */
	double pool = (double)e->cache.n * u->block_tokens, found = e->found_tokens;
	double limit = u->paged ? pool : u->longest;
	if ((double)s.end > limit) {
		e->out->refused++;
		e->next++;
		return admit_one(e, p);
	}
	if (u->paged ? !admit_paged(e, &s, r, s.tokens) : !admit_contiguous(e, &s))
		return false;
	if (e->n_waiting)
		e->n_waiting--;
	else
		e->next++;
	e->running[e->n_running++] = s;
	e->held_tokens += s.tokens;
	e->prompt_tokens += s.tokens;
	found = fmin(e->found_tokens - found, s.tokens);
	double new_tokens = s.tokens - found;
	p->prompts++;
	p->tokens += new_tokens;
	p->pairs += new_tokens * (found + new_tokens / 2);
	return true;
}

/* Takes a sequence out of the engine; the order of the others stays. */
static void leave(struct engine_state *e, size_t i)
{
	assert(i < e->n_running);
	struct resident gone = e->running[i];
	if (e->setup->paged)
		release_blocks(e, &gone);
	else
		e->place_taken[gone.place] = false;
	e->held_tokens -= gone.tokens;
	memmove(e->running + i, e->running + i + 1, (--e->n_running - i) * sizeof gone);
	/* Tables move with their sequences; the one that is free now goes behind them. */
	memmove(e->tables + i, e->tables + i + 1, (e->n_running - i) * sizeof *e->tables);
	e->tables[e->n_running] = gone.blocks;
}

static void preempt_last(struct engine_state *e)
{
	assert(e->n_running > 0);
	size_t last = e->n_running - 1;
	e->waiting[e->n_waiting++] = e->running[last].request;
	const struct resident *s = &e->running[last];
	e->made[s->request] = s->tokens - e->setup->requests[s->request].prompt;
	e->out->preemptions++;
	leave(e, last);
}

/* Sequence i grows by a block of tokens. False where it had to give up its place
 * for want of one. */
static bool grow(struct engine_state *e, size_t i)
{
	struct resident *s = &e->running[i];
	double to = fmin(s->tokens + e->setup->block_tokens, s->end);
	size_t wanted = e->setup->paged ? blocks_for(e, to) : 0;
	while (e->setup->paged && s->n_blocks < wanted) {
		uint32_t id = block_cache_new(&e->cache, 0);
		if (id == NO_BLOCK_ID) {
			bool self = i + 1 == e->n_running;
			preempt_last(e);
			if (self)
				return false;
			continue;
		}
		s->blocks[s->n_blocks++] = id;
	}
	e->out->tokens += to - s->tokens;
	e->held_tokens += to - s->tokens;
	s->tokens = (uint32_t)to;
	return true;
}

static void grow_all(struct engine_state *e)
{
	for (size_t i = 0; i < e->n_running; i++)
		if (!grow(e, i))
			break;
	for (size_t i = e->n_running; i-- > 0;)
		if (e->running[i].tokens >= e->running[i].end)
			leave(e, i);
}

static size_t most_of(const size_t count[], size_t n)
{
	size_t best = 0;
	for (size_t k = 1; k < n; k++)
		if (count[k] > count[best])
			best = k;
	return best;
}

/* The tint of the sequence that holds most of the used blocks, where most are used. */
static unsigned char paged_cell(const struct engine_state *e, size_t from, size_t to)
{
	size_t count[N_KV_CELLS] = { 0 }, tint[KV_TINTS] = { 0 };
	for (size_t i = from; i < to; i++) {
		const struct cache_block *b = &e->cache.blocks[i];
		count[b->refs > 1 ? KV_SHARED : b->refs ? KV_USED : b->key ? KV_IDLE : KV_FREE]++;
		tint[e->tints[i]] += b->refs == 1;
	}
	size_t best = most_of(count, N_KV_CELLS);
	return (unsigned char)(best == KV_USED ? KV_USED + most_of(tint, KV_TINTS) : best);
}

static void fill_paged(const struct engine_state *e, unsigned char cells[KV_CELLS])
{
	size_t n = e->out->n_cells;
	for (size_t k = 0; k < e->n_running; k++)
		for (size_t i = 0; i < e->running[k].n_blocks; i++)
			e->tints[e->running[k].blocks[i]] =
				(unsigned char)(e->running[k].request % KV_TINTS);
	for (size_t c = 0; c < n; c++)
		cells[c] = paged_cell(e, c * e->cache.n / n, (c + 1) * e->cache.n / n);
}

static void fill_contiguous(const struct engine_state *e, unsigned char cells[KV_CELLS])
{
	double per_cell = e->setup->pool_tokens / (double)e->out->n_cells;
	for (size_t k = 0; k < e->n_running; k++) {
		const struct resident *s = &e->running[k];
		double start = (double)s->place * reserved(e->setup);
		size_t first = (size_t)(start / per_cell);
		size_t end = (size_t)((start + reserved(e->setup)) / per_cell);
		for (size_t c = first; c < end && c < e->out->n_cells; c++) {
			double at = (double)c * per_cell - start + per_cell / 2;
			unsigned used = KV_USED + s->request % KV_TINTS;
			cells[c] = at < s->tokens || c == first ? (unsigned char)used : KV_RESERVED;
		}
	}
}

static void drop_every_second_frame(struct engine_state *e)
{
	struct kv_run *out = e->out;
	for (size_t i = 0; i < KV_FRAMES / 2; i++) {
		memcpy(out->cells[i], out->cells[2 * i], sizeof *out->cells);
		out->frame_s[i] = out->frame_s[2 * i];
	}
	out->n_frames /= 2;
	e->stride *= 2;
}

/* Keeps every stride-th step and the last; when the frames are full, every second one is dropped. */
static void take_frame(struct engine_state *e, bool last)
{
	struct kv_run *out = e->out;
	if (e->tick++ % e->stride != 0 && !last)
		return;
	if (out->n_frames == KV_FRAMES) {
		drop_every_second_frame(e);
		if ((e->tick - 1) % e->stride != 0 && !last)
			return;
	}
	unsigned char *cells = out->cells[out->n_frames];
	memset(cells, KV_FREE, sizeof *out->cells);
	if (e->setup->paged)
		fill_paged(e, cells);
	else
		fill_contiguous(e, cells);
	out->frame_s[out->n_frames++] = out->span_s;
}

static bool prepare(struct engine_state *e)
{
	const struct kv_setup *u = e->setup;
	size_t blocks = (size_t)(u->pool_tokens / u->block_tokens);
	size_t longest = 1;
	for (size_t i = 0; i < u->n; i++) {
		size_t n = blocks_for(e, (double)u->requests[i].prompt + u->requests[i].output);
		longest = n > longest ? n : longest;
	}
	longest = longest <= blocks ? longest : blocks + 1; /* longer ones are refused */
	e->most = u->paged ? blocks : (size_t)(u->pool_tokens / reserved(u));
	e->most = e->most < u->n ? e->most : u->n;
	if (u->max_running > 0 && u->max_running < e->most)
		e->most = u->max_running;
	if (e->most == 0 || blocks == 0)
		return false;
	e->out->n_cells = u->paged && blocks < KV_CELLS ? blocks : KV_CELLS;
	e->running = arena_array(e->arena, e->most, sizeof *e->running);
	e->place_taken = arena_array(e->arena, e->most, sizeof *e->place_taken);
	e->waiting = arena_array(e->arena, u->n, sizeof *e->waiting);
	e->made = arena_array(e->arena, u->n, sizeof *e->made);
	e->tables = arena_array(e->arena, e->most, sizeof *e->tables);
	e->out->cells = arena_array(e->arena, KV_FRAMES, sizeof *e->out->cells);
	e->tints = u->paged ? arena_array(e->arena, blocks, 1) : NULL;
	for (size_t i = 0; u->paged && e->tables && i < e->most; i++)
		e->tables[i] = arena_array(e->arena, longest, sizeof **e->tables);
	return block_cache_init(&e->cache, e->arena, u->paged ? blocks : 1) && !e->arena->failed;
}

static void observe(struct engine_state *e, double took_s)
{
	e->observed_s += took_s;
	e->running_s += took_s * (double)e->n_running;
	e->used_s += took_s * there_tokens(e);
	e->taken_s += took_s * taken_tokens(e);
}

struct kv_run kv_simulate(struct arena *a, const struct kv_setup *setup)
{
	assert(setup->engine && setup->block_tokens > 0);
	assert(setup->paged || setup->longest > 0);
	struct kv_run out = { 0 };
	struct engine_state e = { .setup = setup, .out = &out, .arena = a, .stride = 1 };
	if (!prepare(&e))
		return out;
	for (;;) {
		struct prefill p = { 0 };
		while (admit_one(&e, &p))
			;
		if (e.n_running == 0)
			break;
		out.most_running = e.n_running > out.most_running ? e.n_running : out.most_running;
		double decode_s =
			engine_step_s(setup->engine, (double)e.n_running, e.held_tokens, 0, 0);
		double took_s = setup->block_tokens * decode_s +
				engine_prefill_s(setup->engine, p.prompts, p.tokens, p.pairs);
		/* At the end the engine empties, which says nothing about a full one. */
		bool waits = e.n_waiting > 0 || e.next < setup->n;
		if (waits || !kv_waits(&out))
			observe(&e, took_s);
		take_frame(&e, false);
		out.span_s += took_s;
		out.waits_s = waits ? out.span_s : out.waits_s;
		grow_all(&e);
	}
	take_frame(&e, true);
	out.mean_running = !kv_waits(&out)    ? (double)out.most_running
			   : e.observed_s > 0 ? e.running_s / e.observed_s
					      : 0;
	out.used_ratio = e.taken_s > 0 ? e.used_s / e.taken_s : 0;
	out.hit_ratio = e.prompt_tokens > 0 ? fmin(1, e.found_tokens / e.prompt_tokens) : 0;
	return out;
}
