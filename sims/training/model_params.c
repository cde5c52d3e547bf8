#include "sims/training/model_params.h"

#include "sims/architecture/architecture.h"
#include "sims/architecture/model_bytes.h"
#include "sims/formulas/memory.h"
#include "sims/training/training_layer.h"

#include <assert.h>
#include <math.h>

double model_further_heads(const struct model *m)
{
	return m->made_of && m->made_of->mtp_params > 0 ? 1 : 0;
}

static struct model_params params_of_parts(const struct model *m)
{
	const struct architecture *a = m->made_of;
	const struct parameter_count c = architecture_parameters(a);
	double ends = c.parts[PART_EMBEDDING] + c.parts[PART_HEAD];
	return (struct model_params){ .layer = (c.total - ends - c.parts[PART_EXPERTS]) / a->layers,
		.experts = c.parts[PART_EXPERTS] / a->layers,
		.embedding = c.parts[PART_EMBEDDING],
		.head = c.parts[PART_HEAD],
		.further = model_further_heads(m),
		.join = 2 * a->hidden * a->hidden };
}

/* What layers do not take is the embedding and, where more than one matrix is left, the head. */
struct model_params model_params_of(const struct model *m)
{
	if (m->made_of)
		return params_of_parts(m);
	struct training_layer layer = layer_of(&(struct layer_setup){ .model = m,
		.batch = 1,
		.seq = 1,
		.tp = 1,
		.value_bytes = 2,
		.residual_bytes = 2,
		.flash = true,
		.actual = true });
	double vocabulary = m->vocab * m->hidden;
	double rest = m->params - m->layers * layer_params(&layer);
	struct model_params p = { .layer = layer_params(&layer) };
	if (rest < 0 || rest > 3 * vocabulary + 0.1 * m->params) {
		rest = fmin(vocabulary, m->params / 2);
		p.layer = (m->params - rest) / m->layers;
	}
	p.embedding = rest < 1.5 * vocabulary ? rest : vocabulary;
	p.head = rest - p.embedding;
	return p;
}

double model_trained_params(const struct model *m)
{
	struct model_params p = model_params_of(m);
	return m->params + p.further * (p.layer + p.experts + p.join);
}

double model_active_params(const struct model *m)
{
	return m->made_of ? architecture_parameters(m->made_of).active : m->params;
}

double expert_groups(const struct model *m, double asked, double domain, double gpus)
{
	double experts = model_experts(m);
	double ep = fmax(1, fmin(asked > 0 ? asked : domain, fmin(experts, gpus)));
	/* Whole experts for each, and whole groups of GPUs. */
	while (ep > 1 && (fmod(experts, ep) > 0 || fmod(gpus, ep) > 0))
		ep--;
	return ep;
}

double zero_state_bytes(int stage, double group, double params, double w, double g, double o)
{
	assert(stage >= 0 && stage <= 3);
	switch (stage) {
	case 0:
		return CALL(static_memory_bytes, .params = params, .weight_bytes = w,
			.gradient_bytes = g, .optimizer_bytes = o);
	case 1:
		return CALL(zero1_bytes, .params = params, .gpus = group, .weight_bytes = w,
			.gradient_bytes = g, .optimizer_bytes = o);
	case 2:
		return CALL(zero2_bytes, .params = params, .gpus = group, .weight_bytes = w,
			.gradient_bytes = g, .optimizer_bytes = o);
	default:
		return CALL(zero3_bytes, .params = params, .gpus = group, .weight_bytes = w,
			.gradient_bytes = g, .optimizer_bytes = o, .gathered_params = 0);
	}
}
