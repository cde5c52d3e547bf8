/* The laws of scaling: check values of the formula sheet, runs that make them, and the
 * simulation. */
#include "sims/gpu/fork_join.h"
#include "sims/formulas/scaling.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static double time_of(struct program p, double *waiting)
{
	struct arena a = { 0 };
	struct program_run run = program_simulate(&a, &p, NULL);
	arena_release(&a);
	if (waiting)
		*waiting = run.waiting;
	return run.time_s;
}

/* Two workers, by hand: serial 1, then 3 each, a lock of 2: 1 + 3 + 2 + 2, two rounds of it. */
Test(amdahl, a_round_by_hand)
{
	struct program p = { .workers = 2,
		.rounds = 2,
		.serial_s = 1,
		.private_s = 3,
		.locked_s = 2,
		.barrier = true };
	double waiting;
	cr_expect(epsilon_eq(dbl, time_of(p, &waiting), 16, 1e-12));
	/* A round: the second waits 1 for the serial section, then 2 for the lock; the first 2. */
	cr_expect(epsilon_eq(dbl, waiting, 5.0 / 16, 1e-12));
	p.crosstalk_s = 0.5; /* one other: each passage takes 2.5 */
	cr_expect(epsilon_eq(dbl, time_of(p, NULL), 18, 1e-12));
	/* Without a barrier the first is back at the lock after 3, and finds it free at 5 + 3. */
	p = (struct program){ .workers = 2, .rounds = 2, .private_s = 3, .locked_s = 2 };
	cr_expect(epsilon_eq(dbl, time_of(p, NULL), 12, 1e-12), "3 + 2 + 2, then 3 + 2");
}

/* Serial share f, the rest divided: the run is Amdahl's law to rounding, and Gustafson's. */
Test(amdahl, runs_make_the_laws)
{
	static const double shares[] = { 0, 0.01, 0.02, 0.5, 1 };
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
		for (size_t n = 1; n <= 512; n *= 2) {
			double f = shares[i], want;
			struct program p = { .workers = n,
				.rounds = 4,
				.serial_s = f,
				.private_s = (1 - f) / (double)n,
				.barrier = true };
			want = CALL(amdahl_speedup, .serial_fraction = f, .gpus = (double)n);
			cr_expect(epsilon_eq(dbl, 4 / time_of(p, NULL), want, 1e-9 * want));
			p.private_s = 1 - f;
			want = CALL(gustafson_speedup, .serial_fraction = f, .gpus = (double)n);
			cr_expect(epsilon_eq(dbl, 4 * (f + (1 - f) * (double)n) / time_of(p, NULL),
				want, 1e-9 * want));
		}
}

