/* The number line: every number that a format has in a window, at the height of its distance to
 * the next one; and the bits of one value. */
#include "sims/base/array.h"
#include "sims/compression/formats.h"

enum { MOST_DOTS = 96 };

/* --- the window ------------------------------------------------------------------------- */

struct window {
	double lo, hi;
	double unit;  /* of the axis: a power of ten where prefixes end */
	double floor; /* of the distances drawn, as an exponent of two */
};

static void centre_of(const double v[], double *middle, double *half)
{
	const struct number_format *f = formats_chosen(v);
	double scale = number_block_scale(f, v[FORMATS_BLOCK_MAX]);
	*middle = v[FORMATS_VALUE];
	switch ((enum formats_centre)v[FORMATS_CENTRE]) {
	case CENTRE_VALUE:
		break;
	case CENTRE_ZERO:
		*middle = 0;
		*half = v[FORMATS_VALUE] != 0 ? fabs(v[FORMATS_VALUE])
					      : number_min_normal(f) * scale;
		return;
	case CENTRE_ONE:
		*middle = 1;
		break;
	case CENTRE_SMALLEST:
		*middle = number_min_normal(f) * scale;
		break;
	case CENTRE_MAX:
		*middle = number_max(f) * scale;
		break;
	}
	*half = *middle != 0 ? fabs(*middle) : number_min_normal(f) * scale;
}

/* Opened to the nearest numbers where it would lie in a gap. */
static struct window window_of(const double v[], const struct formats_stored *s)
{
	enum { OCTAVES_DRAWN = 24 };
	double middle, half, max = number_max(s->f) * s->scale;
	centre_of(v, &middle, &half);
	struct window w = { .lo = middle - half / v[FORMATS_ZOOM],
		.hi = middle + half / v[FORMATS_ZOOM] };
	if (number_above(s->f, w.lo / s->scale) * s->scale > w.hi) {
		double below = number_below(s->f, w.lo / s->scale) * s->scale;
		double above = number_above(s->f, w.hi / s->scale) * s->scale;
		w.lo = isfinite(below) ? below : w.lo;
		w.hi = isfinite(above) ? above : w.hi;
	}
	double far = fmax(fabs(w.lo), fabs(w.hi));
	w.unit = far < 1e-9 || far >= 1e15 ? pow(10, floor(log10(far))) : 1;
	w.floor = log2(number_ulp(s->f, fmin(far, max) / s->scale) * s->scale) - OCTAVES_DRAWN;
	return w;
}

static size_t count_in(
	const struct number_format *f, double scale, const struct window *w, size_t most)
{
	size_t n = 0;
	double x = number_above(f, w->lo / scale);
	for (; n < most && x * scale <= w->hi && x <= number_max(f); n++)
		x = number_above(f, nextafter(x, INFINITY));
	return n;
}

static void draw_dense(struct figure *fig, struct series *s, const struct number_format *f,
	double scale, const struct window *w)
{
	enum { STEPS = 256 };
	double most = number_max(f) * scale;
	double from = fmax(w->lo, -most), end = fmin(w->hi, most);
	for (int i = 0; i <= STEPS; i++) {
		double x = from + (end - from) * i / STEPS;
		double y = log2(number_ulp(f, x / scale) * scale);
		series_point(fig, s, x / w->unit, y >= w->floor ? y : NAN);
	}
}

static void draw_numbers(struct figure *fig, struct plot *p, const struct number_format *f,
	double scale, unsigned colour, const struct window *w)
{
	size_t n = count_in(f, scale, w, MOST_DOTS + 1);
	if (n == 0)
		return;
	bool dense = n > MOST_DOTS;
	struct series *s =
		plot_series(fig, p, f->name, dense ? SERIES_STEP : SERIES_POINTS, colour);
	if (dense) {
		draw_dense(fig, s, f, scale, w);
		return;
	}
	double x = number_above(f, w->lo / scale);
	for (size_t i = 0; i < n; i++) {
		double y = log2(number_ulp(f, x) * scale);
		if (y >= w->floor)
			series_point(fig, s, x * scale / w->unit, y);
		x = number_above(f, nextafter(x, INFINITY));
	}
}

