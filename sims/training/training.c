/* A training step in closed form: no events, one sum of what a GPU computes,
 * sends and waits for. */
#include "sims/training/training.h"

#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/base/stats.h"
#include "sims/formulas/communication.h"
#include "sims/formulas/scaling.h"
#include "sims/gpu/kernel.h"
#include "sims/training/model_params.h"
#include "sims/training/step_parts.h"
#include "sims/gpu/convnet.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* --- Workloads --- */

const char *const workload_ids[] = { "resnet50", "bert_large", "llama2_7b", "llama3_70b",
	"gpt3_175b", NULL };

/* kernels: each takes kernel_floor_s at least; fitted on MLPerf logs (`make fit`) where several
 * kinds of accelerators ran the workload, 56 a layer for language models and FLUX, counted for
 * DLRM. */

/* optimizer_bytes: momentum adds one moment in FP32 to what SGD reads and writes (20 B). Adam and
 * LAMB read and write two moments and the master copy, read the gradient and write the weights,
 * both in BF16 (28 B, as many as in FP32 without a master copy). */
#define MOMENTUM_TRAFFIC (SGD_TRAFFIC_BYTES + 2 * FP32_BYTES)
#define ADAM_TRAFFIC (2 * MIXED_OPTIMIZER_BYTES + 2 * BF16_BYTES)

/* Usual batches. ResNet-50: NVIDIA's 256 per GPU, on 8. BERT: LAMB's 32,768 sequences, 256 on each
 * of 128 GPUs. Language models: Llama 2's 4 M tokens, 16 K on each of 256 GPUs. */
#define TOKENS_4M 4194304.0
#define TOKENS_16K 16384.0

/* Language models: Llama 2 took 4 M tokens per step, GPT-3 3.2 M, Llama 3 ended at 16 M. ResNet-50:
 * MLPerf training v0.6 converges at 65,536 images with LARS. BERT: You et al. 2019, 65,536
 * sequences of 128 tokens, 32,768 of 512. The workloads that are not listed take none. */
#define TOKENS_16M 16777216.0
#define LLM_BATCH "16 M tokens, Llama 3"

/* An embedding of DLRM: FP16, 128 wide. */
#define DLRM_VECTOR (128 * 2.0)

