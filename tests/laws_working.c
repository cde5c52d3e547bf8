/* A reader of printed workings: what a person does with a calculator. Its arithmetic is that of
 * intervals, so that the digits which were printed decide what is near enough. */
#include "tests/laws.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct reader {
	const char *at;
	const struct formula *formula;
	const char *wrong; /* the first thing that was, or NULL */
};

static struct range fail(struct reader *r, const char *what)
{
	if (!r->wrong)
		r->wrong = what;
	return (struct range){ NAN, NAN, NAN };
}

static bool take(struct reader *r, const char *text)
{
	size_t n = strlen(text);
	if (strncmp(r->at, text, n) != 0)
		return false;
	r->at += n;
	return true;
}

static struct range range_of(double a, double b, double x)
{
	return (struct range){ fmin(a, b), x, fmax(a, b) };
}

static struct range multiply(struct range a, struct range b)
{
	double p = a.low * b.low, q = a.low * b.high, s = a.high * b.low, t = a.high * b.high;
	return (struct range){ fmin(fmin(p, q), fmin(s, t)), a.x * b.x,
		fmax(fmax(p, q), fmax(s, t)) };
}

static struct range inverse(struct reader *r, struct range a)
{
	if (a.low <= 0 && a.high >= 0)
		return fail(r, "a division by what may be zero");
	return (struct range){ 1 / a.high, 1 / a.x, 1 / a.low };
}

static struct range scaled(struct range a, double by)
{
	return range_of(a.low * by, a.high * by, a.x * by);
}

/* "8,192", "2.68", "1.07e19". Sizes below 1,000 are printed to three digits where they have a unit,
 * others to four, and zeros at the end are left out: 80 may have been 80.04. Money is in cents. */
static struct range read_number(struct reader *r, bool money)
{
	char digits[64];
	size_t n = 0;
	int after_point = -1, exponent = 0, used = 0;
	for (const char *p = r->at; n + 1 < sizeof digits; p++) {
		bool group = *p == ',' && after_point < 0 && isdigit((unsigned char)p[1]) &&
			     isdigit((unsigned char)p[2]) && isdigit((unsigned char)p[3]) &&
			     !isdigit((unsigned char)p[4]);
		if (!isdigit((unsigned char)*p) && !group && !(*p == '.' && after_point < 0))
			break;
		after_point += *p == '.' || (after_point >= 0 && isdigit((unsigned char)*p));
		if (*p != ',')
			digits[n++] = *p;
		r->at++;
	}
	digits[n] = '\0';
	if (n && sscanf(r->at, "e%d%n", &exponent, &used) == 1 && used)
		r->at += used;
	if (n == 0)
		return fail(r, "a number was expected");
	double x = strtod(digits, NULL), half = 0;
	if (x > 0) {
		int last = after_point > 0 ? -after_point : 0;
		int third = (int)floor(log10(x)) - (money || *r->at == ' ' ? 2 : 3);
		half = 0.5 * pow(10, last < third ? last : third);
		half = money && last == -2 ? 0.005 : half;
	}
	double power = pow(10, exponent);
	return (struct range){ (x - half) * power, x * power, (x + half) * power };
}

/* 10^n of an SI prefix, and whether what follows it is the rest; "" is a prefix too. */
static bool has_prefix(const char *text, const char *rest, double *factor)
{
	static const char letters[] = "num kMGTPEZ";
	if (strcmp(text, rest) == 0) {
		*factor = 1;
		return true;
	}
	const char *p = *text ? strchr(letters, *text) : NULL;
	if (!p || *p == ' ' || strcmp(text + 1, rest) != 0)
		return false;
	*factor = pow(10, 3 * (int)(p - letters) - 9);
	return true;
}

/* What one of a printed unit is in one that the formula's table names. A value in in_hours() or
 * in_kwh() is printed in that unit, and taken in it. */
