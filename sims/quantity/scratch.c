/* A recursive descent over the grammar of scratch.h, one function a rule, that computes values
 * while it reads. A symbol may have two readings ("B", "TFLOPs"): scratch_read reads the line once
 * for each way to prefer them and keeps the first that comes to the dimension asked for. */
#include "sims/quantity/scratch.h"

#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/quantity/duration.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/unit.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Which readings of ambiguous symbols to prefer, as bits; 0: as they are spelled. */
enum { OTHER_B = 1, OTHER_RATE = 2, N_CHOICES = 4 };

struct parser {
	struct quantity_reader r;
	const struct scratch_pad *pad;
	unsigned choice;
	int depth;
};

/* A factor whose unit is not yet applied to its number. */
struct factor_parts {
	struct scratch_value base, unit; /* unit.number: base units in one of it */
	bool percent;
};

/* --- arithmetic with dimensions -------------------------------------------------------------- */

enum { MOST_DIMENSION = 12 };

static const struct scratch_value scratch_one = { .number = 1, .unit = { .factor = 1 } };

static bool scratch_plain(const struct scratch_value *v)
{
	return unit_same_dimension(&v->unit, &(struct unit){ 0 });
}

static int check(struct parser *p, const struct scratch_value *v)
{
	if (!isfinite(v->number))
		return reader_refuse(&p->r, "the number is too large");
	for (int d = 0; d < N_DIMENSIONS; d++)
		if (v->unit.dim[d] > MOST_DIMENSION || v->unit.dim[d] < -MOST_DIMENSION)
			return reader_refuse(&p->r, "the power of a unit is out of range");
	return 0;
}

static void mix(struct scratch_value *v, const struct scratch_value *with)
{
	v->in[0] = '\0';
	v->unit.factor = 1;
	v->in_bits |= with->in_bits;
	v->in_bytes |= with->in_bytes;
	v->has_unit |= with->has_unit;
	v->billion |= with->billion;
	v->over_quotient |= with->over_quotient;
}

static int scratch_multiply(
	struct parser *p, struct scratch_value *v, const struct scratch_value *by)
{
	bool zero = v->number == 0 || by->number == 0;
	mix(v, by);
	v->number = unit_scale(v->number, by->number);
	if (v->number == 0 && !zero)
		return reader_refuse(&p->r, "the number is too small");
	for (int d = 0; d < N_DIMENSIONS; d++)
		v->unit.dim[d] = (signed char)(v->unit.dim[d] + by->unit.dim[d]);
	return check(p, v);
}

static int scratch_divide(struct parser *p, struct scratch_value *v, const struct scratch_value *by)
{
	if (by->number == 0)
		return reader_refuse(&p->r, "this divides by zero");
	bool zero = v->number == 0;
	mix(v, by);
	v->number /= by->number;
	if (v->number == 0 && !zero)
		return reader_refuse(&p->r, "the number is too small");
	for (int d = 0; d < N_DIMENSIONS; d++)
		v->unit.dim[d] = (signed char)(v->unit.dim[d] - by->unit.dim[d]);
	return check(p, v);
}

static int scratch_sum(
	struct parser *p, struct scratch_value *v, const struct scratch_value *more, int sign)
{
	char a[96], b[96];
	if (!unit_same_dimension(&v->unit, &more->unit))
		return reader_refuse(&p->r, "cannot %s %s %s %s", sign > 0 ? "add" : "subtract",
			unit_words(sign > 0 ? &v->unit : &more->unit, a, sizeof a),
			sign > 0 ? "and" : "from",
			unit_words(sign > 0 ? &more->unit : &v->unit, b, sizeof b));
	mix(v, more);
	v->number += sign * more->number;
	return check(p, v);
}

static int scratch_raise(struct parser *p, struct scratch_value *v, double power)
{
	for (int d = 0; d < N_DIMENSIONS; d++) {
		double dim = v->unit.dim[d] * power;
		if (fabs(dim) > MOST_DIMENSION || fabs(dim - round(dim)) > 1e-9)
			return reader_refuse(&p->r, "no such power of a unit");
		v->unit.dim[d] = (signed char)lround(dim);
	}
	v->number = pow(v->number, power);
	if (isnan(v->number))
		return reader_refuse(&p->r, "no such power of a negative number");
	return check(p, v);
}

