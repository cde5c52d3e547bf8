/* One pass over the C text of a row's expression, which is a small language (see the rows):
 * arithmetic, comparisons, one conditional, calls. A recursive descent, one function a rule, that
 * writes what it reads in the signs that people use; with arguments it writes values in the place
 * of names, and of a conditional only the branch that holds. */
#include "sims/formulas/formula_text.h"

#include "sims/base/array.h"
#include "sims/base/name_words.h"
#include "sims/base/utf8.h"
#include "sims/quantity/quantity.h"
#include "sims/formulas/call.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions that only change the unit. */
static const struct conversion {
	const char *name, *unit;
	double (*call)(double);
} conversions[] = { { "in_hours", "h", in_hours }, { "in_kwh", "kWh", in_kwh } };

struct formula_text {
	const char *at; /* in the expression */
	const struct formula *formula;
	const double *args; /* NULL: names are written instead of values */
	bool ascii;
	bool bare;                   /* inside a power: values without their units */
	bool muted;                  /* inside the branch of a conditional that is not taken */
	const struct conversion *in; /* inside in_hours(): seconds are written in hours */
	char *buf;
	size_t size, length;
	bool full;
};

/* Appends all or a beginning that ends between two characters; nothing after that. */
static void put(struct formula_text *t, const char *s)
{
	size_t n = strlen(s), room = t->size - 1 - t->length;

	if (t->muted || t->full)
		return;
	if (n > room) {
		t->full = true;
		n = utf8_whole(s, room);
	}
	memcpy(t->buf + t->length, s, n);
	t->length += n;
	t->buf[t->length] = '\0';
}

static void put_n(struct formula_text *t, const char *s, size_t n)
{
	char part[64];

	n = n < sizeof part ? n : sizeof part - 1;
	memcpy(part, s, n);
	part[n] = '\0';
	put(t, part);
}

/* How a C function is written. The ASCII form of a bracket is the name with parentheses. */
static const struct notation {
	const char *name, *open, *close, *ascii;
} notations[] = {
	{ "ceil", "\u2308", "\u2309", "ceil(" },
	{ "whole", "\u2308", "\u2309", "ceil(" },
	{ "floor", "\u230a", "\u230b", "floor(" },
	{ "fabs", "|", "|", "abs(" },
	{ "sqrt", "\u221a(", ")", "sqrt(" },
	{ "fmax", "max(", ")", "max(" },
	{ "fmin", "min(", ")", "min(" },
	{ "rint", "round(", ")", "round(" },
	{ "log", "ln(", ")", "ln(" },
	{ "erlang_c", "Erlang C(", ")", "Erlang C(" },
	{ "harmonic_number", "H(", ")", "H(" },
};

static const struct notation *notation_find(const char *name)
{
	for (size_t i = 0; i < LENGTH(notations); i++)
		if (strcmp(notations[i].name, name) == 0)
			return &notations[i];
	return NULL;
}

static const struct conversion *conversion_find(const char *name)
{
	for (size_t i = 0; i < LENGTH(conversions); i++)
		if (strcmp(conversions[i].name, name) == 0)
			return &conversions[i];
	return NULL;
}

static void skip_space(struct formula_text *t)
{
	while (isspace((unsigned char)*t->at))
		t->at++;
}

static bool take(struct formula_text *t, char c)
{
	skip_space(t);
	if (*t->at != c)
		return false;
	t->at++;
	return true;
}

static size_t name_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* The end of a number like 0.5, 3600 or 1e-9. */
static size_t number_length(const char *s)
{
	size_t n = 0;

	while (isdigit((unsigned char)s[n]) || s[n] == '.')
		n++;
	if (n && s[n] == 'e') {
		n += s[n + 1] == '-' ? 2 : 1;
		while (isdigit((unsigned char)s[n]))
			n++;
	}
	return n;
}

static bool ends_in(const char *name, const char *end)
{
	const size_t n = strlen(name), m = strlen(end);
	return n > m && strcmp(name + n - m, end) == 0;
}

/* "KV heads"; one of them is "1 layer", and an sm_count of two is "2 SMs". */
static void put_readable(struct formula_text *t, const char *name, double value)
{
	static const char count[] = "_count";
	size_t n = strlen(name);
	if (ends_in(name, count)) {
		for (size_t i = 0; i < n - strlen(count); i++) {
			const char capital = (char)toupper((unsigned char)name[i]);
			put_n(t, &capital, 1);
		}
		put(t, value == 1 ? "" : "s");
		return;
	}
	bool plural = n > 2 && name[n - 1] == 's' && !strchr("sau", name[n - 2]);

	if (plural && value == 1)
		n--;
	char one[64], words[96];
	snprintf(one, sizeof one, "%.*s", (int)n, name);
	put(t, name_words(one, words, sizeof words));
}

