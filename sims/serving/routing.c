/* Weights are summed up by rank, and a draw is found among the sums by halving. A choice that the token
 * has made already is drawn again, which is the same as drawing among the others; where a few favourites
 * have nearly all the weight that could take long, and the rest is then walked through once.
 *
 * Each token has random numbers of its own: a slightly different law changes the choices of a few tokens
 * and leaves all others where they were. */
#include "sims/serving/routing.h"

#include "sims/base/rng.h"
#include "sims/formulas/architecture.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

/* --- Drawing --- */

/* By rank: the sums of weights up to and with it, and the expert. */
struct law {
	size_t n;
	double *sums;
	uint32_t *expert;
};

static struct law law_of(const struct router *r, struct arena *arena)
{
	struct law law = { .n = r->experts,
		.sums = arena_array(arena, r->experts, sizeof *law.sums),
		.expert = arena_array(arena, r->experts, sizeof *law.expert) };
	struct rng ranks = rng_stream(r->seed, "ranks", 0);
	double sum = 0;
	if (arena->failed)
		return law;
	for (size_t i = 0; i < law.n; i++) {
		law.sums[i] = sum += pow((double)i + 1, -r->skew);
		law.expert[i] = (uint32_t)i;
	}
	rng_shuffle(&ranks, law.expert, law.n, sizeof *law.expert);
	return law;
}

