/* The simulation `queueing`: waiting against utilisation, simulated beside the closed forms. */
#include "sims/knobs.h"
#include "sims/base/array.h"
#include "sims/base/events.h"
#include "sims/base/stats.h"
#include "sims/formulas/serving.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/published/measured.h"
#include "sims/published/overlay.h"
#include "sims/serving/queue.h"
#include "sims/serving/trace_figure.h"
#include "sims/tables/trace.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum queueing_knob {
	QUEUEING_UTILISATION,
	QUEUEING_SERVERS,
	QUEUEING_ARRIVALS,
	QUEUEING_ARRIVAL_CV,
	QUEUEING_TRACE,
	QUEUEING_SERVICE,
	QUEUEING_SERVICE_CV,
	QUEUEING_SERVICE_MS,
	QUEUEING_CUSTOMERS,
	QUEUEING_SEED,
	N_QUEUEING_KNOBS
};

/* Customers around the one who waited longest. */
enum { BEFORE = 80, AFTER = 40 };
struct stretch {
	size_t first, worst, last;
	double start_s, end_s;
	size_t one_before; /* 1: arrivals_s begins with the one before first */
	double arrivals_s[1 + BEFORE + 1 + AFTER]; /* of those up to last */
	size_t there;                              /* in the system when the stretch began */
	struct events events;                      /* kind 1: customer `data` comes; 0: goes */
};

/* Where the plot has marks besides that of the load itself. */
static const double mark_loads[] = { 0.1, 0.3, 0.5, 0.65, 0.8 };
enum { N_MARKS = LENGTH(mark_loads) };

struct queueing {
	const double *v;
	const struct tables *tables;
	const struct trace *trace; /* NULL unless arrivals=trace and it is there */
	struct queue_setup setup;
	double trace_cv; /* of the trace's gaps */
	struct queue_run run;
	struct stretch stretch;
	struct queue_estimate said;           /* by the run */
	struct queue_estimate marks[N_MARKS]; /* at other loads */
	struct queue_theory theory;
	struct arena *arena;
};

enum { ARRIVE_FIXED, ARRIVE_POISSON, ARRIVE_GAMMA, ARRIVE_TRACE };
static const char *const arrival_ids[] = { "fixed", "poisson", "gamma", "trace", NULL };
static const char *const arrival_names[] = { "fixed", "Poisson", "gamma", "trace" };
static const enum queue_law arrival_laws[] = { LAW_FIXED, LAW_EXPONENTIAL, LAW_GAMMA, LAW_TRACE };
enum { SERVE_FIXED, SERVE_EXPONENTIAL, SERVE_GAMMA, SERVE_LOGNORMAL };
static const char *const service_ids[] = { "fixed", "exponential", "gamma", "lognormal", NULL };
static const enum queue_law service_laws[] = { LAW_FIXED, LAW_EXPONENTIAL, LAW_GAMMA,
	LAW_LOGNORMAL };

static_assert(LENGTH(arrival_ids) == LENGTH(arrival_names) + 1, "a name for every choice");

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
		.group = "spread", .when = { WHEN(QUEUEING_ARRIVALS, ARRIVE_GAMMA) }),
	[QUEUEING_TRACE] = KNOB_ANY_TRACE("azure-code",
		"conversations come almost as independent people do, code completions in clumps; "
		"your own: trace=FILE.csv on the command line",
		.group = "spread", .when = { WHEN(QUEUEING_ARRIVALS, ARRIVE_TRACE) }),
	[QUEUEING_SERVICE] = KNOB_CHOICE_OF("service", "service", service_ids, NULL, "exponential",
		"equal services wait half as long as exponential ones; a wide spread waits for "
		"the few long ones"),
	[QUEUEING_SERVICE_CV] = KNOB_LINEAR("service_cv", "service cv", "", 0.1, 10, 2, 0.1,
		"deviation of service times over their mean: at the same load it costs as much as "
		"the arrivals' own",
		.group = "spread",
		.when = { WHEN(QUEUEING_SERVICE, SERVE_GAMMA, SERVE_LOGNORMAL) }),
	[QUEUEING_SERVICE_MS] = KNOB_FACTOR("service_ms", "service time", "ms", 0.01, 100000, 100,
		1.25,
		"the mean; every wait scales with it, so a queue of short jobs is short in time"),
	[QUEUEING_CUSTOMERS] = KNOB_DOUBLING("customers", "customers", "", 200, 400000, 100000,
		"the 95 % intervals shrink with its root; near full load neighbours wait alike, "
		"and far more are needed before there is one",
		.group = "run"),
	[QUEUEING_SEED] = KNOB_SEED(0, 1e6,
		"other customers of the same kind: what changes with it is chance", .group = "run"),
};

static double queueing_take_trace(
	struct arena *a, const struct trace *trace, struct queue_setup *setup)
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

static struct queue_setup queueing_at(const struct queueing *q, double utilisation)
{
	struct queue_setup s = q->setup;
	s.rate_per_s = utilisation * (double)s.servers / s.service_s;
	return s;
}

