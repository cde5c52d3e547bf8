/* The rows of the formula sheet are included once for knobs, once for an index, once for a `run`
 * and once for the table: a struct sim has no place for data of its own, so every formula gets a
 * function that knows its index and calls show(). */
#include "sims/registry/formula_sim.h"
#include "sims/registry/formula_picture.h"

#include "sims/base/array.h"
#include "sims/base/name_words.h"
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
	char words[96];
	return figure_text(fig, "%s", name_words(id, words, sizeof words));
}

/* What is counted, or is so many bytes wide, has no value between 2 and 3. */
static bool is_counted(const struct formula_param *p, double value)
{
	return value >= 1 && IS_WHOLE(value) && IS_WHOLE(p->example) && p->min >= 1 &&
	       IS_WHOLE(p->min) && (!*p->unit || (strcmp(p->unit, "B") == 0 && p->max <= 16));
}

/* The result where parameter k has another value; NAN where that leaves the parameter's domain, or is none. */
static double result_at(const struct formula *f, const double v[], size_t k, double value)
{
	assert(k < f->n_params && f->n_params <= MAX_KNOBS);
	double args[MAX_KNOBS];
	memcpy(args, v, f->n_params * sizeof *args);
	args[k] = value;
	if (value < f->params[k].min || value > f->params[k].max)
		return NAN;
	const double result = f->call(args);
	return isfinite(result) ? result : NAN;
}

/* The same where it is multiplied by a factor, in multiples of the result as it is. */
static double answer(const struct formula *f, const double v[], size_t k, double factor)
{
	const double then = result_at(f, v, k, factor * v[k]) / f->call(v);
	return then > 0 && isfinite(then) ? then : NAN;
}

/* Whether the result is in proportion to a power of the parameter, as far as half and twice of it tell. */
static bool is_power(const struct formula *f, const double v[], size_t k)
{
	const double half = answer(f, v, k, 0.5), twice = answer(f, v, k, 2);
	return isnan(half) || isnan(twice) || fabs(half * twice - 1) < 1e-6;
}

/* The parameter over which the result is drawn: the first that makes a curve of its own; of powers alone,
 * whose curves are all alike, the one that people turn the farthest. f->n_params: there is none. */
static size_t drawn_over(const struct formula *f)
{
	double v[MAX_KNOBS];
	size_t best = f->n_params;
	for (size_t k = 0; k < f->n_params; k++)
		v[k] = f->params[k].example;
	for (size_t k = 0; k < f->n_params; k++) {
		const struct formula_param *p = &f->params[k];
		if (p->example == 0)
			continue;
		if (!is_power(f, v, k))
			return k;
		if (best == f->n_params || p->max > f->params[best].max)
			best = k;
	}
	return best;
}

/* How far the curve goes: to four times the example, farther where the setting is, and no farther than the
 * parameter does. What is divided by begins where the result is not yet beyond all else. */
static void ends_of(const struct formula_param *p, double value, double *lo, double *hi)
{
	*hi = fmin(p->max, fmax(4 * fabs(p->example), 2 * value));
	*lo = fmax(p->min, fmin(*hi / 32, value / 2));
}

/* "" where the name says the unit already: "tokens (token)". */
static const char *unit_beside(const char *name, const char *unit)
{
	const size_t n = strlen(name), m = strlen(unit);
	return n > m && name[n - 1] == 's' && strncmp(name + n - 1 - m, unit, m) == 0 ? "" : unit;
}

/* The result over one of its parameters, whose slider the axis is. */
static void plot_result(const struct formula *f, const double v[], double value, const char *called,
	struct figure *fig)
{
	enum { POINTS = 97 };
	const size_t k = drawn_over(f);
	if (k == f->n_params)
		return;
	const struct formula_param *param = &f->params[k];
	const char *name = plain_name(fig, param->name);
	double lo, hi, drawn = -INFINITY;
	ends_of(param, v[k], &lo, &hi);
	struct plot *p = figure_plot(fig, figure_text(fig, "%s over %s", called, name), name,
		unit_beside(name, param->unit), AXIS_LINEAR, "", f->unit, AXIS_LINEAR);
	figure_tab(fig, figure_text(fig, "Over %s", name));
	plot_slider(fig, p, param->name, v[k]);
	struct series *line = plot_series(fig, p, f->title, SERIES_LINE, MEANS_KIND);
	const bool counted = is_counted(param, v[k]);
	for (int i = 0; i < POINTS && hi > lo; i++) {
		double x = lo + (hi - lo) * i / (POINTS - 1);
		x = counted ? WHOLE(x) : x;
		if (x > drawn)
			series_point(fig, line, x, result_at(f, v, k, x));
		drawn = x;
	}
	struct series *now = plot_series(fig, p, "now", SERIES_POINTS, MEANS_FOCUS);
	series_point(fig, now, v[k], value);
	if (line)
		line->unlisted = true;
	if (now)
		now->unlisted = true;
}

/* "2.15 GB" of one parameter at a multiple of what it is; "none" outside of what it can be. */
static const char *cell_at(
	const struct formula *f, const double v[], size_t k, double factor, struct figure *fig)
{
	const double value = factor * v[k];
	const double result =
		result_at(f, v, k, is_counted(&f->params[k], v[k]) ? WHOLE(value) : value);
	return isnan(result) ? "none" : figure_quantity(fig, result, f->unit);
}

