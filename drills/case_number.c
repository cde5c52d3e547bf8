/* What is said is written in the grammar of answers first: words become digits, "a second" behind a unit "/s". Then it
 * is graded whole, and where that cannot be read without its last words, one by one: what is said behind a number is
 * about it. Only a number whose unit would be dropped with them is none. */
#include "drills/case_number.h"

#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SAID_SIZE = 1000, WORD_SIZE = 64 };
static const char blanks[] = " \t";
static const char stops[] = " \t,:;=";

/* Behind a beginning that ends where a word does; NULL: the text has another one. */
static const char *behind(const char *text, const char *beginning)
{
	const size_t n = strlen(beginning);
	return strncasecmp(text, beginning, n) == 0 && !isalnum((unsigned char)text[n]) ? text + n
											: NULL;
}

static const char *behind_any(const char *text, const char *const list[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *rest = behind(text, list[i]);
		if (rest)
			return rest;
	}
	return NULL;
}

/* Longer ones before their own beginnings. */
const char *case_number_said(const char *text)
{
	static const char *const words[] = { "somewhere around", "somewhat", "about", "around",
		"roughly", "approximately", "approx.", "approx", "circa", "nearly", "almost",
		"maybe", "perhaps", "probably", "say", "so", "like", "is", "are", "it's", "its",
		"it", "i'd", "i", "guess", "think", "my guess", "my estimate", "a bit", "a little",
		"a", "an", "just", "slightly", "over", "under", "above", "below", "call it",
		"close to", "less than", "more than", "at most", "at least", "up to", "let's say",
		"lets say", "we get", "i get", "that's", "thats", "that is", "that makes", "makes",
		"comes to", "gives", "would be", "will be", "should be", "on the order of",
		"estimate", "between" };
	const char *rest = text;
	do {
		text = rest + strspn(rest, " \t,:=~");
		rest = behind_any(text, words, LENGTH(words));
	} while (rest);
	return text;
}

/* --- Number words --- */

static const struct {
	const char *word;
	double value;
} counts[] = { { "one", 1 }, { "two", 2 }, { "three", 3 }, { "four", 4 }, { "five", 5 },
	{ "six", 6 }, { "seven", 7 }, { "eight", 8 }, { "nine", 9 }, { "ten", 10 },
	{ "eleven", 11 }, { "twelve", 12 }, { "thirteen", 13 }, { "fourteen", 14 },
	{ "fifteen", 15 }, { "sixteen", 16 }, { "seventeen", 17 }, { "eighteen", 18 },
	{ "nineteen", 19 }, { "twenty", 20 }, { "thirty", 30 }, { "forty", 40 }, { "fifty", 50 },
	{ "sixty", 60 }, { "seventy", 70 }, { "eighty", 80 }, { "ninety", 90 } };
static const struct {
	const char *word;
	double value;
} multiples[] = { { "dozen", 12 }, { "hundred", 1e2 }, { "thousand", 1e3 }, { "million", 1e6 },
	{ "billion", 1e9 } };

/* The value of "twenty" and "five" each. Returns what stands behind the word; NULL: it counts nothing. */
static const char *read_count(const char *text, double *value)
{
	const char *rest;
	for (size_t i = 0; i < LENGTH(counts); i++)
		if ((rest = behind(text, counts[i].word))) {
			*value = counts[i].value;
			return rest;
		}
	return NULL;
}

static const char *read_multiple(const char *text, double *value)
{
	const char *rest;
	for (size_t i = 0; i < LENGTH(multiples); i++)
		if ((rest = behind(text, multiples[i].word))) {
			*value = multiples[i].value;
			return rest;
		}
	return NULL;
}

