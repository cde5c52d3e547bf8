/* A benchmark that lies: the same operation timed wrongly in five ways, and mended one after
 * another. */
#include "sims/formulas/measurement.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/knobs.h"
#include "sims/gpu/benchmark.h"

#include <assert.h>
#include <math.h>

enum {
	SYNC,
	WARMUP,
	ITERATIONS,
	STATISTIC,
	FLUSH,
	CLOCKS,
	TRUE_MS,
	LAUNCH,
	OUTLIERS,
	JITTER,
	FIRST,
	INPUT,
	GPU,
	BOOST,
	QUEUE,
	SEED,
	N_KNOBS
};
static const char *const syncs[] = { "none", "end", "each", "events", NULL };
static const char *const sync_names[] = { "never", "at the end", "each iteration", "CUDA events" };
static const char *const statistics[] = { "mean", "median", "p99", "min", NULL };
static const char *const statistic_names[] = { "mean", "median", "P99", "minimum" };
enum { CLOCKS_BOOST, CLOCKS_LOCKED };
static const char *const clocks[] = { "boost", "locked", NULL };

static const struct knob knobs[N_KNOBS] = {
	[SYNC] = KNOB_CHOICE_OF("sync", "wait for GPU", syncs, sync_names, "none",
		"a launch returns as soon as it is queued: a CPU clock that does not wait sees "
		"the queue, not the kernel"),
	[WARMUP] = KNOB_DOUBLING("warmup", "warm-up", "", 0, 5000, 0,
		"runs that are thrown away: compilation, allocation, and a clock that rises from "
		"idle",
		.zero = "none"),
	[ITERATIONS] = KNOB_DOUBLING("iterations", "iterations", "", 1, 5000, 100,
		"the interval of a mean shrinks with their square root; a P99 needs some above it"),
	[STATISTIC] = KNOB_CHOICE_OF("statistic", "statistic", statistics, statistic_names, "mean",
		"one pause moves a mean, no single one moves a median; a P99 is made of them",
		.when = { WHEN(SYNC, TIMER_NONE, TIMER_EACH, TIMER_EVENTS) }),
	[FLUSH] = KNOB_SWITCH("flush_l2", "flush the L2", 0,
		"the same input again and again lies in the L2; in a real step other kernels have "
		"pushed it out"),
	[CLOCKS] = KNOB_CHOICE_OF("clocks", "clocks", clocks, NULL, "boost",
		"a short run sees the boost of a cool chip, or its idle clock; locked at the "
		"sustained rate it sees what a long one has"),
	[TRUE_MS] = KNOB_FACTOR("true_ms", "true time", "ms", 0.001, 1000, 0.05,
		A_TENTH_OF_A_DECADE,
		"of the operation with cold input at the sustained clock: what is to be measured",
		.group = "the kernel"),
	[LAUNCH] = KNOB_LINEAR("launch_us", "launch", "us", 0.5, 100, 6, 0.5,
		"what the CPU takes to queue one: kernels shorter than that are hidden behind it",
		.group = "the kernel"),
	[OUTLIERS] = KNOB_LINEAR("outliers_pct", "outliers", "%", 0, 20, 2, 0.5,
		"iterations with a garbage collection, an interrupt or a neighbour on the GPU",
		.group = "noise"),
	[JITTER] = KNOB_LINEAR("jitter_pct", "jitter", "%", 0, 20, 1, 0.5,
		"ordinary variation of the kernel: sets how many samples a mean needs",
		.group = "noise"),
	[FIRST] = KNOB_FACTOR("first_ms", "first call", "ms", 0, 60000, 800, A_TENTH_OF_A_DECADE,
		"compilation, autotuning, loading of libraries: once per process, and in the mean",
		.zero = "as the others", .group = "noise"),
	[INPUT] = KNOB_FACTOR("input_MB", "input", "MB", 0.1, 100000, 32, A_TENTH_OF_A_DECADE,
		"what does not fit into the L2 cannot flatter the second run",
		.group = "the kernel"),
	[GPU] = KNOB_ANY_GPU(
		"a100", "sets the size of the L2 and the bandwidth behind it", .group = "device"),
	[BOOST] = KNOB_LINEAR("boost_pct", "boost", "%", 0, 50, 12, 1,
		"how much faster than sustained a cool chip runs; only arithmetic feels it",
		.when = { WHEN(CLOCKS, CLOCKS_BOOST) }, .group = "noise"),
	[QUEUE] = KNOB_DOUBLING("queue_depth", "launch queue", "", 1, 4096, 1024,
		"when it is full, a launch waits for a kernel: long runs without awaiting become "
		"true by accident",
		.group = "device"),
	[SEED] = KNOB_SEED(0, 9999, "another run with the same statistics", .group = "device"),
};

