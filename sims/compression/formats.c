/* The simulation `formats`: number formats on a number line at any zoom, in sums, and holding
 * gradients under a loss scale. */
#include "sims/constants.h"
#include "sims/knobs.h"
#include "sims/base/array.h"
#include "sims/base/rng.h"
#include "sims/base/stats.h"
#include "sims/quantity/quantity.h"
#include "sims/formulas/formats.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/compression/loss_scaling.h"
#include "sims/compression/number_format.h"
#include "sims/compression/summation.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum formats_knob {
	FORMATS_FORMAT,
	FORMATS_VIEW,
	FORMATS_VALUE,
	FORMATS_CENTRE,
	FORMATS_ZOOM,
	FORMATS_BESIDE,
	FORMATS_ROUNDING,
	FORMATS_SATURATE,
	FORMATS_BLOCK_MAX,
	FORMATS_N,
	FORMATS_ORDER,
	FORMATS_DATA,
	FORMATS_SCALE,
	FORMATS_LOSS,
	FORMATS_MEDIAN,
	FORMATS_SPREAD,
	FORMATS_INTERVAL,
	FORMATS_SPIKES,
	FORMATS_SEED,
	N_FORMATS_KNOBS
};
enum formats_view { FORMATS_VIEW_LINE, FORMATS_VIEW_SUM, FORMATS_VIEW_GRADIENTS };
enum formats_centre { CENTRE_VALUE, CENTRE_ZERO, CENTRE_ONE, CENTRE_SMALLEST, CENTRE_MAX };
enum formats_beside { BESIDE_NONE, BESIDE_WIDE, BESIDE_NARROW };

static inline const struct number_format *formats_chosen(const double v[])
{
	return &number_formats[(size_t)v[FORMATS_FORMAT]];
}

/* The value in a format and its block. */
struct formats_stored {
	const struct number_format *f;
	double x, scale;
	double rounded; /* with the scale: what is read back */
	double element; /* without it */
	uint32_t code;
};

static const char *const views[] = { "line", "sum", "gradients", NULL };
static const char *const view_names[] = { "number line", "sum", "gradients" };
static const char *const centres[] = { "value", "zero", "one", "smallest", "max", NULL };
static const char *const centre_names[] = { "the value", "zero", "one", "smallest normal",
	"largest" };
static const char *const besides[] = { "none", "wide", "narrow", NULL };
static const char *const beside_names[] = { "none", "FP32 to E4M3", "FP8 FP4 INT8" };
static const char *const roundings[] = { "nearest", "stochastic", NULL };
static const char *const orders[] = { "naive", "sorted", "pairwise", "kahan", "wide", NULL };
static const char *const order_names[N_SUM_ORDERS] = { "naive", "sorted", "pairwise", "Kahan",
	"FP32 accumulator" };
static const char *const datas[] = { "uniform", "normal", "constant", "updates", NULL };
static const char *const data_names[] = { "uniform 0..1", "normal, mean 0", "n x value",
	"1 + n x value" };

static_assert(LENGTH(views) == LENGTH(view_names) + 1, "a name for every choice");
static_assert(LENGTH(centres) == LENGTH(centre_names) + 1, "a name for every choice");
static_assert(LENGTH(besides) == LENGTH(beside_names) + 1, "a name for every choice");
static_assert(LENGTH(orders) == LENGTH(order_names) + 1, "a name for every choice");
static_assert(LENGTH(datas) == LENGTH(data_names) + 1, "a name for every choice");

static const struct knob knobs[N_FORMATS_KNOBS] = {
	[FORMATS_FORMAT] = KNOB_CHOICE_OF("format", "format", number_format_ids,
		number_format_names, "bf16",
		"exponent bits buy range, mantissa bits buy precision, and each bit is paid for "
		"in memory, bandwidth and Tensor Core area"),
	[FORMATS_VIEW] = KNOB_CHOICE_OF("view", "view", views, view_names, "line",
		"the numbers that the format has; what is left of a sum; what is left of "
		"gradients"),
	[FORMATS_VALUE] = KNOB_FACTOR("value", "value", "", -1e40, 1e40, 0.1, A_TENTH_OF_A_DECADE,
		"its exponent picks the spacing, its mantissa is rounded to it; type any number",
		.least = 1e-48,
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_LINE),
			WHEN(FORMATS_DATA, DATA_CONSTANT, DATA_UPDATES) }),
	[FORMATS_CENTRE] = KNOB_CHOICE_OF("centre", "around", centres, centre_names, "value",
		"subnormals lie around zero, the step of a weight around one, overflow at the end",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_LINE) }),
	[FORMATS_ZOOM] = KNOB_FACTOR("zoom", "zoom", "x", 1, 1073741824, 200, 2,
		"the window is the middle, plus and minus one zoomth of it: each doubling shows "
		"half as many numbers",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_LINE) }),
	[FORMATS_BESIDE] = KNOB_CHOICE_OF("beside", "beside", besides, beside_names, "wide",
		"other formats' numbers in the same window, each on a line of its own",
		.group = "line", .when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_LINE) }),
	[FORMATS_ROUNDING] = KNOB_CHOICE_OF("rounding", "rounding", roundings, NULL, "nearest",
		"to nearest loses small updates every time; stochastic keeps them on average",
		.group = "rounding",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_LINE, FORMATS_VIEW_SUM) }),
	[FORMATS_SATURATE] = KNOB_SWITCH("saturate", "saturate", 0,
		"too large becomes the largest instead of infinity or NaN: conversions to FP8 in "
		"training do so",
		.group = "rounding", .when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_LINE) }),
	[FORMATS_BLOCK_MAX] = KNOB_FACTOR("block_max", "block max", "", 1e-30, 1e30, 1, 2,
		"sets the scale that the whole block shares: an outlier takes the steps of all "
		"others with it",
		.group = "rounding",
		.when = { WHEN(FORMATS_FORMAT, NUMBER_MXFP4, NUMBER_NVFP4, NUMBER_INT8) }),
	[FORMATS_N] = KNOB_DOUBLING("n", "numbers", "", 16, 16384, 4096,
		"a naive sum's error grows with it, a pairwise one's with its logarithm; of "
		"gradients it is the size of the sample",
		.group = "sum, sample",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_SUM, FORMATS_VIEW_GRADIENTS) }),
	[FORMATS_ORDER] = KNOB_CHOICE_OF("order", "order", orders, order_names, "naive",
		"partial sums that stay small stay exact: pairs, the small ones first, or a wider "
		"accumulator",
		.group = "sum, sample", .when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_SUM) }),
	[FORMATS_DATA] = KNOB_CHOICE_OF("data", "terms", datas, data_names, "uniform",
		"terms of one sign outgrow the spacing; terms that cancel leave only their errors",
		.group = "sum, sample", .when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_SUM) }),
	[FORMATS_SCALE] = KNOB_FACTOR("scale", "loss scale", "x", 1, 16777216, GRAD_SCALER_START, 2,
		"moves all gradients up: out of the zeros, and towards overflow",
		.group = "gradients", .when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_GRADIENTS) }),
	[FORMATS_LOSS] = KNOB_FACTOR("loss", "loss", "", 0.001, 1000, 0.5, A_TENTH_OF_A_DECADE,
		"it is the loss that is multiplied, the chain rule does the rest",
		.group = "gradients", .when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_GRADIENTS) }),
	[FORMATS_MEDIAN] = KNOB_FACTOR("gradient", "median gradient", "", 1e-15, 1, 2.5e-7,
		A_TENTH_OF_A_DECADE,
		"shrinks as training converges: what fitted at first underflows later",
		.group = "gradients", .when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_GRADIENTS) }),
	[FORMATS_SPREAD] = KNOB_LINEAR("spread", "spread, octaves", "", 0.5, 10, 4, 0.5,
		"layers differ: the wider the histogram, the fewer scales keep both ends",
		.group = "gradients", .when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_GRADIENTS) }),
	[FORMATS_INTERVAL] = KNOB_DOUBLING("growth_interval", "growth interval", "step", 10, 10000,
		2000,
		"clean steps before the scaler doubles: shorter, and it bumps into overflow more "
		"often, each time losing a step",
		.group = "gradients", .when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_GRADIENTS) }),
	[FORMATS_SPIKES] = KNOB_LINEAR("spikes_pct", "spikes", "%", 0, 5, 0.05, 0.05,
		"steps whose gradients are a thousand times larger: the scaler skips them",
		.group = "gradients", .when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_GRADIENTS) }),
	[FORMATS_SEED] = KNOB_SEED(
		0, 9999, "other numbers with the same statistics", .group = "sum, sample"),
};

