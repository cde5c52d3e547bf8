#include "sims/architecture/architecture.h"

#include "sims/formulas/architecture.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const mixing_ids[N_MIXINGS] = {
	[MIXING_NONE] = "none",
	[MIXING_FULL] = "full",
	[MIXING_WINDOW] = "window",
	[MIXING_CHUNK] = "chunked",
	[MIXING_LATENT] = "latent",
	[MIXING_DELTA] = "delta",
	[MIXING_MAMBA] = "mamba2",
	[MIXING_CONV] = "convolution",
};

const char *const mixing_names[N_MIXINGS] = {
	[MIXING_NONE] = "no attention",
	[MIXING_FULL] = "full attention",
	[MIXING_WINDOW] = "window attention",
	[MIXING_CHUNK] = "chunked attention",
	[MIXING_LATENT] = "latent attention",
	[MIXING_DELTA] = "gated delta rule",
	[MIXING_MAMBA] = "Mamba-2",
	[MIXING_CONV] = "short convolution",
};

const char *const weight_part_ids[N_WEIGHT_PARTS] = {
	[PART_EMBEDDING] = "embedding",
	[PART_HEAD] = "head",
	[PART_MIXING] = "attention",
	[PART_DENSE] = "dense",
	[PART_EXPERTS] = "experts",
	[PART_SHARED] = "shared_experts",
	[PART_ROUTER] = "router",
	[PART_NORMS] = "norms",
};

const char *const weight_part_names[N_WEIGHT_PARTS] = {
	[PART_EMBEDDING] = "embedding",
	[PART_HEAD] = "output head",
	[PART_MIXING] = "attention",
	[PART_DENSE] = "dense feed-forward",
	[PART_EXPERTS] = "routed experts",
	[PART_SHARED] = "shared experts",
	[PART_ROUTER] = "routers",
	[PART_NORMS] = "norms and the rest",
};

/* --- Parameters --- */

/* Of each part, what is a matrix and what is not. */
struct stored {
	double matrices[N_WEIGHT_PARTS], rest[N_WEIGHT_PARTS];
};

static void add_group(struct stored *s, const struct layer_group *g, double experts)
{
	const double n = (double)g->n;
	s->matrices[PART_MIXING] += n * g->mixer.matrices;
	s->rest[PART_MIXING] += n * g->mixer.rest;
	s->matrices[PART_DENSE] += n * g->feed.matrices;
	s->rest[PART_DENSE] += n * g->feed.rest;
	s->matrices[PART_EXPERTS] += n * experts * g->feed.expert;
	s->rest[PART_EXPERTS] += n * experts * g->feed.expert_rest;
	s->matrices[PART_SHARED] += n * g->feed.shared;
	s->rest[PART_ROUTER] += n * g->feed.router;
	s->rest[PART_NORMS] += n * g->norms;
}

enum touched { ALL_EXPERTS, EXPERTS_OF_ONE_TOKEN };

static struct stored stored_of(const struct architecture *a, enum touched touched)
{
	struct stored s = { .matrices = { [PART_HEAD] = a->head },
		.rest = {
			[PART_EMBEDDING] = a->embedding, [PART_NORMS] = a->last_norm + a->other } };
	for (size_t i = 0; i < a->n_groups; i++)
		add_group(&s, &a->groups[i],
			touched == ALL_EXPERTS ? a->groups[i].feed.experts
					       : a->groups[i].feed.per_token);
	return s;
}

static double sum_of(const struct stored *s)
{
	double sum = 0;
	for (size_t p = 0; p < N_WEIGHT_PARTS; p++)
		sum += s->matrices[p] + s->rest[p];
	return sum;
}

double feed_matrices(const struct feed *f, double hidden)
{
	assert(f->experts > 0 || f->width > 0);
	double of = f->experts > 0 ? f->expert / (hidden * f->expert_width)
				   : f->matrices / (hidden * f->width);
	return of > 2.5 ? 3 : 2;
}

double feed_shared_width(const struct feed *f, double hidden)
{
	return f->shared > 0 ? f->shared / (feed_matrices(f, hidden) * hidden) : 0;
}

