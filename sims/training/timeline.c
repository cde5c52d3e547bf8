/* The simulation `timeline`: a training loop in a profiler. Lanes of loader workers, CPU, copy, GPU
 * and communication show who waits for whom; then come the verdict by the usual tests and what each
 * fix would do. */
#include "sims/constants.h"
#include "sims/architecture/model_bytes.h"
#include "sims/knobs.h"
#include "sims/figure/uncovered.h"
#include "sims/base/array.h"
#include "sims/formulas/loading.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/training/model_params.h"
#include "sims/training/model_step.h"
#include "sims/training/step_parts.h"
#include "sims/training/step_draw.h"
#include "sims/training/step_verdict.h"

#include <assert.h>
#include <math.h>

enum timeline_knob {
	TIMELINE_WORKERS,
	TIMELINE_PREFETCH,
	TIMELINE_PREP,
	TIMELINE_PREP_CV,
	TIMELINE_IO_BOUND,
	TIMELINE_PIN_MEMORY,
	TIMELINE_NON_BLOCKING,
	TIMELINE_COPY_STREAM,
	TIMELINE_PERSISTENT,
	TIMELINE_AMP,
	TIMELINE_COMPILE,
	TIMELINE_FUSED,
	TIMELINE_OVERLAP,
	TIMELINE_SYNC,
	TIMELINE_SYNCS,
	TIMELINE_GPUS,
	TIMELINE_MODEL,
	TIMELINE_GPU,
	TIMELINE_BATCH,
	TIMELINE_SEQ,
	TIMELINE_FORWARD,
	TIMELINE_BACKWARD,
	TIMELINE_OPTIMIZER,
	TIMELINE_KERNELS,
	TIMELINE_LAUNCH,
	TIMELINE_BATCH_MB,
	TIMELINE_GRADIENT_MB,
	TIMELINE_LINK,
	TIMELINE_NODE,
	TIMELINE_CORES,
	TIMELINE_READERS,
	TIMELINE_WORKER_GB,
	TIMELINE_EPOCH_STEPS,
	TIMELINE_SHOW,
	TIMELINE_STEPS,
	TIMELINE_SEED,
	N_TIMELINE_KNOBS
};
enum { SHOW_STEADY, SHOW_START, SHOW_EPOCH };

struct timeline_scene {
	const double *v;
	struct step_machine machine;
	struct step_run run;
	struct step_verdict verdict;
	struct step_trials trials;
};

static const char *const show_ids[] = { "steady", "start", "epoch", NULL };
static const char *const show_names[] = { "steady state", "first steps", "a new epoch" };

static_assert(LENGTH(show_ids) == LENGTH(show_names) + 1, "a name for every choice");

