/* Pictures of a training run among failures: the share that counts over the interval, three
 * intervals on the same failures, and where the wall clock goes. */
#include "sims/constants.h"
#include "sims/training/goodput.h"

#include <math.h>

enum { CURVE_POINTS = 25, N_SHOWN = 3 };
static const double shown_ratio[N_SHOWN] = { 0.25, 1, 4 };

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
static double best_interval_s(const double *log_s, const double *share)
{
	enum { REACH = 6 };
	size_t best = 0;
	for (size_t i = 1; i < CURVE_POINTS; i++)
		best = share[i] > share[best] ? i : best;
	size_t from = best > REACH ? best - REACH : 0;
	size_t to = best + REACH + 1 < CURVE_POINTS ? best + REACH + 1 : CURVE_POINTS;
	double top = parabola_top(log_s, share, from, to);
	if (!(top >= log_s[from] && top <= log_s[to - 1]))
		top = log_s[best];
	return exp(top);
}

void goodput_draw_curve(struct goodput *g, struct figure *fig)
{
	struct plot *p = figure_plot(fig, "Share of the clock that counts", "Checkpoint every",
		"min", AXIS_LOG10, "Goodput", "%", AXIS_LINEAR);
	if (p)
		p->y.max = 100;
	struct series *young = plot_series(fig, p, "Young, first order", SERIES_DASHED, 1);
	struct series *daly = plot_series(fig, p, "Daly", SERIES_LINE, 2);
	struct series *simulated = plot_series(fig, p, "simulated", SERIES_POINTS, 0);
	double log_s[CURVE_POINTS], share[CURVE_POINTS], least_s = fmax(g->plan.lag_s, g->step_s);
	/* From a sixteenth of Young's interval to sixteen times, or as far down as there are steps
	 * to count. */
	double lo = fmax(g->young_s / 16, least_s), hi = fmax(g->young_s * 16, lo * 16);
	for (size_t i = 0; i < CURVE_POINTS; i++) {
		double interval_s = lo * pow(hi / lo, (double)i / (CURVE_POINTS - 1));
		interval_s = goodput_plan_at(g, interval_s).work_s;
		log_s[i] = log(interval_s);
		share[i] = goodput_mean(g, interval_s, NULL).work_s / g->plan.horizon_s;
		double formula = goodput_formula(g, interval_s);
		series_point(fig, young, interval_s / 60, 100 * goodput_first_order(g, interval_s));
		if (isfinite(formula))
			series_point(fig, daly, interval_s / 60, 100 * formula);
		series_mark(fig, simulated, interval_s / 60, 100 * share[i], NULL, ROLE_PLAIN);
	}
	g->best_s = best_interval_s(log_s, share);
	plot_rule(fig, p, false, g->best_s / 60, "best", ROLE_GOOD);
	if (fabs(log(g->plan.work_s / g->best_s)) > 0.1)
		plot_rule(fig, p, false, g->plan.work_s / 60, "now", ROLE_ACCENT);
}

struct lane {
	struct figure *fig;
	struct timeline *timeline;
	unsigned lane;
	double from_s, to_s;
	double work_s; /* that counts */
	double lost_s; /* of the present failure, for its caption */
	bool told;
};

static void add_span(void *ctx, enum goodput_phase phase, double start_s, double end_s)
{
	struct lane *l = ctx;
	double from_s = fmax(start_s, l->from_s), to_s = fmin(end_s, l->to_s);
	if (to_s <= from_s)
		return;
	l->work_s += phase == PHASE_WORK ? to_s - from_s : 0;
	timeline_span(
		l->fig, l->timeline, l->lane, phase, from_s - l->from_s, to_s - l->from_s, NULL);
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

/* A stretch that shows failures and can still be read: some hundred checkpoints at most. */
static struct lane stretch_of(const struct goodput *g)
{
	const double *failures_s = g->failures_s[0];
	double before_s = fmin(6 * g->plan.work_s, g->mtbf_s);
	double long_s = fmin(3 * g->mtbf_s, 100 * g->plan.work_s);
	struct lane l = { .from_s = fmax(0, fmin(failures_s[0], g->plan.horizon_s) - before_s) };
	l.to_s = fmin(g->plan.horizon_s, l.from_s + fmax(long_s, 8 * before_s));
	return l;
}

/* Adds up what counts in a lane, and draws it where there is a timeline. */
static void walk(const struct goodput *g, struct lane *l, unsigned lane)
{
	struct goodput_plan p = goodput_plan_at(g, g->interval_s * shown_ratio[lane]);
	p.horizon_s = fmin(p.horizon_s, l->to_s * (1 + 1e-9));
	l->lane = lane;
	l->work_s = l->lost_s = 0;
	l->told = l->timeline && shown_ratio[lane] == 1;
	goodput_run(&p, g->failures_s[0], add_span, l);
}

void goodput_draw_run(const struct goodput *g, struct figure *fig)
{
	static const char *const kinds[N_PHASES] = { "work that counts", "checkpoint", "lost work",
		"restart" };
	const char *lanes[N_SHOWN];
	struct lane l = stretch_of(g);
	l.fig = fig;
	for (unsigned i = 0; i < N_SHOWN; i++) {
		double every_s = goodput_plan_at(g, g->interval_s * shown_ratio[i]).work_s;
		walk(g, &l, i);
		lanes[i] = figure_text(fig, "%s: %.0f %%", goodput_interval_text(fig, every_s),
			100 * l.work_s / (l.to_s - l.from_s));
	}
	l.timeline =
		figure_timeline(fig, "The same failures, a checkpoint every ..., and what counts",
			lanes, N_SHOWN, kinds, N_PHASES);
	for (unsigned i = 0; i < N_SHOWN; i++)
		walk(g, &l, i);
	fig->duration_s = l.to_s - l.from_s;
}

void goodput_draw_shares(const struct goodput *g, struct figure *fig)
{
	enum { N_PARTS = 7 };
	static const char *const names[N_PARTS] = { "compute", "stragglers", "communication",
		"data", "checkpoints", "lost work", "restarts" };
	static const char *const labels[N_SHOWN] = { "interval / 4", "as set", "interval x 4" };
	static const char *const head[] = { "as set", "share", "hours", "GPU hours" };
	struct bars *b = figure_bars(fig, "Where the wall clock goes", "%", names, N_PARTS);
	struct table *table = figure_table(fig, "", head, 4, "0111");
	double hours = g->wanted_s / HOUR_S;
	if (b)
		b->shares = true;
	for (size_t i = 0; i < N_SHOWN; i++) {
		struct goodput_share s = goodput_mean(g, g->interval_s * shown_ratio[i], NULL);
		double part[N_PARTS] = { [4] = s.checkpoint_s, [5] = s.lost_s, [6] = s.restart_s };
		for (size_t k = 0; k < 4; k++)
			part[k] = s.work_s * g->parts_s[k] / g->step_s;
		for (size_t k = 0; k < N_PARTS; k++)
			part[k] *= 100 / g->plan.horizon_s;
		struct bar *bar = bars_add(fig, b, labels[i], part);
		if (bar)
			bar->note = figure_text(
				fig, "%.4g %% counts", 100 * s.work_s / g->plan.horizon_s);
		for (size_t k = 0; shown_ratio[i] == 1 && k < N_PARTS; k++) {
			table_row(fig, table,
				(const char *[]){ names[k], figure_text(fig, "%.3g %%", part[k]),
					figure_quantity(fig, hours * part[k] / 100, "h"),
					figure_quantity(
						fig, g->gpus * hours * part[k] / 100, "h") });
		}
	}
}
