/* What a training step allocates and frees on one GPU, as a list of events in time: weights,
 * gradients as backward reaches them, optimizer state, activations layer by layer, logits, gathered
 * layers, temporaries. The list is replayed with ideal memory or through the caching allocator
 * (sims/memory/memory_replay.h). Sizes in B, GB = 1e9 B. */
#ifndef RIDGE_TRAINING_MEMORY_H
#define RIDGE_TRAINING_MEMORY_H

#include "sims/base/arena.h"
#include "sims/tables/tables.h"
#include "sims/training/training_layer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_kind {
	MEMORY_WEIGHTS,
	MEMORY_GRADIENTS,
	MEMORY_OPTIMIZER,
	MEMORY_ACTIVATIONS, /* what layers save for backward, or compute again for it */
	MEMORY_LOGITS,      /* the last norm, the vocabulary's outputs and their gradients */
	MEMORY_OTHER,       /* gathered layers, casts, gradients in flight, the CUDA context */
	N_MEMORY_KINDS
};

enum memory_precision {
	MEMORY_FP32,
	MEMORY_AUTOCAST, /* FP32 weights, gradients, state; 16-bit activations and copies */
	MEMORY_BF16      /* 16-bit weights and gradients, FP32 master copy */
};
enum memory_optimizer { MEMORY_ADAMW, MEMORY_ADAM8BIT, MEMORY_SGD };
enum memory_checkpointing {
	CHECKPOINT_NONE,
	CHECKPOINT_SELECTIVE, /* GPT list: the attention scores; actual: see training_layer.h */
	CHECKPOINT_EVERY_K,   /* segments of k layers, their inputs kept */
	CHECKPOINT_FULL       /* segments of one layer */
};

struct memory_setup {
	const struct model *model;
	double batch, seq; /* sequences per data-parallel GPU group, tokens of each */
	enum memory_precision precision;
	/* Of BF16 weights: what products run in, as it runs on that GPU (step_recipe.h); NULL: BF16. */
	const struct step_recipe *recipe;
	enum memory_optimizer optimizer;
	enum memory_checkpointing checkpointing;
	int k;           /* layers of a segment, at least 1 */
	int zero;        /* 0..3 */
	double gpus, tp; /* all of them, and how many share a layer */
	double ep; /* groups to which a mixture's experts are dealt (expert_groups); 0, 1: one */
	bool flash;
	bool actual;      /* the model's own layer, not the GPT one */
	bool fused;       /* Liger's kernels: logits in chunks, SwiGLU's activation again in
			   * backward */
	bool offload;     /* gradients and optimizer state live on the CPU */
	bool deepspeed;   /* ZeRO-3's buffers at DeepSpeed's defaults: gradients are reduced in a
			   * bucket   of 5e8 elements, gathered layers stay until 1e9 parameters are
			   * whole */
	bool loads_whole; /* the GPU holds all weights once, before ZeRO-3 shards them: a model
			   * that was not built inside deepspeed.zero.Init */
	double flops_per_s, bandwidth; /* that this GPU reaches: sets the time axis only */
};

/* B per parameter, before any sharding. */
struct state_bytes {
	double weight, gradient, optimizer;
};
struct state_bytes memory_state_bytes(enum memory_precision p, enum memory_optimizer o);
/* The same of a setup, with the types of its recipe; weights are those of layers' products, of which it
 * may hold several copies. */
struct state_bytes memory_setup_state(const struct memory_setup *s);

/* Where the optimizer is offloaded: what PCIe 4 x16 reaches in one direction, and one GPU's part of
 * its host's memory (two sockets, 16 channels of DDR4-3200, four fifths of 410 GB/s, for 8). */
extern const double memory_host_bandwidth;
/* The CPU's optimizer step in s, nothing of it hidden: gradients come down, the state is read and
 * written in the host's memory, weights go up. 0 where nothing is offloaded. */
double memory_offload_s(const struct memory_setup *s);
/* GPUs over which ZeRO shards: gpus / tp, at least 1. */
double memory_shards(const struct memory_setup *s);
/* Weights, gradients and optimizer state of one GPU by the formulas of ZeRO: what the events of the
 * walk must come to when all of them are alive. 0 for what is offloaded. */
double memory_static_bytes(const struct memory_setup *s);
/* GPUs over which ZeRO shards experts: those that hold the same. */
double memory_expert_shards(const struct memory_setup *s);
/* The layer of this setup; of a model that is made of parts, that of a group of its layers, of which
 * it has memory_layer_groups; else group is 0. */
struct training_layer memory_layer(const struct memory_setup *s, size_t group);
size_t memory_layer_groups(const struct memory_setup *s);
/* B that the mean layer saves for backward. */
double memory_saved_bytes(const struct memory_setup *s);
/* Outside of PyTorch's allocator: the CUDA context, and NCCL's buffers where there are peers. */
double memory_context_bytes(const struct memory_setup *s);

struct memory_tensor {
	uint64_t bytes;
	enum memory_kind kind;
};
struct memory_event {
	double at_s;
	uint32_t tensor;
	bool frees;
	bool once; /* in the first step only: the optimizer makes its state when first asked */
};

enum memory_phase_kind {
	PHASE_EMBED,
	PHASE_FORWARD,
	PHASE_LOSS,
	PHASE_RECOMPUTE,
	PHASE_BACKWARD,
	PHASE_OPTIMIZER
};
struct memory_phase {
	enum memory_phase_kind kind;
	size_t first_event;
	double at_s;
	int layer, last_layer; /* from 1; first and last of a recomputed segment */
};

struct memory_trace {
	struct memory_tensor *tensors;
	size_t n_tensors, cap_tensors;
	struct memory_event *events; /* [0, n_loading): weights, at 0 s; then one step, in time */
	size_t n_events, cap_events, n_loading;
	struct memory_phase *phases;
	size_t n_phases, cap_phases;
	double duration_s;
	double recompute_share;  /* share of the layers' forward and backward compute */
	double odd_params_ratio; /* parameters in the table over those of the shapes, in the mean
				  * layer; 1 where they agree */
};

/* Fills a zeroed trace from the arena; when that fails, arena->failed tells. All that a step
 * allocates is freed within it, but for the optimizer's state (`once`). */
void memory_trace_build(
	const struct memory_setup *s, struct memory_trace *trace, struct arena *arena);

#endif
