/* The warps of an SM on a clock: four schedulers, each of which starts one instruction of one of its
 * warps in a cycle, or none where all of them wait; and the same in closed form, by Little's law. */
#ifndef RIDGE_WARP_SCHEDULER_H
#define RIDGE_WARP_SCHEDULER_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum { SM_SCHEDULERS = 4, WARP_THREADS = 32, MOST_LOADS = 16, MOST_WARPS = 64 };

/* All in cycles of the SM. */
struct sm_timing {
	double load_latency;    /* with nothing else under way */
	double bytes_per_cycle; /* this SM's share of the bandwidth */
	double fma_latency;
	double fma_interval; /* between two that a scheduler starts: warps are wider than units */
};

/* An iteration of a warp: `loads` of them at once, none of which waits for another; when all have
 * arrived, `work` rounds of one multiply-add for each, of which each waits for that of the round
 * before; and on to the next iteration, as a streaming kernel does. */
struct warp_program {
	size_t loads, work;
	double bytes_per_load; /* of one thread */
};

/* What an SM comes to, all warps of it together. */
enum warp_bound { BOUND_LATENCY, BOUND_BANDWIDTH, BOUND_ISSUE, BOUND_UNITS };
struct warp_rate {
	double bytes_per_cycle;
	double issued;       /* instructions of warps a cycle, of SM_SCHEDULERS that could be */
	double load_latency; /* under this load */
	enum warp_bound bound;
};
/* By Little's law, the slots and the units, whichever is least. A load takes longer the more is under
 * way: sqrt(latency^2 + (bytes / bandwidth)^2), which joins an idle memory and a full one. */
struct warp_rate warp_rate_of(
	const struct sm_timing *t, const struct warp_program *p, size_t warps);

/* What a warp does, in the order in which a picture prefers them. */
enum warp_state {
	WARP_LOADS,
	WARP_WORKS,
	WARP_READY,
	WARP_WAITS_UNITS,
	WARP_WAITS_MEMORY,
	N_WARP_STATES
};

/* A stretch of a warp of the first scheduler; of the scheduler itself where warp is its number of warps:
 * WARP_WORKS while it has something to start, WARP_WAITS_MEMORY while it has not. */
struct warp_span {
	size_t warp;
	double from, to; /* cycles */
	enum warp_state state;
};
struct warp_clock {
	double bytes_per_cycle, issued, load_latency; /* measured after the first iterations */
	double ready;   /* warps of a scheduler that could start an instruction, on average */
	double watched; /* cycles that the spans show, from the start */
	struct warp_span *spans;
	size_t n_spans, watched_warps;
};
/* Runs the warps until each has done some iterations. A scheduler stays with a warp while it can go on,
 * and then takes the one that has been ready longest. arena NULL: nothing is watched. */
struct warp_clock warp_clock_run(
	struct arena *arena, const struct sm_timing *t, const struct warp_program *p, size_t warps);

#endif
