/* The simulation `goodput`: where the wall clock of a long training run goes, how often it should
 * write checkpoints, and what an hour that counts costs.
 *
 * Every interval between checkpoints is tried on the same failures, so that the best one is not a
 * matter of luck: its neighbours had the same bad days. */
#include "sims/constants.h"
#include "sims/knobs.h"
#include "sims/figure/uncovered.h"
#include "sims/base/arena.h"
#include "sims/base/array.h"
#include "sims/base/stats.h"
#include "sims/formulas/scaling.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/scaling/goodput_run.h"
#include "sims/scaling/plan_search.h"
#include "sims/training/model_params.h"
#include "sims/scaling/train_goals.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	GPUS,
	MTBF_H,
	CHECKPOINT_S,
	INTERVAL_MIN,
	RESTART_MIN,
	ASYNC,
	SNAPSHOT_S,
	DAYS,
	PRICE,
	GPU,
	STEP_S,
	JITTER_PCT,
	COMM_PCT,
	DATA_PCT,
	MODEL,
	RECIPE,
	STORAGE_GBPS,
	RUNS,
	SEED,
	N_KNOBS
};

static const struct knob knobs[N_KNOBS] = {
	[GPUS] = KNOB_DOUBLING("gpus", "GPUs", "", 1, 131072, 8192,
		"one of them fails, all stop: twice as many halve the time between failures, and "
		"the slowest of more is slower"),
	[MTBF_H] = KNOB_FACTOR("mtbf_h", "GPU fails every", "h", 500, 1e6, 50000, 1.25,
		"hours between failures of one GPU with its share of node and network; 50,000 is "
		"what Llama 3's 466 interruptions in 54 days on 16,384 GPUs amount to"),
	[CHECKPOINT_S] = KNOB_FACTOR("checkpoint_s", "write time", "s", 0, 3600, 0, 1.25,
		"auto: 14 B per parameter over the storage; the best interval grows with its root",
		.zero = "auto", .group = "checkpoint"),
	[INTERVAL_MIN] = KNOB_FACTOR("interval_min", "checkpoint every", "min", 0, 1440, 0, 1.25,
		"work between two checkpoints, auto is Young's: shorter pays for writing, longer "
		"for work that a failure takes",
		.zero = "auto"),
	[RESTART_MIN] = KNOB_LINEAR("restart_min", "restart takes", "min", 0, 240, 10, 1,
		"to notice, replace, load and warm up: it costs the same at every interval, so no "
		"checkpoint policy helps against it"),
	[ASYNC] = KNOB_SWITCH("async", "asynchronous", 0,
		"training goes on once the state is copied to host memory: only that copy stalls, "
		"and checkpoints may come more often",
		.group = "checkpoint"),
	[SNAPSHOT_S] = KNOB_FACTOR("snapshot_s", "copy to host", "s", 0.1, 600, 3, 1.25,
		"the stall that is left of an asynchronous checkpoint",
		.when = { WHEN(ASYNC, KNOB_ON) }, .group = "checkpoint"),
	[DAYS] = KNOB_LINEAR("days", "length of the run", "day", 1, 365, 30, 1,
		"shares settle with it; hours and dollars grow with it", .group = "run"),
	[PRICE] = KNOB_LINEAR("price_per_gpu_h", "price", "$/h", 0, 100, 2, 0.1,
		"of one GPU: what counts is the price of an hour that moves the training on",
		.group = "run"),
	[GPU] = KNOB_ANY_GPU("h100",
		"it sets the step that is on auto: what a failure takes is "
		"counted in hours of these",
		.group = "step"),
	[STEP_S] = KNOB_FACTOR("step_s", "compute of a step", "s", 0, 600, 0, 1.25,
		"on every GPU alike; checkpoints are taken between steps; auto: the model's own, in "
		"a usual layout",
		.zero = "auto", .stands_for = "compute_s", .least = 0.01, .group = "step"),
	[JITTER_PCT] = KNOB_LINEAR("jitter_pct", "jitter", "%", 0, 50, 1, 0.5,
		"deviation of a GPU's step: all wait for the slowest, which of more is further "
		"out",
		.group = "step"),
	[COMM_PCT] = KNOB_LINEAR("comm_pct", "comm and bubble", "%", 0, 300, 0, 1,
		"communication that no compute hides and the pipeline's bubble, relative to compute: "
		"paid in every step, and shared as in the model's layout; auto: the model's own",
		.zero = "auto", .stands_for = "exposed_pct", .group = "step"),
	[DATA_PCT] = KNOB_LINEAR("data_pct", "data wait", "%", 0, 300, 2, 1,
		"waiting for the loader, relative to compute: paid in every step", .group = "step"),
	[MODEL] = KNOB_ANY_PARTS_OF("model", "model", "llama3-405b",
		"its parameters, of a mixture those of all experts, set how much a checkpoint holds, "
		"and with the GPUs how long a step takes",
		.group = "step"),
	[RECIPE] = KNOB_CHOICE_OF("act_dtype", "products in", step_recipe_ids, step_recipe_names,
		"bf16",
		"a recipe sets the step that is on auto, and how wide the moments in a checkpoint "
		"are: failures come as often, and take work of shorter steps",
		.group = "step"),
	[STORAGE_GBPS] = KNOB_FACTOR("storage_GBps", "storage", "GB/s", 0, 10000, 0, 1.25,
		"of all writers together: it sets the write time; auto: 0.12 for each GPU, as "
		"Llama 3 had",
		.zero = "auto", .when = { WHEN(CHECKPOINT_S, 0) }, .group = "checkpoint"),
	[RUNS] = KNOB_DOUBLING("runs", "runs", "", 1, 200, 40,
		"repetitions with failures of their own: the mean settles, single runs do not",
		.group = "run"),
	[SEED] = KNOB_SEED(0, 1e6,
		"other failures of the same rate: what changes with it is chance", .group = "run"),
};

