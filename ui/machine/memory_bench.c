#include "ui/machine/memory_bench.h"

#include "ui/machine/crew.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Bytes between the three arrays of a triad. Without them arrays of equal length could begin at
 * equal addresses within their pages, and would compete for the same sets of a cache. A multiple of
 * 64. */
enum { APART = 17 * 64, LINE = 64 };

struct memory_bench {
	struct crew *crew;
	double *block;
	size_t bytes, threads;
};

struct job {
	const struct memory_bench *bench;
	memory_loop *loop;
	size_t n, passes;
};

/* The bytes of one thread's part, with the gaps between its arrays. */
static size_t part_bytes(const struct memory_bench *b, unsigned threads)
{
	return b->bytes / threads / LINE * LINE + 3 * APART;
}

static struct memory_work work_of(const struct job *j, unsigned thread, unsigned threads)
{
	char *part = (char *)j->bench->block + thread * part_bytes(j->bench, threads);
	size_t apart = j->n * sizeof(double) + APART;

	return (struct memory_work){ (double *)(void *)part, (double *)(void *)(part + apart),
		(double *)(void *)(part + 2 * apart), j->n };
}

static void pass(void *job, unsigned thread, unsigned threads)
{
	struct job *j = job;
	struct memory_work w = work_of(j, thread, threads);
	volatile double sink = j->loop(&w, j->passes);

	(void)sink;
}

/* Each thread touches its own part first, so that the system places it in the memory near to it. */
static void fill(void *job, unsigned thread, unsigned threads)
{
	struct job *j = job;
	size_t each = part_bytes(j->bench, threads);
	double *part = j->bench->block + thread * each / sizeof(double);

	for (size_t i = 0; i < each / sizeof(double); i++)
		part[i] = 1;
}

struct memory_bench *memory_bench_new(double bytes, unsigned threads, const struct stopwatch *w)
{
	struct memory_bench *b = calloc(1, sizeof *b);

	if (!b)
		return NULL;
	b->bytes = (size_t)bytes;
	b->crew = crew_new(threads, w);
	if (!b->crew)
		goto fail;
	b->threads = crew_size(b->crew);
	/* Enough for one thread that uses all bytes, and for the gaps of every other thread. */
	size_t room = part_bytes(b, 1) + (b->threads - 1) * 3 * APART;
	b->block = aligned_alloc(LINE, room / LINE * LINE);
	if (!b->block)
		goto fail;
	crew_run(b->crew, (unsigned)b->threads, fill, &(struct job){ .bench = b });
	return b;
fail:
	memory_bench_free(b);
	return NULL;
}

void memory_bench_free(struct memory_bench *b)
{
	if (!b)
		return;
	crew_free(b->crew);
	free(b->block);
	free(b);
}

double memory_bench_run(struct memory_bench *b, enum memory_kernel k, double bytes,
	unsigned threads, size_t passes, double *moved)
{
	assert(b && threads > 0 && bytes > 0);
	unsigned n = threads < b->threads ? threads : (unsigned)b->threads;
	double arrays = k == KERNEL_TRIAD ? 3 : 1;
	double each = fmin(bytes, (double)b->bytes) / n / arrays / sizeof(double);
	struct job j = { b, memory_loop_of(k), (size_t)each / KERNEL_BLOCK * KERNEL_BLOCK, passes };

	*moved = n * memory_work_bytes(k, j.n);
	return crew_run(b->crew, n, pass, &j);
}
