#include "sims/quantity_parse.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct reader {
	const char *at;
	char *err;
	size_t err_size;
	bool dollar_first;
};

static int refuse(struct reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int refuse(struct reader *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(r->err, r->err_size, fmt, ap);
	va_end(ap);
	return -1;
}

/* The beginning of what stands at p, fit to be quoted. */
static const char *quote(const char *p, char buf[SYMBOL_SIZE])
{
	size_t n = 0;
	for (; *p && n < SYMBOL_SIZE - 1; p++)
		buf[n++] = isprint((unsigned char)*p) && (unsigned char)*p < 0x80 ? *p : '?';
	buf[n] = '\0';
	return buf;
}

static bool begins(const char *p, const char *with)
{
	return strncmp(p, with, strlen(with)) == 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Bytes of the first of the words that stands at p; 0 when none does. */
static size_t any_of(const char *p, const char *const words[])
{
	for (; *words; words++)
		if (begins(p, *words))
			return strlen(*words);
	return 0;
}

static const char *const blanks[] = { " ", "\t", "\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf", NULL };
static const char *const times_signs[] = { "**", "*", "x", "\xc3\x97", NULL };
static const char *const dots[] = { "\xc2\xb7", "\xe2\x8b\x85", NULL };
static const char *const group_marks[] = { "_", "'", ",", " ", "\xc2\xa0", "\xe2\x80\x89",
	"\xe2\x80\xaf", NULL };

static const char *after_blanks(const char *p)
{
	for (size_t n; (n = any_of(p, blanks)) > 0;)
		p += n;
	return p;
}

/* The significant digits of a number: value = mantissa * 10^exponent. */
struct decimal {
	uint64_t mantissa;
	int exponent;
	int last_digit;
	size_t digits;
};

static void add_digit(struct decimal *d, char c, bool fraction)
{
	d->digits++;
	if (fraction)
		d->last_digit--;
	if (d->mantissa < UINT64_MAX / 10 - 1) {
		d->mantissa = d->mantissa * 10 + (uint64_t)(c - '0');
		d->exponent -= fraction;
	} else {
		d->exponent += !fraction;
	}
}

static size_t digit_run(const char *p)
{
	size_t n = 0;
	while (is_digit(p[n]))
		n++;
	return n;
}

/* Whether groups of three go on at p with this mark. */
static bool group_follows(const char *p, const char *mark, size_t mark_bytes)
{
	return strncmp(p, mark, mark_bytes) == 0 && digit_run(p + mark_bytes) == 3;
}

/* A comma between digits that does not join groups is somebody's decimal sign. */
static int refuse_comma(struct reader *r, const char *from)
{
	char whole[SYMBOL_SIZE], part[SYMBOL_SIZE];
	size_t n = digit_run(from), m = digit_run(r->at + 1);
	snprintf(whole, sizeof whole, "%.*s", (int)(n < 12 ? n : 12), from);
	snprintf(part, sizeof part, "%.*s", (int)(m < 10 ? m : 10), r->at + 1);
	return refuse(r, "use a point, not a comma: %s.%s", whole, part);
}

static int read_whole_digits(struct reader *r, struct decimal *d)
{
	const char *from = r->at;
	size_t n = digit_run(r->at);
	for (size_t i = 0; i < n; i++)
		add_digit(d, r->at[i], false);
	r->at += n;
	const char *mark = r->at;
	size_t mark_bytes = any_of(mark, group_marks);
	bool groups = n >= 1 && n <= 3 && *from != '0';
	while (groups && mark_bytes && group_follows(r->at, mark, mark_bytes)) {
		r->at += mark_bytes;
		for (int i = 0; i < 3; i++)
			add_digit(d, *r->at++, false);
	}
	if (n && *r->at == ',' && is_digit(r->at[1]))
		return refuse_comma(r, from);
	if (n && (*r->at == '_' || *r->at == '\''))
		return refuse(r, "digits are grouped by three: 10%c737%c418", *r->at, *r->at);
	return 0;
}

/* [sign] int within the limit; r->at stands on the sign or digit. */
static int read_exponent(struct reader *r, int *out)
{
	bool negative = *r->at == '-';
	int value = 0;
	r->at += *r->at == '-' || *r->at == '+';
	for (; is_digit(*r->at); r->at++)
		if (value <= QUANTITY_MAX_EXPONENT)
			value = value * 10 + (*r->at - '0');
	if (value > QUANTITY_MAX_EXPONENT)
		return refuse(r, "the exponent is out of range: -%d to %d", QUANTITY_MAX_EXPONENT,
			QUANTITY_MAX_EXPONENT);
	*out = negative ? -value : value;
	return 0;
}

static bool at_int(const char *p)
{
	return is_digit(*p) || ((*p == '-' || *p == '+') && is_digit(p[1]));
}

/* Where the power of ten of "x 10^9" begins, behind its caret; NULL when there is none at p. */
static const char *power_of_ten(const char *p)
{
	static const char *const carets[] = { "^", "**", NULL };
	p = after_blanks(p);
	size_t n = any_of(p, times_signs);
	if (!n)
		n = any_of(p, dots);
	if (!n)
		return NULL;
	p = after_blanks(p + n);
	if (!begins(p, "10"))
		return NULL;
	p = after_blanks(p + 2);
	n = any_of(p, carets);
	p = after_blanks(p + n);
	return n && at_int(p) ? p : NULL;
}

/* Correctly rounded where the mantissa and the power of ten are exact doubles, as nearly all that
 * people type are; within a rounding of long double elsewhere. */
static double decimal_value(const struct decimal *d)
{
	int e = d->exponent;
	if (d->mantissa == 0)
		return 0;
	if (d->mantissa < (UINT64_C(1) << 53) && e >= -22 && e <= 22) {
		double power = 1, m = (double)d->mantissa;
		for (int i = e < 0 ? -e : e; i > 0; i--)
			power *= 10;
		return e < 0 ? m / power : m * power;
	}
	return (double)((long double)d->mantissa * powl(10.0L, e));
}

static int read_number(struct reader *r, double *value, int *last_digit)
{
	struct decimal d = { 0 };
	int exponent = 0;
	char q[SYMBOL_SIZE];
	bool minus_sign = begins(r->at, "\xe2\x88\x92");
	bool negative = *r->at == '-' || minus_sign;
	const char *from = r->at;

	r->at += minus_sign ? 3 : *r->at == '-' || *r->at == '+';
	if (read_whole_digits(r, &d))
		return -1;
	if (*r->at == '.')
		for (r->at++; is_digit(*r->at); r->at++)
			add_digit(&d, *r->at, true);
	if (d.digits == 0)
		return refuse(r, "no number at \"%s\"", quote(from, q));
	const char *ten = power_of_ten(r->at);
	if ((*r->at == 'e' || *r->at == 'E') && at_int(r->at + 1))
		ten = r->at + 1;
	if (ten) {
		r->at = ten;
		if (read_exponent(r, &exponent))
			return -1;
	}
	d.exponent += exponent;
	*last_digit = d.last_digit + exponent;
	*value = decimal_value(&d) * (negative ? -1 : 1);
	if (!isfinite(*value) || (*value == 0 && d.mantissa))
		return refuse(r, "the number is too %s", *value == 0 ? "small" : "large");
	return 0;
}

/* Bytes up to the next number when an operator and a number follow; *divide tells which. */
static size_t product_operator(const struct reader *r, bool *divide)
{
	const char *p = after_blanks(r->at);
	*divide = *p == '/';
	size_t n = *divide && !r->dollar_first ? 1 : any_of(p, times_signs + 1);
	if (!n)
		return 0;
	p = after_blanks(p + n);
	return is_digit(*p) || (*p == '.' && is_digit(p[1])) ? (size_t)(p - r->at) : 0;
}

static int read_product(struct reader *r, struct quantity *q)
{
	bool divide;
	if (read_number(r, &q->number, &q->last_digit))
		return -1;
	q->has_last_digit = true;
	for (size_t n; (n = product_operator(r, &divide)) > 0;) {
		double next = 0;
		int unused;
		r->at += n;
		if (read_number(r, &next, &unused))
			return -1;
		if (divide && next == 0)
			return refuse(r, "this divides by zero");
		q->number = divide ? q->number / next : q->number * next;
		q->has_last_digit = false;
	}
	return isfinite(q->number) ? 0 : refuse(r, "the number is too large");
}

/* Bytes of a symbol at p: letters with the two code points of micro, or one of "%$". */
static size_t symbol_bytes(const char *p)
{
	static const char *const micro[] = { "\xc2\xb5", "\xce\xbc", NULL };
	const char *from = p;
	if (*p == '%' || *p == '$')
		return 1;
	for (;;) {
		size_t n = isalpha((unsigned char)*p) && (unsigned char)*p < 0x80
				   ? 1
				   : any_of(p, micro);
		if (!n)
			return (size_t)(p - from);
		p += n;
	}
}

static struct term *add_term(
	struct reader *r, struct quantity *q, const char *p, size_t bytes, bool divides)
{
	char text[SYMBOL_SIZE];
	if (q->n_terms == QUANTITY_MAX_TERMS) {
		refuse(r, "at most %d units in one answer", QUANTITY_MAX_TERMS);
		return NULL;
	}
	if (bytes >= SYMBOL_SIZE) {
		refuse(r, "unknown unit \"%s...\"", quote(p, text));
		return NULL;
	}
	struct term *t = &q->terms[q->n_terms++];
	*t = (struct term){ .power = divides ? -1 : 1 };
	memcpy(t->symbol, p, bytes);
	r->at = p + bytes;
	return t;
}

static int read_integer_term(struct reader *r, struct quantity *q, bool divides)
{
	size_t n = digit_run(r->at);
	if (n > 15)
		return refuse(r, "a number inside a unit has at most 15 digits");
	struct term *t = add_term(r, q, r->at, n, divides);
	if (!t)
		return -1;
	double value = 0;
	for (size_t i = 0; i < n; i++)
		value = value * 10 + (t->symbol[i] - '0');
	if (value == 0)
		return refuse(r, "a unit has no zero in it");
	t->n_readings = 1;
	t->readings[0] =
		(struct reading){ .unit = { .factor = value }, .flags = READING_MULTIPLIER };
	return 0;
}

static int read_power(struct reader *r, struct term *t)
{
	int power = 0;
	const char *p = after_blanks(r->at);
	size_t n = *p == '^' ? 1 : begins(p, "**") ? 2 : 0;
	if (!n)
		return 0;
	r->at = after_blanks(p + n);
	if (!at_int(r->at))
		return refuse(r, "after ^ comes a whole number");
	if (read_exponent(r, &power))
		return -1;
	if (power < -QUANTITY_MAX_POWER || power > QUANTITY_MAX_POWER || power == 0)
		return refuse(r, "the power of a unit is out of range: -%d to %d, not 0",
			QUANTITY_MAX_POWER, QUANTITY_MAX_POWER);
	t->power *= power;
	return 0;
}

static int read_symbol_term(struct reader *r, struct quantity *q, bool divides)
{
	char text[SYMBOL_SIZE];
	size_t n = symbol_bytes(r->at);
	if (n == 0)
		return *r->at ? refuse(r, "cannot read \"%s\"", quote(r->at, text))
			      : refuse(r, "a unit is missing at the end");
	struct term *t = add_term(r, q, r->at, n, divides);
	if (!t)
		return -1;
	t->n_readings = symbol_readings(t->symbol, t->readings);
	if (t->n_readings == 0) {
		symbol_refuse(quote(t->symbol, text), r->err, r->err_size);
		return -1;
	}
	return read_power(r, t);
}

/* One of "*" "·" "/" "per" at r->at: sets *divides, moves on, says whether there was one. */
static bool unit_operator(struct reader *r, bool *divides)
{
	size_t n = *r->at == '*' ? 1 : any_of(r->at, dots);
	if (n)
		*divides = false;
	else if (*r->at == '/')
		n = 1;
	else if (begins(r->at, "per") && symbol_bytes(r->at) == 3)
		n = 3;
	if (!n)
		return false;
	if (*r->at == '/' || *r->at == 'p')
		*divides = true;
	r->at = after_blanks(r->at + n);
	return true;
}

static int read_unit(struct reader *r, struct quantity *q, bool integer_first)
{
	bool divides = false, integer = integer_first;
	char text[SYMBOL_SIZE];
	for (r->at = after_blanks(r->at); *r->at; r->at = after_blanks(r->at)) {
		bool joined = unit_operator(r, &divides);
		if (joined && q->n_terms == 0 && !divides)
			return refuse(r, "a number is missing beside the operator");
		integer = integer || joined;
		if (is_digit(*r->at) && !integer)
			return refuse(r, "two numbers: cannot read \"%s\"", quote(r->at, text));
		if (is_digit(*r->at) ? read_integer_term(r, q, divides)
				     : read_symbol_term(r, q, divides))
			return -1;
		integer = false;
	}
	return 0;
}

static int begin(struct reader *r, const char *text)
{
	if (strnlen(text, QUANTITY_MAX_BYTES + 1) > QUANTITY_MAX_BYTES)
		return refuse(r, "too long: at most %d bytes", QUANTITY_MAX_BYTES);
	r->at = after_blanks(text);
	return 0;
}

int quantity_parse(const char *text, struct quantity *q, char *err, size_t err_size)
{
	struct reader r = { .err = err, .err_size = err_size };
	*q = (struct quantity){ 0 };
	if (begin(&r, text))
		return -1;
	if (!*r.at)
		return refuse(&r, "nothing typed");
	if (*r.at == '~')
		r.at = after_blanks(r.at + 1);
	r.dollar_first = *r.at == '$';
	if (r.dollar_first)
		r.at = after_blanks(r.at + 1);
	if (read_product(&r, q))
		return -1;
	if (r.dollar_first) {
		const char *rest = r.at;
		struct term *dollar = add_term(&r, q, "$", 1, false);
		if (dollar)
			dollar->n_readings = symbol_readings("$", dollar->readings);
		r.at = rest;
	}
	return read_unit(&r, q, false);
}

int quantity_parse_unit(const char *text, struct quantity *q, char *err, size_t err_size)
{
	struct reader r = { .err = err, .err_size = err_size };
	*q = (struct quantity){ .number = 1 };
	if (begin(&r, text))
		return -1;
	return read_unit(&r, q, true);
}
