/* Durations as people say them, in more than one part: "3 min 20 s", "1h30", "2 d 4 h". */
#ifndef RIDGE_DURATION_H
#define RIDGE_DURATION_H

#include <stddef.h>

struct duration {
	double count;
	const char *unit; /* that of the last part, which count is in: "s" of "3 min 20 s" */
	double unit_s;
	int last_digit; /* decimal exponent of the last typed digit of the count */
};

/* Reads the duration that stands at text, from days down to seconds, each smaller than the next larger unit.
 * After hours and minutes the last unit may be left out: "1h30". "m" is minutes where hours come before it or
 * seconds after it. Returns its bytes; 0 where there is none: one part alone is a quantity like any. */
size_t duration_read(const char *text, struct duration *out);

#endif
