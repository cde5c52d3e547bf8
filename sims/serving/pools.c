/* A pool is as many runs of the serving engine as it has servers: none of them knows of the others,
 * because requests are dealt out in turn. So the pools need no common clock: the prefill pool runs to
 * its end, its results are what the network carries, in the order in which they are ready, and what
 * arrives there are the decode pool's requests. */
#include "sims/serving/pools.h"

#include "sims/base/events.h"
#include "sims/base/stats.h"
#include "sims/formulas/serving.h"

#include <assert.h>
#include <math.h>

bool pools_are_one(const struct pools_setup *s)
{
	return s->prefill.servers == 0 || s->decode.servers == 0;
}

size_t pools_servers(const struct pools_setup *s)
{
	return s->prefill.servers + s->decode.servers;
}

/* What a request asks of a pool. */
struct visit {
	double at_s;
	int64_t prompt, history, output;
};

struct pools {
	struct arena *arena;
	const struct pools_setup *setup;
	struct pools_run *run;
	struct visit *visits;  /* of each request */
	struct served *served; /* its results in the pool that it visited last */
	uint32_t *order;       /* requests in the order in which they come to a pool */
	size_t n_order;
	struct request *asked; /* of one server: its requests, */
	int64_t *histories;    /* and what it has of them already */
};

/* --- A pool --- */

/* Runs one server of a pool with every servers-th request. */
static void run_server(struct pools *x, const struct pool *p, size_t server, double *busy_s,
	struct serving_log *log)
{
	size_t n = 0;
	for (size_t i = server; i < x->n_order; i += p->servers, n++) {
		const struct visit *v = &x->visits[x->order[i]];
		x->asked[n] = (struct request){ v->at_s, (double)v->prompt, (double)v->output };
		x->histories[n] = v->history;
	}
	if (n == 0)
		return;
	struct serving_setup setup = { .policy = SERVING_CONTINUOUS,
		.requests = x->asked,
		.n = n,
		.gap_s = 1,
		.engine = p->engine,
		.max_batch = x->setup->max_batch,
		.cache_tokens = p->cache_tokens,
		.paged = true,
		.block_tokens = x->setup->block_tokens,
		.chunk_tokens = p->chunk_tokens,
		.histories = x->histories,
		.watch_work = x->setup->watch_work };
	struct serving_run run = serving_simulate(x->arena, &setup);
	for (size_t k = 0; k < run.n; k++)
		x->served[x->order[server + k * p->servers]] = run.served[k];
	x->run->preemptions += run.preemptions;
	*busy_s += run.busy_s;
	if (x->setup->gaps)
		histogram_join(&x->run->itl_s, &run.itl_s);
	if (log)
		*log = run.log;
}

static void run_pool(
	struct pools *x, const struct pool *p, double *busy_s, struct serving_log **logs)
{
	if (x->setup->watch_work)
		*logs = arena_array(x->arena, p->servers, sizeof **logs);
	for (size_t i = 0; i < p->servers && !x->arena->failed; i++)
		run_server(x, p, i, busy_s, *logs ? *logs + i : NULL);
}

/* --- The stages --- */

/* The first pool's requests, after what lies in host memory was loaded. One token at least is
 * computed, or there would be nothing to sample from. */
static void arrive(struct pools *x, const struct pool *p, bool both)
{
	const struct pools_setup *s = x->setup;
	double *free_s = arena_array(x->arena, p->servers, sizeof *free_s);
	x->n_order = s->n;
	for (size_t i = 0; free_s && i < s->n; i++) {
		const struct request *q = &s->requests[i];
		struct pooled *r = &x->run->requests[i];
		int64_t prompt = (int64_t)fmax(1, q->prompt_tokens);
		int64_t found =
			(int64_t)fmin((double)prompt - 1, round(s->found.ratio * (double)prompt));
		double bytes = s->cache_bytes[i] * (double)found / (double)prompt * s->found.host;
		size_t server = i % p->servers;
		r->arrival_s = q->arrival_s * s->gap_s;
		r->loaded_s = r->arrival_s;
		if (bytes > 0)
			r->loaded_s = free_s[server] = fmax(r->arrival_s, free_s[server]) +
						       bytes / (p->gpus * s->host_bytes_per_s);
		r->prefill_by = r->decode_by = (uint32_t)server;
		x->visits[i] = (struct visit){ r->loaded_s, prompt - found, found,
			both ? (int64_t)fmax(1, q->output_tokens) : 1 };
		x->order[i] = (uint32_t)i;
	}
}

