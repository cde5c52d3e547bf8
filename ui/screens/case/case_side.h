/* What is known so far in a sitting, as rows: the clock with its phases, goals, numbers, facts, knobs. */
#ifndef RIDGE_UI_SCREENS_CASE_CASE_SIDE_H
#define RIDGE_UI_SCREENS_CASE_CASE_SIDE_H

#include "ui/practice/sheet.h"
#include "ui/screens/case/case_state.h"

/* "3 of 5 Design", "4:10 left", "12:40 of 45:00". Each returns buf. */
char *case_phase_text(const struct case_view *v, char *buf, size_t size);
char *case_left_text(
	const struct case_view *v, int64_t now_ms, enum style *style, char *buf, size_t size);
char *case_total_text(const struct case_view *v, int64_t now_ms, char *buf, size_t size);
/* "3 facts · 1 of 2 numbers · 2 of 3 goals"; with an interviewer "1 of 2 numbers noted". Returns buf. */
char *case_known_text(const struct case_view *v, char *buf, size_t size);

/* "Clarify 5:30  Estimate 6:52": what each phase took of a sitting that is over. Returns buf. */
char *case_spent_text(const struct case_view *v, int64_t now_ms, char *buf, size_t size);
/* brief: the phases in one row, with the minute at which each ends. */
void case_clock_write(const struct case_view *v, bool brief, int64_t now_ms, struct sheet *s);
/* The goals with the last verdicts on them; brief: in a row each, with the value alone. */
void case_goals_write(const struct case_view *v, bool brief, struct sheet *s);
/* The numbers with what was said to them; asks: the questions under them, where there is room, but
 * for the one that is next. */
void case_numbers_write(const struct case_view *v, bool asks, struct sheet *s);
/* "2 oldest: How old is the plan ...?", the first number without an answer that counts; where verdicts wait, without
 * any. Returns buf; "": all have one. */
char *case_next_number(const struct case_view *v, char *buf, size_t size);
/* What was told; rows: at most so many of each, 0: all. */
void case_facts_write(const struct case_view *v, int rows, struct sheet *s);
/* Of a sitting that is over, in so many columns: where the names of its knobs and numbers begin, the candidate's values,
 * and what is right. */
struct case_columns {
	int names, yours, other;
};
struct case_columns case_columns(const struct case_view *v, int cols);
/* Columns of the knobs, when each has a track. */
int case_knobs_cols(const struct case_view *v);
/* The knobs, with what the one in focus decides where the keys go to them; goals: how many are met, for
 * where these have no room. */
void case_knobs_write(const struct case_view *v, bool goals, struct sheet *s);

/* The verdicts that stand: of the knobs as they are turned, or of the last design that was run; NULL:
 * there are none. */
const struct case_run *case_verdicts(const struct case_view *v);

/* What was estimated, in a sentence. */
void case_numbers_write_brief(const struct case_view *v, struct sheet *s);

/* "GPU h100, GPUs you have 16; weights? KV cache?": the design as it stands; "" while nothing of it
 * is decided. */
char *case_design_text(const struct case_view *v, char *buf, size_t size);

#endif
