/* A section (a layer, the head) is written down as nodes that read and write tensors, as a
 * framework runs them; its backward pass is derived from the list, from the last node to the first.
 * Then nodes are grouped into kernels by the rules of a compiler. A kernel's traffic is what its
 * group reads from outside and leaves for others, so that no table has to say what a fused kernel
 * moves. */
#include "sims/gpu/op_graph.h"

#include "sims/constants.h"
#include "sims/gpu/kernel.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

enum { MAX_TENSORS = 256, MAX_IN = 4, MAX_OUT = 3, NO_TENSOR = UINT16_MAX };

struct node {
	const char *name;
	enum node_kind kind;
	unsigned key; /* neighbours with the same key share rows and sizes, so that they can be one
		       * kernel */
	double m, n, k;
	uint16_t in[MAX_IN], out[MAX_OUT];
	size_t n_in, n_out;
	bool backward;
	bool sum; /* an addition, which hands its gradient on unchanged */
};

/* A section while it is written down: operations with the tensors that they read and write. */
struct builder {
	const struct graph_setup *setup;
	double bytes[MAX_TENSORS];
	bool kept[MAX_TENSORS]; /* read after the section */
	uint16_t gradient[MAX_TENSORS];
	size_t n_tensors, n_nodes;
	struct node nodes[MAX_GRAPH_KERNELS];
	double tokens; /* rows */
};

/* --- which operations become one kernel ------------------------------------------------------ */

/* A kernel generated for any size computes indices that one for a fixed size has folded away. */
static const double symbolic_ratio = 1.05;

static bool is_chained(const struct node *n)
{
	return n->kind == NODE_POINTWISE || n->kind == NODE_REDUCTION;
}

static size_t readers(const struct builder *b, uint16_t t)
{
	size_t n = b->kept[t];
	for (size_t i = 0; i < b->n_nodes; i++)
		for (size_t k = 0; k < b->nodes[i].n_in; k++)
			n += b->nodes[i].in[k] == t;
	return n;
}

static size_t producer(const struct builder *b, uint16_t t)
{
	for (size_t i = 0; i < b->n_nodes; i++)
		for (size_t k = 0; k < b->nodes[i].n_out; k++)
			if (b->nodes[i].out[k] == t)
				return i;
	return MAX_GRAPH_KERNELS;
}

/* Fusing, as Inductor does it. Chains: a pointwise operation or a reduction joins the operation
 * just before it when both have the same key, that is the same rows; library calls and copies end a
 * chain. Epilogues: a template of a product may take in the pointwise operations that read its
 * result.
 *
 * The product whose template can do node i as its epilogue: it alone reads the result, and all else
 * that it reads is there before. A reduction needs whole rows, which no tile holds. */
static size_t epilogue_of(const struct builder *b, const size_t group[], size_t i)
{
	const struct node *n = &b->nodes[i];
	size_t last = MAX_GRAPH_KERNELS;
	if (n->kind != NODE_POINTWISE)
		return last;
	for (size_t k = 0; k < n->n_in; k++) {
		size_t p = producer(b, n->in[k]);
		if (p < i && (last == MAX_GRAPH_KERNELS || group[p] > last))
			last = group[p];
	}
	if (last == MAX_GRAPH_KERNELS || b->nodes[last].kind != NODE_GEMM)
		return MAX_GRAPH_KERNELS;
	return readers(b, b->nodes[last].out[0]) == 1 ? last : MAX_GRAPH_KERNELS;
}

/* group[i]: the node that stands for the kernel of node i. */
static void group_nodes(const struct builder *b, enum fusion fusion, size_t group[])
{
	for (size_t i = 0; i < b->n_nodes; i++) {
		const struct node *n = &b->nodes[i];
		group[i] = i;
		if (fusion == FUSION_NONE || !is_chained(n))
			continue;
		size_t product =
			fusion == FUSION_EPILOGUES ? epilogue_of(b, group, i) : MAX_GRAPH_KERNELS;
		if (product < MAX_GRAPH_KERNELS)
			group[i] = product;
		else if (i > 0 && is_chained(&b->nodes[i - 1]) && b->nodes[i - 1].key == n->key &&
			 b->nodes[group[i - 1]].kind != NODE_GEMM)
			group[i] = group[i - 1];
	}
}

static bool in_group(const struct builder *b, const size_t group[], size_t g, uint16_t t)
{
	size_t p = producer(b, t);
	return p < MAX_GRAPH_KERNELS && group[p] == g;
}