static const double l2_over_dram = 3;   /* bandwidth: A100 to H200, two to four */
static const double sync_us = 8;        /* cudaDeviceSynchronize and back to Python */
static const double allocation_ms = 1;  /* cudaMalloc of some blocks, in the first calls */
static const double outlier_times = 10; /* what an outlier adds on average, in multiples of the
					 * operation */

/* Time of DRAM traffic, at most the operation's own time. */
static double memory_s(const struct accelerator *g, const double v[])
{
	return fmin(v[TRUE_MS] / 1e3, v[INPUT] * 1e6 / g->bandwidth);
}

/* Time of flushing: twice the size of the L2 is written. */
static double flush_s(const struct accelerator *g)
{
	return fmax(2 * g->l2_bytes, 1) / g->bandwidth;
}

static struct benchmark benchmark_of(const struct tables *t, const double v[])
{
	const struct accelerator *g = gpu_at(t, v[GPU]);
	double hits = fmin(1, g->l2_bytes / (v[INPUT] * 1e6)), memory = memory_s(g, v);
	return (struct benchmark){
		.timer = (enum timer)v[SYNC],
		.warmup = (size_t)v[WARMUP],
		.iterations = (size_t)v[ITERATIONS],
		.kernel_s = v[TRUE_MS] / 1e3,
		.memory_s = memory,
		.hot_s = memory * hits * (1 - 1 / l2_over_dram),
		.launch_s = v[LAUNCH] / 1e6,
		.sync_s = sync_us / 1e6,
		.flush_s = v[FLUSH] > 0 ? flush_s(g) : 0,
		.queue_depth = (size_t)v[QUEUE],
		.first_s = v[FIRST] / 1e3,
		.allocation_s = allocation_ms / 1e3,
		.locked = v[CLOCKS] == CLOCKS_LOCKED,
		.boost = v[BOOST] / 100,
		.jitter = v[JITTER] / 100,
		.outliers = v[OUTLIERS] / 100,
		.outlier_s = outlier_times * v[TRUE_MS] / 1e3,
		.seed = (uint64_t)v[SEED],
	};
}

/* --- the mending ------------------------------------------------------------------------ */

/* What can be mended, in the order in which people find it. */
enum fix { FIX_WARMUP, FIX_SYNC, FIX_STATISTIC, FIX_FLUSH, FIX_CLOCKS, FIX_SAMPLES, N_FIXES };
static const struct {
	const char *label;
	const char *mistake; /* what was wrong before, as an answer to "why?" */
} fixes[N_FIXES] = {
	[FIX_WARMUP] = { "warm-up", "the first calls are in it, and those compile" },
	[FIX_SYNC] = { "CUDA events", NULL }, /* depends on the clock */
	[FIX_STATISTIC] = { "median", "a few slow runs move the mean" },
	[FIX_FLUSH] = { "cold L2", "the input still lies in the L2 from the run before" },
	[FIX_CLOCKS] = { "locked clocks", "the chip does not run at the clock of a long job" },
	[FIX_SAMPLES] = { "more samples", "there are too few samples" },
};

static const char *mistake_of(enum fix fix, enum timer timer)
{
	if (fix != FIX_SYNC)
		return fixes[fix].mistake;
	return timer == TIMER_NONE ? "the clock stops while the GPU still works"
				   : "the clock also sees launches and the wait for the GPU";
}

/* How many samples the statistic needs, by the formula sheet. */
static double samples_needed(enum statistic statistic, double cv)
{
	const double exceedances = 10, wanted = 0.01, z = 1.96;
	const double median_over_mean = 1.2533; /* standard errors: the root of pi / 2 */
	if (statistic == STATISTIC_P99)
		return whole(CALL(quantile_samples, .exceedances = exceedances, .quantile = 0.99));
	if (statistic == STATISTIC_MEDIAN)
		cv *= median_over_mean;
	return fmax(1,
		CALL(samples_for_interval, .deviation = cv, .half_width = wanted, .quantile_z = z));
}

