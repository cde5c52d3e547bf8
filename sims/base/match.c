#include "sims/base/match.h"

#include "sims/base/minmax.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 48 };

static int lower(char c)
{
	return tolower((unsigned char)c);
}

/* -- The nearest name ----------------------------------------------------------------------- */

/* The optimal string alignment distance, by dynamic programming over two rows and the one before
 * them: row i, column j is the distance between the first i characters of a and the first j of b.
 * Names longer than LONGEST are compared by their beginning. */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][LONGEST + 1];
	size_t n = min_size(strlen(a), LONGEST), m = min_size(strlen(b), LONGEST);

	for (size_t j = 0; j <= m; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *now = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t differ = lower(a[i - 1]) != lower(b[j - 1]);
			now[j] = min_size(min_size(now[j - 1], up[j]) + 1, up[j - 1] + differ);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
				lower(a[i - 2]) == lower(b[j - 1]))
				now[j] = min_size(now[j], up2[j - 2] + 1);
		}
	}
	return rows[n % 3][m];
}

static bool begins_with(const char *name, const char *typed)
{
	return strncasecmp(name, typed, strlen(typed)) == 0;
}

/* Somewhere inside, where it is long enough to be no accident. */
static bool has_inside(const char *name, const char *typed)
{
	enum { LEAST_INSIDE = 4 };
	if (strlen(typed) < LEAST_INSIDE)
		return false;
	while (*name && !begins_with(name, typed))
		name++;
	return *name != '\0';
}

const char *nearest_name(const char *typed, const char *const names[], size_t n)
{
	/* A third of what is compared may be otherwise. */
	const size_t compared = min_size(strlen(typed), LONGEST), most = 2 * (1 + compared / 3);
	const char *best = NULL;
	size_t best_distance = 0;

	for (size_t i = 0; i < n; i++) {
		/* Distances count double, so that a beginning can be nearer than one slip and
		 * farther than the name itself. */
		const size_t length = min_size(strlen(names[i]), LONGEST);
		/* Each letter that one has more is a slip. */
		size_t d = 2 * (compared > length ? compared - length : length - compared);
		if (d <= most)
			d = 2 * distance(typed, names[i]);
		if (d > 1 && *typed && begins_with(names[i], typed))
			d = 1;
		if (d > 3 && has_inside(names[i], typed))
			d = 3;
		if (!best || d < best_distance) {
			best = names[i];
			best_distance = d;
		}
	}
	return best && best_distance <= most ? best : NULL;
}

char *did_you_mean(const char *typed, const char *const names[], size_t n, char *buf, size_t size)
{
	const char *near = nearest_name(typed, names, n);

	if (near)
		snprintf(buf, size, "; did you mean \"%.60s\"?", near);
	else
		snprintf(buf, size, "%s", "");
	return buf;
}

/* -- A name by some of its letters ---------------------------------------------------------- */

/* How well the letters of a typed word are found from `start` on, in their order; 0: they are
 * not. A letter that does not follow the one before it must begin a word, unless `scattered`. */
static int score_from(
	const char *typed, size_t n, const char *name, const char *start, bool scattered)
{
	int score = 0, run = 0;
	size_t i = 0;
	for (const char *p = start; *p && i < n; p++) {
		bool begins = p == name || !isalnum((unsigned char)p[-1]);
		bool may = scattered || run > 0 || begins || p == start;
		if (lower(*p) != lower(typed[i]) || !may) {
			run = 0;
			continue;
		}
		score += 1 + (begins ? 6 : 0) + run * 3;
		run++;
		i++;
	}
	return i == n ? score : 0;
}

/* Letters that together begin a word outweigh as many beginnings of words, and more so in the first
 * word. */
static int beginning_score(const char *typed, size_t n, const char *name, const char *start)
{
	if (start != name && isalnum((unsigned char)start[-1]))
		return 0;
	return strncasecmp(typed, start, n) == 0 ? 8 * (int)n + (start == name ? 8 : 0) : 0;
}

/* One typed word against a name. The greedy match is tried from every place where it can begin,
 * and the best one counts. A few letters scattered inside words are chance, not meaning. */
