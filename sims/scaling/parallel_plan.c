/* The strategy is turned into one mesh, tensor x pipeline x data, in shape(); everything after that
 * knows the mesh only. Bytes come from the formulas of ZeRO, stage by stage. Time is one simulated
 * run of the pipeline, to which the exchange of gradients is added as far as no backward hides
 * it. */
#include "sims/scaling/parallel_plan.h"

#include "sims/constants.h"
#include "sims/formulas/communication.h"
#include "sims/formulas/memory.h"
#include "sims/formulas/scaling.h"
#include "sims/gpu/kernel.h"
#include "sims/training/training_layer.h"

#include <assert.h>
#include <math.h>

/* BF16 weights and gradients; FP32 master copy and AdamW's two moments. */
static const double weight_bytes = BF16_BYTES, gradient_bytes = BF16_BYTES,
		    optimizer_bytes = MIXED_OPTIMIZER_BYTES;
/* FSDP holds the layer that computes and gathers the next one. */
static const double whole_layers = 2;

/* Parameters per layer, of the embedding, and of the head (a copy where they share one). */
struct plan_weights {
	double layer, embedding, head;
};

static struct plan_weights weights_of(const struct model *m)
{
	struct training_layer layer = layer_of(&(struct layer_setup){ .model = m,
		.batch = 1,
		.seq = 1,
		.tp = 1,
		.value_bytes = 2,
		.residual_bytes = 2,
		.flash = true,
		.actual = true });
	double vocabulary = m->vocab * m->hidden;
	double rest = m->params - m->layers * layer_params(&layer);
	struct plan_weights w = { .layer = layer_params(&layer) };
	if (rest < 0 || rest > 3 * vocabulary + 0.1 * m->params) {
		rest = fmin(vocabulary, m->params / 2);
		w.layer = (m->params - rest) / m->layers;
	}
	w.embedding = rest < 1.5 * vocabulary ? rest : vocabulary;
	w.head = rest - w.embedding;
	return w;
}

static void shape(const struct plan_setup *s, struct parallel_plan *plan)
{
	static const int stage_of_zero[] = { [PLAN_ZERO1] = 1, [PLAN_ZERO2] = 2, [PLAN_ZERO3] = 3 };
	plan->tp = plan->pp = 1;
	if (s->strategy == PLAN_TP)
		plan->tp = s->gpus;
	if (s->strategy == PLAN_PP)
		plan->pp = fmin(s->gpus, s->model->layers);
	if (s->strategy == PLAN_3D) {
		plan->tp = s->tp;
		plan->pp = fmin(s->pp, s->model->layers);
	}
	plan->zero = s->strategy == PLAN_3D  ? s->zero
		     : s->strategy < PLAN_TP ? stage_of_zero[s->strategy]
					     : 0;
	plan->dp = fmax(1, floor(s->gpus / (plan->tp * plan->pp)));
	plan->used = CALL(mesh_gpus, .tensor_parallel = plan->tp, .pipeline_parallel = plan->pp,
		.context_parallel = 1, .data_parallel = plan->dp);
	plan->micro_batches = s->micro_batches;
	plan->chunks = 1;
	if (s->schedule == PIPELINE_INTERLEAVED && plan->pp > 1) {
		plan->chunks = fmax(1, fmin(s->chunks, floor(s->model->layers / plan->pp)));
		plan->micro_batches = ceil(s->micro_batches / plan->pp) * plan->pp;
	}
}

void plan_layers(const struct parallel_plan *plan, const struct model *m, size_t stage,
	size_t chunk, double *first, double *end)
{
	assert(stage < (size_t)plan->pp && chunk < (size_t)plan->chunks);
	double pieces = plan->pp * plan->chunks, i = (double)chunk * plan->pp + (double)stage;
	*first = floor(i * m->layers / pieces);
	*end = floor((i + 1) * m->layers / pieces);
}

static double stage_layers(const struct parallel_plan *plan, const struct model *m, size_t stage)
{
	double layers = 0, first, end;
	for (size_t c = 0; c < (size_t)plan->chunks; c++) {
		plan_layers(plan, m, stage, c, &first, &end);
		layers += end - first;
	}
	return layers;
}

static double stage_params(const struct parallel_plan *plan, const struct model *m,
	const struct plan_weights *w, size_t stage)
{
	double params = stage_layers(plan, m, stage) * w->layer;
	params += stage == 0 ? w->embedding : 0;
	if (stage + 1 == (size_t)plan->pp)
		params += w->head > 0 || plan->pp == 1 ? w->head : w->embedding;
	return params / plan->tp;
}

/* State of one GPU, by the formulas of ZeRO: w, g and o bytes per parameter, of which ZeRO shards
 * some. */
