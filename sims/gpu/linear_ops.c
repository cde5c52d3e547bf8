#include "sims/gpu/linear_ops.h"

#include <math.h>
#include <string.h>

/* Values that a kernel moves per token, in units of the layer's widths, and how many plain kernels
 * its start costs. A norm reads twice and writes; rotary reads and writes Q and K; the activation
 * reads gate and up; an embedding behind a vocabulary split masks, gathers and masks again. */
struct pointwise {
	const char *id;
	double hidden, rotary, ffn; /* of these widths */
	double launches;
	bool streams; /* simple enough for the rate of a long stream */
};
static const struct pointwise pointwise_ops[] = {
	{ "emb", 6, 0, 0, 1, false },
	{ "input_layernorm", 3, 0, 0, 2, false },
	{ "post_attention_layernorm", 3, 0, 0, 2, false },
	{ "attn_rope", 0, 2, 0, 2, false },
	{ "mlp_act", 0, 0, 3, 3, false },
	{ "add", 3, 0, 0, 0.6, true },
};
/* Of the bandwidth: what kernels that index, reduce or convert sustain. */
static const double indexed_ratio = 0.52;

const char *const linear_op_ids[] = { "emb", "input_layernorm", "attn_pre_proj", "attn_rope",
	"attn_post_proj", "post_attention_layernorm", "mlp_up_proj", "mlp_act", "mlp_down_proj",
	"add", NULL };

static double pointwise_s(const struct accelerator *g, const struct pointwise *op, double hidden,
	double rotary, double ffn, double tokens)
{
	struct efficiency e = kernel_efficiency(g);
	double values = op->hidden * hidden + op->rotary * rotary + op->ffn * ffn;
	double rate = (op->streams ? e.memory : indexed_ratio) * g->bandwidth;
	/* What the kernel before left in the L2 comes from there, at about twice the rate. */
	double bytes = 2 * values * tokens, cached = fmax(0, 1 - bytes / fmax(g->l2_bytes, 1));
	return op->launches * e.launch_s + bytes / (rate * (1 + cached));
}

double linear_op_time_s(
	const struct accelerator *g, const struct model *m, int tp, double tokens, const char *op)
{
	double q = m->heads * m->head_dim / tp, kv = fmax(1, m->kv_heads / tp) * m->head_dim;
	double ffn = m->ffn / tp, up = (m->gated ? 2 : 1) * ffn;
	const struct {
		const char *id;
		double n, k;
	} products[] = {
		{ "attn_pre_proj", q + 2 * kv, m->hidden },
		{ "attn_post_proj", m->hidden, q },
		{ "mlp_up_proj", up, m->hidden },
		{ "mlp_down_proj", m->hidden, ffn },
	};
	for (size_t i = 0; i < sizeof products / sizeof *products; i++)
		if (strcmp(products[i].id, op) == 0)
			return gemm_time_s(g, DTYPE_BF16, tokens, products[i].n, products[i].k);
	for (size_t i = 0; i < sizeof pointwise_ops / sizeof *pointwise_ops; i++)
		if (strcmp(pointwise_ops[i].id, op) == 0)
			return pointwise_s(g, &pointwise_ops[i], m->hidden, q + kv, ffn, tokens);
	return NAN;
}
