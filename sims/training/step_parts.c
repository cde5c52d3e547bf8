/* Every group of like layers adds its share to one mean layer. What is counted is as in the plain
 * layer of model_step.c: products by the kernel model, bytes of everything that only moves, seconds of
 * what the network carries. */
#include "sims/training/step_parts.h"

#include "sims/architecture/architecture.h"
#include "sims/constants.h"
#include "sims/gpu/experts.h"
#include "sims/gpu/kernel.h"

#include <assert.h>
#include <math.h>

/* Of the stream, what a norm, its part and the addition behind it read and write: half of a plain
 * layer's, which has two. */
enum { PART_STREAM_PASSES = 5 };
/* A state's input is convolved, scanned and gated: each reads and writes what came in. */
enum { STATE_PASSES = 3 };
/* A chunk of a scan multiplies within itself too: a quarter more than its states alone, in chunks of
 * 128 tokens for states of 128 (Dao and Gu, 2024, section 6). FLOPs for each element of the state. The
 * state of each chunk is written, passed on, and read, in FP32: four times, of two values of 16 bits. */
static const double state_chunk = 128, scan_flops = 4 * 1.25;
enum { CHUNK_STATE_PASSES = 4 * 2 };
/* Kernels of attention take keys in tiles of so many: at both ends of a window half a tile is masked. */
static const double attention_tile = 128;
/* Around experts rows of the stream are written sorted by GPU and, where they arrive, by expert, and
 * the same backwards; a token is read once, and its sum read and written once for each expert. */
enum { ROW_PASSES = 6, TOKEN_PASSES = 2 };
/* Of those, sorting by expert what arrived, and back: where each expert has a fixed room, rows arrive in
 * their places. */
enum { SORT_PASSES = 4 };
/* Biases of experts are added by a kernel of their own, which no grouped product does. */
enum { BIAS_PASSES = 2 };
/* Scores come out, become probabilities, and are read for the choice, in FP32. */
#define SCORE_BYTES (3 * FP32_BYTES)

/* One group of layers, with its share of all of them. */
struct part {
	const struct step_setup *s;
	const struct architecture *a;
	const struct layer_group *group;
	double share,
		tokens; /* tokens: of a GPU's micro-batch, before a tensor group shares them */
	struct layer_work *w;
};

/* --- Products that every token passes --- */

/* out x in weights on this GPU; the first product that reads an input rounds it. */
static void add_product(const struct part *p, double out, double in, bool rounded)
{
	const struct step_setup *s = p->s;
	const enum dtype type = step_product_dtype(s);
	double times = p->share * step_products_slower(s);
	p->w->products_s += times * gemm_time_s(s->gpu, type, p->tokens, out, in);
	p->w->products_back_s += times * gemm_time_s(s->gpu, type, p->tokens, in, out);
	p->w->weights_s += times * gemm_time_s(s->gpu, type, in, out, p->tokens);
	p->w->params += p->share * in * out;
	if (rounded && step_rounds(s))
		p->w->rounding_bytes +=
			p->share * step_recipe_run(s)->rounding_bytes * p->tokens * in;
}

/* What a family has beyond queries, keys, values and output (gates, indexers) stands in the first
 * product. */
static void add_heads_products(const struct part *p)
{
	const struct mixer *m = &p->group->mixer;
	const double h = p->a->hidden, tp = p->s->tp;
	double q = m->heads * m->key_dim, out = m->heads * m->value_dim;
	double kv = m->kv_heads * (m->key_dim + m->value_dim);
	double more = fmax(0, m->matrices - h * (q + kv + out)) / h;
	add_product(p, (q + more) / tp + kv * fmax(1 / m->kv_heads, 1 / tp), h, true);
	add_product(p, h, out / tp, true);
}

/* Keys and values come out of their latent vector, whole: training does not absorb them. */
static void add_latent_products(const struct part *p)
{
	const struct mixer *m = &p->group->mixer;
	const double h = p->a->hidden, tp = p->s->tp;
	double q = m->heads * m->key_dim, out = m->heads * m->value_dim;
	double rope = m->cache_elements - m->latent;
	double up = m->heads * (m->key_dim - rope + m->value_dim);
	add_product(p, m->query_latent + m->cache_elements, h, true);
	add_product(p, q / tp, m->query_latent > 0 ? m->query_latent : h, m->query_latent > 0);
	add_product(p, up / tp, m->latent, true);
	add_product(p, h, out / tp, true);
}