/* --- units behind a number ------------------------------------------------------------------- */

/* "in", "per" and "ans" are words of the grammar: whether that word stands there. */
static bool scratch_word(const char *at, const char *word)
{
	return reader_symbol_bytes(at) == strlen(word) && reader_begins(at, word);
}

static bool scratch_begins_number(const char *at)
{
	return reader_digit(*at) || (*at == '.' && reader_digit(at[1]));
}

/* Bytes of the sign of a square root, before its parenthesis; 0 where there is none. */
static size_t root_bytes(const char *at)
{
	static const char sign[] = "\xe2\x88\x9a";
	const size_t n = scratch_word(at, "sqrt")  ? strlen("sqrt")
			 : reader_begins(at, sign) ? strlen(sign)
						   : 0;
	return n && *reader_after_blanks(at + n) == '(' ? n : 0;
}

static bool begins_factor(const char *at)
{
	return scratch_begins_number(at) || (*at && strchr("(#$", *at)) ||
	       scratch_word(at, "ans") || root_bytes(at);
}

/* "x" between two factors multiplies; behind the last one it is the unit of "1.5 x". A sign that
 * stands apart from it, and right before a factor, is that factor's. */
static bool scratch_times(const char *at)
{
	if (!scratch_word(at, "x"))
		return false;
	const char *next = reader_after_blanks(at + 1);
	bool sign = (*next == '-' || *next == '+') && next > at + 1;
	return begins_factor(next + sign);
}

static bool begins_unit(const char *at)
{
	return reader_symbol_bytes(at) > 0 && !scratch_word(at, "in") && !scratch_word(at, "per") &&
	       !scratch_word(at, "ans") && !scratch_times(at) && !root_bytes(at) &&
	       !(*at == '$' && scratch_begins_number(at + 1));
}

/* Moves to the symbol of the next term of a unit; false where the unit ends. */
static bool next_term(struct parser *p, bool first, bool *divides)
{
	const char *at = reader_after_blanks(p->r.at);
	size_t dot = reader_any_of(at, reader_dots);
	size_t n = *at == '/' ? 1 : scratch_word(at, "per") ? 3 : 0;
	bool over = n > 0;
	if (!n && !first)
		n = *at == '*' ? 1 : dot;
	const char *next = reader_after_blanks(at + n);
	if (!begins_unit(next))
		return false;
	if (n)
		*divides = over;
	p->r.at = next;
	return true;
}

/* Chooses a reading of a symbol. attached: it stands right behind the digits. */
static const struct quantity_reading *choose(const struct parser *p, const char *symbol,
	bool attached, const struct quantity_reading readings[], size_t n)
{
	bool second = false;
	if (n < 2)
		return readings;
	if (strcmp(symbol, "B") == 0)
		second = attached != ((p->choice & OTHER_B) != 0);
	else if (readings[1].flags & READING_RATE)
		second = (symbol[strlen(symbol) - 1] == 'S') != ((p->choice & OTHER_RATE) != 0);
	return &readings[second];
}

static int read_power_of_unit(struct parser *p, int *power)
{
	const char *at = reader_after_blanks(p->r.at);
	size_t n = *at == '^' ? 1 : reader_begins(at, "**") ? 2 : 0;
	*power = 1;
	if (!n)
		return 0;
	p->r.at = reader_after_blanks(at + n);
	if (!reader_at_int(p->r.at))
		return reader_refuse(&p->r, "after the ^ of a unit comes a whole number");
	if (reader_exponent(&p->r, power))
		return -1;
	if (*power < -QUANTITY_MAX_POWER || *power > QUANTITY_MAX_POWER || *power == 0)
		return reader_refuse(&p->r, "the power of a unit is out of range: -%d to %d, not 0",
			QUANTITY_MAX_POWER, QUANTITY_MAX_POWER);
	return 0;
}

static void note_information(
	const char *symbol, const struct quantity_reading *r, struct scratch_value *v)
{
	if (r->unit.dim[DIM_INFORMATION] == 0)
		return;
	bool bytes = strstr(symbol, "B") || strstr(symbol, "byte");
	v->in_bytes |= bytes;
	v->in_bits |= !bytes;
}

