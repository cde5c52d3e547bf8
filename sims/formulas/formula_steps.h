/* A formula worked as one works it at a whiteboard: numbers of two digits, one product, quotient, sum or
 * function at a time, each result written down before it is used. */
#ifndef RIDGE_FORMULA_STEPS_H
#define RIDGE_FORMULA_STEPS_H

#include "sims/formulas/formula.h"

#include <stddef.h>

/* "6 x 7e9 x 1e12 = 42e21; 64 x 310e12 x 0.4 = 7.9e15; 42e21 / 7.9e15 = 5.3e6 s, or 61.3 d". In ASCII.
 * The end, in either of its units, is within a fraction `near` of the formula's value, and within 5 % in any
 * case: where two digits do not do for that, all steps have three or more. args: as formula_working takes
 * them. "" where there is nothing to work out, as for a formula of one name, where the value is not finite,
 * and where eight digits do not do. Returns buf. */
char *formula_steps(
	const struct formula *f, const double args[], double near, char *buf, size_t size);

#endif