static const char *formats_number(struct figure *fig, double x)
{
	char text[64];
	return figure_text(fig, "%s", isnan(x) ? "NaN" : number_format(text, sizeof text, x));
}

static const char *formats_digits(struct figure *fig, double x, int digits)
{
	if (isnan(x))
		return "NaN";
	if (isinf(x))
		return x < 0 ? "-infinity" : "infinity";
	char text[64];
	snprintf(text, sizeof text, "%.*g", digits, x);
	char *e = strchr(text, 'e');
	return e ? figure_text(fig, "%.*se%ld", (int)(e - text), text, strtol(e + 1, NULL, 10))
		 : figure_text(fig, "%s", text);
}

/* A value as it was typed, in as many digits as it has: 3.14159, 1,000,000. */
static const char *value_text(struct figure *fig, double x)
{
	enum { LEAST = 4, MOST = 12 };
	char text[64];
	int digits = LEAST;
	for (; digits < MOST; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, x);
		if (strtod(text, NULL) == x)
			break;
	}
	return isnan(x) ? "NaN"
			: figure_text(fig, "%s", number_write(text, sizeof text, x, digits));
}

/* A step between numbers, as the values beside the figure have it. */
static const char *step_text(struct figure *fig, double step)
{
	const double whole = 1000;
	return step >= whole ? formats_number(fig, step) : formats_digits(fig, step, 3);
}

/* --- One value, bit by bit --- */

enum { BINARY = 40 };

static struct formats_stored formats_store(const struct number_format *f, const double v[])
{
	struct formats_stored s = {
		.f = f, .x = v[FORMATS_VALUE], .scale = number_block_scale(f, v[FORMATS_BLOCK_MAX])
	};
	struct rng r = rng_stream((uint64_t)v[FORMATS_SEED], "line", 0);
	double x = s.x / s.scale;
	bool saturate = v[FORMATS_SATURATE] > 0;
	s.element = v[FORMATS_ROUNDING] > 0
			    ? number_round_stochastic(f, x, saturate, rng_uniform(&r))
			    : number_round(f, x, saturate);
	s.rounded = s.element * s.scale;
	s.code = number_encode(f, s.element, saturate);
	return s;
}

static double formats_error(const struct formats_stored *s)
{
	if (s->rounded == s->x)
		return 0;
	return isfinite(s->rounded) ? fabs(s->rounded - s->x) / fabs(s->x) : INFINITY;
}

/* Bits first..first+n of a code, the highest first. */
static const char *binary(struct figure *fig, uint32_t code, int first, int n)
{
	char text[BINARY];
	for (int i = 0; i < n; i++)
		text[i] = code >> (first + n - 1 - i) & 1 ? '1' : '0';
	text[n] = '\0';
	return figure_text(fig, "%s", text);
}

/* --- bits and neighbours ---------------------------------------------------------------- */

static void row_of_scale(const struct formats_stored *s, struct figure *fig, struct table *t)
{
	const struct number_format *f = s->f, *e4m3 = &number_formats[NUMBER_E4M3];
	const char *bits = "FP32", *whom = "the tensor";
	if (f->scale == SCALE_E8M0)
		bits = binary(fig, e8m0_encode(s->scale), 0, 8);
	if (f->scale == SCALE_E4M3)
		bits = binary(fig, number_encode(e4m3, s->scale, true), 0, 8);
	if (f->block)
		whom = figure_text(fig, "%zu numbers", f->block);
	table_row(fig, t,
		(const char *[]){
			"scale", bits, figure_text(fig, "%.8g, for %s", s->scale, whom) });
}

static void table_of_bits(const struct formats_stored *s, struct figure *fig)
{
	static const char *const head[] = { "part", "bits", "worth" };
	const struct number_format *f = s->f;
	int e = f->exponent_bits, m = f->mantissa_bits;
	struct table *t = figure_table(fig, "Bit by bit", head, 3, "000");
	figure_tab(fig, "Worth");
	if (number_is_integer(f)) {
		table_row(fig, t,
			(const char *[]){ "integer", binary(fig, s->code, 0, 8),
				formats_digits(fig, s->element, 6) });
	} else {
		uint32_t exponent = s->code >> m & ((1u << e) - 1), full = (1u << m) - 1;
		int power = (int)(exponent ? exponent : 1) - f->bias;
		bool special = !isfinite(s->element);
		table_row(fig, t,
			(const char *[]){ "sign", binary(fig, s->code, e + m, 1),
				s->code >> (e + m) ? "-" : "+" });
		table_row(fig, t,
			(const char *[]){ "exponent", binary(fig, s->code, m, e),
				special ? "the highest: no number"
					: figure_text(fig,
						  exponent ? "2^%d = 2^(%u - %d)"
							   : "2^%d, subnormal",
						  power, exponent, f->bias) });
		table_row(fig, t,
			(const char *[]){ "mantissa", binary(fig, s->code, 0, m),
				special ? formats_digits(fig, s->element, 3)
					: figure_text(fig, "%d + %u/%u", exponent > 0,
						  s->code & full, full + 1) });
	}
	if (f->scale != SCALE_NONE)
		row_of_scale(s, fig, t);
	table_row(fig, t, (const char *[]){ "exactly", "", formats_digits(fig, s->rounded, 17) });
	double below = number_below(f, s->x / s->scale) * s->scale;
	double above = number_above(f, s->x / s->scale) * s->scale;
	if (below != above) {
		const char *x = value_text(fig, s->x);
		table_row(fig, t,
			(const char *[]){ figure_text(fig, "next below %s", x), "",
				formats_digits(fig, below, 17) });
		table_row(fig, t,
			(const char *[]){ figure_text(fig, "next above %s", x), "",
				formats_digits(fig, above, 17) });
	}
}

/* To the first digit that tells it from the value: 0.1001 and not 0.1. Large whole numbers are written in
 * full, 999,424. */
static const char *stored_text(struct figure *fig, const struct formats_stored *s)
{
	enum { LEAST = 6, MOST = 17 };
	const double grouped = 1000, longest = 1e12;
	if (fabs(s->rounded) >= grouped && fabs(s->rounded) < longest &&
		s->rounded == floor(s->rounded))
		return formats_number(fig, s->rounded);
	for (int digits = LEAST; digits < MOST; digits++) {
		const char *text = formats_digits(fig, s->rounded, digits);
		if (s->rounded == s->x || !isfinite(s->rounded) || strtod(text, NULL) != s->x)
			return text;
	}
	return formats_digits(fig, s->rounded, MOST);
}

static const char *error_text(struct figure *fig, double error)
{
	return figure_text(fig, "%s %%", formats_digits(fig, 100 * error, 3));
}

static void table_of_formats(const double v[], struct figure *fig)
{
	static const char *const head[] = { "format", "stored", "off by", "step" };
	struct table *t = figure_table(fig,
		figure_text(fig, "%s in each format", value_text(fig, v[FORMATS_VALUE])), head, 4,
		"0111");
	figure_tab(fig, "In each");
	for (size_t i = 0; i < N_NUMBER_FORMATS; i++) {
		const struct number_format *f = &number_formats[i];
		struct formats_stored s = formats_store(f, v);
		double error = formats_error(&s), step = number_ulp(f, s.x / s.scale) * s.scale;
		const char *off = isfinite(error) ? error_text(fig, error) : "-";
		table_row(fig, t,
			(const char *[]){
				f->name, stored_text(fig, &s), off, step_text(fig, step) });
	}
}

