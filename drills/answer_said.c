#include "drills/answer_said.h"

#include "sims/base/array.h"
#include "sims/quantity/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char blanks[] = " \t";

const char *behind_word(const char *text, const char *beginning)
{
	const size_t n = strlen(beginning);
	return strncasecmp(text, beginning, n) == 0 && !isalnum((unsigned char)text[n]) ? text + n
											: NULL;
}

const char *behind_any_word(const char *text, const char *const list[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *rest = behind_word(text, list[i]);
		if (rest)
			return rest;
	}
	return NULL;
}

/* Longer ones before their own beginnings. Behind a word a comma, a colon or a sign of equality leads to its number, "about:
 * 70 GB"; with nothing before it, it is a slip. */
const char *answer_after_hedges(const char *text)
{
	static const char *const words[] = { "somewhere around", "somewhat", "about", "around",
		"roughly", "approximately", "approx.", "approx", "circa", "ca.", "ca", "nearly",
		"almost", "maybe", "perhaps", "probably", "say", "so", "like", "is", "are", "it's",
		"its", "it", "i'd", "i", "guess", "think", "my guess", "my estimate", "a bit",
		"a little", "a", "an", "just", "slightly", "over", "under", "above", "below",
		"call it", "close to", "less than", "more than", "at most", "at least", "up to",
		"let's say", "lets say", "we get", "i get", "that's", "thats", "that is",
		"that makes", "makes", "comes to", "gives", "would be", "will be", "should be",
		"on the order of", "estimate", "between" };
	const char *rest = text, *const begin = text;
	do {
		text = rest + strspn(rest, rest == begin ? " \t~" : " \t,:=~");
		rest = behind_any_word(text, words, LENGTH(words));
	} while (rest);
	return text;
}

/* --- Number words --- */

struct number_word {
	const char *word;
	double value;
};
static const struct number_word counts[] = { { "one", 1 }, { "two", 2 }, { "three", 3 },
	{ "four", 4 }, { "five", 5 }, { "six", 6 }, { "seven", 7 }, { "eight", 8 }, { "nine", 9 },
	{ "ten", 10 }, { "eleven", 11 }, { "twelve", 12 }, { "thirteen", 13 }, { "fourteen", 14 },
	{ "fifteen", 15 }, { "sixteen", 16 }, { "seventeen", 17 }, { "eighteen", 18 },
	{ "nineteen", 19 }, { "twenty", 20 }, { "thirty", 30 }, { "forty", 40 }, { "fifty", 50 },
	{ "sixty", 60 }, { "seventy", 70 }, { "eighty", 80 }, { "ninety", 90 } };
static const struct number_word multiples[] = { { "dozen", 12 }, { "hundred", 1e2 },
	{ "thousand", 1e3 }, { "million", 1e6 }, { "billion", 1e9 } };

/* The value of the word of a list that a text begins with. Returns what stands behind the word; NULL: it is none. */
static const char *read_number_word(
	const char *text, const struct number_word list[], size_t n, double *value)
{
	for (size_t i = 0; i < n; i++) {
		const char *rest = behind_word(text, list[i].word);
		if (rest) {
			*value = list[i].value;
			return rest;
		}
	}
	return NULL;
}

/* "twenty" and "five" each. */
static const char *read_count(const char *text, double *value)
{
	return read_number_word(text, counts, LENGTH(counts), value);
}

static const char *read_multiple(const char *text, double *value)
{
	return read_number_word(text, multiples, LENGTH(multiples), value);
}

/* Whether a count goes on what was said before it, "five" on "twenty" and both on "hundred": "two three" is two numbers. */
static bool fits(double count, double before)
{
	const double below_hundred = fmod(before, 100);
	return below_hundred == 0 ||
	       (count < 10 && below_hundred > 10 && fmod(below_hundred, 10) == 0);
}

const char *answer_words(const char *text, double *value)
{
	double part = 0, total = 0, word;
	const char *at = text, *end = NULL;
	if ((end = behind_word(text, "half an")) || (end = behind_word(text, "half a")) ||
		(end = behind_word(text, "half"))) {
		const char *dozen = read_multiple(end + strspn(end, blanks), &word);
		*value = dozen ? 0.5 * word : 0.5;
		return dozen ? dozen : end;
	}
	for (;;) {
		const char *rest;
		if ((rest = read_count(at, &word)) && fits(word, part))
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
		rest = behind_word(at, "and");
		at = rest ? rest + strspn(rest, blanks) : at;
		if (rest && (rest = behind_word(at, "a half"))) {
			part += word >= 1e3 ? 0.5 * word : 0.5; /* "a million and a half" */
			end = rest;
			break;
		}
	}
	if (end)
		*value = total + part;
	return end;
}

