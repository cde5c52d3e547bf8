/* Memory follows from sizes. Bandwidth and compute follow from the time of an iteration, which a
 * model of the engine gives: the smallest number of GPUs whose iterations are short enough is found
 * by doubling and then halving the interval. */
#include "sims/serving/capacity_plan.h"

#include "sims/formulas/serving.h"

#include <assert.h>
#include <math.h>

static double user_bytes(const struct capacity_need *n)
{
	return CALL(users_cache_bytes, .users = 1, .context = n->context,
		.kv_per_token = n->kv_per_token, .waste = n->waste);
}

double capacity_total_bytes(const struct capacity_need *n)
{
	return n->weight_bytes + CALL(users_cache_bytes, .users = n->users, .context = n->context,
					 .kv_per_token = n->kv_per_token, .waste = n->waste);
}

double capacity_kv_copies(const struct capacity_need *n, double gpus)
{
	return fmax(1, gpus / n->model->kv_heads);
}

double capacity_users_per_replica(const struct capacity_need *n, double group)
{
	double room = group * n->gpu->memory_bytes * n->fill - n->weight_bytes;
	return fmax(0, floor(room / (user_bytes(n) * capacity_kv_copies(n, group))));
}

struct capacity_engines capacity_engines(struct arena *a, const struct capacity_need *n)
{
	enum { EACH = 64, MOST = 4096 };
	struct capacity_engines e = { .shape = arena_array(a, MAX_ENGINES, sizeof *e.shape) };
	double gpus = n->sharded ? 1 : n->group;
	while (e.shape && e.n < MAX_ENGINES && gpus <= MOST) {
		e.gpus[e.n] = gpus;
		e.shape[e.n++] = engine_shape_of(n->model, n->gpu, (int)gpus, n->weights, n->kv);
		if (!n->sharded)
			break;
		gpus = gpus < EACH ? gpus + 1 : ceil(gpus * 1.25);
	}
	return e;
}

double capacity_itl_s(
	const struct engine_shape *engine, double users, double context, double prefill_ratio)
{
	assert(!(prefill_ratio < 0)); /* NaN comes out of tables without a speed */
	if (prefill_ratio >= 1)
		return INFINITY;
	return engine_step_s(engine, users, users * context, 0, 0) / (1 - prefill_ratio);
}

static double prefill_time_s(const struct capacity_need *n, const struct engine_shape *e)
{
	return engine_step_s(e, 0, 0, n->prompt_tokens, 0);
}

/* Whether so many replicas meet the goal, with prompts or without. */
static bool fast_enough(
	const struct capacity_need *n, const struct engine_shape *e, double replicas, bool prompts)
{
	double ratio = prompts ? n->requests_per_s / replicas * prefill_time_s(n, e) : 0;
	return capacity_itl_s(e, ceil(n->users / replicas), n->context, ratio) <= n->itl_s;
}

static double replicas_for_speed(
	const struct capacity_need *n, const struct engine_shape *e, bool prompts)
{
	double enough = 1;
	while (!fast_enough(n, e, enough, prompts)) {
		if (enough > 1e7)
			return INFINITY;
		enough *= 2;
	}
	double short_of = floor(enough / 2);
	while (enough - short_of > 1) {
		double mid = floor((enough + short_of) / 2);
		if (fast_enough(n, e, mid, prompts))
			enough = mid;
		else
			short_of = mid;
	}
	return enough;
}

static double gpus_for_speed(
	const struct capacity_need *n, const struct capacity_engines *e, bool prompts)
{
	if (!n->sharded)
		return e->n ? n->group * replicas_for_speed(n, e->shape, prompts) : INFINITY;
	for (size_t i = 0; i < e->n; i++)
		if (fast_enough(n, &e->shape[i], 1, prompts))
			return e->gpus[i];
	return INFINITY;
}

static double gpus_for_prompts(const struct capacity_need *n, const struct capacity_engines *e)
{
	if (!n->sharded)
		return e->n ? n->group * fmax(1, whole(n->requests_per_s *
							 prefill_time_s(n, e->shape)))
			    : INFINITY;
	for (size_t i = 0; i < e->n; i++)
		if (n->requests_per_s * prefill_time_s(n, &e->shape[i]) <= 1)
			return e->gpus[i];
	return INFINITY;
}

/* All GPUs are one group. With more of them than KV heads, each holds a head of all users, and a
 * further one shares nothing but the weights. */
static double sharded_for_memory(const struct capacity_need *n)
{
	double cache = capacity_total_bytes(n) - n->weight_bytes;
	double gpus = CALL(gpus_for_bytes, .weight_bytes = n->weight_bytes, .cache_bytes = cache,
		.memory_bytes = n->gpu->memory_bytes, .utilisation = n->fill);
	double copies = capacity_kv_copies(n, gpus);
	if (copies <= 1)
		return gpus;
	double room = n->gpu->memory_bytes * n->fill - cache * copies / gpus;
	return room > 0 ? whole(n->weight_bytes / room) : INFINITY;
}

static double gpus_for_memory(const struct capacity_need *n)
{
	if (n->sharded)
		return sharded_for_memory(n);
	double users = capacity_users_per_replica(n, n->group);
	return users > 0 ? n->group * whole(n->users / users) : INFINITY;
}

struct capacity_plan capacity_plan(
	const struct capacity_need *n, const struct capacity_engines *engines)
{
	assert(n->model && n->gpu && n->users > 0);
	assert(n->sharded || n->group >= 1);
	struct capacity_plan p = { .memory = gpus_for_memory(n),
		.bandwidth = gpus_for_speed(n, engines, false),
		.compute = gpus_for_prompts(n, engines),
		.speed = gpus_for_speed(n, engines, true) };
	p.gpus = fmax(p.memory, p.speed);
	p.replicas = n->sharded ? 1 : p.gpus / n->group;
	p.users_per_replica = n->users / p.replicas;
	return p;
}

const char *capacity_binding(const struct capacity_plan *p)
{
	if (p->memory >= p->speed)
		return "memory";
	if (p->speed > fmax(p->bandwidth, p->compute))
		return "both";
	return p->bandwidth >= p->compute ? "bandwidth" : "compute";
}
