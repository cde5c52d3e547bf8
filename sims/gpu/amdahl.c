/* The laws of scaling: Amdahl, Gustafson, universal scalability and the bandwidth that cores share,
 * each beside a program that is run. */
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/formulas/measurement.h"
#include "sims/formulas/roofline.h"
#include "sims/formulas/scaling.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/knobs.h"
#include "sims/gpu/fork_join.h"

#include <assert.h>
#include <math.h>

enum {
	LAW,
	WORKERS,
	SERIAL,
	CONTENTION,
	CROSSTALK,
	CORE,
	MEMORY,
	CV,
	ROUNDS,
	PART,
	FACTOR,
	WORK,
	SEED,
	N_KNOBS
};
enum { AMDAHL, GUSTAFSON, USL, BANDWIDTH, N_LAWS };
static const char *const laws[] = { "amdahl", "gustafson", "usl", "bandwidth", NULL };
static const char *const law_names[] = { "Amdahl", "Gustafson", "universal", "bandwidth" };

static const struct knob knobs[N_KNOBS] = {
	[LAW] = KNOB_CHOICE_OF("law", "law", laws, law_names, "amdahl",
		"what is run: a serial section in fixed work, the same in work that grows, a lock "
		"and its cache line, threads on one memory"),
	[WORKERS] = KNOB_DOUBLING("workers", "workers", "", 1, 1024, 64,
		"divides the work, and multiplies those who wait"),
	[SERIAL] = KNOB_LINEAR("serial_pct", "serial", "%", 0, 100, 2, 0.5,
		"all others wait while one works: no number of workers passes 100 over it"),
	[CONTENTION] = KNOB_LINEAR("contention_pct", "contention", "%", 0, 100, 2, 0.5,
		"the share of the work inside a lock: workers queue, and the speed-up flattens",
		.group = "other laws"),
	[CROSSTALK] = KNOB_FACTOR("crosstalk", "crosstalk", "", 0, 0.1, 0.0005, A_TENTH_OF_A_DECADE,
		"every worker must hear of every other's change: it grows with their square and "
		"turns the curve down",
		.least = 1e-6, .zero = "none", .group = "other laws"),
	[CORE] = KNOB_LINEAR("core_GBps", "one core reads", "GB/s", 1, 200, 20, 1,
		"what a core can ask for, by its misses in flight; faster cores fill the memory "
		"sooner",
		.when = { WHEN(LAW, BANDWIDTH) }, .group = "other laws"),
	[MEMORY] = KNOB_FACTOR("memory_GBps", "memory", "GB/s", 1, 2000, 200, A_TENTH_OF_A_DECADE,
		"the roof that all cores share: over what one asks for, it is the number of cores "
		"that help",
		.when = { WHEN(LAW, BANDWIDTH) }, .group = "other laws"),
	[CV] = KNOB_LINEAR("cv", "imbalance cv", "", 0, 2, 0, 0.05,
		"uneven work: at a barrier all wait for the slowest, at a lock it spreads the "
		"arrivals",
		.group = "the run"),
	[ROUNDS] = KNOB_DOUBLING("rounds", "rounds", "", 1, 64, 8,
		"forks and joins in the run: more of them average out the luck",
		.group = "the run"),
	[PART] = KNOB_LINEAR("part_pct", "part", "%", 0, 100, 1, 1,
		"the share of the time that an optimisation touches; the rest stays",
		.group = "a part"),
	[FACTOR] = KNOB_FACTOR("factor", "made faster", "x", 1, 1000, 10, A_TENTH_OF_A_DECADE,
		"how much faster that part becomes: infinitely would gain its share and no more",
		.group = "a part"),
	[WORK] = KNOB_FACTOR("work_ms", "work", "ms", 1, 1e6, 1000, A_TENTH_OF_A_DECADE,
		"the run of one worker: scales every time, no ratio", .group = "the run"),
	[SEED] = KNOB_SEED(0, 9999, "another run with the same statistics", .group = "the run"),
};

/* --- closed forms ----------------------------------------------------------------------- */

