/* The layer is a list of operations, written in the order in which they run; FLOPs and bytes are
 * counted when they are listed. Products and attention are timed by their shapes, everything else
 * by its bytes. */
#include "sims/gpu/transformer.h"

#include <assert.h>
#include <math.h>

/* FLOPs per element of the row-wise and element-wise operations, as they are usually counted:
 * GELU by its tanh approximation, softmax as max, subtract, exp, sum, divide. */
enum { NORM_FLOPS = 4, SOFTMAX_FLOPS = 5, GELU_FLOPS = 8 };

/* Bytes of a value that is written between kernels: never less than 16 bits. */
static double activation_bytes(enum dtype d)
{
	return fmax(2, dtype_bytes(d));
}

struct operation_list {
	struct operation *ops;
	size_t n;
};

static void add(struct operation_list *l, struct operation op)
{
	assert(l->n < MAX_OPERATIONS);
	l->ops[l->n++] = op;
}

static void add_gemm(struct operation_list *l, const struct accelerator *g, const char *id,
	const char *name, enum dtype d, double m, double n, double k)
{
	add(l, (struct operation){ .id = id,
		       .name = name,
		       .kind = OP_GEMM,
		       .math = d,
		       .count = 1,
		       .flops = 2 * m * n * k,
		       .bytes = gemm_bytes(g, d, m, n, k),
		       .m = m,
		       .n = n,
		       .k = k,
		       .batch = 1 });
}

static void add_pointwise(struct operation_list *l, const char *id, const char *name, double count,
	double elements, double flops_each, double bytes_each)
{
	add(l, (struct operation){ .id = id,
		       .name = name,
		       .kind = OP_POINTWISE,
		       .math = DTYPE_FP32,
		       .count = count,
		       .flops = elements * flops_each,
		       .bytes = elements * bytes_each });
}

/* Three kernels with the score matrix between them. The query heads of a KV head are one
 * product. */
static void add_unfused_attention(
	struct operation_list *l, const struct layer_shape *s, enum dtype math)
{
	double w = activation_bytes(s->dtype), d = s->head_dim;
	double kv_heads = fmax(1, s->kv_heads / s->tp), group = s->heads / s->tp / kv_heads;
	double rows = group * s->new_tokens, kv = s->context + s->new_tokens;
	double batch = s->batch * kv_heads, scores = batch * rows * kv;
	struct operation qk = { .id = "qk_t",
		.name = "QKᵀ",
		.kind = OP_GEMM,
		.math = math,
		.count = 1,
		.flops = 2 * scores * d,
		.bytes = w * (batch * d * (rows + kv) + scores),
		.m = rows,
		.n = kv,
		.k = d,
		.batch = batch };
	struct operation av = qk;
	av.id = "attn_v";
	av.name = "attention × V";
	av.n = d;
	av.k = kv;
	add(l, qk);
	add_pointwise(l, "softmax", "softmax", 1, scores, SOFTMAX_FLOPS, 2 * w);
	add(l, av);
}

static void add_flash_attention(
	struct operation_list *l, const struct layer_shape *s, enum dtype math)
{
	double w = activation_bytes(s->dtype), d = s->head_dim;
	double q = s->new_tokens, kv = s->context + q;
	double heads = s->heads / s->tp, kv_heads = fmax(1, s->kv_heads / s->tp);
	double pairs = s->causal ? q * (s->context + (q + 1) / 2) : q * kv;
	add(l, (struct operation){ .id = "flash",
		       .name = "FlashAttention",
		       .kind = OP_ATTENTION,
		       .math = math,
		       .count = 1,
		       .flops = 4 * s->batch * heads * pairs * d,
		       .bytes = 2 * w * s->batch * d * (heads * q + kv_heads * kv) });
}

size_t layer_operations(const struct accelerator *g, const struct layer_shape *s,
	struct operation ops[MAX_OPERATIONS])
{
	assert(s->tp >= 1 && (unsigned)s->dtype < N_DTYPES);
	struct operation_list l = { ops, 0 };
	double w = activation_bytes(s->dtype), tokens = s->batch * s->new_tokens;
	double elements = tokens * s->hidden, ffn = s->ffn / s->tp;
	double q_width = s->heads * s->head_dim / s->tp;
	double kv_width = fmax(1, s->kv_heads / s->tp) * s->head_dim;
	/* Attention's own products stay in 16 bits when weights are quantised to fewer. */
	enum dtype attention = dtype_bytes(s->dtype) < 2 ? DTYPE_BF16 : s->dtype;

	/* By itself a norm runs in FP32 with two reads (statistics, then values) and a write. */
	if (!s->fused)
		add_pointwise(&l, "layernorm", "LayerNorm", 2, elements, NORM_FLOPS, 3 * 4);
	add_gemm(&l, g, "qkv", "QKV projection", s->dtype, tokens, q_width + 2 * kv_width,
		s->hidden);
	if (s->flash)
		add_flash_attention(&l, s, attention);
	else
		add_unfused_attention(&l, s, attention);
	add_gemm(&l, g, "out_proj", "output projection", s->dtype, tokens, s->hidden, q_width);
	/* Together: read the stream and the branch, write the sum and its norm. */
	if (s->fused)
		add_pointwise(
			&l, "norm_residual", "norm + residual", 2, elements, NORM_FLOPS + 1, 4 * w);
	else
		add_pointwise(&l, "residual", "residual add", 2, elements, 1, 3 * w);
	add_gemm(&l, g, "ffn_up", s->gated ? "FFN gate and up" : "FFN up", s->dtype, tokens,
		(s->gated ? 2 : 1) * ffn, s->hidden);
	if (!s->fused)
		add_pointwise(&l, "gelu", s->gated ? "SwiGLU" : "GELU", 1, tokens * ffn,
			GELU_FLOPS + (s->gated ? 1 : 0), (s->gated ? 3 : 2) * w);
	add_gemm(&l, g, "ffn_down", "FFN down", s->dtype, tokens, s->hidden, ffn);
	return l.n;
}

static double flash_time_s(const struct accelerator *g, const struct layer_shape *s)
{
	const struct attention_shape a = { .batch = s->batch,
		.q_heads = s->heads / s->tp,
		.kv_heads = fmax(1, s->kv_heads / s->tp),
		.head_dim = s->head_dim,
		.kv_bytes = activation_bytes(s->dtype),
		.full = !s->causal };
	if (s->new_tokens <= 1)
		return attention_decode_time_s(g, &a, s->context + s->new_tokens);
	return attention_prefill_time_s(g, &a, s->new_tokens, s->context);
}

double operation_time_s(const struct accelerator *g, const struct layer_shape *s,
	const struct operation *op, bool achieved)
{
	if (!achieved)
		return datasheet_time_s(g, op->math, op->flops, op->bytes);
	switch (op->kind) {
	case OP_GEMM:
		return gemm_batch_time_s(g, op->math, op->batch, op->m, op->n, op->k);
	case OP_ATTENTION:
		return flash_time_s(g, s);
	case OP_POINTWISE:
		return pointwise_time_s(g, op->bytes);
	}
	return 0;
}