const struct training_workload workloads[N_WORKLOADS] = {
	[WORKLOAD_RESNET50] = {
		.id = "resnet50", .name = "ResNet-50, ImageNet, 90 epochs", .sample = "image",
		.params = 25.56e6, .layers = 54,
		/* 4.1 G multiply-adds forward; the backward pass takes twice that. */
		.flops_per_sample = 3 * 2 * 4.1e9,
		.convolutions = true, .kernels = 500, .gradient_bytes = 4,
		.optimizer_bytes = MOMENTUM_TRAFFIC,
		.micro_batch = 256, .global_batch = 2048, .gpu_batch = 256,
		.samples_to_train = 90 * 1281167.0,
		.dataset = 1281167, .known_batch = 65536, .known_by = "LARS, MLPerf on TPUs",
		/* 14 h against 12.97 h of steps at 2,470 images/s. */
		.overhead = 1.08,
		/* JPEG decoding: why 8 A100 gain 6.7x in FP16 and 7.7x in TF32, at half the rate.
		 * The rate of those 8. */
		.input_per_s = 16621,
		.source = "NVIDIA DeepLearningExamples, ResNet-50 v1.5 PyTorch",
	},
	[WORKLOAD_BERT_LARGE] = {
		.id = "bert_large", .name = "BERT-large pre-training, 512 tokens",
		.sample = "sequence", .model = "bert-large",
		.params = 336e6, .layers = 24, .hidden = 1024, .seq = 512, .loss_share = 0.15,
		/* Embeddings are looked up, not multiplied: 304 M of the parameters count. */
		.flops_per_sample = 512 * (6 * 304e6 + 12.0 * 24 * 1024 * 512),
		.matmul_share = 0.84, .kernels = 1000, .gradient_bytes = 2,
		.optimizer_bytes = ADAM_TRAFFIC,
		.micro_batch = 48, .global_batch = 32768, .gpu_batch = 256,
		/* 7,038 steps of 65,536 sequences of 128 tokens, 1,563 of 32,768 of 512. */
		.samples_to_train = 7038 * 65536.0 / 4 + 1563 * 32768.0, .overhead = 1.02,
		.known_batch = 32768, .known_by = "LAMB, 512 tokens each",
		.source = "NVIDIA DeepLearningExamples, BERT PyTorch",
	},
	[WORKLOAD_LLAMA2_7B] = {
		.id = "llama2_7b", .name = "Llama-2 7B, 2T tokens", .sample = "sequence",
		.model = "llama2-7b",
		.params = 6.74e9, .layers = 32, .hidden = 4096, .seq = 4096,
		.causal = true, .matmul_share = 0.62, .kernels = 1800, .gradient_bytes = 2,
		.optimizer_bytes = ADAM_TRAFFIC,
		.micro_batch = 2, .global_batch = TOKENS_4M / 4096, .gpu_batch = TOKENS_16K / 4096,
		.samples_to_train = 2e12 / 4096, .overhead = 1.02,
		.known_batch = TOKENS_16M / 4096, .known_by = LLM_BATCH,
		.source = "LLaMA-2 paper; llm-foundry: MFU 46 % (H100) to 64 % (A100)",
	},
	[WORKLOAD_LLAMA3_70B] = {
		.id = "llama3_70b", .name = "Llama-3 70B, 15T tokens", .sample = "sequence",
		.model = "llama3-70b",
		.params = 70.6e9, .layers = 80, .hidden = 8192, .seq = 8192,
		.causal = true, .matmul_share = 0.62, .kernels = 4500, .gradient_bytes = 2,
		.optimizer_bytes = ADAM_TRAFFIC,
		.micro_batch = 1, .global_batch = TOKENS_4M / 8192, .gpu_batch = TOKENS_16K / 8192,
		.samples_to_train = 15e12 / 8192, .overhead = 1.02,
		.known_batch = TOKENS_16M / 8192, .known_by = LLM_BATCH,
		.source = "Llama 3 report; llm-foundry: MFU 43 % for 70B on H100",
	},
	[WORKLOAD_GPT3_175B] = {
		.id = "gpt3_175b", .name = "GPT-3 175B, 300B tokens", .sample = "sequence",
		.model = "gpt3-175b",
		.params = 175e9, .layers = 96, .hidden = 12288, .seq = 2048,
		.causal = true, .matmul_share = 0.62, .kernels = 5400, .gradient_bytes = 2,
		.optimizer_bytes = ADAM_TRAFFIC,
		.micro_batch = 1, .global_batch = TOKENS_4M / 2048, .gpu_batch = TOKENS_16K / 2048,
		.samples_to_train = 300e9 / 2048, .overhead = 1.02,
		.known_batch = TOKENS_16M / 2048, .known_by = LLM_BATCH,
		.source = "GPT-3 paper; MLPerf training v3.1",
	},
	[WORKLOAD_MASK_RCNN] = {
		.id = "maskrcnn", .name = "Mask R-CNN", .sample = "image", .params = 44e6,
		.layers = 60, .flops_per_sample = 3 * 2 * 134e9, .memory_per_sample = 8e9,
		.matmul_share = 0.6, .kernels = 1670, .gradient_bytes = 2,
		.optimizer_bytes = MOMENTUM_TRAFFIC,
		.micro_batch = 16, .samples_to_train = 118287 * 12.0, .overhead = 1.05,
		.splits_samples = true, .source = "MLPerf training",
	},
	[WORKLOAD_UNET3D] = {
		.id = "unet3d", .name = "3D U-Net, KiTS19", .sample = "image", .params = 19e6,
		.layers = 20, .flops_per_sample = 3 * 2 * 480e9, .memory_per_sample = 12e9,
		.matmul_share = 0.6, .kernels = 969, .gradient_bytes = 2,
		.optimizer_bytes = MOMENTUM_TRAFFIC,
		.micro_batch = 8, .samples_to_train = 168 * 1000.0, .overhead = 1.05,
		.splits_samples = true, .source = "MLPerf training",
	},
	[WORKLOAD_SSD] = {
		.id = "ssd", .name = "SSD / RetinaNet", .sample = "image", .params = 37e6,
		.layers = 60, .flops_per_sample = 3 * 2 * 80e9, .memory_per_sample = 3e9,
		.matmul_share = 0.6, .kernels = 881, .gradient_bytes = 2,
		.optimizer_bytes = ADAM_TRAFFIC,
		.micro_batch = 112, .samples_to_train = 1170301 * 5.0, .overhead = 1.05,
		.source = "MLPerf training",
	},
	[WORKLOAD_RNNT] = {
		.id = "rnnt", .name = "RNN-T, LibriSpeech", .sample = "utterance", .params = 49e6,
		.layers = 8, .flops_per_sample = 3 * 2 * 30e9, .memory_per_sample = 1.5e9,
		.matmul_share = 0.6, .kernels = 2100, .gradient_bytes = 2,
		.optimizer_bytes = ADAM_TRAFFIC,
		.micro_batch = 256, .samples_to_train = 278528 * 60.0, .overhead = 1.05,
		.source = "MLPerf training",
	},
	[WORKLOAD_STABLE_DIFFUSION] = {
		.id = "stable_diffusion", .name = "Stable Diffusion v2", .sample = "image",
		.params = 865e6, .layers = 25, .flops_per_sample = 3 * 2 * 400e9,
		.memory_per_sample = 10e9, .matmul_share = 0.6, .kernels = 6000,
		.gradient_bytes = 2, .optimizer_bytes = ADAM_TRAFFIC, .micro_batch = 64,
		.samples_to_train = 6.5e6, .overhead = 1.05, .source = "MLPerf training",
	},
	[WORKLOAD_DLRM] = {
		.id = "dlrm", .name = "DLRM, Criteo 1 TB", .sample = "sample",
		/* Those of the dense layers, 13-512-256-128 and 479-1024-1024-512-256-1. */
		.params = 2.37e6, .layers = 8,
		/* Dot products of 27 vectors of 128 besides. */
		.flops_per_sample = 6 * (2.37e6 + 27 * 27 * 128),
		/* 26 rows of 512 B read, updated, and some 5,000 activations. */
		.memory_per_sample = 0.1e6,
		/* 8 of the 26 tables have over 100,000 rows, 99.9 % of all, and lie spread over the
		 * GPUs; rows that many samples share are copied to each (HugeCTR 3.1). */
		.exchange_bytes = 8 * DLRM_VECTOR,
		/* One after the other, forward and backward: 16 of the dense layers, 3 of the dot
		 * products, 8 of the tables; loss, optimizer, input. */
		.matmul_share = 0.6, .kernels = 30, .gradient_bytes = 2,
		.optimizer_bytes = SGD_TRAFFIC_BYTES,
		.micro_batch = 65536, .samples_to_train = 4195197692.0, .overhead = 1.05,
		.source = "Naumov et al. 2019; MLCommons training, recommendation",
	},
	[WORKLOAD_DLRM_DCNV2] = {
		.id = "dlrm_dcnv2", .name = "DLRM DCNv2, Criteo 1 TB multi-hot", .sample = "sample",
		/* Three cross layers of 3456 x 512 x 3456, 13-512-256-128 and
		 * 3456-1024-1024-512-256-1. */
		.params = 16.0e6, .layers = 11, .flops_per_sample = 6 * 16.0e6,
		/* 214 rows of 512 B, read and updated with Adagrad's state, and activations. */
		.memory_per_sample = 0.85e6,
		/* For each table the sum of a sample's rows. Kernels: six for each of 11
		 * dense layers (a cross layer is two), half as many again sort and sum
		 * what the tables get. */
		.exchange_bytes = 26 * DLRM_VECTOR,
		.matmul_share = 0.6, .kernels = 100, .gradient_bytes = 2,
		.optimizer_bytes = MOMENTUM_TRAFFIC,
		.micro_batch = 65536, .samples_to_train = 4195197692.0, .overhead = 1.05,
		.source = "MLCommons training, recommendation_v2/torchrec_dlrm",
	},
	[WORKLOAD_LLAMA2_70B_LORA] = {
		.id = "llama2_70b_lora", .name = "Llama-2 70B, LoRA of rank 16",
		.sample = "sequence",
		.params = 69e9, .layers = 80, .hidden = 8192, .seq = 8192, .kv = 1024,
		/* Rank 16 beside Q, K, V (8192 to 10240) and the projection, in 80 layers. */
		.trained = 80 * 16 * (8192 + 10240 + 8192 + 8192.0),
		/* No gradients of the frozen weights: 4 in place of 6 for each of them. */
		.flops_per_sample = 8192 * (4 * 69e9 + 6.0 * 80 * 8192 * 8192),
		.causal = true, .matmul_share = 0.62, .kernels = 4500, .gradient_bytes = 2,
		.optimizer_bytes = ADAM_TRAFFIC, .micro_batch = 1, .splits_samples = true,
		.samples_to_train = 1024 * 8, .overhead = 1.05,
		.source = "MLCommons training, llama2_70b_lora",
	},
	[WORKLOAD_LLAMA31_8B] = {
		.id = "llama31_8b", .name = "Llama-3.1 8B", .sample = "sequence",
		.params = 8.03e9, .layers = 32, .hidden = 4096, .seq = 8192, .kv = 1024,
		.causal = true, .matmul_share = 0.62, .kernels = 1800, .gradient_bytes = 2,
		.optimizer_bytes = ADAM_TRAFFIC, .micro_batch = 2, .splits_samples = true,
		.samples_to_train = 1200000 * 32.0, .overhead = 1.05,
		.source = "MLCommons training, small_llm_pretraining: batch 32, micro-batch 2",
	},
	[WORKLOAD_LLAMA31_405B] = {
		.id = "llama31_405b", .name = "Llama-3.1 405B", .sample = "sequence",
		/* 32,000 words in place of Llama 3's 128 K. */
		.params = 402.7e9, .layers = 126, .hidden = 16384, .seq = 8192, .kv = 1024,
		.causal = true, .matmul_share = 0.62, .kernels = 7100, .gradient_bytes = 2,
		.optimizer_bytes = ADAM_TRAFFIC, .micro_batch = 1, .splits_samples = true,
		.samples_to_train = 1200000 * 1152.0, .overhead = 1.05,
		.source = "MLCommons training, large_language_model_pretraining",
	},
	[WORKLOAD_RGAT] = {
		.id = "rgat", .name = "R-GAT, IGBH", .sample = "paper",
		/* 11 kinds of edges, three layers from 1024 over 512, 2983 classes. */
		.params = 13e6, .layers = 3,
		/* 1 + 15 + 150 + 750 nodes: fan-out 15, 10, 5. */
		.flops_per_sample = 6 * (916 * 1024 * 512.0 + 166 * 512 * 512.0),
		.memory_per_sample = 15e6,
		.exchange_bytes = 916 * 1024 * 2.0, .prefetched = true, /* features in FP16 */
		.matmul_share = 0.3, .kernels = 1000, .gradient_bytes = 4,
		.optimizer_bytes = ADAM_TRAFFIC,
		.micro_batch = 1024, .samples_to_train = 94605600.0, .overhead = 1.05,
		.source = "MLCommons training, graph_neural_network",
	},
	[WORKLOAD_FLUX1] = {
		.id = "flux1", .name = "FLUX.1, 256 x 256", .sample = "image",
		/* 19 double and 38 single blocks of 3072: 256 tokens of image, 256 of text. A token
		 * meets 12 x 3072^2 weights in each. */
		.params = 11.9e9, .layers = 57,
		.flops_per_sample = 512 * (6 * 57 * 12 * 3072.0 * 3072 + 12.0 * 57 * 3072 * 512),
		.matmul_share = 0.62, .kernels = 3200, .gradient_bytes = 2,
		.optimizer_bytes = ADAM_TRAFFIC,
		.micro_batch = 64, .samples_to_train = 1099776.0, .overhead = 1.05,
		.source = "MLCommons training, flux",
	},
};

