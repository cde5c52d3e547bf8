/* Compression (W7, C8, C9, X12): a small network that reads digits, really quantised, pruned and
 * replaced by a student at each turn of a knob, and really tested. */
#include "sims/compression/compression.h"

#include "sims/quantity/quantity.h"
#include "sims/knobs.h"

#include <math.h>

static const char *const views[] = { "all", "quantise", "prune", "distil", NULL };
static const char *const granularities[] = { "tensor", "channel", "group", NULL };
static const char *const granularity_names[] = { "per tensor", "per channel", "per group", NULL };
static const char *const methods[] = { "rtn", "gptq", "gptq_wrong_sign", NULL };
static const char *const method_names[] = { "to nearest", "GPTQ", "GPTQ, wrong sign", NULL };
static const char *const smoothings[] = { "none", "smoothquant", "awq", NULL };
static const char *const smoothing_names[] = { "none", "SmoothQuant", "AWQ", NULL };
static const char *const patterns[] = { "unstructured", "2:4", "structured", NULL };
static const char *const pattern_names[] = { "single weights", "2:4", "whole neurons", NULL };
static const char *const saliencies[] = { "magnitude", "activation", NULL };
static const char *const saliency_names[] = { "magnitude", "Wanda", NULL };
static const char *const students[] = { "1", "1/2", "1/4", "1/8", "1/16", NULL };
static const char *const student_names[] = { "the teacher", "1/2", "1/4", "1/8", "1/16", NULL };
static const char *const teachers[] = { "labels", "teacher", NULL };
static const char *const images[] = { "all", "few", NULL };
static const char *const image_names[] = { "all 1,198", "160", NULL };

static const struct knob knobs[N_COMPRESSION_KNOBS] = {
	[COMPRESSION_VIEW] = KNOB_CHOICE_OF("view", "view", views, NULL, "all",
		"which of the three techniques is shown in detail; all that is set stays in force"),
	[COMPRESSION_BITS] = KNOB_WHOLE("bits", "weight bits", "bit", 2, 16, 4,
		"n bits give 2^n values; below 16 weights become multiples of a scale, and each "
		"bit less doubles the step between them"),
	[COMPRESSION_GRANULARITY] = KNOB_CHOICE_OF("granularity", "one scale", granularities,
		granularity_names, "channel",
		"the largest weight sets the step for all that share its scale: fewer share, "
		"finer steps, more scales to store"),
	[COMPRESSION_GROUP] = KNOB_DOUBLING("group", "group", "weight", 8, 64, 32,
		"neighbours in a row that share a scale: 16 bits of scale over so many weights",
		.when = { WHEN(COMPRESSION_GRANULARITY, PER_GROUP) }),
	[COMPRESSION_METHOD] = KNOB_CHOICE_OF("method", "rounding", methods, method_names, "rtn",
		"GPTQ rounds to nearest too, but lets the weights that come later undo the error "
		"in the output; with the sign turned round they double it"),
	[COMPRESSION_ZERO_POINT] = KNOB_SWITCH("zero_point", "zero point", 0,
		"fits the codes between the smallest and the largest weight instead of around 0, "
		"for one more number per scale"),
	[COMPRESSION_ACTIVATIONS] = KNOB_WHOLE("activations", "activation bits", "bit", 2, 16, 16,
		"below 16 what flows between layers is rounded as well, with one scale for a "
		"layer: its largest channel sets the step for all"),
	[COMPRESSION_OUTLIERS] = KNOB_FACTOR("outliers", "outliers", "x", 1, 64, 1, 2,
		"makes one channel in 24 so many times as large, and the weights behind it "
		"smaller: the answers stay the same, rounding does not"),
	[COMPRESSION_SMOOTHING] = KNOB_CHOICE_OF("smoothing", "smoothing", smoothings,
		smoothing_names, "none",
		"divides channels by a scale and multiplies the weights behind: SmoothQuant from "
		"the largest activation and weight, AWQ from the mean activation"),
	[COMPRESSION_ALPHA] = KNOB_LINEAR("alpha", "strength", "", 0, 1, 0.5, 0.05,
		"how much of a channel's size moves into the weights",
		.when = { WHEN(COMPRESSION_SMOOTHING, SMOOTH_QUANT, SMOOTH_AWQ) }),
	[COMPRESSION_SPARSITY] = KNOB_LINEAR("sparsity", "sparsity", "%", 0, 95, 0, 5,
		"the share of weights, or of hidden neurons, that is taken away; there is no "
		"retraining",
		.when = { WHEN(COMPRESSION_PATTERN, PRUNE_WEIGHTS, PRUNE_NEURONS) }),
	[COMPRESSION_PATTERN] = KNOB_CHOICE_OF("pattern", "what is pruned", patterns, pattern_names,
		"unstructured",
		"single weights cost least accuracy but their places must be stored; 2:4 is what "
		"Tensor Cores skip; whole neurons leave a smaller dense network"),
	[COMPRESSION_SALIENCY] = KNOB_CHOICE_OF("saliency", "judged by", saliencies, saliency_names,
		"magnitude",
		"small weights go first; Wanda multiplies them by the norm of their input, so "
		"that a small weight behind a large channel stays"),
	[COMPRESSION_STUDENT] = KNOB_CHOICE_OF("student", "network", students, student_names, "1",
		"a network with that share of the hidden neurons, trained for it, takes the "
		"teacher's place"),
	[COMPRESSION_TAUGHT_BY] = KNOB_CHOICE_OF("taught_by", "taught by", teachers, NULL,
		"teacher",
		"students: labels name one digit, the teacher's softened answer says how much it "
		"looks like each of the ten"),
	[COMPRESSION_IMAGES] = KNOB_CHOICE_OF("images", "taught on", images, image_names, "all",
		"how many images students saw: with few of them the teacher's answers are worth "
		"most"),
};