/* "Two hundred and fifty thousand", "a dozen" without its "a", "half a". NULL: no number begins there. */
static const char *read_words(const char *text, double *value)
{
	double part = 0, total = 0, word;
	const char *at = text, *end = NULL;
	if ((end = behind(text, "half an")) || (end = behind(text, "half a")) ||
		(end = behind(text, "half"))) {
		const char *dozen = read_multiple(end + strspn(end, blanks), &word);
		*value = dozen ? 0.5 * word : 0.5;
		return dozen ? dozen : end;
	}
	for (;;) {
		const char *rest;
		if ((rest = read_count(at, &word)))
			part += word;
		else if ((rest = read_multiple(at, &word)))
			part = (part > 0 ? part : 1) * word;
		else
			break;
		if (word >= 1e3) {
			total += part;
			part = 0;
		}
		end = rest;
		at = rest + strspn(rest, " \t-");
		rest = behind(at, "and");
		at = rest ? rest + strspn(rest, blanks) : at;
		if (rest && (rest = behind(at, "a half"))) {
			part += 0.5;
			end = rest;
			break;
		}
	}
	*value = total + part;
	return end;
}

/* --- In the grammar of answers --- */

/* "14 GB a second" as "14 GB/s", from the number on. */
static void write_rates(char *text)
{
	static const struct {
		const char *said, *written;
	} rates[] = { { " a second", "/s" }, { " each second", "/s" }, { " every second", "/s" },
		{ " a minute", "/min" }, { " an hour", "/h" }, { " a day", "/day" } };
	for (char *at = text; *at; at++)
		for (size_t i = 0; i < LENGTH(rates); i++) {
			const char *rest = behind(at, rates[i].said);
			const size_t n = strlen(rates[i].written);
			if (!rest)
				continue;
			memcpy(at, rates[i].written, n);
			memmove(at + n, rest, strlen(rest) + 1);
		}
}

/* "550ish ms" and "fifty-odd" are 550 and 50. */
static void cut_vague(char *text)
{
	static const char *const ends[] = { "ish", "-ish", "-odd", " odd" };
	char *at = text + strspn(text, "0123456789.,");
	for (size_t i = 0; at > text && i < LENGTH(ends); i++) {
		const char *rest = behind(at, ends[i]);
		if (rest)
			memmove(at, rest, strlen(rest) + 1);
	}
}

/* "0.5 of a second" is 0.5 s, and "0.5 of 140 GB" is 0.5 x 140 GB where the number is a part. */
static void write_parts(char *text, bool of_part)
{
	for (char *at = text; (at = strstr(at, " of ")); at++) {
		const char *rest = at + strlen(" of "), *one = behind(rest, "an");
		one = one ? one : behind(rest, "a");
		if (one)
			memmove(at, one, strlen(one) + 1);
		else if (of_part && isdigit((unsigned char)*rest))
			memmove(at, " x  ", strlen(" x  "));
	}
}

/* Cuts signs off behind the last word; a bracket belongs to a sum. */
static void cut_signs(char *text)
{
	size_t n = strlen(text);
	while (n && strchr(" \t,.;:!", text[n - 1]))
		text[--n] = '\0';
}

/* Whether a number was in words. */
static bool write_said(const char *text, char out[SAID_SIZE])
{
	double value;
	char number[WORD_SIZE];
	const char *from = case_number_said(text), *rest = read_words(from, &value);
	if (rest)
		snprintf(out, SAID_SIZE, "%s%s", number_write(number, sizeof number, value, 12),
			rest);
	else
		snprintf(out, SAID_SIZE, "%s", from);
	static const char *const parts[] = { "half", "third", "quarter", "fourth", "fifth",
		"tenth" };
	cut_vague(out);
	write_parts(out, behind_any(from, parts, LENGTH(parts)) != NULL);
	write_rates(out);
	cut_signs(out);
	return rest != NULL;
}

/* --- Two numbers --- */

/* Behind digits as they are typed, 1,400 and 2.5e9 too. NULL: there are none. */
static const char *behind_digits(const char *at)
{
	if (!isdigit((unsigned char)at[*at == '.']))
		return NULL;
	while (isdigit((unsigned char)*at) ||
		(strchr(".,_", *at) && *at && isdigit((unsigned char)at[1])))
		at++;
	if (tolower((unsigned char)*at) == 'e' && isdigit((unsigned char)at[1 + (at[1] == '-')]))
		at += 2 + strspn(at + 2, "0123456789");
	return at;
}

