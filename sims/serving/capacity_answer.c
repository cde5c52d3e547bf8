#include "sims/serving/capacity.h"

#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/formulas/serving.h"
#include "sims/quantity/quantity.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- What is asked for --- */

/* Where neither requests nor users are given. */
static const double usual_rate = 100;

/* An answer at the goals: the first token, and each next one. */
static double answer_at_goals_s(const struct capacity_need *n)
{
	return n->ttft_s + n->output_tokens * n->itl_s;
}

/* Little's law: who is there at once is what comes, times how long it stays. With users alone given,
 * they read a token per goal, and ask again. */
static void find_load(struct capacity_need *n, const double v[])
{
	n->users = v[CAPACITY_USERS];
	n->requests_per_s = v[CAPACITY_REQUESTS_PER_S];
	if (!(n->requests_per_s > 0))
		n->requests_per_s =
			n->users > 0 ? n->users / (n->output_tokens * n->itl_s) : usual_rate;
	n->context = v[CAPACITY_CONTEXT] > 0 ? v[CAPACITY_CONTEXT]
					     : n->prompt_tokens + n->output_tokens / 2;
}

static struct capacity_need need_of(const struct tables *t, const double v[])
{
	struct capacity_need n = { .model = model_at(t, v[CAPACITY_MODEL]),
		.prompt_tokens = v[CAPACITY_PROMPT_TOKENS],
		.output_tokens = v[CAPACITY_OUTPUT_TOKENS],
		.itl_s = v[CAPACITY_ITL_MS] / 1e3,
		.ttft_s = v[CAPACITY_TTFT_MS] / 1e3,
		.waste = v[CAPACITY_WASTE_PCT] / 100,
		.fill = v[CAPACITY_MEMORY_PCT] / 100,
		.chunk_tokens = PREFILL_CHUNK_TOKENS,
		.lengths = v[CAPACITY_LENGTHS] > 0 ? LENGTHS_FIXED : LENGTHS_EXPONENTIAL,
		.group = 1,
		.overlap = v[CAPACITY_OVERLAP] > 0,
		.sharded = v[CAPACITY_LAYOUT] == CAPACITY_SHARDED };
	find_load(&n, v);
	return n;
}

/* --- What may be chosen --- */

/* Of weights that are left open: each width once. Four bits are multiplied where the GPU does that,
 * and widened elsewhere, as INT4 is; what INT8 can do FP8 does where there is both. */
static const enum value_type widths[] = { VALUE_BF16, VALUE_FP8, VALUE_FP4 };
static const enum value_type caches[] = { VALUE_BF16, VALUE_FP8 };
/* Of most machines, whose GPUs are linked; larger groups come only where none of these holds the
 * model. */
static const double groups[] = { 1, 2, 4, 8 }, large_groups[] = { 16, 32, 64 };
/* Copies of attention that share a mixture's experts, over as many GPUs as a large machine's, or
 * eight of the others. */
static const double copies[] = { 1, 2, 4, 8, 16, 32, 64 };
enum { MOST_SPREAD = 64 };
static const double chunks[] = { 128, 192, 256, 384, 512, 768, 1024, 2048 };

/* The choices of a knob: all where it is left open, which is its last choice, or 0 of a number. */
struct range {
	size_t from, to;
};

static struct range left_open(double knob, size_t n)
{
	size_t i = (size_t)knob;
	return i < n ? (struct range){ i, i + 1 } : (struct range){ 0, n };
}

static bool is_open_gpu(const struct capacity *c)
{
	return (size_t)c->v[CAPACITY_GPU] >= c->t->n_gpus;
}

static double price_of(const struct capacity *c, const struct accelerator *g)
{
	return c->v[CAPACITY_PRICE] > 0 ? c->v[CAPACITY_PRICE] : g->usd_per_hour;
}

/* Among all GPUs, those with a price: a cheapest plan needs one. */
static bool may_be(const struct capacity *c, const struct accelerator *g)
{
	return !is_open_gpu(c) || price_of(c, g) > 0;
}

/* Heads are dealt out whole. */
static bool divides(const struct capacity_need *n, double tp)
{
	return fmod(n->model->heads, tp) == 0;
}