/* Of a state's matrices a third brings it back into the stream. */
static void add_state_products(const struct part *p)
{
	const double h = p->a->hidden, width = p->group->mixer.matrices / h / p->s->tp;
	add_product(p, 2 * width / 3, h, true);
	add_product(p, h, width / 3, true);
}

static bool has_heads(const struct mixer *m)
{
	return m->kind == MIXING_FULL || m->kind == MIXING_WINDOW || m->kind == MIXING_CHUNK;
}

static void add_mixer_products(const struct part *p)
{
	const struct mixer *m = &p->group->mixer;
	if (m->kind == MIXING_LATENT)
		add_latent_products(p);
	else if (has_heads(m))
		add_heads_products(p);
	else if (m->kind != MIXING_NONE)
		add_state_products(p);
}

/* Width of what every token passes. */
static double dense_width(const struct part *p)
{
	const struct feed *f = &p->group->feed;
	return f->width + feed_shared_width(f, p->a->hidden);
}

static void add_dense_products(const struct part *p)
{
	const double h = p->a->hidden, width = dense_width(p) / p->s->tp;
	add_product(p, (feed_matrices(&p->group->feed, p->a->hidden) - 1) * width, h, true);
	add_product(p, h, width, true);
}

/* --- Attention --- */

/* Tokens that one sees, on average over a sequence. A window fills while the sequence begins. */
static double seen_tokens(const struct step_setup *s, const struct mixer *m)
{
	double whole = s->full ? s->seq : s->seq / 2;
	if (m->kind == MIXING_CHUNK)
		return fmin(whole, m->window / 2);
	if (m->kind == MIXING_WINDOW && m->window < s->seq)
		return fmin(whole, m->window - m->window * m->window / (2 * s->seq));
	return whole;
}

static bool sees_tokens(const struct mixer *m)
{
	return has_heads(m) || m->kind == MIXING_LATENT;
}

/* Separate kernels compute what is masked, too, a window's as well. */
static void add_scores(const struct part *p)
{
	const struct step_setup *s = p->s;
	const struct mixer *m = &p->group->mixer;
	const enum dtype math = kernel_math_dtype(s->gpu, step_wide_dtype(s));
	double scores = p->tokens * s->seq * m->heads / s->tp;
	double rate = s->gpu->peak_flops[math] * kernel_compute_ratio(s->gpu, math);
	p->w->attention_s += p->share * 2 * scores * (m->key_dim + m->value_dim) / rate;
	p->w->score_bytes += p->share * step_score_bytes(s) * scores;
}

static void add_attention(const struct part *p)
{
	const struct step_setup *s = p->s;
	const struct mixer *m = &p->group->mixer;
	double peak = s->gpu->peak_flops[kernel_math_dtype(s->gpu, step_wide_dtype(s))];
	double rate = kernel_efficiency(s->gpu).attention * peak * s->tp;
	if (!sees_tokens(m)) {
		p->w->scan_s += p->share * scan_flops * p->tokens * m->state_elements / rate;
		return;
	}
	if (!s->flash) {
		add_scores(p);
		return;
	}
	double seen = seen_tokens(s, m), dims = m->key_dim + m->value_dim;
	if (m->kind != MIXING_FULL && m->kind != MIXING_LATENT)
		seen = fmin(s->full ? s->seq : s->seq / 2, seen + attention_tile);
	double flops = 2 * p->tokens * seen * m->heads * dims;
	p->w->attention_s += p->share * flops / (rate * step_head_share(dims / 2));
}

/* --- What only moves --- */

