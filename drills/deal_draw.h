/* One draw of a drill in numbers, before anything is written out: drills/deal.c makes a variant of
 * it. */
#ifndef RIDGE_DEAL_DRAW_H
#define RIDGE_DEAL_DRAW_H

#include "drills/deal.h"
#include "sims/base/rng.h"

enum { MOST_BINDINGS = 64 };

/* What is bound to names so far, and what each step asks with it. */
struct drawn_step {
	double args[MOST_ARGS];
	struct mistake mistakes[MOST_MISTAKES];
	struct question question;
	size_t options[MOST_OPTIONS]; /* which, in the order shown */
	size_t n_options, right;      /* right: an index into step->options */
};

struct draw {
	struct binding bindings[MOST_BINDINGS];
	size_t n;
	struct drawn_step steps[MOST_STEPS];
};

/* NULL where no field and no step has the name, and none of them fills it. */
const struct binding *draw_find(const struct draw *w, const char *name);

/* The value of a formula with the fields as its arguments, which are left in args (may be NULL);
 * NAN where one of them is outside of the formula's domain. */
double draw_value(const struct draw *w, const struct drill_value *v, double args[MOST_ARGS]);

/* Draws all of a drill once. False: this draw cannot be used, since a key is out of its range or a
 * mistake too near to it, a count would turn where an answer before it is rounded, no option is
 * clearly right, or the items came in their right order. */
bool draw_once(const struct drill *d, const struct tables *t, struct rng *r, struct draw *w);

/* For each field of the cases of a program, the order in which its choices come up. */
struct case_plan {
	size_t order[MOST_FIELDS][MOST_VALUES];
};

/* The drawn values of one case. */
struct drawn_case {
	struct draw draw;
	struct drawn_step steps[MOST_EXPECTATIONS];
};

/* Draws an order of choices for all cases. False: a formula has no value in one of them. */
bool draw_cases(const struct drill_program *p, const struct draw *w, const struct tables *t,
	struct rng *r, struct case_plan *plan);

/* Case k, bound after what w has of the drill itself. False where a formula has no value. Zero is a
 * value here: a ring of one rank sends nothing. */
bool draw_case(const struct drill_program *p, const struct draw *w, const struct tables *t,
	const struct case_plan *plan, size_t k, struct drawn_case *c);

#endif
