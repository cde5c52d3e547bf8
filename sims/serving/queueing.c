/* A queue (X4, F9.3 to F9.6): waiting against utilisation, simulated beside the closed forms. */
#include "sims/serving/queueing.h"

#include "sims/formulas/serving.h"
#include "sims/base/stats.h"
#include "sims/serving/trace_figure.h"
#include "sims/knobs.h"

#include <math.h>

enum { ARRIVE_FIXED, ARRIVE_POISSON, ARRIVE_GAMMA, ARRIVE_TRACE };
static const char *const arrival_ids[] = { "fixed", "poisson", "gamma", "trace", NULL };
static const char *const arrival_names[] = { "fixed", "Poisson", "gamma", "trace" };
static const enum queue_law arrival_laws[] = { LAW_FIXED, LAW_EXPONENTIAL, LAW_GAMMA, LAW_TRACE };
enum { SERVE_FIXED, SERVE_EXPONENTIAL, SERVE_GAMMA, SERVE_LOGNORMAL };
static const char *const service_ids[] = { "fixed", "exponential", "gamma", "lognormal", NULL };
static const enum queue_law service_laws[] = { LAW_FIXED, LAW_EXPONENTIAL, LAW_GAMMA,
	LAW_LOGNORMAL };

static const struct knob knobs[N_QUEUEING_KNOBS] = {
	[QUEUEING_UTILISATION] = KNOB_LINEAR("utilisation", "utilisation", "", 0.05, 1.2, 0.75,
		0.01,
		"the share of time that servers are busy; waits grow as 1/(1 - it), with no knee "
		"anywhere, and from 1 on without end"),
	[QUEUEING_SERVERS] = KNOB_DOUBLING("servers", "servers", "", 1, 256, 1,
		"behind one queue, at the same utilisation: somebody waits only while all are "
		"busy, which is the rarer the more there are"),
	[QUEUEING_ARRIVALS] = KNOB_CHOICE_OF("arrivals", "arrivals", arrival_ids, arrival_names,
		"poisson",
		"Poisson is what many independent people make; gamma has a spread of your own; a "
		"trace has the bursts of a real service, stretched to this load"),
	[QUEUEING_ARRIVAL_CV] = KNOB_LINEAR("arrival_cv", "arrival cv", "", 0.1, 16, 2, 0.1,
		"deviation of the gaps over their mean: waits grow with its square (Kingman)",
		.when = { WHEN(QUEUEING_ARRIVALS, ARRIVE_GAMMA) }),
	[QUEUEING_TRACE] = KNOB_ANY_TRACE("azure-code",
		"conversations come almost as independent people do, code completions in clumps; "
		"your own: trace=FILE.csv on the command line",
		.when = { WHEN(QUEUEING_ARRIVALS, ARRIVE_TRACE) }),
	[QUEUEING_SERVICE] = KNOB_CHOICE_OF("service", "service", service_ids, NULL, "exponential",
		"equal services wait half as long as exponential ones; a wide spread waits for "
		"the few long ones"),
	[QUEUEING_SERVICE_CV] = KNOB_LINEAR("service_cv", "service cv", "", 0.1, 10, 2, 0.1,
		"deviation of service times over their mean: at the same load it costs as much as "
		"the arrivals' own",
		.when = { WHEN(QUEUEING_SERVICE, SERVE_GAMMA, SERVE_LOGNORMAL) }),
	[QUEUEING_SERVICE_MS] = KNOB_FACTOR("service_ms", "service time", "ms", 0.01, 100000, 100,
		1.25,
		"the mean; every wait scales with it, so a queue of short jobs is short in time"),
	[QUEUEING_CUSTOMERS] = KNOB_DOUBLING("customers", "customers", "", 200, 50000, 20000,
		"the 95 % intervals shrink with its root; near full load neighbours wait alike, "
		"and far more are needed"),
	[QUEUEING_SEED] = KNOB_SEED(
		0, 1e6, "other customers of the same kind: what changes with it is chance"),
};

