/* What is left of a sum: the same numbers in five orders, and in many shuffles. */
#include "sims/base/array.h"
#include "sims/compression/formats.h"

#include "sims/formulas/formats.h"
#include "sims/compression/summation.h"

#include <stdio.h>

enum { SHUFFLES = 16, MOST_STOPS = 64 };

static const char *const names[N_SUM_ORDERS] = { "naive", "sorted", "pairwise", "Kahan",
	"FP32 accumulator" };

/* Everything that is added up for one figure. */
struct sums {
	const struct number_format *f;
	const double *x;
	double *room;
	size_t n;
	double exact;
	double result[N_SUM_ORDERS];
	double shuffled[SHUFFLES];
	size_t lost; /* additions of the naive sum that changed nothing */
	struct adder adder;
	struct rng rounding;
	uint64_t seed;
};

/* INFINITY for a sum that is none. */
static double error_of(double sum, double exact)
{
	if (sum == exact)
		return 0;
	return isfinite(sum) && exact != 0 ? fabs(sum - exact) / fabs(exact) : INFINITY;
}

/* With the same random numbers each time, so that the sums of the first n terms are one run. */
static double sum_of(struct sums *s, enum sum_order order, const double *x, size_t n)
{
	s->rounding = rng_stream(s->seed, "rounding", 0);
	return sum_in(&s->adder, order, x, n, s->room);
}

static bool add_up(const double v[], struct figure *fig, struct sums *s)
{
	double *x = arena_array(&fig->arena, (size_t)v[FORMATS_N], sizeof *x);
	double *mixed = arena_array(&fig->arena, (size_t)v[FORMATS_N], sizeof *mixed);
	s->room = arena_array(&fig->arena, (size_t)v[FORMATS_N], sizeof *s->room);
	if (!x || !mixed || !s->room)
		return false;
	s->f = formats_chosen(v);
	s->n = (size_t)v[FORMATS_N];
	s->x = x;
	s->seed = (uint64_t)v[FORMATS_SEED];
	sum_terms(x, s->n, s->f, (enum sum_data)v[FORMATS_DATA], v[FORMATS_VALUE],
		(uint64_t)v[FORMATS_SEED]);
	s->adder = adder_of(s->f, x, s->n);
	s->adder.stochastic = v[FORMATS_ROUNDING] > 0 ? &s->rounding : NULL;
	s->exact = sum_exact(x, s->n);
	for (int order = 0; order < N_SUM_ORDERS; order++)
		s->result[order] = sum_of(s, (enum sum_order)order, x, s->n);
	s->rounding = rng_stream(s->seed, "rounding", 0);
	s->result[SUM_NAIVE] = sum_counting_lost(&s->adder, x, s->n, &s->lost);
	struct rng r = rng_stream((uint64_t)v[FORMATS_SEED], "shuffles", 0);
	memcpy(mixed, x, s->n * sizeof *x);
	for (int i = 0; i < SHUFFLES; i++) {
		rng_shuffle(&r, mixed, s->n, sizeof *mixed);
		s->shuffled[i] = sum_of(s, SUM_NAIVE, mixed, s->n);
	}
	return true;
}

/* Two to the octave, and the end. */
static size_t stops_of(size_t n, size_t stops[MOST_STOPS])
{
	size_t k = 0;
	for (size_t at = 1; at < n && k + 2 < MOST_STOPS; at *= 2) {
		stops[k++] = at;
		if (at >= 2 && at + at / 2 < n)
			stops[k++] = at + at / 2;
	}
	stops[k++] = n;
	return k;
}

/* --- figures ---------------------------------------------------------------------------- */

static void point_if(struct figure *fig, struct series *s, double x, double y, bool log)
{
	series_point(fig, s, x, isfinite(y) && (y > 0 || !log) ? y : NAN);
}

