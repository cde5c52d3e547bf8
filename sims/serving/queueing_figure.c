/* Pictures of a queue: waits over utilisation, the busiest stretch of the run, what theory says. */
#include "sims/base/array.h"
#include "sims/serving/queueing.h"

#include "sims/base/events.h"
#include "sims/formulas/serving.h"
#include "sims/serving/trace_figure.h"

#include <math.h>

enum { CURVE_CUSTOMERS = 5000, BURST_CUSTOMERS = 4000 };

static void draw_theory(
	const struct queueing *q, struct figure *fig, struct series *mean, struct series *p99)
{
	for (double rho = 0.05; rho < 0.955; rho += 0.025) {
		struct queue_setup s = queueing_at(q, rho);
		struct queue_theory t = queue_theory(&s, q->trace_cv);
		series_point(fig, mean, rho, t.wait_s * 1e3);
		series_point(fig, p99, rho, t.wait_p99_s * 1e3);
	}
}

static void bar(struct figure *fig, struct series *s, double x, double middle_s, double half_s)
{
	if (!isfinite(half_s))
		return;
	series_point(fig, s, x, fmax(0, middle_s - half_s) * 1e3);
	series_point(fig, s, x, (middle_s + half_s) * 1e3);
	series_point(fig, s, x, NAN);
}

void queueing_draw_curve(const struct queueing *q, struct figure *fig)
{
	static const double loads[] = { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9,
		0.95 };
	struct plot *p = figure_plot(fig, "Wait over utilisation", "Utilisation", "", AXIS_LINEAR,
		"Wait", "ms", AXIS_LINEAR);
	struct series *mean = plot_series(fig, p, "mean, theory", SERIES_LINE, 0);
	struct series *p99 = plot_series(fig, p, "P99, theory", SERIES_DASHED, 1);
	draw_theory(q, fig, mean, p99);
	struct series *means = plot_series(fig, p, "mean, simulated", SERIES_POINTS, 3);
	struct series *tails = plot_series(fig, p, "P99, simulated", SERIES_POINTS, 5);
	struct series *bars = plot_series(fig, p, "95 % interval", SERIES_LINE, 2);
	for (size_t i = 0; i < LENGTH(loads); i++) {
		struct arena a = { 0 };
		struct queue_setup setup = queueing_at(q, loads[i]);
		setup.customers = (size_t)fmin(q->v[QUEUEING_CUSTOMERS], CURVE_CUSTOMERS);
		struct queueing_sample s = queueing_measure(q, &setup, &a);
		series_mark(fig, means, loads[i], s.wait_s * 1e3, NULL, ROLE_PLAIN);
		series_mark(fig, tails, loads[i], s.wait_p99_s * 1e3, NULL, ROLE_PLAIN);
		bar(fig, bars, loads[i], s.wait_s, s.wait_ci_s);
		bar(fig, bars, loads[i], s.wait_p99_s, s.wait_p99_ci_s);
		fig->arena.failed |= a.failed;
		arena_release(&a);
	}
	plot_rule(fig, p, false, q->v[QUEUEING_UTILISATION], "now", ROLE_ACCENT);
}

/* Customers around the one who waited longest. */
struct stretch {
	size_t first, worst, last;
	double start_s, end_s;
};

static struct stretch busiest(const struct queue_run *run)
{
	enum { BEFORE = 80, AFTER = 40 };
	struct stretch s = { .worst = 0 };
	for (size_t i = 1; i < run->n; i++)
		if (run->wait_s[i] > run->wait_s[s.worst])
			s.worst = i;
	s.first = s.worst > BEFORE ? s.worst - BEFORE : 0;
	s.last = s.worst + AFTER < run->n ? s.worst + AFTER : run->n - 1;
	s.start_s = run->arrival_s[s.first];
	s.end_s = run->arrival_s[s.last];
	return s;
}

/* The number in the system as events: arrivals and departures in the stretch. */
static size_t queue_events(const struct queue_run *run, const struct stretch *s, struct events *e)
{
	size_t there = 0;
	for (size_t i = 0; i <= s->last; i++) {
		double left_s = run->arrival_s[i] + run->sojourn_s[i];
		if (left_s <= s->start_s)
			continue;
		if (i < s->first)
			there++;
		else
			events_push(e, run->arrival_s[i] - s->start_s, 1, (uint32_t)i);
		if (left_s <= s->end_s)
			events_push(e, left_s - s->start_s, 0, (uint32_t)i);
	}
	return there;
}

static void tell(const struct queueing *q, const struct stretch *s, const struct event *e,
	size_t there, struct figure *fig)
{
	const struct queue_run *run = &q->run;
	size_t ahead = there > q->setup.servers ? there - q->setup.servers : 0;
	bool empty = there == 0 && e->kind == 0;
	if (e->kind == 1 && e->data == s->worst)
		figure_moment(fig, e->at,
			"the unluckiest of the run arrives: %zu ahead of it in the queue, it will "
			"wait %s",
			ahead, figure_quantity(fig, run->wait_s[e->data], "s"));
	else if (e->kind == 1 && e->data % 20 == 0)
		figure_moment(fig, e->at,
			"customer %u arrives %s after the last, finds %zu there, waits %s",
			e->data + 1,
			figure_quantity(fig,
				e->data ? run->arrival_s[e->data] - run->arrival_s[e->data - 1] : 0,
				"s"),
			there, figure_quantity(fig, run->wait_s[e->data], "s"));
	else if (empty)
		figure_moment(
			fig, e->at, "the system is empty: whoever comes next waits for nobody");
}

