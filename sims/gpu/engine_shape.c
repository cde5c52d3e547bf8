#include "sims/gpu/engine_shape.h"

#include "sims/base/array.h"
#include "sims/gpu/engine_parts.h"

#include <assert.h>
#include <math.h>

/* Fills a table with the time of n_ops products, `count` times, at each number of rows. */
struct engine_product {
	double n, k;
};
static void fill(struct engine_table *t, double rows, const struct accelerator *g,
	enum dtype weights, enum dtype activations, const struct engine_product ops[], size_t n_ops,
	double count)
{
	for (size_t i = 0; i < ENGINE_POINTS; i++) {
		double s = 0;
		if (!engine_point_is_read(i, rows))
			continue;
		for (size_t op = 0; op < n_ops; op++)
			s += gemm_mixed_time_s(g, weights, activations, engine_point_rows(i),
				ops[op].n, ops[op].k);
		t->s[i] = count * s;
	}
	engine_table_close(t);
}

/* Two norms with their residuals, the activation, and the two all-reduces of a layer: each takes
 * some time to start and some per token. */
static void add_pointwise_and_sync(
	struct engine_shape *e, const struct model *m, const struct accelerator *g, int tp)
{
	const double w = 2, many = 1e6;
	double values = 2 * 4 * m->hidden + (m->gated ? 3 : 2) * m->ffn / tp;
	double start_s = 3 * pointwise_time_s(g, 0), sync_s = 2 * node_allreduce_time_s(g, tp, 0);
	double pointwise_s = pointwise_time_s(g, many * w * values) - pointwise_time_s(g, 0);
	double reduce_s = 2 * node_allreduce_time_s(g, tp, many * w * m->hidden) - sync_s;
	e->fixed_s = m->layers * (start_s + sync_s);
	e->s_per_token = m->layers * (pointwise_s + reduce_s) / many;
}

/* Layers with a window, where there are some, beside those without. */
static void add_attention(struct engine_shape *e, const struct model *m,
	const struct accelerator *g, const struct attention_shape *s)
{
	double windowed = m->window > 0 ? m->layers - m->full_layers : 0;
	if (m->layers > windowed)
		e->attention[e->n_attention++] = engine_attention_of(g, s, m->layers - windowed, 0);
	if (windowed > 0)
		e->attention[e->n_attention++] = engine_attention_of(g, s, windowed, m->window);
}

static const double vocab_multiple = 64;

static struct engine_shape shape_for(const struct model *m, const struct accelerator *g, int tp,
	enum dtype weights, enum dtype activations, enum dtype kv, struct engine_rows rows)
{
	assert(tp >= 1);
	struct engine_shape e = { .copies = 1 };
	if (m->made_of)
		return engine_shape_laid(m->made_of, g,
			&(struct engine_layout){ .tp = tp, .copies = 1, .ep = 1, .only = &rows },
			weights, activations, kv);
	double q_width = m->heads * m->head_dim / tp;
	double kv_heads = fmax(1, m->kv_heads / tp), ffn = m->ffn / tp;
	const struct engine_product layer[] = {
		{ q_width + 2 * kv_heads * m->head_dim, m->hidden },
		{ m->hidden, q_width },
		{ (m->gated ? 2 : 1) * ffn, m->hidden },
		{ m->hidden, ffn },
	};
	/* Engines pad the vocabulary, so that its rows start on whole vectors. */
	double vocab = vocab_multiple * ceil(m->vocab / tp / vocab_multiple);
	const struct engine_product head[] = { { vocab, m->hidden } };
	fill(&e.linear, rows.linear, g, weights, activations, layer, LENGTH(layer), m->layers);
	fill(&e.head, rows.head, g, DTYPE_BF16, DTYPE_BF16, head, 1, 1);

	add_pointwise_and_sync(&e, m, g, tp);
	add_attention(&e, m, g,
		&(struct attention_shape){ .batch = 1,
			.q_heads = m->heads / tp,
			.kv_heads = kv_heads,
			.head_dim = m->head_dim,
			.kv_bytes = dtype_bytes(kv) });
	return e;
}

struct engine_shape engine_shape_mixed(const struct model *m, const struct accelerator *g, int tp,
	enum dtype weights, enum dtype activations, enum dtype kv)
{
	return shape_for(m, g, tp, weights, activations, kv,
		(struct engine_rows){ ENGINE_ANY_ROWS, ENGINE_ANY_ROWS });
}

struct engine_shape engine_shape_of(const struct model *m, const struct accelerator *g, int tp,
	enum dtype weights, enum dtype kv)
{
	return engine_shape_mixed(m, g, tp, weights, weights, kv);
}

double decode_step_s(const struct model *m, const struct accelerator *g, int tp, enum dtype weights,
	double batch, double kv_tokens_total)
{
	struct engine_shape e = shape_for(m, g, tp, weights, weights, DTYPE_BF16,
		(struct engine_rows){ .linear = batch, .head = batch });
	return engine_step_s(&e, batch, kv_tokens_total, 0, 0);
}

double prefill_s(const struct model *m, const struct accelerator *g, int tp, enum dtype weights,
	double tokens, double context)
{
	struct engine_shape e = shape_for(m, g, tp, weights, weights, DTYPE_BF16,
		(struct engine_rows){ .linear = tokens, .head = 1 });
	return engine_step_s(&e, 0, 0, tokens, context);
}
