/* A paged KV cache, block by block (Kwon et al., vLLM, 2023; prefix caching as vLLM and SGLang do
 * it). Several sequences hold the same block where their prompts begin alike; blocks that nobody
 * holds any more stay, for they may be wanted again, and the least recently used of them
 * is given up first. */
#ifndef RIDGE_BLOCK_CACHE_H
#define RIDGE_BLOCK_CACHE_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_BLOCK_ID UINT32_MAX

struct cache_block {
	uint64_t key;          /* stands for its contents; 0: nobody else can want them */
	uint32_t refs;         /* sequences that hold it */
	uint32_t older, newer; /* in the list of idle blocks; `older` links the free ones too */
	uint32_t chain;        /* the next block in the same slot of the table of keys */
};

struct block_cache {
	struct cache_block *blocks;
	uint32_t *slots; /* the table of keys: the first block of each chain */
	size_t n, n_slots;
	uint32_t free, oldest, newest;
	size_t n_free, n_idle, n_shared; /* idle: nobody holds them; shared: more than one does */
	size_t n_keyed, n_keyed_refs;    /* held blocks with a key, and the sum of their holders */
	size_t evicted;
};

/* n >= 1 blocks, all free. False when memory is out. */
bool block_cache_init(struct block_cache *c, struct arena *a, size_t n);

/* Blocks that can be had: free ones, and idle ones that would be given up. */
size_t block_cache_available(const struct block_cache *c);

/* A block for new contents, held once (key 0: private ones); NO_BLOCK_ID when all are held. */
uint32_t block_cache_new(struct block_cache *c, uint64_t key);

/* The block with these contents, held once more; NO_BLOCK_ID when it is not there. */
uint32_t block_cache_find(struct block_cache *c, uint64_t key);

/* One holder less. When nobody is left, a block with a key stays, idle; a private one is free. */
void block_cache_release(struct block_cache *c, uint32_t id);

/* --- Which prompts begin alike --- */

/* A trace says how many leading blocks of each prompt had been seen before, but not in which
 * prompt: each is taken to go on from the latest one that is long enough. Blocks then have
 * identities, and equal identities mean equal tokens with equal ones before them. */
struct prompt_blocks {
	uint32_t *before; /* [block]: the one before it; 0: it is a prompt's first */
	uint32_t *latest; /* [depth]: the latest block that was so deep in a prompt; 0: none was */
	uint32_t *prompt; /* identities of the present prompt's blocks, from 1 */
	uint32_t n_blocks;
};

/* For prompts of `longest` blocks at most, with `most` blocks together. False
 * when memory is out. */
bool prompt_blocks_init(struct prompt_blocks *p, struct arena *a, size_t most, size_t longest);

/* Fills p->prompt[0..n) for the next prompt, which goes on behind `seen` blocks of an earlier one,
 * or behind fewer where no earlier prompt was so long. */
void prompt_blocks_next(struct prompt_blocks *p, size_t n, size_t seen);

#endif
