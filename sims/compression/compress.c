/* The steps of a recipe in their order, and the size of what they leave. Each layer is compressed
 * on its own, with inputs from the network before compression. */
#include "sims/compression/compress.h"

#include "sims/constants.h"
#include "sims/formulas/compression.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *const storage_names[N_STORAGES] = {
	[STORED_DENSE] = "dense",
	[STORED_2_OF_4] = "2:4",
	[STORED_BITMAP] = "bitmap",
	[STORED_INDEXED] = "indexed",
};

static int look(struct calibrated *c, struct arena *a, const struct digits *images, bool curvature)
{
	c->n_blocks = images->n / LANES;
	if (mlp_inputs(&c->net, a, images, c->input))
		return -1;
	for (size_t k = 0; k < c->net.n_layers; k++) {
		size_t in = c->net.layer[k].in;
		if (channels_of(&c->channel[k], a, c->input[k], c->n_blocks, in))
			return -1;
		if (curvature && curvature_of(&c->curvature[k], a, c->input[k], c->n_blocks, in))
			return -1;
	}
	return 0;
}

static bool needs_curvature(const struct recipe *r)
{
	return r->quantiser.rounding != ROUND_NEAREST;
}

int calibrate(struct calibrated *c, struct arena *a, const struct mlp *net,
	const struct digits *images, const struct recipe *r)
{
	*c = (struct calibrated){ 0 };
	if (mlp_copy(&c->net, a, net))
		return -1;
	outliers_add(&c->net, (float)r->outliers);
	if (r->smoothing != SMOOTH_NONE) {
		if (look(c, a, images, false))
			return -1;
		for (size_t k = 1; k < net->n_layers; k++)
			channels_smooth(&c->net, k, c->channel[k], r->smoothing, r->strength);
	}
	return look(c, a, images, needs_curvature(r));
}

/* --- size ---------------------------------------------------------------------------------- */

double stored_bytes(const struct stored *s)
{
	return s->values + s->places + s->scales + s->biases;
}

static double index_bits(const struct mlp_layer *l)
{
	return ceil(log2((double)l->in));
}

/* Bits per weight of a layer in one of the forms. All its rows are alike. */
static double bits_in(enum storage form, double bits, double density, const struct mlp_layer *l)
{
	assert(form < N_STORAGES && density >= 0 && density <= 1);
	switch (form) {
	case STORED_2_OF_4: /* rows are padded to whole groups of four */
		return bits * CALL(sparse_storage_ratio, .bits = bits) * 4 *
		       ceil((double)l->in / 4) / (double)l->in;
	case STORED_BITMAP:
		return CALL(bitmap_sparse_bits, .bits = bits, .density = density);
	case STORED_INDEXED:
		return CALL(indexed_sparse_bits, .bits = bits, .index_bits = index_bits(l),
			.density = density);
	case STORED_DENSE:
	case N_STORAGES:
		break;
	}
	return bits;
}

static enum storage shortest(double bits, double density, const struct mlp_layer *l)
{
	double dense = bits_in(STORED_DENSE, bits, density, l);
	double bitmap = bits_in(STORED_BITMAP, bits, density, l);
	double indexed = bits_in(STORED_INDEXED, bits, density, l);
	if (bitmap <= indexed && bitmap < dense)
		return STORED_BITMAP;
	return indexed < dense ? STORED_INDEXED : STORED_DENSE;
}

static double count(const unsigned char *keep, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		kept += keep[i];
	return (double)kept;
}

static void store(struct stored *s, const struct mlp_layer *l, const unsigned char *keep,
	const struct recipe *r)
{
	const struct quantiser *q = &r->quantiser;
	double weights = (double)(l->in * l->out), kept = count(keep, l->in * l->out);
	double bits = q->bits, density = kept / weights;
	double scale_bytes = BF16_BYTES + (q->asymmetric ? bits / 8 : 0);
	enum storage form = r->pattern == PRUNE_2_OF_4 ? STORED_2_OF_4 : shortest(bits, density, l);
	double all = CALL(quant_bytes, .params = weights, .bits = bits_in(form, bits, density, l),
		.scales = 0, .scale_bytes = 0);
	double values = form == STORED_DENSE    ? all
			: form == STORED_2_OF_4 ? all * (bits / 2) / (bits / 2 + 1)
						: kept * bits / 8;
	s->values += values;
	s->places += all - values;
	s->scales += CALL(quant_bytes, .params = 0, .bits = bits, .scales = (double)scales_of(l, q),
		.scale_bytes = scale_bytes);
	s->biases += BF16_BYTES * (double)l->out;
	if (weights > s->largest) {
		s->largest = weights;
		s->form = form;
	}
	s->weights += weights;
	s->kept += kept;
}

