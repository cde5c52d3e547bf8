/* The working that people read is right as written: a reader with a calculator gets the value. */
#include "sims/formulas/formula.h"
#include "sims/formulas/formula_text.h"
#include "sims/formulas/call.h"
#include "sims/quantity/quantity.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMS = 16, TEXT_SIZE = 4096 };

/* Printed numbers have three or four digits, so arithmetic on them is done on intervals: every
 * number that could have been printed so, and all that follows from it. */
struct range {
	double low, high;
};

static struct range point(double x)
{
	return (struct range){ x, x };
}

static double least(const double x[4])
{
	return fmin(fmin(x[0], x[1]), fmin(x[2], x[3]));
}

static double most(const double x[4])
{
	return fmax(fmax(x[0], x[1]), fmax(x[2], x[3]));
}

static struct range combine(struct range a, char op, struct range b)
{
	if (op == '+')
		return (struct range){ a.low + b.low, a.high + b.high };
	if (op == '-')
		return (struct range){ a.low - b.high, a.high - b.low };
	if (op == '/' && b.low <= 0 && b.high >= 0)
		return (struct range){ -INFINITY, INFINITY };
	double x[4] = { a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high };
	double q[4] = { a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high };
	double p[4] = { pow(a.low, b.low), pow(a.low, b.high), pow(a.high, b.low),
		pow(a.high, b.high) };
	const double *all = op == 'x' ? x : op == '/' ? q : p;
	return (struct range){ least(all), most(all) };
}

struct reader {
	const char *at;
	bool result; /* behind the sign of equality: always rounded */
	bool failed;
};

static bool take(struct reader *r, const char *s)
{
	size_t n = strlen(s);

	if (strncmp(r->at, s, n) != 0)
		return false;
	r->at += n;
	return true;
}

/* In base units: seconds, bytes, FLOP, dollars. A bit counts as a number, so that "/ 8" makes bytes
 * of bits. Words that are not units ("KV heads") say what is counted. */
static double unit_factor(const char *unit)
{
	struct unit u;

	if (strcmp(unit, "bit") == 0 || strcmp(unit, "bits") == 0 || !unit_parse(unit, &u))
		return 1;
	return u.factor * pow(8, -u.dim[DIM_INFORMATION]);
}

static double scale_word(const char *word)
{
	static const struct {
		const char *word;
		double factor;
	} scales[] = { { "million", 1e6 }, { "billion", 1e9 }, { "trillion", 1e12 } };

	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
		if (strcmp(word, scales[i].word) == 0)
			return scales[i].factor;
	return 0;
}

/* Digits, without the commas of thousands; *place is the decimal place of the last one. */
static double read_digits(struct reader *r, int *place)
{
	char digits[64];
	size_t n = 0;
	bool point_seen = false;

	*place = 0;
	for (; n < sizeof digits - 8; r->at++) {
		if (*r->at == ',' && isdigit((unsigned char)r->at[1]))
			continue;
		if (!isdigit((unsigned char)*r->at) && *r->at != '.')
			break;
		*place -= point_seen;
		point_seen = point_seen || *r->at == '.';
		digits[n++] = *r->at;
	}
	if (*r->at == 'e') {
		size_t k = strspn(r->at, "e-0123456789");
		snprintf(digits + n, sizeof digits - n, "%.*s", (int)(k < 8 ? k : 7), r->at);
		*place += (int)strtol(r->at + 1, NULL, 10);
		r->at += k;
	} else {
		digits[n] = '\0';
	}
	return strtod(digits, NULL);
}

/* The words behind a number, up to an operator or a bracket. */
static void read_unit(struct reader *r, char *unit, size_t size)
{
	size_t n = 0;

	while (*r->at && !strchr(",)^", *r->at) && n < size - 1) {
		if (*r->at == ' ' && (!r->at[1] || strchr("x/+-=<>", r->at[1])) &&
			(r->at[2] == ' ' || !r->at[1]))
			break;
		unit[n++] = *r->at++;
	}
	unit[n] = '\0';
}

