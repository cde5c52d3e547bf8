/* The benchmarks of MLPerf Training for the model of a training step: which workload they train,
 * how submissions share it among GPUs, and on which machines. */
#ifndef RIDGE_MLPERF_H
#define RIDGE_MLPERF_H

#include "sims/figure/figure.h"
#include "sims/training/training.h"

#include <stdbool.h>
#include <stddef.h>

/* Submissions share a model over the stages of a pipeline, over GPUs of a sequence, and over as
 * many of a layer as it takes to hold this many B per parameter (weights and gradients; weights
 * alone where they are frozen) in half of their memory. Against what NVIDIA publishes for Megatron:
 * 4 x 8 for GPT-3 and 8 x 8 x 2 for Llama 3.1 405B on H100, 4 x 8 x 2 for the latter on B200. */
struct mlperf_benchmark {
	const char *name;
	enum workload_id workload;
	double tokens; /* in a sample, where logs may count tokens */
	double held, pipeline, context;
	double chunks;    /* of layers on a stage */
	bool accumulates; /* otherwise submissions take the batch of a step in one go */
};

/* NULL where no workload is known for it. */
const struct mlperf_benchmark *mlperf_benchmark(const char *name);
/* As did_you_mean, of the names that have one. */
char *mlperf_did_you_mean(const char *name, char *buf, size_t size);

/* GPUs of one copy of the model. */
double mlperf_least_gpus(const struct mlperf_benchmark *b, const struct accelerator *g);

/* The job without its GPUs and its batch; fills *w, to which the job points. */
struct training mlperf_training(const struct mlperf_benchmark *b, const struct accelerator *g,
	double kernels, struct training_workload *w);

/* Some logs count sequences, others their tokens: a rate above what the accelerators could compute
 * in sequences is in tokens. */
bool mlperf_counts_tokens(
	const struct mlperf_benchmark *b, const struct accelerator *g, double gpus, double per_s);

void mlperf_assume(struct figure *fig);

#endif
