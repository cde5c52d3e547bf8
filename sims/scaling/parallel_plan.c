/* The strategy is turned into one mesh, tensor x pipeline x context x data, in shape(); everything
 * after that knows the mesh only. Bytes come from the formulas of ZeRO, stage by stage. Times of a
 * layer and of the two ends come from the model of a training step; the pipeline runs on them, work
 * by work, and what shows of the gradients' exchange and the optimizer are added. */
#include "sims/scaling/parallel_plan.h"

#include "sims/architecture/architecture.h"
#include "sims/constants.h"
#include "sims/formulas/communication.h"
#include "sims/formulas/memory.h"
#include "sims/training/model_params.h"
#include "sims/training/step_parts.h"
#include "sims/training/training_layer.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* BF16 weights and gradients, but for what a recipe narrows. */
static const double weight_bytes = BF16_BYTES, gradient_bytes = BF16_BYTES;
/* FSDP holds the layer that computes and gathers the next one. */
static const double whole_layers = 2;

/* The surplus of a division goes to the stages in between: the first has the embedding besides, the
 * last the vocabulary, and a head for a further token in place of a layer. */
static double stage_layers(const struct parallel_plan *plan, const struct model *m, size_t stage)
{
	double mtp = model_further_heads(m), all = m->layers + mtp;
	double even = floor(all / plan->pp), surplus = all - even * plan->pp;
	double last = plan->pp - 1;
	double rank = (double)stage == last ? last : stage > 0 ? (double)stage - 1 : last - 1;
	double layers = even + (rank < surplus);
	return (double)stage == last ? fmax(0, layers - mtp) : layers;
}

/* Every stage takes its layers in `chunks` pieces as equal as can be, longer ones first; pieces
 * follow each other through the stages, chunk by chunk. False when memory is out. */
static bool deal(struct parallel_plan *plan, const struct model *m, struct arena *arena)
{
	size_t p = (size_t)plan->pp, pieces = p * (size_t)plan->chunks;
	plan->first_layer = arena_array(arena, pieces + 1, sizeof *plan->first_layer);
	if (!plan->first_layer)
		return false;
	for (size_t i = 0; i < pieces; i++) {
		double layers = stage_layers(plan, m, i % p);
		double even = floor(layers / plan->chunks);
		double longer = layers - even * plan->chunks;
		size_t chunk = i / p;
		plan->first_layer[i + 1] = plan->first_layer[i] + even + ((double)chunk < longer);
	}
	return true;
}

static double sharing(const struct plan_setup *s, const struct parallel_plan *plan)
{
	double group = plan->dp * plan->cp;
	if (plan->zero < 3 || s->shard <= 0 || s->shard >= group)
		return plan->zero == 3 ? group : 1;
	return s->shard;
}

static bool shape(const struct plan_setup *s, struct parallel_plan *plan, struct arena *arena)
{
	static const int stage_of_zero[] = { [PLAN_ZERO1] = 1, [PLAN_ZERO2] = 2, [PLAN_ZERO3] = 3 };
	plan->tp = plan->pp = plan->cp = 1;
	if (s->strategy == PLAN_TP)
		plan->tp = s->gpus;
	if (s->strategy == PLAN_PP)
		plan->pp = fmin(s->gpus, s->model->layers);
	if (s->strategy == PLAN_3D) {
		plan->tp = s->tp;
		plan->pp = fmin(s->pp, s->model->layers);
		plan->cp = s->cp;
	}
	plan->zero = s->strategy == PLAN_3D  ? s->zero
		     : s->strategy < PLAN_TP ? stage_of_zero[s->strategy]
					     : 0;
	plan->dp = fmax(1, floor(s->gpus / (plan->tp * plan->pp * plan->cp)));
	plan->used = CALL(mesh_gpus, .tensor_parallel = plan->tp, .pipeline_parallel = plan->pp,
		.context_parallel = plan->cp, .data_parallel = plan->dp);
	plan->shard = sharing(s, plan);
	plan->ep = expert_groups(
		s->model, s->ep, s->net.gpus_per_node, plan->tp * plan->cp * plan->dp);
	plan->micro_batches = s->micro_batches;
	plan->chunks = plan->copies = 1;
	if (s->schedule == PIPELINE_DUALPIPE && plan->pp > 1 && fmod(plan->pp, 2) == 0) {
		plan->copies = 2;
		plan->micro_batches = fmax(2 * plan->pp, 2 * ceil(s->micro_batches / 2));
	}
	if (s->schedule == PIPELINE_INTERLEAVED && plan->pp > 1) {
		plan->chunks = fmax(1, fmin(s->chunks, floor(s->model->layers / plan->pp)));
		plan->micro_batches = ceil(s->micro_batches / plan->pp) * plan->pp;
	}
	return deal(plan, s->model, arena);
}

