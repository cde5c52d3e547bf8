/* The walk plays the step of a framework without computing anything: it goes through loading,
 * forward, loss, backward and optimizer, layer by layer and inside a layer row by row
 * (training_layer.h; each as its kind has it), and notes every tensor that would be allocated and freed, with its size, its
 * kind and the time. A row lives until its last reader has run; what backward needs is kept, or,
 * where it is checkpointed, dropped and made again by running the layer once more. Under ZeRO the
 * weights of a unit are gathered before it is used and released after, and its gradients are
 * scattered as soon as they are all there. */
#include "sims/memory/training_memory.h"

#include "sims/constants.h"
#include "sims/architecture/architecture.h"
#include "sims/base/array.h"
#include "sims/training/model_params.h"
#include "sims/training/step_parts.h"
#include "sims/training/step_recipe.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Which rows of a layer outlive its forward pass. */
enum layer_keep { KEEP_SAVED, KEEP_STORED, KEEP_NONE };

struct memory_walk {
	const struct memory_setup *s;
	struct memory_trace *trace;
	struct arena *arena;
	struct training_layer kinds[MOST_GROUPS]; /* of layers; a plain model has one */
	uint8_t of_layer[MOST_LAYERS + 2];        /* the kind of each layer, from 1 */
	struct state_bytes state;
	double value_bytes; /* of a value of activations, and of weights in use under ZeRO-3 */
	double shards, expert_shards;
	double t_s, recomputed_s;
	double all_forward_s; /* of all layers */
	bool once;            /* what is allocated now comes in the first step only */
	int layers;           /* a head for a further token is one more */