struct parameter_count architecture_parameters(const struct architecture *a)
{
	struct parameter_count c = { .total = 0 };
	const struct stored all = stored_of(a, ALL_EXPERTS);
	const struct stored one = stored_of(a, EXPERTS_OF_ONE_TOKEN);
	for (size_t p = 0; p < N_WEIGHT_PARTS; p++)
		c.parts[p] = all.matrices[p] + all.rest[p];
	c.total = sum_of(&all);
	c.active = sum_of(&one);
	c.active_without_embedding = c.active - (a->tied ? 0 : a->embedding);
	return c;
}

/* --- Bytes --- */

static double bytes_of(
	const struct architecture *a, const struct stored *s, double by_part[N_WEIGHT_PARTS])
{
	double sum = 0;
	for (size_t p = 0; p < N_WEIGHT_PARTS; p++) {
		double bytes = (s->matrices[p] * a->bits[p] + s->rest[p] * a->rest_bits) / 8;
		if (by_part)
			by_part[p] = bytes;
		sum += bytes;
	}
	return sum;
}

double architecture_weight_bytes(const struct architecture *a, double by_part[N_WEIGHT_PARTS])
{
	const struct stored all = stored_of(a, ALL_EXPERTS);
	return bytes_of(a, &all, by_part);
}

/* Of the embedding a token reads one row, which is next to nothing, unless it is the head as well. */
double architecture_read_bytes(const struct architecture *a, double tokens)
{
	struct stored s = { .matrices = { [PART_HEAD] = a->head },
		.rest = { [PART_EMBEDDING] = a->tied ? a->embedding : 0,
			[PART_NORMS] = a->last_norm + a->other } };
	for (size_t i = 0; i < a->n_groups; i++) {
		const struct feed *f = &a->groups[i].feed;
		add_group(&s, &a->groups[i],
			CALL(experts_touched, .experts = f->experts,
				.experts_per_token = f->per_token, .tokens = tokens));
	}
	return bytes_of(a, &s, NULL);
}

/* --- The cache --- */

static bool is_windowed(const struct mixer *m)
{
	return m->kind == MIXING_WINDOW || m->kind == MIXING_CHUNK;
}

struct cache_need architecture_cache(const struct architecture *a)
{
	struct cache_need c = { .state = 0 };
	for (size_t i = 0; i < a->n_groups && !a->encoder; i++) {
		const struct mixer *m = &a->groups[i].mixer;
		const double elements = (double)a->groups[i].n * m->cache_elements;
		*(is_windowed(m) ? &c.windowed_per_token : &c.full_per_token) += elements;
		c.window = fmax(c.window, m->window);
		c.state += (double)a->groups[i].n * m->state_elements;
	}
	return c;
}

static double seen_tokens(const struct mixer *m, double tokens)
{
	return is_windowed(m) ? fmin(tokens, m->window) : tokens;
}

double architecture_cache_elements(const struct architecture *a, double tokens)
{
	double sum = 0;
	for (size_t i = 0; i < a->n_groups && !a->encoder; i++) {
		const struct mixer *m = &a->groups[i].mixer;
		sum += (double)a->groups[i].n *
		       (m->cache_elements * seen_tokens(m, tokens) + m->state_elements);
	}
	return sum;
}

double architecture_expanded_elements(const struct architecture *a, double tokens)
{
	double sum = 0;
	for (size_t i = 0; i < a->n_groups && !a->encoder; i++) {
		const struct mixer *m = &a->groups[i].mixer;
		double elements = m->kind == MIXING_LATENT ? m->heads * (m->key_dim + m->value_dim)
							   : m->cache_elements;
		sum += (double)a->groups[i].n * (elements * tokens + m->state_elements);
	}
	return sum;
}

/* --- Work --- */

/* Scores take two FLOPs for each dimension of a key, weighted sums two for each of a value. */
static double pair_flops(const struct mixer *m)
{
	return 2 * m->heads * (m->key_dim + m->value_dim);
}

/* A state is read and written once: about two FLOPs for each element to decay and add to it, and two
 * to ask it. */
