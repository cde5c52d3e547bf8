/* The simulation is a loop over the next arrival and a heap of departures; the time averages are areas
 * under the numbers of busy servers and of customers, added up from event to event.
 *
 * Theory gives means in closed form, and tails for M/M/c. The tail of M/D/1 is exact too and takes
 * an algorithm: level crossing gives the probabilities of n in the system one after the other (what
 * moves down past n moves up past n as often), and Franx's sum (Operations Research Letters 29,
 * 2001) turns them into the distribution of the wait. All terms of both are positive, so that
 * nothing cancels even at high load; a quantile is then found by bisection. */
#include "sims/serving/queue.h"

#include "sims/base/events.h"
#include "sims/base/rng.h"
#include "sims/formulas/serving.h"

#include <assert.h>
#include <math.h>

/* --- Simulated --- */

/* What chance decides, without the mean: stretched gives it that. */
static double draw_unit(struct rng *r, enum queue_law law, double cv)
{
	switch (law) {
	case LAW_EXPONENTIAL:
		return rng_exponential(r, 1);
	case LAW_GAMMA:
		return rng_unscaled_gamma(r, cv);
	case LAW_LOGNORMAL:
		return rng_lognormal(r, 1, cv);
	default:
		return 1;
	}
}

static double stretched(double unit, enum queue_law law, double mean, double cv)
{
	return law == LAW_GAMMA ? unit * mean * cv * cv : mean * unit;
}

static double draw(struct rng *r, enum queue_law law, double mean, double cv)
{
	return stretched(draw_unit(r, law, cv), law, mean, cv);
}

/* What a block of customers is told again from. */
struct queue_mark {
	struct rng gaps, services;
	double arrival_s;
	double last_s; /* when the last of them left */
};

/* How many customers find a queue that is still filling. */
static size_t queue_warm_up(size_t customers)
{
	return customers / 10;
}

static const double p99 = 0.99;

size_t queue_tail_room(size_t customers)
{
	return quantile_interval_room(customers - queue_warm_up(customers), p99);
}

struct state {
	const struct queue_setup *setup;
	double arrives_s, leaves_s; /* the next to come, the next to go; INFINITY: nobody */
	struct events leave_later;  /* departures after that one: none with one server */
	struct rng gaps, services;
	size_t arrivals, started; /* customers so far; those between the two numbers wait */
	size_t busy, in_system;
	double busy_s, area; /* server-seconds, customer-seconds */
	double sojourns_s;   /* of all who started, together */
	struct queue_run run;
};

/* From customer `who` to the next. */
static double gap_s(const struct queue_setup *q, struct rng *gaps, size_t who)
{
	if (q->arrivals == LAW_TRACE)
		return q->gaps[who % q->n_gaps] / q->rate_per_s;
	return draw(gaps, q->arrivals, 1 / q->rate_per_s, q->arrival_cv);
}

static void arrive(struct state *s, double now_s)
{
	const struct queue_setup *q = s->setup;
	const size_t who = s->arrivals++;
	if (who % QUEUE_BLOCK == 0)
		s->run.marks[who / QUEUE_BLOCK] =
			(struct queue_mark){ .gaps = s->gaps, .arrival_s = now_s };
	s->run.wait_s[who] = now_s; /* until its wait is known */
	s->in_system++;
	s->arrives_s = s->arrivals < q->customers ? now_s + gap_s(q, &s->gaps, who) : INFINITY;
}

static double service_time(const struct queue_setup *q, struct rng *services)
{
	return draw(services, q->service, q->service_s, q->service_cv);
}

void queue_arrivals(const struct queue_run *run, const struct queue_setup *setup, size_t first,
	size_t n, double arrival_s[])
{
	assert(first + n <= run->n);
	struct queue_mark at = run->marks[first / QUEUE_BLOCK];
	for (size_t who = first / QUEUE_BLOCK * QUEUE_BLOCK; who < first + n; who++) {
		if (who >= first)
			arrival_s[who - first] = at.arrival_s;
		at.arrival_s += gap_s(setup, &at.gaps, who);
	}
}

size_t queue_block(const struct queue_run *run, const struct queue_setup *setup, size_t block,
	double since_s, double arrival_s[], double left_s[])
{
	const size_t first = block * QUEUE_BLOCK;
	assert(first < run->n);
	const size_t n = run->n - first < QUEUE_BLOCK ? run->n - first : QUEUE_BLOCK;
	struct rng services = run->marks[block].services;
	if (run->marks[block].last_s <= since_s)
		return 0;
	queue_arrivals(run, setup, first, n, arrival_s);
	for (size_t i = 0; i < n; i++)
		left_s[i] =
			arrival_s[i] + (run->wait_s[first + i] + service_time(setup, &services));
	return n;
}

