/* What a sitting came to, in front of its debrief: one sentence, what stands behind it, what was best, and what to do
 * first the next time. */
#ifndef RIDGE_CASE_OUTCOME_H
#define RIDGE_CASE_OUTCOME_H

#include "drills/case_said.h"
#include "drills/case_sitting.h"

void case_outcome_say(struct case_sitting *s, struct case_said *out);
/* The sentence alone, in an arena, for an interviewer who ticked what was asked aloud. */
const char *case_outcome_heard(const struct case_sitting *s, struct arena *a);

#endif
