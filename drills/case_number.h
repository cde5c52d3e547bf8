/* Numbers among the estimates of a case, as people say them: "a bit over 6 meters", "0.7 GB, that is 850 tokens",
 * "half a second", "14 gigabytes a second". No number is graded without a unit that was said with it. Pure. */
#ifndef RIDGE_CASE_NUMBER_H
#define RIDGE_CASE_NUMBER_H

#include "drills/grade.h"

/* Whether what is said is a number by its beginning: in digits, or in words with a unit behind them. */
bool case_number_begins(const char *text);

/* Behind what leads to the result of a working, "so 1.3 GB" of "320 KB for 4,000 tokens, so 1.3 GB", also where it is no
 * number; NULL: nothing in the text does. */
const char *case_number_result(const char *text);

/* Grades what is said: all of it, or behind a sum its result, or what it begins with. False: that is no answer, and
 * the grade says why; of two numbers, "7 to 12 s", that one is wanted. */
bool case_number_read(
	const struct question *q, const char *text, bool unit_asked, struct grade *grade);

#endif
