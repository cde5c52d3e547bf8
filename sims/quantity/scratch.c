#include "sims/quantity/scratch_parser.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int read_expression(struct parser *p, struct scratch_value *v);

static int read_parentheses(struct parser *p, struct scratch_value *v)
{
	if (++p->depth > SCRATCH_DEPTH)
		return reader_refuse(
			&p->r, "at most %d parentheses inside each other", SCRATCH_DEPTH);
	p->r.at++;
	if (read_expression(p, v))
		return -1;
	p->r.at = reader_after_blanks(p->r.at);
	if (*p->r.at != ')')
		return reader_refuse(&p->r, "a ) is missing");
	p->r.at++;
	p->depth--;
	return 0;
}

static int read_line_reference(struct parser *p, struct scratch_value *v)
{
	size_t n = p->pad ? p->pad->n : 0, i = 0;
	bool last = *p->r.at != '#';
	p->r.at += last ? strlen("ans") : 1;
	for (; !last && reader_digit(*p->r.at); p->r.at++)
		i = i > SCRATCH_LINES ? i : i * 10 + (size_t)(*p->r.at - '0');
	if (n == 0)
		return reader_refuse(&p->r, "there is no line yet to refer to");
	if (last)
		i = n;
	if (i < 1 || i > n)
		return reader_refuse(&p->r, "there is no such line: #1 to #%zu", n);
	*v = p->pad->lines[i - 1].value;
	v->billion = v->over_quotient = false;
	return 0;
}

static int read_base(struct parser *p, bool power_of_ten, struct scratch_value *v)
{
	char text[SYMBOL_SIZE];
	p->r.at = reader_after_blanks(p->r.at);
	*v = scratch_one;
	if (scratch_begins_number(p->r.at))
		return reader_number(&p->r, power_of_ten, &v->number, NULL);
	if (*p->r.at == '(')
		return read_parentheses(p, v);
	if (*p->r.at == '#' || scratch_word(p->r.at, "ans"))
		return read_line_reference(p, v);
	return *p->r.at ? reader_refuse(&p->r, "a number is missing before \"%s\"",
				  reader_quote(p->r.at, text))
			: reader_refuse(&p->r, "a number is missing at the end");
}

/* Bytes of a sign at p. */
static size_t sign_bytes(const char *at)
{
	return *at == '-' || *at == '+' ? 1 : reader_begins(at, "\xe2\x88\x92") ? 3 : 0;
}

static bool take_sign(struct parser *p)
{
	p->r.at = reader_after_blanks(p->r.at);
	bool negative = sign_bytes(p->r.at) && *p->r.at != '+';
	p->r.at += sign_bytes(p->r.at);
	return negative;
}

/* base ^ power, where a power follows. */
static int read_raised(struct parser *p, struct scratch_value *v)
{
	struct scratch_value power;
	const char *at = reader_after_blanks(p->r.at);
	size_t n = *at == '^' ? 1 : reader_begins(at, "**") ? 2 : 0;
	if (!n)
		return 0;
	p->r.at = at + n;
	bool negative = take_sign(p);
	if (read_base(p, false, &power))
		return -1;
	if (!scratch_plain(&power))
		return reader_refuse(&p->r, "an exponent is a plain number");
	at = reader_after_blanks(p->r.at);
	if (*at == '^' || reader_begins(at, "**"))
		return reader_refuse(&p->r, "two powers in a row: put one in parentheses");
	return scratch_raise(p, v, negative ? -power.number : power.number);
}

static int read_factor(struct parser *p, struct factor_parts *f)
{
	bool negative = take_sign(p);
	*f = (struct factor_parts){ .unit = scratch_one };
	p->r.at = reader_after_blanks(p->r.at);
	bool dollars = *p->r.at == '$';
	if (dollars) {
		f->unit.unit.dim[DIM_DOLLAR] = 1;
		f->unit.has_unit = true;
		p->r.at++;
		negative ^= take_sign(p);
	}
	if (read_base(p, true, &f->base) || read_raised(p, &f->base) || scratch_unit(p, f))
		return -1;
	f->base.number = negative ? -f->base.number : f->base.number;
	return 0;
}

enum scratch_operation { OPERATION_NONE, OPERATION_TIMES, OPERATION_OVER, OPERATION_PER };

static enum scratch_operation take_operation(struct parser *p)
{
	static const char *const over[] = { "/", "\xc3\xb7", NULL };
	const char *at = reader_after_blanks(p->r.at);
	size_t n = scratch_word(at, "x") ? 1 : reader_any_of(at, reader_times_signs + 1);
	if (!n)
		n = reader_any_of(at, reader_dots);
	if (n && *at != 'x') {
		p->r.at = at + n;
		return OPERATION_TIMES;
	}
	if (n && scratch_times(at)) {
		p->r.at = at + 1;
		return OPERATION_TIMES;
	}
	n = reader_any_of(at, over);
	bool per = scratch_word(at, "per");
	p->r.at = n || per ? at + (per ? strlen("per") : n) : p->r.at;
	return n ? OPERATION_OVER : per ? OPERATION_PER : OPERATION_NONE;
}

static int divide_by(struct parser *p, struct scratch_value *v, const struct factor_parts *f,
	enum scratch_operation op)
{
	bool quotient = op == OPERATION_OVER && !v->has_unit && scratch_plain(v) &&
			scratch_plain(&f->base) && f->unit.has_unit && !f->percent;
	if (scratch_divide(p, v, &f->base))
		return -1;
	if (!quotient)
		return scratch_divide(p, v, &f->unit);
	v->over_quotient = true;
	return scratch_multiply(p, v, &f->unit);
}