enum { MOST_WARMUP = 5000, MANY_SAMPLES = 1000 };

/* False: there was nothing to mend. */
static bool mend(struct benchmark *b, enum statistic *statistic, enum fix fix, double flush_s)
{
	const struct benchmark was = *b;
	enum statistic old = *statistic;
	double ramp = fmin(fmax(ceil(benchmark_ramp_s() / b->kernel_s), 10), MOST_WARMUP);
	switch (fix) {
	case FIX_SYNC:
		b->timer = TIMER_EVENTS;
		break;
	case FIX_WARMUP:
		b->warmup = b->warmup > (size_t)ramp ? b->warmup : (size_t)ramp;
		break;
	case FIX_STATISTIC:
		*statistic = old == STATISTIC_MEAN ? STATISTIC_MEDIAN : old;
		break;
	case FIX_FLUSH:
		b->flush_s = flush_s;
		break;
	case FIX_CLOCKS:
		b->locked = true;
		break;
	default:
		b->iterations = b->iterations > MANY_SAMPLES ? b->iterations : MANY_SAMPLES;
	}
	return b->timer != was.timer || b->warmup != was.warmup || *statistic != old ||
	       b->flush_s != was.flush_s || b->locked != was.locked ||
	       b->iterations != was.iterations;
}

/* The fault that changed the result most, for the sentence. */
struct worst {
	enum fix fix;
	double before_s, after_s, weight;
};

static double reported_s(struct figure *fig, const struct benchmark *b, enum statistic statistic)
{
	struct arena scratch = { 0 };
	struct benchmark_run run = benchmark_simulate(&scratch, b);
	double s = run.n ? benchmark_report(&scratch, b, &run, statistic).value_s : b->kernel_s;
	fig->arena.failed |= scratch.failed;
	arena_release(&scratch);
	return s;
}

/* How far a time is from the truth, as people say it: "160 times too long" (with x: "160x too long"),
 * "27 % too short", "right". */
static const char *off_text(struct figure *fig, double s, double true_s, const char *by)
{
	const char *way = s > true_s ? "too long" : "too short";
	double times = fmax(s / true_s, true_s / s), pct = 100 * fabs(s / true_s - 1);
	if (times >= 10) {
		double place = pow(10, floor(log10(times)) - 1);
		return figure_text(fig, "%.0f%s %s", place * round(times / place), by, way);
	}
	if (times >= 2)
		return figure_text(fig, "%.2g%s %s", times, by, way);
	return pct < 0.5 ? "right" : figure_text(fig, "%.*f %% %s", pct < 9.95, pct, way);
}

static enum role off_role(double s, double true_s)
{
	double times = fmax(s / true_s, true_s / s);
	return times < 1.05 ? ROLE_GOOD : ROLE_WARN;
}

static void cascade_bar(
	struct figure *fig, struct bars *bars, const char *label, double s, double true_s)
{
	struct bar *bar = bars_add(fig, bars, label, &s);
	if (!bar)
		return;
	/* Wrong times are amber, as the benchmark's number is, and the right one is green. */
	bar->role = off_role(s, true_s) == ROLE_GOOD ? ROLE_GOOD : ROLE_PLAIN;
	bar->note = off_text(fig, s, true_s, "x");
}

/* Less than this makes no difference that a bar could show, and may be the seed's luck. */
static const double least_change = 0.02;

/* Mends one thing after another, each on top of those before. What changes nothing has no bar. */
static struct worst draw_cascade(struct figure *fig, struct benchmark b, enum statistic statistic,
	double flush_s, double first_s, const char *what, double true_s)
{
	static const char *const part[] = { "reported" };
	struct bars *bars =
		figure_bars(fig, "What it says as mistakes are mended, log scale", "s", part, 1);
	figure_tab(fig, "Mended");
	bars_mean(fig, bars, (const enum meaning[]){ MEANS_KIND + 1 }, 1);
	struct worst worst = { 0 };
	double before_s = first_s;
	if (bars) {
		bars->log = bars->from_limit = bars->close = true;
		bars->limit = true_s;
		bars->limit_label = what;
	}
	cascade_bar(fig, bars, "as it is", first_s, true_s);
	for (int fix = 0; fix < N_FIXES; fix++) {
		if (!mend(&b, &statistic, (enum fix)fix, flush_s))
			continue;
		double after_s = reported_s(fig, &b, statistic);
		double weight = fabs(log(after_s / before_s));
		if (weight < least_change)
			continue;
		cascade_bar(fig, bars, figure_text(fig, "+ %s", fixes[fix].label), after_s, true_s);
		if (weight > worst.weight)
			worst = (struct worst){ (enum fix)fix, before_s, after_s, weight };
		before_s = after_s;
	}
	return worst;
}

