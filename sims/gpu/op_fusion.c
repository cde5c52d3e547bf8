/* Which operations become one kernel, and what that kernel moves and takes. */
#include "sims/constants.h"
#include "sims/gpu/op_builder.h"

#include "sims/gpu/kernel.h"

#include <math.h>

/* Flash attention's backward: five products where forward has two. */
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

/* The product whose template can do node i as its epilogue: it alone reads the result, and all else
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

/* A tensor written inside the group that somebody outside reads. */
static bool leaves(const struct builder *b, const size_t group[], size_t g, uint16_t t)
{
	size_t inside = 0;
	for (size_t i = 0; i < b->n_nodes; i++)
		for (size_t k = 0; k < b->nodes[i].n_in && group[i] == g; k++)
			inside += b->nodes[i].in[k] == t;
	return inside == 0 || readers(b, t) > inside;
}

/* What a group's pointwise nodes read from outside, each tensor once, and write for others. */
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

/* An epilogue adds what it reads beside the product. */
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

void op_emit(const struct builder *b, enum fusion fusion, bool symbolic, struct graph_section *out)
{
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