void queueing_draw_run(const struct queueing *q, struct figure *fig)
{
	struct stretch s = busiest(&q->run);
	struct events events = events_new(&fig->arena, 256);
	size_t there = queue_events(&q->run, &s, &events);
	if (!(s.end_s > s.start_s))
		return;
	struct plot *p = figure_plot(fig, "In the system, around the longest wait", "Time", "s",
		AXIS_LINEAR, "Customers", "", AXIS_LINEAR);
	if (p) {
		p->x.is_time = true;
		p->y.min = 0;
	}
	struct series *all = plot_series(fig, p, "waiting and served", SERIES_STEP, 0);
	struct series *served = plot_series(fig, p, "being served", SERIES_STEP, 1);
	size_t servers = q->setup.servers;
	series_point(fig, all, 0, (double)there);
	series_point(fig, served, 0, (double)(there < servers ? there : servers));
	for (struct event e; events_pop(&events, &e);) {
		tell(q, &s, &e, e.kind ? there : there - 1, fig);
		there = e.kind ? there + 1 : there - 1;
		series_point(fig, all, e.at, (double)there);
		series_point(fig, served, e.at, (double)(there < servers ? there : servers));
	}
	fig->duration_s = s.end_s - s.start_s;
}

static const char *time_text(struct figure *fig, double s)
{
	return isfinite(s) ? figure_quantity(fig, s, "s") : isnan(s) ? "-" : "infinite";
}

void queueing_draw_table(const struct queueing *q, struct figure *fig)
{
	static const char *const head[] = { "", "simulated", "± 95 %", "closed form", "by" };
	const struct queueing_sample *s = &q->sample;
	const struct queue_theory *t = &q->theory;
	double in_system = CALL(littles_law, .arrival_rate = q->setup.rate_per_s,
		.time = t->wait_s + q->setup.service_s);
	const char *tail = t->exact_tail ? "exact" : "exponential tail";
	struct table *table = figure_table(fig, "", head, 5, "01110");
	table_row(fig, table,
		(const char *[]){ "mean wait", time_text(fig, s->wait_s),
			time_text(fig, s->wait_ci_s), time_text(fig, t->wait_s), t->by });
	table_row(fig, table,
		(const char *[]){ "P99 wait", time_text(fig, s->wait_p99_s),
			time_text(fig, s->wait_p99_ci_s), time_text(fig, t->wait_p99_s), tail });
	table_row(fig, table,
		(const char *[]){ "P99 in the system", time_text(fig, s->sojourn_p99_s), "",
			time_text(fig, t->sojourn_p99_s),
			isnan(t->sojourn_p99_s) ? "no closed form" : "exact" });
	table_row(fig, table,
		(const char *[]){ "in the system", figure_text(fig, "%.4g", q->run.mean_in_system),
			"", isfinite(in_system) ? figure_text(fig, "%.4g", in_system) : "infinite",
			"Little" });
}

static void burst_row(const struct queueing *q, const char *name, const struct trace *trace,
	enum queue_law law, struct figure *fig, struct table *table)
{
	struct arena a = { 0 };
	struct queue_setup setup = q->setup;
	double cv = law == LAW_FIXED ? 0 : 1;
	setup.arrivals = law;
	setup.customers = (size_t)fmin(q->v[QUEUEING_CUSTOMERS], BURST_CUSTOMERS);
	if (trace)
		cv = queueing_take_trace(&a, trace, &setup);
	struct queueing_sample s = queueing_measure(q, &setup, &a);
	struct queue_theory t = queue_theory(&setup, cv);
	if (isfinite(cv))
		table_row(fig, table,
			(const char *[]){ name, figure_text(fig, "%.2g", cv),
				time_text(fig, s.wait_s), time_text(fig, s.wait_p99_s),
				time_text(fig, t.wait_s) });
	fig->arena.failed |= a.failed;
	arena_release(&a);
}

void queueing_draw_bursts(const struct queueing *q, struct figure *fig)
{
	static const char *const head[] = { "same load, arrivals", "cv", "mean wait", "P99 wait",
		"closed form" };
	struct table *table = figure_table(fig, "", head, 5, "01111");
	burst_row(q, "one after another", NULL, LAW_FIXED, fig, table);
	burst_row(q, "Poisson", NULL, LAW_EXPONENTIAL, fig, table);
	for (size_t i = 0; i < q->tables->n_traces; i++) {
		const struct trace *trace = &q->tables->traces[i];
		if (trace_has_gaps(trace))
			burst_row(q, trace->name, trace, LAW_TRACE, fig, table);
	}
}
