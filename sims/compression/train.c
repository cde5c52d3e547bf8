/* Training by hand: forward, backward and Adam for a network of a few layers, LANES images a step.
 *
 * Forward keeps the inputs of every layer. Backward starts from the gradient of the loss with
 * respect to the outputs, divided by the images of the batch; a layer's weight gradient is the
 * product of that with the layer's inputs, and the gradient goes on to the layer before it through
 * the transposed weights, where ReLU let the input pass. Adam then moves every weight by its
 * running mean over the root of its running square (Kingma and Ba, 2014), with a rate that falls to
 * 0 along a line; weights decay apart from that (AdamW).
 *
 * With a teacher the loss is that of distillation (Hinton et al., 2015): both answers are softened
 * by a temperature, and the student learns the teacher's shares of the classes.
 *
 * The results travel with the program and must come out the same on every machine: sums have a
 * fixed order, the exponential function is a polynomial of our own, and normal numbers are
 * sums of uniform ones. */
#include "sims/compression/train.h"

#include "sims/base/array.h"
#include "sims/base/rng.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Adam's two running means for each weight or bias. */
struct moments {
	float *gradient, *mean, *square;
};
struct layer_state {
	struct moments weight, bias;
	float *transposed;
};
struct student {
	struct mlp *net;
	const struct lesson *how;
	struct layer_state state[MLP_LAYERS];
	float *input[MLP_LAYERS + 1]; /* of each layer, and the outputs: [neuron][lane] */
	float *delta;                 /* of the loss with respect to a layer's outputs */
	unsigned step, steps;
	float left1, left2; /* beta^step: how much of the start at 0 is left in the means */
};

/* e^x for x <= 0 as 2^k times a polynomial, since the last bit of libm's differs from machine to
 * machine. */
static double exponential(double x)
{
	static const double ln2 = 0.693147180559945309417;
	static const double series[] = { 1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720,
		1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800, 1. / 39916800, 1. / 479001600 };
	if (x < -700)
		return 0;
	int k = (int)(x / ln2 - 0.5);
	double r = x - k * ln2, sum = 0;
	for (size_t i = LENGTH(series); i-- > 0;)
		sum = series[i] + sum * r;
	return ldexp(sum, k);
}

/* Shares of the classes when the outputs are divided by a temperature. */
static void softmax(const float output[DIGIT_CLASSES], double temperature, double p[DIGIT_CLASSES])
{
	double most = output[0], sum = 0;
	for (size_t c = 1; c < DIGIT_CLASSES; c++)
		most = output[c] > most ? output[c] : most;
	for (size_t c = 0; c < DIGIT_CLASSES; c++)
		sum += p[c] = exponential((output[c] - most) / temperature);
	for (size_t c = 0; c < DIGIT_CLASSES; c++)
		p[c] /= sum;
}

void distillation_gradient(const float output[DIGIT_CLASSES], const float target[DIGIT_CLASSES],
	unsigned label, const struct lesson *how, float gradient[DIGIT_CLASSES])
{
	assert(label < DIGIT_CLASSES);
	double hard[DIGIT_CLASSES], soft[DIGIT_CLASSES], wanted[DIGIT_CLASSES];
	double t = how->temperature, lambda = how->teacher_weight;
	softmax(output, 1, hard);
	for (size_t c = 0; c < DIGIT_CLASSES; c++)
		gradient[c] = (float)((1 - lambda) * (hard[c] - (c == label)));
	if (!(lambda > 0))
		return;
	softmax(output, t, soft);
	softmax(target, t, wanted);
	for (size_t c = 0; c < DIGIT_CLASSES;
		c++) /* T^2 of the loss, 1/T of its inner derivative */
		gradient[c] += (float)(lambda * t * (soft[c] - wanted[c]));
}

static int moments_new(struct moments *m, struct arena *a, size_t n)
{
	m->gradient = arena_array(a, n, sizeof *m->gradient);
	m->mean = arena_array(a, n, sizeof *m->mean);
	m->square = arena_array(a, n, sizeof *m->square);
	return a->failed ? -1 : 0;
}

/* Normal weights of the size that keeps the variance from layer to layer under ReLU (He et al.,
 * 2015). */
static int student_init(struct student *s, struct arena *a, uint64_t seed)
{
	for (size_t k = 0; k < s->net->n_layers; k++) {
		struct mlp_layer *l = &s->net->layer[k];
		size_t n = l->in * l->out;
		struct rng rng = rng_stream(seed, "weights", k);
		double spread = sqrt(2 / (double)l->in);
		if (moments_new(&s->state[k].weight, a, n) ||
			moments_new(&s->state[k].bias, a, l->out))
			return -1;
		s->state[k].transposed = arena_array(a, n, sizeof(float));
		s->input[k] = arena_array(a, l->in * LANES, sizeof(float));
		for (size_t i = 0; i < n; i++) {
			/* A sum of uniform numbers: rng_normal needs a logarithm. */
			double sum = -6;
			for (int j = 0; j < 12; j++)
				sum += rng_uniform(&rng);
			l->weight[i] = (float)(spread * sum);
		}
		memset(l->bias, 0, l->out * sizeof *l->bias);
	}
	s->input[s->net->n_layers] = arena_array(a, DIGIT_CLASSES * LANES, sizeof(float));
	s->delta = arena_array(a, MLP_WIDTH * LANES, sizeof(float));
	return a->failed ? -1 : 0;
}

static void forward(const struct mlp *m, float *const input[])
{
	for (size_t k = 0; k < m->n_layers; k++)
		layer_forward(&m->layer[k], input[k], input[k + 1], k + 1 < m->n_layers);
}