/* --- How a replica may lie on GPUs --- */

struct mesh {
	double tp, copies, ep;
};
struct meshes {
	struct mesh m[64];
	size_t n;
};

/* Experts are dealt out whole, to as many groups as there are experts at most. */
static void add_mesh(struct meshes *all, const struct capacity *c, double tp, double dp, double ep)
{
	const bool asked = c->v[CAPACITY_EP] > 0;
	const double gpus = tp * dp;
	if (all->n == LENGTH(all->m) || ep > gpus || fmod(gpus, ep) != 0)
		return;
	if (!asked && ep > 1 && fmod(model_experts(c->need.model), ep) != 0)
		return;
	assert(tp >= 1 && dp >= 1 && ep >= 1);
	all->m[all->n++] = (struct mesh){ tp, dp, ep };
}

/* With one copy: any number of groups. With several, as servers offer it: experts lie whole on
 * GPUs, on as many as may be, or, in a machine, each is cut over all of them. */
static void add_experts(struct meshes *all, const struct capacity *c, double tp, double dp)
{
	const double gpus = tp * dp, asked = c->v[CAPACITY_EP];
	const bool mixture = model_experts(c->need.model) > 0;
	if (asked > 0 || !mixture) {
		add_mesh(all, c, tp, dp, mixture ? asked : 1);
		return;
	}
	double most = gpus;
	while (most > 1 && fmod(model_experts(c->need.model), most) != 0)
		most /= 2;
	if (dp <= 1) {
		for (double ep = 1; ep <= gpus; ep *= 2)
			add_mesh(all, c, tp, dp, ep);
		return;
	}
	if (gpus <= groups[LENGTH(groups) - 1])
		add_mesh(all, c, tp, dp, 1);
	if (most > 1)
		add_mesh(all, c, tp, dp, most);
}

static void add_copies(struct meshes *all, const struct capacity *c, double tp, bool large)
{
	const double asked = c->v[CAPACITY_COPIES];
	if (asked > 0 || large || !(model_experts(c->need.model) > 0)) {
		add_experts(all, c, tp, fmax(1, asked));
		return;
	}
	for (size_t i = 0; i < LENGTH(copies); i++)
		if (tp * copies[i] <= fmax(tp, MOST_SPREAD))
			add_experts(all, c, tp, copies[i]);
}

/* Where no usual replica has as many expert groups as are asked for: the smallest that has a GPU
 * for each, or, of a size that is given, a group on each GPU. */
static struct mesh as_asked(const struct capacity *c)
{
	double ep = c->v[CAPACITY_EP], tp = fmax(1, c->v[CAPACITY_TP]);
	double dp = c->v[CAPACITY_COPIES] > 0 ? c->v[CAPACITY_COPIES] : ceil(ep / tp);
	return (struct mesh){ tp, dp, fmin(ep, tp * dp) };
}

/* `large`: of groups beyond most machines. */
static struct meshes meshes_of(const struct capacity *c, bool large)
{
	struct meshes all = { .n = 0 };
	const double *tp = large ? large_groups : groups;
	const size_t n = large ? LENGTH(large_groups) : LENGTH(groups);
	if (c->need.sharded)
		all.m[all.n++] = (struct mesh){ fmax(1, c->v[CAPACITY_FLEET]), 1, 1 };
	else if (c->v[CAPACITY_TP] > 0)
		add_copies(&all, c, c->v[CAPACITY_TP], false);
	else
		for (size_t i = 0; i < n; i++)
			if (divides(&c->need, tp[i]))
				add_copies(&all, c, tp[i], large);
	if (!all.n && c->v[CAPACITY_EP] > 0)
		all.m[all.n++] = as_asked(c);
	return all;
}

static void set_types(
	struct capacity_need *n, const double v[], enum value_type weights, enum value_type kv)
{
	double params = v[CAPACITY_PARAMS] > 0 ? v[CAPACITY_PARAMS] : n->model->params;
	n->weights = weights;
	n->activations = (enum activation)v[CAPACITY_ACT_DTYPE];
	n->kv = kv;
	n->weight_bytes = v[CAPACITY_PARAMS] > 0
				  ? params * dtype_bytes(value_type_dtype(weights))
				  : model_weight_bytes_copied(n->model, value_type_dtype(weights),
					    fmax(1, n->copies));
	n->kv_per_token =
		v[CAPACITY_KV_RULE] > 0 ? 0.5e6 * params / 7e9 : capacity_token_bytes(n, 1);
}

