#include "drills/question.h"

#include "sims/quantity/quantity_parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const tag_names[N_TAGS] = { "info", "kv", "flops", "peak", "link", "dtype", "train",
	"time" };

static const double ROUNDING = 1e-9, MOST_DIAGNOSIS = 0.015;

/* The same width as a difference from the key, in q->unit. Of a factor there is none. */
static double half_width(const struct question *q)
{
	struct unit unit, shown;
	double v = fabs(q->key), t = q->tolerance.amount;
	switch (q->tolerance.mode) {
	case TOLERANCE_RELATIVE:
		return t * v * (1 + ROUNDING);
	case TOLERANCE_ABSOLUTE:
		if (unit_parse(q->unit, &unit) && unit_parse(q->shown_unit, &shown))
			t *= shown.factor / unit.factor;
		return t * (1 + ROUNDING);
	case TOLERANCE_DIGITS:
		return 0.51 * pow(10, floor(log10(v)) - t + 1);
	case TOLERANCE_FACTOR:
	case TOLERANCE_EXACT:
		break;
	}
	return ROUNDING * v;
}

bool question_accepts(const struct question *q, double value)
{
	if (q->tolerance.mode != TOLERANCE_FACTOR)
		return fabs(value - q->key) <= half_width(q);
	double ratio = value / q->key;
	return ratio > 0 && fmax(ratio, 1 / ratio) <= q->tolerance.amount * (1 + ROUNDING);
}

void question_accepted(const struct question *q, double *low, double *high)
{
	bool factor = q->tolerance.mode == TOLERANCE_FACTOR;
	double f = q->tolerance.amount, w = factor ? 0 : half_width(q);
	double a = factor ? q->key / f : q->key - w, b = factor ? q->key * f : q->key + w;
	*low = fmin(a, b);
	*high = fmax(a, b);
}

double question_tolerance_ratio(const struct question *q)
{
	if (q->tolerance.mode == TOLERANCE_FACTOR)
		return q->tolerance.amount - 1;
	return q->key == 0 ? INFINITY : half_width(q) / fabs(q->key);
}

double question_diagnosis_ratio(const struct question *q)
{
	return fmin(question_tolerance_ratio(q), MOST_DIAGNOSIS);
}

bool question_separable(const struct question *q)
{
	double apart = log1p(question_tolerance_ratio(q)) + log1p(question_diagnosis_ratio(q));
	for (size_t i = 0; i < q->n_mistakes; i++) {
		double m = q->mistakes[i].value;
		bool same = fabs(m - q->key) <= ROUNDING * fabs(q->key);
		if (!same && m / q->key > 0 && fabs(log(m / q->key)) <= apart)
			return false;
	}
	return true;
}

static int fail(char *err, size_t err_size, const char *what)
{
	snprintf(err, err_size, "%s", what);
	return -1;
}

static int check_tolerance(const struct question *q, char *err, size_t err_size)
{
	double t = q->tolerance.amount;
	bool ok = true;
	switch (q->tolerance.mode) {
	case TOLERANCE_RELATIVE:
		ok = t > 0 && t < 1;
		break;
	case TOLERANCE_ABSOLUTE:
		ok = t > 0 && t < INFINITY;
		break;
	case TOLERANCE_FACTOR:
		ok = t > 1 && t <= 1000;
		break;
	case TOLERANCE_DIGITS:
		ok = t >= 1 && t <= 15 && t == floor(t);
		break;
	case TOLERANCE_EXACT:
		break;
	}
	if (!ok)
		return fail(err, err_size,
			"mode: rel is in (0, 1), abs above 0, geo in (1, 1000], sigfig 1 to 15");
	if (q->key == 0 && q->tolerance.mode != TOLERANCE_ABSOLUTE)
		return fail(err, err_size, "key: 0 can only be asked with {\"abs\": ...}");
	return 0;
}

static int check_units(const struct question *q, char *err, size_t err_size)
{
	struct unit unit, shown;
	if (!unit_parse(q->unit, &unit)) {
		snprintf(err, err_size, "unit: \"%s\" is no unit", q->unit);
		return -1;
	}
	if (!unit_parse(q->shown_unit, &shown)) {
		snprintf(err, err_size, "shown_unit: \"%s\" is no unit", q->shown_unit);
		return -1;
	}
	/* A count of parameters may also be shown as "billion". */
	const struct unit plain = { .factor = 1 };
	if (!unit_same_dimension(&unit, &shown) && !unit_same_dimension(&plain, &shown)) {
		snprintf(err, err_size, "shown_unit: \"%s\" and \"%s\" differ in dimension",
			q->shown_unit, q->unit);
		return -1;
	}
	return 0;
}

