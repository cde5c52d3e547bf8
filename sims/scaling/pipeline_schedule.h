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
	PIPELINE_ZERO_BUBBLE  /* 1F1B whose gradients of weights, which no stage waits for, fill
			       * the gaps; no more is held than 1F1B's first stage holds (ZB-H1
			       * of Qi et al., 2023) */
};

struct pipeline_setup {
	enum pipeline_kind kind;
	size_t stages, micro_batches; /* interleaved: a multiple of the stages */
	size_t chunks;                /* chunks of layers per stage; 1 unless interleaved */
	/* Time of chunk c on stage s, at [c * stages + s]. */
	const double *forward_s, *backward_s;
	const double *weights_s;  /* of backward_s, what the gradients of the weights take; only
				  * read for PIPELINE_ZERO_BUBBLE */
	const double *held_bytes; /* that one micro-batch leaves there until its backward */
	double transfer_s;        /* from stage to stage; the sender does not wait */
};

struct pipeline_op {
	double start_s, end_s;
	unsigned stage, chunk, micro_batch;
	bool backward; /* all of it, or without the gradients of the weights */
	bool weights;  /* those alone */
};

struct pipeline {
	struct pipeline_op *ops; /* stage by stage, each in time */
	size_t n_ops;
	double time_s;
	double bubble;      /* share of time_s in which a stage is idle, over all stages */
	double *in_flight;  /* peak per stage, in micro-batches (chunks count as 1/chunks) */
	double *held_bytes; /* peak per stage */
};

/* False when memory is out, or when the lists wait for each other. */
bool pipeline_run(const struct pipeline_setup *s, struct pipeline *out, struct arena *arena);

#endif