/* Cuts the words that hedge off the end. */
static void cut_hedges(char *text)
{
	static const char *const words[] = { " or so", " about", " roughly", " approximately",
		" approx", " approx.", " give or take", " i think", " i guess", " maybe", "." };
	bool cut = true;
	while (cut) {
		size_t n = strlen(text);
		while (n && strchr(" \t,", text[n - 1]))
			text[--n] = '\0';
		cut = false;
		for (size_t i = 0; i < LENGTH(words) && !cut; i++) {
			const size_t m = strlen(words[i]);
			cut = n > m && strcasecmp(text + n - m, words[i]) == 0;
			if (cut)
				text[n - m] = '\0';
		}
	}
}

/* --- As it is typed --- */

/* What "thirds" divides by. Returns what stands behind the word; NULL: it is no part. */
static const char *read_part(const char *text, int *by)
{
	static const struct {
		const char *one, *many;
		int by;
	} names[] = { { "half", "halves", 2 }, { "third", "thirds", 3 },
		{ "quarter", "quarters", 4 }, { "fourth", "fourths", 4 }, { "fifth", "fifths", 5 },
		{ "sixth", "sixths", 6 }, { "seventh", "sevenths", 7 }, { "eighth", "eighths", 8 },
		{ "ninth", "ninths", 9 }, { "tenth", "tenths", 10 } };
	const char *rest;
	for (size_t i = 0; i < LENGTH(names); i++)
		if ((rest = behind_word(text, names[i].one)) ||
			(rest = behind_word(text, names[i].many))) {
			*by = names[i].by;
			return rest;
		}
	return NULL;
}

/* "14 GB a second" as "14 GB/s", from the number on. */
static void write_rates(char *text)
{
	static const struct {
		const char *said, *written;
	} rates[] = { { " a second", "/s" }, { " each second", "/s" }, { " every second", "/s" },
		{ " a minute", "/min" }, { " an hour", "/h" }, { " a day", "/day" } };
	for (char *at = text; *at; at++)
		for (size_t i = 0; i < LENGTH(rates); i++) {
			const char *rest = behind_word(at, rates[i].said);
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
		const char *rest = behind_word(at, ends[i]);
		if (rest)
			memmove(at, rest, strlen(rest) + 1);
	}
}

/* "0.5 of a second" is 0.5 s, and "0.5 of 140 GB" or "1/2 of 140 GB" is 0.5 x 140 GB. */
static void write_parts(char *text)
{
	const size_t digits = strspn(text, "0123456789./");
	const bool is_part = atof(text) < 1 || memchr(text, '/', digits);
	for (char *at = text; (at = strstr(at, " of ")); at++) {
		const char *rest = at + strlen(" of "), *one = behind_word(rest, "an");
		one = one ? one : behind_word(rest, "a");
		if (one)
			memmove(at, one, strlen(one) + 1);
		else if (is_part && at == text + digits && isdigit((unsigned char)*rest))
			memmove(at, " x  ", strlen(" x  "));
	}
}

char *answer_said(const char *text, char *buf, size_t size)
{
	char number[32];
	double value = 1;
	int by;
	const char *at = answer_after_hedges(text), *rest = answer_words(at, &value);
	/* "a million" is a number, and "million params" is a unit without one. */
	if (at == text + strspn(text, " \t~") && read_multiple(at, &value))
		rest = NULL;
	const char *part = read_part(rest ? rest + strspn(rest, " \t-") : at, &by);
	number_write(number, sizeof number, value, 12);
	if (part)
		snprintf(buf, size, "%s/%d%s", number, by, part);
	else if (rest)
		snprintf(buf, size, "%s%s", number, rest);
	else
		snprintf(buf, size, "%s", at);
	cut_vague(buf);
	write_parts(buf);
	write_rates(buf);
	cut_hedges(buf);
	return buf;
}
