#include "ui/pages/search_match.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* "Utilization" is "utilisation" here. */
static int folded(char c)
{
	int lower = tolower((unsigned char)c);
	return lower == 'z' ? 's' : lower;
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Words that a question has and no answer. */
static bool says_nothing(const char *word, size_t n)
{
	static const char all[] =
		" a an and at are be can do does for from how i in is it me my of on or so that "
		"the there this to was we what when where which who why will with you your ";
	char between[16];
	if (n + 3 > sizeof between)
		return false;
	snprintf(between, sizeof between, " %.*s ", (int)n, word);
	for (char *p = between; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return strstr(all, between) != NULL;
}

/* A plural is found by its singular. */
static size_t stem_bytes(const char *word, size_t n)
{
	return n > 3 && word[n - 1] == 's' && word[n - 2] != 's' ? n - 1 : n;
}

static void take_words(struct query *q, const char *typed, bool all)
{
	*q = (struct query){ .n = 0 };
	size_t count = 0;
	while (*typed) {
		while (*typed && !in_word(*typed))
			typed++;
		size_t n = 0;
		while (in_word(typed[n]) || (typed[n] == '_' && n))
			n++;
		count += n > 0;
		if (n && q->n < SEARCH_WORDS && (all || !says_nothing(typed, n))) {
			struct word w = { typed, stem_bytes(typed, n), n >= 5 ? 2 : 1,
				strspn(typed, "0123456789") >= n };
			w.weight = w.number ? 3 : w.weight;
			q->words[q->n++] = w;
			q->weight += w.weight;
		}
		typed += n;
	}
	q->question = count >= QUESTION;
}

struct query query_of(const char *typed)
{
	struct query q;
	take_words(&q, typed, false);
	if (!q.n)
		take_words(&q, typed, true); /* "the" is what was asked for */
	return q;
}

static bool stands_at(const char *at, const struct word *w)
{
	for (size_t j = 0; j < w->n; j++)
		if (folded(at[j]) != folded(w->text[j]))
			return false;
	return true;
}

/* How well a word is found: 3 as a word, 2 at the start of one, 1 inside; 0: not. */
static int find_word(const char *text, size_t n, const struct word *w, const char **where)
{
	int best = 0;
	const int first = folded(w->text[0]);
	for (size_t i = 0; i + w->n <= n && best < 3; i++) {
		if (folded(text[i]) != first || !stands_at(text + i, w))
			continue;
		bool begins = i == 0 || !in_word(text[i - 1]),
		     plural = folded(text[i + w->n]) == 's';
		const char *end = text + i + w->n + (plural && !w->number);
		bool ends = end >= text + n || !in_word(*end);
		int found = begins && ends ? 3 : w->number ? 0 : begins ? 2 : w->n > 3;
		if (found > best) {
			best = found;
			*where = text + i;
		}
	}
	return best;
}

/* The words stand there one after another. */
static bool has_phrase(const char *text, size_t n, const struct query *q)
{
	for (size_t i = 0; i < n; i++) {
		size_t at = i, k = 0;
		if (i && in_word(text[i - 1]))
			continue;
		for (; k < q->n && at + q->words[k].n <= n && stands_at(text + at, &q->words[k]);
			k++) {
			at += q->words[k].n;
			while (at < n && k + 1 < q->n && (text[at] == 's' || !in_word(text[at])))
				at++;
		}
		if (k == q->n)
			return true;
	}
	return false;
}

int query_match(const char *text, size_t n, const struct query *q, const char **where)
{
	int found = 0, weight = 0;
	size_t letters = 0;
	*where = text + n;
	for (size_t k = 0; k < q->n; k++) {
		const char *at = text + n;
		int how = find_word(text, n, &q->words[k], &at);
		if (!how && !q->question)
			return 0;
		weight += how ? q->words[k].weight : 0;
		found += how * q->words[k].weight;
		letters += how ? q->words[k].n : 0;
		*where = at < *where ? at : *where;
	}
	if (!weight || !q->weight || 2 * weight <= q->weight)
		return 0;
	int quality = 40 * found / q->weight; /* up to 120 */
	quality += q->n > 1 && has_phrase(text, n, q) ? 100
		   : q->n == 1 && found == 3 * weight ? 60
						      : 0;
	size_t longer = n > letters ? n : letters;
	quality += longer ? (int)(80 * letters / longer) : 0;
	return 1 + quality * weight / q->weight;
}