void plan_layers(
	const struct parallel_plan *plan, size_t stage, size_t chunk, double *first, double *end)
{
	assert(stage < (size_t)plan->pp && chunk < (size_t)plan->chunks);
	size_t piece = chunk * (size_t)plan->pp + stage;
	*first = plan->first_layer[piece];
	*end = plan->first_layer[piece + 1];
}

size_t plan_twin(const struct parallel_plan *plan, size_t stage)
{
	return plan->copies > 1 ? (size_t)plan->pp - 1 - stage : stage;
}

static double piece_params(const struct parallel_plan *plan, const struct model *m,
	const struct model_params *w, size_t stage)
{
	double params = stage_layers(plan, m, stage) * w->layer;
	params += stage == 0 ? w->embedding : 0;
	if (stage + 1 == (size_t)plan->pp) {
		params += w->head > 0 || plan->pp == 1 ? w->head : w->embedding;
		/* A head for a further token has the vocabulary of the others. */
		params += w->further * (w->layer + w->join);
	}
	return params / plan->tp;
}

/* On a GPU of a stage: its own piece, and the one of the other way. */
static double stage_params(const struct parallel_plan *plan, const struct model *m,
	const struct model_params *w, size_t stage)
{
	double own = piece_params(plan, m, w, stage);
	return plan->copies > 1 ? own + piece_params(plan, m, w, plan_twin(plan, stage)) : own;
}

static struct expert_mesh mesh_of(const struct parallel_plan *plan)
{
	return expert_mesh(plan->ep, plan->tp, plan->cp, plan->dp);
}

/* A layer's experts on one GPU, and a stage's. */
static double layer_experts(const struct parallel_plan *plan, const struct model_params *w)
{
	const struct expert_mesh mesh = mesh_of(plan);
	return w->experts / (mesh.ep * mesh.split);
}

/* Of a piece, a head for a further token among them. */
static double layers_held(const struct parallel_plan *plan, const struct model *m,
	const struct model_params *w, size_t stage)
{
	bool last = stage + 1 == (size_t)plan->pp;
	return stage_layers(plan, m, stage) + (last ? w->further : 0);
}

static double piece_experts(const struct parallel_plan *plan, const struct model *m,
	const struct model_params *w, size_t stage)
{
	return layers_held(plan, m, w, stage) * layer_experts(plan, w);
}

static double stage_experts(const struct parallel_plan *plan, const struct model *m,
	const struct model_params *w, size_t stage)
{
	double own = piece_experts(plan, m, w, stage);
	return plan->copies > 1 ? own + piece_experts(plan, m, w, plan_twin(plan, stage)) : own;
}

/* Of both kinds of parameters: those that all replicas hold, and experts, which fewer do. */
static double state(const struct parallel_plan *plan, double params, double experts, double w,
	double g, double o)
{
	double group = plan->zero == 3 ? plan->shard : plan->dp * plan->cp * plan->copies;
	double bytes = zero_state_bytes(plan->zero, group, params, w, g, o);
	if (experts <= 0)
		return bytes;
	return bytes + zero_state_bytes(plan->zero,
			       fmin(group, mesh_of(plan).copies * plan->copies), experts, w, g, o);
}

static double gradient_bytes_of(const struct plan_setup *s)
{
	return s->wide_gradients ? FP32_BYTES : gradient_bytes;
}

static bool is_flash(const struct plan_setup *s)
{
	return s->software.date != SOFTWARE_2021;
}