static void draw_others(const double v[], struct figure *fig, struct plot *p,
	const struct formats_stored *s, const struct window *w)
{
	static const enum number_format_id wide[] = { NUMBER_FP32, NUMBER_FP16, NUMBER_BF16 };
	static const enum number_format_id narrow[] = { NUMBER_E4M3, NUMBER_E5M2, NUMBER_E2M1,
		NUMBER_INT8 };
	bool few = v[FORMATS_BESIDE] == BESIDE_NARROW;
	const enum number_format_id *others = few ? narrow : wide;
	size_t n = v[FORMATS_BESIDE] == BESIDE_NONE ? 0 : few ? 4 : 3;
	unsigned colour = 1;
	for (size_t i = 0; i < n; i++) {
		const struct number_format *f = &number_formats[others[i]];
		if (f != s->f)
			draw_numbers(fig, p, f, number_block_scale(f, v[FORMATS_BLOCK_MAX]),
				colour++, w);
	}
}

/* The picture from its lowest numbers to its highest: zero means nothing on this axis. */
static void frame_heights(struct plot *p)
{
	double least = INFINITY, most = -INFINITY;
	for (size_t i = 0; i < p->n_series; i++)
		for (size_t k = 0; k < p->series[i].n; k++) {
			least = fmin(least, p->series[i].points[k].y); /* which skip NAN */
			most = fmax(most, p->series[i].points[k].y);
		}
	p->y.min = least - 2;
	p->y.max = most + 3;
}

static void draw_line(const double v[], struct figure *fig, const struct formats_stored *s)
{
	struct window w = window_of(v, s);
	struct plot *p = figure_plot(fig, "Its numbers; lines are too dense to mark",
		w.unit == 1 ? "Value" : figure_text(fig, "Value / %g", w.unit), "", AXIS_LINEAR,
		"Distance to the next, 2^y", "", AXIS_LINEAR);
	if (!p)
		return;
	p->x.min = w.lo / w.unit;
	p->x.max = w.hi / w.unit;
	draw_numbers(fig, p, s->f, s->scale, 0, &w);
	draw_others(v, fig, p, s, &w);
	if (s->x >= w.lo && s->x <= w.hi)
		plot_rule(fig, p, false, s->x / w.unit, formats_number(fig, s->x), ROLE_ACCENT);
	double y = log2(number_ulp(s->f, s->element) * s->scale);
	if (s->rounded >= w.lo && s->rounded <= w.hi && y >= w.floor) {
		struct series *mark = plot_series(fig, p, "stored", SERIES_POINTS, 7);
		series_mark(fig, mark, s->rounded / w.unit, y, formats_digits(fig, s->rounded, 7),
			ROLE_ACCENT);
	}
	if (p->n_series)
		frame_heights(p);
}

/* --- range and precision ---------------------------------------------------------------- */

static void draw_range(struct figure *fig, struct plot *p, const struct number_format *f,
	double scale, unsigned colour)
{
	struct series *s = plot_series(fig, p, f->name, SERIES_LINE, colour);
	double least = number_min_subnormal(f), most = number_max(f);
	for (double x = least; x <= most; x *= 2)
		series_point(fig, s, log2(x * scale), log2(number_ulp(f, x) / x));
	series_point(fig, s, log2(most * scale), log2(number_ulp(f, most) / most));
}

static void draw_ranges(const double v[], struct figure *fig)
{
	static const enum number_format_id all[] = { NUMBER_FP32, NUMBER_FP16, NUMBER_BF16,
		NUMBER_E4M3, NUMBER_E5M2, NUMBER_E2M1 };
	const struct number_format *f = formats_chosen(v);
	struct plot *p = figure_plot(fig, "Range and precision", "Magnitude, 2^x", "", AXIS_LINEAR,
		"Step over the value, 2^y", "", AXIS_LINEAR);
	draw_range(fig, p, f, number_block_scale(f, v[FORMATS_BLOCK_MAX]), 0);
	unsigned colour = 1;
	for (size_t i = 0; i < LENGTH(all); i++)
		if (&number_formats[all[i]] != f)
			draw_range(fig, p, &number_formats[all[i]], 1, colour++);
	if (v[FORMATS_VALUE] != 0)
		plot_rule(fig, p, false, log2(fabs(v[FORMATS_VALUE])),
			formats_number(fig, fabs(v[FORMATS_VALUE])), ROLE_ACCENT);
}

/* --- what it says ----------------------------------------------------------------------- */

/* Every number of these sentences as people write it. */
static const char *say(struct figure *fig, double x)
{
	return formats_number(fig, x);
}