/* --- compressing --------------------------------------------------------------------------- */

/* ReLU's outputs reach from 0 to the largest that was seen. */
static struct activation_grid activation_grid(
	const struct calibrated *c, size_t layer, unsigned bits)
{
	float largest = 0;
	if (layer == 0 || bits >= UNQUANTISED_BITS) /* pixels are whole numbers already */
		return (struct activation_grid){ 0 };
	for (size_t i = 0; i < c->net.layer[layer].in; i++)
		largest = fmaxf(largest, c->channel[layer][i].largest);
	double scale = CALL(
		asymmetric_quant_scale, .minimum = 0, .maximum = (double)largest, .bits = bits);
	return (struct activation_grid){ (float)scale, largest };
}

static int without_neurons(struct calibrated *small, struct arena *a, const struct calibrated *c,
	const struct digits *images, const struct recipe *r)
{
	*small = (struct calibrated){ 0 };
	if (prune_neurons(
		    &small->net, a, &c->net, r->sparsity, r->by_activation ? c->channel : NULL))
		return -1;
	return look(small, a, images, needs_curvature(r));
}

static int round_layer(struct compressed *out, struct arena *a, size_t k, const struct recipe *r)
{
	const struct calibrated *from = &out->from;
	struct mlp_layer *l = &out->net.layer[k];
	size_t n = l->in * l->out;
	bool masked = r->pattern != PRUNE_NEURONS;
	out->keep[k] = arena_alloc(a, n);
	if (!out->keep[k])
		return -1;
	memset(out->keep[k], 1, n);
	if (masked)
		prune_mask(out->keep[k], l, r->pattern, r->sparsity,
			r->by_activation ? from->channel[k] : NULL);
	out->grid[k] = activation_grid(from, k, r->activation_bits);
	store(&out->stored, l, out->keep[k], r);
	return layer_quantise(l, a, &r->quantiser, &from->curvature[k], out->keep[k]);
}

int compress(struct compressed *out, struct arena *a, const struct calibrated *c,
	const struct digits *images, const struct recipe *r)
{
	assert(r->sparsity >= 0 && r->sparsity <= 1);
	*out = (struct compressed){ .from = *c };
	if (r->pattern == PRUNE_NEURONS && r->sparsity > 0 &&
		without_neurons(&out->from, a, c, images, r))
		return -1;
	if (mlp_copy(&out->net, a, &out->from.net))
		return -1;
	for (size_t k = 0; k < out->net.n_layers; k++)
		if (round_layer(out, a, k, r))
			return -1;
	return 0;
}

double weight_snr_db(const struct compressed *c)
{
	double signal = 0, noise = 0;
	for (size_t k = 0; k < c->net.n_layers; k++) {
		const struct mlp_layer *before = &c->from.net.layer[k], *after = &c->net.layer[k];
		for (size_t i = 0; i < before->in * before->out; i++) {
			double w = (double)before->weight[i], off = w - (double)after->weight[i];
			signal += w * w;
			noise += off * off;
		}
	}
	return noise > 0 ? 10 * log10(signal / noise) : INFINITY;
}

int try_recipe(struct outcome *out, const struct calibrated *c, const struct digits *images,
	const struct digits *test, const struct recipe *r)
{
	struct arena a = { 0 };
	struct compressed it;
	unsigned char *answer = arena_array(&a, test->n, 1);
	int rc = !answer || compress(&it, &a, c, images, r) ? -1 : 0;
	if (rc == 0) {
		out->bytes = stored_bytes(&it.stored);
		out->accuracy =
			(double)mlp_answer(&it.net, it.grid, test, answer) / (double)test->n;
	}
	arena_release(&a);
	return rc;
}
