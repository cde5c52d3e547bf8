/* Memory follows from sizes. Bandwidth and compute follow from the time of an iteration, which a
 * model of the engine gives: the smallest number of GPUs whose iterations are short enough is found
 * by doubling and then halving the interval. */
#include "sims/serving/capacity_plan.h"

#include "sims/formulas/serving.h"

#include <assert.h>
#include <math.h>

static double copies_of(const struct capacity_need *n)
{
	return fmax(1, n->copies);
}

struct engine_layout capacity_layout(const struct capacity_need *n, double gpus)
{
	return (struct engine_layout){ .tp = fmax(1, gpus / copies_of(n)),
		.copies = copies_of(n),
		.ep = fmax(1, n->ep),
		.overlap = n->overlap };
}

double capacity_total_bytes(const struct capacity_need *n, double users)
{
	return n->weight_bytes + CALL(users_cache_bytes, .users = users, .context = n->context,
					 .kv_per_token = n->kv_per_token, .waste = n->waste);
}

double capacity_kv_copies(const struct capacity_need *n, double gpus)
{
	return capacity_token_bytes(n, gpus) / capacity_token_bytes(n, 1);
}

double capacity_token_bytes(const struct capacity_need *n, double gpus)
{
	double length = n->prompt_tokens + n->output_tokens;
	double tokens = fmax(1, n->context > 0 ? n->context : length);
	return model_cache_bytes(
		       n->model, value_type_dtype(n->kv), tokens, capacity_layout(n, gpus).tp) /
	       tokens;
}

double capacity_history(const struct capacity_need *n)
{
	return fmax(0, n->context - (n->prompt_tokens + n->output_tokens / 2));
}

double capacity_room_tokens(const struct capacity_need *n, double group)
{
	double room = group * n->gpu->memory_bytes * n->fill - n->weight_bytes;
	double token = n->kv_per_token * (1 + n->waste) * capacity_kv_copies(n, group);
	return fmax(0, room / token);
}

double capacity_users_per_replica(const struct capacity_need *n, double group)
{
	/* Each copy has room of its own. */
	return copies_of(n) * floor(capacity_room_tokens(n, group) / copies_of(n) / n->context);
}

struct engine_shape capacity_engine(const struct capacity_need *n, double gpus)
{
	const struct engine_layout how = capacity_layout(n, gpus);
	return engine_shape_spread(n->model, n->gpu, &how, n->weights, n->activations, n->kv);
}

/* Without SMs there are no tiles: a product takes its arithmetic and its traffic, whatever its
 * size. */
static struct accelerator without_tiles(const struct accelerator *g)
{
	struct accelerator smooth = *g;
	smooth.sm_count = 0;
	return smooth;
}

struct engine_shape capacity_smooth_engine(const struct capacity_need *n, double gpus)
{
	const struct accelerator smooth = without_tiles(n->gpu);
	struct capacity_need of = *n;
	of.gpu = &smooth;
	return capacity_engine(&of, gpus);
}

bool capacity_engine_retype(struct engine_shape *e, bool smooth, const struct capacity_need *was,
	const struct capacity_need *is)
{
	if (!is->model->made_of || was->model != is->model || was->gpu != is->gpu ||
		was->weights != is->weights || was->activations != is->activations ||
		was->group != is->group || was->copies != is->copies || was->ep != is->ep ||
		was->overlap != is->overlap)
		return false;
	const struct engine_layout how = capacity_layout(is, is->group);
	const struct accelerator tileless = without_tiles(is->gpu);
	engine_laid_retype(e, is->model->made_of, smooth ? &tileless : is->gpu, &how,
		value_type_dtype(is->kv));
	return true;
}

