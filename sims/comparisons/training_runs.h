/* Rows of published training throughputs as the model of a step sees them: what `ridge validate
 * training` predicts, and what `make fit` fits the model's constants on. */
#ifndef RIDGE_TRAINING_RUNS_H
#define RIDGE_TRAINING_RUNS_H

#include "sims/published/validation.h"
#include "sims/training/model_step.h"
#include "sims/training/training.h"

struct training_run {
	struct step_setup setup; /* of a language model; of images the GPU alone */
	struct model shape;      /* where the tables have none: setup.model points here */
	double chunks;
	struct training images;            /* of a run on images; otherwise without a workload */
	struct training_workload workload; /* to which it points then */
	double per_s;                      /* tokens or images of one GPU, measured */
	const char *group;  /* who published it: "llm-foundry", "Megatron-Bridge", ... */
	char container[16]; /* the software's release, of a mixture's run; "" */
	uint32_t row;
	uint8_t file;
};

/* Tokens or images of one GPU, predicted. work: what step_work_of says of its setup, or NULL; costs:
 * NULL for the tree's. Of images the fit finds nothing. */
double training_run_per_s(
	const struct training_run *r, const struct step_work *work, const struct step_costs *costs);

/* Every run of a validation of "training", in the arena of v; *n of them. */
const struct training_run *training_runs(struct validation *v, size_t *n);

#endif
