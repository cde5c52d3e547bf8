#include "sims/serving/serving_search.h"

#include "sims/constants.h"

#include <assert.h>
#include <math.h>

/* --- Engines --- */

/* That of a layout, which it shares with its family; the next family is often the same but for the
 * type of its cache. */
static const struct engine_shape *engine_of(
	struct serving_search *s, const struct serving_layout *l, bool smooth)
{
	struct engine_shape *shape = &s->last[smooth].shape;
	const bool known = s->last[smooth].known;
	if (known && s->last[smooth].family == l->family)
		return shape;
	if (!known || !capacity_engine_retype(shape, smooth, &s->last[smooth].need, &l->need)) {
		*shape = smooth ? capacity_smooth_engine(&l->need, l->need.group)
				: capacity_engine(&l->need, l->need.group);
		s->engines++;
	}
	s->last[smooth].need = l->need;
	s->last[smooth].family = l->family;
	s->last[smooth].known = true;
	return shape;
}

/* --- A lone user's first token --- */

static double long_prompt(const struct capacity_need *n)
{
	const double p99_of_exponential = log(100);
	return n->prompt_tokens * (n->lengths == LENGTHS_EXPONENTIAL ? p99_of_exponential : 1);
}

/* Its chunks, one after another, on one of the copies. */
double capacity_first_token_s(const struct capacity_need *n, const struct engine_shape *e)
{
	double prompt = long_prompt(n), chunks = ceil(prompt / n->chunk_tokens);
	double part = prompt / chunks;
	return chunks *
	       engine_step_of_prompts_s(e, 0, 0, part, capacity_history(n) + prompt / 2, part);
}

/* Where the goal is close to that, the prompts of a sample decide, not their law: its P99 lies within
 * so much of the law's. */
static const double short_sample = 0.7;

/* --- One replica, simulated --- */

/* A stride of the engine takes about half a microsecond: a run of the longest prompts in the smallest
 * chunks, and a search that has found its answer but cannot prove it, are cut. One that has found
 * nothing goes on longer. */
enum { MOST_STRIDES_OF_RUN = 400000, MOST_STRIDES = 4000000, MOST_STRIDES_IN_VAIN = 16000000 };

/* A replica is seen in its steady state only when many more requests than it serves at once have
 * passed through it. */
static size_t requests_for(const struct serving_search *s, const struct capacity_need *n,
	const struct engine_shape *e, double requests_per_s)
{
	enum { ROUNDS = 8, LEAST = 100, MOST = 20000, STRIDES_EACH = 4 };
	double step_s = capacity_step_s(n, e, requests_per_s, true, n->itl_s);
	double at_once = requests_per_s * n->output_tokens * (isfinite(step_s) ? step_s : n->itl_s);
	double each = STRIDES_EACH * (1 + n->prompt_tokens / n->chunk_tokens);
	double affordable = fmax(LEAST, MOST_STRIDES_OF_RUN / each);
	return (size_t)fmin(fmax((double)s->requests, ROUNDS * at_once), fmin(affordable, MOST));
}

/* Whether a run that misses the goal is worth its end. */
enum patience { UNTIL_IT_FAILS, TO_THE_END };

