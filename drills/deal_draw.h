/* One draw of a drill in numbers, before anything is written out: what drills/deal.c makes a variant
 * of. */
#ifndef RIDGE_DEAL_DRAW_H
#define RIDGE_DEAL_DRAW_H

#include "drills/deal.h"
#include "sims/base/rng.h"

enum { MOST_BINDINGS = 64, MOST_ARGS = 32, MOST_GIVEN_MISTAKES = 16 };

struct drawn_step {
	double args[MOST_ARGS];
	struct mistake mistakes[MOST_GIVEN_MISTAKES];
	struct question question;
	size_t options[MOST_OPTIONS]; /* which, in the order shown */
	size_t n_options, right;      /* right: an index into step->options */
};

struct draw {
	struct binding bindings[MOST_BINDINGS];
	size_t n;
	struct drawn_step steps[MOST_STEPS];
};

const struct binding *draw_find(const struct draw *w, const char *name);

/* NAN where an argument is outside of the formula's domain. args may be NULL. */
double draw_value(const struct draw *w, const struct drill_value *v, double args[MOST_ARGS]);

/* Choice i of a field that has choices; a product or a sum of what is bound already. */
void draw_bind(const struct drill_field *f, const struct tables *t, size_t i, struct draw *w);

/* The mistakes that differ from the key in this draw: where all heads have their own keys, "used
 * query heads" is none. */
void draw_mistakes(const struct draw *w, const struct drill_step *s, struct drawn_step *x);

/* False: this draw cannot be used. */
bool draw_once(const struct drill *d, const struct tables *t, struct rng *r, struct draw *w);

enum { MOST_CASE_FIELDS = 32, MOST_CHOICES = 64 };

/* For each field of the cases of a program, the order in which its choices come up. */
struct case_plan {
	size_t order[MOST_CASE_FIELDS][MOST_CHOICES];
};

/* The drawn values of one case. */
struct drawn_case {
	struct draw draw;
	struct drawn_step steps[MOST_EXPECTATIONS];
};

/* Draws such an order with which all cases are good; false: this one cannot be used. */
bool draw_cases(const struct drill_program *p, const struct draw *w, const struct tables *t,
	struct rng *r, struct case_plan *plan);

/* Case k, behind the drill's own draw. False where a formula has no value. Zero is one: a ring of
 * one rank sends nothing. */
bool draw_case(const struct drill_program *p, const struct draw *w, const struct tables *t,
	const struct case_plan *plan, size_t k, struct drawn_case *c);

#endif
