/* An interview at a design case (drills/case.h): the interviewer's own sitting of it, into which goes what
 * was heard, so that facts have their ticks, numbers their verdicts, and designs are run. It follows no clock:
 * twists are told when the interviewer tells them. */
#ifndef RIDGE_UI_INTERVIEWER_INTERVIEWER_CASE_H
#define RIDGE_UI_INTERVIEWER_INTERVIEWER_CASE_H

#include "drills/case_talk.h"
#include "ui/interviewer/interviewer.h"
#include "ui/practice/case_sheet.h"

#include <stdio.h>

/* A line that was heard, with what was said to it: n paragraphs of the talk, of which the first is the line. */
struct interviewer_line {
	size_t from, n;
	int64_t at_ms;     /* on the interview's clock */
	enum phase in, of; /* where the desk was; whose page it belongs to */
	bool typed;        /* by the candidate */
	bool told_twist;
	bool is_early;      /* it ran a design among the twists, of which none was told */
	bool kept_out;      /* of the report: nothing came of it, or it was taken back */
	const char *design; /* the whole design that it made; NULL: it made none */
	size_t ticked;      /* the fact that its number alone ticked, from 1; 0: none */
	size_t estimated;   /* the number that it answers, from 1; 0: none */
	bool counts;        /* and its answer is the one that counts, until a later one does */
	size_t took_back;   /* the line whose tick it took back, from 1; 0: none */
};

/* What a line changes of a sitting and its talk, as it was before; in the talk's arena. */
struct interviewer_before {
	struct case_sitting sitting;
	struct case_match offer;
	const char *asked, *question;
	bool answering;
	struct interviewer_before *before;
};

/* The candidate's own side as far as it decides how a design is judged, by the lines that they typed. What is heard does
 * not reach it. */
struct candidates_side {
	enum case_phase phase;
	size_t stage; /* twists that were typed */
	struct case_design design;
	size_t number_knob; /* as the talk has it */
	bool is_released;
};

struct interviewer_case {
	struct design_case c;
	struct case_sitting sitting;
	struct case_talk talk;
	struct interviewer_line *lines; /* in the talk's arena */
	size_t n_lines, lines_room;
	size_t n_typed; /* lines of the candidate's own record that were taken over */
	struct candidates_side
		theirs; /* by these lines; the sitting's phase and stage are the desk's */
	struct case_sitting sitting_before; /* as it was before the line that is being heard */
	/* As all was before the last line, and the one before that, as far as they can be taken back; NULL: none can. */
	struct interviewer_before *before;
};

/* Deals the case that the completed request names. 0; or -1 and one line in err. */
int interviewer_case_begin(
	struct interviewer *v, const struct tables *t, char *err, size_t err_size);
void interviewer_case_release(struct interviewer_case *k);

/* How the desk reads what an interviewer types. */
enum desk_line {
	DESK_HEARD, /* of what the candidate said */
	DESK_HELP,  /* asks what may be typed */
	DESK_NUMBER /* a number alone among facts, of which only #3 ticks one */
};
/* line: the line as it is to be heard, such as "the second" for "2" where the interviewer asked back which of two
 * facts is meant; of CASE_LINE_SIZE bytes. */
enum desk_line interviewer_case_reads(
	const struct interviewer_case *k, enum phase phase, const char *text, char *line);
/* What may be typed in a phase, in one line. Returns buf. */
char *interviewer_case_help(
	const struct interviewer_case *k, enum phase phase, char *buf, size_t size);

/* Takes a line that was heard, or that the candidate typed: "2 26 GB" is a number where numbers are estimated, "tp=8"
 * a design, "#3 #7" the third fact and the seventh, and "3" the third, as records of before have it. False: such a
 * line is not the interviewer's, as "end" is not. */
bool interviewer_case_hear(struct interviewer_case *k, enum phase phase, const char *text,
	bool typed, int64_t clock_ms);

/* "#7", "#7, #9 and #2": the facts of a line that names nothing else, each once and counted from 1, where facts are
 * told. Returns how many. */
size_t interviewer_case_facts(const struct interviewer_case *k, enum phase phase, const char *text,
	size_t facts[MOST_FACTS]);
/* Takes it back. False: there is no such fact, or it was not told. */
bool interviewer_case_untell(
	struct interviewer_case *k, enum phase phase, size_t number, int64_t clock_ms);

/* Takes the line back that was heard last, with all that came of it; once more, the one before it. False: nothing is
 * left that was heard, or the candidate typed the last. */
bool interviewer_case_unhear(struct interviewer_case *k);

/* Whether a twist is left to be told; and whether the last line ran a design where twists are due, before one was
 * told: by the goals of before, then. */
bool interviewer_case_has_twist(const struct interviewer_case *k);
bool interviewer_case_is_early(const struct interviewer_case *k);

/* Whether anything was heard or typed. */
bool interviewer_case_has_heard(const struct interviewer_case *k);

/* The interviewer went to a phase, on or back. */
void interviewer_case_reach(struct interviewer_case *k, enum phase phase, int64_t clock_ms);
/* The plan from there on, and what is left of the present phase. */
void interviewer_case_times(
	const struct interviewer_case *k, int64_t clock_ms, struct interviewer_times *t);

/* Whether what was heard last takes more than a line, and belongs to the page of a phase. */
bool interviewer_case_shows_last(const struct interviewer_case *k, enum phase phase);

/* The answer to what was heard last, to be read out where it was heard: its i-th paragraph. All facts that were told
 * are among them, of anything else one. NULL: there is no such paragraph, or it was heard in another phase. */
const struct case_paragraph *interviewer_case_answer(
	const struct interviewer_case *k, enum phase phase, size_t i);
/* Whether the candidate typed that line. */
bool interviewer_case_last_typed(const struct interviewer_case *k);

/* Where both sides answered a number: the last line whose answer counts, and the last of the other side. False: one side
 * did, or none. */
bool interviewer_case_both(const struct interviewer_case *k, size_t anchor,
	const struct interviewer_line **counts, const struct interviewer_line **other);

/* What a phase has come to so far: "2 of the 7 that decide told, 5 to go", "1 of 3 numbers counts",
 * "2 of 3 goals met"; "" where there is nothing to count. Returns buf. */
char *interviewer_case_count(
	const struct interviewer_case *k, enum phase phase, char *buf, size_t size);

/* The simulation with the design as it stands, and what that does not say at its default: "capacity tp=4 ...". False:
 * it has no room. */
bool interviewer_case_target(const struct interviewer_case *k, char *buf, size_t size);
/* Whether the design says all knobs. */
bool interviewer_case_has_design(const struct interviewer_case *k);

/* Markdown: what to know in a phase; what was heard last, on the page of a phase that it is of; all that was heard, by phases and with its minutes, without
 * what nothing came of; what it came to. */
void interviewer_case_guide(
	struct interviewer_case *k, enum phase phase, struct case_room room, FILE *out);
/* What is listened for and marked in it, alone. */
void interviewer_case_rubric(
	struct interviewer_case *k, enum phase phase, struct case_room room, FILE *out);
void interviewer_case_last(const struct interviewer_case *k, enum phase phase, FILE *out);
void interviewer_case_heard(const struct interviewer_case *k, FILE *out);
void interviewer_case_outcome(const struct interviewer_case *k, FILE *out); /* in a sentence */
void interviewer_case_result(const struct interviewer_case *k, FILE *out);

#endif
