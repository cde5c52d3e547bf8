#include "sims/quantity/quantity_reader.h"

#include <math.h>
#include <string.h>

/* Bytes up to the next number when an operator and a number follow; *divide tells which. */
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
		return reader_refuse(r, "a unit has no zero in it");
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

/* One of "*" "·" "/" "per" at r->at: sets *divides, moves on, says whether there was one. */
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
		bool joined = unit_operator(r, &divides);
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

int quantity_parse(const char *text, struct quantity *q, char *err, size_t err_size)
{
	struct quantity_reader r = { .err = err, .err_size = err_size };
	*q = (struct quantity){ 0 };
	if (begin(&r, text))
		return -1;
	if (!*r.at)
		return reader_refuse(&r, "nothing typed");
	if (*r.at == '~')
		r.at = reader_after_blanks(r.at + 1);
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
	struct quantity_reader r = { .err = err, .err_size = err_size };
	*q = (struct quantity){ .number = 1 };
	if (begin(&r, text))
		return -1;
	return read_unit(&r, q, true);
}