static void formats_draw_bits_subtitle(const struct formats_stored *s, struct figure *fig)
{
	int e = s->f->exponent_bits, m = s->f->mantissa_bits;
	if (number_is_integer(s->f))
		figure_subtitle(fig, "%s · %s", s->f->name, binary(fig, s->code, 0, 8));
	else
		figure_subtitle(fig, "%s · %s %s %s", s->f->name, binary(fig, s->code, e + m, 1),
			binary(fig, s->code, m, e), binary(fig, s->code, 0, m));
}

/* --- The number line --- */

/* The number line: the numbers that formats have in a window, and how far each is from the next. */

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

/* A window that would lie in a gap opens to the nearest numbers. */
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
	double scale, enum meaning colour, const struct window *w)
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

/* The formats that are shown, always in the same order; one that is not among these comes first.
 * Returns how many, and in *focus the chosen one. */
static size_t formats_shown(const double v[], const struct number_format *shown[], size_t *focus)
{
	static const enum number_format_id wide[] = { NUMBER_FP32, NUMBER_FP16, NUMBER_BF16,
		NUMBER_E4M3 };
	static const enum number_format_id narrow[] = { NUMBER_E4M3, NUMBER_E5M2, NUMBER_E2M1,
		NUMBER_INT8 };
	bool few = v[FORMATS_BESIDE] == BESIDE_NARROW;
	size_t others = v[FORMATS_BESIDE] == BESIDE_NONE ? 0 : LENGTH(wide), n = 1;
	shown[0] = formats_chosen(v);
	*focus = 0;
	for (size_t i = 0; i < others; i++) {
		shown[n] = &number_formats[few ? narrow[i] : wide[i]];
		*focus = shown[n] == shown[0] ? n : *focus;
		n++;
	}
	if (*focus == 0)
		return n;
	for (size_t i = 1; i < n; i++)
		shown[i - 1] = shown[i];
	--*focus;
	return n - 1;
}

/* --- lines and bits -------------------------------------------------------------------- */

enum { LINE_NONE, LINE_ONE, LINE_MANY, LINE_VALUE, N_LINE_KINDS };
/* Many times finer than a screen's columns, so that ticks which are evenly apart can stand so; an odd number, so that
 * a value in the middle of its line has a cell around it and not an edge. */
enum { LINE_CELLS = 1441 };

/* How many numbers of a format lie in a stretch of the line. */
static unsigned line_kind(const struct number_format *f, double scale, double from, double end)
{
	double x = number_above(f, from / scale);
	if (x > number_max(f) || x * scale >= end)
		return LINE_NONE;
	if (!(number_above(f, nextafter(x, INFINITY)) * scale < end))
		return LINE_ONE;
	return LINE_MANY;
}

/* How far off a format keeps the value; of one that keeps it outside of the window, where. */
static const char *off_text(
	struct figure *fig, const struct window *w, const struct formats_stored *s)
{
	double error = formats_error(s);
	if (error == 0 || !isfinite(error))
		return error == 0 ? "exact" : "overflow";
	if (s->rounded < w->lo || s->rounded > w->hi)
		return figure_text(fig, "%s %s", s->rounded < w->lo ? "←" : "→",
			formats_digits(fig, s->rounded, 4));
	return error_text(fig, error);
}

/* One number line for each format: a rule at the value, and in each row the place where the format
 * keeps it. */
static void draw_lines(const double v[], struct figure *fig, const struct window *w)
{
	const char *x = value_text(fig, v[FORMATS_VALUE]);
	static const char *const kinds[N_LINE_KINDS] = { "none", "a number", "many", "kept" };
	static const enum meaning means[N_LINE_KINDS] = { MEANS_EMPTY, MEANS_LEVEL + 4,
		MEANS_LEVEL + 4, MEANS_FOCUS };
	const struct number_format *shown[LENGTH(number_formats)];
	const char *rows[LENGTH(shown)], *notes[LENGTH(shown)];
	size_t focus, n = formats_shown(v, shown, &focus);
	double width = (w->hi - w->lo) / LINE_CELLS;
	for (size_t i = 0; i < n; i++) {
		struct formats_stored s = formats_store(shown[i], v);
		rows[i] = shown[i]->name;
		notes[i] = off_text(fig, w, &s);
	}
	struct grid *g = figure_grid(fig, figure_text(fig, "Where %s ends up", x), kinds,
		N_LINE_KINDS, rows, n, LINE_CELLS, NULL, 1);
	figure_tab(fig, "Line");
	grid_mean(fig, g, means, N_LINE_KINDS);
	grid_number_lines(fig, g, w->lo, w->hi, focus, notes);
	struct formats_stored chosen = formats_store(shown[focus], v);
	grid_wanted(fig, g, v[FORMATS_VALUE], x, stored_text(fig, &chosen));
	for (size_t i = 0; g && i < n; i++) {
		struct formats_stored s = formats_store(shown[i], v);
		for (size_t k = 0; k < LINE_CELLS; k++)
			grid_set(g, 0, i, k,
				line_kind(shown[i], s.scale, w->lo + (double)k * width,
					w->lo + (double)(k + 1) * width));
		double at = floor((s.rounded - w->lo) / width);
		at += w->lo + (at + 1) * width <= s.rounded; /* as line_kind has it */
		if (s.rounded >= w->lo && s.rounded <= w->hi)
			grid_set(g, 0, i, (size_t)fmin(at, LINE_CELLS - 1), LINE_VALUE);
	}
}

enum { BIT_NONE, BIT_SIGN, BIT_EXPONENT, BIT_MANTISSA, N_BIT_KINDS };
static const enum meaning bit_means[N_BIT_KINDS] = { MEANS_EMPTY, MEANS_HELD, MEANS_COMPUTE,
	MEANS_TRAFFIC };

static int exponent_bits_of(const struct number_format *f)
{
	return number_is_integer(f) ? 0 : f->exponent_bits;
}

/* "0.100098 in BF16: + 2^-4 x (1 + 77/128)": what the bits say, put together in their order. */
static const char *sum_of_bits(const struct formats_stored *s, struct figure *fig)
{
	const struct number_format *f = s->f;
	const char *kept = stored_text(fig, s);
	const char *scale = f->scale == SCALE_NONE ? "" : figure_text(fig, " x %.3g", s->scale);
	if (!isfinite(s->element))
		return figure_text(fig, "%s keeps no number: %s", f->name, kept);
	if (number_is_integer(f))
		return figure_text(fig, "%s in %s: %s%s", kept, f->name,
			formats_digits(fig, s->element, 6), scale);
	int m = f->mantissa_bits;
	uint32_t exponent = s->code >> m & ((1u << f->exponent_bits) - 1), full = (1u << m) - 1;
	return figure_text(fig, "%s in %s: %s2^%d x (%d + %u/%u)%s", kept, f->name,
		s->code >> (f->exponent_bits + m) ? "-" : "+ ",
		(int)(exponent ? exponent : 1) - f->bias, exponent > 0, s->code & full, full + 1,
		scale);
}

/* The bits of the chosen format as boxes, as many in a row as have room to be read. */
static void draw_bit_boxes(const struct formats_stored *s, struct figure *fig)
{
	enum { A_ROW = 16, MOST_ROWS = 2 };
	static const char *const kinds[N_BIT_KINDS] = { "no bit", "sign", "exponent: range",
		"mantissa: precision" };
	int bits = number_bits(s->f), exponent = exponent_bits_of(s->f);
	size_t cols = bits < A_ROW ? (size_t)bits : A_ROW, n = ((size_t)bits + cols - 1) / cols;
	const char *rows[MOST_ROWS] = { s->f->name, "" };
	assert(n <= MOST_ROWS);
	struct grid *g =
		figure_grid(fig, sum_of_bits(s, fig), kinds, N_BIT_KINDS, rows, n, cols, NULL, 1);
	figure_tab(fig, "Bits");
	grid_mean(fig, g, bit_means, N_BIT_KINDS);
	for (int k = 0; g && k < bits; k++) {
		size_t row = (size_t)k / cols, col = (size_t)k % cols;
		grid_set(g, 0, row, col,
			k == 0          ? BIT_SIGN
			: k <= exponent ? BIT_EXPONENT
					: BIT_MANTISSA);
		grid_write(fig, g, 0, row, col, s->code >> (bits - 1 - k) & 1u, 0);
	}
}

