/* A recursive descent, one function a rule, over bytes: signs that are not ASCII are lists of UTF-8
 * strings. A number's digits are gathered in an integer with a power of ten beside it and joined at
 * the end, so that nearly every number that people type is rounded once. A symbol's readings are
 * all kept, since only the whole unit tells which one was meant. */
#include "sims/quantity/quantity_parse.h"

#include "sims/quantity/duration.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* --- numbers as people type them, and the words of the grammar ------------------------------- */

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

/* Bytes of a run of digits. */
static size_t reader_digits(const char *p)
{
	size_t n = 0;
	while (reader_digit(p[n]))
		n++;
	return n;
}

/* Whether another group of three digits follows at p behind this mark. */
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

/* Where the exponent of "x 10^9" begins, behind its caret; NULL when there is none at p. */
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

/* Correctly rounded where the mantissa and the power of ten are exact doubles, as they are in
 * nearly all that people type, since one multiplication or division then rounds once (Clinger
 * 1990); elsewhere within a rounding of long double. */
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
	assert(r->at && value);
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

size_t reader_margin(const char *p)
{
	static const char *const margins[] = { "+-", "+/-", "\xc2\xb1", "+\xe2\x88\x92", NULL };
	return reader_any_of(p, margins);
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

/* --- products and units ---------------------------------------------------------------------- */

/* Bytes from here to the next number, where an operator and a number follow; *divide tells which
 * operator. */
static size_t product_operator(const struct quantity_reader *r, bool *divide)
{
	const char *p = reader_after_blanks(r->at);
	*divide = *p == '/';
	size_t n = *divide && !r->dollar_first ? 1 : reader_any_of(p, reader_times_signs + 1);
	if (!n)
		return 0;
	p = reader_after_blanks(p + n);
	return reader_digit(*p) || (*p == '.' && reader_digit(p[1])) ? (size_t)(p - r->at) : 0;
}

static int read_product(struct quantity_reader *r, struct quantity *q)
{
	bool divide;
	if (reader_number(r, true, &q->number, &q->last_digit))
		return -1;
	q->has_last_digit = true;
	for (size_t n; (n = product_operator(r, &divide)) > 0;) {
		double next = 0;
		r->at += n;
		if (reader_number(r, true, &next, NULL))
			return -1;
		if (divide && next == 0)
			return reader_refuse(r, "this divides by zero");
		q->number = divide ? q->number / next : q->number * next;
		q->has_last_digit = false;
	}
	return isfinite(q->number) ? 0 : reader_refuse(r, "the number is too large");
}

static struct term *add_term(
	struct quantity_reader *r, struct quantity *q, const char *p, size_t bytes, bool divides)
{
	char text[SYMBOL_SIZE];
	if (q->n_terms == QUANTITY_MAX_TERMS) {
		reader_refuse(r, "at most %d units in one answer", QUANTITY_MAX_TERMS);
		return NULL;
	}
	if (bytes >= SYMBOL_SIZE) {
		reader_refuse(r, "unknown unit \"%s...\"", reader_quote(p, text));
		return NULL;
	}
	struct term *t = &q->terms[q->n_terms++];
	*t = (struct term){ .power = divides ? -1 : 1 };
	memcpy(t->symbol, p, bytes);
	r->at = p + bytes;
	return t;
}

static int read_integer_term(struct quantity_reader *r, struct quantity *q, bool divides)
{
	size_t n = reader_digits(r->at);
	if (n > 15)
		return reader_refuse(r, "a number inside a unit has at most 15 digits");
	struct term *t = add_term(r, q, r->at, n, divides);
	if (!t)
		return -1;
	double value = 0;
	for (size_t i = 0; i < n; i++)
		value = value * 10 + (t->symbol[i] - '0');
	if (value == 0)
		return reader_refuse(r, "a unit cannot have a zero in it");
	t->n_readings = 1;
	t->readings[0] = (struct quantity_reading){ .unit = { .factor = value },
		.flags = READING_MULTIPLIER };
	return 0;
}

static int read_power(struct quantity_reader *r, struct term *t)
{
	int power = 0;
	const char *p = reader_after_blanks(r->at);
	size_t n = *p == '^' ? 1 : reader_begins(p, "**") ? 2 : 0;
	if (!n)
		return 0;
	r->at = reader_after_blanks(p + n);
	if (!reader_at_int(r->at))
		return reader_refuse(r, "after ^ comes a whole number");
	if (reader_exponent(r, &power))
		return -1;
	if (power < -QUANTITY_MAX_POWER || power > QUANTITY_MAX_POWER || power == 0)
		return reader_refuse(r, "the power of a unit is out of range: -%d to %d, not 0",
			QUANTITY_MAX_POWER, QUANTITY_MAX_POWER);
	t->power *= power;
	return 0;
}

static int read_symbol_term(struct quantity_reader *r, struct quantity *q, bool divides)
{
	char text[SYMBOL_SIZE];
	size_t n = reader_symbol_bytes(r->at);
	if (n == 0)
		return *r->at ? reader_refuse(r, "cannot read \"%s\"", reader_quote(r->at, text))
			      : reader_refuse(r, "a unit is missing at the end");
	struct term *t = add_term(r, q, r->at, n, divides);
	if (!t)
		return -1;
	t->n_readings = symbol_readings(t->symbol, t->readings);
	if (t->n_readings == 0) {
		symbol_refuse(reader_quote(t->symbol, text), r->err, r->err_size);
		return -1;
	}
	return read_power(r, t);
}

/* The hyphen of "GPU-hours", which joins two symbols; with blanks around it, it subtracts. */
static bool at_hyphen(const struct quantity_reader *r, const struct quantity *q)
{
	return q->n_terms > 0 && *r->at == '-' && isalpha((unsigned char)r->at[-1]) &&
	       isalpha((unsigned char)r->at[1]);
}

/* Reads one of "*" "·" "/" "per" at r->at and sets *divides. False: there is none. */
static bool unit_operator(struct quantity_reader *r, bool *divides)
{
	size_t n = *r->at == '*' ? 1 : reader_any_of(r->at, reader_dots);
	if (n)
		*divides = false;
	else if (*r->at == '/')
		n = 1;
	else if (reader_begins(r->at, "per") && reader_symbol_bytes(r->at) == 3)
		n = 3;
	if (!n)
		return false;
	if (*r->at == '/' || *r->at == 'p')
		*divides = true;
	r->at = reader_after_blanks(r->at + n);
	return true;
}

static int read_unit(struct quantity_reader *r, struct quantity *q, bool integer_first)
{
	bool divides = false, integer = integer_first;
	char text[SYMBOL_SIZE];
	for (r->at = reader_after_blanks(r->at); *r->at; r->at = reader_after_blanks(r->at)) {
		const bool hyphen = at_hyphen(r, q);
		r->at += hyphen;
		bool joined = !hyphen && unit_operator(r, &divides);
		if (joined && q->n_terms == 0 && !divides)
			return reader_refuse(r, "a number is missing beside the operator");
		integer = integer || joined;
		if (reader_digit(*r->at) && !integer)
			return reader_refuse(
				r, "two numbers: cannot read \"%s\"", reader_quote(r->at, text));
		if (reader_digit(*r->at) ? read_integer_term(r, q, divides)
					 : read_symbol_term(r, q, divides))
			return -1;
		integer = false;
	}
	return 0;
}

static int begin(struct quantity_reader *r, const char *text)
{
	if (strnlen(text, QUANTITY_MAX_BYTES + 1) > QUANTITY_MAX_BYTES)
		return reader_refuse(r, "too long: at most %d bytes", QUANTITY_MAX_BYTES);
	r->at = reader_after_blanks(text);
	return 0;
}

/* "3 min 20 s" and nothing else. */
static bool read_duration(struct quantity_reader *r, struct quantity *q)
{
	struct duration d;
	const size_t n = duration_read(r->at, &d);
	if (!n || *reader_after_blanks(r->at + n))
		return false;
	struct term *t = add_term(r, q, d.unit, strlen(d.unit), false);
	if (!t)
		return false;
	t->n_readings = symbol_readings(d.unit, t->readings);
	q->number = d.count;
	q->has_last_digit = true;
	q->last_digit = d.last_digit;
	return true;
}

int quantity_parse(const char *text, struct quantity *q, char *err, size_t err_size)
{
	assert(text && q && err);
	struct quantity_reader r = { .err = err, .err_size = err_size };
	*q = (struct quantity){ 0 };
	if (begin(&r, text))
		return -1;
	if (!*r.at)
		return reader_refuse(&r, "nothing typed");
	if (*r.at == '~')
		r.at = reader_after_blanks(r.at + 1);
	if (read_duration(&r, q))
		return 0;
	r.dollar_first = *r.at == '$';
	if (r.dollar_first)
		r.at = reader_after_blanks(r.at + 1);
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
	assert(text && q && err);
	struct quantity_reader r = { .err = err, .err_size = err_size };
	*q = (struct quantity){ .number = 1 };
	if (begin(&r, text))
		return -1;
	return read_unit(&r, q, true);
}

/* --- what a unit may mean -------------------------------------------------------------------- */

/* A symbol with several readings ("B", "TFLOPs") makes a unit ambiguous: the candidates are all the
 * combinations of one reading per term, at most a few dozen, and quantity_unit goes through them
 * and keeps the one whose dimensions were asked for.
 *
 * combine: the product of one chosen reading of each term. */
static struct unit combine(const struct quantity *q, const unsigned char chosen[], unsigned *flags)
{
	struct unit u = { .factor = 1 };
	*flags = 0;
	for (size_t t = 0; t < q->n_terms; t++) {
		const struct quantity_reading *r = &q->terms[t].readings[chosen[t]];
		u.factor *= pow(r->unit.factor, q->terms[t].power);
		for (int d = 0; d < N_DIMENSIONS; d++)
			u.dim[d] = (signed char)(u.dim[d] + r->unit.dim[d] * q->terms[t].power);
		*flags |= r->flags;
	}
	return u;
}

struct unit quantity_first_unit(const struct quantity *q)
{
	assert(q->n_terms <= QUANTITY_MAX_TERMS);
	const unsigned char first[QUANTITY_MAX_TERMS] = { 0 };
	unsigned flags;

	return combine(q, first, &flags);
}

/* The next choice of readings, as an odometer turns; false after the last. */
static bool next_choice(const struct quantity *q, unsigned char chosen[])
{
	for (size_t t = q->n_terms; t-- > 0; chosen[t] = 0)
		if (++chosen[t] < q->terms[t].n_readings)
			return true;
	return false;
}

/* "5 m" where no length is asked is a slip for something else rather than metres. */
static bool is_lone_metre(const struct quantity *q)
{
	return q->n_terms == 1 && strcmp(q->terms[0].symbol, "m") == 0;
}

void unit_unclear(const struct quantity *q, const char *asked, char *err, size_t err_size)
{
	if (is_lone_metre(q))
		snprintf(err, err_size, "unit \"m\" is unclear: min, ms or M (million)?");
	else
		snprintf(err, err_size, "the unit can be read in two ways: use %s", asked);
}

enum unit_fit quantity_unit(
	const struct quantity *q, const struct unit *asked, struct unit *out, unsigned *flags)
{
	assert(q->n_terms <= QUANTITY_MAX_TERMS && asked && out && flags);
	unsigned char chosen[QUANTITY_MAX_TERMS] = { 0 };
	enum unit_fit fit = UNIT_DIFFERS;
	*out = combine(q, chosen, flags);
	do {
		unsigned f;
		struct unit u = combine(q, chosen, &f);
		if (!unit_same_hard_dimension(&u, asked))
			continue;
		if (fit == UNIT_FITS && fabs(u.factor - out->factor) > 1e-9 * fabs(out->factor))
			return UNIT_UNCLEAR;
		if (fit == UNIT_DIFFERS) {
			*out = u;
			*flags = f;
		}
		fit = UNIT_FITS;
	} while (next_choice(q, chosen));
	if (fit == UNIT_DIFFERS && is_lone_metre(q))
		return UNIT_UNCLEAR;
	return fit;
}

static bool may_multiply(const struct term *t)
{
	if (t->power != 1)
		return false;
	for (size_t i = 0; i < t->n_readings; i++)
		if (t->readings[i].flags & READING_MULTIPLIER)
			return true;
	return false;
}

bool quantity_only_multiplies(const struct quantity *q, const struct unit *asked)
{
	for (size_t t = 0; t < q->n_terms; t++) {
		bool bytes = strcmp(q->terms[t].symbol, "B") == 0 && asked->dim[DIM_INFORMATION];
		if (bytes || !may_multiply(&q->terms[t]))
			return false;
	}
	return q->n_terms > 0;
}

double quantity_multiplier(const struct quantity *q)
{
	const struct unit none = { .factor = 1 };
	struct unit unit;
	unsigned flags;
	quantity_unit(q, &none, &unit, &flags);
	return unit.factor;
}

bool unit_has_prefix(const struct quantity *unit)
{
	for (size_t t = 0; t < unit->n_terms; t++)
		if (unit->terms[t].readings[0].flags & (READING_PREFIXED | READING_MULTIPLIER))
			return true;
	return false;
}
