/* Word by word: the name of a knob takes the value before it that nothing took yet, or else the one behind it; a value
 * that only one knob can have is that knob's. What is left over of values belongs to the first knob that can have it and
 * was not said. */
#include "drills/case_design_said.h"

#include "drills/answer_said.h"
#include "drills/case_knob_names.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	MOST_SAID_WORDS = 40,
	SAID_SIZE = 1000,
	NAME_WORDS = 5,
	NAME_SIZE = 120,
	VALUE_SIZE = 80,
	PAIR_SIZE = 200
};

struct saying {
	const struct dealt_case *d;
	const char *words[MOST_SAID_WORDS];
	size_t n;
	struct case_design design;
	char open[VALUE_SIZE];         /* a value that is of no knob yet; "": there is none */
	bool sure;                     /* something was said that can be of one knob alone */
	bool wants;                    /* a word says that it is wanted: "use", "turn on" */
	double replicas;               /* how many were said; 0: none */
	size_t switched;               /* knobs that are on or off, and were only named */
	const struct case_knob *last;  /* what the word before was a value of, */
	char last_value[VALUE_SIZE];   /* and that value; "": none was taken yet */
	struct case_design_part *part; /* takes what is not read; NULL: then the line is none */
};

static bool is_in(const char *word, const char *const list[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcasecmp(list[i], word) == 0)
			return true;
	return false;
}

/* What says that something is to be so, whatever it is. */
static bool is_wish(const char *word)
{
	static const char *const words[] = { "add", "bump", "change", "choose", "cut", "drop",
		"enable", "go", "grow", "increase", "keep", "leave", "lower", "make", "move",
		"pick", "put", "quantise", "quantize", "raise", "reduce", "run", "set", "shrink",
		"switch", "take", "try", "turn", "use", "using", "with" };
	return is_in(word, words, LENGTH(words));
}

static bool is_filler(const char *word)
{
	static const char *const words[] = { "a", "across", "again", "all", "also", "an", "and",
		"are", "as", "at", "back", "between", "by", "down", "each", "for", "from", "have",
		"i", "i'd", "i'll", "i'm", "in", "inside", "instead", "is", "it", "just", "let's",
		"lets", "my", "node", "nodes", "now", "of", "ok", "okay", "on", "only", "our",
		"over", "please", "replicas", "so", "still", "the", "them", "then", "to", "too",
		"total", "up", "way", "we", "we'd", "we'll", "well", "within", "would" };
	return is_wish(word) || is_in(word, words, LENGTH(words));
}

/* "Off" before a name, as in "turn off recompute". */
static bool is_denial(const char *word)
{
	static const char *const words[] = { "no", "without", "not", "never", "don't", "dont",
		"disable", "off", "remove", "skip", "stop" };
	return is_in(word, words, LENGTH(words));
}

static bool is_number(const char *word)
{
	return isdigit((unsigned char)*word) && !word[strspn(word, "0123456789.,")];
}

/* "8", "8 bit" and "8 bits" of a knob of types: the only choice of so many bits; NULL: there are none or several. */
static const char *type_of_bits(
	const struct saying *s, const struct case_knob *k, const char *value)
{
	static const char type[] = "dtype";
	const char *id = case_knob_id(s->d, k), *choice, *found = NULL;
	char *end;
	const long bits = strtol(value, &end, 10);
	const bool is =
		strlen(id) >= strlen(type) && strcmp(id + strlen(id) - strlen(type), type) == 0;
	if (!is || end == value || (*end && strcmp(end, " bit") != 0 && strcmp(end, " bits") != 0))
		return NULL;
	for (size_t i = 0; (choice = case_knob_choice(s->d, k, i)); i++)
		if (strtol(choice + strcspn(choice, "0123456789"), NULL, 10) == bits) {
			if (found)
				return NULL;
			found = choice;
		}
	return found;
}

/* Sets a knob to a value, if it can have it. */
static bool take_value(struct saying *s, const struct case_knob *k, const char *value)
{
	char pair[PAIR_SIZE], unused[300];
	const char *words[] = { pair }, *type = type_of_bits(s, k, value);
	snprintf(pair, sizeof pair, "%s=%s", case_knob_id(s->d, k), type ? type : value);
	s->last = k;
	if (value != s->last_value)
		snprintf(s->last_value, sizeof s->last_value, "%s", value);
	if (case_design_read(s->d, &s->design, words, 1, unused, sizeof unused) == 0)
		return true;
	/* What follows from it may be said in its place: "86 % busy" of workers. */
	snprintf(pair, sizeof pair, "%s=%s", s->d->of->sim->knobs[k->knob].id, value);
	return k->is && case_design_read(s->d, &s->design, words, 1, unused, sizeof unused) == 0;
}

