/* Answers whose truth is known before they are typed: a number, a unit and a way to write both are
 * drawn, and what the grader must say follows from them. Then the text is damaged, and the grader
 * must not be fooled. LAWS_ANSWERS of them, or 40,000; `make laws` has a million under the
 * sanitizers. Numbers are read here by a reader of this file's own. */
#include "drills/grade.h"
#include "sims/base/rng.h"
#include "tests/laws.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ANSWERS = 40000 };

static size_t below(struct rng *r, size_t n)
{
	return (size_t)rng_below(r, n);
}

static bool chance(struct rng *r, size_t one_in)
{
	return below(r, one_in) == 0;
}

/* How far inside of the tolerance x is, as a ratio: above 1 is outside. Section 5 of the rules. */
static long double outside(const struct trial *t, long double x)
{
	const struct question *q = &t->question;
	long double v = q->key, off = fabsl(x - v);
	double shown = *t->subject->shown ? t->subject->units[0].factor : 1;
	switch (q->tolerance.mode) {
	case TOLERANCE_ABSOLUTE:
		return off / (q->tolerance.amount * shown);
	case TOLERANCE_FACTOR:
		return x / v > 0 ? expl(fabsl(logl(x / v))) / q->tolerance.amount : 1e9L;
	case TOLERANCE_DIGITS:
		return off / (0.51L * powl(10, floorl(log10l(v)) - q->tolerance.amount + 1));
	case TOLERANCE_EXACT:
		return off / (1e-9L * v);
	default:
		return off / (q->tolerance.amount * v);
	}
}

/* Whether it is too near to an edge to be told by arithmetic of so many digits. */
static bool at_edge(const struct trial *t, long double x)
{
	long double width = t->question.tolerance.mode == TOLERANCE_EXACT ? 1e-3L : 1e-7L;
	return fabsl(outside(t, x) - 1) < width;
}

static bool is_named(const struct trial *t, long double x, bool *edge)
{
	double td = fmin(question_tolerance_ratio(&t->question), 0.015);
	bool named = false;
	for (size_t i = 0; i < t->question.n_mistakes; i++) {
		long double m = t->mistakes[i].value, off = fabsl(x - m) / m;
		named |= off <= td;
		*edge |= fabsl(off - td) < 1e-7L;
	}
	return named;
}

/* What must be true of any verdict, whatever was typed. */
static void expect_sane(const char *text, const struct grade *g)
{
	const char *const shown[] = { g->understood, g->remark, g->cause };
	bool printable = true,
	     costs = g->verdict != VERDICT_INVALID && g->verdict != VERDICT_NEED_UNIT;
	cr_assert(g->credit >= 0 && g->credit <= 1 && g->attempt_used == costs, "\"%s\"", text);
	cr_assert(isfinite(g->value) || !g->has_value, "\"%s\"", text);
	for (size_t i = 0; i < 3; i++)
		for (const char *p = shown[i]; *p; p++)
			printable &= *p == '\t' || !iscntrl((unsigned char)*p);
	cr_assert(printable, "\"%s\": %s %s", text, g->understood, g->remark);
}

/* The verdict that follows from the truth. */
static void expect_truth(const struct trial *t, const struct grade *g)
{
	bool edge = at_edge(t, t->truth), named = is_named(t, t->truth, &edge);
	if (!t->unit && t->subject->required) {
		cr_assert(eq(int, g->verdict, VERDICT_NEED_UNIT), "\"%s\"", t->text);
		return;
	}
	cr_assert(g->has_value, "\"%s\" is %s: %s", t->text, verdict_names[g->verdict], g->remark);
	cr_assert(fabsl(g->value - t->truth) <= (g->expression ? 1e-10L : 1e-12L) * fabsl(t->truth),
		"\"%s\" is %.17g, was read as %.17g", t->text, (double)t->truth, g->value);
	if (edge)
		return;
	bool right = outside(t, t->truth) <= 1;
	cr_assert(eq(int, g->verdict == VERDICT_CORRECT, right), "\"%s\" of %.17g: %s", t->text,
		t->question.key, verdict_names[g->verdict]);
	cr_assert(eq(int, g->verdict == VERDICT_NAMED, named && !right), "\"%s\" of %.17g: %s",
		t->text, t->question.key, verdict_names[g->verdict]);
}

