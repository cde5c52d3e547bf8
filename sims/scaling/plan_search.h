/* The quickest layout for a training job: every division of the GPUs among tensor, pipeline, context
 * and data parallelism, every stage of ZeRO that helps, micro-batch, chunks and recomputation, until
 * the quickest that fits is known, and why the others lose. */
#ifndef RIDGE_PLAN_SEARCH_H
#define RIDGE_PLAN_SEARCH_H

#include "sims/scaling/parallel_plan.h"

/* Of a card, what a plan may fill: the CUDA context, workspaces and fragments take the rest. */
#define PLAN_MEMORY_SHARE 0.92

/* What of a layout is not open to the search; 0: it is. */
struct train_pins {
	double tp, pp, cp, micro_batch, chunks;
	int schedule;  /* 1 + PIPELINE_1F1B or PIPELINE_INTERLEAVED */
	int recompute; /* 1 + enum recompute */
};

/* What is wanted: a batch of so many sequences on so many GPUs. */
struct train_goal {
	const struct model *model;
	const struct accelerator *gpu;
	struct network net;
	double gpus, global_batch, seq;
	enum dtype dtype;
	const struct step_recipe *recipe; /* NULL: the type's usual one */
	struct software software;
	enum dispatcher routing; /* of a mixture, and whether its tokens travel unseen */
	bool dispatch_overlap;
	double memory_share; /* of the card, that a plan may fill: PLAN_MEMORY_SHARE */
	struct train_pins pins;
};

/* A layout, as the pipeline ran where `ran`, else in closed form. */
struct train_plan {
	struct plan_setup setup;
	double ep; /* of a mixture: groups of its experts; 1 */
	double dp, memory_bytes, tokens_per_s, step_s, mfu, bubble;
	double spent_s[N_SPENT]; /* of a GPU on each part, for a token of the job */
	double bubble_s;         /* of a step, for which a GPU waits in the pipeline; once it ran */
	bool ran;
};

/* Ways to divide that were looked at: a plan, its best micro-batch, chunks and recomputation. */
enum { TRAIN_PLANS = 8 };
struct train_search {
	double considered;                   /* layouts */
	double no_room;                      /* of those do not fit */
	struct train_plan best[TRAIN_PLANS]; /* that fit, quickest first, each of another mesh */
	size_t n;
	/* Where nothing fits: the layout that comes nearest. */
	struct train_plan nearest;
};

/* False when memory is out. Every layout has a bound by closed form; the quickest of them are run
 * until none that is left could be quicker than what ran. */
bool train_search(const struct train_goal *g, struct train_search *out, struct arena *arena);

/* The number of GPUs next to the goal's, above it (step: 1) or below it (-1), to which some layout
 * deals the step's sequences evenly; 0: none below, or none up to twice as many. */
double train_gpus_dealt(const struct train_goal *g, double step);

/* A good layout in a millisecond, whatever is pinned, for who asks only how long a step takes: the quickest of some
 * forty in closed form, which then runs, or the one that comes nearest where none fits (memory_bytes tells). GPUs
 * that no replica takes stay idle. False when memory is out, or where the batch has fewer sequences
 * than any layout has replicas. */
bool train_usual(const struct train_goal *g, struct train_plan *out, struct arena *arena);

#endif