static const struct knob knobs[N_TIMELINE_KNOBS] = {
	[TIMELINE_WORKERS] = KNOB_WHOLE("workers", "loader workers", "", 0, 32, 2,
		"each prepares whole batches beside the GPU; prep/workers must stay below the "
		"step, and 0 puts the work into the main process"),
	[TIMELINE_PREFETCH] = KNOB_WHOLE("prefetch", "prefetch factor", "", 1, 16, 2,
		"batches that each worker is asked for ahead: a deeper queue rides out slow "
		"batches, a slow mean it cannot mend",
		.group = "loader"),
	[TIMELINE_PREP] = KNOB_FACTOR("prep_ms", "batch preparation", "ms", 0.1, 10000, 400, 1.25,
		"of one batch in one worker; over the workers it is the fastest that steps can "
		"come"),
	[TIMELINE_PREP_CV] = KNOB_LINEAR("prep_cv", "its variation", "", 0, 3, 0.1, 0.1,
		"standard deviation over mean: the wider it spreads, the deeper the queue must be",
		.group = "loader"),
	[TIMELINE_IO_BOUND] = KNOB_SWITCH("io_bound", "bound by reading", 0,
		"nine tenths of preparing is waiting for storage, which serves few at once: more "
		"workers wait together",
		.group = "loader"),
	[TIMELINE_PIN_MEMORY] = KNOB_SWITCH("pin_memory", "pin_memory", 0,
		"page-locked batches cross PCIe at full rate; unpinned ones are staged at half of "
		"it"),
	[TIMELINE_NON_BLOCKING] = KNOB_SWITCH("non_blocking", "non_blocking", 0,
		"the CPU goes on during the copy, if the batch is pinned; otherwise it waits all "
		"the same"),
	[TIMELINE_COPY_STREAM] = KNOB_SWITCH("copy_stream", "copy stream", 0,
		"the next batch crosses while this one computes; without, the copy queues before "
		"forward in the compute stream",
		.group = "more fixes"),
	[TIMELINE_PERSISTENT] = KNOB_SWITCH("persistent_workers", "persistent workers", 0,
		"workers outlive the epoch; otherwise each epoch starts them anew (it matters "
		"where there are epochs)",
		.group = "more fixes"),
	[TIMELINE_AMP] = KNOB_SWITCH("amp", "BF16 autocast", 0,
		"halves forward and backward against TF32; a loader that just kept up no longer "
		"does"),
	[TIMELINE_COMPILE] = KNOB_SWITCH("compile", "torch.compile", 0,
		"chains of pointwise kernels become one: less traffic, 0.6 of the launches",
		.group = "more fixes"),
	[TIMELINE_FUSED] = KNOB_SWITCH("fused_optimizer", "fused optimizer", 0,
		"half the bytes and a fifth of the launches of the optimizer's own part",
		.group = "more fixes"),
	[TIMELINE_OVERLAP] = KNOB_SWITCH("overlap", "overlap all-reduce", 1,
		"buckets leave as backward makes them; off, all gradients wait for backward's end",
		.group = "network"),
	[TIMELINE_SYNC] = KNOB_SWITCH("sync_every_step", "sync every step", 0,
		"loss.item() waits for the GPU, then the GPU waits for the CPU to begin again: "
		"nothing is prepared ahead any more",
		.group = "step"),
	[TIMELINE_SYNCS] = KNOB_WHOLE("syncs", "syncs a step", "", 1, 60, 1,
		"each .item(), print or if on a tensor costs a wait and a launch from standstill",
		.when = { WHEN(TIMELINE_SYNC, KNOB_ON) }, .group = "step"),
	[TIMELINE_GPUS] = KNOB_DOUBLING("gpus", "GPUs", "", 1, 1024, 1,
		"gradients are averaged over them in every step: inside a node first, then between "
		"nodes"),
	[TIMELINE_MODEL] = KNOB_MODEL_OR_NONE("model", "model",
		"a language model's own step: kernels, gradients and the batch's bytes are then its, "
		"in place of those that are typed",
		.group = "model"),
	[TIMELINE_GPU] = KNOB_ANY_GPU("a100", "on which the model's kernels run", .group = "model"),
	[TIMELINE_BATCH] = KNOB_DOUBLING("batch", "batch per GPU", "", 1, 1024, 4,
		"sequences in a batch of the model: kernels take longer, gradients are as many",
		.group = "model"),
	[TIMELINE_SEQ] = KNOB_DOUBLING("seq", "sequence", "token", 128, 131072, 2048,
		"tokens of each of the model's sequences", .group = "model"),
	[TIMELINE_FORWARD] = KNOB_FACTOR("forward_ms", "forward", "ms", 0.1, 10000, 30, 1.25,
		"kernel time in TF32, eager; a quarter of it is memory-bound chains",
		.group = "step"),
	[TIMELINE_BACKWARD] = KNOB_FACTOR("backward_ms", "backward", "ms", 0.1, 10000, 60, 1.25,
		"kernel time in TF32, eager; communication hides behind it", .group = "step"),
	[TIMELINE_OPTIMIZER] = KNOB_FACTOR("optimizer_ms", "optimizer", "ms", 0.1, 10000, 10, 1.25,
		"kernel time, unfused; it begins when the last gradient has arrived",
		.group = "step"),
	[TIMELINE_KERNELS] = KNOB_FACTOR("kernels", "kernels", "", 36, 20000, 1200, 1.25,
		"launches of forward and backward: the same work in more of them makes each "
		"shorter",
		.group = "step"),
	[TIMELINE_LAUNCH] = KNOB_LINEAR("launch_us", "launch cost", "us", 0, 100, EAGER_LAUNCH_US,
		1, "CPU time of each: hidden while kernels take longer, the pace when they do not",
		.group = "step"),
	[TIMELINE_BATCH_MB] = KNOB_FACTOR("batch_MB", "batch", "MB", 0, 10000, 154, 1.25,
		"bytes of one batch over PCIe, at 25 GB/s when pinned", .group = "loader"),
	[TIMELINE_GRADIENT_MB] = KNOB_FACTOR("gradient_MB", "gradients", "MB", 1, 100000, 400, 1.25,
		"bytes that every GPU contributes to the all-reduce", .group = "network"),
	[TIMELINE_LINK] = KNOB_FACTOR("link_GBps", "link", "GB/s", 0.1, 900, NETWORK_CARD_GB_PER_S,
		1.25,
		"of a GPU out of its node, one direction: one HDR port 25, 10-gigabit Ethernet "
		"1.25",
		.group = "network"),
	[TIMELINE_NODE] = KNOB_DOUBLING("gpus_per_node", "GPUs per node", "", 1, 72, NODE_GPUS,
		"joined by NVLink, 300 GB/s; one: every GPU behind the link to the network",
		.group = "network"),
	[TIMELINE_CORES] = KNOB_WHOLE("cores", "CPU cores", "", 1, 128, 16,
		"for the workers: beyond them, workers take turns", .group = "loader"),
	[TIMELINE_READERS] = KNOB_WHOLE("readers", "reads at once", "", 1, 64, 2,
		"that storage serves at full speed; the others wait in line",
		.when = { WHEN(TIMELINE_IO_BOUND, KNOB_ON) }, .group = "loader"),
	[TIMELINE_WORKER_GB] = KNOB_LINEAR("worker_GB", "RAM per worker", "GB", 0, 100, 2, 0.5,
		"what a worker touches of the data set is copied for it, page by page",
		.group = "loader"),
	[TIMELINE_EPOCH_STEPS] = KNOB_LINEAR("epoch_steps", "steps per epoch", "", 0, 1000, 0, 10,
		"at each epoch's start the queue is empty, and workers that do not persist take 2 "
		"s to start",
		.zero = "endless", .integer = true, .group = "loader"),
	[TIMELINE_SHOW] = KNOB_CHOICE_OF("show", "show", show_ids, show_names, "steady",
		"which steps the lanes show; all numbers stay", .group = "run"),
	[TIMELINE_STEPS] = KNOB_FACTOR("steps", "steps", "", 20, 2000, 240, 1.25,
		"of the run; with variation, quantiles settle slowly", .integer = true,
		.group = "run"),
	[TIMELINE_SEED] = KNOB_WHOLE("seed", "seed", "", 0, 9999, 1,
		"other batches of the same kind: only what varies changes", .group = "run"),
};

