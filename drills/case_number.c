/* What is said is written in the grammar of answers first: words become digits, "a second" behind a unit "/s". Then it
 * is graded whole, and where that cannot be read without its last words, one by one: what is said behind a number is
 * about it. Only a number whose unit would be dropped with them is none. */
#include "drills/case_number.h"

#include "drills/answer_said.h"
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

/* --- In the grammar of answers --- */

/* Cuts signs off behind the last word; a bracket belongs to a sum. */
static void cut_signs(char *text)
{
	size_t n = strlen(text);
	while (n && strchr(" \t,.;:!", text[n - 1]))
		text[--n] = '\0';
}

static void write_said(const char *text, char out[SAID_SIZE])
{
	answer_said(text, out, SAID_SIZE);
	cut_signs(out);
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
	return behind_digits(at) || answer_words(at, &unused);
}

/* "7 to 12 s", "7 s or twelve", "7-12 s": a sum that falls below zero is meant by nobody. */
static bool has_two(const struct question *q, const char *written)
{
	static const char *const joins[] = { "to", "or", "and", "through", "\xe2\x80\x93",
		"\xe2\x80\x94", "..." };
	const char *at = behind_digits(written), *unit;
	double second_value;
	if (!at)
		return false;
	at += strspn(at, blanks);
	/* "two three hours": what counts by dozens or hundreds goes with the first. */
	if (answer_words(at, &second_value) && second_value < 12)
		return true;
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
	const char *end = behind_any_word(word, words, LENGTH(words));
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

/* --- Products --- */

/* A number of a product, and the words up to the next sign: "1.2k" and "tokens", "147" and "kB/token". */
struct multiplied {
	const char *number, *power, *word; /* power: of ten, "e9" for "billion" */
	int number_n, word_n;
	bool divides;
};
enum { MOST_FACTORS = 12 };

/* Behind the sign before a number of a product; NULL: there is none. */
static const char *behind_sign(const char *at, bool *divides)
{
	static const char *const times[] = { "times", "multiplied by", "x" },
				 *const over[] = { "over", "divided by" },
				 *const signs[] = { "*", "\xc3\x97", "/" };
	const char *rest = behind_any_word(at, times, LENGTH(times));
	*divides = false;
	if (!rest && (rest = behind_any_word(at, over, LENGTH(over))))
		*divides = true;
	for (size_t i = 0; i < LENGTH(signs) && !rest; i++)
		if (strncmp(at, signs[i], strlen(signs[i])) == 0) {
			rest = at + strlen(signs[i]);
			*divides = *signs[i] == '/';
		}
	rest = rest ? rest + strspn(rest, blanks) : NULL;
	return rest && behind_digits(rest) ? rest : NULL;
}

/* "8.2 billion", "1.2k rollouts" and "8.2B params", of which "200B" alone is bytes. Returns what stands behind. */
static const char *behind_power(const char *at, const char **power)
{
	static const struct {
		const char *name, *power;
		bool counts; /* another word is behind it */
	} powers[] = { { "thousand", "e3", false }, { "million", "e6", false },
		{ "billion", "e9", false }, { "trillion", "e12", false }, { "k", "e3", false },
		{ "m", "e6", true }, { "b", "e9", true }, { "t", "e12", true } };
	*power = "";
	const char *word = at + strspn(at, blanks);
	for (size_t i = 0; i < LENGTH(powers); i++) {
		const char *rest = behind_word(word, powers[i].name);
		const char *next = rest ? rest + strspn(rest, blanks) : NULL;
		bool unused;
		if (!rest || (powers[i].counts && (!isalpha((unsigned char)*next) ||
							  behind_sign(next, &unused))))
			continue;
		*power = powers[i].power;
		return rest;
	}
	return at;
}

/* Reads a number of a product, *at behind the sign that follows, which *divides or not; NULL there: it is the last.
 * False: it is none. */
static bool read_factor(const char **at, struct multiplied *f, bool *divides)
{
	const char *end = behind_digits(*at), *behind;
	if (!end)
		return false;
	*f = (struct multiplied){
		.number = *at, .number_n = (int)(end - *at), .divides = *divides
	};
	end = behind_power(end, &f->power);
	f->word = end + strspn(end, blanks);
	*at = NULL;
	for (behind = f->word; *behind && !*at && !strchr(",;:", *behind); behind++) {
		const bool begins = behind == f->word || strchr(blanks, behind[-1]);
		*at = begins ? behind_sign(behind, divides) : NULL;
		f->word_n += !*at;
		if (!*at && (isdigit((unsigned char)*behind) || strchr("=()+!?", *behind)))
			return false;
	}
	if (!*at && *behind == ',')
		*at = behind_sign(behind + 1 + strspn(behind + 1, blanks), divides);
	while (f->word_n && strchr(blanks, f->word[f->word_n - 1]))
		f->word_n--;
	return true;
}

static bool only_counts(const struct unit *u)
{
	for (int i = 0; i < N_DIMENSIONS; i++)
		if (u->dim[i] && i != DIM_TOKEN && i != DIM_PARAMETER && i != DIM_REQUEST &&
			i != DIM_DEVICE)
			return false;
	return true;
}

/* The unit among the words of a number, without what it is counted for, "kB" of "kB/token" or "kB each"; those that only
 * count have none that matters: rollouts times bytes are bytes. Returns its length, 0: it has none. */
static int unit_of(const struct multiplied *f)
{
	char one[WORD_SIZE], err[200];
	struct quantity typed;
	const int n = (int)strcspn(f->word, stops);
	snprintf(one, sizeof one, "%.*s", n < f->word_n ? n : f->word_n, f->word);
	char *per = strchr(one, '/');
	const bool rate = per && quantity_parse_unit(per + 1, &typed, err, sizeof err) == 0 &&
			  typed.n_terms == 1 && typed.terms[0].readings[0].unit.dim[DIM_TIME];
	if (per && !rate)
		*per = '\0';
	const bool known = *one && quantity_parse_unit(one, &typed, err, sizeof err) == 0;
	for (size_t i = 0; known && i < typed.n_terms; i++)
		if (!only_counts(&typed.terms[i].readings[0].unit))
			return (int)strlen(one);
	return 0;
}

/* "256 rollouts times 1.2k tokens times 147 kB" as "256 x 1.2e3 x 147 kB", and what that is divided by behind it.
 * False: nothing is multiplied, or more than one factor has a unit, which is for the grammar of answers. */
static bool multiply(const char *text, char out[SAID_SIZE])
{
	struct multiplied all[MOST_FACTORS];
	size_t n = 0, used = 0, above = 0;
	int with = -1;
	bool divides = false;
	for (const char *at = text; at; n++) {
		if (n == MOST_FACTORS || (n && all[n - 1].divides) ||
			!read_factor(&at, &all[n], &divides))
			return false;
		const bool has_unit = !all[n].divides && unit_of(&all[n]);
		if (has_unit && with >= 0)
			return false;
		with = has_unit ? (int)n : with;
		above += !all[n].divides;
	}
	for (size_t i = 0; i < above && used < SAID_SIZE; i++)
		used += (size_t)snprintf(out + used, SAID_SIZE - used, "%s%.*s%s", i ? " x " : "",
			all[i].number_n, all[i].number, all[i].power);
	if (with >= 0 && used < SAID_SIZE)
		used += (size_t)snprintf(
			out + used, SAID_SIZE - used, " %.*s", unit_of(&all[with]), all[with].word);
	if (above < n && used < SAID_SIZE)
		used += (size_t)snprintf(out + used, SAID_SIZE - used, " / %.*s%s %.*s",
			all[above].number_n, all[above].number, all[above].power,
			unit_of(&all[above]), all[above].word);
	return above > 1 && used < SAID_SIZE;
}

/* "17.2 GB over 3.35 TB/s" and "17.2 GB at 3.35 TB/s" as a quotient. False: nothing is said so. */
static bool divide(char text[SAID_SIZE])
{
	static const char *const words[] = { "over", "divided by", "at" };
	bool any = false;
	for (char *at = text; *at; at++) {
		const bool begins = at > text && strchr(blanks, at[-1]);
		const char *rest = begins ? behind_any_word(at, words, LENGTH(words)) : NULL;
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
	char product[SAID_SIZE];
	if (multiply(text, product)) {
		grade_answer(q, product, unit_asked, grade);
		if (grade->verdict != VERDICT_INVALID)
			return is_answer(grade);
	}
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

const char *case_number_result(const char *text)
{
	static const char *const words[] = { "so", "makes", "gives", "is", "equals", "comes to",
		"that's", "thats", "which is", "that is", "call it", "=>", "=", "\xe2\x86\x92",
		"->" };
	const char *last = NULL;
	for (const char *at = text; *at; at++) {
		const bool begins = at > text && strchr(stops, at[-1]);
		const char *rest = begins || !isalnum((unsigned char)*at)
					   ? behind_any_word(at, words, LENGTH(words))
					   : NULL;
		if (rest && at > text && has_number(answer_after_hedges(rest)))
			last = rest;
	}
	return last;
}

/* What stands behind "=", which has the unit of the product before it where it has none: "6 x 70e9 x 2e12 FLOP =
 * 8.4e23". */
static bool grade_result(const struct question *q, const char *text, const char *equals,
	bool unit_asked, struct grade *grade)
{
	char left[SAID_SIZE], said[SAID_SIZE], product[SAID_SIZE], whole[2 * SAID_SIZE];
	write_said(equals + 1, said);
	snprintf(left, sizeof left, "%.*s", (int)(equals - text), text);
	write_said(left, product);
	snprintf(left, sizeof left, "%s", product);
	const char *unit = is_bare(q, said) && !strchr(left, '=') && multiply(left, product)
				   ? strrchr(product, ' ')
				   : NULL;
	if (unit && isalpha((unsigned char)unit[1])) {
		snprintf(whole, sizeof whole, "%s%s", said, unit);
		if (grade_said(q, whole, unit_asked, grade))
			return true;
	}
	return grade_said(q, equals + 1, unit_asked, grade);
}

/* Behind the last comma or colon that a number follows: "3 GB in all, roughly 11 ms"; NULL: there is none. */
static const char *last_clause(const char *text)
{
	const char *last = NULL;
	for (const char *at = text; *at; at++)
		if (strchr(",:;", *at) && strchr(blanks, at[1]) &&
			has_number(answer_after_hedges(at + 1 + strspn(at + 1, blanks))))
			last = at + 1;
	return last;
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
	if (equals && grade_result(q, text, equals, unit_asked, grade))
		return true;
	/* "12 s, that is 5 steps" is 12 s, and 5 needs a unit to be a result. */
	const char *result = case_number_result(text);
	if (result) {
		char alone[SAID_SIZE];
		write_said(result, alone);
		if ((!*q->unit || !is_bare(q, alone)) && grade_said(q, result, unit_asked, grade))
			return true;
	}
	if (grade_said(q, text, unit_asked, grade))
		return true;
	/* Of a working that cannot be read the last clause, where that is a number with its unit. */
	const char *last = last_clause(text);
	char alone[SAID_SIZE];
	struct grade of_last;
	write_said(last ? last : "", alone);
	if (!last || is_bare(q, alone) || !grade_said(q, last, unit_asked, &of_last))
		return false;
	*grade = of_last;
	return true;
}

bool case_number_begins(const char *text)
{
	double unused;
	struct quantity typed;
	char one[WORD_SIZE], err[200];
	const char *number = answer_after_hedges(text), *rest;
	if (behind_digits(number))
		return true;
	if (!(rest = answer_words(number, &unused)))
		return false;
	char part[SAID_SIZE];
	answer_said(number, part, sizeof part);
	const char *behind = part + strspn(part, "0123456789");
	if (*behind == '/') { /* "nine tenths" */
		behind += 1 + strspn(behind + 1, "0123456789");
		snprintf(one, sizeof one, "1%s", behind);
		return !behind[strspn(behind, stops)] ||
		       quantity_parse(one, &typed, err, sizeof err) == 0;
	}
	rest += strspn(rest, stops);
	snprintf(one, sizeof one, "1 %.*s", (int)strcspn(rest, stops), rest);
	cut_signs(one);
	return !rest[strspn(rest, stops)] || behind_word(rest, "or so") ||
	       behind_word(rest, "to") || quantity_parse(one, &typed, err, sizeof err) == 0;
}
