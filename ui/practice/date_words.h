/* Dates as people type and read them, in English. Days are counted since 1970-01-01, UTC. */
#ifndef RIDGE_UI_PRACTICE_DATE_WORDS_H
#define RIDGE_UI_PRACTICE_DATE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DATE_WORDS_SIZE = 40 };

/* "2026-12-14" and back; false where it is no date, which must be of 1970 or later. */
bool calendar_date_read(const char *text, int64_t *day);
char *calendar_date(int64_t day, char *buf, size_t size); /* returns buf */

/* "2026-12-14"; "14 December", "Dec 14th", "14.12.", each with a year or without, which is the first such day
 * after today; "friday", the first after today; "tomorrow"; "in 3 weeks", "two months". False: it is no such
 * date. 12/14 is none, because it is another day on either side of the Atlantic. */
bool date_words_read(const char *text, int64_t today, int64_t *day);

/* "Monday 14 December", with its year where that is not the year of today. Returns buf. */
char *date_words(int64_t day, int64_t today, char *buf, size_t size);

/* Moments, in seconds since 1970-01-01, UTC: "20261124-185130", which names of files begin with and so sort by
 * time; "2026-11-24 18:51". "" where no calendar has it. Both return buf. */
char *moment_stamp(int64_t at_s, char *buf, size_t size);
char *moment_text(int64_t at_s, char *buf, size_t size);

#endif
