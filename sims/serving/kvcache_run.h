/* An engine with a KV cache, where always more requests wait than fit: who fits, and what the cache
 * holds, when memory is reserved in one piece for the longest possible sequence, and when it is
 * paged. Time advances by a block of tokens. */
#ifndef RIDGE_KVCACHE_RUN_H
#define RIDGE_KVCACHE_RUN_H

#include "sims/base/arena.h"
#include "sims/gpu/engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kv_request {
	uint32_t prompt, output; /* tokens, >= 1 */
	uint32_t group;          /* prompts of a group begin with the same tokens */
	const uint32_t *blocks;  /* identities of the prompt's blocks (block_cache.h); or NULL */
	size_t n_blocks;
};

struct kv_setup {
	const struct kv_request *requests;
	size_t n;
	const struct engine_shape *engine;
	double pool_tokens;   /* the size of the cache */
	double block_tokens;  /* by which it is paged and by which time advances */
	double longest;       /* tokens reserved for each request where it is not paged */
	double prefix_tokens; /* that the prompts of a group share */
	bool paged, sharing;
	double identity_tokens; /* tokens for which an element of `blocks` stands */
	double reserved;    /* what a reservation takes of the pool's tokens, where the tokens of a
			  * long request are smaller than those; 0: `longest` */
	size_t max_running; /* sequences at once; 0: as many as there is room for */
};

/* What most of a cell of the picture is. What sequences use goes by whose it is: request i has
 * KV_USED + i mod KV_TINTS, so that one is told from the next. */
enum { KV_TINTS = 3 };
enum kv_cell { KV_FREE, KV_USED, KV_SHARED = KV_USED + KV_TINTS, KV_IDLE, KV_RESERVED, N_KV_CELLS };
enum { KV_CELLS = 495, KV_FRAMES = 48 };

struct kv_run {
	double span_s, tokens; /* output tokens made */
	double mean_running;   /* sequences, over the time in which others wait; of a run in which
				       * nobody has to, the most that there were */
	double waits_s;        /* until when somebody did; 0: nobody */
	size_t most_running, refused; /* refused: longer than the cache */
	size_t preemptions;
	double used_ratio; /* tokens in the cache over tokens taken, over time */
	double hit_ratio;  /* prompt tokens found in the cache */
	size_t n_cells, n_frames;
	double frame_s[KV_FRAMES];
	unsigned char (*cells)[KV_CELLS]; /* per frame */
};

/* In the arena; span_s is 0 when nothing fits or memory ran out (a->failed). */
struct kv_run kv_simulate(struct arena *a, const struct kv_setup *setup);

/* Whether somebody had to wait: there was no room for all. */
static inline bool kv_waits(const struct kv_run *r)
{
	return r->waits_s > 0;
}

#endif
