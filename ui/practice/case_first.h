/* What a case says before its clock starts, on its first page: its kind, its phases with their minutes, and
 * earlier sittings of it. Nothing that the interviewer says is among it: who could read that before would
 * have all the time that there is for the first question. */
#ifndef RIDGE_UI_PRACTICE_CASE_FIRST_H
#define RIDGE_UI_PRACTICE_CASE_FIRST_H

#include "ui/practice/case_record.h"

#include <stdio.h>

/* "It is a case of serving. A simulation runs your design: ..." Returns buf, as all of these do. */
char *case_first_kind(const struct case_sitting *s, char *buf, size_t size);
/* What a phase asks for, in a few words; and its minutes (case_plan_minutes), 0 where there is none. */
char *case_first_phase(const struct case_sitting *s, enum case_phase phase, char *buf, size_t size);
long case_first_minutes(const struct case_sitting *s, enum case_phase phase);

/* The sittings of a case that are kept. */
struct case_earlier {
	size_t n; /* of the last ones, in which something was typed */
	struct case_head last;
};
/* `read` is case_file_read. */
struct case_earlier case_earlier_of(
	char *(*read)(const char *id, size_t newer, char *name), const char *id);
/* "You sat it twice, last a day ago, to its end"; "" where n is 0. */
char *case_first_earlier(const struct case_earlier *e, int64_t now_s, char *buf, size_t size);

/* "45 minutes, by phases. Have paper at hand." */
char *case_first_length(unsigned minutes, char *buf, size_t size);

/* All of it line by line, and what starts the clock. */
void case_first_print(
	const struct case_sitting *s, const struct case_earlier *e, int64_t now_s, FILE *out);

#endif