static int word_score(const char *typed, size_t n, const char *name)
{
	enum { FEW = 3 };
	int best = 0, loose = 0;
	for (const char *start = name; *start; start++) {
		if (lower(*start) != lower(typed[0]))
			continue;
		int score = score_from(typed, n, name, start, false) +
			    beginning_score(typed, n, name, start);
		best = score > best ? score : best;
		loose |= n > FEW && score_from(typed, n, name, start, true) > 0;
	}
	return best > 0 ? best : loose;
}

int match_letters(const char *typed, const char *name)
{
	assert(typed && name);
	int total = *typed && strcasecmp(typed, name) == 0 ? 1000 : 1;
	while (*typed) {
		while (*typed == ' ')
			typed++;
		size_t n = strcspn(typed, " ");
		if (n == 0)
			break;
		int score = word_score(typed, n, name);
		if (score == 0)
			return 0;
		total += score;
		typed += n;
	}
	/* Of two that match alike, the shorter one is meant. */
	return total * 8 - (int)(strlen(name) / 8);
}

/* -- Words in a text ------------------------------------------------------------------------ */

/* The character that stands for this one in comparisons: "Utilization" and "utilisation" are the
 * same. */
static int folded(char c)
{
	int small = lower(c);
	return small == 'z' ? 's' : small;
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Whether a word is one that questions have and answers do not. */
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

static bool is_one_of(const char *word, size_t n, const char *const words[])
{
	for (; *words; words++)
		if (strlen(*words) == n && strncasecmp(*words, word, n) == 0)
			return true;
	return false;
}

/* Whether a word is what somebody does to find out, as in "how do I compute", and not what is looked for, as in
 * "compute-bound". before: the word before it, of so many bytes. */
static bool asks(const char *word, size_t n, const char *before, size_t before_n)
{
	static const char *const does[] = { "compute", "calculate", "work", "find", "get",
		"determine", "estimate", "know", NULL };
	static const char *const who[] = { "i", "we", "you", "one", "to", NULL };
	return is_one_of(word, n, does) && is_one_of(before, before_n, who);
}

/* The bytes of a word that must be found: a plural is found by its singular. */
static size_t stem_bytes(const char *word, size_t n)
{
	return n > 3 && word[n - 1] == 's' && word[n - 2] != 's' ? n - 1 : n;
}

static void take_words(struct query *q, const char *typed, bool all)
{
	*q = (struct query){ .n = 0 };
	const char *before = "";
	size_t count = 0, before_n = 0;
	while (*typed) {
		while (*typed && !in_word(*typed))
			typed++;
		size_t n = 0;
		while (in_word(typed[n]) || (typed[n] == '_' && n))
			n++;
		count += n > 0;
		if (n && q->n < SEARCH_WORDS &&
			(all || (!says_nothing(typed, n) && !asks(typed, n, before, before_n)))) {
			struct query_word w = { typed, stem_bytes(typed, n), n >= 5 ? 2 : 1,
				strspn(typed, "0123456789") >= n };
			w.weight = w.number ? 3 : w.weight;
			q->words[q->n++] = w;
			q->weight += w.weight;
		}
		before = typed;
		before_n = n;
		typed += n;
	}
	q->question = count >= QUERY_QUESTION;
}

struct query query_of(const char *typed)
{
	struct query q;
	take_words(&q, typed, false);
	if (!q.n)
		take_words(&q, typed, true); /* "the" is what was asked for */
	return q;
}

static bool stands_at(const char *at, const struct query_word *w)
{
	for (size_t j = 0; j < w->n; j++)
		if (folded(at[j]) != folded(w->text[j]))
			return false;
	return true;
}

/* How well a word is found: 3 as a word, 2 at the start of one, 1 inside; 0: not. */
static int find_word(const char *text, size_t n, const struct query_word *w, const char **where)
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

/* Whether the words stand there one after another. */
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

/* `most`: most of the words are enough. */
static int words_match(
	const char *text, size_t n, const struct query *q, bool most, const char **where)
{
	int found = 0, weight = 0;
	size_t letters = 0;
	*where = text + n;
	for (size_t k = 0; k < q->n; k++) {
		const char *at = text + n;
		int how = find_word(text, n, &q->words[k], &at);
		if (!how && !most)
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

int query_match(const char *text, size_t n, const struct query *q, const char **where)
{
	return words_match(text, n, q, q->question, where);
}

int query_match_most(const char *text, size_t n, const struct query *q)
{
	const char *where;
	return q->n < QUERY_MOST ? 0 : words_match(text, n, q, true, &where);
}
