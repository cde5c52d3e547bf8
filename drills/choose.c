/* An order is graded by counting pairs: those in place above what chance gives are its credit. */
#include "drills/choose.h"

#include "drills/answer.h"
#include "sims/base/utf8.h"
#include "sims/quantity/quantity.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct grade right = { .verdict = VERDICT_CORRECT, .attempt_used = true, .credit = 1 };
static const struct grade wrong = { .verdict = VERDICT_WRONG, .attempt_used = true };

static void refuse(struct grade *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void refuse(struct grade *g, const char *fmt, ...)
{
	va_list ap;
	*g = (struct grade){ .verdict = VERDICT_INVALID };
	va_start(ap, fmt);
	vsnprintf(g->remark, sizeof g->remark, fmt, ap);
	va_end(ap);
}

/* Reads one option: "3" and "c" are 2, and *p goes on. n where it is not one of n options. */
static size_t take_option(const char **p, size_t n)
{
	char c = **p;
	size_t i = c >= '1' && c <= '9'   ? (size_t)(c - '1')
		   : c >= 'a' && c <= 'z' ? (size_t)(c - 'a')
		   : c >= 'A' && c <= 'Z' ? (size_t)(c - 'A')
					  : n;
	if (i >= n)
		return n;
	++*p;
	return i;
}

/* A text as far as there is room, cut where a character ends. */
static void write_cut(char *out, size_t size, const char *text)
{
	size_t n = utf8_whole(text, size - 1);
	memcpy(out, text, n);
	out[n] = '\0';
}

/* For statistics: a text as far as whole words have room. */
static void write_cause(char *out, size_t size, const char *text)
{
	static const char more[] = " ...";
	write_cut(out, size, text);
	if (strlen(text) < size)
		return;
	out[utf8_whole(text, size - sizeof more)] = '\0';
	char *blank = strrchr(out, ' ');
	strcpy(blank ? blank : out + strlen(out), more);
}

/* Whether a text is the beginning of an option, without its marks: "the logits" behind its number. */
static bool begins_option(const char *said, const char *option)
{
	static const char marks[] = "`*";
	for (;; said++, option++) {
		said += strspn(said, marks);
		option += strspn(option, marks);
		if (!said[strspn(said, " .")])
			return true;
		if (tolower((unsigned char)*said) != tolower((unsigned char)*option))
			return false;
	}
}

static void grade_choice(const struct variant_step *s, const char *text, struct grade *out)
{
	const char *p = text + strspn(text, " (");
	size_t i = take_option(&p, s->n_options);
	const size_t apart = strspn(p, " ):.");
	if (i == s->n_options || (p[apart] && !apart) ||
		!begins_option(p + apart, s->options[i].text)) {
		refuse(out, "expected the number of one option, 1 to %zu", s->n_options);
		return;
	}
	const struct variant_option *o = &s->options[i];
	*out = o->right ? right : wrong;
	write_cut(out->understood, sizeof out->understood, o->text);
	write_cut(out->remark, sizeof out->remark, o->reason);
	if (!o->right)
		write_cause(out->cause, sizeof out->cause, o->text);
}

/* 0; or -1 and a refusal. */
static int read_order(
	const struct variant_step *s, const char *text, size_t order[], struct grade *out)
{
	bool seen[MOST_OPTIONS] = { false };
	size_t n = 0;
	for (const char *p = text; *(p += strspn(p, " ,;>-."));) {
		size_t i = take_option(&p, s->n_options);
		if (i == s->n_options) {
			refuse(out, "expected all of 1 to %zu, first to last: 2 1 3 ...",
				s->n_options);
			return -1;
		}
		if (seen[i]) {
			refuse(out, "%zu is there twice", i + 1);
			return -1;
		}
		seen[i] = true;
		order[n++] = i;
	}
	for (size_t i = 0; i < s->n_options; i++)
		if (!seen[i]) {
			refuse(out, "%zu is missing: all of 1 to %zu are wanted", i + 1,
				s->n_options);
			return -1;
		}
	return 0;
}

/* How many of the pairs whose order matters are the wrong way round, and the first of these. That
 * is the number of discordant pairs of Kendall's rank correlation. */
static size_t count_inversions(const struct variant_step *s, const size_t order[], size_t *pairs,
	const struct variant_option *first[2])
{
	size_t inversions = 0;
	*pairs = 0;
	for (size_t i = 0; i < s->n_options; i++)
		for (size_t k = i + 1; k < s->n_options; k++) {
			const struct variant_option *a = &s->options[order[i]],
						    *b = &s->options[order[k]];
			*pairs += a->place != b->place;
			if (a->place <= b->place)
				continue;
			if (!inversions) {
				first[0] = b;
				first[1] = a;
			}
			inversions++;
		}
	return inversions;
}

static void grade_order(const struct variant_step *s, const char *text, struct grade *out)
{
	size_t order[MOST_OPTIONS], pairs, n = 0;
	const struct variant_option *first[2] = { s->options, s->options };
	char understood[3 * MOST_OPTIONS + 1] = "";
	if (read_order(s, text, order, out))
		return;
	size_t inversions = count_inversions(s, order, &pairs, first);
	*out = inversions ? wrong : right;
	for (size_t i = 0; i < s->n_options && n + 3 < sizeof understood; i++)
		n += (size_t)snprintf(
			understood + n, sizeof understood - n, "%s%zu", i ? " " : "", order[i] + 1);
	write_cut(out->understood, sizeof out->understood, understood);
	if (!inversions)
		return;
	double tau = 1 - 2 * (double)inversions / (double)pairs;
	out->credit = tau > 0 ? tau : 0;
	snprintf(out->remark, sizeof out->remark,
		"%zu of %zu pairs the wrong way round; \"%.80s\" comes before \"%.80s\"",
		inversions, pairs, first[0]->text, first[1]->text);
	snprintf(out->cause, sizeof out->cause, "order");
}

/* A bare number that is right in the base unit, "4.2e9" where GB are asked for, is asked back, once. No other
 * number is, so that one learns nothing from it that the answer with its unit would not have said. */
static bool asks_back(const struct question *q, const char *text, struct grade *out)
{
	struct answer a;
	struct unit unit, shown;
	answer_read(q, text, &a);
	if (a.kind != ANSWER_BARE || q->dual || !*q->unit || question_accepts(q, a.value) ||
		!unit_parse(q->unit, &unit) || !unit_parse(q->shown_unit, &shown) ||
		!question_accepts(q, a.value * unit.factor / shown.factor))
		return false;
	*out = (struct grade){ .verdict = VERDICT_NEED_UNIT };
	snprintf(out->remark, sizeof out->remark, "in %s? then say so; a bare number is in %s",
		q->unit, q->shown_unit);
	return true;
}

static size_t word_bytes(const char *p)
{
	size_t n = 0;
	while (isalpha((unsigned char)p[n]))
		n++;
	return n;
}

/* Whether the question has this word, in the singular or the plural. */
static bool has_word(const char *asks, const char *word, size_t n)
{
	const size_t stem = n > 3 && word[n - 1] == 's' ? n - 1 : n;
	for (const char *p = asks; *p;) {
		const size_t letters = word_bytes(p);
		if (letters >= stem && letters <= stem + 1 && strncasecmp(p, word, stem) == 0 &&
			(letters == stem || p[stem] == 's'))
			return true;
		p += letters ? letters : 1;
	}
	return false;
}

/* "12 workers" where the question is how many workers: the number without the question's own words. False:
 * it has others, or none. */
static bool without_words(const struct variant_step *s, const char *text, char *number, size_t size)
{
	size_t n = strlen(text), words = 0;
	while (n && (isalpha((unsigned char)text[n - 1]) || text[n - 1] == ' '))
		n--;
	if (!n || n >= size || *s->question.shown_unit)
		return false;
	for (const char *p = text + n; *p;) {
		const size_t letters = word_bytes(p);
		if (letters && !has_word(s->asks, p, letters))
			return false;
		words += letters > 0;
		p += letters ? letters : 1;
	}
	snprintf(number, size, "%.*s", (int)n, text);
	return words > 0;
}

static void grade_number(
	const struct variant_step *s, const char *text, bool unit_was_asked, struct grade *out)
{
	char number[64];
	if (!unit_was_asked && asks_back(&s->question, text, out))
		return;
	grade_answer(&s->question, text, unit_was_asked, out);
	if (out->verdict == VERDICT_INVALID && without_words(s, text, number, sizeof number))
		grade_answer(&s->question, number, unit_was_asked, out);
}

void grade_step(
	const struct variant_step *s, const char *text, bool unit_was_asked, struct grade *out)
{
	assert(s && text && out && s->n_options <= MOST_OPTIONS);
	switch (s->step->kind) {
	case KIND_CHOICE:
		grade_choice(s, text, out);
		break;
	case KIND_ORDER:
		grade_order(s, text, out);
		break;
	case KIND_CODE:
		refuse(out, "expected a program, which is run and not typed here");
		break;
	default:
		grade_number(s, text, unit_was_asked, out);
		break;
	}
}
