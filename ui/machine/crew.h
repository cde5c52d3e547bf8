/* Threads that do one thing at the same time, for measurements: they begin together, and the time
 * is from the first that begins to the last that is done. */
#ifndef RIDGE_UI_MACHINE_CREW_H
#define RIDGE_UI_MACHINE_CREW_H

#include "ui/machine/stopwatch.h"

enum { MOST_THREADS = 512 };

struct crew;

/* `threads` of them, the caller's included, or as many as can be had; NULL when out of memory. */
struct crew *crew_new(unsigned threads, const struct stopwatch *w);
void crew_free(struct crew *c);
unsigned crew_size(const struct crew *c);

/* Calls work(job, thread, threads) in the first `threads` of the crew and waits for all. The time
 * that took, in s. */
double crew_run(struct crew *c, unsigned threads,
	void (*work)(void *job, unsigned thread, unsigned threads), void *job);

#endif