/* What each format spends its bits on. */
static void draw_spent(const double v[], struct figure *fig)
{
	static const char *const parts[] = { "sign", "range", "precision" };
	const struct number_format *shown[LENGTH(number_formats)];
	size_t focus, n = formats_shown(v, shown, &focus);
	struct bars *b = figure_bars(
		fig, "What each format spends its bits on", "bit", parts, LENGTH(parts));
	figure_tab(fig, "Spent");
	bars_mean(fig, b, bit_means + BIT_SIGN, LENGTH(parts));
	if (b)
		b->close = true;
	for (size_t i = 0; i < n; i++) {
		double exponent = exponent_bits_of(shown[i]), all = number_bits(shown[i]);
		bars_add(fig, b, shown[i]->name, (double[]){ 1, exponent, all - 1 - exponent });
	}
}

static void draw_others(
	const double v[], struct figure *fig, struct plot *p, const struct window *w)
{
	const struct number_format *shown[LENGTH(number_formats)];
	size_t focus, n = formats_shown(v, shown, &focus);
	unsigned colour = MEANS_KIND;
	for (size_t i = 0; i < n; i++)
		if (i != focus)
			draw_numbers(fig, p, shown[i],
				number_block_scale(shown[i], v[FORMATS_BLOCK_MAX]),
				(enum meaning)++ colour, w);
}

/* Frames the picture from the lowest point to the highest: zero means nothing on this axis. */
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

static void draw_distances(const double v[], struct figure *fig, const struct formats_stored *s,
	const struct window *at)
{
	struct window w = *at;
	struct plot *p = figure_plot(fig, "How far the next number is",
		w.unit == 1 ? "Value" : figure_text(fig, "Value / %g", w.unit), "", AXIS_LINEAR,
		"Distance to the next, 2^y", "", AXIS_LINEAR);
	figure_tab(fig, "Distance");
	if (!p)
		return;
	p->x.min = w.lo / w.unit;
	p->x.max = w.hi / w.unit;
	draw_numbers(fig, p, s->f, s->scale, MEANS_KIND, &w);
	draw_others(v, fig, p, &w);
	if (s->x >= w.lo && s->x <= w.hi)
		plot_rule(fig, p, false, s->x / w.unit, formats_number(fig, s->x), ROLE_ACCENT);
	double y = log2(number_ulp(s->f, s->element) * s->scale);
	if (s->rounded >= w.lo && s->rounded <= w.hi && y >= w.floor) {
		struct series *mark = plot_series(fig, p, "stored", SERIES_POINTS, MEANS_KIND + 7);
		series_mark(fig, mark, s->rounded / w.unit, y, formats_digits(fig, s->rounded, 7),
			ROLE_ACCENT);
	}
	if (p->n_series)
		frame_heights(p);
}

/* --- range and precision ---------------------------------------------------------------- */

/* Decimal digits: a number is off by half a step at most, which is the most of it where an octave begins. */
static double digits_of(const struct number_format *f)
{
	const double most = number_max(f), octave = pow(2, floor(log2(most)));
	return -log10(number_ulp(f, octave) / 2 / octave);
}

/* In powers of ten below and above 1; nothing of a block that its scale moved past 1. */
static void add_range(
	struct figure *fig, struct bars *b, const struct number_format *f, double scale)
{
	const double least = number_min_subnormal(f) * scale, most = number_max(f) * scale;
	const bool around = least <= 1 && most >= 1;
	struct bar *bar = bars_add(fig, b, f->name,
		(const double[]){ around ? -log10(least) : 0, around ? log10(most) : 0 });
	if (bar)
		bar->note = figure_text(
			fig, "%.3g to %.3g, %.2g digits", log10(least), log10(most), digits_of(f));
}

static void draw_ranges(const double v[], struct figure *fig)
{
	/* Those of four bits reach less than a column far. */
	static const enum number_format_id all[] = { NUMBER_FP32, NUMBER_FP16, NUMBER_BF16,
		NUMBER_E4M3, NUMBER_E5M2 };
	static const char *const parts[] = { "below 1", "above 1" };
	static const enum meaning means[] = { MEANS_LEVEL + 3, MEANS_COMPUTE };
	const struct number_format *f = formats_chosen(v);
	struct bars *b = figure_bars(
		fig, "How far each reaches, in powers of ten", "", parts, LENGTH(parts));
	figure_tab(fig, "Range");
	bars_mean(fig, b, means, LENGTH(means));
	if (b)
		b->mirrored = b->close = true;
	bool among = false;
	for (size_t i = 0; i < LENGTH(all); i++)
		among |= &number_formats[all[i]] == f;
	if (!among)
		add_range(fig, b, f, number_block_scale(f, v[FORMATS_BLOCK_MAX]));
	for (size_t i = 0; i < LENGTH(all); i++)
		add_range(fig, b, &number_formats[all[i]], 1);
}

/* --- what it says ----------------------------------------------------------------------- */

/* A number in a sentence, as people write it. */
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
		value_text(fig, s->x), 100 * (s->x - below) / (above - below), say(fig, below),
		say(fig, above));
}

static void explain_overflow(const struct formats_stored *s, double max, struct figure *fig)
{
	if (isnan(s->rounded))
		figure_why(fig,
			"%s is more than %s, the largest, and the format has no infinity: NaN. "
			"Scale the tensor, or saturate.",
			value_text(fig, s->x), say(fig, max));
	else if (isinf(s->rounded))
		figure_why(fig,
			"%s is beyond the largest, %s: infinity, and so is most that is computed "
			"from it.",
			value_text(fig, s->x), say(fig, max));
	else
		figure_why(fig, "%s is cut to the largest, %s: wrong by %.3g %%, and no alarm.",
			value_text(fig, s->x), say(fig, max), 100 * formats_error(s));
}

/* How much closer or wider its numbers are than FP16's there (those of FP16: than BF16's). */
static const char *beside_others(const struct formats_stored *s, double step, struct figure *fig)
{
	const struct number_format *fp16 = &number_formats[NUMBER_FP16];
	const struct number_format *other = s->f == fp16 ? &number_formats[NUMBER_BF16] : fp16;
	double theirs = number_ulp(other, s->x), ratio = step / theirs;
	if (!isfinite(theirs) || fabs(s->x) > number_max(other) || ratio == 1)
		return figure_text(fig, "%s apart there", step_text(fig, step));
	return figure_text(fig, "%s times %s than %s's",
		formats_number(fig, ratio > 1 ? ratio : 1 / ratio),
		ratio > 1 ? "farther apart" : "closer together", other->name);
}

static void explain_value(const double v[], const struct formats_stored *s, struct figure *fig)
{
	const struct number_format *f = s->f;
	double step = number_ulp(f, s->x / s->scale) * s->scale, max = number_max(f) * s->scale;
	double off_pct = 100 * formats_error(s);
	const char *x = value_text(fig, s->x);
	if (!isfinite(s->rounded) || (fabs(s->x) > max && s->rounded != s->x))
		explain_overflow(s, max, fig);
	else if (s->rounded == s->x)
		figure_why(fig,
			"%s is one of its numbers. The next is %s away: an update of less than "
			"half of that leaves it as it is.",
			x, step_text(fig, step));
	else if (v[FORMATS_ROUNDING] > 0)
		explain_chance(s, fig);
	else if (s->rounded == 0)
		figure_why(fig,
			"%s underflows: it is nearer to zero than to the first number above, %s.",
			x, step_text(fig, number_min_subnormal(f) * s->scale));
	else if (number_is_integer(f))
		figure_why(fig,
			"%s is kept as %s: all steps are %s, so small numbers are off by more of "
			"themselves (here %.3g %%).",
			x, stored_text(fig, s), step_text(fig, step), off_pct);
	else if (fabs(s->element) < number_min_normal(f))
		figure_why(fig,
			"%s is subnormal: steps stay at %s while numbers shrink, and it is off by "
			"%.3g %%.",
			x, step_text(fig, step), off_pct);
	else
		figure_why(fig, "%s keeps %s as %s: its numbers lie %s.", f->name, x,
			stored_text(fig, s), beside_others(s, step, fig));
}

