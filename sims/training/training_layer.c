/* The rows are written in the order of forward, by hand for each of the two lists; what reads a
 * tensor is given by name and becomes a row number at the end. */
#include "sims/training/training_layer.h"

#include "sims/architecture/architecture.h"
#include "sims/constants.h"
#include "sims/training/step_recipe.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Widths of a layer, in elements on one GPU. */
struct widths {
	double stream, query, key, value, context, ffn; /* activations: tokens x width */
	double scores, statistics;                      /* heads x s x s x b; heads x s x b */
	double e;                                       /* size of an element in B */
	double input_e, gate_e; /* of what a product reads, of what a gate does */
	double residual;        /* the same in the stream between layers */
	double tokens, norm, tp;
	bool cut; /* the stream is: products need it gathered */
	/* Of one matrix. */
	double query_params, key_params, value_params, context_params, ffn_params;
	double per_query; /* FLOPs of one of attention's two products, per element of queries or context */
};

/* Of a value that the recipe keeps in so many bytes; layers that it leaves wide keep it whole. */
static double kept_bytes(const struct layer_setup *s, double narrow)
{
	double wide = s->recipe ? s->recipe->wide_layers : 0;
	return narrow + wide * (s->value_bytes - narrow);
}

static double feed_shared_width_of(const struct layer_setup *s)
{
	const struct feed *f = &s->group->feed;
	return f->shared > 0 ? feed_shared_width(f, s->model->hidden) : 0;
}

static struct widths widths_of(const struct layer_setup *s)
{
	const struct model *m = s->model;
	double tokens = s->batch * s->seq, share = tokens / s->tp, pairs = m->hidden / s->tp;
	/* The rule of 34 bytes knows one width only. */
	double query = s->actual ? m->heads * m->head_dim : m->hidden;
	double key = s->actual ? m->kv_heads * m->head_dim : m->hidden;
	double ffn = s->actual ? m->ffn : 4 * m->hidden;
	return (struct widths){ .stream = (s->whole_stream ? tokens : share) * m->hidden,
		.query = share * query,
		.key = share * key,
		.value = share * key,
		.context = share * query,
		.ffn = share * ffn,
		.scores = m->heads * s->seq * share,
		.statistics = m->heads * share,
		.e = s->value_bytes,
		.input_e = kept_bytes(s, s->recipe ? s->recipe->input_bytes : s->value_bytes),
		.gate_e = kept_bytes(s, s->recipe ? s->recipe->gate_bytes : s->value_bytes),
		.residual = s->residual_bytes,
		.tokens = tokens,
		.norm = m->hidden / s->tp,
		.tp = s->tp,
		.cut = s->tp > 1 && !s->whole_stream,
		.query_params = pairs * m->heads * m->head_dim,
		.key_params = pairs * m->kv_heads * m->head_dim,
		.value_params = pairs * m->kv_heads * m->head_dim,
		.context_params = pairs * m->heads * m->head_dim,
		.ffn_params = pairs * m->ffn,
		.per_query = 2 * s->seq };
}

/* The same of a kind of layers: what its attention has instead, and the width that all tokens pass. */
static struct widths widths_of_group(const struct layer_setup *s)
{
	struct widths w = widths_of(s);
	const struct mixer *m = &s->group->mixer;
	double share = w.tokens / s->tp, pairs = s->model->hidden / s->tp;
	double query = m->heads * m->key_dim, context = m->heads * m->value_dim;
	double width = s->group->feed.width + feed_shared_width_of(s);
	w.query = share * query;
	w.key = share * m->kv_heads * m->key_dim;
	w.value = share * m->kv_heads * m->value_dim;
	w.context = share * context;
	w.ffn = share * width;
	w.scores = m->heads * s->seq * share;
	w.statistics = m->heads * share;
	w.query_params = pairs * query;
	w.key_params = pairs * m->kv_heads * m->key_dim;
	w.value_params = pairs * m->kv_heads * m->value_dim;
	w.context_params = pairs * context;
	w.ffn_params = pairs * width;
	w.per_query = 2 * (m->window > 0 ? fmin(m->window, s->seq) : s->seq);
	return w;
}

static struct layer_row *add(struct training_layer *l, const char *name, double bytes,
	double gradient, unsigned flags, const char *reader)
{
	assert(l->n < MAX_LAYER_ROWS);
	struct layer_row *r = &l->rows[l->n++];
	*r = (struct layer_row){ .name = name,
		.bytes = bytes,
		.gradient_bytes = gradient,
		.flags = flags,
		.reader = reader };
	return r;
}