int question_check(const struct question *q, char *err, size_t err_size)
{
	if (!isfinite(q->key))
		return fail(err, err_size, "key: not a finite number");
	if (check_units(q, err, err_size) || check_tolerance(q, err, err_size))
		return -1;
	for (size_t i = 0; i < q->n_factors; i++)
		if (!isfinite(q->factors[i].value)) {
			snprintf(err, err_size, "factors: %s is not finite", q->factors[i].name);
			return -1;
		}
	for (size_t i = 0; i < q->n_mistakes; i++) {
		const struct mistake *m = &q->mistakes[i];
		if (!isfinite(m->value) || !(m->credit >= 0 && m->credit <= 1)) {
			snprintf(err, err_size,
				"mistakes: \"%s\" needs a finite value and a credit in 0..1",
				m->name);
			return -1;
		}
	}
	return 0;
}

/* Whether a number of the example would say something about the answer. */
static bool gives_away(const struct question *q, double value)
{
	double t = question_tolerance_ratio(q);
	double wide = t < 1 ? 2 * t : t;
	for (size_t i = 0; i <= q->n_mistakes; i++) {
		double v = i < q->n_mistakes ? q->mistakes[i].value : q->key;
		if (v != 0 && value / v > 0 && fabs(log(value / v)) <= log1p(wide) + log1p(t))
			return true;
	}
	return question_accepts(q, value);
}

/* What an example of x, in the shown unit, says: x and the ends of its interval. */
static void example_ends(const struct question *q, double x, double *low, double *high)
{
	double t = q->tolerance.amount;
	double w = q->tolerance.mode == TOLERANCE_RELATIVE ? t * x : t;
	if (q->tolerance.mode == TOLERANCE_DIGITS)
		w = 0.5 * pow(10, floor(log10(x)) - t + 1);
	bool factor = q->tolerance.mode == TOLERANCE_FACTOR;
	*low = factor ? x / t : x - w;
	*high = factor ? x * t : x + w;
}

static double example_for(const struct question *q, double shown_per_unit)
{
	static const double examples[] = { 200, 40, 1000, 8, 5000, 1, 2e4, 0.2, 3e5, 0.01, 7e6 };
	size_t n = sizeof examples / sizeof *examples;
	for (size_t i = 0; i < n; i++) {
		double low, high, x = examples[i];
		example_ends(q, x, &low, &high);
		if (low > 0 && !gives_away(q, x * shown_per_unit) &&
			!gives_away(q, low * shown_per_unit) &&
			!gives_away(q, high * shown_per_unit))
			return x;
	}
	return 0;
}

char *tolerance_words(const struct question *q, char *buf, size_t size)
{
	char rule[128], number[64], text[3][64];
	struct unit unit, shown;
	double t = q->tolerance.amount, low, high, per = 1;
	if (q->tolerance.mode == TOLERANCE_EXACT) {
		snprintf(buf, size, "exactly");
		return buf;
	}
	number_format(number, sizeof number, q->tolerance.mode == TOLERANCE_RELATIVE ? 100 * t : t);
	if (q->tolerance.mode == TOLERANCE_RELATIVE)
		snprintf(rule, sizeof rule, "within %s %%", number);
	else if (q->tolerance.mode == TOLERANCE_FACTOR)
		snprintf(rule, sizeof rule, "within a factor of %s", number);
	else if (q->tolerance.mode == TOLERANCE_DIGITS)
		snprintf(rule, sizeof rule, "to %s digits", number);
	else
		snprintf(rule, sizeof rule, "within %s %.40s", number, q->shown_unit);
	if (unit_parse(q->unit, &unit) && unit_parse(q->shown_unit, &shown))
		per = shown.factor / unit.factor;
	double x = example_for(q, per);
	if (x == 0) {
		snprintf(buf, size, "%s", rule);
		return buf;
	}
	example_ends(q, x, &low, &high);
	quantity_format(text[0], sizeof text[0], x, q->shown_unit);
	number_format(text[1], sizeof text[1], low);
	quantity_format(text[2], sizeof text[2], high, q->shown_unit);
	snprintf(buf, size, "%s: for %s, %s to %s count", rule, text[0], text[1], text[2]);
	return buf;
}