static double law_speedup(const double v[], int law, double workers)
{
	switch (law) {
	case AMDAHL:
		return CALL(amdahl_speedup, .serial_fraction = v[SERIAL] / 100, .gpus = workers);
	case GUSTAFSON:
		return CALL(gustafson_speedup, .serial_fraction = v[SERIAL] / 100, .gpus = workers);
	case USL:
		return CALL(usl_speedup, .contention = v[CONTENTION] / 100,
			.crosstalk = v[CROSSTALK], .gpus = workers);
	default:
		/* The roofline of a program that does one operation per byte. */
		return CALL(attainable_flops, .intensity = 1, .bandwidth = v[MEMORY],
			       .peak_flops = workers * v[CORE]) /
		       fmin(v[CORE], v[MEMORY]);
	}
}

static double peak_workers(const double v[])
{
	return fmax(
		1, CALL(usl_peak, .contention = v[CONTENTION] / 100, .crosstalk = v[CROSSTALK]));
}

/* --- the program ------------------------------------------------------------------------ */

/* The program that N workers run under a law. One worker takes the whole work in `rounds` parts. */
static struct program program_of(const double v[], int law, size_t workers)
{
	double n = (double)workers, round_s = v[WORK] / 1e3 / v[ROUNDS], serial = v[SERIAL] / 100;
	double lock = v[CONTENTION] / 100;
	struct program p = { .workers = workers,
		.rounds = (size_t)v[ROUNDS],
		.cv = v[CV],
		.barrier = true,
		.seed = (uint64_t)v[SEED] };
	switch (law) {
	case AMDAHL:
		p.serial_s = serial * round_s;
		p.private_s = (1 - serial) * round_s / n;
		break;
	case GUSTAFSON:
		p.serial_s = serial * round_s;
		p.private_s = (1 - serial) * round_s;
		break;
	case USL:
		p.private_s = (1 - lock) * round_s / n;
		p.locked_s = lock * round_s / n;
		p.crosstalk_s = v[CROSSTALK] * round_s / n;
		break;
	default:
		/* One core alone needs round_s for a block, and for the share core / memory of that
		 * time the bus is busy with its bytes. */
		lock = fmin(1, v[CORE] / v[MEMORY]);
		p.private_s = (1 - lock) * round_s;
		p.locked_s = lock * round_s;
		p.barrier = false;
	}
	return p;
}

/* Work done over time, relative to one worker. */
static double speedup_of(const double v[], int law, size_t workers, double time_s)
{
	double work_s = v[WORK] / 1e3, serial = v[SERIAL] / 100, n = (double)workers;
	if (law == GUSTAFSON)
		work_s *= serial + (1 - serial) * n;
	if (law == BANDWIDTH)
		work_s *= n;
	return work_s / time_s;
}

static struct program_run simulated_run(const double v[], int law, size_t workers)
{
	struct arena scratch = { 0 };
	struct program p = program_of(v, law, workers);
	struct program_run run = program_simulate(&scratch, &p, NULL);
	arena_release(&scratch);
	return run;
}

static double simulated_speedup(const double v[], int law, size_t workers)
{
	return speedup_of(v, law, workers, simulated_run(v, law, workers).time_s);
}

/* --- the run as a timeline ------------------------------------------------------------------- */

/* Spans of a few workers, evenly chosen, over the first rounds, and of the lock that all share. */
enum { MOST_LANES = 6, ROUNDS_SHOWN = 2 };
struct fork_join_picture {
	struct figure *fig;
	struct timeline *timeline;
	size_t workers, lanes;
	double until_s;
	double lock_from_s, lock_to_s; /* while it was held without a gap */
};

static size_t worker_of_lane(const struct fork_join_picture *p, size_t lane)
{
	return p->lanes > 1 ? lane * (p->workers - 1) / (p->lanes - 1) : 0;
}

static void draw_lock(struct fork_join_picture *p)
{
	if (p->lock_to_s > p->lock_from_s && p->lock_from_s < p->until_s)
		timeline_span(p->fig, p->timeline, (unsigned)p->lanes, ACTIVITY_LOCK,
			p->lock_from_s, fmin(p->lock_to_s, p->until_s), NULL);
}