static bool unit_ratio(const char *printed, const char *unit, const char *expression, double *ratio)
{
	static const struct {
		const char *printed, *unit, *inside;
		double ratio;
	} rows[] = { { "h", "s", "in_hours(", 3600 }, { "d", "s", NULL, 86400 },
		{ "kWh", "J", "in_kwh(", 3.6e6 }, { "bits", "bit", NULL, 1 },
		{ "tokens", "token", NULL, 1 }, { "params", "param", NULL, 1 },
		{ "GPUs", "GPU", NULL, 1 }, { "$/Mtok", "$/token", NULL, 1e-6 } };
	static const struct {
		const char *unit, *in_a_rate;
	} counted[] = { { "token", "tok" }, { "req", "req" }, { "param", "param" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].printed, printed) == 0 && strcmp(rows[i].unit, unit) == 0) {
			bool inside = rows[i].inside && strstr(expression, rows[i].inside);
			*ratio = inside ? 1 : rows[i].ratio;
			return true;
		}
	if (has_prefix(printed, unit, ratio))
		return true;
	for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
		char rate[32];
		size_t n = strlen(counted[i].unit);
		if (strncmp(unit, counted[i].unit, n) != 0 || unit[n] != '/')
			continue;
		snprintf(rate, sizeof rate, "%s%s", counted[i].in_a_rate, unit + n);
		if (has_prefix(printed, rate, ratio))
			return true;
	}
	return false;
}

/* "108 SMs" of sm_count, "1 SM". */
static bool counts_capitals(const char *param, const char *words)
{
	while (*param && isupper((unsigned char)*words) &&
		*param == tolower((unsigned char)*words)) {
		param++;
		words++;
	}
	return strcmp(param, "_count") == 0 && (!*words || strcmp(words, "s") == 0);
}

/* "80 layers", "1 layer", "64 KV heads": one of the parameters, counted. */
static bool counts(const struct formula *f, const char *words)
{
	for (size_t i = 0; i < f->n_params; i++) {
		const char *p = f->params[i].name, *w = words;
		while (*p && (*p == tolower((unsigned char)*w) || (*p == '_' && *w == ' '))) {
			p++;
			w++;
		}
		if ((!*w && (!*p || strcmp(p, "s") == 0)) ||
			counts_capitals(f->params[i].name, words))
			return true;
	}
	return false;
}

/* What is written after a number, until an operator, a bracket or a comma. */
static void read_words(struct reader *r, char *words, size_t size)
{
	static const char *const ends[] = { " x ", " / ", " + ", " - ", " = ", ")", ",", "^" };
	size_t n = 0;
	r->at += *r->at == ' ' && isalpha((unsigned char)r->at[1]) && strncmp(r->at, " x ", 3) != 0;
	for (; *r->at; r->at++) {
		for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
			if (strncmp(r->at, ends[i], strlen(ends[i])) == 0)
				goto end;
		if (n + 1 < size)
			words[n++] = *r->at;
	}
end:
	words[n] = '\0';
}

static double take_multiplier(char *words)
{
	static const struct {
		const char *word;
		double value;
	} rows[] = { { "million", 1e6 }, { "billion", 1e9 }, { "trillion", 1e12 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = strlen(rows[i].word);
		if (strncmp(words, rows[i].word, n) == 0 && (!words[n] || words[n] == ' ')) {
			memmove(words, words + n + (words[n] == ' '),
				strlen(words + n + (words[n] == ' ')) + 1);
			return rows[i].value;
		}
	}
	return 1;
}

/* A number with what is written around it, in the unit that the formula takes. */
static struct range read_quantity(struct reader *r)
{
	char words[96], unit[100];
	double ratio = 1;
	const struct formula *f = r->formula;
	bool dollars = take(r, "$");
	struct range x = read_number(r, dollars);
	read_words(r, words, sizeof words);
	x = scaled(x, take_multiplier(words));
	snprintf(unit, sizeof unit, "%s%s", dollars ? "$" : "", words);
	if (!*unit)
		return x;
	for (size_t i = 0; i < f->n_params; i++)
		if (unit_ratio(unit, f->params[i].unit, f->expression, &ratio))
			return scaled(x, ratio);
	if (unit_ratio(unit, f->unit, "", &ratio))
		return scaled(x, ratio);
	return counts(f, unit) ? x : fail(r, "a unit that no parameter has");
}

static struct range read_sum(struct reader *r);

static struct range apply(struct range a, double (*f)(double))
{
	return range_of(f(a.low), f(a.high), f(a.x));
}

static double erlang(double servers, double utilisation)
{
	double load = servers * utilisation, term = 1, sum = 1;
	for (int i = 1; i < (int)servers; i++) {
		term *= load / i;
		sum += term;
	}
	double last = term * load / servers / (1 - utilisation);
	return last / (sum + last);
}

static double harmonic(double n)
{
	double sum = 0;
	for (int i = 1; i <= (int)n; i++)
		sum += 1.0 / i;
	return sum;
}

static struct range call(struct reader *r, const char *name, struct range a, struct range b)
{
	static const struct {
		const char *name;
		double (*f)(double); /* monotone */
	} rows[] = { { "ceil", ceil }, { "floor", floor }, { "abs", fabs }, { "sqrt", sqrt },
		{ "round", rint }, { "ln", log }, { "log2", log2 }, { "log10", log10 },
		{ "exp", exp }, { "expm1", expm1 }, { "log1p", log1p }, { "erfc", erfc },
		{ "H", harmonic } };
	if (strcmp(name, "max") == 0)
		return (struct range){ fmax(a.low, b.low), fmax(a.x, b.x), fmax(a.high, b.high) };
	if (strcmp(name, "min") == 0)
		return (struct range){ fmin(a.low, b.low), fmin(a.x, b.x), fmin(a.high, b.high) };
	if (strcmp(name, "Erlang C") == 0)
		return (struct range){ erlang(rint(a.x), b.low), erlang(rint(a.x), b.x),
			erlang(rint(a.x), b.high) };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].name, name) == 0)
			return apply(a, rows[i].f);
	return fail(r, "a function that nobody knows");
}