const struct published_training published_training[] = {
	{ WORKLOAD_RESNET50, "a100", false, 1, 2470, 256 },
	{ WORKLOAD_RESNET50, "a100", false, 8, 16621, 2048 },
	{ WORKLOAD_RESNET50, "v100", false, 1, 1200, 256 },
	{ WORKLOAD_RESNET50, "v100", false, 8, 8322, 2048 },
	{ WORKLOAD_BERT_LARGE, "a100", false, 1, 210, 0 },
	{ WORKLOAD_BERT_LARGE, "a100", false, 8, 1657, 0 },
	{ WORKLOAD_BERT_LARGE, "a100", false, 32, 6464, 0 },
	{ WORKLOAD_BERT_LARGE, "a100", false, 128, 25570, 0 },
	{ WORKLOAD_BERT_LARGE, "v100", false, 1, 75, 0 },
	{ WORKLOAD_BERT_LARGE, "v100", false, 8, 586, 0 },
	{ WORKLOAD_RESNET50, "a100", true, 8, 27186, 3264 },
	{ WORKLOAD_RESNET50, "a100", true, 64, 167664, 3264 },
	{ WORKLOAD_RESNET50, "a100", true, 1024, 2361913, 35840 },
	{ WORKLOAD_RESNET50, "h100", true, 8, 56436, 3200 },
	{ WORKLOAD_RESNET50, "h100", true, 64, 318148, 3200 },
	{ WORKLOAD_RESNET50, "h100", true, 3584, 10103304, 57344 },
	{ WORKLOAD_BERT_LARGE, "h100", true, 8, 7760, 768 },
	{ WORKLOAD_BERT_LARGE, "h100", true, 64, 53185, 4608 },
	{ WORKLOAD_BERT_LARGE, "h100", true, 3472, 792884, 13888 },
	{ WORKLOAD_GPT3_175B, "h100", true, 512, 345322 / 2048.0, 2048 },
	{ WORKLOAD_GPT3_175B, "h100", true, 4096, 2347972 / 2048.0, 2048 },
	{ WORKLOAD_GPT3_175B, "h100", true, 10752, 5152985 / 2048.0, 2688 },
};
const size_t n_published_training = LENGTH(published_training);

