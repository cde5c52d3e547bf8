/* One step of data-parallel training, from what it must compute, send and wait for; and the
 * workloads that it is computed for. `scaling` shows it. Times in s, bandwidths in B/s, batches in
 * samples. */
#ifndef RIDGE_TRAINING_H
#define RIDGE_TRAINING_H

#include "sims/tables/tables.h"
#include "sims/communication/collective.h"
#include "sims/training/model_step.h"

#include <stdbool.h>
#include <stddef.h>

enum workload_id {
	WORKLOAD_RESNET50,
	WORKLOAD_BERT_LARGE,
	WORKLOAD_LLAMA2_7B,
	WORKLOAD_LLAMA3_70B,
	WORKLOAD_GPT3_175B,
	N_LISTED_WORKLOADS, /* knobs offer these; the others only meet MLPerf's measurements */
	WORKLOAD_MASK_RCNN = N_LISTED_WORKLOADS,
	WORKLOAD_UNET3D,
	WORKLOAD_SSD,
	WORKLOAD_RNNT,
	WORKLOAD_STABLE_DIFFUSION,
	WORKLOAD_DLRM,
	WORKLOAD_DLRM_DCNV2,
	WORKLOAD_LLAMA2_70B_LORA,
	WORKLOAD_LLAMA31_8B,
	WORKLOAD_LLAMA31_405B,
	WORKLOAD_RGAT,
	WORKLOAD_FLUX1,
	N_WORKLOADS
};

struct training_workload {
	const char *id, *name, *sample; /* "image", "sequence" */
	const char *model;              /* of a language model: its id in the tables */
	double params, layers;          /* layers: what FSDP gathers at a time */
	double hidden, seq;             /* 0 where there are no tokens */
	double kv;                      /* width of the keys, which context parallelism passes on */
	double trained;                 /* parameters that learn; 0: all */
	double exchange_bytes;          /* per sample: vectors that other GPUs hold */
	bool prefetched;                /* those come a step ahead, and no gradient goes back */
	double flops_per_sample;        /* forward and backward; 0: from params and tokens */
	double memory_per_sample;       /* B through device memory, where that is the bound */
	bool convolutions;              /* ResNet-50's, kernel by kernel (sims/gpu/convnet.h) */
	double matmul_share;            /* what it reaches of what plain matmuls reach */
	double kernels;         /* of one micro-batch: each costs at least a start and a tail */
	double gradient_bytes;  /* per parameter, as sent */
	double optimizer_bytes; /* per parameter, through device memory at every step */
	double micro_batch;     /* the largest that fits; more is accumulated */
	double global_batch, gpu_batch; /* usual ones: in a step, and on a GPU in weak scaling */
	double samples_to_train;
	double dataset;       /* samples of one epoch; 0: none is repeated */
	double known_batch;   /* the largest global batch that is published to converge */
	const char *known_by; /* and how */
	double overhead;      /* wall time over time in steps: validation, checkpoints */
	double input_per_s;   /* samples that the CPUs of a node prepare; 0: never a bound */
	double loss_share;    /* of the tokens: those whose word is guessed; 0: all */
	bool causal;          /* attention looks back only, and the kernel skips the rest */
	bool splits_samples;  /* GPUs may share a sample (spatial parallelism) */
	const char *source;
};
extern const struct training_workload workloads[N_WORKLOADS];
extern const char
	*const workload_ids[N_LISTED_WORKLOADS + 1]; /* NULL-terminated: a knob's choices */

double workload_flops(const struct training_workload *w); /* per sample, forward and backward */

/* Published throughputs, in samples per s of the whole machine. NVIDIA DeepLearningExamples
 * (BSD-3-Clause, Apache-2.0): PyTorch, mixed precision. MLPerf training results (Apache-2.0),
 * medians of the logs: tuned software, so above the model's absolute times; GPT-3 with tensor and
 * pipeline parallelism. batch: of all GPUs; 0: not known. */
