/* ResNet-50 written down layer by layer, and each operation timed by itself: arithmetic in tiles
 * over the SMs, memory traffic by its bytes, and whether the two overlap. */
#include "sims/gpu/convnet.h"

#include "sims/base/array.h"

#include <assert.h>
#include <math.h>

/* The image as it goes through the network. */
struct conv_shape {
	double side, channels;
};

struct conv_list {
	struct conv_op *ops;
	size_t n;
};

static double elements(struct conv_shape s)
{
	return s.side * s.side * s.channels;
}

static void pass(struct conv_list *l, enum conv_op_kind kind, struct conv_shape s)
{
	assert(l->n < MOST_CONV_OPS);
	double in = (kind == CONV_ADD ? 2 : 1) * elements(s);
	l->ops[l->n++] = (struct conv_op){ .kind = kind, .in = in, .out = elements(s) };
}

/* A convolution and its batch norm. */
static struct conv_shape convolve(
	struct conv_list *l, struct conv_shape in, double kernel, double channels, double stride)
{
	assert(l->n < MOST_CONV_OPS);
	struct conv_shape out = { in.side / stride, channels };
	double k = kernel * kernel * in.channels;
	l->ops[l->n++] = (struct conv_op){ CONV_PRODUCT, out.side * out.side, channels, k,
		elements(in), elements(out), k * channels, kernel, stride, 0 };
	pass(l, CONV_NORM, out);
	return out;
}

static struct conv_shape bottleneck(
	struct conv_list *l, struct conv_shape in, double width, double stride)
{
	struct conv_shape s = convolve(l, in, 1, width, 1);
	pass(l, CONV_ACTIVATION, s);
	s = convolve(l, s, 3, width, stride);
	pass(l, CONV_ACTIVATION, s);
	s = convolve(l, s, 1, 4 * width, 1);
	if (in.channels != s.channels)
		convolve(l, in, 1, 4 * width, stride);
	pass(l, CONV_ADD, s);
	pass(l, CONV_ACTIVATION, s);
	return s;
}

static bool alike(const struct conv_op *a, const struct conv_op *b)
{
	return a->kind == b->kind && a->rows == b->rows && a->cols == b->cols && a->k == b->k &&
	       a->in == b->in && a->out == b->out && a->kernel == b->kernel &&
	       a->stride == b->stride;
}

/* The blocks of a stage repeat one another, and what is alike takes as long: so it is timed once. */
static size_t first_alike(const struct conv_op ops[], size_t i)
{
	enum { LONGEST_BLOCK = 12 };
	for (size_t back = 1; back <= LONGEST_BLOCK && back <= i; back++)
		if (alike(&ops[i - back], &ops[i]))
			return ops[i - back].like;
	return i;
}

size_t resnet50_ops(struct conv_op ops[MOST_CONV_OPS])
{
	static const int blocks[] = { 3, 4, 6, 3 };
	struct conv_list l = { ops, 0 };
	struct conv_shape s = convolve(&l, (struct conv_shape){ 224, 3 }, 7, 64, 2);
	pass(&l, CONV_ACTIVATION, s);
	pass(&l, CONV_POOL, s);
	s.side /= 2;
	double width = 64;
	for (int stage = 0; stage < 4; stage++, width *= 2)
		for (int i = 0; i < blocks[stage]; i++)
			s = bottleneck(&l, s, width, i == 0 && stage > 0 ? 2 : 1);
	pass(&l, CONV_POOL, s);
	l.ops[l.n++] = (struct conv_op){ CONV_PRODUCT, 1, 1000, s.channels, s.channels, 1000,
		s.channels * 1000, 0, 0, 0 };
	for (size_t i = 0; i < l.n; i++)
		ops[i].like = first_alike(ops, i);
	return l.n;
}

/* Multiplications of Winograd's F(2 x 2, 3 x 3): 16 for four outputs instead of 36. */
static const double winograd_ratio = 16. / 36;

