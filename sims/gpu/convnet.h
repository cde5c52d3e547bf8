/* A convolutional network as kernels: ResNet-50 v1.5, layer by layer (He et al., 2015; the stride
 * on the 3 x 3, as NVIDIA's v1.5). Built on sims/gpu/kernel.h. */
#ifndef RIDGE_CONVNET_H
#define RIDGE_CONVNET_H

#include "sims/gpu/kernel.h"

#include <stdbool.h>
#include <stddef.h>

enum conv_op_kind { CONV_PRODUCT, CONV_NORM, CONV_ACTIVATION, CONV_ADD, CONV_POOL };

/* One operation on one image; sizes are elements. A product is [rows, k] x [k, cols]; a 3 x 3
 * kernel reads each input element once from memory, and nine times from the caches. */
struct conv_op {
	enum conv_op_kind kind;
	double rows, cols, k;
	double in, out, weights;
	double kernel, stride; /* a convolution's, such as 3 and 1; 0: it is none */
	size_t like;           /* the first operation of the same sizes, often itself */
};
enum { MOST_CONV_OPS = 200 };

/* In the order of execution; returns how many. */
size_t resnet50_ops(struct conv_op ops[MOST_CONV_OPS]);

/* Time of an operation for a batch. Without Tensor Cores, 3 x 3 convolutions of stride 1 are done
 * by Winograd's algorithm; with them a convolution's memory traffic is not hidden. fused: norms,
 * activations and additions are done in the products' epilogues and take no kernel of their own
 * (the time is then 0); an addition still reads its second operand. d: of weights and activations.
 * bytes: what it moves. */
double conv_op_time_s(const struct accelerator *g, enum dtype d, const struct conv_op *op,
	double batch, bool fused, double *bytes);

struct conv_time {
	double s, bytes;
};
/* The same of n operations, as resnet50_ops lists them; n is at most MOST_CONV_OPS. */
void conv_times(const struct accelerator *g, enum dtype d, const struct conv_op ops[], size_t n,
	double batch, bool fused, struct conv_time times[]);

/* How a framework trains it. */
struct conv_training {
	double batch;
	double bandwidth; /* in B/s, that kernels sustain which only move bytes */
	enum dtype dtype; /* of weights and activations */
	bool fused;       /* norm, addition and activation in one kernel */
	bool planar;      /* tensors with all pixels of a channel together (NCHW) */
};
/* Forward and backward of a batch, in s: kernels without their starts, which launches hide or do not
 * (sims/training/training.h). Nothing in it is fitted to training. *arithmetic_s (or NULL): what of
 * it the arithmetic of the products takes. */
double convnet_training_s(
	const struct accelerator *g, const struct conv_training *t, double *arithmetic_s);

#endif
