#include "sims/base/array.h"
#include "sims/memory/memory_events.h"

#include <math.h>
#include <string.h>

static void add_event(struct memory_walk *w, uint32_t tensor, bool frees)
{
	struct memory_trace *t = w->trace;
	struct memory_event *e = ARRAY_PUSH(w->arena, t, events, n_events, cap_events);
	if (e)
		*e = (struct memory_event){
			.at_s = w->t_s, .tensor = tensor, .frees = frees, .once = w->once
		};
}

uint32_t walk_take(struct memory_walk *w, double bytes, enum memory_kind kind)
{
	struct memory_trace *t = w->trace;
	if (!(bytes >= 1))
		return 0;
	if (t->n_tensors == 0)
		t->n_tensors = 1; /* 0 means none */
	if (!ARRAY_ROOM(w->arena, t, tensors, n_tensors, cap_tensors))
		return 0;
	t->tensors[t->n_tensors] =
		(struct memory_tensor){ .bytes = (uint64_t)fmin(bytes + 0.5, 4e18), .kind = kind };
	add_event(w, (uint32_t)t->n_tensors, false);
	return (uint32_t)t->n_tensors++;
}

void walk_drop(struct memory_walk *w, uint32_t *tensor)
{
	if (*tensor)
		add_event(w, *tensor, true);
	*tensor = 0;
}

void walk_phase(struct memory_walk *w, enum memory_phase_kind kind, int layer, int last_layer)
{
	struct memory_trace *t = w->trace;
	struct memory_phase *p = ARRAY_PUSH(w->arena, t, phases, n_phases, cap_phases);
	if (p)
		*p = (struct memory_phase){ .kind = kind,
			.first_event = t->n_events,
			.at_s = w->t_s,
			.layer = layer,
			.last_layer = last_layer };
}

void walk_keep_gradient(struct memory_walk *w, uint32_t tensor)
{
	uint32_t *kept = ARRAY_PUSH(w->arena, w, gradients, n_gradients, cap_gradients);
	if (kept)
		*kept = tensor;
}

double walk_unit_params(const struct memory_walk *w, int unit)
{
	if (unit == 0)
		return w->embed_params;
	return unit <= w->layers ? layer_params(&w->layer) * w->scale : w->head_params;
}

void walk_gather(struct memory_walk *w, int unit)
{
	if (w->s->zero < 3 || unit < 0 || unit > w->layers + 1 || w->gathered[unit])
		return;
	w->gathered[unit] = walk_take(w, walk_unit_params(w, unit) * w->value_bytes, MEMORY_OTHER);
}

void walk_release(struct memory_walk *w, int unit)
{
	walk_drop(w, &w->gathered[unit]);
}

static bool sharded_gradients(const struct memory_walk *w)
{
	return w->s->zero >= 2 || w->s->offload;
}

/* FSDP's mixed precision computes gradients in 16 bits and adds them over the GPUs in FP32. */
static bool reduces_in_fp32(const struct memory_walk *w)
{
	return w->s->zero == 3 && w->s->precision == MEMORY_AUTOCAST;
}

void walk_gradient(struct memory_walk *w, size_t row, double params)
{
	if (!sharded_gradients(w)) {
		walk_keep_gradient(w, walk_take(w, params * w->state.gradient, MEMORY_GRADIENTS));
		return;
	}
	double bytes = reduces_in_fp32(w) ? w->value_bytes : w->state.gradient;
	w->whole[row] = walk_take(w, params * bytes, MEMORY_OTHER);
}

void walk_reduce_gradients(struct memory_walk *w, int unit)
{
	if (!sharded_gradients(w))
		return;
	uint32_t fp32 = 0;
	if (reduces_in_fp32(w))
		fp32 = walk_take(w, walk_unit_params(w, unit) * 4, MEMORY_OTHER);
	double shard = w->s->offload ? 0 : w->state.gradient / w->shards;
	bool is_layer = unit > 0 && unit <= w->layers;
	for (size_t i = 0; i < (is_layer ? w->layer.n : 1); i++) {
		double params =
			is_layer ? w->layer.rows[i].params * w->scale : walk_unit_params(w, unit);
		walk_keep_gradient(w, walk_take(w, params * shard, MEMORY_GRADIENTS));
		walk_drop(w, &w->whole[i]);
	}
	walk_drop(w, &fp32);
}

