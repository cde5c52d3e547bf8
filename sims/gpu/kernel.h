/* How long one kernel takes on an accelerator: the physics that roofline, batching, scaling and
 * capacity share.
 *
 * The ideal roofline (datasheet_time_s) is max(flops / peak, bytes / bandwidth). Real kernels stay
 * below it by the few constants of struct efficiency, each with a physical meaning; a GPU that
 * was never measured has those of its family (content/hardware.json). A matrix product further pays
 * for whole tiles, whole waves of tiles over the SMs, and operand traffic through the L2.
 *
 * Times are seconds inside a CUDA graph (no CPU launch cost beyond the GPU's own). Sizes are
 * counts; all must be >= 0, a size of 0 gives the launch alone. Everything is finite for a GPU
 * with a peak and a bandwidth, INFINITY where it has neither. */
#ifndef RIDGE_KERNEL_H
#define RIDGE_KERNEL_H

#include "sims/tables/tables.h"

#include <math.h>
#include <stdbool.h>

/* Peak of `d`, in FLOP/s. A type without a unit of its own is computed in the next best that the
 * GPU has, values narrower than that being weights which a kernel widens on their way: INT8 in FP8
 * or 16 bits, FP8 and FP4 in 16 bits, BF16 and FP16 in each other, these in TF32, that in FP32;
 * what is left in whatever the GPU has (a TPU's FP32 in BF16). kernel_math_dtype names it. */
enum dtype kernel_math_dtype(const struct accelerator *g, enum dtype d);
double kernel_peak_flops(const struct accelerator *g, enum dtype d);

/* B/s that all SMs together take in beyond HBM, as products need it: what several SMs or blocks share is
 * counted for each of them, so this is more than reads of the L2 alone would reach. */
double kernel_operand_bandwidth(const struct accelerator *g);

/* B of the L2 that serve all SMs. From the A100 on the L2 of the large chips consists of two
 * halves, each of which keeps what its own SMs read: weights, which all SMs read, stand in both. */
double kernel_l2_for_all(const struct accelerator *g);

/* The GPU's constants; those it does not have (0) follow from the three it has: 8 and 4 bits and
 * FP32 sustain what 16 bits do, fused attention 0.6 of that, and starts like four kernels. */
struct efficiency kernel_efficiency(const struct accelerator *g);
/* The fraction of the peak of type `math` that products sustain. */
double kernel_compute_ratio(const struct accelerator *g, enum dtype math);

/* The roofline of the datasheet: no kernel is faster. */
double datasheet_time_s(const struct accelerator *g, enum dtype d, double flops, double bytes);

/* launch + max(flops / (compute * peak), bytes / (memory * bandwidth)): what a well-written kernel
 * of that much work takes when its shape is unknown. */
double kernel_time_s(const struct accelerator *g, enum dtype d, double flops, double bytes);

/* C[m,n] = A[m,k] B[k,n]: m tokens, weights k x n of type d. Activations are of d too where the GPU
 * computes in it, otherwise in BF16 (weight-only quantisation); C is in BF16, or in d where that is
 * wider. Rows are stored k and n values long; a length that is no multiple of 16 B costs (eight
 * values of 16 bits), one that is no whole number counts as padded. */
double gemm_time_s(const struct accelerator *g, enum dtype d, double m, double n, double k);
/* Weights of one type, activations of another: done in the wider of the two, or in what the GPU
 * has for it. */
double gemm_mixed_time_s(const struct accelerator *g, enum dtype weights, enum dtype activations,
	double m, double n, double k);
/* `batch` such products at once, as the score matrices of attention's heads. */
double gemm_batch_time_s(
	const struct accelerator *g, enum dtype d, double batch, double m, double n, double k);
/* `groups` products at once in one kernel, each of m rows with weights of its own: the experts of a
 * mixture. */
double gemm_grouped_time_s(const struct accelerator *g, enum dtype weights, enum dtype activations,
	double groups, double m, double n, double k);
/* The least DRAM traffic of such a product, in B. */
double gemm_bytes(const struct accelerator *g, enum dtype d, double m, double n, double k);

/* A product as published benchmarks name it, the rounding of its inputs included. The ratios hold
 * on every GPU and refer to that GPU's constants; `make fit` sets them. */
struct gemm_format {
	const char *name; /* "bfloat16", "fp8", "fp8_block", "nvfp4", "sq", "int8_wo", ... */
	enum dtype math;
	double a_bytes, b_bytes; /* per value of the activations and the weights, with scales */
	double least_rows;       /* rows of the smallest tile */
	double most_splits;      /* parts into which k may be split */
	double vector_rows; /* up to so many rows a matrix-vector kernel, without tiles, does it */