static void leave_at(struct state *s, double at_s)
{
	double later_s = at_s < s->leaves_s ? s->leaves_s : at_s;
	s->leaves_s = at_s < s->leaves_s ? at_s : s->leaves_s;
	if (isfinite(later_s))
		events_push(&s->leave_later, later_s, 0, 0);
}

static void leave(struct state *s)
{
	struct event next;
	s->leaves_s = events_pop(&s->leave_later, &next) ? next.at : INFINITY;
	s->busy--;
	s->in_system--;
}

static void start_services(struct state *s, double now_s)
{
	const struct queue_setup *q = s->setup;
	while (s->busy < q->servers && s->started < s->arrivals) {
		size_t who = s->started++;
		struct queue_mark *mark = &s->run.marks[who / QUEUE_BLOCK];
		if (who % QUEUE_BLOCK == 0)
			mark->services = s->services;
		double service_s = service_time(q, &s->services);
		double arrival_s = s->run.wait_s[who], wait_s = now_s - arrival_s;
		double sojourn_s = wait_s + service_s;
		s->busy++;
		s->run.wait_s[who] = wait_s;
		mark->last_s = fmax(mark->last_s, arrival_s + sojourn_s);
		s->sojourns_s += sojourn_s;
		if (who >= queue_warm_up(q->customers))
			top_add(&s->run.sojourns, sojourn_s);
		leave_at(s, now_s + service_s);
	}
}

static struct queue_run new_run(struct arena *a, size_t n)
{
	struct queue_run run = { .wait_s = arena_array(a, n, sizeof *run.wait_s),
		.marks = arena_array(a, (n - 1) / QUEUE_BLOCK + 1, sizeof *run.marks),
		.tail = arena_array(a, queue_tail_room(n), sizeof *run.tail),
		.sojourns.room = top_room(n - queue_warm_up(n), p99) };
	run.sojourns.heap = arena_array(a, run.sojourns.room, sizeof *run.sojourns.heap);
	return run;
}

struct queue_run queue_simulate(struct arena *a, const struct queue_setup *setup)
{
	assert(setup->servers >= 1 && setup->customers >= 1);
	assert(setup->rate_per_s > 0 && setup->service_s > 0);
	assert(setup->service != LAW_TRACE);
	size_t n = setup->customers;
	struct state s = { .setup = setup,
		.leaves_s = INFINITY,
		.leave_later = events_new(a, setup->servers),
		.gaps = rng_stream(setup->seed, "queue arrivals", 0),
		.services = rng_stream(setup->seed, "queue services", 0),
		.run = new_run(a, n) };
	double last_s = 0;
	if (a->failed)
		return (struct queue_run){ 0 };

	while (s.started < n || s.in_system > 0) {
		bool leaves = s.leaves_s <= s.arrives_s;
		double now_s = leaves ? s.leaves_s : s.arrives_s;
		s.area += (double)s.in_system * (now_s - last_s);
		s.busy_s += (double)s.busy * (now_s - last_s);
		last_s = now_s;
		if (leaves)
			leave(&s);
		else
			arrive(&s, now_s);
		start_services(&s, now_s);
	}
	s.run.n = n;
	s.run.sojourn_mean_s = s.sojourns_s / (double)n;
	s.run.span_s = last_s;
	if (last_s > 0) {
		s.run.utilisation = s.busy_s / ((double)setup->servers * last_s);
		s.run.mean_in_system = s.area / last_s;
		s.run.arrival_rate_per_s = (double)n / last_s;
	}
	return s.run;
}

/* --- Waits alone --- */

struct queue_luck queue_draw(struct arena *a, const struct queue_setup *q, size_t n)
{
	struct queue_luck luck = { arena_array(a, n, sizeof *luck.gap),
		arena_array(a, n, sizeof *luck.service) };
	struct rng gaps = rng_stream(q->seed, "queue arrivals", 0);
	struct rng services = rng_stream(q->seed, "queue services", 0);
	if (!luck.gap || !luck.service)
		return luck;
	for (size_t i = 0; i < n; i++) {
		luck.gap[i] = q->arrivals == LAW_TRACE
				      ? q->gaps[i % q->n_gaps]
				      : draw_unit(&gaps, q->arrivals, q->arrival_cv);
		luck.service[i] = draw_unit(&services, q->service, q->service_cv);
	}
	return luck;
}

/* Takes the earliest of the servers' times away and puts a later one in: free_s is a heap. */
static void replace_earliest(double free_s[], size_t servers, double at_s)
{
	size_t at = 0;
	for (size_t child; (child = 2 * at + 1) < servers; at = child) {
		child += child + 1 < servers && free_s[child + 1] < free_s[child];
		if (free_s[child] >= at_s)
			break;
		free_s[at] = free_s[child];
	}
	free_s[at] = at_s;
}