struct capacity_engines capacity_engines(struct arena *a, const struct capacity_need *n)
{
	enum { EACH = 64, MOST = 4096 };
	struct capacity_engines e = { .shape = arena_array(
					      a, n->sharded ? MAX_ENGINES : 1, sizeof *e.shape) };
	double gpus = n->sharded ? 1 : n->group;
	while (e.shape && e.n < MAX_ENGINES && gpus <= MOST) {
		e.gpus[e.n] = gpus;
		e.shape[e.n++] = capacity_engine(n, gpus);
		if (!n->sharded)
			break;
		gpus = gpus < EACH ? gpus + 1 : ceil(gpus * 1.25);
	}
	return e;
}

/* --- The mean iteration --- */

struct flow {
	const struct capacity_need *need;
	const struct engine_shape *engine;
	double requests_per_s;
	bool prompts;
};

double capacity_chunk(const struct capacity_need *n)
{
	return copies_of(n) * n->chunk_tokens;
}

/* A chunk follows half of the others, in the mean. An engine takes the tokens of all copies for one
 * prompt's, which see each other. */
double capacity_chunk_step_s(
	const struct capacity_need *n, const struct engine_shape *engine, double users)
{
	double before = capacity_history(n) + fmax(0, n->prompt_tokens - n->chunk_tokens) / 2;
	double others = (capacity_chunk(n) - n->chunk_tokens) / 2;
	return engine_step_s(engine, users, users * n->context, capacity_chunk(n), before - others);
}

/* What came in while one iteration of step_s went on, done in the next: it decodes, and the share of
 * a chunk that came takes that share of what a whole one adds. */
static double next_step_s(const struct flow *f, double step_s)
{
	const struct capacity_need *n = f->need;
	double users = f->requests_per_s * n->output_tokens * step_s, held = users * n->context;
	double decode_s = engine_step_s(f->engine, users, held, 0, 0);
	if (!f->prompts)
		return decode_s;
	double both_s = capacity_chunk_step_s(n, f->engine, users);
	double chunks = f->requests_per_s * n->prompt_tokens * step_s / capacity_chunk(n);
	return chunks > 1 ? INFINITY : decode_s + chunks * (both_s - decode_s);
}

/* How near the place where an iteration takes as long as the one before it is found, of itself. */
static const double close = 1e-6;

/* From a step that is too short to a longer one. An iteration grows with what it does, so the next
 * one leads no further than the place that is sought. A tangent leads there sooner, but where tiles
 * fill up the time rises in stairs: so it is not followed far. */
static double onward_s(const struct flow *f, double s, double now)
{
	const double far = 1.5, by = s * 1e-3;
	double slope = (next_step_s(f, s + by) - now) / by;
	return slope < 1 ? fmax(now, fmin(far * s, s + (now - s) / (1 - slope))) : now;
}

/* By halving, where one step is too short and another too long. */
static double between_s(const struct flow *f, double low, double high)
{
	while (high - low > close * high) {
		double mid = (low + high) / 2;
		if (next_step_s(f, mid) > mid)
			low = mid;
		else
			high = mid;
	}
	return high;
}

/* Goes from s, which is too short, towards *to in parts, lest a tangent leads over the place and out
 * again behind it; *then is the iteration there. True where the place was passed: it is *to then. */
static bool is_passed(const struct flow *f, double s, double *to, double *then)
{
	enum { PARTS = 2 };
	const double part = (*to - s) / PARTS;
	for (int i = 1; i <= PARTS; i++) {
		double at = s + i * part;
		*then = next_step_s(f, at);
		if (*then >= at)
			continue;
		*to = between_s(f, at - part, at);
		return true;
	}
	return false;
}

double capacity_step_s(const struct capacity_need *n, const struct engine_shape *engine,
	double requests_per_s, bool prompts, double limit_s)
{
	enum { MOST_STEPS = 400 };
	const struct flow f = { n, engine, requests_per_s, prompts };
	double s = engine_step_s(engine, 1, n->context, 0, 0) * close, now = next_step_s(&f, s);
	for (int i = 0; i < MOST_STEPS && now <= limit_s * (1 + close); i++) {
		if (now - s <= close * s)
			return s;
		double to = onward_s(&f, s, now), then = INFINITY;
		if (to > now && is_passed(&f, s, &to, &then))
			return to <= limit_s * (1 + close) ? to : INFINITY;
		bool leaps = to > now && isfinite(then);
		s = leaps ? to : now;
		now = leaps ? then : next_step_s(&f, s);
	}
	return INFINITY;
}

