/* What to do on each day until an interview: a pure plan of what is left, so that it keeps itself. */
#ifndef RIDGE_UI_PRACTICE_CALENDAR_H
#define RIDGE_UI_PRACTICE_CALENDAR_H

#include "ui/data/calendar_file.h" /* CALENDAR_ISO_SIZE */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum task_kind { TASK_READ, TASK_DRILL, TASK_PRESENT, TASK_CASE, TASK_INTERVIEW, N_TASKS };
extern const char *const task_names[N_TASKS]; /* "read", "drill", ... */

struct calendar_task {
	enum task_kind kind;
	int chapter;     /* that it is about, where it is learnt */
	char what[160];  /* "chapter 2, PyTorch as it runs" */
	char opens[96];  /* the command line that begins it: "ridge open 2" */
	char target[96]; /* the same place in the explorer: "page:pytorch" */
	int minutes;     /* what is left of it */
	bool done;       /* today; what was done before is no task any more */
	size_t day;      /* filled by calendar_plan: 0 is today */
};

/* No plan is longer: whoever types 2062 for 2026 is told so. */
enum { CALENDAR_MOST_DAYS = 731 };

/* How far off the date of an example is. */
enum { CALENDAR_EXAMPLE_DAYS = 21 };

/* Days are counted since 1970-01-01, UTC. */
struct calendar {
	int64_t today, date;         /* that of the interview, after today */
	struct calendar_task *learn; /* to be done in this order: chapters and problems on them */
	size_t n_learn;
	struct calendar_task *practise; /* the same: talks, cases, whole interviews */
	size_t n_practise;
};

/* Gives each task its day, that which is done today's. What is practised is spread evenly over the last three
 * fifths of the days, and what is learnt over the first four fifths so that these are as long as each other; where
 * there are three days or more the last one before the interview is left for reviews. */
void calendar_plan(struct calendar *c);

/* Minutes of a day's tasks that are not done, and of all days. */
int calendar_minutes(const struct calendar *c, size_t day);
int calendar_minutes_all(const struct calendar *c);

/* The same with the reviews that are due, which are all today's. */
int calendar_minutes_with(const struct calendar *c, size_t day, double due_s);

/* How many days the plan has, today among them. */
size_t calendar_days(const struct calendar *c);

/* How many tasks of each kind of practice so many days have room for: two in three days, every fourth
 * of them a whole interview. */
size_t calendar_practice(int64_t days);

/* The date that words say (ui/practice/date_words.h), of an interview after today and in two years at most, in
 * iso, of CALENDAR_ISO_SIZE bytes; "" for `off`, which forgets it. 0; or -1 and one line in err. */
int calendar_words(
	const char *const words[], size_t n, int64_t today, char *iso, char *err, size_t err_size);

/* "1 h 20 min". Returns buf. */
char *calendar_length(int minutes, char *buf, size_t size);

/* "Interview on Monday 14 December, in 14 days: 21 h of work, 1 h 30 min a day, 2 h at most, and reviews." The mean
 * is rounded to whole minutes, of which there is one at least. Returns buf. */
char *calendar_lead(const struct calendar *c, char *buf, size_t size);
/* The same without the date, which the screen has in its title. Returns buf. */
char *calendar_brief(const struct calendar *c, char *buf, size_t size);

#endif