static size_t graded;

static struct grade grade(const struct trial *t, const char *text)
{
	struct grade g;
	graded++;
	grade_answer(&t->question, text, false, &g);
	expect_sane(text, &g);
	return g;
}

/* Each makes a text that can only be refused. */
static void add_sign(struct rng *r, const struct trial *t, char *out, size_t size)
{
	static const char signs[] = "?!#@&=;:<>|{}[]()\"\\\x01\x1b\x7f\x80\xff";
	size_t at = below(r, strlen(t->text) + 1);
	snprintf(out, size, "%.*s%c%s", (int)at, t->text, signs[below(r, sizeof signs - 1)],
		t->text + at);
}

static void leave_out_number(struct rng *r, const struct trial *t, char *out, size_t size)
{
	(void)r;
	snprintf(out, size, "%s", t->unit ? t->unit->text : "");
}

static void use_comma(struct rng *r, const struct trial *t, char *out, size_t size)
{
	snprintf(out, size, "%zu,%zu %s", below(r, 2000), 1 + below(r, 99),
		t->unit ? t->unit->text : "");
}

static void misspell(struct rng *r, const struct trial *t, char *out, size_t size)
{
	static const char *const wrong[] = { "gb", "mb", "kb", "gib", "mB", "GbB", "Gflip", "tokns",
		"XB", "KIB", "lightyears" };
	snprintf(out, size, "%s %s", t->number, wrong[below(r, sizeof wrong / sizeof *wrong)]);
}

static void lengthen(struct rng *r, const struct trial *t, char *out, size_t size)
{
	snprintf(out, size, "%.*d%s", (int)(201 + below(r, 50)), 0, t->text);
}

static void two_numbers(struct rng *r, const struct trial *t, char *out, size_t size)
{
	snprintf(out, size, "%s GB %zu.5", t->number, below(r, 100));
}

static void (*const spoilers[])(struct rng *, const struct trial *, char *, size_t) = { add_sign,
	leave_out_number, use_comma, misspell, lengthen, two_numbers };

static void expect_refusal(struct rng *r, const struct trial *t)
{
	char text[3 * TEXT_SIZE];
	size_t which = below(r, sizeof spoilers / sizeof *spoilers);
	spoilers[which](r, t, text, sizeof text);
	struct grade g = grade(t, text);
	if (g.expression) /* "6 GB -" may be a sum: tests/test_scratch.c has these */
		return;
	cr_assert(eq(int, g.verdict, VERDICT_INVALID), "\"%s\" is %s", text,
		verdict_names[g.verdict]);
	cr_assert(g.remark[0] != '\0', "\"%s\"", text);
}

/* A number with the unit of another subject. Units that differ only in request or device count as
 * the same, and a plain multiplier does not count as a unit. */
static void expect_another_kind(struct rng *r, const struct trial *t)
{
	const struct subject *s = t->subject, *other = &subjects[below(r, n_subjects)];
	char text[2 * TEXT_SIZE];
	const struct spelling *u = &other->units[below(r, subject_units(other))];
	bool same = strncmp(s->unit, other->unit, 3) == 0 || strcmp(other->shown, "billion") == 0;
	bool work = strncmp(s->unit, "FLOP", 4) == 0 && strncmp(other->unit, "FLOP", 4) == 0;
	if (same || work || u->text[0] == 'B') /* a billion where no bytes are asked */
		return;
	snprintf(text, sizeof text, "%s %s", t->number, u->text);
	struct grade g = grade(t, text);
	bool plain = !*other->unit;
	cr_assert(g.verdict == VERDICT_WRONG_DIM ||
			  (plain && (g.verdict == VERDICT_INVALID || g.has_value)),
		"\"%s\" for %s is %s", text, s->shown, verdict_names[g.verdict]);
}

