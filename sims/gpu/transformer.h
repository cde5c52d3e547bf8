/* A transformer as operations on an accelerator: what one layer does, and how long an iteration of
 * an inference engine takes. Built on sims/gpu/kernel.h. Times in s, sizes in B, per GPU of the
 * tensor-parallel group; every GPU of a group takes the same time. */
#ifndef RIDGE_TRANSFORMER_H
#define RIDGE_TRANSFORMER_H

#include "sims/gpu/kernel.h"

#include <stdbool.h>
#include <stddef.h>

/* One layer's work. In decode, new_tokens is 1 and context is what each sequence has in its KV
 * cache; in training and prefill new_tokens is the length and context usually 0. */
struct layer_shape {
	double hidden, heads, kv_heads, head_dim, ffn;
	bool gated; /* three FFN matrices: gate and up are one product of twice the width */
	double batch, new_tokens, context;
	enum dtype dtype; /* of weights, and of the products where the GPU can */
	bool flash;       /* attention in one kernel that never writes the score matrix */
	bool causal;      /* a flash kernel skips the masked half; separate kernels compute it */
	bool fused;       /* activation in the product's epilogue, residual with the norm */
	double tp;        /* GPUs that share the layer's heads and FFN columns */
};

enum layer_op_kind { OP_GEMM, OP_ATTENTION, OP_POINTWISE }; /* OP_ATTENTION: the fused one */
struct operation {
	const char *id, *name; /* "qk_t", "QKᵀ"; static */
	enum layer_op_kind kind;
	enum dtype math;       /* whose peak bounds it */
	double count;          /* times per layer; the numbers below are of one */
	double flops, bytes;   /* bytes: DRAM traffic */
	double m, n, k, batch; /* of `batch` equal products (OP_GEMM); 0 otherwise */
};
enum { MAX_OPERATIONS = 16 };

/* The operations of one layer's forward pass, in order; returns how many. */
size_t layer_operations(const struct accelerator *g, const struct layer_shape *s,
	struct operation ops[MAX_OPERATIONS]);

/* Time of one: by the datasheet's roofline, or as achieved (`s` is the layer it belongs to). */
double operation_time_s(const struct accelerator *g, const struct layer_shape *s,
	const struct operation *op, bool achieved);

/* An iteration of an inference engine, with everything that does not change from one iteration to
 * the next worked out once: engine_step_s is a few additions and a table look-up. */
enum {
	ENGINE_FINE = 1024,
	ENGINE_FINE_STEP = 16,
	ENGINE_COARSE_STEP = 256,
	ENGINE_COARSE = ENGINE_FINE / ENGINE_FINE_STEP,
	ENGINE_POINTS = ENGINE_COARSE + 1 + 60
};
struct engine_table {
	double s[ENGINE_POINTS]; /* every 16 rows up to 1,024, then every 256 */
	double s_per_row;        /* beyond the last point */
};
struct engine_shape {
	struct engine_table linear; /* the layers' weight products, by tokens */
	struct engine_table head;   /* the vocabulary's product, by sequences that need logits */
	double layers;
	double fixed_s;          /* launches of every other kernel, starts of the all-reduces */
	double s_per_token;      /* norms, activations, all-reduces */
	double decode_fixed_s;   /* of one layer's decode attention, */
	double decode_s_per_seq; /* its blocks for one sequence, */
	double kv_s_per_token;   /* and reading one cached token; see attention_joined_s */
	double prefill_fixed_s, prefill_s_per_token, prefill_s_per_pair; /* of all layers */
	double host_s; /* scheduling and sampling between iterations; 0 at first */
};

/* tp >= 1. weights and kv: types in which they lie in memory. */
struct engine_shape engine_shape_of(const struct model *m, const struct accelerator *g, int tp,
	enum dtype weights, enum dtype kv);

/* One iteration that decodes decode_seqs sequences with kv_tokens cached tokens in all, and
 * prefills prefill_tokens that follow prefill_context cached tokens (of one sequence, or the mean
 * over several). 0 when there is nothing to do. A few nanoseconds. */
double engine_step_s(const struct engine_shape *e, double decode_seqs, double kv_tokens,
	double prefill_tokens, double prefill_context);

/* The same without a shape at hand; KV in BF16. */
double decode_step_s(const struct model *m, const struct accelerator *g, int tp, enum dtype weights,
	double batch, double kv_tokens_total);
double prefill_s(const struct model *m, const struct accelerator *g, int tp, enum dtype weights,
	double tokens, double context);

/* F8.2: no decode step is faster. max((weights + KV) / bandwidth, flops / peak) by the datasheet,
 * over tp GPUs. */
double decode_floor_s(const struct model *m, const struct accelerator *g, int tp,
	enum dtype weights, double batch, double kv_tokens_total);
/* F8.3: FLOPs of a causal prefill, 2 P s + 2 s^2 h L (h = heads x head_dim). */
double prefill_work_flops(const struct model *m, double tokens, double context);

double model_weight_bytes(const struct model *m, enum dtype weights);
double model_kv_bytes_per_token(const struct model *m, enum dtype kv);

#endif
