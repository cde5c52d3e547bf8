/* An interview at a design case (drills/case.h): the interviewer's own sitting of it, into which goes what
 * was heard, so that facts have their ticks, numbers their verdicts, and designs are run. It follows no clock:
 * twists are told when the interviewer tells them. */
#ifndef RIDGE_UI_INTERVIEWER_INTERVIEWER_CASE_H
#define RIDGE_UI_INTERVIEWER_INTERVIEWER_CASE_H

#include "drills/case_talk.h"
#include "ui/interviewer/interviewer.h"

#include <stdio.h>

struct interviewer_case {
	struct design_case c;
	struct case_sitting sitting;
	struct case_talk talk;
	size_t first;    /* the paragraph of the talk after its opening */
	size_t last;     /* that of what was heard last; first: nothing was */
	size_t n_typed;  /* lines of the candidate's own record that were taken over */
	bool last_typed; /* what was heard last is one of them */
	enum case_phase
		theirs; /* where they are, by these lines; the sitting's phase is the desk's */
};

/* Deals the case that the completed request names. 0; or -1 and one line in err. */
int interviewer_case_begin(
	struct interviewer *v, const struct tables *t, char *err, size_t err_size);
void interviewer_case_release(struct interviewer_case *k);

/* What an interviewer types of what was heard, as the case takes it in a phase: "2 26 GB" is a number where
 * numbers are estimated, "tp=8" a design, "3" the third fact. False: such a line is not the interviewer's, as
 * "end" is not. */
bool interviewer_case_hear(struct interviewer_case *k, enum phase phase, const char *text,
	bool typed, int64_t clock_ms);

/* The fact, counted from 1, whose tick such a line would take back: its number once more where facts are told.
 * 0: it would not. */
size_t interviewer_case_unticks(
	const struct interviewer_case *k, enum phase phase, const char *text);
/* Takes it back. False: there is no such fact, or it was not told. */
bool interviewer_case_untell(struct interviewer_case *k, size_t number);

/* The interviewer went to a phase, on or back. */
void interviewer_case_reach(struct interviewer_case *k, enum phase phase, int64_t clock_ms);
/* The plan from there on, and what is left of the present phase. */
void interviewer_case_times(
	const struct interviewer_case *k, int64_t clock_ms, struct interviewer_times *t);

/* Whether what was heard last takes more than a line, and belongs to the page of a phase. */
bool interviewer_case_shows_last(const struct interviewer_case *k, enum phase phase);

/* The first line of the answer to what was heard last; NULL: nothing was. */
const struct case_paragraph *interviewer_case_answer(const struct interviewer_case *k);

/* What a phase has come to so far: "2 of 10 facts told, 3 still to be asked", "1 of 3 numbers counts",
 * "2 of 3 goals met"; "" where there is nothing to count. Returns buf. */
char *interviewer_case_count(
	const struct interviewer_case *k, enum phase phase, char *buf, size_t size);

/* The simulation with the design as it stands: "capacity tp=4 ...". False: no design says all knobs. */
bool interviewer_case_target(const struct interviewer_case *k, char *buf, size_t size);

/* Markdown: what to know in a phase, in so few columns (0: there are enough); what was heard last; all that was heard; what it came to. */
void interviewer_case_guide(struct interviewer_case *k, enum phase phase, int cols, FILE *out);
void interviewer_case_last(const struct interviewer_case *k, FILE *out);
void interviewer_case_heard(const struct interviewer_case *k, FILE *out);
void interviewer_case_result(const struct interviewer_case *k, FILE *out);

#endif