double queueing_take_trace(struct arena *a, const struct trace *trace, struct queue_setup *setup)
{
	double span_s = trace->requests[trace->n - 1].arrival_s - trace->requests[0].arrival_s;
	double *gaps = span_s > 0 ? arena_array(a, trace->n, sizeof *gaps) : NULL;
	if (!gaps)
		return NAN;
	size_t n = trace->n - 1;
	for (size_t i = 0; i < n; i++)
		gaps[i] = (trace->requests[i + 1].arrival_s - trace->requests[i].arrival_s) *
			  (double)n / span_s;
	setup->arrivals = LAW_TRACE;
	setup->gaps = gaps;
	setup->n_gaps = n;
	return deviation_of(gaps, n);
}

struct queueing_sample queueing_measure(
	const struct queueing *q, const struct queue_setup *setup, struct arena *a)
{
	struct queueing_sample s = { 0 };
	bool main_run = setup == &q->setup;
	struct queue_run run = main_run ? q->run : queue_simulate(a, setup);
	size_t warm = run.n / 10, n = run.n - warm, waited = 0;
	double *copy = arena_array(a, n, sizeof *copy);
	if (!copy || n == 0)
		return s;
	for (size_t i = 0; i < n; i++) {
		copy[i] = run.wait_s[warm + i];
		waited += copy[i] > 0;
	}
	s.waited_ratio = (double)waited / (double)n;
	s.wait_s = mean_of(copy, n);
	s.wait_ci_s = mean_ci95(copy, n);
	s.wait_p99_ci_s = quantile_ci95(copy, n, 0.99);
	s.wait_p99_s = quantile_select(copy, n, 0.99);
	for (size_t i = 0; main_run && i < n; i++)
		copy[i] = run.sojourn_s[warm + i];
	s.sojourn_p99_s = main_run ? quantile_select(copy, n, 0.99) : NAN;
	return s;
}

struct queue_setup queueing_at(const struct queueing *q, double utilisation)
{
	struct queue_setup s = q->setup;
	s.rate_per_s = utilisation * (double)s.servers / s.service_s;
	return s;
}

static void set_up(struct queueing *q)
{
	const double *v = q->v;
	q->setup = (struct queue_setup){
		.arrivals = arrival_laws[(size_t)v[QUEUEING_ARRIVALS]],
		.service = service_laws[(size_t)v[QUEUEING_SERVICE]],
		.rate_per_s = v[QUEUEING_UTILISATION] * v[QUEUEING_SERVERS] /
			      (v[QUEUEING_SERVICE_MS] / 1e3),
		.service_s = v[QUEUEING_SERVICE_MS] / 1e3,
		.arrival_cv = v[QUEUEING_ARRIVAL_CV],
		.service_cv = v[QUEUEING_SERVICE_CV],
		.servers = (size_t)v[QUEUEING_SERVERS],
		.customers = (size_t)v[QUEUEING_CUSTOMERS],
		.seed = (uint64_t)v[QUEUEING_SEED],
	};
	if (q->setup.arrivals != LAW_TRACE)
		return;
	q->setup.arrivals = LAW_EXPONENTIAL; /* where the trace is not there */
	const struct trace *trace = trace_at(q->tables, v[QUEUEING_TRACE]);
	if (trace)
		q->trace_cv = queueing_take_trace(q->arena, trace, &q->setup);
	q->trace = q->setup.arrivals == LAW_TRACE ? trace : NULL;
}

static const char *interval(struct figure *fig, double ci_s)
{
	if (!isfinite(ci_s))
		return "too few for an interval";
	return figure_text(fig, "± %s", figure_quantity(fig, ci_s, "s"));
}

/* Sums of some ten thousand terms differ by no more. */
static const double rounding = 1e-10;

