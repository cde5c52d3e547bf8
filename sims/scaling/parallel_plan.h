/* A model on many GPUs: who holds which bytes, who sends which, and how long a step takes. The
 * physics under `parallelism`. Sizes in B, times in s; GB = 1e9 B. */
#ifndef RIDGE_PARALLEL_PLAN_H
#define RIDGE_PARALLEL_PLAN_H

#include "sims/base/arena.h"
#include "sims/tables/tables.h"
#include "sims/communication/collective.h"
#include "sims/scaling/pipeline_schedule.h"
#include "sims/training/model_step.h"

#include <stdbool.h>
#include <stddef.h>

enum plan_strategy {
	PLAN_DDP,
	PLAN_ZERO1,
	PLAN_ZERO2,
	PLAN_ZERO3,
	PLAN_TP,
	PLAN_PP,
	PLAN_3D,
	N_PLAN_STRATEGIES
};

/* More are not run: the works of a pipeline are counted in hundred thousands then. */
enum { MOST_MICRO_BATCHES = 512 };

struct plan_setup {
	const struct model *model;
	const struct accelerator *gpu;
	struct network net;
	enum plan_strategy strategy;
	double gpus;
	double tp, pp,
		cp;   /* of the 3D strategy; the others put all GPUs into their one dimension */
	int zero;     /* of the 3D strategy: over the replicas, 0..3 */
	double shard; /* of ZeRO-3: GPUs that share one copy; 0: all (hybrid sharding) */
	enum pipeline_kind schedule;
	double micro_batches, chunks; /* chunks: of the interleaved schedule */
	double batch, seq;            /* sequences of a micro-batch of one replica; tokens */
	enum recompute recompute;
	enum dtype dtype; /* of the products, and its recipe; NULL: the usual one */
	const struct step_recipe *recipe;
	struct software software;
	bool sequence_parallel; /* norms and residuals cut among the tensor group too */
	bool transfers;         /* transfers between stages take time */
	bool wide_gradients;    /* gradients add up in FP32, not BF16: Megatron-LM, FSDP */
	/* Of a mixture of experts, as in struct step_setup; heads for further tokens are trained where
	 * the model has any. */
	double ep; /* 0: as many groups as the fast links join, or fewer */
	double hot, capacity;
	enum dispatcher routing;
	bool dispatch_overlap;
};

/* What one GPU holds. */
enum plan_part {
	PLAN_WEIGHTS,
	PLAN_GRADIENTS,
	PLAN_OPTIMIZER,
	PLAN_ACTIVATIONS,
	PLAN_GATHERED,
	PLAN_LOGITS, /* of the last stage */
	N_PLAN_PARTS
};
/* What one GPU sends in a step. */
enum plan_traffic {
	TRAFFIC_DATA,
	TRAFFIC_TENSOR,
	TRAFFIC_PIPELINE,
	TRAFFIC_CONTEXT,
	TRAFFIC_EXPERTS, /* tokens to their experts and back */
	N_PLAN_TRAFFIC
};

struct parallel_plan {
	double tp, pp, cp, dp, used; /* used: tp * pp * cp * dp of the GPUs */
	double ep;                   /* groups of GPUs to which experts are dealt; 1: none */
	double shard;                /* GPUs that share one copy of the weights */
	int zero;
	double copies; /* stages on which each piece of the model lies: 2 under DualPipe, else 1 */
	double micro_batches, chunks;         /* as run: interleaving takes whole groups of pp */
	double *first_layer;                  /* of piece chunk * pp + stage; one more: the end */
	double *part_bytes;                   /* [stage * N_PLAN_PARTS + part] */
	size_t fullest;                       /* stage */
	double memory_bytes;                  /* on a GPU of that stage */
	double traffic_bytes[N_PLAN_TRAFFIC]; /* by the GPU that sends most of it */
	struct pipeline pipeline;
	double pair_s;                 /* under DualPipe, a layer forward beside one backward */
	struct step_time time;         /* of a layer and of the ends, as run in the pipeline */
	double data_s, data_exposed_s; /* gradients and gathered weights: all of the time, and the
				        * part that is exposed */
	double tensor_s;               /* of one stage in a step, context parallelism's sums with
				        * it; what is exposed */
	double dispatch_s, host_s; /* the same of tokens on their way to experts, and of waiting for
				    * the host that leads them */
	double optimizer_s;
	double step_s;
	double tokens_per_s; /* of each GPU that is paid for */
	double mfu; /* over those GPUs; of all that a replica takes, where there are fewer */
};

/* Layers [*first, *end) of a chunk of a stage. */
void plan_layers(
	const struct parallel_plan *plan, size_t stage, size_t chunk, double *first, double *end);

/* The stage that holds the same layers as this one, the other way round; itself where nobody does. */
size_t plan_twin(const struct parallel_plan *plan, size_t stage);

/* The schedule that runs: chunks need more than one layer a stage, both ways an even number of stages. */
enum pipeline_kind plan_schedule(const struct plan_setup *s, const struct parallel_plan *plan);

/* Memory alone, without running the pipeline: the mesh, the fullest stage and the parts of every
 * stage, in the closed form below; times and traffic stay 0. False when memory is out. */
bool plan_memory(const struct plan_setup *s, struct parallel_plan *plan, struct arena *arena);

/* The same without running the pipeline, for a search over thousands of plans: memory of the
 * fullest stage and tokens per s of a GPU in closed form. Memory is what the run comes to, but that
 * zero-bubble and GPipe are not known here; speed is within a few per cent. False when memory is
 * out. */
struct plan_estimate {
	double dp, ep, memory_bytes;
	double tokens_per_s, step_s, bubble;
	double part_s[N_SPENT]; /* of the step */
};
bool plan_estimate(const struct plan_setup *s, struct plan_estimate *e, struct arena *arena);

/* False when memory is out. */
bool plan_make(const struct plan_setup *s, struct parallel_plan *plan, struct arena *arena);

#endif