static void formats_draw_line(const double v[], struct figure *fig)
{
	struct formats_stored s = formats_store(formats_chosen(v), v);
	double error = formats_error(&s);
	value_note(figure_value(fig, "error_pct", "off by", 100 * error, "%",
			   isfinite(error) ? ROLE_ACCENT : ROLE_BAD),
		isinf(error) ? "overflow" : NULL);
	figure_value(
		fig, "ulp", "step here", number_ulp(s.f, s.x / s.scale) * s.scale, "", ROLE_PLAIN);
	if (s.f->scale != SCALE_NONE)
		figure_value(fig, "block_scale", "scale of block", s.scale, "", ROLE_PLAIN);
	formats_draw_bits_subtitle(&s, fig);
	struct window w = window_of(v, &s);
	draw_lines(v, fig, &w);
	draw_bit_boxes(&s, fig);
	draw_spent(v, fig);
	table_of_formats(v, fig);
	draw_ranges(v, fig);
	table_of_bits(&s, fig);
	draw_distances(v, fig, &s, &w);
	explain_value(v, &s, fig);
	if (s.f->scale != SCALE_NONE && fabs(s.x) > v[FORMATS_BLOCK_MAX])
		figure_note(fig, ROLE_WARN,
			"The value is larger than the largest of its block: it would set the scale "
			"itself. Raise block max to %g.",
			fabs(s.x));
}

/* --- A sum --- */

enum { SHUFFLES = 16, MOST_STOPS = 64 };

/* Everything that is added up for one figure. */
struct sums {
	const struct number_format *f;
	const double *x;
	double *room;
	size_t n;
	double exact;
	double result[N_SUM_ORDERS];
	double shuffled[SHUFFLES];
	size_t lost; /* additions of the naive sum that changed nothing */
	struct adder adder;
	struct rng rounding;
	uint64_t seed;
};

/* INFINITY where the sum is not a number. */
static double error_of(double sum, double exact)
{
	if (sum == exact)
		return 0;
	return isfinite(sum) && exact != 0 ? fabs(sum - exact) / fabs(exact) : INFINITY;
}

/* With the same random numbers each time, so that the sums of the first n terms are one run. */
static double sum_of(struct sums *s, enum sum_order order, const double *x, size_t n)
{
	s->rounding = rng_stream(s->seed, "rounding", 0);
	return sum_in(&s->adder, order, x, n, s->room);
}

static bool add_up(const double v[], struct figure *fig, struct sums *s)
{
	double *x = arena_array(&fig->arena, (size_t)v[FORMATS_N], sizeof *x);
	double *mixed = arena_array(&fig->arena, (size_t)v[FORMATS_N], sizeof *mixed);
	s->room = arena_array(&fig->arena, (size_t)v[FORMATS_N], sizeof *s->room);
	if (!x || !mixed || !s->room)
		return false;
	s->f = formats_chosen(v);
	s->n = (size_t)v[FORMATS_N];
	s->x = x;
	s->seed = (uint64_t)v[FORMATS_SEED];
	sum_terms(x, s->n, s->f, (enum sum_data)v[FORMATS_DATA], v[FORMATS_VALUE],
		(uint64_t)v[FORMATS_SEED]);
	s->adder = adder_of(s->f, x, s->n);
	s->adder.stochastic = v[FORMATS_ROUNDING] > 0 ? &s->rounding : NULL;
	s->exact = sum_exact(x, s->n);
	for (int order = 0; order < N_SUM_ORDERS; order++)
		s->result[order] = sum_of(s, (enum sum_order)order, x, s->n);
	s->rounding = rng_stream(s->seed, "rounding", 0);
	s->result[SUM_NAIVE] = sum_counting_lost(&s->adder, x, s->n, &s->lost);
	struct rng r = rng_stream((uint64_t)v[FORMATS_SEED], "shuffles", 0);
	memcpy(mixed, x, s->n * sizeof *x);
	for (int i = 0; i < SHUFFLES; i++) {
		rng_shuffle(&r, mixed, s->n, sizeof *mixed);
		s->shuffled[i] = sum_of(s, SUM_NAIVE, mixed, s->n);
	}
	return true;
}

/* Two to the octave, and the end. */
static size_t stops_of(size_t n, size_t stops[MOST_STOPS])
{
	size_t k = 0;
	for (size_t at = 1; at < n; at *= 2) {
		assert(k + 2 < MOST_STOPS);
		stops[k++] = at;
		if (at >= 2 && at + at / 2 < n)
			stops[k++] = at + at / 2;
	}
	stops[k++] = n;
	return k;
}

/* --- figures ---------------------------------------------------------------------------- */

static void point_if(struct figure *fig, struct series *s, double x, double y, bool log)
{
	series_point(fig, s, x, isfinite(y) && (y > 0 || !log) ? y : NAN);
}

static void draw_running(const double v[], struct figure *fig, struct sums *s)
{
	bool log = v[FORMATS_DATA] != DATA_NORMAL && s->exact > 0;
	size_t stops[MOST_STOPS], n = stops_of(s->n, stops);
	enum sum_order shown = (enum sum_order)v[FORMATS_ORDER];
	struct plot *p = figure_plot(fig, "The running sum", "Terms added", "", AXIS_LOG2, "Sum",
		"", log ? AXIS_LOG2 : AXIS_LINEAR);
	figure_tab(fig, "Sum");
	if (!p)
		return;
	p->x.min = 1;
	p->x.max = (double)s->n;
	/* In the order of the terms; the exact one is dashed. */
	for (int line = 0; line < 3; line++) {
		enum sum_order order = line == 0 ? shown : SUM_NAIVE;
		if (line == 2 && shown == SUM_NAIVE)
			continue;
		struct series *series = plot_series(fig, p,
			line == 1 ? "exact" : order_names[order],
			line == 1 ? SERIES_DASHED : SERIES_LINE, (enum meaning)(MEANS_KIND + line));
		for (size_t i = 0; i < n; i++) {
			double sum = line == 1 ? sum_exact(s->x, stops[i])
					       : sum_of(s, order, s->x, stops[i]);
			point_if(fig, series, (double)stops[i], sum, log);
		}
	}
}

static void draw_errors(const double v[], struct figure *fig, struct sums *s)
{
	static const enum sum_order drawn[] = { SUM_NAIVE, SUM_PAIRWISE, SUM_KAHAN, SUM_WIDE };
	size_t stops[MOST_STOPS], n = stops_of(s->n, stops);
	double unit = CALL(format_epsilon, .mantissa_bits = s->f->mantissa_bits) / 2;
	struct plot *p = figure_plot(fig, "Error by the number of terms", "Terms added", "",
		AXIS_LOG2, "Relative error", "", AXIS_LOG10);
	figure_tab(fig, "Error");
	struct series *series;
	unsigned colour = 0;
	for (size_t k = 0; k < LENGTH(drawn); k++) {
		series = plot_series(fig, p, order_names[drawn[k]], SERIES_LINE,
			(enum meaning)(MEANS_KIND + colour++));
		for (size_t i = 1; i < n; i++)
			point_if(fig, series, (double)stops[i],
				error_of(sum_of(s, drawn[k], s->x, stops[i]),
					sum_exact(s->x, stops[i])),
				true);
	}
	series = plot_series(
		fig, p, "worst naive", SERIES_DASHED, (enum meaning)(MEANS_KIND + colour++));
	for (size_t i = 1; i < n; i++)
		series_point(fig, series, (double)stops[i],
			unit * sum_depth(SUM_NAIVE, (double)stops[i]));
	series =
		plot_series(fig, p, "shuffled", SERIES_POINTS, (enum meaning)(MEANS_KIND + colour));
	for (int i = 0; i < SHUFFLES; i++) {
		double error = error_of(s->shuffled[i], s->exact);
		if (error > 0 && isfinite(error))
			series_point(fig, series, (double)s->n, error);
	}
	plot_rule(fig, p, true, unit, "one rounding", ROLE_DIM);
	(void)v;
}

