/* What is searched for, and how well a text matches it. */
#ifndef RIDGE_UI_PAGES_SEARCH_MATCH_H
#define RIDGE_UI_PAGES_SEARCH_MATCH_H

#include <stdbool.h>
#include <stddef.h>

enum { SEARCH_WORDS = 16, QUESTION = 4 /* words and more are one */ };

struct query {
	struct word {
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

#endif