/* --- pictures -------------------------------------------------------------------------------- */

enum { COLD = 3 };       /* the first calls, which compile and allocate */
enum { SLOW_TIMES = 3 }; /* the kernel's time: what takes longer is an outlier */

static bool is_ordinary(const struct benchmark *b, const struct benchmark_iteration *it)
{
	return it->pause_s == 0 && it->gpu_end_s - it->gpu_begin_s < SLOW_TIMES * b->kernel_s;
}

/* The slowest of the samples that count, after the first calls, that something disturbed; run->n: there
 * is none that stands out from the usual ones. */
static size_t slowest_disturbed(
	const struct benchmark *b, const struct benchmark_run *run, double usual_s)
{
	size_t slowest = run->n;
	for (size_t i = b->warmup > COLD ? b->warmup : COLD; i < run->n; i++)
		if (!is_ordinary(b, &run->all[i]) && run->all[i].measured_s > 1.5 * usual_s &&
			(slowest == run->n ||
				run->all[i].measured_s > run->all[slowest].measured_s))
			slowest = i;
	return slowest;
}

/* What the clock saw of a call that took nothing but its time. */
static double usual_sample_s(const struct benchmark *b, const struct benchmark_run *run)
{
	size_t i = run->n - 1;
	while (i > 0 && !is_ordinary(b, &run->all[i]))
		i--;
	return run->all[i].measured_s;
}

/* Every sample, with what is reported and what is true. The first call and the slowest one after it
 * have names. A clock that does not wait sees launches, which have their colour. */
static void measurement_draw_samples(struct figure *fig, const struct benchmark *b,
	const struct benchmark_run *run, double shown_s, double true_s)
{
	enum { MOST_DOTS = 1000 };
	struct plot *p = figure_plot(
		fig, "What the clock saw", "Iteration", "", AXIS_LINEAR, "Time", "s", AXIS_LOG10);
	figure_tab(fig, "Samples");
	bool launches = b->timer == TIMER_NONE || b->timer == TIMER_END;
	struct series *kept = plot_series(fig, p, launches ? "launch" : "run", SERIES_POINTS,
		launches ? MEANS_FIXED : MEANS_COMPUTE);
	struct series *thrown =
		b->warmup ? plot_series(fig, p, "warm-up", SERIES_POINTS, MEANS_WAITING) : NULL;
	/* Draws every stride-th sample, and all slow ones. */
	size_t stride = run->n / MOST_DOTS + 1;
	double least_s = fmin(shown_s, true_s), most_s = fmax(shown_s, true_s);
	double usual_s = usual_sample_s(b, run);
	size_t slow = slowest_disturbed(b, run, usual_s);
	for (size_t i = 0; i < run->n; i++) {
		double s = run->all[i].measured_s;
		least_s = fmin(least_s, s);
		most_s = fmax(most_s, s);
		const char *name = i == 0 && s > 1.5 * usual_s ? "the first call"
				   : i != slow                 ? NULL
				   : run->all[i].pause_s > 0   ? "a pause"
							       : "a slow kernel";
		if (i % stride == 0 || s > 1.5 * usual_s)
			series_mark(fig, i < b->warmup ? thrown : kept, (double)i + 1, s, name,
				ROLE_PLAIN);
	}
	/* Whole decades: no sample stands on a line that it is not at. */
	if (p && least_s > 0) {
		p->y.min = pow(10, floor(log10(least_s)));
		p->y.max = pow(10, ceil(log10(most_s)));
	}
	plot_rule(fig, p, true, shown_s, "benchmark says", off_role(shown_s, true_s));
	plot_rule(fig, p, true, true_s, "kernel takes", ROLE_ACCENT);
}

