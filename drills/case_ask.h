/* Finds the fact that a question asks for, by its words. Nothing is worse than a wrong fact: where it is
 * not clear which one is meant, the nearest two are offered, to be asked for by name. */
#ifndef RIDGE_CASE_ASK_H
#define RIDGE_CASE_ASK_H

#include "drills/case.h"

enum { CASE_OFFERS = 2, CASE_AT_ONCE = 4 };
enum case_match_kind {
	MATCH_NOTHING,
	MATCH_FACT, /* the first of the facts, or all where several were asked for */
	MATCH_OFFER /* perhaps one of them is meant */
};
struct case_match {
	enum case_match_kind kind;
	size_t facts[CASE_AT_ONCE], n; /* the nearest first, or in the order of asking */
	/* Of a line with several questions some are told, and of another one it is asked back which of these it
	 * means. */
	size_t offers[CASE_OFFERS], n_offers;
	/* MATCH_NOTHING: the question names a subject, "cost", that no fact of the case knows; else NULL. */
	const char *foreign;
	bool whole; /* every word that says something is the fact's own, as in "prompt lengths" */
};

/* Any text; only letters of ASCII make words, and numbers say nothing. */
struct case_match case_ask(const struct design_case *c, const char *question);

/* The same for a line that may hold several questions: where at least two of them are sure, these are the
 * facts, each once; where one is and of another it has to be asked back, the fact and what is offered. */
struct case_match case_ask_all(const struct design_case *c, const char *line);

/* Whether a text asks by its first word after "and", "so" and the like: "and how long", "is it". "When the batch
 * doubles, it waits" does not. */
bool case_begins_question(const char *text);

/* Whether a word says nothing of what is asked: "what", "about". */
bool case_says_nothing(const char *word);

#endif
