/* Every formula of the field, written once.
 *
 * A row of sims/formulas/ is a name, a unit, a source, parameters and *one* C expression. The
 * compiler computes it, the preprocessor prints it, and the substituted working is made from the
 * same text; simulations, drills, pages and the calculator all call it, so that no two of them can
 * disagree. This header is the table of all rows, for who looks formulas up; who calls one that it
 * knows includes the header of its subject (sims/formulas/call.h).
 *
 * Values are in base units: s, B, FLOP, token, $; fractions as fractions. */
#ifndef RIDGE_FORMULA_H
#define RIDGE_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

struct formula_param {
	const char *name;   /* as in the expression */
	const char *symbol; /* the short one of papers: "L", "a_kv"; accepted as an alias */
	const char *unit;   /* of the value as the expression takes it */
	double min, max;    /* the domain, both ends included */
	double example;     /* the check case */
};

struct formula {
	const char *id, *unit, *title;
	const char *number; /* in the formula sheet: "F8.1" */
	const char *source;
	const char *expression; /* the C expression's own text */
	const struct formula_param *params;
	size_t n_params;
	double (*call)(const double args[]); /* args in the order of params, in the domain */
};

extern const struct formula formulas[];
extern const size_t n_formulas;

const struct formula *formula_find(const char *id); /* NULL if none */

/* Index of a parameter by name or by symbol; -1 if none. */
int formula_param_index(const struct formula *f, const char *name);

#endif