static void add_pointwise(const struct part *p)
{
	const struct step_setup *s = p->s;
	const struct mixer *m = &p->group->mixer;
	const struct feed *f = &p->group->feed;
	double cut = s->sequence_parallel ? s->tp : 1;
	double parts = (m->kind != MIXING_NONE) + (dense_width(p) > 0 || f->experts > 0);
	double values = parts * PART_STREAM_PASSES * p->a->hidden / cut;
	/* Queries and keys are turned by their position; those out of a latent vector are joined with
	 * a part that is. */
	if (m->kind == MIXING_LATENT)
		values += 4 * m->heads * m->key_dim / s->tp;
	else if (has_heads(m))
		values += 2 * (m->heads + m->kv_heads) * m->key_dim / s->tp;
	else if (m->kind != MIXING_NONE)
		values += (STATE_PASSES * m->matrices / p->a->hidden +
				  CHUNK_STATE_PASSES * m->state_elements / state_chunk) /
			  s->tp;
	if (dense_width(p) > 0)
		values += feed_matrices(&p->group->feed, p->a->hidden) * dense_width(p) / s->tp;
	p->w->pointwise_bytes += p->share * p->tokens * step_value_bytes(s) * values;
}

/* --- Experts --- */

struct expert_mesh expert_mesh(double ep, double tp, double cp, double dp)
{
	double groups = fmax(1, ep), split = fmax(1, tp / groups);
	return (struct expert_mesh){ groups, split, fmax(1, tp * cp * dp / (groups * split)) };
}

struct expert_mesh expert_mesh_of(const struct step_setup *s)
{
	return expert_mesh(s->ep, s->tp, s->cp, s->dp);
}

/* Tokens of the layer for each GPU, once the tensor group has shared them. */
static double own_tokens(const struct part *p)
{
	return p->tokens / p->s->tp;
}

/* Experts with room for a number of rows compute that many, whatever comes. */
static double busiest(const struct step_setup *s)
{
	return s->capacity > 0 ? fmax(s->capacity, 1) : fmax(s->hot, 1);
}

/* The experts here, and the rows that each gets in the busiest group. */
static void add_experts(const struct part *p)
{
	const struct step_setup *s = p->s;
	const struct feed *f = &p->group->feed;
	const struct expert_mesh mesh = expert_mesh_of(s);
	const enum dtype type = step_product_dtype(s), wide = step_wide_dtype(s);
	struct experts e = experts_of(f, p->a->hidden, mesh.ep, mesh.split, type, type);
	e.hot = busiest(s);
	/* Tokens of all GPUs of the group. */
	double tokens = own_tokens(p) * mesh.ep * mesh.split, rows = experts_rows(&e, tokens);
	double each = rows / e.held, up = (e.gated ? 2 : 1) * e.width, h = e.hidden;
	const double out[] = { up, h }, in[] = { h, e.width };
	double times = p->share * step_products_slower(s);
	for (int i = 0; i < 2; i++) {
		p->w->experts_s += times * gemm_grouped_time_s(
						   s->gpu, type, type, e.held, each, out[i], in[i]);
		p->w->experts_back_s += times * gemm_grouped_time_s(s->gpu, type, type, e.held,
							each, in[i], out[i]);
		p->w->experts_weights_s += times * gemm_grouped_time_s(s->gpu, type, type, e.held,
							   in[i], out[i], each);
		p->w->expert_products += p->share * e.held;
		p->w->expert_params += p->share * e.held * in[i] * out[i];
	}
	double passes = ROW_PASSES - (s->capacity > 0 ? SORT_PASSES : 0);
	double own = own_tokens(p), values = passes * h + (e.gated ? 3 : 2) * e.width;
	if (f->expert_rest > 0)
		values += BIAS_PASSES * (up + h);
	p->w->expert_bytes +=
		p->share * (step_value_bytes(s) * (rows * values + TOKEN_PASSES * own * h) +
				   SCORE_BYTES * own * f->experts);
	if (step_rounds(s))
		p->w->expert_rounding_bytes +=
			p->share * step_recipe_run(s)->rounding_bytes * rows * (h + e.width);
	/* The router's product, and its weights, which every GPU has. */
	p->w->products_s += p->share * gemm_time_s(s->gpu, wide, own, f->experts, h);
	p->w->products_back_s += p->share * gemm_time_s(s->gpu, wide, own, h, f->experts);
	p->w->weights_s += p->share * gemm_time_s(s->gpu, wide, f->experts, h, own);
	p->w->params += p->share * f->router;
	p->w->mixtures += p->share;
}

