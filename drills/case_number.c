/* What is said is written in the grammar of answers first: words become digits, "a second" behind a unit "/s". Then it
 * is graded whole, and where that cannot be read without its last words, one by one: what is said behind a number is
 * about it. Only a number whose unit would be dropped with them is none. */
#include "drills/case_number.h"

#include "drills/answer_said.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"

#include <ctype.h>
#include <math.h>
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

/* What stands before a number of a product. "At" divides by a rate, "3 GB at 273 GB/s", and multiplies what is counted by
 * what each of it has, "8 billion params at 2 bytes". */
enum sign { SIGN_TIMES, SIGN_OVER, SIGN_AT };

/* A number of a product, and the words up to the next sign: "1.2" and "tokens" of "1.2k tokens", "147" and "kB/token". */
struct multiplied {
	const char *number, *word;
	int number_n, word_n, power; /* power: of ten, 3 for "k" */
	int unit_n; /* the bytes of its unit, with which the words begin; 0: it has none */
	bool rate;  /* that is per time */
	enum sign sign;
};
enum { MOST_FACTORS = 12 };

/* Behind the sign before a number; NULL: there is none. */
static const char *behind_sign(const char *at, enum sign *sign)
{
	static const struct {
		const char *text;
		bool word;
		enum sign sign;
	} signs[] = { { "times", true, SIGN_TIMES }, { "multiplied by", true, SIGN_TIMES },
		{ "x", true, SIGN_TIMES }, { "*", false, SIGN_TIMES },
		{ "\xc3\x97", false, SIGN_TIMES }, { "over", true, SIGN_OVER },
		{ "divided by", true, SIGN_OVER }, { "/", false, SIGN_OVER },
		{ "at", true, SIGN_AT } };
	for (size_t i = 0; i < LENGTH(signs); i++) {
		const size_t n = strlen(signs[i].text);
		const char *rest = signs[i].word ? behind_word(at, signs[i].text)
				   : strncmp(at, signs[i].text, n) == 0 ? at + n
									: NULL;
		rest = rest ? rest + strspn(rest, blanks) : NULL;
		*sign = signs[i].sign;
		if (rest && behind_digits(rest))
			return rest;
	}
	return NULL;
}

/* "8.2 billion", "1.2k rollouts" and "8.2B params", of which "200 B" alone is bytes. Returns what stands behind. */
static const char *behind_multiplier(const char *at, int *power)
{
	struct quantity_reading r[QUANTITY_MAX_READINGS];
	char symbol[SYMBOL_SIZE];
	enum sign unused;
	const char *word = at + strspn(at, blanks), *end = word;
	while (isalpha((unsigned char)*end))
		end++;
	snprintf(symbol, sizeof symbol, "%.*s", (int)(end - word), word);
	const char *next = end + strspn(end, blanks);
	const bool counts = isalpha((unsigned char)*next) && !behind_sign(next, &unused);
	const size_t n = symbol_readings(symbol, r);
	for (size_t i = 0; i < n; i++)
		if (r[i].flags & READING_MULTIPLIER && (n == 1 || counts)) {
			*power = (int)lround(log10(r[i].unit.factor));
			return end;
		}
	return at;
}

static bool only_counts(const struct unit *u)
{
	for (int i = 0; i < N_DIMENSIONS; i++)
		if (u->dim[i] && i != DIM_TOKEN && i != DIM_PARAMETER && i != DIM_REQUEST &&
			i != DIM_DEVICE)
			return false;
	return true;
}

static bool is_time(const char *unit)
{
	struct quantity typed;
	char err[200];
	return quantity_parse_unit(unit, &typed, err, sizeof err) == 0 && typed.n_terms == 1 &&
	       typed.terms[0].readings[0].unit.dim[DIM_TIME] == 1;
}

/* Finds the unit among the words of a number, without what it is counted for, "kB" of "kB/token" or "kB each". Those that
 * only count have none that matters: rollouts times bytes are bytes. */
static void find_unit(struct multiplied *f)
{
	char one[WORD_SIZE], err[200];
	struct quantity typed;
	const int n = (int)strcspn(f->word, stops);
	snprintf(one, sizeof one, "%.*s", n < f->word_n ? n : f->word_n, f->word);
	char *per = strchr(one, '/');
	f->rate = per && is_time(per + 1);
	if (per && !f->rate)
		*per = '\0';
	const bool known = *one && quantity_parse_unit(one, &typed, err, sizeof err) == 0;
	for (size_t i = 0; known && i < typed.n_terms; i++)
		if (!only_counts(&typed.terms[i].readings[0].unit))
			f->unit_n = (int)strlen(one);
}