static int read_term_of_unit(struct parser *p, bool attached, bool divides, struct factor_parts *f)
{
	struct quantity_reading readings[QUANTITY_MAX_READINGS];
	char symbol[SYMBOL_SIZE];
	size_t n = reader_symbol_bytes(p->r.at);
	int power;
	if (n >= sizeof symbol)
		return reader_refuse(
			&p->r, "unknown unit \"%s...\"", reader_quote(p->r.at, symbol));
	memcpy(symbol, p->r.at, n);
	symbol[n] = '\0';
	p->r.at += n;
	size_t n_readings = symbol_readings(symbol, readings);
	if (!n_readings) {
		char quoted[SYMBOL_SIZE];
		symbol_refuse(reader_quote(symbol, quoted), p->r.err, p->r.err_size);
		return -1;
	}
	/* In "4B/param" the B means bytes. */
	const char *behind = reader_after_blanks(p->r.at);
	attached = attached && !(*behind == '/' && begins_unit(reader_after_blanks(behind + 1)));
	const struct quantity_reading *r = choose(p, symbol, attached, readings, n_readings);
	if (read_power_of_unit(p, &power))
		return -1;
	struct scratch_value term = scratch_one;
	term.number = pow(r->unit.factor, power);
	for (int d = 0; d < N_DIMENSIONS; d++)
		term.unit.dim[d] = (signed char)(r->unit.dim[d] * power);
	note_information(symbol, r, &term);
	term.has_unit = true;
	term.billion = strcmp(symbol, "B") == 0 && (r->flags & READING_MULTIPLIER);
	f->percent = f->percent || *symbol == '%';
	return divides ? scratch_divide(p, &f->unit, &term) : scratch_multiply(p, &f->unit, &term);
}

/* The unit that stands at p, if any. */
static int scratch_unit(struct parser *p, struct factor_parts *f)
{
	bool attached = begins_unit(p->r.at), divides = false;
	int n = 0;
	for (; next_term(p, n == 0, &divides); n++) {
		if (n == QUANTITY_MAX_TERMS)
			return reader_refuse(&p->r, "at most %d units behind one number", n);
		if (read_term_of_unit(p, attached && n == 0, divides, f))
			return -1;
	}
	f->unit.billion = f->unit.billion && n == 1; /* nobody reads 70B params as bytes */
	return 0;
}

/* --- the grammar ----------------------------------------------------------------------------- */

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
	if (root_bytes(p->r.at)) {
		p->r.at = reader_after_blanks(p->r.at + root_bytes(p->r.at));
		return read_parentheses(p, v) ? -1 : scratch_raise(p, v, 0.5);
	}
	if (*p->r.at == '(')
		return read_parentheses(p, v);
	if (*p->r.at == '#' || scratch_word(p->r.at, "ans"))
		return read_line_reference(p, v);
	return *p->r.at ? reader_refuse(&p->r, "a number is missing before \"%s\"",
				  reader_quote(p->r.at, text))
			: reader_refuse(&p->r, "a number is missing at the end");
}

/* Bytes of the sign that stands there; 0 when there is none. */
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

/* Reads "^ power" behind a base, where there is one. */
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

/* "3 min 20 s" is one factor. */
static bool read_duration(struct parser *p, struct factor_parts *f)
{
	struct duration d;
	const size_t n = duration_read(p->r.at, &d);
	if (!n)
		return false;
	p->r.at += n;
	f->base = scratch_one;
	f->base.number = d.count;
	f->unit.number = d.unit_s;
	f->unit.unit.dim[DIM_TIME] = 1;
	f->unit.has_unit = true;
	return true;
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
	if (!dollars && read_duration(p, f)) {
		f->base.number = negative ? -f->base.number : f->base.number;
		return 0;
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
		/* 31 +- 1 is no 30. */
		if (reader_margin(at))
			return reader_refuse(&p->r, "a margin is no sum: type the value alone");
		if (!n)
			return 0;
		p->r.at = at + n;
		if (read_term(p, &more) || scratch_sum(p, v, &more, *at == '+' ? 1 : -1))
			return -1;
	}
}

