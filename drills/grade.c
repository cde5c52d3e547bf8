/* How an answer is graded. The idea is that of diagnosing by known bugs (Brown and Burton,
 * "Diagnostic models for procedural bugs in basic mathematical skills", 1978): a wrong answer is
 * compared with what each known mistake would have given, so that it can be named and earn part of
 * the credit. The order matters and goes from certain to vague. What cannot be read, lacks its unit
 * or is of another kind is said before any number is looked at. Then: within the tolerance it is
 * right, and so is the quotient that a count was rounded from, 34.2 GPUs for 35. Within 1.5 % of a
 * known mistake (less where the tolerance is finer) it is that mistake, and deal_draw.c takes care
 * that no mistake is that near to the key, nor rounds to it. (What rounds to a mistake is not taken
 * for it: of a small count that is a third of all answers.) Next come the ratio of a
 * binary to a decimal prefix, so many digits too few that a right answer may have been rounded to
 * this, and other ratios that mean something (ratio.c): each could also come about by chance, so
 * each earns no more than half. What is within twice the tolerance is close, as is what is
 * within 5 % where 1 % or less precision is asked for, and the rest is wrong. */
#include "drills/grade.h"

#include "sims/base/array.h"
#include "drills/answer.h"
#include "drills/ratio.h"
#include "sims/quantity/quantity.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const verdict_names[N_VERDICTS] = {
	[VERDICT_INVALID] = "INVALID",
	[VERDICT_NEED_UNIT] = "NEED_UNIT",
	[VERDICT_WRONG_DIM] = "WRONG_DIM",
	[VERDICT_CORRECT] = "CORRECT",
	[VERDICT_NAMED] = "NAMED",
	[VERDICT_RATIO] = "RATIO",
	[VERDICT_COARSE] = "COARSE",
	[VERDICT_NEAR] = "NEAR",
	[VERDICT_WRONG] = "WRONG",
};

const char *const verdict_words[N_VERDICTS] = {
	[VERDICT_INVALID] = "cannot be read; no attempt used",
	[VERDICT_NEED_UNIT] = "the unit is part of the answer: type it too",
	[VERDICT_WRONG_DIM] = "a quantity of another kind",
	[VERDICT_CORRECT] = "right",
	[VERDICT_NAMED] = "not right: a known mistake",
	[VERDICT_RATIO] = "not right, but off by a telling ratio",
	[VERDICT_COARSE] = "too few digits to tell right from wrong",
	[VERDICT_NEAR] = "close, but outside the tolerance",
	[VERDICT_WRONG] = "not right",
};

static const double HALF = 0.5, QUARTER = 0.25;

static void give(struct grade *g, enum verdict verdict, double credit)
{
	g->verdict = verdict;
	g->credit = credit;
	g->attempt_used = verdict != VERDICT_INVALID && verdict != VERDICT_NEED_UNIT;
}

/* Names every mistake that the answer may come from, as "A" or "either A or B"; the credit is that
 * of the first. */
static bool named_mistakes(const struct question *q, double x, struct grade *g)
{
	double near = question_diagnosis_ratio(q);
	size_t n = 0, used = 0;
	char names[sizeof g->remark] = "";
	for (size_t i = 0; i < q->n_mistakes && used < sizeof names; i++) {
		const struct mistake *m = &q->mistakes[i];
		if (fabs(x - m->value) > near * fabs(m->value) * (1 + 1e-9))
			continue;
		used += (size_t)snprintf(
			names + used, sizeof names - used, "%s%s", n ? " or " : "", m->name);
		if (n++)
			continue;
		give(g, VERDICT_NAMED, m->credit);
		snprintf(g->cause, sizeof g->cause, "%s", m->name);
	}
	snprintf(g->remark, sizeof g->remark, "%s%.300s", n > 1 ? "either " : "", names);
	return n > 0;
}

/* Whether the digits that were typed could be the rounding of an accepted number. Where an order of
 * magnitude is asked for, digits do not matter. */
static bool too_coarse(const struct question *q, double x, double half_digit)
{
	double low, high;
	question_accepted(q, &low, &high);
	return q->tolerance.mode != TOLERANCE_FACTOR && half_digit > 0 && x - half_digit <= high &&
	       x + half_digit >= low && half_digit < 0.5 * fabs(q->key);
}

/* The 5 % are a rounded peak of a curve. What is asked more precisely turns on its digits. */
static bool is_near(const struct question *q, double x)
{
	static const double rounded = 0.05, precise = 0.01;
	const double twice = 2 * q->tolerance.amount;
	const double within = q->tolerance.amount >= precise ? fmax(twice, rounded) : twice;
	return q->tolerance.mode == TOLERANCE_RELATIVE &&
	       fabs(x - q->key) <= within * fabs(q->key) * (1 + 1e-9);
}

/* "per request" and "per GPU" are soft units: an answer that differs only in them counts, with a
 * remark. */
static void note_soft(const struct answer *a, struct grade *g)
{
	static const struct {
		enum dimension dim;
		const char *name;
	} soft[] = { { DIM_DEVICE, "GPU" }, { DIM_REQUEST, "request" } };
	for (size_t i = 0; i < LENGTH(soft); i++) {
		int given = a->given.dim[soft[i].dim], asked = a->asked.dim[soft[i].dim];
		size_t used = strlen(g->remark);
		if (given == asked)
			continue;
		bool missing = asked != 0;
		snprintf(g->remark + used, sizeof g->remark - used, "%s\"%s%s\" %swritten%s",
			used ? "; " : "", (missing ? asked : given) < 0 ? "per " : "", soft[i].name,
			missing ? "not " : "", missing ? "" : ", not asked");
	}
}

