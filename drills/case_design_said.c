/* Word by word: the name of a knob takes the value before it that nothing took yet, or else the one behind it; a value
 * that only one knob can have is that knob's. What is left over of values belongs to the first knob that can have it and
 * was not said. */
#include "drills/case_design_said.h"

#include "sims/base/array.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_SAID_WORDS = 40, SAID_SIZE = 1000, NAME_WORDS = 5, NAME_SIZE = 120, PAIR_SIZE = 200 };

struct saying {
	const struct dealt_case *d;
	const char *words[MOST_SAID_WORDS];
	size_t n;
	struct case_design design;
	const char *open;              /* a value that is of no knob yet; NULL: there is none */
	bool sure;                     /* something was said that can be of one knob alone */
	const struct case_knob *last;  /* what the word before was a value of */
	struct case_design_part *part; /* takes what is not read; NULL: then the line is none */
};

static bool is_in(const char *word, const char *const list[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcasecmp(list[i], word) == 0)
			return true;
	return false;
}

static bool is_filler(const char *word)
{
	static const char *const words[] = { "a", "an", "and", "at", "change", "for", "go", "i",
		"i'd", "in", "instead", "it", "let's", "make", "now", "of", "ok", "okay", "on",
		"please", "set", "switch", "take", "the", "then", "to", "total", "try", "turn",
		"use", "using", "we", "we'd", "with", "would" };
	return is_in(word, words, LENGTH(words));
}

static bool is_denial(const char *word)
{
	static const char *const words[] = { "no", "without", "not", "never", "don't", "dont",
		"disable" };
	return is_in(word, words, LENGTH(words));
}

static bool is_number(const char *word)
{
	return isdigit((unsigned char)*word) && !word[strspn(word, "0123456789.,")];
}

/* Sets a knob to a value, if it can have it. */
static bool take_value(struct saying *s, const struct case_knob *k, const char *value)
{
	char pair[PAIR_SIZE], unused[300];
	const char *words[] = { pair };
	snprintf(pair, sizeof pair, "%s=%s", s->d->of->sim->knobs[k->knob].id, value);
	s->last = k;
	return case_design_read(s->d, &s->design, words, 1, unused, sizeof unused) == 0;
}

static bool can_have(const struct saying *s, const struct case_knob *k, const char *value)
{
	struct saying trial = *s;
	return take_value(&trial, k, value);
}

/* --- Names --- */

static const struct case_knob *knob_of_id(const struct saying *s, const char *name)
{
	for (size_t i = 0; i < s->d->of->n_knobs; i++) {
		const struct case_knob *k = &s->d->of->knobs[i];
		if (strcasecmp(s->d->of->sim->knobs[k->knob].id, name) == 0 ||
			strcasecmp(case_knob_name(s->d, k), name) == 0)
			return k;
	}
	return NULL;
}

/* Whether a word of a name begins so, the endings of long words aside: "pipelining" is "pipelined". */
static bool has_beginning(const char *name, const char *beginning)
{
	enum { ENDING = 3, LONG = 9 };
	const size_t all = strlen(beginning), n = all < LONG ? all : all - ENDING;
	for (bool begins = true; *name; begins = !isalnum((unsigned char)*name++))
		if (begins && strncasecmp(name, beginning, n) == 0)
			return true;
	return false;
}

/* The only knob that has a word with that beginning in its name; NULL: there are none or several. */
static const struct case_knob *knob_of_beginning(const struct saying *s, const char *word)
{
	enum { SHORTEST = 2 };
	const struct case_knob *found = NULL;
	if (strlen(word) < SHORTEST || !isalpha((unsigned char)*word))
		return NULL;
	for (size_t i = 0; i < s->d->of->n_knobs; i++) {
		const struct case_knob *k = &s->d->of->knobs[i];
		if (!has_beginning(case_knob_name(s->d, k), word))
			continue;
		if (found)
			return NULL;
		found = k;
	}
	return found;
}

/* The knob whose name begins at a word: the longest name, or its beginning alone. *n: how many words that is. */
static const struct case_knob *named_knob(const struct saying *s, size_t at, size_t *n)
{
	for (*n = s->n - at < NAME_WORDS ? s->n - at : NAME_WORDS; *n > 0; --*n) {
		char spaced[NAME_SIZE], joined[NAME_SIZE];
		size_t used = 0;
		for (size_t i = 0; i < *n && used < sizeof spaced; i++)
			used += (size_t)snprintf(spaced + used, sizeof spaced - used, "%s%s",
				i ? " " : "", s->words[at + i]);
		snprintf(joined, sizeof joined, "%s", spaced);
		for (char *p = joined; *p; p++)
			*p = *p == ' ' ? '_' : *p;
		const struct case_knob *k = knob_of_id(s, spaced);
		k = k ? k : knob_of_id(s, joined);
		if (k)
			return k;
	}
	*n = 1;
	return knob_of_beginning(s, s->words[at]);
}

/* --- Values --- */

static bool has_choice(const struct saying *s, const struct case_knob *k, const char *word)
{
	const char *choice;
	for (size_t i = 0; (choice = case_knob_choice(s->d, k, i)); i++)
		if (strcasecmp(choice, word) == 0)
			return true;
	return false;
}

