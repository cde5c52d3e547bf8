/* The blocks of `caselab`'s figure. `tokens`: rates in tokens of text instead of samples. */
#ifndef RIDGE_CASELAB_DRAW_H
#define RIDGE_CASELAB_DRAW_H

#include "sims/training/caselab_lab.h"
#include "sims/figure/figure.h"

#include <stdbool.h>

/* Rates over the positions of a step: model at two sequences, the six measured runs, here. */
void draw_rates(const struct finetuning *here, const struct finetuning_step *now, bool tokens,
	struct figure *fig);
/* Every experiment, its price, and what it found where it was bought. */
void draw_log(const struct lab *lab, struct figure *fig);
/* Where the step goes, here and in what was run. */
void draw_profile(const struct lab *lab, struct figure *fig);
void draw_memory(const struct finetuning *f, struct figure *fig);
/* The six runs of the case beside the model of the case; sets fig->accuracy. */
void draw_measured(const struct finetuning *the_case, bool tokens, struct figure *fig);

#endif
