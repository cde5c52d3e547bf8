/* The sentence that reads the figure of `compression`: what the setting costs, and what would cost
 * less, each alternative really tried. */
#include "sims/compression/compression.h"

#include <math.h>

static const double worth_saying = 1; /* points of accuracy */

static double percent_of(
	struct study *s, const struct recipe *r, size_t student, enum teaching teaching)
{
	struct outcome out;
	study_try(s, student, teaching, r, 1, &out);
	return 100 * out.accuracy;
}

/* The setting with something changed in its recipe. */
static double instead(struct study *s, const struct recipe *r)
{
	return percent_of(s, r, s->student, s->teaching);
}

static double now_percent(const struct study *s)
{
	return 100 * s->outcome.accuracy;
}

/* --- one technique alone ---------------------------------------------------------------------- */

static bool wrong_sign(struct study *s, double now)
{
	struct recipe r = s->recipe;
	r.quantiser.rounding = ROUND_NEAREST;
	if (s->recipe.quantiser.rounding != ROUND_GPTQ_WRONG_SIGN)
		return false;
	figure_why(s->fig,
		"With the sign turned round every weight repeats the errors before it instead of "
		"undoing them: %.1f %% right, where rounding to nearest has %.1f (E7).",
		now, instead(s, &r));
	return true;
}

static bool activations_cost(struct study *s, double now)
{
	struct recipe r = s->recipe, smooth = s->recipe;
	r.activation_bits = UNQUANTISED_BITS;
	if (s->recipe.activation_bits >= UNQUANTISED_BITS || instead(s, &r) < now + worth_saying)
		return false;
	smooth.smoothing = SMOOTH_QUANT;
	smooth.strength = 0.5;
	if (s->recipe.smoothing == SMOOTH_NONE && instead(s, &smooth) > now + worth_saying)
		figure_why(s->fig,
			"It is the activations: their largest channel sets the step for all, %.1f "
			"%% right. SmoothQuant, which moves its size into the weights, keeps %.1f.",
			now, instead(s, &smooth));
	else
		figure_why(s->fig,
			"It is the activations: at %u bits they cost %.1f points, and no rounding "
			"of weights gives them back.",
			s->recipe.activation_bits, instead(s, &r) - now);
	return true;
}

static bool one_scale_costs(struct study *s, double now)
{
	struct recipe r = s->recipe;
	r.quantiser.granularity = PER_CHANNEL;
	double better = instead(s, &r);
	if (s->recipe.quantiser.granularity != PER_TENSOR || better < now + worth_saying)
		return false;
	figure_why(s->fig,
		"One scale for a layer: its largest weight sets the step for all, %.1f %% right. A "
		"scale per channel keeps %.1f.",
		now, better);
	return true;
}

static bool nearest_costs(struct study *s, double now)
{
	struct recipe r = s->recipe;
	r.quantiser.rounding = ROUND_GPTQ;
	double better = instead(s, &r);
	if (s->recipe.quantiser.rounding != ROUND_NEAREST || better < now + worth_saying)
		return false;
	figure_why(s->fig,
		"Each weight rounded for itself, %.1f %% are right; with GPTQ, where later weights "
		"undo the error in the output, %.1f in the same bytes.",
		now, better);
	return true;
}

static void quantised(struct study *s)
{
	double now = now_percent(s);
	if (wrong_sign(s, now) || activations_cost(s, now) || one_scale_costs(s, now) ||
		nearest_costs(s, now))
		return;
	figure_why(s->fig,
		"At %s the outputs of layer %zu are off by %.2g %%, the answers by %.1f points: "
		"the largest of ten outputs seldom changes place.",
		bits_text(s->fig, s->recipe.quantiser.bits), s->worst_layer + 1,
		100 * s->output_error, fmax(0, 100 * s->teacher.accuracy - now));
}

static double shrunk_to(const struct study *s)
{
	return 100 * s->outcome.bytes / s->teacher.bytes;
}

/* Beside whole neurons that were cut off: the largest trained student that is no larger. */
static void neurons_pruned(struct study *s)
{
	struct recipe plain = study_plain(s);
	struct outcome out = { 0 };
	for (size_t i = 1; i < STUDENT_SIZES; i++) {
		study_try(s, i, TEACHER_ALL, &plain, 1, &out);
		if (out.bytes <= s->outcome.bytes * 1.02)
			break;
	}
	figure_why(s->fig,
		"Neurons cut off leave a dense network of %.0f %% of the bytes, %.1f %% right; a "
		"student of %.3g kB, trained for its size, has %.1f.",
		shrunk_to(s), now_percent(s), out.bytes / 1e3, 100 * out.accuracy);
}