	/* Weights lie in units that are gathered together: 0 the embedding, the layers from 1,
	 * then the head. */
	double scale, expert_scale; /* the table's parameters of layers over those of their rows */
	double embed_params, head_params;
	double join_params; /* of a head for a further token; in the head's unit */
	bool tied;          /* the head uses the embedding's matrix */

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

static const struct training_layer *layer_at(const struct memory_walk *w, int layer)
{
	assert(layer >= 1 && layer <= w->layers);
	return &w->kinds[w->of_layer[layer]];
}

/* Time of a layer's forward pass. */
static double forward_s(const struct memory_walk *w, int layer)
{
	return layer_flops(layer_at(w, layer)) / w->s->flops_per_s;
}

static double row_params(const struct memory_walk *w, const struct layer_row *r)
{
	return r->params * (r->flags & ROW_EXPERTS ? w->expert_scale : w->scale);
}

/* GPUs that share the state of a row's weight. */
static double row_shards(const struct memory_walk *w, const struct layer_row *r)
{
	return r->flags & ROW_EXPERTS ? w->expert_shards : w->shards;
}

static double walk_unit_params(const struct memory_walk *w, int unit)
{
	assert(unit >= 0 && unit <= w->layers + 1);
	if (unit == 0)
		return w->embed_params;
	if (unit > w->layers)
		return w->head_params + w->join_params;
	const struct training_layer *l = layer_at(w, unit);
	double experts = layer_expert_params(l);
	return (layer_params(l) - experts) * w->scale + experts * w->expert_scale;
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

static bool is_layer(const struct memory_walk *w, int unit)
{
	return unit > 0 && unit <= w->layers;
}

/* How many tensors a unit has: a layer's rows, or one matrix; and of each its parameters, and the GPUs
 * that share its state. */
static size_t unit_tensors(const struct memory_walk *w, int unit)
{
	return is_layer(w, unit) ? layer_at(w, unit)->n : 1;
}

static double tensor_params(const struct memory_walk *w, int unit, size_t i)
{
	return is_layer(w, unit) ? row_params(w, &layer_at(w, unit)->rows[i])
				 : walk_unit_params(w, unit);
}

static double tensor_shards(const struct memory_walk *w, int unit, size_t i)
{
	return is_layer(w, unit) ? row_shards(w, &layer_at(w, unit)->rows[i]) : w->shards;
}

static void walk_reduce_gradients(struct memory_walk *w, int unit)
{
	if (!sharded_gradients(w))
		return;
	uint32_t fp32 = 0;
	if (reduces_in_fp32(w))
		fp32 = walk_take(w, walk_unit_params(w, unit) * 4, MEMORY_OTHER);
	double gradient = w->s->offload ? 0 : w->state.gradient;
	for (size_t i = 0; i < unit_tensors(w, unit); i++) {
		double shard = tensor_params(w, unit, i) / tensor_shards(w, unit, i);
		walk_keep_gradient(w, walk_take(w, shard * gradient, MEMORY_GRADIENTS));
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
	const struct layer_row *r = &layer_at(w, layer)->rows[row];
	bool casts = w->s->precision == MEMORY_AUTOCAST && w->s->zero < 3;
	if (casts && r->flops > 0 && !w->casts[layer][row])
		w->casts[layer][row] = walk_take(w, row_params(w, r) * 2, MEMORY_OTHER);
}

static void walk_layer_forward(
	struct memory_walk *w, int layer, enum layer_keep keep, enum memory_kind output)
{
	const struct training_layer *l = layer_at(w, layer);
	uint32_t *rows = w->rows[layer];
	double row_s = forward_s(w, layer) / (double)l->n;
	for (size_t i = 0; i < l->n; i++) {
		const struct layer_row *r = &l->rows[i];
		w->t_s += row_s;
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
	const struct training_layer *l = layer_at(w, layer);
	uint32_t *rows = w->rows[layer];
	for (size_t i = 0; i + 1 < l->n; i++) {
		const struct layer_row *r = &l->rows[i];
		if (!(r->flags & ROW_RERUN))
			continue;
		w->t_s += r->flops / w->s->flops_per_s;
		w->recomputed_s += r->flops / w->s->flops_per_s;
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
	const struct training_layer *l = layer_at(w, layer);
	double row_s = 2 * forward_s(w, layer) / (double)l->n;
	uint32_t gradients[MAX_LAYER_ROWS] = { 0 }, input = 0;
	gradients[l->n - 1] = w->stream;
	for (size_t i = l->n; i-- > 0;) {
		const struct layer_row *r = &l->rows[i];
		w->t_s += row_s;
		for (size_t j = 0; j < i; j++)
			if (l->rows[j].last == i)
				gradients[j] =
					walk_take(w, l->rows[j].gradient_bytes, MEMORY_OTHER);
		if (i == l->input_reader)
			input = walk_take(w, l->rows[l->n - 1].gradient_bytes, MEMORY_OTHER);
		if (r->params > 0)
			walk_gradient(w, i, row_params(w, r));
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

/* The recipe of a setup; NULL where there is none, or weights are not in BF16. */
static const struct step_recipe *recipe_of(const struct memory_setup *s)
{
	return s->precision == MEMORY_BF16 ? s->recipe : NULL;
}

struct state_bytes memory_setup_state(const struct memory_setup *s)
{
	struct state_bytes b = memory_state_bytes(s->precision, s->optimizer);
	const struct step_recipe *r = recipe_of(s);
	if (!r)
		return b;
	b.weight = r->weight_bytes + r->wide_layers * (BF16_BYTES - r->weight_bytes);
	if (s->optimizer == MEMORY_ADAMW)
		b.optimizer = FP32_BYTES + r->moment_bytes;
	return b;
}

double memory_shards(const struct memory_setup *s)
{
	return fmax(1, floor(s->gpus / s->tp));
}

const double memory_host_bandwidth = 41e9;

static struct expert_mesh mesh_of(const struct memory_setup *s)
{
	return expert_mesh(s->ep, s->tp, 1, memory_shards(s));
}

double memory_expert_shards(const struct memory_setup *s)
{
	return mesh_of(s).copies;
}

/* Parameters on one GPU, of both kinds, before ZeRO shards them. */
static void held_params(const struct memory_setup *s, double *params, double *experts)
{
	const struct model_params p = model_params_of(s->model);
	const struct expert_mesh mesh = mesh_of(s);
	double all = p.experts * (s->model->layers + p.further);
	*params = (model_trained_params(s->model) - all) / s->tp;
	*experts = all / (mesh.ep * mesh.split);
}

double memory_offload_s(const struct memory_setup *s)
{
	double params, experts;
	if (!s->offload)
		return 0;
	struct state_bytes b = memory_setup_state(s);
	held_params(s, &params, &experts);
	if (s->zero >= 1)
		params = params / memory_shards(s) + experts / memory_expert_shards(s);
	else
		params += experts;
	double on_host = b.gradient + b.weight + 2 * b.optimizer;
	return params *
	       ((b.gradient + b.weight) / PCIE_BYTES_PER_S + on_host / memory_host_bandwidth);
}

double memory_static_bytes(const struct memory_setup *s)
{
	assert(s->zero >= 0 && s->zero <= 3);
	struct state_bytes b = memory_setup_state(s);
	const struct model_params p = model_params_of(s->model);
	double gradient = s->offload ? 0 : b.gradient, optimizer = s->offload ? 0 : b.optimizer;
	double wide = memory_state_bytes(s->precision, s->optimizer).weight;
	double narrow = p.layer * (s->model->layers + p.further) / s->tp;
	double n = memory_shards(s), copies = memory_expert_shards(s), params, experts;
	held_params(s, &params, &experts);
	/* Embedding, vocabulary and what joins them lie as they always do. */
	return zero_state_bytes(s->zero, n, narrow, b.weight, gradient, optimizer) +
	       zero_state_bytes(s->zero, n, params - narrow, wide, gradient, optimizer) +
	       zero_state_bytes(s->zero, copies, experts, b.weight, gradient, optimizer);
}

double memory_context_bytes(const struct memory_setup *s)
{
	return CUDA_CONTEXT_BYTES + (s->gpus > 1 ? nccl_bytes : 0);
}

size_t memory_layer_groups(const struct memory_setup *s)
{
	return s->model->made_of ? s->model->made_of->n_groups : 1;
}

/* Plain autocast adds 16-bit results to an FP32 stream; FSDP's mixed precision casts it too. */
struct training_layer memory_layer(const struct memory_setup *s, size_t group)
{
	const struct architecture *a = s->model->made_of;
	const struct expert_mesh mesh = mesh_of(s);
	double value = s->precision == MEMORY_FP32 ? 4 : 2;
	bool fp32_stream = s->precision == MEMORY_AUTOCAST && s->zero < 3 && s->actual;
	assert(group < memory_layer_groups(s));
	return layer_of(&(struct layer_setup){ .model = s->model,
		.group = a ? &a->groups[group] : NULL,
		.expert_rows = a ? a->groups[group].feed.per_token / s->tp : 0,
		.expert_share = 1 / (mesh.ep * mesh.split),
		.batch = s->batch,
		.seq = s->seq,
		.tp = s->tp,
		.value_bytes = value,
		.residual_bytes = fp32_stream ? 4 : value,
		.recipe = recipe_of(s),
		.flash = s->flash,
		.actual = s->actual,
		.fused = s->fused });
}

double memory_saved_bytes(const struct memory_setup *s)
{
	const struct architecture *a = s->model->made_of;
	double bytes = 0;
	for (size_t i = 0; i < memory_layer_groups(s); i++) {
		struct training_layer l = memory_layer(s, i);
		bytes += layer_saved_bytes(&l) * (a ? (double)a->groups[i].n / a->layers : 1);
	}
	return bytes;
}

/* The table's count is the truth; the rows say how it is spread over a layer's matrices. What
 * layers do not take is the embedding and, where more than one matrix is left, the head. */
static void count_params(struct memory_walk *w)
{
	const struct model *m = w->s->model;
	double layers = w->layers, total = m->params / w->s->tp;
	double vocabulary = m->vocab * m->hidden / w->s->tp;
	double rest = total - layers * layer_params(&w->kinds[0]);
	w->scale = w->expert_scale = 1;
	if (rest < 0 || rest > 3 * vocabulary + 0.1 * total) {
		rest = fmin(vocabulary, total / 2);
		w->scale = (total - rest) / (layers * layer_params(&w->kinds[0]));
	}
	w->trace->odd_params_ratio = w->scale;
	w->tied = rest < 1.5 * vocabulary;
	w->embed_params = w->tied ? rest : vocabulary;
	w->head_params = rest - w->embed_params;
}

/* The same where layers differ: biases, norms and copies are spread over all of them. */
static void count_parts(struct memory_walk *w)
{
	const struct model_params p = model_params_of(w->s->model);
	double params, experts, of_rows = 0, of_experts = 0, tp = w->s->tp;
	held_params(w->s, &params, &experts);
	for (int l = 1; l <= w->layers; l++) {
		of_experts += layer_expert_params(layer_at(w, l));
		of_rows += layer_params(layer_at(w, l)) - layer_expert_params(layer_at(w, l));
	}
	w->embed_params = p.embedding / tp;
	w->head_params = p.head / tp;
	w->join_params = p.further * p.join / tp;
	w->tied = p.head <= 0;
	params -= w->embed_params + w->head_params + w->join_params;
	w->scale = params / of_rows;
	w->expert_scale = of_experts > 0 ? experts / of_experts : 1;
	w->trace->odd_params_ratio = (params + experts) / (of_rows + of_experts);
}

/* A head for a further token is a layer as the last one is. */
static void find_kinds(struct memory_walk *w)
{
	const struct architecture *a = w->s->model->made_of;
	for (size_t i = 0; i < memory_layer_groups(w->s); i++)
		w->kinds[i] = memory_layer(w->s, i);
	w->layers = (int)(w->s->model->layers + model_further_heads(w->s->model));
	for (int l = 1; a && l <= w->layers; l++)
		w->of_layer[l] = a->of_layer[(int)fmin(l, a->layers) - 1];
	for (int l = 1; l <= w->layers; l++)
		w->all_forward_s += forward_s(w, l);
}

static bool walk_init(struct memory_walk *w)
{
	w->state = memory_setup_state(w->s);
	w->value_bytes = w->s->precision == MEMORY_FP32 ? 4 : 2;
	w->shards = memory_shards(w->s);
	w->expert_shards = memory_expert_shards(w->s);
	find_kinds(w);
	size_t n = (size_t)w->layers + 2;
	w->inputs = arena_array(w->arena, n, sizeof *w->inputs);
	w->gathered = arena_array(w->arena, n, sizeof *w->gathered);
	w->rows = arena_array(w->arena, n, sizeof *w->rows);
	w->casts = arena_array(w->arena, n, sizeof *w->casts);
	if (w->s->model->made_of)
		count_parts(w);
	else
		count_params(w);
	return !w->arena->failed;
}

/* In elements, with the defaults of DeepSpeed's documentation: reduce_bucket_size, which lies in
 * one piece for the whole run, and stage3_max_live_parameters. */
static const double deepspeed_bucket = 5e8, deepspeed_live = 1e9;

/* The walk gathers a layer and the next; DeepSpeed keeps more of them. */
static void take_deepspeed_buffers(struct memory_walk *w)
{
	double walked = 2 * walk_unit_params(w, 1);
	double live = fmin(deepspeed_live, w->s->model->params / w->s->tp);

	walk_take(w, deepspeed_bucket * w->value_bytes, MEMORY_OTHER);
	walk_take(w, fmax(0, live - walked) * w->value_bytes, MEMORY_OTHER);
}

/* B of a parameter: of layers as the recipe has it. */
static double weight_bytes(const struct memory_walk *w, int unit)
{
	return is_layer(w, unit) ? w->state.weight
				 : memory_state_bytes(w->s->precision, w->s->optimizer).weight;
}

static void load_weights(struct memory_walk *w)
{
	double master = w->s->precision == MEMORY_BF16 && !w->s->offload ? 4 : 0;
	for (int u = 0; u <= w->layers + 1; u++)
		for (size_t i = 0; i < unit_tensors(w, u); i++) {
			double params = tensor_params(w, u, i), shards = tensor_shards(w, u, i);
			walk_take(w, params * weight_bytes(w, u) / (w->s->zero == 3 ? shards : 1),
				MEMORY_WEIGHTS);
			walk_take(w, params * master / (w->s->zero >= 1 ? shards : 1),
				MEMORY_OPTIMIZER);
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
	w->inputs[1] = walk_take(w, layer_at(w, 1)->input_bytes, MEMORY_ACTIVATIONS);
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

/* Of the stream behind the last layer. */
static double stream_gradient_bytes(const struct memory_walk *w)
{
	const struct training_layer *l = layer_at(w, w->layers);
	return l->rows[l->n - 1].gradient_bytes;
}

/* Autocast forgets its copies at the end of forward; the graph holds those that it needs. */
static void end_autocast(struct memory_walk *w)
{
	if (segment_layers(w->s))
		for (int l = 1; l <= w->layers; l++)
			for (size_t i = 0; i < layer_at(w, l)->n; i++)
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
	w->stream = walk_take(w, stream_gradient_bytes(w), MEMORY_LOGITS);
	walk_gradient(w, 0, walk_unit_params(w, w->layers + 1));
	walk_drop(w, wide ? &gradient : &narrow);
	walk_drop(w, &logits);
}

/* As Liger does: chunks of as many logits as the hidden states have values; each is turned into its
 * gradient in place, and adds to the gradients of the head and of the hidden states. */
static void chunked_logits(struct memory_walk *w, double part_s)
{
	double stream_bytes = stream_gradient_bytes(w);
	w->stream = walk_take(w, stream_bytes, MEMORY_LOGITS);
	double head_bytes = (w->tied ? w->embed_params : w->head_params) * w->value_bytes;
	uint32_t head = walk_take(w, head_bytes, MEMORY_LOGITS);
	uint32_t chunk = walk_take(w, stream_bytes, MEMORY_LOGITS);
	uint32_t addend = walk_take(w, head_bytes, MEMORY_LOGITS);
	w->t_s += 3 * part_s;
	walk_drop(w, &addend);
	walk_drop(w, &chunk);
	end_autocast(w);
	walk_gradient(w, 0, walk_unit_params(w, w->layers + 1));
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
		w->recomputed_s += forward_s(w, l);
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
	const struct step_recipe *recipe = recipe_of(w->s);
	double moment = moment_bytes[w->s->optimizer];
	if (recipe && w->s->optimizer == MEMORY_ADAMW)
		moment = recipe->moment_bytes / 2;
	double all_bytes = w->state.weight + w->state.gradient + 2 * w->state.optimizer;
	w->t_s += params * all_bytes / w->s->bandwidth;
	w->once = true;
	for (int i = 0; i < moments[w->s->optimizer]; i++)
		walk_take(w, params * moment, MEMORY_OPTIMIZER);
	w->once = false;
	if (w->s->precision == MEMORY_BF16 || w->s->optimizer == MEMORY_ADAMW)
		*temporary = walk_take(w, params * 4, MEMORY_OTHER);
	if (w->s->precision == MEMORY_BF16)
		walk_drop(w, temporary);
}

static void optimizer(struct memory_walk *w)
{
	walk_phase(w, PHASE_OPTIMIZER, 0, 0);
	w->t_s += memory_offload_s(w->s);
	for (int u = 0; u <= w->layers + 1 && !w->s->offload; u++)
		for (size_t i = 0; i < unit_tensors(w, u); i++)
			update(w, &w->rows[u][i],
				tensor_params(w, u, i) /
					(w->s->zero >= 1 ? tensor_shards(w, u, i) : 1));
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
	trace->recompute_share = w.recomputed_s / (TRAINING_PASSES * w.all_forward_s);
}