static struct step_setup step_of(const struct plan_setup *s, const struct parallel_plan *plan)
{
	return (struct step_setup){ .model = s->model,
		.gpu = s->gpu,
		.net = s->net,
		.tp = plan->tp,
		.pp = plan->pp,
		.cp = plan->cp,
		.dp = plan->dp,
		.shard = plan->shard,
		.shard_optimizer = plan->zero > 0,
		.shard_gradients = plan->zero == 2,
		.micro_batch = s->batch,
		.micro_batches = plan->micro_batches,
		.seq = s->seq,
		.dtype = s->dtype,
		.recipe = s->recipe,
		.recompute = s->recompute,
		.flash = is_flash(s),
		.sequence_parallel = s->sequence_parallel,
		.wide_gradients = s->wide_gradients,
		.loss_share = 1,
		.software = s->software,
		.ep = plan->ep,
		.hot = s->hot,
		.capacity = s->capacity,
		.routing = s->routing,
		.stage_copies = plan->copies,
		/* Two ways hide it in their pairs. */
		.dispatch_overlap = s->dispatch_overlap && plan->copies <= 1,
		.mtp = model_further_heads(s->model) };
}

/* What runs: that of BF16 where the GPU has no unit for what is asked. */
static const struct step_recipe *recipe_of(const struct plan_setup *s)
{
	return step_recipe_run(
		&(struct step_setup){ .gpu = s->gpu, .dtype = s->dtype, .recipe = s->recipe });
}

/* B of weights on a GPU of a stage: what layers multiply with lies as the recipe has it. */
static double held_weights(const struct plan_setup *s, const struct parallel_plan *plan,
	const struct model_params *w, size_t stage, double params, double experts)
{
	const struct step_recipe *r = recipe_of(s);
	double layers = layers_held(plan, s->model, w, stage);
	if (plan->copies > 1)
		layers += layers_held(plan, s->model, w, plan_twin(plan, stage));
	double narrow = layers * w->layer / plan->tp;
	double each = r->weight_bytes + r->wide_layers * (weight_bytes - r->weight_bytes);
	return state(plan, params - narrow, 0, weight_bytes, 0, 0) +
	       state(plan, narrow, experts, each, 0, 0);
}

/* The layer as the model is, tensor by tensor. Separate kernels of attention keep the scores, unless
 * they are computed again. */
static struct training_layer layer_held(
	const struct plan_setup *s, const struct parallel_plan *plan)
{
	return layer_of(&(struct layer_setup){ .model = s->model,
		.batch = s->batch,
		.seq = s->seq / plan->cp,
		.tp = plan->tp,
		.value_bytes = BF16_BYTES,
		.residual_bytes = BF16_BYTES,
		.recipe = recipe_of(s),
		.flash = is_flash(s) || s->recompute != RECOMPUTE_NONE,
		.whole_stream = !s->sequence_parallel,
		.actual = true });
}

static double parts_kept(
	const struct plan_setup *s, const struct parallel_plan *plan, enum recompute recompute)
{
	struct step_setup step = step_of(s, plan);
	return parts_kept_bytes(&step, recompute);
}

/* What one layer keeps from forward to backward. */
static double kept_per_layer(const struct plan_setup *s, const struct parallel_plan *plan)
{
	if (s->model->made_of)
		return parts_kept(s, plan, s->recompute);
	struct training_layer layer = layer_held(s, plan);
	if (s->recompute == RECOMPUTE_FULL)
		return layer.input_bytes;
	if (s->recompute == RECOMPUTE_SELECTIVE && is_flash(s))
		return layer_stored_bytes(&layer);
	return layer_saved_bytes(&layer);
}

/* B of one micro-batch's s b h values at the border of a layer. */
static double border_bytes(const struct plan_setup *s, const struct parallel_plan *plan)
{
	return CALL(tp_allreduce_bytes, .seq = s->seq / plan->cp, .batch = s->batch,
		.hidden = s->model->hidden, .bytes_per_value = 2);
}

/* A layer that runs again in backward is whole while it does. */
static double whole_layer_bytes(const struct plan_setup *s, const struct parallel_plan *plan)
{
	if (s->recompute == RECOMPUTE_NONE)
		return 0;
	if (s->model->made_of)
		return parts_kept(s, plan, RECOMPUTE_NONE);
	struct training_layer layer = layer_held(s, plan);
	return layer_saved_bytes(&layer);
}

/* Times of every piece, by the layers it has; the first has the embedding besides, the last the
 * vocabulary and the loss. What shows of gathered weights is a third forward: they are gathered
 * twice, and their gradients scattered once. */
