/* What the interviews of a person came to, as a figure: tables, bars and the marks over time, for text and
 * for screens. */
#ifndef RIDGE_CASE_STATS_FIGURE_H
#define RIDGE_CASE_STATS_FIGURE_H

#include "drills/case_stats.h"

enum { CASE_SENTENCE = 400 };

/* "You", "Ada", "A candidate without a name". */
const char *case_person_name(const struct case_person *p);
/* "5 interviews, 4 to their end: ..." in a sentence. Returns buf. */
char *case_person_headline(const struct case_person *p, char *buf, size_t size);
/* "Next: halve-the-bill. ..." Returns buf; "" where nothing is offered. */
char *case_person_next(const struct case_person *p, const struct case_offer offers[], size_t n,
	char *buf, size_t size);

/* What a phase is measured by: "facts asked for", "numbers within 1.3"; "" of the wrap-up. */
const char *case_phase_measure(enum case_phase phase);
/* "14 of 20", with how many of them were better. Returns buf. */
char *case_phase_done(
	const struct case_phase_sum *p, enum case_phase phase, char *buf, size_t size);
/* The marks of a phase, the oldest first: "2 3 3 4", the last `most` of them. Returns buf. */
char *case_phase_marks(
	const struct case_person *p, enum case_phase phase, size_t most, char *buf, size_t size);

/* "today", "yesterday", "12 days ago"; days are days of UTC. Returns buf. */
char *case_ago(int64_t at_s, int64_t now_s, char *buf, size_t size);

/* The mean mark of each interview, the oldest first, as a plot; nothing where fewer than three were marked. */
void case_stats_marks(const struct case_person *p, struct figure *fig);

void case_stats_figure(const struct case_person *p, const struct case_offer offers[], size_t n,
	int64_t now_s, struct figure *fig);

#endif