/* Two standard errors of a share of right answers, in points. */
static double uncertainty_pct(const struct study *s)
{
	double p = s->outcome.accuracy;
	return 100 * 2 * sqrt(p * (1 - p) / (double)s->test.n);
}

static const char *champion_name(struct figure *fig, const struct champion *c)
{
	if (c->is_setting)
		return "this setting";
	return figure_text(fig, "%s, %s", student_names[c->student], bits_text(fig, c->bits));
}

static void values(struct study *s)
{
	struct figure *fig = s->fig;
	const struct stored *stored = &s->now.stored;
	const struct champion *best = &s->champion;
	double accuracy = 100 * s->outcome.accuracy, bytes = s->outcome.bytes;
	double weights = (double)mlp_weights(&s->base.net);
	bool works = accuracy >= GAME_PERCENT;

	value_note(figure_value(fig, "accuracy_pct", "right", accuracy, "%",
			   works ? ROLE_ACCENT : ROLE_BAD),
		figure_text(fig, works ? "± %.1f" : "± %.1f, under %d %%", uncertainty_pct(s),
			GAME_PERCENT));
	value_note(figure_value(fig, "size_kB", "size", bytes / 1e3, "kB", ROLE_PLAIN),
		figure_text(fig, "%.0f %% of the teacher", 100 * bytes / s->teacher.bytes));
	value_note(figure_value(fig, "ratio", "smaller", s->teacher.bytes / bytes, "x", ROLE_PLAIN),
		"than it in FP16");
	value_note(figure_value(fig, "best_kB", "best found",
			   best->found ? best->bytes / 1e3 : INFINITY, "kB", ROLE_PLAIN),
		best->found ? champion_name(fig, best) : "none reaches 70 %");
	value_note(figure_value(fig, "score_pct", "score", works ? 100 * best->bytes / bytes : 0,
			   "%", best->is_setting ? ROLE_GOOD : ROLE_PLAIN),
		works ? "best / size" : figure_text(fig, "needs %d %% right", GAME_PERCENT));
	value_note(figure_value(fig, "bits_per_weight", "per weight",
			   8 * (bytes - stored->biases) / weights, "bit", ROLE_PLAIN),
		"scales, places in it");
	double snr_db = weight_snr_db(&s->now);
	value_note(figure_value(fig, "snr_db", "weights' SNR", snr_db, "dB", ROLE_PLAIN),
		isinf(snr_db) ? "none is changed" : NULL);
	value_note(figure_value(fig, "output_error_pct", "output error", 100 * s->output_error, "%",
			   ROLE_PLAIN),
		figure_text(fig, "layer %zu", s->worst_layer + 1));
}