/* The only one there is; 0: all come into question. */
static double one_chunk(const struct capacity *c)
{
	double asked = c->v[CAPACITY_CHUNK_TOKENS];
	return asked <= 0 && c->need.sharded ? PREFILL_CHUNK_TOKENS : asked;
}

/* All chunks of one family. */
static void add_family(struct capacity *c, struct capacity_need n, size_t family)
{
	double one = one_chunk(c);
	for (size_t i = 0; i < (one > 0 ? 1 : LENGTH(chunks)); i++) {
		n.chunk_tokens = one > 0 ? one : chunks[i];
		c->search.layouts[c->search.n++] = (struct serving_layout){
			.need = n, .family = family, .price_per_h = price_of(c, n.gpu)
		};
	}
}

static size_t add_types(struct capacity *c, struct capacity_need n, size_t family)
{
	const size_t asked = (size_t)c->v[CAPACITY_WEIGHT_DTYPE];
	enum value_type types[LENGTH(widths)] = { (enum value_type)asked };
	const size_t n_types = asked < N_VALUE_TYPES ? 1 : LENGTH(widths);
	for (size_t i = 0; n_types > 1 && i < n_types; i++)
		types[i] = widths[i] == VALUE_FP4 && !computes_in(n.gpu, DTYPE_FP4) ? VALUE_INT4
										    : widths[i];
	const struct range k = left_open(c->v[CAPACITY_KV_DTYPE], LENGTH(caches));
	for (size_t i = 0; i < n_types; i++) {
		/* Of two that come to the same the first stands for both. */
		if (i > 0 && same_weights(n.model, types[i], types[i - 1]))
			continue;
		for (size_t j = k.from; j < k.to; j++) {
			set_types(&n, c->v, types[i], caches[j]);
			add_family(c, n, family++);
		}
	}
	return family;
}

/* At most. */
static size_t types_each(const struct capacity *c)
{
	const struct range k = left_open(c->v[CAPACITY_KV_DTYPE], LENGTH(caches));
	size_t weights = (size_t)c->v[CAPACITY_WEIGHT_DTYPE] < N_VALUE_TYPES ? 1 : LENGTH(widths);
	return weights * (k.to - k.from);
}

static void list_layouts(struct capacity *c, bool large)
{
	const struct range gpus = left_open(c->v[CAPACITY_GPU], c->t->n_gpus);
	const struct meshes meshes = meshes_of(c, large);
	const size_t most = (gpus.to - gpus.from) * meshes.n * types_each(c) *
			    (one_chunk(c) > 0 ? 1 : LENGTH(chunks));
	size_t family = 0;
	c->search.n = 0;
	c->search.layouts = arena_array(c->arena, most, sizeof *c->search.layouts);
	for (size_t g = gpus.from; c->search.layouts && g < gpus.to; g++) {
		struct capacity_need n = c->need;
		n.gpu = &c->t->gpus[g];
		n.sharded = false; /* one group of them is a replica like any other */
		for (size_t i = 0; may_be(c, n.gpu) && i < meshes.n; i++) {
			n.group = meshes.m[i].tp * meshes.m[i].copies;
			n.copies = meshes.m[i].copies;
			n.ep = meshes.m[i].ep;
			family = add_types(c, n, family);
		}
	}
}

/* --- A contradiction --- */

static double alone_s(const struct capacity_need *n, const struct engine_shape *e)
{
	return engine_step_of_prompts_s(
		       e, 0, 0, n->prompt_tokens, capacity_history(n), n->prompt_tokens) +
	       (n->output_tokens - 1) * engine_step_s(e, 1, n->context, 0, 0);
}

/* The shortest answer that any layout gives a lone user; or one that takes no longer than enough_s:
 * then the others need no engine. */
