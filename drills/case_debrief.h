/* The end of a sitting: what the case is about, the rubric beside what was done, what was never
 * asked. */
#ifndef RIDGE_CASE_DEBRIEF_H
#define RIDGE_CASE_DEBRIEF_H

#include "drills/case_said.h"
#include "drills/case_sitting.h"

void case_debrief(struct case_sitting *s, struct case_said *out);

#endif
