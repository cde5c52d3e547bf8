/* The user's own machine: the bandwidth of each level of its memory and the peak of its arithmetic,
 * measured (ridge measure). A machine is what was measured; its levels are derived from it. */
#ifndef RIDGE_UI_MACHINE_MEASURE_H
#define RIDGE_UI_MACHINE_MEASURE_H

#include "ui/machine/kernels.h"
#include "ui/machine/sampling.h"

#include <stddef.h>

enum { MOST_POINTS = 24, MOST_CACHES = 4 };

/* How many threads take part. */
enum crew_kind { ONE_THREAD, ALL_THREADS, N_CREWS };
extern const char *const crew_ids[N_CREWS]; /* "one_thread", "all_threads" */

/* A data cache, as the system reports it. */
struct cache {
	int level;
	double bytes;
	unsigned threads; /* that share one */
};

/* Bandwidth of a working set, in B/s. When all threads take part, each works on its part of it. */
struct memory_point {
	double bytes;
	struct spread rate[N_CREWS][N_MEMORY_KERNELS];
};

/* The peak of one vector width, in FLOP/s. */
struct flops_point {
	int bits; /* 0: one number at a time */
	bool fused;
	struct spread rate[N_CREWS][N_PRECISIONS];
};

struct machine {
	char cpu[96], date[16]; /* "AMD EPYC 9554", "2026-11-21" */
	unsigned threads;
	double memory_bytes;
	struct cache caches[MOST_CACHES]; /* ascending, as the system reports them; may be empty */
	size_t n_caches;
	struct memory_point points[MOST_POINTS]; /* ascending */
	size_t n_points;
	struct flops_point flops[MOST_WIDTHS]; /* narrow to wide */
	size_t n_flops;
	double start_s; /* of work on all threads: median */
	double took_s;
};

struct measure_options {
	struct stopwatch watch;
	/* The time for all measurements, in s. Fewer repeats keep it; the least possible is two
	 * passes over the largest working set. */
	double budget_s;
	double most_bytes; /* of the working set */
	/* Is told what is being measured and the share that is done; may be NULL. */
	void (*progress)(void *state, double share, const char *what);
	void *state;
};
/* 14 s and 512 MiB, or a quarter of both; less where less memory is free. */
struct measure_options measure_defaults(bool quick);

/* 0; -1 when out of memory. `date` is not set. */
int measure_machine(struct machine *m, const struct measure_options *o);

/* The bytes that all caches of c's level hold together, as far as a crew uses them. */
double machine_cache_bytes(const struct machine *m, const struct cache *c, enum crew_kind crew);
/* A working set measures main memory when it is this many times as large as the last caches: at
 * four times they still served a tenth of it. In B; INFINITY when the system reports no caches. */
enum { MEMORY_BEGINS = 8 };
double machine_memory_begins(const struct machine *m, enum crew_kind crew);
/* The best sample of a kernel in main memory, as STREAM reports: of working sets from
 * machine_memory_begins on, or of the largest; 0 when there is none. */
double machine_memory_best(const struct machine *m, enum crew_kind crew, enum memory_kernel k);
/* The arithmetic of the vector width that reached most; NULL when there is none. */
const struct spread *machine_peak(
	const struct machine *m, enum crew_kind crew, enum precision precision);

#endif
