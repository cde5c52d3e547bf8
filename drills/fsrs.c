/* FSRS-6, written from the formulas that the Open Spaced Repetition project publishes ("The
 * Algorithm", in the wiki of its fsrs4anki); the idea is Jarrett Ye's ("A stochastic shortest path
 * algorithm for optimizing spaced repetition scheduling", KDD 2022), on Wozniak's model of memory
 * with three numbers. Stability S is the days after which recall R has fallen to 0.9, difficulty D
 * says how slowly S grows, and R follows from S and the days t since the last review: a power law,
 * R = (1 + F t/S)^(-w20). A review changes S and D by its rating. A pass multiplies S: by more when
 * D and S are low, and by more when R was low too, since recalling what was nearly forgotten
 * teaches most (the spacing effect). A failure sets S anew, never above what it was. A review on
 * the same day multiplies S by a little. D moves with the rating, by less near 10, and is drawn a
 * little towards the difficulty of what is easy from the start. The next review is due when R will
 * be down to the wanted retention; before that a card goes through learning steps of minutes. The
 * 21 weights w were fitted by the project to reviews of its users. */
#include "drills/fsrs.h"

#include <assert.h>
#include <math.h>

static const double least_stability = 0.001, most_stability = 36500;

const struct fsrs_options fsrs_defaults = {
	.w = { 0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796,
		1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542 },
	.retention = 0.9,
	.learning_s = { 60, 600 },
	.n_learning = 2,
	.relearning_s = { 600 },
	.n_relearning = 1,
	.longest_days = 36500,
};

static double within(double x, double low, double high)
{
	return fmin(fmax(x, low), high);
}

/* F: makes recall 0.9 at t = S. */
static double curve_factor(const double w[])
{
	return pow(0.9, -1 / w[20]) - 1;
}

double fsrs_recall(const double w[], double days, double stability_days)
{
	return pow(1 + curve_factor(w) * days / stability_days, -w[20]);
}

double fsrs_days_until(const double w[], double stability_days, double retention)
{
	return stability_days / curve_factor(w) * (pow(retention, -1 / w[20]) - 1);
}

double fsrs_interval_days(const struct fsrs_options *o, double stability_days)
{
	double days = round(fsrs_days_until(o->w, stability_days, o->retention));
	return within(days, 1, o->longest_days);
}

/* Not bounded: the mean that difficulties revert to may be below 1. */
static double first_difficulty(const double w[], enum fsrs_rating g)
{
	return w[4] - exp(w[5] * (double)(g - 1)) + 1;
}

static double next_difficulty(const double w[], double d, enum fsrs_rating g)
{
	double moved = d - w[6] * ((double)g - 3) * (10 - d) / 9;
	return within(w[7] * first_difficulty(w, FSRS_EASY) + (1 - w[7]) * moved, 1, 10);
}

static double stability_same_day(const double w[], double s, enum fsrs_rating g)
{
	double k = exp(w[17] * ((double)g - 3 + w[18])) * pow(s, -w[19]);
	return s * (g >= FSRS_HARD ? fmax(k, 1) : k);
}

static double stability_after_pass(
	const double w[], struct fsrs_memory m, double recall, enum fsrs_rating g)
{
	double growth = exp(w[8]) * (11 - m.difficulty) * pow(m.stability_days, -w[9]) *
			(exp(w[10] * (1 - recall)) - 1);
	if (g == FSRS_HARD)
		growth *= w[15];
	if (g == FSRS_EASY)
		growth *= w[16];
	return m.stability_days * (1 + growth);
}

static double stability_after_failure(const double w[], struct fsrs_memory m, double recall)
{
	double s = w[11] * pow(m.difficulty, -w[12]) * (pow(m.stability_days + 1, w[13]) - 1) *
		   exp(w[14] * (1 - recall));
	return fmin(s, m.stability_days / exp(w[17] * w[18]));
}