	double compute_ratio;  /* share of what the type's plain product sustains */
	double native_ratio;   /* the same where the units multiply by block scales themselves */
	double depth_s;        /* an SM steps through the k of a tile no faster than this, per unit
			        * of k */
	double vector_depth_s; /* the same for a matrix-vector kernel */
	double quantise_ratio; /* multiple of the GPU's quantise_s that comes on top */
	double round_ratio;    /* share of the bandwidth at which activations are read in 16 bits
			        * and written rounded before the product; 0: they are not */
};
const struct gemm_format *gemm_format_find(const char *name); /* NULL if none */
double gemm_format_time_s(
	const struct accelerator *g, const struct gemm_format *f, double m, double n, double k);
/* `groups` such products at once, of inputs that are rounded already. */
double gemm_rounded_time_s(const struct accelerator *g, const struct gemm_format *f, double groups,
	double m, double n, double k);
/* The same product as aiconfigurator times it: again and again, taking copies of the weights in
 * turn, enough to fill the L2 but five at most, so that small weights stay in it. */
double gemm_rotated_time_s(
	const struct accelerator *g, const struct gemm_format *f, double m, double n, double k);

/* Whether the weights lie in the L2 in that case. */
bool gemm_rotated_in_l2(
	const struct accelerator *g, const struct gemm_format *f, double n, double k);
/* What rounding the inputs takes of either. */
double gemm_rounding_s(
	const struct accelerator *g, const struct gemm_format *f, double m, double k);

/* Fused (flash) attention, BF16 or narrower keys and values. */
struct attention_shape {
	double batch, q_heads, kv_heads, head_dim;
	double kv_bytes; /* per value: 2 for BF16, 1 for FP8 */
	bool full;       /* every query sees every key, as an encoder's */
};
/* Attention of new_tokens per sequence that follow `context` tokens already in the cache. */
double attention_prefill_time_s(const struct accelerator *g, const struct attention_shape *s,
	double new_tokens, double context);
/* One new token per sequence that attends to kv_len tokens. */
double attention_decode_time_s(
	const struct accelerator *g, const struct attention_shape *s, double kv_len);
/* The same as aiconfigurator times it: over one cache again and again, which the L2 keeps where it
 * can. */
double attention_replayed_time_s(
	const struct accelerator *g, const struct attention_shape *s, double kv_len);

/* The parts of decoding attention: a fixed one (rotary, append, the merge of split sequences); what
 * the blocks of the sequences, one for each KV head, take to start and end on the SMs; and the
 * stream of keys and values, which hides the blocks where it takes longer. */
double attention_fixed_s(const struct accelerator *g);
double attention_sequence_s(const struct accelerator *g, const struct attention_shape *s);
/* kv_tokens: of all sequences together; s->batch does not count. */
double attention_stream_s(
	const struct accelerator *g, const struct attention_shape *s, double kv_tokens);
/* The same where all heads attend to one latent vector of a token: `cached` values are read for all of
 * them, and each head multiplies with all of them for its scores and with `latent` for its sums. */
double attention_latent_stream_s(const struct accelerator *g, double heads, double cached,
	double latent, double kv_bytes, double kv_tokens);
/* The cube root of 1 to 2, where the library's takes ten times as long and a search asks for millions:
 * a line that is off by 1.3 % at most, and two steps of Halley's, each of which cubes the error. */
static inline double cube_root_near_one(double x)
{
	double y = 0.7534 + 0.2599 * x;
	y *= (y * y * y + 2 * x) / (2 * y * y * y + x);
	return y * (y * y * y + 2 * x) / (2 * y * y * y + x);
}

/* Of the sum of two cubes: how long two things take together that hide each other but for where they are
 * alike. */
static inline double root_of_cubes(double a, double b)
{
	double most = a > b ? a : b, least = a > b ? b : a;
	if (!(most > 0) || most == INFINITY)
		return most;
	double ratio = least / most;
	return most * cube_root_near_one(1 + ratio * ratio * ratio);
}

static inline double attention_joined_s(double fixed_s, double blocks_s, double stream_s)
{
	return fixed_s + root_of_cubes(blocks_s, stream_s);
}

/* Time of an element-wise or row-wise kernel (norm, activation, residual, softmax, rotary), which
 * only its traffic takes. */
double pointwise_time_s(const struct accelerator *g, double bytes);

/* All-reduce of `bytes` over n GPUs of one node inside a CUDA graph, as tensor parallelism does it
 * twice a layer. 0 for n <= 1. A GPU without a link goes over PCIe. */
double node_allreduce_time_s(const struct accelerator *g, double n, double bytes);

#endif