/* Parts of a step. */
enum { COMPUTE, SLOWEST, EXPOSED, BUBBLE, DATA, N_STEP_PARTS };

/* What a knob setting amounts to. */
struct goodput {
	const double *v;
	struct train_plan layout; /* whose step it is where nothing else is said */
	double parts_s[N_STEP_PARTS];
	double step_s, gpus, wanted_s; /* wanted_s: the length asked for */
	double write_s, mtbf_s, young_s, daly_s;
	double interval_s; /* work between checkpoints, whole steps */
	struct goodput_plan plan;
	size_t runs;
	double *const *failures_s; /* of each run */
	struct goodput_share mean;
	double *work_s; /* that counts, for each run at interval_s */
	double best_s;
	struct arena *arena;
};

enum { MOST_FAILURES = 12000 }; /* in all runs: the whole curve takes some milliseconds */

/* The job where nothing else is said: 4 M tokens a step, or as many for each GPU as Llama 3 took on
 * 16,384, over the network of a usual cluster. */
static struct train_goal goal_of(const struct tables *t, const double v[])
{
	static const double step_tokens = 4194304, gpu_tokens = 1024, longest = 8192;
	const struct model *m = model_at(t, v[MODEL]);
	const struct accelerator *gpu = gpu_at(t, v[GPU]);
	double seq = fmin(longest, m->context > 0 ? m->context : longest);
	return (struct train_goal){ .model = m,
		.gpu = gpu,
		.net = network_measured(gpu->family, gpu_domain(gpu), gpu->link_bandwidth,
			NDR_CARD_GB_PER_S * 1e9, NETWORK_LATENCY_S),
		.gpus = v[GPUS],
		.global_batch = fmax(1, floor(fmax(step_tokens, gpu_tokens * v[GPUS]) / seq)),
		.seq = seq,
		.dtype = step_recipe_at(v[RECIPE])->dtype,
		.recipe = step_recipe_at(v[RECIPE]),
		.software.date = SOFTWARE_2025,
		.routing = ROUTING_RECORDED,
		.memory_share = PLAN_MEMORY_SHARE };
}

/* What a GPU computes of a step; in the rest it sends, or waits in the pipeline. */
static double computed_s(const struct train_plan *p)
{
	static const enum step_part computed[] = { SPENT_PRODUCTS, SPENT_ATTENTION, SPENT_POINTWISE,
		SPENT_RECOMPUTE, SPENT_HEAD, SPENT_OPTIMIZER };
	double sum = 0;
	for (size_t i = 0; i < LENGTH(computed); i++)
		sum += p->spent_s[computed[i]];
	return fmin(1, sum * p->tokens_per_s) * p->step_s;
}

/* False when memory is out. */
static bool find_step(struct goodput *g, const struct tables *t)
{
	const double *v = g->v;
	struct train_goal goal = goal_of(t, v);
	if (!train_usual(&goal, &g->layout, g->arena))
		return false;
	double compute_s = computed_s(&g->layout), rest_s = g->layout.step_s - compute_s;
	double rest = v[COMM_PCT] > 0 ? v[COMM_PCT] / 100 : rest_s / compute_s;
	double waits = rest_s > 0 ? fmin(1, g->layout.bubble_s / rest_s) : 0; /* of the rest */
	if (v[STEP_S] > 0)
		compute_s = v[STEP_S];
	g->parts_s[COMPUTE] = compute_s;
	g->parts_s[SLOWEST] = compute_s * v[JITTER_PCT] / 100 * expected_max_normal(v[GPUS]);
	g->parts_s[EXPOSED] = compute_s * rest * (1 - waits);
	g->parts_s[BUBBLE] = compute_s * rest * waits;
	g->parts_s[DATA] = compute_s * v[DATA_PCT] / 100;
	g->step_s = 0;
	for (size_t i = 0; i < N_STEP_PARTS; i++)
		g->step_s += g->parts_s[i];
	return true;
}

/* B/s that all writers share. Where nothing is said it grows with the cluster as that of Llama 3,
 * 2 TB/s for 16,384 GPUs (Meta, 2024); a few GPUs have a disk of their own. */
