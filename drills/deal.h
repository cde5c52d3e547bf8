/* Deals variants: a drill with its fields drawn, its keys computed by the formulas themselves. */
#ifndef RIDGE_DEAL_H
#define RIDGE_DEAL_H

#include "drills/bank.h"
#include "drills/question.h"

#include <stdint.h>

enum { MOST_DRAWS = 500, MOST_SHOWN_OPTIONS = 4, MOST_STEP_HINTS = 5, FORMULA_HINTS = 2 };

/* What a name stands for in one variant. */
struct binding {
	const char *name, *unit;
	double value;
	const char *people;  /* "Llama 3 70B", "8,192 tokens" */
	const char *program; /* "llama3-70b", "8192" */
};

/* An option as it is shown. right: of a choice. place: of an item to order, where it belongs;
 * items of one place may come in any order. */
struct variant_option {
	const char *text, *reason;
	bool right;
	size_t place;
};

/* One step. A step that asks for no number has a question without units, which nobody grades. */
struct variant_step {
	const struct drill_step *step;
	struct question question;
	const double *args;    /* of step->key.formula: formula_working(formula, args, ...) */
	const char *asks;      /* what is asked, with the options */
	const char *prompt;    /* after the scene and the exact values of the steps before */
	const char *tolerance; /* "within 5 %: for 200 GB, 190 to 210 GB count"; how to answer */
	const char *symbols, *working; /* ASCII; the working shows the key */
	/* The working in steps of rounded numbers (formula_steps), which whiteboard_line introduces;
	 * "" without. */
	const char *whiteboard;
	const char *answer; /* what one would type: "10.7374 GB", "2", "3 1 2 4" */
	/* Of this part alone, each saying more than the one before: what was written for it; of several
	 * parts, what the formula depends on, unless that was said; and of a formula its form, and the
	 * form with the numbers put in. */
	const char *hints[MOST_STEP_HINTS];
	size_t n_hints;
	const struct variant_option *options;
	size_t n_options;
};

/* What a program is run with once. */
struct variant_case {
	const char *shown;            /* for people: "all-reduce over 4 ranks" */
	const struct binding *inputs; /* numbers only */
	size_t n_inputs;
	/* For each expectation the key and what the mistakes come to; the key is NAN where the
	 * model solution says it. */
	const struct question *questions;
};

/* A program to write; its texts with the fields filled in. Cases, checks and solution are not for
 * the candidate. */
struct variant_program {
	const struct drill_program *program;
	const char *stub, *solution, *checks;
	const struct variant_case *cases;
	size_t n_cases;
};

/* Everything is owned by the arena. Texts are Markdown with the fields filled in. */
struct variant {
	struct arena arena;
	const struct drill *drill;
	uint64_t seed, part;
	/* What is asked at the moment: the same as in steps[step]. */
	struct question question;
	const char *prompt, *tolerance, *symbols, *working;

	const struct binding *bindings; /* the values of the steps, too: not for the candidate */
	size_t n_bindings;
	const char *scene; /* what several steps share; else "" */
	const char *assumes, *follow_up;
	const char *page, *sim; /* "kvcache model=llama3-70b batch=8"; NULL where nothing fits */
	const struct variant_step *steps;
	size_t n_steps, step;
	unsigned draws;                        /* 1: the first draw was good */
	const struct variant_program *program; /* of KIND_CODE, else NULL */
};

/* The variant of (seed, drill, part), at its first step: the same on every machine. Draws again
 * while a mistake is too near to the key to be told from it, a key is outside of what the drill
 * allows, or a count turns where an answer before it is rounded. 0; or -1 and one line in err when
 * no draw of MOST_DRAWS was good, or memory is out. Release it either way. */
int deal(const struct drill *d, const struct tables *t, uint64_t seed, uint64_t part,
	struct variant *out, char *err, size_t err_size);
void variant_release(struct variant *v);

/* The last of the steps shown so far that has a formula; NULL where none has. */
const struct variant_step *variant_formula_step(const struct variant *v);

/* "At a whiteboard: 2 x 80 x ...", into buf, which is returned; "" without. */
char *whiteboard_line(const struct variant_step *s, char *buf, size_t size);

/* How many bytes of the follow-up ask something; behind them comes what a good answer has. */
size_t variant_follow_up_asks(const struct variant *v);

/* Goes to a step, 0..n_steps-1. */
void variant_show(struct variant *v, size_t step);

/* The key that a step would have if the steps before it had come to given[0..step), where NAN
 * stands for their own keys. NAN when the step does not ask for a number, or its formula has no
 * value. */
double variant_follow(const struct variant *v, size_t step, const double given[]);

#endif