/* What half and twice of each parameter makes of the result. */
static void compare(
	const struct formula *f, const double v[], const char *called, struct figure *fig)
{
	const char *const head[] = { "with", "half of it", "twice of it" };
	struct table *t = figure_table(fig, figure_text(fig, "%s, one parameter turned", called),
		head, LENGTH(head), "011");
	figure_tab(fig, "Half and twice");
	for (size_t k = 0; k < f->n_params; k++) {
		const char *const cells[] = { plain_name(fig, f->params[k].name),
			cell_at(f, v, k, 0.5, fig), cell_at(f, v, k, 2, fig) };
		if (v[k] != 0)
			table_row(fig, t, cells);
	}
}

/* What a group of parameters does to the result is one clause of the sentence. */
enum response { GROWS, FALLS, OTHER, STAYS, N_RESPONSES };

/* Whether nothing within half and twice of it changes the result. Half and twice alone may have it by chance. */
static bool is_without_effect(const struct formula *f, const double v[], size_t k)
{
	static const double factors[] = { 0.5, 0.75, 1.5, 2 };
	for (size_t i = 0; i < LENGTH(factors); i++) {
		const double then = answer(f, v, k, factors[i]);
		if (!isnan(then) && fabs(then - 1) >= 1e-9)
			return false;
	}
	return true;
}

static enum response response_to(const struct formula *f, const double v[], size_t k)
{
	const double twice = answer(f, v, k, 2), half = answer(f, v, k, 0.5);
	const double up = isnan(twice) ? 1 / half : twice;
	return v[k] == 0 || isnan(up)                       ? N_RESPONSES
	       : is_without_effect(f, v, k)                 ? STAYS
	       : is_power(f, v, k) && fabs(up - 2) < 1e-6   ? GROWS
	       : is_power(f, v, k) && fabs(up - 0.5) < 1e-6 ? FALLS
							    : OTHER;
}

/* "layers, KV heads and tokens": the parameters of a response; NULL: it has none. */
static const char *names_of(
	const struct formula *f, const double v[], enum response which, struct figure *fig)
{
	const char *text = NULL;
	size_t n = 0, k = 0;
	for (size_t i = 0; i < f->n_params; i++)
		n += response_to(f, v, i) == which;
	for (size_t i = 0; i < f->n_params; i++) {
		if (response_to(f, v, i) != which)
			continue;
		const char *name = plain_name(fig, f->params[i].name);
		text = !k ? name
			  : figure_text(fig, "%s%s%s", text, k + 1 == n ? " and " : ", ", name);
		k++;
	}
	return text;
}

/* The sentence: in proportion to what the result is, and what twice of another parameter makes of it. */
static void explain(const struct formula *f, const double v[], struct figure *fig)
{
	const char *grows = names_of(f, v, GROWS, fig), *falls = names_of(f, v, FALLS, fig);
	const char *stays = names_of(f, v, STAYS, fig), *text = "";
	if (grows)
		text = figure_text(fig, "The result grows in proportion to %s", grows);
	if (falls)
		text = figure_text(fig, "%s%s %s", text,
			*text ? ", and falls in proportion to"
			      : "The result falls in proportion to",
			falls);
	if (*text)
		text = figure_text(fig, "%s.", text);
	const char *doubled = "";
	for (size_t k = 0; k < f->n_params; k++) {
		const double twice = answer(f, v, k, 2);
		if (response_to(f, v, k) == OTHER && fabs(twice - 1) >= 1e-9)
			doubled = figure_text(fig, "%s%s%s%s %.3gx", doubled,
				*doubled ? ", " : "Doubling ", plain_name(fig, f->params[k].name),
				*doubled ? "" : " gives", twice);
	}
	if (*doubled)
		text = figure_text(fig, "%s%s%s.", text, *text ? " " : "", doubled);
	if (stays)
		text = figure_text(fig, "%s%sHere the result does not depend on %s.", text,
			*text ? " " : "", stays);
	if (*text)
		figure_why(fig, "%s", text);
}

static void show(const struct formula *f, const double v[], struct figure *fig)
{
	enum { LONGEST_LABEL = 18 };
	char words[1024], working[768];
	double value = f->call(v);
	figure_subtitle(fig, "%s", f->number);
	/* Of what is called by half a sentence that is in the title line already. */
	const bool brief = strlen(f->title) <= LONGEST_LABEL;
	const char *name = brief ? f->title : "result";
	figure_value(fig, f->id, name, value, f->unit, ROLE_ACCENT);
	figure_note(fig, ROLE_PLAIN, "%s = %s\n= %s", name,
		formula_words(f, false, words, sizeof words),
		formula_working(f, v, false, working, sizeof working));
	formula_picture(f, v, fig);
	if (isfinite(value) && value != 0) {
		plot_result(f, v, value, brief ? name : "Result", fig);
		compare(f, v, brief ? name : "Result", fig);
	}
	explain(f, v, fig);
	figure_assume(fig, "source: %s", f->source);
}