enum { LANE_CPU, LANE_GPU, N_LANES };
enum { KIND_LAUNCH, KIND_KERNEL, KIND_AWAIT, KIND_FLUSH, KIND_PAUSE, N_KINDS };

enum { SHOWN = 8, MOST_PENDING = 64 };

/* The same loop without outliers, and not longer than the picture: in most loops one slow kernel hides
 * all that the queue shows. */
static struct benchmark undisturbed(const struct benchmark *b)
{
	struct benchmark calm = *b;
	calm.outliers = 0;
	calm.iterations = b->iterations < COLD + SHOWN ? b->iterations : COLD + SHOWN;
	return calm;
}

/* The first of eight iterations after the cold ones, if there are so many. */
static size_t first_shown(const struct benchmark *b, const struct benchmark_run *run)
{
	size_t first = b->warmup > COLD ? b->warmup : COLD;
	return first + SHOWN <= run->n ? first : run->n > SHOWN ? run->n - SHOWN : 0;
}

/* Draws the calls of some iterations on the CPU and the GPU, after the cold first ones; sets the
 * figure's duration and its moments. */
static void measurement_draw_queue(struct figure *fig, const struct benchmark *set)
{
	const struct benchmark calm = undisturbed(set), *b = &calm;
	const struct benchmark_run made = benchmark_simulate(&fig->arena, b), *run = &made;
	static const char *const lanes[N_LANES] = { "CPU", "GPU" };
	static const char *const kinds[N_KINDS] = { "launch", "kernel", "waits", "flush", "pause" };
	if (!run->n)
		return;
	size_t first = first_shown(b, run), end = first + SHOWN < run->n ? first + SHOWN : run->n;
	const struct benchmark_iteration *it = run->all;
	double zero = it[first].begin_s, stop = it[end - 1].end_s - zero;
	double done = it[end - 1].gpu_end_s - zero;
	bool early = b->timer == TIMER_NONE && done > stop;
	size_t ran = 0;
	while (first + ran < end && it[first + ran].gpu_end_s - zero <= stop)
		ran++;
	const char *some = ran ? figure_text(fig, "%zu of %zu have", ran, end - first) : "none has";
	struct timeline *t = figure_timeline(fig,
		figure_text(fig, "Calls %zu to %zu of %zu%s", first + 1, end,
			set->warmup + set->iterations,
			early ? figure_text(fig, ": %s ended when the clock stops", some) : ""),
		lanes, N_LANES, kinds, N_KINDS);
	static const enum meaning means[N_KINDS] = { MEANS_FIXED, MEANS_COMPUTE, MEANS_WAITING,
		MEANS_TRAFFIC, MEANS_HELD };
	timeline_mean(fig, t, means, N_KINDS);
	figure_tab(fig, "The queue");
	for (size_t i = first; i-- > 0 && it[i].gpu_end_s > zero && first - i < MOST_PENDING;)
		timeline_span(fig, t, LANE_GPU, KIND_KERNEL, fmax(0, it[i].gpu_begin_s - zero),
			it[i].gpu_end_s - zero, figure_text(fig, "%zu", i + 1));
	for (size_t i = first; i < end; i++) {
		double asked = it[i].begin_s + it[i].pause_s, launch = it[i].queued_s - b->launch_s;
		if (it[i].pause_s > 0)
			timeline_span(fig, t, LANE_CPU, KIND_PAUSE, it[i].begin_s - zero,
				asked - zero, NULL);
		if (launch > asked)
			timeline_span(
				fig, t, LANE_CPU, KIND_AWAIT, asked - zero, launch - zero, NULL);
		timeline_span(
			fig, t, LANE_CPU, KIND_LAUNCH, launch - zero, it[i].queued_s - zero, NULL);
		if (it[i].end_s > it[i].queued_s)
			timeline_span(fig, t, LANE_CPU, KIND_AWAIT, it[i].queued_s - zero,
				it[i].end_s - zero, NULL);
		if (b->flush_s > 0)
			timeline_span(fig, t, LANE_GPU, KIND_FLUSH,
				fmax(0, it[i].flush_begin_s - zero),
				fmax(0, it[i].flush_begin_s + b->flush_s - zero), NULL);
		timeline_span(fig, t, LANE_GPU, KIND_KERNEL, it[i].gpu_begin_s - zero,
			it[i].gpu_end_s - zero, figure_text(fig, "%zu", i + 1));
	}
	/* Where they are too narrow to be counted in the picture. */
	if (early)
		timeline_note(fig, t, LANE_CPU,
			figure_text(
				fig, "%zu launch%s", end - first, end - first == 1 ? "" : "es"));
	bool cpu_clock = b->timer == TIMER_NONE || b->timer == TIMER_EACH;
	if (t)
		t->rules_behind = true; /* a kernel does not end because a clock stops */
	if (cpu_clock)
		timeline_rule(fig, t, stop, "clock stops", done > stop ? ROLE_BAD : ROLE_GOOD);
	fig->duration_s = fmax(done, stop);
	figure_moment(fig, 0, "The CPU puts %zu launches into the queue, %s each.", end - first,
		figure_quantity(fig, b->launch_s, "s"));
	if (early)
		figure_moment(fig, stop,
			"The clock has stopped after %s; the GPU still has %s of work.",
			figure_quantity(fig, stop, "s"), figure_quantity(fig, done - stop, "s"));
	figure_moment(
		fig, fig->duration_s, "The GPU is done after %s.", figure_quantity(fig, done, "s"));
}