/* --- Pictures --- */

/* The parts of a bar, each in the colour that it has in the lanes: who waits for data is grey. */
static const struct {
	const char *name;
	enum idle_cause cause;
	enum meaning meaning;
} shares[N_IDLE_CAUSES] = { { "checkpoint", IDLE_SIDE, MEANS_KIND + 7 },
	{ "communication", IDLE_COMM, MEANS_NETWORK }, { "copy", IDLE_COPY, MEANS_TRAFFIC },
	{ "launches", IDLE_LAUNCH, MEANS_FIXED }, { "sync", IDLE_SYNC, MEANS_KIND + 2 },
	{ "no data", IDLE_DATA, MEANS_WAITING } };

/* was_s: the step before this fix; 0: none. */
static void add_bar(struct figure *fig, struct bars *b, const char *label,
	const struct step_readings *r, double was_s)
{
	double part[N_IDLE_CAUSES + 1] = { 1e3 * r->mean_s };
	for (int i = 0; i < N_IDLE_CAUSES; i++) {
		part[i + 1] = 1e3 * r->idle_s[shares[i].cause];
		part[0] -= part[i + 1];
	}
	part[0] = fmax(0, part[0]);
	struct bar *bar = bars_add(fig, b, label, part);
	if (bar)
		bar->was = 1e3 * was_s;
}

/* What is left to do; of workers, how many there are then. */
static const char *to_do(struct figure *fig, enum step_fix fix, const struct step_machine *m)
{
	if (fix == FIX_WORKERS)
		return figure_text(fig, "+ workers: %zu", m->workers);
	if (fix == FIX_PIN) /* the names of both flags would leave the bars little room */
		return "+ pinned copies";
	return figure_text(fig, "+ %s", step_fixes[fix].name);
}

/* The way out, one fix after the other: the cheapest that treats the bound, then the next bound. */
static void timeline_draw_shares(struct figure *fig, const struct timeline_scene *s)
{
	enum { MOST_FIXES = 5 };
	const char *parts[N_IDLE_CAUSES + 1] = { "computes" };
	enum meaning means[N_IDLE_CAUSES + 1] = { MEANS_COMPUTE };
	for (int i = 0; i < N_IDLE_CAUSES; i++) {
		parts[i + 1] = shares[i].name;
		means[i + 1] = shares[i].meaning;
	}
	struct bars *b = figure_bars(
		fig, "A step, with one fix after the other", "ms", parts, N_IDLE_CAUSES + 1);
	figure_tab(fig, "Fixes");
	bars_mean(fig, b, means, N_IDLE_CAUSES + 1);
	struct step_machine m = step_shortened(s->machine);
	enum step_fix fix = s->trials.first;
	double before_s = s->run.r.mean_s;
	add_bar(fig, b, "now", &s->run.r, 0);
	for (int i = 0; i < MOST_FIXES && fix != N_STEP_FIXES && step_fix(fix, &m); i++) {
		struct arena a = { 0 };
		struct step_run run = step_simulate(&a, &m);
		if (run.r.n == 0)
			fig->arena.failed = true;
		else
			add_bar(fig, b, to_do(fig, fix, &m), &run.r, before_s);
		before_s = run.r.mean_s;
		enum step_bound bound = step_judge(&run.r).bound;
		arena_release(&a);
		if (fig->arena.failed)
			return;
		struct step_trials trials = step_try_fixes(&m, bound, true);
		fig->arena.failed |= trials.failed;
		fix = trials.first;
	}
	if (b && b->n_bars > 1)
		b->title = "A step, one fix after the other: a line is what it saves";
}

/* A time in a sentence: three digits. */
static const char *said(struct figure *fig, double s)
{
	double unit = s > 0 && isfinite(s) ? pow(10, floor(log10(s)) - 2) : 1;
	return figure_quantity(fig, 1e3 * unit * round(s / unit), "ms");
}

static void timeline_draw_fixes(struct figure *fig, const struct timeline_scene *s)
{
	static const char *const head[] = { "fix, the cheapest first", "costs", "step", "faster" };
	struct table *t = figure_table(fig, "Each fix alone", head, 4, "0011");
	figure_tab(fig, "Each alone");
	for (enum step_fix fix = 0; fix < N_STEP_FIXES; fix++) {
		double step_s = s->trials.step_s[fix], gain = s->trials.now_s / step_s;
		bool has = step_has_fix(fix, &s->machine);
		if (isnan(step_s) && !has)
			continue;
		table_row(fig, t,
			(const char *[]){
				figure_text(fig, "[%s] %s%s", has ? "✓" : " ", step_fixes[fix].name,
					fix == s->trials.first ? "  <- first" : ""),
				step_fixes[fix].cost, has ? "" : said(fig, step_s),
				has                      ? "set"
				: fabs(gain - 1) < 0.005 ? "no"
							 : figure_text(fig, "%.3gx", gain) });
	}
}

