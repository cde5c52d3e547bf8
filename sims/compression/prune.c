/* A score alone says what is pruned: the smallest go, found by selection without sorting. */
#include "sims/compression/prune.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The k-th smallest, counted from 0, by quickselect; v is put in some other order. */
static float kth(float *v, size_t n, size_t k)
{
	size_t from = 0, to = n - 1;
	while (from < to) {
		float pivot = v[(from + to) / 2];
		size_t i = from, j = to;
		while (i <= j) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i > j)
				break;
			float kept = v[i];
			v[i++] = v[j];
			v[j] = kept;
			if (j == 0)
				break;
			j--;
		}
		if (k <= j)
			to = j;
		else if (k >= i)
			from = i;
		else
			break;
	}
	return v[k];
}

/* Marks all but the `less` smallest to stay; among equals the first go. */
static void keep_largest(unsigned char *keep, const float *score, size_t n, size_t less)
{
	float order[MLP_WIDTH];
	assert(n <= MLP_WIDTH && less <= n);
	memset(keep, 1, n);
	if (less == 0)
		return;
	memcpy(order, score, n * sizeof *order);
	float limit = kth(order, n, less - 1);
	for (size_t at = 0; at < n; at++)
		if (score[at] < limit) {
			keep[at] = 0;
			less--;
		}
	for (size_t i = 0; i < n && less > 0; i++)
		if (keep[i] && score[i] <= limit) {
			keep[i] = 0;
			less--;
		}
}

void prune_mask(unsigned char *keep, const struct mlp_layer *l, enum pattern pattern,
	double sparsity, const struct channel *c)
{
	enum { NEIGHBOURS = 4 };
	size_t together = pattern == PRUNE_2_OF_4 ? NEIGHBOURS : l->in;
	double share = pattern == PRUNE_2_OF_4 ? 0.5 : sparsity;
	for (size_t o = 0; o < l->out; o++, keep += l->in) {
		const float *w = l->weight + o * l->in;
		float score[MLP_WIDTH];
		for (size_t i = 0; i < l->in; i++)
			score[i] = fabsf(w[i]) * (c ? c[i].norm : 1);
		for (size_t i = 0; i < l->in; i += together) {
			size_t n = l->in - i < together ? l->in - i : together;
			keep_largest(keep + i, score + i, n, (size_t)(share * (double)n + 0.5));
		}
	}
}

static float column_norm(const struct mlp_layer *l, size_t input)
{
	float sum = 0;
	for (size_t o = 0; o < l->out; o++)
		sum += l->weight[o * l->in + input] * l->weight[o * l->in + input];
	return sqrtf(sum);
}

static float row_norm(const struct mlp_layer *l, size_t output)
{
	float sum = l->bias[output] * l->bias[output];
	for (size_t i = 0; i < l->in; i++)
		sum += l->weight[output * l->in + i] * l->weight[output * l->in + i];
	return sqrtf(sum);
}

/* The neurons of the layer before `layer` that stay; returns how many. */
static size_t choose_neurons(size_t stay[MLP_WIDTH], const struct mlp *m, size_t layer,
	double sparsity, const struct channel *c)
{
	const struct mlp_layer *before = &m->layer[layer - 1], *behind = &m->layer[layer];
	unsigned char keep[MLP_WIDTH];
	float score[MLP_WIDTH];
	size_t n = behind->in, less = (size_t)(sparsity * (double)n + 0.5), kept = 0;
	for (size_t i = 0; i < n; i++)
		score[i] = column_norm(behind, i) * (c ? c[i].norm : row_norm(before, i));
	keep_largest(keep, score, n, less < n ? less : n - 1);
	for (size_t i = 0; i < n; i++)
		if (keep[i])
			stay[kept++] = i;
	return kept;
}

int prune_neurons(struct mlp *m, struct arena *a, const struct mlp *from, double sparsity,
	struct channel *const c[MLP_LAYERS])
{
	size_t stay[MLP_LAYERS + 1][MLP_WIDTH] = { { 0 } }, widths[MLP_LAYERS + 1];
	for (size_t k = 0; k <= from->n_layers; k++) {
		bool hidden = k > 0 && k < from->n_layers;
		widths[k] = k < from->n_layers ? from->layer[k].in : from->layer[k - 1].out;
		for (size_t i = 0; i < widths[k]; i++)
			stay[k][i] = i;
		if (hidden)
			widths[k] = choose_neurons(stay[k], from, k, sparsity, c ? c[k] : NULL);
	}
	if (mlp_new(m, a, widths, from->n_layers))
		return -1;
	for (size_t k = 0; k < m->n_layers; k++) {
		const struct mlp_layer *old = &from->layer[k];
		struct mlp_layer *l = &m->layer[k];
		for (size_t o = 0; o < l->out; o++) {
			const float *row = old->weight + stay[k + 1][o] * old->in;
			l->bias[o] = old->bias[stay[k + 1][o]];
			for (size_t i = 0; i < l->in; i++)
				l->weight[o * l->in + i] = row[stay[k][i]];
		}
	}
	return 0;
}