/* --- A step --- */

static const double backward_share = BACKWARD_OVER_FORWARD / TRAINING_PASSES;

double workload_flops(const struct training_workload *w)
{
	if (w->flops_per_sample > 0)
		return w->flops_per_sample;
	return w->seq * CALL(flops_per_token, .params = w->params, .layers = w->layers,
				.hidden = w->hidden, .seq = w->seq,
				.attention_share = w->causal ? 0.5 : 1);
}

/* What a small kernel takes however little it does: start, one wave, tail. These come from the
 * intercepts of MLPerf's ResNet-50 step times: 5 ms on A100 and 3.4 ms on H100 for 500 kernels. */
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

/* The share of the datasheet's bandwidth that kernels sustain which only move bytes. It was read off
 * 1,200 images/s on a V100 and 2,470 on an A100, before an image's bytes were counted. As with
 * STREAM, HBM2 at 900 GB/s comes nearer to its datasheet than later generations. */
static double memory_ratio(const char *family)
{
	return family && strcmp(family, "volta") == 0 ? 0.92 : 0.85;
}

/* products: what of it is the arithmetic of products, as a share. */
static double roofline_sample_s(const struct training *t, double *products)
{
	const struct training_workload *w = t->workload;
	const struct accelerator *g = t->gpu;
	if (t->roofline_s > 0) {
		*products = t->roofline_products;
		return t->roofline_s;
	}
	double bandwidth = g->bandwidth * memory_ratio(g->family);
	const struct conv_training conv = { w->micro_batch, bandwidth, t->dtype, t->fused,
		t->planar };
	*products = w->matmul_share;
	if (w->convolutions) {
		double arithmetic_s;
		double s = convnet_training_s(g, &conv, &arithmetic_s);
		*products = arithmetic_s / s;
		return s / w->micro_batch;
	}
	double peak = training_peak(g) * kernel_efficiency(g).compute * w->matmul_share;
	return fmax(workload_flops(w) / peak, w->memory_per_sample / bandwidth);
}

