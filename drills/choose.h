/* Grades an answer to a step of any kind: a number goes to drills/grade.h, and one option of
 * several or items in order are graded here. */
#ifndef RIDGE_CHOOSE_H
#define RIDGE_CHOOSE_H

#include "drills/deal.h"
#include "drills/grade.h"

/* Any step: numbers by grade_answer, but that a bare number which is right in the base unit ("4.2e9" where GB
 * are asked for) is NEED_UNIT as long as no unit was asked back, and that the question's own words may stand
 * behind a plain number ("12 workers"); a choice by the number ("2") or letter ("b") of an option,
 * CORRECT or WRONG with that option's reason; an order by all numbers or letters, first to last
 * ("3 1 2 4", "3,1,2,4", "3124"): CORRECT, or WRONG with the share of pairs in place that is above
 * chance as its credit (Kendall's tau, 0 where it is negative). A program is graded by
 * drills/program_grade.h. What cannot be read is INVALID and costs nothing, as does any text for a
 * program. */
void grade_step(
	const struct variant_step *s, const char *text, bool unit_was_asked, struct grade *out);

#endif