/* A sum as the sentence has it, 2,032; one that is no number by its name. */
static const char *sum_text(struct figure *fig, double sum)
{
	return isfinite(sum) ? formats_number(fig, sum) : formats_digits(fig, sum, 3);
}

static void draw_table(struct figure *fig, const struct sums *s)
{
	static const char *const head[] = { "order", "sum", "off by", "additions" };
	struct table *t = figure_table(fig, "The same numbers, added otherwise", head, 4, "0111");
	figure_tab(fig, "Orders");
	static const int cost[N_SUM_ORDERS] = { 1, 1, 1, 4, 1 };
	for (int i = 0; i < N_SUM_ORDERS; i++) {
		double error = error_of(s->result[i], s->exact);
		table_row(fig, t,
			(const char *[]){ order_names[i], sum_text(fig, s->result[i]),
				isfinite(error) ? figure_text(fig, "%s %%",
							  formats_digits(fig, 100 * error, 3))
						: "all of it",
				figure_text(fig, "%dn%s", cost[i],
					i == SUM_SORTED ? " and a sort"
					: i == SUM_WIDE ? " in FP32"
							: "") });
	}
	table_row(fig, t, (const char *[]){ "exact", sum_text(fig, s->exact), "", "" });
}

/* --- what it says ----------------------------------------------------------------------- */

static void explain_sum(const double v[], struct figure *fig, const struct sums *s)
{
	enum sum_order order = (enum sum_order)v[FORMATS_ORDER];
	double lost = (double)s->lost / (double)s->n, sum = s->result[order];
	const double far = 0.05;
	double error = error_of(sum, s->exact);
	const char *off = figure_text(fig, "%s %%", formats_digits(fig, 100 * error, 3));
	const char *same = formats_digits(fig, 100 * lost, 3); /* which change nothing */
	if (!isfinite(sum))
		figure_why(fig, "The sum passes the largest %s number, %s: overflow. Add in FP32.",
			s->f->name, formats_digits(fig, number_max(s->f) * s->adder.scale, 6));
	else if (order == SUM_NAIVE && v[FORMATS_ROUNDING] > 0 && lost > far)
		figure_why(fig,
			"%s %% of the additions change nothing, the others go a whole step: "
			"chance makes up for it, and the sum is off by %s.",
			same, off);
	else if (order == SUM_NAIVE && lost > far && fabs(sum) < (1 - far) * fabs(s->exact))
		figure_why(fig,
			"%s %% of the additions change nothing: the sum has outgrown its terms, "
			"half its step is more than they are, and it ends at %s of %s.",
			same, formats_number(fig, sum), formats_number(fig, s->exact));
	else if (order == SUM_NAIVE && lost > far)
		figure_why(fig,
			"%s %% of the additions change nothing, and others are rounded up: %soff "
			"by %s.",
			same, error < far ? "here that nearly cancels, " : "", off);
	else if (order == SUM_NAIVE)
		figure_why(fig,
			"Each of %s partial sums is rounded: off by %s. Shuffled, the same numbers "
			"give other sums.",
			formats_number(fig, (double)s->n), off);
	else if (order == SUM_SORTED && error < error_of(s->result[SUM_NAIVE], s->exact))
		figure_why(fig,
			"Small ones first keeps the partial sums small for longer: off by %s, "
			"naive by %s %%.",
			off,
			formats_digits(fig, 100 * error_of(s->result[SUM_NAIVE], s->exact), 3));
	else if (order == SUM_SORTED)
		figure_why(fig,
			"Small ones first keeps the partial sums small for longer, which helps "
			"nothing here: off by %s, naive by %s %%.",
			off,
			formats_digits(fig, 100 * error_of(s->result[SUM_NAIVE], s->exact), 3));
	else if (order == SUM_PAIRWISE)
		figure_why(fig,
			"Each term goes through %.0f roundings instead of up to %s: off by %s.",
			sum_depth(SUM_PAIRWISE, (double)s->n),
			formats_number(fig, (double)s->n - 1), off);
	else if (order == SUM_KAHAN)
		figure_why(fig,
			"What rounding takes from a sum is added to the next term: off by %s, for "
			"four additions each.",
			off);
	else
		figure_why(fig,
			"Added in FP32 and rounded once, at the end: off by %s. So Tensor Cores "
			"add products.",
			off);
}

static void warn_of_sum(const double v[], struct figure *fig, const struct sums *s)
{
	if (s->f->scale != SCALE_NONE || s->f->specials == SPECIALS_NONE)
		figure_note(fig, ROLE_WARN,
			"No hardware adds up in %s: its products are added in FP32 or INT32. The "
			"order \"FP32 accumulator\" is what really happens.",
			s->f->name);
	double largest = 0;
	for (size_t i = 0; i < s->n; i++)
		largest = fmax(largest, fabs(s->x[i]));
	if (v[FORMATS_DATA] >= DATA_CONSTANT && fabs(v[FORMATS_VALUE]) > largest)
		figure_note(fig, ROLE_WARN,
			"The value is kept as %.6g, the largest or the nearest there is.", largest);
}

static const char *why_infinite(double x)
{
	return isfinite(x) ? NULL : "overflow, or a sum of zero";
}

static void formats_draw_sum(const double v[], struct figure *fig)
{
	struct sums s = { 0 };
	if (!add_up(v, fig, &s))
		return;
	double sum = s.result[(size_t)v[FORMATS_ORDER]], error = error_of(sum, s.exact), most = 0,
	       least = INFINITY;
	for (int i = 0; i < SHUFFLES; i++) {
		most = fmax(most, error_of(s.shuffled[i], s.exact));
		least = fmin(least, error_of(s.shuffled[i], s.exact));
	}
	figure_subtitle(fig, "%s · %s terms · %s", s.f->name, formats_number(fig, (double)s.n),
		order_names[(size_t)v[FORMATS_ORDER]]);
	value_note(figure_value(fig, "sum_error_pct", "off by", 100 * error, "%",
			   error < 0.01 ? ROLE_ACCENT : ROLE_BAD),
		why_infinite(error));
	value_note(figure_value(fig, "sum", "sum", isfinite(sum) ? sum : INFINITY, "", ROLE_PLAIN),
		isnan(sum)   ? "NaN"
		: isinf(sum) ? "overflow"
			     : NULL);
	figure_value(fig, "exact", "exact", s.exact, "", ROLE_PLAIN);
	figure_value(fig, "lost_pct", "lost, naive", 100 * (double)s.lost / (double)s.n, "%",
		s.lost * 20 > s.n ? ROLE_WARN : ROLE_PLAIN);
	value_note(
		figure_value(fig, "best_shuffle_pct", "best shuffle", 100 * least, "%", ROLE_PLAIN),
		why_infinite(least));
	value_note(figure_value(
			   fig, "worst_shuffle_pct", "worst shuffle", 100 * most, "%", ROLE_PLAIN),
		why_infinite(most));
	draw_running(v, fig, &s);
	draw_table(fig, &s);
	draw_errors(v, fig, &s);
	explain_sum(v, fig, &s);
	warn_of_sum(v, fig, &s);
	figure_assume(
		fig, "terms are rounded to the format first; errors are against their exact sum");
}

/* --- Gradients --- */

enum { OCTAVES = 24, STEPS = 10000, FIRST_BIN = -80, LAST_BIN = 60 };

