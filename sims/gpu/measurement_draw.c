/* What a benchmark's clock saw, and what happened meanwhile. */
#include "sims/gpu/measurement.h"

#include <math.h>

void measurement_draw_samples(struct figure *fig, const struct benchmark *b,
	const struct benchmark_run *run, double shown_s, double true_s)
{
	enum { MOST_DOTS = 1000 };
	struct plot *p = figure_plot(
		fig, "What the clock saw", "Iteration", "", AXIS_LINEAR, "Time", "ms", AXIS_LOG10);
	struct series *kept = plot_series(fig, p, "sample", SERIES_POINTS, 0);
	struct series *thrown = b->warmup ? plot_series(fig, p, "warm-up", SERIES_POINTS, 6) : NULL;
	/* Every stride-th, and the slow ones all. */
	size_t stride = run->n / MOST_DOTS + 1;
	for (size_t i = 0; i < run->n; i++) {
		double s = run->all[i].measured_s;
		if (i % stride == 0 || s > 1.5 * shown_s)
			series_point(fig, i < b->warmup ? thrown : kept, (double)i + 1, 1e3 * s);
	}
	bool close = fabs(shown_s / true_s - 1) < 0.05;
	plot_rule(fig, p, true, 1e3 * shown_s, "reported", close ? ROLE_GOOD : ROLE_BAD);
	plot_rule(fig, p, true, 1e3 * true_s, "true", ROLE_ACCENT);
}

enum { LANE_CPU, LANE_GPU, N_LANES };
enum { KIND_LAUNCH, KIND_KERNEL, KIND_AWAIT, KIND_FLUSH, KIND_PAUSE, N_KINDS };

enum { SHOWN = 8, COLD = 3, MOST_PENDING = 64 };

static bool is_ordinary(const struct benchmark *b, const struct benchmark_iteration *it)
{
	return it->pause_s == 0 && it->gpu_end_s - it->gpu_begin_s < 3 * b->kernel_s;
}

/* The first of eight iterations after the cold ones, if there are such without an outlier. */
static size_t ordinary_stretch(const struct benchmark *b, const struct benchmark_run *run)
{
	size_t first = b->warmup > COLD ? b->warmup : COLD, length = 0;
	for (size_t i = first; i < run->n; i++) {
		length = is_ordinary(b, &run->all[i]) ? length + 1 : 0;
		if (length == SHOWN)
			return i + 1 - SHOWN;
	}
	return first + SHOWN <= run->n ? first : run->n > SHOWN ? run->n - SHOWN : 0;
}

/* What the calls of some iterations look like once the first ones are over. */
void measurement_draw_queue(
	struct figure *fig, const struct benchmark *b, const struct benchmark_run *run)
{
	static const char *const lanes[N_LANES] = { "CPU", "GPU" };
	static const char *const kinds[N_KINDS] = { "launch", "kernel", "waits", "flush", "pause" };
	size_t first = ordinary_stretch(b, run),
	       end = first + SHOWN < run->n ? first + SHOWN : run->n;
	const struct benchmark_iteration *it = run->all;
	double zero = it[first].begin_s, stop = it[end - 1].end_s - zero;
	struct timeline *t =
		figure_timeline(fig, figure_text(fig, "Iterations %zu to %zu", first + 1, end),
			lanes, N_LANES, kinds, N_KINDS);
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
	double done = it[end - 1].gpu_end_s - zero;
	bool cpu_clock = b->timer == TIMER_NONE || b->timer == TIMER_EACH;
	if (cpu_clock)
		timeline_rule(fig, t, stop, "clock stops", done > stop ? ROLE_BAD : ROLE_GOOD);
	fig->duration_s = fmax(done, stop);
	figure_moment(fig, 0, "The CPU puts %zu launches into the queue, %s each.", end - first,
		figure_quantity(fig, b->launch_s, "s"));
	if (b->timer == TIMER_NONE && done > stop)
		figure_moment(fig, stop,
			"The clock has stopped after %s; the GPU still has %s of work.",
			figure_quantity(fig, stop, "s"), figure_quantity(fig, done - stop, "s"));
	figure_moment(
		fig, fig->duration_s, "The GPU is done after %s.", figure_quantity(fig, done, "s"));
}
