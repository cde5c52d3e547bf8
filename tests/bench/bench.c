/* make bench: what the design promises, measured on this machine, beside a minimal ncurses program
 * in the same run where a ratio says more than a time. Prints a table; judges nothing. */
#define _GNU_SOURCE
#include "sims/sim.h"
#include "tests/pty.h"
#include "ui/figure_view.h"
#include "ui/sim_view.h"
#include "ui/tables_load.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void row(const char *name, double x[], size_t n, const char *unit, const char *promise)
{
	qsort(x, n, sizeof *x, ascending);
	printf("%-46s %9.3f %9.3f %9.3f %-6s %s\n", name, x[0], x[n / 2], x[n - 1], unit, promise);
}

/* A model's run and a drawn frame, at two sizes, for every simulation. */
static void bench_sims(const struct tables *t)
{
	enum { RUNS = 31 };
	for (size_t i = 0; i < n_sims; i++) {
		double run[RUNS], draw[RUNS];
		struct canvas cv;
		canvas_init(&cv, 60, 200, GLYPHS_LINES);
		for (int r = 0; r < RUNS; r++) {
			struct sim_view s;
			char err[256], name[96];
			double start = now_ms();
			if (sim_view_open(&s, t, sims[i]->id, NULL, 0, err, sizeof err))
				abort();
			run[r] = now_ms() - start;
			start = now_ms();
			canvas_clear(&cv);
			sim_view_draw(&cv, (struct rect){ 2, 1, 57, 198 }, &s);
			draw[r] = now_ms() - start;
			sim_view_release(&s);
			if (r == RUNS - 1) {
				snprintf(name, sizeof name, "%s: the model", sims[i]->id);
				row(name, run, RUNS, "ms", "1 ms closed form, 16 ms simulated");
				snprintf(name, sizeof name, "%s: its 200x60 frame", sims[i]->id);
				row(name, draw, RUNS, "ms", "");
			}
		}
		canvas_release(&cv);
	}
}

/* Until the first bytes of the first frame. */
static void bench_start(void)
{
	enum { RUNS = 15 };
	double first[RUNS];
	for (int r = 0; r < RUNS; r++) {
		struct pty p;
		double start = now_ms();
		pty_start_quick(&p, 24, 80);
		first[r] = now_ms() - start;
		pty_send(&p, "q");
		pty_wait(&p);
		pty_free(&p);
	}
	row("first frame after start", first, RUNS, "ms", "6 ms");
}

static void bench_keys(const char *sim)
{
	enum { KEYS = 60 };
	const char *words[] = { "open", sim, NULL };
	double bytes[KEYS], writes[KEYS];
	char name[96];
	struct pty p;
	pty_start(&p, 24, 80, words, NULL);
	pty_send(&p, "jj");
	for (int k = 0; k < KEYS; k++) {
		size_t before = p.bytes, chunks = p.writes;
		pty_send(&p, k / 8 % 2 ? "h" : "l");
		bytes[k] = (double)(p.bytes - before);
		writes[k] = (double)(p.writes - chunks);
	}
	snprintf(name, sizeof name, "%s: bytes of a knob step, 80x24", sim);
	row(name, bytes, KEYS, "B", "at most 4 KiB");
	snprintf(name, sizeof name, "%s: writes of a knob step", sim);
	row(name, writes, KEYS, "", "1");
	pty_send(&p, "q");
	pty_wait(&p);
	pty_free(&p);
}

int main(int argc, char **argv)
{
	struct tables t = { 0 };
	char err[256];
	if (argc > 1)
		setenv("RIDGE", argv[1], 1);
	if (tables_load(&t, err, sizeof err)) {
		fprintf(stderr, "%s\n", err);
		return 1;
	}
	printf("%-46s %9s %9s %9s        %s\n", "", "least", "median", "most", "promised");
	bench_start();
	bench_sims(&t);
	for (size_t i = 0; i < n_sims; i++)
		bench_keys(sims[i]->id);
	tables_release(&t);
	return 0;
}
