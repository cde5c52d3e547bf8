/* What is said of a validation, in the order in which one asks: how far off, where, against what
 * promise, which rows are worst, what was left out. */
#include "sims/published/validation_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_POINTS = 400, SHOWN_GROUPS = 6 };

/* Errors are shown in % or in points. */
static const char *error_text(struct figure *fig, const struct validation *v, double error)
{
	const char *unit = v->model->points ? "points" : "%";

	return isnan(error) ? "-"
			    : figure_text(fig, "%.1f %s", round(1000 * error) / 10 + 0.0, unit);
}

static const char *signed_text(struct figure *fig, const struct validation *v, double error)
{
	const char *unit = v->model->points ? "points" : "%";

	return isnan(error) ? "-" : figure_signed(fig, 100 * error, unit);
}

static void write_values(const struct validation *v, struct figure *fig)
{
	const char *unit = v->model->points ? "points" : "%";
	const struct error_stats *e = &v->errors;

	figure_value(fig, "median_error", "median error", 100 * e->median, unit, ROLE_ACCENT);
	figure_value(fig, "p90_error", "90 % within", 100 * e->p90, unit, ROLE_PLAIN);
	value_note(figure_value(fig, "bias", "bias", 100 * e->bias, unit, ROLE_PLAIN),
		"median with its sign: below 0 the model is too low");
	figure_value(fig, "rows", "rows", (double)v->rows, "", ROLE_PLAIN);
	value_note(figure_value(fig, "skipped", "left out", (double)v->faults.n, "",
			   v->faults.n > v->set_aside ? ROLE_WARN : ROLE_PLAIN),
		v->set_aside
			? figure_text(fig, "%zu of them only anchor others, or measure nothing",
				  v->set_aside)
			: NULL);
	for (size_t i = 0; i < v->n_values; i++)
		figure_value(fig, v->values[i].id, v->values[i].label, v->values[i].value,
			v->values[i].unit, ROLE_PLAIN);
}

/* --- The plot --- */

struct error_extent {
	double low, high;
};

static struct error_extent extent_of(const struct validation *v)
{
	struct error_extent e = { INFINITY, -INFINITY };

	for (size_t i = 0; i < v->n; i++) {
		e.low = fmin(e.low, v->predictions[i].measured);
		e.high = fmax(e.high, v->predictions[i].measured);
	}
	return e;
}

/* Ratios are parallels on logarithmic axes, differences on linear ones. */
static void draw_band(const struct validation *v, struct plot *p, struct figure *fig)
{
	static const struct {
		const char *name;
		double off;
		enum series_style style;
	} lines[] = { { "as measured", 0, SERIES_LINE }, { "10 % above", 0.1, SERIES_DASHED },
		{ "10 % below", -0.1, SERIES_DASHED } };
	struct error_extent e = extent_of(v);

	for (size_t i = 0; i < 3; i++) {
		struct series *s = plot_series(fig, p, lines[i].name, lines[i].style, 7);
		for (int end = 0; end < 2; end++) {
			double x = end ? e.high : e.low;
			double y = v->model->points ? x + lines[i].off : x * (1 + lines[i].off);
			series_point(fig, s, x, y);
		}
	}
}

static void draw_group(const struct validation *v, struct plot *p, size_t group, unsigned colour,
	struct figure *fig)
{
	const struct measured_group *g = &v->groups[group];
	struct series *s = plot_series(fig, p, g->name, SERIES_POINTS, colour);
	size_t step = g->errors.n / SHOWN_POINTS + 1, seen = 0;

	if (s)
		s->measured = true;
	for (size_t i = 0; i < v->n; i++) {
		const struct prediction *q = &v->predictions[i];
		if (q->group == group && seen++ % step == 0)
			series_point(fig, s, q->measured, q->predicted);
	}
}

static void draw_plot(const struct validation *v, struct figure *fig)
{
	enum axis_scale scale = v->model->points ? AXIS_LINEAR : AXIS_LOG10;
	size_t n = v->n_groups < SHOWN_GROUPS ? v->n_groups : SHOWN_GROUPS;
	struct plot *p = figure_plot(fig, "Predicted against measured, and 10 % around it",
		figure_text(fig, "measured %s", v->model->quantity), v->model->unit, scale,
		figure_text(fig, "predicted %s", v->model->quantity), v->model->unit, scale);

	draw_band(v, p, fig);
	for (size_t g = 0; g < n; g++)
		draw_group(v, p, g, (unsigned)g, fig);
	if (v->n_groups > n)
		figure_note(fig, ROLE_DIM,
			"The plot shows %zu of %zu groups, and of each up to %d points.", n,
			v->n_groups, SHOWN_POINTS);
}

/* --- Tables --- */