/* The rank where the sums pass `at`. */
static size_t rank_at(const struct law *law, double at)
{
	size_t low = 0, high = law->n - 1;
	while (low < high) {
		size_t mid = (low + high) / 2;
		if (law->sums[mid] > at)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

static bool is_among(const uint32_t chosen[], size_t n, uint32_t expert)
{
	for (size_t i = 0; i < n; i++)
		if (chosen[i] == expert)
			return true;
	return false;
}

/* One of those that are left, by its weight among them. */
static uint32_t draw_left(const struct law *law, const uint32_t chosen[], size_t n, struct rng *rng)
{
	double left = 0, at;
	uint32_t last = law->expert[0];
	for (size_t pass = 0; pass < 2; pass++) {
		at = pass == 0 ? INFINITY : rng_uniform(rng) * left;
		for (size_t i = 0; i < law->n && at >= 0; i++) {
			if (is_among(chosen, n, law->expert[i]))
				continue;
			double weight = law->sums[i] - (i > 0 ? law->sums[i - 1] : 0);
			last = law->expert[i];
			left += pass == 0 ? weight : 0;
			at -= weight;
		}
	}
	return last;
}

static uint32_t draw_one(const struct law *law, const uint32_t chosen[], size_t n, struct rng *rng)
{
	enum { TRIES = 16 };
	for (int i = 0; i < TRIES; i++) {
		double at = rng_uniform(rng) * law->sums[law->n - 1];
		uint32_t expert = law->expert[rank_at(law, at)];
		if (!is_among(chosen, n, expert))
			return expert;
	}
	return draw_left(law, chosen, n, rng);
}

uint32_t routing_capacity(double factor, size_t tokens, size_t per_token, size_t experts)
{
	if (!(factor > 0))
		return UINT32_MAX;
	double rows = CALL(expert_capacity, .capacity_factor = factor, .tokens = (double)tokens,
		.experts_per_token = (double)per_token, .experts = (double)experts);
	return (uint32_t)fmin(fmax(1, rows), (double)UINT32_MAX);
}

/* Who finds room, token by token. */
static void count_rows(struct routing *g)
{
	for (size_t i = 0; i < g->tokens * g->per_token; i++) {
		uint32_t e = g->chosen[i];
		g->taken[i] = g->wanted[e]++ < g->capacity;
		g->rows[e] += g->taken[i];
		g->dropped += !g->taken[i];
	}
	for (size_t e = 0; e < g->experts; e++)
		g->touched += g->rows[e] > 0;
}

struct routing routing_first(
	const struct routing *of, const struct router *r, size_t tokens, struct arena *arena)
{
	assert(tokens <= of->tokens || of->experts == 0);
	struct routing g = { .experts = of->experts,
		.per_token = of->per_token,
		.tokens = tokens,
		.chosen = of->chosen,
		.taken = arena_array(arena, tokens * r->per_token, sizeof *g.taken),
		.wanted = arena_array(arena, r->experts, sizeof *g.wanted),
		.rows = arena_array(arena, r->experts, sizeof *g.rows),
		.capacity =
			routing_capacity(r->capacity_factor, tokens, r->per_token, r->experts) };
	if (arena->failed || of->experts == 0)
		return (struct routing){ .experts = 0 };
	count_rows(&g);
	return g;
}

struct routing routing_draw(const struct router *r, size_t tokens, struct arena *arena)
{
	assert(r->per_token >= 1 && r->per_token <= r->experts);
	const size_t k = r->per_token;
	const struct law law = law_of(r, arena);
	struct rng seeds = rng_stream(r->seed, "tokens", 0);
	struct routing drawn = { .experts = r->experts, .per_token = k, .tokens = tokens };
	drawn.chosen = arena_array(arena, tokens * k, sizeof *drawn.chosen);
	if (arena->failed)
		return (struct routing){ .experts = 0 };
	for (size_t i = 0; i < tokens; i++) {
		struct rng own = { .state = rng_next(&seeds) };
		uint32_t *chosen = drawn.chosen + i * k;
		for (size_t j = 0; j < k; j++)
			chosen[j] = draw_one(&law, chosen, j, &own);
	}
	return routing_first(&drawn, r, tokens, arena);
}

/* --- Capacity --- */

size_t routing_overflow(const struct routing *r, uint32_t capacity)
{
	size_t over = 0;
	for (size_t e = 0; e < r->experts; e++)
		over += r->wanted[e] > capacity ? r->wanted[e] - capacity : 0;
	return over;
}

/* E[(X - C)+] over E[X], X binomial. Terms far out in the tail are nothing. */
double routing_expected_drop(uint32_t capacity, size_t tokens, size_t per_token, size_t experts)
{
	const double n = (double)tokens, p = (double)per_token / (double)experts;
	const double mean = n * p, far = mean + 12 * sqrt(mean) + 40;
	double over = 0;
	if (p >= 1)
		return fmax(0, 1 - capacity / n);
	for (double x = (double)capacity + 1; x <= fmin(n, far); x++) {
		double log_of = lgamma(n + 1) - lgamma(x + 1) - lgamma(n - x + 1) + x * log(p) +
				(n - x) * log1p(-p);
		over += (x - capacity) * exp(log_of);
	}
	return over / mean;
}

/* --- On GPUs --- */

size_t routing_first_expert(size_t experts, size_t groups, size_t group)
{
	return (group * experts + groups - 1) / groups;
}

size_t routing_group_of(size_t experts, size_t groups, size_t expert)
{
	return expert * groups / experts;
}

struct travel {
	size_t gpus, groups;
	double *sent, *received; /* copies, by GPU */
};

/* A token goes to every GPU of a group with one of its experts; its own GPU has it already. */
static void send_token(
	const struct routing *r, struct travel *t, size_t token, uint8_t goes[], size_t from)
{
	const size_t k = r->per_token, split = t->gpus / t->groups;
	for (size_t j = 0; j < k; j++)
		if (r->taken[token * k + j])
			goes[routing_group_of(r->experts, t->groups, r->chosen[token * k + j])] = 1;
	for (size_t j = 0; j < k; j++) {
		size_t group = routing_group_of(r->experts, t->groups, r->chosen[token * k + j]);
		for (size_t i = 0; i < split && goes[group]; i++) {
			size_t to = group * split + i;
			t->sent[from] += to != from;
			t->received[to] += to != from;
		}
		goes[group] = 0;
	}
}

struct routing_load routing_load(const struct routing *r, size_t gpus, size_t groups, size_t part,
	size_t parts, struct arena *arena)
{
	assert(gpus >= groups && groups >= 1 && parts >= 1);
	const size_t k = r->per_token;
	uint32_t *rows = arena_array(arena, r->experts, sizeof *rows);
	uint8_t *goes = arena_array(arena, groups, sizeof *goes);
	struct travel t = { gpus, groups, arena_array(arena, gpus, sizeof *t.sent),
		arena_array(arena, gpus, sizeof *t.received) };
	struct routing_load l = { .gpus = gpus,
		.groups = groups,
		.rows = rows,
		.group_rows = arena_array(arena, groups, sizeof *l.group_rows) };
	if (arena->failed || r->experts == 0)
		return (struct routing_load){ .gpus = 0 };
	for (size_t i = part; i < r->tokens; i += parts, l.tokens++) {
		send_token(r, &t, i, goes, i * gpus / r->tokens);
		for (size_t j = 0; j < k; j++)
			rows[r->chosen[i * k + j]] += r->taken[i * k + j];
	}
	for (size_t e = 0; e < r->experts; e++) {
		size_t group = routing_group_of(r->experts, groups, e);
		l.group_rows[group] += rows[e];
		l.most = fmax(l.most, l.group_rows[group]);
		l.mean += (double)rows[e] / (double)groups;
	}
	for (size_t i = 0; i < gpus; i++) {
		l.most_copies = fmax(l.most_copies, fmax(t.sent[i], t.received[i]));
		l.mean_copies += t.sent[i] / (double)gpus;
	}
	return l;
}
