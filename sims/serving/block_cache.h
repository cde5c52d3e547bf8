/* A paged KV cache, block by block: tables of sequences, blocks that several of them share because
 * their prompts begin alike, and blocks that nobody holds any more but that may be wanted again,
 * the least recently used of them given up first (Kwon et al., vLLM, 2023; prefix caching as vLLM
 * and SGLang do it). */
#ifndef RIDGE_BLOCK_CACHE_H
#define RIDGE_BLOCK_CACHE_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_BLOCK_ID UINT32_MAX

struct cache_block {
	uint64_t key;          /* of its contents; 0: nobody else can want them */
	uint32_t refs;         /* sequences that hold it */
	uint32_t older, newer; /* among those that nobody holds; `older` links the free ones */
	uint32_t chain;        /* of the table of keys */
};

struct block_cache {
	struct cache_block *blocks;
	uint32_t *slots; /* of the table of keys: first block of a chain */
	size_t n, n_slots;
	uint32_t free, oldest, newest;
	size_t n_free, n_idle, n_shared; /* idle: nobody holds them; shared: more than one does */
	size_t n_keyed, n_keyed_refs;    /* keyed blocks that are held, and their holders in all */
	size_t evicted;
};

/* n >= 1 blocks, all free. False when memory is out. */
bool block_cache_init(struct block_cache *c, struct arena *a, size_t n);

/* Blocks that can be had: free, or idle and given up for it. */
size_t block_cache_available(const struct block_cache *c);

/* A block for new contents (key 0: private); NO_BLOCK_ID when all are held. */
uint32_t block_cache_new(struct block_cache *c, uint64_t key);

/* The block with these contents, held once more; NO_BLOCK_ID when it is not there. */
uint32_t block_cache_find(struct block_cache *c, uint64_t key);

/* Held once less. Nobody left: a keyed one stays, idle; a private one is free. */
void block_cache_release(struct block_cache *c, uint32_t id);

/* --- Which prompts begin alike --- */

/* Which prompts begin alike. A trace says of each prompt how many of its leading blocks had been
 * seen before, not whose: each is taken to go on from the latest prompt that is long enough. Blocks
 * then have identities, and equal identities mean equal tokens with equal ones before them. */
struct prompt_blocks {
	uint32_t *before; /* of a block; 0: it is the first */
	uint32_t *latest; /* [depth]: last block of that many of the latest prompt */
	uint32_t *prompt; /* identities of the present one, from 1 */
	uint32_t n_blocks;
};

/* For prompts of `longest` blocks at most, `most` in all. False when memory is out. */
bool prompt_blocks_init(struct prompt_blocks *p, struct arena *a, size_t most, size_t longest);

/* Fills p->prompt[0..n) of the next prompt, which goes on behind `seen` blocks of an earlier one:
 * fewer where no earlier prompt came so far. */
void prompt_blocks_next(struct prompt_blocks *p, size_t n, size_t seen);

#endif
