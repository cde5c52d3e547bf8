/* Runs the candidate's design: its knobs and the facts go to the simulation, which says whether each
 * goal is met, by how much it is missed and what binds. Pure; no terminal. */
#ifndef RIDGE_CASE_RUN_H
#define RIDGE_CASE_RUN_H

#include "drills/case_deal.h"

/* A design as far as it was said. Begin with zeroes. */
struct case_design {
	double v[MAX_KNOBS]; /* of the knobs that are given */
	bool given[MAX_KNOBS];
	double part[MAX_KNOBS]; /* what a count was rounded up from, 34.2 of 35; else 0 */
};

/* Adds what was typed to a design: n words "gpu=h100". 0; or -1 and one line in err (no knob of the
 * candidate's, a value that is not to be had), and the design is then as it was. */
int case_design_read(const struct dealt_case *d, struct case_design *design,
	const char *const words[], size_t n, char *err, size_t err_size);

/* Whether a word is a knob of the candidate's, by its id or its label. */
bool case_design_has(const struct dealt_case *d, const char *word);

/* The candidate's first knob that the design does not say; NULL: it says all. */
const struct case_knob *case_design_lacks(
	const struct dealt_case *d, const struct case_design *design);

/* Where the case has a design that runs today: what a design does not say stays as it is today. Returns
 * how many knobs that were; what may not be chosen any more is still to be said. */
size_t case_design_as_today(const struct dealt_case *d, struct case_design *design);

/* Whether it says any of the candidate's knobs. */
bool case_design_begun(const struct dealt_case *d, const struct case_design *design);

/* "gpu=h100 tp=4": what case_design_read takes. Returns buf. */
char *case_design_write(
	const struct dealt_case *d, const struct case_design *design, char *buf, size_t size);
/* The same by the names that people know: "GPU h100, tensor parallel 4". A talk takes it as a
 * design too. */
char *case_design_words(
	const struct dealt_case *d, const struct case_design *design, char *buf, size_t size);
/* What a screen calls a knob of the case, how it is typed, and other ids of it (NULL: none). */
const char *case_knob_name(const struct dealt_case *d, const struct case_knob *k);
const char *case_knob_id(const struct dealt_case *d, const struct case_knob *k);
/* The candidate's knob of that id; NULL: there is none. */
const struct case_knob *case_knob_of_id(const struct dealt_case *d, const char *id);
const char *case_knob_also(const struct dealt_case *d, const struct case_knob *k);
/* A value of it as the simulation has it, as a candidate types and as people read it. Returns buf. */
char *case_knob_write(const struct dealt_case *d, const struct case_knob *k, double value,
	char *buf, size_t size);
char *case_knob_format(const struct dealt_case *d, const struct case_knob *k, double value,
	char *buf, size_t size);

/* What the candidate may set a knob to: "a100, h100 or h200", "1 to 8 GPUs". Returns buf. */
char *case_knob_choices(
	const struct dealt_case *d, const struct case_knob *k, char *buf, size_t size);

/* The choices that a knob has for the candidate, as they are typed: the ith; NULL: there are not so
 * many, or it is a range. */
const char *case_knob_choice(const struct dealt_case *d, const struct case_knob *k, size_t i);
/* Which of them a value is; -1: none. */
int case_knob_choice_of(const struct dealt_case *d, const struct case_knob *k, double value);

/* The value that so many steps (big: far ones) lead to from another, among those that the candidate may
 * choose; it stays at the last one. Of two ways to turn a switch either goes to the other side. */
double case_knob_turn(
	const struct dealt_case *d, const struct case_knob *k, double value, int n, bool big);
/* Where a knob stands that was just decided and not turned yet: what may be had and is nearest to the
 * simulation's own default. */
double case_knob_first(const struct dealt_case *d, const struct case_knob *k);

/* Where a value stands between the ends of what the case allows, 0 to 1. */
double case_knob_position(const struct dealt_case *d, const struct case_knob *k, double value);

struct case_verdict {
	const struct case_goal *goal;
	bool met;
	/* Of numbers: NAN where the simulation gives none. off is the share by which the goal is
	 * missed, or below 0 what there is to spare. */
	double value, amount, off;
	const char *words; /* "1.09 s, at most 1 s: misses by 9 %" */
	const char *now;   /* of these the value alone, "1.09 s"; of limits all of them */
	const char *limit; /* and the limit alone: "at most 1 s", "BF16, FP8" */
};

struct case_run {
	struct arena arena; /* of the verdicts' words */
	struct figure figure;
	const char *why; /* what binds, as the simulation says it; or NULL */
	double v[MAX_KNOBS];
	struct case_verdict verdicts[MOST_CASE_GOALS];
	size_t n_verdicts, n_met;
	bool met;               /* all of them */
	double cost;            /* NAN: there is none */
	const char *cost_unit;  /* or NULL */
	const char *ask, *good; /* the question that fits, filled in */
};

/* Runs a design that says all knobs, at a stage. 0, or -1 when memory is out. Release it either way. */
int case_run(
	struct dealt_case *d, size_t stage, const struct case_design *design, struct case_run *out);

/* How a run is made where somebody waits for it. Zeroes: it is run, and nobody is told how far it is. */
struct case_means {
	/* A figure that the case's simulation made of all its knobs at v. Where these are the design's, there is
	 * nothing to run. NULL: there is none. */
	const struct figure *figure;
	const double *v;
	/* Told now and then which share of a long run is done; the run goes on whatever it says (struct figure). */
	bool (*go_on)(void *context, double share);
	void *context;
};
/* The same by such means. out has no figure where there was one already. */
int case_run_by(struct dealt_case *d, size_t stage, const struct case_design *design,
	const struct case_means *means, struct case_run *out);
void case_run_release(struct case_run *r);

/* The same verdicts on a figure that was run already, for all knobs of the simulation at v: out has
 * neither figure nor questions then. */
void case_judge(const struct dealt_case *d, size_t stage, const struct figure *figure,
	const double v[], struct case_run *out);

/* The goals of a stage before anything is known: the words of each say its limit alone, "at most 1 s", and
 * none is met. Release it with case_run_release. */
void case_limits(const struct dealt_case *d, size_t stage, struct case_run *out);

/* Whether the opening itself has this number, so that nobody need ask for it. */
bool case_opening_states(struct dealt_case *d, double amount);

/* A design of the case's own as a candidate's: its naive one, or the reference at a stage. */
struct case_design case_known_design(const struct dealt_case *d, const struct case_known *k);
/* The same by what the deal has run already: nothing is run again. 0, or -1 when memory is out. */
int case_run_known(
	struct dealt_case *d, const struct case_known *k, size_t stage, struct case_run *out);

#endif