static bool simulate(struct serving_search *s, const struct capacity_need *n,
	const struct engine_shape *engine, double requests_per_s, enum patience patience,
	struct serving_summary *out)
{
	enum { MOST_SLOTS = 8192 }; /* of each copy of attention */
	struct arena a = { 0 };
	struct serving_workload w = { .arrivals = ARRIVALS_POISSON,
		.lengths = n->lengths,
		.prompt_tokens = n->prompt_tokens,
		.output_tokens = n->output_tokens,
		.seed = s->seed };
	struct serving_setup setup = { .policy = SERVING_CONTINUOUS,
		.n = requests_for(s, n, engine, requests_per_s),
		.gap_s = 1 / requests_per_s,
		.engine = engine,
		.max_batch = (size_t)(MOST_SLOTS * engine->copies),
		.cache_tokens = capacity_room_tokens(n, n->group),
		.paged = true,
		.block_tokens = 1, /* what blocks leave empty is in the waste */
		.history_tokens = (int64_t)capacity_history(n),
		.chunk_tokens = (int64_t)capacity_chunk(n),
		.give_up_s = patience == TO_THE_END ? 0 : n->ttft_s,
		.most_strides = 2 * MOST_STRIDES_OF_RUN };
	setup.requests = workload_requests(&a, &w, setup.n);
	struct serving_run run = { 0 };
	if (setup.requests)
		run = serving_simulate(&a, &setup);
	*out = serving_summarise(&a, &setup, &run, n->ttft_s, n->itl_s);
	bool served = !a.failed && !run.gave_up && run.n > run.refused;
	s->runs++;
	s->strides += run.strides;
	arena_release(&a);
	return served;
}

bool serving_try(struct serving_search *s, const struct capacity_need *n, double replicas,
	double requests_per_s, struct serving_summary *out)
{
	const struct engine_shape e = capacity_engine(n, n->group);
	return simulate(s, n, &e, requests_per_s / replicas, UNTIL_IT_FAILS, out);
}

bool serving_meets(
	const struct capacity_need *n, double replicas, const struct serving_summary *summary)
{
	return summary->ttft_p99_s <= n->ttft_s && summary->itl_p99_s <= n->itl_s &&
	       (n->users <= 0 || summary->mean_in_system * replicas <= n->users);
}

/* --- One layout, tried --- */

struct trials {
	struct serving_search *search;
	struct serving_layout *layout;
	struct engine_shape engine;
};

/* Keeps what the smallest number that passes has seen, for one passes after another only with
 * fewer. */
static bool passes(struct trials *t, double replicas, double requests_per_s)
{
	struct serving_layout *l = t->layout;
	struct serving_summary seen;
	bool pass = simulate(t->search, &l->need, &t->engine, requests_per_s / replicas,
			    UNTIL_IT_FAILS, &seen) &&
		    serving_meets(&l->need, replicas, &seen);
	if (pass) {
		l->fate = LAYOUT_PASSES;
		l->check = seen;
	}
	return pass;
}

/* So few requests a second that hardly one of them meets another. */
static double lonely_rate(const struct trials *t)
{
	const double busy = 1e-3;
	const struct capacity_need *n = &t->layout->need;
	double alone_s = engine_step_of_prompts_s(&t->engine, 0, 0, n->prompt_tokens,
				 capacity_history(n), n->prompt_tokens) +
			 n->output_tokens * engine_step_s(&t->engine, 1, n->context, 0, 0);
	return busy / alone_s;
}

/* With so many replicas that nobody meets anybody. */
static bool passes_alone(struct trials *t)
{
	struct serving_layout *l = t->layout;
	const struct capacity_need *n = &l->need;
	double rate = lonely_rate(t);
	double replicas = t->search->fleet > 0 ? 1 : n->requests_per_s / rate;
	if (simulate(t->search, n, &t->engine, rate, TO_THE_END, &l->check) &&
		serving_meets(n, replicas, &l->check))
		return true;
	l->fate = l->check.ttft_p99_s > n->ttft_s ? LAYOUT_SLOW_FIRST : LAYOUT_SLOW_TOKEN;
	return false;
}

/* Numbers of replicas are tried by quarters more: 1, 2, 3, 4, 5, 7, 9, 12, ... */
static double next_try(double replicas)
{
	const double quarter = 1.25;
	return fmax(replicas + 1, ceil(replicas * quarter));
}

/* Until so many pass; then between the last two, so that the result is the same wherever below it the
 * tries begin. INFINITY where none pass, or only more than `most`: it is then more than *fails. */
