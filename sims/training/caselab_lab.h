/* The laboratory of `caselab`: experiments that cost a GPU's and a person's time, what each finds
 * in a configuration, and what a verdict is worth. */
#ifndef RIDGE_CASELAB_LAB_H
#define RIDGE_CASELAB_LAB_H

#include "sims/figure/figure.h"
#include "sims/training/finetuning.h"

#include <stdbool.h>
#include <stdint.h>

enum experiment_id {
	LOOK_PROFILE, /* a trace of some steps: every kernel by its name */
	LOOK_DATA,    /* how long the texts are: needs no GPU */
	RUN_LOADER,   /* more workers */
	RUN_CHECKPOINT,
	RUN_OPTIMIZER,
	RUN_RANK,
	RUN_SEQ,   /* half the sequence */
	RUN_BATCH, /* half the sequence, twice the batch: as many positions */
	RUN_WEIGHTS,
	RUN_FLASH,
	N_EXPERIMENTS
};

/* Parts as a verdict names them ("products"), and for people. */
extern const char *const part_ids[N_FINETUNING_PARTS];
extern const char *const part_names[N_FINETUNING_PARTS];

struct lab {
	struct finetuning base; /* the patient */
	const bool *bought;     /* [N_EXPERIMENTS] */
	bool tokens;            /* rates in tokens of text instead of samples */
	double gpu_usd_per_hour, engineer_usd_per_hour, budget_usd;
	uint64_t seed; /* for the spread between runs */
};

/* The configuration that an experiment runs; the base itself where it only looks. */
struct finetuning experiment_setup(const struct lab *lab, enum experiment_id e);
/* What it changes, by the name of what it changes to: "FP16 weights". */
const char *experiment_name(const struct lab *lab, enum experiment_id e);
double experiment_usd(const struct lab *lab, enum experiment_id e);
/* The measured rate over that of the base, both with the spread between runs; 0: out of memory. */
double experiment_ratio(const struct lab *lab, enum experiment_id e);
/* What an experiment answers, and what it finds, in one line each. */
const char *experiment_question(enum experiment_id e);
const char *experiment_finding(const struct lab *lab, enum experiment_id e, struct figure *fig);

double lab_spent_usd(const struct lab *lab);
/* The part that the step spends most time in. */
enum finetuning_part lab_culprit(const struct lab *lab);
/* Whether anything that was bought could have shown that part. */
bool lab_has_evidence(const struct lab *lab, enum finetuning_part part);
/* 0 for a wrong verdict, none (part < 0), or one over budget; 25 for a right one without evidence;
 * else 100, less half of the share of the budget that was spent. */
double lab_score(const struct lab *lab, int part);
/* What a right verdict that is shown by something would score now. */
double lab_prize(const struct lab *lab);

#endif