static void see(void *context, const struct activity_span *span)
{
	struct fork_join_picture *p = context;
	if (span->activity == ACTIVITY_LOCK || span->activity == ACTIVITY_CROSSTALK) {
		if (span->start_s > p->lock_to_s) {
			draw_lock(p);
			p->lock_from_s = span->start_s;
		}
		p->lock_to_s = span->end_s;
	}
	for (size_t lane = 0; lane < p->lanes; lane++)
		if (worker_of_lane(p, lane) == span->worker && span->start_s < p->until_s)
			timeline_span(p->fig, p->timeline, (unsigned)lane, (unsigned)span->activity,
				span->start_s, fmin(span->end_s, p->until_s), NULL);
}

/* Runs the program and draws its first two rounds: up to six workers, evenly chosen, and the lock,
 * where there is one. Sets the duration of the figure. */
static struct program_run fork_join_draw(struct figure *fig, const struct program *p,
	const char *const activities[N_ACTIVITIES], const char *lock)
{
	struct program some = *p;
	struct arena scratch = { 0 };
	some.rounds = p->rounds < ROUNDS_SHOWN ? p->rounds : ROUNDS_SHOWN;
	fig->duration_s = program_simulate(&scratch, &some, NULL).time_s;
	struct fork_join_picture picture = { .fig = fig,
		.workers = p->workers,
		.until_s = fig->duration_s,
		.lanes = p->workers < MOST_LANES ? p->workers : MOST_LANES };
	const char *names[MOST_LANES + 1];
	for (size_t i = 0; i < picture.lanes; i++)
		names[i] = figure_text(fig, "worker %zu", worker_of_lane(&picture, i) + 1);
	names[picture.lanes] = lock;
	bool locks = p->locked_s > 0 || p->crosstalk_s > 0;
	const char *rounds = some.rounds < p->rounds ? figure_text(fig, "%zu of %zu rounds, ",
							       some.rounds, p->rounds)
						     : "";
	const char *title = figure_text(fig,
		picture.lanes < p->workers ? "%s%zu of %zu workers" : "%s%zu workers", rounds,
		picture.lanes, p->workers);
	picture.timeline =
		figure_timeline(fig, title, names, picture.lanes + locks, activities, N_ACTIVITIES);
	static const enum meaning means[N_ACTIVITIES] = { MEANS_COMPUTE, MEANS_FIXED, MEANS_SECOND,
		MEANS_NETWORK, MEANS_WAITING };
	timeline_mean(fig, picture.timeline, means, N_ACTIVITIES);
	figure_tab(fig, "The run");
	struct watcher watcher = { see, &picture };
	struct program_run run = program_simulate(&scratch, p, &watcher);
	draw_lock(&picture);
	fig->arena.failed = fig->arena.failed || scratch.failed;
	arena_release(&scratch);
	return run;
}

/* --- the pictures ----------------------------------------------------------------------- */

enum { MOST_SIMULATED = 256, MOST_WORKERS = 1024 };

/* Amdahl's curve is named with what it never passes, where it is what the picture is about. */
static const char *curve_name(const double v[], int law, struct figure *fig)
{
	if (law == USL)
		return "with crosstalk";
	if (law != AMDAHL || v[LAW] != AMDAHL || v[SERIAL] == 0 || v[SERIAL] >= 100)
		return law_names[law];
	return figure_text(
		fig, "%s, at most %sx", law_names[law], figure_quantity(fig, 100 / v[SERIAL], ""));
}

/* What is between this setting and the ideal, which has its name. */
static void draw_lost(const double v[], struct figure *fig, struct plot *p, double simulated)
{
	const double n = v[WORKERS];
	struct series *lost = plot_series(fig, p, "", SERIES_LINE, MEANS_FOCUS);
	series_point(fig, lost, n, simulated);
	series_point(fig, lost, n, n);
	struct series *here = plot_series(fig, p, "this setting", SERIES_POINTS, MEANS_FOCUS);
	series_mark(fig, here, n, n, "waiting", ROLE_ACCENT);
	series_mark(fig, here, n, simulated, NULL, ROLE_ACCENT);
	if (!lost || !here)
		return;
	lost->unlisted = here->unlisted = true;
}

