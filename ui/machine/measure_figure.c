#include "ui/machine/measure_figure.h"

#include "sims/quantity/quantity.h"
#include "ui/machine/levels.h"

#include <math.h>

/* Cells are in 1e9 B/s or FLOP/s: three digits, "-" where nothing was measured. */
static const char *giga(struct figure *fig, double x)
{
	return x > 0 ? figure_quantity(fig, x / 1e9, "") : "-";
}

static const char *size_text(struct figure *fig, double bytes)
{
	bool small = bytes < 1048576;
	char text[64];

	quantity_format(text, sizeof text, bytes / (small ? 1024 : 1048576), "");
	return bytes > 0 ? figure_text(fig, "%s %s", text, small ? "KiB" : "MiB") : "-";
}

static const char *all_text(struct figure *fig, const struct machine *m)
{
	return m->threads == 1 ? "the one thread" : figure_text(fig, "all %u threads", m->threads);
}

/* How far the middle four fifths of the samples lie apart, over the median. */
static double spread_ratio(const struct spread *s)
{
	return s->n && s->median > 0 ? (s->p90 - s->p10) / s->median : 0;
}

static void add_levels(const struct machine *m, struct figure *fig)
{
	static const char *const head[] = { "level", "per core", "read 1", "write 1", "triad 1",
		"read all", "write all", "triad all" };
	struct machine_level levels[MOST_MACHINE_LEVELS];
	size_t n = machine_levels(m, levels);
	struct table *t = figure_table(fig,
		figure_text(fig, "Bandwidth by level in GB/s, 1 thread and %s", all_text(fig, m)),
		head, 8, "01111111");

	for (size_t i = 0; i < n; i++) {
		const struct machine_level *l = &levels[i];
		const char *cells[8] = { l->name, size_text(fig, l->bytes) };
		for (int crew = 0; crew < N_CREWS; crew++)
			for (int k = 0; k < N_MEMORY_KERNELS; k++)
				cells[2 + crew * N_MEMORY_KERNELS + k] =
					giga(fig, l->rate[crew][k]);
		table_row(fig, t, cells);
	}
	for (size_t i = 0; i < m->n_caches; i++) {
		bool shown = false;
		for (size_t k = 0; k < n; k++)
			shown |= levels[k].bytes == m->caches[i].bytes;
		if (!shown)
			figure_note(fig, ROLE_DIM,
				"L%d (%s, as the system tells) does not show on the curve.",
				m->caches[i].level, size_text(fig, m->caches[i].bytes));
	}
}

/* The last point that a crew has. */
static const struct memory_point *last_point(const struct machine *m, enum crew_kind crew)
{
	for (size_t i = m->n_points; i > 0; i--)
		if (m->points[i - 1].rate[crew][KERNEL_TRIAD].n)
			return &m->points[i - 1];
	return NULL;
}

static void add_memory_rows(const struct machine *m, enum crew_kind crew, const char *who,
	struct table *t, struct figure *fig)
{
	const struct memory_point *p = last_point(m, crew);

	for (int k = 0; p && k < N_MEMORY_KERNELS; k++) {
		const struct spread *s = &p->rate[crew][k];
		table_row(fig, t,
			(const char *[]){ figure_text(fig, "%s, %s", memory_kernel_ids[k], who),
				size_text(fig, p->bytes), giga(fig, s->median),
				figure_text(fig, "%s to %s", giga(fig, s->p10), giga(fig, s->p90)),
				giga(fig, s->best), figure_text(fig, "%zu", s->n) });
	}
}

static void add_memory(const struct machine *m, struct figure *fig)
{
	static const char *const head[] = { "", "working set", "median", "P10 to P90", "best",
		"samples" };
	struct table *t = figure_table(fig, "Main memory in GB/s", head, 6, "011111");
	const struct memory_point *p = last_point(m, ALL_THREADS);

	add_memory_rows(m, ONE_THREAD, "1 thread", t, fig);
	if (m->threads > 1)
		add_memory_rows(m, ALL_THREADS, figure_text(fig, "%u threads", m->threads), t, fig);
	double begins = machine_memory_begins(m, ALL_THREADS);
	if (p && m->n_caches && p->bytes < begins)
		figure_note(fig, ROLE_WARN,
			"The largest working set is less than %d times the last caches (%s): part "
			"of it is read from there.",
			MEMORY_BEGINS, size_text(fig, begins / MEMORY_BEGINS));
}