static void add_values(const struct queueing *q, struct figure *fig)
{
	const struct queueing_sample *s = &q->sample;
	const struct queue_theory *t = &q->theory;
	double waiting = CALL(littles_law, .arrival_rate = q->run.arrival_rate_per_s,
		.time = mean_of(q->run.wait_s, q->run.n));
	double in_system = CALL(littles_law, .arrival_rate = q->run.arrival_rate_per_s,
		.time = mean_of(q->run.sojourn_s, q->run.n));
	double kingman_s = CALL(sakasegawa_wait, .service_time = q->setup.service_s,
		.utilisation = q->v[QUEUEING_UTILISATION], .servers = q->v[QUEUEING_SERVERS],
		.arrival_cv = queue_law_cv(q->setup.arrivals, q->setup.arrival_cv, q->trace_cv),
		.service_cv = queue_law_cv(q->setup.service, q->setup.service_cv, 0));
	bool over = q->v[QUEUEING_UTILISATION] >= 1;

	value_note(
		figure_value(fig, "wait_mean_ms", "mean wait", s->wait_s * 1e3, "ms", ROLE_ACCENT),
		interval(fig, s->wait_ci_s));
	value_note(figure_value(fig, "wait_p99_ms", "P99 wait", s->wait_p99_s * 1e3, "ms",
			   over ? ROLE_BAD : ROLE_PLAIN),
		interval(fig, s->wait_p99_ci_s));
	value_note(figure_value(
			   fig, "closed_form_ms", "closed form", t->wait_s * 1e3, "ms", ROLE_GOOD),
		figure_text(fig, "mean, %s%s", t->by, t->exact_mean ? ", exact" : ""));
	value_note(figure_value(fig, "kingman_ms", "Kingman", kingman_s * 1e3, "ms", ROLE_PLAIN),
		q->setup.servers > 1 ? "mean, for many servers" : "mean");
	figure_value(
		fig, "sojourn_p99_ms", "P99 in system", s->sojourn_p99_s * 1e3, "ms", ROLE_PLAIN);
	value_note(figure_value(fig, "queue_length", "waiting", waiting, "", ROLE_PLAIN),
		"on average");
	value_note(figure_value(fig, "in_system", "in the system", q->run.mean_in_system, "",
			   ROLE_PLAIN),
		"on average");
	value_note(
		figure_value(fig, "wait_pct", "who wait", s->waited_ratio * 100, "%", ROLE_PLAIN),
		figure_text(fig, "Erlang C: %.3g %%", 100 * t->wait_probability));
	value_note(figure_value(fig, "busy_pct", "busy", q->run.utilisation * 100, "%", ROLE_PLAIN),
		"as it came out");
	double gap = fabs(in_system / q->run.mean_in_system - 1);
	value_note(figure_value(fig, "littles_gap", "Little's gap", gap < rounding ? 0 : gap, "",
			   ROLE_PLAIN),
		"L against rate x time");
}

/* What a little more load would do, by the theory of the same queue. */
static const char *five_points_more(const struct queueing *q, struct figure *fig)
{
	double rho = q->v[QUEUEING_UTILISATION] + 0.05;
	struct queue_setup more = queueing_at(q, rho);
	if (rho > 1 - 1e-9)
		return "five points more would be all that can be served, and the queue would grow "
		       "without end.";
	return figure_text(fig,
		"five points more would multiply the mean by %.2g: it grows smoothly, without a "
		"knee.",
		queue_theory(&more, q->trace_cv).wait_s / q->theory.wait_s);
}

static void explain(const struct queueing *q, struct figure *fig)
{
	const struct queueing_sample *s = &q->sample;
	const struct queue_theory *t = &q->theory;
	double rho = q->v[QUEUEING_UTILISATION], service_s = q->setup.service_s;
	double alone_s =
		CALL(mmc_wait, .service_time = service_s, .servers = 1, .utilisation = rho);
	double gap = isfinite(s->wait_ci_s) ? s->wait_s - t->wait_s : 0;
	const char *mean = figure_quantity(fig, s->wait_s, "s");

	if (rho >= 1)
		figure_why(fig,
			"More comes than %g server%s can do: the queue grows for as long as it "
			"lasts, and every figure only says how long that was.",
			q->v[QUEUEING_SERVERS], q->v[QUEUEING_SERVERS] > 1 ? "s" : "");
	else if (t->wait_s <= 0)
		figure_why(fig, "Gaps are equal and services too: at any load that can be served "
				"nobody finds all servers busy.");
	else if (!t->exact_mean && fabs(gap) > s->wait_ci_s && fabs(gap) > 0.2 * t->wait_s)
		figure_why(fig, "%s says %s, the simulation %s: %s", t->by,
			figure_quantity(fig, t->wait_s, "s"), mean,
			q->setup.arrivals == LAW_TRACE ? "real gaps are no independent draws, a "
							 "burst comes on top of a burst."
						       : "two numbers about the spread do not say "
							 "everything about a queue.");
	else if (q->setup.servers > 1 && s->wait_s < alone_s / 2)
		figure_why(fig,
			"%g servers behind one queue wait %s at %.3g %%, a single M/M/1 of that "
			"utilisation %s: all must be busy at once before anybody waits.",
			q->v[QUEUEING_SERVERS], mean, 100 * rho,
			figure_quantity(fig, alone_s, "s"));
	else if (s->wait_s > 2 * alone_s)
		figure_why(fig,
			"Spread alone makes it %.2gx as long as M/M/1 at the same load: %s instead "
			"of %s. Smoothing arrivals or services is worth as much as servers.",
			s->wait_s / alone_s, mean, figure_quantity(fig, alone_s, "s"));
	else
		figure_why(fig, "At %.3g %% the mean wait is %.2g services and P99 %.3g; %s",
			100 * rho, s->wait_s / service_s, s->wait_p99_s / service_s,
			five_points_more(q, fig));
}