static void draw_curves(const double v[], struct figure *fig, double simulated)
{
	int law = (int)v[LAW];
	double most = v[WORKERS];
	struct plot *p = figure_plot(
		fig, "What many workers do", "Workers", "", AXIS_LOG2, "Speed-up", "x", AXIS_LOG2);
	figure_tab(fig, "Speed-up");
	/* Lines, since an area means nothing on such a scale. */
	struct series *ideal = plot_series(fig, p, "ideal", SERIES_LINE, MEANS_WAITING);
	for (double n = 1; n <= MOST_WORKERS; n *= 2)
		series_point(fig, ideal, n, n);
	for (int line = 0; line < N_LAWS; line++) {
		int which = line == 0 ? law : line <= law ? line - 1 : line;
		/* Gustafson's lies on the ideal, and is another question than Amdahl's. */
		if (which != law && (which == BANDWIDTH || (which == GUSTAFSON && law == AMDAHL)))
			continue;
		struct series *s = plot_series(fig, p, curve_name(v, which, fig),
			which == law ? SERIES_LINE : SERIES_DASHED,
			(enum meaning)(MEANS_KIND + which));
		for (double n = 1; n < MOST_WORKERS * (1 + 1e-9); n *= sqrt(sqrt(2))) {
			const double speedup = law_speedup(v, which, n);
			series_point(fig, s, n, speedup);
			if (which == law)
				most = fmax(most, 2 * speedup);
		}
	}
	struct series *runs = plot_series(fig, p, "simulated", SERIES_POINTS, MEANS_KIND + 7);
	for (size_t n = 1; n <= MOST_SIMULATED; n *= 2) {
		series_point(fig, runs, (double)n, simulated_speedup(v, law, n));
		if (n > 1 && n < MOST_SIMULATED)
			series_point(
				fig, runs, 1.5 * (double)n, simulated_speedup(v, law, n + n / 2));
	}
	draw_lost(v, fig, p, simulated);
	/* The ideal goes on upwards where nothing else does: the rows belong to the law, up to a doubling
	 * above all of it, and to what this setting's ideal is. */
	if (p)
		p->y.max = exp2(ceil(log2(fmin(most, MOST_WORKERS))));
	plot_slider(fig, p, "workers", v[WORKERS]);
	if (law == USL && isfinite(peak_workers(v)) && peak_workers(v) <= MOST_WORKERS)
		plot_rule(fig, p, false, peak_workers(v), "peak", ROLE_WARN);
}

/* The same on a line where half is half: the curves' axes are logarithmic. */
static void draw_share(const double v[], struct figure *fig, double waiting)
{
	const double n = v[WORKERS], wait = n * waiting;
	const char *const parts[] = { figure_text(fig, "%.3g at work", n - wait),
		figure_text(fig, "%.3g waiting", wait) };
	static const enum meaning means[] = { MEANS_COMPUTE, MEANS_WAITING };
	struct bars *b = figure_bars(fig, "Workers at work, on average", "", parts, 2);
	figure_tab(fig, "Workers");
	bars_mean(fig, b, means, 2);
	bars_add(fig, b, "workers", (const double[]){ n - wait, wait });
	if (b)
		b->close = true;
}

static void say_moments(struct figure *fig, int law, const struct program *p)
{
	if (law == AMDAHL || law == GUSTAFSON) {
		figure_moment(fig, 0, "Worker 1 is alone with the serial section; %zu wait.",
			p->workers - 1);
		figure_moment(fig, p->serial_s, "All %zu work on their parts.", p->workers);
		figure_moment(fig, p->serial_s + p->private_s,
			p->cv > 0 ? "About now most are done, and wait for the slowest."
				  : "All are done, and join.");
		return;
	}
	figure_moment(fig, 0, "All %zu work on their own.", p->workers);
	figure_moment(fig, p->private_s,
		law == USL ? "All want the lock: one has it, the others stand in line."
			   : "All want the memory: it serves one block at a time.");
}

static struct program_run draw_run(const double v[], struct figure *fig)
{
	static const char *const forked[N_ACTIVITIES] = { "parallel work", "serial section",
		"in the lock", "tells the others", "waits" };
	static const char *const reading[N_ACTIVITIES] = { "core works", "serial section",
		"memory works", "tells the others", "waits" };
	bool memory = v[LAW] == BANDWIDTH;
	struct program p = program_of(v, (int)v[LAW], (size_t)v[WORKERS]);
	struct program_run run = fork_join_draw(
		fig, &p, memory ? reading : forked, memory ? "the memory" : "the lock");
	say_moments(fig, (int)v[LAW], &p);
	return run;
}