/* A tensor written inside the group that somebody outside reads. Whoever is in it stands behind the node
 * that it is called after. */
static bool leaves(const struct builder *b, const size_t group[], size_t g, uint16_t t)
{
	size_t inside = 0;
	for (size_t i = g; i < b->n_nodes; i++)
		for (size_t k = 0; k < b->nodes[i].n_in && group[i] == g; k++)
			inside += b->nodes[i].in[k] == t;
	return inside == 0 || readers(b, t) > inside;
}

/* B that a group's pointwise nodes read from outside, each tensor once, and write for others. */
static double group_bytes(const struct builder *b, const size_t group[], size_t g)
{
	bool seen[MAX_TENSORS] = { false };
	double bytes = 0;
	for (size_t i = 0; i < b->n_nodes; i++) {
		const struct node *n = &b->nodes[i];
		if (group[i] != g || n->kind == NODE_GEMM)
			continue;
		for (size_t k = 0; k < n->n_in; k++) {
			uint16_t t = n->in[k];
			bytes += seen[t] || in_group(b, group, g, t) ? 0 : b->bytes[t];
			seen[t] = true;
		}
		for (size_t k = 0; k < n->n_out; k++)
			if (leaves(b, group, g, n->out[k]))
				bytes += b->bytes[n->out[k]];
	}
	return bytes;
}

static double attention_s(const struct builder *b, bool backward)
{
	const struct graph_setup *s = b->setup;
	const struct model *m = s->model;
	struct attention_shape shape = { .batch = s->batch,
		.q_heads = m->heads,
		.kv_heads = m->kv_heads,
		.head_dim = m->head_dim,
		.kv_bytes = 2 };
	double forward_s = s->phase == GRAPH_DECODE
				   ? attention_decode_time_s(s->gpu, &shape, s->tokens)
				   : attention_prefill_time_s(s->gpu, &shape, s->tokens, 0);
	return backward ? FLASH_BACKWARD_OVER_FORWARD * forward_s : forward_s;
}

static double node_bytes(const struct builder *b, const struct node *n)
{
	double bytes = 0;
	for (size_t k = 0; k < n->n_in; k++)
		bytes += b->bytes[n->in[k]];
	for (size_t k = 0; k < n->n_out; k++)
		bytes += b->bytes[n->out[k]];
	return bytes;
}

static double node_s(const struct builder *b, const struct node *n)
{
	const struct accelerator *g = b->setup->gpu;
	switch (n->kind) {
	case NODE_GEMM:
		return gemm_time_s(g, DTYPE_BF16, n->m, n->n, n->k);
	case NODE_ATTENTION:
		return attention_s(b, n->backward);
	default:
		return pointwise_time_s(g, node_bytes(b, n));
	}
}

/* Time of a kernel. An epilogue adds what it reads beside its product. */
static double kernel_s(const struct builder *b, const struct node *n, double bytes, size_t ops)
{
	const struct accelerator *g = b->setup->gpu;
	if (is_chained(n))
		return pointwise_time_s(g, bytes);
	double alone_s = node_s(b, n);
	if (ops < 2)
		return alone_s;
	double extra = bytes - b->bytes[n->out[0]];
	return alone_s + fmax(0, extra) / (kernel_efficiency(g).memory * g->bandwidth);
}

/* Groups the operations into kernels and appends those to the section. */
static void op_emit(
	const struct builder *b, enum fusion fusion, bool symbolic, struct graph_section *out)
{
	assert(b->n_nodes <= MAX_GRAPH_KERNELS && out->n + b->n_nodes <= MAX_GRAPH_KERNELS);
	size_t group[MAX_GRAPH_KERNELS];
	group_nodes(b, fusion, group);
	for (size_t g = 0; g < b->n_nodes; g++) {
		const struct node *n = &b->nodes[g];
		if (group[g] != g)
			continue;
		struct graph_kernel *k = &out->kernels[out->n++];
		*k = (struct graph_kernel){ .name = n->name, .kind = n->kind };
		for (size_t i = g; i < b->n_nodes; i++) {
			if (group[i] != g)
				continue;
			k->ops++;
			k->unfused_s += node_s(b, &b->nodes[i]);
		}
		double bytes = group_bytes(b, group, g);
		k->time_s = kernel_s(b, n, bytes, k->ops);
		k->bytes = n->kind == NODE_GEMM
				   ? gemm_bytes(b->setup->gpu, DTYPE_BF16, n->m, n->n, n->k)
				   : bytes;
		if (symbolic && is_chained(n))
			k->time_s *= symbolic_ratio;
	}
}