static bool can_have(const struct saying *s, const struct case_knob *k, const char *value)
{
	struct saying trial = *s;
	return take_value(&trial, k, value);
}

/* --- Names --- */

static bool is_named(
	const struct saying *s, const struct case_knob *k, const char *const words[], size_t n)
{
	const char *also = case_knob_also(s->d, k), *own = s->d->of->sim->knobs[k->knob].id;
	return case_words_are(own, words, n) || case_knob_named(own, words, n) ||
	       case_words_are(case_knob_id(s->d, k), words, n) ||
	       case_words_are(case_knob_name(s->d, k), words, n) ||
	       (also && case_words_are(also, words, n)) ||
	       case_knob_named(case_knob_id(s->d, k), words, n);
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

/* The knob whose name begins at a word: the longest name that one knob alone has, or its beginning. *n: how many words
 * that is. */
static const struct case_knob *named_knob(const struct saying *s, size_t at, size_t *n)
{
	for (*n = s->n - at < NAME_WORDS ? s->n - at : NAME_WORDS; *n > 0; --*n) {
		const struct case_knob *found = NULL;
		size_t all = 0;
		for (size_t i = 0; i < s->d->of->n_knobs; i++)
			if (is_named(s, &s->d->of->knobs[i], s->words + at, *n)) {
				found = &s->d->of->knobs[i];
				all++;
			}
		if (all == 1)
			return found;
	}
	*n = 1;
	/* Whatever GPUs are called: where no knob has that name, it is theirs. */
	return knob_of_beginning(s, case_word_is_gpus(s->words[at]) ? "gpus" : s->words[at]);
}

const struct case_knob *case_design_named(
	const struct dealt_case *d, const char *const words[], size_t n, size_t *used)
{
	struct saying s = { .d = d, .n = n < NAME_WORDS ? n : NAME_WORDS };
	memcpy(s.words, words, s.n * sizeof *words);
	return s.n && !is_filler(words[0]) ? named_knob(&s, 0, used) : NULL;
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

/* The choice of a knob that words are, or what the case says that they are of it; NULL: they are none. */
static const char *choice_said(
	const struct saying *s, const struct case_knob *k, const char *const words[], size_t n)
{
	const char *choice;
	for (size_t i = 0; i < k->n_said; i++)
		if (case_words_are(k->said[i].words, words, n))
			return k->said[i].value;
	for (size_t i = 0; (choice = case_knob_choice(s->d, k, i)); i++)
		if (isalpha((unsigned char)*choice) && case_words_are(choice, words, n))
			return choice;
	return NULL;
}

/* How many knobs have a choice that is said in n words, the last of them, and which it is. */
static size_t count_of_choice(const struct saying *s, size_t at, size_t n,
	const struct case_knob **of, const char **choice)
{
	size_t all = 0;
	for (size_t i = 0; i < s->d->of->n_knobs; i++) {
		const char *said = choice_said(s, &s->d->of->knobs[i], s->words + at, n);
		if (!said)
			continue;
		*of = &s->d->of->knobs[i];
		*choice = said;
		all++;
	}
	return all;
}

/* The most words from one on that say a choice; 0: none do. */
static size_t words_of_choice(const struct saying *s, size_t at)
{
	enum { MOST = 5 };
	const struct case_knob *of;
	const char *choice;
	size_t n = s->n - at < MOST ? s->n - at : MOST;
	while (n > 0 && count_of_choice(s, at, n, &of, &choice) == 0)
		n--;
	return n;
}

/* --- Replicas --- */

/* "4 replicas" where all GPUs are a knob, or copies of attention, which are then as many. False: that is none. */
static bool take_replicas(struct saying *s, const char *word)
{
	const struct case_knob *copies = case_knob_of_id(s->d, "attn_dp");
	const bool all = case_knob_of_id(s->d, "fleet") != NULL;
	char value[VALUE_SIZE];
	if (!case_word_is_replica(word) || !is_number(s->open) || strtod(s->open, NULL) < 1 ||
		(all ? !case_knob_of_id(s->d, "tp") : !copies || !can_have(s, copies, s->open)))
		return false;
	snprintf(value, sizeof value, "%s", s->open);
	s->open[0] = '\0';
	s->sure = true;
	if (!all)
		return take_value(s, copies, value);
	s->replicas = strtod(value, NULL);
	return true;
}

/* "Of 2 GPUs", "2 GPUs each": those of a replica. False: they are not. */
static bool take_its_gpus(struct saying *s, size_t at)
{
	static const char *const each[] = { "each", "apiece" }, *const of[] = { "of", "with" };
	char value[VALUE_SIZE];
	if (s->replicas <= 0 || !is_number(s->open) || !case_word_is_gpus(s->words[at]) ||
		!((at + 1 < s->n && is_in(s->words[at + 1], each, LENGTH(each))) ||
			(at > 1 && is_in(s->words[at - 2], of, LENGTH(of)))))
		return false;
	snprintf(value, sizeof value, "%s", s->open);
	s->open[0] = '\0';
	return take_value(s, case_knob_of_id(s->d, "tp"), value);
}

static double given_value(const struct saying *s, const struct case_knob *k)
{
	return s->design.given[k->knob] ? s->design.v[k->knob] : 0;
}

/* So many replicas are all GPUs by those of one, or the other way round. False: neither was said. */
static bool close_replicas(struct saying *s)
{
	char value[32];
	if (s->replicas <= 0)
		return true;
	const struct case_knob *all = case_knob_of_id(s->d, "fleet"),
			       *width = case_knob_of_id(s->d, "tp");
	const double gpus = given_value(s, all), each = given_value(s, width);
	if (gpus > 0 && each > 0)
		return gpus == s->replicas * each;
	snprintf(value, sizeof value, "%g", each > 0 ? s->replicas * each : gpus / s->replicas);
	return (each > 0 || gpus > 0) && take_value(s, each > 0 ? all : width, value);
}

/* Gives the value that is left to the first knob that can have it and was not said, or to all of them. False: a number
 * is of nothing. */
static bool close_value(struct saying *s, bool all)
{
	char value[VALUE_SIZE];
	bool taken = false;
	if (!*s->open)
		return true;
	snprintf(value, sizeof value, "%s", s->open);
	s->open[0] = '\0';
	/* An amount that one knob alone can have: "10 minutes". A plain number may be of anything. */
	if (isdigit((unsigned char)*value)) {
		const struct case_knob *only = NULL;
		size_t n = 0;
		for (size_t i = 0; !is_number(value) && i < s->d->of->n_knobs; i++)
			if (can_have(s, &s->d->of->knobs[i], value)) {
				only = &s->d->of->knobs[i];
				n++;
			}
		s->sure |= n == 1;
		return n == 1 && take_value(s, only, value);
	}
	for (size_t i = 0; i < s->d->of->n_knobs; i++) {
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

/* The knob that a word alone names. */
static const struct case_knob *knob_of_word(const struct saying *s, const char *word)
{
	size_t unused;
	const struct saying one = { .d = s->d, .words = { word }, .n = 1 };
	return named_knob(&one, 0, &unused);
}

/* A choice of one knob; behind a number a kind of GPU says what is counted: "12 H100s". */
static bool take_choice(struct saying *s, const struct case_knob *k, const char *choice)
{
	const bool is_kind = strcmp(case_knob_id(s->d, k), "gpu") == 0;
	const struct case_knob *gpus = is_kind ? knob_of_word(s, "gpus") : NULL;
	if (gpus && isdigit((unsigned char)*s->open)) {
		if (!take_value(s, gpus, s->open))
			return false;
		s->open[0] = '\0';
	}
	if (!close_value(s, false) || !take_value(s, k, choice))
		return false;
	s->sure |= !is_common(choice);
	return true;
}

/* A number in digits or in words, and a unit behind it: "10 minutes", "four". Returns how many words that is; 0: none
 * begins there. */
static size_t read_amount(const struct saying *s, size_t at, char value[VALUE_SIZE])
{
	enum { MOST_UNIT_WORDS = 3 };
	const char *word = s->words[at];
	struct quantity q;
	char err[200], number[32];
	double amount;
	const char *rest = answer_words(word, &amount);
	if (strcasecmp(word, "half") == 0 && at + 1 < s->n) {
		const size_t skip =
			at + 2 < s->n && (strcasecmp(s->words[at + 1], "an") == 0 ||
						 strcasecmp(s->words[at + 1], "a") == 0);
		snprintf(value, VALUE_SIZE, "0.5 %s", s->words[at + 1 + skip]);
		return quantity_parse(value, &q, err, sizeof err) == 0 ? 2 + skip : 0;
	}
	if (rest && !*rest && strcasecmp(word, "one") != 0)
		word = number_write(number, sizeof number, amount, 12);
	if (!isdigit((unsigned char)*word) || quantity_parse(word, &q, err, sizeof err))
		return 0;
	snprintf(value, VALUE_SIZE, "%s", word);
	/* What is a name is none of its unit: of "12 GPUs" GPUs are the knob. */
	size_t n = 1, named;
	for (; n <= MOST_UNIT_WORDS && at + n < s->n; n++) {
		const char *next = s->words[at + n];
		char longer[VALUE_SIZE];
		snprintf(longer, sizeof longer, "%s %s", value, next);
		if (is_filler(next) || isdigit((unsigned char)*next) ||
			words_of_choice(s, at + n) || named_knob(s, at + n, &named) ||
			quantity_parse(longer, &q, err, sizeof err))
			break;
		snprintf(value, VALUE_SIZE, "%s", longer);
	}
	return n;
}

/* "The rest data parallel", where replicas follow from the others. Returns how many words that is; 0: it is not. */
static size_t words_of_rest(const struct saying *s, size_t at)
{
	static const char *const
		rests[] = { "rest", "remaining", "remainder" },
		*const between[] = { "is", "gpus", "for", "as", "being", "goes", "to", "all" },
		*const data[] = { "data" }, *const parallel[] = { "parallel", "parallelism" },
		*const dp[] = { "dp", "data-parallel" };
	size_t i = at + 1;
	if (!is_in(s->words[at], rests, LENGTH(rests)))
		return 0;
	while (i < s->n && is_in(s->words[i], between, LENGTH(between)))
		i++;
	if (i < s->n && is_in(s->words[i], dp, LENGTH(dp)))
		return i + 1 - at;
	return i + 1 < s->n && is_in(s->words[i], data, LENGTH(data)) &&
			       is_in(s->words[i + 1], parallel, LENGTH(parallel))
		       ? i + 2 - at
		       : 0;
}

/* A word, or a few that belong together, that name no knob. Returns how many; 0: they are none of a design. */
static size_t take_words(struct saying *s, size_t at)
{
	static const char *const alls[] = { "everything", "everywhere", "both", "throughout",
		"around" };
	const char *word = s->words[at], *choice = NULL;
	const struct case_knob *k = NULL;
	char value[VALUE_SIZE];
	if (is_in(word, alls, LENGTH(alls)) && *s->open && !isdigit((unsigned char)*s->open))
		return close_value(s, true) && (s->sure = true);
	const size_t choices = words_of_choice(s, at);
	size_t n = words_of_rest(s, at);
	if (n > 0)
		return n;
	if (choices <= 1 && is_filler(word)) {
		s->wants |= is_wish(word);
		return 1;
	}
	/* "H100 x8" */
	const struct case_knob *gpus = knob_of_word(s, "gpus");
	if (*word == 'x' && is_number(word + 1) && gpus && s->last &&
		strcmp(case_knob_id(s->d, s->last), "gpu") == 0)
		return take_value(s, gpus, word + 1);
	if ((n = read_amount(s, at, value)) > 0) {
		if (!close_value(s, false))
			return 0;
		snprintf(s->open, sizeof s->open, "%s", value);
		return n;
	}
	if (choices > 0) {
		n = choices;
		if (count_of_choice(s, at, n, &k, &choice) == 1)
			return take_choice(s, k, choice) ? n : 0;
		if (!close_value(s, false))
			return 0;
		snprintf(s->open, sizeof s->open, "%s", choice);
		return n;
	}
	/* Of the GPUs of which part follows: "4 GPUs for prefill". */
	return case_word_is_gpus(word) && !gpus;
}

/* --- The line --- */

/* "from 8 to": what it was. Returns how many words that is. */
static size_t words_of_before(const struct saying *s, size_t at)
{
	const char *from = at + 2 < s->n ? s->words[at] : NULL;
	const char *to = from ? s->words[at + 2] : NULL;
	return to && strcasecmp(from, "from") == 0 && strcasecmp(to, "to") == 0 ? 2 : 0;
}

/* What a knob is set to when it is not wanted; NULL: that cannot be. */
static const char *value_without(const struct saying *s, const struct case_knob *k)
{
	static const char *const offs[] = { "off", "none", "0" }, *const widths[] = { "tp", "pp",
		"cp", "attn_dp", "ep" };
	for (size_t i = 0; i < LENGTH(offs); i++)
		if (can_have(s, k, offs[i]))
			return offs[i];
	return is_in(case_knob_id(s->d, k), widths, LENGTH(widths)) && can_have(s, k, "1") ? "1"
											   : NULL;
}

/* The value of a knob that stands from a word on. Returns how many words it is; 0: there is none. */
static size_t read_value(
	const struct saying *s, const struct case_knob *k, size_t at, char value[VALUE_SIZE])
{
	enum { MOST = 3 };
	const char *choice = NULL;
	if (at >= s->n)
		return 0;
	size_t n = s->n - at < MOST ? s->n - at : MOST;
	while (n > 0 && !(choice = choice_said(s, k, s->words + at, n)))
		n--;
	const char *off =
		n == 0 && strcasecmp(s->words[at], "off") == 0 ? value_without(s, k) : NULL;
	if (n > 0 || off)
		snprintf(value, VALUE_SIZE, "%s", n > 0 ? choice : off);
	else if ((n = read_amount(s, at, value)) == 0)
		snprintf(value, VALUE_SIZE, "%s", s->words[at]);
	return can_have(s, k, value) ? (n ? n : 1) : 0;
}

/* Of "FP8 cache and weights, 4 replicas" the 4 is no number of bits. */
static bool counts_of_type(const struct saying *s, const struct case_knob *k, size_t at)
{
	return at + 1 < s->n && type_of_bits(s, k, s->words[at]) &&
	       (case_word_is_replica(s->words[at + 1]) || case_word_is_gpus(s->words[at + 1]));
}

/* Takes a name of n words and its value. Returns the words that this was; 0: it has none. */
static size_t take_named(struct saying *s, const struct case_knob *k, size_t at, size_t n)
{
	static const char *const signs[] = { "=", ":", "is", "of", "to", "at", "in", "are", "back",
		"down", "up", "with" };
	char value[VALUE_SIZE];
	if (*s->open && can_have(s, k, s->open)) {
		snprintf(value, sizeof value, "%s", s->open);
		s->open[0] = '\0';
		s->sure = take_value(s, k, value);
		return n;
	}
	size_t behind = at + n;
	behind += words_of_before(s, behind);
	while (behind < s->n && is_in(s->words[behind], signs, LENGTH(signs)))
		behind++;
	/* The "no" of "TensorRT, no pipelining" is of what comes behind it. */
	const bool denies = behind + 1 < s->n && is_denial(s->words[behind]);
	const size_t words =
		denies || counts_of_type(s, k, behind) ? 0 : read_value(s, k, behind, value);
	if (words > 0) {
		if (!close_value(s, false))
			return 0;
		s->sure = take_value(s, k, value);
		return behind + words - at;
	}
	/* "FP8 weights and cache" */
	if (at > 0 && strcasecmp(s->words[at - 1], "and") == 0 &&
		isalpha((unsigned char)*s->last_value) && can_have(s, k, s->last_value) &&
		close_value(s, false)) {
		s->switched += has_choice(s, k, "on");
		return take_value(s, k, s->last_value) ? n : 0;
	}
	/* "35 workers behind one queue" are as many behind it. */
	const char *const behind_it[] = { "behind", "in", "one", "sharing", "share" };
	if (n > 1 && s->last && s->last != k && is_in(s->words[at], behind_it, LENGTH(behind_it)) &&
		isdigit((unsigned char)*s->last_value) && can_have(s, k, s->last_value) &&
		close_value(s, false))
		return take_value(s, k, s->last_value) ? n : 0;
	/* "Orin, TensorRT" is of a knob that is on or off; alone it may be said of anything. */
	if (has_choice(s, k, "on") && s->last != k && close_value(s, false)) {
		s->switched++;
		return take_value(s, k, "on") ? n : 0;
	}
	/* "INT4 weights", and "tensor parallel 4 GPUs". */
	return s->last && (k == s->last || case_word_is_gpus(s->words[at])) ? n : 0;
}

/* "No pipelining", "without TensorRT", "drop the checkpointing". Returns the words that this was; 0: it is none. */
static size_t take_off(struct saying *s, size_t at)
{
	static const char *const cuts[] = { "drop", "cut" }, *const between[] = { "the", "any",
		"use", "using", "all" };
	const bool cut = is_in(s->words[at], cuts, LENGTH(cuts));
	size_t n, of = at + 1;
	if (!cut && !is_denial(s->words[at]))
		return 0;
	if (named_knob(s, at, &n) && n > 1) /* "skip empty space" */
		return 0;
	while (of < s->n && is_in(s->words[of], between, LENGTH(between)))
		of++;
	const struct case_knob *k = of < s->n ? named_knob(s, of, &n) : NULL;
	const char *off = k ? value_without(s, k) : NULL;
	/* "Drop the batch to 8" leaves one. */
	if (!off || (cut && of + n < s->n) || !close_value(s, false))
		return 0;
	s->sure = true;
	return take_value(s, k, off) ? of + n - at : 0;
}

/* Leaves a word unread, and the value before it, which is hardly of what comes behind. */
static void leave(struct saying *s, const char *word)
{
	struct case_design_part *p = s->part;
	const char *words[] = { *s->open ? s->open : NULL, word };
	for (size_t i = 0; i < LENGTH(words); i++) {
		const size_t used = strlen(p->left);
		if (!words[i])
			continue;
		snprintf(p->left + used, sizeof p->left - used, "%s%s", used ? " " : "", words[i]);
		p->n_left++;
	}
	s->open[0] = '\0';
	s->last = NULL;
}

/* Words behind which the opposite, or something else, is meant: "TP 4 or TP 8", "not H100". Such a line is hardly read
 * right in part. */
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
	if (take_replicas(s, s->words[i]) || take_its_gpus(s, i))
		return 1;
	const struct case_knob *k = named_knob(s, i, &n);
	if (k && n > 1)
		return take_named(s, k, i, n);
	if (turns_round(s, i))
		return 0;
	/* "fp8" is a choice though the name of a knob may begin so. */
	if (k && words_of_choice(s, i) == 0 && !is_filler(s->words[i]))
		return take_named(s, k, i, n);
	return take_words(s, i);
}

static bool take_all(struct saying *s)
{
	static const char *const derived[] = { "dp", "parallel", "parallelism" };
	for (size_t i = 0, n; i < s->n; i += n) {
		const struct saying before = *s;
		if ((n = words_of_before(s, i)) > 0)
			continue;
		n = take_next(s, i);
		if (n == 0 && (!s->part || turns_round(s, i)))
			return false;
		if (n > 0)
			continue;
		*s = before;
		leave(s, s->words[i]);
		n = 1;
		/* What follows from the others takes its own number along: "DP 8". */
		if (is_in(s->words[i], derived, LENGTH(derived)) && i + 1 < s->n &&
			is_number(s->words[i + 1])) {
			leave(s, s->words[i + 1]);
			n = 2;
		}
	}
	const struct saying before = *s;
	if (!close_value(s, false)) {
		if (!s->part)
			return false;
		*s = before;
		leave(s, NULL);
	}
	if (!close_replicas(s)) {
		if (!s->part)
			return false;
		snprintf(s->open, sizeof s->open, "%g", s->replicas);
		leave(s, "replicas");
	}
	return s->sure || s->switched > 1 || (s->switched && s->wants);
}

/* --- Words --- */

/* "1,024" is one number, and "8,32" are two. */
static void cut_thousands(char *text)
{
	for (char *c = text; *c; c++)
		if (*c == ',' && c > text && isdigit((unsigned char)c[-1]) &&
			strspn(c + 1, "0123456789") == 3)
			memmove(c, c + 1, strlen(c));
}

/* "TP 4 instead of TP 8" is TP 4: what it is in place of is no part of the design. */
static void cut_replaced(char *text)
{
	static const char *const words[] = { " instead of ", " rather than " };
	for (char *at = text; *at; at++)
		for (size_t i = 0; i < LENGTH(words); i++)
			if (strncasecmp(at, words[i], strlen(words[i])) == 0 && !strchr(at, ',')) {
				*at = '\0';
				return;
			}
}

static bool names_knob(const struct saying *s, const char *letters)
{
	return *letters && knob_of_word(s, letters) != NULL;
}

/* The letters and the digits at the beginning of a word apart: "tp" of "tp8", "8" of "8-way", "22" of "22Hz", as far as
 * the letters are a name or stand behind a sign. Returns where the rest begins; NULL: it is one word. */
static const char *part_word(const struct saying *s, const char *word, char first[NAME_SIZE])
{
	static const char digits[] = "0123456789";
	const bool number = isdigit((unsigned char)*word);
	size_t n = number ? strspn(word, digits) : strcspn(word, "0123456789-./");
	const size_t sign = word[n] == '-';
	const char *rest = word + n + sign;
	const size_t letters = strcspn(rest, digits);
	char behind[NAME_SIZE];
	if (n == 0 || !*rest)
		return NULL;
	snprintf(first, NAME_SIZE, "%.*s", (int)n, word);
	snprintf(behind, sizeof behind, "%.*s", (int)letters, rest);
	if (number)
		return isalpha((unsigned char)*rest) && (sign || names_knob(s, behind)) ? rest
											: NULL;
	if (!isdigit((unsigned char)*rest) || !names_knob(s, first))
		return NULL;
	/* Alone "a" is an article. */
	if (strcasecmp(first, "a") == 0)
		snprintf(first, NAME_SIZE, "activation");
	return rest;
}

/* Adds the words that one is made of: "w4a8" is four. */
static void add_word(struct saying *s, const char *word, char store[], size_t size, size_t *used)
{
	const char *rest;
	do {
		char first[NAME_SIZE];
		const struct saying one = { .d = s->d, .words = { word }, .n = 1 };
		rest = words_of_choice(&one, 0) ? NULL : part_word(s, word, first);
		const char *piece = rest ? first : word;
		const size_t n = strlen(piece) + 1;
		if (s->n == MOST_SAID_WORDS || *used + n > size)
			return;
		memcpy(store + *used, piece, n);
		s->words[s->n++] = store + *used;
		*used += n;
		word = rest;
	} while (rest);
}

static bool read_said(const struct dealt_case *d, const char *line, struct case_design_part *part,
	struct case_design *out)
{
	static const char separators[] = " \t,;:=";
	char copy[SAID_SIZE], store[2 * SAID_SIZE], *rest = NULL;
	size_t used = 0;
	struct saying s = { .d = d, .part = part };
	snprintf(copy, sizeof copy, "%s", line);
	for (size_t n = strlen(copy); n && strchr(".!", copy[n - 1]); n--)
		copy[n - 1] = '\0';
	cut_thousands(copy);
	cut_replaced(copy);
	for (char *w = strtok_r(copy, separators, &rest); w;
		w = strtok_r(NULL, separators, &rest)) {
		if (s.n == MOST_SAID_WORDS)
			return false;
		add_word(&s, w, store, sizeof store, &used);
	}
	if (!take_all(&s))
		return false;
	*out = s.design;
	for (size_t i = 0; part && i < s.n; i++)
		part->n += !is_filler(s.words[i]);
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

const struct case_knob *case_design_change(const struct dealt_case *d, const char *line)
{
	enum { MOST_WORDS = 8 };
	static const char *const more[] = { "more", "fewer", "less", "larger", "smaller", "higher",
		"double", "halve", "lock", "share" },
				 *const before[] = { "i", "i'd", "we", "we'd", "let's", "lets",
					 "then", "and", "maybe", "just", "would", "could", "to" };
	static const char separators[] = " \t,;:=.!";
	char copy[SAID_SIZE], *rest = NULL;
	struct saying s = { .d = d };
	size_t first = 0, n;
	snprintf(copy, sizeof copy, "%s", line);
	for (char *w = strtok_r(copy, separators, &rest); w && s.n < MOST_SAID_WORDS;
		w = strtok_r(NULL, separators, &rest))
		s.words[s.n++] = w;
	while (first < s.n && is_in(s.words[first], before, LENGTH(before)))
		first++;
	if (first == s.n || s.n > MOST_WORDS ||
		!(is_wish(s.words[first]) || is_denial(s.words[first]) ||
			is_in(s.words[first], more, LENGTH(more))))
		return NULL;
	for (size_t i = first; i < s.n; i++) {
		const struct case_knob *k = is_filler(s.words[i]) ? NULL : named_knob(&s, i, &n);
		if (k)
			return k;
	}
	return NULL;
}
