/* What is left of gradients: their histogram against the format's ends, every loss scale, and the
 * scaler at work. */
#include "sims/constants.h"
#include "sims/compression/formats.h"

#include "sims/formulas/formats.h"
#include "sims/compression/loss_scaling.h"
#include "sims/base/stats.h"

enum { OCTAVES = 24, STEPS = 10000, FIRST_BIN = -80, LAST_BIN = 60 };

/* Of one step of training, for its largest gradient. */
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
static void draw_fate(
	struct figure *fig, struct plot *p, const struct gradient_sample *s, enum fate fate)
{
	static const unsigned colours[N_FATES] = { 1, 4, 0, 3 };
	size_t count[LAST_BIN - FIRST_BIN + 1] = { 0 };
	for (size_t i = 0; i < s->n; i++)
		if (s->fates[i] == fate)
			count[bin_of(s->scaled[i]) - FIRST_BIN]++;
	if (s->shares[fate] == 0)
		return;
	struct series *series = plot_series(fig, p, fate_names[fate], SERIES_AREA, colours[fate]);
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
	draw_fate(fig, p, s, FATE_NORMAL);
	draw_fate(fig, p, s, FATE_SUBNORMAL);
	draw_fate(fig, p, s, FATE_ZERO);
	draw_fate(fig, p, s, FATE_OVERFLOW);
	if (v[FORMATS_SCALE] > 1) {
		struct series *before = plot_series(fig, p, "unscaled", SERIES_DASHED, 6);
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
	plot_rule(fig, p, false, log2(number_max(s->f)), "largest", ROLE_BAD);
}

/* --- every scale ------------------------------------------------------------------------ */

static void draw_scales(const double v[], struct figure *fig, const struct gradient_sample *s)
{
	static const enum fate drawn[] = { FATE_ZERO, FATE_OVERFLOW, FATE_SUBNORMAL };
	static const unsigned colours[] = { 1, 3, 4 };
	struct plot *p = figure_plot(fig, "What each loss scale loses", "Loss scale, 2^x", "",
		AXIS_LINEAR, "Share of gradients", "%", AXIS_LINEAR);
	struct series *series[3];
	unsigned char *fates = arena_alloc(&fig->arena, s->n);
	double *scaled = arena_array(&fig->arena, s->n, sizeof *scaled);
	if (!p || !fates || !scaled)
		return;
	for (int k = 0; k < 3; k++)
		series[k] = plot_series(fig, p, fate_names[drawn[k]], SERIES_LINE, colours[k]);
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

/* Or NaN: a scaler has to see that something overflowed. */
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
	struct series *line = plot_series(fig, p, "scale", SERIES_STEP, 0);
	struct series *skips = plot_series(fig, p, "skipped", SERIES_POINTS, 3);
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

static void explain(const double v[], struct figure *fig, const struct gradient_sample *s)
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
			"%.2g %% of the gradients overflow at a scale of %s: one is enough, the "
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
			"scale is free until the largest, %.2g, overflows at %.2g.",
			low, s->largest, number_max(s->f) / s->largest);
	else
		figure_why(fig,
			"%.3g %% become zero, none overflows: the histogram lies inside of the "
			"format, with %.0f octaves to spare above.",
			zero, floor(log2(number_max(s->f) / (s->largest * v[FORMATS_SCALE]))));
}

static void values(const double v[], struct figure *fig, const struct gradient_sample *s,
	const struct gradient_training *run)
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

void formats_draw_gradients(const double v[], struct figure *fig)
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
	values(v, fig, &s, &run);
	explain(v, fig, &s);
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