static double state(const struct parallel_plan *plan, double params, double w, double g, double o)
{
	switch (plan->zero) {
	case 0:
		return CALL(static_memory_bytes, .params = params, .weight_bytes = w,
			.gradient_bytes = g, .optimizer_bytes = o);
	case 1:
		return CALL(zero1_bytes, .params = params, .gpus = plan->dp, .weight_bytes = w,
			.gradient_bytes = g, .optimizer_bytes = o);
	case 2:
		return CALL(zero2_bytes, .params = params, .gpus = plan->dp, .weight_bytes = w,
			.gradient_bytes = g, .optimizer_bytes = o);
	default:
		return CALL(zero3_bytes, .params = params, .gpus = plan->dp, .weight_bytes = w,
			.gradient_bytes = g, .optimizer_bytes = o, .gathered_params = 0);
	}
}

/* Activations of one layer and micro-batch, under a flash kernel. */
static double layer_activations(const struct plan_setup *s, const struct parallel_plan *plan)
{
	if (s->sequence_parallel)
		return CALL(sp_activation_bytes, .layers = 1, .seq = s->seq, .batch = s->batch,
			.hidden = s->model->hidden, .tensor_parallel = plan->tp, .heads = 0);
	return CALL(tp_activation_bytes, .layers = 1, .seq = s->seq, .batch = s->batch,
		.hidden = s->model->hidden, .tensor_parallel = plan->tp, .heads = 0);
}

/* B of one micro-batch's s b h values at the border of a layer. */
static double border_bytes(const struct plan_setup *s)
{
	return CALL(tp_allreduce_bytes, .seq = s->seq, .batch = s->batch,
		.hidden = s->model->hidden, .bytes_per_value = 2);
}

static double kept_per_layer(const struct plan_setup *s, const struct parallel_plan *plan)
{
	if (!s->checkpointing)
		return layer_activations(s, plan);
	return border_bytes(s) / (s->sequence_parallel ? plan->tp : 1);
}

static double peak_flops(const struct accelerator *g)
{
	static const enum dtype order[] = { DTYPE_BF16, DTYPE_FP16, DTYPE_TF32, DTYPE_FP32 };
	for (int i = 0; i < 4; i++)
		if (g->peak_flops[order[i]] > 0)
			return g->peak_flops[order[i]];
	return UNKNOWN_PER_S;
}

static double layer_flops_each(const struct plan_setup *s, const struct plan_weights *w)
{
	return s->batch * s->seq *
	       CALL(flops_per_token, .params = w->layer, .layers = 1, .hidden = s->model->hidden,
		       .seq = s->seq, .attention_share = 0.5);
}

static double transfer_s(const struct plan_setup *s, const struct parallel_plan *plan)
{
	bool inside = plan->tp * plan->pp <= s->net.gpus_per_node;
	double bytes = border_bytes(s) / plan->tp;
	return inside ? s->net.intra_hop_s +
				bytes / (s->net.intra_bandwidth * s->net.intra_efficiency)
		      : s->net.inter_hop_s +
				bytes / (s->net.inter_bandwidth * s->net.inter_efficiency);
}

/* Forward, backward (twice as long, three times with recomputation) and the tensor group's
 * all-reduces, which nothing hides: two per layer in each pass. */
static bool run_pipeline(const struct plan_setup *s, struct parallel_plan *plan,
	const struct plan_weights *w, struct arena *arena)
{
	size_t p = (size_t)plan->pp, v = (size_t)plan->chunks;
	double *times = arena_array(arena, 3 * p * v, sizeof *times);
	if (arena->failed)
		return false;
	double share = kernel_efficiency(s->gpu).compute;
	double pass_s =
		layer_flops_each(s, w) / TRAINING_PASSES / plan->tp / (share * peak_flops(s->gpu));
	double reduce_s = 2 * collective_best(&s->net, ALL_REDUCE, plan->tp, border_bytes(s), NULL);
	double backwards = BACKWARD_OVER_FORWARD + (s->checkpointing ? 1 : 0),
	       reduces = s->checkpointing ? 2 : 1;
	if (plan->tp <= 1)
		reduce_s = 0;
	for (size_t c = 0; c < v; c++)
		for (size_t i = 0; i < p; i++) {
			double first, end;
			plan_layers(plan, s->model, i, c, &first, &end);
			times[c * p + i] = (end - first) * (pass_s + reduce_s);
			times[(v + c) * p + i] =
				(end - first) * (backwards * pass_s + reduces * reduce_s);
			times[(2 * v + c) * p + i] = (end - first) * kept_per_layer(s, plan);
		}
	plan->tensor_s =
		plan->micro_batches * stage_layers(plan, s->model, 0) * (1 + reduces) * reduce_s;
	return pipeline_run(&(struct pipeline_setup){ .kind = v > 1 || s->schedule == PIPELINE_GPIPE
								      ? s->schedule
								      : PIPELINE_1F1B,
				    .stages = p,
				    .micro_batches = (size_t)plan->micro_batches,
				    .chunks = v,
				    .forward_s = times,
				    .backward_s = times + v * p,
				    .held_bytes = times + 2 * v * p,
				    .transfer_s = s->transfers ? transfer_s(s, plan) : 0 },
		&plan->pipeline, arena);
}