static void timeline_draw_curves(struct figure *fig, const struct timeline_scene *s)
{
	/* Few enough to see one beside the other; or so many that a second epoch begins among
	 * them, where one has fewer than 120 steps. */
	enum { FEW_STEPS = 16, MANY_STEPS = 120 };
	const size_t most = s->machine.epoch_steps > 0 ? MANY_STEPS : FEW_STEPS;
	static const size_t counts[] = { 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32 };
	const struct step_readings *r = &s->run.r;
	struct plot *p = figure_plot(
		fig, "Step after step", "Step", "", AXIS_LINEAR, "Time", "ms", AXIS_LINEAR);
	figure_tab(fig, "Steps");
	/* Columns: what is waited for stands on what else a step takes, in an outline, for a column
	 * is too narrow for an area and its line to meet. */
	struct series *all = plot_series(fig, p, "with the wait", SERIES_LINE, MEANS_WAITING);
	struct series *rest = plot_series(fig, p, "without", SERIES_AREA, MEANS_COMPUTE);
	for (size_t i = 0; i < r->n && i < most; i++)
		for (int end = 0; end < 2; end++) {
			double at = (double)i + 0.5 + end;
			series_point(fig, all, at, 1e3 * r->step_s[i]);
			series_point(fig, rest, at, 1e3 * (r->step_s[i] - r->wait_s[i]));
		}
	if (p)
		p->y.min = 0;
	p = figure_plot(fig, "A step by the number of workers", "Loader workers", "", AXIS_LINEAR,
		"Step", "ms", AXIS_LINEAR);
	figure_tab(fig, "Workers");
	const double together = 0.05; /* nearer than this one curve hides the other */
	double mean_s[LENGTH(counts)], even_s[LENGTH(counts)], apart = 0;
	double rest_s = step_gpu_s(&s->machine) + step_copy_s(&s->machine);
	for (size_t i = 0; i < LENGTH(counts); i++) {
		struct step_machine m = s->machine;
		m.workers = counts[i];
		mean_s[i] = step_mean_s(&m);
		fig->arena.failed |= isnan(mean_s[i]);
		even_s[i] = CALL(overlapped_step_time,
			.load_time = counts[i] ? m.prep_s / (double)counts[i] : 0,
			.gpu_time = rest_s, .h2d_time = 0, .sync_time = 0);
		if (counts[i] > 0)
			apart = fmax(apart, fabs(mean_s[i] / even_s[i] - 1));
	}
	struct series *found =
		plot_series(fig, p, apart < together ? "with or without variation" : "simulated",
			SERIES_LINE, MEANS_KIND);
	struct series *bound = apart < together ? NULL
						: plot_series(fig, p, "no variation", SERIES_DASHED,
							  MEANS_KIND + 1);
	for (size_t i = 0; i < LENGTH(counts); i++) {
		series_point(fig, found, (double)counts[i], 1e3 * mean_s[i]);
		if (counts[i] > 0)
			series_point(fig, bound, (double)counts[i], 1e3 * even_s[i]);
	}
	if (p)
		p->y.min = 0;
	plot_slider(fig, p, "workers", (double)s->machine.workers);
}

static void timeline_draw_tests(struct figure *fig, const struct timeline_scene *s)
{
	static const char *const head[] = { "question", "read from", "answer", "" };
	struct table *t = figure_table(fig,
		figure_text(fig, "The way to the verdict: %s-bound",
			step_bound_names[s->verdict.bound]),
		head, 4, "0000");
	figure_tab(fig, "Verdict");
	for (size_t i = 0; i < s->verdict.n_tests; i++) {
		const struct step_test *test = &s->verdict.tests[i];
		table_row(fig, t,
			(const char *[]){ test->question, test->instrument, test->reading,
				test->yes ? "yes" : "no" });
	}
}

/* How many workers keep up: those of the remedy, which has one to spare. */
static const char *enough_workers(struct figure *fig, const struct step_machine *m, double need)
{
	struct step_machine fixed = *m;
	double cores = (double)m->cores;
	if (need > cores && !m->io_bound)
		return figure_text(fig, "%.0f keep up, but here are only %s", need,
			figure_quantity(fig, cores, "core"));
	const bool mended = step_fix(FIX_WORKERS, &fixed) && (double)fixed.workers > need;
	return figure_text(fig, "%.0f keep up", mended ? (double)fixed.workers : need);
}

