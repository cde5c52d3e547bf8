/* The inner loops work on LANES images side by side, four or eight at a time, so that compilers need not
 * find the parallelism. The order of every sum is fixed, and with it every bit of the result, whatever
 * the processor. */
#include "sims/compression/mlp.h"

#include <assert.h>
#include <string.h>

int mlp_new(struct mlp *m, struct arena *a, const size_t widths[], size_t n_layers)
{
	assert(n_layers > 0 && n_layers <= MLP_LAYERS);
	*m = (struct mlp){ .n_layers = n_layers };
	for (size_t k = 0; k < n_layers; k++) {
		struct mlp_layer *l = &m->layer[k];
		assert(widths[k] <= MLP_WIDTH && widths[k + 1] <= MLP_WIDTH);
		*l = (struct mlp_layer){ .in = widths[k], .out = widths[k + 1] };
		l->weight = arena_array(a, l->in * l->out, sizeof *l->weight);
		l->bias = arena_array(a, l->out, sizeof *l->bias);
		if (!l->weight || !l->bias)
			return -1;
	}
	return 0;
}

int mlp_copy(struct mlp *m, struct arena *a, const struct mlp *from)
{
	size_t widths[MLP_LAYERS + 1] = { from->layer[0].in };
	for (size_t k = 0; k < from->n_layers; k++)
		widths[k + 1] = from->layer[k].out;
	if (mlp_new(m, a, widths, from->n_layers))
		return -1;
	for (size_t k = 0; k < m->n_layers; k++) {
		const struct mlp_layer *old = &from->layer[k];
		memcpy(m->layer[k].weight, old->weight, old->in * old->out * sizeof(float));
		memcpy(m->layer[k].bias, old->bias, old->out * sizeof(float));
	}
	return 0;
}

size_t mlp_weights(const struct mlp *m)
{
	size_t n = 0;
	for (size_t k = 0; k < m->n_layers; k++)
		n += m->layer[k].in * m->layer[k].out;
	return n;
}

size_t mlp_biases(const struct mlp *m)
{
	size_t n = 0;
	for (size_t k = 0; k < m->n_layers; k++)
		n += m->layer[k].out;
	return n;
}

/* Four lanes that one instruction handles. They are loaded by memcpy, since a cast would break the
 * rules of aliasing. */
typedef float quad __attribute__((vector_size(16)));
enum { QUAD = 4, QUADS = LANES / QUAD };

static inline quad load(const float *x)
{
	quad q;
	memcpy(&q, x, sizeof q);
	return q;
}

static void forward_quads(const struct mlp_layer *l, const float *x, float *y, bool relu)
{
	for (size_t o = 0; o < l->out; o++) {
		const float *w = l->weight + o * l->in;
		float bias = l->bias[o], *out = y + o * LANES;
		quad a = { bias, bias, bias, bias }, b = a, c = a, d = a;
		for (size_t i = 0; i < l->in; i++) {
			const float *lane = x + i * LANES;
			a += w[i] * load(lane);
			b += w[i] * load(lane + QUAD);
			c += w[i] * load(lane + 2 * QUAD);
			d += w[i] * load(lane + 3 * QUAD);
		}
		memcpy(out, &a, sizeof a);
		memcpy(out + QUAD, &b, sizeof b);
		memcpy(out + 2 * QUAD, &c, sizeof c);
		memcpy(out + 3 * QUAD, &d, sizeof d);
		for (size_t lane = 0; relu && lane < LANES; lane++)
			out[lane] = out[lane] > 0 ? out[lane] : 0;
	}
}

#if defined __x86_64__
/* The same where an instruction handles eight lanes, with four outputs together, which share what is loaded of the
 * inputs. Products and sums are rounded by themselves, as everywhere: no bit differs. */
typedef float oct __attribute__((vector_size(32)));
enum { OCT = 8, TOGETHER = 4 };
static_assert(LANES == 2 * OCT, "a block of images is two of them");
#define AVX2 __attribute__((target("avx2")))

typedef int oct_bits __attribute__((vector_size(32)));

/* A comparison says all bits or none of each lane, and what is not more than 0 has none afterwards. */
AVX2 static void store_oct(float *y, const oct *x, bool relu)
{
	oct_bits bits;
	memcpy(&bits, x, sizeof bits);
	if (relu)
		bits &= *x > (oct){ 0 };
	memcpy(y, &bits, sizeof bits);
}

AVX2 static void store(float *y, const oct *low, const oct *high, bool relu)
{
	store_oct(y, low, relu);
	store_oct(y + OCT, high, relu);
}

