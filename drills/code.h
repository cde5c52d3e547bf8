/* Session codes: what a sitting is made of in a few symbols that one person can read out to
 * another, who then gets the same problems, on any machine.
 *
 * Symbols are Crockford's base 32 (0-9, A-Z without I L O U): typed in any case, I and L read as 1,
 * O as 0, hyphens and spaces ignored. In order:
 *
 *   1      version (2 bits, from 1: how problems are drawn) and mode (3 bits)
 *   1      edition of the bank, 1 to 31; 0: a pack, and the set is the hash of its text
 *   2      count, 1 to 200 (8 bits); whether a set follows (2 bits: 0 no, 1 yes; 2 and 3 the same
 *          without choices and orders)
 *   0 or 4 the set: 20 bits of a hash of the topic, skill, drill, rung, chapter or chain
 *   1..13  the seed, without leading zeros
 *   1      the check
 *
 * A new drill moves nothing, for two reasons. Each problem's numbers come from a stream of their
 * own, keyed by seed, drill and round. And a code draws from its edition only: the ids that
 * content/drills/editions.json lists up to it, whatever else the bank holds. New drills are taken
 * into codes by a new edition, and an old code still says the old one. The hash of a set is looked
 * up among the topics, skills and ids of that edition alone.
 *
 * An interview at a design case (drills/case.h) has a code of the same symbols, whose mode is 6:
 *
 *   1      version and mode
 *   4      the case: 20 bits of a hash of its id
 *   2      the level (2 bits) and the minutes (8 bits)
 *   1..13  the seed
 *   1      the check
 *
 * The check is a Reed-Solomon symbol over GF(32): it finds every single mistyped symbol and every
 * swap of two. Crockford's own (mod 37) would find the same but has symbols that mean something to
 * a shell. */
#ifndef RIDGE_CODE_H
#define RIDGE_CODE_H

#include "drills/case.h"
#include "drills/session.h"

enum { CODE_SIZE = 32, CODE_VERSION = 1 };

/* "1500-4K2Q-7" into buf, of CODE_SIZE bytes. False where there is no code: a review, an edition
 * of 0, a count out of range, a topic that the edition does not have. */
bool code_write(const struct drill_bank *b, const struct session_options *o, char *buf);

/* 20 bits that stand for a text. */
unsigned code_hash(const char *text);

/* Why these problems have no code, to be said behind others in a line: "no code: ...". */
const char *code_missing(const struct drill_bank *b, const struct drill_session *s);

/* 0 and *out, whose topic is a text of the bank; or -1 and one line in err: a wrong symbol, a check
 * that does not fit, a version or an edition that this ridge does not have. */
int code_read(const struct drill_bank *b, const char *text, struct session_options *out, char *err,
	size_t err_size);

/* How many problems a code that code_read takes asks for. */
unsigned code_count(const char *text);

/* What an interview at a case is dealt from. */
struct case_code {
	const char *id;
	enum case_level level;
	unsigned minutes; /* LEAST_CASE_MINUTES..MOST_CASE_MINUTES */
	uint64_t seed;
};
/* Whether a text begins as such a code does, which the rest may contradict. */
bool code_is_of_case(const char *text);
/* Into buf, of CODE_SIZE bytes; returns it. */
char *case_code_write(const struct case_code *c, char *buf);
/* 0 and *out, whose id is one of the n `ids`; or -1 and one line in err. */
int case_code_read(const char *const ids[], size_t n, const char *text, struct case_code *out,
	char *err, size_t err_size);

#endif
