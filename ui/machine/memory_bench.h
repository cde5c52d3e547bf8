/* The arrays that bandwidth is measured on, and passes over them: for `ridge measure`, and for
 * tests and `make bench`, which compare it with other programs. */
#ifndef RIDGE_UI_MACHINE_MEMORY_BENCH_H
#define RIDGE_UI_MACHINE_MEMORY_BENCH_H

#include "ui/machine/kernels.h"
#include "ui/machine/stopwatch.h"

struct memory_bench;
/* NULL when out of memory. Uses `threads` threads, fewer where there are fewer to be had. */
struct memory_bench *memory_bench_new(double bytes, unsigned threads, const struct stopwatch *w);
void memory_bench_free(struct memory_bench *b);
/* Seconds for `passes` over a working set of `bytes`, at most those of the bench, in `threads`
 * threads; *moved is what a pass moves, in B. */
double memory_bench_run(struct memory_bench *b, enum memory_kernel k, double bytes,
	unsigned threads, size_t passes, double *moved);

#endif