static double fastest_answer_s(const struct capacity *c, double enough_s)
{
	double least = INFINITY;
	size_t family = SIZE_MAX;
	for (size_t i = 0; i < c->search.n && least > enough_s; i++) {
		const struct capacity_need *n = &c->search.layouts[i].need;
		if (c->search.layouts[i].family == family)
			continue;
		family = c->search.layouts[i].family;
		struct engine_shape e = capacity_smooth_engine(n, n->group);
		if (!(alone_s(n, &e) < least))
			continue;
		e = capacity_engine(n, n->group);
		least = fmin(least, alone_s(n, &e));
	}
	return least;
}

static const char *time_text(struct arena *a, double s)
{
	char buf[48];
	return arena_text(a, quantity_brief(buf, sizeof buf, s, "s"));
}

static const char *number_text(struct arena *a, double x)
{
	char buf[48];
	return arena_text(a, quantity_brief(buf, sizeof buf, x, ""));
}

/* So many users who send so many requests have so much time for each; an answer must fit into it, and
 * must not be longer than the goals allow. */
static void compare_users(struct capacity *c)
{
	const struct capacity_need *n = &c->need;
	if (!(c->v[CAPACITY_USERS] > 0 && c->v[CAPACITY_REQUESTS_PER_S] > 0) || c->search.fleet > 0)
		return;
	double wait_s = n->users / n->requests_per_s;
	double least_s = fastest_answer_s(c, wait_s), most_s = answer_at_goals_s(n);
	const char *users = number_text(c->arena, n->users);
	const char *rate = number_text(c->arena, n->requests_per_s);
	c->users_wait_s = wait_s;
	c->answer_s = wait_s < least_s ? least_s : most_s;
	if (wait_s < least_s)
		c->refusal = arena_printf(c->arena,
			"%s users cannot send %s requests/s: an answer would have to be there after "
			"%s, and %s tokens take %s even for one user alone",
			users, rate, time_text(c->arena, wait_s),
			number_text(c->arena, n->output_tokens), time_text(c->arena, least_s));
	else if (wait_s > most_s)
		c->refusal = arena_printf(c->arena,
			"%s users at once who send %s requests/s wait %s for each answer, and the "
			"goals allow %s",
			users, rate, time_text(c->arena, wait_s), time_text(c->arena, most_s));
}

/* --- The answer --- */

static const struct serving_layout *layout_at(const struct capacity *c, long i)
{
	return i == NO_WAY ? NULL : &c->search.layouts[i];
}

static bool all_too_small(const struct capacity *c)
{
	assert(c->search.layouts || c->search.n == 0);
	for (size_t i = 0; i < c->search.n; i++)
		if (c->search.layouts[i].fate != LAYOUT_TOO_SMALL)
			return false;
	return true;
}

static void search(struct capacity *c)
{
	serving_search(&c->search);
	c->best = layout_at(c, c->search.found.best);
	c->second = layout_at(c, c->search.found.second);
}

/* A little more than a lone user waits, in two digits: under load it takes longer. */
static double nearest_goal_s(double goal_s, double seen_s)
{
	const double room = 1.25;
	if (seen_s <= goal_s)
		return goal_s;
	double place = pow(10, floor(log10(seen_s * room)) - 1);
	return place * ceil(seen_s * room / place);
}

static void relax(struct capacity *c)
{
	const struct serving_layout *near = serving_nearest(&c->search);
	if (!near)
		return;
	double ttft_s = nearest_goal_s(c->need.ttft_s, near->check.ttft_p99_s);
	double itl_s = nearest_goal_s(c->need.itl_s, near->check.itl_p99_s);
	if (ttft_s <= c->need.ttft_s && itl_s <= c->need.itl_s)
		return; /* the goals are not what is in the way */
	for (size_t i = 0; i < c->search.n; i++) {
		c->search.layouts[i].need.ttft_s = ttft_s;
		c->search.layouts[i].need.itl_s = itl_s;
	}
	c->relaxed = true;
	search(c);
}

