#include "sims/architecture/model_bytes.h"

#include "sims/base/array.h"

#include <assert.h>
#include <math.h>

/* --- Weights --- */

static double bits_of(enum dtype d)
{
	return 8 * dtype_bytes(d);
}

/* FP8 with its scales is a little over 8 bits, MXFP4 a little over 4. */
static enum dtype stored_dtype(double bits)
{
	return bits < 6 ? DTYPE_FP4 : bits < 12 ? DTYPE_FP8 : DTYPE_BF16;
}

enum dtype part_dtype(const struct architecture *a, enum weight_part part, enum dtype asked)
{
	assert(part < N_WEIGHT_PARTS);
	const double stored = a->bits[part];
	if (part == PART_MIXING && bits_of(asked) <= bits_of(DTYPE_FP4))
		return stored_dtype(stored);
	return stored < bits_of(asked) ? stored_dtype(stored) : asked;
}

/* The same model with the weights of its layers in that type: embedding, head and routers stay. */
static struct architecture stored_as(const struct architecture *a, enum dtype weights)
{
	static const enum weight_part layers[] = { PART_MIXING, PART_DENSE, PART_EXPERTS,
		PART_SHARED };
	struct architecture b = *a;
	for (size_t i = 0; i < LENGTH(layers); i++)
		if (part_dtype(a, layers[i], weights) != stored_dtype(a->bits[layers[i]]))
			b.bits[layers[i]] = bits_of(weights);
	return b;
}

double model_weight_bytes(const struct model *m, enum dtype weights)
{
	if (!m->made_of)
		return m->params * dtype_bytes(weights);
	const struct architecture stored = stored_as(m->made_of, weights);
	return architecture_weight_bytes(&stored, NULL);
}

double model_weight_bytes_copied(const struct model *m, enum dtype weights, double copies)
{
	double by_part[N_WEIGHT_PARTS] = { 0 }, all;
	if (!m->made_of)
		return copies * model_weight_bytes(m, weights);
	const struct architecture stored = stored_as(m->made_of, weights);
	all = architecture_weight_bytes(&stored, by_part);
	return copies * (all - by_part[PART_EXPERTS]) + by_part[PART_EXPERTS];
}

double model_read_bytes(const struct model *m, enum dtype weights, double tokens)
{
	if (!m->made_of)
		return model_weight_bytes(m, weights);
	const struct architecture stored = stored_as(m->made_of, weights);
	return architecture_read_bytes(&stored, tokens);
}

double model_experts(const struct model *m)
{
	double least = INFINITY;
	for (size_t i = 0; m->made_of && i < m->made_of->n_groups; i++)
		if (m->made_of->groups[i].feed.experts > 0)
			least = fmin(least, m->made_of->groups[i].feed.experts);
	return isfinite(least) ? least : 0;
}

/* --- Caches --- */

static double copies_of(double kv_heads, double gpus)
{
	return kv_heads > 0 ? fmax(1, gpus / kv_heads) : gpus;
}

double model_kv_bytes_per_token(const struct model *m, enum dtype kv)
{
	if (!m->made_of)
		return 2 * m->layers * m->kv_heads * m->head_dim * dtype_bytes(kv);
	const struct cache_need need = architecture_cache(m->made_of);
	return (need.full_per_token + need.windowed_per_token) * dtype_bytes(kv);
}

static double plain_elements(const struct model *m, double tokens, double gpus)
{
	double windowed = m->window > 0 ? m->layers - m->full_layers : 0;
	double kept = (m->layers - windowed) * tokens + windowed * fmin(tokens, m->window);
	return copies_of(m->kv_heads, gpus) * 2 * m->kv_heads * m->head_dim * kept;
}

/* States are shared by heads, which are many. */
static double composed_elements(const struct architecture *a, double tokens, double gpus)
{
	double sum = 0;
	for (size_t i = 0; i < a->n_groups && !a->encoder; i++) {
		const struct mixer *m = &a->groups[i].mixer;
		double kept = m->window > 0 ? fmin(tokens, m->window) : tokens;
		double copies = copies_of(m->latent > 0 ? 1 : m->kv_heads, gpus);
		sum += (double)a->groups[i].n *
		       (copies * m->cache_elements * kept + m->state_elements);
	}
	return sum;
}

double model_cache_bytes(const struct model *m, enum dtype kv, double tokens, double gpus)
{
	assert(gpus >= 1);
	double elements = m->made_of ? composed_elements(m->made_of, tokens, gpus)
				     : plain_elements(m, tokens, gpus);
	return elements * dtype_bytes(kv);
}