/* One to three bytes of the number are changed, put in or taken out. */
static void damage(struct rng *r, char *text, size_t size)
{
	static const char alphabet[] = "0123456789.,'_ eE+-*/x";
	for (size_t edits = 1 + below(r, 3); edits > 0; edits--) {
		size_t n = strlen(text), at = below(r, n + 1);
		char c = alphabet[below(r, sizeof alphabet - 1)];
		switch (below(r, 3)) {
		case 0:
			if (at < n)
				text[at] = c;
			break;
		case 1:
			if (at < n)
				memmove(text + at, text + at + 1, n - at);
			break;
		default:
			if (n + 2 < size) {
				memmove(text + at + 1, text + at, n - at + 1);
				text[at] = c;
			}
		}
	}
}

/* "31x*1320 ms", "1/x*30 ms": the x is a unit of its own, which multiplies by nothing, and the unit
 * goes on. */
static int read_past_x(const char *text, long double *number)
{
	char copy[TEXT_SIZE];
	snprintf(copy, sizeof copy, "%s", text);
	int kind = numbers_read(copy, number);
	for (char *x = copy; kind < 0 && (x = strchr(x, 'x')); x++) {
		const char *next = x + 1 + strspn(x + 1, " ");
		const char *last = x;
		while (last > copy && last[-1] == ' ')
			last--;
		if (*next && strchr("*/x", *next) && strncmp(next, "**", 2) != 0) {
			*x = last > copy && strchr("*/", last[-1]) ? '1' : ' ';
			return read_past_x(copy, number) ? -1 : 0;
		}
	}
	return kind;
}

/* The number is damaged and read again here; the unit stays. What has stopped being a number must
 * be refused. Where something is left beside the unit, the grader may read more in it than this
 * does, but not another value. */
static void expect_damage_is_seen(struct rng *r, struct trial *t)
{
	long double number;
	damage(r, t->number, sizeof t->number / 2);
	for (const char *p = t->number; *p; p++)
		if ((unsigned char)*p >= 0x80) /* perhaps half of a character */
			return;
	int kind = read_past_x(t->number, &number);
	if (kind && t->dollar_first && strchr(t->number, '/')) /* a part of the unit then */
		kind = -1;
	snprintf(t->text, sizeof t->text, "%s%s %s", t->dollar_first ? "$" : "", t->number,
		t->unit ? t->unit->text + t->dollar_first : "");
	struct grade g = grade(t, t->text);
	if (g.expression) /* "7+580" or ".0^0": no number of the grammar, but a sum or a power */
		return;
	t->truth = kind ? trial_truth(t, number) : 0;
	bool huge = fabsl(t->truth) > 1e290L, tiny = fabsl(t->truth) < 1e-290L;
	if (kind == 0)
		cr_assert(eq(int, g.verdict, VERDICT_INVALID), "\"%s\"", t->text);
	else if (huge || tiny)
		cr_assert(g.verdict != VERDICT_CORRECT && g.verdict != VERDICT_NAMED, "\"%s\"",
			t->text);
	else if (kind > 0 && g.verdict != VERDICT_INVALID)
		expect_truth(t, &g);
	else if (g.verdict == VERDICT_CORRECT)
		cr_assert(fabsl(g.value / t->truth - 1) < 1e-9L, "\"%s\" is right as %.17g",
			t->text, g.value);
}

/* One of the subject's units that is a word or a quotient of words; NULL: chance chose another. */
static const struct spelling *plain_unit(struct rng *r, const struct subject *s)
{
	const struct spelling *u = &s->units[below(r, subject_units(s))];
	return strpbrk(u->text, " *$%^") || strcmp(u->text, "x") == 0 ? NULL : u;
}

/* Sums, differences, brackets and quotients of quantities, whose value is known as they are put
 * together. */