static void add_curve(const struct machine *m, struct figure *fig)
{
	static const char *const names[N_CREWS] = { "1 thread", "all threads" };
	struct plot *p = figure_plot(
		fig, "Read", "Working set", "B", AXIS_LOG2, "Bandwidth", "GB/s", AXIS_LOG10);

	if (p)
		p->x.information = true;
	for (unsigned crew = 0; crew < (m->threads > 1 ? N_CREWS : 1); crew++) {
		struct series *line = plot_series(fig, p, names[crew], SERIES_LINE, crew);
		for (size_t i = 0; i < m->n_points; i++)
			if (m->points[i].rate[crew][KERNEL_READ].n)
				series_point(fig, line, m->points[i].bytes,
					m->points[i].rate[crew][KERNEL_READ].median / 1e9);
	}
}

/* A loop in registers takes the same time each time, unless somebody else is running. */
static const double quiet_ratio = 0.3;

static void add_flops(const struct machine *m, struct figure *fig)
{
	static const char *const head[] = { "vector", "double 1", "single 1", "double all",
		"single all", "spread" };
	struct table *t = figure_table(fig,
		figure_text(fig, "Peak in GFLOP/s, 1 thread and %s", all_text(fig, m)), head, 6,
		"011111");
	double worst = 0;

	for (size_t i = 0; i < m->n_flops; i++) {
		const struct flops_point *f = &m->flops[i];
		const char *how = f->fused ? "FMA" : "multiply, add";
		const char *cells[6] = { f->bits ? figure_text(fig, "%d bits, %s", f->bits, how)
						 : figure_text(fig, "scalar, %s", how) };
		double most = 0;
		for (int crew = 0; crew < N_CREWS; crew++)
			for (int d = 0; d < N_PRECISIONS; d++) {
				const struct spread *s = &f->rate[crew][d];
				cells[1 + crew * N_PRECISIONS + d] = giga(fig, s->median);
				most = fmax(most, spread_ratio(s));
			}
		cells[5] = figure_text(fig, "%.0f %%", 100 * most);
		table_row(fig, t, cells);
		worst = fmax(worst, most);
	}
	if (worst > quiet_ratio)
		figure_note(fig, ROLE_WARN,
			"Samples of a loop in registers differ by up to %.0f %%: other programs "
			"were running. Measure again when they are done.",
			100 * worst);
}

static void add_values(const struct machine *m, struct figure *fig)
{
	const struct spread *peak = machine_peak(m, ALL_THREADS, PRECISION_SINGLE);
	double triad = machine_memory_best(m, ALL_THREADS, KERNEL_TRIAD);

	if (peak)
		figure_value(fig, "peak_gflops", "peak, single", peak->best / 1e9, "GFLOP/s",
			ROLE_ACCENT);
	if (triad > 0)
		figure_value(fig, "triad_GBps", "triad, memory", triad / 1e9, "GB/s", ROLE_ACCENT);
	if (peak && triad > 0)
		figure_value(fig, "ridge", "ridge", peak->best / triad, "FLOP/B", ROLE_ACCENT);
	if (m->start_s > 0)
		figure_value(
			fig, "start_us", "start of threads", m->start_s * 1e6, "us", ROLE_PLAIN);
}

void machine_figure(const struct machine *m, struct figure *fig)
{
	figure_subtitle(fig, "%s · %u %s · %s", m->cpu, m->threads,
		m->threads == 1 ? "thread" : "threads", m->date);
	add_values(m, fig);
	add_levels(m, fig);
	add_memory(m, fig);
	add_flops(m, fig);
	add_curve(m, fig);
	figure_assume(fig,
		"bytes as STREAM counts them: 8 per element read or written, 24 in a triad; that a "
		"store first reads its line is not counted");
	figure_assume(fig, "levels and peaks are medians, the headline is the best sample, as "
			   "STREAM reports it; spread: P10 to P90 over the median");
	figure_leave_out(fig, "latency, huge pages, stores that go past the caches");
}