static double fewest_replicas(struct trials *t, double least, double most, double *fails)
{
	enum { TRIES_BEFORE_DOUBT = 6 };
	const double rate = t->layout->need.requests_per_s;
	double pass = 1;
	for (*fails = 0; pass < least; pass = next_try(pass))
		*fails = pass;
	for (int tries = 1; !passes(t, pass, rate); tries++) {
		*fails = pass;
		if (pass >= most || (tries == TRIES_BEFORE_DOUBT && !passes_alone(t)))
			return INFINITY;
		pass = next_try(pass);
	}
	while (pass - *fails > 1 && *fails < most) {
		double mid = floor((*fails + pass) / 2);
		if (mid >= least && passes(t, mid, rate))
			pass = mid;
		else
			*fails = mid;
	}
	return pass <= most ? pass : INFINITY;
}

double serving_price(const struct serving_layout *l)
{
	return l->price_per_h > 0 ? l->price_per_h : 1;
}

/* Bounds are of means over an endless run; a run of some thousand requests can end before a queue has
 * grown. */
static const double short_run = 0.95;

/* Prompts are taken in the order in which they came. Where their lengths are exponential, so nearly
 * are the times that they take, s in the mean, and the first token of one in 100 is later than
 * log(100) s / (1 - rate s), as in any M/M/1 queue (Kleinrock, Queueing Systems 1, 1975, section
 * 3.2): so the rate of a replica is at most (1 - alone / goal) / s. Of other lengths it is at most
 * 1 / s. Copies of attention take several prompts side by side, each of them longer: no first token
 * is there sooner than if all copies were one that is as fast as they are together. INFINITY where
 * a lone user waits too long. */
static double replicas_for_first_token(const struct capacity_need *n, const struct engine_shape *e)
{
	double each_s = n->prompt_tokens / capacity_prompts_per_s(n, e);
	double alone = short_sample * capacity_first_token_s(n, e) / n->ttft_s;
	if (alone >= 1)
		return INFINITY;
	if (n->copies > 1)
		alone = short_sample * each_s * long_prompt(n) / n->prompt_tokens / n->ttft_s;
	return n->requests_per_s * each_s / (n->lengths == LENGTHS_EXPONENTIAL ? 1 - alone : 1);
}

/* Replicas that are certainly needed: for the caches, and for the rate. What a coarser bound has ruled out
 * is not tried again. */
static double least_replicas(const struct serving_search *s, const struct serving_layout *l,
	const struct engine_shape *e)
{
	const struct capacity_need *n = &l->need;
	double known = fmax(1, l->at_least / n->group);
	double held = capacity_gpus_for_caches(n, e, known) / n->group;
	if (s->without_bounds || !isfinite(held))
		return held;
	/* No less matters, for of this bound a little is taken off. */
	double rate = fmax(replicas_for_first_token(n, e), fmax(1, floor(held / short_run)));
	if (isfinite(rate))
		rate = fmax(rate, capacity_gpus_for_token(n, e, floor(rate)) / n->group);
	return fmax(held, ceil(short_run * rate));
}

/* What a layout comes to when so many replicas serve so much; INFINITY: none do, or too many. */
static void settle(struct serving_layout *l, double replicas, double rate_per_s)
{
	if (!isfinite(replicas) && l->fate == LAYOUT_PASSES)
		l->fate = LAYOUT_LEFT_OUT;
	l->gpus = replicas * l->need.group;
	l->rate_per_s = rate_per_s;
}

static double cost_of_goal(struct trials *t, double limit)
{
	struct serving_layout *l = t->layout;
	double replica = serving_price(l) * l->need.group;
	double most = floor(fmin(limit / replica, SENSIBLE_GPUS / l->need.group));
	double fails = fmax(most, l->at_least / l->need.group - 1), replicas = INFINITY;
	/* Most layouts are beaten: one simulation of as many as may be says so. */
	if (!isfinite(limit) || passes(t, most, l->need.requests_per_s))
		replicas = fewest_replicas(t, l->at_least / l->need.group, most, &fails);
	l->at_least = (fails + 1) * l->need.group;
	settle(l, replicas, l->need.requests_per_s);
	if (l->fate == LAYOUT_LEFT_OUT && l->at_least > SENSIBLE_GPUS)
		l->fate = LAYOUT_TOO_MANY;
	return replicas * replica;
}