static void draw_running(const double v[], struct figure *fig, struct sums *s)
{
	bool log = v[FORMATS_DATA] != DATA_NORMAL && s->exact > 0;
	size_t stops[MOST_STOPS], n = stops_of(s->n, stops);
	enum sum_order shown = (enum sum_order)v[FORMATS_ORDER];
	struct plot *p = figure_plot(fig, "The running sum", "Terms added", "", AXIS_LOG2, "Sum",
		"", log ? AXIS_LOG2 : AXIS_LINEAR);
	if (!p)
		return;
	p->x.min = 1;
	p->x.max = (double)s->n;
	/* In the order of the terms; the exact one is dashed. */
	for (int line = 0; line < 3; line++) {
		enum sum_order order = line == 0 ? shown : SUM_NAIVE;
		if (line == 2 && shown == SUM_NAIVE)
			continue;
		struct series *series = plot_series(fig, p, line == 1 ? "exact" : names[order],
			line == 1 ? SERIES_DASHED : SERIES_LINE, (unsigned)line);
		for (size_t i = 0; i < n; i++) {
			double sum = line == 1 ? sum_exact(s->x, stops[i])
					       : sum_of(s, order, s->x, stops[i]);
			point_if(fig, series, (double)stops[i], sum, log);
		}
	}
}

static void draw_errors(const double v[], struct figure *fig, struct sums *s)
{
	static const enum sum_order drawn[] = { SUM_NAIVE, SUM_PAIRWISE, SUM_KAHAN, SUM_WIDE };
	size_t stops[MOST_STOPS], n = stops_of(s->n, stops);
	double unit = CALL(format_epsilon, .mantissa_bits = s->f->mantissa_bits) / 2;
	struct plot *p = figure_plot(fig, "Error against the number of terms", "Terms added", "",
		AXIS_LOG2, "Relative error", "", AXIS_LOG10);
	struct series *series;
	unsigned colour = 0;
	for (size_t k = 0; k < LENGTH(drawn); k++) {
		series = plot_series(fig, p, names[drawn[k]], SERIES_LINE, colour++);
		for (size_t i = 1; i < n; i++)
			point_if(fig, series, (double)stops[i],
				error_of(sum_of(s, drawn[k], s->x, stops[i]),
					sum_exact(s->x, stops[i])),
				true);
	}
	series = plot_series(fig, p, "worst naive", SERIES_DASHED, colour++);
	for (size_t i = 1; i < n; i++)
		series_point(fig, series, (double)stops[i],
			unit * sum_depth(SUM_NAIVE, (double)stops[i]));
	series = plot_series(fig, p, "shuffled", SERIES_POINTS, colour);
	for (int i = 0; i < SHUFFLES; i++) {
		double error = error_of(s->shuffled[i], s->exact);
		if (error > 0 && isfinite(error))
			series_point(fig, series, (double)s->n, error);
	}
	plot_rule(fig, p, true, unit, "one rounding", ROLE_DIM);
	(void)v;
}

static void draw_table(struct figure *fig, const struct sums *s)
{
	static const char *const head[] = { "order", "sum", "relative error", "additions" };
	struct table *t = figure_table(fig, "The same numbers", head, 4, "0111");
	static const int cost[N_SUM_ORDERS] = { 1, 1, 1, 4, 1 };
	for (int i = 0; i < N_SUM_ORDERS; i++) {
		double error = error_of(s->result[i], s->exact);
		table_row(fig, t,
			(const char *[]){ names[i], formats_digits(fig, s->result[i], 7),
				isfinite(error) ? figure_text(fig, "%.2e", error) : "all of it",
				figure_text(fig, "%dn%s", cost[i],
					i == SUM_SORTED ? " and a sort"
					: i == SUM_WIDE ? " in FP32"
							: "") });
	}
	table_row(fig, t, (const char *[]){ "exact", formats_digits(fig, s->exact, 7), "", "" });
}

/* --- what it says ----------------------------------------------------------------------- */

