/* What one interview at a case came to, in numbers: for statistics, which outlive the sitting. Pure. */
#ifndef RIDGE_CASE_RESULT_H
#define RIDGE_CASE_RESULT_H

#include "drills/case_sitting.h"

enum { CASE_WHO_SIZE = 64, CASE_ID_SIZE = 64, CASE_TITLE_SIZE = 96, CASE_FILE_SIZE = 256 };

struct case_result {
	char who[CASE_WHO_SIZE]; /* of one that was given: the candidate's name; "": nobody said it */
	bool given;              /* by an interviewer at their desk; else it was taken */
	char file[CASE_FILE_SIZE]; /* of its record; "": the caller did not say */
	char id[CASE_ID_SIZE], title[CASE_TITLE_SIZE];
	enum case_level level;
	int64_t at_s; /* Unix time when it began */
	bool over;    /* it came to its end; else it was cut off, or goes on */
	bool asks_seen; /* what was asked is known: of a candidate whose interviewer answers it is not */

	/* What a phase came to counts from the moment at which it was left, also one that was passed over for
	 * a later one; not where the interview was broken off before it. */
	bool counts[N_CASE_PHASES];
	size_t must[N_FACT_KINDS], asked[N_FACT_KINDS]; /* facts that must be asked for, and were */
	size_t numbers, near, exact;                    /* within a factor of 1.3, within 5 % */
	size_t designs, goals, goals_met; /* run before a twist; by the best of them */
	size_t twists, twists_met;        /* told and over; a design met all goals after it */
	size_t said;                      /* sentences said aloud */

	unsigned marks[N_CASE_PHASES], mark; /* of a phase, of all; 0: none */
	int64_t spent_ms[N_CASE_PHASES], planned_ms[N_CASE_PHASES];
};

/* Counts a sitting that stands at now_ms, over or not, with the marks and the times that it has itself. Who,
 * when and whether it was given are the caller's to say. */
void case_result_of(const struct case_sitting *s, bool over, int64_t now_ms, struct case_result *r);

/* Says which phases count, by the times that were spent and whether it is over: `at` is the last one that was
 * begun. */
void case_result_reached(struct case_result *r, enum case_phase at);

/* Whether it is known what a phase came to. */
bool case_result_counts(const struct case_result *r, enum case_phase phase);
/* Facts that must be asked for, of all kinds, and those that were. */
size_t case_result_must(const struct case_result *r);
size_t case_result_asked(const struct case_result *r);

#endif