static double seen_flops(const struct mixer *m, double tokens)
{
	if (m->kind == MIXING_DELTA || m->kind == MIXING_MAMBA)
		return 4 * m->state_elements;
	if (m->kind == MIXING_LATENT)
		return 2 * m->heads * (m->cache_elements + m->latent) * tokens;
	return m->cache_elements > 0 ? pair_flops(m) * seen_tokens(m, tokens) : 0;
}

static double product_flops(const struct architecture *a)
{
	struct stored s = stored_of(a, EXPERTS_OF_ONE_TOKEN);
	double sum = s.rest[PART_ROUTER];
	for (size_t p = 0; p < N_WEIGHT_PARTS; p++)
		sum += p == PART_HEAD || p == PART_EMBEDDING ? 0 : s.matrices[p];
	return 2 * sum;
}

static double head_flops(const struct architecture *a)
{
	return a->encoder ? 0 : 2 * a->hidden * a->vocab;
}

double architecture_token_flops(const struct architecture *a, double context)
{
	double sum = product_flops(a) + head_flops(a);
	for (size_t i = 0; i < a->n_groups; i++)
		sum += (double)a->groups[i].n * seen_flops(&a->groups[i].mixer, context);
	return sum;
}

/* Pairs of a token and one that it sees, itself included: a triangle, of which a window keeps a
 * band, and chunks a row of small triangles. */
static double pairs_of(const struct mixer *m, double n, bool both_ways)
{
	const double w = fmin(n, m->window);
	if (both_ways)
		return n * n;
	if (m->kind == MIXING_WINDOW)
		return n * w - w * (w - 1) / 2;
	if (m->kind == MIXING_CHUNK) {
		double whole = floor(n / m->window), left = n - whole * m->window;
		return whole * m->window * (m->window + 1) / 2 + left * (left + 1) / 2;
	}
	return n * (n + 1) / 2;
}

double architecture_prompt_flops(const struct architecture *a, double tokens)
{
	double sum = tokens * product_flops(a) + head_flops(a);
	for (size_t i = 0; i < a->n_groups; i++) {
		const struct mixer *m = &a->groups[i].mixer;
		double seen = m->kind == MIXING_DELTA || m->kind == MIXING_MAMBA
				      ? tokens * seen_flops(m, tokens)
			      : m->cache_elements > 0
				      ? pair_flops(m) * pairs_of(m, tokens, a->encoder)
				      : 0;
		sum += (double)a->groups[i].n * seen;
	}
	return sum;
}

/* --- Layers --- */

size_t architecture_layers_of(const struct architecture *a, enum mixing kind)
{
	size_t n = 0;
	for (size_t i = 0; i < a->n_groups; i++)
		n += a->groups[i].mixer.kind == kind ? a->groups[i].n : 0;
	return n;
}

static enum mixing kind_at(const struct architecture *a, size_t layer)
{
	return a->groups[a->of_layer[layer]].mixer.kind;
}

/* The shortest stretch of kinds that repeats to the end; 0 where none of up to 12 layers does. */
static size_t period_of(const struct architecture *a)
{
	const size_t n = (size_t)a->layers;
	for (size_t period = 2; period <= 12 && 2 * period <= n; period++) {
		size_t i = period;
		while (i < n && kind_at(a, i) == kind_at(a, i - period))
			i++;
		if (i == n)
			return period;
	}
	return 0;
}

char *architecture_pattern(const struct architecture *a, char *buf, size_t size)
{
	size_t used = 0, period = period_of(a);
	bool mixed = false;
	assert(size > 0);
	*buf = '\0';
	for (size_t i = 1; i < period; i++)
		mixed = mixed || kind_at(a, i) != kind_at(a, 0);
	for (size_t i = 0; i < period && mixed && used < size;) {
		size_t first = i;
		while (i < period && kind_at(a, i) == kind_at(a, first))
			i++;
		used += (size_t)snprintf(buf + used, size - used, "%s%zu %s", first ? ", " : "",
			i - first, mixing_ids[kind_at(a, first)]);
	}
	if (mixed && used < size)
		snprintf(buf + used, size - used, ", and so on");
	return buf;
}