void training_know_sample(struct training *t)
{
	if (!t->model) /* whose step is another */
		t->roofline_s = roofline_sample_s(t, &t->roofline_products);
}

struct training training_defaults(
	const struct training_workload *w, const struct accelerator *gpu, struct network net)
{
	assert(w && gpu);
	return (struct training){ .workload = w,
		.gpu = gpu,
		.net = net,
		.gpus = 1,
		.global_batch = w->micro_batch,
		.overlap = 1,
		.tensor = 1,
		.pipeline = 1,
		.context = 1,
		.chunks = 2,
		.dtype = DTYPE_BF16,
		.software.date = SOFTWARE_2025,
		.routing = ROUTING_RECORDED };
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

/* The network as the replicas see it: `tensor` GPUs of a node belong to the same replica. */
static struct network between_replicas(const struct training *t)
{
	struct network net = t->net;
	net.gpus_per_node = fmax(1, floor(net.gpus_per_node / t->tensor));
	return net;
}

/* Two all-reduces of the activations per layer forward, and two backward. */
static double tensor_comm_s(const struct training *t, double samples)
{
	const struct training_workload *w = t->workload;
	double bytes = CALL(tp_allreduce_bytes, .seq = w->seq, .batch = samples,
		.hidden = w->hidden, .bytes_per_value = 2);
	return 4 * w->layers * collective_best(&t->net, ALL_REDUCE, t->tensor, bytes, NULL);
}

/* Keys and values are gathered for each layer, forward and backward, and their gradients scattered
 * again. samples: a replica's. */
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
	double replicas, micro; /* micro: samples of a micro-batch of the busiest replica */
};

