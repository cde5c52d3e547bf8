/* What a streaming multiprocessor (SM) has to give, and how many blocks of a kernel fit: the rules of
 * CUDA's occupancy calculator. */
#ifndef RIDGE_SM_RESOURCES_H
#define RIDGE_SM_RESOURCES_H

#include "sims/tables/tables.h"

#include <stdbool.h>

enum { MOST_CARVEOUTS = 10 };

/* What all SMs of a compute capability have in common. */
struct sm_kind {
	const char *capability; /* "9.0" */
	double warp_slots, block_slots, registers;
	double shared_bytes,
		reserved_bytes; /* the most of an SM; what the system takes in each block */
	double shared_unit_bytes;
	double carveout_bytes
		[MOST_CARVEOUTS]; /* what the L1 can be parted into, the largest last; 0s behind it */
	double l1_bytes;          /* of the L1 and shared memory together */
	double fp32_lanes;        /* multiply-adds that it starts in a cycle */
	double latency_cycles;    /* of a load from device memory on an idle GPU */
	const char *latency_source; /* who measured it, and on what */
	bool latency_assumed;       /* on a GPU of another kind */
};

/* NULL: no such capability. */
const struct sm_kind *sm_kind_find(const char *capability);
/* NULL: it is not programmed in CUDA, or of a family that the table does not know. */
const struct sm_kind *sm_kind_of(const struct accelerator *gpu);

struct block_needs {
	double threads, registers; /* registers of a thread */
	double shared_bytes;       /* static and dynamic, without what the system takes */
};

enum sm_limit { SM_WARPS, SM_REGISTERS, SM_SHARED, SM_BLOCKS, N_SM_LIMITS };

struct residency {
	double allows[N_SM_LIMITS]; /* blocks of an SM, by each of them */
	double blocks, warps;       /* the least of these, and what it comes to */
	bool binds[N_SM_LIMITS];
	double occupancy;      /* of the warp slots */
	double carveout_bytes; /* the smallest parting that holds these blocks */
};
struct residency sm_residency(const struct sm_kind *sm, const struct block_needs *block);

#endif