/* How many knobs have that choice, and the last of them. */
static size_t count_of_choice(const struct saying *s, const char *word, const struct case_knob **of)
{
	size_t n = 0;
	for (size_t i = 0; i < s->d->of->n_knobs; i++)
		if (has_choice(s, &s->d->of->knobs[i], word)) {
			*of = &s->d->of->knobs[i];
			n++;
		}
	return n;
}

/* Gives the value that is left to the first knob that can have it and was not said, or to all of them. False: a number
 * is of nothing. */
static bool close_value(struct saying *s, bool all)
{
	const char *value = s->open;
	bool taken = !value;
	s->open = NULL;
	for (size_t i = 0; value && !is_number(value) && i < s->d->of->n_knobs; i++) {
		const struct case_knob *k = &s->d->of->knobs[i];
		if ((taken && !all) || s->design.given[k->knob] || !has_choice(s, k, value))
			continue;
		taken = take_value(s, k, value) || taken;
	}
	return taken;
}

/* Choices that are said of anything: alone they make no design. */
static bool is_common(const char *word)
{
	static const char *const words[] = { "each", "end", "none" };
	return is_in(word, words, LENGTH(words));
}

/* A choice of one knob; behind a number a kind of GPU says what is counted: "12 H100s". */
static bool take_choice(struct saying *s, const struct case_knob *k, const char *word)
{
	const struct case_knob *gpus = knob_of_beginning(s, "gpus");
	const bool is_kind = strcmp(s->d->of->sim->knobs[k->knob].id, "gpu") == 0;
	if (is_kind && gpus && s->open && is_number(s->open)) {
		if (!take_value(s, gpus, s->open))
			return false;
		s->open = NULL;
	}
	if (!close_value(s, false) || !take_value(s, k, word))
		return false;
	s->sure |= !is_common(word);
	return true;
}

/* The same in the plural. */
static bool take_plural(struct saying *s, const char *word)
{
	char one[NAME_SIZE];
	const struct case_knob *k = NULL;
	const size_t n = strlen(word);
	snprintf(one, sizeof one, "%s", word);
	if (n < 2 || n >= sizeof one || tolower((unsigned char)word[n - 1]) != 's')
		return false;
	one[n - 1] = '\0';
	return count_of_choice(s, one, &k) == 1 && take_choice(s, k, one);
}

/* A word that names no knob. */
static bool take_word(struct saying *s, const char *word)
{
	static const char *const alls[] = { "everything", "everywhere", "both", "throughout" };
	const struct case_knob *k = NULL;
	if (is_in(word, alls, LENGTH(alls)))
		return s->open && close_value(s, true) && (s->sure = true);
	if (is_filler(word))
		return true;
	/* "H100 x8" */
	const struct case_knob *gpus = knob_of_beginning(s, "gpus");
	if (*word == 'x' && is_number(word + 1) && gpus && s->last &&
		strcmp(s->d->of->sim->knobs[s->last->knob].id, "gpu") == 0)
		return take_value(s, gpus, word + 1);
	if (is_number(word)) {
		if (!close_value(s, false))
			return false;
		s->open = word;
		return true;
	}
	const size_t n = count_of_choice(s, word, &k);
	if (n == 0)
		return take_plural(s, word);
	if (n == 1)
		return take_choice(s, k, word);
	if (!close_value(s, false))
		return false;
	s->open = word;
	return true;
}

/* --- The line --- */

static bool is_gpus(const char *word)
{
	return strcasecmp(word, "gpu") == 0 || strcasecmp(word, "gpus") == 0;
}

/* Takes a name of n words and its value. Returns the words that this was; 0: it has none. */
static size_t take_named(struct saying *s, const struct case_knob *k, size_t at, size_t n)
{
	static const char *const signs[] = { "=", ":", "is", "of", "to", "at", "in", "are" };
	const struct case_knob *gpus = knob_of_beginning(s, "gpus");
	if (s->open && is_number(s->open) && is_gpus(s->words[at]) && gpus)
		k = gpus;
	if (s->open && can_have(s, k, s->open)) {
		const char *value = s->open;
		s->open = NULL;
		s->sure = take_value(s, k, value);
		return n;
	}
	size_t behind = at + n;
	while (behind < s->n && is_in(s->words[behind], signs, LENGTH(signs)))
		behind++;
	/* The "no" of "TensorRT, no pipelining" is of what comes behind it. */
	const bool denies = behind + 1 < s->n && is_denial(s->words[behind]);
	if (behind < s->n && !denies && can_have(s, k, s->words[behind])) {
		if (!close_value(s, false))
			return 0;
		s->sure = take_value(s, k, s->words[behind]);
		return behind + 1 - at;
	}
	/* "Orin, TensorRT" is of a knob that is on or off; alone it may be said of anything. */
	if (has_choice(s, k, "on") && s->last != k && close_value(s, false))
		return take_value(s, k, "on") ? n : 0;
	/* "INT4 weights", and "tensor parallel 4 GPUs". */
	return s->last && (k == s->last || is_gpus(s->words[at])) ? n : 0;
}

