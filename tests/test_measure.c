/* Measuring this machine: repeats within a budget, levels of a curve, the loops, and its triad
 * beside an independent one. */
#include "ui/machine/memory_bench.h"
#include "sims/base/stats.h"
#include "tests/made_machine.h"
#include "ui/machine/levels.h"
#include "ui/machine/measure_figure.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

/* --- Repeats --- */

/* A clock that stands still but for the work, which takes so long each time. */
struct made_work {
	double now_s, first_s, s;
	size_t calls;
};

static double made_now(void *state)
{
	return ((struct made_work *)state)->now_s;
}

static double made_once(void *state, size_t passes)
{
	struct made_work *w = state;
	double took_s = (w->calls++ ? w->s : w->first_s) * (double)passes;
	w->now_s += took_s;
	return took_s;
}

static struct spread sample_made(struct made_work *w, double until_s, double deadline_s)
{
	struct stopwatch watch = { made_now, w };
	return sample(&watch, until_s, deadline_s, &(struct work){ made_once, w, 100 });
}

Test(measure, samples_within_their_time)
{
	static const struct {
		double first_s, s, until_s, deadline_s;
		size_t n;
		double best, ends_s;
	} rows[] = {
		{ 1, 0.01, 100, 100, 101, 1e4, 2.01 }, /* all of them; the slow first is not one */
		{ 1, 1, 5, 100, 4, 100, 5 },           /* as many as the share holds */
		{ 1, 1, 1, 100, 3, 100, 4 },           /* three beyond it */
		{ 1, 1, 1, 3.5, 2, 100, 3 },           /* but none that ends after the deadline */
		{ 2, 1, 1, 2.5, 1, 50, 2 },            /* then the first has to do */
		{ 1, 1, 1, 0, 0, 0, 0 },               /* too late */
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct made_work w = { 0, rows[i].first_s, rows[i].s, 0 };
		struct spread s = sample_made(&w, rows[i].until_s, rows[i].deadline_s);
		cr_expect(eq(sz, s.n, rows[i].n), "row %zu", i);
		cr_expect(epsilon_eq(dbl, s.best, rows[i].best, 1e-6), "row %zu", i);
		cr_expect(epsilon_eq(dbl, w.now_s, rows[i].ends_s, 1e-9), "row %zu", i);
	}
}

Test(measure, short_work_is_repeated_in_a_sample)
{
	/* 1 us: passes double to 256, as 128 take less than a quarter of a millisecond. */
	struct made_work w = { 0, 1e-6, 1e-6, 0 };
	struct spread s = sample_made(&w, 100, 100);
	cr_expect(eq(sz, s.n, 101));
	cr_expect(eq(sz, w.calls, 9 + 101));
	cr_expect(epsilon_eq(dbl, s.median, 1e8, 1));
}

Test(measure, spread_is_of_the_samples)
{
	/* Ranks 0..10: P10 is the second, the median the sixth. */
	double x[] = { 5, 1, 4, 2, 3, 11, 10, 9, 8, 7, 6 };
	struct spread s = spread_of(x, COUNT(x));
	cr_expect(eq(dbl, s.p10, 2));
	cr_expect(eq(dbl, s.median, 6));
	cr_expect(eq(dbl, s.p90, 10));
	cr_expect(eq(dbl, s.best, 11));
	cr_expect(eq(sz, spread_of(x, 0).n, 0));
}

/* On this clock every look takes a sixty-fourth of a second, whoever looks: a machine on which all
 * measurements together take longer than they should. */
static const double look_s = 1. / 64;

static double slow_now(void *state)
{
	return look_s * atomic_fetch_add((atomic_uint *)state, 1);
}

