/* What a strong candidate says in each phase of an interview. The lists are for the ear: each line
 * is something that is said, or is missed. */
#ifndef RIDGE_UI_INTERVIEWER_INTERVIEWER_LISTEN_H
#define RIDGE_UI_INTERVIEWER_INTERVIEWER_LISTEN_H

#include "drills/session.h"

#include <stddef.h>
#include <stdio.h>

/* What to listen for in a phase, 3 to MOST_LISTEN lines. When the candidate clarifies, some belong
 * to the numbers in the scene of `v` (may be NULL). Returns how many. */
enum { MOST_LISTEN = 5 };
size_t interviewer_listen_for(
	enum phase phase, const struct variant *v, const char *lines[MOST_LISTEN]);

/* The check lists of all phases as plain text, for paper and line mode. */
void interviewer_print_lists(const struct drill_session *s, FILE *out);

#endif
