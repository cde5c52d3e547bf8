#include "sims/gpu/experts.h"

#include "sims/constants.h"
#include "sims/formulas/architecture.h"

#include <assert.h>
#include <math.h>

struct experts experts_of(const struct feed *f, double hidden, double groups, double split,
	enum dtype weights, enum dtype activations)
{
	assert(groups >= 1 && split >= 1);
	/* Parts are padded to what kernels take at once, as 2880 / 8 = 360 of gpt-oss is to 384. */
	const double multiple = 128, part = f->expert_width / split;
	return (struct experts){ .experts = f->experts,
		.per_token = f->per_token,
		.held = f->experts / groups,
		.hidden = hidden,
		.width = split > 1 ? fmin(f->expert_width, multiple * ceil(part / multiple)) : part,
		.gated = feed_matrices(f, hidden) > 2,
		.weights = weights,
		.activations = activations,
		.hot = 1 };
}

double experts_read(const struct experts *e, double tokens)
{
	double touched = CALL(experts_touched, .experts = e->experts,
		.experts_per_token = e->per_token, .tokens = e->hot * tokens);
	return touched * e->held / e->experts;
}

double experts_rows(const struct experts *e, double tokens)
{
	return e->hot * tokens * e->per_token * e->held / e->experts;
}

static double group_s(const struct accelerator *g, const struct experts *e, double groups,
	double rows, double n, double k)
{
	return e->format ? gemm_rounded_time_s(g, e->format, groups, rows, n, k)
			 : gemm_grouped_time_s(g, e->weights, e->activations, groups, rows, n, k);
}

/* So many experts, each with so many rows. */
static double grouped_s(
	const struct accelerator *g, const struct experts *e, double groups, double rows)
{
	return group_s(g, e, groups, rows, (e->gated ? 2 : 1) * e->width, e->hidden) +
	       group_s(g, e, groups, rows, e->hidden, e->width);
}

double experts_products_s(const struct accelerator *g, const struct experts *e, double tokens)
{
	double read = experts_read(e, tokens), rows = experts_rows(e, tokens);
	if (!(rows > 0))
		return 0;
	/* One token of few experts here: in the mean a part of an expert is read. Products are whole. */
	double groups = fmax(1, read), each = fmax(1, rows / groups);
	return fmin(1, read) * grouped_s(g, e, groups, each);
}

/* How many experts got so many rows. */
struct tally {
	uint32_t rows, experts;
};

/* Experts with equal rows are timed once. More than so many different counts are gathered in bins, each
 * at its mean: among so many a tile more or less evens out. */
enum { MOST_TALLIES = 24 };

static size_t tally_up(struct tally tallies[MOST_TALLIES], const uint32_t rows[], size_t n,
	uint32_t width, uint32_t least)
{
	double sums[MOST_TALLIES] = { 0 };
	size_t used = 0;
	for (size_t i = 0; i < MOST_TALLIES; i++)
		tallies[i] = (struct tally){ 0, 0 };
	for (size_t i = 0; i < n; i++) {
		if (rows[i] == 0)
			continue;
		size_t bin = (rows[i] - least) / width;
		sums[bin] += rows[i];
		tallies[bin].experts++;
	}
	for (size_t i = 0; i < MOST_TALLIES; i++)
		if (tallies[i].experts > 0)
			tallies[used++] =
				(struct tally){ (uint32_t)lround(sums[i] / tallies[i].experts),
					tallies[i].experts };
	return used;
}

double experts_drawn_s(
	const struct accelerator *g, const struct experts *e, const uint32_t rows[], size_t n)
{
	struct tally tallies[MOST_TALLIES];
	uint32_t least = UINT32_MAX, most = 0, read = 0;
	for (size_t i = 0; i < n; i++) {
		read += rows[i] > 0;
		most = rows[i] > most ? rows[i] : most;
		least = rows[i] > 0 && rows[i] < least ? rows[i] : least;
	}
	if (read == 0)
		return 0;
	size_t used = tally_up(tallies, rows, n, (most - least) / MOST_TALLIES + 1, least);
	double s = 0;
	for (size_t i = 0; i < used; i++)
		s += tallies[i].experts * grouped_s(g, e, read, tallies[i].rows);
	return s / read;
}

/* Kernels: scores and choice, sorting, the gate's product of halves, the weighted sum. */
double experts_routing_s(
	const struct accelerator *g, const struct experts *e, double tokens, double rows)
{
	double scores_s = gemm_time_s(g, DTYPE_BF16, fmax(1, tokens), e->experts, e->hidden);
	double choice_s = pointwise_time_s(g, FP32_BYTES * tokens * e->experts);
	double sort_s = pointwise_time_s(g, BF16_BYTES * e->hidden * (tokens + rows));
	double gate_s = pointwise_time_s(g, BF16_BYTES * rows * (e->gated ? 3 : 2) * e->width);
	double sum_s = pointwise_time_s(g, BF16_BYTES * e->hidden * (rows + tokens));
	double rounding_s = e->format ? gemm_rounding_s(g, e->format, tokens, e->hidden) +
						gemm_rounding_s(g, e->format, rows, e->width)
				      : 0;
	return scores_s + choice_s + sort_s + gate_s + sum_s + rounding_s;
}

/* The largest of n nearly normal numbers lies sqrt(2 ln n) deviations above their mean; a count has
 * its mean as variance. It cannot be more than all of them. */
double experts_chance_peak(double groups, double rows)
{
	if (groups <= 1 || rows <= 0)
		return 1;
	double mean = rows / groups;
	return fmin(groups, 1 + sqrt(2 * log(groups) / mean));
}

/* A token has none of the experts of a GPU where each of its choices, all different, falls on the
 * others. */
double experts_sent_tokens(const struct experts *e, double gpus, double tokens)
{
	double none = 1, others = e->experts - e->held;
	for (double i = 0; i < e->per_token; i++)
		none *= fmax(0, others - i) / (e->experts - i);
	return tokens * gpus * (1 - none);
}

/* DeepEP's kernels for decoding are made for fewer tokens of a GPU than that. */
static const double most_direct_tokens = 256;

static double nodes_of(const struct expert_travel *m)
{
	return ceil(m->gpus / fmin(m->gpus, m->net->gpus_per_node));
}

bool experts_hand_on(const struct expert_travel *m, double tokens)
{
	return tokens > most_direct_tokens && nodes_of(m) > 1;
}

/* Of the copies that go out straight to GPUs, those that would go out to nodes; to the own node too. */
static double node_copies(const struct experts *e, const struct expert_travel *m)
{
	const double nodes = nodes_of(m), spread = fmin(nodes, m->groups);
	struct experts of_node = *e;
	of_node.held = e->experts / spread;
	return experts_sent_tokens(&of_node, spread, 1) * nodes / spread /
	       (experts_sent_tokens(e, m->groups, 1) * m->gpus / m->groups);
}

/* Nobody changes to kernels that take longer: where they do, they take as long as the most tokens that go
 * straight. */
double experts_travel_s(
	const struct experts *e, const struct expert_travel *m, double tokens, double bytes)
{
	if (!experts_hand_on(m, tokens))
		return all_to_all_time(m->net, m->gpus, bytes);
	const double nodes = nodes_of(m), local = fmin(m->gpus, m->net->gpus_per_node);
	double direct_s = all_to_all_time(m->net, m->gpus, bytes * most_direct_tokens / tokens);
	double handed_on_s = exchange_time(m->net, m->gpus, bytes * (local - 1) / local,
		bytes * node_copies(e, m) * (nodes - 1) / nodes);
	return fmax(direct_s, handed_on_s);
}