/* Whether a unit begins with a number other than the 1 of "1/s". Behind the result it would read as
 * that number's end: "10 128 x" is 10,128. */
static bool begins_with_count(const char *unit)
{
	const char *behind = reader_after_blanks(unit + 1);
	bool one = *unit == '1' && (*behind == '/' || scratch_word(behind, "per"));
	return scratch_begins_number(unit) && !one;
}

/* Reads "in GB/s" at the end of a line. */
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
	if (begins_with_count(text))
		return reader_refuse(&p->r, "after \"in\" comes a unit, without a number");
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
	if (!unit_same_dimension(&v->unit, &unit) || !(unit.factor > 0)) {
		unit_difference(&v->unit, &unit, p->r.err, p->r.err_size);
		return -1;
	}
	if (!isfinite(v->number / unit.factor))
		return reader_refuse(&p->r, "in \"%s\" that is too large for a number",
			reader_quote(text, quoted));
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
	assert(text && out && err);
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
	assert(pad && pad->n <= SCRATCH_LINES && text);
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

/* --- written --------------------------------------------------------------------------------- */

/* A unit in the making: "B/s", and how many base units it is. */
struct written {
	char text[96];
	double factor;
};

static void append(struct written *w, const char *text)
{
	size_t n = strlen(w->text);
	snprintf(w->text + n, sizeof w->text - n, "%s", text);
}

/* The dimensions in the order in which they are written. */
static const struct scratch_symbol {
	enum dimension dim;
	const char *name;
} symbols[N_DIMENSIONS] = {
	{ DIM_DOLLAR, "$" },
	{ DIM_WORK, "FLOP" },
	{ DIM_INFORMATION, "B" },
	{ DIM_PARAMETER, "param" },
	{ DIM_TOKEN, "tok" },
	{ DIM_REQUEST, "req" },
	{ DIM_ENERGY, "J" },
	{ DIM_LENGTH, "m" },
	{ DIM_DEVICE, "GPU" },
	{ DIM_TIME, "s" },
};

static void append_power(struct written *w, const struct scratch_symbol *s, int power, bool bits)
{
	char text[16];
	bool information = s->dim == DIM_INFORMATION;
	append(w, information && bits ? "bit" : s->name);
	if (power > 1) {
		snprintf(text, sizeof text, "^%d", power);
		append(w, text);
	}
}

/* Splits a dimension into what stands before the first "/" and what stands behind it. J/s is
 * written as W, and GPU seconds as GPU h. */
static void write_dimension(
	const struct scratch_value *v, struct written *over, struct written *under)
{
	const signed char *dim = v->unit.dim;
	bool bits = v->in_bits && !v->in_bytes;
	*over = *under = (struct written){ .factor = 1 };
	over->factor = bits ? 1 : pow(8, dim[DIM_INFORMATION]);
	for (size_t i = 0; i < N_DIMENSIONS; i++) {
		const struct scratch_symbol *s = &symbols[i];
		int power = dim[s->dim];
		if (power > 0) {
			append(over, *over->text ? "*" : "");
			append_power(over, s, power, bits);
		} else if (power < 0) {
			append(under, "/");
			append_power(under, s, -power, bits);
		}
	}
	if (strcmp(over->text, "J") == 0 && strcmp(under->text, "/s") == 0) {
		strcpy(over->text, "W");
		under->text[0] = '\0';
	}
	if (strcmp(over->text, "GPU*s") == 0) {
		strcpy(over->text, "GPU*h");
		over->factor *= HOUR_S;
	}
}

/* Units that take a prefix, and the smallest and the largest exponent it may have. */
static const struct prefixed {
	const char *text;
	int least, most;
} prefixed[] = { { "B", 0, 21 }, { "bit", 0, 21 }, { "FLOP", 0, 21 }, { "J", -3, 21 },
	{ "W", -3, 21 }, { "s", -9, 0 }, { "tok", 0, 21 }, { "param", 0, 21 }, { "req", 0, 21 } };

