/* A table says how many values each pointwise operation moves for a token, in widths of the model.
 * Its time joins three limits smoothly: the memory's bandwidth, an SM's steps through a row, and
 * how fast SMs ask for rows. Products are those of sims/gpu/kernel.h on a GPU that reaches less of
 * its peak. */
#include "sims/gpu/linear_ops.h"

#include "sims/base/array.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

const struct eager_engine eager_engine = {
	.start_s = 1.58e-6,
	.step_s = 0.403e-6,
	.row_bytes = 7.2,
	.stream_ratio = 0.995,
	.l2_ratio = 1.55,
	.product_ratio = 0.91,
	.product_start_s = 3.15e-6,
};

/* Values that a kernel moves per token, in units of the layer's widths. A norm reads twice (the
 * second time mostly from close by) and writes; rotary reads and writes Q and K; the activation
 * reads gate and up; an embedding behind a vocabulary split gathers, masks, and masks again. The
 * step_ columns count the values that one block goes through step by step, each step waiting for
 * memory; an addition has all of them in flight. */
struct pointwise {
	const char *id;
	double hidden, rotary, ffn; /* moved, of these widths */
	double step_hidden, step_rotary, step_ffn;
};
static const struct pointwise pointwise_ops[] = {
	{ "emb", 6.25, 0, 0, 0.5, 0, 0 },
	{ "input_layernorm", 2.75, 0, 0, 1.5, 0, 0 },
	{ "post_attention_layernorm", 2.75, 0, 0, 1.5, 0, 0 },
	{ "attn_rope", 0, 2, 0, 0, 1, 0 },
	{ "mlp_act", 0, 0, 3, 0, 0, 1 },
	{ "add", 3, 0, 0, 0, 0, 0 },
};
enum { BLOCK_VALUES = 1024 };

#define ID(op) op,
const char *const linear_op_ids[] = { LINEAR_OPS(ID) NULL };

static double overlapped(double a, double b, double c)
{
	return cbrt(a * a * a + b * b * b + c * c * c);
}

static double pointwise_s(const struct eager_engine *e, const struct accelerator *g,
	const struct pointwise *op, const double widths[3], double tokens)
{
	double values = op->hidden * widths[0] + op->rotary * widths[1] + op->ffn * widths[2];
	double stepped = op->step_hidden * widths[0] + op->step_rotary * widths[1] +
			 op->step_ffn * widths[2];
	/* What the kernel before left in the L2 is read from there. */
	double bytes = 2 * values * tokens, cached = fmax(0, 1 - bytes / fmax(g->l2_bytes, 1));
	double memory_s =
		bytes / (e->stream_ratio * g->bandwidth * (1 + (e->l2_ratio - 1) * cached));
	double step_s = e->step_s * stepped / BLOCK_VALUES, ask_s = 0;
	if (stepped > 0 && g->sm_count > 0 && g->clock_hz > 0)
		ask_s = bytes / (e->row_bytes * g->sm_count * g->clock_hz);
	return e->start_s + overlapped(memory_s, step_s, ask_s);
}

double eager_product_s(const struct eager_engine *e, const struct accelerator *g, double batch,
	double m, double n, double k)
{
	struct accelerator slower = *g;
	slower.achieved.compute = e->product_ratio * kernel_efficiency(g).compute;
	return e->product_start_s + gemm_batch_time_s(&slower, DTYPE_BF16, batch, m, n, k);
}

double linear_op_by_engine_s(const struct eager_engine *e, const struct accelerator *g,
	const struct model *m, int tp, double tokens, const char *op)
{
	assert(tp >= 1 && tokens >= 0 && op);
	double q = m->heads * m->head_dim / tp, kv = fmax(1, m->kv_heads / tp) * m->head_dim;
	double ffn = m->ffn / tp, up = (m->gated ? 2 : 1) * ffn;
	const double widths[3] = { m->hidden, q + kv, ffn };
	const struct {
		const char *id;
		double n, k;
	} products[] = {
		{ "attn_pre_proj", q + 2 * kv, m->hidden },
		{ "attn_post_proj", m->hidden, q },
		{ "mlp_up_proj", up, m->hidden },
		{ "mlp_down_proj", m->hidden, ffn },
	};
	for (size_t i = 0; i < LENGTH(products); i++)
		if (strcmp(products[i].id, op) == 0)
			return eager_product_s(e, g, 1, tokens, products[i].n, products[i].k);
	for (size_t i = 0; i < LENGTH(pointwise_ops); i++)
		if (strcmp(pointwise_ops[i].id, op) == 0) {
			struct pointwise moved = pointwise_ops[i];
			if (!m->gated) /* there is no gate to read */
				moved.ffn *= 2. / 3;
			return pointwise_s(e, g, &moved, widths, tokens);
		}
	return NAN;
}

double linear_op_time_s(
	const struct accelerator *g, const struct model *m, int tp, double tokens, const char *op)
{
	return linear_op_by_engine_s(&eager_engine, g, m, tp, tokens, op);
}
