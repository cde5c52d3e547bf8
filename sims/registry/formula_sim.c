/* The rows of the formula sheet are included once for knobs, once for an index, once for a `run`
 * and once for the table: a struct sim has no place for data of its own, so every formula gets a
 * function that knows its index and calls show(). */
#include "sims/registry/formula_sim.h"
#include "sims/registry/formula_picture.h"

#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/formulas/formula.h"
#include "sims/formulas/formula_text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void show(const struct formula *f, const double v[], struct figure *fig);

/* Knobs: a wide domain is walked by factors, a narrow one by a fiftieth; from whole number to whole number
 * where its ends and the example are some, so that no step leads to 9.2 lanes. A double of 2^52 and more has
 * no fraction, so the sum with that rounds. */
#define WHOLE(x) (((x) + 0x1p52) - 0x1p52)
#define IS_WHOLE(x) ((x) == WHOLE(x))
#define FIFTIETH(lo, hi) (((hi)-1.0 * (lo)) / 50)
#define STEP(lo, hi, example)                                                                      \
	((hi)-1.0 * (lo) < 10 || !IS_WHOLE(lo) || !IS_WHOLE(hi) || !IS_WHOLE(example)              \
			? FIFTIETH(lo, hi)                                                         \
		: FIFTIETH(lo, hi) < 1 ? 1                                                         \
				       : WHOLE(FIFTIETH(lo, hi)))
#define P(name, symbol, u, lo, hi, example)                                                        \
	{ .id = #name,                                                                             \
		.label = #name,                                                                    \
		.unit = u,                                                                         \
		.kind = KNOB_NUMBER,                                                               \
		.min = lo,                                                                         \
		.max = hi,                                                                         \
		.dflt = example,                                                                   \
		.step = (hi) > 1e3 * (lo) && (hi) > 100 ? 2 : STEP(lo, hi, example),               \
		.geometric = (hi) > 1e3 * (lo) && (hi) > 100 },
#define FORMULA(id, unit, title, number, source, params, expr)                                     \
	static const struct knob id##_knobs[] = { params };
#include "sims/formulas/all.def"
#undef FORMULA
#undef P

#define FORMULA(id, unit, title, number, source, params, expr) id##_index,
enum {
#include "sims/formulas/all.def"
	N_FORMULAS
};
#undef FORMULA

#define FORMULA(id, unit, title, number, source, params, expr)                                     \
	static void id##_run(const struct tables *t, const double v[], struct figure *fig)         \
	{                                                                                          \
		(void)t;                                                                           \
		show(&formulas[id##_index], v, fig);                                               \
	}
#include "sims/formulas/all.def"
#undef FORMULA

#define FORMULA(id_, unit_, title_, number, source, params, expr)                                  \
	{ .id = "formula:" #id_,                                                                   \
		.title = title_,                                                                   \
		.summary = "Formula " number ": " title_,                                          \
		.page = "",                                                                        \
		.knobs = id_##_knobs,                                                              \
		.n_knobs = LENGTH(id_##_knobs),                                                    \
		.run = id_##_run },
static const struct sim formula_sims[N_FORMULAS] = {
#include "sims/formulas/all.def"
};
#undef FORMULA

const struct sim *formula_sim_find(const char *id)
{
	assert(id);
	for (size_t i = 0; i < N_FORMULAS; i++)
		if (strcmp(formula_sims[i].id + strlen("formula:"), id) == 0)
			return &formula_sims[i];
	return NULL;
}

/* "bytes_per_value" as it is said. */
static const char *plain_name(struct figure *fig, const char *id)
{
	char name[64];
	snprintf(name, sizeof name, "%s", id);
	for (char *c = name; *c; c++)
		*c = *c == '_' ? ' ' : *c;
	return figure_text(fig, "%s", name);
}

/* What is counted, or is so many bytes wide, has no value between 2 and 3. */
static bool is_counted(const struct formula_param *p, double value)
{
	return value >= 1 && IS_WHOLE(value) && IS_WHOLE(p->example) && p->min >= 1 &&
	       IS_WHOLE(p->min) && (!*p->unit || (strcmp(p->unit, "B") == 0 && p->max <= 16));
}

/* The result where parameter k is multiplied by a factor, in multiples of the result as it is, what is
 * counted to the next whole number; NAN where that leaves the parameter's domain. */
static double answer(const struct formula *f, const double v[], size_t k, double factor)
{
	assert(k < f->n_params && f->n_params <= MAX_KNOBS);
	double args[MAX_KNOBS];
	memcpy(args, v, f->n_params * sizeof *args);
	args[k] *= factor;
	if (is_counted(&f->params[k], v[k]))
		args[k] = WHOLE(args[k]);
	if (args[k] < f->params[k].min || args[k] > f->params[k].max)
		return NAN;
	double now = f->call(v), then = f->call(args);
	return then / now > 0 && isfinite(then / now) ? then / now : NAN;
}

static void plot_sensitivity(const struct formula *f, const double v[], struct figure *fig)
{
	enum { MOST = 7, POINTS = 49 };
	struct plot *p = figure_plot(fig, "What each parameter does to the result",
		"Parameter, times what it is", "", AXIS_LOG2, "Result, times what it is", "",
		AXIS_LOG2);
	for (size_t k = 0; k < f->n_params && k < MOST; k++) {
		double half = answer(f, v, k, 0.5), twice = answer(f, v, k, 2);
		if (v[k] == 0 || (isnan(half) && isnan(twice)))
			continue;
		struct series *s = plot_series(fig, p, plain_name(fig, f->params[k].name),
			SERIES_LINE, (enum meaning)(MEANS_KIND + k % 8));
		const bool counted = is_counted(&f->params[k], v[k]);
		double drawn = 0;
		for (int i = 0; i < POINTS; i++) {
			double factor = exp2(-3 + 6.0 * i / (POINTS - 1));
			if (counted)
				factor = WHOLE(factor * v[k]) / v[k];
			if (factor > drawn)
				series_point(fig, s, factor, answer(f, v, k, factor));
			drawn = factor;
		}
	}
	plot_rule(fig, p, false, 1, "now", ROLE_DIM);
}

/* "twice layers: 2.00x; twice ...": the same in words, for the sentence. */
static void explain(const struct formula *f, const double v[], struct figure *fig)
{
	const char *text = "";
	for (size_t k = 0; k < f->n_params; k++) {
		double twice = answer(f, v, k, 2);
		if (v[k] != 0 && !isnan(twice))
			text = figure_text(fig, "%s%s%s %.3gx", text, *text ? ", " : "",
				plain_name(fig, f->params[k].name), twice);
	}
	if (*text)
		figure_why(fig, "Twice as much of one parameter makes the result: %s.", text);
}

static void show(const struct formula *f, const double v[], struct figure *fig)
{
	char symbols[512], working[768];
	double value = f->call(v);
	figure_subtitle(fig, "%s", f->number);
	figure_value(fig, f->id, plain_name(fig, f->id), value, f->unit, ROLE_ACCENT);
	figure_note(fig, ROLE_PLAIN, "%s = %s", f->id,
		formula_symbols(f, false, symbols, sizeof symbols));
	figure_note(fig, ROLE_ACCENT, "%s", formula_working(f, v, false, working, sizeof working));
	formula_picture(f, v, fig);
	if (isfinite(value) && value != 0)
		plot_sensitivity(f, v, fig);
	explain(f, v, fig);
	figure_assume(fig, "source: %s", f->source);
}
