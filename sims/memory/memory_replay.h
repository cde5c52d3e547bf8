/* Plays the events of a training step back: with ideal memory, where exactly the live bytes are
 * taken, or through the caching allocator on a card of a given size. A caching replay takes two
 * steps, because the optimizer's state is made at the end of the first one, among cached
 * activations; what is shown is the second. Sizes in B; `outside` is what the process takes beside
 * PyTorch's allocator. */
#ifndef RIDGE_MEMORY_REPLAY_H
#define RIDGE_MEMORY_REPLAY_H

#include "sims/memory/allocator.h"
#include "sims/memory/training_memory.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	MEMORY_BINS = 200,                  /* bins of time: a plot has no more columns than that */
	MEMORY_STRIDES = 40,                /* of time: a frame at the beginning of each, */
	MEMORY_FRAMES = MEMORY_STRIDES + 1, /* and one of the highest moment */
	MEMORY_ROWS = 10,
	MEMORY_COLS = 40,
	MEMORY_CELLS = MEMORY_ROWS * MEMORY_COLS
};

/* The lowest and the highest value of each bin, at their own times. */
struct memory_curve {
	size_t n;
	double at_s[2 * MEMORY_BINS + 4], bytes[2 * MEMORY_BINS + 4];
};

struct memory_peak {
	double bytes, at_s;
	double part[N_MEMORY_KINDS]; /* at that moment; they add up to bytes */
	double activations, logits;  /* the highest of that kind alone */
	size_t event;                /* that brought it */
	size_t over; /* first event beyond the card; n_events of the trace: it fits; 0: what is
		      * alive before the step is already too much */
};

/* Ideal memory, a step of steady state. curve may be NULL. */
struct memory_peak memory_replay_ideal(
	const struct memory_trace *t, double outside, double capacity, struct memory_curve *curve);

/* Cells of the reserved memory in the order in which segments came. One frame is of the moment at
 * which ideal memory is at its highest, however short that is. */
enum memory_cell { CELL_FREE_CARD, CELL_USED, CELL_REMAINDER, CELL_CACHED, N_MEMORY_CELL_KINDS };

struct memory_replay {
	bool fits;
	/* Where it broke, if it did. */
	size_t event;
	double at_s;
	bool first_step; /* or while the weights were loaded: event < n_loading */
	uint64_t wanted, cached, largest_free; /* by the request; free in all; the largest block */
	/* The allocator's figures; after a break as far as it came. */
	uint64_t peak_reserved, peak_allocated;
	double reserved_at_peak, allocated_at_peak; /* when allocated was highest */
	size_t flushes;
	struct memory_curve reserved;
	double frame_s[MEMORY_FRAMES], cell_bytes;
	size_t n_frames;
	unsigned char cells[MEMORY_FRAMES][MEMORY_CELLS];
};

/* The caching allocator on a card of `capacity`; ALLOCATOR_UNLIMITED for one that never fills. With
 * the sizes only (no curve, no cells) when details is false. Works in the arena. */
void memory_replay_caching(const struct memory_trace *t, double outside, double capacity,
	bool details, struct memory_replay *r, struct arena *arena);

/* torch.cuda.max_memory_reserved() after two steps of a setup on a card of `capacity` (the whole
 * device; context and NCCL are taken off): what published peaks report. Where it does not fit, what
 * a card without end would have needed. NAN when memory is out. */
double memory_reserved_peak(const struct memory_setup *s, double capacity);

#endif