/* One step of training has so many gradients, and a spike makes them so much larger. */
static const double parameters = 1e6, spike = 1024;
static const double octaves_of_training = 4; /* by which gradients shrink over the run drawn */

static const char *const fate_names[N_FATES] = { "become 0", "subnormal", "kept", "overflow" };

struct gradient_sample {
	const struct number_format *f;
	const struct gradients what;
	const double *g;
	double *scaled;
	unsigned char *fates;
	size_t n;
	double largest;
	double shares[N_FATES];
};

static bool draw_sample(const double v[], struct figure *fig, struct gradient_sample *s)
{
	double *g = arena_array(&fig->arena, s->n, sizeof *g);
	s->scaled = arena_array(&fig->arena, s->n, sizeof *s->scaled);
	s->fates = arena_alloc(&fig->arena, s->n);
	if (!g || !s->scaled || !s->fates)
		return false;
	gradients_draw(&s->what, g, s->n, (uint64_t)v[FORMATS_SEED]);
	for (size_t i = 0; i < s->n; i++)
		s->largest = fmax(s->largest, fabs(g[i]));
	s->g = g;
	gradients_fates(s->f, g, s->n, v[FORMATS_SCALE], s->scaled, s->fates);
	fate_shares(s->fates, s->n, s->shares);
	return true;
}

/* --- the histogram ---------------------------------------------------------------------- */

static int bin_of(double x)
{
	int bin = x == 0 ? FIRST_BIN : ilogb(x);
	return bin < FIRST_BIN ? FIRST_BIN : bin > LAST_BIN ? LAST_BIN : bin;
}

/* Blocks of the histogram for one fate: an octave wide, down to zero at its sides. */
static const enum meaning fate_means[N_FATES] = { MEANS_HELD, MEANS_KIND + 1, MEANS_COMPUTE,
	MEANS_KIND + 3 };

static void draw_fate(
	struct figure *fig, struct plot *p, const struct gradient_sample *s, enum fate fate)
{
	size_t count[LAST_BIN - FIRST_BIN + 1] = { 0 };
	for (size_t i = 0; i < s->n; i++)
		if (s->fates[i] == fate)
			count[bin_of(s->scaled[i]) - FIRST_BIN]++;
	if (s->shares[fate] == 0)
		return;
	struct series *series =
		plot_series(fig, p, fate_names[fate], SERIES_AREA, fate_means[fate]);
	for (int bin = FIRST_BIN; bin <= LAST_BIN; bin++) {
		double share = 100 * (double)count[bin - FIRST_BIN] / (double)s->n;
		bool before = bin > FIRST_BIN && count[bin - 1 - FIRST_BIN] > 0;
		if (share > 0 && !before)
			series_point(fig, series, bin, 0);
		if (share > 0) {
			series_point(fig, series, bin + 0.001, share);
			series_point(fig, series, bin + 0.999, share);
		}
		if (share == 0 && before) {
			series_point(fig, series, bin, 0);
			series_point(fig, series, bin + 0.5, NAN);
		}
	}
}

static void draw_histogram(const double v[], struct figure *fig, const struct gradient_sample *s)
{
	struct plot *p = figure_plot(fig, "Gradients times the loss scale", "Magnitude, 2^x", "",
		AXIS_LINEAR, "Share", "%", AXIS_LINEAR);
	figure_tab(fig, "Histogram");
	draw_fate(fig, p, s, FATE_NORMAL);
	draw_fate(fig, p, s, FATE_SUBNORMAL);
	draw_fate(fig, p, s, FATE_ZERO);
	draw_fate(fig, p, s, FATE_OVERFLOW);
	if (v[FORMATS_SCALE] > 1) {
		struct series *before =
			plot_series(fig, p, "unscaled", SERIES_DASHED, MEANS_WAITING);
		size_t count[LAST_BIN - FIRST_BIN + 1] = { 0 };
		for (size_t i = 0; i < s->n; i++)
			count[bin_of(s->g[i]) - FIRST_BIN]++;
		for (int bin = FIRST_BIN; bin <= LAST_BIN; bin++)
			if (count[bin - FIRST_BIN])
				series_point(fig, before, bin + 0.5,
					100 * (double)count[bin - FIRST_BIN] / (double)s->n);
	}
	if (s->f->scale != SCALE_NONE)
		return; /* each block has its own ends */
	plot_rule(fig, p, false,
		log2(CALL(format_zero_threshold, .bias = s->f->bias,
			.mantissa_bits = s->f->mantissa_bits)),
		"0 below", ROLE_BAD);
	plot_rule(fig, p, false, log2(number_min_normal(s->f)), "normal", ROLE_DIM);
	plot_rule(fig, p, false, log2(number_max(s->f)), "largest", ROLE_WARN);
}

/* --- every scale ------------------------------------------------------------------------ */

static void draw_scales(const double v[], struct figure *fig, const struct gradient_sample *s)
{
	static const enum fate drawn[] = { FATE_ZERO, FATE_OVERFLOW, FATE_SUBNORMAL };
	struct plot *p = figure_plot(fig, "What each loss scale loses", "Loss scale, 2^x", "",
		AXIS_LINEAR, "Share of gradients", "%", AXIS_LINEAR);
	figure_tab(fig, "Scales");
	struct series *series[3];
	unsigned char *fates = arena_alloc(&fig->arena, s->n);
	double *scaled = arena_array(&fig->arena, s->n, sizeof *scaled);
	if (!p || !fates || !scaled)
		return;
	for (int k = 0; k < 3; k++)
		series[k] = plot_series(
			fig, p, fate_names[drawn[k]], SERIES_LINE, fate_means[drawn[k]]);
	for (int octave = 0; octave <= OCTAVES; octave++) {
		double shares[N_FATES];
		gradients_fates(s->f, s->g, s->n, exp2(octave), scaled, fates);
		fate_shares(fates, s->n, shares);
		for (int k = 0; k < 3; k++)
			series_point(fig, series[k], octave, 100 * shares[drawn[k]]);
	}
	plot_rule(fig, p, false, log2(v[FORMATS_SCALE]), "now", ROLE_ACCENT);
}

/* --- the scaler ------------------------------------------------------------------------- */

/* Infinity or NaN: a scaler has to see that something overflowed. */
static bool has_infinity(const struct number_format *f)
{
	return f->specials != SPECIALS_NONE;
}

struct gradient_training {
	double final_scale;
	size_t skipped;
};

static struct gradient_training draw_scaler(
	const double v[], struct figure *fig, const struct gradient_sample *s)
{
	struct plot *p = figure_plot(fig, "A dynamic scaler over a run", "Step", "", AXIS_LINEAR,
		"Loss scale", "", AXIS_LOG2);
	figure_tab(fig, "Scaler");
	struct series *line = plot_series(fig, p, "scale", SERIES_STEP, MEANS_KIND);
	struct series *skips = plot_series(fig, p, "skipped", SERIES_POINTS, MEANS_KIND + 3);
	struct loss_scaler scaler = { GRAD_SCALER_START, 0, (size_t)v[FORMATS_INTERVAL] };
	struct gradient_training run = { 0 };
	struct rng r = rng_stream((uint64_t)v[FORMATS_SEED], "steps", 0);
	struct rounder rounder = rounder_of(s->f, false);
	double last = 0, typical = expected_max_normal(parameters);
	for (int step = 0; step < STEPS; step++) {
		double largest = gradients_largest(&s->what, typical, &r) *
				 exp2(-octaves_of_training * step / STEPS);
		if (rng_uniform(&r) < v[FORMATS_SPIKES] / 100)
			largest *= spike;
		bool overflow =
			!(rounder_nearest(&rounder, largest * scaler.scale) <= rounder.most);
		if (scaler.scale != last)
			series_point(fig, line, step, scaler.scale);
		last = scaler.scale;
		run.skipped += overflow;
		if (overflow)
			series_point(fig, skips, step, scaler.scale);
		loss_scaler_step(&scaler, overflow);
	}
	series_point(fig, line, STEPS, scaler.scale);
	run.final_scale = scaler.scale;
	return run;
}