static double storage_of(const double v[])
{
	static const double per_gpu = 2e12 / 16384, one_disk = 2e9;
	return v[STORAGE_GBPS] > 0 ? v[STORAGE_GBPS] * 1e9 : fmax(one_disk, per_gpu * v[GPUS]);
}

/* What the GPU's products run in: it sets a step's time, and how wide the moments in a checkpoint are. */
static const struct step_recipe *recipe_run(const struct tables *t, const double v[])
{
	return step_recipe_on(step_recipe_at(v[RECIPE]), gpu_at(t, v[GPU]));
}

static void find_plan(struct goodput *g, const struct tables *t)
{
	const double *v = g->v;
	double bytes = CALL(resumable_checkpoint_bytes,
		.params = model_trained_params(model_at(t, v[MODEL])),
		.bytes_per_param = BF16_BYTES + FP32_BYTES + recipe_run(t, v)->moment_bytes);
	g->write_s = v[CHECKPOINT_S] > 0 ? v[CHECKPOINT_S] : bytes / storage_of(v);
	g->plan.stall_s = v[ASYNC] > 0 ? fmin(v[SNAPSHOT_S], g->write_s) : g->write_s;
	g->plan.lag_s = g->write_s - g->plan.stall_s;
	g->plan.restart_s = v[RESTART_MIN] * MINUTE_S;
	g->mtbf_s = CALL(cluster_mtbf, .device_mtbf = v[MTBF_H] * HOUR_S, .gpus = v[GPUS]);
	g->young_s = CALL(young_interval, .checkpoint_time = g->plan.stall_s, .mtbf = g->mtbf_s);
	g->daly_s = g->mtbf_s; /* Daly's answer where a write takes two MTBF or more */
	if (g->plan.stall_s < 2 * g->mtbf_s)
		g->daly_s =
			CALL(daly_interval, .checkpoint_time = g->plan.stall_s, .mtbf = g->mtbf_s);
	g->interval_s = v[INTERVAL_MIN] > 0 ? v[INTERVAL_MIN] * MINUTE_S : g->young_s;
}

/* As many runs, and as long ones, as there may be failures. */
static bool find_failures(struct goodput *g)
{
	const double *v = g->v;
	double asked_s = v[DAYS] * DAY_S, affordable_s = MOST_FAILURES * g->mtbf_s;
	g->plan.horizon_s = fmin(asked_s, affordable_s);
	g->runs = (size_t)fmax(1, fmin(v[RUNS], floor(affordable_s / g->plan.horizon_s)));
	double **failures = arena_array(g->arena, g->runs, sizeof *failures);
	g->work_s = arena_array(g->arena, g->runs, sizeof *g->work_s);
	for (size_t i = 0; failures && i < g->runs; i++)
		failures[i] = goodput_failures(
			g->arena, g->mtbf_s, g->plan.horizon_s, (uint64_t)v[SEED], i);
	g->failures_s = failures;
	return !g->arena->failed;
}

static struct goodput_plan goodput_plan_at(const struct goodput *g, double interval_s)
{
	struct goodput_plan p = g->plan;
	/* Whole steps, and no checkpoint before the last one is written. */
	p.work_s = fmax(1, round(fmax(interval_s, p.lag_s) / g->step_s)) * g->step_s;
	return p;
}

/* The interval as it was asked for, where one can have it: a plan has whole steps of it, and nobody
 * sets a minute and reads 1.01. */
static double interval_had_s(const struct goodput *g, double asked_s)
{
	return fmax(fmax(asked_s, g->plan.lag_s), g->step_s);
}

static struct goodput_share goodput_mean(
	const struct goodput *g, double interval_s, double work_s[])
{
	struct goodput_plan p = goodput_plan_at(g, interval_s);
	struct goodput_share mean = { 0 };
	double n = (double)g->runs;
	for (size_t i = 0; i < g->runs; i++) {
		struct goodput_share s = goodput_run(&p, g->failures_s[i], NULL, NULL);
		if (work_s)
			work_s[i] = s.work_s;
		mean.work_s += s.work_s / n;
		mean.checkpoint_s += s.checkpoint_s / n;
		mean.lost_s += s.lost_s / n;
		mean.restart_s += s.restart_s / n;
		mean.failures += s.failures / n;
	}
	return mean;
}

static const char *goodput_interval_text(struct figure *fig, double s)
{
	return s < MINUTE_S      ? figure_text(fig, "%.2g s", s)
	       : s < 2 * HOUR_S  ? figure_text(fig, "%.3g min", s / MINUTE_S)
	       : s < 10 * HOUR_S ? figure_text(fig, "%.2g h", s / HOUR_S)
				 : figure_text(fig, "%.0f h", s / HOUR_S);
}

/* --- Pictures --- */

enum { CURVE_POINTS = 25 };

/* Where a parabola in log(interval), fitted to points [from, to), has its top: least squares
 * through the normal equations, x counted from the middle. NAN where it opens upwards. */