/* A number and what it may stand for. Whole numbers without a prefix are written out; others have
 * at least three digits, of which zeros at the end are left out. */
static struct range read_number(struct reader *r)
{
	char unit[96], first[32] = "";
	bool dollars = take(r, "$");
	int place;
	double value = read_digits(r, &place), factor = dollars ? unit_factor("$") : 1;
	read_unit(r, unit, sizeof unit);
	const char *rest = unit + strspn(unit, " ");
	sscanf(rest, "%31s", first);
	if (dollars && *rest == '/') {
		char whole_unit[104];
		snprintf(whole_unit, sizeof whole_unit, "$%s", rest);
		factor = unit_factor(whole_unit);
	} else if (scale_word(first) > 0) {
		factor *= scale_word(first);
	} else if (*first) {
		factor *= unit_factor(first);
	}
	bool exact = place == 0 && factor == 1 && !r->result;
	if (value > 0 && floor(log10(value)) - 2 < place)
		place = (int)floor(log10(value)) - 2;
	double half = exact ? 0 : 0.5000001 * pow(10, place);
	return (struct range){ (value - half) * factor, (value + half) * factor };
}

static struct range read_sum(struct reader *r);

static double apply(const char *name, double x)
{
	static const struct {
		const char *name;
		double (*call)(double);
	} functions[] = { { "ceil(", whole }, { "floor(", floor }, { "abs(", fabs },
		{ "sqrt(", sqrt }, { "round(", rint }, { "ln(", log }, { "log2(", log2 },
		{ "log10(", log10 }, { "exp(", exp }, { "erfc(", erfc },
		{ "H(", harmonic_number } };

	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (strcmp(name, functions[i].name) == 0)
			return functions[i].call(x);
	return NAN;
}

static struct range read_call(struct reader *r, const char *name)
{
	struct range a = read_sum(r), b = a;
	bool two = take(r, ", ");

	if (two)
		b = read_sum(r);
	r->failed = r->failed || !take(r, ")");
	if (strcmp(name, "max(") == 0)
		return (struct range){ fmax(a.low, b.low), fmax(a.high, b.high) };
	if (strcmp(name, "min(") == 0)
		return (struct range){ fmin(a.low, b.low), fmin(a.high, b.high) };
	if (strcmp(name, "Erlang C(") == 0)
		return (struct range){ erlang_c(a.low, b.low), erlang_c(a.high, b.high) };
	double low = apply(name, a.low), high = apply(name, a.high);
	r->failed = r->failed || two || isnan(low) || isnan(high);
	return (struct range){ fmin(low, high), fmax(low, high) };
}

static struct range read_operand(struct reader *r)
{
	char name[32];
	size_t n = 0;

	if (take(r, "-"))
		return combine(point(0), '-', read_operand(r));
	if (take(r, "(")) {
		struct range inner = read_sum(r);
		r->failed = r->failed || !take(r, ")");
		return inner;
	}
	if (!isalpha((unsigned char)*r->at))
		return read_number(r);
	while (r->at[n] && r->at[n] != '(' && n < sizeof name - 2)
		n++;
	snprintf(name, sizeof name, "%.*s(", (int)n, r->at);
	r->at += n;
	r->failed = r->failed || !take(r, "(");
	return r->failed ? point(NAN) : read_call(r, name);
}

static struct range read_power(struct reader *r)
{
	struct range a = read_operand(r);

	return take(r, "^") ? combine(a, '^', read_operand(r)) : a;
}

static struct range read_product(struct reader *r)
{
	struct range a = read_power(r);

	while (!r->failed)
		if (take(r, " x "))
			a = combine(a, 'x', read_power(r));
		else if (take(r, " / "))
			a = combine(a, '/', read_power(r));
		else
			break;
	return a;
}

static struct range read_sum(struct reader *r)
{
	struct range a = read_product(r);

