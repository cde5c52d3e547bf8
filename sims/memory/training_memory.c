/* The walk plays the step of a framework without computing anything: it goes through loading,
 * forward, loss, backward and optimizer, layer by layer and inside a layer row by row
 * (training_layer.h), and notes every tensor that would be allocated and freed, with its size, its
 * kind and the time. A row lives until its last reader has run; what backward needs is kept, or,
 * where it is checkpointed, dropped and made again by running the layer once more. Under ZeRO the
 * weights of a unit are gathered before it is used and released after, and its gradients are
 * scattered as soon as they are all there. */
#include "sims/memory/training_memory.h"

#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/formulas/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Which rows of a layer outlive its forward pass. */
enum layer_keep { KEEP_SAVED, KEEP_STORED, KEEP_NONE };

struct memory_walk {
	const struct memory_setup *s;
	struct memory_trace *trace;
	struct arena *arena;
	struct training_layer layer;
	struct state_bytes state;
	double value_bytes; /* of a value of activations, and of weights in use under ZeRO-3 */
	double shards;
	double t_s, recomputed_s;
	double forward_s; /* time of one layer's forward pass */
	bool once;        /* what is allocated now comes in the first step only */
	int layers;
	size_t input_reader; /* the row that reads the layer's input last */

	/* Weights lie in units that are gathered together: 0 the embedding, the layers from 1,
	 * then the head. */
	double scale; /* the table's parameters of a layer over those of its rows */
	double embed_params, head_params;
	bool tied; /* the head uses the embedding's matrix */

	/* Tensors; 0 is none. By layer, from 1. */
	uint32_t *inputs; /* [layers + 2] */
	uint32_t (*rows)[MAX_LAYER_ROWS], (*casts)[MAX_LAYER_ROWS];
	uint32_t *gathered;             /* [layers + 2], by unit */
	uint32_t whole[MAX_LAYER_ROWS]; /* gradients of one unit before they are scattered */
	uint32_t stream;                /* the gradient that flows from layer to layer */
	uint32_t *gradients;            /* that live until the step ends */
	size_t n_gradients, cap_gradients;
};

/* --- events as they come --------------------------------------------------------------------- */

static void add_event(struct memory_walk *w, uint32_t tensor, bool frees)
{
	struct memory_trace *t = w->trace;
	struct memory_event *e = ARRAY_PUSH(w->arena, t, events, n_events, cap_events);
	if (e)
		*e = (struct memory_event){
			.at_s = w->t_s, .tensor = tensor, .frees = frees, .once = w->once
		};
}

/* Allocates; 0 for less than a byte, and when the arena has failed. */
static uint32_t walk_take(struct memory_walk *w, double bytes, enum memory_kind kind)
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

/* Frees what is there, and forgets it. */
static void walk_drop(struct memory_walk *w, uint32_t *tensor)
{
	if (*tensor)
		add_event(w, *tensor, true);
	*tensor = 0;
}

static void walk_phase(
	struct memory_walk *w, enum memory_phase_kind kind, int layer, int last_layer)
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

static void walk_keep_gradient(struct memory_walk *w, uint32_t tensor)
{
	uint32_t *kept = ARRAY_PUSH(w->arena, w, gradients, n_gradients, cap_gradients);
	if (kept)
		*kept = tensor;
}

static double walk_unit_params(const struct memory_walk *w, int unit)
{
	assert(unit >= 0 && unit <= w->layers + 1);
	if (unit == 0)
		return w->embed_params;
	return unit <= w->layers ? layer_params(&w->layer) * w->scale : w->head_params;
}

/* Under ZeRO-3: the unit's weights, whole; nothing otherwise. */
static void walk_gather(struct memory_walk *w, int unit)
{
	if (w->s->zero < 3 || unit < 0 || unit > w->layers + 1 || w->gathered[unit])
		return;
	w->gathered[unit] = walk_take(w, walk_unit_params(w, unit) * w->value_bytes, MEMORY_OTHER);
}