/* What making one part faster can give to the whole. */
static void draw_part(const double v[], struct figure *fig)
{
	static const double others[] = { 0.5, 0.9, 0.99 };
	struct plot *p = figure_plot(fig, "A part made faster", "Factor on the part", "",
		AXIS_LOG10, "Whole", "x", AXIS_LOG2);
	figure_tab(fig, "A part");
	for (size_t k = 0; k <= LENGTH(others); k++) {
		double share = k == 0 ? v[PART] / 100 : others[k - 1];
		struct series *s =
			plot_series(fig, p, figure_text(fig, "a %g %% part", 100 * share),
				k == 0 ? SERIES_LINE : SERIES_DASHED, (unsigned)k);
		for (double factor = 1; factor < 1001; factor *= 1.2589254)
			series_point(fig, s, factor,
				CALL(partial_speedup, .fraction = share, .factor = factor));
	}
	plot_rule(fig, p, false, v[FACTOR], "now", ROLE_ACCENT);
}

/* --- values and words ------------------------------------------------------------------- */

/* A run whose speed-up is off the law's by less is the law's. */
static const double even_within = 0.02;

static void limit_value(const double v[], struct figure *fig, enum role role)
{
	double limit = v[SERIAL] > 0 ? 100 / v[SERIAL] : INFINITY;
	value_note(figure_value(fig, "limit", "Amdahl's limit", limit, "x", role),
		isfinite(limit) ? "for any number" : "nothing is serial");
}

/* Where the universal law turns down, and how fast it is there. */
static void peak_values(const double v[], struct figure *fig, enum role role)
{
	double peak = peak_workers(v);
	double highest = isfinite(peak)      ? law_speedup(v, USL, peak)
			 : v[CONTENTION] > 0 ? 100 / v[CONTENTION]
					     : INFINITY;
	value_note(figure_value(fig, "peak_workers", "peak at", peak, "worker", role),
		isfinite(peak) ? "universal" : "never: no crosstalk");
	value_note(figure_value(fig, "peak_speedup", "peak", highest, "x", role),
		isfinite(peak)      ? "universal"
		: v[CONTENTION] > 0 ? "limit, never reached"
				    : "nothing contends");
}

static void values(const double v[], struct figure *fig, double simulated, double waiting)
{
	double n = v[WORKERS], speedup = law_speedup(v, (int)v[LAW], n);
	bool usl = v[LAW] == USL, uneven = fabs(simulated / speedup - 1) > even_within;
	/* An uneven run is what the sentence speaks of, beside its law. */
	if (uneven)
		value_note(figure_value(fig, "simulated", "speed-up", simulated, "x", ROLE_ACCENT),
			"this run");
	value_note(figure_value(fig, "speedup", uneven ? "by the law" : "speed-up", speedup, "x",
			   uneven ? ROLE_PLAIN : ROLE_ACCENT),
		figure_text(fig, "of %g", n));
	figure_value(fig, "waiting_pct", "workers wait", 100 * waiting, "%", ROLE_PLAIN);
	if (v[LAW] == AMDAHL)
		limit_value(v, fig, ROLE_PLAIN);
	if (usl)
		peak_values(v, fig, ROLE_PLAIN);
	for (int law = AMDAHL; law <= USL; law++)
		if (law != (int)v[LAW])
			value_note(figure_value(fig, laws[law], law_names[law],
					   law_speedup(v, law, n), "x", ROLE_PLAIN),
				"by that law");
	/* The rest only explains. Efficiency is the speed-up again, over the workers. */
	figure_value(fig, "efficiency", "efficiency", 100 * speedup / n, "%", ROLE_DIM);
	if (!uneven)
		value_note(figure_value(fig, "simulated", "simulated", simulated, "x", ROLE_DIM),
			"this run");
	if (v[LAW] != AMDAHL)
		limit_value(v, fig, ROLE_DIM);
	if (!usl)
		peak_values(v, fig, ROLE_DIM);
	figure_value(fig, "part_speedup", "whole speed-up",
		CALL(partial_speedup, .fraction = v[PART] / 100, .factor = v[FACTOR]), "x",
		ROLE_DIM);
}

