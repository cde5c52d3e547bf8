#include "sims/serving/decode_pass.h"

#include "sims/formulas/architecture.h"
#include "sims/gpu/engine_shape.h"

struct decoder decoder_of(const struct model *m, const struct accelerator *g, double tp,
	double context, enum dtype weights)
{
	enum dtype math = kernel_math_dtype(g, weights) == weights ? weights : DTYPE_BF16;
	return (struct decoder){ m, g, tp, context, weights,
		engine_shape_mixed(m, g, (int)tp, weights, math, DTYPE_BF16) };
}

/* --- Kernels --- */

/* Fused: two norms with their residuals and an activation; attention with what appends to the
 * cache; queries, keys and values in one product, and the output. */
enum { POINTWISE = 3, ATTENTION = 2, PROJECTIONS = 2, FEED = 2 };

/* Latent vectors are made and opened by products of their own; a mixture scores, chooses, sorts,
 * gates and adds up. */
static double group_kernels(const struct layer_group *g)
{
	enum { LATENT = 2, ROUTING = 5 };
	const struct mixer *m = &g->mixer;
	const struct feed *f = &g->feed;
	double n = POINTWISE;
	if (m->kind != MIXING_NONE)
		n += ATTENTION + PROJECTIONS + (m->kind == MIXING_LATENT ? LATENT : 0);
	n += f->width > 0 ? FEED : 0;
	n += f->shared > 0 ? FEED : 0;
	return n + (f->experts > 0 ? FEED + ROUTING : 0);
}

/* With the vocabulary's product and the choice of a token. */
static double kernels_of(const struct model *m)
{
	enum { HEAD = 2 };
	double n = 0;
	if (!m->made_of)
		return m->layers * (POINTWISE + ATTENTION + PROJECTIONS + FEED) + HEAD;
	for (size_t i = 0; i < m->made_of->n_groups; i++)
		n += (double)m->made_of->groups[i].n * group_kernels(&m->made_of->groups[i]);
	return n + HEAD;
}

/* --- What is read --- */

static void count_experts(const struct architecture *a, double batch, struct decode_pass *p)
{
	double layers = 0;
	for (size_t i = 0; i < a->n_groups; i++) {
		const struct feed *f = &a->groups[i].feed;
		const double n = f->experts > 0 ? (double)a->groups[i].n : 0;
		layers += n;
		p->experts += n * f->experts;
		p->experts_read += n * CALL(experts_touched, .experts = f->experts,
					       .experts_per_token = f->per_token, .tokens = batch);
	}
	p->experts = layers > 0 ? p->experts / layers : 0;
	p->experts_read = layers > 0 ? p->experts_read / layers : 0;
}

/* --- Times: an engine without attention, or without what stands between its products --- */

struct decode_pass decode_pass(const struct decoder *d, double batch)
{
	const struct model *m = d->model;
	struct engine_shape rest = d->engine;
	double whole_s = engine_step_s(&d->engine, batch, batch * d->context, 0, 0);
	rest.n_attention = 0;
	double without_s = engine_step_s(&rest, batch, 0, 0, 0);
	rest.fixed_s = rest.s_per_token = 0;
	double products_s = engine_step_s(&rest, batch, 0, 0, 0);
	struct decode_pass p = { .products_s = products_s,
		.attention_s = whole_s - without_s,
		.other_s = without_s - products_s,
		.kernels = kernels_of(m) };
	p.weight_bytes = model_read_bytes(m, d->weights, 0);
	p.expert_bytes = model_read_bytes(m, d->weights, batch) - p.weight_bytes;
	p.cache_bytes = batch * model_cache_bytes(m, DTYPE_BF16, d->context, d->tp);
	p.flops = batch * (m->made_of ? architecture_token_flops(m->made_of, d->context)
				      : prefill_work_flops(m, 1, d->context));
	if (m->made_of)
		count_experts(m->made_of, batch, &p);
	return p;
}
