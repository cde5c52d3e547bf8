/* A layer is its products, by rows, and its attention. Products that every token passes are those of a
 * plain layer; experts get the rows of all copies. */
#include "sims/gpu/engine_parts.h"

#include "sims/constants.h"
#include "sims/base/array.h"

#include <assert.h>
#include <math.h>

struct laid {
	const struct architecture *a;
	const struct accelerator *g;
	const struct engine_layout *how;
	enum dtype weights, activations, kv;
	struct network net;
};

/* --- Products --- */

/* Where the activations follow the weights, those of a part follow that part's; and where a part is
 * published in fewer bits than were asked for, its kernels multiply in the least that the GPU has of 8
 * bits and more: four-bit weights are widened. */
static enum dtype part_activations(const struct laid *l, enum dtype part)
{
	if (dtype_bytes(part) >= dtype_bytes(l->weights) || l->activations != l->weights)
		return l->activations;
	enum dtype math = dtype_bytes(part) < 1 ? DTYPE_FP8 : part;
	return kernel_math_dtype(l->g, math) == math ? math : DTYPE_BF16;
}

/* Weights that are published in FP8 with a scale for each block are multiplied in blocks, and their
 * inputs rounded in groups that match; NULL: plain products. */
static const struct gemm_format *part_format(const struct laid *l, enum dtype part)
{
	bool blocks = l->a->fp8_blocks && part == DTYPE_FP8 &&
		      part_activations(l, part) == DTYPE_FP8 &&
		      kernel_math_dtype(l->g, DTYPE_FP8) == DTYPE_FP8;
	return blocks ? gemm_format_find("fp8_block") : NULL;
}

static double product_s(
	const struct laid *l, enum weight_part part, double rows, double n, double k)
{
	enum dtype weights = part_dtype(l->a, part, l->weights);
	const struct gemm_format *format = part_format(l, weights);
	if (!(n > 0 && k > 0))
		return 0;
	return format ? gemm_format_time_s(l->g, format, rows, n, k)
		      : gemm_mixed_time_s(l->g, weights, part_activations(l, weights), rows, n, k);
}

/* Queries, keys and values in one product, the output in another. What a family has beyond them
 * (gates, indexers) stands as one more. */
static double heads_products_s(const struct laid *l, const struct mixer *m, double rows)
{
	const double h = l->a->hidden, tp = l->how->tp;
	double kv = m->kv_heads * (m->key_dim + m->value_dim);
	double q = m->heads * m->key_dim, out = m->heads * m->value_dim;
	double more = fmax(0, m->matrices - h * (q + kv + out));
	double kv_here = fmax(1 / m->kv_heads, 1 / tp) * kv;
	return product_s(l, PART_MIXING, rows, q / tp + kv_here + more / h / tp, h) +
	       product_s(l, PART_MIXING, rows, h, out / tp);
}

/* Queries through their latent vector, one vector and a rotated part for the keys and values of all
 * heads; in decoding queries and output are carried into the latent space and back, which are the same
 * weights as bringing keys and values out of it. */
static double latent_products_s(const struct laid *l, const struct mixer *m, double rows)
{
	const double h = l->a->hidden, tp = l->how->tp;
	double q = m->heads * m->key_dim, rope = m->cache_elements - m->latent;
	double up = m->heads * (m->key_dim - rope + m->value_dim), out = m->heads * m->value_dim;
	double known = (m->query_latent > 0 ? m->query_latent * (h + q) : h * q) +
		       h * m->cache_elements + m->latent * up + out * h;
	double down = m->cache_elements + m->query_latent + fmax(0, m->matrices - known) / h;
	double q_depth = m->query_latent > 0 ? m->query_latent : h;
	return product_s(l, PART_MIXING, rows, down, h) +
	       product_s(l, PART_MIXING, rows, q / tp, q_depth) +
	       product_s(l, PART_MIXING, rows, up / tp, m->latent) +
	       product_s(l, PART_MIXING, rows, h, out / tp);
}

/* States: what goes in, and a third of it out. */
static double state_products_s(const struct laid *l, const struct mixer *m, double rows)
{
	const double h = l->a->hidden, width = m->matrices / h / l->how->tp;
	return product_s(l, PART_MIXING, rows, 2 * width / 3, h) +
	       product_s(l, PART_MIXING, rows, h, width / 3);
}

