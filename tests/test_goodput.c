/* The goodput simulation: runs worked by hand, and Young's and Daly's formulas against many. */
#include "sims/registry/registry.h"
#include "sims/scaling/goodput_run.h"
#include "sims/formulas/scaling.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

extern const struct sim goodput_sim;

static struct tables t;

static void load(void)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	t = load_tables();
}

static void unload(void)
{
	tables_release(&t);
}

TestSuite(goodput, .init = load, .fini = unload);

static double value_of(const char *settings, const char *id)
{
	return sim_number(&goodput_sim, &t, settings, id);
}

/* Ten of work, two of stall, five to restart, over 100 s. */
static const struct {
	const char *what;
	double lag_s, failures_s[3];
	struct goodput_share want;
} hand[] = {
	/* 8 whole cycles of 12 and 4 s of work */
	{ "no failure", 0, { INFINITY }, { 84, 16, 0, 0, 0 } },
	/* 30: two cycles saved, 6 s lost; from 35 on 5 cycles and 5 s */
	{ "one", 0, { 30, INFINITY }, { 20 + 55, 4 + 10, 6, 5, 1 } },
	/* 23: the second checkpoint is half written: its 10 s are lost, its stall was paid */
	{ "while writing", 0, { 23, INFINITY }, { 10 + 60, 3 + 12, 10, 5, 1 } },
	/* 30, and again at 33: down until 38, then 5 cycles and 2 s */
	{ "while restarting", 0, { 30, 33, INFINITY }, { 20 + 52, 4 + 10, 6, 8, 2 } },
	/* the second is written at 24 + 8 only */
	{ "before it is written", 8, { 30, INFINITY }, { 10 + 55, 4 + 10, 16, 5, 1 } },
};

Test(goodput, of_runs_worked_by_hand)
{
	for (size_t i = 0; i < COUNT(hand); i++) {
		struct goodput_plan plan = { 10, 2, hand[i].lag_s, 5, 100 };
		struct goodput_share got = goodput_run(&plan, hand[i].failures_s, NULL, NULL);
		const struct goodput_share *want = &hand[i].want;
		cr_expect(epsilon_eq(dbl, got.work_s, want->work_s, 1e-9), "%s: %g", hand[i].what,
			got.work_s);
		cr_expect(epsilon_eq(dbl, got.checkpoint_s, want->checkpoint_s, 1e-9), "%s: %g",
			hand[i].what, got.checkpoint_s);
		cr_expect(epsilon_eq(dbl, got.lost_s, want->lost_s, 1e-9), "%s: %g", hand[i].what,
			got.lost_s);
		cr_expect(epsilon_eq(dbl, got.restart_s, want->restart_s, 1e-9), "%s: %g",
			hand[i].what, got.restart_s);
		cr_expect(eq(dbl, got.failures, want->failures), "%s", hand[i].what);
	}
}

static void add_up(void *ctx, enum goodput_phase phase, double start_s, double end_s)
{
	double *sums = ctx;
	sums[phase] += end_s - start_s;
}

/* What is shown stretch by stretch is what is summed at once. */
Test(goodput, the_picture_and_the_sums_agree)
{
	struct arena a = { 0 };
	for (uint64_t part = 0; part < 20; part++) {
		struct goodput_plan plan = { 40, 3, part % 2 ? 25 : 0, 60, 20000 };
		double sums[N_PHASES] = { 0 };
		double *failures_s = goodput_failures(&a, 300, plan.horizon_s, 4, part);
		struct goodput_share s = goodput_run(&plan, failures_s, add_up, sums);
		cr_expect(epsilon_eq(dbl, sums[PHASE_WORK], s.work_s, 1e-6));
		cr_expect(epsilon_eq(dbl, sums[PHASE_CHECKPOINT], s.checkpoint_s, 1e-6));
		cr_expect(epsilon_eq(dbl, sums[PHASE_LOST], s.lost_s, 1e-6));
		cr_expect(epsilon_eq(dbl, sums[PHASE_RESTART], s.restart_s, 1e-6));
		cr_expect(epsilon_eq(dbl, s.work_s + s.checkpoint_s + s.lost_s + s.restart_s,
			plan.horizon_s, 1e-6));
	}
	arena_release(&a);
}

