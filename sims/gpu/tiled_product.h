/* A matrix product C[m,n] = A[m,k] B[k,n] tile by tile on a clock: what kernel.h says in one formula,
 * opened up.
 *
 * C is cut into tiles; a unit of work is a tile, or a part of its k. The units are dealt to SMs, one
 * at a time each. An SM walks a unit's k in steps: it loads tile_m x tile_k of A and tile_k x tile_n
 * of B into one of `stages` buffers and multiplies what lies in another; at the end it stores the
 * tile. Rows of tiles share a panel of A, columns a panel of B. A panel goes from memory into the
 * L2 in slices of k, on the first touch and again after it was evicted (least recently used first);
 * whoever touches a slice that is on its way waits for it. Memory serves one request after the
 * other, so that all SMs share it; the L2 feeds each SM through a port of its own.
 *
 * Left out: more than one block of threads an SM, clusters, bank conflicts, the power limit. */
#ifndef RIDGE_TILED_PRODUCT_H
#define RIDGE_TILED_PRODUCT_H

#include "sims/base/arena.h"
#include "sims/tables/tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tile_schedule {
	TILES_ONE_EACH,   /* a block of threads for each unit, dealt to whichever SM is free */
	TILES_PERSISTENT, /* a block for each SM, which takes every sms-th unit: the next one's loads
			   * begin while a tile is stored */
	TILES_STREAM_K, /* the same, and what whole waves leave over is cut into as many equal lengths
			   * of k steps as there are SMs, unless whole waves do nearly as well (Osama et al.,
			   * Stream-K, 2023: data-parallel and one tile) */
	N_TILE_SCHEDULES
};

/* Sizes are counts >= 1, of values. */
struct tiled_product {
	const struct accelerator *gpu;
	enum dtype dtype; /* of A and B; C is of 16 bits, or of dtype where that is wider */
	double m, n, k;
	double tile_m, tile_n, tile_k;
	double stages;  /* buffers of a step each, >= 1 */
	double split_k; /* parts of each tile's k, >= 1; stream-K does not ask */
	enum tile_schedule schedule;
	double group; /* rows of tiles that are walked together, column by column; 1: row by row */
	double l2_bytes; /* that hold slices: tiled_l2_bytes is the GPU's */
	bool b_in_l2;    /* B lies there before the first step */
};

/* B of the L2 that serve all SMs at once; 0 where the tables do not know. */
double tiled_l2_bytes(const struct accelerator *g);
/* 1 for a GPU of which the tables do not say how many it has. */
double tiled_sms(const struct accelerator *g);
/* B of shared memory of an SM; an A100's where the tables do not know. */
double tiled_shared_bytes(const struct accelerator *g);

/* What one SM does, in s and B. */
struct tile_costs {
	double multiply_s; /* of one k step, on whole tiles */
	double load_bytes, load_s;
	double shared_bytes; /* that Tensor Cores take from shared memory in one */
	double latency_s;    /* until the first byte of a load is there */
	/* One k step of many: the longer of multiplying and loading, or of all that happens to a
	 * buffer, divided by the number of buffers. */
	double step_s;
	double store_s;   /* of a finished tile, where nothing else happens meanwhile */
	double put_s;     /* of the same, as far as a schedule that goes on meanwhile has to wait */
	double partial_s; /* of writing or reading one tile of FP32 sums */
};
struct tile_costs tile_costs_of(const struct tiled_product *p);

double tiled_steps(const struct tiled_product *p); /* k steps of a tile */
double tiled_rows(const struct tiled_product *p), tiled_columns(const struct tiled_product *p);
double tiled_buffer_bytes(const struct tiled_product *p); /* of shared memory, all stages */
/* B of the accumulators: FP32, a tile's. They stand in the registers, from Blackwell on in the
 * tensor memory beside them; either is 256 KiB. */
double tiled_accumulator_bytes(const struct tiled_product *p);
bool tiled_fits(const struct tiled_product *p); /* both do: the kernel would start */

/* Where the i-th tile of the walk lies. */
struct tile_place {
	uint32_t row, column;
};
struct tile_place tile_at(const struct tiled_product *p, size_t i);

/* One unit, or a piece of one, on its SM. */
struct tile_run {
	uint32_t sm, tile; /* tile: its number in the walk */
	uint32_t first_step, end_step;
	float start_s, loop_s, end_s; /* loop_s: when the last step is done, and storing begins */
};

/* What is in the L2 at some moments: for each panel the share of its slices, 0 to 1. */
struct tile_glimpse {
	double at_s;  /* ascending */
	float *a, *b; /* [rows], [columns]; the caller's */
};

struct tiled_run {
	double time_s; /* launch, run, and the kernel that adds up parts */
	double launch_s, run_s, reduce_s;
	double flops, padded_flops; /* asked for; done, whole tiles and whole steps */
	double hbm_read_bytes, hbm_write_bytes;
	double l2_bytes;     /* that SMs load and store, partial sums among them */
	double loaded_bytes; /* A and B among them */
	double shared_bytes; /* that Tensor Cores take from shared memory */
	double partial_bytes;
	size_t tiles, units; /* units: tiles x parts */
	double waves;        /* units over SMs */
	/* Where the SMs' time between the launch and the last store goes, in SM seconds. */
	double useful_s, padding_s; /* multiplying values of C, and beyond its edges */
	double l2_s, latency_s;     /* a step waits for its loads, or for too few buffers */
	double hbm_s;               /* slices that memory has not brought yet */
	double fill_s, store_s;     /* the first load of a tile, and its end */
	double idle_s;              /* nothing left to do */
	size_t segments;            /* pieces of tiles that SMs worked on */
};

/* Runs it. Of the pieces the first `most` are left in runs[] where that is not NULL; glimpses are
 * filled in. Memory is arena's; when it is out arena->failed is set and the result is 0. */
struct tiled_run tiled_product_run(const struct tiled_product *p, struct arena *arena,
	struct tile_run runs[], size_t most, struct tile_glimpse glimpses[], size_t n_glimpses);

/* A product as a library does it, its tiles still to be chosen: persistent kernels from Hopper on
 * and a block for each unit before, groups of 8 rows of tiles, the GPU's L2. */
struct tiled_product tiled_library_product(
	const struct accelerator *g, enum dtype d, double m, double n, double k);
/* The tile sides, k step, stages and parts that a library would take, without running them all: the
 * least estimate by whole waves and by compulsory traffic. Those that are given stay (0: they are
 * not). */
void tiled_choose(struct tiled_product *p);

#endif