/* A row that a matrix product writes, each element a sum over `inner`. */
static struct layer_row *product(struct training_layer *l, const char *name, double elements,
	double inner, double params, const struct widths *w, unsigned flags, const char *reader)
{
	struct layer_row *r = add(l, name, w->e * elements, w->e * elements, flags, reader);
	r->flops = 2 * elements * inner;
	r->params = params;
	return r;
}

/* Turns the names of readers into rows. */
static void resolve(struct training_layer *l)
{
	for (size_t i = 0; i < l->n; i++) {
		l->rows[i].last = i;
		for (size_t j = i + 1; l->rows[i].reader && j < l->n; j++)
			if (strcmp(l->rows[j].name, l->rows[i].reader) == 0)
				l->rows[i].last = j;
	}
	l->input_reader = l->n - 1;
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->rows[i].name, "residual") == 0)
			l->input_reader = i;
}

/* Sequence parallelism cuts the norms along the sequence; products need all of it. Backward gathers
 * it again, beside its gradient, which is then reduced and scattered. */
static void norm(struct training_layer *l, const char *name, const char *whole,
	const struct widths *w, unsigned flags, const char *reader)
{
	double bytes = w->input_e * w->stream, gathered = w->e * w->stream * w->tp;
	struct layer_row *r = add(l, name, bytes, w->e * w->stream, flags, w->cut ? whole : reader);
	r->params = w->norm;
	if (w->cut)
		add(l, whole, gathered, 2 * gathered, flags & ROW_RERUN, reader);
}

enum { KEPT = ROW_SAVED | ROW_STORED, AGAIN = ROW_SAVED | ROW_RERUN };

/* 11 s b h + 5 a s^2 b for attention: its input, Q, K, V, the softmax with dropout, the context,
 * the mask. Selective recomputation repeats what lies between Q, K, V and the context. */
static void gpt_attention(
	struct training_layer *l, const struct widths *w, bool flash, double hidden)
{
	struct layer_row *r;
	norm(l, "norm 1", "gathered 1", w, KEPT, "value");
	const char *reader = flash ? "context" : "scores";
	product(l, "query", w->query, hidden, w->query_params, w, KEPT, reader);
	product(l, "key", w->key, hidden, w->key_params, w, KEPT, reader);
	product(l, "value", w->key, hidden, w->key_params, w, KEPT, "context");
	if (!flash) {
		double scores = w->e * w->scores;
		r = add(l, "scores", scores, scores, ROW_RERUN, "softmax");
		r->flops = w->query * w->per_query;
		add(l, "softmax", scores, scores, AGAIN, "dropped");
		add(l, "scores mask", w->scores, 0, AGAIN, "dropped");
		add(l, "dropped", scores, scores, AGAIN, "context");
	}
	r = add(l, "context", w->e * w->query, w->e * w->query, flash ? KEPT : KEPT | ROW_RERUN,
		"projection");
	r->flops = (flash ? 2 : 1) * w->query * w->per_query;
	r = product(l, "projection", w->stream, 0, w->query_params, w, 0, "residual");
	r->flops = 2 * w->query * hidden;
	r->gradient_bytes = 0; /* it is the residual's own */
	add(l, "mask 1", w->stream, 0, KEPT, "residual");
	add(l, "residual", w->residual * w->stream, w->e * w->stream, KEPT, "output");
}

/* 19 s b h for the feed-forward, and 2 for the norm's input, which is the residual. */
static void gpt_ffn(struct training_layer *l, const struct widths *w, int gates, double hidden)
{
	struct layer_row *r;
	norm(l, "norm 2", "gathered 2", w, KEPT, "up");
	product(l, "up", w->ffn, hidden, (1 + gates) * w->ffn_params, w, KEPT, "activation");
	add(l, "activation", w->e * w->ffn, w->e * w->ffn, KEPT, "down");
	r = product(l, "down", w->stream, 0, w->ffn_params, w, 0, "output");
	r->flops = 2 * w->ffn * hidden;
	r->gradient_bytes = 0;
	add(l, "mask 2", w->stream, 0, KEPT, "output");
	add(l, "output", w->residual * w->stream, w->e * w->stream, KEPT, NULL);
}

