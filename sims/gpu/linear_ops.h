/* The operations of one decoder layer outside attention, each as a kernel of its own, as an
 * inference engine without a compiler launches them. For holding the model against profiles. */
#ifndef RIDGE_LINEAR_OPS_H
#define RIDGE_LINEAR_OPS_H

#include "sims/gpu/kernel.h"

/* The names of the operations, in the order of every table. */
#define LINEAR_OPS(OP)                                                                             \
	OP("emb")                                                                                  \
	OP("input_layernorm")                                                                      \
	OP("attn_pre_proj")                                                                        \
	OP("attn_rope")                                                                            \
	OP("attn_post_proj")                                                                       \
	OP("post_attention_layernorm")                                                             \
	OP("mlp_up_proj")                                                                          \
	OP("mlp_act")                                                                              \
	OP("mlp_down_proj")                                                                        \
	OP("add")
extern const char *const linear_op_ids[]; /* NULL-terminated */

/* Time in s of one operation for `tokens` tokens in BF16 on one GPU of a tensor-parallel group of
 * tp; NAN for any other name. tp >= 1. */
double linear_op_time_s(
	const struct accelerator *g, const struct model *m, int tp, double tokens, const char *op);

/* What such an engine adds to the GPU, the same on every GPU; fitted on A100 and H100 (make fit).
 * A block of threads takes a token's row 1,024 values at a time. */
struct eager_engine {
	double start_s;         /* time to start a row-wise or element-wise kernel */
	double step_s;          /* from one part of a row to the next, which waits for memory */
	double row_bytes;       /* per clock that an SM asks for in such a kernel */
	double stream_ratio;    /* share of the bandwidth, at most */
	double l2_ratio;        /* how much faster what lies in the L2 comes */
	double product_ratio;   /* share of the compute that products sustain: clocks are not
				 * locked, and the kernel is chosen by a rule instead of by
				 * trying */
	double product_start_s; /* what a product takes on top, since no CUDA graph launches it */
};
extern const struct eager_engine eager_engine;
/* `batch` products in BF16, C[m,n] = A[m,k] B[k,n], as such an engine launches them. */
double eager_product_s(const struct eager_engine *e, const struct accelerator *g, double batch,
	double m, double n, double k);
double linear_op_by_engine_s(const struct eager_engine *e, const struct accelerator *g,
	const struct model *m, int tp, double tokens, const char *op);

#endif