static double parabola_top(const double *x, const double *y, size_t from, size_t to)
{
	double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, t0 = 0, t1 = 0, t2 = 0;
	double middle = (x[from] + x[to - 1]) / 2;
	for (size_t i = from; i < to; i++) {
		double d = x[i] - middle;
		s0++, s1 += d, s2 += d * d, s3 += d * d * d, s4 += d * d * d * d;
		t0 += y[i], t1 += d * y[i], t2 += d * d * y[i];
	}
	double det = s0 * (s2 * s4 - s3 * s3) - s1 * (s1 * s4 - s2 * s3) + s2 * (s1 * s3 - s2 * s2);
	double b = s0 * (t1 * s4 - t2 * s3) - t0 * (s1 * s4 - s2 * s3) + s2 * (s1 * t2 - s2 * t1);
	double c = s0 * (s2 * t2 - s3 * t1) - s1 * (s1 * t2 - s2 * t1) + t0 * (s1 * s3 - s2 * s2);
	return c / det < 0 ? middle - b / (2 * c) : NAN;
}

/* The best of the curve: its highest point, made precise by its neighbours. */
static double top_of_curve_s(const double *log_s, const double *share)
{
	enum { REACH = 6 };
	size_t best = largest_of(share, CURVE_POINTS);
	size_t from = best > REACH ? best - REACH : 0;
	size_t to = best + REACH + 1 < CURVE_POINTS ? best + REACH + 1 : CURVE_POINTS;
	double top = parabola_top(log_s, share, from, to);
	if (!(top >= log_s[from] && top <= log_s[to - 1]))
		top = log_s[best];
	return exp(top);
}

/* Tries intervals from a sixteenth of Young's to sixteen times it, but none that one cannot have: it
 * has a step, and a checkpoint is written before the next one. */
static double best_interval_s(const struct goodput *g)
{
	double log_s[CURVE_POINTS], share[CURVE_POINTS];
	double lo = fmax(g->young_s / 16, fmax(g->plan.lag_s, g->step_s));
	double hi = 16 * fmax(g->young_s, lo);
	for (size_t i = 0; i < CURVE_POINTS; i++) {
		double interval_s = lo * pow(hi / lo, (double)i / (CURVE_POINTS - 1));
		log_s[i] = log(goodput_plan_at(g, interval_s).work_s);
		share[i] = goodput_mean(g, interval_s, NULL).work_s;
	}
	return top_of_curve_s(log_s, share);
}

/* Intervals whose logarithms differ by less are as good as the same: between them goodput differs by
 * less than chance does. */
static const double AS_GOOD = 0.1;

static bool is_as_good_as_best(const struct goodput *g)
{
	return fabs(log(g->plan.work_s / g->best_s)) < AS_GOOD;
}

struct lane {
	struct figure *fig;
	struct timeline *timeline;
	unsigned lane;
	double from_s, to_s;
	double lost_s; /* by the present failure, for its caption */
	bool told;
};

static void add_span(void *ctx, enum goodput_phase phase, double start_s, double end_s)
{
	struct lane *l = ctx;
	double from_s = fmax(start_s, l->from_s), to_s = fmin(end_s, l->to_s);
	if (to_s <= from_s)
		return;
	timeline_span(l->fig, l->timeline, l->lane, phase, from_s - l->from_s, to_s - l->from_s,
		phase == PHASE_LOST ? figure_text(l->fig, "lost %s",
					      goodput_interval_text(l->fig, end_s - start_s))
				    : NULL);
	if (!l->told)
		return;
	l->lost_s = phase == PHASE_LOST   ? l->lost_s + end_s - start_s
		    : phase == PHASE_WORK ? 0
					  : l->lost_s;
	if (phase != PHASE_RESTART)
		return;
	figure_moment(l->fig, from_s - l->from_s,
		"a failure takes %s of work since the last checkpoint, and %s to restart",
		figure_quantity(l->fig, l->lost_s, "s"),
		figure_quantity(l->fig, end_s - start_s, "s"));
	l->lost_s = 0;
}

/* Intervals that are compared, from short to long: some around Young's, and among them the one that is
 * set. */
enum { MOST_COMPARED = 10 };
struct compared {
	double interval_s[MOST_COMPARED];
	size_t n, now; /* now: the one that is set */
};

/* To one digit, of minutes or of hours: an interval as one would choose it. */
static double chosen_s(double s)
{
	double unit = s < MINUTE_S ? 1 : s < 2 * HOUR_S ? MINUTE_S : HOUR_S;
	double digit = pow(10, floor(log10(s / unit)));
	return fmax(1, round(s / unit / digit)) * digit * unit;
}

static void compare(struct compared *c, double interval_s, bool is_set)
{
	if (is_set)
		c->now = c->n;
	c->interval_s[c->n++] = interval_s;
}