/* From queries, keys and values on: attention, and its output in the stream. */
static void attend(struct training_layer *l, const struct widths *w, bool flash)
{
	struct layer_row *r;
	if (flash) {
		add(l, "log-sum-exp", FP32_BYTES * w->statistics, 0, KEPT, "projection");
	} else {
		r = add(l, "scores", w->e * w->scores, w->e * w->scores, ROW_RERUN, "softmax");
		r->flops = w->query * w->per_query;
		add(l, "softmax", w->e * w->scores, w->e * w->scores, AGAIN, "context");
	}
	/* Its own backward reads it wide, the projection's narrow. */
	double context_e = w->input_e < w->e ? w->e + w->input_e : w->e;
	r = add(l, "context", context_e * w->context, w->e * w->context,
		flash ? KEPT : KEPT | ROW_RERUN, "projection");
	r->flops = (w->context + (flash ? w->query : 0)) * w->per_query;
}

/* What comes out of a part into the stream; its gradient is the sum's own. */
static void into_stream(struct training_layer *l, const char *name, const struct widths *w,
	double elements, double hidden, double params, unsigned flags, const char *reader)
{
	struct layer_row *r = product(l, name, w->stream, 0, params, w, flags, reader);
	r->flops = 2 * elements * hidden;
	r->gradient_bytes = 0;
}

static void stream_row(
	struct training_layer *l, const struct widths *w, const char *name, unsigned flags)
{
	bool last = strcmp(name, "output") == 0;
	add(l, name, w->residual * w->stream, w->e * w->stream, flags, last ? NULL : "output");
}

/* Selective checkpointing as in torchtitan: attention's output and every second matrix product are
 * kept, everything else is computed again. gate: the width of a gate on the heads' outputs; 0. */
static void gated_attention(
	struct training_layer *l, const struct widths *w, bool flash, double hidden, double gate)
{
	const char *reader = flash ? "context" : "scores";
	norm(l, "norm 1", "gathered 1", w, AGAIN, "value");
	product(l, "query", w->query, hidden, w->query_params, w, KEPT, reader);
	product(l, "key", w->key, hidden, w->key_params, w, AGAIN, reader);
	product(l, "value", w->value, hidden, w->value_params, w, KEPT, "context");
	if (gate >= 1)
		product(l, "head gate", w->tokens / w->tp * gate, hidden, hidden * gate / w->tp, w,
			AGAIN, "projection");
	attend(l, w, flash);
}

static void gated_width(struct training_layer *l, const struct widths *w, bool fused, double hidden)
{
	struct layer_row *r = product(
		l, "gate", w->ffn, hidden, w->ffn_params, w, KEPT, fused ? "gated" : "activation");
	r->bytes = w->gate_e * w->ffn;
	if (fused)
		r->gradient_bytes = 0; /* the fused kernel writes it over the gate itself */
	else
		add(l, "activation", w->e * w->ffn, w->e * w->ffn, AGAIN, "gated");
	r = product(l, "up", w->ffn, hidden, w->ffn_params, w, AGAIN, "gated");
	r->bytes = w->gate_e * w->ffn;
	if (fused)
		r->gradient_bytes = 0;
	add(l, "gated", w->input_e * w->ffn, w->e * w->ffn, AGAIN, "down");
}

static void gated_layer(
	struct training_layer *l, const struct widths *w, const struct layer_setup *s)
{
	double hidden = s->model->hidden;
	gated_attention(l, w, s->flash, hidden, 0);
	into_stream(l, "projection", w, w->query, hidden, w->query_params, ROW_RERUN, "residual");
	stream_row(l, w, "residual", AGAIN);
	norm(l, "norm 2", "gathered 2", w, AGAIN, "up");
	gated_width(l, w, s->fused, hidden);
	into_stream(l, "down", w, w->ffn, hidden, w->ffn_params, ROW_STORED, "output");
	stream_row(l, w, "output", KEPT);
}

/* --- Layers of a model that is made of parts --- */

/* What a family has in its first product besides queries, keys and values, such as a gate for each head's
 * output. */
static void heads(struct training_layer *l, const struct widths *w, const struct layer_setup *s)
{
	const struct mixer *m = &s->group->mixer;
	double known =
		(w->query_params + w->key_params + w->value_params + w->context_params) * w->tp;
	double hidden = s->model->hidden;
	gated_attention(l, w, s->flash, hidden, fmax(0, m->matrices - known) / hidden);
}