static void time_one_way(const struct plan_setup *s, const struct parallel_plan *plan,
	double forward_s[], double backward_s[], double weights_s[], double held_bytes[])
{
	const struct step_time *t = &plan->time;
	size_t p = (size_t)plan->pp, pieces = p * (size_t)plan->chunks;
	double kept = kept_per_layer(s, plan);
	for (size_t i = 0; i < pieces; i++) {
		double layers = plan->first_layer[i + 1] - plan->first_layer[i];
		forward_s[i] = layers * (t->forward_s + t->gather_s / 3);
		backward_s[i] = layers * (t->backward_s + t->gather_s * 2 / 3);
		weights_s[i] = layers * t->weights_s;
		held_bytes[i] = layers * kept;
	}
	held_bytes[pieces - 1] += model_further_heads(s->model) * kept;
	forward_s[0] += t->embedding_s / 3;
	backward_s[0] += t->embedding_s * 2 / 3;
	forward_s[pieces - 1] += t->head_forward_s;
	backward_s[pieces - 1] += t->head_backward_s;
}

/* Layers of a piece, as a pipeline numbers its pieces. */
static double piece_layers(const struct parallel_plan *plan, size_t at)
{
	size_t p = (size_t)plan->pp, piece = plan->copies > 1 && at >= p ? 2 * p - 1 - at : at;
	return plan->first_layer[piece + 1] - plan->first_layer[piece];
}

/* Tokens of a piece on their way to experts and back, forward or backward. */
static double dispatched_s(const struct parallel_plan *plan, size_t at, bool backward)
{
	const struct step_time *t = &plan->time;
	return piece_layers(plan, at) *
	       (backward ? t->dispatch_back_s : t->dispatch_s - t->dispatch_back_s);
}

/* SMs that send and receive tokens all along (DeepSeek-V3 report, 2024, 3.2.2: 20 of an H800's 132). */
static const double dispatch_sms = 20;

/* So many layers forward beside so many backward, which take alone_s one after the other: while they
 * compute, on the SMs that are left, the tokens of both travel; or as long as these do. */
static double paired_s(const struct plan_setup *s, const struct step_time *t, double forward_layers,
	double backward_layers, double alone_s)
{
	double sms = s->gpu->sm_count;
	double travels_s = forward_layers * (t->dispatch_s - t->dispatch_back_s) +
			   backward_layers * t->dispatch_back_s;
	double computed_s = forward_layers * t->computed_s + backward_layers * t->computed_back_s;
	bool gives_sms = sms > 2 * dispatch_sms && travels_s > 0;
	double longer_s = gives_sms ? computed_s * dispatch_sms / (sms - dispatch_sms) : 0;
	return fmax(alone_s - travels_s + longer_s, travels_s);
}

/* Of either way: a piece goes to its stage and, the other way, to that stage's twin. */
static void time_both_ways(const struct plan_setup *s, struct parallel_plan *plan,
	double forward_s[], double backward_s[], double weights_s[], double held_bytes[],
	double pair_s[])
{
	size_t p = (size_t)plan->pp;
	time_one_way(s, plan, forward_s, backward_s, weights_s, held_bytes);
	plan->pair_s = paired_s(s, &plan->time, 1, 1,
		plan->time.forward_s + plan->time.backward_s + plan->time.gather_s);
	for (size_t i = 0; i < p; i++) {
		forward_s[p + i] = forward_s[p - 1 - i];
		backward_s[p + i] = backward_s[p - 1 - i];
		weights_s[p + i] = weights_s[p - 1 - i];
		held_bytes[p + i] = held_bytes[p - 1 - i];
	}
	for (size_t i = 0; i < 2 * p; i++) {
		size_t back = i < p ? p + i : i - p;
		pair_s[i] = paired_s(s, &plan->time, piece_layers(plan, i),
			piece_layers(plan, back), forward_s[i] + backward_s[back]);
	}
}

enum pipeline_kind plan_schedule(const struct plan_setup *s, const struct parallel_plan *plan)
{
	if (plan->pp <= 1 || (s->schedule == PIPELINE_INTERLEAVED && plan->chunks <= 1) ||
		(s->schedule == PIPELINE_DUALPIPE && plan->copies <= 1))
		return s->schedule == PIPELINE_GPIPE ? PIPELINE_GPIPE : PIPELINE_1F1B;
	return s->schedule;
}

