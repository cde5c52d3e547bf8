/* make bench: what the design promises, measured on this machine, beside a minimal ncurses program
 * in the same run where a ratio says more than a time. Prints a table; judges nothing. */
#define _GNU_SOURCE
#include "tests/bench/bench.h"
#include "ui/data/tables_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double clock_ms(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

double now_ms(void)
{
	return clock_ms(CLOCK_MONOTONIC);
}

double cpu_ms(void)
{
	return clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

void row(const char *name, double x[], size_t n, const char *unit, const char *promised)
{
	if (!n)
		return;
	qsort(x, n, sizeof *x, ascending);
	printf("%-44s %9.3f %9.3f %9.3f %-4s  %s\n", name, x[0], x[n / 2], x[n - 1], unit,
		promised);
	fflush(stdout);
}

void heading(const char *title)
{
	printf("\n%-44s %9s %9s %9s       %s\n", title, "least", "median", "most", "promised");
}

const char *turn_promised(const char *sim)
{
	static const char *const closed[] = { "roofline", "scaling", "allreduce", "formats",
		"inference", "system", "stacking", "caselab" };
	for (size_t i = 0; i < sizeof closed / sizeof *closed; i++)
		if (strcmp(closed[i], sim) == 0)
			return "1, closed form";
	return strcmp(sim, "capacity") == 0 ? "2000, search" : "16, simulated";
}

int main(int argc, char **argv)
{
	struct tables t = { 0 };
	char err[256];
	if (argc != 3) {
		fprintf(stderr, "bench RIDGE PEER\n");
		return 2;
	}
	if (tables_load(&t, err, sizeof err)) {
		fprintf(stderr, "%s\n", err);
		return 1;
	}
	bench_programs(argv[1], argv[2]);
	bench_models(&t);
	bench_events();
	bench_history();
	bench_measure();
	tables_release(&t);
	return 0;
}