static void walk_release(struct memory_walk *w, int unit)
{
	assert(unit >= 0 && unit <= w->layers + 1);
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

/* The gradient of one weight, and what becomes of a unit's when all are there. */
static void walk_gradient(struct memory_walk *w, size_t row, double params)
{
	if (!sharded_gradients(w)) {
		walk_keep_gradient(w, walk_take(w, params * w->state.gradient, MEMORY_GRADIENTS));
		return;
	}
	double bytes = reduces_in_fp32(w) ? w->value_bytes : w->state.gradient;
	w->whole[row] = walk_take(w, params * bytes, MEMORY_OTHER);
}

static void walk_reduce_gradients(struct memory_walk *w, int unit)
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

static void walk_layer_forward(
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

static void walk_layer_rerun(struct memory_walk *w, int layer)
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
static void walk_layer_backward(struct memory_walk *w, int layer)
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

/* --- the setup, and the step from end to end ------------------------------------------------- */

/* NCCL's buffers take about as much as the context (Bekman, Machine Learning Engineering). */
static const double nccl_bytes = 0.5e9;

struct state_bytes memory_state_bytes(enum memory_precision p, enum memory_optimizer o)
{
	assert(p <= MEMORY_BF16 && o <= MEMORY_SGD);
	static const double moments[] = { [MEMORY_ADAMW] = ADAMW_MOMENT_BYTES,
		[MEMORY_ADAM8BIT] = ADAM8BIT_MOMENT_BYTES,
		[MEMORY_SGD] = 4 };
	if (p == MEMORY_BF16)
		return (struct state_bytes){ BF16_BYTES, BF16_BYTES, FP32_BYTES + moments[o] };
	return (struct state_bytes){ FP32_BYTES, FP32_BYTES, moments[o] };
}

double memory_shards(const struct memory_setup *s)
{
	return fmax(1, floor(s->gpus / s->tp));
}

const double memory_host_bandwidth = 41e9;

double memory_offload_s(const struct memory_setup *s)
{
	if (!s->offload)
		return 0;
	struct state_bytes b = memory_state_bytes(s->precision, s->optimizer);
	double params = s->model->params / s->tp / (s->zero >= 1 ? memory_shards(s) : 1);
	double on_host = b.gradient + b.weight + 2 * b.optimizer;
	return params *
	       ((b.gradient + b.weight) / PCIE_BYTES_PER_S + on_host / memory_host_bandwidth);
}

double memory_static_bytes(const struct memory_setup *s)
{
	assert(s->zero >= 0 && s->zero <= 3);
	struct state_bytes b = memory_state_bytes(s->precision, s->optimizer);
	double params = s->model->params / s->tp, n = memory_shards(s);
	double gradient = s->offload ? 0 : b.gradient, optimizer = s->offload ? 0 : b.optimizer;
	switch (s->zero) {
	case 0:
		return CALL(static_memory_bytes, .params = params, .weight_bytes = b.weight,
			.gradient_bytes = gradient, .optimizer_bytes = optimizer);
	case 1:
		return CALL(zero1_bytes, .params = params, .gpus = n, .weight_bytes = b.weight,
			.gradient_bytes = gradient, .optimizer_bytes = optimizer);
	case 2:
		return CALL(zero2_bytes, .params = params, .gpus = n, .weight_bytes = b.weight,
			.gradient_bytes = gradient, .optimizer_bytes = optimizer);
	default:
		return CALL(zero3_bytes, .params = params, .gpus = n, .weight_bytes = b.weight,
			.gradient_bytes = gradient, .optimizer_bytes = optimizer,
			.gathered_params = 0);
	}
}

double memory_context_bytes(const struct memory_setup *s)
{
	return CUDA_CONTEXT_BYTES + (s->gpus > 1 ? nccl_bytes : 0);
}

/* Plain autocast adds 16-bit results to an FP32 stream; FSDP's mixed precision casts it too. */
struct training_layer memory_layer(const struct memory_setup *s)
{
	double value = s->precision == MEMORY_FP32 ? 4 : 2;
	bool fp32_stream = s->precision == MEMORY_AUTOCAST && s->zero < 3 && s->actual;
	return layer_of(&(struct layer_setup){ .model = s->model,
		.batch = s->batch,
		.seq = s->seq,
		.tp = s->tp,
		.value_bytes = value,
		.residual_bytes = fp32_stream ? 4 : value,
		.flash = s->flash,
		.actual = s->actual,
		.fused = s->fused });
}

/* The table's count is the truth; the rows say how it is spread over a layer's matrices. What
 * layers do not take is the embedding and, where more than one matrix is left, the head. */
static void count_params(struct memory_walk *w)
{
	const struct model *m = w->s->model;
	double layers = w->layers, total = m->params / w->s->tp;
	double vocabulary = m->vocab * m->hidden / w->s->tp;
	double rest = total - layers * layer_params(&w->layer);
	w->scale = 1;
	if (rest < 0 || rest > 3 * vocabulary + 0.1 * total) {
		rest = fmin(vocabulary, total / 2);
		w->scale = (total - rest) / (layers * layer_params(&w->layer));
	}
	w->trace->odd_params_ratio = w->scale;
	w->tied = rest < 1.5 * vocabulary;
	w->embed_params = w->tied ? rest : vocabulary;
	w->head_params = rest - w->embed_params;
}

static bool walk_init(struct memory_walk *w)
{
	w->layers = (int)w->s->model->layers;
	w->layer = memory_layer(w->s);
	w->state = memory_state_bytes(w->s->precision, w->s->optimizer);
	w->value_bytes = w->s->precision == MEMORY_FP32 ? 4 : 2;
	w->shards = memory_shards(w->s);
	w->forward_s = layer_flops(&w->layer) / w->s->flops_per_s;
	for (size_t i = 0; i < w->layer.n; i++)
		if (strcmp(w->layer.rows[i].name, "residual") == 0)
			w->input_reader = i;
	size_t n = (size_t)w->layers + 2;
	w->inputs = arena_array(w->arena, n, sizeof *w->inputs);
	w->gathered = arena_array(w->arena, n, sizeof *w->gathered);
	w->rows = arena_array(w->arena, n, sizeof *w->rows);
	w->casts = arena_array(w->arena, n, sizeof *w->casts);
	count_params(w);
	return !w->arena->failed;
}

/* How many tensors a unit has: a layer's rows, or one matrix. */
static size_t unit_tensors(const struct memory_walk *w, int unit)
{
	return unit > 0 && unit <= w->layers ? w->layer.n : 1;
}

static double tensor_params(const struct memory_walk *w, int unit, size_t i)
{
	if (unit > 0 && unit <= w->layers)
		return w->layer.rows[i].params * w->scale;
	return walk_unit_params(w, unit);
}

/* In elements, with the defaults of DeepSpeed's documentation: reduce_bucket_size, which lies in
 * one piece for the whole run, and stage3_max_live_parameters. */
static const double deepspeed_bucket = 5e8, deepspeed_live = 1e9;

/* The walk gathers a layer and the next; DeepSpeed keeps more of them. */
static void take_deepspeed_buffers(struct memory_walk *w)
{
	double walked = 2 * layer_params(&w->layer) * w->scale;
	double live = fmin(deepspeed_live, w->s->model->params / w->s->tp);

	walk_take(w, deepspeed_bucket * w->value_bytes, MEMORY_OTHER);
	walk_take(w, fmax(0, live - walked) * w->value_bytes, MEMORY_OTHER);
}

static void load_weights(struct memory_walk *w)
{
	double weight = w->state.weight / (w->s->zero == 3 ? w->shards : 1);
	double master = w->s->precision == MEMORY_BF16 && !w->s->offload ? 4 : 0;
	if (w->s->zero >= 1)
		master /= w->shards;
	for (int u = 0; u <= w->layers + 1; u++)
		for (size_t i = 0; i < unit_tensors(w, u); i++) {
			walk_take(w, tensor_params(w, u, i) * weight, MEMORY_WEIGHTS);
			walk_take(w, tensor_params(w, u, i) * master, MEMORY_OPTIMIZER);
		}
	if (w->s->deepspeed && w->s->zero == 3)
		take_deepspeed_buffers(w);
	w->trace->n_loading = w->trace->n_events;
}

/* Layers of a checkpointed segment; 0 where layers keep what they need. */
static int segment_layers(const struct memory_setup *s)
{
	if (s->checkpointing == CHECKPOINT_FULL)
		return 1;
	return s->checkpointing == CHECKPOINT_EVERY_K ? s->k : 0;
}

/* First layer of the segment of a layer. The last segment is a whole one: what layers divide by k
 * leaves over comes first, where memory is lowest. */
static int segment_start(const struct memory_walk *w, int layer, int k)
{
	int from_the_end = (w->layers - layer) / k, start = w->layers - (from_the_end + 1) * k + 1;
	return start > 1 ? start : 1;
}

static void forward(struct memory_walk *w)
{
	int k = segment_layers(w->s);
	enum layer_keep keep = k ? KEEP_NONE : KEEP_SAVED;
	if (w->s->checkpointing == CHECKPOINT_SELECTIVE)
		keep = KEEP_STORED;
	walk_phase(w, PHASE_EMBED, 0, 0);
	walk_gather(w, 0);
	w->inputs[1] = walk_take(w, w->layer.input_bytes, MEMORY_ACTIVATIONS);
	for (int l = 1; l <= w->layers; l++) {
		bool next_kept = !k || segment_start(w, l + 1, k) == l + 1;
		enum memory_kind output = next_kept ? MEMORY_ACTIVATIONS : MEMORY_OTHER;
		walk_gather(w, l);
		walk_release(w, 0);
		walk_gather(w, l + 1); /* while this layer computes */
		walk_phase(w, PHASE_FORWARD, l, l);
		walk_layer_forward(w, l, keep, l == w->layers ? MEMORY_LOGITS : output);
		walk_release(w, l);
		if (k && segment_start(w, l, k) != l)
			walk_drop(w, &w->inputs[l]);
	}
}

/* Autocast forgets its copies at the end of forward; the graph holds those that it needs. */
static void end_autocast(struct memory_walk *w)
{
	if (segment_layers(w->s))
		for (int l = 1; l <= w->layers; l++)
			for (size_t i = 0; i < w->layer.n; i++)
				walk_drop(w, &w->casts[l][i]);
}

/* Logits, their FP32 copy, its log-softmax; then, backward, the loss's gradient and the
 * log-softmax's: at the worst moment 3 FP32 copies beside the 16-bit one that the script holds. */
static void whole_logits(struct memory_walk *w, double elements, double part_s)
{
	bool wide = w->value_bytes == 4;
	double narrow_bytes = elements * w->value_bytes, fp32_bytes = elements * 4;
	uint32_t logits = walk_take(w, narrow_bytes, MEMORY_LOGITS);
	w->t_s += part_s;
	uint32_t fp32 = wide ? 0 : walk_take(w, fp32_bytes, MEMORY_LOGITS);
	uint32_t log_softmax = walk_take(w, fp32_bytes, MEMORY_LOGITS);
	walk_drop(w, &fp32);
	end_autocast(w);
	uint32_t loss = walk_take(w, fp32_bytes, MEMORY_LOGITS);
	uint32_t gradient = walk_take(w, fp32_bytes, MEMORY_LOGITS);
	walk_drop(w, &loss);
	walk_drop(w, &log_softmax);
	uint32_t narrow = wide ? 0 : walk_take(w, narrow_bytes, MEMORY_LOGITS);
	if (!wide)
		walk_drop(w, &gradient);
	w->t_s += 2 * part_s;
	w->stream = walk_take(w, w->layer.rows[w->layer.n - 1].gradient_bytes, MEMORY_LOGITS);
	walk_gradient(w, 0, w->tied ? 0 : w->head_params);
	walk_drop(w, wide ? &gradient : &narrow);
	walk_drop(w, &logits);
}

/* As Liger does: chunks of as many logits as the hidden states have values; each is turned into its
 * gradient in place, and adds to the gradients of the head and of the hidden states. */
static void chunked_logits(struct memory_walk *w, double part_s)
{
	double stream_bytes = w->layer.rows[w->layer.n - 1].gradient_bytes;
	w->stream = walk_take(w, stream_bytes, MEMORY_LOGITS);
	double head_bytes = (w->tied ? w->embed_params : w->head_params) * w->value_bytes;
	uint32_t head = walk_take(w, head_bytes, MEMORY_LOGITS);
	uint32_t chunk = walk_take(w, stream_bytes, MEMORY_LOGITS);
	uint32_t addend = walk_take(w, head_bytes, MEMORY_LOGITS);
	w->t_s += 3 * part_s;
	walk_drop(w, &addend);
	walk_drop(w, &chunk);
	end_autocast(w);
	walk_gradient(w, 0, w->tied ? 0 : w->head_params);
	walk_drop(w, &head);
}

static void loss(struct memory_walk *w)
{
	const struct memory_setup *s = w->s;
	double elements = s->batch * s->seq * s->model->vocab / s->tp;
	double part_s = 2 * elements * s->model->hidden / s->flops_per_s;
	double norm_bytes = s->batch * s->seq * s->model->hidden * w->value_bytes;
	walk_phase(w, PHASE_LOSS, 0, 0);
	int unit = w->tied ? 0 : w->layers + 1;
	walk_gather(w, unit);
	walk_gather(w, w->layers + 1);
	uint32_t norm = walk_take(w, norm_bytes / s->tp, MEMORY_LOGITS);
	uint32_t whole = s->tp > 1 ? walk_take(w, norm_bytes, MEMORY_LOGITS) : 0;
	if (s->fused)
		chunked_logits(w, part_s);
	else
		whole_logits(w, elements, part_s);
	walk_gather(w, w->layers); /* while the head's gradient computes */
	walk_drop(w, &whole);
	walk_drop(w, &norm);
	walk_drop(w, &w->inputs[w->layers + 1]);
	walk_reduce_gradients(w, w->layers + 1);
	walk_release(w, unit);
	walk_release(w, w->layers + 1);
}

static void recompute(struct memory_walk *w, int first, int last)
{
	walk_phase(w, PHASE_RECOMPUTE, first, last);
	for (int l = first; l <= last; l++) {
		walk_gather(w, l);
		if (l < last)
			walk_gather(w, l + 1);
		walk_layer_forward(w, l, KEEP_SAVED, MEMORY_ACTIVATIONS);
		w->recomputed_s += w->forward_s;
		if (l < last)
			walk_release(w, l);
	}
}

static void backward(struct memory_walk *w)
{
	int k = segment_layers(w->s), start = w->layers + 1;
	for (int l = w->layers; l >= 1; l--) {
		if (k && l < start) {
			start = segment_start(w, l, k);
			recompute(w, start, l);
		}
		walk_gather(w, l);
		if (l > 1)
			walk_gather(w, l - 1);
		walk_phase(w, PHASE_BACKWARD, l, l);
		if (w->s->checkpointing == CHECKPOINT_SELECTIVE)
			walk_layer_rerun(w, l);
		walk_layer_backward(w, l);
		walk_release(w, l);
	}
	walk_gradient(w, 0, w->embed_params);
	walk_drop(w, &w->stream);
	walk_reduce_gradients(w, 0);
}

/* The moments come in the first step. Fused kernels (for 16-bit weights, as DeepSpeed and Megatron
 * have them) need one FP32 gradient at a time; PyTorch's default AdamW works on lists of tensors
 * and holds a temporary as large as the parameters. */
static void update(struct memory_walk *w, uint32_t *temporary, double params)
{
	static const int moments[] = {
		[MEMORY_ADAMW] = 2, [MEMORY_ADAM8BIT] = 2, [MEMORY_SGD] = 1
	};
	static const double moment_bytes[] = {
		[MEMORY_ADAMW] = 4, [MEMORY_ADAM8BIT] = 1, [MEMORY_SGD] = 4
	};
	double all_bytes = w->state.weight + w->state.gradient + 2 * w->state.optimizer;
	w->t_s += params * all_bytes / w->s->bandwidth;
	w->once = true;
	for (int i = 0; i < moments[w->s->optimizer]; i++)
		walk_take(w, params * moment_bytes[w->s->optimizer], MEMORY_OPTIMIZER);
	w->once = false;
	if (w->s->precision == MEMORY_BF16 || w->s->optimizer == MEMORY_ADAMW)
		*temporary = walk_take(w, params * 4, MEMORY_OTHER);
	if (w->s->precision == MEMORY_BF16)
		walk_drop(w, temporary);
}

static void optimizer(struct memory_walk *w)
{
	double shards = w->s->zero >= 1 ? w->shards : 1;
	walk_phase(w, PHASE_OPTIMIZER, 0, 0);
	w->t_s += memory_offload_s(w->s);
	for (int u = 0; u <= w->layers + 1 && !w->s->offload; u++)
		for (size_t i = 0; i < unit_tensors(w, u); i++)
			update(w, &w->rows[u][i], tensor_params(w, u, i) / shards);
	for (int u = 0; u <= w->layers + 1 && !w->arena->failed; u++)
		for (size_t i = 0; i < unit_tensors(w, u); i++)
			walk_drop(w, &w->rows[u][i]);
	for (size_t i = 0; i < w->n_gradients; i++)
		walk_drop(w, &w->gradients[i]);
}

void memory_trace_build(
	const struct memory_setup *s, struct memory_trace *trace, struct arena *arena)
{
	assert(s->model && s->tp >= 1 && s->gpus >= 1 && s->zero >= 0 && s->zero <= 3);
	assert(s->checkpointing != CHECKPOINT_EVERY_K || s->k > 0);
	assert(trace->n_events == 0);
	struct memory_walk w = { .s = s, .trace = trace, .arena = arena };
	if (!walk_init(&w))
		return;
	load_weights(&w);
	forward(&w);
	loss(&w);
	backward(&w);
	optimizer(&w);
	trace->duration_s = w.t_s;
	trace->recompute_share = w.recomputed_s / (TRAINING_PASSES * w.layers * w.forward_s);
}
