/* Deals a case by a seed: its fields drawn, its anchors computed, its designs run and its texts held to
 * be true. The same seed gives the same case on every machine. Pure; no terminal. */
#ifndef RIDGE_CASE_DEAL_H
#define RIDGE_CASE_DEAL_H

#include "drills/case.h"
#include "drills/deal.h"

#include <stdint.h>

/* A design that the case itself has, and what the simulation says of it. */
struct case_known {
	bool run;
	double v[MAX_KNOBS];
	struct figure figure;
};

/* A stage is how many twists have been told: 0..n_twists. */
struct dealt_case {
	const struct design_case *of;
	const struct tables *tables;
	uint64_t seed;
	enum case_level level;
	size_t n_twists;        /* that this level gets */
	struct variant variant; /* fields; the anchors as its steps */
	struct arena arena;     /* of texts that were filled in */
	struct case_known today, naive, reference[MOST_TWISTS + 1];
};

/* 0; or -1 and one line in err that names file and place: a name or a value that is not known, a
 * setting that a knob cannot have, a level that the case is not for. Release it either way. */
int case_deal(struct dealt_case *d, const struct design_case *c, const struct tables *t,
	uint64_t seed, enum case_level level, char *err, size_t err_size);
void case_deal_release(struct dealt_case *d);

/* A text of the case with what is in braces filled in; owned by the deal. */
const char *case_text(struct dealt_case *d, const char *text);
/* What a fact tells at a stage, filled in. */
const char *case_tell(struct dealt_case *d, size_t fact, size_t stage);

/* How many minutes of work it holds, by one rule for all cases: three quarters of a minute for a fact that
 * has to be asked for, two and a half for a number to estimate, one and a half for a knob that has to be
 * reasoned about, five for a twist, two for a question that goes deeper and two to wrap up. */
double case_minutes(const struct dealt_case *d);
/* Those of a phase; and the whole of a case that is not dealt, for a list. */
double case_phase_minutes(const struct dealt_case *d, enum case_phase phase);
double case_level_minutes(const struct design_case *c, enum case_level level);
double case_level_phase_minutes(
	const struct design_case *c, enum case_level level, enum case_phase phase);

/* The knobs as they stand at a stage, whatever was asked: defaults, what is fixed, all facts, the
 * twists. What is the candidate's stands at its default. */
void case_knobs(const struct dealt_case *d, size_t stage, double v[]);

/* The goals at a stage. Returns how many. */
enum { MOST_CASE_GOALS = MOST_GOALS * (MOST_TWISTS + 1) };
size_t case_goals(
	const struct dealt_case *d, size_t stage, const struct case_goal *out[MOST_CASE_GOALS]);

/* What arithmetic of the case comes to for a figure and its knobs. *unit is that of a name that stands
 * alone, and NULL for anything else. 0; or -1 and one line in err with the nearest name. */
int case_number(const struct dealt_case *d, const struct figure *now, const double v[],
	const char *text, double *out, const char **unit, char *err, size_t err_size);

/* A value in another unit of its dimension. Where one of them is "" or NULL it stays as it is. 0; or -1
 * where they measure different things. */
int case_in_unit(double value, const char *from, const char *to, double *out);

#endif