static double mixer_products_s(const struct laid *l, const struct mixer *m, double rows)
{
	if (m->kind == MIXING_NONE)
		return 0;
	if (m->kind == MIXING_LATENT)
		return latent_products_s(l, m, rows);
	return m->cache_elements > 0 ? heads_products_s(l, m, rows) : state_products_s(l, m, rows);
}

static double dense_products_s(
	const struct laid *l, enum weight_part part, double matrices, double width, double rows)
{
	const double h = l->a->hidden, here = width / l->how->tp;
	return product_s(l, part, rows, (matrices / width / h - 1) * here, h) +
	       product_s(l, part, rows, h, here);
}

/* --- Experts --- */

static struct experts experts_even(const struct laid *l, const struct feed *f)
{
	const struct engine_layout *how = l->how;
	enum dtype weights = part_dtype(l->a, PART_EXPERTS, l->weights);
	struct experts e = experts_of(f, l->a->hidden, how->ep, how->tp * how->copies / how->ep,
		weights, part_activations(l, weights));
	e.format = part_format(l, weights);
	return e;
}

static struct experts experts_here(const struct laid *l, const struct feed *f, double tokens)
{
	struct experts e = experts_even(l, f);
	e.hot = fmax(1, l->how->hot) * experts_chance_peak(l->how->ep, tokens * e.per_token);
	return e;
}

struct experts engine_experts(const struct architecture *a, const struct accelerator *g,
	const struct engine_layout *how, const struct feed *f, enum dtype weights,
	enum dtype activations)
{
	struct laid l = {
		.a = a, .g = g, .how = how, .weights = weights, .activations = activations
	};
	return experts_even(&l, f);
}

/* rows: of one copy. */
static double experts_s(const struct laid *l, const struct feed *f, double rows)
{
	double tokens = rows * l->how->copies;
	const struct experts e = experts_here(l, f, tokens);
	return experts_products_s(l->g, &e, tokens) +
	       experts_routing_s(l->g, &e, rows, experts_rows(&e, tokens));
}

/* Every GPU of a group has a part of each of its experts, so that a token goes to all of them. There in
 * the type of the products, back in 16 bits. handed_on: of that, what is handed on between nodes. */
static double exchange_s(const struct laid *l, const struct feed *f, double rows, double *handed_on)
{
	const struct engine_layout *how = l->how;
	const double gpus = how->tp * how->copies, mine = rows / how->tp;
	const struct experts e = experts_here(l, f, rows * how->copies);
	const struct expert_travel mesh = { &l->net, gpus, how->ep };
	double sent = experts_sent_tokens(&e, how->ep, mine) * gpus / how->ep * l->a->hidden;
	const double bytes[] = { dtype_bytes(e.activations), BF16_BYTES };
	double s = 0;
	*handed_on = 0;
	for (size_t i = 0; i < LENGTH(bytes); i++) {
		double way_s = experts_travel_s(&e, &mesh, mine, sent * bytes[i]);
		s += way_s;
		*handed_on += experts_hand_on(&mesh, mine) ? way_s : 0;
	}
	return s;
}

/* --- Layers --- */

typedef double of_group(const struct laid *l, const struct layer_group *group, double rows);

static double group_products_s(const struct laid *l, const struct layer_group *group, double rows)
{
	const struct feed *f = &group->feed;
	double s = mixer_products_s(l, &group->mixer, rows);
	if (f->width > 0)
		s += dense_products_s(l, PART_DENSE, f->matrices, f->width, rows);
	if (f->shared > 0)
		s += dense_products_s(
			l, PART_SHARED, f->shared, feed_shared_width(f, l->a->hidden), rows);
	return s;
}

static double group_experts_s(const struct laid *l, const struct layer_group *group, double rows)
{
	return group->feed.experts > 0 ? experts_s(l, &group->feed, rows) : 0;
}

static double group_exchange_s(const struct laid *l, const struct layer_group *group, double rows)
{
	double handed_on;
	return group->feed.experts > 0 ? exchange_s(l, &group->feed, rows, &handed_on) : 0;
}

