/* What a person typed, matched with what there is. Three questions, each with its own measure:
 * which name was meant by one that does not exist (refusals), which names fit a few letters (the
 * palette), and how well a text answers some words (search). */
#ifndef RIDGE_SIMS_BASE_MATCH_H
#define RIDGE_SIMS_BASE_MATCH_H

#include <stdbool.h>
#include <stddef.h>

/* The one of n names that is nearest to `typed`, counted in slips: a character more, one less,
 * another one, or two swapped (the "optimal string alignment" of Damerau and Levenshtein). Case is
 * ignored, and a name that begins with what was typed is near. NULL when none is near enough to be
 * a typo. */
const char *nearest_name(const char *typed, const char *const names[], size_t n);

/* The tail of a message that refuses `typed`: "; did you mean \"name\"?" with the nearest of the
 * names, or "" where none is near. Returns buf; HINT_SIZE is room enough. */
enum { HINT_SIZE = 96 };
char *did_you_mean(const char *typed, const char *const names[], size_t n, char *buf, size_t size);

/* How well `typed` matches `name`: every typed character in order, better where they begin words
 * or stand together, best where that is the whole name; 0: no match. Several typed words must all
 * match. Case is ignored. */
int match_letters(const char *typed, const char *name);

/* What is searched for. */
enum { SEARCH_WORDS = 16, QUERY_QUESTION = 4 /* words and more are a question */, QUERY_MOST = 3 };
struct query {
	struct query_word {
		const char *text;
		size_t n;
		int weight; /* in a question: what is rarer says more */
		bool number;
	} words[SEARCH_WORDS];
	size_t n;
	int weight;    /* of all words */
	bool question; /* most of it is enough */
};

/* The words of what was typed, which must outlive the query. Words like "the" only where there is
 * no other; n is 0 when there is none at all. */
struct query query_of(const char *typed);

/* From 1 to 301; 0: it does not match. *where is the place of the first word. Best are whole words,
 * then words one after another, then a text of little else. Of a question more than half of the
 * words, by their weights, are enough. text is terminated. */
int query_match(const char *text, size_t n, const struct query *q, const char **where);

/* The same for a name, of which more than half of QUERY_MOST words and more are enough in any case: "kv cache
 * size" is about the KV cache. 0 of fewer words. */
int query_match_most(const char *text, size_t n, const struct query *q);

#endif