static void explain_data(struct figure *fig, const struct timeline_scene *s)
{
	const struct step_machine *m = &s->machine;
	double w = (double)m->workers, rest_s = step_gpu_s(m) + step_copy_s(m);
	/* Those that wait for storage leave the cores to others; those that compute take turns. */
	double at_work = m->io_bound ? w : fmin(w, (double)m->cores);
	double need = CALL(workers_needed, .prep_time = m->prep_s, .step_time = rest_s);
	if (m->workers == 0)
		figure_why(fig, "The main process prepares its own batches, %s each%s.",
			said(fig, m->prep_s),
			m->syncs ? ", and waits for the GPU first, so that nothing overlaps"
				 : ": the GPU starves meanwhile");
	else if (s->run.r.epoch_wait_s > 0.5 * (double)m->epoch_steps * s->run.r.idle_s[IDLE_DATA])
		figure_why(fig,
			"Every %zu steps an epoch begins with an empty queue%s: %s without work.",
			m->epoch_steps,
			m->persistent_workers ? "" : " and workers that have to start",
			said(fig, s->run.r.epoch_wait_s));
	else if (m->prep_s / at_work < rest_s)
		figure_why(fig,
			"Batches come in time on average, every %s, but the GPU waits %.3g %% of "
			"the time: some take longer than the %zu asked for ahead can hide.",
			said(fig, m->prep_s / at_work),
			100 * s->run.r.idle_s[IDLE_DATA] / s->run.r.mean_s,
			m->workers * m->prefetch);
	else
		figure_why(fig,
			"The GPU has no data for %.3g %% of a step: %zu worker%s too slow, %s.",
			100 * s->run.r.idle_s[IDLE_DATA] / s->run.r.mean_s, m->workers,
			m->workers == 1 ? " is" : "s are", enough_workers(fig, m, need));
}

static void explain_comm(struct figure *fig, const struct timeline_scene *s)
{
	const struct step_machine *m = &s->machine;
	if (m->overlap)
		figure_why(fig,
			"The all-reduce takes %s, backward only %s: what it cannot hide, %s, "
			"shows.",
			said(fig, step_comm_s(m)), said(fig, step_backward_s(m)),
			said(fig, s->run.r.idle_s[IDLE_COMM]));
	else
		figure_why(fig,
			"Without overlap the whole all-reduce, %s, stands between backward and the "
			"optimizer, and nvidia-smi calls that %.0f %% busy.",
			said(fig, step_comm_s(m)), 100 * s->run.r.util_ratio);
}

static void explain_bound(struct figure *fig, const struct timeline_scene *s)
{
	const struct step_machine *m = &s->machine;
	const struct step_readings *r = &s->run.r;
	switch (s->verdict.bound) {
	case BOUND_DATA:
		explain_data(fig, s);
		break;
	case BOUND_STORAGE:
		figure_why(fig,
			"Workers read for %.0f %% of their time, CPUs idle: storage serves %zu at "
			"once, a batch every %s, however many ask.",
			100 * r->worker_read_ratio, m->readers,
			said(fig, m->prep_s * step_read_ratio / (double)m->readers));
		break;
	case BOUND_COPY:
		figure_why(fig,
			"The GPU waits for the copy %.3g %% of the time: its %s stand before every "
			"forward%s.",
			100 * r->idle_s[IDLE_COPY] / r->mean_s, said(fig, step_copy_s(m)),
			m->pin_memory && m->non_blocking
				? ", and only a stream of its own would overlap"
				: ", and the CPU waits for it too");
		break;
	case BOUND_SYNC:
		figure_why(fig,
			"After each of %zu synchronisations a step the queue is empty: the GPU "
			"waits %s for the CPU to begin again.",
			m->syncs, said(fig, r->idle_s[IDLE_SYNC]));
		break;
	case BOUND_LAUNCH:
		figure_why(fig,
			"%s launches of %g us each take the CPU %s; the kernels take %s: the CPU "
			"sets the pace.",
			figure_quantity(fig, step_kernels(m), ""), 1e6 * m->launch_s,
			said(fig, step_kernels(m) * m->launch_s), said(fig, step_gpu_s(m)));
		break;
	case BOUND_COMM:
		explain_comm(fig, s);
		break;
	default:
		figure_why(fig,
			"The GPU computes %.0f %% of the time: workers, copies and buckets have "
			"nothing left to give, kernels and precision have.",
			100 * r->busy_ratio);
	}
}

/* --- The simulation --- */

/* The one model of a training step, as this file's kernels in TF32, eager: forward with a third of
 * the vocabulary and of the loss, as long as its two passes backward are each. What starts of
 * kernels take is left to the events. */
static struct step_time time_on(
	const struct step_setup *like, enum dtype dtype, bool compiled, double *pointwise_s)
{
	struct step_setup s = *like;
	s.dtype = dtype;
	s.software.fused = compiled;
	struct step_time time = model_step(&s, 1);
	*pointwise_s = time.part_s[SPENT_POINTWISE] - time.starts_s;
	return time;
}

static double kernels_s(const struct step_time *time)
{
	const double *s = time->part_s;
	return s[SPENT_PRODUCTS] + s[SPENT_ATTENTION] + s[SPENT_POINTWISE] + s[SPENT_HEAD] -
	       time->starts_s;
}