static const char *pruned_text(const struct study *s)
{
	if (!study_prunes(&s->recipe))
		return "nothing pruned";
	return s->recipe.pattern == PRUNE_2_OF_4
		       ? "2:4"
		       : figure_text(s->fig, "%.0f %% of %s pruned", 100 * s->recipe.sparsity,
				 s->recipe.pattern == PRUNE_NEURONS ? "neurons" : "weights");
}

static void explain(struct study *s)
{
	struct figure *fig = s->fig;
	const struct mlp *net = &s->now.net;
	bool rounded = s->recipe.quantiser.bits < UNQUANTISED_BITS;
	figure_subtitle(fig, "%zu-%zu-%zu-%zu · %s%s%s · %s", net->layer[0].in, net->layer[0].out,
		net->layer[1].out, net->layer[2].out, bits_text(fig, s->recipe.quantiser.bits),
		rounded ? " " : "",
		rounded ? granularity_names[s->recipe.quantiser.granularity] : "", pruned_text(s));
	compression_why(s);
	fig->accuracy = figure_text(fig,
		"none, this is the network itself: %zu of %zu test images right, give or take %.1f "
		"points",
		(size_t)(s->outcome.accuracy * (double)s->test.n + 0.5), s->test.n,
		uncertainty_pct(s));
	figure_assume(fig,
		"a perceptron of 64-96-48-10 for 8 x 8 digits (Alpaydin and Kaynak, 1998), trained "
		"by sims/compression/train.c; every third image is for testing");
	figure_assume(fig,
		"sizes: codes, FP16 scales, zero points, places of sparse weights in the shortest "
		"of three forms, FP16 biases");
	figure_assume(fig,
		"calibrated on %zu training images: ranges of activations, norms, GPTQ's H with 1 "
		"%% of damping, each layer on inputs before compression",
		s->calibration.n);
	figure_assume(fig,
		"pruned within each output's row; GPTQ spreads what pruning takes too; errors are "
		"against the network before rounding, without the neurons that were cut off");
	if (rounded && s->recipe.quantiser.bits > SEARCHED_BITS)
		figure_note(fig, ROLE_WARN,
			"No hardware multiplies integers of %u bits; the size is as if they were "
			"packed.",
			s->recipe.quantiser.bits);
	figure_leave_out(fig, "retraining after pruning, quantisation-aware training, codebooks");
	figure_leave_out(fig,
		"speed: kernels decide whether fewer bits or zeros are faster, large models lose "
		"otherwise than small ones");
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct study s;
	char err[128];
	if (study_open(&s, t, v, fig, err, sizeof err)) {
		values(&s);
		compression_draw(&s, t);
		explain(&s);
	} else if (*err) {
		figure_why(fig, "There is no network to compress.");
		figure_note(fig, ROLE_BAD, "%s", err);
	}
	study_close(&s);
}

const struct sim compression_sim = {
	.id = "compression",
	.title = "Compression",
	.summary = "A real small network quantised, pruned and distilled: size against accuracy",
	.page = "compression",
	.knobs = knobs,
	.n_knobs = N_COMPRESSION_KNOBS,
	.run = run,
};
