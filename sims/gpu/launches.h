/* A CPU that launches kernels and a GPU that runs them, launch by launch: asynchronous, in order,
 * at most 1,024 ahead. Shared by `compile` and whatever asks whether launches show. */
#ifndef RIDGE_LAUNCHES_H
#define RIDGE_LAUNCHES_H

#include "sims/base/arena.h"
#include "sims/gpu/op_graph.h"

#include <stdbool.h>
#include <stddef.h>

struct launch_setup {
	const struct op_graph *graph;
	double launch_s;     /* of one kernel, on the CPU: what its launch takes */
	bool recorded;       /* a CUDA graph: one launch for a run of kernels */
	size_t pieces;       /* graph breaks + 1: Python runs between them, recordings end there */
	double break_s;      /* CPU time of each break */
	bool syncs;          /* the CPU waits for the end of every iteration */
	double watch_s;      /* log this much of the third iteration; 0: nothing */
	size_t watch_kernel; /* the log begins when this many of its kernels are done */
};

struct launch_span {
	double start_s, end_s;             /* from that moment */
	const struct graph_kernel *kernel; /* on the GPU; NULL: the CPU launches */
	bool python;                       /* ... or runs Python */
};

struct launch_run {
	double iteration_s; /* the third iteration, from the end of the second */
	double busy_s;      /* kernels of one iteration */
	double launches;    /* CPU calls of one iteration */
	double cpu_s;       /* CPU time of one iteration, without waiting */
	struct launch_span *spans;
	size_t n_spans;
};
struct launch_run launch_simulate(struct arena *a, const struct launch_setup *s);

/* The same iteration time for sweeps, without an event queue: a recurrence over launches and
 * kernels. */
double launch_iteration_s(const struct launch_setup *s);

#endif
