/* Channels measured, grown and smoothed. Growing one is exact but for rounding: the neuron before
 * it and the weights behind it change by the same factor. */
#include "sims/compression/channels.h"

#include "sims/formulas/compression.h"

#include <assert.h>
#include <math.h>

int channels_of(struct channel **c, struct arena *a, const float *x, size_t n_blocks, size_t inputs)
{
	*c = arena_array(a, inputs, sizeof **c);
	if (!*c)
		return -1;
	for (size_t i = 0; i < inputs; i++) {
		double sum = 0, squares = 0;
		float largest = 0;
		for (size_t block = 0; block < n_blocks; block++) {
			const float *lane = x + (block * inputs + i) * LANES;
			squares += (double)lanes_dot(lane, lane);
			for (size_t b = 0; b < LANES; b++) {
				sum += (double)lane[b];
				largest = lane[b] > largest ? lane[b] : largest;
			}
		}
		(*c)[i] = (struct channel){ largest, (float)(sum / (double)(n_blocks * LANES)),
			(float)sqrt(squares) };
	}
	return 0;
}

/* Makes one input of a hidden layer (layer > 0) factor times as large: the neuron before it grows,
 * the weights behind it shrink. */
static void channel_grow(struct mlp *m, size_t layer, size_t channel, float factor)
{
	assert(layer > 0 && layer < m->n_layers && channel < m->layer[layer].in);
	struct mlp_layer *before = &m->layer[layer - 1], *behind = &m->layer[layer];
	for (size_t i = 0; i < before->in; i++)
		before->weight[channel * before->in + i] *= factor;
	before->bias[channel] *= factor;
	for (size_t o = 0; o < behind->out; o++)
		behind->weight[o * behind->in + channel] /= factor;
}

void outliers_add(struct mlp *m, float factor)
{
	for (size_t k = 1; k < m->n_layers; k++)
		for (size_t c = OUTLIER_FIRST; c < m->layer[k].in; c += OUTLIER_EVERY)
			channel_grow(m, k, c, factor);
}

static float largest_weight(const struct mlp_layer *l, size_t input)
{
	float largest = 0;
	for (size_t o = 0; o < l->out; o++)
		largest = fmaxf(largest, fabsf(l->weight[o * l->in + input]));
	return largest;
}

void channels_smooth(
	struct mlp *m, size_t layer, const struct channel *c, enum smoothing how, double strength)
{
	assert(layer < m->n_layers);
	const struct mlp_layer *l = &m->layer[layer];
	for (size_t i = 0; i < l->in && how != SMOOTH_NONE; i++) {
		double weight = (double)largest_weight(l, i);
		if (!(c[i].largest > 0 && weight > 0))
			continue;
		double scale =
			how == SMOOTH_AWQ
				? CALL(awq_scale, .mean_activation = (double)c[i].mean,
					  .exponent = strength)
				: CALL(smoothquant_scale, .max_activation = (double)c[i].largest,
					  .max_weight = weight, .migration = strength);
		channel_grow(m, layer, i, (float)(1 / scale));
	}
}
