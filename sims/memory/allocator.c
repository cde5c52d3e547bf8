/* All blocks of a segment are chained in the order of their addresses, used and free ones alike;
 * the free ones also stand in one of two lists, for small and for large segments, sorted by size
 * and then address. A request takes the first block of its list that is large enough (best fit),
 * and a rest worth keeping becomes a free block behind it. A freed block is joined with its free
 * neighbours in the chain, so that two free blocks never stand side by side. Entries of joined
 * blocks are used again. */
#include "sims/memory/allocator.h"

#include "sims/base/array.h"

#include <assert.h>
#include <string.h>

/* The sizes are those of c10/cuda/CUDACachingAllocator.cpp. */
static const uint64_t least_block = 512;
static const uint64_t small_size = UINT64_C(1) << 20;
static const uint64_t small_segment = UINT64_C(2) << 20;
static const uint64_t large_segment = UINT64_C(20) << 20;
static const uint64_t least_own_segment = UINT64_C(10) << 20;

static uint64_t round_up(uint64_t x, uint64_t unit)
{
	return (x + unit - 1) / unit * unit;
}

uint64_t allocator_rounded(uint64_t bytes)
{
	return bytes < least_block ? least_block : round_up(bytes, least_block);
}

uint64_t allocator_segment_size(uint64_t rounded)
{
	if (rounded <= small_size)
		return small_segment;
	return rounded < least_own_segment ? large_segment : round_up(rounded, small_segment);
}

void allocator_init(struct allocator *a, struct arena *arena, uint64_t capacity)
{
	assert(a && arena);
	*a = (struct allocator){ .arena = arena, .capacity = capacity, .spare = NO_BLOCK };
}

static int32_t new_block(struct allocator *a)
{
	int32_t b = a->spare;
	if (b != NO_BLOCK) {
		a->spare = a->blocks[b].next;
		return b;
	}
	if (!ARRAY_ROOM(a->arena, a, blocks, n_blocks, cap_blocks))
		return NO_BLOCK;
	return (int32_t)a->n_blocks++;
}

static void drop_block(struct allocator *a, int32_t b)
{
	a->blocks[b] = (struct memory_block){ .next = a->spare };
	a->spare = b;
}

static struct free_list *pool_of(struct allocator *a, int32_t b)
{
	return &a->pools[a->segments[a->blocks[b].segment].small];
}

/* Where a free block of this size and address stands in the list, or would stand, by binary
 * search. */