/* While tokens are handed on, the SMs that do it compute nothing. */
static double group_aside_s(const struct laid *l, const struct layer_group *group, double rows)
{
	double handed_on;
	if (!(group->feed.experts > 0 && l->g->sm_count > EXCHANGE_SMS))
		return 0;
	exchange_s(l, &group->feed, rows, &handed_on);
	return handed_on * EXCHANGE_SMS / l->g->sm_count;
}

static double group_all_s(const struct laid *l, const struct layer_group *group, double rows)
{
	return group_products_s(l, group, rows) + group_experts_s(l, group, rows);
}

/* Two halves of a batch read their weights twice. */
static double layers_s(const struct laid *l, of_group *of, double rows)
{
	double s = 0, halves = l->how->overlap ? 2 : 1;
	for (size_t i = 0; i < l->a->n_groups; i++)
		s += (double)l->a->groups[i].n * of(l, &l->a->groups[i], rows / halves);
	return halves * s;
}

static bool has_experts(const struct architecture *a)
{
	for (size_t i = 0; i < a->n_groups; i++)
		if (a->groups[i].feed.experts > 0)
			return true;
	return false;
}

/* Tables begin at no rows and are straight up to sixteen: so the first point is where the line
 * through one row and sixteen begins. Few tokens touch ever more experts, and have a point for each
 * number of rows. */
static void fill(struct engine_table *t, const struct laid *l, of_group *of)
{
	const double rows = l->how->only ? l->how->only->linear : ENGINE_ANY_ROWS;
	for (size_t i = 0; i < ENGINE_POINTS; i++)
		if (engine_point_is_read(i, rows))
			t->s[i] = layers_s(l, of, engine_point_rows(i));
	t->few[1] = t->s[0];
	t->s[0] = fmax(0, t->s[0] - (t->s[1] - t->s[0]) / (ENGINE_FINE_STEP - 1));
	t->curved = has_experts(l->a) && !l->how->apart && rows < ENGINE_FINE_STEP;
	for (size_t i = 2; t->curved && i < ENGINE_FINE_STEP; i++)
		t->few[i] = layers_s(l, of, (double)i);
	t->few[ENGINE_FINE_STEP] = t->s[1];
	t->few[0] = fmax(0, 2 * t->few[1] - t->few[2]);
	engine_table_close(t);
}

/* Heads of several GPUs' worth share nothing; a latent vector lies on each GPU whole, and its blocks
 * take 64 heads at once. */
static struct engine_attention latent_attention(
	const struct laid *l, const struct mixer *m, double layers)
{
	const double heads_of_block = 64;
	const double heads = m->heads / l->how->tp, kv_bytes = dtype_bytes(l->kv);
	const struct attention_shape open = { .batch = 1,
		.q_heads = heads,
		.kv_heads = heads,
		.head_dim = (m->key_dim + m->value_dim) / 2,
		.kv_bytes = kv_bytes };
	const struct attention_shape absorbed = {
		.batch = 1, .q_heads = heads, .kv_heads = ceil(heads / heads_of_block)
	};
	struct engine_attention at = engine_attention_of(l->g, &open, layers, 0);
	at.decode_s_per_seq = attention_sequence_s(l->g, &absorbed);
	at.kv_s_per_token =
		attention_latent_stream_s(l->g, heads, m->cache_elements, m->latent, kv_bytes, 1);
	return at;
}

/* A state is read and written once a token in decoding; a prompt's chunks multiply with it. */
static struct engine_attention state_attention(
	const struct laid *l, const struct mixer *m, double layers)
{
	const double state = m->state_elements / l->how->tp, flops_each = 4;
	const double fixed_s = attention_fixed_s(l->g);
	return (struct engine_attention){ .layers = layers,
		.decode_fixed_s = fixed_s,
		.decode_s_per_seq = pointwise_time_s(l->g, 2 * state * dtype_bytes(l->kv)) -
				    pointwise_time_s(l->g, 0),
		.prefill_fixed_s = layers * fixed_s,
		.prefill_s_per_token =
			layers * (kernel_time_s(l->g, DTYPE_BF16, flops_each * state, 0) -
					 kernel_time_s(l->g, DTYPE_BF16, 0, 0)) };
}