static void draw_groups(const struct validation *v, struct figure *fig)
{
	static const char *const head[] = { "group", "points", "median", "90 % within", "bias" };
	struct table *t = figure_table(fig, "Errors by group", head, 5, "01111");
	bool aside = false;

	for (size_t i = 0; i < v->n_groups; i++) {
		const struct measured_group *g = &v->groups[i];
		table_row(fig, t,
			(const char *[]){ g->counts ? g->name : figure_text(fig, "(%s)", g->name),
				figure_text(fig, "%zu", g->errors.n),
				error_text(fig, v, g->errors.median),
				error_text(fig, v, g->errors.p90),
				signed_text(fig, v, g->errors.bias) });
		aside |= !g->counts;
	}
	if (aside)
		figure_note(fig, ROLE_DIM, "In brackets: not in the figures above.");
}

const char *measured_verdict_word(const struct measured_verdict *d)
{
	return !d->judged ? "no data" : d->met ? "met" : "not met";
}

static void draw_verdicts(const struct validation *v, struct figure *fig)
{
	static const char *const head[] = { "mark", "here", "" };
	struct table *t = v->n_verdicts ? figure_table(fig, "Marks", head, 3, "010") : NULL;

	for (size_t i = 0; i < v->n_verdicts; i++) {
		const struct measured_verdict *d = &v->verdicts[i];
		table_row(fig, t,
			(const char *[]){
				d->text, error_text(fig, v, d->got), measured_verdict_word(d) });
	}
}

/* What the model owes to the rows that travel with ridge. */
static void draw_constants(const struct validation *v, struct figure *fig)
{
	static const char *const head[] = { "constant", "fitted", "possible" };
	struct table *t =
		v->model->n_constants
			? figure_table(fig, "Constants, fitted on ridge's own rows", head, 3, "011")
			: NULL;

	for (size_t i = 0; i < v->model->n_constants; i++) {
		const struct measured_constant *c = &v->model->constants[i];
		const char *gap = *c->unit ? " " : "";
		table_row(fig, t,
			(const char *[]){ c->name,
				figure_text(fig, "%s%s%s",
					figure_quantity(
						fig, validation_constant(v, i) / c->scale, ""),
					gap, c->unit),
				figure_text(fig, "%s to %s%s%s",
					figure_quantity(fig, c->least / c->scale, ""),
					figure_quantity(fig, c->most / c->scale, ""), gap,
					c->unit) });
	}
}

/* --- Words --- */

static void write_worst(const struct validation *v, struct figure *fig)
{
	if (v->n_worst)
		figure_note(fig, ROLE_PLAIN, "The %zu rows that are farthest off:", v->n_worst);
	for (size_t i = 0; i < v->n_worst; i++) {
		const struct prediction *p = v->worst[i];
		struct measured_words w = prediction_words(v, p);
		fig->arena.failed |= w.failed;
		figure_note(fig, ROLE_DIM, "%s, line %zu: %s: %.4g%s%s, measured %.4g. Model: %s.",
			signed_text(fig, v, prediction_error(v, p)), prediction_line(v, p), w.what,
			p->predicted, *v->model->unit ? " " : "", v->model->unit, p->measured,
			w.thought);
	}
}

static void write_faults(const struct validation *v, struct figure *fig)
{
	const struct csv_faults *f = &v->faults;

	if (f->n)
		figure_note(fig, f->n > v->set_aside ? ROLE_WARN : ROLE_DIM,
			"%zu of %zu rows were left out:", f->n, v->read);
	for (size_t i = 0; i < f->n_reasons; i++) {
		const struct csv_reason *r = &f->reasons[i];
		if (r->n == 1)
			figure_note(fig, ROLE_DIM, "%s, line %zu: %s", r->file, r->line, r->text);
		else
			figure_note(fig, ROLE_DIM, "%s, %zu rows, first line %zu: %s", r->file,
				r->n, r->line, r->text);
	}
	if (f->others)
		figure_note(fig, ROLE_DIM, "%zu rows for other reasons", f->others);
}

static void write_why(const struct validation *v, struct figure *fig)
{
	const struct error_stats *e = &v->errors;
	const char *side = fabs(e->bias) < 0.5 * e->median ? "on both sides of"
			   : e->bias < 0                   ? "mostly below"
							   : "mostly above";

	if (!e->n)
		figure_why(fig, "No row could be compared.");
	else
		figure_why(fig,
			"Half of the predictions are within %s of what was measured, nine in ten "
			"within %s; the model is %s the measurements.",
			error_text(fig, v, e->median), error_text(fig, v, e->p90), side);
}

void validation_figure(const struct validation *v, bool plot, struct figure *fig)
{
	figure_subtitle(fig, "%s", v->model->predicts);
	write_values(v, fig);
	if (plot && v->n)
		draw_plot(v, fig);
	draw_verdicts(v, fig);
	draw_groups(v, fig);
	draw_constants(v, fig);
	write_worst(v, fig);
	write_faults(v, fig);
	write_why(v, fig);
	if (v->model->assume)
		v->model->assume(fig);
}
