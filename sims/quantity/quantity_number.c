/* Numbers as people type them, and the words of the grammar. */
#include "sims/quantity/quantity_reader.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int reader_refuse(struct quantity_reader *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(r->err, r->err_size, fmt, ap);
	va_end(ap);
	return -1;
}

const char *reader_quote(const char *p, char buf[SYMBOL_SIZE])
{
	size_t n = 0;
	for (; *p && n < SYMBOL_SIZE - 1; p++)
		buf[n++] = isprint((unsigned char)*p) && (unsigned char)*p < 0x80 ? *p : '?';
	buf[n] = '\0';
	return buf;
}

bool reader_begins(const char *p, const char *with)
{
	return strncmp(p, with, strlen(with)) == 0;
}

bool reader_digit(char c)
{
	return c >= '0' && c <= '9';
}

size_t reader_any_of(const char *p, const char *const words[])
{
	for (; *words; words++)
		if (reader_begins(p, *words))
			return strlen(*words);
	return 0;
}

static const char *const blanks[] = { " ", "\t", "\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf", NULL };
const char *const reader_times_signs[] = { "**", "*", "x", "\xc3\x97", NULL };
const char *const reader_dots[] = { "\xc2\xb7", "\xe2\x8b\x85", NULL };
static const char *const group_marks[] = { "_", "'", ",", " ", "\xc2\xa0", "\xe2\x80\x89",
	"\xe2\x80\xaf", NULL };

const char *reader_after_blanks(const char *p)
{
	for (size_t n; (n = reader_any_of(p, blanks)) > 0;)
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

size_t reader_digits(const char *p)
{
	size_t n = 0;
	while (reader_digit(p[n]))
		n++;
	return n;
}

/* Whether groups of three go on at p with this mark. */
static bool group_follows(const char *p, const char *mark, size_t mark_bytes)
{
	return strncmp(p, mark, mark_bytes) == 0 && reader_digits(p + mark_bytes) == 3;
}

/* A comma between digits that does not join groups is somebody's decimal sign. */
static int refuse_comma(struct quantity_reader *r, const char *from)
{
	char whole[SYMBOL_SIZE], part[SYMBOL_SIZE];
	size_t n = reader_digits(from), m = reader_digits(r->at + 1);
	snprintf(whole, sizeof whole, "%.*s", (int)(n < 12 ? n : 12), from);
	snprintf(part, sizeof part, "%.*s", (int)(m < 10 ? m : 10), r->at + 1);
	return reader_refuse(r, "use a point, not a comma: %s.%s", whole, part);
}

static int read_whole_digits(struct quantity_reader *r, struct decimal *d)
{
	const char *from = r->at;
	size_t n = reader_digits(r->at);
	for (size_t i = 0; i < n; i++)
		add_digit(d, r->at[i], false);
	r->at += n;
	const char *mark = r->at;
	size_t mark_bytes = reader_any_of(mark, group_marks);
	bool groups = n >= 1 && n <= 3 && *from != '0';
	while (groups && mark_bytes && group_follows(r->at, mark, mark_bytes)) {
		r->at += mark_bytes;
		for (int i = 0; i < 3; i++)
			add_digit(d, *r->at++, false);
	}
	if (n && *r->at == ',' && reader_digit(r->at[1]))
		return refuse_comma(r, from);
	if (n && (*r->at == '_' || *r->at == '\''))
		return reader_refuse(
			r, "digits are grouped by three: 10%c737%c418", *r->at, *r->at);
	return 0;
}

int reader_exponent(struct quantity_reader *r, int *out)
{
	bool negative = *r->at == '-';
	int value = 0;
	r->at += *r->at == '-' || *r->at == '+';
	for (; reader_digit(*r->at); r->at++)
		if (value <= QUANTITY_MAX_EXPONENT)
			value = value * 10 + (*r->at - '0');
	if (value > QUANTITY_MAX_EXPONENT)
		return reader_refuse(r, "the exponent is out of range: -%d to %d",
			QUANTITY_MAX_EXPONENT, QUANTITY_MAX_EXPONENT);
	*out = negative ? -value : value;
	return 0;
}

bool reader_at_int(const char *p)
{
	return reader_digit(*p) || ((*p == '-' || *p == '+') && reader_digit(p[1]));
}

/* Where the power of ten of "x 10^9" begins, behind its caret; NULL when there is none at p. */
static const char *power_of_ten(const char *p)
{
	static const char *const carets[] = { "^", "**", NULL };
	p = reader_after_blanks(p);
	size_t n = reader_any_of(p, reader_times_signs);
	if (!n)
		n = reader_any_of(p, reader_dots);
	if (!n)
		return NULL;
	p = reader_after_blanks(p + n);
	if (!reader_begins(p, "10"))
		return NULL;
	p = reader_after_blanks(p + 2);
	n = reader_any_of(p, carets);
	p = reader_after_blanks(p + n);
	return n && reader_at_int(p) ? p : NULL;
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

int reader_number(struct quantity_reader *r, bool power, double *value, int *last_digit)
{
	struct decimal d = { 0 };
	int exponent = 0;
	char q[SYMBOL_SIZE];
	bool minus_sign = reader_begins(r->at, "\xe2\x88\x92");
	bool negative = *r->at == '-' || minus_sign;
	const char *from = r->at;

	r->at += minus_sign ? 3 : *r->at == '-' || *r->at == '+';
	if (read_whole_digits(r, &d))
		return -1;
	if (*r->at == '.')
		for (r->at++; reader_digit(*r->at); r->at++)
			add_digit(&d, *r->at, true);
	if (d.digits == 0)
		return reader_refuse(r, "no number at \"%s\"", reader_quote(from, q));
	const char *ten = power ? power_of_ten(r->at) : NULL;
	if ((*r->at == 'e' || *r->at == 'E') && reader_at_int(r->at + 1))
		ten = r->at + 1;
	if (ten) {
		r->at = ten;
		if (reader_exponent(r, &exponent))
			return -1;
	}
	d.exponent += exponent;
	if (last_digit)
		*last_digit = d.last_digit + exponent;
	*value = decimal_value(&d) * (negative ? -1 : 1);
	if (!isfinite(*value) || (*value == 0 && d.mantissa))
		return reader_refuse(r, "the number is too %s", *value == 0 ? "small" : "large");
	return 0;
}

size_t reader_symbol_bytes(const char *p)
{
	static const char *const micro[] = { "\xc2\xb5", "\xce\xbc", NULL };
	const char *from = p;
	if (*p == '%' || *p == '$')
		return 1;
	for (;;) {
		size_t n = isalpha((unsigned char)*p) && (unsigned char)*p < 0x80
				   ? 1
				   : reader_any_of(p, micro);
		if (!n)
			return (size_t)(p - from);
		p += n;
	}
}
