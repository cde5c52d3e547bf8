/* An experiment is a copy of the configuration with one thing changed. Running it is the model's
 * answer with a run's luck on top, from a random stream by the number of the experiment: the same
 * experiment measured twice gives the same. `shows` holds, in bits, the parts of a step about which
 * an experiment can tell. */
#include "sims/training/caselab_lab.h"

#include "sims/constants.h"
#include "sims/base/rng.h"
#include "sims/base/stats.h"
#include "sims/formulas/scaling.h"

#include <assert.h>
#include <math.h>

const char *const part_ids[N_FINETUNING_PARTS] = { "loader", "products", "recompute", "dequantise",
	"attention", "pointwise", "adapters", "optimizer", "launches", "padding" };
const char *const part_names[N_FINETUNING_PARTS] = { "waiting for data", "weight products",
	"recomputing", "dequantising", "attention", "pointwise", "adapters", "optimizer",
	"launch gaps", "padding" };

/* How long a process takes to load 7B weights, and how many steps it then runs. */
static const double load_s = 180, run_steps = 100, profile_steps = 10;
/* Relative deviation between runs of one configuration: the case's baseline was measured three
 * times, as 0.67, 0.66 and 0.69. */
static const double spread = 0.015;
/* Two deviations of the quotient of two runs: what is less says nothing. */
static const double no_difference = 0.04;

/* How many minutes of a person an experiment takes, and about which parts it can tell. */
#define SHOWS(part) (1u << (part))
static const struct experiment {
	double minutes;
	unsigned shows;
	const char *asks; /* before it is bought */
} experiments[N_EXPERIMENTS] = {
	[LOOK_PROFILE] = { 20, SHOWS(N_FINETUNING_PARTS) - 1u - SHOWS(PART_PADDING),
		"where does a step go?" },
	[LOOK_DATA] = { 10, SHOWS(PART_PADDING), "how much is padding?" },
	[RUN_LOADER] = { 5, SHOWS(PART_WAIT), "does it wait for data?" },
	[RUN_CHECKPOINT] = { 5, SHOWS(PART_RECOMPUTE), "is it recomputing?" },
	[RUN_OPTIMIZER] = { 5, SHOWS(PART_OPTIMIZER), "is it the optimizer?" },
	[RUN_RANK] = { 5, SHOWS(PART_ADAPTERS), "is it the adapters?" },
	[RUN_SEQ] = { 5, SHOWS(PART_ATTENTION), "do long rows cost more?" },
	[RUN_BATCH] = { 5, SHOWS(PART_ATTENTION) | SHOWS(PART_PRODUCTS),
		"same work in short rows?" },
	[RUN_WEIGHTS] = { 5, SHOWS(PART_DEQUANTISE), "is it dequantising?" },
	[RUN_FLASH] = { 10, SHOWS(PART_ATTENTION), "is it attention?" },
};

struct finetuning experiment_setup(const struct lab *lab, enum experiment_id e)
{
	struct finetuning f = lab->base;
	switch (e) {
	case RUN_LOADER:
		f.workers = 8;
		break;
	case RUN_CHECKPOINT:
		f.checkpointing = !f.checkpointing;
		break;
	case RUN_OPTIMIZER:
		f.optimizer =
			f.optimizer == OPTIMIZER_ADAMW ? OPTIMIZER_ADAMW_8BIT : OPTIMIZER_ADAMW;
		break;
	case RUN_RANK:
		f.rank = fmax(1, floor(f.rank / 2));
		break;
	case RUN_BATCH:
		f.batch *= 2;
		f.seq /= 2;
		break;
	case RUN_SEQ:
		f.seq /= 2;
		break;
	case RUN_WEIGHTS:
		f.nf4 = !f.nf4;
		break;
	case RUN_FLASH:
		f.flash = true;
		break;
	default:
		break;
	}
	return f;
}

const char *experiment_name(const struct lab *lab, enum experiment_id e)
{
	static const char *const names[N_EXPERIMENTS] = { [LOOK_PROFILE] = "profile of 10 steps",
		[LOOK_DATA] = "lengths of the texts",
		[RUN_LOADER] = "8 loader workers",
		[RUN_RANK] = "half the rank",
		[RUN_SEQ] = "half the length",
		[RUN_BATCH] = "half length, 2x batch",
		[RUN_FLASH] = "FlashAttention" };
	assert(e < N_EXPERIMENTS);
	struct finetuning f = experiment_setup(lab, e);
	switch (e) {
	case RUN_CHECKPOINT:
		return f.checkpointing ? "checkpointing on" : "checkpointing off";
	case RUN_OPTIMIZER:
		return f.optimizer == OPTIMIZER_ADAMW ? "AdamW in FP32" : "AdamW in 8 bits";
	case RUN_WEIGHTS:
		return f.nf4 ? "NF4 weights" : "FP16 weights";
	default:
		return names[e];
	}
}