/* Whether a bare number is a count of what its parameter names, rather than a factor or a share, or one of
 * several that are alike: 2 is no "throughput two". */
static bool is_count(const struct formula_param *p, double value)
{
	const bool alike =
		ends_in(p->name, "_one") || ends_in(p->name, "_two") || ends_in(p->name, "_n");
	return !alike && !*p->unit && p->min >= 0 && p->max > 1000 && value == floor(value);
}

static void put_value(struct formula_text *t, size_t i)
{
	const struct formula_param *p = &t->formula->params[i];
	double value = t->args[i];
	char number[96];

	if (value < 0)
		put(t, "(");
	if (t->bare || !*p->unit)
		put(t, number_format(number, sizeof number, value));
	else if (t->in)
		put(t, quantity_format(number, sizeof number, t->in->call(value), t->in->unit));
	else
		put(t, quantity_format(number, sizeof number, value, p->unit));
	if (!t->bare && is_count(p, value)) {
		put(t, " ");
		put_readable(t, p->name, value);
	}
	if (value < 0)
		put(t, ")");
}

static void write_choice(struct formula_text *t);

/* One operand of a power, in parentheses unless it is a single name or number. */
static void write_operand(struct formula_text *t, char end)
{
	skip_space(t);
	size_t n = isdigit((unsigned char)*t->at) ? number_length(t->at) : name_length(t->at);
	bool single = n && t->at[n] == end;

	if (!single)
		put(t, "(");
	write_choice(t);
	if (!single)
		put(t, ")");
}

/* pow(x, y) as x^y */
static void write_power(struct formula_text *t)
{
	bool bare = t->bare;

	t->bare = true;
	write_operand(t, ',');
	take(t, ',');
	put(t, "^");
	write_operand(t, ')');
	take(t, ')');
	t->bare = bare;
}

/* in_hours(x) is written as x in hours: when values say their units, a conversion is not a step of
 * the arithmetic. */
static void write_converted(struct formula_text *t, const struct conversion *in)
{
	t->in = in;
	write_choice(t);
	take(t, ')');
	t->in = NULL;
}

static void write_call(struct formula_text *t, const char *name)
{
	const struct notation *n = notation_find(name);

	if (strcmp(name, "pow") == 0) {
		write_power(t);
		return;
	}
	const struct conversion *in = conversion_find(name);
	if (in) {
		write_converted(t, in);
		return;
	}
	if (n) {
		put(t, t->ascii ? n->ascii : n->open);
	} else {
		put(t, name);
		put(t, "(");
	}
	do
		write_choice(t);
	while (take(t, ',') && (put(t, ", "), true));
	take(t, ')');
	put(t, n && !t->ascii ? n->close : ")");
}

static void write_name(struct formula_text *t)
{
	char name[48];
	size_t n = name_length(t->at);
	size_t kept = n < sizeof name ? n : sizeof name - 1;

	memcpy(name, t->at, kept);
	name[kept] = '\0';
	t->at += n;
	int i = formula_param_index(t->formula, name);
	if (take(t, '('))
		write_call(t, name);
	else if (strcmp(name, "INFINITY") == 0)
		put(t, "infinite");
	else if (i >= 0 && t->args)
		put_value(t, (size_t)i);
	else
		put(t, name);
}

static const char *after_space(const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return s;
}

/* Behind the bracket that closes the one at s. */
static const char *after_brackets(const char *s)
{
	int depth = 0;

	do
		depth += (*s == '(') - (*s == ')');
	while (*s++ && depth > 0);
	return s;
}

/* Behind the number, name, call or bracket at s. *param: the parameter that it is, or -1. */
static const char *after_primary(const struct formula_text *t, const char *s, int *param)
{
	char name[48];
	size_t n;

	*param = -1;
	for (s = after_space(s); *s == '-'; s = after_space(s + 1))
		;
	if (*s == '(')
		return after_brackets(s);
	if (isdigit((unsigned char)*s))
		return s + number_length(s);
	n = name_length(s);
	if (n == 0)
		return *s ? s + 1 : s;
	if (*after_space(s + n) == '(')
		return after_brackets(after_space(s + n));
	if (n < sizeof name) {
		memcpy(name, s, n);
		name[n] = '\0';
		*param = formula_param_index(t->formula, name);
	}
	return s + n;
}

