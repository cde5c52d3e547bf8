/* The C text of a row's expression is read into a tree (products and sums flat, as they are spoken: all
 * factors of a product at once, then what it is divided by), and the tree is worked out from the
 * leaves. Every node has two values, the exact one and the one at the whiteboard, which comes from the
 * rounded values of its children and is rounded again. Exact values decide what must not hang on
 * rounding: which branch of a conditional holds, and what a number is rounded up to. */
#include "sims/formulas/formula_steps.h"

#include "sims/base/array.h"
#include "sims/formulas/call.h"
#include "sims/quantity/quantity.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TERMS = 128, MOST_PLACES = 8, SHOWN = 6, SPOKEN_FACTORS = 4, QUANTITY_SIZE = 64 };

enum term_kind { TERM_NUMBER, TERM_PRODUCT, TERM_SUM, TERM_CALL };

/* Functions as they are written here: a name before a bracket, or a sign between two operands. */
static const struct function {
	const char *name, *written;
	double (*one)(double);
	double (*two)(double, double);
	bool whole; /* a whole number comes out, which is not rounded again */
	bool sign;
	double per; /* only divides by this: seconds in an hour; 0: does something else */
} functions[] = {
	{ "ceil", "ceil", .one = ceil, .whole = true },
	{ "whole", "ceil", .one = whole, .whole = true },
	{ "floor", "floor", .one = floor, .whole = true },
	{ "rint", "round", .one = rint, .whole = true },
	{ "fabs", "abs", .one = fabs },
	{ "sqrt", "sqrt", .one = sqrt },
	{ "exp", "exp", .one = exp },
	{ "log", "ln", .one = log },
	{ "log2", "log2", .one = log2 },
	{ "log10", "log10", .one = log10 },
	{ "erfc", "erfc", .one = erfc },
	{ "in_hours", NULL, .one = in_hours, .per = 3600 },
	{ "in_kwh", NULL, .one = in_kwh, .per = 3.6e6 },
	{ "harmonic_number", "H", .one = harmonic_number },
	{ "fmax", "max", .two = fmax },
	{ "fmin", "min", .two = fmin },
	{ "pow", "^", .two = pow, .sign = true },
	{ "erlang_c", "Erlang C", .two = erlang_c },
};

struct term {
	enum term_kind kind;
	double exact;
	const struct function *function;
	size_t first, next; /* child and sibling; 0: none, since the root is no child */
	bool inverse;       /* in its product or sum: divided by, taken away */
};

struct steps {
	const char *at;
	const struct formula *formula;
	const double *args;
	double exact,
		near; /* the formula's value, and how far from it the end may be, as a fraction */
	struct term terms[MOST_TERMS];
	size_t n_terms;
	bool failed; /* something that is not known here */
	bool off;    /* rounding has moved some value too far */
	int places;  /* digits of every number */
	char *buf;
	size_t size, length, n_steps;
	double last; /* what the text ends with; NAN: something else */
};

/* --- Reading --- */

static size_t new_term(struct steps *s, enum term_kind kind)
{
	size_t at = s->n_terms < MOST_TERMS - 1 ? s->n_terms++ : MOST_TERMS - 1;
	s->failed |= at == MOST_TERMS - 1;
	s->terms[at] = (struct term){ .kind = kind };
	return at;
}

static size_t number_term(struct steps *s, double value)
{
	size_t at = new_term(s, TERM_NUMBER);
	s->terms[at].exact = value;
	return at;
}

static void skip_space(struct steps *s)
{
	while (isspace((unsigned char)*s->at))
		s->at++;
}

static bool take(struct steps *s, const char *sign)
{
	size_t n = strlen(sign);
	skip_space(s);
	if (strncmp(s->at, sign, n) != 0)
		return false;
	s->at += n;
	return true;
}

static size_t read_choice(struct steps *s);

static size_t *last_link(struct steps *s, size_t parent)
{
	size_t *link = &s->terms[parent].first;
	while (*link)
		link = &s->terms[*link].next;
	return link;
}

