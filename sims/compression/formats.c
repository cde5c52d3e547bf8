/* Number formats (W4, C16, X8, F4): a number line at any zoom, sums, and gradients under a loss
 * scale. The knobs, and what is said of the format in every view. */
#include "sims/compression/formats.h"

#include "sims/constants.h"
#include "sims/quantity/quantity.h"
#include "sims/figure/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const char *const views[] = { "line", "sum", "gradients", NULL };
static const char *const view_names[] = { "number line", "sum", "gradients" };
static const char *const centres[] = { "value", "zero", "one", "smallest", "max", NULL };
static const char *const centre_names[] = { "the value", "zero", "one", "smallest normal", "largest" };
static const char *const besides[] = { "none", "wide", "narrow", NULL };
static const char *const beside_names[] = { "none", "FP32 FP16 BF16", "FP8 FP4 INT8" };
static const char *const roundings[] = { "nearest", "stochastic", NULL };
static const char *const orders[] = { "naive", "sorted", "pairwise", "kahan", "wide", NULL };
static const char *const order_names[] = { "naive", "sorted", "pairwise", "Kahan", "FP32 accumulator" };
static const char *const datas[] = { "uniform", "normal", "constant", "updates", NULL };
static const char *const data_names[] = { "uniform 0..1", "normal, mean 0", "n x value", "1 + n x value" };


static const struct knob knobs[N_FORMATS_KNOBS] = {
	[FORMATS_FORMAT] = { "format", "format", "", KNOB_CHOICE, 0, 1, 0, 1, .choices = number_format_ids,
		.choice_names = number_format_names, .dflt_choice = "bf16",
		.help = "exponent bits buy range, mantissa bits buy precision, and each bit is paid for "
			"in memory, bandwidth and Tensor Core area" },
	[FORMATS_VIEW] = { "view", "view", "", KNOB_CHOICE, 0, 1, 0, 1, .choices = views,
		.choice_names = view_names, .dflt_choice = "line",
		.help = "the numbers that the format has; what is left of a sum; what is left of gradients" },
	[FORMATS_VALUE] = { "value", "value", "", KNOB_NUMBER, -1e40, 1e40, 0.1, 1.2589254117941673, .geometric = true,
		.least = 1e-48, .when = "view=line data=constant|updates",
		.help = "its exponent picks the spacing, its mantissa is rounded to it; type any number" },
	[FORMATS_CENTRE] = { "centre", "around", "", KNOB_CHOICE, 0, 1, 0, 1, .choices = centres,
		.choice_names = centre_names, .dflt_choice = "value", .when = "view=line",
		.help = "subnormals lie around zero, the step of a weight around one, overflow at the end" },
	[FORMATS_ZOOM] = { "zoom", "zoom", "x", KNOB_NUMBER, 1, 1073741824, 32, 2, .geometric = true,
		.when = "view=line",
		.help = "the window is the middle, plus and minus one zoomth of it: each doubling shows "
			"half as many numbers" },
	[FORMATS_BESIDE] = { "beside", "beside", "", KNOB_CHOICE, 0, 1, 0, 1, .choices = besides,
		.choice_names = beside_names, .dflt_choice = "wide", .when = "view=line",
		.help = "other formats' numbers in the same window: what is lower lies denser" },
	[FORMATS_ROUNDING] = { "rounding", "rounding", "", KNOB_CHOICE, 0, 1, 0, 1, .choices = roundings,
		.dflt_choice = "nearest", .when = "view=line|sum",
		.help = "to nearest loses small updates every time; stochastic keeps them on average" },
	[FORMATS_SATURATE] = { "saturate", "saturate", "", KNOB_TOGGLE, 0, 1, 0, 1, .when = "view=line",
		.help = "too large becomes the largest instead of infinity or NaN: conversions to FP8 in "
			"training do so" },
	[FORMATS_BLOCK_MAX] = { "block_max", "block max", "", KNOB_NUMBER, 1e-30, 1e30, 1, 2,
		.geometric = true, .when = "format=mxfp4|nvfp4|int8",
		.help = "sets the scale that the whole block shares: an outlier takes the steps of all "
			"others with it" },
	[FORMATS_N] = { "n", "numbers", "", KNOB_NUMBER, 16, 16384, 4096, 2, .geometric = true,
		.integer = true, .when = "view=sum|gradients",
		.help = "a naive sum's error grows with it, a pairwise one's with its logarithm; of "
			"gradients it is the size of the sample" },
	[FORMATS_ORDER] = { "order", "order", "", KNOB_CHOICE, 0, 1, 0, 1, .choices = orders,
		.choice_names = order_names, .dflt_choice = "naive", .when = "view=sum",
		.help = "partial sums that stay small stay exact: pairs, the small ones first, or a wider "
			"accumulator" },
	[FORMATS_DATA] = { "data", "terms", "", KNOB_CHOICE, 0, 1, 0, 1, .choices = datas,
		.choice_names = data_names, .dflt_choice = "uniform", .when = "view=sum",
		.help = "terms of one sign outgrow the spacing; terms that cancel leave only their errors" },
	[FORMATS_SCALE] = { "scale", "loss scale", "x", KNOB_NUMBER, 1, 16777216, GRAD_SCALER_START, 2, .geometric = true,
		.when = "view=gradients",
		.help = "moves all gradients up: out of the zeros, and towards overflow" },
	[FORMATS_LOSS] = { "loss", "loss", "", KNOB_NUMBER, 0.001, 1000, 0.5, 1.2589254117941673, .geometric = true,
		.when = "view=gradients",
		.help = "it is the loss that is multiplied, the chain rule does the rest" },
	[FORMATS_MEDIAN] = { "gradient", "median gradient", "", KNOB_NUMBER, 1e-15, 1, 2.5e-7, 1.2589254117941673,
		.geometric = true, .when = "view=gradients",
		.help = "shrinks as training converges: what fitted at first underflows later" },
	[FORMATS_SPREAD] = { "spread", "spread, octaves", "", KNOB_NUMBER, 0.5, 10, 4, 0.5,
		.when = "view=gradients",
		.help = "layers differ: the wider the histogram, the fewer scales keep both ends" },
	[FORMATS_INTERVAL] = { "growth_interval", "growth interval", "step", KNOB_NUMBER, 10, 10000, 2000, 2,
		.geometric = true, .integer = true, .when = "view=gradients",
		.help = "clean steps before the scaler doubles: shorter, and it bumps into overflow more "
			"often, each time losing a step" },
	[FORMATS_SPIKES] = { "spikes_pct", "spikes", "%", KNOB_NUMBER, 0, 5, 0.05, 0.05,
		.when = "view=gradients",
		.help = "steps whose gradients are a thousand times larger: the scaler skips them" },
	[FORMATS_SEED] = { "seed", "seed", "", KNOB_NUMBER, 0, 9999, 1, 1, .integer = true,
		.help = "other numbers with the same statistics" },
};
/* clang-format on */

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
