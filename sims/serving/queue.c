#include "sims/serving/queue.h"

#include "sims/base/events.h"
#include "sims/base/rng.h"

enum { ARRIVAL, DEPARTURE };

static double draw(struct rng *r, enum queue_law law, double mean, double cv)
{
	switch (law) {
	case LAW_EXPONENTIAL:
		return rng_exponential(r, mean);
	case LAW_GAMMA:
		return rng_gamma(r, mean, cv);
	case LAW_LOGNORMAL:
		return rng_lognormal(r, mean, cv);
	default:
		return mean;
	}
}

struct state {
	const struct queue_setup *setup;
	struct events events;
	struct rng gaps, services;
	size_t arrivals, started; /* customers so far: those between the two wait */
	size_t busy, in_system;
	double busy_s, area; /* server-seconds, customer-seconds */
	struct queue_run run;
};

static double gap_s(struct state *s)
{
	const struct queue_setup *q = s->setup;
	if (q->arrivals == LAW_TRACE)
		return q->gaps[(s->arrivals - 1) % q->n_gaps] / q->rate_per_s;
	return draw(&s->gaps, q->arrivals, 1 / q->rate_per_s, q->arrival_cv);
}

static void arrive(struct state *s, double now_s)
{
	const struct queue_setup *q = s->setup;
	s->run.arrival_s[s->arrivals++] = now_s;
	s->in_system++;
	if (s->arrivals < q->customers)
		events_push(&s->events, now_s + gap_s(s), ARRIVAL, 0);
}

static void start_services(struct state *s, double now_s)
{
	const struct queue_setup *q = s->setup;
	while (s->busy < q->servers && s->started < s->arrivals) {
		size_t who = s->started++;
		double service_s = draw(&s->services, q->service, q->service_s, q->service_cv);
		s->busy++;
		s->run.wait_s[who] = now_s - s->run.arrival_s[who];
		s->run.sojourn_s[who] = s->run.wait_s[who] + service_s;
		events_push(&s->events, now_s + service_s, DEPARTURE, (uint32_t)who);
	}
}

struct queue_run queue_simulate(struct arena *a, const struct queue_setup *setup)
{
	size_t n = setup->customers;
	struct state s = { .setup = setup,
		.events = events_new(a, setup->servers + 2),
		.gaps = rng_stream(setup->seed, "queue arrivals", 0),
		.services = rng_stream(setup->seed, "queue services", 0),
		.run = { .arrival_s = arena_array(a, n, sizeof *s.run.arrival_s),
			.wait_s = arena_array(a, n, sizeof *s.run.wait_s),
			.sojourn_s = arena_array(a, n, sizeof *s.run.sojourn_s) } };
	double last_s = 0;
	if (a->failed)
		return (struct queue_run){ 0 };

	events_push(&s.events, 0, ARRIVAL, 0);
	for (struct event e; events_pop(&s.events, &e);) {
		s.area += (double)s.in_system * (e.at - last_s);
		s.busy_s += (double)s.busy * (e.at - last_s);
		last_s = e.at;
		if (e.kind == ARRIVAL) {
			arrive(&s, e.at);
		} else {
			s.busy--;
			s.in_system--;
		}
		start_services(&s, e.at);
	}
	s.run.n = n;
	s.run.span_s = last_s;
	if (last_s > 0) {
		s.run.utilisation = s.busy_s / ((double)setup->servers * last_s);
		s.run.mean_in_system = s.area / last_s;
		s.run.arrival_rate_per_s = (double)n / last_s;
	}
	return s.run;
}