static int read_term(struct parser *p, struct scratch_value *v)
{
	struct factor_parts f;
	enum scratch_operation op;
	if (read_factor(p, &f))
		return -1;
	*v = f.base;
	if (f.unit.has_unit && scratch_multiply(p, v, &f.unit))
		return -1;
	while ((op = take_operation(p)) != OPERATION_NONE) {
		if (read_factor(p, &f))
			return -1;
		if (op == OPERATION_TIMES
				? scratch_multiply(p, v, &f.base) || scratch_multiply(p, v, &f.unit)
				: divide_by(p, v, &f, op))
			return -1;
	}
	return 0;
}

static int read_expression(struct parser *p, struct scratch_value *v)
{
	struct scratch_value more;
	if (read_term(p, v))
		return -1;
	for (;;) {
		const char *at = reader_after_blanks(p->r.at);
		size_t n = sign_bytes(at);
		if (!n)
			return 0;
		p->r.at = at + n;
		if (read_term(p, &more) || scratch_sum(p, v, &more, *at == '+' ? 1 : -1))
			return -1;
	}
}

/* "in GB/s" at the end of a line. */
static int read_in(struct parser *p, struct scratch_value *v)
{
	struct quantity q;
	struct unit unit;
	unsigned flags;
	char text[QUANTITY_MAX_BYTES + 1], quoted[SYMBOL_SIZE];
	snprintf(text, sizeof text, "%s", reader_after_blanks(p->r.at + strlen("in")));
	size_t n = strcspn(text, "=");
	for (; n > 0 && text[n - 1] == ' '; n--)
		;
	text[n] = '\0';
	if (n == 0 || n >= sizeof v->in)
		return reader_refuse(&p->r, "after \"in\" comes a unit");
	if (quantity_parse_unit(text, &q, p->r.err, p->r.err_size))
		return -1;
	switch (quantity_unit(&q, &v->unit, &unit, &flags)) {
	case UNIT_DIFFERS:
		unit_difference(&v->unit, &unit, p->r.err, p->r.err_size);
		return -1;
	case UNIT_UNCLEAR:
		return reader_refuse(&p->r, "the unit \"%s\" can be read in two ways",
			reader_quote(text, quoted));
	case UNIT_FITS:
		break;
	}
	if (!unit_same_dimension(&v->unit, &unit) || !(unit.factor > 0) ||
		!isfinite(v->number / unit.factor)) {
		unit_difference(&v->unit, &unit, p->r.err, p->r.err_size);
		return -1;
	}
	v->unit.factor = unit.factor;
	memcpy(v->in, text, n + 1);
	return 0;
}

static int read_line(struct parser *p, const char *text, struct scratch_value *v)
{
	char quoted[SYMBOL_SIZE];
	if (strnlen(text, QUANTITY_MAX_BYTES + 1) > QUANTITY_MAX_BYTES)
		return reader_refuse(&p->r, "too long: at most %d bytes", QUANTITY_MAX_BYTES);
	p->r.at = reader_after_blanks(text);
	p->r.at += *p->r.at == '~';
	if (!*reader_after_blanks(p->r.at))
		return reader_refuse(&p->r, "nothing typed");
	if (read_expression(p, v))
		return -1;
	p->r.at = reader_after_blanks(p->r.at);
	if (scratch_word(p->r.at, "in"))
		return read_in(p, v);
	p->r.at = reader_after_blanks(p->r.at + (*p->r.at == '='));
	bool operand = *p->r.at == '(' || *p->r.at == '#' || scratch_begins_number(p->r.at);
	return !*p->r.at ? 0
			 : reader_refuse(&p->r, "%s \"%s\"",
				   operand ? "an operator is missing before" : "cannot read",
				   reader_quote(p->r.at, quoted));
}

int scratch_read(const struct scratch_pad *pad, const char *text, const struct unit *asked,
	struct scratch_value *out, char *err, size_t err_size)
{
	int rc = -1;
	for (unsigned choice = 0; choice < (asked ? N_CHOICES : 1); choice++) {
		char why[320] = "";
		struct scratch_value v;
		struct parser p = { { .err = why, .err_size = sizeof why }, pad, choice, 0 };
		int found = read_line(&p, text, &v);
		if (choice == 0) {
			*out = v;
			rc = found;
			snprintf(err, err_size, "%s", why);
		}
		if (found == 0 && asked && unit_same_hard_dimension(&v.unit, asked)) {
			*out = v;
			return 0;
		}
	}
	return rc;
}

int scratch_add(struct scratch_pad *pad, const char *text, char *err, size_t err_size)
{
	struct scratch_value v;
	if (pad->n == SCRATCH_LINES) {
		snprintf(err, err_size, "the pad is full: %d lines", SCRATCH_LINES);
		return -1;
	}
	if (scratch_read(pad, text, NULL, &v, err, err_size))
		return -1;
	struct scratch_line *line = &pad->lines[pad->n++];
	snprintf(line->text, sizeof line->text, "%s", text);
	line->value = v;
	return 0;
}

const char *scratch_note(const struct scratch_value *v)
{
	return v->over_quotient ? "the unit belongs to the quotient; to divide by it: 1/(30 ms)"
	       : v->billion     ? "B behind the digits is billion; a byte takes a blank: 2 B"
				: "";
}