/* --- values and words ------------------------------------------------------------------- */

/* A number of samples that nobody counts: from 1,000 on the next one of three digits. */
static double three_digits_up(double n)
{
	double last = n >= 1000 ? pow(10, floor(log10(n)) - 2) : 1;
	return isfinite(n) ? last * ceil(n / last) : n;
}

static void values(struct figure *fig, const struct benchmark *b, const struct report *r,
	enum statistic statistic, double true_s)
{
	bool single = b->timer == TIMER_END || statistic == STATISTIC_MIN;
	const char *why = single ? "one number has no interval" : "too few samples";
	value_note(figure_value(fig, "reported_s", "benchmark says", r->value_s, "s",
			   off_role(r->value_s, true_s)),
		off_text(fig, r->value_s, true_s, "x"));
	bool tail = statistic == STATISTIC_P99 && b->timer != TIMER_END;
	value_note(figure_value(fig, "true_s", tail ? "true P99" : "kernel takes", true_s, "s",
			   ROLE_ACCENT),
		tail ? "of production" : "undisturbed");
	const char *name = b->timer == TIMER_END ? "mean" : statistic_names[statistic];
	value_note(figure_value(fig, "ci_high_s", figure_text(fig, "%s, at most", name), r->high_s,
			   "s", ROLE_DIM),
		isinf(r->high_s) ? why : "95 % sure");
	/* That a time is 0 s at least says nothing. */
	bool bounded = r->low_s > 0;
	value_note(figure_value(fig, "ci_low_s", figure_text(fig, "%s, at least", name), r->low_s,
			   "s", ROLE_DIM),
		bounded ? "95 % sure" : "too spread to say more");
	if (b->timer != TIMER_END)
		value_note(figure_value(fig, "cv", "samples spread", r->cv, "", ROLE_DIM),
			statistic == STATISTIC_MEDIAN ? "medians, by quartiles" : "times the mean");
	if (!single)
		value_note(figure_value(fig, "samples_needed", "samples needed",
				   three_digits_up(samples_needed(statistic, r->cv)), "", ROLE_DIM),
			statistic == STATISTIC_P99 ? "10 beyond it" : "for ± 1 %");
}

