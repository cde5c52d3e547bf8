/* The operations of one decoder layer outside attention, each as a kernel of its own, as an
 * inference engine without a compiler launches them. For holding the model against profiles. */
#ifndef RIDGE_LINEAR_OPS_H
#define RIDGE_LINEAR_OPS_H

#include "sims/gpu/kernel.h"

/* "emb", "input_layernorm", "attn_pre_proj", "attn_rope", "attn_post_proj",
 * "post_attention_layernorm", "mlp_up_proj", "mlp_act", "mlp_down_proj", "add". */
extern const char *const linear_op_ids[]; /* NULL-terminated */

/* Time in s of one of them for `tokens` tokens in BF16 on one GPU of a tensor-parallel group of tp;
 * NAN for another name. tp >= 1. */
double linear_op_time_s(
	const struct accelerator *g, const struct model *m, int tp, double tokens, const char *op);

#endif
