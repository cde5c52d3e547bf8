/* A pipeline's step, operation by operation: each stage runs its list in order, an operation waits
 * for the one that it depends on, and the bubble and the peak of live activations are read off what
 * happened. Times in s. */
#ifndef RIDGE_PIPELINE_SCHEDULE_H
#define RIDGE_PIPELINE_SCHEDULE_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum pipeline_kind {
	PIPELINE_GPIPE,       /* all forwards, then all backwards (Huang et al., 2019) */
	PIPELINE_1F1B,        /* one forward, one backward (Narayanan et al., 2019) */
	PIPELINE_INTERLEAVED, /* 1F1B over several chunks of layers per stage (Narayanan et al.,
			       * 2021) */
	PIPELINE_ZERO_BUBBLE, /* 1F1B whose gradients of weights, which no stage waits for, fill
			       * the gaps; no more is held than 1F1B's first stage holds (ZB-H1
			       * of Qi et al., 2023) */
	PIPELINE_DUALPIPE     /* each stage of GPUs holds the model's i-th and i-th but last piece;
			       * half of the micro-batches enter at either end, and a forward of one
			       * way runs together with a backward of the other (DeepSeek-V3 report,
			       * 2024, 3.2.1, and the order of the published deepseek-ai/DualPipe) */
};

struct pipeline_setup {
	enum pipeline_kind kind;
	/* Interleaved: micro-batches are a multiple of the stages. DualPipe: both are even, and of
	 * micro-batches there are two for each stage or more. */
	size_t stages, micro_batches;
	/* Chunks of layers per stage: 1 unless interleaved; 2 for DualPipe, one for each way that
	 * micro-batches take. */
	size_t chunks;
	/* Time of chunk c on stage s, at [c * stages + s]. */
	const double *forward_s, *backward_s;
	const double *weights_s; /* of backward_s, what the gradients of the weights take; only
				  * read for PIPELINE_ZERO_BUBBLE and PIPELINE_DUALPIPE */
	const double *pair_s;    /* of a forward of that chunk together with a backward of the other
				  * one; only read for PIPELINE_DUALPIPE */
	const double *held_bytes; /* that one micro-batch leaves there until its backward */
	double transfer_s;        /* from stage to stage; the sender does not wait */
};

struct pipeline_op {
	double start_s, end_s;
	unsigned stage, chunk, micro_batch;
	bool backward; /* all of it, or without the gradients of the weights */
	bool split;    /* backward without those, which come later */
	bool weights;  /* those alone */
	bool paired; /* a forward that runs with the backward behind it in the list, or that backward */
};

struct pipeline {
	struct pipeline_op *ops; /* stage by stage, each in time */
	size_t n_ops;
	size_t *first; /* of each stage, its first among them; one more: n_ops */
	double time_s;
	double bubble;     /* share of time_s in which a stage is idle, over all stages */
	double *in_flight; /* peak per stage, in micro-batches (chunks of one way count as 1/chunks) */
	double *held_bytes; /* peak per stage */
};

/* False when memory is out, or when the lists wait for each other. */
bool pipeline_run(const struct pipeline_setup *s, struct pipeline *out, struct arena *arena);

#endif