/* A child of the parent's own kind brings its children instead, inverted if it was. */
static void adopt(struct steps *s, size_t parent, size_t child, bool inverse)
{
	struct term *c = &s->terms[child];
	if (c->kind == s->terms[parent].kind && c->kind != TERM_CALL) {
		*last_link(s, parent) = c->first;
		for (size_t i = c->first; i; i = s->terms[i].next)
			s->terms[i].inverse ^= inverse;
		return;
	}
	c->inverse = inverse;
	*last_link(s, parent) = child;
}

static const struct function *function_find(const char *name, size_t n)
{
	for (size_t i = 0; i < LENGTH(functions); i++)
		if (strlen(functions[i].name) == n && strncmp(functions[i].name, name, n) == 0)
			return &functions[i];
	return NULL;
}

static double call_exact(const struct steps *s, const struct term *t)
{
	const struct term *a = &s->terms[t->first];
	return t->function->one ? t->function->one(a->exact)
				: t->function->two(a->exact, s->terms[a->next].exact);
}

static size_t read_call(struct steps *s, const struct function *f)
{
	size_t at = new_term(s, TERM_CALL), n = 0;
	s->terms[at].function = f;
	do {
		size_t child = read_choice(s);
		*last_link(s, at) = child;
		n++;
	} while (take(s, ","));
	s->failed |= !f || !take(s, ")") || n != (f->one ? 1U : 2U);
	if (!s->failed)
		s->terms[at].exact = call_exact(s, &s->terms[at]);
	return at;
}

static size_t read_name(struct steps *s)
{
	size_t n = 0;
	char name[48];
	const char *from = s->at;
	while (isalnum((unsigned char)from[n]) || from[n] == '_')
		n++;
	s->at += n;
	if (take(s, "("))
		return read_call(s, function_find(from, n));
	snprintf(name, sizeof name, "%.*s", (int)n, from);
	int i = formula_param_index(s->formula, name);
	if (strcmp(name, "INFINITY") == 0)
		return number_term(s, INFINITY);
	s->failed |= i < 0;
	return number_term(s, i < 0 ? NAN : s->args[i]);
}

static size_t read_factor(struct steps *s)
{
	skip_space(s);
	if (take(s, "-")) {
		size_t sum = new_term(s, TERM_SUM), of = read_factor(s);
		s->terms[sum].exact = -s->terms[of].exact;
		if (s->terms[of].kind == TERM_NUMBER) {
			s->terms[of].exact = -s->terms[of].exact;
			return of;
		}
		adopt(s, sum, of, true);
		return sum;
	}
	if (take(s, "(")) {
		size_t inner = read_choice(s);
		s->failed |= !take(s, ")");
		return inner;
	}
	if (isdigit((unsigned char)*s->at)) {
		char *end;
		double value = strtod(s->at, &end);
		s->at = end;
		return number_term(s, value);
	}
	if (isalpha((unsigned char)*s->at))
		return read_name(s);
	s->failed = true;
	return number_term(s, NAN);
}

/* One of the two levels of arithmetic: factors in a product, or products in a sum. */
static size_t read_level(struct steps *s, enum term_kind kind)
{
	bool sum = kind == TERM_SUM;
	size_t first = sum ? read_level(s, TERM_PRODUCT) : read_factor(s), all = 0;
	for (;;) {
		bool plain = take(s, sum ? "+" : "*"), inverse = !plain && take(s, sum ? "-" : "/");
		if (s->failed || (!plain && !inverse))
			return all ? all : first;
		size_t next = sum ? read_level(s, TERM_PRODUCT) : read_factor(s);
		if (!all) {
			all = new_term(s, kind);
			s->terms[all].exact = s->terms[first].exact;
			adopt(s, all, first, false);
		}
		double *value = &s->terms[all].exact, by = s->terms[next].exact;
		*value = sum ? *value + (inverse ? -by : by) : inverse ? *value / by : *value * by;
		adopt(s, all, next, inverse);
	}
}

/* Only the branch that holds is worked out. */
static size_t read_choice(struct steps *s)
{
	size_t value = read_level(s, TERM_SUM);
	bool less = take(s, "<"), more = !less && take(s, ">");
	if (less || more) {
		size_t bound = read_level(s, TERM_SUM);
		double a = s->terms[value].exact, b = s->terms[bound].exact;
		bool holds = less ? a < b : a > b;
		s->failed |= !take(s, "?");
		size_t yes = read_choice(s);
		s->failed |= !take(s, ":");
		size_t no = read_choice(s);
		return holds ? yes : no;
	}
	return value;
}