static size_t free_position(
	const struct allocator *a, const struct free_list *pool, uint64_t size, uint64_t address)
{
	size_t lo = 0, hi = pool->n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct memory_block *b = &a->blocks[pool->blocks[mid]];
		if (b->size < size || (b->size == size && b->address < address))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void free_list_add(struct allocator *a, int32_t b)
{
	struct free_list *pool = pool_of(a, b);
	if (!ARRAY_ROOM(a->arena, pool, blocks, n, cap))
		return;
	size_t at = free_position(a, pool, a->blocks[b].size, a->blocks[b].address);
	memmove(pool->blocks + at + 1, pool->blocks + at, (pool->n - at) * sizeof *pool->blocks);
	pool->blocks[at] = b;
	pool->n++;
}

static void free_list_remove(struct allocator *a, int32_t b)
{
	struct free_list *pool = pool_of(a, b);
	size_t at = free_position(a, pool, a->blocks[b].size, a->blocks[b].address);
	if (at >= pool->n || pool->blocks[at] != b)
		return; /* never listed: the arena had failed */
	pool->n--;
	memmove(pool->blocks + at, pool->blocks + at + 1, (pool->n - at) * sizeof *pool->blocks);
}

/* A new segment as one free block that is in no list yet, or NO_BLOCK. */
static int32_t new_segment(struct allocator *a, uint64_t rounded)
{
	uint64_t size = allocator_segment_size(rounded);
	if (size > a->capacity || a->reserved > a->capacity - size)
		return NO_BLOCK;
	bool room = ARRAY_ROOM(a->arena, a, segments, n_segments, cap_segments);
	int32_t b = room ? new_block(a) : NO_BLOCK;
	if (b == NO_BLOCK)
		return NO_BLOCK;
	a->blocks[b] = (struct memory_block){ .address = a->next_address,
		.size = size,
		.previous = NO_BLOCK,
		.next = NO_BLOCK,
		.segment = (int32_t)a->n_segments };
	a->segments[a->n_segments++] =
		(struct memory_segment){ .size = size, .first = b, .small = rounded <= small_size };
	a->next_address += size;
	a->reserved += size;
	if (a->reserved > a->peak_reserved)
		a->peak_reserved = a->reserved;
	return b;
}

static int32_t cached_block(struct allocator *a, uint64_t rounded)
{
	struct free_list *pool = &a->pools[rounded <= small_size];
	size_t at = free_position(a, pool, rounded, 0);
	if (at == pool->n)
		return NO_BLOCK;
	int32_t b = pool->blocks[at];
	free_list_remove(a, b);
	return b;
}

/* Cuts off the end of a block what is not needed, and lists it as free. */
static void split(struct allocator *a, int32_t b, uint64_t rounded)
{
	uint64_t rest = a->blocks[b].size - rounded;
	bool small = rounded <= small_size;
	if (small ? rest < least_block : rest <= small_size)
		return;
	int32_t r = new_block(a);
	if (r == NO_BLOCK)
		return;
	struct memory_block *block = &a->blocks[b];
	a->blocks[r] = (struct memory_block){ .address = block->address + rounded,
		.size = rest,
		.previous = b,
		.next = block->next,
		.segment = block->segment };
	if (block->next != NO_BLOCK)
		a->blocks[block->next].previous = r;
	block->next = r;
	block->size = rounded;
	free_list_add(a, r);
}

int32_t allocator_alloc(struct allocator *a, uint64_t bytes)
{
	uint64_t rounded = allocator_rounded(bytes);
	int32_t b = cached_block(a, rounded);
	if (b == NO_BLOCK)
		b = new_segment(a, rounded);
	if (b == NO_BLOCK) {
		uint64_t before = a->reserved;
		allocator_release_cached(a);
		a->flushes += a->reserved < before;
		b = new_segment(a, rounded);
	}
	if (b == NO_BLOCK)
		return ALLOCATOR_FULL;
	split(a, b, rounded);
	a->blocks[b].used = true;
	a->allocated += a->blocks[b].size;
	if (a->allocated > a->peak_allocated)
		a->peak_allocated = a->allocated;
	return b;
}

/* Joins the block with the free one after it. */
static void merge_next(struct allocator *a, int32_t b)
{
	assert(a->blocks[b].next != NO_BLOCK);
	int32_t n = a->blocks[b].next;
	a->blocks[b].size += a->blocks[n].size;
	a->blocks[b].next = a->blocks[n].next;
	if (a->blocks[n].next != NO_BLOCK)
		a->blocks[a->blocks[n].next].previous = b;
	drop_block(a, n);
}

void allocator_free(struct allocator *a, int32_t b)
{
	assert(b >= 0 && (size_t)b < a->n_blocks && a->blocks[b].used);
	a->allocated -= a->blocks[b].size;
	a->blocks[b].used = false;
	int32_t next = a->blocks[b].next, previous = a->blocks[b].previous;
	if (next != NO_BLOCK && !a->blocks[next].used) {
		free_list_remove(a, next);
		merge_next(a, b);
	}
	if (previous != NO_BLOCK && !a->blocks[previous].used) {
		free_list_remove(a, previous);
		merge_next(a, previous);
		b = previous;
	}
	free_list_add(a, b);
}

void allocator_release_cached(struct allocator *a)
{
	for (size_t i = 0; i < a->n_segments; i++) {
		struct memory_segment *s = &a->segments[i];
		if (!s->size || a->blocks[s->first].used || a->blocks[s->first].next != NO_BLOCK)
			continue;
		free_list_remove(a, s->first);
		drop_block(a, s->first);
		a->reserved -= s->size;
		*s = (struct memory_segment){ .first = NO_BLOCK };
	}
}

uint64_t allocator_largest_free(const struct allocator *a)
{
	uint64_t largest = 0;
	for (int i = 0; i < 2; i++) {
		const struct free_list *pool = &a->pools[i];
		if (pool->n && a->blocks[pool->blocks[pool->n - 1]].size > largest)
			largest = a->blocks[pool->blocks[pool->n - 1]].size;
	}
	return largest;
}