/* "No pipelining", "without TensorRT". Returns the words that this was; 0: it is none. */
static size_t take_off(struct saying *s, size_t at)
{
	size_t n;
	if (at + 1 == s->n || !is_denial(s->words[at]))
		return 0;
	const struct case_knob *k = named_knob(s, at + 1, &n);
	return k && has_choice(s, k, "off") && close_value(s, false) && take_value(s, k, "off")
		       ? n + 1
		       : 0;
}

/* Leaves a word unread, and the value before it, which is hardly of what comes behind. */
static void leave(struct saying *s, const char *word)
{
	struct case_design_part *p = s->part;
	const char *words[] = { s->open, word };
	for (size_t i = 0; i < LENGTH(words); i++) {
		const size_t used = strlen(p->left);
		if (!words[i])
			continue;
		snprintf(p->left + used, sizeof p->left - used, "%s%s", used ? " " : "", words[i]);
		p->n_left++;
	}
	s->open = NULL;
	s->last = NULL;
}

/* Words behind which the opposite, or something else, is meant: "TP 4 instead of TP 8", "not H100". Such a line is
 * hardly read right in part. */
static bool turns_round(const struct saying *s, size_t i)
{
	static const char *const words[] = { "or", "rather", "than", "versus", "vs" };
	const bool in_place = strcasecmp(s->words[i], "instead") == 0 && i + 1 < s->n &&
			      strcasecmp(s->words[i + 1], "of") == 0;
	return in_place || is_denial(s->words[i]) || is_in(s->words[i], words, LENGTH(words));
}

static size_t take_next(struct saying *s, size_t i)
{
	size_t n = take_off(s, i);
	if (n)
		return n;
	if (turns_round(s, i))
		return 0;
	const struct case_knob *k = named_knob(s, i, &n), *unused = NULL;
	/* "fp8" is a choice though the name of a knob may begin so. */
	if (k && count_of_choice(s, s->words[i], &unused) == 0 && !is_filler(s->words[i]))
		return take_named(s, k, i, n);
	return take_word(s, s->words[i]);
}

static bool take_all(struct saying *s)
{
	for (size_t i = 0, n; i < s->n; i += n) {
		const struct saying before = *s;
		n = take_next(s, i);
		if (n == 0 && (!s->part || turns_round(s, i)))
			return false;
		if (n > 0)
			continue;
		*s = before;
		leave(s, s->words[i]);
		n = 1;
	}
	if (!s->part)
		return close_value(s, false) && s->sure;
	const struct saying before = *s;
	if (!close_value(s, false)) {
		*s = before;
		leave(s, NULL);
	}
	return s->sure;
}

/* "1,024" is one number, and "8,32" are two. */
static void cut_thousands(char *text)
{
	for (char *c = text; *c; c++)
		if (*c == ',' && c > text && isdigit((unsigned char)c[-1]) &&
			strspn(c + 1, "0123456789") == 3)
			memmove(c, c + 1, strlen(c));
}

/* "TP8" and "ZeRO-3" are a name and its number. */
static void part_numbers(char *text, size_t size)
{
	static const char *const names[] = { "tp", "pp", "cp", "dp", "ep", "zero" };
	for (char *word = text; *word; word += strcspn(word, " \t,;:="), word += *word != '\0') {
		for (size_t i = 0; i < LENGTH(names); i++) {
			const size_t n = strlen(names[i]);
			char *number = word + n;
			if (strncasecmp(word, names[i], n) != 0)
				continue;
			if (*number == '-' && isdigit((unsigned char)number[1]))
				*number = ' ';
			else if (isdigit((unsigned char)*number) && strlen(text) + 1 < size) {
				memmove(number + 1, number, strlen(number) + 1);
				*number = ' ';
			}
		}
	}
}

static bool read_said(const struct dealt_case *d, const char *line, struct case_design_part *part,
	struct case_design *out)
{
	static const char separators[] = " \t,;:=";
	char copy[SAID_SIZE], *rest = NULL;
	struct saying s = { .d = d, .part = part };
	snprintf(copy, sizeof copy, "%s", line);
	for (size_t n = strlen(copy); n && strchr(".!", copy[n - 1]); n--)
		copy[n - 1] = '\0';
	cut_thousands(copy);
	part_numbers(copy, sizeof copy);
	for (char *w = strtok_r(copy, separators, &rest); w;
		w = strtok_r(NULL, separators, &rest)) {
		if (s.n == MOST_SAID_WORDS)
			return false;
		s.words[s.n++] = w;
	}
	if (!take_all(&s))
		return false;
	*out = s.design;
	if (part)
		part->n = s.n;
	return true;
}

bool case_design_said(const struct dealt_case *d, const char *line, struct case_design *out)
{
	return read_said(d, line, NULL, out);
}

bool case_design_said_partly(
	const struct dealt_case *d, const char *line, struct case_design_part *out)
{
	*out = (struct case_design_part){ .n = 0 };
	return read_said(d, line, out, &out->design);
}