Test(measure, budget_holds_on_the_slowest_machine)
{
	struct machine m;
	atomic_uint looks = 0;
	struct measure_options o = measure_defaults(false);
	o.most_bytes = 1 << 20;
	o.watch = (struct stopwatch){ slow_now, &looks };
	cr_expect(lt(dbl, o.budget_s, 20));
	cr_assert(zero(int, measure_machine(&m, &o)));
	/* What begins before the deadline may end after it: a first pass, in which each thread
	 * looks twice. What is left out still looks: when its share ends, and that it is too
	 * late. */
	double left_out = 2. * (double)m.n_points * N_CREWS * N_MEMORY_KERNELS;
	double over_s = look_s * (2 * m.threads + 4 + left_out);
	double took_s = slow_now(&looks);
	cr_expect(le(dbl, took_s, o.budget_s + over_s));
	cr_expect(lt(dbl, took_s, 20));
	cr_expect(le(dbl, o.budget_s, took_s), "the budget was not what ended it");
	/* The arithmetic is bounded by its own part, so that the memory had the rest. */
	cr_expect(lt(sz, 0, m.points[0].rate[ONE_THREAD][KERNEL_READ].n));
	cr_expect(lt(sz, 0, m.flops[0].rate[ONE_THREAD][PRECISION_DOUBLE].n));
}

/* --- Levels --- */

Test(measure, flat_parts_of_a_curve)
{
	static const struct {
		double y[10];
		size_t n, found;
		struct flat flats[4];
	} rows[] = {
		{ { 100, 101, 99, 50, 51, 49, 10, 10 }, 8, 3, { { 0, 2 }, { 3, 5 }, { 6, 7 } } },
		{ { 60, 100, 100, 70, 50, 50, 20 }, 7, 3, { { 1, 2 }, { 4, 5 }, { 6, 6 } } },
		/* A dent or a rise is not a level. */
		{ { 100, 100, 80, 100, 100, 20, 20 }, 7, 2, { { 0, 4 }, { 5, 6 } } },
		{ { 100, 100, 40, 41, 60, 61 }, 6, 2, { { 0, 1 }, { 2, 5 } } },
		{ { 7 }, 1, 1, { { 0, 0 } } },
		{ { 0 }, 0, 0, { { 0, 0 } } },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct flat got[4];
		size_t n = flats_find(rows[i].y, rows[i].n, got, 4);
		cr_assert(eq(sz, n, rows[i].found), "row %zu", i);
		for (size_t k = 0; k < n; k++) {
			cr_expect(eq(sz, got[k].first, rows[i].flats[k].first), "%zu, %zu", i, k);
			cr_expect(eq(sz, got[k].last, rows[i].flats[k].last), "%zu, %zu", i, k);
		}
	}
}

Test(measure, levels_are_named_after_the_caches)
{
	static const struct {
		const char *name;
		double bytes, one, all; /* medians are 0.95 of what was made */
	} want[] = { { "L1", 32768, 380e9, 1520e9 }, { "L2", 1048576, 190e9, 760e9 },
		{ "L3", 16777216, 95e9, 285e9 }, { "memory", 0, 19e9, 38e9 } };
	struct machine m = made_machine();
	struct machine_level got[MOST_MACHINE_LEVELS];
	cr_assert(eq(sz, machine_levels(&m, got), COUNT(want)));
	for (size_t i = 0; i < COUNT(want); i++) {
		cr_expect(eq(str, got[i].name, (char *)want[i].name));
		cr_expect(eq(dbl, got[i].bytes, want[i].bytes));
		cr_expect(epsilon_eq(dbl, got[i].rate[ONE_THREAD][KERNEL_READ], want[i].one, 1));
		cr_expect(epsilon_eq(dbl, got[i].rate[ALL_THREADS][KERNEL_READ], want[i].all, 1));
		cr_expect(epsilon_eq(
			dbl, got[i].rate[ONE_THREAD][KERNEL_TRIAD], 0.75 * want[i].one, 1));
	}
	/* Nobody tells of caches: found all the same. */
	m.n_caches = 0;
	cr_assert(eq(sz, machine_levels(&m, got), COUNT(want)));
	cr_expect(eq(str, got[1].name, (char *)"level 2"));
	cr_expect(eq(dbl, got[1].bytes, 1048576));
	cr_expect(eq(str, got[3].name, (char *)"memory"));
	/* No working set is larger than the last cache, so main memory cannot be seen. */
	m = made_machine();
	m.n_points = 13; /* to 16 MiB */
	cr_assert(eq(sz, machine_levels(&m, got), 3));
	cr_expect(eq(str, got[2].name, (char *)"L3"));
	m.n_points = 0;
	cr_expect(eq(sz, machine_levels(&m, got), 0));
}