/* Keys and values come out of their latent vector, whole; a part of each key is the latent's own, turned
 * by its position. The latents are whole on every GPU of a tensor group. */
static void latent(struct training_layer *l, const struct widths *w, const struct layer_setup *s)
{
	const struct mixer *m = &s->group->mixer;
	const char *reader = s->flash ? "context" : "scores";
	double hidden = s->model->hidden, turned = m->cache_elements - m->latent;
	double plain = m->heads * fmax(0, m->key_dim - turned) / w->tp;
	double from = m->query_latent > 0 ? m->query_latent : hidden;
	norm(l, "norm 1", "gathered 1", w, AGAIN, "latent");
	if (m->query_latent > 0) {
		double elements = w->tokens * m->query_latent;
		product(l, "query latent", elements, hidden, hidden * m->query_latent, w, KEPT,
			"query norm");
		add(l, "query norm", w->e * elements, w->e * elements, AGAIN, "query");
	}
	product(l, "query", w->query, from, w->query_params / hidden * from, w, KEPT, reader);
	product(l, "latent", w->tokens * m->cache_elements, hidden, hidden * m->cache_elements, w,
		KEPT, "latent norm");
	add(l, "latent norm", w->e * w->tokens * m->cache_elements,
		w->e * w->tokens * m->cache_elements, AGAIN, "value");
	struct layer_row *key = add(l, "key", w->e * w->query, w->e * w->query, AGAIN, reader);
	key->flops = 2 * w->tokens * plain * m->latent;
	key->params = plain * m->latent;
	product(l, "value", w->context, m->latent, m->heads * m->value_dim / w->tp * m->latent, w,
		KEPT, "context");
	attend(l, w, s->flash);
}

/* What a state is fed from takes two thirds of its matrices, what it gives back to the stream the
 * rest. */
static void state(struct training_layer *l, struct widths *w, const struct layer_setup *s)
{
	const struct mixer *m = &s->group->mixer;
	double hidden = s->model->hidden, width = m->matrices / hidden / w->tp;
	double in = 2 * width / 3, out = width / 3;
	norm(l, "norm 1", "gathered 1", w, AGAIN, "projected");
	product(l, "projected", w->tokens * in, hidden, hidden * in, w, KEPT, "scanned");
	struct layer_row *r = add(
		l, "scanned", w->e * w->tokens * out, w->e * w->tokens * out, KEPT, "projection");
	r->flops = 4 * w->tokens * m->state_elements / w->tp;
	w->context = w->tokens * out;
	w->context_params = hidden * out;
}

static bool sees_tokens(const struct mixer *m)
{
	return m->kind == MIXING_FULL || m->kind == MIXING_WINDOW || m->kind == MIXING_CHUNK;
}

static void mix(
	struct training_layer *l, struct widths *w, const struct layer_setup *s, const char *into)
{
	const struct mixer *m = &s->group->mixer;
	if (m->kind == MIXING_NONE)
		return;
	if (m->kind == MIXING_LATENT)
		latent(l, w, s);
	else if (sees_tokens(m))
		heads(l, w, s);
	else
		state(l, w, s);
	into_stream(l, "projection", w, w->context, s->model->hidden, w->context_params, ROW_RERUN,
		into);
	stream_row(l, w, into, strcmp(into, "output") == 0 ? KEPT : AGAIN);
}

/* The names of the rows of an expert are its own: a layer may have both. */
static struct layer_row *expert_row(struct training_layer *l, const char *name, double elements,
	double inner, double params, const struct widths *w, unsigned flags, const char *reader)
{
	return product(l, name, elements, inner, params, w, flags | ROW_EXPERTS, reader);
}

/* Rows of the stream as they arrive at the experts here, what these make of them, and the sum of what
 * comes back. What travels is kept: it does not travel again. */
