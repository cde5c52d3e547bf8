/* A model on many GPUs: who holds which bytes, who sends which, and how long a step takes. The
 * physics under `parallelism`. Sizes in B, times in s; GB = 1e9 B. */
#ifndef RIDGE_PARALLEL_PLAN_H
#define RIDGE_PARALLEL_PLAN_H

#include "sims/base/arena.h"
#include "sims/tables/tables.h"
#include "sims/communication/collective.h"
#include "sims/scaling/pipeline_schedule.h"

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

struct plan_setup {
	const struct model *model;
	const struct accelerator *gpu;
	struct network net;
	enum plan_strategy strategy;
	double gpus;
	double tp, pp; /* of the 3D strategy; the others put all GPUs into their one dimension */
	int zero;      /* of the 3D strategy: over the replicas, 0..3 */
	enum pipeline_kind schedule;
	double micro_batches, chunks; /* chunks: of the interleaved schedule */
	double batch, seq;            /* sequences of a micro-batch of one replica; tokens */
	bool checkpointing;           /* every layer again in backward */
	bool sequence_parallel;       /* norms and residuals cut among the tensor group too */
	bool transfers;               /* transfers between stages take time */
};

/* What one GPU holds. */
enum plan_part {
	PLAN_WEIGHTS,
	PLAN_GRADIENTS,
	PLAN_OPTIMIZER,
	PLAN_ACTIVATIONS,
	PLAN_GATHERED,
	N_PLAN_PARTS
};
/* What one GPU sends in a step. */
enum plan_traffic { TRAFFIC_DATA, TRAFFIC_TENSOR, TRAFFIC_PIPELINE, N_PLAN_TRAFFIC };

struct parallel_plan {
	double tp, pp, dp, used; /* used: tp * pp * dp of the GPUs */
	int zero;
	double micro_batches, chunks;         /* as run: interleaving takes whole groups of pp */
	double *part_bytes;                   /* [stage * N_PLAN_PARTS + part] */
	size_t fullest;                       /* stage */
	double memory_bytes;                  /* on a GPU of that stage */
	double traffic_bytes[N_PLAN_TRAFFIC]; /* by the GPU that sends most of it */
	struct pipeline pipeline;
	double data_s, data_exposed_s; /* gradients and gathered weights: all of the time, and the
				        * part that is exposed */
	double tensor_s;               /* of one stage in a step; all of it is exposed */
	double step_s, mfu;
};

/* Layers [*first, *end) of a chunk of a stage. */
void plan_layers(const struct parallel_plan *plan, const struct model *m, size_t stage,
	size_t chunk, double *first, double *end);

/* False when memory is out. */
bool plan_make(const struct plan_setup *s, struct parallel_plan *plan, struct arena *arena);

#endif