/* --- operations of a layer, written down ----------------------------------------------------- */

static uint16_t tensor(struct builder *b, double bytes)
{
	assert(b->n_tensors < MAX_TENSORS);
	b->bytes[b->n_tensors] = bytes;
	b->gradient[b->n_tensors] = NO_TENSOR;
	return (uint16_t)b->n_tensors++;
}

static struct node *node(struct builder *b, const char *name, enum node_kind kind, unsigned key)
{
	assert(b->n_nodes < MAX_GRAPH_KERNELS);
	struct node *n = &b->nodes[b->n_nodes++];
	*n = (struct node){ .name = name, .kind = kind, .key = key };
	return n;
}

static uint16_t gemm(struct builder *b, const char *name, uint16_t in, double width, double depth)
{
	struct node *n = node(b, name, NODE_GEMM, 0);
	n->m = b->tokens;
	n->n = width;
	n->k = depth;
	n->in[n->n_in++] = in;
	return n->out[n->n_out++] = tensor(b, 2 * b->tokens * width);
}

/* A pointwise or row-wise kernel; `other` may be NO_TENSOR. */
static uint16_t map(struct builder *b, const char *name, enum node_kind kind, unsigned key,
	uint16_t in, uint16_t other, double out_bytes)
{
	struct node *n = node(b, name, kind, key);
	n->in[n->n_in++] = in;
	if (other != NO_TENSOR)
		n->in[n->n_in++] = other;
	return n->out[n->n_out++] = tensor(b, out_bytes);
}

static uint16_t add(struct builder *b, unsigned key, uint16_t x, uint16_t y)
{
	uint16_t sum = map(b, "add", NODE_POINTWISE, key, x, y, b->bytes[x]);
	b->nodes[b->n_nodes - 1].sum = true;
	return sum;
}

/* --- forward -------------------------------------------------------------------------------- */

/* RMSNorm as it is written in Python: eight kernels, six of them in FP32. */
static uint16_t rms_norm(struct builder *b, uint16_t x, unsigned key)
{
	double row = 4 * b->tokens, wide = 2 * b->bytes[x], width = b->bytes[x];
	uint16_t x32 = map(b, "to FP32", NODE_POINTWISE, key, x, NO_TENSOR, wide);
	uint16_t square = map(b, "square", NODE_POINTWISE, key, x32, NO_TENSOR, wide);
	uint16_t mean = map(b, "mean", NODE_REDUCTION, key, square, NO_TENSOR, row);
	uint16_t shifted = map(b, "+ eps", NODE_POINTWISE, key, mean, NO_TENSOR, row);
	uint16_t scale = map(b, "rsqrt", NODE_POINTWISE, key, shifted, NO_TENSOR, row);
	uint16_t scaled = map(b, "scale", NODE_POINTWISE, key, x32, scale, wide);
	uint16_t narrow = map(b, "to BF16", NODE_POINTWISE, key, scaled, NO_TENSOR, width);
	return map(b, "weight", NODE_POINTWISE, key, narrow, NO_TENSOR, width);
}

static uint16_t norm(struct builder *b, uint16_t x, unsigned key)
{
	if (b->setup->model->gated)
		return rms_norm(b, x, key);
	return map(b, "LayerNorm", NODE_REDUCTION, key, x, NO_TENSOR, b->bytes[x]);
}

/* Rotary embedding: x cos + rotate_half(x) sin, in five kernels. */
static uint16_t rotary(struct builder *b, uint16_t x, uint16_t angles, unsigned key)
{
	double width = b->bytes[x];
	uint16_t cosine = map(b, "x cos", NODE_POINTWISE, key, x, angles, width);
	uint16_t negated = map(b, "negate half", NODE_POINTWISE, key, x, NO_TENSOR, width / 2);
	uint16_t turned = map(b, "concatenate", NODE_POINTWISE, key, x, negated, width);
	uint16_t sine = map(b, "x sin", NODE_POINTWISE, key, turned, angles, width);
	return add(b, key, cosine, sine);
}