/* What of the tokens' way shows on the first stage. */
static double shown_dispatch_s(
	const struct parallel_plan *plan, const double forward_s[], const double backward_s[])
{
	const struct pipeline *run = &plan->pipeline;
	double sum_s = 0;
	for (size_t i = 0; i < run->first[1]; i++) {
		const struct pipeline_op *op = &run->ops[i];
		size_t at = op->chunk * (size_t)plan->pp;
		double travels_s = op->weights ? 0 : dispatched_s(plan, at, op->backward);
		if (op->paired && !op->backward) {
			size_t back = op[1].chunk * (size_t)plan->pp;
			travels_s += dispatched_s(plan, back, true);
			double alone_s = forward_s[at] + backward_s[back] - travels_s;
			travels_s = fmax(0, op->end_s - op->start_s - alone_s);
		}
		sum_s += op->paired && op->backward ? 0 : travels_s;
	}
	return sum_s;
}

static bool run_pipeline(
	const struct plan_setup *s, struct parallel_plan *plan, struct arena *arena)
{
	size_t pieces = (size_t)(plan->pp * fmax(plan->chunks, plan->copies));
	double *times = arena_array(arena, 5 * pieces, sizeof *times);
	if (arena->failed)
		return false;
	struct step_setup step = step_of(s, plan);
	struct step_work work = step_work_of(&step);
	plan->time = step_time_of(&step, &work, plan->chunks, NULL);
	plan->data_s = work.exchange_s;
	plan->data_exposed_s = plan->time.exchange_s;
	plan->optimizer_s = plan->time.optimizer_s;
	double *backward_s = times + pieces, *weights_s = times + 2 * pieces,
	       *held_bytes = times + 3 * pieces, *pair_s = times + 4 * pieces;
	if (plan->copies > 1)
		time_both_ways(s, plan, times, backward_s, weights_s, held_bytes, pair_s);
	else
		time_one_way(s, plan, times, backward_s, weights_s, held_bytes);
	double layers = stage_layers(plan, s->model, 0) * plan->micro_batches;
	plan->tensor_s = layers * (plan->time.tensor_s + plan->time.context_s);
	plan->host_s = layers * plan->time.host_s;
	if (plan->shard > 1) {
		plan->data_s += layers * (2 * work.layer.gather_s + work.layer.scatter_s);
		plan->data_exposed_s += layers * plan->time.gather_s;
	}
	bool ran = pipeline_run(&(struct pipeline_setup){ .kind = plan_schedule(s, plan),
					.stages = (size_t)plan->pp,
					.micro_batches = (size_t)plan->micro_batches,
					.chunks = (size_t)fmax(plan->chunks, plan->copies),
					.forward_s = times,
					.backward_s = backward_s,
					.weights_s = weights_s,
					.pair_s = pair_s,
					.held_bytes = held_bytes,
					.transfer_s = s->transfers ? plan->time.transfer_s : 0 },
		&plan->pipeline, arena);
	if (ran)
		plan->dispatch_s = shown_dispatch_s(plan, times, backward_s);
	return ran;
}

/* The vocabulary's outputs of one micro-batch at their peak: the BF16 that they come as, and in FP32
 * themselves, their logarithms and their gradients, as sims/memory/ walks through them. */
static double outputs_bytes(const struct plan_setup *s, const struct parallel_plan *plan)
{
	double words = s->model->vocab / plan->tp;
	return (3 * FP32_BYTES + BF16_BYTES) * s->batch * s->seq / plan->cp * words;
}

