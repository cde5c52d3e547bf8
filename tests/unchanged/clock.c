/* Loaded before the C library (LD_PRELOAD): it is always noon of 4 January 2026, the day after the
 * last answer in tests/data/history.jsonl, and no time passes. So what is due, the seeds that come
 * from the clock and the times that answers took are the same in two runs. */
#include <time.h>

enum { NOON_S = 1767528000 };

time_t time(time_t *t)
{
	if (t)
		*t = NOON_S;
	return NOON_S;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	*t = (struct timespec){ .tv_sec = NOON_S };
	return 0;
}