/* CUDA cores run several small blocks on each SM, whose reading, arithmetic and writing overlap.
 * The large tiles of a Tensor Core kernel leave room for one block or two, and most convolutions
 * have short inner dimensions: gathering the operand and writing the tile stay beside the
 * arithmetic. */
static double convolution_s(const struct accelerator *g, enum dtype d, const struct conv_op *op,
	double compute_s, double memory_s)
{
	if (kernel_math_dtype(g, d) != DTYPE_FP32)
		return op->kernel > 0 ? compute_s + memory_s : fmax(compute_s, memory_s);
	bool winograd = op->kernel == 3 && op->stride == 1;
	return fmax((winograd ? winograd_ratio : 1) * compute_s, memory_s);
}

/* The arithmetic of a product in tiles over the SMs, with the inner dimension split where there are
 * too few tiles: small images at small batches leave most of the GPU idle. */
static double product_s(
	const struct accelerator *g, enum dtype d, double m, double n, double k, double most_splits)
{
	static const struct {
		double m, n, ratio; /* of the sustained peak: smaller tiles reuse less */
	} tiles[] = { { 128, 128, 1 }, { 128, 64, 0.9 }, { 64, 64, 0.75 } };
	enum dtype math = kernel_math_dtype(g, d);
	/* On CUDA cores the arithmetic of addresses takes the place of that of values, as long rows
	 * of a plain product do not. */
	double ratio =
		math == DTYPE_FP32 ? kernel_efficiency(g).compute : kernel_compute_ratio(g, math);
	double peak = kernel_peak_flops(g, d) * ratio;
	double sms = g->sm_count > 0 ? g->sm_count : 1, best = INFINITY;
	for (size_t i = 0; i < LENGTH(tiles); i++) {
		double blocks = ceil(m / tiles[i].m) * ceil(n / tiles[i].n), least = INFINITY;
		for (double split = 1; split <= most_splits && k / split >= 64; split *= 2) {
			double flops = 2 * tiles[i].m * tiles[i].n * k / split;
			double work = ceil(blocks * split / sms) * flops; /* of the busiest SM */
			least = work < least ? work : least;
		}
		double s = least / (peak / sms * tiles[i].ratio);
		best = s < best ? s : best;
	}
	return isfinite(best) ? best : 2 * m * n * k / peak;
}

/* What moves in B, in s: at what share of the bandwidth kernels reach. */
static double traffic_s(const struct accelerator *g, double bytes)
{
	return bytes / (kernel_efficiency(g).memory * g->bandwidth);
}

enum { MOST_SPLITS = 8 };

double conv_op_time_s(const struct accelerator *g, enum dtype d, const struct conv_op *op,
	double batch, bool fused, double *bytes)
{
	assert(batch >= 1);
	struct efficiency e = kernel_efficiency(g);
	double value = dtype_bytes(d), moved = batch * (op->in + op->out) * value;
	*bytes = 0;
	if (op->kind == CONV_PRODUCT) {
		moved += op->weights * value;
		*bytes = moved;
		double compute_s = product_s(g, d, batch * op->rows, op->cols, op->k, MOST_SPLITS);
		return e.launch_s + convolution_s(g, d, op, compute_s, traffic_s(g, moved));
	}
	if (!fused || op->kind == CONV_POOL) {
		*bytes = moved;
		return pointwise_time_s(g, moved);
	}
	if (op->kind == CONV_ADD) /* the epilogue reads the shortcut */
		*bytes = batch * op->out * value;
	return traffic_s(g, *bytes);
}

void conv_times(const struct accelerator *g, enum dtype d, const struct conv_op ops[], size_t n,
	double batch, bool fused, struct conv_time times[])
{
	for (size_t i = 0; i < n; i++)
		if (ops[i].like < i)
			times[i] = times[ops[i].like];
		else
			times[i].s = conv_op_time_s(g, d, &ops[i], batch, fused, &times[i].bytes);
}