/* --- Bounds --- */

/* Whether so many replicas, or one of so many GPUs, are enough. */
typedef bool enough(const struct capacity_need *n, const struct engine_shape *e, double replicas);

static bool decodes_fast(
	const struct capacity_need *n, const struct engine_shape *e, double replicas)
{
	return isfinite(capacity_step_s(n, e, n->requests_per_s / replicas, false, n->itl_s));
}

static bool does_both_fast(
	const struct capacity_need *n, const struct engine_shape *e, double replicas)
{
	return isfinite(capacity_step_s(n, e, n->requests_per_s / replicas, true, n->itl_s));
}

/* Where so many iterations take a part of a prompt that one gap in a hundred is among them whatever the
 * parts' sizes, one of a middling size must be in time too. */
static bool is_in_time(const struct capacity_need *n, const struct engine_shape *e, double replicas)
{
	const double often = 0.05, rate = n->requests_per_s / replicas;
	double step_s = capacity_step_s(n, e, rate, true, n->itl_s);
	double users = rate * n->output_tokens * step_s;
	if (!isfinite(step_s))
		return false;
	double part = fmin(n->chunk_tokens, n->prompt_tokens);
	return rate * n->prompt_tokens * step_s < often * capacity_chunk(n) ||
	       engine_step_of_prompts_s(
		       e, users, users * n->context, part, capacity_history(n), part) <= n->itl_s;
}

double capacity_prompts_per_s(const struct capacity_need *n, const struct engine_shape *e)
{
	return capacity_chunk(n) / capacity_chunk_step_s(n, e, 0);
}

double capacity_decodes_per_s(const struct capacity_need *n, const struct engine_shape *e)
{
	const double near = 1e-3, most = 1e9; /* requests/s */
	double low = 0, high = near;
	while (high < most && isfinite(capacity_step_s(n, e, high, false, n->itl_s))) {
		low = high;
		high *= 2;
	}
	while (low > 0 && high - low > near * high) {
		double mid = (low + high) / 2;
		if (isfinite(capacity_step_s(n, e, mid, false, n->itl_s)))
			low = mid;
		else
			high = mid;
	}
	return low * n->output_tokens;
}

/* Prompts share iterations of a whole chunk. */
static bool takes_prompts(
	const struct capacity_need *n, const struct engine_shape *e, double replicas)
{
	return n->requests_per_s / replicas * n->prompt_tokens <= capacity_prompts_per_s(n, e);
}

/* While it lasts, tokens come that fill the room: a step must not be longer. If one with full caches is
 * not, the mean one is not either. */
bool capacity_has_room(
	const struct capacity_need *n, const struct engine_shape *e, double requests_per_s)
{
	double most_s = capacity_room_tokens(n, n->group) /
			(requests_per_s * n->output_tokens * n->context);
	const struct flow f = { n, e, requests_per_s, false };
	if (most_s > 0 && next_step_s(&f, most_s) <= most_s)
		return true;
	return capacity_step_s(n, e, requests_per_s, false, most_s) <= most_s;
}

/* The users whose caches so many replicas hold. */
static bool holds_caches(
	const struct capacity_need *n, const struct engine_shape *e, double replicas)
{
	if (n->users > 0)
		return n->users <= capacity_users_per_replica(n, n->group) * replicas;
	return capacity_has_room(n, e, n->requests_per_s / replicas);
}

/* So many at least, and as many more as it takes. */
static double least_replicas(
	const struct capacity_need *n, const struct engine_shape *e, enough *is_enough, double from)
{
	double most = from, short_of = from;
	while (!is_enough(n, e, most)) {
		if (most > 1e7)
			return INFINITY;
		short_of = most;
		most *= 2;
	}
	while (most - short_of > 1) {
		double mid = floor((most + short_of) / 2);
		if (is_enough(n, e, mid))
			most = mid;
		else
			short_of = mid;
	}
	return most;
}

