/* A transformer layer as operations on an accelerator: what each one computes and moves, and how
 * long it takes. Built on sims/gpu/kernel.h. Times in s, sizes in B, per GPU of the tensor-parallel
 * group; every GPU of a group takes the same time. */
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
	enum dtype dtype; /* type of the weights, and of the products where the GPU can */
	bool flash;       /* attention runs in one kernel that never writes the score matrix */
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
	double m, n, k, batch; /* sizes of `batch` equal products (OP_GEMM); 0 otherwise */
};
enum { MAX_OPERATIONS = 16 };

/* The operations of one layer's forward pass, in order; returns how many. */
size_t layer_operations(const struct accelerator *g, const struct layer_shape *s,
	struct operation ops[MAX_OPERATIONS]);

/* Time of one operation: by the datasheet's roofline, or as achieved (`s` is the layer it belongs
 * to). */
double operation_time_s(const struct accelerator *g, const struct layer_shape *s,
	const struct operation *op, bool achieved);

#endif
