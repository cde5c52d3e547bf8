/* Number formats (W4, C16, X8, F4): a number line at any zoom, sums, and gradients under a loss
 * scale. The knobs, and what is said of the format in every view. */
#include "sims/compression/formats.h"

#include "sims/compression/summation.h"

#include "sims/constants.h"
#include "sims/quantity/quantity.h"
#include "sims/figure/sim.h"
#include "sims/knobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const views[] = { "line", "sum", "gradients", NULL };
static const char *const view_names[] = { "number line", "sum", "gradients" };
static const char *const centres[] = { "value", "zero", "one", "smallest", "max", NULL };
static const char *const centre_names[] = { "the value", "zero", "one", "smallest normal",
	"largest" };
static const char *const besides[] = { "none", "wide", "narrow", NULL };
static const char *const beside_names[] = { "none", "FP32 FP16 BF16", "FP8 FP4 INT8" };
static const char *const roundings[] = { "nearest", "stochastic", NULL };
static const char *const orders[] = { "naive", "sorted", "pairwise", "kahan", "wide", NULL };
static const char *const order_names[] = { "naive", "sorted", "pairwise", "Kahan",
	"FP32 accumulator" };
static const char *const datas[] = { "uniform", "normal", "constant", "updates", NULL };
static const char *const data_names[] = { "uniform 0..1", "normal, mean 0", "n x value",
	"1 + n x value" };

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
	[FORMATS_ZOOM] = KNOB_FACTOR("zoom", "zoom", "x", 1, 1073741824, 32, 2,
		"the window is the middle, plus and minus one zoomth of it: each doubling shows "
		"half as many numbers",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_LINE) }),
	[FORMATS_BESIDE] = KNOB_CHOICE_OF("beside", "beside", besides, beside_names, "wide",
		"other formats' numbers in the same window: what is lower lies denser",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_LINE) }),
	[FORMATS_ROUNDING] = KNOB_CHOICE_OF("rounding", "rounding", roundings, NULL, "nearest",
		"to nearest loses small updates every time; stochastic keeps them on average",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_LINE, FORMATS_VIEW_SUM) }),
	[FORMATS_SATURATE] = KNOB_SWITCH("saturate", "saturate", 0,
		"too large becomes the largest instead of infinity or NaN: conversions to FP8 in "
		"training do so",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_LINE) }),
	[FORMATS_BLOCK_MAX] = KNOB_FACTOR("block_max", "block max", "", 1e-30, 1e30, 1, 2,
		"sets the scale that the whole block shares: an outlier takes the steps of all "
		"others with it",
		.when = { WHEN(FORMATS_FORMAT, NUMBER_MXFP4, NUMBER_NVFP4, NUMBER_INT8) }),
	[FORMATS_N] = KNOB_DOUBLING("n", "numbers", "", 16, 16384, 4096,
		"a naive sum's error grows with it, a pairwise one's with its logarithm; of "
		"gradients it is the size of the sample",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_SUM, FORMATS_VIEW_GRADIENTS) }),
	[FORMATS_ORDER] = KNOB_CHOICE_OF("order", "order", orders, order_names, "naive",
		"partial sums that stay small stay exact: pairs, the small ones first, or a wider "
		"accumulator",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_SUM) }),
	[FORMATS_DATA] = KNOB_CHOICE_OF("data", "terms", datas, data_names, "uniform",
		"terms of one sign outgrow the spacing; terms that cancel leave only their errors",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_SUM) }),
	[FORMATS_SCALE] = KNOB_FACTOR("scale", "loss scale", "x", 1, 16777216, GRAD_SCALER_START, 2,
		"moves all gradients up: out of the zeros, and towards overflow",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_GRADIENTS) }),
	[FORMATS_LOSS] = KNOB_FACTOR("loss", "loss", "", 0.001, 1000, 0.5, A_TENTH_OF_A_DECADE,
		"it is the loss that is multiplied, the chain rule does the rest",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_GRADIENTS) }),
	[FORMATS_MEDIAN] = KNOB_FACTOR("gradient", "median gradient", "", 1e-15, 1, 2.5e-7,
		A_TENTH_OF_A_DECADE,
		"shrinks as training converges: what fitted at first underflows later",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_GRADIENTS) }),
	[FORMATS_SPREAD] = KNOB_LINEAR("spread", "spread, octaves", "", 0.5, 10, 4, 0.5,
		"layers differ: the wider the histogram, the fewer scales keep both ends",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_GRADIENTS) }),
	[FORMATS_INTERVAL] = KNOB_DOUBLING("growth_interval", "growth interval", "step", 10, 10000,
		2000,
		"clean steps before the scaler doubles: shorter, and it bumps into overflow more "
		"often, each time losing a step",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_GRADIENTS) }),
	[FORMATS_SPIKES] = KNOB_LINEAR("spikes_pct", "spikes", "%", 0, 5, 0.05, 0.05,
		"steps whose gradients are a thousand times larger: the scaler skips them",
		.when = { WHEN(FORMATS_VIEW, FORMATS_VIEW_GRADIENTS) }),
	[FORMATS_SEED] = KNOB_SEED(0, 9999, "other numbers with the same statistics"),
};

const char *formats_number(struct figure *fig, double x)
{
	char text[64];
	return figure_text(fig, "%s", isnan(x) ? "NaN" : number_format(text, sizeof text, x));
}

const char *formats_digits(struct figure *fig, double x, int digits)
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

static void facts(const struct number_format *f, struct figure *fig)
{
	static const char *const specials[] = { "and infinity beyond", "and NaN beyond",
		"and no infinity" };
	double bits = number_bits_per_value(f);
	value_note(figure_value(fig, "max", "largest", number_max(f), "", ROLE_PLAIN),
		specials[f->specials]);
	figure_value(fig, "min_normal", "smallest normal", number_min_normal(f), "", ROLE_PLAIN);
	figure_value(
		fig, "min_subnormal", "least subnormal", number_min_subnormal(f), "", ROLE_PLAIN);
	figure_value(fig, "epsilon", "step above 1", number_epsilon(f), "", ROLE_PLAIN);
	figure_value(fig, "digits", "decimal digits", number_digits(f), "", ROLE_PLAIN);
	value_note(figure_value(fig, "codes", "codes", number_codes(f), "", ROLE_PLAIN),
		figure_text(fig, "%d bits", number_bits(f)));
	value_note(figure_value(fig, "bits_per_value", "bits per value", bits, "bit", ROLE_PLAIN),
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
	say_what_is_assumed(formats_chosen(v), fig);
}

const struct sim formats_sim = {
	.id = "formats",
	.title = "Number formats",
	.summary = "FP32 to FP4 bit by bit: a number line, what is left of a sum, and of gradients",
	.page = "precision",
	.knobs = knobs,
	.n_knobs = N_FORMATS_KNOBS,
	.run = run,
};