/* Runs beside that of the figure, of which nothing is asked but how long their customers wait. */
struct trials {
	struct arena arena;
	struct queue_luck luck;
	double *wait_s, *scratch, *free_s;
};

/* Of this seed, these laws and at most so many customers. False: memory is out. */
static bool trials_open(struct trials *t, const struct queue_setup *setup, size_t customers)
{
	*t = (struct trials){ .luck = { NULL, NULL } };
	t->luck = queue_draw(&t->arena, setup, customers);
	t->wait_s = arena_array(&t->arena, customers, sizeof *t->wait_s);
	t->scratch = arena_array(&t->arena, queue_tail_room(customers), sizeof *t->scratch);
	t->free_s = arena_array(&t->arena, setup->servers, sizeof *t->free_s);
	return !t->arena.failed;
}

/* Says in *a whether memory ran out. */
static void trials_close(struct trials *t, struct arena *a)
{
	a->failed |= t->arena.failed;
	arena_release(&t->arena);
}

static struct queue_estimate try_out(
	struct trials *t, const struct queue_setup *setup, double cv, size_t customers)
{
	queue_waits(setup, &t->luck, customers, t->wait_s, t->free_s);
	return queue_estimate_waits(t->wait_s, t->scratch, customers, setup, cv);
}

static bool long_enough(const struct queue_estimate *e)
{
	return isfinite(e->wait_s.high) && isfinite(e->wait_p99_s.high);
}

/* What is said of the queue: the truth where theory has it, else what the run made of it. */
static double best_mean_s(const struct queueing *q)
{
	return q->theory.exact_mean && isfinite(q->theory.wait_s) ? q->theory.wait_s
								  : q->said.wait_s.at;
}

static double best_p99_s(const struct queueing *q)
{
	return q->theory.exact_tail && isfinite(q->theory.wait_p99_s) ? q->theory.wait_p99_s
								      : q->said.wait_p99_s.at;
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
	q->setup.arrivals = LAW_EXPONENTIAL; /* this stands in where there is no trace */
	const struct trace *trace = trace_at(q->tables, v[QUEUEING_TRACE]);
	if (trace)
		q->trace_cv = queueing_take_trace(q->arena, trace, &q->setup);
	q->trace = q->setup.arrivals == LAW_TRACE ? trace : NULL;
}

/* --- Other loads --- */

static bool anybody_waits(const struct queueing *q)
{
	struct queue_setup s = queueing_at(q, 0.95);
	return queue_theory(&s, q->trace_cv).wait_s > 0;
}

/* A mark of one in 100 is worked out from the 600 longest waits of so few: fewer scatter it off its
 * line. */
enum { FEWEST_CUSTOMERS = 60000, MOST_CUSTOMERS = 100000, BURST_CUSTOMERS = 4000 };

/* The mark of a load beside this one would lie under its own. */
static bool has_mark(const struct queueing *q, size_t mark)
{
	return fabs(mark_loads[mark] - q->v[QUEUEING_UTILISATION]) >= 0.04;
}

static size_t customers_of_mark(const struct queueing *q, size_t mark)
{
	struct queue_setup setup = queueing_at(q, mark_loads[mark]);
	double enough = ceil(queue_enough_customers(&setup, q->trace_cv));
	return (size_t)fmin(
		q->v[QUEUEING_CUSTOMERS], fmin(MOST_CUSTOMERS, fmax(FEWEST_CUSTOMERS, enough)));
}

/* All with the same luck. Before the run itself, so that the memory of both is not needed at once. */
static void try_other_loads(struct queueing *q)
{
	struct trials t;
	size_t most = 1;
	if (!anybody_waits(q))
		return;
	for (size_t i = 0; i < N_MARKS; i++)
		if (has_mark(q, i) && customers_of_mark(q, i) > most)
			most = customers_of_mark(q, i);
	if (trials_open(&t, &q->setup, most))
		for (size_t i = 0; i < N_MARKS; i++) {
			struct queue_setup setup = queueing_at(q, mark_loads[i]);
			if (has_mark(q, i))
				q->marks[i] =
					try_out(&t, &setup, q->trace_cv, customers_of_mark(q, i));
		}
	trials_close(&t, q->arena);
}

/* --- Pictures --- */

/* A logarithmic axis has no zero: where nobody waits there is no point. */
static void wait_point(
	const struct queueing *q, struct figure *fig, struct series *s, double rho, double wait_s)
{
	double services = wait_s / q->setup.service_s;
	if (services > 0)
		series_point(fig, s, 100 * rho, services);
}

static struct series *new_marks(
	struct figure *fig, struct plot *p, const char *name, enum meaning meaning)
{
	struct series *s = plot_series(fig, p, name, SERIES_POINTS, meaning);
	if (s)
		s->unlisted = true;
	return s;
}