/* These multiples of Young's interval, but for those that the one that is set differs from by no such factor. */
static struct compared compared_of(
	const struct goodput *g, const double ratios[], size_t n, double alike)
{
	struct compared c = { .n = 0 };
	bool placed = false;
	for (size_t i = 0; i < n; i++) {
		double least_s = fmax(g->plan.lag_s, g->step_s), s = g->young_s * ratios[i];
		s = fmax(least_s, ratios[i] < 1 || ratios[i] > 1 ? chosen_s(s) : s);
		double apart = g->plan.work_s / s;
		if (!placed && apart < alike) {
			placed = true;
			compare(&c, g->interval_s, true);
		}
		if ((apart >= alike || apart <= 1 / alike) &&
			(c.n == 0 || s > alike * c.interval_s[c.n - 1] || c.now + 1 == c.n))
			compare(&c, s, false);
	}
	if (!placed)
		compare(&c, g->interval_s, true);
	return c;
}

static const char *every(const struct goodput *g, struct figure *fig, double interval_s)
{
	return figure_text(
		fig, "every %s", goodput_interval_text(fig, interval_had_s(g, interval_s)));
}

/* A failure that takes about half of the longest interval, as failures do on average, with that much
 * before it, and work after it. Where failures come faster than checkpoints it has several of them. */
static struct lane stretch_of(const struct goodput *g, double longest_s)
{
	const double *failures_s = g->failures_s[0];
	struct goodput_plan p = goodput_plan_at(g, longest_s);
	double cycle_s = p.work_s + p.stall_s, up_s = 0, least = INFINITY, horizon_s = p.horizon_s;
	double at_s = fmin(failures_s[0], horizon_s);
	for (size_t i = 0; failures_s[i] < horizon_s; i++) {
		double ran_s = failures_s[i] - up_s, half = fmod(ran_s, cycle_s) / cycle_s - 0.6;
		/* it has run for long enough to be shown */
		half = fabs(half) + (ran_s < 1.2 * cycle_s);
		at_s = half < least ? failures_s[i] : at_s;
		least = fmin(least, half);
		up_s = failures_s[i] + p.restart_s;
	}
	double length_s = fmin(1.15 * cycle_s, 4 * g->mtbf_s) + p.restart_s;
	struct lane l = { .from_s = fmax(0, at_s - 0.65 * length_s) };
	l.to_s = fmin(horizon_s, l.from_s + length_s);
	return l;
}

static void draw_lane(
	const struct goodput *g, struct lane *l, unsigned lane, double interval_s, bool told)
{
	enum { MOST_CYCLES = 20000 };
	struct goodput_plan p = goodput_plan_at(g, interval_s);
	double useful = goodput_mean(g, interval_s, NULL).work_s / g->plan.horizon_s;
	p.horizon_s = fmin(p.horizon_s, l->to_s * (1 + 1e-9));
	/* Checkpoints beyond counting are drawn as fewer that take as large a share. */
	double coarser = fmax(1, l->to_s / (MOST_CYCLES * (p.work_s + p.stall_s)));
	p.work_s *= coarser;
	p.stall_s *= coarser;
	l->lane = lane;
	l->lost_s = 0;
	l->told = told;
	goodput_run(&p, g->failures_s[0], add_span, l);
	timeline_note(
		l->fig, l->timeline, lane, figure_text(l->fig, "%.3g %% useful", 100 * useful));
}

/* Rules at the failures, as many as there are places for: more of them would hide the lanes, whose restarts
 * show them as well. */
static void rule_failures(struct lane *l, const double failures_s[])
{
	enum { MOST = 4 };
	size_t first = 0, end;
	while (failures_s[first] <= l->from_s)
		first++;
	for (end = first; failures_s[end] < l->to_s;)
		end++;
	for (size_t i = first; end - first <= MOST && i < end; i++)
		timeline_rule(l->fig, l->timeline, failures_s[i] - l->from_s, "failure", ROLE_BAD);
}

/* The same failure at each interval. */
static void goodput_draw_run(const struct goodput *g, struct figure *fig)
{
	static const char *const kinds[N_PHASES] = { "useful", "writing", "lost", "restart" };
	static const enum meaning means[N_PHASES] = { MEANS_COMPUTE, MEANS_FIXED, MEANS_SECOND,
		MEANS_WAITING };
	static const double ratios[] = { 1. / 6, 1, 6 };
	struct compared shown = compared_of(g, ratios, LENGTH(ratios), 1.3);
	const char *names[MOST_COMPARED];
	for (size_t i = 0; i < shown.n; i++)
		names[i] = every(g, fig, shown.interval_s[i]);
	struct lane l = stretch_of(g, shown.interval_s[shown.n - 1]);
	l.fig = fig;
	bool fails = g->failures_s[0][0] < g->plan.horizon_s;
	l.timeline = figure_timeline(fig,
		figure_text(fig, "%s failure, and what is useful in %.3g days",
			fails ? "One" : "No", g->plan.horizon_s / DAY_S),
		names, shown.n, kinds, N_PHASES);
	timeline_mean(fig, l.timeline, means, N_PHASES);
	figure_tab(fig, "A failure");
	fig->duration_s = l.to_s - l.from_s;
	for (unsigned i = 0; i < shown.n; i++)
		draw_lane(g, &l, i, shown.interval_s[i], i == shown.now);
	rule_failures(&l, g->failures_s[0]);
	if (l.timeline)
		l.timeline->tall = 1 + shown.now;
}

