/* The caching allocator: sequences worked by hand from PyTorch's constants, and what must hold
 * whatever is asked of it. */
#include "sims/memory/allocator.h"
#include "sims/base/rng.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#define KIB(x) ((uint64_t)(x) << 10)
#define MIB(x) ((uint64_t)(x) << 20)

Test(allocator, sizes)
{
	static const struct {
		uint64_t asked, rounded, segment;
	} rows[] = {
		{ 0, 512, MIB(2) },
		{ 1, 512, MIB(2) },
		{ 512, 512, MIB(2) },
		{ 513, 1024, MIB(2) },
		{ MIB(1), MIB(1), MIB(2) }, /* the last of the small pool */
		{ MIB(1) + 1, MIB(1) + 512, MIB(20) },
		{ MIB(10) - 512, MIB(10) - 512, MIB(20) },
		{ MIB(10), MIB(10), MIB(10) }, /* a segment of its own */
		{ MIB(11), MIB(11), MIB(12) },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t rounded = allocator_rounded(rows[i].asked);
		cr_expect(eq(u64, rounded, rows[i].rounded), "row %zu", i);
		cr_expect(eq(u64, allocator_segment_size(rounded), rows[i].segment), "row %zu", i);
	}
}

Test(allocator, splits_and_merges)
{
	struct arena arena = { 0 };
	struct allocator a;
	allocator_init(&a, &arena, MIB(100));
	/* One segment of 20 MiB is cut from its start. */
	int32_t first = allocator_alloc(&a, MIB(2)), second = allocator_alloc(&a, MIB(3));
	int32_t third = allocator_alloc(&a, MIB(4));
	cr_expect(eq(u64, a.reserved, MIB(20)));
	cr_expect(eq(u64, a.allocated, MIB(9)));
	cr_expect(eq(u64, a.blocks[third].address, MIB(5)));
	cr_expect(eq(u64, allocator_largest_free(&a), MIB(11)));
	/* The hole of 3 MiB is the smallest that fits; the half MiB that is over stays with it. */
	allocator_free(&a, second);
	second = allocator_alloc(&a, MIB(2) + KIB(512));
	cr_expect(eq(u64, a.blocks[second].address, MIB(2)));
	cr_expect(eq(u64, a.blocks[second].size, MIB(3)));
	/* A remainder of more than 1 MiB is cut off and listed. */
	allocator_free(&a, second);
	second = allocator_alloc(&a, MIB(1) + KIB(512));
	cr_expect(eq(u64, a.blocks[second].size, MIB(1) + KIB(512)));
	cr_expect(eq(u64, a.allocated, MIB(7) + KIB(512)));
	/* Small sizes never come from a large segment, and keep remainders of 512 B. */
	int32_t tiny = allocator_alloc(&a, 100);
	cr_expect(eq(u64, a.reserved, MIB(22)));
	cr_expect(eq(u64, a.blocks[a.blocks[tiny].next].size, MIB(2) - 512));
	/* The middle goes last: it joins both sides, and the segment is whole again. */
	allocator_free(&a, first);
	allocator_free(&a, third);
	allocator_free(&a, second);
	cr_expect(eq(u64, allocator_largest_free(&a), MIB(20)));
	cr_expect(eq(u64, a.allocated, 512));
	cr_expect(eq(u64, a.reserved, MIB(22)));
	allocator_free(&a, tiny);
	allocator_release_cached(&a);
	cr_expect(eq(u64, a.reserved, 0));
	cr_expect(eq(u64, a.peak_allocated, MIB(9)));
	cr_expect(eq(u64, a.peak_reserved, MIB(22)));
	arena_release(&arena);
}

/* Ten segments of 10 MiB on a card of 100: five are free, none is large enough, the card is full.
 * They go back to the driver, and the request is served. */
Test(allocator, gives_back_and_tries_again)
{
	struct arena arena = { 0 };
	struct allocator a;
	int32_t blocks[10];
	allocator_init(&a, &arena, MIB(100));
	for (int i = 0; i < 10; i++)
		blocks[i] = allocator_alloc(&a, MIB(10));
	cr_expect(eq(u64, a.reserved, MIB(100)));
	for (int i = 0; i < 10; i += 2)
		allocator_free(&a, blocks[i]);
	cr_expect(ne(i32, allocator_alloc(&a, MIB(20)), ALLOCATOR_FULL));
	cr_expect(eq(sz, a.flushes, 1));
	cr_expect(eq(u64, a.reserved, MIB(70)));
	cr_expect(eq(u64, a.allocated, MIB(70)));
	arena_release(&arena);
}