static void take_model(const struct tables *t, const double v[], struct step_machine *m)
{
	/* Launches of a layer, forward and backward; a token and the one to guess, as 64-bit
	 * integers. */
	static const double layer_kernels = 56, token_bytes = 2 * 8;
	const struct model *model = model_at(t, v[TIMELINE_MODEL]);
	const struct accelerator *gpu = gpu_at(t, v[TIMELINE_GPU]);
	const struct step_setup like = { .model = model,
		.gpu = gpu,
		.tp = 1,
		.pp = 1,
		.cp = 1,
		.dp = 1,
		.shard = 1,
		.micro_batch = v[TIMELINE_BATCH],
		.micro_batches = 1,
		.seq = v[TIMELINE_SEQ],
		.flash = true,
		.full = model->encoder,
		.loss_share = 1,
		.software.date = SOFTWARE_2023,
		.ep = 1,
		.routing = ROUTING_ON_HOST,
		.mtp = model_further_heads(model) };
	double pointwise_s, narrow_pointwise_s, fused_s;
	struct step_time wide = time_on(&like, DTYPE_TF32, false, &pointwise_s);
	struct step_time narrow = time_on(&like, DTYPE_BF16, false, &narrow_pointwise_s);
	time_on(&like, DTYPE_BF16, true, &fused_s);
	double all_s = kernels_s(&wide), forward = wide.forward_s -
						   wide.starts_s / (3 * model->layers) -
						   wide.host_s / TRAINING_PASSES;
	m->forward_s = model->layers * forward + wide.head_forward_s + wide.embedding_s / 3;
	m->backward_s = all_s - m->forward_s;
	m->pointwise_ratio = m->amp ? narrow_pointwise_s / kernels_s(&narrow) : pointwise_s / all_s;
	m->amp_gain = all_s / kernels_s(&narrow);
	m->fused_passes = narrow_pointwise_s / fused_s;
	/* The step's optimizer is one kernel; before it is fused it moves twice as much. */
	m->kernels = layer_kernels * model->layers;
	m->optimizer_s = wide.part_s[SPENT_OPTIMIZER] * ADAMW_UNFUSED_TRAFFIC_BYTES /
			 ADAMW_FUSED_TRAFFIC_BYTES;
	/* Those of experts besides, one for each of its products and passes. */
	if (model_experts(model) > 0)
		m->kernels +=
			TRAINING_PASSES * model->layers * parts_layer_work(&like).expert_products;
	m->gradient_bytes = FP32_BYTES * model_trained_params(model);
	m->batch_bytes = token_bytes * v[TIMELINE_BATCH] * v[TIMELINE_SEQ];
	m->family = gpu->family;
	m->node_bandwidth = gpu->link_bandwidth;
}

static bool has_model(const struct tables *t, const double v[])
{
	return model_or_none_at(t, v[TIMELINE_MODEL]) != NULL;
}

static struct step_machine machine_of(const struct tables *t, const double v[])
{
	struct step_machine m = step_machine_default();
	m.workers = (size_t)v[TIMELINE_WORKERS];
	m.prefetch = (size_t)v[TIMELINE_PREFETCH];
	m.prep_s = v[TIMELINE_PREP] / 1e3;
	m.prep_cv = v[TIMELINE_PREP_CV];
	m.io_bound = v[TIMELINE_IO_BOUND] > 0;
	m.cores = (size_t)v[TIMELINE_CORES];
	m.readers = (size_t)v[TIMELINE_READERS];
	m.batch_bytes = v[TIMELINE_BATCH_MB] * 1e6;
	m.pin_memory = v[TIMELINE_PIN_MEMORY] > 0;
	m.non_blocking = v[TIMELINE_NON_BLOCKING] > 0;
	m.copy_stream = v[TIMELINE_COPY_STREAM] > 0;
	m.persistent_workers = v[TIMELINE_PERSISTENT] > 0;
	m.epoch_steps = (size_t)v[TIMELINE_EPOCH_STEPS];
	m.forward_s = v[TIMELINE_FORWARD] / 1e3;
	m.backward_s = v[TIMELINE_BACKWARD] / 1e3;
	m.optimizer_s = v[TIMELINE_OPTIMIZER] / 1e3;
	m.kernels = v[TIMELINE_KERNELS];
	m.launch_s = v[TIMELINE_LAUNCH] / 1e6;
	m.amp = v[TIMELINE_AMP] > 0;
	m.compile = v[TIMELINE_COMPILE] > 0;
	m.fused_optimizer = v[TIMELINE_FUSED] > 0;
	m.gpus = (size_t)v[TIMELINE_GPUS];
	m.gradient_bytes = v[TIMELINE_GRADIENT_MB] * 1e6;
	m.link_bandwidth = v[TIMELINE_LINK] * 1e9;
	m.gpus_per_node = (size_t)v[TIMELINE_NODE];
	m.overlap = v[TIMELINE_OVERLAP] > 0;
	m.syncs = v[TIMELINE_SYNC] > 0 ? (size_t)v[TIMELINE_SYNCS] : 0;
	if (has_model(t, v))
		take_model(t, v, &m);
	m.steps = (size_t)v[TIMELINE_STEPS];
	m.seed = (uint64_t)v[TIMELINE_SEED];
	return m;
}

/* The time that the lanes of a steady state show: that of preparing two batches, where this is some
 * steps of the GPU. Waits come again after each such time, so that their share of what is shown is that of
 * the run. The number of workers has no part in it, so that the lanes before and after a turn can be
 * compared. */
static double shown_s(const struct step_machine *m)
{
	enum { LEAST_STEPS = 4, MOST_STEPS = 60 };
	double gpu_s = step_gpu_s(m);
	return fmin(fmax(2 * m->prep_s, LEAST_STEPS * gpu_s), MOST_STEPS * gpu_s);
}

/* Chooses the steps that the lanes show: some of the steady state, or those around the start of an
 * epoch. The first of them is the same for some more workers or fewer. */
