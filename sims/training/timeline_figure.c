/* Pictures of a training loop: its lanes, where the step goes and goes after each fix, the rhythm
 * of its steps, and the step against workers. */
#include "sims/base/array.h"
#include "sims/training/timeline.h"

#include "sims/formulas/loading.h"

#include <math.h>

/* The parts of a bar in the order that gives them the colours of their lanes. */
static const struct {
	const char *name;
	enum idle_cause cause;
} shares[N_IDLE_CAUSES] = { { "checkpoint", IDLE_SIDE }, { "communication", IDLE_COMM },
	{ "copy", IDLE_COPY }, { "launches", IDLE_LAUNCH }, { "sync", IDLE_SYNC },
	{ "data", IDLE_DATA } };

static void add_bar(
	struct figure *fig, struct bars *b, const char *label, const struct step_readings *r)
{
	double part[N_IDLE_CAUSES + 1] = { 1e3 * r->mean_s };
	for (int i = 0; i < N_IDLE_CAUSES; i++) {
		part[i + 1] = 1e3 * r->idle_s[shares[i].cause];
		part[0] -= part[i + 1];
	}
	part[0] = fmax(0, part[0]);
	bars_add(fig, b, label, part);
}

/* The way out, a fix at a time: the cheapest that treats the bound, then the next bound. */
void timeline_draw_shares(struct figure *fig, const struct timeline_scene *s)
{
	enum { MOST_FIXES = 5 };
	const char *parts[N_IDLE_CAUSES + 1] = { "computes" };
	for (int i = 0; i < N_IDLE_CAUSES; i++)
		parts[i + 1] = shares[i].name;
	struct bars *b = figure_bars(
		fig, "What the GPU waits for, fix after fix", "ms", parts, N_IDLE_CAUSES + 1);
	struct step_machine m = step_shortened(s->machine);
	enum step_fix fix = s->trials.first;
	add_bar(fig, b, "now", &s->run.r);
	for (int i = 0; i < MOST_FIXES && fix != N_STEP_FIXES && step_fix(fix, &m); i++) {
		struct arena a = { 0 };
		struct step_run run = step_simulate(&a, &m);
		if (run.r.n == 0)
			fig->arena.failed = true;
		else
			add_bar(fig, b, figure_text(fig, "+ %s", step_fixes[fix].name), &run.r);
		enum step_bound bound = step_judge(&run.r).bound;
		arena_release(&a);
		if (fig->arena.failed)
			return;
		struct step_trials trials = step_try_fixes(&m, bound, true);
		fig->arena.failed |= trials.failed;
		fix = trials.first;
	}
}

void timeline_draw_fixes(struct figure *fig, const struct timeline_scene *s)
{
	static const char *const head[] = { "fix, the cheapest first", "costs", "step", "faster" };
	struct table *t = figure_table(fig, "Each fix alone", head, 4, "0011");
	for (enum step_fix fix = 0; fix < N_STEP_FIXES; fix++) {
		double step_s = s->trials.step_s[fix], gain = s->trials.now_s / step_s;
		if (isnan(step_s))
			continue;
		table_row(fig, t,
			(const char *[]){ figure_text(fig, "%s%s", step_fixes[fix].name,
						  fix == s->trials.first ? "  <- this one" : ""),
				step_fixes[fix].cost, figure_quantity(fig, 1e3 * step_s, "ms"),
				fabs(gain - 1) < 0.005 ? "no" : figure_text(fig, "%.2fx", gain) });
	}
}

/* Step after step, and the step against workers. */
void timeline_draw_curves(struct figure *fig, const struct timeline_scene *s)
{
	enum { MOST_POINTS = 120 };
	static const size_t counts[] = { 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32 };
	const struct step_readings *r = &s->run.r;
	struct plot *p = figure_plot(
		fig, "Step after step", "Step", "", AXIS_LINEAR, "Time", "ms", AXIS_LINEAR);
	struct series *all = plot_series(fig, p, "step", SERIES_STEP, 0);
	struct series *wait = plot_series(fig, p, "of it waiting for data", SERIES_AREA, 6);
	for (size_t i = 0; i < r->n && i < MOST_POINTS; i++) {
		series_point(fig, all, (double)i + 1, 1e3 * r->step_s[i]);
		series_point(fig, wait, (double)i + 1, 1e3 * r->wait_s[i]);
	}
	if (p)
		p->y.min = 0;
	p = figure_plot(fig, "Step against workers", "Loader workers", "", AXIS_LINEAR, "Step",
		"ms", AXIS_LINEAR);
	struct series *found = plot_series(fig, p, "simulated", SERIES_LINE, 0);
	struct series *bound = plot_series(fig, p, "no variation", SERIES_DASHED, 1);
	double rest_s = step_gpu_s(&s->machine) + step_copy_s(&s->machine);
	for (size_t i = 0; i < LENGTH(counts); i++) {
		struct step_machine m = s->machine;
		double w = (double)counts[i];
		m.workers = counts[i];
		double mean_s = step_mean_s(&m);
		fig->arena.failed |= isnan(mean_s);
		series_point(fig, found, w, 1e3 * mean_s);
		if (counts[i] > 0)
			series_point(fig, bound, w,
				1e3 * CALL(overlapped_step_time, .load_time = m.prep_s / w,
					      .gpu_time = rest_s, .h2d_time = 0, .sync_time = 0));
	}
	if (p)
		p->y.min = 0;
	plot_rule(fig, p, false, (double)s->machine.workers, "now", ROLE_ACCENT);
}