/* What is lost at each of more intervals: writing shrinks from bar to bar, what failures take grows, and
 * where both are alike the bar is shortest. */
static void goodput_draw_costs(const struct goodput *g, struct figure *fig)
{
	enum { N_PARTS = 3 };
	static const char *const names[N_PARTS] = { "writing", "lost", "restart" };
	static const enum meaning means[N_PARTS] = { MEANS_FIXED, MEANS_SECOND, MEANS_WAITING };
	static const double ratios[] = { 1. / 6, 1. / 2, 1, 2, 6 };
	struct compared shown = compared_of(g, ratios, LENGTH(ratios), 1.5);
	struct bars *b =
		figure_bars(fig, "Time without useful work, by interval", "%", names, N_PARTS);
	bars_mean(fig, b, means, N_PARTS);
	figure_tab(fig, "Intervals");
	double pct = 100 / g->plan.horizon_s;
	for (size_t i = 0; i < shown.n; i++) {
		struct goodput_share s = goodput_mean(g, shown.interval_s[i], NULL);
		struct bar *bar = bars_add(fig, b, every(g, fig, shown.interval_s[i]),
			(const double[]){
				pct * s.checkpoint_s, pct * s.lost_s, pct * s.restart_s });
		if (bar && i == shown.now)
			bar->role = ROLE_ACCENT;
	}
	if (b)
		b->close = true;
}

enum { N_LOSSES = N_STEP_PARTS + 3 };

/* What the wall clock goes into, in % of it: the parts of a step that counts, then what does not. */
static void losses_of(const struct goodput *g, const struct goodput_share *s, double part[N_LOSSES])
{
	const double lost_s[] = { s->checkpoint_s, s->lost_s, s->restart_s };
	for (size_t k = 0; k < N_LOSSES; k++)
		part[k] = (k < N_STEP_PARTS ? s->work_s * g->parts_s[k] / g->step_s
					    : lost_s[k - N_STEP_PARTS]) *
			  100 / g->plan.horizon_s;
}

static void goodput_draw_hours(const struct goodput *g, struct figure *fig)
{
	static const char *const names[N_LOSSES] = { "compute", "slowest GPU", "communication",
		"pipeline bubble", "data", "writing", "lost work", "restarts" };
	/* In the colours of the other two pictures: a restart is waiting too. */
	enum { COMPUTES, WAITS, SENDS, WRITES, LOST, N_GROUPS };
	static const char *const groups[N_GROUPS] = { "computes", "waits", "communicates",
		"writing", "lost" };
	static const enum meaning means[N_GROUPS] = { MEANS_COMPUTE, MEANS_WAITING, MEANS_NETWORK,
		MEANS_FIXED, MEANS_SECOND };
	static const unsigned char group_of[N_LOSSES] = { COMPUTES, WAITS, SENDS, WAITS, WAITS,
		WRITES, LOST, WAITS };
	double part[N_LOSSES], hours = g->wanted_s / HOUR_S;
	losses_of(g, &g->mean, part);
	const char *title = figure_text(fig, "Where %g days go: the first five are useful, %.3g %%",
		g->v[DAYS], 100 * g->mean.work_s / g->plan.horizon_s);
	struct bars *b = figure_bars(fig, title, "%", groups, N_GROUPS);
	bars_mean(fig, b, means, N_GROUPS);
	figure_tab(fig, "Hours");
	for (size_t k = 0; k < N_LOSSES; k++) {
		double of[N_GROUPS] = { 0 };
		of[group_of[k]] = part[k];
		struct bar *bar = bars_add(fig, b, names[k], of);
		if (bar)
			bar->note = figure_quantity(fig, hours * part[k] / 100, "h");
	}
	if (b)
		b->close = true;
}

/* --- The simulation --- */

static void simulate(struct goodput *g)
{
	g->plan = goodput_plan_at(g, g->interval_s);
	g->mean = goodput_mean(g, g->interval_s, g->work_s);
}

static double share(const struct goodput *g, double s)
{
	return s / g->plan.horizon_s;
}

