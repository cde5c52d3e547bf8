/* A table of products is one array: points every ENGINE_FINE_STEP rows up to ENGINE_FINE, then
 * every ENGINE_COARSE_STEP, found by arithmetic without a search. Between points the time is a
 * line; beyond the last one the line goes on with the slope of the coarse half. */
#include "sims/gpu/engine.h"

#include "sims/base/array.h"

#include <assert.h>
#include <math.h>

double model_weight_bytes(const struct model *m, enum dtype weights)
{
	return m->params * dtype_bytes(weights);
}

double model_kv_bytes_per_token(const struct model *m, enum dtype kv)
{
	return 2 * m->layers * m->kv_heads * m->head_dim * dtype_bytes(kv);
}

double prefill_work_flops(const struct model *m, double tokens, double context)
{
	double pairs = tokens * (context + tokens / 2);
	return 2 * m->params * tokens + 4 * m->layers * m->heads * m->head_dim * pairs;
}

double decode_floor_s(const struct model *m, const struct accelerator *g, int tp,
	enum dtype weights, double batch, double kv_tokens_total)
{
	assert(tp >= 1);
	double bytes = model_weight_bytes(m, weights) +
		       kv_tokens_total * model_kv_bytes_per_token(m, DTYPE_BF16);
	double flops =
		2 * m->params * batch + 4 * m->layers * m->heads * m->head_dim * kv_tokens_total;
	return datasheet_time_s(g, weights, flops / tp, bytes / tp);
}

static double point_rows(size_t i)
{
	if (i == 0)
		return 1; /* one row costs what a few do: the weights are read all the same */
	if (i <= ENGINE_COARSE)
		return (double)(i * ENGINE_FINE_STEP);
	return ENGINE_FINE + (double)((i - ENGINE_COARSE) * ENGINE_COARSE_STEP);
}

/* Fills a table with the time of n_ops products, `count` times, at each number of rows. */
struct engine_product {
	double n, k;
};
static void fill(struct engine_table *t, const struct accelerator *g, enum dtype weights,
	enum dtype activations, const struct engine_product ops[], size_t n_ops, double count)
{
	for (size_t i = 0; i < ENGINE_POINTS; i++) {
		double s = 0;
		for (size_t op = 0; op < n_ops; op++)
			s += gemm_mixed_time_s(
				g, weights, activations, point_rows(i), ops[op].n, ops[op].k);
		t->s[i] = count * s;
	}
	size_t last = ENGINE_POINTS - 1, middle = (ENGINE_COARSE + last) / 2;
	t->s_per_row = (t->s[last] - t->s[middle]) / (point_rows(last) - point_rows(middle));
}

static double look_up(const struct engine_table *t, double rows)
{
	double at;
	if (rows <= ENGINE_FINE)
		at = rows / ENGINE_FINE_STEP;
	else
		at = ENGINE_COARSE + (rows - ENGINE_FINE) / ENGINE_COARSE_STEP;
	if (at >= ENGINE_POINTS - 1)
		return t->s[ENGINE_POINTS - 1] +
		       t->s_per_row * (rows - point_rows(ENGINE_POINTS - 1));
	size_t i = (size_t)at;
	return t->s[i] + (at - (double)i) * (t->s[i + 1] - t->s[i]);
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

/* Prefill's cost is f + a T + p T (context + T / 2): three prompts give f, a and p. */
static void add_attention(
	struct engine_shape *e, const struct accelerator *g, const struct attention_shape *s)
{
	const double length = 8192;
	double none_s = attention_prefill_time_s(g, s, 0, 0);
	double one_s = attention_prefill_time_s(g, s, length, 0) - none_s;
	double two_s = attention_prefill_time_s(g, s, 2 * length, 0) - none_s;
	double pair_s = (two_s - 2 * one_s) / (length * length);
	e->prefill_fixed_s = e->layers * none_s;
	e->prefill_s_per_pair = e->layers * pair_s;
	e->prefill_s_per_token = e->layers * (one_s / length - pair_s * length / 2);
	e->decode_fixed_s = attention_fixed_s(g);
	e->kv_s_per_token = attention_stream_s(g, s, 1);
	e->decode_s_per_seq = attention_sequence_s(g, s);
}

static const double vocab_multiple = 64;

struct engine_shape engine_shape_of(const struct model *m, const struct accelerator *g, int tp,
	enum dtype weights, enum dtype kv)
{
	return engine_shape_mixed(m, g, tp, weights, weights, kv);
}

struct engine_shape engine_shape_mixed(const struct model *m, const struct accelerator *g, int tp,
	enum dtype weights, enum dtype activations, enum dtype kv)
{
	assert(tp >= 1);
	struct engine_shape e = { 0 };
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
	fill(&e.linear, g, weights, activations, layer, LENGTH(layer), m->layers);
	fill(&e.head, g, DTYPE_BF16, DTYPE_BF16, head, 1, 1);

	e.layers = m->layers;
	add_pointwise_and_sync(&e, m, g, tp);
	add_attention(&e, g,
		&(struct attention_shape){ .batch = 1,
			.q_heads = m->heads / tp,
			.kv_heads = kv_heads,
			.head_dim = m->head_dim,
			.kv_bytes = dtype_bytes(kv) });
	return e;
}

double engine_step_s(const struct engine_shape *e, double decode_seqs, double kv_tokens,
	double prefill_tokens, double prefill_context)
{
	double tokens = decode_seqs + prefill_tokens;
	if (tokens <= 0)
		return 0;
	double s = e->host_s + e->fixed_s + tokens * e->s_per_token + look_up(&e->linear, tokens) +
		   look_up(&e->head, decode_seqs + (prefill_tokens > 0));
	if (decode_seqs > 0)
		s += e->layers * attention_joined_s(e->decode_fixed_s,
					 decode_seqs * e->decode_s_per_seq,
					 kv_tokens * e->kv_s_per_token);
	if (prefill_tokens > 0)
		s += e->prefill_fixed_s +
		     prefill_tokens * (e->prefill_s_per_token +
					      e->prefill_s_per_pair *
						      (prefill_context + prefill_tokens / 2));
	return s;
}

double engine_prefill_s(const struct engine_shape *e, double prompts, double tokens, double pairs)
{
	if (tokens <= 0)
		return 0;
	return e->host_s + e->fixed_s + tokens * e->s_per_token + look_up(&e->linear, tokens) +
	       look_up(&e->head, prompts) + e->prefill_fixed_s + tokens * e->prefill_s_per_token +
	       pairs * e->prefill_s_per_pair;
}

double decode_step_s(const struct model *m, const struct accelerator *g, int tp, enum dtype weights,
	double batch, double kv_tokens_total)
{
	struct engine_shape e = engine_shape_of(m, g, tp, weights, DTYPE_BF16);
	return engine_step_s(&e, batch, kv_tokens_total, 0, 0);
}

double prefill_s(const struct model *m, const struct accelerator *g, int tp, enum dtype weights,
	double tokens, double context)
{
	struct engine_shape e = engine_shape_of(m, g, tp, weights, DTYPE_BF16);
	return engine_step_s(&e, 0, 0, tokens, context);
}
