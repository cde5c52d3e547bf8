/* The caching allocator of PyTorch (c10/cuda/CUDACachingAllocator.cpp), simulated with its own
 * constants: sizes are rounded up to 512 B; up to 1 MiB comes from segments of 2 MiB, below 10 MiB
 * from segments of 20 MiB, more from a segment of its own rounded up to 2 MiB. The smallest free
 * block that fits is taken, and split where the rest is worth keeping (512 B in the small pool,
 * more than 1 MiB in the large one). A freed block joins its free neighbours and stays cached: only
 * when the card is full do segments that are free from end to end go back, once, before giving up.
 *
 * One stream, no garbage collection, no expandable segments. Sizes in B. All memory is the
 * arena's; when that fails, allocator_alloc returns ALLOCATOR_FULL and arena->failed tells. */
#ifndef RIDGE_ALLOCATOR_H
#define RIDGE_ALLOCATOR_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Larger than any card: an allocator that never runs out. */
#define ALLOCATOR_UNLIMITED (UINT64_C(1) << 62)

enum { ALLOCATOR_FULL = -1, NO_BLOCK = -1 };

struct memory_block {
	uint64_t address, size;
	int32_t previous, next; /* neighbours in the segment, or NO_BLOCK */
	int32_t segment;
	bool used;
};

struct memory_segment {
	uint64_t size; /* 0: went back to the driver */
	int32_t first; /* block */
	bool small;
};

/* Free blocks, smallest first, then lowest address. */
struct free_list {
	int32_t *blocks;
	size_t n, cap;
};

struct allocator {
	struct arena *arena;
	uint64_t capacity;
	uint64_t allocated, reserved; /* rounded sizes in use, and what the driver gave */
	uint64_t peak_allocated, peak_reserved;
	size_t flushes; /* how often cached segments went back because the card was full */
	struct memory_block *blocks;
	size_t n_blocks, cap_blocks;
	struct memory_segment *segments; /* in the order in which they came */
	size_t n_segments, cap_segments;
	int32_t spare; /* list of unused entries of blocks */
	uint64_t next_address;
	struct free_list pools[2]; /* large, small */
};

void allocator_init(struct allocator *a, struct arena *arena, uint64_t capacity);

/* A block of at least `bytes` (0 gives the least block), or ALLOCATOR_FULL. */
int32_t allocator_alloc(struct allocator *a, uint64_t bytes);
void allocator_free(struct allocator *a, int32_t block);

/* Gives wholly free segments back to the driver, as torch.cuda.empty_cache(). */
void allocator_release_cached(struct allocator *a);

/* The largest free block of both pools; 0 when there is none. */
uint64_t allocator_largest_free(const struct allocator *a);

/* The size that a request takes, and the segment that is asked for when no cached block fits. */
uint64_t allocator_rounded(uint64_t bytes);
uint64_t allocator_segment_size(uint64_t rounded);

#endif