static void explain(const double v[], struct figure *fig, const struct sums *s)
{
	enum sum_order order = (enum sum_order)v[FORMATS_ORDER];
	double lost = (double)s->lost / (double)s->n, sum = s->result[order];
	double error = error_of(sum, s->exact);
	if (!isfinite(sum))
		figure_why(fig, "The sum passes the largest %s number, %s: overflow. Add in FP32.",
			s->f->name, formats_digits(fig, number_max(s->f) * s->adder.scale, 6));
	else if (order == SUM_NAIVE && v[FORMATS_ROUNDING] > 0 && lost > 0.05)
		figure_why(fig,
			"%.0f %% of the additions change nothing, the others go a whole step: "
			"chance makes up for it, and the sum is off by %.2g %%.",
			100 * lost, 100 * error);
	else if (order == SUM_NAIVE && lost > 0.05)
		figure_why(fig,
			"%.0f %% of the additions change nothing: the sum has outgrown its terms, "
			"half its step is more than they are, and it stops at %s of %s.",
			100 * lost, formats_number(fig, sum), formats_number(fig, s->exact));
	else if (order == SUM_NAIVE)
		figure_why(fig,
			"Each of %s partial sums is rounded: off by %.2g %%. Shuffled, the same "
			"numbers give other sums.",
			formats_number(fig, (double)s->n), 100 * error);
	else if (order == SUM_SORTED)
		figure_why(fig,
			"Small ones first keeps the partial sums small for longer: off by %.2g %%, "
			"naive by %.2g %%.",
			100 * error, 100 * error_of(s->result[SUM_NAIVE], s->exact));
	else if (order == SUM_PAIRWISE)
		figure_why(fig,
			"Each term goes through %.0f roundings instead of up to %s: off by %.2g "
			"%%.",
			sum_depth(SUM_PAIRWISE, (double)s->n),
			formats_number(fig, (double)s->n - 1), 100 * error);
	else if (order == SUM_KAHAN)
		figure_why(fig,
			"What rounding takes from a sum is added to the next term: off by %.2g %%, "
			"for four additions each.",
			100 * error);
	else
		figure_why(fig,
			"Added in FP32 and rounded once, at the end: off by %.2g %%. So Tensor "
			"Cores add products.",
			100 * error);
}

static void warn(const double v[], struct figure *fig, const struct sums *s)
{
	if (s->f->scale != SCALE_NONE || s->f->specials == SPECIALS_NONE)
		figure_note(fig, ROLE_WARN,
			"No hardware adds up in %s: its products are added in FP32 or INT32. The "
			"order \"FP32 accumulator\" is what really happens.",
			s->f->name);
	double largest = 0;
	for (size_t i = 0; i < s->n; i++)
		largest = fmax(largest, fabs(s->x[i]));
	if (v[FORMATS_DATA] >= DATA_CONSTANT && fabs(v[FORMATS_VALUE]) > largest)
		figure_note(fig, ROLE_WARN,
			"The value is kept as %.6g, the largest or the nearest there is.", largest);
}

static const char *why_infinite(double x)
{
	return isfinite(x) ? NULL : "overflow, or a sum of zero";
}

void formats_draw_sum(const double v[], struct figure *fig)
{
	struct sums s = { 0 };
	if (!add_up(v, fig, &s))
		return;
	double sum = s.result[(size_t)v[FORMATS_ORDER]], error = error_of(sum, s.exact), most = 0,
	       least = INFINITY;
	for (int i = 0; i < SHUFFLES; i++) {
		most = fmax(most, error_of(s.shuffled[i], s.exact));
		least = fmin(least, error_of(s.shuffled[i], s.exact));
	}
	figure_subtitle(fig, "%s · %s terms · %s", s.f->name, formats_number(fig, (double)s.n),
		names[(size_t)v[FORMATS_ORDER]]);
	value_note(figure_value(fig, "sum_error", "relative error", error, "",
			   error < 0.01 ? ROLE_ACCENT : ROLE_BAD),
		why_infinite(error));
	value_note(figure_value(fig, "sum", "sum", isfinite(sum) ? sum : INFINITY, "", ROLE_PLAIN),
		isnan(sum)   ? "NaN"
		: isinf(sum) ? "overflow"
			     : NULL);
	figure_value(fig, "exact", "exact", s.exact, "", ROLE_PLAIN);
	figure_value(fig, "lost_pct", "lost, naive", 100 * (double)s.lost / (double)s.n, "%",
		s.lost * 20 > s.n ? ROLE_WARN : ROLE_PLAIN);
	value_note(figure_value(fig, "best_shuffle", "best shuffle", least, "", ROLE_PLAIN),
		why_infinite(least));
	value_note(figure_value(fig, "worst_shuffle", "worst shuffle", most, "", ROLE_PLAIN),
		why_infinite(most));
	draw_running(v, fig, &s);
	draw_errors(v, fig, &s);
	draw_table(fig, &s);
	explain(v, fig, &s);
	warn(v, fig, &s);
	figure_assume(
		fig, "terms are rounded to the format first; errors are against their exact sum");
}