/* Daly's formula is exact for this process: a long run meets it where Young's first order is far
 * off as well. The tolerance is four deviations: failures and what
 * each takes both vary, together by about 1.2 times the overhead / sqrt(failures). */
Test(goodput, a_long_run_is_dalys)
{
	static const struct {
		double work_s, stall_s, restart_s, mtbf_s;
	} rows[] = { { 3220, 60, 600, 86400 }, { 600, 60, 600, 3600 }, { 3600, 60, 60, 3600 },
		{ 100, 300, 0, 10000 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena a = { 0 };
		double n = 20000;
		struct goodput_plan plan = { .work_s = rows[i].work_s,
			.stall_s = rows[i].stall_s,
			.restart_s = rows[i].restart_s,
			.horizon_s = n * rows[i].mtbf_s };
		double *failures_s = goodput_failures(&a, rows[i].mtbf_s, plan.horizon_s, 1, i);
		double got = goodput_run(&plan, failures_s, NULL, NULL).work_s / plan.horizon_s;
		double want = CALL(checkpointed_goodput, .checkpoint_time = rows[i].stall_s,
			.interval = rows[i].work_s, .mtbf = rows[i].mtbf_s,
			.restart_time = rows[i].restart_s);
		cr_expect(epsilon_eq(dbl, got, want, 5 * (1 - want) / sqrt(n)), "row %zu: %g, %g",
			i, got, want);
		arena_release(&a);
	}
}

/* Daly (2006) where writes take as long as the time between failures M, or longer: of 15,000 GPUs
 * that fail every 10,000 h one does so every 2400 s, and 3600 s are 1.5 M. sqrt(2 x 1.5) (1 +
 * sqrt(0.75) / 3 + 0.75 / 9) - 1.5 = 1.7320508 x 1.3720085 - 1.5 = 0.8763885 M, which is 35.0555
 * min. From 2 M on it is M: 1200 s, and 960. */
Test(goodput, writes_longer_than_failures_are_apart)
{
	static const char *const writes = "gpus=15000 checkpoint_s=3600 async=off mtbf_h=";
	static const struct {
		int mtbf_h;
		double daly_min;
	} rows[] = { { 10000, 35.0555 }, { 5000, 20 }, { 4000, 16 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		char settings[128];
		snprintf(settings, sizeof settings, "%s%d", writes, rows[i].mtbf_h);
		cr_expect(epsilon_eq(dbl, value_of(settings, "daly_min"), rows[i].daly_min, 1e-4),
			"%s", settings);
	}
}

/* F0.6: a write of 60 s and a failure a day. */
Test(goodput, finds_youngs_interval)
{
	const char *f06 = "gpus=2048 mtbf_h=49152 checkpoint_s=60 restart_min=0 runs=200 days=60";
	cr_expect(epsilon_eq(dbl, value_of(f06, "young_min"), 3220. / 60, 0.01));
	cr_expect(epsilon_eq(dbl, value_of(f06, "mtbf_cluster_h"), 24, 1e-9));
	cr_expect(epsilon_eq(dbl, value_of(f06, "goodput_pct"), 100 - 3.7, 0.2));
	static const char *const settings[] = { "gpus=2048 mtbf_h=49152 checkpoint_s=60", "",
		"gpus=16384", "checkpoint_s=600", "seed=7", "gpus=512 days=365" };
	for (size_t i = 0; i < COUNT(settings); i++) {
		double ratio =
			value_of(settings[i], "best_min") / value_of(settings[i], "daly_min");
		cr_expect(fabs(ratio - 1) < 0.15, "%s: %g", settings[i], ratio);
	}
}

/* 8 GPUs that fail every 1,000,000 h each fail once in 125,000 h = 4.5e8 s; a write of 1 s makes
 * Young's interval sqrt(2 x 4.5e8) = 30,000 s, 500 min. In two months nothing fails, so that the longest
 * interval is the best: the sixteenfold, 8,000 min, is the last that is tried. Where next to nothing is
 * lost by a write of 600 s, the most frequent is: every 600 s, before which none is done. */
Test(goodput, the_best_lies_at_an_end_where_nothing_speaks_against_it)
{
	static const char *const rare =
		"gpus=8 mtbf_h=1000000 checkpoint_s=1 async=off days=60 step_s=1";
	cr_expect(epsilon_eq(dbl, value_of(rare, "young_min"), 500, 1e-9));
	cr_expect(epsilon_eq(dbl, value_of(rare, "best_min"), 8000, 0.1));
	static const char *const free_writes = "async=on snapshot_s=0.1 checkpoint_s=600 step_s=1";
	cr_expect(epsilon_eq(dbl, value_of(free_writes, "best_min"), 10, 0.1));
}

Test(goodput, laws)
{
	double at_best = value_of("", "goodput_pct");
	cr_expect(lt(dbl, value_of("interval_min=5", "goodput_pct"), at_best));
	cr_expect(lt(dbl, value_of("interval_min=600", "goodput_pct"), at_best));
	cr_expect(lt(dbl, at_best, value_of("async=on", "goodput_pct")));
	cr_expect(lt(dbl, value_of("gpus=16384", "goodput_pct"), at_best));
	cr_expect(lt(dbl, value_of("async=on", "young_min"), value_of("", "young_min")));
	/* F0.5: $ per useful hour is price over goodput; 8,192 GPUs x 720 h x $2 */
	cr_expect(epsilon_eq(dbl, value_of("", "cost_per_useful_gpu_h"), 200 / at_best, 1e-9));
	cr_expect(epsilon_eq(dbl, value_of("", "cost_usd"), 11796480, 1e-6));
	cr_expect(epsilon_eq(dbl, value_of("checkpoint_s=60", "write_s"), 60, 0));
}

/* For two runs the half width is Student's t of one degree of freedom, 12.706, times half of their
 * difference. The first run is what runs=1 shows, so the mean is as far from it as from the other.
 * A single run has no interval. */
Test(goodput, the_interval_of_few_runs_is_students)
{
	double first = value_of("runs=1", "goodput_pct"), half = 0, runs = 0;
	struct figure fig = sim_run(&goodput_sim, &t, "runs=2");
	double mean = figure_number(&fig, "goodput_pct");
	const char *note = figure_find(&fig, "goodput_pct")->note;
	cr_assert(eq(int, sscanf(note, "± %lf, %lf runs", &half, &runs), 2), "%s", note);
	cr_expect(eq(dbl, runs, 2));
	/* written in two digits */
	cr_expect(epsilon_eq(dbl, half, 12.706 * fabs(mean - first), 0.05 * half), "%s", note);
	figure_release(&fig);
	fig = sim_run(&goodput_sim, &t, "runs=1");
	cr_expect(eq(str, (char *)figure_find(&fig, "goodput_pct")->note, "of a single run"));
	figure_release(&fig);
}

#define SMALL "model=llama3-70b storage_GBps=16 "

/* 50,000 h over 2,048 GPUs are 24.414 h, over the four times as many of the default a quarter of that.
 * 70,553,706,496 parameters of 14 B through 16 GB/s take 61.734 s. Young: the root of 2 x 61.734 x
 * 87,890.6 s, 3,294.2 s, or half of that with four times the GPUs. An eighth of Llama 3's 16,384 GPUs
 * have an eighth of its 2 TB/s, one of them a disk. The default is half of that cluster and its model:
 * 405,853,388,800 parameters of 14 B through 1 TB/s take 5.682 s, and the root of 2 x 5.682 x 21,972.7 s
 * is 499.7 s. */
static const struct sim_row shown[] = {
	{ "", "write_s", 405853388800. * 14 / 1e12, 0 },
	{ "", "young_min", 8.3283, 0.0005 },
	{ "", "mtbf_cluster_h", 6.103515625, 0 },
	{ "gpus=1024", "mtbf_cluster_h", 48.828125, 0 },
	{ "model=llama3-70b gpus=2048", "write_s", 70553706496. * 14 / 250e9, 0 },
	{ "model=llama3-70b gpus=1", "write_s", 70553706496. * 7 / 1e9, 0 },
	{ SMALL, "write_s", 70553706496. * 14 / 16e9, 0 },
	{ "model=llama3-70b storage_GBps=32", "write_s", 70553706496. * 7 / 16e9, 0 },
	{ SMALL "gpus=2048", "young_min", 54.9034, 0.0005 },
	{ SMALL, "young_min", 54.9034 / 2, 0.0003 },
	{ "gpus=2048 checkpoint_s=60 mtbf_h=20480", "young_min", 34.6410,
		0.0005 }, /* 2 x 60 x 36,000: 2,078.46 */
	{ "price_per_gpu_h=4 gpus=8 days=1", "cost_usd", 768, 0 },
	{ "checkpoint_s=60 interval_min=20 mtbf_h=1e6 gpus=1 runs=1 step_s=5", "goodput_pct",
		100 * 1200. / 1260, 0.05 },
};

Test(goodput, shown_values_by_hand)
{
	expect_rows(sim_find("goodput"), &t, shown, sizeof shown / sizeof *shown);
}

/* Llama 3 on 16,384 GPUs: "higher than 90 % effective training time" (Meta, 2024), in 54 days with
 * 419 unexpected stops. */
Test(goodput, llama_3_as_it_was)
{
	static const char *const set = "gpus=16384 model=llama3-405b storage_GBps=0 days=54";
	double goodput = sim_number(&goodput_sim, &t, set, "goodput_pct");
	cr_expect(goodput > 90 && goodput < 95, "%g", goodput);
	double failures = sim_number(&goodput_sim, &t, set, "failures");
	cr_expect(epsilon_eq(dbl, failures, 419, 0.05 * 419), "%g", failures);
	/* And the step nobody typed: 16,777,216 tokens of 6 x 405.9e9 FLOP at 41 % of 989 TFLOP/s on
	 * each of 16,384 GPUs, 6.15 s. */
	double compute_s = sim_number(&goodput_sim, &t, set, "compute_s");
	double exposed = sim_number(&goodput_sim, &t, set, "exposed_pct") / 100;
	cr_expect(epsilon_eq(dbl, compute_s * (1 + exposed), 6.15, 0.6));
}

/* What is typed as communication and bubble is shared as in the model's layout: of compute of 10 s a half is 5 s,
 * and both parts of that are to each other as they were. GPT-2 takes no pipeline on eight GPUs. */
Test(goodput, communication_and_bubble_are_two)
{
	static const char *const set = "gpus=16384 model=llama3-405b",
				 *const typed =
					 "gpus=16384 model=llama3-405b step_s=10 comm_pct=50";
	double sends = sim_number(&goodput_sim, &t, set, "comm_only_pct"),
	       waits = sim_number(&goodput_sim, &t, set, "bubble_pct");
	cr_expect(lt(dbl, 1, sends));
	cr_expect(lt(dbl, 1, waits));
	cr_expect(epsilon_eq(
		dbl, sends + waits, sim_number(&goodput_sim, &t, set, "exposed_pct"), 1e-9));
	cr_expect(epsilon_eq(dbl, sim_number(&goodput_sim, &t, typed, "bubble_pct"),
		50 * waits / (sends + waits), 1e-9));
	cr_expect(epsilon_eq(dbl, sim_number(&goodput_sim, &t, typed, "exposed_pct"), 50, 1e-9));
	cr_expect(zero(dbl, sim_number(&goodput_sim, &t, "gpus=8 model=gpt2", "bubble_pct")));
}

/* The sentence says the large number beside the figure, whether the interval is too short or too long,
 * and of one that is neither what a failure takes: the hours that are lost over the failures. 40 minutes
 * are neither the best interval nor a mistake. Young's, the root of 2 x 61.8 s x 50,000 h / 8,192, is 27.5
 * minutes, and nothing says 27 beside it. */
Test(goodput, sentence_says_the_goodput_and_what_a_failure_takes)
{
	static const struct {
		const char *settings, *said;
	} rows[] = {
		{ SMALL, "Checkpoints every 27.5 min cost " },
		{ SMALL "interval_min=40", "every 40 min is near the best" },
		{ SMALL "interval_min=480", "every 8 h is too rare" },
		{ SMALL "interval_min=5", "every 5 min is too often" },
		{ "", "Checkpoints every 8.33 min cost " },
		{ "interval_min=14", "Checkpoints every 14 min are near the best interval: " },
		{ "restart_min=240", " is useful work, restarts take " },
		{ "gpus=131072 mtbf_h=500 restart_min=60", "something fails" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = sim_run(&goodput_sim, &t, rows[i].settings);
		char says[64];
		snprintf(says, sizeof says, "%.3g %% ", figure_number(&fig, "goodput_pct"));
		cr_expect(eq(str, (char *)fig.values[0].id, "goodput_pct"));
		const char *said = strstr(fig.why, says);
		cr_expect(said && strstr(said, "is useful work"), "%s", fig.why);
		cr_expect(
			strstr(fig.why, rows[i].said) != NULL, "%s: %s", rows[i].settings, fig.why);
		if (strstr(fig.why, "a failure undoes") && !strstr(fig.why, " h; ")) {
			snprintf(says, sizeof says, "a failure undoes %.3g min; ",
				60 * figure_number(&fig, "lost_h") /
					figure_number(&fig, "failures"));
			cr_expect(strstr(fig.why, says) != NULL, "%s: %s", says, fig.why);
		}
		figure_release(&fig);
	}
}

/* Six times Young's 27.5 minutes are 2.7 hours, three as people choose them, and a sixth of it 5 minutes;
 * the hour that is set stands between. All meet the same failure, which takes about 60 % of the three
 * hours, and at whole steps of some 7 s the stretch is 1.15 cycles of 10,862 s and a restart of 600. */
Test(goodput, the_run_shows_a_failure)
{
	struct figure fig = sim_run(&goodput_sim, &t, SMALL "interval_min=60 step_s=6");
	static const char *const names[] = { "every 5 min", "every 27.5 min", "every 60 min",
		"every 3 h" };
	size_t restarts[4] = { 0 };
	double lost_s[4] = { 0 };
	cr_assert(eq(int, fig.blocks[0]->kind, BLOCK_TIMELINE));
	const struct timeline *run = &fig.blocks[0]->as.timeline;
	cr_assert(eq(sz, run->n_lanes, 4));
	for (size_t i = 0; i < run->n_spans; i++) {
		const struct span *span = &run->spans[i];
		restarts[span->lane] += span->kind == PHASE_RESTART;
		if (span->kind == PHASE_LOST)
			lost_s[span->lane] += span->end - span->start;
	}
	for (size_t lane = 0; lane < 4; lane++) {
		cr_expect(eq(str, (char *)run->lane_names[lane], (char *)names[lane]));
		cr_expect(eq(sz, restarts[lane], 1), "lane %zu", lane);
		cr_expect(strstr(run->lane_notes[lane], "useful") != NULL);
	}
	cr_expect(lost_s[0] <= 5 * 60 + 8);
	cr_expect(lost_s[3] >= 0.5 * 3 * 3600 && lost_s[3] <= 0.7 * 3 * 3600, "%g", lost_s[3]);
	cr_expect(eq(sz, run->tall, 3));
	cr_expect(epsilon_eq(dbl, fig.duration_s, 1.15 * 10862 + 600, 12));
	figure_release(&fig);
}

/* From bar to bar writing falls and what failures take grows. The bar of the setting is in focus; with
 * what counts it is the whole, and where the interval is the best no other is shorter. */
Test(goodput, the_bars_are_what_does_not_count)
{
	static const struct {
		const char *settings;
		bool is_best;
	} rows[] = { { "", true }, { "gpus=16384", true }, { "interval_min=5", false },
		{ "gpus=16 days=365", true }, { "async=on", true } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = sim_run(&goodput_sim, &t, rows[i].settings);
		const struct bars *b = &fig.blocks[1]->as.bars;
		cr_assert(b->n_bars >= 4 && b->n_bars <= 6, "%s", rows[i].settings);
		double least = INFINITY, here = NAN;
		for (size_t k = 0; k < b->n_bars; k++) {
			const double *part = b->bars[k].parts;
			double sum = part[0] + part[1] + part[2];
			least = fmin(least, sum);
			if (b->bars[k].role == ROLE_ACCENT)
				here = sum;
			if (k == 0)
				continue;
			cr_expect(part[0] < b->bars[k - 1].parts[0], "%s", rows[i].settings);
			cr_expect(part[1] > b->bars[k - 1].parts[1], "%s", rows[i].settings);
		}
		cr_expect(epsilon_eq(dbl, here, 100 - figure_number(&fig, "goodput_pct"), 1e-9));
		cr_expect(eq(int, here <= least, rows[i].is_best), "%s: %g, %g", rows[i].settings,
			here, least);
		figure_release(&fig);
	}
}

/* A thing has one colour in all three pictures: writing, what is lost, and waiting, which a restart is
 * too. Of the eight rows of hours communication alone has that of the network. */
Test(goodput, a_loss_has_one_colour_in_all_pictures)
{
	struct figure fig = sim_run(&goodput_sim, &t, "");
	const struct timeline *run = &fig.blocks[0]->as.timeline;
	const struct bars *costs = &fig.blocks[1]->as.bars, *hours = &fig.blocks[2]->as.bars;
	cr_expect(run->means[PHASE_LOST] == costs->means[1]);
	cr_expect(run->means[PHASE_RESTART] == costs->means[2]);
	static const enum meaning rows[] = { MEANS_COMPUTE, MEANS_WAITING, MEANS_NETWORK,
		MEANS_WAITING, MEANS_WAITING, MEANS_FIXED, MEANS_SECOND, MEANS_WAITING };
	cr_assert(eq(sz, hours->n_bars, COUNT(rows)));
	for (size_t i = 0; i < hours->n_bars; i++)
		for (size_t k = 0; k < hours->n_parts; k++)
			if (hours->bars[i].parts[k] > 0)
				cr_expect(hours->means[k] == rows[i], "%s", hours->bars[i].label);
	cr_expect(costs->means[0] == MEANS_FIXED && costs->means[1] == MEANS_SECOND);
	figure_release(&fig);
}

/* An interval that is left to the model has its place on the knob, Young's; one that is set has its own. */
Test(goodput, an_interval_on_auto_has_its_place)
{
	static const char *const settings[] = { "", "interval_min=60" };
	for (size_t k = 0; k < COUNT(settings); k++) {
		struct figure fig = sim_run(&goodput_sim, &t, settings[k]);
		const struct left_open *open = NULL;
		for (size_t i = 0; i < fig.n_left_open; i++)
			if (strcmp(fig.left_open[i].knob, "interval_min") == 0)
				open = &fig.left_open[i];
		cr_assert(eq(int, open != NULL, k == 0));
		if (open)
			cr_expect(epsilon_eq(
				dbl, open->value, figure_number(&fig, "young_min"), 1e-9));
		figure_release(&fig);
	}
}
