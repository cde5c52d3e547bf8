/* The KV cache's bookkeeping: blocks, or contiguous reservations (F9.2). */
#include "sims/serving/serving_engine.h"

int64_t kv_units(const struct serving_cache *c, int64_t tokens, int64_t whole_length)
{
	if (c->paged)
		return (tokens + c->unit_tokens - 1) / c->unit_tokens;
	return whole_length > c->reserve ? whole_length : c->reserve;
}

int64_t kv_growth(const struct serving_cache *c, int64_t tick, int64_t ticks)
{
	int64_t due = 0, rest = ticks % c->unit_tokens;
	if (!c->paged)
		return 0;
	for (int64_t i = 1; i <= rest; i++)
		due += c->due[(tick + i) % c->unit_tokens];
	if (ticks >= c->unit_tokens) {
		int64_t all = 0;
		for (int64_t i = 0; i < c->unit_tokens; i++)
			all += c->due[i];
		due += ticks / c->unit_tokens * all;
	}
	return due;
}

int64_t kv_safe_ticks(const struct serving_cache *c, size_t n)
{
	if (!c->paged || n == 0)
		return INT64_MAX;
	return c->free / (int64_t)n * c->unit_tokens;
}

/* With L tokens at `tick`, the first tick after it that needs a block is the one that appends token
 * number L + 1 + i for the least i with L + i a multiple of the block. */
static uint32_t *slot_of(const struct serving_cache *c, int64_t tick, int64_t tokens)
{
	int64_t i = (c->unit_tokens - tokens % c->unit_tokens) % c->unit_tokens;
	return &c->due[(tick + 1 + i) % c->unit_tokens];
}

void kv_join(struct serving_cache *c, int64_t tick, int64_t tokens)
{
	if (c->paged)
		++*slot_of(c, tick, tokens);
}

void kv_leave(struct serving_cache *c, int64_t tick, int64_t tokens)
{
	if (c->paged)
		--*slot_of(c, tick, tokens);
}

double kv_reserved_tokens(const struct serving_cache *c)
{
	return (double)((c->total - c->free) * c->unit_tokens);
}