double experiment_usd(const struct lab *lab, enum experiment_id e)
{
	assert(e < N_EXPERIMENTS);
	struct finetuning f = experiment_setup(lab, e);
	struct finetuning_step step = finetuning_step(&f);
	double steps = !step.fits ? 0 : e == LOOK_PROFILE ? profile_steps : run_steps;
	double gpu_s = e == LOOK_DATA ? 0 : load_s + steps * step.step_s;
	return CALL(training_cost, .gpus = 1, .time = gpu_s,
		       .price_per_hour = lab->gpu_usd_per_hour) +
	       experiments[e].minutes / (HOUR_S / MINUTE_S) * lab->engineer_usd_per_hour;
}

static double measured_rate(const struct lab *lab, const struct finetuning *f, uint64_t run)
{
	struct finetuning_step step = finetuning_step(f);
	struct rng rng = rng_stream(lab->seed, "caselab", run);
	double rate = lab->tokens ? step.tokens_per_s : step.samples_per_s;
	return step.fits ? rate * exp(spread * rng_normal(&rng)) : 0;
}

double experiment_ratio(const struct lab *lab, enum experiment_id e)
{
	assert(e < N_EXPERIMENTS);
	struct finetuning f = experiment_setup(lab, e);
	double base = measured_rate(lab, &lab->base, N_EXPERIMENTS);
	return base > 0 ? measured_rate(lab, &f, e) / base : 0;
}

static enum finetuning_part largest_part(const struct finetuning_step *s)
{
	return (enum finetuning_part)largest_of(s->part_s, N_FINETUNING_PARTS);
}

/* A trace knows kernels and not what is in the positions: padding is computed like text. */
static const char *profile_finding(const struct lab *lab, struct figure *fig)
{
	struct finetuning f = lab->base;
	f.packing = true;
	struct finetuning_step step = finetuning_step(&f);
	if (!step.fits)
		return "out of memory: nothing to see";
	enum finetuning_part first = largest_part(&step);
	double first_pct = 100 * step.part_s[first] / step.step_s;
	step.part_s[first] = 0;
	enum finetuning_part second = largest_part(&step);
	return figure_text(fig, "%s %.0f %%, %s %.0f %%", part_names[first], first_pct,
		part_names[second], 100 * step.part_s[second] / step.step_s);
}

static const char *data_finding(const struct lab *lab, struct figure *fig)
{
	struct finetuning_step step = finetuning_step(&lab->base);
	if (step.padding > 0)
		return figure_text(fig, "%.0f %% of positions are padding", 100 * step.padding);
	if (step.cut > 0)
		return figure_text(fig, "%.0f %% of the text is cut away", 100 * step.cut);
	return "no padding, nothing cut";
}

const char *experiment_finding(const struct lab *lab, enum experiment_id e, struct figure *fig)
{
	assert(e < N_EXPERIMENTS);
	if (e == LOOK_PROFILE)
		return profile_finding(lab, fig);
	if (e == LOOK_DATA)
		return data_finding(lab, fig);
	double ratio = experiment_ratio(lab, e);
	if (!(ratio > 0))
		return "out of memory";
	if (fabs(ratio - 1) < no_difference)
		return figure_text(fig, "%.2fx: within the spread", ratio);
	return figure_text(fig, "%.2fx %s/s", ratio, lab->tokens ? "tokens" : "samples");
}

const char *experiment_question(enum experiment_id e)
{
	assert(e < N_EXPERIMENTS);
	return experiments[e].asks;
}

double lab_spent_usd(const struct lab *lab)
{
	double sum = 0;
	for (int e = 0; e < N_EXPERIMENTS; e++)
		if (lab->bought[e])
			sum += experiment_usd(lab, (enum experiment_id)e);
	return sum;
}

enum finetuning_part lab_culprit(const struct lab *lab)
{
	struct finetuning_step step = finetuning_step(&lab->base);
	return largest_part(&step);
}

/* A run that ends out of memory has measured nothing. */
bool lab_has_evidence(const struct lab *lab, enum finetuning_part part)
{
	assert(part < N_FINETUNING_PARTS);
	for (int e = 0; e < N_EXPERIMENTS; e++) {
		if (!lab->bought[e] || !(experiments[e].shows & SHOWS(part)))
			continue;
		struct finetuning f = experiment_setup(lab, (enum experiment_id)e);
		if (finetuning_step(&f).fits)
			return true;
	}
	return false;
}

double lab_prize(const struct lab *lab)
{
	assert(lab->budget_usd > 0);
	static const double whole = 100, for_money = 50;
	double spent = lab_spent_usd(lab);
	return spent > lab->budget_usd ? 0 : whole - for_money * spent / lab->budget_usd;
}

double lab_score(const struct lab *lab, int part)
{
	assert(part < N_FINETUNING_PARTS);
	static const double guessed = 25;
	double prize = lab_prize(lab);
	if (part < 0 || part != (int)lab_culprit(lab) || prize <= 0)
		return 0;
	return lab_has_evidence(lab, lab_culprit(lab)) ? prize : guessed;
}