/* All at the lock at once, each telling all others: the universal law to rounding. */
Test(amdahl, lock_and_crosstalk_make_the_universal_law)
{
	static const struct {
		double sigma, kappa;
	} rows[] = { { 0.02, 0.0005 }, { 0, 0.001 }, { 0.1, 0 }, { 1, 0.01 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t n = 1; n <= 512; n *= 2) {
			double sigma = rows[i].sigma, kappa = rows[i].kappa, of = (double)n;
			struct program p = { .workers = n,
				.rounds = 3,
				.private_s = (1 - sigma) / of,
				.locked_s = sigma / of,
				.crosstalk_s = kappa / of,
				.barrier = true };
			double want = CALL(
				usl_speedup, .contention = sigma, .crosstalk = kappa, .gpus = of);
			cr_expect(epsilon_eq(dbl, 3 / time_of(p, NULL), want, 1e-9 * want),
				"row %zu, %zu workers", i, n);
		}
}

/* A closed network of one server: never above either bound, and near the lower one far from the
 * knee. With exponential-like spread it stays below what clockwork reaches. */
Test(amdahl, shared_memory_stays_under_its_roof)
{
	for (size_t n = 1; n <= 128; n *= 2)
		for (int uneven = 0; uneven < 2; uneven++) {
			struct program p = { .workers = n,
				.rounds = 64,
				.private_s = 0.9,
				.locked_s = 0.1,
				.cv = uneven,
				.seed = 3 };
			double speedup = 64 * (double)n / time_of(p, NULL);
			double roof = fmin((double)n, 10);
			cr_expect(lt(dbl, speedup, roof * (uneven ? 1.1 : 1 + 1e-9)), "%zu", n);
			if (n == 1 || n >= 64)
				cr_expect(lt(dbl, roof * (uneven ? 0.85 : 0.98), speedup),
					"%zu: %g", n, speedup);
		}
}

/* The expected maximum of two log-normals is above their mean: uneven work costs at a barrier. */
Test(amdahl, uneven_work_waits_for_the_slowest)
{
	struct program p = { .workers = 16, .rounds = 64, .private_s = 1, .barrier = true };
	double even = time_of(p, NULL), last = even;
	for (double cv = 0.1; cv < 0.6; cv += 0.2) {
		p.cv = cv;
		double t = time_of(p, NULL);
		cr_expect(lt(dbl, last, t), "cv %g", cv);
		last = t;
	}
	/* At a lock it spreads the arrivals, so that fewer stand in line. */
	p = (struct program){
		.workers = 16, .rounds = 64, .private_s = 1, .locked_s = 0.05, .barrier = true
	};
	double waiting_even, waiting_spread;
	time_of(p, &waiting_even);
	p.barrier = false;
	p.cv = 0.5;
	time_of(p, &waiting_spread);
	cr_expect(lt(dbl, waiting_spread, waiting_even));
}

/* --- the simulation ----------------------------------------------------------------------- */

static double value_at(const struct tables *t, const char *settings, const char *id)
{
	return sim_number(sim_find("amdahl"), t, settings, id);
}

Test(amdahl, check_values)
{
	static const struct {
		const char *settings, *id;
		double value, tolerance;
	} rows[] = {
		/* F0.2 */
		{ "workers=8", "speedup", 7.02, 0.005 },
		{ "workers=64", "speedup", 28.3, 0.05 },
		{ "workers=64", "gustafson", 62.7, 0.05 },
		{ "law=gustafson", "speedup", 62.7, 0.05 },
		{ "workers=64", "usl", 14.97, 0.005 },
		{ "law=usl", "simulated", 14.97, 0.005 },
		{ "law=usl", "peak_workers", 44.27, 0.005 }, /* sqrt(0.98 / 0.0005) */
		{ "serial_pct=4", "limit", 25, 1e-9 },
		/* F11.2 and E19 */
		{ "part_pct=1 factor=10", "part_speedup", 1.0091, 5e-5 },
		{ "part_pct=100 factor=10", "part_speedup", 10, 1e-9 },
		/* min(16 x 20, 200) / 20 */
		{ "law=bandwidth workers=16", "speedup", 10, 1e-9 },
		{ "law=bandwidth workers=4", "speedup", 4, 1e-9 },
		{ "law=bandwidth workers=1", "simulated", 1, 1e-9 },
	};
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(epsilon_eq(dbl, value_at(&t, rows[i].settings, rows[i].id), rows[i].value,
				  rows[i].tolerance),
			"%s %s", rows[i].settings, rows[i].id);
	cr_expect(isinf(value_at(&t, "crosstalk=0", "peak_workers")));
	cr_expect(eq(dbl, value_at(&t, "crosstalk=0", "peak_speedup"), 50));
	tables_release(&t);
}

/* The peak is one: fewer and more workers are slower. */
Test(amdahl, the_peak_is_found)
{
	struct tables t = load_tables();
	static const char *const crosstalk[] = { "0.0001", "0.0005", "0.01" };
	for (size_t i = 0; i < sizeof crosstalk / sizeof *crosstalk; i++) {
		char text[128];
		snprintf(text, sizeof text, "law=usl crosstalk=%s", crosstalk[i]);
		double peak = value_at(&t, text, "peak_workers"),
		       best = value_at(&t, text, "peak_speedup");
		for (int side = -1; side <= 1; side += 2) {
			snprintf(text, sizeof text, "law=usl crosstalk=%s workers=%.0f",
				crosstalk[i], round(peak * (1 + 0.3 * side)));
			cr_expect(lt(dbl, value_at(&t, text, "simulated"), best), "%s", text);
		}
	}
	tables_release(&t);
}

/* A run that makes its law says nothing new and waits in the fold; an uneven one comes first. */
Test(amdahl, the_run_is_in_sight_where_it_differs)
{
	static const struct {
		const char *settings;
		bool differs;
	} rows[] = { { "", false }, { "law=gustafson", false }, { "cv=1", true } };
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = sim_run(sim_find("amdahl"), &t, rows[i].settings);
		const struct value *run = figure_find(&fig, "simulated");
		cr_assert(run != NULL);
		cr_expect(eq(int, run->role != ROLE_DIM, rows[i].differs), "%s", rows[i].settings);
		cr_expect(eq(
			str, (char *)fig.values[0].id, rows[i].differs ? "simulated" : "speedup"));
		figure_release(&fig);
	}
	tables_release(&t);
}