/* Who comes first is served first, by the server that is free first. */
void queue_waits(const struct queue_setup *q, const struct queue_luck *luck, size_t n,
	double wait_s[], double free_s[])
{
	assert(q->servers >= 1 && q->rate_per_s > 0 && q->service != LAW_TRACE);
	const double gap_s = 1 / q->rate_per_s;
	double arrival_s = 0;
	for (size_t i = 0; i < q->servers; i++)
		free_s[i] = 0;
	for (size_t i = 0; i < n; i++) {
		double start_s = free_s[0] > arrival_s ? free_s[0] : arrival_s;
		wait_s[i] = start_s - arrival_s;
		replace_earliest(free_s, q->servers,
			start_s + stretched(luck->service[i], q->service, q->service_s,
					  q->service_cv));
		arrival_s += q->arrivals == LAW_TRACE
				     ? luck->gap[i] / q->rate_per_s
				     : stretched(luck->gap[i], q->arrivals, gap_s, q->arrival_cv);
	}
}

/* --- What a run says --- */

static double utilisation_of(const struct queue_setup *s)
{
	return CALL(pool_utilisation, .arrival_rate = s->rate_per_s, .service_time = s->service_s,
		.servers = (double)s->servers);
}

double queue_memory_customers(const struct queue_setup *s, double trace_cv)
{
	double rho = utilisation_of(s), root = 1 - sqrt(rho);
	double ca = queue_law_cv(s->arrivals, s->arrival_cv, trace_cv);
	double cs = queue_law_cv(s->service, s->service_cv, 0);
	if (rho >= 1)
		return INFINITY;
	if (ca <= 0 && cs <= 0)
		return 0;
	return rho * (ca * ca + cs * cs) / 2 / (root * root) + (double)s->servers;
}

double queue_enough_customers(const struct queue_setup *s, double trace_cv)
{
	static const double memories = 200;
	return memories * queue_memory_customers(s, trace_cv);
}

struct queue_estimate queue_estimate_waits(const double wait_s[], double scratch[], size_t all,
	const struct queue_setup *setup, double trace_cv)
{
	const size_t warm = queue_warm_up(all), n = all - warm;
	size_t waited = 0;
	wait_s += warm;
	for (size_t i = 0; i < n; i++)
		waited += wait_s[i] > 0;
	struct queue_estimate e = { .wait_s = mean_interval95(wait_s, n),
		.wait_p99_s = quantile_interval95(wait_s, scratch, n, p99),
		.waited_ratio = (double)waited / (double)n,
		.sojourn_p99_s = NAN,
		.enough = queue_enough_customers(setup, trace_cv) };
	if ((double)all < e.enough) {
		e.wait_s.low = e.wait_p99_s.low = 0;
		e.wait_s.high = e.wait_p99_s.high = INFINITY;
	}
	return e;
}

struct queue_estimate queue_estimate(
	const struct queue_run *run, const struct queue_setup *setup, double trace_cv)
{
	struct queue_estimate e =
		queue_estimate_waits(run->wait_s, run->tail, run->n, setup, trace_cv);
	e.sojourn_p99_s = top_quantile(&run->sojourns, run->n - queue_warm_up(run->n), p99);
	return e;
}

/* --- Closed forms --- */

/* More arrivals than this during one service have a probability below rounding, for a mean of 1. */
enum { MOST_ARRIVALS = 40, MOST_LEVELS = 4096 };

/* M/D/1 in units of the service time, as many levels of it as have been worked out. */
struct md1 {
	double utilisation;
	double more[MOST_ARRIVALS + 1]; /* P(more than k arrivals during a service) */
	double level[MOST_LEVELS];      /* P(n in the system) */
	double up_to[MOST_LEVELS];      /* P(n or fewer) */
	size_t n;
};

static void md1_start(struct md1 *m, double utilisation)
{
	double arrivals[MOST_ARRIVALS + 2] = { exp(-utilisation) };
	for (int k = 1; k <= MOST_ARRIVALS + 1; k++)
		arrivals[k] = arrivals[k - 1] * utilisation / k;
	double tail = 0;
	for (int k = MOST_ARRIVALS; k >= 0; k--)
		m->more[k] = tail += arrivals[k + 1];
	m->utilisation = utilisation;
	m->level[0] = m->up_to[0] = 1 - utilisation;
	m->n = 1;
}

/* The next level: departures pass n downwards as often as arrivals during a service pass it
 * upwards. */
static void md1_add_level(struct md1 *m)
{
	size_t n = m->n - 1;
	double up = n <= MOST_ARRIVALS ? m->level[0] * m->more[n] : 0;
	size_t first = n + 1 > MOST_ARRIVALS ? n + 1 - MOST_ARRIVALS : 1;
	for (size_t i = first; i <= n; i++)
		up += m->level[i] * m->more[n + 1 - i];
	m->level[m->n] = up * exp(m->utilisation);
	m->up_to[m->n] = m->up_to[n] + m->level[m->n];
	m->n++;
}

