/* Private to the simulation `scaling`: its knobs, what the figure is made of, and the sentences. */
#ifndef RIDGE_SCALING_H
#define RIDGE_SCALING_H

#include "sims/figure/figure.h"
#include "sims/training/training.h"

/* clang-format off */
enum {
	SCALING_GPUS, SCALING_GPU, SCALING_WORKLOAD, SCALING_MODE, SCALING_GLOBAL_BATCH,
	SCALING_GPU_BATCH, SCALING_STRATEGY, SCALING_GPUS_PER_NODE, SCALING_INTRA, SCALING_INTER,
	SCALING_LATENCY, SCALING_OVERLAP, SCALING_JITTER, SCALING_PRICE, N_SCALING_KNOBS
};
/* clang-format on */
enum { MODE_STRONG, MODE_WEAK };

/* Everything that the figure is made of. */
struct scaling {
	const double *v;
	int mode;
	struct training training; /* at the knobs' GPU count */
	double one_rate;          /* samples per s of one GPU */
	double price_per_h;
};

/* The training on another number of GPUs; its batch grows with them in weak scaling. */
struct training scaling_at(const struct scaling *s, double gpus);
/* To train the workload at such a rate. */
double scaling_hours(const struct scaling *s, double samples_per_s);

/* Quantities for people, owned by the figure: "3.7 s", "51 min", "416 days"; "86 %". */
const char *scaling_hours_text(struct figure *fig, double h);
const char *scaling_percent(struct figure *fig, double share);

void scaling_explain(struct figure *fig, const struct scaling *s, const struct training_step *r);
/* Inputs outside of what the model, or a machine, can do. */
void scaling_warn(struct figure *fig, const struct scaling *s, const struct training_step *r);

#endif