struct published_training {
	enum workload_id workload;
	const char *gpu;
	bool mlperf;
	double gpus, samples_per_s, batch;
};
extern const struct published_training published_training[];
extern const size_t n_published_training;

/* ZERO1 is DDP with the optimizer dealt over the replicas; as many bytes travel. */
enum strategy { STRATEGY_DDP, STRATEGY_FSDP, STRATEGY_ZERO1 };

struct training {
	const struct training_workload *workload;
	const struct accelerator *gpu;
	/* A language model's, from the tables: then the step is the one of model_step.h.
	 * NULL: FLOPs and bytes of a sample over what kernels of its kind reach, its
	 * convolutions, or sample_s. */
	const struct model *model;
	struct network net;
	enum strategy strategy;
	double gpus;
	double global_batch; /* samples per step over all GPUs, at least 1 */
	double overlap;      /* 0..1: how much of the backward pass communication may hide behind */
	double jitter;       /* standard deviation of a GPU's step time over its mean */
	double tensor, pipeline; /* GPUs that share a replica: a layer's width, the layers */
	double context;          /* and a sequence; more where samples are split and too few */
	double chunks;           /* of layers, on each stage of the pipeline */
	/* Of a language model's step: the software, what runs again, and the recipe of its products'
	 * types, NULL for BF16. */
	struct software software;
	enum recompute recompute;
	const struct step_recipe *recipe;
	/* Of a mixture of experts: groups to which they are dealt, 0 for as many as the fast links join
	 * (expert_groups); how tokens are led to them. */
	double ep;
	enum dispatcher routing;
	/* Of a network of convolutions: as in struct conv_training. */
	enum dtype dtype;
	bool fused, planar;
	double sample_s; /* that one GPU takes for a sample; 0: by its roofline */
	/* That roofline, and the share of products in it, where training_know_sample has worked them out;
	 * 0: each step does. */
	double roofline_s, roofline_products;
	double input_per_s; /* as in the workload, for this machine's CPUs; 0: never a bound */
};

/* A step and where it goes: compute_s + fixed_s + exposed_s + straggler_s + input_wait_s. */
struct training_step {
	double step_s;
	double compute_s;     /* grows with the batch */
	double products_s;    /* of compute_s, the arithmetic of matrix products */
	double fixed_s;       /* does not: kernel starts and tails, optimizer, pipeline bubble */
	double comm_s;        /* all communication, hidden or not */
	double exposed_s;     /* what of it nothing hides */
	double exchange_s;    /* the part of comm_s that fetches vectors which other GPUs hold */
	double straggler_s;   /* waiting for the slowest GPU */
	double input_wait_s;  /* waiting for the CPUs' samples */
	double gpu_batch;     /* samples of the busiest replica */
	double micro_batches; /* in which it takes them */
	double ep;            /* groups of the experts; 1: none are dealt */
	double active_gpus;   /* less than gpus when there are fewer samples than replicas */
	double buckets;       /* collectives per step */
	double samples_per_s; /* of the whole machine */
	double mfu; /* over the datasheet's dense peak of the products' type; NAN: it has none */
};
struct training_step training_step(const struct training *t);

/* Samples per s that the CPUs of a node with GPUs of a family prepare; 0: never a bound. */
double training_input_per_s(const struct training_workload *w, const char *family);

/* The usual settings for a workload on a GPU: one GPU, no jitter, everything hidden. */
struct training training_defaults(
	const struct training_workload *w, const struct accelerator *gpu, struct network net);

/* Works out once what no number of GPUs and no batch changes, where many steps are asked for that
 * differ in nothing else. Workload, GPU, types and fusion stay as they are afterwards. */
void training_know_sample(struct training *t);

/* Sets sample_s so that the step gives a measured rate: the anchor from which other GPU counts are
 * predicted. False, and t unchanged, when even infinitely fast arithmetic would be slower. */
bool training_calibrate(struct training *t, double samples_per_s);

#endif