static uint16_t attention(struct builder *b, uint16_t x)
{
	const struct model *m = b->setup->model;
	double q_width = m->heads * m->head_dim, kv_width = m->kv_heads * m->head_dim;
	uint16_t qkv[3], angles;
	if (m->gated) {
		qkv[0] = gemm(b, "Q", x, q_width, m->hidden);
		qkv[1] = gemm(b, "K", x, kv_width, m->hidden);
		qkv[2] = gemm(b, "V", x, kv_width, m->hidden);
		angles = tensor(b, 4 * b->tokens * m->head_dim);
		qkv[0] = rotary(b, qkv[0], angles, 2);
		qkv[1] = rotary(b, qkv[1], angles, 3);
	} else {
		qkv[0] = qkv[1] = qkv[2] = gemm(b, "QKV", x, q_width + 2 * kv_width, m->hidden);
	}
	for (int i = 1; i < 3 && b->setup->phase == GRAPH_DECODE; i++) {
		struct node *append = node(b, "append to cache", NODE_COPY, 0);
		append->in[append->n_in++] = qkv[i];
		append->out[append->n_out++] = tensor(b, 2 * b->tokens * kv_width);
	}
	struct node *fused = node(b, "attention", NODE_ATTENTION, 0);
	for (size_t i = 0; i < (m->gated ? 3 : 1); i++)
		fused->in[fused->n_in++] = qkv[i];
	return fused->out[fused->n_out++] = tensor(b, 2 * b->tokens * q_width);
}

static uint16_t feed_forward(struct builder *b, uint16_t x)
{
	const struct model *m = b->setup->model;
	double width = 2 * b->tokens * m->ffn;
	uint16_t inner = gemm(b, m->gated ? "gate" : "FFN up", x, m->ffn, m->hidden);
	if (m->gated) {
		uint16_t up = gemm(b, "up", x, m->ffn, m->hidden);
		inner = map(b, "SiLU", NODE_POINTWISE, 5, inner, NO_TENSOR, width);
		inner = map(b, "multiply", NODE_POINTWISE, 5, inner, up, width);
	} else {
		inner = map(b, "GELU", NODE_POINTWISE, 5, inner, NO_TENSOR, width);
	}
	return gemm(b, "FFN down", inner, m->hidden, m->ffn);
}

/* Writes down a layer, from the residual addition that ends the one before it. */
static void build_layer(struct builder *b)
{
	const struct model *m = b->setup->model;
	double width = 2 * b->tokens * m->hidden;
	uint16_t stream = tensor(b, width), last = tensor(b, width);
	uint16_t x = add(b, 1, last, stream);
	uint16_t mixed = attention(b, norm(b, x, 1));
	uint16_t o = gemm(b, "output", mixed, m->hidden, m->heads * m->head_dim);
	uint16_t y = add(b, 4, o, x);
	uint16_t down = feed_forward(b, norm(b, y, 4));
	b->kept[y] = b->kept[down] = true;
}

/* Writes down what follows the last layer: addition, norm, the vocabulary's product. */
static void build_head(struct builder *b)
{
	const struct graph_setup *s = b->setup;
	double width = 2 * b->tokens * s->model->hidden;
	uint16_t stream = tensor(b, width), last = tensor(b, width);
	uint16_t x = norm(b, add(b, 1, last, stream), 1);
	if (s->phase != GRAPH_TRAIN)
		b->tokens = s->batch;
	b->kept[gemm(b, "vocabulary", x, s->model->vocab, s->model->hidden)] = true;
}

/* --- backward ------------------------------------------------------------------------------- */

static bool has_gradient(const struct builder *b, uint16_t t)
{
	return b->gradient[t] != NO_TENSOR;
}

/* A gradient arrives at tensor t: the first one is taken as it is, every other is added. */
static void arrive(struct builder *b, uint16_t t, uint16_t g, unsigned key)
{
	if (has_gradient(b, t))
		g = map(b, "add gradients", NODE_POINTWISE, key, b->gradient[t], g, b->bytes[t]);
	b->gradient[t] = g;
}

static void gemm_backward(struct builder *b, struct node f)
{
	uint16_t dy = b->gradient[f.out[0]];
	struct node *dw = node(b, "weight gradient", NODE_GEMM, 0);
	*dw = (struct node){ .name = dw->name, .m = f.k, .n = f.n, .k = f.m };
	dw->in[dw->n_in++] = f.in[0];
	dw->in[dw->n_in++] = dy;
	dw->out[dw->n_out++] = tensor(b, 2 * f.k * f.n);
	struct node *dx = node(b, "input gradient", NODE_GEMM, 0);
	*dx = (struct node){ .name = dx->name, .m = f.m, .n = f.k, .k = f.n };
	dx->in[dx->n_in++] = dy;
	uint16_t g = dx->out[dx->n_out++] = tensor(b, b->bytes[f.in[0]]);
	arrive(b, f.in[0], g, 90);
}