/* STREAM's rule is arrays of four times the last cache; with fewer than eight times for all three,
 * the largest set has to do. */
Test(measure, best_is_of_main_memory)
{
	struct machine m = made_machine(); /* 8 x 16 MiB: 128 and 256 MiB */
	m.points[15].rate[ALL_THREADS][KERNEL_TRIAD].best = 33e9;
	m.points[14].rate[ALL_THREADS][KERNEL_TRIAD].best = 99e9;
	cr_expect(eq(dbl, machine_memory_best(&m, ALL_THREADS, KERNEL_TRIAD), 33e9));
	m.n_points = 15; /* to 64 MiB */
	cr_expect(eq(dbl, machine_memory_best(&m, ALL_THREADS, KERNEL_TRIAD), 99e9));
	m.n_points = 0;
	cr_expect(eq(dbl, machine_memory_best(&m, ALL_THREADS, KERNEL_TRIAD), 0));
}

static bool warns(const struct machine *m)
{
	static const char *const words = "The largest working set is less than 8 times the last "
					 "caches (32 MiB)";
	struct figure fig = { 0 };
	bool found = false;

	machine_figure(m, &fig);
	for (size_t i = 0; i < fig.n_blocks; i++)
		found |= fig.blocks[i]->kind == BLOCK_NOTE &&
			 strstr(fig.blocks[i]->as.note.text, words) != NULL;
	figure_release(&fig);
	return found;
}

/* Two last caches of 16 MiB, one for every two threads: all four have 32 MiB. */
Test(measure, memory_begins_behind_all_last_caches)
{
	struct machine m = made_machine();
	m.caches[2].threads = 2;
	m.points[15].rate[ALL_THREADS][KERNEL_TRIAD].best = 99e9; /* 128 MiB, which one holds not */
	cr_expect(eq(dbl, machine_memory_begins(&m, ONE_THREAD), 128 << 20));
	cr_expect(eq(dbl, machine_memory_begins(&m, ALL_THREADS), 256 << 20));
	cr_expect(eq(dbl, machine_memory_best(&m, ALL_THREADS, KERNEL_TRIAD), 30e9));
	cr_expect(not(warns(&m)));
	m.n_points = 16; /* to 128 MiB: too small, and said so */
	cr_expect(eq(dbl, machine_memory_best(&m, ALL_THREADS, KERNEL_TRIAD), 99e9));
	cr_expect(warns(&m));
	m.n_caches = 0;
	cr_expect(not(warns(&m)));
}

/* --- Kernels --- */

Test(measure, kernels_do_what_they_say)
{
	enum { N = 2 * KERNEL_BLOCK };
	_Alignas(64) double a[N], b[N], c[N];
	struct memory_work w = { a, b, c, N };
	for (size_t i = 0; i < N; i++) {
		b[i] = (double)i;
		c[i] = 1;
	}
	memory_loop_of(KERNEL_TRIAD)(&w, 1);
	for (size_t i = 0; i < N; i++)
		cr_expect(eq(dbl, a[i], (double)i + 3));
	memory_loop_of(KERNEL_WRITE)(&w, 2);
	for (size_t i = 0; i < N; i++)
		cr_expect(eq(dbl, a[i], 1)); /* a half more each pass */
	/* A lane of a vector's sum: as many ones as the array has for it. */
	double sum = memory_loop_of(KERNEL_READ)(&w, 1);
	cr_expect(eq(dbl, fmod(N, sum), 0));
	cr_expect(eq(dbl, memory_work_bytes(KERNEL_TRIAD, N), 24. * N));
	struct flops_kernel k[MOST_WIDTHS];
	size_t n = flops_kernels(k);
	cr_assert(lt(sz, 0, n));
	for (size_t i = 0; i < n; i++)
		for (int d = 0; d < N_PRECISIONS; d++) {
			double lanes =
				k[i].bits ? k[i].bits / (d == PRECISION_SINGLE ? 32. : 64.) : 1;
			/* Every chain ends at 1 (x = 0.75 x + 0.25), two FLOP a lane and round. */
			cr_expect(
				epsilon_eq(dbl, k[i].run[d](200), k[i].flops[d] / 2 / lanes, 1e-4),
				"%d", k[i].bits);
		}
}