static void explain(const double v[], struct figure *fig, double simulated, double waiting)
{
	int law = (int)v[LAW];
	double n = v[WORKERS], speedup = law_speedup(v, law, n), peak = peak_workers(v);
	bool uneven = fabs(simulated / speedup - 1) > even_within;
	if (law == AMDAHL && uneven)
		figure_why(fig,
			"The law says %.3gx, the run makes %.3gx: uneven work, and every round "
			"ends with its slowest worker. All wait %.0f %% of the time.",
			speedup, simulated, 100 * waiting);
	else if (law == AMDAHL && v[SERIAL] <= 0)
		figure_why(fig, "Nothing is serial: %s %s it %.3gx as fast, and nothing ends that.",
			figure_quantity(fig, n, "worker"), n == 1 ? "makes" : "make", speedup);
	else if (law == AMDAHL && n == 1)
		figure_why(fig,
			"One worker waits for nobody. Any number of them is at most %.4gx as fast: "
			"%.3g %% of the work is serial.",
			100 / v[SERIAL], v[SERIAL]);
	else if (law == AMDAHL)
		figure_why(fig,
			"%s do the work of %.3g: all but one wait while the serial part runs.",
			figure_quantity(fig, n, "worker"), speedup);
	else if (law == GUSTAFSON)
		figure_why(fig,
			"With %g times the work in the same time the serial part stays small: "
			"%.3gx the work of one. Fixed work would be %.3gx faster.",
			n, uneven ? simulated : speedup, law_speedup(v, AMDAHL, n));
	else if (law == USL && n > peak)
		figure_why(fig,
			"Past the peak: %.3g workers would make it %.3gx faster, %g make it %.3gx. "
			"They tell each other more than they work.",
			peak, law_speedup(v, USL, peak), n, uneven ? simulated : speedup);
	else if (law == USL && uneven)
		figure_why(fig,
			"Uneven work spreads the arrivals at the lock: %.3gx instead of the law's "
			"%.3gx, which has everybody come at once.",
			simulated, speedup);
	else if (law == USL)
		figure_why(fig,
			"Queueing at the lock and telling the others leave %.3gx of %g workers; "
			"the peak is at %.3g.",
			speedup, n, peak);
	else if (n * v[CORE] >= v[MEMORY])
		figure_why(fig,
			"%.3g cores at %g GB/s fill a memory of %.4g GB/s: from there on more of "
			"them wait, %.0f %% of the time at %g.",
			v[MEMORY] / v[CORE], v[CORE], v[MEMORY], 100 * waiting, n);
	else
		figure_why(fig,
			"%g cores ask for %.4g of %.4g GB/s: each is nearly alone with the memory, "
			"and waits %.0f %% of the time.",
			n, n * v[CORE], v[MEMORY], 100 * waiting);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	assert(v[LAW] < N_LAWS);
	(void)t;
	struct program_run here = simulated_run(v, (int)v[LAW], (size_t)v[WORKERS]);
	double simulated = speedup_of(v, (int)v[LAW], (size_t)v[WORKERS], here.time_s);
	figure_subtitle(fig, "%s · %s", law_names[(size_t)v[LAW]],
		figure_quantity(fig, v[WORKERS], "worker"));
	draw_curves(v, fig, simulated);
	draw_share(v, fig, here.waiting);
	struct program_run program = draw_run(v, fig);
	draw_part(v, fig);
	values(v, fig, simulated, program.waiting);
	explain(v, fig, simulated, program.waiting);
	figure_assume(fig, "one worker takes the whole work in %g rounds; private work %s",
		v[ROUNDS], v[CV] > 0 ? "is log-normal about its mean" : "is the same for all");
	figure_assume(fig, "the lock is passed once a round, first come, first served; telling the "
			   "others takes the crosstalk for each of them");
	if (v[LAW] == BANDWIDTH)
		figure_assume(
			fig, "start and end of the run, when not all are under way, are in it");
	figure_leave_out(fig, "caches that make a smaller share of the work faster");
	figure_leave_out(fig, "scheduling, preemption, and the cost of the fork itself");
}

const struct sim amdahl_sim = {
	.id = "amdahl",
	.title = "Laws of scaling",
	.summary = "Amdahl, Gustafson, universal scalability and shared bandwidth, beside the run "
		   "that makes them",
	.page = "overview",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(WORKERS, SERIAL, LAW),
	.try = "Turn serial to 1 %. How many workers are then busy half of the time?",
	.run = run,
};