struct fsrs_memory fsrs_remember(
	const double w[], struct fsrs_memory before, double days, enum fsrs_rating g)
{
	double s, d;
	assert(g >= FSRS_AGAIN && g <= FSRS_EASY);
	if (before.stability_days <= 0) {
		s = w[g - 1];
		d = within(first_difficulty(w, g), 1, 10);
	} else {
		double recall = fsrs_recall(w, days, before.stability_days);
		d = next_difficulty(w, before.difficulty, g);
		if (days <= 0)
			s = stability_same_day(w, before.stability_days, g);
		else if (g == FSRS_AGAIN)
			s = stability_after_failure(w, before, recall);
		else
			s = stability_after_pass(w, before, recall, g);
	}
	return (struct fsrs_memory){ within(s, least_stability, most_stability), d };
}

/* Into review, due after the interval that the new stability gives. */
static void graduate(struct fsrs_card *card, const struct fsrs_options *o)
{
	card->state = FSRS_REVIEW;
	card->step = 0;
	card->due_s = card->last_s +
		      (int64_t)fsrs_interval_days(o, card->memory.stability_days) * CALENDAR_DAY_S;
}

static void stay(struct fsrs_card *card, size_t step, int64_t after_s)
{
	card->step = step;
	card->due_s = card->last_s + after_s;
}

/* The next of the short steps of learning or relearning. */
static void learn(struct fsrs_card *card, const struct fsrs_options *o, enum fsrs_rating g)
{
	assert(o->n_learning <= FSRS_MOST_STEPS && o->n_relearning <= FSRS_MOST_STEPS);
	bool again = card->state == FSRS_RELEARNING;
	const int64_t *steps = again ? o->relearning_s : o->learning_s;
	size_t n = again ? o->n_relearning : o->n_learning, i = card->step;
	bool done = n == 0 || (i >= n && g >= FSRS_HARD);
	if (done || g == FSRS_EASY || (g == FSRS_GOOD && i + 1 == n))
		graduate(card, o);
	else if (g == FSRS_AGAIN)
		stay(card, 0, steps[0]);
	else if (g == FSRS_GOOD)
		stay(card, i + 1, steps[i + 1]);
	else if (i > 0)
		stay(card, i, steps[i]);
	else
		stay(card, 0, n == 1 ? steps[0] * 3 / 2 : (steps[0] + steps[1]) / 2);
}

static double whole_days(int64_t from_s, int64_t to_s)
{
	int64_t days = to_s > from_s ? (to_s - from_s) / CALENDAR_DAY_S : 0;
	return (double)days;
}

void fsrs_review(
	struct fsrs_card *card, const struct fsrs_options *o, enum fsrs_rating g, int64_t now_s)
{
	bool known = card->memory.stability_days > 0;
	double days = known ? whole_days(card->last_s, now_s) : 0;
	card->memory = fsrs_remember(o->w, card->memory, days, g);
	card->last_s = now_s;
	if (card->state != FSRS_REVIEW) {
		learn(card, o, g);
	} else if (g == FSRS_AGAIN && o->n_relearning > 0) {
		card->state = FSRS_RELEARNING;
		stay(card, 0, o->relearning_s[0]);
	} else {
		graduate(card, o);
	}
}

double fsrs_card_recall(const struct fsrs_card *card, const struct fsrs_options *o, int64_t now_s)
{
	if (card->memory.stability_days <= 0)
		return 0;
	return fsrs_recall(o->w, whole_days(card->last_s, now_s), card->memory.stability_days);
}

enum fsrs_rating fsrs_rate(const struct fsrs_outcome *o)
{
	if (!o->correct)
		return FSRS_AGAIN;
	if (o->hints > 0 || o->attempts > 1 || o->took_s > 1.5 * o->par_s)
		return FSRS_HARD;
	return o->took_s <= 0.5 * o->par_s && !o->scratch ? FSRS_EASY : FSRS_GOOD;
}