/* All GPUs are one group: as many of them as meet the goals. */
static void grow_group(struct capacity *c, struct serving_layout *l)
{
	struct arena scratch = { 0 };
	struct capacity_need n = l->need;
	n.sharded = true;
	struct capacity_engines e = capacity_engines(&scratch, &n);
	l->plan = capacity_plan(&n, &e);
	l->fate = isfinite(l->plan.memory) ? LAYOUT_SLOW_TOKEN : LAYOUT_TOO_SMALL;
	l->gpus = INFINITY;
	for (size_t i = 0; i < e.n && l->fate != LAYOUT_PASSES && !c->draft; i++) {
		n.group = e.gpus[i];
		if (n.group < l->plan.gpus)
			continue;
		if (serving_try(&c->search, &n, 1, n.requests_per_s, &l->check) &&
			serving_meets(&n, 1, &l->check)) {
			l->fate = LAYOUT_PASSES;
			l->gpus = n.group;
		}
	}
	n.group = isfinite(l->gpus) ? l->gpus : isfinite(l->plan.gpus) ? l->plan.gpus : 1;
	l->need = n;
	l->rate_per_s = n.requests_per_s;
	arena_release(&scratch);
}

/* The layouts are those of one GPU each, which grow. */
static void grow_groups(struct capacity *c)
{
	for (size_t i = 0; i < c->search.n; i++) {
		struct serving_layout *l = &c->search.layouts[i];
		if (c->search.go_on &&
			!c->search.go_on(c->search.context, (double)i / (double)c->search.n)) {
			c->search.found.stopped = true;
			return;
		}
		grow_group(c, l);
		if (l->fate != LAYOUT_PASSES && !c->draft)
			continue;
		if (!c->best || capacity_cost(l) < capacity_cost(c->best)) {
			c->second = c->best;
			c->best = l;
		} else if (!c->second || capacity_cost(l) < capacity_cost(c->second)) {
			c->second = l;
		}
	}
}

static void search_all(struct capacity *c)
{
	search(c);
	if (!c->best && !c->search.found.stopped && !(c->v[CAPACITY_TP] > 0) &&
		!(c->search.fleet > 0) && all_too_small(c)) {
		list_layouts(c, true);
		if (!c->search.n) /* its heads are too few for so many GPUs */
			list_layouts(c, false);
		search(c);
	}
	if (!c->best && !c->search.found.stopped)
		relax(c);
}

/* The share of a replica's memory that its weights take; INFINITY where its GPUs are not there. */
static double crowding(const struct capacity *c, const struct serving_layout *l)
{
	const struct capacity_need *n = &l->need;
	if (c->search.fleet > 0 && n->group > c->search.fleet)
		return INFINITY;
	return n->weight_bytes / (n->group * n->gpu->memory_bytes * n->fill);
}

/* A layout that takes too many GPUs serves at least; one that is too slow holds the model; of those
 * that do not, one needs the fewest bytes more for its size. */
static const struct serving_layout *nearest(struct capacity *c)
{
	const struct serving_layout *many = NULL, *small = c->search.layouts;
	bool slow = false;
	assert(c->search.layouts);
	for (size_t i = 0; i < c->search.n; i++) {
		const struct serving_layout *l = &c->search.layouts[i];
		if (l->fate == LAYOUT_TOO_SMALL)
			small = crowding(c, l) < crowding(c, small) ? l : small;
		else if (l->fate != LAYOUT_TOO_MANY && l->fate != LAYOUT_LEFT_OUT)
			slow = true;
		else if (!many || l->at_least < many->at_least)
			many = l;
	}
	return many ? many : slow ? serving_nearest(&c->search) : small;
}

/* Smaller is nearer to being the answer. */
static double rank(const struct capacity *c, const struct serving_layout *l)
{
	if (l->fate == LAYOUT_PASSES || l->fate == LAYOUT_LEFT_OUT)
		return c->search.fleet > 0        ? 1 / l->rate_per_s
		       : l->fate == LAYOUT_PASSES ? capacity_cost(l)
						  : l->at_least * serving_price(l);
	return INFINITY;
}

