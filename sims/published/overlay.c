/* Every simulation says these things in the same words and in the same place. */
#include "sims/published/overlay.h"

#include "sims/base/stats.h"
#include "sims/published/measured.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const char *source_of(const struct tables *t, const char *model)
{
	const struct measured_model *m = measured_comparison(t, model);
	return m && m->sources[0].from ? m->sources[0].from : "published";
}

bool overlay_error(struct figure *fig, const struct tables *t, const char *model,
	const char *groups, size_t most, const char *what)
{
	char line[160];

	if (!measured_summary(fig->memo, t, model, groups, most, line, sizeof line))
		return false;
	fig->accuracy = figure_text(fig, "%s (%s; %s)", line, what, source_of(t, model));
	return true;
}

void overlay_own_error(struct figure *fig, const struct tables *t, const char *model,
	double errors[], size_t n, const char *what)
{
	const struct measured_model *m = measured_comparison(t, model);
	char line[160];

	if (n == 0 || !m)
		return;
	struct error_stats e = { .n = n,
		.median = quantile_select(errors, n, 0.5),
		.p90 = quantile_select(errors, n, 0.9) };
	measured_say_errors(m, &e, line, sizeof line);
	fig->accuracy = figure_text(fig, "%s (%s; %s)", line, what, source_of(t, model));
}

void overlay_outside(struct figure *fig, const char *fmt, ...)
{
	char why[240];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	fig->accuracy = figure_text(fig, "outside the data: %s", why);
}

void overlay_nearest(
	struct figure *fig, const struct tables *t, const char *model, const char *fmt, ...)
{
	char what[240];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	figure_assume(fig, "nearest measurement: %s (%s)", what, source_of(t, model));
}

struct series *overlay_series(struct figure *fig, struct plot *p, const char *name, unsigned colour)
{
	struct series *s = plot_series(fig, p, name, SERIES_POINTS, colour);
	if (s)
		s->measured = true;
	return s;
}

double overlay_distance(double a, double b)
{
	return fabs(log2(a / b));
}