static void mark_wait(const struct queueing *q, struct figure *fig, struct series *marks,
	double rho, const struct interval *wait_s, const char *name)
{
	double service_s = q->setup.service_s;
	if (!(wait_s->at > 0))
		return;
	series_mark(fig, marks, 100 * rho, wait_s->at / service_s, name, ROLE_PLAIN);
	if (wait_s->low > 0 && isfinite(wait_s->high))
		series_range(marks, wait_s->low / service_s, wait_s->high / service_s);
}

/* The lines end a little before the axis does, so that their names stand over them and not beside the
 * picture; a load beyond that is on them all the same. */
static void draw_theory(
	const struct queueing *q, struct figure *fig, struct series *mean, struct series *p99)
{
	static const double usual_end = 0.945, last_end = 0.99;
	double end = fmin(last_end, fmax(usual_end, q->v[QUEUEING_UTILISATION]));
	for (double rho = 0.1, next; rho <= end; rho = next) {
		next = rho + (rho < 0.945 ? 0.025 : 0.01);
		double at = next > end ? end : rho; /* the last one ends the line */
		struct queue_setup s = queueing_at(q, at);
		struct queue_theory t = queue_theory(&s, q->trace_cv);
		wait_point(q, fig, mean, at, t.wait_s);
		wait_point(q, fig, p99, at, t.wait_p99_s);
	}
}

/* What stands at a mark of the present load: both numbers, where they differ in three digits. */
static const char *both_text(
	const struct queueing *q, struct figure *fig, double simulated_s, double theory_s)
{
	double service_s = q->setup.service_s;
	const char *simulated = figure_text(fig, "%.3g", simulated_s / service_s);
	const char *theory = figure_text(fig, "%.3g", theory_s / service_s);
	return !isfinite(theory_s) || strcmp(simulated, theory) == 0
		       ? simulated
		       : figure_text(fig, "%s (theory %s)", simulated, theory);
}

/* Theory as a line, the simulated queue as marks on it in the same colour, of runs long enough for
 * an interval and for a mark on its line. At the present load the mark is of the whole run, and has
 * its number. */
static void queueing_draw_curve(const struct queueing *q, struct figure *fig)
{
	static const double least = 0.01; /* services: below that nobody would call it a wait */
	double now = q->v[QUEUEING_UTILISATION];
	if (!anybody_waits(q))
		return;
	struct plot *p = figure_plot(fig, "There is no knee: the wait grows all the way", "Busy",
		"%", AXIS_LINEAR, "Wait in service times: lines theory, marks simulated", "",
		AXIS_LOG10);
	figure_tab(fig, "Wait");
	struct series *mean = plot_series(fig, p, "mean", SERIES_LINE, MEANS_KIND);
	struct series *p99 = plot_series(fig, p, "slowest 1 %", SERIES_DASHED, MEANS_KIND + 1);
	draw_theory(q, fig, mean, p99);
	struct series *means = new_marks(fig, p, "mean, simulated", MEANS_KIND);
	struct series *tails = new_marks(fig, p, "slowest 1 %, simulated", MEANS_KIND + 1);
	for (size_t i = 0; i < N_MARKS; i++) {
		if (!has_mark(q, i))
			continue;
		mark_wait(q, fig, means, mark_loads[i], &q->marks[i].wait_s, NULL);
		mark_wait(q, fig, tails, mark_loads[i], &q->marks[i].wait_p99_s, NULL);
	}
	mark_wait(q, fig, means, now, &q->said.wait_s,
		both_text(q, fig, q->said.wait_s.at, q->theory.wait_s));
	mark_wait(q, fig, tails, now, &q->said.wait_p99_s,
		both_text(q, fig, q->said.wait_p99_s.at, q->theory.wait_p99_s));
	if (p) {
		p->x.min = 0;
		p->x.max = fmax(100, 100 * now);
	}
	if (p && mean && mean->n > 0 && mean->points[0].y < least)
		p->y.min = least;
	plot_rule(
		fig, p, false, 100 * now, figure_text(fig, "now %.3g %%", 100 * now), ROLE_ACCENT);
}

static double arrival_s(const struct stretch *s, size_t who)
{
	return s->arrivals_s[who - (s->first - s->one_before)];
}

/* Turns the stretch into events, arrivals and departures. */
static void queue_events(
	const struct queue_run *run, const struct queue_setup *setup, struct stretch *s)
{
	double came_s[QUEUE_BLOCK], left_s[QUEUE_BLOCK];
	for (size_t block = 0; block <= s->last / QUEUE_BLOCK; block++) {
		const size_t from = block * QUEUE_BLOCK;
		const size_t n = queue_block(run, setup, block, s->start_s, came_s, left_s);
		for (size_t i = 0; i < n && from + i <= s->last; i++) {
			if (left_s[i] <= s->start_s)
				continue;
			if (from + i < s->first)
				s->there++;
			else
				events_push(&s->events, came_s[i] - s->start_s, 1,
					(uint32_t)(from + i));
			if (left_s[i] <= s->end_s)
				events_push(&s->events, left_s[i] - s->start_s, 0,
					(uint32_t)(from + i));
		}
	}
}

