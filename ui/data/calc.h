/* The calculator: one line of text in, one evaluated formula out. The command line, pages and the
 * explorer's palette all read the same text:
 *
 *   FORMULA [name=value ...] [model=ID] [gpu=ID]
 *
 * A name is a parameter's name or its symbol (layers, L), or a common synonym of a parameter that
 * the formula has (seq for tokens, mfu for utilisation: see calc_alias); a value takes units
 * (bandwidth=25 GB/s). model= and gpu= fill the parameters that they know, except those that are
 * given by name. What nobody gives stays at the formula's example, and the result says so. */
#ifndef RIDGE_UI_DATA_CALC_H
#define RIDGE_UI_DATA_CALC_H

#include "sims/formulas/formula.h"
#include "sims/tables/tables.h"

#include <stddef.h>

enum { CALC_MAX_PARAMS = 16, CALC_MAX_TEXT = 1024 };

enum calc_origin { CALC_EXAMPLE, CALC_GIVEN, CALC_MODEL, CALC_GPU };

struct calc_result {
	const struct formula *formula;
	double args[CALC_MAX_PARAMS]; /* in the order of formula->params, in their units */
	enum calc_origin origins[CALC_MAX_PARAMS];
	const struct model *model;     /* NULL: none was named */
	const struct accelerator *gpu; /* likewise; both belong to the tables */
	double value;                  /* in formula->unit; may be INFINITY */
};

/* 0; or -1 and one line in err: which formula, parameter, model or GPU is unknown and the nearest
 * one, which value cannot be read, or the range that it left. t may be NULL where the text names
 * neither model nor GPU. */
int calc_evaluate(const struct tables *t, const char *text, struct calc_result *r, char *err,
	size_t err_size);

/* NULL and one line in err with the nearest name. */
const struct formula *calc_formula(const char *id, char *err, size_t err_size);

/* Index of the parameter of f that a common synonym means; -1: none. A synonym never hides a name
 * or a symbol of the formula, and one that could mean two of its parameters means none. */
int calc_alias(const struct formula *f, const char *name);

/* "0 to 1", "1 B/s to 1 EB/s". Returns buf. */
char *calc_range(const struct formula_param *p, char *buf, size_t size);

/* What the formulas of one number have in common: "Roofline" for all of F1. */
const char *calc_subject(const struct formula *f);

/* How many parameters stayed at their example. */
size_t calc_n_examples(const struct calc_result *r);

#endif