/* Behind the product at s; *nothing: a factor of it is a parameter that is 0 here. */
static const char *after_product(const struct formula_text *t, const char *s, bool *nothing)
{
	char op = '*';

	*nothing = false;
	do {
		int param;
		s = after_space(after_primary(t, s, &param));
		*nothing |= op == '*' && param >= 0 && t->args[param] == 0;
		op = *s;
		s += op == '*' || op == '/';
	} while (op == '*' || op == '/');
	return s;
}

/* Whether some products of the sum at s are nothing, and others are not: then these are left out. */
static bool is_sum_with_nothing(const struct formula_text *t, const char *s)
{
	bool some = false, others = false, nothing;

	for (;; s++) {
		s = after_product(t, s, &nothing);
		some |= nothing;
		others |= !nothing;
		if (*s != '+' && *s != '-')
			return some && others && *s != '<' && *s != '>';
	}
}

/* Whether a single number is left of such a sum, which needs no brackets. */
static bool leaves_one_value(const struct formula_text *t, const char *s)
{
	size_t left = 0;
	bool nothing;
	int param;

	if (!is_sum_with_nothing(t, s))
		return false;
	for (;; s++) {
		const char *value = after_space(after_primary(t, s, &param));
		const bool single = value == after_product(t, s, &nothing);
		left += nothing ? 0 : single ? 1 : 2;
		s = after_product(t, s, &nothing);
		if (*s != '+' && *s != '-')
			return left == 1;
	}
}

static void write_primary(struct formula_text *t)
{
	skip_space(t);
	if (isdigit((unsigned char)*t->at)) {
		size_t n = number_length(t->at);
		put_n(t, t->at, n);
		t->at += n;
	} else if (name_length(t->at)) {
		write_name(t);
	} else if (take(t, '(')) {
		bool bare = t->args && leaves_one_value(t, t->at);
		put(t, bare ? "" : "(");
		write_choice(t);
		take(t, ')');
		put(t, bare ? "" : ")");
	} else if (take(t, '-')) {
		put(t, "-");
		write_primary(t);
	} else if (*t->at) {
		put_n(t, t->at++, 1);
	}
}

static const char *operator_text(char c, bool ascii)
{
	switch (c) {
	case '*':
		return ascii ? " x " : " \u00d7 ";
	case '/':
		return " / ";
	case '+':
		return " + ";
	case '-':
		return " - ";
	case '<':
		return " < ";
	case '>':
		return " > ";
	default:
		return NULL;
	}
}

/* The sum without those products: nobody says "and no overheads times nothing". */
static void write_what_counts(struct formula_text *t)
{
	bool muted = t->muted, first = true, nothing;

	for (char op = '+';; op = *t->at++) {
		const char *end = after_product(t, t->at, &nothing);
		t->muted = muted || nothing;
		if (op == '-' || !first)
			put(t, first ? "-" : operator_text(op, t->ascii));
		write_primary(t);
		for (skip_space(t); t->at < end; skip_space(t)) {
			put(t, operator_text(*t->at++, t->ascii));
			write_primary(t);
		}
		first &= nothing;
		t->muted = muted;
		if (*t->at != '+' && *t->at != '-')
			return;
	}
}

static void write_expression(struct formula_text *t)
{
	const char *op;

	if (t->args && is_sum_with_nothing(t, t->at)) {
		write_what_counts(t);
		return;
	}
	write_primary(t);
	for (skip_space(t); (op = operator_text(*t->at, t->ascii)); skip_space(t)) {
		put(t, op);
		t->at++;
		write_primary(t);
	}
}

/* The '?' of a conditional that starts here, or NULL. */
static const char *find_choice(const char *s)
{
	int depth = 0;

	for (; *s; s++) {
		if (*s == '?' && depth == 0)
			return s;
		if (depth == 0 && (*s == ',' || *s == ':' || *s == ')'))
			return NULL;
		depth += (*s == '(') - (*s == ')');
	}
	return NULL;
}

/* The only kind of condition that our rows have: a parameter, < or >, a small whole number. */
struct condition {
	int param;
	char op;
	double bound;
	char name[48], bound_text[16];
};