static const struct prefixed *prefixed_find(const char *text)
{
	for (size_t i = 0; i < LENGTH(prefixed); i++)
		if (strcmp(prefixed[i].text, text) == 0)
			return &prefixed[i];
	return NULL;
}

/* The exponent, a multiple of 3 within the limits, that leaves 1 to 999 before the point. */
static int exponent_for(double value, int least, int most)
{
	if (value == 0)
		return 0;
	int e = (int)floor(log10(fabs(value)) + 1e-12);
	e = (e >= 0 ? e / 3 : (e - 2) / 3) * 3;
	return e < least ? least : e > most ? most : e;
}

static const char *prefix_text(int exponent)
{
	assert(exponent >= -9 && exponent <= 21 && exponent % 3 == 0);
	static const char *const texts[] = { "n", "u", "m", "", "k", "M", "G", "T", "P", "E", "Z" };
	return texts[exponent / 3 + 3];
}

static double scaled(double value, int exponent)
{
	return exponent < 0 ? value * pow(10, -exponent) : value / pow(10, exponent);
}

static void write_scaled(const struct prefixed *u, double value, int least, const char *under,
	int digits, char *buf, size_t size)
{
	char number[64];
	int e = exponent_for(value, u->least, u->most);
	if (e > 0 && e < least)
		e = 0;
	number_write(number, sizeof number, scaled(value, e), digits);
	snprintf(buf, size, "%s %s%s%s", number, prefix_text(e), u->text, under);
}

/* 8,192 tokens, 15 trillion tokens: with a word and never with a prefix, which nobody says. */
static void write_count(const char *name, double value, int digits, char *buf, size_t size)
{
	static const char *const large[] = { "", "", " million", " billion", " trillion" };
	char number[64];
	int e = exponent_for(value, 0, 12);
	e = e < 6 ? 0 : e;
	number_write(number, sizeof number, scaled(value, e), digits);
	snprintf(buf, size, "%s%s %s", number, large[e / 3], name);
}

/* From 10,000 s on. */
static void write_long_time(double value, int digits, char *buf, size_t size)
{
	char number[64];
	const char *name = quantity_long_time(value);
	struct unit unit;
	number_write(number, sizeof number, unit_parse(name, &unit) ? value / unit.factor : value,
		digits);
	snprintf(buf, size, "%s %s", number, name);
}

static void write_dollars(double value, const char *under, int digits, char *buf, size_t size)
{
	char number[64];
	bool tokens = strcmp(under, "/tok") == 0 && fabs(value) < 0.01 && value != 0;
	number_write(number, sizeof number, tokens ? value * 1e6 : value, digits);
	snprintf(buf, size, "$%s%s", number, tokens ? "/Mtok" : under);
}

char *scratch_write(const struct scratch_value *v, int digits, char *buf, size_t size)
{
	assert(v && buf && size > 0 && digits > 0 && digits <= SCRATCH_ALL_DIGITS);
	struct written over, under;
	char number[64];
	if (*v->in) {
		number_write(number, sizeof number, v->number / v->unit.factor, digits);
		snprintf(buf, size, "%s %s", number, v->in);
		return buf;
	}
	write_dimension(v, &over, &under);
	double value = v->number / over.factor;
	const struct prefixed *u = prefixed_find(over.text);
	bool ratio = strcmp(over.text, "FLOP") == 0 && strcmp(under.text, "/B") == 0;
	if (strcmp(over.text, "$") == 0)
		write_dollars(value, under.text, digits, buf, size);
	else if (strcmp(over.text, "s") == 0 && !*under.text && fabs(value) >= 10000)
		write_long_time(value, digits, buf, size);
	else if (strcmp(over.text, "tok") == 0 && !*under.text)
		write_count(value == 1 ? "token" : "tokens", value, digits, buf, size);
	else if (strcmp(over.text, "param") == 0 && !*under.text)
		write_count(value == 1 ? "param" : "params", value, digits, buf, size);
	else if (u)
		write_scaled(u, value, ratio ? 6 : 0, under.text, digits, buf, size);
	else
		snprintf(buf, size, "%s%s%s%s", number_write(number, sizeof number, value, digits),
			*over.text || *under.text ? " " : "", over.text, under.text);
	return buf;
}