static struct stretch busiest(const struct queueing *q, struct arena *a)
{
	const struct queue_run *run = &q->run;
	struct stretch s = { .worst = largest_of(run->wait_s, run->n) };
	s.first = s.worst > BEFORE ? s.worst - BEFORE : 0;
	s.last = s.worst + AFTER < run->n ? s.worst + AFTER : run->n - 1;
	s.one_before = s.first > 0;
	queue_arrivals(run, &q->setup, s.first - s.one_before, s.last + 1 - s.first + s.one_before,
		s.arrivals_s);
	s.start_s = arrival_s(&s, s.first);
	s.end_s = arrival_s(&s, s.last);
	s.events = events_new(a, 256);
	queue_events(run, &q->setup, &s);
	return s;
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
			"customer %s arrives %s after the last, finds %zu there, waits %s",
			figure_quantity(fig, e->data + 1, ""),
			figure_quantity(fig,
				e->data ? arrival_s(s, e->data) - arrival_s(s, e->data - 1) : 0,
				"s"),
			there, figure_quantity(fig, run->wait_s[e->data], "s"));
	else if (empty)
		figure_moment(
			fig, e->at, "the system is empty: whoever comes next waits for nobody");
}

static void queueing_draw_run(const struct queueing *q, struct figure *fig)
{
	const struct stretch *s = &q->stretch;
	struct events events = s->events;
	size_t there = s->there;
	if (!(s->end_s > s->start_s))
		return;
	struct plot *p = figure_plot(fig, "Who is there, around the longest wait of the run",
		"Time", "s", AXIS_LINEAR, "Customers", "", AXIS_LINEAR);
	figure_tab(fig, "Run");
	if (p) {
		p->x.is_time = true;
		p->y.min = 0;
	}
	struct series *all = plot_series(fig, p, "waiting or served", SERIES_AREA, MEANS_WAITING);
	size_t servers = q->setup.servers;
	/* One server is a line on the axis. */
	struct series *served =
		servers > 1 ? plot_series(fig, p, "being served", SERIES_STEP, MEANS_COMPUTE)
			    : NULL;
	series_point(fig, all, 0, (double)there);
	series_point(fig, served, 0, (double)(there < servers ? there : servers));
	for (struct event e; events_pop(&events, &e);) {
		tell(q, s, &e, e.kind ? there : there - 1, fig);
		series_point(fig, all, e.at, (double)there);
		there = e.kind ? there + 1 : there - 1;
		series_point(fig, all, e.at, (double)there);
		series_point(fig, served, e.at, (double)(there < servers ? there : servers));
	}
	fig->duration_s = s->end_s - s->start_s;
	const double came_s = arrival_s(s, s->worst) - s->start_s;
	figure_landmark(fig, came_s, "the unluckiest arrives");
	figure_landmark(fig, came_s + q->run.wait_s[s->worst], "its turn has come");
}

static const char *services_text(const struct queueing *q, struct figure *fig, double wait_s)
{
	return isfinite(wait_s) ? figure_text(fig, "%.3g", wait_s / q->setup.service_s)
	       : isnan(wait_s)  ? "-"
				: "infinite";
}

/* "2.78 to 3.15", in service times. */
static const char *range_text(
	const struct queueing *q, struct figure *fig, const struct interval *wait_s)
{
	if (!isfinite(wait_s->high))
		return "too short a run";
	return figure_text(fig, "%s to %s", services_text(q, fig, wait_s->low),
		services_text(q, fig, wait_s->high));
}

static void queueing_draw_table(const struct queueing *q, struct figure *fig)
{
	static const char *const head[] = { "in service times", "theory", "by", "simulated",
		"95 % range" };
	const struct queue_estimate *e = &q->said;
	const struct queue_theory *t = &q->theory;
	double in_system = CALL(littles_law, .arrival_rate = q->setup.rate_per_s,
		.time = t->wait_s + q->setup.service_s);
	struct table *table =
		figure_table(fig, "This load, by theory and simulated", head, 5, "01011");
	figure_tab(fig, "Theory");
	table_row(fig, table,
		(const char *[]){ "mean wait", services_text(q, fig, t->wait_s), t->by,
			services_text(q, fig, e->wait_s.at), range_text(q, fig, &e->wait_s) });
	table_row(fig, table,
		(const char *[]){ "slowest 1 % wait", services_text(q, fig, t->wait_p99_s),
			t->exact_tail ? "exact" : "exponential tail",
			services_text(q, fig, e->wait_p99_s.at),
			range_text(q, fig, &e->wait_p99_s) });
	table_row(fig, table,
		(const char *[]){ "and is served", services_text(q, fig, t->sojourn_p99_s),
			isnan(t->sojourn_p99_s) ? "no closed form" : "exact",
			services_text(q, fig, q->said.sojourn_p99_s), "" });
	table_row(fig, table,
		(const char *[]){ "customers there",
			isfinite(in_system) ? figure_text(fig, "%.3g", in_system) : "infinite",
			"Little", figure_text(fig, "%.3g", q->run.mean_in_system), "" });
}