/* There and back. A token goes once to each GPU that has any of its experts, into another node once,
 * from where it is handed on; where the host does it, once to each of its experts. */
static void add_dispatch(const struct part *p)
{
	const struct step_setup *s = p->s;
	const struct expert_mesh mesh = expert_mesh_of(s);
	double gpus = mesh.ep * mesh.split, nodes = ceil(gpus / s->net.gpus_per_node);
	if (mesh.ep <= 1)
		return;
	struct experts e = experts_of(&p->group->feed, p->a->hidden, mesh.ep, mesh.split,
		step_product_dtype(s), step_product_dtype(s));
	double own = own_tokens(p);
	bool each = s->routing == ROUTING_ON_HOST;
	double all = own * e.per_token * mesh.split;
	double copies = each ? all : experts_sent_tokens(&e, mesh.ep, own) * mesh.split;
	e.held = e.experts / nodes;
	double to_nodes = each ? all : experts_sent_tokens(&e, nodes, own);
	double abroad = to_nodes * (nodes - 1) / nodes;
	double local = fmin(gpus, s->net.gpus_per_node);
	double inside = copies * (local - 1) / local;
	/* There as the recipe has it, back in 16 bits. */
	double back = step_value_bytes(s);
	const double ways[] = { step_rounds(s) ? step_recipe_run(s)->dispatch_bytes : back, back };
	for (int i = 0; i < 2; i++) {
		double bytes = ways[i] * p->a->hidden;
		p->w->dispatch_bytes += p->share * busiest(s) * bytes * (inside + abroad);
		p->w->dispatch_s += p->share * busiest(s) *
				    exchange_time(&s->net, gpus, bytes * inside, bytes * abroad);
	}
}

/* --- Collectives of the rest --- */

static void add_collectives(const struct part *p)
{
	const struct step_setup *s = p->s;
	const struct mixer *m = &p->group->mixer;
	struct network outside = s->net;
	outside.gpus_per_node = fmax(1, floor(outside.gpus_per_node / s->tp));
	bool whole = dense_width(p) > 0 || (p->group->feed.experts > 0 && s->ep < s->tp);
	double sums = (m->kind != MIXING_NONE) + whole;
	if (s->tp > 1)
		p->w->tensor_s += p->share * sums *
				  collective_best(&s->net, ALL_REDUCE, s->tp,
					  p->tokens * p->a->hidden * step_value_bytes(s), NULL);
	/* Of a latent vector that alone goes round; of a state the state. */
	double cached = m->kind == MIXING_LATENT ? m->cache_elements : m->cache_elements / s->tp;
	if (s->cp > 1)
		p->w->context_s +=
			p->share * collective_best(&outside, ALL_GATHER, s->cp,
					   s->cp * step_value_bytes(s) *
						   (p->tokens * cached + m->state_elements / s->tp),
					   NULL);
}

/* FSDP's, over the mean layer: experts are shared among the groups that hold the same. */
static void add_gathers(const struct step_setup *s, struct layer_work *w)
{
	const struct expert_mesh mesh = expert_mesh_of(s);
	struct network outside = s->net, apart = s->net;
	double gradient = s->wide_gradients ? FP32_BYTES : BF16_BYTES;
	double sharing = fmin(s->shard, mesh.copies);
	if (s->shard <= 1)
		return;
	outside.gpus_per_node = fmax(1, floor(outside.gpus_per_node / s->tp));
	apart.gpus_per_node = fmax(1, floor(apart.gpus_per_node / (mesh.ep * mesh.split)));
	w->gather_s = collective_best(&outside, ALL_GATHER, s->shard, BF16_BYTES * w->params, NULL);
	w->scatter_s =
		collective_best(&outside, REDUCE_SCATTER, s->shard, gradient * w->params, NULL);
	if (sharing <= 1)
		return;
	w->gather_s +=
		collective_best(&apart, ALL_GATHER, sharing, BF16_BYTES * w->expert_params, NULL);
	w->scatter_s +=
		collective_best(&apart, REDUCE_SCATTER, sharing, gradient * w->expert_params, NULL);
}

