#include "sims/training/training.h"

#include "sims/base/array.h"
#include "sims/constants.h"
#include "sims/formulas/communication.h"
#include "sims/formulas/scaling.h"
#include "sims/base/stats.h"

#include <math.h>
#include <string.h>

/* Of the three equal passes of training, the backward takes two. */
static const double backward_share = 2.0 / 3;
double workload_flops(const struct training_workload *w)
{
	if (w->flops_per_sample > 0)
		return w->flops_per_sample;
	return w->seq * CALL(flops_per_token, .params = w->params, .layers = w->layers,
				.hidden = w->hidden, .seq = w->seq,
				.attention_share = w->causal ? 0.5 : 1);
}

/* What a small kernel takes however little it does: start, one wave, tail. From the intercepts of
 * MLPerf's ResNet-50 step times: 5 ms on A100, 3.4 ms on H100 in 500 kernels. */
static double kernel_floor_s(const char *family)
{
	static const struct {
		const char *family;
		double floor_s;
	} floors[] = { { "volta", 12e-6 }, { "turing", 12e-6 }, { "hopper", 6e-6 },
		{ "blackwell", 5e-6 } };
	for (size_t i = 0; family && i < LENGTH(floors); i++)
		if (strcmp(floors[i].family, family) == 0)
			return floors[i].floor_s;
	return 10e-6;
}

/* The peak in the precision of training: BF16, or FP16 where there is none, else FP32. */
static double training_peak(const struct accelerator *g)
{
	if (g->peak_flops[DTYPE_BF16] > 0)
		return g->peak_flops[DTYPE_BF16];
	return g->peak_flops[DTYPE_FP16] > 0 ? g->peak_flops[DTYPE_FP16]
					     : g->peak_flops[DTYPE_FP32];
}

/* What batch norm, ReLU and the like sustain of the datasheet's bandwidth: what 1,200 images/s on a
 * V100 and 2,470 on an A100 leave for the same bytes an image. As with STREAM, HBM2 at 900 GB/s
 * comes nearer to its datasheet than later generations. */
static double memory_ratio(const char *family)
{
	return family && strcmp(family, "volta") == 0 ? 0.92 : 0.85;
}

static double roofline_sample_s(const struct training_workload *w, const struct accelerator *g)
{
	double compute = g->achieved.compute > 0 ? g->achieved.compute : 0.8;
	double peak = training_peak(g) * compute * w->matmul_share;
	double bandwidth = g->bandwidth * memory_ratio(g->family);
	double memory_s = bandwidth > 0 ? w->memory_per_sample / bandwidth : 0;
	return fmax(workload_flops(w) / peak, memory_s);
}

struct training training_defaults(
	const struct training_workload *w, const struct accelerator *gpu, struct network net)
{
	return (struct training){ .workload = w,
		.gpu = gpu,
		.net = net,
		.gpus = 1,
		.global_batch = w->micro_batch,
		.overlap = 1,
		.tensor = 1,
		.pipeline = 1,
		.context = 1,
		.chunks = 2 };
}

/* GPUs that hold one copy of the model. */
static double copy_gpus(const struct training *t)
{
	return t->tensor * t->pipeline * t->context;
}

static double trained(const struct training_workload *w)
{
	return w->trained > 0 ? w->trained : w->params;
}

/* The network as the replicas see it: `tensor` GPUs of a node belong to one. */
static struct network between_replicas(const struct training *t)
{
	struct network net = t->net;
	net.gpus_per_node = fmax(1, floor(net.gpus_per_node / t->tensor));
	return net;
}

/* Two all-reduces of the activations per layer forward, two backward (F5.7). */
static double tensor_comm_s(const struct training *t, double samples)
{
	const struct training_workload *w = t->workload;
	double bytes = CALL(tp_allreduce_bytes, .seq = w->seq, .batch = samples,
		.hidden = w->hidden, .bytes_per_value = 2);
	return 4 * w->layers * collective_best(&t->net, ALL_REDUCE, t->tensor, bytes, NULL);
}

/* Keys and values are gathered for each layer, forward and backward, and their gradients scattered
 * (F5.8). samples: of a replica. */
static double context_comm_s(const struct training *t, double context, double samples)
{
	const struct training_workload *w = t->workload;
	if (context <= 1 || w->kv <= 0)
		return 0;
	struct network net = between_replicas(t);
	double bytes = samples * w->seq * 2 * w->kv * 2 / t->tensor;
	double gpus = ceil(context);
	return w->layers * (2 * collective_best(&net, ALL_GATHER, gpus, bytes, NULL) +
				   collective_best(&net, REDUCE_SCATTER, gpus, bytes, NULL));
}

struct shares {
	double replicas, micro, fixed_pass_s, pass_s; /* of one micro-batch */
};

/* How the batch is dealt, and what one micro-batch of the busiest replica takes. */
static struct shares deal(const struct training *t, struct training_step *r)
{
	const struct training_workload *w = t->workload;
	struct shares s = { .replicas = fmax(1, floor(t->gpus / copy_gpus(t))) };
	if (!w->splits_samples)
		s.replicas = fmin(s.replicas, t->global_batch);
	r->active_gpus = s.replicas * copy_gpus(t);
	r->gpu_batch = t->global_batch / s.replicas;
	if (!w->splits_samples)
		r->gpu_batch = ceil(r->gpu_batch);
	r->micro_batches = ceil(r->gpu_batch / w->micro_batch);
	s.micro = r->gpu_batch / r->micro_batches;
	double sample_s = t->sample_s > 0 ? t->sample_s : roofline_sample_s(w, t->gpu);
	double samples = s.micro / t->context; /* below 1: replicas share one */
	double context = t->context * fmax(1, s.replicas / t->global_batch);
	s.pass_s = (samples * sample_s / t->tensor + tensor_comm_s(t, samples) +
			   context_comm_s(t, context, samples * context)) /
		   t->pipeline;
	s.fixed_pass_s = w->kernels * kernel_floor_s(t->gpu->family) / t->pipeline;
	return s;
}