static struct queue_estimate burst_of(struct arena *a, const struct queue_setup *setup, double cv)
{
	struct trials t;
	struct queue_estimate said = { 0 };
	size_t customers = setup->customers < BURST_CUSTOMERS ? setup->customers : BURST_CUSTOMERS;
	if (trials_open(&t, setup, customers))
		said = try_out(&t, setup, cv, customers);
	trials_close(&t, a);
	return said;
}

/* A bar of the mean wait, and theory's beside it. */
static void burst_bar(const struct queueing *q, const char *name, const struct trace *trace,
	enum queue_law law, struct figure *fig, struct bars *bars)
{
	struct arena a = { 0 };
	struct queue_setup setup = q->setup;
	double cv = law == LAW_FIXED ? 0 : 1;
	setup.arrivals = law;
	if (trace)
		cv = queueing_take_trace(&a, trace, &setup);
	if (isfinite(cv)) {
		/* The run that the other parts show is not made again, shorter and with other
		 * luck; but a queue that grows for ever waits longer the longer it runs. */
		bool same = q->setup.arrivals == law && law != LAW_TRACE;
		struct queue_estimate e =
			same && isfinite(q->theory.wait_s) ? q->said : burst_of(&a, &setup, cv);
		double theory_s = queue_theory(&setup, cv).wait_s;
		double mean = e.wait_s.at / setup.service_s;
		struct bar *bar = bars_add(fig, bars, name, &mean);
		if (bar) {
			bar->note = figure_text(fig, "theory %s", services_text(q, fig, theory_s));
			bar->role = same ? ROLE_ACCENT : ROLE_PLAIN;
		}
	}
	fig->arena.failed |= a.failed;
	arena_release(&a);
}

/* The spread of gaps decides, and what a gap says of the next one: theory knows only the spread. */
static void queueing_draw_bursts(const struct queueing *q, struct figure *fig)
{
	static const char *const parts[] = { "mean wait" };
	static const enum meaning means[] = { MEANS_KIND };
	struct bars *bars =
		figure_bars(fig, "The same load: mean wait in service times", "", parts, 1);
	figure_tab(fig, "Bursts");
	bars_mean(fig, bars, means, 1);
	if (bars) {
		bars->close = true;
		bars->log = true; /* bursts of one trace wait hundreds of times as long */
	}
	burst_bar(q, "fixed gaps", NULL, LAW_FIXED, fig, bars);
	burst_bar(q, "Poisson", NULL, LAW_EXPONENTIAL, fig, bars);
	for (size_t i = 0; i < q->tables->n_traces; i++) {
		const struct trace *trace = trace_at(q->tables, (double)i);
		if (trace && trace_has_gaps(trace))
			burst_bar(q, trace->name, trace, LAW_TRACE, fig, bars);
	}
}

/* --- A measured server --- */

enum { CLIENTS, RATE, WAIT, BUSY, WANT, MOST = 64 };
static const double drawn_until = 0.955; /* utilisation */

/* Rows of a configuration stand together, by ascending clients. Returns where the next one
 * begins. */
static size_t next_config(double rows[][WANT], size_t n, size_t from)
{
	size_t i = from + 1;
	while (i < n && rows[i][CLIENTS] > rows[i - 1][CLIENTS])
		i++;
	return i;
}

static double largest_rate(double rows[][WANT], size_t from, size_t end)
{
	double most = 0;
	for (size_t i = from; i < end; i++)
		most = fmax(most, rows[i][RATE]);
	return most;
}

/* What is being compared: one row at its utilisation, waits in mean services. */
struct compared {
	double utilisation, wait, thought;
	const double *row;
};

static struct compared compare(const struct queueing *q, const double row[WANT], double capacity)
{
	double rho = row[RATE] / capacity;
	struct queue_setup s = queueing_at(q, rho);
	return (struct compared){ rho, row[WAIT] / row[BUSY],
		queue_theory(&s, q->trace_cv).wait_s / s.service_s, row };
}

static struct plot *new_plot(const struct queueing *q, struct figure *fig)
{
	struct plot *p = figure_plot(fig, "A real server, which batches, beside this queue",
		"Share of its largest rate", "%", AXIS_LINEAR, "Mean wait, in service times", "",
		AXIS_LINEAR);
	figure_tab(fig, "Measured");
	struct series *line = plot_series(fig, p, "this queue", SERIES_LINE, MEANS_KIND);

	for (double rho = 0.3; p && rho < drawn_until; rho += 0.02) {
		struct queue_setup s = queueing_at(q, rho);
		series_point(
			fig, line, 100 * rho, queue_theory(&s, q->trace_cv).wait_s / s.service_s);
	}
	if (p) {
		p->y.min = 0;
		p->y.max = 4; /* far above what was measured; the queue goes on upwards */
	}
	return p;
}

