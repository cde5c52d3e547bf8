#include "sims/serving/moe_run.h"

#include "sims/architecture/model_bytes.h"
#include "sims/gpu/kernel.h"

#include <assert.h>
#include <math.h>

/* --- A step --- */

static double prompts_of(const struct moe_model *m, double tokens)
{
	return fmax(1, tokens / m->context);
}

struct moe_layout moe_layout_of(const struct moe_model *m, double gpus, double tp, double ep,
	bool overlap, double only_tokens)
{
	const double copies = gpus / tp;
	const struct engine_rows rows =
		m->prefill ? engine_prefill_rows(copies, prompts_of(m, only_tokens), only_tokens)
			   : engine_decode_rows(copies, only_tokens);
	assert(copies >= 1 && ep >= 1 && ep <= gpus);
	struct moe_layout l = { .how = { .tp = tp,
					.copies = copies,
					.ep = ep,
					.overlap = overlap && copies > 1,
					.apart = true,
					.only = only_tokens > 0 ? &rows : NULL } };
	const enum dtype weights = value_type_dtype(m->weights);
	l.rest = engine_shape_laid(
		m->a, m->gpu, &l.how, weights, m->activations, value_type_dtype(m->cache));
	l.how.only = NULL;
	l.place = (struct moe_place){ .gpu = m->gpu,
		.experts = engine_experts(m->a, m->gpu, &l.how, m->feed, weights, m->activations),
		.net = m->net,
		.gpus = (size_t)gpus,
		.groups = (size_t)ep,
		.travels = copies > 1,
		.rows_share = 1 / copies };
	return l;
}

static double rest_s(const struct moe_model *m, const struct moe_layout *l, double tokens)
{
	if (!m->prefill)
		return engine_step_s(&l->rest, tokens, tokens * m->context, 0, 0);
	double prompts = prompts_of(m, tokens), length = tokens / prompts;
	return engine_prefill_s(&l->rest, prompts, tokens, tokens * length / 2);
}

/* As the engine joins them: one after the other, or the longer of the two. */
struct moe_step moe_step_of(const struct moe_model *m, const struct moe_layout *l,
	const struct routing *r, struct arena *arena)
{
	struct moe_step s = { .layer = moe_layer_of(&l->place, r, l->how.overlap, arena),
		.rest_s = rest_s(m, l, (double)r->tokens) };
	double mean_s = 0;
	for (size_t i = 0; i < s.layer.n; i++)
		mean_s += s.layer.parts[i].mean_s;
	double computing_s = s.rest_s + m->layers * s.layer.computing_s;
	double travel_s = m->layers * s.layer.travel_s;
	s.step_s = l->how.overlap ? fmax(computing_s, travel_s) : computing_s + travel_s;
	s.products_s = m->layers * mean_s;
	s.waiting_s = m->layers * (s.layer.computing_s - mean_s);
	s.exposed_s = s.step_s - computing_s;
	return s;
}

double moe_expert_bytes(const struct moe_model *m)
{
	return m->feed->expert *
	       dtype_bytes(part_dtype(m->a, PART_EXPERTS, value_type_dtype(m->weights)));
}

/* --- Reads against arithmetic --- */

static double math_flops(const struct moe_model *m)
{
	const struct engine_layout one = { .tp = 1, .copies = 1, .ep = 1 };
	const struct experts e = engine_experts(
		m->a, m->gpu, &one, m->feed, value_type_dtype(m->weights), m->activations);
	enum dtype math =
		dtype_bytes(e.weights) > dtype_bytes(e.activations) ? e.weights : e.activations;
	return kernel_peak_flops(m->gpu, math);
}

double moe_dense_bound_tokens(const struct moe_model *m)
{
	double flops = math_flops(m);
	if (!(flops > 0 && m->gpu->bandwidth > 0))
		return INFINITY;
	return moe_expert_bytes(m) / m->gpu->bandwidth / (2 * m->feed->expert / flops);
}

/* Of n tokens E (1 - (1 - k/E)^n) experts are read, and n k are multiplied with: the share of the first
 * in the second falls with n. Found by halving. */
double moe_read_bound_tokens(const struct moe_model *m)
{
	const double each = moe_dense_bound_tokens(m); /* rows that an expert must have */
	const double k = m->feed->per_token, experts = m->feed->experts;
	double low = 0, high = 2 * each * experts / k;
	if (!isfinite(each))
		return INFINITY;
	for (int i = 0; i < 60; i++) {
		double mid = (low + high) / 2;
		double read = k < experts ? experts * (1 - pow(1 - k / experts, mid)) : experts;
		if (read * each > mid * k)
			low = mid;
		else
			high = mid;
	}
	return high;
}

/* --- One layer on the clock --- */

static void put(double phase[2], double *free_s, double ready_s, double takes_s)
{
	phase[0] = fmax(*free_s, ready_s);
	*free_s = phase[1] = phase[0] + takes_s;
}

static void shift(struct moe_phases *p, double by, double factor)
{
	double *all[] = { p->rest, p->dispatch, p->work, p->combine };
	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < 2; j++)
			all[i][j] = (all[i][j] - by) * factor;
}

struct moe_clock moe_clock_of(const struct moe_model *m, const struct moe_step *s)
{
	enum { LAYERS = 8, SHOWN = 5 };
	struct moe_clock c = { .parts = s->layer.n, .layer_s = s->step_s / m->layers };
	struct moe_phases at[LAYERS][2] = { 0 };
	double gpu_s = 0, net_s = 0, ready_s[2] = { 0, 0 };
	const double own_s = s->rest_s / m->layers / (double)c.parts;
	assert(c.parts >= 1 && c.parts <= 2);
	const struct moe_part *parts = s->layer.parts;
	for (size_t l = 0; l < LAYERS; l++) {
		for (size_t p = 0; p < c.parts; p++)
			put(at[l][p].rest, &gpu_s, ready_s[p], own_s);
		for (size_t p = 0; p < c.parts; p++)
			put(at[l][p].dispatch, &net_s, at[l][p].rest[1], parts[p].dispatch_s);
		for (size_t p = 0; p < c.parts; p++)
			put(at[l][p].work, &gpu_s, at[l][p].dispatch[1], parts[p].slowest_s);
		for (size_t p = 0; p < c.parts; p++) {
			put(at[l][p].combine, &net_s, at[l][p].work[1], parts[p].combine_s);
			ready_s[p] = at[l][p].combine[1];
		}
	}
	/* Of a layer that follows others; stretched to what the step says, which joins halves ideally. */
	const double from = at[SHOWN][0].rest[0], period = at[SHOWN + 1][0].rest[0] - from;
	for (size_t p = 0; p < c.parts; p++) {
		c.before[p] = at[SHOWN - 1][p];
		c.shown[p] = at[SHOWN][p];
		c.after[p] = at[SHOWN + 1][p];
		shift(&c.before[p], from, c.layer_s / period);
		shift(&c.shown[p], from, c.layer_s / period);
		shift(&c.after[p], from, c.layer_s / period);
	}
	return c;
}