/* --- Writing --- */

static void put(struct steps *s, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(s->buf + s->length, s->size - s->length, format, args);
	va_end(args);
	s->failed |= n < 0 || (size_t)n >= s->size - s->length;
	s->length += s->failed ? 0 : (size_t)n;
}

static double to_places(double x, int places)
{
	char text[32];
	snprintf(text, sizeof text, "%.*e", places - 1, x);
	return strtod(text, NULL);
}

/* Whole numbers that one says in one breath stay. The others go to so many digits, and to one more where
 * the first is a 1 and rounding would cost more than is allowed. */
static double rounded_within(const struct steps *s, double x, double most)
{
	if (x == floor(x) && fabs(x) < 1000)
		return x;
	double near = to_places(x, s->places);
	bool far = fabs(near - x) > most * pow(10, 2 - s->places) * fabs(x);
	return far ? to_places(x, s->places + 1) : near;
}

/* A result: a speed-up of 1.017 is 1.02. */
static double rounded(const struct steps *s, double x)
{
	return rounded_within(s, x, 0.01);
}

/* What is given: 1,150 stays, 1,280 is 1,300, and 1,024 is 1,000. */
static double rounded_leaf(const struct steps *s, double x)
{
	return rounded_within(s, x, 0.025);
}

/* As one writes it: 0.052, 26, 8,200, 164,000, 42e21. */
static void number_text(char *text, size_t size, double x, int digits_shown)
{
	const double a = fabs(x);
	if (a == 0 || !isfinite(a) || (a >= 0.001 && a < 1e6)) {
		number_write(text, size, x, digits_shown);
		return;
	}
	const int thirds = (int)floor(log10(a) / 3);
	snprintf(text, size, "%.*ge%d", digits_shown, x / pow(10, 3 * thirds), 3 * thirds);
}

/* Where a step begins, so that it can be taken back. */
static size_t begin_step(struct steps *s)
{
	size_t from = s->length;
	put(s, "%s", s->n_steps++ ? "; " : "");
	return from;
}

static void take_back(struct steps *s, size_t from)
{
	s->length = from;
	s->n_steps--;
	s->buf[from] = '\0';
	s->last = NAN;
}

static void put_number(struct steps *s, double x)
{
	char text[48];
	/* Where the first digit is a 1 there is one more. */
	number_text(text, sizeof text, x, s->places < SHOWN ? SHOWN : s->places + 1);
	put(s, "%s", text);
}

/* After a sign. */
static void put_operand(struct steps *s, const char *sign, double x)
{
	put(s, "%s%s", sign, x < 0 ? "(" : "");
	put_number(s, x);
	put(s, "%s", x < 0 ? ")" : "");
}

/* What stands there already is not written again. */
static double end_step(struct steps *s, size_t from, double x)
{
	put(s, " = ");
	put_number(s, x);
	s->last = x;
	if (s->failed || s->n_steps < 2)
		return x;
	const char *step = s->buf + from + strlen("; ");
	size_t n = strlen(step);
	for (const char *earlier = s->buf; (earlier = strstr(earlier, step)) && earlier < step;
		earlier++)
		if ((earlier == s->buf || earlier[-1] == ' ') && earlier[n] == ';') {
			take_back(s, from);
			break;
		}
	return x;
}

static double work_out(struct steps *s, size_t at);

/* So many values multiplied, in steps of a few: what is written is what is computed. Ones are left out. */
static double multiplied(struct steps *s, double x[], size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (x[i] == 0)
			return 0;
		if (x[i] != 1)
			x[kept++] = x[i];
	}
	double product = kept ? x[0] : 1;
	for (size_t i = 1; i < kept;) {
		size_t from = begin_step(s);
		put_number(s, product);
		for (size_t spoken = 1; i < kept && (spoken < SPOKEN_FACTORS || i + 1 == kept);
			spoken++, i++) {
			put_operand(s, " x ", x[i]);
			product *= x[i];
		}
		product = end_step(s, from, rounded(s, product));
	}
	return product;
}