/* weight gradient[o][i] = sum over lanes of delta[o] x[i]. */
static void layer_gradient(
	const struct mlp_layer *l, struct layer_state *s, const float *x, const float *delta)
{
	for (size_t o = 0; o < l->out; o++) {
		const float *d = delta + o * LANES;
		float sum = 0;
		for (size_t b = 0; b < LANES; b++)
			sum += d[b];
		s->bias.gradient[o] = sum;
		for (size_t i = 0; i < l->in; i++)
			s->weight.gradient[o * l->in + i] = lanes_dot(d, x + i * LANES);
	}
}

/* delta with respect to the layer's inputs, where ReLU let them through. */
static void layer_backward(
	const struct mlp_layer *l, float *transposed, const float *x, float *delta)
{
	float nothing[MLP_WIDTH] = { 0 }, out[MLP_WIDTH * LANES];
	struct mlp_layer back = { l->out, l->in, transposed, nothing };
	for (size_t o = 0; o < l->out; o++)
		for (size_t i = 0; i < l->in; i++)
			transposed[i * l->out + o] = l->weight[o * l->in + i];
	layer_forward(&back, delta, out, false);
	for (size_t i = 0; i < l->in * LANES; i++)
		delta[i] = x[i] > 0 ? out[i] : 0;
}

static const float beta1 = 0.9F, beta2 = 0.999F; /* Adam's, by Kingma and Ba */

static void adam(const struct student *s, struct moments *m, float *w, size_t n, float decay)
{
	static const float epsilon = 1e-8F;
	float mean_share = 1 - s->left1, square_share = 1 - s->left2;
	float rate = s->how->rate * (float)(s->steps - s->step + 1) / (float)s->steps;
	for (size_t i = 0; i < n; i++) {
		float g = m->gradient[i];
		m->mean[i] = beta1 * m->mean[i] + (1 - beta1) * g;
		m->square[i] = beta2 * m->square[i] + (1 - beta2) * g * g;
		float size = sqrtf(m->square[i] / square_share) + epsilon;
		w[i] -= rate * (m->mean[i] / mean_share / size + decay * w[i]);
	}
}

static void learn(struct student *s, const float *target, const unsigned char label[LANES])
{
	struct mlp *m = s->net;
	const float *output = s->input[m->n_layers];
	forward(m, s->input);
	for (size_t b = 0; b < LANES; b++) {
		float out[DIGIT_CLASSES], wanted[DIGIT_CLASSES], gradient[DIGIT_CLASSES];
		for (size_t c = 0; c < DIGIT_CLASSES; c++) {
			out[c] = output[c * LANES + b];
			wanted[c] = target[c * LANES + b];
		}
		distillation_gradient(out, wanted, label[b], s->how, gradient);
		for (size_t c = 0; c < DIGIT_CLASSES; c++)
			s->delta[c * LANES + b] = gradient[c] / LANES;
	}
	s->step++;
	s->left1 *= beta1;
	s->left2 *= beta2;
	for (size_t k = m->n_layers; k-- > 0;) {
		struct mlp_layer *l = &m->layer[k];
		layer_gradient(l, &s->state[k], s->input[k], s->delta);
		if (k > 0)
			layer_backward(l, s->state[k].transposed, s->input[k], s->delta);
		adam(s, &s->state[k].weight, l->weight, l->in * l->out, s->how->decay);
		adam(s, &s->state[k].bias, l->bias, l->out, 0);
	}
}

static void gather(const struct digits *d, const size_t order[], float *x, unsigned char *label)
{
	for (size_t b = 0; b < LANES; b++) {
		label[b] = d->label[order[b]];
		for (size_t i = 0; i < DIGIT_PIXELS; i++)
			x[i * LANES + b] = digit_ink(d, order[b], i);
	}
}

static int teach(
	struct student *s, struct arena *a, const struct digits *d, const struct mlp *teacher)
{
	size_t *order = arena_array(a, d->n, sizeof *order), batches = d->n / LANES;
	float *answer[MLP_LAYERS + 1] = { s->input[0] };
	const struct mlp *asked = teacher ? teacher : s->net;
	for (size_t k = 1; k <= asked->n_layers; k++)
		answer[k] = arena_array(a, MLP_WIDTH * LANES, sizeof(float));
	if (a->failed)
		return -1;
	for (size_t i = 0; i < d->n; i++)
		order[i] = i;
	s->left1 = s->left2 = 1;
	s->steps = (unsigned)batches * s->how->epochs;
	struct rng rng = rng_stream(s->how->seed, "order", 0);
	for (unsigned epoch = 0; epoch < s->how->epochs; epoch++) {
		rng_shuffle(&rng, order, d->n, sizeof *order);
		for (size_t i = 0; i < batches; i++) {
			unsigned char label[LANES];
			gather(d, order + i * LANES, s->input[0], label);
			if (teacher)
				forward(teacher, answer);
			learn(s, answer[asked->n_layers], label);
		}
	}
	return 0;
}

int mlp_train(
	struct mlp *m, const struct digits *d, const struct mlp *teacher, const struct lesson *how)
{
	assert(teacher || how->teacher_weight <= 0);
	assert(how->epochs > 0 && how->rate > 0);
	struct arena a = { 0 };
	struct student s = { .net = m, .how = how };
	int rc = student_init(&s, &a, how->seed) || teach(&s, &a, d, teacher) ? -1 : 0;
	arena_release(&a);
	return rc;
}
