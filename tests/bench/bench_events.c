/* The event engine under the hold model: take the earliest event, put one back a random while
 * later. SimPy does the same in the same run. */
#include "sims/base/events.h"
#include "tests/bench/bench.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 5 };

static void bench_engine(uint32_t pending, double x[RUNS])
{
	enum { EVENTS = 1 << 21 };
	for (size_t r = 0; r < RUNS; r++) {
		struct arena a = { 0 };
		struct events q = events_new(&a, pending);
		struct event e;
		uint32_t random = 1;
		for (uint32_t i = 0; i < pending; i++)
			events_push(&q, i, 0, i);
		double began = cpu_ms();
		for (int i = 0; i < EVENTS && events_pop(&q, &e); i++) {
			random = random * 1664525 + 1013904223;
			events_push(&q, e.at + (random >> 8) * 1e-4, 0, e.data);
		}
		x[r] = EVENTS / (cpu_ms() - began) / 1e3;
		arena_release(&a);
	}
}

/* Processes that wait, and bare events: SimPy's two ways. False: it is not there. */
static bool bench_simpy(uint32_t pending, double *processes, double *callbacks)
{
	static const char *const pythons[] = { "python3", "/usr/bin/python3" };
	for (size_t i = 0; i < sizeof pythons / sizeof *pythons; i++) {
		char command[160];
		snprintf(command, sizeof command,
			"%s tests/bench/simpy_events.py %u 200000 2>/dev/null", pythons[i],
			(unsigned)pending);
		FILE *f = popen(command, "r");
		bool read = f && fscanf(f, "%lf %lf", processes, callbacks) == 2;
		if (f && pclose(f) == 0 && read)
			return true;
	}
	return false;
}

void bench_events(void)
{
	static const uint32_t pending[] = { 16, 64, 1024, 16384 };
	heading("events a second on one core");
	for (size_t i = 0; i < sizeof pending / sizeof *pending; i++) {
		double x[RUNS], processes, callbacks;
		char name[96];
		bench_engine(pending[i], x);
		snprintf(name, sizeof name, "events a second, %u pending", (unsigned)pending[i]);
		row(name, x, RUNS, "M/s", "20 or more");
		if (!bench_simpy(pending[i], &processes, &callbacks)) {
			printf("  SimPy 3 is not there (Debian: python3-simpy3)\n");
			continue;
		}
		processes /= 1e6;
		callbacks /= 1e6;
		row("  SimPy 3, processes", &processes, 1, "M/s", "");
		row("  SimPy 3, bare events", &callbacks, 1, "M/s", "");
	}
}