/* Reads a number behind its sign, *at and *sign then those of the next; *at NULL: it is the last. False: it is none, or
 * a share, which is of something else. */
static bool read_factor(const char **at, enum sign *sign, struct multiplied *f)
{
	const char *end = behind_digits(*at), *behind;
	if (!end)
		return false;
	*f = (struct multiplied){ .number = *at, .number_n = (int)(end - *at), .sign = *sign };
	end = behind_multiplier(end, &f->power);
	f->word = end + strspn(end, blanks);
	*at = NULL;
	for (behind = f->word; *behind && !*at && !strchr(",;:", *behind); behind++) {
		const bool begins = behind == f->word || strchr(blanks, behind[-1]);
		*at = begins ? behind_sign(behind, sign) : NULL;
		f->word_n += !*at;
		if (!*at && (isdigit((unsigned char)*behind) || strchr("=()+!?%", *behind)))
			return false;
	}
	if (!*at && *behind == ',')
		*at = behind_sign(behind + 1 + strspn(behind + 1, blanks), sign);
	while (f->word_n && strchr(blanks, f->word[f->word_n - 1]))
		f->word_n--;
	find_unit(f);
	return true;
}

/* Adds a number to a product, *used bytes long. */
static void add_factor(
	char out[SAID_SIZE], size_t *used, const char *sign, const struct multiplied *f)
{
	char power[16] = "";
	if (f->power)
		snprintf(power, sizeof power, "e%d", f->power);
	if (*used < SAID_SIZE)
		*used += (size_t)snprintf(out + *used, SAID_SIZE - *used, "%s%.*s%s", sign,
			f->number_n, f->number, power);
}

static void add_unit(char out[SAID_SIZE], size_t *used, const struct multiplied *f)
{
	if (f->unit_n && *used < SAID_SIZE)
		*used += (size_t)snprintf(
			out + *used, SAID_SIZE - *used, " %.*s", f->unit_n, f->word);
}

/* "256 rollouts times 1.2k tokens times 147 kB" as "256 x 1.2e3 x 147 kB", and what it is divided by at last behind it.
 * loose: a part of it may be about the number before, as in "35 GPUs at 80 GB" and "26 GB over 8 GPUs". False: it is no
 * product, or more than one factor has a unit, which is for the grammar of answers. */
static bool multiply(const char *text, char out[SAID_SIZE], bool *loose)
{
	struct multiplied all[MOST_FACTORS];
	size_t n = 0, used = 0, above = 0;
	const struct multiplied *with = NULL; /* has the unit */
	enum sign sign = SIGN_TIMES;
	*loose = false;
	for (const char *at = text; at; n++) {
		struct multiplied *f = &all[n];
		if (n == MOST_FACTORS || above < n || !read_factor(&at, &sign, f))
			return false;
		const bool divides = f->sign == SIGN_OVER || (f->sign == SIGN_AT && f->rate);
		if (!divides && f->unit_n && with)
			return false;
		*loose |= f->sign == SIGN_AT;
		with = !divides && f->unit_n ? f : with;
		above += !divides;
	}
	*loose |= above == 1;
	for (size_t i = 0; i < above; i++)
		add_factor(out, &used, i ? " x " : "", &all[i]);
	if (with)
		add_unit(out, &used, with);
	if (above < n) {
		add_factor(out, &used, " / ", &all[above]);
		add_unit(out, &used, &all[above]);
	}
	return n > 1 && used < SAID_SIZE;
}

/* All of it, or its beginning; what may be about the number before it only where that is not what is asked for: "26 GB
 * over 8 GPUs" may be the 26. */
static bool grade_said(
	const struct question *q, const char *said, bool unit_asked, struct grade *grade)
{
	char text[SAID_SIZE], product[SAID_SIZE];
	bool loose;
	struct grade of_product;
	write_said(said, text);
	const bool multiplies = multiply(text, product, &loose);
	if (multiplies)
		grade_answer(q, product, unit_asked, &of_product);
	if (multiplies && !loose && of_product.verdict != VERDICT_INVALID) {
		*grade = of_product;
		return is_answer(grade);
	}
	if (has_two(q, text)) {
		refuse(grade, "Two numbers: say the one that you would go with.");
		return false;
	}
	if (grade_beginning(q, text, unit_asked, grade))
		return true;
	if (!multiplies || !is_answer(&of_product))
		return false;
	*grade = of_product;
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
	bool unused;
	write_said(equals + 1, said);
	snprintf(left, sizeof left, "%.*s", (int)(equals - text), text);
	write_said(left, product);
	snprintf(left, sizeof left, "%s", product);
	const char *unit =
		is_bare(q, said) && !strchr(left, '=') && multiply(left, product, &unused)
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
