/* One step of a language model's decoding, taken apart: what it reads, how many kernels it
 * launches, and what they take. Layers are fused as engines have them (sims/gpu/engine.h); times in
 * s, bytes of all GPUs that share the model. */
#ifndef RIDGE_DECODE_PASS_H
#define RIDGE_DECODE_PASS_H

#include "sims/gpu/engine.h"

/* `weights`: the type in which they lie; products are done in it where the GPU can, else in 16
 * bits. */
struct decoder {
	const struct model *model;
	const struct accelerator *gpu;
	double tp, context; /* GPUs; tokens that each sequence has in the cache */
	enum dtype weights;
	struct engine_shape engine;
};
struct decoder decoder_of(const struct model *m, const struct accelerator *g, double tp,
	double context, enum dtype weights);

struct decode_pass {
	double products_s, attention_s, other_s; /* other: norms, activations, all-reduces */
	double kernels;
	double weight_bytes, expert_bytes, cache_bytes; /* read; weights: but for routed experts */
	double experts, experts_read; /* of a layer that has them, in the mean; 0 without any */
	double flops;
};
/* Of so many sequences at once, a token each. */
struct decode_pass decode_pass(const struct decoder *d, double batch);

#endif
