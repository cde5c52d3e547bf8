/* How torchtitan's tables write down a job, for every comparison that reads one. */
#ifndef RIDGE_TORCHTITAN_H
#define RIDGE_TORCHTITAN_H

#include "sims/base/csv.h"
#include "sims/training/model_step.h"

#include <stdbool.h>
#include <stddef.h>

/* Layers are dealt to pp stages, weights are cut over fsdp x cp GPUs, each layer over tp, each
 * sequence over cp; the other GPUs hold copies. */
struct torchtitan_job {
	double fsdp, tp, cp, pp;
	enum recompute recompute;
	bool async_tp;
};

/* Told by how "sel AC", "Full AC" or "op SAC" begins, none by an empty text; -1: unknown. */
int recompute_named(const char *text);

/* Reads cells such as "FSDP32, TP 8, asyncTP" and "sel AC" of a job on so many GPUs. FSDP without a
 * number, or left out beside the others, takes what they leave; no word on checkpointing is
 * none. False, and why in err, where they cannot be read. */
bool torchtitan_job(const struct csv *c, size_t row, size_t parallelism_column,
	size_t checkpointing_column, double gpus, struct torchtitan_job *job, char *err,
	size_t size);

#endif