static void warn(const struct queueing *q, struct figure *fig)
{
	const double *v = q->v;
	if (v[QUEUEING_UTILISATION] >= 1)
		figure_note(fig, ROLE_WARN,
			"No steady state at a utilisation of %.3g: the closed forms are infinite.",
			v[QUEUEING_UTILISATION]);
	if (arrival_laws[(size_t)v[QUEUEING_ARRIVALS]] == LAW_TRACE && !q->trace)
		trace_warn_gaps(fig, trace_at(q->tables, v[QUEUEING_TRACE]));
	if (q->trace && (size_t)v[QUEUEING_CUSTOMERS] > 2 * q->trace->n)
		figure_note(fig, ROLE_PLAIN,
			"The trace has %zu requests and is begun again %.0f times.", q->trace->n,
			v[QUEUEING_CUSTOMERS] / (double)q->trace->n - 1);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct queueing q = { .v = v, .tables = t, .arena = &fig->arena };
	set_up(&q);
	q.run = queue_simulate(q.arena, &q.setup);
	if (q.run.n == 0)
		return;
	q.sample = queueing_measure(&q, &q.setup, q.arena);
	q.theory = queue_theory(&q.setup, q.trace_cv);

	figure_subtitle(fig, "%s%s · %s arrivals · %s service · %.3g req/s", q.theory.name,
		q.setup.servers > 1 ? figure_text(fig, ", c = %zu", q.setup.servers) : "",
		q.trace ? q.trace->name : arrival_names[(size_t)v[QUEUEING_ARRIVALS]],
		service_ids[(size_t)v[QUEUEING_SERVICE]], q.setup.rate_per_s);
	add_values(&q, fig);
	if (q.trace)
		trace_values(fig, q.trace);
	queueing_draw_curve(&q, fig);
	queueing_draw_run(&q, fig);
	queueing_draw_table(&q, fig);
	queueing_draw_bursts(&q, fig);
	queueing_overlay(&q, fig);
	explain(&q, fig);
	warn(&q, fig);
	figure_assume(fig, "first come, first served; unlimited room; nobody gives up");
	figure_assume(fig, "times leave out the first tenth of the customers; Little's law counts "
			   "all of them");
	figure_assume(fig, "theory: mean by %s, %s; P99 %s", q.theory.by,
		q.theory.exact_mean ? "exact" : "approximate",
		q.theory.exact_tail ? "exact" : "as if waits had an exponential tail");
	figure_assume(fig, "intervals: 95 %%, from 20 batches of the run (neighbours wait alike)");
	figure_leave_out(fig, "servers that slow down as they fill, as a continuous batcher does");
	figure_leave_out(fig, "retries, timeouts, priorities, load that changes with the hour");
}

const struct sim queueing_sim = {
	.id = "queueing",
	.title = "Queues",
	.summary = "Utilisation against mean and P99 wait: simulated beside the closed forms",
	.page = "serving",
	.knobs = knobs,
	.n_knobs = N_QUEUEING_KNOBS,
	.run = run,
};