static double work_product(struct steps *s, const struct term *t)
{
	double over[MOST_TERMS] = { 0 }, under[MOST_TERMS] = { 0 };
	size_t n_over = 0, n_under = 0;
	for (size_t i = t->first; i; i = s->terms[i].next) {
		double value = work_out(s, i);
		if (s->terms[i].inverse)
			under[n_under++] = value;
		else
			over[n_over++] = value;
	}
	double upper = multiplied(s, over, n_over), lower = multiplied(s, under, n_under);
	if (lower == 1 || upper == 0)
		return upper;
	size_t from = begin_step(s);
	put_number(s, upper);
	put_operand(s, " / ", lower);
	return end_step(s, from, rounded(s, upper / lower));
}

static double work_sum(struct steps *s, const struct term *t)
{
	const double noise = 1e-12; /* what is left of a difference of equal numbers */
	double values[MOST_TERMS] = { 0 }, sum = 0, largest = 0;
	size_t n = 0, said = 0;
	/* What is taken away takes digits away with it. */
	bool difference = false;
	for (size_t i = t->first; i; i = s->terms[i].next)
		difference |= s->terms[i].inverse;
	s->places += difference;
	for (size_t i = t->first; i; i = s->terms[i].next)
		values[n++] = s->terms[i].inverse ? -work_out(s, i) : work_out(s, i);
	s->places -= difference;
	size_t from = begin_step(s);
	for (size_t i = 0; i < n; sum += values[i++]) {
		if (values[i] == 0)
			continue;
		put(s, "%s", said++ ? values[i] < 0 ? " - " : " + " : "");
		put_number(s, said > 1 ? fabs(values[i]) : values[i]);
		largest = fmax(largest, fabs(values[i]));
	}
	if (said < 2) {
		double last = s->last;
		take_back(s, from);
		s->last = last;
		return sum;
	}
	if (fabs(sum) < noise * largest)
		sum = 0;
	return end_step(s, from, rounded(s, sum));
}

/* What a function takes is worked out with more digits where it would otherwise be rounded to another
 * whole number. */
static double work_argument(struct steps *s, const struct term *call, size_t at)
{
	size_t length = s->length, n_steps = s->n_steps;
	int places = s->places;
	double x = work_out(s, at);
	while (call->function->whole && call->function->one(x) != call->exact &&
		s->places < MOST_PLACES + 3) {
		s->places++;
		s->length = length;
		s->n_steps = n_steps;
		x = work_out(s, at);
	}
	s->places = places;
	return x;
}

static double work_call(struct steps *s, const struct term *t)
{
	const struct function *f = t->function;
	assert(f->one || f->two);
	double a = work_argument(s, t, t->first);
	double b = f->two ? work_out(s, s->terms[t->first].next) : 0;
	double value = f->one ? f->one(a) : f->two(a, b);
	if ((f->whole && value == a) || (f->two == fmax && fmin(a, b) == 0))
		return value;
	size_t from = begin_step(s);
	if (f->per > 0) {
		put_number(s, a);
		put_operand(s, " / ", f->per);
	} else if (f->sign) {
		put_operand(s, "", a);
		put_operand(s, f->written, b);
	} else {
		put(s, "%s(", f->written);
		put_number(s, a);
		if (f->two) {
			put(s, ", ");
			put_number(s, b);
		}
		put(s, ")");
	}
	return end_step(s, from, f->whole ? value : rounded(s, value));
}

static double work_term(struct steps *s, const struct term *t)
{
	switch (t->kind) {
	case TERM_PRODUCT:
		return work_product(s, t);
	case TERM_SUM:
		return work_sum(s, t);
	case TERM_CALL:
		return work_call(s, t);
	default:
		return rounded_leaf(s, t->exact);
	}
}

/* Writes the steps to a term's value, and returns it as it stands there. What is left of 1.0002 - 1 is
 * not what it was when both have two digits. */
static double work_out(struct steps *s, size_t at)
{
	const double most = 0.15;
	const struct term *t = &s->terms[at];
	double x = work_term(s, t);
	s->off |= !isfinite(x) || fabs(x - t->exact) > most * fabs(t->exact) + 1e-15 ||
		  fpclassify(x) == FP_SUBNORMAL; /* which has lost its digits */
	return x;
}

