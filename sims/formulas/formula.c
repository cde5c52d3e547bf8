/* The rows are included four times, with other macros each time: as functions of named arguments,
 * as functions of an array, as parameters, and as the table. A row is written once, so that what is
 * computed and what is printed cannot differ. */
#include "sims/formulas/formula.h"

#include "sims/base/array.h"
#include "sims/formulas/architecture.h"
#include "sims/formulas/communication.h"
#include "sims/formulas/compression.h"
#include "sims/formulas/driving.h"
#include "sims/formulas/formats.h"
#include "sims/formulas/inference.h"
#include "sims/formulas/kernels.h"
#include "sims/formulas/loading.h"
#include "sims/formulas/measurement.h"
#include "sims/formulas/memory.h"
#include "sims/formulas/roofline.h"
#include "sims/formulas/scaling.h"
#include "sims/formulas/serving.h"
#include "sims/formulas/stacking.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The expressions, compiled. */
#define P(name, symbol, unit, min, max, example) const double name = a.name;
#define FORMULA(id, unit, title, number, source, params, expr)                                     \
	double id(struct id##_args a)                                                              \
	{                                                                                          \
		params return expr;                                                                \
	}
#include "sims/constants.h"
#include "sims/formulas/all.def"
#undef FORMULA
#undef P

/* The table's rows call through an array; a struct of doubles has the layout of one. */
#define P(name, symbol, unit, min, max, example) +sizeof(double)
#define FORMULA(id, unit, title, number, source, params, expr)                                     \
	_Static_assert(sizeof(struct id##_args) == 0 params, "padding in " #id);                   \
	static double id##_call(const double args[])                                               \
	{                                                                                          \
		struct id##_args a;                                                                \
		memcpy(&a, args, sizeof a);                                                        \
		return id(a);                                                                      \
	}
#include "sims/formulas/all.def"
#undef FORMULA
#undef P

#define P(name, symbol, unit, min, max, example) { #name, symbol, unit, min, max, example },
#define FORMULA(id, unit, title, number, source, params, expr)                                     \
	static const struct formula_param id##_params[] = { params };
#include "sims/formulas/all.def"
#undef FORMULA
#undef P

#define FORMULA(id, unit, title, number, source, params, expr)                                     \
	{ #id, unit, title, number, source, #expr, id##_params, LENGTH(id##_params), id##_call },
const struct formula formulas[] = {
#include "sims/formulas/all.def"
};
#undef FORMULA
const size_t n_formulas = LENGTH(formulas);

const struct formula *formula_find(const char *id)
{
	assert(id);
	for (size_t i = 0; i < n_formulas; i++)
		if (strcmp(formulas[i].id, id) == 0)
			return &formulas[i];
	return NULL;
}

int formula_param_index(const struct formula *f, const char *name)
{
	assert(f && name);
	for (size_t i = 0; i < f->n_params; i++)
		if (strcmp(f->params[i].name, name) == 0)
			return (int)i;
	for (size_t i = 0; i < f->n_params; i++)
		if (strcmp(f->params[i].symbol, name) == 0)
			return (int)i;
	return -1;
}

double in_hours(double s)
{
	return s / HOUR_S;
}

double in_kwh(double j)
{
	return j / 3.6e6;
}

double whole(double x)
{
	double nearest = rint(x);
	return fabs(x - nearest) <= 1e-9 * fabs(x) ? nearest : ceil(x);
}

double harmonic_number(double n)
{
	assert(n < 1e9);
	double sum = 0;
	for (double k = 1; k <= n; k++)
		sum += 1 / k;
	return sum;
}

double erlang_c(double servers, double utilisation)
{
	if (utilisation >= 1)
		return 1;
	/* Erlang B by its recurrence, which neither factorials nor powers can overflow. */
	double load = servers * utilisation, blocked = 1;
	for (double k = 1; k <= servers; k++)
		blocked = load * blocked / (k + load * blocked);
	return blocked / (1 - utilisation * (1 - blocked));
}