/* How the batch is dealt. */
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
	return s;
}

/* What one micro-batch of the busiest replica takes beside the starts of its kernels, and as a share
 * of it the arithmetic of products. */
static double pass_s_of(const struct training *t, const struct shares *s, double *products)
{
	double known_s = roofline_sample_s(t, products);
	double sample_s = t->sample_s > 0 ? t->sample_s : known_s;
	double samples = s->micro / t->context; /* below 1 where replicas share a sample */
	double context = t->context * fmax(1, s->replicas / t->global_batch);
	return (samples * sample_s / t->tensor + tensor_comm_s(t, samples) +
		       context_comm_s(t, context, samples * context)) /
	       t->pipeline;
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
	return bytes / t->gpu->bandwidth;
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

/* How many samples per s the CPUs can prepare, by the machines of NVIDIA's tables: the DGX-1's CPUs
 * prepare half of what the DGX A100's do (8 V100 are held to 8,322 images/s), and since Hopper the
 * GPUs decode. */
double training_input_per_s(const struct training_workload *w, const char *family)
{
	if (family && (strcmp(family, "volta") == 0 || strcmp(family, "turing") == 0))
		return w->input_per_s / 2;
	if (family && (strcmp(family, "hopper") == 0 || strcmp(family, "blackwell") == 0))
		return w->input_per_s * 4;
	return w->input_per_s;
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

/* What MFU is counted over: the peak of the type that products run in. */
static double product_peak(const struct training *t)
{
	enum dtype d =
		t->model && t->recipe ? step_recipe_on(t->recipe, t->gpu)->dtype : DTYPE_BF16;
	return d == DTYPE_BF16 ? training_peak(t->gpu) : kernel_peak_flops(t->gpu, d);
}

static double model_sample_flops(const struct training *t)
{
	const struct training_workload *w = t->workload;
	struct step_setup s = { .model = t->model,
		.seq = w->seq,
		.full = !w->causal,
		.loss_share = w->loss_share > 0 ? w->loss_share : 1,
		.mtp = model_further_heads(t->model) };
	return w->seq * model_flops_per_token(&s);
}

/* Of the parameters, what one GPU exchanges gradients of. */
static double held_params(const struct training *t, double ep)
{
	const struct model_params p = model_params_of(t->model);
	const struct expert_mesh mesh = expert_mesh(ep, t->tensor, t->context, 1);
	double experts = p.experts * (t->model->layers + p.further);
	return (model_trained_params(t->model) - experts) / (t->tensor * t->pipeline) +
	       experts / (mesh.ep * mesh.split * t->pipeline);
}

/* The one model of a transformer's step, as this file's parts: what grows with the batch, what
 * every step pays, and what of all communication shows. */
static void add_model_step(const struct training *t, struct training_step *r)
{
	const struct training_workload *w = t->workload;
	double replicas = r->active_gpus / copy_gpus(t);
	r->ep = expert_groups(t->model, t->ep, t->net.gpus_per_node, r->active_gpus / t->pipeline);
	struct step_setup s = { .model = t->model,
		.gpu = t->gpu,
		.net = t->net,
		.tp = t->tensor,
		.pp = t->pipeline,
		.cp = t->context,
		.dp = replicas,
		.shard = t->strategy == STRATEGY_FSDP ? replicas * t->context : 1,
		.shard_optimizer = t->strategy != STRATEGY_DDP,
		.micro_batch = r->gpu_batch / r->micro_batches,
		.micro_batches = r->micro_batches,
		.seq = w->seq,
		.dtype = t->recipe ? t->recipe->dtype : DTYPE_BF16,
		.recipe = t->recipe,
		.flash = t->software.date != SOFTWARE_2021,
		.full = !w->causal,
		.sequence_parallel = true,
		.bare = 1 - t->overlap,
		.loss_share = w->loss_share > 0 ? w->loss_share : 1,
		.recompute = t->recompute,
		.software = t->software,
		.ep = r->ep,
		.routing = t->routing,
		.mtp = model_further_heads(t->model) };
	struct step_work work = step_work_of(&s);
	struct step_time time = step_time_of(&s, &work, t->chunks, NULL);
	const double *spent = time.part_s;
	r->exposed_s = spent[SPENT_GATHER] + spent[SPENT_EXCHANGE] + spent[SPENT_DISPATCH];
	r->fixed_s = spent[SPENT_OPTIMIZER] + spent[SPENT_PIPELINE];
	r->compute_s = time.step_s - r->exposed_s - r->fixed_s;
	r->products_s = spent[SPENT_PRODUCTS] + spent[SPENT_ATTENTION] + spent[SPENT_HEAD];
	double units = w->layers / t->pipeline * r->micro_batches;
	r->comm_s =
		work.exchange_s + units * (2 * work.layer.gather_s + work.layer.scatter_s +
						  3 * (work.layer.tensor_s + work.layer.context_s) +
						  2 * work.layer.dispatch_s);
	double bytes = BF16_BYTES * held_params(t, r->ep);
	r->buckets = t->strategy == STRATEGY_FSDP
			     ? units
			     : CALL(ddp_buckets, .bytes = bytes, .bucket_bytes = DDP_BUCKET_BYTES);
}

/* The closed form for everything else. */
static void add_roofline_step(
	const struct training *t, const struct shares *s, struct training_step *r)
{
	double products, bubble = (t->pipeline - 1) / t->chunks;
	double pass_s = pass_s_of(t, s, &products);
	double starts_s = t->workload->kernels * kernel_floor_s(t->gpu->family) / t->pipeline;
	double whole_s = pass_s + starts_s;
	r->compute_s = r->micro_batches * pass_s;
	r->products_s = products * r->compute_s;
	r->fixed_s = r->micro_batches * starts_s + bubble * whole_s + optimizer_s(t, s);
	/* A pipeline's drain hides its share too: the last stages are done first. */
	double hideable_s = t->overlap * backward_share * whole_s * (1 + bubble);
	if (t->strategy == STRATEGY_FSDP) {
		fsdp(t, s, r);
		hideable_s = t->overlap * whole_s * r->micro_batches;
	} else {
		ddp(t, s, r);
	}
	r->exposed_s = CALL(exposed_comm_time, .comm_time = r->comm_s, .backward_time = hideable_s,
		.buckets = r->buckets);
	exchange(t, s, r);
}

struct training_step training_step(const struct training *t)
{
	assert(t->workload && t->gpu);
	assert(t->gpus >= 1 && t->global_batch > 0);
	assert(t->tensor >= 1 && t->pipeline >= 1 && t->context >= 1 && t->chunks > 0);
	struct training_step r = { 0 };
	struct shares s = deal(t, &r);
	if (t->model)
		add_model_step(t, &r);
	else
		add_roofline_step(t, &s, &r);
	r.straggler_s = t->jitter * expected_max_normal(r.active_gpus) * (r.compute_s + r.fixed_s);
	r.input_wait_s = input_wait_s(t, &r);
	r.step_s = r.compute_s + r.fixed_s + r.exposed_s + r.straggler_s + r.input_wait_s;
	r.samples_per_s = t->global_batch / r.step_s;
	double peak = product_peak(t);
	double flops = t->model ? model_sample_flops(t) : workload_flops(t->workload);
	r.mfu = peak > 0 ? r.samples_per_s * flops / (t->gpus * peak) : NAN;
	return r;
}

bool training_calibrate(struct training *t, double samples_per_s)
{
	assert(samples_per_s > 0);
	struct training trial = *t;
	double lo = 1e-12, hi = 1e6;
	training_know_sample(&trial);
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
