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

Test(goodput, laws)
{
	double at_best = value_of("", "goodput_pct");
	cr_expect(lt(dbl, value_of("interval_min=5", "goodput_pct"), at_best));
	cr_expect(lt(dbl, value_of("interval_min=600", "goodput_pct"), at_best));
	cr_expect(lt(dbl, at_best, value_of("async=on", "goodput_pct")));
	cr_expect(lt(dbl, value_of("gpus=16384", "goodput_pct"), at_best));
	cr_expect(lt(dbl, value_of("async=on", "young_min"), value_of("", "young_min")));
	/* F0.5: $ per useful hour is price over goodput; 2,048 GPUs x 720 h x $2 */
	cr_expect(epsilon_eq(dbl, value_of("", "cost_per_useful_gpu_h"), 200 / at_best, 1e-9));
	cr_expect(epsilon_eq(dbl, value_of("", "cost_usd"), 2949120, 1e-6));
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

/* 50,000 h over 2,048 GPUs are 24.414 h. 70,553,706,496 parameters of 14 B through 16 GB/s take
 * 61.734 s. Young: the root of 2 x 61.734 x 87,890.6 s, 3,294.2 s. An eighth of Llama 3's 16,384
 * GPUs have an eighth of its 2 TB/s, one of them a disk. */
static const struct sim_row shown[] = {
	{ "", "mtbf_cluster_h", 24.4140625, 0 },
	{ "gpus=1024", "mtbf_cluster_h", 48.828125, 0 },
	{ "", "write_s", 70553706496. * 14 / 250e9, 0 },
	{ "gpus=1", "write_s", 70553706496. * 7 / 1e9, 0 },
	{ "storage_GBps=16", "write_s", 70553706496. * 14 / 16e9, 0 },
	{ "storage_GBps=32", "write_s", 70553706496. * 7 / 16e9, 0 },
	{ "storage_GBps=16", "young_min", 54.9034, 0.0005 },
	{ "checkpoint_s=60 mtbf_h=20480", "young_min", 34.6410,
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
	static const char *const set = "gpus=16384 model=llama3-405b days=54";
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

/* The sentence says the large number beside the figure, whatever else is wrong, and first what costs most
 * where the interval is as good as the best. 25 minutes are neither that nor a mistake. */
Test(goodput, sentence_says_the_goodput_and_what_costs_most)
{
	static const struct {
		const char *settings, *said;
	} rows[] = {
		{ "", "at the best interval, 14 min" },
		{ "interval_min=25", "at an interval of 25" },
		{ "interval_min=480", "is too rare" },
		{ "interval_min=5", "is too often" },
		{ "restart_min=240", "A faster restart" },
		{ "gpus=131072 mtbf_h=500 restart_min=60", "something fails" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = sim_run(&goodput_sim, &t, rows[i].settings);
		char says[64];
		snprintf(says, sizeof says, "%.3g %% ", figure_number(&fig, "goodput_pct"));
		cr_expect(eq(str, (char *)fig.values[0].id, "goodput_pct"));
		const char *said = strstr(fig.why, says);
		cr_expect(said && strstr(said, "counts"), "%s", fig.why);
		cr_expect(
			strstr(fig.why, rows[i].said) != NULL, "%s: %s", rows[i].settings, fig.why);
		if (strstr(fig.why, "most")) {
			double restarts = figure_number(&fig, "restart_pct");
			double writing = figure_number(&fig, "checkpoint_pct");
			/* in a run of 30 days */
			double lost = figure_number(&fig, "lost_h") / (30 * 24) * 100;
			bool is_restart = strncmp(fig.why, "Restarts", strlen("Restarts")) == 0;
			cr_expect(
				eq(int, is_restart, fmax(lost, writing) < restarts), "%s", fig.why);
		}
		figure_release(&fig);
	}
	/* Who need not wait for a restart pays for writing, or for what is lost: both are the same at
	 * the best interval. */
	struct figure fig = sim_run(&goodput_sim, &t, "restart_min=0");
	cr_expect(strstr(fig.why, "cost") && !strstr(fig.why, "Restarts"), "%s", fig.why);
	figure_release(&fig);
}

/* One interval's three lanes meet the same stretch: a failure and four times three intervals. */
Test(goodput, the_run_shows_a_failure)
{
	struct figure fig = sim_run(&goodput_sim, &t, "interval_min=60 step_s=6");
	const struct timeline *run = NULL;
	size_t restarts[3] = { 0 };
	for (size_t i = 0; i < fig.n_blocks; i++)
		if (fig.blocks[i]->kind == BLOCK_TIMELINE)
			run = &fig.blocks[i]->as.timeline;
	cr_assert(run && run->n_lanes == 3);
	for (size_t i = 0; i < run->n_spans; i++)
		restarts[run->spans[i].lane] += run->spans[i].kind == PHASE_RESTART;
	for (size_t lane = 0; lane < 3; lane++)
		cr_expect(ge(sz, restarts[lane], 1), "lane %zu", lane);
	/* 12 h of work at whole steps of 6 s and what they wait for: within a step of an hour each */
	cr_expect(epsilon_eq(dbl, fig.duration_s, 12 * 3600, 12 * 8));
	figure_release(&fig);
}

/* Where less than 10 % of the time is lost the axis begins at 90 %, less than 30 % at 70 %. A checkpoint of a minute's writing each minute loses half, and its mark, a
 * minute from the left, is on the axis. Young's interval, which is set, is the best, and the rule of the
 * best then stands where its mark does. The axis of intervals is the same for eight times the GPUs, so
 * that the mark moves along it; with 16 GPUs, of 3,125 hours between failures, Young's interval is 29 hours, and the axis has them. */
Test(goodput, the_axis_holds_the_setting_and_stays)
{
	static const struct {
		const char *settings;
		double y_min, x_max;
		const char *name;
	} rows[] = { { "", 90, 1000, "now = best" }, { "gpus=16384", 70, 1000, "now = best" },
		{ "interval_min=1 storage_GBps=16", 0, 1000, "now" },
		{ "gpus=16", 90, 10000, "now" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = sim_run(&goodput_sim, &t, rows[i].settings);
		const struct plot *p = &fig.blocks[0]->as.plot;
		const struct series *here = &p->series[p->n_series - 1];
		cr_expect(eq(dbl, p->y.min, rows[i].y_min), "%s", rows[i].settings);
		cr_assert(eq(sz, here->n, 1));
		cr_expect(eq(str, (char *)here->points[0].name, (char *)rows[i].name));
		bool best = strcmp(rows[i].name, "now") != 0;
		cr_expect(eq(int, *p->rules[0].label == '\0', best), "said once");
		cr_expect(
			eq(int, p->rules[0].at == here->points[0].x, best), "%s", rows[i].settings);
		cr_expect(epsilon_eq(dbl, p->x.min, 0.1, 1e-9));
		cr_expect(epsilon_eq(dbl, p->x.max, rows[i].x_max, 1e-9), "%s", rows[i].settings);
		cr_expect(lt(dbl, p->x.min, here->points[0].x));
		cr_expect(lt(dbl, here->points[0].x, p->x.max));
		cr_expect(epsilon_eq(
			dbl, here->points[0].y, figure_number(&fig, "goodput_pct"), 1e-9));
		figure_release(&fig);
	}
}