/* The sentence. tail: true_s is that of a P99. */
static void explain(struct figure *fig, const struct benchmark *b, const struct report *r,
	const struct worst *worst, bool tail, double true_s)
{
	double off = fabs(r->value_s / true_s - 1);
	bool bounded = isfinite(r->high_s), mended = worst->weight < 0.05;
	const char *says = figure_quantity(fig, r->value_s, "s"),
		   *truth = figure_quantity(fig, true_s, "s");
	const char *said = tail ? figure_text(fig, "%s, the true P99 is %s", says, truth)
				: figure_text(fig, "%s for a kernel of %s", says, truth);
	const char *by = off_text(fig, r->value_s, true_s, " times");
	const char *most = figure_quantity(fig, r->high_s, "s");
	const char *interval = r->low_s > 0 ? figure_text(fig, "%s to %s",
						      figure_quantity(fig, r->low_s, "s"), most)
					    : figure_text(fig, "anything up to %s", most);
	if (off < 0.02 && mended)
		figure_why(fig, "%s: right, %s.", said,
			bounded ? figure_text(fig, "and the interval says so, %s", interval)
				: "but so few samples could not tell");
	else if (off < 0.02)
		figure_why(fig,
			"%s: right by accident, for what is wrong cancels. Mend one thing, and it "
			"is off by more.",
			said);
	else if (mended && bounded && r->low_s <= true_s && true_s <= r->high_s)
		figure_why(fig, "%s: %s, and the interval says how little that tells, %s.", said,
			by, interval);
	else if (worst->weight < 0.01)
		figure_why(fig,
			"%s: %s. A launch of %s cannot hide behind so short a kernel: put several "
			"into a CUDA graph.",
			said, by, figure_quantity(fig, b->launch_s, "s"));
	else if (b->timer != TIMER_NONE && worst->fix == FIX_WARMUP &&
		 worst->before_s > 10 * worst->after_s)
		/* A reader who mended the clock first sees nothing move. */
		figure_why(fig,
			"The first calls, which compile, hide all else: %s for a kernel of %s.",
			figure_quantity(fig, r->value_s, "s"), figure_quantity(fig, true_s, "s"));
	else
		figure_why(fig, "%s: %s.", said, mistake_of(worst->fix, b->timer));
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	assert(v[SYNC] <= TIMER_EVENTS && v[STATISTIC] <= STATISTIC_MIN);
	struct benchmark b = benchmark_of(t, v);
	enum statistic statistic = (enum statistic)v[STATISTIC];
	const struct accelerator *g = gpu_at(t, v[GPU]);
	struct benchmark_run result = benchmark_simulate(&fig->arena, &b);
	if (!result.n)
		return;
	struct report r = benchmark_report(&fig->arena, &b, &result, statistic);
	bool tail = statistic == STATISTIC_P99 && b.timer != TIMER_END;
	const char *what = tail ? "the true P99 is" : "the kernel takes";
	double true_s = tail ? benchmark_true_p99_s(&fig->arena, &b) : b.kernel_s;
	static const char *const clocks_seen[] = { "CPU clock", "CPU clock, GPU awaited once",
		"CPU clock, GPU awaited", "CUDA events" };
	figure_subtitle(fig, "%s · %s", clocks_seen[b.timer],
		b.timer == TIMER_END ? "total over n" : statistic_names[(size_t)v[STATISTIC]]);
	values(fig, &b, &r, statistic, true_s);
	struct worst worst = draw_cascade(fig, b, statistic, flush_s(g), r.value_s, what, true_s);
	/* Two lanes are read in a few rows, samples over decades are not. */
	measurement_draw_queue(fig, &b);
	measurement_draw_samples(fig, &b, &result, r.value_s, true_s);
	explain(fig, &b, &r, &worst, tail, true_s);
	if (memory_s(g, v) >= b.kernel_s)
		figure_note(fig, ROLE_WARN,
			"Reading %g MB takes %s on this GPU, more than the true time: all of it is "
			"taken as memory traffic.",
			v[INPUT], figure_quantity(fig, v[INPUT] * 1e6 / g->bandwidth, "s"));
	figure_assume(fig,
		"L2 %g times as fast as DRAM; awaiting takes %g us, the first %d calls allocate "
		"for %g ms",
		l2_over_dram, sync_us, 3, allocation_ms);
	figure_assume(fig,
		"an outlier adds %g times the operation on average, to the CPU or to the GPU",
		outlier_times);
	if (b.outliers > 0)
		figure_assume(fig, "the queue is drawn without outliers");
	figure_assume(fig, "an idle GPU wakes within %s; its boost fades over half a minute",
		figure_quantity(fig, benchmark_ramp_s(), "s"));
	figure_leave_out(fig, "correlated noise: a busy neighbour slows many runs in a row");
	figure_leave_out(fig, "the granularity of event time stamps, some 0.5 us");
}

const struct sim measurement_sim = {
	.id = "measurement",
	.title = "A benchmark that lies",
	.summary = "One operation timed wrongly in five ways, and mended one after another",
	.page = "training-speed",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(WARMUP, SYNC, ITERATIONS, STATISTIC, FLUSH, CLOCKS),
	.try = "Turn warm-up to 10. Why does the benchmark say too little then?",
	.run = run,
};
