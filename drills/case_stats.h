/* What the interviews of a person came to, phase by phase, and which case to take next. Pure: counted from
 * results, with nothing stored. */
#ifndef RIDGE_CASE_STATS_H
#define RIDGE_CASE_STATS_H

#include "drills/case_result.h"

/* A phase over all interviews in which it was left. */
struct case_phase_sum {
	size_t n;                /* interviews */
	size_t of, done, better; /* facts that must be asked for and were; numbers, those within a
				     * factor of 1.3, within 5 %; goals, met; twists, met; wrap-ups, those with
				     * a word said */
	int64_t spent_ms, planned_ms;
	size_t n_marks, marks_sum;
};

struct case_person {
	const char *name; /* of a candidate; "": not said, or one's own */
	bool given;       /* a candidate of interviews that were given; else who takes them here */
	const struct case_result *const *results; /* the oldest first */
	size_t n, n_over;
	struct case_phase_sum phases[N_CASE_PHASES];
	size_t must[N_FACT_KINDS], asked[N_FACT_KINDS];
	const struct case_result *const *last; /* of each case the last one, the newest first */
	size_t n_last;
};

struct case_stats {
	struct arena arena;
	struct case_result *results; /* copies, the oldest first */
	struct case_person *people;  /* who takes them here, then candidates, the latest first */
	size_t n, n_people;
};

/* Counts n results in any order. 0, or -1 when memory is out. Release it either way. */
int case_stats_init(struct case_stats *s, const struct case_result results[], size_t n);
void case_stats_release(struct case_stats *s);

/* Part of whole, 0..1; NAN where the whole is 0. */
double case_share(size_t part, size_t whole);
/* The mean mark of a phase; NAN: it was never marked. And of all marks of one interview. */
double case_phase_mark(const struct case_phase_sum *p);
double case_mean_mark(const struct case_result *r);
/* The kinds of facts that were forgotten, the most often forgotten first. Returns how many. */
size_t case_forgotten(const struct case_person *p, enum fact_kind out[N_FACT_KINDS]);

/* What a phase came to in one interview: of so many, so many done, and of these better, as above; all 0 where
 * it does not count or is not known. */
struct case_tally {
	size_t of, done, better;
};
struct case_tally case_tally_of(const struct case_result *r, enum case_phase phase);
/* The mark of the whole where one was given, else the mean of the phases'; NAN: none was marked. */
double case_whole_mark(const struct case_result *r);

/* A case that may be taken next: what there is of each. */
struct case_offer {
	const char *id, *title, *area;
	size_t must[N_FACT_KINDS], numbers, goals, twists;
};
/* What the offer of a case is. Its texts are the case's. */
struct case_offer case_offer_of(const struct design_case *c);

/* The case to take next and why, in a sentence: practice for what went worst, where it was not taken yet,
 * or once more where it went wrong. NULL where nothing is offered. */
const struct case_offer *case_next(const struct case_person *p, const struct case_offer offers[],
	size_t n, char *why, size_t size);

#endif