static bool ranks_before(
	const struct capacity *c, const struct serving_layout *a, const struct serving_layout *b)
{
	if (a == c->best || b == c->best)
		return a == c->best;
	if (a == c->second || b == c->second)
		return a == c->second;
	double x = rank(c, a), y = rank(c, b);
	if (x != y)
		return x < y;
	return a->fate != b->fate ? a->fate < b->fate : a < b;
}

/* The first of those with a layout's GPU, which stand together. */
static const struct serving_layout *first_of_gpu(
	const struct capacity *c, const struct serving_layout *of)
{
	const struct serving_layout *from = c->search.layouts, *end = from + c->search.n;
	const struct serving_layout *first = of;
	for (const struct serving_layout *l = of; l > from && l[-1].need.gpu == of->need.gpu;)
		first = ranks_before(c, --l, first) ? l : first;
	for (const struct serving_layout *l = of + 1; l < end && l->need.gpu == of->need.gpu; l++)
		first = ranks_before(c, l, first) ? l : first;
	return first;
}

static bool is_sharp(const struct serving_layout *l)
{
	return l->fate != LAYOUT_LEFT_OUT || l->known[BOUND_COST] == BOUND_OF_ENGINE;
}

/* Those that are told get their best bounds, which may make others come before them. Where each GPU has
 * one to tell, those of a GPU are settled among themselves: to rank all of them takes long. */
static void sharpen_told(struct capacity *c)
{
	const struct serving_layout *told[MOST_TOLD];
	bool sharp = false;
	while (!sharp) {
		size_t n = capacity_ranking(c, told, LENGTH(told));
		sharp = true;
		for (size_t i = 0; i < n; i++) {
			const struct serving_layout *l = told[i];
			for (; !is_sharp(l); sharp = false) {
				serving_sharpen(&c->search, (size_t)(l - c->search.layouts));
				l = is_open_gpu(c) ? first_of_gpu(c, l) : l;
			}
		}
	}
}

struct capacity capacity_answer(const struct tables *t, const double v[], struct arena *a,
	bool draft, bool (*go_on)(void *context, double share), void *context)
{
	struct capacity c = { .t = t, .v = v, .arena = a, .draft = draft };
	c.need = need_of(t, v);
	c.search = (struct serving_search){ .requests = (size_t)v[CAPACITY_CHECKED],
		.seed = (uint64_t)v[CAPACITY_SEED],
		.fleet = v[CAPACITY_FLEET],
		.bounds_only = draft,
		.go_on = go_on,
		.context = context };
	list_layouts(&c, false);
	if (!c.search.layouts || !c.search.n)
		return c;
	const bool sharded = c.need.sharded;
	c.need = c.search.layouts->need;
	compare_users(&c);
	if (c.refusal)
		return c;
	if (sharded && !(c.search.fleet > 0))
		grow_groups(&c);
	else
		search_all(&c);
	if (!c.best && !sharded && !c.search.found.stopped)
		c.nearest = nearest(&c);
	if (!draft && !sharded && !c.search.found.stopped)
		sharpen_told(&c);
	const struct serving_layout *near = c.best ? c.best : c.nearest;
	assert(c.search.layouts);
	struct serving_layout *shown = &c.search.layouts[near ? near - c.search.layouts : 0];
	if (c.best && c.search.fleet > 0)
		shown->need.requests_per_s = shown->rate_per_s;
	c.need = shown->need;
	c.engines = capacity_engines(a, &c.need);
	if (!c.need.sharded)
		shown->plan = capacity_plan(&c.need, &c.engines);
	c.plan = shown->plan;
	return c;
}

/* --- In words --- */

const char *capacity_weights_text(const struct capacity_need *n)
{
	bool widened = n->weights == VALUE_INT4 ||
		       (n->weights == VALUE_FP4 && !computes_in(n->gpu, DTYPE_FP4));
	return widened ? "4-bit" : weights_name(n->model, n->weights);
}

/* " tp2 dp4 ep8": what is not said by the number of GPUs alone. */
static const char *mesh_text(const struct capacity *c, const struct capacity_need *n)
{
	const struct engine_layout how = capacity_layout(n, n->group);
	return arena_printf(c->arena, "%s%s%s",
		how.copies > 1 && how.tp > 1 ? arena_printf(c->arena, " tp%.0f", how.tp) : "",
		how.copies > 1 ? arena_printf(c->arena, " dp%.0f", how.copies) : "",
		how.ep > 1 ? arena_printf(c->arena, " ep%.0f", how.ep) : "");
}