/* held_bytes: of each stage, the most that its micro-batches in flight keep. */
static bool hold(const struct plan_setup *s, struct parallel_plan *plan,
	const struct model_params *w, const double held_bytes[], struct arena *arena)
{
	size_t p = (size_t)plan->pp;
	plan->part_bytes = arena_array(arena, p * N_PLAN_PARTS, sizeof *plan->part_bytes);
	if (arena->failed)
		return false;
	for (size_t i = 0; i < p; i++) {
		double params = stage_params(plan, s->model, w, i), total = 0;
		double experts = stage_experts(plan, s->model, w, i);
		double *part = plan->part_bytes + i * N_PLAN_PARTS;
		part[PLAN_WEIGHTS] = held_weights(s, plan, w, i, params, experts);
		part[PLAN_GRADIENTS] = state(plan, params, experts, 0, gradient_bytes_of(s), 0);
		part[PLAN_OPTIMIZER] =
			state(plan, params, experts, 0, 0, FP32_BYTES + recipe_of(s)->moment_bytes);
		part[PLAN_ACTIVATIONS] = held_bytes[i] + whole_layer_bytes(s, plan);
		if (plan->shard > 1)
			part[PLAN_GATHERED] = fmin(whole_layers, stage_layers(plan, s->model, i)) *
					      (w->layer / plan->tp + layer_experts(plan, w)) *
					      weight_bytes;
		if (i + 1 == p || plan_twin(plan, i) + 1 == p)
			part[PLAN_LOGITS] = outputs_bytes(s, plan);
		for (int j = 0; j < N_PLAN_PARTS; j++)
			total += part[j];
		if (total > plan->memory_bytes) {
			plan->memory_bytes = total;
			plan->fullest = i;
		}
	}
	return true;
}

/* Tokens travel four times, six where a layer runs again; gradients of experts go among those that hold
 * the same. */
static void send_of_parts(const struct plan_setup *s, struct parallel_plan *plan,
	const struct model_params *w, double layers)
{
	struct step_setup step = step_of(s, plan);
	double bytes = layers * layer_experts(plan, w) * gradient_bytes_of(s) * plan->copies;
	double copies = mesh_of(plan).copies * plan->copies, shard = fmin(plan->shard, copies);
	double passes = s->recompute == RECOMPUTE_FULL ? 3 : 2;
	plan->traffic_bytes[TRAFFIC_EXPERTS] =
		passes * plan->micro_batches * layers * parts_layer_work(&step).dispatch_bytes;
	if (shard > 1)
		plan->traffic_bytes[TRAFFIC_DATA] +=
			plan->micro_batches *
			CALL(fsdp_traffic_bytes, .bytes = bytes, .gpus = shard, .gathers = 2);
	plan->traffic_bytes[TRAFFIC_DATA] +=
		(plan->zero == 2 ? (plan->micro_batches + 1) / 2 : 1) *
		CALL(ddp_traffic_bytes, .bytes = bytes / shard, .gpus = copies / shard);
}

/* What the GPU that sends most of a kind sends in a step. */
static void send(
	const struct plan_setup *s, struct parallel_plan *plan, const struct model_params *w)
{
	double params = 0, layers = fmax(1, stage_layers(plan, s->model, 0));
	for (size_t i = 0; i < (size_t)plan->pp; i++)
		params = fmax(params, stage_params(plan, s->model, w, i));
	double bytes = params * gradient_bytes_of(s), border = border_bytes(s, plan);
	double copies = plan->dp * plan->cp * plan->copies / plan->shard;
	/* A layer that runs again in backward sends again. */
	double passes = s->recompute == RECOMPUTE_FULL ? 1.5 : 1;
	double *sent = plan->traffic_bytes;
	if (plan->shard > 1)
		sent[TRAFFIC_DATA] =
			plan->micro_batches *
			CALL(fsdp_traffic_bytes, .bytes = bytes, .gpus = plan->shard, .gathers = 2);
	/* ZeRO-2 scatters after every micro-batch, which is half of a sum. */
	sent[TRAFFIC_DATA] += (plan->zero == 2 ? (plan->micro_batches + 1) / 2 : 1) *
			      CALL(ddp_traffic_bytes, .bytes = bytes / plan->shard, .gpus = copies);
	if (s->model->made_of)
		send_of_parts(s, plan, w, layers);
	sent[TRAFFIC_TENSOR] =
		passes * CALL(tp_step_bytes, .layers = layers, .seq = s->seq / plan->cp,
				 .batch = s->batch * plan->micro_batches,
				 .hidden = s->model->hidden, .bytes_per_value = 2,
				 .tensor_parallel = plan->tp);
	sent[TRAFFIC_PIPELINE] = CALL(pipeline_traffic_bytes, .stages = plan->pp,
		.microbatches = plan->micro_batches, .chunks = plan->chunks,
		.bytes = border / plan->tp);
	/* Keys and values are gathered twice, and their gradients scattered. */
	double cached = 2 * s->model->kv_heads * s->model->head_dim;
	if (s->model->made_of) {
		const struct cache_need c = architecture_cache(s->model->made_of);
		cached = (c.full_per_token + c.windowed_per_token) / s->model->layers;
	}
	double keys = BF16_BYTES * cached / plan->tp * s->batch * s->seq;
	sent[TRAFFIC_CONTEXT] = 3 * plan->micro_batches * layers * keys * (plan->cp - 1) / plan->cp;
}