double capacity_gpus_for_caches(
	const struct capacity_need *n, const struct engine_shape *e, double replicas)
{
	return n->group * least_replicas(n, e, holds_caches, replicas);
}

double capacity_gpus_for_token(
	const struct capacity_need *n, const struct engine_shape *e, double replicas)
{
	return n->group * least_replicas(n, e, is_in_time, replicas);
}

static double least_gpus(
	const struct capacity_need *n, const struct capacity_engines *e, enough *is_enough)
{
	if (!n->sharded)
		return e->n ? n->group * least_replicas(n, e->shape, is_enough, 1) : INFINITY;
	for (size_t i = 0; i < e->n; i++)
		if (is_enough(n, &e->shape[i], 1))
			return e->gpus[i];
	return INFINITY;
}

/* All GPUs are one group. With more of them than KV heads, each holds a head of all users, and a
 * further one shares nothing but the weights. */
static double sharded_for_users(const struct capacity_need *n, double users)
{
	double cache = capacity_total_bytes(n, users) - n->weight_bytes;
	double gpus = CALL(gpus_for_bytes, .weight_bytes = n->weight_bytes, .cache_bytes = cache,
		.memory_bytes = n->gpu->memory_bytes, .utilisation = n->fill);
	double copies = capacity_kv_copies(n, gpus);
	if (copies <= 1)
		return gpus;
	double room = n->gpu->memory_bytes * n->fill - cache * copies / gpus;
	return room > 0 ? whole(n->weight_bytes / room) : INFINITY;
}

static double sharded_for_memory(const struct capacity_need *n, const struct capacity_engines *e)
{
	if (n->users > 0)
		return sharded_for_users(n, n->users);
	for (size_t i = 0; i < e->n; i++) {
		double step_s =
			capacity_step_s(n, &e->shape[i], n->requests_per_s, false, INFINITY);
		double users = n->requests_per_s * n->output_tokens * step_s;
		if (isfinite(users) && sharded_for_users(n, users) <= e->gpus[i])
			return e->gpus[i];
	}
	return INFINITY;
}

static double gpus_for_memory(const struct capacity_need *n, const struct capacity_engines *e)
{
	if (n->sharded)
		return sharded_for_memory(n, e);
	if (capacity_users_per_replica(n, n->group) < 1)
		return INFINITY;
	return least_gpus(n, e, holds_caches);
}

struct capacity_plan capacity_plan(
	const struct capacity_need *n, const struct capacity_engines *engines)
{
	assert(n->model && n->gpu && n->requests_per_s > 0);
	assert(n->sharded || n->group >= 1);
	struct capacity_plan p = { .memory = gpus_for_memory(n, engines),
		.bandwidth = least_gpus(n, engines, decodes_fast),
		.compute = least_gpus(n, engines, takes_prompts),
		.speed = least_gpus(n, engines, does_both_fast) };
	p.gpus = fmax(p.memory, p.speed);
	p.replicas = n->sharded ? 1 : p.gpus / n->group;
	p.users_per_replica = n->users / p.replicas;
	return p;
}

struct capacity_busy capacity_busy(const struct capacity_need *n,
	const struct engine_shape *replica, const struct capacity_plan *p)
{
	struct capacity_busy b = { p->compute, p->bandwidth };
	if (!n->sharded && replica) {
		const double prompts = n->requests_per_s * n->prompt_tokens,
			     answers = n->requests_per_s * n->output_tokens;
		b.prompts =
			fmin(b.prompts, n->group * prompts / capacity_prompts_per_s(n, replica));
		b.decoding =
			fmin(b.decoding, n->group * answers / capacity_decodes_per_s(n, replica));
	}
	const double share = fmin(1, p->speed / (b.prompts + b.decoding));
	if (isfinite(share)) {
		b.prompts *= share;
		b.decoding *= share;
	}
	return b;
}
