/* The rows are written in the order of forward, by hand for each of the two lists; what reads a
 * tensor is given by name and becomes a row number at the end. */
#include "sims/training/training_layer.h"

#include <assert.h>
#include <string.h>

/* Widths of a layer, in elements on one GPU. */
struct widths {
	double stream, query, key, ffn; /* activations: tokens x width */
	double scores, statistics;      /* heads x s x s x b; heads x s x b */
	double e;                       /* size of an element in B */
	double residual;                /* the same in the stream between layers */
	double tokens, norm, tp;
	bool cut;                                    /* the stream is: products need it gathered */
	double query_params, key_params, ffn_params; /* of one matrix */
	double per_query; /* FLOPs of one of attention's two products, per query element */
};

static struct widths widths_of(const struct layer_setup *s)
{
	const struct model *m = s->model;
	double tokens = s->batch * s->seq, share = tokens / s->tp;
	/* The rule of 34 bytes knows one width only. */
	double query = s->actual ? m->heads * m->head_dim : m->hidden;
	double key = s->actual ? m->kv_heads * m->head_dim : m->hidden;
	double ffn = s->actual ? m->ffn : 4 * m->hidden;
	return (struct widths){ .stream = (s->whole_stream ? tokens : share) * m->hidden,
		.query = share * query,
		.key = share * key,
		.ffn = share * ffn,
		.scores = m->heads * s->seq * share,
		.statistics = m->heads * share,
		.e = s->value_bytes,
		.residual = s->residual_bytes,
		.tokens = tokens,
		.norm = m->hidden / s->tp,
		.tp = s->tp,
		.cut = s->tp > 1 && !s->whole_stream,
		.query_params = m->hidden * m->heads * m->head_dim / s->tp,
		.key_params = m->hidden * m->kv_heads * m->head_dim / s->tp,
		.ffn_params = m->hidden * m->ffn / s->tp,
		.per_query = 2 * s->seq };
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
}

/* Sequence parallelism cuts the norms along the sequence; products need all of it. Backward gathers
 * it again, beside its gradient, which is then reduced and scattered. */
static void norm(struct training_layer *l, const char *name, const char *whole,
	const struct widths *w, unsigned flags, const char *reader)
{
	double bytes = w->e * w->stream, gathered = bytes * w->tp;
	struct layer_row *r = add(l, name, bytes, bytes, flags, w->cut ? whole : reader);
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

/* Selective checkpointing as in torchtitan: attention's output and every second matrix product are
 * kept, everything else is computed again. */
static void gated_attention(
	struct training_layer *l, const struct widths *w, bool flash, double hidden)
{
	struct layer_row *r;
	norm(l, "norm 1", "gathered 1", w, AGAIN, "value");
	const char *reader = flash ? "context" : "scores";
	product(l, "query", w->query, hidden, w->query_params, w, KEPT, reader);
	product(l, "key", w->key, hidden, w->key_params, w, AGAIN, reader);
	product(l, "value", w->key, hidden, w->key_params, w, KEPT, "context");
	if (flash) {
		add(l, "log-sum-exp", 4 * w->statistics, 0, KEPT, "projection");
	} else {
		r = add(l, "scores", w->e * w->scores, w->e * w->scores, ROW_RERUN, "softmax");
		r->flops = w->query * w->per_query;
		add(l, "softmax", w->e * w->scores, w->e * w->scores, AGAIN, "context");
	}
	r = add(l, "context", w->e * w->query, w->e * w->query, flash ? KEPT : KEPT | ROW_RERUN,
		"projection");
	r->flops = (flash ? 2 : 1) * w->query * w->per_query;
	r = product(l, "projection", w->stream, 0, w->query_params, w, ROW_RERUN, "residual");
	r->flops = 2 * w->query * hidden;
	r->gradient_bytes = 0;
	add(l, "residual", w->residual * w->stream, w->e * w->stream, AGAIN, "output");
}

static void gated_ffn(struct training_layer *l, const struct widths *w, bool fused, double hidden)
{
	struct layer_row *r;
	norm(l, "norm 2", "gathered 2", w, AGAIN, "up");
	r = product(
		l, "gate", w->ffn, hidden, w->ffn_params, w, KEPT, fused ? "gated" : "activation");
	if (fused)
		r->gradient_bytes = 0; /* the fused kernel writes it over the gate itself */
	else
		add(l, "activation", w->e * w->ffn, w->e * w->ffn, AGAIN, "gated");
	r = product(l, "up", w->ffn, hidden, w->ffn_params, w, AGAIN, "gated");
	if (fused)
		r->gradient_bytes = 0;
	add(l, "gated", w->e * w->ffn, w->e * w->ffn, AGAIN, "down");
	r = product(l, "down", w->stream, 0, w->ffn_params, w, ROW_STORED, "output");
	r->flops = 2 * w->ffn * hidden;
	r->gradient_bytes = 0;
	add(l, "output", w->residual * w->stream, w->e * w->stream, KEPT, NULL);
}

struct training_layer layer_of(const struct layer_setup *s)
{
	assert(s->model && s->tp >= 1);
	struct training_layer l = { .n = 0 };
	struct widths w = widths_of(s);
	double hidden = s->model->hidden;
	l.input_bytes = w.residual * w.stream;
	if (s->actual && s->model->gated) {
		gated_attention(&l, &w, s->flash, hidden);
		gated_ffn(&l, &w, s->fused, hidden);
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
