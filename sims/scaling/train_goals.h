/* The goals of a training job as settings, what the search for its layout comes to, and in words.
 * Behind `ridge plan train`. */
#ifndef RIDGE_TRAIN_GOALS_H
#define RIDGE_TRAIN_GOALS_H

#include "sims/figure/sim.h"
#include "sims/scaling/plan_search.h"

/* Knobs alone, read like those of a simulation: no screen shows it. */
extern const struct sim train_goals;

struct train_answer {
	struct train_goal goal;
	struct train_search search;
	double tokens;        /* to train on, in all */
	double usd_per_gpu_h; /* 0: not known */
	const char *refusal;  /* what contradicts itself; NULL */
	const char
		*starved; /* that the batch is small for so many GPUs, and what that costs; NULL */
	const char *warnings[4]; /* what holds for every layout */
	size_t n_warnings;
};
/* v: a value of every knob. Texts in the arena. */
struct train_answer train_answer(const struct tables *t, const double v[], struct arena *arena);

/* The software that was asked for, as it is typed. */
const char *train_software_text(const double v[]);
/* Hours that a plan takes. */
double train_hours(const struct train_answer *a, const struct train_plan *p);
/* "TP 8 x PP 2 in 4 chunks x DP 4, ZeRO-1, micro-batch 1, selective recomputation". */
const char *train_layout_text(const struct train_plan *p, struct arena *arena);
/* Why a plan is slower than the best one: "12 % slower: the bubble". */
const char *train_fate_text(
	const struct train_answer *a, const struct train_plan *p, struct arena *arena);
/* What would deal the step's sequences evenly where no layout does, or none with what is pinned: "15,872 or
 * 16,384 GPUs would do, or a batch of another size". */
const char *train_dealt_text(const struct train_answer *a, const double v[], struct arena *arena);
/* The settings that pin something, " with tp=8 pp=16"; "": all is open. */
const char *train_pins_text(const double v[], struct arena *arena);
/* The settings that open the simulation `parallelism` on a plan. */
const char *train_settings(const struct train_answer *a, const double v[],
	const struct train_plan *p, struct arena *arena);

#endif