/* P(wait <= x services). Levels up to x + 2 must be there. */
static double md1_wait_at_most(const struct md1 *m, double x)
{
	size_t k = (size_t)x + 1;
	double u = m->utilisation * ((double)k - x), term = exp(-u), sum = 0;
	for (size_t j = 0; j < k && j <= MOST_ARRIVALS; j++) {
		sum += term * m->up_to[k - j];
		term *= u / (double)(j + 1);
	}
	return sum;
}

double md1_wait_quantile_s(double service_s, double utilisation, double q)
{
	assert(q > 0 && q < 1);
	struct md1 m;
	if (utilisation >= 1)
		return INFINITY;
	if (q <= 1 - utilisation)
		return 0;
	md1_start(&m, utilisation);
	md1_add_level(&m);
	double hi = 0;
	do {
		hi++;
		md1_add_level(&m);
	} while (md1_wait_at_most(&m, hi) < q && m.n < MOST_LEVELS);
	double lo = hi - 1;
	for (int i = 0; i < 50; i++) {
		double mid = (lo + hi) / 2;
		if (md1_wait_at_most(&m, mid) < q)
			lo = mid;
		else
			hi = mid;
	}
	return hi * service_s;
}

double queue_law_cv(enum queue_law law, double cv, double trace_cv)
{
	assert(law <= LAW_TRACE);
	static const double of_law[] = { [LAW_FIXED] = 0, [LAW_EXPONENTIAL] = 1 };
	if (law == LAW_TRACE)
		return trace_cv;
	return law == LAW_GAMMA || law == LAW_LOGNORMAL ? cv : of_law[law];
}

static const char *model_name(const struct queue_setup *s)
{
	static const char *const names[3][3] = { { "D/D/c", "D/M/c", "D/G/c" },
		{ "M/D/c", "M/M/c", "M/G/c" }, { "G/D/c", "G/M/c", "G/G/c" } };
	static const char *const single[3][3] = { { "D/D/1", "D/M/1", "D/G/1" },
		{ "M/D/1", "M/M/1", "M/G/1" }, { "G/D/1", "G/M/1", "G/G/1" } };
	size_t a = s->arrivals < 2 ? s->arrivals : 2, b = s->service < 2 ? s->service : 2;
	return s->servers == 1 ? single[a][b] : names[a][b];
}

struct queue_theory queue_theory(const struct queue_setup *s, double trace_cv)
{
	bool poisson = s->arrivals == LAW_EXPONENTIAL, one = s->servers == 1;
	bool memoryless = poisson && s->service == LAW_EXPONENTIAL;
	double c = (double)s->servers;
	double ca = queue_law_cv(s->arrivals, s->arrival_cv, trace_cv);
	double cs = queue_law_cv(s->service, s->service_cv, 0);
	double rho = utilisation_of(s);
	struct queue_theory t = {
		.wait_probability = CALL(mmc_wait_probability, .servers = c, .utilisation = rho),
		.sojourn_p99_s = NAN,
		.exact_mean = memoryless || (poisson && one),
		.exact_tail = memoryless || (poisson && one && s->service == LAW_FIXED),
		.name = model_name(s),
	};
	if (memoryless && !one) {
		t.by = "Erlang C";
		t.wait_s = CALL(
			mmc_wait, .service_time = s->service_s, .servers = c, .utilisation = rho);
	} else if (one) {
		t.by = poisson ? "Pollaczek-Khinchine" : "Kingman";
		t.wait_s = CALL(kingman_wait, .service_time = s->service_s, .utilisation = rho,
			.arrival_cv = ca, .service_cv = cs);
	} else {
		t.by = "Sakasegawa";
		t.wait_s = CALL(sakasegawa_wait, .service_time = s->service_s, .utilisation = rho,
			.servers = c, .arrival_cv = ca, .service_cv = cs);
	}
	bool md1 = t.exact_tail && s->service == LAW_FIXED;
	t.wait_p99_s = md1 ? md1_wait_quantile_s(s->service_s, rho, p99)
			   : CALL(wait_quantile, .mean_wait = t.wait_s,
				     .wait_probability = t.wait_probability, .quantile = p99);
	if (memoryless && one)
		t.sojourn_p99_s = CALL(mm1_sojourn_quantile, .service_time = s->service_s,
			.utilisation = rho, .quantile = p99);
	else if (s->service == LAW_FIXED && t.exact_tail)
		t.sojourn_p99_s = t.wait_p99_s + s->service_s;
	return t;
}