static void say_outside(const struct queueing *q, struct figure *fig)
{
	char line[160];

	if (measured_summary(fig->memo, q->tables, "queueing", "", 0, line, sizeof line))
		overlay_outside(fig,
			"real servers batch, and wait otherwise; the formula for those (ridge "
			"validate queueing) has a %s",
			line);
}

static void queueing_overlay(const struct queueing *q, struct figure *fig)
{
	static const char *const want[WANT] = { "concurrency", "inferences_per_s",
		"server_queue_ms", "compute_infer_ms" };
	double rows[MOST][WANT];
	size_t n = measured_points(
		fig->memo, q->tables, "queueing", NULL, 0, want, WANT, rows[0], MOST);
	struct compared best = { 0 };

	if (n == 0)
		return;
	struct plot *p = new_plot(q, fig);
	struct series *s = overlay_series(fig, p, "measured", 6);
	for (size_t from = 0, end; from < n; from = end) {
		end = next_config(rows, n, from);
		double capacity = largest_rate(rows, from, end);
		for (size_t i = from; i < end; i++) {
			struct compared c = compare(q, rows[i], capacity);
			series_mark(fig, s, 100 * c.utilisation, c.wait, NULL, ROLE_PLAIN);
			if (!best.row ||
				fabs(c.utilisation - q->v[QUEUEING_UTILISATION]) <
					fabs(best.utilisation - q->v[QUEUEING_UTILISATION]))
				best = c;
		}
	}
	say_outside(q, fig);
	overlay_nearest(fig, q->tables, "queueing",
		"%.0f %% of the largest rate, %g clients: a wait of %.2g services, %.3g of %.3g "
		"ms; this queue says %.2g services",
		100 * best.utilisation, best.row[CLIENTS], best.wait, best.row[WAIT],
		best.row[BUSY], best.thought);
}

/* --- The simulation --- */

/* A number of customers that anybody would say. */
static const char *enough_text(const struct queueing *q, struct figure *fig)
{
	return figure_about(fig, q->said.enough, "");
}

static const char *range_ms(struct figure *fig, const struct interval *wait_s)
{
	if (!isfinite(wait_s->high))
		return "no interval: too short a run";
	return figure_text(fig, "95 %%: %s to %s", figure_quantity(fig, wait_s->low, "s"),
		figure_quantity(fig, wait_s->high, "s"));
}

/* Rounding makes sums of ten thousand terms differ by less. */
static const double rounding = 1e-10;

/* In service times, as the plot and the sentence have it: a queue does not know ms. */
static void add_waits(const struct queueing *q, struct figure *fig)
{
	const struct queue_theory *t = &q->theory;
	const struct queue_estimate *e = &q->said;
	double service_s = q->setup.service_s;
	bool over = q->v[QUEUEING_UTILISATION] >= 1;

	value_note(figure_value(fig, "wait_services", "mean wait", best_mean_s(q) / service_s, "",
			   over ? ROLE_BAD : ROLE_ACCENT),
		figure_text(fig, "service times, %s",
			t->exact_mean && !over ? "by theory" : "simulated"));
	value_note(figure_value(fig, "wait_p99_services", "slowest 1 % wait",
			   best_p99_s(q) / service_s, "", ROLE_PLAIN),
		figure_text(
			fig, "or more, %s", t->exact_tail && !over ? "by theory" : "simulated"));
	value_note(figure_value(
			   fig, "wait_pct", "had to wait", e->waited_ratio * 100, "%", ROLE_PLAIN),
		figure_text(fig, "of customers (theory %.3g %%)", 100 * t->wait_probability));
}

