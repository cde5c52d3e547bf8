/* Threads that do the same thing at the same time, for measurements. They begin together, and the
 * time runs from the first one that begins to the last one that is done. */
#ifndef RIDGE_UI_MACHINE_CREW_H
#define RIDGE_UI_MACHINE_CREW_H

#include "ui/machine/stopwatch.h"

enum { MOST_THREADS = 512 };

struct crew;

/* `threads` of them, the caller's included, or as many as can be had; NULL when out of memory. */
struct crew *crew_new(unsigned threads, const struct stopwatch *w);
void crew_free(struct crew *c);
unsigned crew_size(const struct crew *c);

/* Calls work(job, thread, threads) in the first `threads` threads of the crew and waits for all of
 * them. Returns the time that took, in s. */
double crew_run(struct crew *c, unsigned threads,
	void (*work)(void *job, unsigned thread, unsigned threads), void *job);

#endif