const char *capacity_layout_text(const struct capacity *c, const struct serving_layout *l)
{
	const struct capacity_need *n = &l->need;
	const char *weights = "", *kv = "";
	if ((size_t)c->v[CAPACITY_WEIGHT_DTYPE] >= N_VALUE_TYPES)
		weights = arena_printf(c->arena, ", %s", capacity_weights_text(n));
	if ((size_t)c->v[CAPACITY_KV_DTYPE] >= LENGTH(caches))
		kv = arena_printf(c->arena, ", %s cache", value_type_names[n->kv]);
	if (is_open_gpu(c))
		return arena_printf(c->arena, "%.0f x %s%s%s%s", n->group, n->gpu->name,
			mesh_text(c, n), weights, kv);
	return arena_printf(c->arena, "%.0f GPU%s%s%s%s", n->group, n->group > 1 ? "s" : "",
		mesh_text(c, n), weights, kv);
}

double capacity_cost(const struct serving_layout *l)
{
	return l->gpus * serving_price(l);
}

double capacity_usd_per_token(const struct capacity *c, const struct serving_layout *l)
{
	if (!(l->price_per_h > 0) || !isfinite(l->gpus))
		return INFINITY;
	double gpus = c->search.fleet > 0 ? c->search.fleet : l->gpus;
	return CALL(cost_per_token, .gpus = gpus, .price_per_hour = l->price_per_h, .time = HOUR_S,
		.token_rate = l->rate_per_s * l->need.output_tokens);
}

static const char *gpus_text(struct arena *a, double gpus)
{
	char buf[48];
	return arena_text(a, quantity_brief(buf, sizeof buf, gpus, "GPU"));
}

static const char *too_small_text(const struct capacity *c, const struct serving_layout *l)
{
	const struct capacity_need *n = &l->need;
	char room[48], weights[48];
	if (c->search.fleet > 0 && n->group > c->search.fleet)
		return arena_printf(c->arena, "there %s only %s",
			c->search.fleet > 1 ? "are" : "is", gpus_text(c->arena, c->search.fleet));
	quantity_brief(room, sizeof room, n->group * n->gpu->memory_bytes * n->fill, "B");
	quantity_brief(weights, sizeof weights, n->weight_bytes, "B");
	return arena_printf(c->arena, "weights of %s in %s", weights, room);
}

/* What a layout takes by the bound that keeps it from being the answer. */
static const char *bound_text(const struct capacity *c, const struct serving_layout *l)
{
	struct serving_layout copy = *l;
	serving_bounds(&copy);
	const struct {
		const char *takes;
		double gpus;
	} alone[] = { { "prompts alone take", copy.plan.compute },
		{ "decoding alone takes", copy.plan.bandwidth },
		{ "caches alone take", copy.plan.memory },
		{ "both together take", copy.plan.speed } };
	size_t most = 0;
	for (size_t i = 1; i < LENGTH(alone); i++)
		if (alone[i].gpus > alone[most].gpus)
			most = i;
	if (!(alone[most].gpus >= l->at_least))
		return "1 in 100 is late with fewer";
	for (size_t i = 0; i < LENGTH(alone); i++) /* the simplest that is enough to tell it */
		if (alone[i].gpus >= l->at_least) {
			most = i;
			break;
		}
	return arena_printf(c->arena, "%s %s", alone[most].takes,
		isfinite(alone[most].gpus) ? number_text(c->arena, alone[most].gpus) : "too many");
}