/* --- what it says ----------------------------------------------------------------------- */

static void explain_gradients(const double v[], struct figure *fig, const struct gradient_sample *s)
{
	double zero = 100 * s->shares[FATE_ZERO], over = 100 * s->shares[FATE_OVERFLOW];
	double low = 100 * s->shares[FATE_SUBNORMAL];
	if (s->f->scale != SCALE_NONE)
		figure_why(fig,
			"%s scales each block by its own largest: the loss scale changes %s, and "
			"%.3g %% are lost beside larger neighbours.",
			s->f->name, s->f->scale == SCALE_E4M3 ? "little" : "nothing", zero);
	else if (over > 0)
		figure_why(fig,
			"%.3g %% of the gradients overflow at a scale of %s: one is enough, the "
			"scaler skips the step and halves.",
			over, formats_number(fig, v[FORMATS_SCALE]));
	else if (zero > 1)
		figure_why(fig,
			"%.3g %% of the gradients are below half of %s's first number and become "
			"zero; %.3g %% more are subnormal. It is the small ones that fail, not the "
			"large.",
			zero, s->f->name, low);
	else if (zero + low > 1)
		figure_why(fig,
			"Few become zero now, but %.3g %% are subnormal and have lost bits: more "
			"scale is free until the largest, %s, overflows at %s.",
			low, formats_digits(fig, s->largest, 3),
			formats_digits(fig, number_max(s->f) / s->largest, 3));
	else
		figure_why(fig,
			"%s zero and none overflows: the histogram lies inside of the format, with "
			"%.0f octaves to spare above.",
			zero > 0 ? figure_text(fig, "%.3g %% become", zero) : "None becomes",
			floor(log2(number_max(s->f) / (s->largest * v[FORMATS_SCALE]))));
}

static void add_gradient_values(const double v[], struct figure *fig,
	const struct gradient_sample *s, const struct gradient_training *run)
{
	const double *share = s->shares;
	figure_value(fig, "underflow_pct", "become zero", 100 * share[FATE_ZERO], "%",
		share[FATE_ZERO] < 0.01 ? ROLE_GOOD : ROLE_BAD);
	figure_value(fig, "subnormal_pct", "subnormal", 100 * share[FATE_SUBNORMAL], "%",
		share[FATE_SUBNORMAL] < 0.05 ? ROLE_PLAIN : ROLE_WARN);
	figure_value(fig, "overflow_pct", "overflow", 100 * share[FATE_OVERFLOW], "%",
		share[FATE_OVERFLOW] == 0 ? ROLE_GOOD : ROLE_BAD);
	figure_value(fig, "scaled_loss", "scaled loss",
		CALL(scaled_gradient, .gradient = v[FORMATS_LOSS], .scale = v[FORMATS_SCALE]), "",
		ROLE_PLAIN);
	if (!has_infinity(s->f))
		return;
	figure_value(
		fig, "scale_limit", "largest scale", number_max(s->f) / s->largest, "", ROLE_PLAIN);
	figure_value(fig, "final_scale", "scaler ends at", run->final_scale, "", ROLE_PLAIN);
	value_note(figure_value(fig, "skipped_steps", "steps skipped", (double)run->skipped, "",
			   ROLE_PLAIN),
		figure_text(fig, "of %s", formats_number(fig, STEPS)));
}

static void formats_draw_gradients(const double v[], struct figure *fig)
{
	struct gradient_sample s = { .f = formats_chosen(v),
		.what = { v[FORMATS_MEDIAN], v[FORMATS_SPREAD] },
		.n = (size_t)v[FORMATS_N] };
	if (!draw_sample(v, fig, &s))
		return;
	figure_subtitle(
		fig, "%s · loss scale %s", s.f->name, formats_number(fig, v[FORMATS_SCALE]));
	draw_histogram(v, fig, &s);
	draw_scales(v, fig, &s);
	struct gradient_training run = { 0 };
	if (has_infinity(s.f))
		run = draw_scaler(v, fig, &s);
	add_gradient_values(v, fig, &s, &run);
	explain_gradients(v, fig, &s);
	figure_assume(fig,
		"gradients log-normal; over the run drawn they shrink %g octaves, and each step "
		"has the largest of %g",
		octaves_of_training, parameters);
	figure_assume(fig,
		"scaler: starts at %g, doubles after the interval, halves and skips on overflow",
		GRAD_SCALER_START);
	figure_leave_out(
		fig, "layers with histograms of their own; gradients that are exactly zero");
}

/* The sentence has it with the digits that tell it from the value, a number of four digits may be the
 * value again: it waits among what only explains. */
static void add_stored(const double v[], struct figure *fig)
{
	struct formats_stored s = formats_store(formats_chosen(v), v);
	const char *digits = formats_digits(fig, s.rounded, 10);
	value_note(figure_value(fig, "rounded", "stored as", s.rounded, "", ROLE_DIM),
		isnan(s.rounded)     ? "NaN"
		: isinf(s.rounded)   ? "overflow"
		: strlen(digits) > 5 ? digits
				     : NULL);
}

/* --- The simulation --- */

static void facts(const struct number_format *f, struct figure *fig)
{
	static const char *const specials[] = { "and infinity beyond", "and NaN beyond",
		"and no infinity" };
	double bits = number_bits_per_value(f);
	value_note(figure_value(fig, "max", "largest", number_max(f), "", ROLE_PLAIN),
		specials[f->specials]);
	figure_value(fig, "min_normal", "smallest normal", number_min_normal(f), "", ROLE_PLAIN);
	figure_value(fig, "epsilon", "step above 1", number_epsilon(f), "", ROLE_PLAIN);
	figure_value(
		fig, "min_subnormal", "least subnormal", number_min_subnormal(f), "", ROLE_DIM);
	figure_value(fig, "digits", "decimal digits", number_digits(f), "", ROLE_DIM);
	value_note(figure_value(fig, "codes", "codes", number_codes(f), "", ROLE_DIM),
		figure_text(fig, "%d bits", number_bits(f)));
	value_note(figure_value(fig, "bits_per_value", "bits per value", bits, "bit", ROLE_DIM),
		f->block ? "with its share of the scale" : NULL);
}

static void say_what_is_assumed(const struct number_format *f, struct figure *fig)
{
	figure_assume(fig, "values as IEEE 754-2019, OFP8 and MX 1.0 define them, bit for bit");
	if (f->scale == SCALE_E4M3)
		figure_assume(fig, "NVFP4's second scale, FP32 for a whole tensor, is 1");
	if (f->scale == SCALE_REAL)
		figure_assume(fig, "INT8 symmetric: scale = largest / 127, no zero point");
	figure_leave_out(fig, "hardware that flushes subnormals to zero");
	figure_leave_out(fig, "products: Tensor Cores multiply in the format and add in FP32");
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	(void)t;
	static void (*const draw[])(const double v[], struct figure *fig) = {
		[FORMATS_VIEW_LINE] = formats_draw_line,
		[FORMATS_VIEW_SUM] = formats_draw_sum,
		[FORMATS_VIEW_GRADIENTS] = formats_draw_gradients,
	};
	draw[(size_t)v[FORMATS_VIEW]](v, fig);
	facts(formats_chosen(v), fig);
	if (v[FORMATS_VIEW] == FORMATS_VIEW_LINE)
		add_stored(v, fig);
	say_what_is_assumed(formats_chosen(v), fig);
}

const struct sim formats_sim = {
	.id = "formats",
	.title = "Number formats",
	.summary = "FP32 to FP4 bit by bit: a number line, what is left of a sum, and of gradients",
	.page = "precision",
	.knobs = knobs,
	.n_knobs = N_FORMATS_KNOBS,
	.STORY(FORMATS_FORMAT, FORMATS_VALUE, FORMATS_VIEW, FORMATS_CENTRE, FORMATS_ZOOM),
	.try = "Set format to FP16, then to E4M3. How far does 0.1 move, and why?",
	.run = run,
};