static struct engine_attention heads_attention(
	const struct laid *l, const struct mixer *m, double layers)
{
	const struct attention_shape s = { .batch = 1,
		.q_heads = m->heads / l->how->tp,
		.kv_heads = fmax(1, m->kv_heads / l->how->tp),
		.head_dim = (m->key_dim + m->value_dim) / 2,
		.kv_bytes = dtype_bytes(l->kv) };
	return engine_attention_of(l->g, &s, layers, m->window);
}

static void add_attention(struct engine_shape *e, const struct laid *l)
{
	for (size_t i = 0; i < l->a->n_groups; i++) {
		const struct mixer *m = &l->a->groups[i].mixer;
		const double n = (double)l->a->groups[i].n;
		if (m->kind == MIXING_NONE)
			continue;
		assert(e->n_attention < ENGINE_ATTENTIONS);
		e->attention[e->n_attention++] = m->kind == MIXING_LATENT
							 ? latent_attention(l, m, n)
						 : m->cache_elements > 0 ? heads_attention(l, m, n)
									 : state_attention(l, m, n);
	}
}

/* Two norms with their residuals in each layer, the gate of a dense part, and the all-reduces: of
 * attention, and of what follows it unless tokens travel. */
static void add_pointwise_and_sync(struct engine_shape *e, const struct laid *l)
{
	const double w = BF16_BYTES, many = 1e6, h = l->a->hidden, tp = l->how->tp;
	for (size_t i = 0; i < l->a->n_groups; i++) {
		const struct layer_group *group = &l->a->groups[i];
		const double n = (double)group->n, none_s = pointwise_time_s(l->g, 0);
		bool travels = group->feed.experts > 0 && l->how->copies > 1;
		double reduces = (group->mixer.kind != MIXING_NONE) + !travels;
		double width = group->feed.width + feed_shared_width(&group->feed, h);
		double values = 2 * 4 * h + 3 * width / tp;
		double sync_s = reduces * node_allreduce_time_s(l->g, tp, 0);
		e->fixed_s += n * (3 * none_s + sync_s);
		e->s_per_token +=
			n *
			(pointwise_time_s(l->g, many * w * values) - none_s +
				reduces * node_allreduce_time_s(l->g, tp, many * w * h) - sync_s) /
			many;
	}
}

static void add_head(struct engine_shape *e, const struct laid *l)
{
	/* Engines pad the vocabulary, so that its rows start on whole vectors. */
	const double multiple = 64;
	double vocab = multiple * ceil(l->a->vocab / l->how->tp / multiple);
	const double rows = l->how->only ? l->how->only->head : ENGINE_ANY_ROWS;
	for (size_t i = 0; i < ENGINE_POINTS; i++)
		if (engine_point_is_read(i, rows))
			e->head.s[i] = gemm_time_s(
				l->g, DTYPE_BF16, engine_point_rows(i), vocab, l->a->hidden);
	engine_table_close(&e->head);
}

struct engine_shape engine_shape_laid(const struct architecture *a, const struct accelerator *g,
	const struct engine_layout *how, enum dtype weights, enum dtype activations, enum dtype kv)
{
	assert(how->tp >= 1 && how->copies >= 1 && how->ep >= 1);
	assert(how->ep <= how->tp * how->copies);
	assert(!how->only || how->copies <= 1 || how->apart);
	struct laid l = { a, g, how, weights, activations, kv,
		how->net ? *how->net
			 : network_measured(g->family, gpu_domain(g), g->link_bandwidth,
				   NDR_CARD_GB_PER_S * 1e9, 2 * NETWORK_LATENCY_S) };
	struct engine_shape e = { .copies = how->copies, .overlapped = how->overlap };
	fill(&e.linear, &l, how->apart || how->copies > 1 ? group_products_s : group_all_s);
	if (how->copies > 1 && !how->apart) {
		fill(&e.experts, &l, group_experts_s);
		fill(&e.exchange, &l, group_exchange_s);
		if (how->overlap)
			fill(&e.aside, &l, group_aside_s);
	}
	add_head(&e, &l);
	add_attention(&e, &l);
	add_pointwise_and_sync(&e, &l);
	return e;
}

void engine_laid_retype(struct engine_shape *e, const struct architecture *a,
	const struct accelerator *g, const struct engine_layout *how, enum dtype kv)
{
	const struct laid l = { .a = a, .g = g, .how = how, .kv = kv };
	e->n_attention = 0;
	add_attention(e, &l);
}