static bool condition_read(const struct formula_text *t, struct condition *c)
{
	const char *s = t->at + strspn(t->at, " ");
	size_t n = name_length(s);

	if (n >= sizeof c->name)
		return false;
	memcpy(c->name, s, n);
	c->name[n] = '\0';
	c->param = formula_param_index(t->formula, c->name);
	s += n + strspn(s + n, " ");
	c->op = *s;
	if (c->param < 0 || (c->op != '<' && c->op != '>'))
		return false;
	s++;
	s += strspn(s, " ");
	n = strspn(s, "0123456789");
	if (n == 0 || n >= sizeof c->bound_text || s[n + strspn(s + n, " ")] != '?')
		return false;
	memcpy(c->bound_text, s, n);
	c->bound_text[n] = '\0';
	c->bound = (double)strtol(c->bound_text, NULL, 10);
	return true;
}

/* Where the branch taken is only "infinite", says why it was taken. */
static void put_reason(struct formula_text *t, const struct condition *c)
{
	put(t, "since ");
	put_readable(t, c->name, NAN);
	put(t, " is not ");
	put(t, c->op == '<' ? "below " : "above ");
	put(t, c->bound_text);
	put(t, ": ");
}

/* With values only the branch that holds is written. */
static void write_taken(struct formula_text *t, const char *question, const struct condition *c)
{
	double x = t->args[c->param];
	bool holds = c->op == '<' ? x < c->bound : x > c->bound, muted = t->muted;

	t->at = question + 1;
	t->muted = muted || !holds;
	write_choice(t);
	take(t, ':');
	skip_space(t);
	t->muted = muted || holds;
	if (strncmp(t->at, "INFINITY", 8) == 0)
		put_reason(t, c);
	write_choice(t);
	t->muted = muted;
}

static void write_choice(struct formula_text *t)
{
	const char *question = find_choice(t->at);
	struct condition c;

	if (!question) {
		write_expression(t);
		return;
	}
	if (t->args && condition_read(t, &c)) {
		write_taken(t, question, &c);
		return;
	}
	put(t, "if ");
	write_expression(t);
	take(t, '?');
	put(t, ": ");
	write_choice(t);
	take(t, ':');
	put(t, ", else ");
	write_choice(t);
}

static struct formula_text write_text(
	const struct formula *f, const double args[], bool ascii, char *buf, size_t size)
{
	struct formula_text t = { .at = f->expression,
		.formula = f,
		.args = args,
		.ascii = ascii,
		.buf = buf,
		.size = size };

	buf[0] = '\0';
	write_choice(&t);
	return t;
}

char *formula_symbols(const struct formula *f, bool ascii, char *buf, size_t size)
{
	assert(f && buf);
	if (size)
		write_text(f, NULL, ascii, buf, size);
	return buf;
}

char *formula_words(const struct formula *f, bool ascii, char *buf, size_t size)
{
	enum { LONGEST = 1024 };
	char symbols[LONGEST];
	size_t used = 0;
	bool raised = false;
	assert(size > 0);
	buf[0] = '\0';
	formula_symbols(f, ascii, symbols, sizeof symbols);
	for (const char *p = symbols; *p && used < size;) {
		const char *said;
		const size_t n = name_part(p, &said);
		raised = *p == '^' || (raised && (n || *p == '_'));
		if (said)
			used += (size_t)snprintf(buf + used, size - used, "%s", said);
		else if (n)
			used += (size_t)snprintf(buf + used, size - used, "%.*s", (int)n, p);
		else
			used += (size_t)snprintf(
				buf + used, size - used, "%c", *p == '_' && !raised ? ' ' : *p);
		p += n ? n : 1;
	}
	return buf;
}

char *formula_substituted(
	const struct formula *f, const double args[], bool ascii, char *buf, size_t size)
{
	assert(f && args && buf);
	if (size)
		write_text(f, args, ascii, buf, size);
	return buf;
}

char *formula_working(
	const struct formula *f, const double args[], bool ascii, char *buf, size_t size)
{
	assert(f && args && buf);
	static const char infinite[] = ": infinite";
	const size_t n = sizeof infinite - 1;
	char value[96];

	if (!size)
		return buf;
	struct formula_text t = write_text(f, args, ascii, buf, size);
	if (t.length >= n && strcmp(buf + t.length - n, infinite) == 0)
		return buf;
	put(&t, " = ");
	/* Written as the steps are, because a reader compares it with them. */
	put(&t, *f->unit ? quantity_format(value, sizeof value, f->call(args), f->unit)
			 : number_format(value, sizeof value, f->call(args)));
	return buf;
}