AVX2 static void four_outputs(
	size_t in, const float *w, const float *bias, const float *x, float *y, bool relu)
{
	oct a = (oct){ 0 } + bias[0], b = (oct){ 0 } + bias[1];
	oct c = (oct){ 0 } + bias[2], d = (oct){ 0 } + bias[3];
	oct a2 = a, b2 = b, c2 = c, d2 = d, low, high;
	for (size_t i = 0; i < in; i++) {
		memcpy(&low, x + i * LANES, sizeof low);
		memcpy(&high, x + i * LANES + OCT, sizeof high);
		a += w[i] * low;
		a2 += w[i] * high;
		b += w[in + i] * low;
		b2 += w[in + i] * high;
		c += w[2 * in + i] * low;
		c2 += w[2 * in + i] * high;
		d += w[3 * in + i] * low;
		d2 += w[3 * in + i] * high;
	}
	store(y, &a, &a2, relu);
	store(y + LANES, &b, &b2, relu);
	store(y + 2 * LANES, &c, &c2, relu);
	store(y + 3 * LANES, &d, &d2, relu);
}

AVX2 static void one_output(
	size_t in, const float *w, float bias, const float *x, float *y, bool relu)
{
	oct a = (oct){ 0 } + bias, a2 = a, low, high;
	for (size_t i = 0; i < in; i++) {
		memcpy(&low, x + i * LANES, sizeof low);
		memcpy(&high, x + i * LANES + OCT, sizeof high);
		a += w[i] * low;
		a2 += w[i] * high;
	}
	store(y, &a, &a2, relu);
}

AVX2 static void forward_octs(const struct mlp_layer *l, const float *x, float *y, bool relu)
{
	size_t o = 0;
	for (; o + TOGETHER <= l->out; o += TOGETHER)
		four_outputs(l->in, l->weight + o * l->in, l->bias + o, x, y + o * LANES, relu);
	for (; o < l->out; o++)
		one_output(l->in, l->weight + o * l->in, l->bias[o], x, y + o * LANES, relu);
}
#endif

void layer_forward(const struct mlp_layer *l, const float *x, float *y, bool relu)
{
#if defined __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		forward_octs(l, x, y, relu);
		return;
	}
#endif
	forward_quads(l, x, y, relu);
}

float lanes_dot(const float *x, const float *y)
{
	quad sum = load(x) * load(y) + load(x + QUAD) * load(y + QUAD);
	sum += load(x + 2 * QUAD) * load(y + 2 * QUAD) + load(x + 3 * QUAD) * load(y + 3 * QUAD);
	return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Rounded to the nearest multiple; what is too large becomes the largest there is. */
static void to_grid(float *x, size_t n, struct activation_grid g)
{
	for (size_t i = 0; i < n; i++) {
		float up = (x[i] < g.most ? x[i] : g.most) / g.scale + 0.5F;
		x[i] = g.scale * (float)(int)up;
	}
}

static unsigned char best_class(const float *y, size_t lane)
{
	size_t best = 0;
	for (size_t c = 1; c < DIGIT_CLASSES; c++)
		if (y[c * LANES + lane] > y[best * LANES + lane])
			best = c;
	return (unsigned char)best;
}

size_t mlp_answer(const struct mlp *m, const struct activation_grid *grid, const struct digits *d,
	unsigned char *answer)
{
	float y[2][MLP_WIDTH * LANES];
	size_t right = 0;
	for (size_t block = 0; block < d->n_blocks; block++) {
		const float *x = d->x + block * DIGIT_PIXELS * LANES;
		for (size_t k = 0; k < m->n_layers; k++) {
			const struct mlp_layer *l = &m->layer[k];
			layer_forward(l, x, y[k % 2], k + 1 < m->n_layers);
			if (grid && k + 1 < m->n_layers && grid[k + 1].scale > 0)
				to_grid(y[k % 2], l->out * LANES, grid[k + 1]);
			x = y[k % 2];
		}
		for (size_t b = 0; b < LANES && block * LANES + b < d->n; b++) {
			size_t image = block * LANES + b;
			answer[image] = best_class(x, b);
			right += answer[image] == d->label[image];
		}
	}
	return right;
}

int mlp_inputs(const struct mlp *m, struct arena *a, const struct digits *d,
	const float *input[MLP_LAYERS])
{
	input[0] = d->x;
	for (size_t k = 0; k + 1 < m->n_layers; k++) {
		const struct mlp_layer *l = &m->layer[k];
		float *y = arena_array(a, d->n_blocks * l->out * LANES, sizeof *y);
		if (!y)
			return -1;
		for (size_t block = 0; block < d->n_blocks; block++)
			layer_forward(l, input[k] + block * l->in * LANES,
				y + block * l->out * LANES, true);
		input[k + 1] = y;
	}
	return 0;
}