static void add_values(const struct goodput *g, struct figure *fig)
{
	const double *v = g->v;
	double goodput = share(g, g->mean.work_s), hours = v[DAYS] * (DAY_S / HOUR_S);
	double ci = share(g, mean_half_width95(g->work_s, g->runs));
	double compute = goodput * g->parts_s[COMPUTE] / g->step_s;
	double usd_per_h = goodput > 1e-6 ? CALL(cost_per_useful_hour, .gpus = 1,
						    .price_per_hour = v[PRICE], .goodput = goodput)
					  : INFINITY;
	enum role role = goodput < 0.8 ? ROLE_BAD : goodput < 0.9 ? ROLE_WARN : ROLE_GOOD;
	value_note(figure_value(fig, "goodput_pct", "goodput", 100 * goodput, "%", role),
		isfinite(ci) ? figure_text(fig, "± %.2g, %zu runs", 100 * ci, g->runs)
			     : "of a single run");
	value_note(figure_value(fig, "lost_h", "work lost", share(g, g->mean.lost_s) * hours, "h",
			   ROLE_PLAIN),
		"done twice");
	value_note(figure_value(fig, "failures", "failures",
			   g->mean.failures * v[DAYS] * DAY_S / g->plan.horizon_s, "", ROLE_PLAIN),
		figure_text(fig, "in %g days", v[DAYS]));
	value_note(figure_value(fig, "restart_pct", "restarts", 100 * share(g, g->mean.restart_s),
			   "%", ROLE_PLAIN),
		figure_quantity(fig, share(g, g->mean.restart_s) * hours, "h"));
	value_note(figure_value(fig, "best_min", "best interval", g->best_s / MINUTE_S, "min",
			   ROLE_PLAIN),
		"simulated");
	value_note(figure_value(fig, "young_min", "Young's formula", g->young_s / MINUTE_S, "min",
			   ROLE_PLAIN),
		fabs(log(g->young_s / g->best_s)) < AS_GOOD ? "as good" : NULL);
	value_note(figure_value(fig, "cost_per_useful_gpu_h", "$ per useful h", usd_per_h, "$",
			   ROLE_PLAIN),
		"of a GPU");
	value_note(figure_value(fig, "daly_min", "Daly", g->daly_s / MINUTE_S, "min", ROLE_DIM),
		"higher order");
	figure_value(fig, "compute_s", "compute of a step", g->parts_s[COMPUTE], "s", ROLE_DIM);
	const double of_compute = 100 / g->parts_s[COMPUTE];
	value_note(figure_value(fig, "exposed_pct", "comm and bubble",
			   of_compute * (g->parts_s[EXPOSED] + g->parts_s[BUBBLE]), "%", ROLE_DIM),
		"over compute");
	value_note(figure_value(fig, "comm_only_pct", "exposed comm",
			   of_compute * g->parts_s[EXPOSED], "%", ROLE_DIM),
		"over compute");
	value_note(figure_value(fig, "bubble_pct", "pipeline bubble",
			   of_compute * g->parts_s[BUBBLE], "%", ROLE_DIM),
		"over compute");
	figure_value(fig, "mtbf_cluster_h", "cluster MTBF", g->mtbf_s / HOUR_S, "h", ROLE_DIM);
	value_note(figure_value(fig, "write_s", "write time", g->write_s, "s", ROLE_DIM),
		figure_text(fig, "stalls %.3g s", g->plan.stall_s));
	figure_value(fig, "checkpoint_pct", "checkpoints", 100 * share(g, g->mean.checkpoint_s),
		"%", ROLE_DIM);
	value_note(figure_value(fig, "compute_pct", "compute", 100 * compute, "%", ROLE_DIM),
		"of the wall clock");
	figure_value(fig, "cost_usd", "the run",
		CALL(training_cost, .gpus = v[GPUS], .time = v[DAYS] * DAY_S,
			.price_per_hour = v[PRICE]),
		"$", ROLE_DIM);
}

/* Writing grows with the checkpoints and lost work shrinks with them: the best interval has about as much of
 * both, unless writing hides behind the steps. */
static const char *weighed_text(double saves_s, double lost_s)
{
	const double alike = 1.25;
	return saves_s > alike * lost_s   ? "more than"
	       : saves_s * alike < lost_s ? "less than"
					  : "what";
}

static void explain(const struct goodput *g, struct figure *fig)
{
	double ratio = g->plan.work_s / g->best_s, goodput = share(g, g->mean.work_s);
	double restart = g->mean.restart_s, lost = g->mean.lost_s, saves = g->mean.checkpoint_s;
	const char *each = goodput_interval_text(fig, interval_had_s(g, g->interval_s));
	const char *takes = goodput_interval_text(fig, lost / fmax(1e-9, g->mean.failures));
	const bool best = is_as_good_as_best(g);
	const char *useful = figure_text(fig, "%.3g %% is useful work", 100 * goodput);
	if (goodput < 0.02)
		figure_why(fig,
			"%s: every %s something fails, and to restart, work and write takes longer.",
			useful, figure_quantity(fig, g->mtbf_s, "s"));
	else if (restart > (best ? 2 : 1) * (lost + saves))
		figure_why(fig, "Checkpoints every %s %s: %s, restarts take %.2g %%.", each,
			best          ? "are about the best interval"
			: ratio > 2   ? "are too rare"
			: ratio < 0.5 ? "are too many"
				      : "are near the best interval",
			useful, 100 * share(g, restart));
	else if (best)
		figure_why(fig, "Checkpoints every %s cost %s failures undo: %s.", each,
			weighed_text(saves, lost), useful);
	else if (ratio > 2)
		figure_why(fig, "A checkpoint every %s is too rare: a failure undoes %s; %s.", each,
			takes, useful);
	else if (ratio < 0.5)
		figure_why(fig, "A checkpoint every %s is too often: writing takes %.2g %%; %s.",
			each, 100 * share(g, saves), useful);
	else
		figure_why(fig, "A checkpoint every %s is near the best: a failure undoes %s; %s.",
			each, takes, useful);
}