static const char *loser_text(const struct capacity *c, const struct serving_layout *l)
{
	const char *place = l == c->second ? "runner-up, " : "";
	char more[48];
	if (c->search.fleet > 0)
		return arena_printf(c->arena, "%s%s %% less", place,
			number_text(c->arena, 100 * (1 - l->rate_per_s / c->best->rate_per_s)));
	if (!(l->price_per_h > 0 && c->best->price_per_h > 0))
		return l->gpus > c->best->gpus
			       ? arena_printf(c->arena, "%s%s more", place,
					 gpus_text(c->arena, l->gpus - c->best->gpus))
			       : arena_printf(c->arena, "%sas few", place);
	if (!(capacity_cost(l) > capacity_cost(c->best)))
		return arena_printf(c->arena, "%sas cheap", place);
	quantity_brief(more, sizeof more, capacity_cost(l) - capacity_cost(c->best), "");
	return arena_printf(c->arena, "%s$%s an hour more", place, more);
}

const char *capacity_fate_text(const struct capacity *c, const struct serving_layout *l)
{
	const struct capacity_need *n = &l->need;
	struct arena *a = c->arena;
	switch (l->fate) {
	case LAYOUT_PASSES:
		if (l == c->best)
			return c->search.fleet > 0 ? "serves the most" : "the cheapest";
		return loser_text(c, l);
	case LAYOUT_LEFT_OUT:
		return c->search.fleet > 0
			       ? arena_printf(a, "at most %s/s", number_text(a, l->rate_per_s))
			       : bound_text(c, l);
	case LAYOUT_TOO_MANY:
		return arena_printf(a, "it takes more than %s GPUs", number_text(a, SENSIBLE_GPUS));
	case LAYOUT_SLOW_FIRST: {
		double seen_s = l->check.ttft_p99_s;
		struct engine_shape e = capacity_engine(n, n->group);
		return arena_printf(a, "even alone, 1 first token in 100 takes %s",
			time_text(a, seen_s > 0 ? seen_s : capacity_first_token_s(n, &e)));
	}
	case LAYOUT_SLOW_TOKEN: {
		struct engine_shape e = capacity_engine(n, n->group);
		return arena_printf(a, "even alone, a token takes %s",
			time_text(a, engine_step_s(&e, 1, n->context, 0, 0)));
	}
	default:
		return too_small_text(c, l);
	}
}

const char *capacity_settings(const struct capacity *c, const struct serving_layout *l)
{
	const struct capacity_need *n = &l->need;
	const struct engine_layout how = capacity_layout(n, n->group);
	const char *experts =
		model_experts(n->model) > 0
			? arena_printf(c->arena, " attn_dp=%.0f ep=%.0f", how.copies, how.ep)
			: "";
	const char *activations =
		n->activations != ACTIVATION_AUTO
			? arena_printf(c->arena, " act_dtype=%s", activation_ids[n->activations])
			: "";
	return arena_printf(c->arena,
		"gpu=%s weight_dtype=%s%s kv_dtype=%s tp=%.0f%s chunk_tokens=%.0f", n->gpu->id,
		value_type_ids[n->weights], activations, value_type_ids[n->kv], how.tp, experts,
		n->chunk_tokens);
}

/* --- The order of the layouts --- */

static bool stands_for(
	const struct capacity *c, const struct serving_layout *a, const struct serving_layout *b)
{
	return a->family == b->family || (is_open_gpu(c) && a->need.gpu == b->need.gpu);
}

/* Puts a layout into the list of n, in its place; another of what it stands for gives way or stays. */
static size_t enter(const struct capacity *c, const struct serving_layout *out[], size_t n,
	size_t most, const struct serving_layout *l)
{
	size_t at = 0;
	if (n == most && ranks_before(c, out[n - 1], l))
		return n;
	for (size_t i = 0; i < n; i++) {
		if (!stands_for(c, out[i], l) || (l == c->second && out[i] == c->best) ||
			(out[i] == c->second && l == c->best))
			continue;
		if (ranks_before(c, out[i], l))
			return n;
		memmove(out + i, out + i + 1, (--n - i) * sizeof *out);
		i--;
	}
	while (at < n && ranks_before(c, out[at], l))
		at++;
	if (at == most)
		return n;
	n = n < most ? n + 1 : n;
	memmove(out + at + 1, out + at, (n - 1 - at) * sizeof *out);
	out[at] = l;
	return n;
}

size_t capacity_ranking(const struct capacity *c, const struct serving_layout *out[], size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < c->search.n; i++)
		n = enter(c, out, n, most, &c->search.layouts[i]);
	return n;
}