/* "cards come whole: 34.2 rounds up to 35", by the word for them that was typed. */
static void note_rounding(
	const struct question *q, const struct answer *a, double rounded, struct grade *g)
{
	char given[40], whole[40];
	const char *name = *a->counted                      ? a->counted
			   : a->asked.dim[DIM_DEVICE] == 1  ? "GPUs"
			   : a->asked.dim[DIM_REQUEST] == 1 ? "requests"
							    : "";
	const size_t used = strlen(g->remark);
	snprintf(g->remark + used, sizeof g->remark - used, "%s%s%s: %s rounds %s to %s",
		used ? "; " : "", name, *name ? " come whole" : "it is a whole number",
		number_write(given, sizeof given, a->value, 7),
		q->whole == WHOLE_UP ? "up" : "down",
		number_write(whole, sizeof whole, rounded, 7));
}

static void grade_value(const struct question *q, const struct answer *a, struct grade *g)
{
	const double x = a->value, rounded = question_rounded(q, x);
	if (question_accepts(q, rounded)) {
		give(g, VERDICT_CORRECT, 1);
		note_soft(a, g);
		if (rounded != x)
			note_rounding(q, a, rounded, g);
	} else if (named_mistakes(q, x, g)) {
		return;
	} else if (ratio_is_binary(q, x, g->remark, sizeof g->remark)) {
		give(g, VERDICT_RATIO, HALF);
		snprintf(g->cause, sizeof g->cause, "decimal vs binary");
	} else if (too_coarse(q, x, a->half_digit)) {
		give(g, VERDICT_COARSE, HALF);
		snprintf(g->cause, sizeof g->cause, "too few digits");
	} else if (ratio_reasons(q, x, a->half_digit, g->remark, sizeof g->remark, g->cause,
			   sizeof g->cause)) {
		give(g, VERDICT_RATIO, QUARTER);
	} else if (is_near(q, x)) {
		give(g, VERDICT_NEAR, HALF);
	} else {
		give(g, VERDICT_WRONG, 0);
		if (question_accepts(q, -x)) {
			snprintf(g->remark, sizeof g->remark, "only the sign differs");
			snprintf(g->cause, sizeof g->cause, "sign");
		}
	}
}

/* Which units a bare number could have: small and large ones, since the one that fits would tell the size of
 * the answer. */
static void ask_unit(const struct unit *asked, struct grade *g)
{
	static const char *const units[N_DIMENSIONS][3] = { [DIM_TIME] = { "us", "ms", "s" },
		[DIM_INFORMATION] = { "MB", "GB", "TB" },
		[DIM_WORK] = { "GFLOP", "TFLOP", "PFLOP" },
		[DIM_ENERGY] = { "J", "kJ", "MJ" } };
	char words[96];
	int amount = N_DIMENSIONS, others = 0;
	for (int d = 0; d < N_DIMENSIONS; d++)
		if (asked->dim[d] == 1 && amount == N_DIMENSIONS)
			amount = d;
		else
			others += asked->dim[d] != 0;
	const bool rate = others == 1 && asked->dim[DIM_TIME] == -1;
	const char *per = rate ? "/s" : "";
	const int used = snprintf(g->remark, sizeof g->remark, "type it with a unit of %s",
		unit_words(asked, words, sizeof words));
	if (amount == N_DIMENSIONS || !units[amount][0] || others > rate)
		return;
	snprintf(g->remark + used, sizeof g->remark - (size_t)used, ": %s%s, %s%s, %s%s or another",
		units[amount][0], per, units[amount][1], per, units[amount][2], per);
}

void grade_answer(
	const struct question *q, const char *text, bool unit_was_asked, struct grade *out)
{
	assert(q && text && out);
	struct answer a;
	answer_read(q, text, &a);
	*out = (struct grade){ .has_value = a.kind == ANSWER_READ || a.kind == ANSWER_BARE,
		.value = a.value,
		.expression = a.expression };
	snprintf(out->understood, sizeof out->understood, "%s", a.understood);
	bool zero_is_zero = q->key == 0 && a.value == 0;
	if (a.kind == ANSWER_INVALID) {
		give(out, VERDICT_INVALID, 0);
		snprintf(out->remark, sizeof out->remark, "%s", a.problem);
	} else if (a.kind == ANSWER_BARE && q->unit_policy == UNIT_REQUIRED && !zero_is_zero) {
		give(out, VERDICT_NEED_UNIT, 0);
		out->attempt_used = unit_was_asked;
		out->understood[0] = '\0';
		ask_unit(&a.asked, out);
		out->has_value = false;
	} else if (a.kind == ANSWER_WRONG_DIM) {
		give(out, VERDICT_WRONG_DIM, 0);
		snprintf(out->remark, sizeof out->remark, "%s", a.problem);
		snprintf(out->cause, sizeof out->cause, "wrong kind of quantity");
	} else {
		grade_value(q, &a, out);
	}
}