static void warn(const struct goodput *g, struct figure *fig)
{
	const double *v = g->v;
	double asked_s = v[DAYS] * DAY_S;
	if (g->plan.horizon_s < asked_s)
		figure_note(fig, ROLE_WARN,
			"%.3g of %g days are simulated, with some %d failures; hours and dollars "
			"are scaled up.",
			g->plan.horizon_s / DAY_S, v[DAYS], (int)MOST_FAILURES);
	if ((double)g->runs < v[RUNS])
		figure_note(fig, ROLE_PLAIN, "%zu of %g runs are made: they have failures enough.",
			g->runs, v[RUNS]);
	if (g->mtbf_s < 4 * (g->write_s + g->plan.restart_s))
		figure_note(fig, ROLE_WARN,
			"A failure every %s is hardly longer than write and restart: Young's "
			"formula supposes it much longer.",
			figure_quantity(fig, g->mtbf_s, "s"));
	if (g->interval_s < g->plan.lag_s)
		figure_note(fig, ROLE_WARN,
			"The last checkpoint is still being written after %s: the next is taken "
			"when it is done.",
			figure_quantity(fig, g->interval_s, "s"));
	if (share(g, g->mean.work_s) <= 1e-6)
		figure_note(fig, ROLE_WARN, "No hour counts, so that none has a price.");
}

/* Whose step it is, where it is not typed. */
static void tell_step(const struct goodput *g, const struct tables *t, struct figure *fig)
{
	const double *v = g->v;
	const struct accelerator *gpu = gpu_at(t, v[GPU]);
	char lack[160];
	if (*step_recipe_lack(step_recipe_at(v[RECIPE]), gpu, lack, sizeof lack))
		figure_note(fig, ROLE_WARN, "%s", lack);
	if (v[STEP_S] > 0 && v[COMM_PCT] > 0)
		return;
	figure_assume(fig, "the step: %s on %s, %s, products in %s", model_at(t, v[MODEL])->name,
		gpu->name, train_layout_text(&g->layout, &fig->arena),
		step_recipe_name(recipe_run(t, v)));
	if (g->layout.memory_bytes > PLAN_MEMORY_SHARE * gpu->memory_bytes)
		figure_note(fig, ROLE_WARN,
			"%s %s not fit on %s of %s: the step is that of more memory.",
			model_at(t, v[MODEL])->name, model_does(model_at(t, v[MODEL])),
			figure_quantity(fig, v[GPUS], "GPU"),
			figure_quantity(fig, gpu->memory_bytes, "B"));
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct goodput g = {
		.v = v, .gpus = v[GPUS], .wanted_s = v[DAYS] * DAY_S, .arena = &fig->arena
	};
	if (!find_step(&g, t))
		return;
	find_plan(&g, t);
	if (!find_failures(&g))
		return;
	simulate(&g);
	figure_subtitle(fig, "%s · a failure every %s · a checkpoint every %s, %s",
		figure_quantity(fig, v[GPUS], "GPU"), figure_quantity(fig, g.mtbf_s, "s"),
		goodput_interval_text(fig, interval_had_s(&g, g.interval_s)),
		v[ASYNC] > 0 ? "asynchronous" : "synchronous");
	g.best_s = best_interval_s(&g);
	if (!(v[INTERVAL_MIN] > 0))
		figure_left_open(fig, knobs[INTERVAL_MIN].id, g.interval_s / MINUTE_S);
	if (!(v[CHECKPOINT_S] > 0))
		figure_left_open(fig, knobs[CHECKPOINT_S].id, g.write_s);
	goodput_draw_run(&g, fig);
	goodput_draw_costs(&g, fig);
	goodput_draw_hours(&g, fig);
	add_values(&g, fig);
	explain(&g, fig);
	warn(&g, fig);
	note_windows(fig, goal_of(t, v).model, goal_of(t, v).seq);
	tell_step(&g, t, fig);
	figure_assume(fig, "failures come independently at a constant rate, and stop all GPUs");
	figure_assume(
		fig, "a failure during a restart begins it again; every checkpoint can be read");
	figure_assume(
		fig, "every interval meets the same failures; best: a parabola through the curve");
	figure_leave_out(
		fig, "spare nodes that run out, failures of several at once, storage load");
	figure_leave_out(fig, "silent data corruption, slow GPUs that do not fail, planned stops");
}

const struct sim goodput_sim = {
	.id = "goodput",
	.title = "Goodput",
	.summary = "Where a training run's wall clock goes: steps, checkpoints, failures, restarts",
	.page = "training-speed",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(INTERVAL_MIN, GPUS, ASYNC, RESTART_MIN, STORAGE_GBPS, MTBF_H),
	.try = "Checkpoint every 50 min, then on 16,384 GPUs. What is left to lose?",
	.run = run,
};
