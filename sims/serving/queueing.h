/* The queueing simulation's parts: its knobs read and runs made (queueing.c), and drawn
 * (queueing_figure.c). Not for others. */
#ifndef RIDGE_QUEUEING_H
#define RIDGE_QUEUEING_H

#include "sims/figure/figure.h"
#include "sims/serving/queue.h"
#include "sims/figure/sim.h"

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

/* What is measured in one run; its first tenth, which finds the queue still filling, is left out
 * of times. Half widths are of 95 % confidence intervals. */
struct queueing_sample {
	double wait_s, wait_ci_s, wait_p99_s, wait_p99_ci_s, sojourn_p99_s, waited_ratio;
};

struct queueing {
	const double *v;
	const struct tables *tables;
	const struct trace *trace; /* NULL unless arrivals=trace and it is there */
	struct queue_setup setup;
	double trace_cv; /* of its gaps */
	struct queue_run run;
	struct queueing_sample sample;
	struct queue_theory theory;
	struct arena *arena;
};

/* One run of so many customers at a utilisation, in memory of its own. */
struct queueing_sample queueing_measure(
	const struct queueing *q, const struct queue_setup *setup, struct arena *a);
/* The same queue, as many servers and all, at another utilisation. */
struct queue_setup queueing_at(const struct queueing *q, double utilisation);
/* Arrivals as this trace's; its gaps lie in the arena. The CV of them is returned. */
double queueing_take_trace(struct arena *a, const struct trace *trace, struct queue_setup *setup);

void queueing_draw_curve(const struct queueing *q, struct figure *fig);
void queueing_draw_run(const struct queueing *q, struct figure *fig);
void queueing_draw_table(const struct queueing *q, struct figure *fig);
void queueing_draw_bursts(const struct queueing *q, struct figure *fig);
/* A measured server beside this queue, and that it is another kind. */
void queueing_overlay(const struct queueing *q, struct figure *fig);

#endif