/* In digits or in words, "2" and "two". */
static bool has_number(const char *at)
{
	double unused;
	at += strspn(at, blanks);
	return behind_digits(at) || read_count(at, &unused);
}

/* "7 to 12 s", "7 s or twelve", "7-12 s": a sum that falls below zero is meant by nobody. */
static bool has_two(const struct question *q, const char *written)
{
	static const char *const joins[] = { "to", "or", "and", "through", "\xe2\x80\x93",
		"\xe2\x80\x94", "..." };
	const char *at = behind_digits(written), *unit;
	if (!at)
		return false;
	at += strspn(at, blanks);
	if (*at == '-' && q->key >= 0) {
		const char *second = at + 1 + strspn(at + 1, blanks);
		return behind_digits(second) && atof(written) < atof(second);
	}
	unit = at + strcspn(at, stops);
	unit += strspn(unit, blanks);
	for (size_t i = 0; i < LENGTH(joins); i++) {
		const size_t n = strlen(joins[i]);
		const char *rest = strncasecmp(at, joins[i], n) == 0 ? at + n : NULL;
		if (!rest)
			rest = strncasecmp(unit, joins[i], n) == 0 ? unit + n : NULL;
		if (rest && has_number(rest))
			return true;
	}
	return false;
}

/* --- What it begins with --- */

/* Whether a text is a number that has no unit: its multiplier, "k", is none. */
static bool is_bare(const struct question *q, const char *text)
{
	struct quantity typed;
	struct unit asked;
	char unused[200];
	if (quantity_parse(text, &typed, unused, sizeof unused) == 0 && unit_parse(q->unit, &asked))
		return typed.n_terms == 0 || quantity_only_multiplies(&typed, &asked);
	for (; *text; text++)
		if (*text == '%' || *text == '$' ||
			(isalpha((unsigned char)*text) && !strchr("xeE", *text)))
			return false;
	return true;
}

/* Words that are said behind a number and are no unit of it. */
static bool goes_on(const char *word)
{
	static const char *const words[] = { "or", "so", "of", "for", "at", "in", "with", "because",
		"total", "i", "think", "guess", "as", "since", "given", "roughly", "about",
		"approximately", "if", "when", "on", "that", "which", "then", "max", "maybe",
		"assuming", "and", "but", "each", "altogether", "overall", "by", "from", "is",
		"are", "would", "until", "while", "during", "i'd", "say" };
	const char *end = behind_any(word, words, LENGTH(words));
	return end && (!*end || strchr(stops, *end));
}

static bool is_answer(const struct grade *g)
{
	return g->attempt_used && g->verdict != VERDICT_WRONG_DIM;
}

/* The word that a number lost, were it read without a unit: the one behind it, unless a sign is between. Where the one
 * after that is a unit of what is asked, "2400 busy requests", the two are joined in `text`, and none is lost. */
static bool loses_unit(const struct question *q, const char *text, char part[SAID_SIZE],
	char lost[WORD_SIZE], bool unit_asked, struct grade *grade)
{
	const char *word = text + strlen(part);
	if (!is_bare(q, part) || (*word && strchr(",;:.=(?!", *word)))
		return false;
	word += strspn(word, blanks);
	const size_t n = strcspn(word, stops);
	if (n == 0 || goes_on(word) || strchr("(=-", *word))
		return false;
	snprintf(lost, WORD_SIZE, "%.*s", (int)n, word);
	/* Of "12 - 7 s" the unit is that of both. */
	char joined[SAID_SIZE + 2 * WORD_SIZE];
	cut_signs(lost);
	snprintf(joined, sizeof joined, "(%s) %s", part, lost);
	grade_answer(q, joined, unit_asked, grade);
	if (is_answer(grade))
		return false;
	const char *next = word + n + strspn(word + n, blanks);
	snprintf(joined, sizeof joined, "%s %.*s", part, (int)strcspn(next, stops), next);
	cut_signs(joined);
	if (*word != '\0' && strlen(joined) > strlen(part) && !is_bare(q, joined) &&
		!goes_on(next)) {
		grade_answer(q, joined, unit_asked, grade);
		if (is_answer(grade))
			return false;
	}
	return true;
}