/* A law keeps its colour when another one is chosen, and the setting's mark is none of the run's. */
Test(amdahl, a_law_keeps_its_colour)
{
	struct tables t = load_tables();
	struct figure one = sim_run(sim_find("amdahl"), &t, "");
	struct figure other = sim_run(sim_find("amdahl"), &t, "law=usl");
	const struct plot *p = &one.blocks[0]->as.plot, *q = &other.blocks[0]->as.plot;
	size_t same = 0;
	for (size_t i = 0; i < p->n_series; i++)
		for (size_t k = 0; k < q->n_series; k++)
			/* "Amdahl, to 50x" is "Amdahl" where another law is in focus */
			if (*q->series[k].name && strncmp(p->series[i].name, q->series[k].name,
							  strlen(q->series[k].name)) == 0) {
				cr_expect(eq(
					int, (int)p->series[i].meaning, (int)q->series[k].meaning));
				same++;
			}
	cr_expect(eq(sz, same, 5)); /* two laws, the ideal, simulated, this setting */
	figure_release(&one);
	figure_release(&other);
	tables_release(&t);
}

/* At the ends of the knobs the sentence stays true: without a serial part there is no limit to name, and
 * nobody waits for one worker alone. 2 % serial: at most 1 / 0.02. */
Test(amdahl, the_sentence_is_true_at_the_ends)
{
	static const char *const rows[][2] = {
		{ "", "64 workers do the work of 28.3: all but one wait while the serial part runs." },
		{ "serial_pct=0",
			"Nothing is serial: 64 workers make it 64x as fast, and nothing ends "
			"that." },
		{ "workers=1", "One worker waits for nobody. Any number of them is at most 50x as "
			       "fast: 2 % of the work is serial." },
	};
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = sim_run(sim_find("amdahl"), &t, rows[i][0]);
		cr_expect(eq(str, (char *)fig.why, (char *)rows[i][1]));
		figure_release(&fig);
	}
	tables_release(&t);
}

/* The curve has the rows: of a law that never passes 50 the top is the power of two above 2 x 47.7, and of
 * 512 workers, whose ideal is 512, that. */
Test(amdahl, the_ideal_leaves_the_picture_above_the_law)
{
	static const struct {
		const char *settings;
		double top;
	} rows[] = { { "", 128 }, { "workers=512", 512 }, { "workers=1024", 1024 },
		{ "law=gustafson", 1024 } };
	struct tables t = load_tables();
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		struct figure fig = sim_run(sim_find("amdahl"), &t, rows[k].settings);
		cr_expect(
			eq(dbl, fig.blocks[0]->as.plot.y.max, rows[k].top), "%s", rows[k].settings);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* 2 % serial: 64 workers are 28.3 times as fast, and wait for 64 - 28.3 of them. The bar has both, on a line
 * where half is half. */
Test(amdahl, the_bar_has_those_that_work_and_those_that_wait)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("amdahl"), &t, "");
	cr_assert(eq(str, (char *)block_name(fig.blocks[1]), "Workers"));
	const struct bars *b = &fig.blocks[1]->as.bars;
	cr_expect(epsilon_eq(dbl, b->bars[0].parts[0], 64 / (0.02 * 64 + 0.98), 1e-6));
	cr_expect(epsilon_eq(dbl, b->bars[0].parts[0] + b->bars[0].parts[1], 64, 1e-9));
	cr_expect(eq(str, (char *)b->part_names[0], "28.3 at work"));
	figure_release(&fig);
	tables_release(&t);
}
