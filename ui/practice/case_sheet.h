/* A case on paper: the interviewer's side and the candidate's as Markdown, and the same for programs. */
#ifndef RIDGE_UI_PRACTICE_CASE_SHEET_H
#define RIDGE_UI_PRACTICE_CASE_SHEET_H

#include "drills/case_run.h"
#include "drills/case_sitting.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* Everything: facts, numbers with their working, goals, designs that the simulation ran, twists,
 * answers, rubric. 0, or -1 when the output fails or memory is out. */
int case_sheet_interviewer(struct case_sitting *s, FILE *out);
/* What a candidate may see before the first question. */
int case_sheet_candidate(struct case_sitting *s, FILE *out);

/* A desk: its window, and what it knows beside the sitting. */
struct case_room {
	int cols; /* facts that were told have a row of so many each; 0: they stand whole */
	int rows; /* of the window; few of them have names and beginnings first; 0: that is not known */
	bool tall; /* what strong and weak sound like has room under the rubric, wherever that is; else it stands last */
	bool aside;    /* the rubric stands beside the page (case_sheet_rubric) */
	unsigned mark; /* of the phase; 0: none */
	const char *ask,
		*good; /* the question that the last design leads to, and its answer; or NULL */
};
/* What the interviewer needs in one phase, as Markdown: what to say, what to listen for and mark, what to do; facts
 * that were told have a tick. 0, or -1 as above. */
int case_sheet_phase(
	struct case_sitting *s, enum case_phase phase, struct case_room room, FILE *out);
/* What is listened for in it, alone. */
void case_sheet_rubric(
	struct case_sitting *s, enum case_phase phase, struct case_room room, FILE *out);

/* The same as one object (schema 1); NULL when out of memory. The caller deletes it. */
cJSON *case_sheet_json(struct case_sitting *s, bool interviewer);

#endif