/* A bracket, with a name before it where it is a call. */
static struct range read_bracket(struct reader *r)
{
	char name[24];
	size_t n = strcspn(r->at, "(");
	if (n >= sizeof name || !r->at[n])
		return fail(r, "a name stands for no number");
	snprintf(name, sizeof name, "%.*s", (int)n, r->at);
	r->at += n + 1;
	struct range a = read_sum(r), b = a;
	if (take(r, ", "))
		b = read_sum(r);
	if (!take(r, ")"))
		return fail(r, "a bracket is not closed");
	return *name ? call(r, name, a, b) : a;
}

static struct range read_power(struct reader *r)
{
	if (take(r, "-"))
		return scaled(read_power(r), -1);
	bool number = isdigit((unsigned char)*r->at) || *r->at == '$';
	struct range base = number ? read_quantity(r) : read_bracket(r);
	if (!take(r, "^"))
		return base;
	struct range e = read_power(r);
	if (base.low <= 0)
		return fail(r, "a power of what is not positive");
	struct range logs = multiply(apply(base, log), e);
	return apply(logs, exp);
}

static struct range read_product(struct reader *r)
{
	struct range x = read_power(r);
	for (;;) {
		if (take(r, " x "))
			x = multiply(x, read_power(r));
		else if (take(r, " / "))
			x = multiply(x, inverse(r, read_power(r)));
		else
			return x;
	}
}

static struct range read_sum(struct reader *r)
{
	struct range x = read_product(r);
	for (;;) {
		bool plus = take(r, " + ");
		if (!plus && !take(r, " - "))
			return x;
		struct range y = scaled(read_product(r), plus ? 1 : -1);
		x = (struct range){ x.low + y.low, x.x + y.x, x.high + y.high };
	}
}

/* The result: of all units only the formula's own will do. */
static struct range read_result(struct reader *r)
{
	char words[96], unit[100];
	double ratio = 1;
	bool negative = take(r, "-"), dollars = take(r, "$");
	struct range x = read_number(r, dollars);
	read_words(r, words, sizeof words);
	x = scaled(x, take_multiplier(words) * (negative ? -1 : 1));
	snprintf(unit, sizeof unit, "%s%s", dollars ? "$" : "", words);
	if (strcmp(unit, r->formula->unit) != 0 && !unit_ratio(unit, r->formula->unit, "", &ratio))
		return fail(r, "the result has another unit");
	return scaled(x, ratio);
}

int working_read(const char *text, const struct formula *f, struct range *computed,
	struct range *stated, char *why, size_t size)
{
	struct reader r = { .at = text, .formula = f };
	*computed = read_sum(&r);
	if (!r.wrong && !take(&r, " = "))
		fail(&r, "\" = \" was expected");
	if (!r.wrong)
		*stated = read_result(&r);
	if (!r.wrong && *r.at)
		fail(&r, "more follows the result");
	if (!r.wrong)
		return 0;
	snprintf(why, size, "%s at \"%.20s\"", r.wrong, r.at);
	return -1;
}