static bool keeps(const struct layer_row *r, enum layer_keep keep)
{
	if (keep == KEEP_NONE)
		return false;
	return r->flags & (keep == KEEP_SAVED ? ROW_SAVED : ROW_STORED);
}

/* Plain autocast makes a 16-bit copy of each weight that a product uses, and the graph holds it. */
static void cast_weight(struct memory_walk *w, int layer, size_t row)
{
	const struct layer_row *r = &w->layer.rows[row];
	bool casts = w->s->precision == MEMORY_AUTOCAST && w->s->zero < 3;
	if (casts && r->flops > 0 && !w->casts[layer][row])
		w->casts[layer][row] = walk_take(w, r->params * w->scale * 2, MEMORY_OTHER);
}

void walk_layer_forward(
	struct memory_walk *w, int layer, enum layer_keep keep, enum memory_kind output)
{
	const struct training_layer *l = &w->layer;
	uint32_t *rows = w->rows[layer];
	for (size_t i = 0; i < l->n; i++) {
		const struct layer_row *r = &l->rows[i];
		w->t_s += w->forward_s / (double)l->n;
		cast_weight(w, layer, i);
		if (i + 1 == l->n)
			w->inputs[layer + 1] = walk_take(w, r->bytes, output);
		else
			rows[i] = walk_take(
				w, r->bytes, keeps(r, keep) ? MEMORY_ACTIVATIONS : MEMORY_OTHER);
		for (size_t j = 0; j <= i; j++)
			if (l->rows[j].last == i && !keeps(&l->rows[j], keep))
				walk_drop(w, &rows[j]);
	}
}

void walk_layer_rerun(struct memory_walk *w, int layer)
{
	const struct training_layer *l = &w->layer;
	uint32_t *rows = w->rows[layer];
	double flops = layer_flops(l);
	for (size_t i = 0; i + 1 < l->n; i++) {
		const struct layer_row *r = &l->rows[i];
		if (!(r->flags & ROW_RERUN))
			continue;
		w->t_s += w->forward_s * r->flops / flops;
		w->recomputed_s += w->forward_s * r->flops / flops;
		uint32_t again = walk_take(
			w, r->bytes, r->flags & ROW_SAVED ? MEMORY_ACTIVATIONS : MEMORY_OTHER);
		if (r->flags & ROW_STORED)
			walk_drop(w, &again); /* only its inputs were wanted */
		else
			rows[i] = again;
		for (size_t j = 0; j <= i; j++)
			if (l->rows[j].last == i && !(l->rows[j].flags & ROW_SAVED))
				walk_drop(w, &rows[j]);
	}
}

/* Operations in reverse: each makes the gradients of the rows that it was the last to read (earlier
 * readers add to them), then those of its weight; then its own row and its gradient are free. */
void walk_layer_backward(struct memory_walk *w, int layer)
{
	const struct training_layer *l = &w->layer;
	uint32_t gradients[MAX_LAYER_ROWS] = { 0 }, input = 0;
	gradients[l->n - 1] = w->stream;
	for (size_t i = l->n; i-- > 0;) {
		const struct layer_row *r = &l->rows[i];
		w->t_s += 2 * w->forward_s / (double)l->n;
		for (size_t j = 0; j < i; j++)
			if (l->rows[j].last == i)
				gradients[j] =
					walk_take(w, l->rows[j].gradient_bytes, MEMORY_OTHER);
		if (i == w->input_reader)
			input = walk_take(w, l->rows[l->n - 1].gradient_bytes, MEMORY_OTHER);
		if (r->params > 0)
			walk_gradient(w, i, r->params * w->scale);
		walk_drop(w, &gradients[i]);
		walk_drop(w, i + 1 == l->n ? &w->inputs[layer + 1] : &w->rows[layer][i]);
		walk_drop(w, &w->casts[layer][i]);
	}
	w->stream = input;
	walk_drop(w, &w->inputs[layer]);
	walk_reduce_gradients(w, layer);
}