static void add_values(const struct queueing *q, struct figure *fig)
{
	const struct queue_estimate *e = &q->said;
	const struct queue_theory *t = &q->theory;
	double waiting = CALL(littles_law, .arrival_rate = q->run.arrival_rate_per_s,
		.time = mean_of(q->run.wait_s, q->run.n));
	double in_system = CALL(littles_law, .arrival_rate = q->run.arrival_rate_per_s,
		.time = q->run.sojourn_mean_s);
	double kingman_s = CALL(sakasegawa_wait, .service_time = q->setup.service_s,
		.utilisation = q->v[QUEUEING_UTILISATION], .servers = q->v[QUEUEING_SERVERS],
		.arrival_cv = queue_law_cv(q->setup.arrivals, q->setup.arrival_cv, q->trace_cv),
		.service_cv = queue_law_cv(q->setup.service, q->setup.service_cv, 0));

	add_waits(q, fig);
	/* The rest only explains. */
	value_note(figure_value(fig, "queue_length", "queue", waiting, "", ROLE_DIM),
		"customers, on average");
	value_note(figure_value(fig, "wait_mean_ms", "simulated mean", e->wait_s.at * 1e3, "ms",
			   ROLE_DIM),
		range_ms(fig, &e->wait_s));
	value_note(figure_value(fig, "wait_p99_ms", "simulated P99", e->wait_p99_s.at * 1e3, "ms",
			   ROLE_DIM),
		range_ms(fig, &e->wait_p99_s));
	value_note(
		figure_value(fig, "kingman_ms", "Kingman's rule", kingman_s * 1e3, "ms", ROLE_DIM),
		q->setup.servers > 1 ? "for many servers" : "from two spreads");
	figure_value(fig, "sojourn_p99_ms", "P99, served too", q->said.sojourn_p99_s * 1e3, "ms",
		ROLE_DIM);
	value_note(figure_value(
			   fig, "in_system", "in the system", q->run.mean_in_system, "", ROLE_DIM),
		"on average");
	value_note(figure_value(fig, "busy_pct", "busy", q->run.utilisation * 100, "%", ROLE_DIM),
		"as it came out");
	value_note(figure_value(fig, "simulated_services", "mean, simulated",
			   e->wait_s.at / q->setup.service_s, "", ROLE_DIM),
		q->v[QUEUEING_UTILISATION] >= 1 ? "grows without end"
						: range_text(q, fig, &e->wait_s));
	value_note(figure_value(fig, "closed_form_ms", "mean by theory", t->wait_s * 1e3, "ms",
			   ROLE_DIM),
		figure_text(fig, "%s%s", t->by, t->exact_mean ? ", exact" : ""));
	value_note(figure_value(fig, "p99_theory_ms", "P99 by theory", t->wait_p99_s * 1e3, "ms",
			   ROLE_DIM),
		t->exact_tail ? "exact" : "exponential tail");
	double gap = fabs(in_system / q->run.mean_in_system - 1);
	value_note(figure_value(fig, "littles_gap", "Little's gap", gap < rounding ? 0 : gap, "",
			   ROLE_DIM),
		"L against rate x time");
}

/* What more load would do, by the theory of the same queue: the next load that people name. Where theory
 * is a rule of thumb, how many times as long as now. */
static const char *more_load(const struct queueing *q, struct figure *fig)
{
	static const double loads[] = { 0.5, 0.75, 0.9, 0.95, 0.98, 0.99 };
	static const double more_at_least = 0.009; /* a point, but for rounding */
	const bool exact = q->theory.exact_mean;
	for (size_t i = 0; i < LENGTH(loads); i++) {
		if (loads[i] < q->v[QUEUEING_UTILISATION] + more_at_least)
			continue;
		struct queue_setup more = queueing_at(q, loads[i]);
		double wait_s = queue_theory(&more, q->trace_cv).wait_s;
		return exact ? figure_text(fig, "; at %g %% it would be %.2g", 100 * loads[i],
				       wait_s / more.service_s)
			     : figure_text(fig, "; at %g %% about %.2g times as long",
				       100 * loads[i], wait_s / q->theory.wait_s);
	}
	return "; a little more, and the queue would grow without end";
}

/* The theory is a rule of thumb here, and the run says for certain that it is wrong. */
static bool rule_fails(const struct queueing *q)
{
	const struct interval *wait_s = &q->said.wait_s;
	double theory_s = q->theory.wait_s;
	return !q->theory.exact_mean && (theory_s < wait_s->low || theory_s > wait_s->high) &&
	       fabs(wait_s->at - theory_s) > 0.2 * theory_s;
}

static void explain(const struct queueing *q, struct figure *fig)
{
	const struct queue_theory *t = &q->theory;
	double rho = q->v[QUEUEING_UTILISATION], service_s = q->setup.service_s;
	double wait_s = best_mean_s(q);
	double alone_s =
		CALL(mmc_wait, .service_time = service_s, .servers = 1, .utilisation = rho);
	/* as the large number has it */
	const double hardly = 1e-6;
	const char *mean = wait_s > 0 && wait_s < hardly * service_s
				   ? "less than a millionth of a service time"
				   : figure_text(fig, "%.3g service times", wait_s / service_s);

	if (rho >= 1)
		figure_why(fig,
			"More comes than %g server%s can do: the queue grows without end, and "
			"every number only says how long one watched.",
			q->v[QUEUEING_SERVERS], q->v[QUEUEING_SERVERS] > 1 ? "s" : "");
	else if (t->wait_s <= 0)
		figure_why(fig, "Gaps are equal and services too: at any load that can be served "
				"nobody finds all servers busy.");
	else if (rule_fails(q))
		figure_why(fig, "%s says %.3g, the simulation %s: %s", t->by, t->wait_s / service_s,
			mean,
			q->setup.arrivals == LAW_TRACE ? "real gaps are no independent draws, a "
							 "burst comes on top of a burst."
						       : "two numbers about the spread do not say "
							 "everything about a queue.");
	else if (q->setup.servers > 1 && wait_s < alone_s / 2)
		figure_why(fig,
			"%g servers behind one queue: a request waits %s, not %.3g as for one alone. All "
			"must be busy before anybody waits.",
			q->v[QUEUEING_SERVERS], mean, alone_s / service_s);
	else if (wait_s > 2 * alone_s)
		figure_why(fig,
			"The same load, but uneven: a request waits %s, and %.3g %s. Smooth before you "
			"buy servers.",
			mean, alone_s / service_s,
			q->setup.arrivals == LAW_EXPONENTIAL ? "with exponential services"
							     : "after Poisson arrivals");
	else
		figure_why(fig, "%.3g %% busy, a request waits %s on average%s.", 100 * rho, mean,
			long_enough(&q->said)
				? more_load(q, fig)
				: figure_text(fig,
					  ". %s customers are too few to see it: that takes %s",
					  figure_about(fig, q->v[QUEUEING_CUSTOMERS], ""),
					  enough_text(q, fig)));
}

