/* Private to the simulation `parallelism`: its pictures. */
#ifndef RIDGE_PARALLELISM_H
#define RIDGE_PARALLELISM_H

#include "sims/figure/figure.h"
#include "sims/scaling/parallel_plan.h"

extern const char *const plan_names[N_PLAN_STRATEGIES]; /* "DDP", "ZeRO-1", ... */
extern const char *const pipeline_names[];              /* "GPipe", "1F1B", "interleaved" */

void parallelism_draw_schedule(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan);
/* GPUs x slices of the layers: who holds what of parameters, gradients, optimizer, activations. */
void parallelism_draw_holders(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan);
/* What the fullest GPU holds under each strategy, against the card; and stage by stage. */
void parallelism_draw_memory(
	struct figure *fig, const struct plan_setup *s, const struct parallel_plan *plan);
/* What a GPU sends per step under each strategy. */
void parallelism_draw_traffic(struct figure *fig, const struct plan_setup *s);

#endif