static void pruned(struct study *s)
{
	struct recipe compensated = s->recipe;
	compensated.quantiser.rounding = ROUND_GPTQ;
	double now = now_percent(s), better = instead(s, &compensated);
	if (s->recipe.pattern == PRUNE_NEURONS)
		neurons_pruned(s);
	else if (better > now + worth_saying)
		figure_why(s->fig,
			"%.0f %% of the weights are gone at once, %.1f %% right; if those that "
			"stay take over, as with SparseGPT (rounding: GPTQ), %.1f.",
			100 * (1 - s->now.stored.kept / s->now.stored.weights), now, better);
	else
		figure_why(s->fig,
			"%.0f %% of the weights are gone, but only %.0f %% of the bytes: those "
			"that stay say where they belong. %.1f %% right.",
			100 * (1 - s->now.stored.kept / s->now.stored.weights), 100 - shrunk_to(s),
			now);
}

static void distilled(struct study *s)
{
	double now = now_percent(s);
	struct recipe plain = study_plain(s);
	enum teaching other = (enum teaching)(s->teaching ^ 1);
	bool by_teacher = s->teaching == TEACHER_ALL || s->teaching == TEACHER_FEW;
	double as_other = percent_of(s, &plain, s->student, other);
	if (s->teaching == LABELS_FEW || s->teaching == TEACHER_FEW)
		figure_why(s->fig,
			"On %d images the student learns %.1f %% from labels and %.1f from the "
			"teacher's answers to the same images: they also say what else it looks "
			"like.",
			FEW_IMAGES, by_teacher ? as_other : now, by_teacher ? now : as_other);
	else
		figure_why(s->fig,
			"%.0f %% of the bytes, %.1f %% right. With all images labels teach as well "
			"as the teacher does (%.1f): its answers add most where images are few.",
			shrunk_to(s), now, as_other);
}

/* --- several --------------------------------------------------------------------------------- */

struct losses {
	double sum;
	const char *text;
};

static void lose(struct study *s, struct losses *l, const char *name, double accuracy_pct)
{
	double points = 100 * s->teacher.accuracy - accuracy_pct;
	l->sum += points;
	l->text = figure_text(s->fig, "%s%s %.1f", l->text, name, points);
}

static void combined(struct study *s)
{
	struct recipe rounding = study_plain(s), pruning = study_plain(s), plain = study_plain(s);
	struct losses l = { 0, "" };
	double together = 100 * s->teacher.accuracy - now_percent(s);
	rounding.quantiser = s->recipe.quantiser;
	rounding.activation_bits = s->recipe.activation_bits;
	pruning.pattern = s->recipe.pattern;
	pruning.sparsity = s->recipe.sparsity;
	pruning.by_activation = s->recipe.by_activation;
	if (study_quantises(&s->recipe))
		lose(s, &l, "rounding", percent_of(s, &rounding, 0, LABELS_ALL));
	if (study_prunes(&s->recipe))
		lose(s, &l, *l.text ? ", pruning" : "pruning",
			percent_of(s, &pruning, 0, LABELS_ALL));
	if (s->student > 0)
		lose(s, &l, ", the smaller network",
			percent_of(s, &plain, s->student, s->teaching));
	figure_why(s->fig, "Points lost alone: %s; together %.1f, %s.", l.text, together,
		together > l.sum + 2 * worth_saying
			? "more than their sum: what is left has nothing to spare"
		: together < l.sum - 2 * worth_saying ? "less than their sum"
						      : "about their sum");
}

void compression_why(struct study *s)
{
	bool rounds = study_quantises(&s->recipe), prunes = study_prunes(&s->recipe);
	if (rounds + prunes + (s->student > 0) > 1)
		combined(s);
	else if (rounds)
		quantised(s);
	else if (prunes)
		pruned(s);
	else if (s->student > 0)
		distilled(s);
	else
		figure_why(s->fig,
			"Nothing is compressed: %zu weights of 2 bytes, %.1f %% right. Turn the "
			"bits down, prune, or take a student.",
			mlp_weights(&s->now.net), now_percent(s));
}
