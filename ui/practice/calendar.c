#include "ui/practice/calendar.h"

#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "ui/practice/date_words.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const task_names[N_TASKS] = { "read", "drill", "present", "case", "interview" };

size_t calendar_days(const struct calendar *c)
{
	assert(c->date > c->today);
	return (size_t)(c->date - c->today);
}

/* Days on which there is something new. */
static size_t working_days(const struct calendar *c)
{
	const size_t days = calendar_days(c);
	return days >= 3 ? days - 1 : days;
}

/* How long a day may be so that all of them, each with what it has already, take the minutes. */
static double level_of(const double had[], size_t days, double minutes)
{
	double low = 0, high = minutes;
	for (size_t d = 0; d < days; d++)
		high += had[d];
	for (int halved = 0; halved < 50; halved++) {
		const double level = (low + high) / 2;
		double room = 0;
		for (size_t d = 0; d < days; d++)
			room += fmax(level - had[d], 0);
		*(room < minutes ? &low : &high) = level;
	}
	return high;
}

/* In their order, so that with what is on them already the days are as long as each other. */
static void spread_by_minutes(
	struct calendar_task *tasks, size_t n, const double had[], size_t days)
{
	double all = 0, before = 0, filled = 0;
	size_t day = 0;
	for (size_t i = 0; i < n; i++)
		all += tasks[i].minutes;
	const double level = level_of(had, days, all);
	for (size_t i = 0; i < n; i++) {
		/* By its middle, so that a long task is on the day that has most of it. */
		const double middle = before + tasks[i].minutes / 2.0;
		while (day + 1 < days && filled + fmax(level - had[day], 0) <= middle)
			filled += fmax(level - had[day++], 0);
		tasks[i].day = day;
		before += tasks[i].minutes;
	}
}

static void spread_evenly(struct calendar_task *tasks, size_t n, size_t first, size_t days)
{
	for (size_t i = 0; i < n; i++)
		tasks[i].day = first + (2 * i + 1) * (days - first) / (2 * n);
}

/* What was done is of today, wherever the plan would have it. */
static void keep_done(struct calendar_task *tasks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tasks[i].day = tasks[i].done ? 0 : tasks[i].day;
}

void calendar_plan(struct calendar *c)
{
	const size_t days = working_days(c);
	double had[CALENDAR_MOST_DAYS + 1] = { 0 };
	size_t learning = c->n_practise ? 4 * days / 5 : days;
	assert(days <= LENGTH(had));
	if (learning == 0)
		learning = 1;
	spread_evenly(c->practise, c->n_practise, c->n_learn ? 2 * days / 5 : 0, days);
	keep_done(c->practise, c->n_practise);
	for (size_t i = 0; i < c->n_practise; i++)
		had[c->practise[i].day] +=
			c->practise[i].minutes; /* also what was done took its time */
	spread_by_minutes(c->learn, c->n_learn, had, learning);
	keep_done(c->learn, c->n_learn);
}

/* Of the tasks from one day to another, both with it, that are not done. */
static int minutes_of(const struct calendar_task *tasks, size_t n, size_t first, size_t last)
{
	int sum = 0;
	for (size_t i = 0; i < n; i++)
		if (tasks[i].day >= first && tasks[i].day <= last && !tasks[i].done)
			sum += tasks[i].minutes;
	return sum;
}

static int minutes_between(const struct calendar *c, size_t first, size_t last)
{
	return minutes_of(c->learn, c->n_learn, first, last) +
	       minutes_of(c->practise, c->n_practise, first, last);
}

int calendar_minutes(const struct calendar *c, size_t day)
{
	return minutes_between(c, day, day);
}

int calendar_minutes_all(const struct calendar *c)
{
	return minutes_between(c, 0, calendar_days(c) - 1);
}

size_t calendar_practice(int64_t days)
{
	const int64_t n = (2 * days + 2) / 3;
	return n > 0 ? (size_t)n : 0;
}

int calendar_words(
	const char *const words[], size_t n, int64_t today, char *iso, char *err, size_t err_size)
{
	enum { LONGEST = 64 };
	char text[LONGEST] = "", shown[DATE_WORDS_SIZE];
	int64_t date = 0;
	iso[0] = '\0';
	for (size_t i = 0, used = 0; i < n && used < sizeof text; i++)
		used += (size_t)snprintf(
			text + used, sizeof text - used, "%s%s", i ? " " : "", words[i]);
	if (strcmp(text, "off") == 0)
		return 0;
	if (!date_words_read(text, today, &date))
		snprintf(err, err_size, "\"%.40s\" is no date: try 14 December, in 3 weeks, or off",
			text);
	else if (date <= today)
		snprintf(err, err_size, "%s is not after today, %s", text,
			date_words(today, today, shown, sizeof shown));
	else if (date - today > CALENDAR_MOST_DAYS)
		snprintf(err, err_size, "%s is more than two years away", text);
	else
		calendar_date(date, iso, CALENDAR_ISO_SIZE);
	return *iso ? 0 : -1;
}

char *calendar_length(int minutes, char *buf, size_t size)
{
	if (minutes < 60)
		snprintf(buf, size, "%d min", minutes);
	else if (minutes % 60)
		snprintf(buf, size, "%d h %d min", minutes / 60, minutes % 60);
	else
		snprintf(buf, size, "%d h", minutes / 60);
	return buf;
}

int calendar_minutes_with(const struct calendar *c, size_t day, double due_s)
{
	return calendar_minutes(c, day) + (day == 0 ? (int)ceil(due_s / 60) : 0);
}

/* "21 h of work, 1 h 30 min a day, 2 h at most, and reviews" */
static void write_load(const struct calendar *c, char *buf, size_t size)
{
	char all[32], mean[32], most[32];
	const int minutes = calendar_minutes_all(c), days = max_int((int)calendar_days(c), 1);
	int longest = 0;
	for (size_t day = 0; day < calendar_days(c); day++)
		longest = max_int(longest, calendar_minutes(c, day));
	if (longest == 0)
		snprintf(buf, size, "reviews alone");
	else
		snprintf(buf, size, "%s of work, %s a day, %s at most, and reviews",
			calendar_length(minutes, all, sizeof all),
			calendar_length(
				max_int((2 * minutes + days) / (2 * days), 1), mean, sizeof mean),
			calendar_length(longest, most, sizeof most));
}

char *calendar_lead(const struct calendar *c, char *buf, size_t size)
{
	const int days = (int)calendar_days(c);
	char date[DATE_WORDS_SIZE], load[100];
	write_load(c, load, sizeof load);
	snprintf(buf, size, "Interview on %s, in %d day%s: %s.",
		date_words(c->date, c->today, date, sizeof date), days, days == 1 ? "" : "s", load);
	return buf;
}

char *calendar_brief(const struct calendar *c, char *buf, size_t size)
{
	const int days = (int)calendar_days(c);
	char load[100];
	write_load(c, load, sizeof load);
	snprintf(buf, size, "Interview in %d day%s: %s.", days, days == 1 ? "" : "s", load);
	return buf;
}