static bool hold(const struct plan_setup *s, struct parallel_plan *plan,
	const struct plan_weights *w, struct arena *arena)
{
	size_t p = (size_t)plan->pp;
	plan->part_bytes = arena_array(arena, p * N_PLAN_PARTS, sizeof *plan->part_bytes);
	if (arena->failed)
		return false;
	for (size_t i = 0; i < p; i++) {
		double params = stage_params(plan, s->model, w, i), total = 0;
		double *part = plan->part_bytes + i * N_PLAN_PARTS;
		part[PLAN_WEIGHTS] = state(plan, params, weight_bytes, 0, 0);
		part[PLAN_GRADIENTS] = state(plan, params, 0, gradient_bytes, 0);
		part[PLAN_OPTIMIZER] = state(plan, params, 0, 0, optimizer_bytes);
		part[PLAN_ACTIVATIONS] = plan->pipeline.held_bytes[i] +
					 (s->checkpointing ? layer_activations(s, plan) : 0);
		if (plan->zero == 3 && plan->dp > 1)
			part[PLAN_GATHERED] = fmin(whole_layers, stage_layers(plan, s->model, i)) *
					      w->layer / plan->tp * weight_bytes;
		for (int j = 0; j < N_PLAN_PARTS; j++)
			total += part[j];
		if (total > plan->memory_bytes) {
			plan->memory_bytes = total;
			plan->fullest = i;
		}
	}
	return true;
}

/* Exchanges the gradients of the stage with most parameters among its replicas; under ZeRO-3 its
 * weights too, in every micro-batch. */
static void exchange(
	const struct plan_setup *s, struct parallel_plan *plan, const struct plan_weights *w)
{
	struct network net = s->net;
	net.gpus_per_node = fmax(1, floor(net.gpus_per_node / plan->tp));
	double params = 0, layers = fmax(1, stage_layers(plan, s->model, 0));
	for (size_t i = 0; i < (size_t)plan->pp; i++)
		params = fmax(params, stage_params(plan, s->model, w, i));
	double bytes = params * gradient_bytes, buckets, hides_s;
	double busy_s = plan->pipeline.time_s * (1 - plan->pipeline.bubble);
	if (plan->zero == 3) {
		buckets = plan->micro_batches * layers;
		plan->data_s = buckets * (2 * collective_best(&net, ALL_GATHER, plan->dp,
						      bytes / layers, NULL) +
						 collective_best(&net, REDUCE_SCATTER, plan->dp,
							 bytes / layers, NULL));
		hides_s = busy_s;
		plan->traffic_bytes[TRAFFIC_DATA] =
			plan->micro_batches *
			CALL(fsdp_traffic_bytes, .bytes = bytes, .gpus = plan->dp, .gathers = 2);
	} else {
		buckets = CALL(ddp_buckets, .bytes = bytes, .bucket_bytes = DDP_BUCKET_BYTES);
		plan->data_s = buckets *
			       collective_best(&net, ALL_REDUCE, plan->dp, bytes / buckets, NULL);
		double again = s->checkpointing ? 1 : 0; /* forward, within the backward */
		hides_s = busy_s / plan->micro_batches *
			  ((BACKWARD_OVER_FORWARD + again) / (TRAINING_PASSES + again));
		plan->traffic_bytes[TRAFFIC_DATA] =
			CALL(ddp_traffic_bytes, .bytes = bytes, .gpus = plan->dp);
	}
	if (plan->dp <= 1)
		plan->data_s = 0;
	plan->data_exposed_s = CALL(exposed_comm_time, .comm_time = plan->data_s,
		.backward_time = hides_s, .buckets = buckets);
	plan->traffic_bytes[TRAFFIC_TENSOR] =
		(s->checkpointing ? 1.5 : 1) *
		CALL(tp_step_bytes, .layers = layers, .seq = s->seq,
			.batch = s->batch * plan->micro_batches, .hidden = s->model->hidden,
			.bytes_per_value = 2, .tensor_parallel = plan->tp);
	plan->traffic_bytes[TRAFFIC_PIPELINE] = CALL(pipeline_traffic_bytes, .stages = plan->pp,
		.microbatches = plan->micro_batches, .chunks = plan->chunks,
		.bytes = border_bytes(s) / plan->tp);
}

bool plan_make(const struct plan_setup *s, struct parallel_plan *plan, struct arena *arena)
{
	assert(s->model && s->gpu && s->gpus >= 1 && s->strategy < N_PLAN_STRATEGIES &&
		s->zero >= 0 && s->zero <= 3);
	struct plan_weights w = weights_of(s->model);
	*plan = (struct parallel_plan){ 0 };
	shape(s, plan);
	if (!run_pipeline(s, plan, &w, arena) || !hold(s, plan, &w, arena))
		return false;
	exchange(s, plan, &w);
	plan->step_s = plan->pipeline.time_s + plan->data_exposed_s;
	double flops = plan->dp * plan->micro_batches * s->model->layers * layer_flops_each(s, &w);
	plan->mfu = flops / (plan->step_s * s->gpus * peak_flops(s->gpu));
	return true;
}