struct layer_work parts_layer_work(const struct step_setup *s)
{
	const struct architecture *a = s->model->made_of;
	struct layer_work w = { 0 };
	assert(a);
	for (size_t i = 0; i < a->n_groups; i++) {
		const struct part p = { s, a, &a->groups[i], (double)a->groups[i].n / a->layers,
			step_tokens(s), &w };
		add_mixer_products(&p);
		add_attention(&p);
		add_pointwise(&p);
		add_collectives(&p);
		if (dense_width(&p) > 0)
			add_dense_products(&p);
		if (p.group->feed.experts > 0) {
			add_experts(&p);
			add_dispatch(&p);
		}
	}
	w.summing_bytes = STEP_SUM_TRAFFIC * w.params;
	w.expert_summing_bytes = STEP_SUM_TRAFFIC * w.expert_params;
	add_gathers(s, &w);
	return w;
}

double parts_join_s(const struct step_setup *s)
{
	double h = s->model->hidden, tokens = step_tokens(s), tp = s->tp;
	const enum dtype type = step_product_dtype(s);
	return gemm_time_s(s->gpu, type, tokens, h / tp, 2 * h) +
	       gemm_time_s(s->gpu, type, tokens, 2 * h, h / tp) +
	       gemm_time_s(s->gpu, type, 2 * h, h / tp, tokens);
}

/* --- Counts --- */

static double active_of(const struct layer_group *g)
{
	const struct feed *f = &g->feed;
	return g->mixer.matrices + f->matrices + f->per_token * f->expert + f->shared + f->router;
}

/* A head for a further token has a layer as the last one is. */
static const struct layer_group *last_group(const struct architecture *a)
{
	return &a->groups[a->of_layer[(size_t)a->layers - 1]];
}

double parts_active_params(const struct step_setup *s)
{
	const struct architecture *a = s->model->made_of;
	double sum = s->mtp * (active_of(last_group(a)) + 2 * a->hidden * a->hidden);
	for (size_t i = 0; i < a->n_groups; i++)
		sum += (double)a->groups[i].n * active_of(&a->groups[i]);
	return sum;
}

static double attention_of(const struct step_setup *s, const struct mixer *m)
{
	if (sees_tokens(m))
		return 2 * seen_tokens(s, m) * m->heads * (m->key_dim + m->value_dim);
	return 4 * m->state_elements;
}

double parts_attention_flops(const struct step_setup *s)
{
	const struct architecture *a = s->model->made_of;
	double sum = s->mtp * attention_of(s, &last_group(a)->mixer);
	for (size_t i = 0; i < a->n_groups; i++)
		sum += (double)a->groups[i].n * attention_of(s, &a->groups[i].mixer);
	return sum;
}

/* --- What backward needs --- */

struct layer_setup parts_layer_setup(const struct step_setup *s, size_t group)
{
	const struct architecture *a = s->model->made_of;
	const struct expert_mesh mesh = expert_mesh_of(s);
	assert(a && group < a->n_groups);
	return (struct layer_setup){ .model = s->model,
		.group = &a->groups[group],
		.expert_rows = busiest(s) * a->groups[group].feed.per_token / s->tp,
		.expert_share = 1 / (mesh.ep * mesh.split),
		.batch = s->micro_batch,
		.seq = s->seq / s->cp,
		.tp = s->tp,
		.value_bytes = BF16_BYTES,
		.residual_bytes = BF16_BYTES,
		.recipe = step_recipe_run(s),
		.flash = s->flash || s->recompute != RECOMPUTE_NONE,
		.whole_stream = !s->sequence_parallel,
		.actual = true };
}

double parts_kept_bytes(const struct step_setup *s, enum recompute recompute)
{
	const struct architecture *a = s->model->made_of;
	double bytes = 0;
	for (size_t i = 0; i < a->n_groups; i++) {
		const struct layer_setup setup = parts_layer_setup(s, i);
		const struct training_layer layer = layer_of(&setup);
		double kept = recompute == RECOMPUTE_FULL ? layer.input_bytes
			      : recompute == RECOMPUTE_SELECTIVE && s->flash
				      ? layer_stored_bytes(&layer)
				      : layer_saved_bytes(&layer);
		bytes += (double)a->groups[i].n / a->layers * kept;
	}
	return bytes;
}
