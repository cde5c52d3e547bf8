/* Workers that run a program together, simulated: a serial section that all wait for, private work,
 * a lock that one worker at a time may hold, the other caches that must be told, and a barrier.
 *
 * The laws of scaling come out of such runs: Amdahl's from the serial section, the universal one
 * from everybody at the lock at once, the roofline of cores from a lock that stands for the memory.
 * Times in s. */
#ifndef RIDGE_FORK_JOIN_H
#define RIDGE_FORK_JOIN_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program {
	size_t workers, rounds; /* >= 1 */
	double serial_s;        /* each round, by the first worker alone */
	double private_s;       /* each round and worker, on average */
	double locked_s;        /* each round and worker, while holding the lock */
	double crosstalk_s;     /* added to that for every other worker */
	double cv;    /* coefficient of variation of private times, which are log-normal */
	bool barrier; /* all wait for all at the end of a round */
	uint64_t seed;
};

/* What a worker did, and when, in the first rounds. */
enum activity {
	ACTIVITY_WORK,
	ACTIVITY_SERIAL,
	ACTIVITY_LOCK,
	ACTIVITY_CROSSTALK,
	ACTIVITY_WAIT,
	N_ACTIVITIES
};
struct activity_span {
	size_t worker;
	enum activity activity;
	double start_s, end_s;
};

/* Called for every span of positive length, if not NULL; those of a worker in ascending order. */
struct watcher {
	void (*see)(void *context, const struct activity_span *span);
	void *context;
};

struct program_run {
	double time_s;
	double waiting; /* share of the time of all workers */
};

/* time_s is INFINITY when memory ran out (a->failed). */
struct program_run program_simulate(
	struct arena *a, const struct program *p, const struct watcher *watcher);

#endif