/* --- What a fleet serves --- */

static double fleet_replicas(const struct serving_search *s, const struct serving_layout *l)
{
	return floor(s->fleet / l->need.group);
}

/* Whether a replica does with so many requests a second. */
typedef bool does(const struct capacity_need *n, const struct engine_shape *e, double rate);

static bool meets_on_average(
	const struct capacity_need *n, const struct engine_shape *e, double rate)
{
	return isfinite(capacity_step_s(n, e, rate, true, n->itl_s));
}

/* The highest rate with which a replica does, by halving; in requests a second. */
static double most_of_replica(const struct trials *t, does *ask)
{
	enum { HALVINGS = 40 };
	const struct capacity_need *n = &t->layout->need;
	double low = 0, high = 1;
	while (ask(n, &t->engine, high))
		high *= 2;
	for (int i = 0; i < HALVINGS; i++) {
		double mid = (low + high) / 2;
		if (ask(n, &t->engine, mid))
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* The highest rate that passes, to half a per cent; 0 where none does, or none above `least`. */
static double most_rate(struct trials *t, double replicas, double bound, double least)
{
	const double fine = 1.005;
	double pass = lonely_rate(t) * replicas, fails = bound;
	if (!passes_alone(t))
		return 0;
	t->layout->fate = LAYOUT_PASSES;
	if (passes(t, replicas, bound))
		return bound;
	while (fails / pass > fine && fails >= least) {
		double mid = sqrt(pass * fails);
		if (passes(t, replicas, mid))
			pass = mid;
		else
			fails = mid;
	}
	return fails >= least ? pass : 0;
}

static double cost_for_fleet(struct trials *t, double limit)
{
	struct serving_layout *l = t->layout;
	double replicas = fleet_replicas(t->search, l);
	double rate = most_rate(t, replicas, l->rate_per_s, 1 / limit);
	settle(l, rate > 0 ? replicas : INFINITY, rate);
	return 1 / rate;
}

/* --- The search --- */

/* FLOPs of a token, at least: of its products in the layers. */
static double token_flops(const struct model *m)
{
	if (m->made_of)
		return architecture_token_flops(m->made_of, 0) -
		       2 * m->made_of->hidden * m->made_of->vocab;
	double heads = 2 * (m->heads + m->kv_heads) * m->head_dim;
	return 2 * m->layers * m->hidden * (heads + (m->gated ? 3 : 2) * m->ffn);
}

static double sustained_flops(const struct accelerator *g, enum dtype d)
{
	return kernel_compute_ratio(g, kernel_math_dtype(g, d)) * kernel_peak_flops(g, d);
}

/* FLOP/s of a GPU for weights of that type, at most: parts that are published in fewer bits are
 * multiplied in 8 at least. */
static double most_flops(const struct capacity_need *n)
{
	return fmax(sustained_flops(n->gpu, value_type_dtype(n->weights)),
		fmax(sustained_flops(n->gpu, DTYPE_BF16), sustained_flops(n->gpu, DTYPE_FP8)));
}

/* What the datasheet says, with the shares of it that kernels sustain: it can never do, or what it costs at
 * least. A request takes its arithmetic, and each token of the answer reads its cache, which no product
 * hides. */
static void glance_at(const struct serving_search *s, struct serving_layout *l)
{
	const struct capacity_need *n = &l->need;
	const double held = capacity_users_per_replica(n, n->group);
	const double read_s = model_read_bytes(n->model, value_type_dtype(n->weights), 1) /
			      (n->group * n->gpu->bandwidth);
	const double flops = n->group * most_flops(n) / token_flops(n->model); /* tokens/s */
	const double request_s =
		(n->prompt_tokens + n->output_tokens) / flops +
		n->output_tokens * n->context * capacity_token_bytes(n, n->group) /
			(n->group * kernel_efficiency(n->gpu).attention_memory * n->gpu->bandwidth);
	l->fate = LAYOUT_LEFT_OUT;
	l->known[BOUND_COST] = l->known[BOUND_EXCESS] = BOUND_OF_DATASHEET;
	l->gpus = INFINITY;
	l->rate_per_s = n->requests_per_s;
	l->excess = fmax(read_s / n->itl_s, long_prompt(n) / flops / n->ttft_s);
	if (held < 1 || (s->fleet > 0 && fleet_replicas(s, l) < 1))
		l->fate = LAYOUT_TOO_SMALL;
	else if (read_s > n->itl_s)
		l->fate = LAYOUT_SLOW_TOKEN;
	else if (s->fleet > 0)
		l->rate_per_s = fleet_replicas(s, l) / request_s;
	else
		l->at_least = n->group * fmax(fmax(1, ceil(n->users / held)),
						 ceil(short_run * n->requests_per_s * request_s));
}

/* What closed forms say about an engine that is the layout's own, or faster, unless its fate is
 * known. */
static void look_at(
	const struct serving_search *s, struct serving_layout *l, const struct engine_shape *e)
{
	const struct capacity_need *n = &l->need;
	struct trials t = { NULL, l, *e };
	if (l->fate != LAYOUT_LEFT_OUT)
		return;
	if (engine_step_s(e, 1, 0, 0, 0) > n->itl_s) {
		l->fate = LAYOUT_SLOW_TOKEN;
	} else if (!s->without_bounds && short_sample * capacity_first_token_s(n, e) > n->ttft_s) {
		l->fate = LAYOUT_SLOW_FIRST;
	} else if (s->fleet > 0) {
		double replicas = fleet_replicas(s, l);
		double most = replicas * fmin(most_of_replica(&t, meets_on_average) / short_run,
						 most_of_replica(&t, capacity_has_room));
		l->rate_per_s = s->without_bounds ? most : fmin(l->rate_per_s, most);
	} else {
		l->at_least = fmax(l->at_least, n->group * least_replicas(s, l, e));
		if (l->at_least > SENSIBLE_GPUS)
			l->fate = LAYOUT_TOO_MANY;
	}
}

/* The layouts of one family stand together. */
struct layouts {
	size_t from, to;
};

static struct layouts family_of(const struct serving_search *s, size_t i)
{
	struct layouts r = { i, i + 1 };
	while (r.from > 0 && s->layouts[r.from - 1].family == s->layouts[i].family)
		r.from--;
	while (r.to < s->n && s->layouts[r.to].family == s->layouts[i].family)
		r.to++;
	return r;
}

/* Raises one bound of a layout. */
typedef void raise_bound(
	const struct serving_search *s, struct serving_layout *l, const struct engine_shape *e);

/* The same of all of a family that have no better one: the engine is the same. False: there is none
 * better. */
static bool sharpen_family(
	struct serving_search *s, size_t i, enum layout_bound bound, raise_bound *better)
{
	const enum bound_kind known = s->layouts[i].known[bound];
	if (known == BOUND_OF_ENGINE)
		return false;
	const struct engine_shape *e = engine_of(s, &s->layouts[i], known == BOUND_OF_DATASHEET);
	const struct layouts r = family_of(s, i);
	for (size_t k = r.from; k < r.to; k++)
		if (s->layouts[k].known[bound] == known) {
			better(s, &s->layouts[k], e);
			s->layouts[k].known[bound]++;
		}
	return true;
}

static bool sharpen(void *ways, size_t i)
{
	return sharpen_family(ways, i, BOUND_COST, look_at);
}

void serving_sharpen(struct serving_search *s, size_t layout)
{
	if (s->layouts[layout].fate == LAYOUT_LEFT_OUT)
		sharpen(s, layout);
}

static double least_cost(const void *ways, size_t i)
{
	const struct serving_search *s = ways;
	const struct serving_layout *l = &s->layouts[i];
	if (l->fate != LAYOUT_LEFT_OUT)
		return INFINITY;
	if (s->without_bounds)
		return 0;
	return s->fleet > 0 ? 1 / l->rate_per_s : l->at_least * serving_price(l);
}

static double cost(void *ways, size_t i, double limit)
{
	struct serving_search *s = ways;
	struct serving_layout *l = &s->layouts[i];
	if (s->bounds_only)
		return least_cost(s, i);
	assert(l->known[BOUND_COST] == BOUND_OF_ENGINE);
	size_t most = isfinite(limit) ? MOST_STRIDES : MOST_STRIDES_IN_VAIN;
	if (!s->without_bounds && s->strides > most) {
		s->unproven++;
		return INFINITY;
	}
	struct trials t = { s, l, *engine_of(s, l, false) };
	limit = s->without_bounds ? INFINITY : limit;
	return s->fleet > 0 ? cost_for_fleet(&t, limit) : cost_of_goal(&t, limit);
}

static size_t family(const void *ways, size_t i)
{
	return ((const struct serving_search *)ways)->layouts[i].family;
}

static bool go_on(void *ways, double share)
{
	const struct serving_search *s = ways;
	return !s->go_on || s->go_on(s->context, share);
}

void serving_search(struct serving_search *s)
{
	s->found = (struct cheapest){ NO_WAY, NO_WAY, 0, false };
	s->strides = s->unproven = s->engines = 0;
	s->last[0].known = s->last[1].known = false;
	for (size_t i = 0; i < s->n; i++) {
		struct serving_layout *l = &s->layouts[i];
		glance_at(s, l);
		if (!s->without_bounds)
			continue;
		l->known[BOUND_COST] = BOUND_OF_ENGINE;
		l->at_least = 0;
		if (l->fate != LAYOUT_TOO_SMALL) {
			l->fate = LAYOUT_LEFT_OUT;
			look_at(s, l, engine_of(s, l, false));
		}
	}
	s->found = cheapest_of(
		&(struct cheapest_ways){ s->n, least_cost, sharpen, cost, family, go_on, s });
}

/* --- The nearest to the goals --- */

/* Those of a lone user: the first token of a prompt that is longer than 99 of 100, and the next
 * ones. */
static double excess(const struct serving_layout *l, const struct engine_shape *e)
{
	const struct capacity_need *n = &l->need;
	double next_s = engine_step_s(e, 1, n->context, 0, 0);
	return fmax(capacity_first_token_s(n, e) / n->ttft_s, next_s / n->itl_s);
}

static double least_excess(const void *ways, size_t i)
{
	const struct serving_layout *l = &((const struct serving_search *)ways)->layouts[i];
	return l->fate == LAYOUT_TOO_SMALL ? INFINITY : l->excess;
}

static void raise_excess(
	const struct serving_search *s, struct serving_layout *l, const struct engine_shape *e)
{
	(void)s;
	l->excess = fmax(l->excess, excess(l, e));
}

static bool sharpen_excess(void *ways, size_t i)
{
	return sharpen_family(ways, i, BOUND_EXCESS, raise_excess);
}

static double excess_of(void *ways, size_t i, double limit)
{
	(void)limit;
	return least_excess(ways, i);
}

struct serving_layout *serving_nearest(struct serving_search *s)
{
	const struct cheapest near = cheapest_of(&(struct cheapest_ways){
		s->n, least_excess, sharpen_excess, excess_of, NULL, NULL, s });
	if (near.best == NO_WAY)
		return NULL;
	struct serving_layout *nearest = &s->layouts[near.best];
	struct trials t = { s, nearest, *engine_of(s, nearest, false) };
	passes_alone(&t);
	return nearest;
}

double capacity_holders(const struct serving_summary *check)
{
	return check->mean_in_system - check->mean_waiting;
}

void serving_bounds(struct serving_layout *l)
{
	struct arena scratch = { 0 };
	struct capacity_engines e = capacity_engines(&scratch, &l->need);
	l->plan = capacity_plan(&l->need, &e);
	arena_release(&scratch);
}