void timeline_draw_tests(struct figure *fig, const struct timeline_scene *s)
{
	static const char *const head[] = { "asked", "of", "answer", "" };
	struct table *t = figure_table(fig,
		figure_text(fig, "The way to the verdict: %s-bound",
			step_bound_names[s->verdict.bound]),
		head, 4, "0000");
	for (size_t i = 0; i < s->verdict.n_tests; i++) {
		const struct step_test *test = &s->verdict.tests[i];
		table_row(fig, t,
			(const char *[]){ test->question, test->instrument, test->reading,
				test->yes ? "yes" : "no" });
	}
}

static void explain_data(struct figure *fig, const struct timeline_scene *s)
{
	const struct step_machine *m = &s->machine;
	double w = (double)m->workers, rest_s = step_gpu_s(m) + step_copy_s(m);
	double need = CALL(workers_needed, .prep_time = m->prep_s, .step_time = rest_s);
	if (m->workers == 0)
		figure_why(fig,
			"The main process prepares its own batches, %s each: %s for a step of %s.",
			figure_quantity(fig, 1e3 * m->prep_s, "ms"),
			m->syncs ? "and it waits for the GPU first, so that nothing overlaps"
				 : "the GPU starves meanwhile",
			figure_quantity(fig, 1e3 * s->run.r.mean_s, "ms"));
	else if (s->run.r.epoch_wait_s > 0.5 * (double)m->epoch_steps * s->run.r.idle_s[IDLE_DATA])
		figure_why(fig,
			"Every %zu steps an epoch begins with an empty queue%s: %s without work.",
			m->epoch_steps,
			m->persistent_workers ? "" : " and workers that have to start",
			figure_quantity(fig, 1e3 * s->run.r.epoch_wait_s, "ms"));
	else if (m->prep_s / w < rest_s)
		figure_why(fig,
			"On average a batch comes in time, every %s, but some take longer than %zu "
			"asked for ahead can hide: P99 of the step is %s.",
			figure_quantity(fig, 1e3 * m->prep_s / w, "ms"), m->workers * m->prefetch,
			figure_quantity(fig, 1e3 * s->run.r.p99_s, "ms"));
	else
		figure_why(fig,
			"%zu worker%s a batch every %s, the GPU could take one every %s: %.0f "
			"workers would do, a deeper queue would not.",
			m->workers, m->workers == 1 ? " makes" : "s make",
			figure_quantity(fig, 1e3 * m->prep_s / w, "ms"),
			figure_quantity(fig, 1e3 * rest_s, "ms"), need);
}

static void explain_comm(struct figure *fig, const struct timeline_scene *s)
{
	const struct step_machine *m = &s->machine;
	if (m->overlap)
		figure_why(fig,
			"The all-reduce takes %s, backward only %s: what it cannot hide, %s, "
			"shows.",
			figure_quantity(fig, 1e3 * step_comm_s(m), "ms"),
			figure_quantity(fig, 1e3 * step_backward_s(m), "ms"),
			figure_quantity(fig, 1e3 * s->run.r.idle_s[IDLE_COMM], "ms"));
	else
		figure_why(fig,
			"Without overlap the whole all-reduce, %s, stands between backward and the "
			"optimizer, and nvidia-smi calls that %.0f %% busy.",
			figure_quantity(fig, 1e3 * step_comm_s(m), "ms"),
			100 * s->run.r.util_ratio);
}

void timeline_explain(struct figure *fig, const struct timeline_scene *s)
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
			figure_quantity(
				fig, 1e3 * m->prep_s * step_read_ratio / (double)m->readers, "ms"));
		break;
	case BOUND_COPY:
		figure_why(fig, "The copy, %s, stands before every forward%s.",
			figure_quantity(fig, 1e3 * step_copy_s(m), "ms"),
			m->pin_memory && m->non_blocking
				? ": it is in the compute stream, and only a stream of its own "
				  "overlaps"
				: " and the CPU waits for it, so that the GPU runs dry");
		break;
	case BOUND_SYNC:
		figure_why(fig,
			"After each of %zu synchronisations a step the queue is empty: the GPU "
			"waits %s for the CPU to begin again.",
			m->syncs, figure_quantity(fig, 1e3 * r->idle_s[IDLE_SYNC], "ms"));
		break;
	case BOUND_LAUNCH:
		figure_why(fig,
			"%.0f launches of %g us each take the CPU %s; the kernels take %s: the CPU "
			"sets the pace.",
			step_kernels(m), 1e6 * m->launch_s,
			figure_quantity(fig, 1e3 * step_kernels(m) * m->launch_s, "ms"),
			figure_quantity(fig, 1e3 * step_gpu_s(m), "ms"));
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
