/* Rows of published training throughputs as the model of a step sees them: what `ridge validate
 * training` predicts, and what `make fit` fits the model's constants on. */
#ifndef RIDGE_TRAINING_RUNS_H
#define RIDGE_TRAINING_RUNS_H

#include "sims/published/validation.h"
#include "sims/training/model_step.h"

struct training_run {
	struct step_setup setup;
	struct model shape; /* where the tables have none: setup.model points here */
	double chunks;
	double tokens_per_s; /* of one GPU, measured */
	const char *group;   /* who published it: "llm-foundry", "Megatron-Bridge", ... */
	uint32_t row;
	uint8_t file;
};

/* Every run of a validation of "training", in the arena of v; *n of them. */
const struct training_run *training_runs(struct validation *v, size_t *n);

#endif
