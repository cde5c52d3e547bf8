/* A queue with one or several servers: simulated event by event, and what theory says of it in
 * closed form. First come, first served; unlimited room; the run starts and ends empty. */
#ifndef RIDGE_QUEUE_H
#define RIDGE_QUEUE_H

#include "sims/base/arena.h"
#include "sims/base/stats.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How gaps between arrivals, or services, are distributed about their mean. */
enum queue_law { LAW_FIXED, LAW_EXPONENTIAL, LAW_GAMMA, LAW_LOGNORMAL, LAW_TRACE };

struct queue_mark;

struct queue_setup {
	enum queue_law arrivals, service;
	double rate_per_s, service_s;  /* means; > 0 */
	double arrival_cv, service_cv; /* for LAW_GAMMA and LAW_LOGNORMAL; > 0 */
	const double *gaps; /* for LAW_TRACE, arrivals only: in mean gaps; they begin again */
	size_t n_gaps;
	size_t servers, customers; /* >= 1 */
	uint64_t seed;             /* arrivals and services have streams of their own */
};

/* Of a hundred thousand customers no more is kept than somebody asks for: when they came can be told
 * again from marks on the way. */
struct queue_run {
	double *wait_s; /* of each customer, in the order of arrival */
	size_t n;
	struct queue_mark *marks;   /* of every block of customers */
	double *tail;               /* for queue_estimate to compute with: queue_tail_room(n) */
	double sojourn_mean_s;      /* waited and was served; of all customers */
	struct top_values sojourns; /* the longest of those after the first tenth, for P99 */
	double span_s;              /* from 0 to the last departure */
	double utilisation;         /* share of the servers' time that was busy, over the span */
	double mean_in_system;      /* area under the number in the system / span */
	double arrival_rate_per_s;  /* n / span: with it Little's law is exact */
};

/* Arrays in the arena. n is 0 when memory ran out (a->failed). */
struct queue_run queue_simulate(struct arena *a, const struct queue_setup *setup);

/* When customers [first, first + n) of a run with this setup came. first + n at most run->n. */
void queue_arrivals(const struct queue_run *run, const struct queue_setup *setup, size_t first,
	size_t n, double arrival_s[]);

/* The same of block `block`, customers from block * QUEUE_BLOCK on, and when they left. Returns how many they are; 0
 * where none of them was still there after `since_s`, and then tells nothing. */
enum { QUEUE_BLOCK = 1024 };
size_t queue_block(const struct queue_run *run, const struct queue_setup *setup, size_t block,
	double since_s, double arrival_s[], double left_s[]);

/* What chance deals to the first n customers, before it is stretched to a mean: gaps to the next one and
 * services. Runs that differ in rate, mean service and servers alone share it. In the arena; a member
 * is NULL when memory ran out. */
struct queue_luck {
	double *gap, *service;
};
struct queue_luck queue_draw(struct arena *a, const struct queue_setup *setup, size_t n);

/* How long the first n customers wait in the run of queue_simulate with this setup and that luck, to
 * the bit, where nobody asks for more: customers count as n. free_s: setup->servers numbers, to compute
 * with. */
void queue_waits(const struct queue_setup *setup, const struct queue_luck *luck, size_t n,
	double wait_s[], double free_s[]);

/* What theory says of the same queue. Means: Pollaczek and Khinchine for Poisson arrivals at one
 * server and Erlang for M/M/c, both exact; Kingman or Sakasegawa otherwise. P99 of the wait: exact
 * for M/M/c and M/D/1; else as if waits had an exponential tail. From a utilisation of 1 on all
 * times are INFINITY. */
struct queue_theory {
	double wait_s, wait_p99_s;
	double wait_probability; /* as in M/M/c, which is assumed for the others */
	double sojourn_p99_s;    /* NAN where there is no closed form */
	bool exact_mean, exact_tail;
	const char *name; /* "M/M/1", "G/G/4" */
	const char *by;   /* "Erlang C", "Kingman" */
};
/* trace_cv: of the gaps of LAW_TRACE; no other law needs it. */
struct queue_theory queue_theory(const struct queue_setup *setup, double trace_cv);

/* Coefficient of variation of a law: its own cv where it has one, trace_cv for LAW_TRACE. */
double queue_law_cv(enum queue_law law, double cv, double trace_cv);

/* Customers after which a queue has forgotten how it began: the slowest relaxation of M/M/1 (Cohen,
 * The Single Server Queue), stretched by the spread of gaps and services as in heavy traffic, and a
 * service of each server. INFINITY from a utilisation of 1 on; 0 where nothing is left to chance. */
double queue_memory_customers(const struct queue_setup *setup, double trace_cv);
/* Customers that a run needs for its intervals to cover the truth: 200 times the memory. In a shorter
 * one each of the batches remembers the one before, and no arithmetic on them helps. */
double queue_enough_customers(const struct queue_setup *setup, double trace_cv);

/* What a run says of the queue in the long term, with its 95 % intervals. The first tenth is left
 * out, in which an empty queue fills. Where that is not enough the intervals are from 0 to
 * INFINITY. */
struct queue_estimate {
	struct interval wait_s, wait_p99_s;
	double waited_ratio, sojourn_p99_s;
	double enough; /* queue_enough_customers */
};
size_t queue_tail_room(size_t customers);
struct queue_estimate queue_estimate(
	const struct queue_run *run, const struct queue_setup *setup, double trace_cv);
/* The same from the waits of n customers: sojourn_p99_s is NAN. scratch: queue_tail_room(n)
 * numbers, to compute with. */
struct queue_estimate queue_estimate_waits(const double wait_s[], double scratch[], size_t n,
	const struct queue_setup *setup, double trace_cv);

/* Quantile of the wait in M/D/1, exact. utilisation in (0, 0.995], INFINITY from 1 on; q in
 * (0, 0.9999]. */
double md1_wait_quantile_s(double service_s, double utilisation, double q);

#endif