/* All-reduces of buckets, started as gradients appear; with accumulation only in the last
 * backward pass. */
static void ddp(const struct training *t, const struct shares *s, struct training_step *r)
{
	struct network net = between_replicas(t);
	double bytes =
		trained(t->workload) * t->workload->gradient_bytes / (t->tensor * t->pipeline);
	r->buckets = CALL(ddp_buckets, .bytes = bytes, .bucket_bytes = DDP_BUCKET_BYTES);
	r->comm_s = r->buckets * collective_best(&net, ALL_REDUCE, s->replicas * t->context,
					 bytes / r->buckets, NULL);
}

/* Every layer is gathered twice and its gradient scattered once, in every micro-batch. */
static void fsdp(const struct training *t, const struct shares *s, struct training_step *r)
{
	struct network net = between_replicas(t);
	const struct training_workload *w = t->workload;
	double units = w->layers / t->pipeline;
	double bytes = w->params * w->gradient_bytes / (t->tensor * t->pipeline) / units;
	double gather_s = collective_best(&net, ALL_GATHER, s->replicas, bytes, NULL);
	double scatter_s = collective_best(&net, REDUCE_SCATTER, s->replicas, bytes, NULL);
	r->buckets = r->micro_batches * units;
	r->comm_s = r->buckets * (2 * gather_s + scatter_s);
}

static double optimizer_s(const struct training *t, const struct shares *s)
{
	double bytes =
		trained(t->workload) * t->workload->optimizer_bytes / (t->tensor * t->pipeline);
	if (t->strategy != STRATEGY_DDP)
		bytes /= s->replicas * t->context;
	return t->gpu->bandwidth > 0 ? bytes / t->gpu->bandwidth : 0;
}

/* Vectors that other GPUs hold come before the pass that needs them, and their gradients go back
 * after it: nothing hides either. What is fetched a step ahead is hidden behind that step. */
static void exchange(const struct training *t, const struct shares *s, struct training_step *r)
{
	double bytes = s->micro * t->workload->exchange_bytes;
	if (bytes <= 0)
		return;
	double once_s = r->micro_batches * all_to_all_time(&t->net, s->replicas, bytes);
	r->exchange_s = t->workload->prefetched ? once_s : 2 * once_s;
	r->comm_s += r->exchange_s;
	r->exposed_s += t->workload->prefetched ? fmax(0, once_s - r->compute_s - r->fixed_s)
						: r->exchange_s;
}

/* The CPUs go on while GPUs wait for each other: a step takes the longer of the two, not their
 * sum. */
static double input_wait_s(const struct training *t, const struct training_step *r)
{
	if (t->input_per_s <= 0)
		return 0;
	double local = fmin(r->active_gpus, t->net.gpus_per_node);
	double ready_s = local * r->gpu_batch / t->input_per_s;
	return fmax(0, ready_s - (r->compute_s + r->fixed_s + r->exposed_s + r->straggler_s));
}

struct training_step training_step(const struct training *t)
{
	struct training_step r = { 0 };
	struct shares s = deal(t, &r);
	double bubble = (t->pipeline - 1) / t->chunks;
	r.compute_s = r.micro_batches * s.pass_s;
	r.fixed_s = r.micro_batches * s.fixed_pass_s + bubble * (s.pass_s + s.fixed_pass_s) +
		    optimizer_s(t, &s);
	double pass_s = s.pass_s + s.fixed_pass_s;
	/* A pipeline's drain hides its share too: the last stages are done first. */
	double hideable_s = t->overlap * backward_share * pass_s * (1 + bubble);
	if (t->strategy == STRATEGY_FSDP) {
		fsdp(t, &s, &r);
		hideable_s = t->overlap * pass_s * r.micro_batches;
	} else {
		ddp(t, &s, &r);
	}
	r.exposed_s = CALL(exposed_comm_time, .comm_time = r.comm_s, .backward_time = hideable_s,
		.buckets = r.buckets);
	exchange(t, &s, &r);
	r.straggler_s = t->jitter * expected_max_normal(r.active_gpus) * (r.compute_s + r.fixed_s);
	r.input_wait_s = input_wait_s(t, &r);
	r.step_s = r.compute_s + r.fixed_s + r.exposed_s + r.straggler_s + r.input_wait_s;
	r.samples_per_s = t->global_batch / r.step_s;
	double peak = training_peak(t->gpu);
	r.mfu = peak > 0 ? r.samples_per_s * workload_flops(t->workload) / (t->gpus * peak) : NAN;
	return r;
}

bool training_calibrate(struct training *t, double samples_per_s)
{
	struct training trial = *t;
	double lo = 1e-12, hi = 1e6;
	trial.sample_s = lo;
	if (training_step(&trial).samples_per_s < samples_per_s)
		return false;
	for (int i = 0; i < 100; i++) {
		trial.sample_s = sqrt(lo * hi);
		if (training_step(&trial).samples_per_s > samples_per_s)
			lo = trial.sample_s;
		else
			hi = trial.sample_s;
	}
	t->sample_s = sqrt(lo * hi);
	return true;
}