/* Caches over the network, by the order in which they are ready. They come to each decode server one
 * after another, for it takes one at a time. */
static void transfer(struct pools *x)
{
	const struct pools_setup *s = x->setup;
	struct events ready = events_new(x->arena, s->n);
	double *from_s = arena_array(x->arena, s->prefill.servers, sizeof *from_s);
	double *to_s = arena_array(x->arena, s->decode.servers, sizeof *to_s);
	double bytes_per_s = fmin(s->prefill.gpus, s->decode.gpus) * s->card_bytes_per_s;

	x->n_order = 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (isfinite(x->served[i].finish_s))
			events_push(&ready, x->served[i].finish_s, 0, i);
	for (struct event e; !x->arena->failed && events_pop(&ready, &e);) {
		struct pooled *r = &x->run->requests[e.data];
		double takes_s = s->message_s + s->cache_bytes[e.data] / bytes_per_s;
		double begins_s = s->layers > 0 ? r->start_s : r->prefilled_s;
		double last_s = s->layers > 0 ? takes_s / s->layers : takes_s;
		r->decode_by = (uint32_t)(x->n_order % s->decode.servers);
		double free_s = fmax(from_s[r->prefill_by], to_s[r->decode_by]);
		r->sent_s = fmax(begins_s, free_s);
		r->there_s = fmax(r->sent_s + takes_s, r->prefilled_s + last_s);
		from_s[r->prefill_by] = to_s[r->decode_by] = r->there_s;
		x->order[x->n_order++] = e.data;
	}
}

static void visit_decode(struct pools *x)
{
	for (size_t i = 0; i < x->n_order; i++) {
		uint32_t id = x->order[i];
		const struct request *q = &x->setup->requests[id];
		x->visits[id] = (struct visit){ x->run->requests[id].there_s, 1,
			(int64_t)fmax(1, q->prompt_tokens) - 1,
			(int64_t)fmax(1, q->output_tokens) };
	}
}

static void run_two(struct pools *x)
{
	const struct pools_setup *s = x->setup;
	arrive(x, &s->prefill, false);
	run_pool(x, &s->prefill, &x->run->prefill_busy_s, &x->run->prefill);
	for (size_t i = 0; i < s->n; i++) {
		struct pooled *r = &x->run->requests[i];
		r->start_s = x->served[i].start_s;
		r->prefilled_s = x->served[i].finish_s;
		r->sent_s = r->there_s = r->joined_s = r->first_s = r->finish_s = INFINITY;
	}
	transfer(x);
	visit_decode(x);
	run_pool(x, &s->decode, &x->run->decode_busy_s, &x->run->decode);
	for (size_t i = 0; i < x->n_order; i++) {
		struct pooled *r = &x->run->requests[x->order[i]];
		r->joined_s = x->served[x->order[i]].start_s;
		r->first_s = x->served[x->order[i]].first_s;
		r->finish_s = x->served[x->order[i]].finish_s;
	}
}

static void run_one(struct pools *x)
{
	const struct pools_setup *s = x->setup;
	const struct pool *p = s->decode.servers ? &s->decode : &s->prefill;
	arrive(x, p, true);
	run_pool(x, p, &x->run->decode_busy_s, &x->run->decode);
	for (size_t i = 0; i < s->n; i++) {
		struct pooled *r = &x->run->requests[i];
		r->start_s = x->served[i].start_s;
		r->first_s = x->served[i].first_s;
		r->finish_s = x->served[i].finish_s;
		r->prefilled_s = r->sent_s = r->there_s = r->joined_s = r->first_s;
	}
}

