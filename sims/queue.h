/* A queue with one or several servers, simulated event by event: the laboratory of the closed forms
 * (F9.3 to F9.6). First come, first served; unlimited room; the run starts and ends empty. */
#ifndef RIDGE_QUEUE_H
#define RIDGE_QUEUE_H

#include "sims/arena.h"

#include <stddef.h>
#include <stdint.h>

/* How gaps between arrivals, or services, are distributed about their mean. */
enum law { LAW_FIXED, LAW_EXPONENTIAL, LAW_GAMMA };

struct queue_setup {
	enum law arrivals, service;
	double rate_per_s, service_s;  /* means; > 0 */
	double arrival_cv, service_cv; /* of LAW_GAMMA; > 0 */
	size_t servers, customers;     /* >= 1 */
	uint64_t seed;                 /* arrivals and services have streams of their own */
};

struct queue_run {
	double *wait_s, *sojourn_s; /* of each customer, in the order of arrival; in the arena */
	size_t n;
	double span_s;             /* from 0 to the last departure */
	double utilisation;        /* share of the servers' time that was busy, over the span */
	double mean_in_system;     /* area under the number in the system / span */
	double arrival_rate_per_s; /* n / span: with it Little's law is exact */
};

/* n is 0 when memory ran out (a->failed). */
struct queue_run queue_simulate(struct arena *a, const struct queue_setup *setup);

#endif
