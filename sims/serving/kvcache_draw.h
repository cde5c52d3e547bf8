/* Pictures of the KV cache's runs: one that reserves for the longest, one that has pages. */
#ifndef RIDGE_KVCACHE_DRAW_H
#define RIDGE_KVCACHE_DRAW_H

#include "sims/figure/figure.h"
#include "sims/serving/kvcache_run.h"

/* The same memory under both, one above the other, on one clock: the figure's duration. */
void kvcache_draw_memory(
	const struct kv_run *whole, const struct kv_run *paged, struct figure *fig);
/* Who was served, and how well, side by side. */
void kvcache_draw_table(const struct kv_run *whole, const struct kv_run *paged, struct figure *fig);

#endif