static void route(struct training_layer *l, const struct widths *w, const struct layer_setup *s)
{
	const struct feed *f = &s->group->feed;
	double hidden = s->model->hidden, rows = w->tokens * s->expert_rows;
	double held = f->experts * s->expert_share, wide = rows * f->expert_width;
	bool gated = feed_matrices(f, hidden) > 2;
	double each = held * hidden * f->expert_width;
	double scores = w->tokens / w->tp * f->experts;
	struct layer_row *r =
		add(l, "router", FP32_BYTES * scores, FP32_BYTES * scores, KEPT, "combined");
	r->flops = 2 * scores * hidden;
	r->params = f->router / w->tp;
	add(l, "rows", w->input_e * rows * hidden, w->e * rows * hidden, KEPT, "expert up");
	if (gated) {
		r = expert_row(l, "expert gate", wide, hidden, each, w, KEPT,
			s->fused ? "expert gated" : "expert activation");
		r->bytes = w->gate_e * wide;
		if (s->fused)
			r->gradient_bytes = 0;
		else
			add(l, "expert activation", w->e * wide, w->e * wide, AGAIN,
				"expert gated");
	}
	r = expert_row(l, "expert up", wide, hidden, each, w, gated ? AGAIN : KEPT, "expert gated");
	if (gated && s->fused)
		r->gradient_bytes = 0;
	add(l, "expert gated", w->e * wide, w->e * wide, AGAIN, "expert out");
	r = expert_row(l, "expert out", rows * hidden, 0, each, w, KEPT, "combined");
	r->flops = 2 * wide * hidden;
	add(l, "combined", w->e * w->stream, 0, ROW_STORED, "output");
}

/* What every token passes, its activation in a kernel of its own where it has no gate. */
static void dense(struct training_layer *l, const struct widths *w, const struct layer_setup *s)
{
	double hidden = s->model->hidden;
	if (feed_matrices(&s->group->feed, hidden) > 2) {
		gated_width(l, w, s->fused, hidden);
	} else {
		product(l, "up", w->ffn, hidden, w->ffn_params, w, KEPT, "gated");
		add(l, "gated", w->input_e * w->ffn, w->e * w->ffn, AGAIN, "down");
	}
	into_stream(l, "down", w, w->ffn, hidden, w->ffn_params, ROW_STORED, "output");
}

static void layer_of_group(struct training_layer *l, const struct layer_setup *s)
{
	struct widths w = widths_of_group(s);
	const struct feed *f = &s->group->feed;
	bool feeds = w.ffn > 0 || f->experts > 0;
	l->input_bytes = w.residual * w.stream;
	mix(l, &w, s, feeds ? "residual" : "output");
	if (!feeds)
		return;
	norm(l, "norm 2", "gathered 2", &w, AGAIN, w.ffn > 0 ? "up" : "rows");
	if (f->experts > 0)
		route(l, &w, s);
	if (w.ffn > 0)
		dense(l, &w, s);
	stream_row(l, &w, "output", KEPT);
}

struct training_layer layer_of(const struct layer_setup *s)
{
	assert(s->model && s->tp >= 1);
	assert((s->group != NULL) == (s->model->made_of != NULL));
	struct training_layer l = { .n = 0 };
	struct widths w = widths_of(s);
	double hidden = s->model->hidden;
	l.input_bytes = w.residual * w.stream;
	if (s->group) {
		layer_of_group(&l, s);
	} else if (s->actual && s->model->gated) {
		gated_layer(&l, &w, s);
	} else {
		gpt_attention(&l, &w, s->flash, hidden);
		gpt_ffn(&l, &w, s->model->gated ? 1 : 0, hidden);
	}
	resolve(&l);
	return l;
}

/* The last row is the next layer's input: this layer's own stands in for it. */
static double bytes_flagged(const struct training_layer *l, unsigned flag)
{
	double sum = l->input_bytes;
	for (size_t i = 0; i + 1 < l->n; i++)
		if (l->rows[i].flags & flag)
			sum += l->rows[i].bytes;
	return sum;
}

double layer_saved_bytes(const struct training_layer *l)
{
	return bytes_flagged(l, ROW_SAVED);
}

double layer_stored_bytes(const struct training_layer *l)
{
	return bytes_flagged(l, ROW_STORED);
}

double layer_flops(const struct training_layer *l)
{
	double sum = 0;
	for (size_t i = 0; i < l->n; i++)
		sum += l->rows[i].flops;
	return sum;
}

double layer_params(const struct training_layer *l)
{
	double sum = 0;
	for (size_t i = 0; i < l->n; i++)
		sum += l->rows[i].params;
	return sum;
}

double layer_expert_params(const struct training_layer *l)
{
	double sum = 0;
	for (size_t i = 0; i < l->n; i++)
		sum += l->rows[i].flags & ROW_EXPERTS ? l->rows[i].params : 0;
	return sum;
}