static void watch(struct step_machine *m, int show)
{
	enum { EVERY = 16, FEW = 3, MOST = 12 };
	size_t some = (size_t)fmin(ceil(shown_s(m) / step_gpu_s(m)), MOST);
	size_t steady = m->workers * (m->prefetch + 1) + 4, epoch = m->epoch_steps;
	steady = (steady + EVERY - 1) / EVERY * EVERY;
	m->watch_n = show == SHOW_STEADY ? some : FEW;
	m->watch_first = 0;
	if (show == SHOW_EPOCH && epoch > 0 && epoch + 2 < m->steps)
		m->watch_first = epoch - 1;
	else if (show != SHOW_START)
		m->watch_first = steady + m->watch_n < m->steps ? steady : m->steps - m->watch_n;
	/* The steady state must not reach across the end of an epoch. */
	size_t into = epoch > some ? m->watch_first % epoch : 0;
	if (show == SHOW_STEADY && epoch > some && into + some > epoch)
		m->watch_first -= into + some - epoch;
}

/* Cuts what was watched to what is shown, but to no less than one step; without those that begin later. */
static void cut(struct step_run *run, double most_s)
{
	size_t n = 0;
	run->to_s = fmin(run->to_s, fmax(run->from_s + most_s, run->ends[run->first].at_s));
	for (double begins_s = run->from_s; begins_s < run->to_s; n++) {
		assert(n < run->watched);
		begins_s = run->ends[run->first + n].at_s;
	}
	run->watched = n;
}

/* Lanes that are not those of the steady state, which all numbers are of, say so in their title. */
static const char *when_shown(const struct timeline_scene *s)
{
	size_t epoch = s->machine.epoch_steps;
	if (s->v[TIMELINE_SHOW] == SHOW_STEADY)
		return "";
	if (s->machine.watch_first == 0)
		return ", as the run begins";
	return epoch > 0 && s->machine.watch_first + 1 == epoch ? ", as an epoch begins" : "";
}

static void add_values(struct figure *fig, const struct timeline_scene *s)
{
	const struct step_readings *r = &s->run.r;
	bool bound = s->verdict.bound == BOUND_GPU;
	double wait_ms = 1e3 * r->idle_s[IDLE_DATA], comm_ms = 1e3 * r->idle_s[IDLE_COMM];
	figure_value(fig, "step_ms", "a step takes", 1e3 * r->mean_s, "ms", ROLE_ACCENT);
	value_note(
		figure_value(fig, "verdict_pct",
			s->verdict.bound == BOUND_DATA
				? "no data"
				: figure_text(fig, "%s-bound", step_bound_short[s->verdict.bound]),
			100 * s->verdict.lost_ratio, "%", bound ? ROLE_GOOD : ROLE_WARN),
		bound ? "the good case" : "of a step");
	figure_value(fig, "gpu_busy_pct", "GPU computes", 100 * r->busy_ratio, "%",
		bound ? ROLE_GOOD : ROLE_PLAIN);
	figure_value(fig, "step_p99_ms", "slowest in 100", 1e3 * r->p99_s, "ms", ROLE_PLAIN);
	value_note(figure_value(fig, "data_wait_ms", "no data for", wait_ms, "ms", ROLE_PLAIN),
		r->stall_period ? figure_text(fig, "every %zu steps", r->stall_period) : NULL);
	figure_value(fig, "copy_wait_ms", "waits for the copy", 1e3 * r->idle_s[IDLE_COPY], "ms",
		ROLE_PLAIN);
	figure_value(fig, "exposed_comm_ms", "waits for network", comm_ms, "ms", ROLE_PLAIN);
	figure_value(fig, "sync_wait_ms", "waits after a sync", 1e3 * r->idle_s[IDLE_SYNC], "ms",
		ROLE_PLAIN);
	figure_value(fig, "launch_wait_ms", "waits for launches", 1e3 * r->idle_s[IDLE_LAUNCH],
		"ms", ROLE_PLAIN);
	figure_value(fig, "util_pct", "nvidia-smi says", 100 * r->util_ratio, "%", ROLE_PLAIN);
	value_note(figure_value(fig, "power_pct", "power", 100 * r->power_ratio, "%", ROLE_PLAIN),
		"of the limit");
	figure_value(fig, "host_ram_GB", "loader's RAM",
		step_host_memory(&s->machine, s->v[TIMELINE_WORKER_GB] * 1e9) / 1e9, "GB",
		ROLE_PLAIN);
}

static void warn(struct figure *fig, const struct timeline_scene *s)
{
	const struct step_machine *m = &s->machine;
	if (m->pin_memory != m->non_blocking && m->batch_bytes > 0)
		figure_note(fig, ROLE_WARN, "%s",
			m->pin_memory ? "pin_memory alone: the copy is faster, and the CPU still "
					"waits for it."
				      : "non_blocking without pin_memory: the source is pageable, "
					"the copy blocks all the same.");
	if (m->copy_stream && !(m->pin_memory && m->non_blocking))
		figure_note(fig, ROLE_WARN,
			"A copy stream overlaps only what is pinned and does not block.");
	if (m->persistent_workers && (m->workers == 0 || m->epoch_steps == 0))
		figure_note(fig, ROLE_WARN, "persistent_workers has %s to act on here.",
			m->workers == 0 ? "no worker" : "no epoch's start");
	if (2 * m->epoch_steps > m->steps)
		figure_note(fig, ROLE_WARN,
			"%zu steps hold no two whole epochs: their starts are left out of the "
			"means.",
			m->steps);
	if (m->workers > m->cores && !m->io_bound)
		figure_note(fig, ROLE_WARN, "%zu workers on %zu cores: they take turns.",
			m->workers, m->cores);
	if (s->v[TIMELINE_SHOW] == SHOW_EPOCH &&
		(m->epoch_steps == 0 || m->epoch_steps + 2 >= m->steps))
		figure_note(fig, ROLE_WARN,
			"No epoch begins within this run; the lanes show the steady state.");
}