static bool is_near(double x, double exact, double near)
{
	return fabs(x - exact) <= near * fabs(exact);
}

/* The number that a quantity begins with, without the commas that people read it with. Its bytes in the
 * quantity. */
static size_t leading_number(const char *quantity, char plain[QUANTITY_SIZE])
{
	size_t n = 0, bytes = strcspn(quantity, " ");
	for (size_t i = 0; i < bytes && i < QUANTITY_SIZE - 1; i++)
		if (quantity[i] != ',')
			plain[n++] = quantity[i];
	plain[n] = '\0';
	return bytes;
}

/* The result as people would say it: in three digits, or in as many as bring it near enough: "21.13 h".
 * False: none of them does. */
static bool people_text(const struct steps *s, double x, char people[QUANTITY_SIZE])
{
	const char *unit = s->formula->unit;
	char number[QUANTITY_SIZE], one[QUANTITY_SIZE], err[128];
	double value = 0, size = 0;
	quantity_brief(people, QUANTITY_SIZE, x, unit);
	if (quantity_read(people, unit, &value, err, sizeof err) ||
		is_near(value, s->exact, s->near))
		return true;
	const char *behind = people + strcspn(people, " ");
	snprintf(one, sizeof one, "1%s", behind);
	if (people[0] == '$' || quantity_read(one, unit, &size, err, sizeof err))
		return false;
	for (int digits = 4; digits <= MOST_PLACES; digits++) {
		number_write(number, sizeof number, x / size, digits);
		snprintf(one, sizeof one, "%s%s", number, behind);
		if (!quantity_read(one, unit, &value, err, sizeof err) &&
			is_near(value, s->exact, s->near)) {
			strcpy(people, one);
			return true;
		}
	}
	return false;
}

/* The number that was written last, with its sign: without, "86,000" would be thousands of dollars where these are asked
 * for. */
static void put_dollars(struct steps *s, double x, const char *people)
{
	char text[48];
	number_text(text, sizeof text, x, s->places < SHOWN ? SHOWN : s->places + 1);
	s->length -= strlen(text);
	put(s, "$%s", text);
	if (strcmp(text, people + 1) != 0)
		put(s, ", or %s", people);
}

/* The result in its unit, and in the one that people would choose where that changes the number. */
static void put_unit(struct steps *s, double x)
{
	char people[QUANTITY_SIZE], plain[QUANTITY_SIZE];
	const char *unit = s->formula->unit;
	if (s->last != x) {
		put(s, "; so ");
		put_number(s, x);
	}
	if (!*unit)
		return;
	s->off |= !people_text(s, x, people);
	size_t kept = leading_number(people, plain);
	if (strtod(plain, NULL) == x)
		put(s, "%s", people + kept);
	else if (strcmp(unit, "$") == 0 && !s->failed)
		put_dollars(s, x, people);
	else if (people[0] == '$')
		put(s, ", or %s", people);
	else
		put(s, " %s, or %s", unit, people);
}

char *formula_steps(
	const struct formula *f, const double args[], double near, char *buf, size_t size)
{
	assert(f && args && buf && size);
	const double most = 0.05;
	double exact = f->call(args);
	struct steps s = { .at = f->expression,
		.formula = f,
		.args = args,
		.exact = exact,
		.near = fmin(near, most),
		.n_terms = 1,
		.buf = buf,
		.size = size };
	buf[0] = '\0';
	size_t root = read_choice(&s);
	skip_space(&s);
	if (s.failed || *s.at || !isfinite(exact))
		return buf;
	for (s.places = 2; s.places <= MOST_PLACES; s.places++) {
		s.length = s.n_steps = 0;
		s.last = NAN;
		s.off = false;
		buf[0] = '\0';
		double x = work_out(&s, root);
		put_unit(&s, x);
		if (!s.failed && !s.off && is_near(x, exact, s.near))
			break;
	}
	if (s.failed || s.places > MOST_PLACES || !s.n_steps)
		buf[0] = '\0';
	return buf;
}
