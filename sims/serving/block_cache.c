/* Every block is in one of three states: held by sequences, idle (nobody holds it, but its contents
 * have a key and may be wanted again), or free. Free blocks form a stack, idle ones a doubly linked
 * list from the least to the most recently used. A chained hash table leads from the key of some
 * contents to the block that has them, whether it is held or idle.
 *
 * A prompt looks for the key of each of its blocks: what it finds it holds as well, and an idle
 * block leaves the list for that. For what it does not find it takes a free block, or else the
 * oldest idle one, whose contents are then forgotten. Nothing here costs more than the chain of a
 * slot.
 *
 * The key of a block has to stand for its tokens and for all tokens before them, since keys and
 * values depend on those; prompt_blocks below makes such identities for a trace, and kvcache_run.c
 * turns them into keys. */
#include "sims/serving/block_cache.h"

#include <assert.h>

bool block_cache_init(struct block_cache *c, struct arena *a, size_t n)
{
	assert(n >= 1 && n < NO_BLOCK_ID);
	*c = (struct block_cache){
		.n = n, .n_free = n, .oldest = NO_BLOCK_ID, .newest = NO_BLOCK_ID
	};
	c->n_slots = 1;
	while (c->n_slots < n)
		c->n_slots *= 2;
	c->blocks = arena_array(a, n, sizeof *c->blocks);
	c->slots = arena_array(a, c->n_slots, sizeof *c->slots);
	if (!c->blocks || !c->slots)
		return false;
	for (size_t i = 0; i < n; i++)
		c->blocks[i] = (struct cache_block){ .older = i + 1 < n ? (uint32_t)(i + 1)
									: NO_BLOCK_ID };
	for (size_t i = 0; i < c->n_slots; i++)
		c->slots[i] = NO_BLOCK_ID;
	return true;
}

size_t block_cache_available(const struct block_cache *c)
{
	return c->n_free + c->n_idle;
}

static uint32_t *slot_of(struct block_cache *c, uint64_t key)
{
	uint64_t mixed = key * 0x9e3779b97f4a7c15u;
	return &c->slots[(mixed >> 32) & (c->n_slots - 1)];
}

static void forget_key(struct block_cache *c, uint32_t id)
{
	uint32_t *at = slot_of(c, c->blocks[id].key);
	while (*at != id)
		at = &c->blocks[*at].chain;
	*at = c->blocks[id].chain;
}

static void leave_idle(struct block_cache *c, uint32_t id)
{
	struct cache_block *b = &c->blocks[id];
	if (b->older == NO_BLOCK_ID)
		c->oldest = b->newer;
	else
		c->blocks[b->older].newer = b->newer;
	if (b->newer == NO_BLOCK_ID)
		c->newest = b->older;
	else
		c->blocks[b->newer].older = b->older;
	c->n_idle--;
}

static void become_idle(struct block_cache *c, uint32_t id)
{
	struct cache_block *b = &c->blocks[id];
	b->older = c->newest;
	b->newer = NO_BLOCK_ID;
	if (c->newest == NO_BLOCK_ID)
		c->oldest = id;
	else
		c->blocks[c->newest].newer = id;
	c->newest = id;
	c->n_idle++;
}

uint32_t block_cache_new(struct block_cache *c, uint64_t key)
{
	uint32_t id = c->free;
	if (c->n_free > 0) {
		c->free = c->blocks[id].older;
		c->n_free--;
	} else if (c->n_idle > 0) {
		id = c->oldest;
		leave_idle(c, id);
		forget_key(c, id);
		c->evicted++;
	} else {
		return NO_BLOCK_ID;
	}
	struct cache_block *b = &c->blocks[id];
	*b = (struct cache_block){ .key = key, .refs = 1, .chain = NO_BLOCK_ID };
	if (key) {
		uint32_t *slot = slot_of(c, key);
		b->chain = *slot;
		*slot = id;
		c->n_keyed_refs++;
		c->n_keyed++;
	}
	return id;
}

uint32_t block_cache_find(struct block_cache *c, uint64_t key)
{
	uint32_t id = key ? *slot_of(c, key) : NO_BLOCK_ID;
	while (id != NO_BLOCK_ID && c->blocks[id].key != key)
		id = c->blocks[id].chain;
	if (id == NO_BLOCK_ID)
		return id;
	struct cache_block *b = &c->blocks[id];
	if (b->refs == 0) {
		leave_idle(c, id);
		c->n_keyed++;
	}
	b->refs++;
	c->n_shared += b->refs == 2;
	c->n_keyed_refs++;
	return id;
}

void block_cache_release(struct block_cache *c, uint32_t id)
{
	assert(id < c->n && c->blocks[id].refs > 0);
	struct cache_block *b = &c->blocks[id];
	b->refs--;
	c->n_shared -= b->refs == 1 && b->key;
	c->n_keyed_refs -= b->key != 0;
	if (b->refs > 0)
		return;
	if (b->key) {
		become_idle(c, id);
		c->n_keyed--;
		return;
	}
	b->older = c->free;
	c->free = id;
	c->n_free++;
}

/* --- Which prompts begin alike --- */

bool prompt_blocks_init(struct prompt_blocks *p, struct arena *a, size_t most, size_t longest)
{
	assert(most < UINT32_MAX);
	*p = (struct prompt_blocks){
		.before = arena_array(a, most + 1, sizeof *p->before),
		.latest = arena_array(a, longest + 1, sizeof *p->latest),
		.prompt = arena_array(a, longest + 1, sizeof *p->prompt),
	};
	return p->before && p->latest && p->prompt;
}

void prompt_blocks_next(struct prompt_blocks *p, size_t n, size_t seen)
{
	size_t from = seen < n ? seen : n;

	while (from > 0 && !p->latest[from])
		from--; /* no earlier prompt was so long */
	uint32_t id = from ? p->latest[from] : 0;
	for (size_t i = from; i-- > 0; id = p->before[id])
		p->prompt[i] = id;
	for (size_t i = from; i < n; i++) {
		p->before[++p->n_blocks] = i ? p->prompt[i - 1] : 0;
		p->prompt[i] = p->n_blocks;
	}
	for (size_t i = 0; i < n; i++)
		p->latest[i + 1] = p->prompt[i];
}