static void warn(const struct queueing *q, struct figure *fig)
{
	const double *v = q->v;
	if (v[QUEUEING_UTILISATION] >= 1)
		figure_note(fig, ROLE_WARN,
			"No steady state at a utilisation of %.3g: the closed forms are infinite.",
			v[QUEUEING_UTILISATION]);
	else if (!long_enough(&q->said))
		figure_note(fig, ROLE_WARN,
			"The run of %s customers is too short for an interval: those who come "
			"within %s of each other wait alike, and it takes 200 times as many.",
			figure_about(fig, v[QUEUEING_CUSTOMERS], ""),
			figure_about(fig, queue_memory_customers(&q->setup, q->trace_cv), ""));
	if (arrival_laws[(size_t)v[QUEUEING_ARRIVALS]] == LAW_TRACE && !q->trace)
		trace_warn_gaps(fig, trace_at(q->tables, v[QUEUEING_TRACE]));
	if (q->trace && (size_t)v[QUEUEING_CUSTOMERS] > 2 * q->trace->n)
		figure_note(fig, ROLE_PLAIN,
			"The trace has %zu requests and is begun again %.0f times.", q->trace->n,
			v[QUEUEING_CUSTOMERS] / (double)q->trace->n - 1);
}

static void say_all(struct queueing *q, struct figure *fig)
{
	const double *v = q->v;
	q->stretch = busiest(q, &fig->arena);
	q->said = queue_estimate(&q->run, &q->setup, q->trace_cv);
	q->theory = queue_theory(&q->setup, q->trace_cv);

	figure_subtitle(fig, "%s%s · %s arrivals · %s service · %.3g req/s", q->theory.name,
		q->setup.servers > 1 ? figure_text(fig, ", c = %zu", q->setup.servers) : "",
		q->trace ? q->trace->name : arrival_names[(size_t)v[QUEUEING_ARRIVALS]],
		service_ids[(size_t)v[QUEUEING_SERVICE]], q->setup.rate_per_s);
	add_values(q, fig);
	if (q->trace)
		trace_values(fig, q->trace);
	queueing_draw_curve(q, fig);
	queueing_draw_bursts(q, fig);
	queueing_draw_run(q, fig);
	queueing_draw_table(q, fig);
	queueing_overlay(q, fig);
	explain(q, fig);
	warn(q, fig);
	figure_assume(fig, "first come, first served; unlimited room; nobody gives up");
	figure_assume(fig,
		"simulated times leave out the first tenth of the customers; Little's law counts "
		"all of them");
	figure_assume(fig, "theory: mean by %s, %s; P99 %s", q->theory.by,
		q->theory.exact_mean ? "exact" : "approximate",
		q->theory.exact_tail ? "exact" : "as if waits had an exponential tail");
	figure_assume(fig,
		"intervals: 95 %%, from 5 batches of the run (neighbours wait alike), of "
		"runs of 200 times the customers after which a queue has forgotten");
	figure_leave_out(fig, "servers that slow down as they fill, as a continuous batcher does");
	figure_leave_out(fig, "retries, timeouts, priorities, load that changes with the hour");
}

/* The run has megabytes of customers, of which the figure keeps none. */
static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct arena scratch = { 0 };
	struct queueing q = { .v = v, .tables = t, .arena = &scratch };
	fig->unfinished = fig->hurried;
	if (fig->hurried)
		return; /* nothing of it is quick: each number needs the whole run */
	set_up(&q);
	try_other_loads(&q);
	q.run = queue_simulate(q.arena, &q.setup);
	if (q.run.n > 0)
		say_all(&q, fig);
	fig->arena.failed |= scratch.failed;
	arena_release(&scratch);
}

const struct sim queueing_sim = {
	.id = "queueing",
	.title = "Queues",
	.summary = "Utilisation against mean and P99 wait: simulated beside the closed forms",
	.page = "serving",
	.knobs = knobs,
	.n_knobs = N_QUEUEING_KNOBS,
	.STORY(QUEUEING_UTILISATION, QUEUEING_SERVERS, QUEUEING_ARRIVALS, QUEUEING_SERVICE,
		QUEUEING_SERVICE_MS),
	.try = "Turn utilisation to 0.9. How much longer does one wait? With 4 servers?",
	.run = run,
	.slow = true,
};
