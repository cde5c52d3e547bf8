/* The KV cache under a trace: the requests of the trace, and how many blocks of their prompts a
 * cache of some size still has. */
#ifndef RIDGE_KVCACHE_TRACE_H
#define RIDGE_KVCACHE_TRACE_H

#include "sims/tables/tables.h"
#include "sims/figure/figure.h"
#include "sims/serving/kvcache_run.h"

/* The first requests of the trace, `most` at most, with the identities of their blocks where it
 * says which prompts begin alike. *n: how many; fewer where they have over a million blocks. NULL
 * when memory is out. */
const struct kv_request *trace_kv_requests(
	struct arena *a, const struct trace *t, size_t most, size_t *n);

/* The share of the prompts' blocks that are found at the front of a prompt, in a cache of so many
 * blocks that gives up the least recently used, the end of a prompt before its beginning. NAN when
 * memory is out. */
double prefix_hit_ratio(const struct kv_request requests[], size_t n, size_t cache_blocks);

/* Draws that share over the size of the cache, beside what the trace itself counted for a cache
 * without limits; nothing where the trace has no prefixes. */
void trace_draw_hits(
	struct figure *fig, const struct trace *t, double bytes_per_token, double pool_tokens);

#endif