/* Cuts the last word off. False: there is one word only. */
static bool drop_word(char *text)
{
	char *last = strrchr(text, ' ');
	if (!last)
		return false;
	while (last > text && last[-1] == ' ')
		last--;
	*last = '\0';
	return last > text;
}

static void refuse(struct grade *g, const char *remark)
{
	*g = (struct grade){ .verdict = VERDICT_INVALID };
	snprintf(g->remark, sizeof g->remark, "%s", remark);
}

/* Grades what was written, or as much of its beginning as can be read. */
static bool grade_beginning(
	const struct question *q, const char *text, bool unit_asked, struct grade *grade)
{
	char part[SAID_SIZE], lost[WORD_SIZE], words[WORD_SIZE];
	struct unit asked;
	snprintf(part, sizeof part, "%s", text);
	for (;;) {
		char whole[SAID_SIZE];
		snprintf(whole, sizeof whole, "%s", part);
		cut_signs(part);
		grade_answer(q, part, unit_asked, grade);
		if (grade->verdict != VERDICT_INVALID)
			break;
		snprintf(part, sizeof part, "%s", whole);
		if (!drop_word(part))
			return false;
	}
	if (loses_unit(q, text, part, lost, unit_asked, grade) && unit_parse(q->unit, &asked)) {
		char why[4 * WORD_SIZE];
		snprintf(why, sizeof why, "\"%s\" is no unit that is known here: say it in %s.",
			lost,
			*q->shown_unit ? q->shown_unit : unit_words(&asked, words, sizeof words));
		refuse(grade, why);
	}
	return is_answer(grade);
}

/* "17.2 GB over 3.35 TB/s" as a quotient. False: nothing is said so. */
static bool divide(char text[SAID_SIZE])
{
	static const char *const words[] = { "over", "divided by" };
	bool any = false;
	for (char *at = text; *at; at++) {
		const bool begins = at > text && strchr(blanks, at[-1]);
		const char *rest = begins ? behind_any(at, words, LENGTH(words)) : NULL;
		if (!rest || !behind_digits(rest + strspn(rest, blanks)))
			continue;
		*at = '/';
		memmove(at + 1, rest, strlen(rest) + 1);
		any = true;
	}
	return any;
}

/* All of it, or its beginning; an amount that is said to be "over" another one only where it is not what is asked
 * for: "26 GB over 8 GPUs" may be the 26. */
static bool grade_said(
	const struct question *q, const char *said, bool unit_asked, struct grade *grade)
{
	char text[SAID_SIZE];
	write_said(said, text);
	if (has_two(q, text)) {
		refuse(grade, "Two numbers: say the one that you would go with.");
		return false;
	}
	if (grade_beginning(q, text, unit_asked, grade))
		return true;
	if (!divide(text))
		return false;
	struct grade quotient;
	if (!grade_beginning(q, text, unit_asked, &quotient))
		return false;
	*grade = quotient;
	return true;
}

bool case_number_read(
	const struct question *q, const char *text, bool unit_asked, struct grade *grade)
{
	struct grade all;
	const char *equals = strrchr(text, '=');
	grade_answer(q, text, unit_asked, &all);
	char written[SAID_SIZE];
	write_said(text, written);
	*grade = all;
	if (is_answer(&all) && !has_two(q, written))
		return true;
	if (equals && grade_said(q, equals + 1, unit_asked, grade))
		return true;
	return grade_said(q, text, unit_asked, grade);
}

bool case_number_begins(const char *text)
{
	double unused;
	struct quantity typed;
	char one[WORD_SIZE], err[200];
	const char *number = case_number_said(text), *rest;
	if (behind_digits(number))
		return true;
	if (!(rest = read_words(number, &unused)))
		return false;
	rest += strspn(rest, stops);
	snprintf(one, sizeof one, "1 %.*s", (int)strcspn(rest, stops), rest);
	cut_signs(one);
	return !rest[strspn(rest, stops)] || behind(rest, "or so") || behind(rest, "to") ||
	       quantity_parse(one, &typed, err, sizeof err) == 0;
}