static void small_print(struct figure *fig, const struct timeline_scene *s, const struct tables *t)
{
	const struct step_readings *r = &s->run.r;
	if (has_model(t, s->v))
		figure_assume(fig,
			"forward, backward, optimizer, kernels, gradients and batch are %s's on %s, "
			"as parallelism has them; BF16 %.3gx, compiled 1 of %.2g passes",
			model_at(t, s->v[TIMELINE_MODEL])->name,
			gpu_at(t, s->v[TIMELINE_GPU])->name, s->machine.amp_gain,
			s->machine.fused_passes);
	else
		figure_assume(fig,
			"BF16 halves kernel time against TF32; compiling fuses %.3g pointwise "
			"kernels into one; AdamW %.3g or %.3g B per parameter",
			FUSED_PASSES, ADAMW_UNFUSED_TRAFFIC_BYTES, ADAMW_FUSED_TRAFFIC_BYTES);
	figure_assume(fig,
		"loader as PyTorch's: batches dealt to workers in turn, taken in order; main "
		"thread up to 1,024 launches ahead");
	figure_assume(fig,
		"all-reduce in 25 MB buckets as measured with NCCL, 5 us a hop between "
		"nodes; PCIe 25 GB/s pinned, half of it pageable; 2 ms of Python a step");
	figure_assume(fig,
		"nvidia-smi counts NCCL as busy and sees no gap between launches; power: a fifth "
		"idle, the rest by work");
	const double rounding = 1e-9; /* of a step: what adding up its parts loses */
	if (r->ci95_s < rounding * r->mean_s)
		figure_assume(fig, "mean step over %zu steps, all alike", r->n);
	else if (isfinite(r->ci95_s))
		figure_assume(fig, "mean step over %zu steps, +- %.2g ms (95 %%, batch means)",
			r->n, 1e3 * r->ci95_s);
	figure_leave_out(fig, "CPU contention between main thread and workers, NUMA, hyperthreads");
	figure_leave_out(fig, "communication that slows the kernels beside it, garbage collection");
	figure_leave_out(fig, "what a fix does to the numerics: measure the loss as well");
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct timeline_scene s = { .v = v, .machine = machine_of(t, v) };
	watch(&s.machine, (int)v[TIMELINE_SHOW]);
	s.run = step_simulate(&fig->arena, &s.machine);
	if (s.run.r.n == 0)
		return;
	if ((int)v[TIMELINE_SHOW] == SHOW_STEADY)
		cut(&s.run, shown_s(&s.machine));
	s.verdict = step_judge(&s.run.r);
	/* Each fix, and each number of workers, is a run of its own: together far more than this one. */
	fig->unfinished = fig->hurried;
	if (!fig->hurried)
		s.trials = step_try_fixes(&s.machine, s.verdict.bound, false);
	fig->arena.failed |= s.trials.failed;
	figure_subtitle(fig, "%s · %s a batch · %s%s%s",
		figure_quantity(fig, (double)s.machine.workers, "worker"),
		figure_quantity(fig, v[TIMELINE_PREP], "ms"),
		figure_quantity(fig, (double)s.machine.gpus, "GPU"), has_model(t, v) ? " · " : "",
		has_model(t, v) ? model_at(t, v[TIMELINE_MODEL])->name : "");
	add_values(fig, &s);
	step_draw_lanes(fig, &s.machine, &s.run, when_shown(&s), true);
	figure_tab(fig, "Lanes");
	if (!fig->hurried) {
		timeline_draw_shares(fig, &s);
		timeline_draw_fixes(fig, &s);
		timeline_draw_curves(fig, &s);
	}
	timeline_draw_tests(fig, &s);
	explain_bound(fig, &s);
	warn(fig, &s);
	if (has_model(t, v))
		note_windows(fig, model_at(t, v[TIMELINE_MODEL]), v[TIMELINE_SEQ]);
	if (has_model(t, v) && model_experts(model_at(t, v[TIMELINE_MODEL])) > 0)
		figure_leave_out(fig,
			"that the host waits for the rows of a mixture's experts, and "
			"experts on other GPUs");
	small_print(fig, &s, t);
}

const struct sim timeline_sim = {
	.id = "timeline",
	.title = "Step timeline",
	.summary = "A training step in a profiler's lanes: what the GPU waits for, and what each "
		   "fix would do",
	.page = "profiling",
	.knobs = knobs,
	.n_knobs = N_TIMELINE_KNOBS,
	.STORY(TIMELINE_WORKERS, TIMELINE_AMP, TIMELINE_PIN_MEMORY, TIMELINE_NON_BLOCKING,
		TIMELINE_PREP, TIMELINE_GPUS),
	.try = "Set loader workers to 4, BF16 autocast on. Why does the GPU wait again?",
	.run = run,
	.slow = true,
};