void pools_simulate(struct arena *a, const struct pools_setup *setup, struct pools_run *run)
{
	assert(pools_servers(setup) > 0 && setup->card_bytes_per_s > 0);
	struct pools x = { .arena = a, .setup = setup, .run = run };
	*run = (struct pools_run){ .requests = arena_array(a, setup->n, sizeof *run->requests) };
	x.visits = arena_array(a, setup->n, sizeof *x.visits);
	x.served = arena_array(a, setup->n, sizeof *x.served);
	x.order = arena_array(a, setup->n, sizeof *x.order);
	x.asked = arena_array(a, setup->n, sizeof *x.asked);
	x.histories = arena_array(a, setup->n, sizeof *x.histories);
	if (!a->failed && pools_are_one(setup))
		run_one(&x);
	else if (!a->failed)
		run_two(&x);
	if (a->failed)
		return;
	run->n = setup->n;
	for (size_t i = 0; i < run->n; i++) {
		double at_s = run->requests[i].finish_s;
		if (isfinite(run->requests[i].prefilled_s))
			run->prefill_end_s = fmax(run->prefill_end_s, run->requests[i].prefilled_s);
		if (isfinite(at_s))
			run->end_s = fmax(run->end_s, at_s);
		else
			run->refused++;
	}
}

/* --- What a run says --- */

static void add_parts(double part_s[N_FIRST_PARTS], const struct pooled *r)
{
	part_s[FIRST_LOAD] += r->loaded_s - r->arrival_s;
	part_s[FIRST_QUEUE] += r->start_s - r->loaded_s;
	part_s[FIRST_PREFILL] += r->prefilled_s - r->start_s;
	/* Sent layer by layer, most of it is on its way before. */
	double waits_s = fmax(0, r->sent_s - r->prefilled_s);
	part_s[FIRST_LINK] += waits_s;
	part_s[FIRST_TRANSFER] += r->there_s - r->prefilled_s - waits_s;
	part_s[FIRST_STEP] += r->first_s - r->there_s;
}

/* Median and P99 of n values, INFINITY of none. */
static void quantiles(double x[], size_t n, double *p50, double *p99)
{
	*p50 = n ? quantile_select(x, n, 0.5) : INFINITY;
	*p99 = n ? quantile_select(x, n, 0.99) : INFINITY;
}

void pools_summarise(struct arena *a, const struct pools_setup *setup, const struct pools_run *run,
	double ttft_limit_s, double itl_limit_s, struct pools_summary *out)
{
	double *ttft = arena_array(a, run->n, sizeof *ttft);
	double *tpot = arena_array(a, run->n, sizeof *tpot);
	double *e2e = arena_array(a, run->n, sizeof *e2e);
	size_t counted = 0, n = 0, first = 0, next = 0, both = 0;
	*out = (struct pools_summary){ 0 };
	for (size_t i = serving_warm_up(run->n); e2e && i < run->n; i++, counted++) {
		const struct pooled *r = &run->requests[i];
		double gaps = fmax(1, setup->requests[i].output_tokens) - 1;
		if (!isfinite(r->finish_s))
			continue;
		bool in_time = r->first_s - r->arrival_s <= ttft_limit_s;
		bool steady = r->finish_s - r->first_s <= gaps * itl_limit_s;
		first += in_time;
		next += steady;
		both += in_time && steady;
		add_parts(out->first_s, r);
		ttft[n] = r->first_s - r->arrival_s;
		tpot[n] = gaps > 0 ? (r->finish_s - r->first_s) / gaps : 0;
		e2e[n++] = r->finish_s - r->arrival_s;
	}
	out->ttft_mean_s = n ? mean_of(ttft, n) : INFINITY;
	out->e2e_mean_s = n ? mean_of(e2e, n) : INFINITY;
	double unused;
	quantiles(ttft, n, &out->ttft_p50_s, &out->ttft_p99_s);
	quantiles(tpot, n, &out->tpot_p50_s, &out->tpot_p99_s);
	quantiles(e2e, n, &unused, &out->e2e_p99_s);
	for (size_t i = 0; n && i < N_FIRST_PARTS; i++)
		out->first_s[i] /= (double)n;
	if (run->itl_s.total > 0)
		out->itl_p99_s = histogram_quantile(&run->itl_s, 0.99);
	if (!counted)
		return;
	out->in_time_first = (double)first / (double)counted;
	out->in_time_next = (double)next / (double)counted;
	out->within = (double)both / (double)counted;
	out->goodput_per_s =
		CALL(slo_goodput, .request_rate = 1 / setup->gap_s, .attainment = out->within);
}