static void expect_expression(struct rng *r, struct trial *t)
{
	const struct spelling *u = plain_unit(r, t->subject), *w = plain_unit(r, t->subject);
	char a[TEXT_SIZE / 2], b[TEXT_SIZE / 2];
	if (!u || !w || t->subject->dual)
		return;
	/* A unit that may be a rate or an amount must be meant in the same way in all terms of a
	 * sum, and a sum that says "per GPU" only once does not count it. */
	if (strncmp(t->subject->unit, "FLOP", 4) == 0 || strstr(u->text, "/GPU") ||
		strstr(w->text, "/GPU") || strstr(t->subject->unit, "/GPU"))
		w = u;
	double wanted = trial_target(r, &t->question), share = 0.1 + 0.8 * rng_uniform(r);
	size_t form = below(r, 5), by = 2 + below(r, 7);
	double first = form == 3 ? wanted * (double)by : form == 4 ? wanted * 2 : wanted * share;
	double second = form == 4 ? wanted : wanted - first;
	double beside = form < 2 ? (form ? u : w)->factor : u->factor;
	long double x = number_draw(r, first / u->factor, a, sizeof a) * u->factor;
	long double y = form == 3 ? 0 : number_draw(r, second / beside, b, sizeof b) * beside;
	const char *end = chance(r, 3) ? " =" : "";
	switch (form) {
	case 0:
		snprintf(t->text, sizeof t->text, "%s %s + %s %s%s", a, u->text, b, w->text, end);
		break;
	case 1:
		snprintf(t->text, sizeof t->text, "(%s + %s) %s%s", a, b, u->text, end);
		break;
	case 2:
		snprintf(t->text, sizeof t->text, "((%s %s) + %s %s)%s", a, u->text, b, u->text,
			end);
		break;
	case 3:
		snprintf(t->text, sizeof t->text, "(%s %s) / %zu%s", a, u->text, by, end);
		break;
	default:
		snprintf(t->text, sizeof t->text, "%s %s - %s %s%s", a, u->text, b, u->text, end);
	}
	t->unit = u;
	t->truth = form == 3 ? x / by : form == 4 ? x - y : x + y;
	struct grade g = grade(t, t->text);
	cr_assert(g.expression, "\"%s\" is no expression: %s", t->text, g.remark);
	expect_truth(t, &g);
}

/* Bytes at random, and pieces of the grammar at random. */
static void expect_noise_is_harmless(struct rng *r, const struct trial *t)
{
	static const char *const pieces[] = { "1", "0", "e", "E", "x", "*", "**", "10", "^", "/",
		"per", " ", ".", ",", "-", "+", "~", "$", "%", "G", "i", "B", "b", "s", "m", "k",
		"FLOP", "FLOPs", "tok", "GPU", "req", "\xc2\xb7", "\xe2\x80\xaf", "\xc3\x97",
		"\xe2\x88\x92", "million", "W", "Hz", "J" };
	char text[2 * TEXT_SIZE];
	size_t n = 0, wanted = below(r, 24);
	bool bytes = chance(r, 3);
	for (size_t i = 0; i < wanted; i++)
		if (bytes)
			text[n++] = (char)(1 + below(r, 255));
		else
			n += (size_t)snprintf(text + n, sizeof text - n, "%s",
				pieces[below(r, sizeof pieces / sizeof *pieces)]);
	text[n] = '\0';
	struct grade g = grade(t, text);
	if (g.verdict == VERDICT_CORRECT)
		cr_assert(outside(t, g.value) <= 1 || at_edge(t, g.value), "\"%s\"", text);
}

static void try_answers(size_t share)
{
	struct rng r = rng_stream(share, "answers", 0);
	size_t n = laws_count("LAWS_ANSWERS", ANSWERS) / 2;
	while (graded < n) {
		struct trial t;
		trial_draw(&r, &t);
		struct grade g = grade(&t, t.text);
		expect_truth(&t, &g);
		expect_refusal(&r, &t);
		expect_another_kind(&r, &t);
		expect_noise_is_harmless(&r, &t);
		expect_damage_is_seen(&r, &t);
		expect_expression(&r, &t);
	}
}

Test(laws_answers, verdicts_follow_from_the_truth_1, .timeout = 7200)
{
	try_answers(1);
}

Test(laws_answers, verdicts_follow_from_the_truth_2, .timeout = 7200)
{
	try_answers(2);
}