static void explain_chance(const struct formats_stored *s, struct figure *fig)
{
	double below = number_below(s->f, s->x / s->scale) * s->scale;
	double above = number_above(s->f, s->x / s->scale) * s->scale;
	figure_why(fig,
		"%s lies %.0f %% of the way from %s to %s, and becomes the upper one with that "
		"probability: on average nothing is lost.",
		say(fig, s->x), 100 * (s->x - below) / (above - below), say(fig, below),
		say(fig, above));
}

static void explain_overflow(const struct formats_stored *s, double max, struct figure *fig)
{
	if (isnan(s->rounded))
		figure_why(fig,
			"%s is more than %s, the largest, and the format has no infinity: NaN. "
			"Scale the tensor, or saturate.",
			say(fig, s->x), say(fig, max));
	else if (isinf(s->rounded))
		figure_why(fig,
			"%s is beyond the largest, %s: infinity, and so is most that is computed "
			"from it.",
			say(fig, s->x), say(fig, max));
	else
		figure_why(fig, "%s is cut to the largest, %s: wrong by %.2g %%, and no alarm.",
			say(fig, s->x), say(fig, max), 100 * formats_error(s));
}

static void explain(const double v[], const struct formats_stored *s, struct figure *fig)
{
	const struct number_format *f = s->f;
	double step = number_ulp(f, s->x / s->scale) * s->scale, max = number_max(f) * s->scale;
	double off_pct = 100 * formats_error(s);
	const char *x = say(fig, s->x), *stored = formats_digits(fig, s->rounded, 9);
	if (!isfinite(s->rounded) || (fabs(s->x) > max && s->rounded != s->x))
		explain_overflow(s, max, fig);
	else if (s->rounded == s->x)
		figure_why(fig,
			"%s is one of its numbers. The next is %s away: an update of less than "
			"half of that leaves it as it is.",
			x, say(fig, step));
	else if (v[FORMATS_ROUNDING] > 0)
		explain_chance(s, fig);
	else if (s->rounded == 0)
		figure_why(fig,
			"%s underflows: it is nearer to zero than to the first number above, %s.",
			x, say(fig, number_min_subnormal(f) * s->scale));
	else if (number_is_integer(f))
		figure_why(fig,
			"%s is kept as %s: all steps are %s, so small numbers are off by more of "
			"themselves (here %.2g %%).",
			x, stored, say(fig, step), off_pct);
	else if (fabs(s->element) < number_min_normal(f))
		figure_why(fig,
			"%s is subnormal: steps stay at %s while numbers shrink, and it is off by "
			"%.2g %%.",
			x, say(fig, step), off_pct);
	else
		figure_why(fig,
			"%s is kept as %s, off by %.2g %%: numbers are %s apart here, and twice "
			"that above the next power of two.",
			x, stored, off_pct, say(fig, step));
}

void formats_draw_line(const double v[], struct figure *fig)
{
	struct formats_stored s = formats_store(formats_chosen(v), v);
	double error = formats_error(&s);
	const char *digits = formats_digits(fig, s.rounded, 10);
	value_note(figure_value(fig, "rounded", "stored as", s.rounded, "",
			   isfinite(s.rounded) && error < 0.01 ? ROLE_ACCENT : ROLE_BAD),
		isnan(s.rounded)     ? "NaN"
		: isinf(s.rounded)   ? "overflow"
		: strlen(digits) > 5 ? digits
				     : NULL);
	value_note(figure_value(fig, "relative_error", "relative error", error, "",
			   error < 0.01 ? ROLE_PLAIN : ROLE_WARN),
		isinf(error) ? "overflow" : NULL);
	figure_value(
		fig, "ulp", "step here", number_ulp(s.f, s.x / s.scale) * s.scale, "", ROLE_PLAIN);
	if (s.f->scale != SCALE_NONE)
		figure_value(fig, "block_scale", "scale of block", s.scale, "", ROLE_PLAIN);
	formats_draw_bits_subtitle(&s, fig);
	draw_line(v, fig, &s);
	formats_draw_bits(v, &s, fig);
	draw_ranges(v, fig);
	explain(v, &s, fig);
	if (s.f->scale != SCALE_NONE && fabs(s.x) > v[FORMATS_BLOCK_MAX])
		figure_note(fig, ROLE_WARN,
			"The value is larger than the largest of its block: it would set the scale "
			"itself. Raise block max to %g.",
			fabs(s.x));
}
