/* An independent STREAM-like triad: nothing of ui/machine, plain C as STREAM has it, compiled with
 * whoever includes it. Threads begin together; the time is from the first to the last. */
#ifndef RIDGE_STREAM_LOOP_H
#define RIDGE_STREAM_LOOP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

enum { STREAM_THREADS = 64 };

struct stream {
	double *a, *b, *c; /* of n in one block */
	size_t n;
	unsigned threads;
	atomic_uint ready;
};

struct stream_part {
	struct stream *s;
	size_t first, end;
	double from_s, to_s;
};

static inline double stream_now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Arrays of bytes / 24 numbers, an odd number of cache lines apart. */
static inline bool stream_new(struct stream *s, double bytes, unsigned threads)
{
	*s = (struct stream){ .n = (size_t)(bytes / 24), .threads = threads };
	size_t apart = s->n + 8 * 37;
	s->a = malloc(3 * apart * sizeof *s->a);
	if (!s->a || threads > STREAM_THREADS)
		return false;
	s->b = s->a + apart;
	s->c = s->b + apart;
	for (size_t i = 0; i < s->n; i++) {
		s->a[i] = 0;
		s->b[i] = 2;
		s->c[i] = 1;
	}
	return true;
}

__attribute__((noinline, no_sanitize("address", "undefined"))) static void stream_triad(
	double *restrict a, const double *restrict b, const double *restrict c, double scalar,
	size_t n)
{
	for (size_t j = 0; j < n; j++)
		a[j] = b[j] + scalar * c[j];
}

static inline void *stream_take_part(void *part)
{
	struct stream_part *p = part;
	struct stream *s = p->s;
	atomic_fetch_add(&s->ready, 1);
	while (atomic_load(&s->ready) < s->threads)
		;
	p->from_s = stream_now_s();
	stream_triad(s->a + p->first, s->b + p->first, s->c + p->first, 3, p->end - p->first);
	p->to_s = stream_now_s();
	return NULL;
}

/* One pass; its rate in B/s as STREAM counts. 0: a thread could not be had. */
static inline double stream_once(struct stream *s)
{
	struct stream_part parts[STREAM_THREADS];
	pthread_t threads[STREAM_THREADS];
	double from_s, to_s;
	atomic_store(&s->ready, 0);
	for (unsigned i = 0; i < s->threads; i++) {
		parts[i] = (struct stream_part){ s, s->n * i / s->threads,
			s->n * (i + 1) / s->threads, 0, 0 };
		if (i && pthread_create(&threads[i], NULL, stream_take_part, &parts[i]))
			return 0;
	}
	stream_take_part(&parts[0]);
	from_s = parts[0].from_s;
	to_s = parts[0].to_s;
	for (unsigned i = 1; i < s->threads; i++) {
		pthread_join(threads[i], NULL);
		from_s = parts[i].from_s < from_s ? parts[i].from_s : from_s;
		to_s = parts[i].to_s > to_s ? parts[i].to_s : to_s;
	}
	return 24. * (double)s->n / (to_s - from_s);
}

#endif