	while (!r->failed)
		if (take(r, " + "))
			a = combine(a, '+', read_product(r));
		else if (take(r, " - "))
			a = combine(a, '-', read_product(r));
		else
			break;
	return a;
}

/* Whether the arithmetic of "... = value" gives the value; *open: the digits leave it open. */
static bool holds(const char *working, bool *open)
{
	struct reader r = { .at = working };
	struct range left = read_sum(&r);

	if (r.failed || !take(&r, " = "))
		return false;
	r.result = true;
	struct range right = read_sum(&r);
	double slack = 1e-9 * fmax(fabs(right.low), fabs(right.high));
	*open = !(left.high - left.low <= 0.1 * fmax(fabs(left.high), fabs(left.low)) + slack);
	return !r.failed && !*r.at && left.low <= right.high + slack &&
	       left.high >= right.low - slack;
}

Test(arithmetic, the_reader_tells_right_from_wrong)
{
	static const struct {
		const char *working;
		bool holds;
	} rows[] = {
		{ "64 GPUs x 72 h x $10.20/h = $47,002", true },
		{ "64 GPUs x 72 h / 3600 x $10.20/h = $47,002", false },
		{ "64 GPUs x 72 x $10.20/h = $47,002", false },
		{ "2 x 80 layers x 8 KV heads x 128 head dim x 8,192 tokens x 2 B = 2.68 GB",
			true },
		{ "2 x 80 layers x 8 KV heads x 128 head dim x 8,192 tokens x 2 B = 2.67 GB",
			false },
		{ "2 x 80 layers x 8 KV heads x 128 head dim x 8,192 tokens = 2.68 GB", false },
		{ "16^0.5 = 4", true },
		{ "3.8 / (2^(8 - 1) - 1) = 0.02992", true },
		{ "0.3 - (-0.2) x 0.1 = 0.32", true },
		{ "ceil(410 ms / 100 ms) = 5", true },
		{ "7.24 billion params x 4.127 bits / 8 = 3.73 GB", true },
		{ "ceil(410 ms / 100 ms) = 4", false },
		{ "min(312 TFLOP/s, 100 FLOP/B x 2 TB/s) = 200 TFLOP/s", true },
		{ "min(312 TFLOP/s, 100 FLOP/B x 2 TB/s) = 312 TFLOP/s", false },
		{ "1 / (1 - 0.5", false },
		{ "1 + = 1", false },
		{ "sin(1) = 0.84", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool open, got = holds(rows[i].working, &open);
		cr_expect(got == rows[i].holds, "%s", rows[i].working);
	}
}

static void expect_right(const struct formula *f, const double args[])
{
	char working[TEXT_SIZE];
	bool open = false;

	/* The largest values round to more than a double holds. */
	if (!(fabs(f->call(args)) < 1e300))
		return;
	formula_working(f, args, true, working, sizeof working);
	bool right = holds(working, &open);
	cr_expect(right, "%s: %s", f->id, working);
}

/* Every row at its example, and with each parameter at other values of its domain. */
Test(arithmetic, every_working_is_right_as_written)
{
	static const double factors[] = { 1, 0.5, 3, 1000 };
	size_t n_open = 0;

	for (size_t i = 0; i < n_formulas; i++) {
		const struct formula *f = &formulas[i];
		double args[MAX_PARAMS];
		char working[TEXT_SIZE];
		bool open = false;
		for (size_t j = 0; j < f->n_params; j++)
			args[j] = f->params[j].example;
		formula_working(f, args, true, working, sizeof working);
		holds(working, &open);
		n_open += open;
		for (size_t j = 0; j < f->n_params; j++)
			for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
				const struct formula_param *p = &f->params[j];
				args[j] = fmin(p->max, fmax(p->min, p->example * factors[k]));
				expect_right(f, args);
				args[j] = p->example;
			}
	}
	cr_expect(n_open * 20 < n_formulas, "%zu workings say too little to be checked", n_open);
}