/* Layers of one micro-batch that stage i keeps at most: 1F1B holds as many micro-batches as there
 * are stages from here on, interleaving as many chunks as it runs forward first, and one. */
static double layers_in_flight(const struct parallel_plan *plan, const struct model *m, size_t i)
{
	double below = plan->pp - 1 - (double)i, layers = stage_layers(plan, m, i);
	double all = plan->micro_batches * plan->chunks, held = below + 1;
	if (plan->copies > 1)
		return fmin(plan->pp + 1, all) *
		       (layers + stage_layers(plan, m, plan_twin(plan, i))) / 2;
	if (plan->chunks > 1)
		held = 2 * below + (plan->chunks - 1) * plan->pp + 1;
	/* A head for a further token is one more, of the last chunk of the last stage. */
	return fmin(held, all) * layers / plan->chunks + (below > 0 ? 0 : model_further_heads(m));
}

bool plan_memory(const struct plan_setup *s, struct parallel_plan *plan, struct arena *arena)
{
	*plan = (struct parallel_plan){ 0 };
	if (!shape(s, plan, arena))
		return false;
	struct model_params w = model_params_of(s->model);
	double *held = arena_array(arena, (size_t)plan->pp, sizeof *held);
	if (!held)
		return false;
	double kept = kept_per_layer(s, plan);
	for (size_t i = 0; i < (size_t)plan->pp; i++)
		held[i] = kept * layers_in_flight(plan, s->model, i);
	return hold(s, plan, &w, held, arena);
}

static double paid_gpus(const struct plan_setup *s, const struct parallel_plan *plan)
{
	return fmax(s->gpus, plan->used);
}

bool plan_estimate(const struct plan_setup *s, struct plan_estimate *e, struct arena *arena)
{
	struct parallel_plan plan;
	*e = (struct plan_estimate){ 0 };
	if (!plan_memory(s, &plan, arena))
		return false;
	struct step_setup step = step_of(s, &plan);
	struct step_work work = step_work_of(&step);
	struct step_time time = step_time_of(&step, &work, plan.chunks, NULL);
	e->dp = plan.dp;
	e->ep = plan.ep;
	e->memory_bytes = plan.memory_bytes;
	e->step_s = time.step_s;
	e->bubble = time.part_s[SPENT_PIPELINE] / time.step_s;
	memcpy(e->part_s, time.part_s, sizeof e->part_s);
	e->tokens_per_s = plan.dp * plan.micro_batches * s->batch * s->seq / time.step_s /
			  paid_gpus(s, &plan);
	return true;
}

bool plan_make(const struct plan_setup *s, struct parallel_plan *plan, struct arena *arena)
{
	assert(s->model && s->gpu && s->gpus >= 1 && s->strategy < N_PLAN_STRATEGIES &&
		s->zero >= 0 && s->zero <= 3 && s->cp >= 1);
	struct model_params w = model_params_of(s->model);
	*plan = (struct parallel_plan){ 0 };
	if (!shape(s, plan, arena) || !run_pipeline(s, plan, arena) ||
		!hold(s, plan, &w, plan->pipeline.held_bytes, arena))
		return false;
	send(s, plan, &w);
	double exchange_s = plan->time.exchange_s;
	plan->step_s = plan->pipeline.time_s + exchange_s + plan->optimizer_s;
	struct step_setup step = step_of(s, plan);
	double tokens = plan->dp * plan->micro_batches * s->batch * s->seq;
	plan->tokens_per_s = tokens / plan->step_s / paid_gpus(s, plan);
	plan->mfu = step_mfu(&step, plan->tokens_per_s);
	return true;
}