/* 20 of 40 MiB are free, in two pieces of one segment that is in use: no request for 20 MiB can be
 * met, and nothing can be given back. */
Test(allocator, fragmentation_runs_out_of_memory)
{
	struct arena arena = { 0 };
	struct allocator a;
	int32_t quarter[4];
	allocator_init(&a, &arena, MIB(40));
	allocator_free(&a, allocator_alloc(&a, MIB(40)));
	for (int i = 0; i < 4; i++)
		quarter[i] = allocator_alloc(&a, MIB(10));
	cr_expect(eq(u64, a.reserved, MIB(40)));
	allocator_free(&a, quarter[0]);
	allocator_free(&a, quarter[2]);
	cr_expect(eq(u64, a.reserved - a.allocated, MIB(20)));
	cr_expect(eq(u64, allocator_largest_free(&a), MIB(10)));
	cr_expect(eq(i32, allocator_alloc(&a, MIB(20)), ALLOCATOR_FULL));
	cr_expect(eq(sz, a.flushes, 0));
	/* The quarter between them is what was in the way. */
	allocator_free(&a, quarter[1]);
	cr_expect(ne(i32, allocator_alloc(&a, MIB(20)), ALLOCATOR_FULL));
	arena_release(&arena);
}

/* Walks the segments and counts what the totals claim; neighbours that are both free would have
 * been joined. */
static void audit(const struct allocator *a)
{
	uint64_t used = 0, all = 0;
	for (size_t i = 0; i < a->n_segments; i++) {
		bool was_free = false;
		if (!a->segments[i].size)
			continue;
		for (int32_t b = a->segments[i].first; b != NO_BLOCK; b = a->blocks[b].next) {
			const struct memory_block *block = &a->blocks[b];
			cr_assert(not(was_free && !block->used));
			was_free = !block->used;
			all += block->size;
			used += block->used ? block->size : 0;
		}
	}
	cr_assert(eq(u64, used, a->allocated));
	cr_assert(eq(u64, all, a->reserved));
	cr_assert(le(u64, a->reserved, a->capacity));
}

Test(allocator, conserves)
{
	enum { LIVE = 200, STEPS = 20000 };
	static const uint64_t scale[] = { 700, KIB(300), MIB(1), MIB(7), MIB(40) };
	struct arena arena = { 0 };
	struct allocator a;
	struct rng rng = rng_stream(7, "allocator", 0);
	int32_t live[LIVE];
	uint64_t asked[LIVE], total = 0;
	size_t full = 0;
	allocator_init(&a, &arena, MIB(420));
	for (size_t i = 0; i < LIVE; i++)
		live[i] = NO_BLOCK;
	for (int step = 0; step < STEPS; step++) {
		size_t i = (size_t)(rng_uniform(&rng) * LIVE);
		if (live[i] != NO_BLOCK) {
			allocator_free(&a, live[i]);
			total -= asked[i];
			live[i] = NO_BLOCK;
		} else {
			uint64_t size = scale[(size_t)(rng_uniform(&rng) * 5)];
			asked[i] = 1 + (uint64_t)(rng_uniform(&rng) * (double)size);
			live[i] = allocator_alloc(&a, asked[i]);
			total += live[i] == NO_BLOCK ? 0 : asked[i];
			full += live[i] == ALLOCATOR_FULL;
		}
		cr_assert(le(u64, total, a.allocated));
		if (step % 100 == 0)
			audit(&a);
	}
	cr_expect(lt(sz, 0, full), "the card never filled: the test is too easy");
	cr_expect(lt(sz, 0, a.flushes));
	for (size_t i = 0; i < LIVE; i++)
		if (live[i] != NO_BLOCK)
			allocator_free(&a, live[i]);
	audit(&a);
	cr_expect(eq(u64, a.allocated, 0));
	allocator_release_cached(&a);
	cr_expect(eq(u64, a.reserved, 0));
	arena_release(&arena);
}