static void attention_backward_node(struct builder *b, struct node f)
{
	struct node *n = node(b, "attention backward", NODE_ATTENTION, 0);
	n->backward = true;
	n->in[n->n_in++] = b->gradient[f.out[0]];
	for (size_t i = 0; i < f.n_in; i++) {
		n->in[n->n_in++] = f.in[i];
		b->gradient[f.in[i]] = n->out[n->n_out++] = tensor(b, b->bytes[f.in[i]]);
	}
}

/* One kernel for each input that needs a gradient; an addition hands its own on. */
static void map_backward(struct builder *b, struct node f)
{
	uint16_t dy = b->gradient[f.out[0]];
	for (size_t i = 0; i < f.n_in; i++) {
		double bytes = b->bytes[f.in[i]];
		if (f.sum) {
			arrive(b, f.in[i], dy, 100 + f.key);
			continue;
		}
		uint16_t g = map(b, f.kind == NODE_REDUCTION ? "norm backward" : f.name,
			f.kind == NODE_REDUCTION ? NODE_REDUCTION : NODE_POINTWISE, 100 + f.key, dy,
			f.in[i], bytes);
		arrive(b, f.in[i], g, 100 + f.key);
	}
}

/* Replaces the nodes [0, n) by their backward pass, in reverse order. */
static void differentiate(struct builder *b)
{
	size_t n = b->n_nodes;
	struct node *last = &b->nodes[n - 1];
	b->gradient[last->out[0]] = tensor(b, b->bytes[last->out[0]]);
	for (size_t i = n; i-- > 0;) {
		struct node f = b->nodes[i];
		if (f.kind == NODE_GEMM)
			gemm_backward(b, f);
		else if (f.kind == NODE_ATTENTION)
			attention_backward_node(b, f);
		else
			map_backward(b, f);
	}
	for (size_t i = n; i < b->n_nodes; i++)
		b->nodes[i - n] = b->nodes[i];
	b->n_nodes -= n;
}

typedef void build(struct builder *b);

static void add_section(struct op_graph *g, enum graph_sections which, double repeat,
	const struct graph_setup *s, build *forward, bool backward, enum fusion fusion,
	bool symbolic)
{
	struct builder b = { .setup = s,
		.tokens = s->batch * (s->phase == GRAPH_DECODE ? 1 : s->tokens) };
	forward(&b);
	if (backward)
		differentiate(&b);
	g->section[which].repeat = (size_t)repeat;
	op_emit(&b, fusion, symbolic, &g->section[which]);
}

struct op_graph op_graph_of(const struct graph_setup *s, enum fusion fusion, bool symbolic)
{
	assert(s->model && s->gpu && s->phase <= GRAPH_TRAIN && fusion <= FUSION_EPILOGUES);
	struct op_graph g = { 0 };
	double layers = s->model->layers;
	add_section(&g, SECTION_FORWARD, layers, s, build_layer, false, fusion, symbolic);
	add_section(&g, SECTION_HEAD, 1, s, build_head, false, fusion, symbolic);
	if (s->phase != GRAPH_TRAIN)
		return g;
	add_section(&g, SECTION_BACKWARD, layers, s, build_layer, true, fusion, symbolic);
	struct op_graph tail = { 0 };
	add_section(&tail, SECTION_HEAD, 1, s, build_head, true, fusion, symbolic);
	for (size_t i = 0; i < tail.section[SECTION_HEAD].n; i++)
		g.section[SECTION_HEAD].kernels[g.section[SECTION_HEAD].n++] =
			tail.section[SECTION_HEAD].kernels[i];
	return g;
}

double op_graph_launches(const struct op_graph *g)
{
	double n = 0;
	for (int i = 0; i < N_GRAPH_SECTIONS; i++)
		n += (double)(g->section[i].n * g->section[i].repeat);
	return n;
}

double op_graph_time_s(const struct op_graph *g)
{
	double s = 0;
	for (int i = 0; i < N_GRAPH_SECTIONS; i++)
		for (size_t k = 0; k < g->section[i].n; k++)
			s += g->section[i].kernels[k].time_s * (double)g->section[i].repeat;
	return s;
}