/* --- Training --- */

/* Tensors as large as an operation's output that move, forward and backward together. A norm reads
 * its input for the statistics, again for its output, and writes that; backward it does so with two
 * tensors. An activation reads and writes; backward it reads two. An addition reads two and writes;
 * backward the gradients of what both branches got are added. Where norm, activation and addition
 * are one kernel, the sum is read once more and the gradients of its two terms are written. */
enum { NORM_PASSES = 3 + 5, ACTIVATION_PASSES = 2 + 3, ADD_PASSES = 3 + 3, FUSED_ADD_PASSES = 3 };

struct product_time {
	double s, arithmetic_s; /* all of it, and what its arithmetic takes */
};

/* Forward, for the input's gradient, for the weights': each moves input, output and weights. The
 * network's own input needs no gradient. Weights meet all pixels of the batch, so that there are as
 * many parts to their gradients as SMs. */
static struct product_time product_training(const struct accelerator *g,
	const struct conv_training *t, const struct conv_op *op, bool first)
{
	enum dtype d = t->dtype;
	double pixels = t->batch * op->rows, taps = op->kernel > 0 ? op->kernel * op->kernel : 1;
	double stride = op->stride > 0 ? op->stride * op->stride : 1;
	double channels = op->k / taps, values = t->batch * (op->in + op->out);
	double memory_s = (values + op->weights) * dtype_bytes(d) / t->bandwidth;
	double compute_s[] = { product_s(g, d, pixels, op->cols, op->k, MOST_SPLITS),
		product_s(g, d, op->k, op->cols, pixels, fmax(1, g->sm_count)),
		product_s(g, d, pixels * stride, channels, taps * op->cols / stride, MOST_SPLITS) };
	size_t n = first ? 2 : LENGTH(compute_s);
	struct product_time p = { 0 };
	for (size_t i = 0; i < n; i++) {
		double one_s = convolution_s(g, d, op, compute_s[i], memory_s);
		p.s += one_s;
		p.arithmetic_s += fmin(compute_s[i], one_s);
	}
	/* Tensor Cores take the channels of a pixel together: operands are turned around, read and
	 * written each, where the tensors have all pixels of a channel together. */
	bool turned = t->planar && op->kernel > 0 && kernel_math_dtype(g, d) != DTYPE_FP32;
	p.s += turned ? (double)n * 2 * values * dtype_bytes(d) / t->bandwidth : 0;
	return p;
}

double convnet_training_s(
	const struct accelerator *g, const struct conv_training *t, double *arithmetic_s)
{
	assert(t->batch > 0 && t->bandwidth > 0);
	struct conv_op ops[MOST_CONV_OPS];
	struct product_time products[MOST_CONV_OPS] = { { 0 } };
	size_t n = resnet50_ops(ops);
	double s = 0, value = dtype_bytes(t->dtype), passes = 0, arithmetic = 0;
	for (size_t i = 0; i < n; i++) {
		const struct conv_op *op = &ops[i];
		if (op->kind == CONV_PRODUCT) {
			products[i] = op->like < i ? products[op->like]
						   : product_training(g, t, op, i == 0);
			s += products[i].s;
			arithmetic += products[i].arithmetic_s;
		} else if (op->kind == CONV_POOL)
			passes += 2 * (op->in + op->out);
		else if (op->kind == CONV_NORM)
			passes += NORM_PASSES * op->out;
		else if (op->kind == CONV_ACTIVATION)
			passes += t->fused ? 0 : ACTIVATION_PASSES * op->out;
		else
			passes += (t->fused ? FUSED_ADD_PASSES : ADD_PASSES) * op->out;
	}
	if (arithmetic_s)
		*arithmetic_s = arithmetic;
	return s + t->batch * passes * value / t->bandwidth;
}
