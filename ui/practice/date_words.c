/* A text is taken apart into numbers and words; each form that is known then asks for some of them
 * in its order, and for nothing behind them. */
#include "ui/practice/date_words.h"

#include "drills/fsrs.h"
#include "drills/stats.h"
#include "sims/base/array.h"
#include "ui/data/calendar_file.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { WEEK = 7, MONTHS = 12, LEAP_YEARS_APART = 8, MOST_PARTS = 4, WORD = 12 };

static const char *const months[MONTHS] = { "January", "February", "March", "April", "May", "June",
	"July", "August", "September", "October", "November", "December" };

/* --- A text in its parts --- */

/* A number, or a word in small letters. */
struct part {
	int number; /* -1: a word */
	char word[WORD];
};

struct parts {
	struct part at[MOST_PARTS];
	size_t n;
};

/* Reads digits, with the "th" of "14th"; NULL: too many. */
static const char *take_number(const char *p, struct part *part)
{
	static const char *const ends[] = { "st", "nd", "rd", "th" };
	int digits = 0;
	for (part->number = 0; isdigit((unsigned char)*p); p++) {
		part->number = 10 * part->number + (*p - '0');
		if (++digits > 4)
			return NULL;
	}
	for (size_t i = 0; i < LENGTH(ends); i++)
		if (strncasecmp(p, ends[i], 2) == 0 && !isalpha((unsigned char)p[2]))
			return p + 2;
	return p;
}

static const char *take_word(const char *p, struct part *part)
{
	size_t n = 0;
	part->number = -1;
	for (; isalpha((unsigned char)*p); p++) {
		if (n + 1 == WORD)
			return NULL;
		part->word[n++] = (char)tolower((unsigned char)*p);
	}
	part->word[n] = '\0';
	return n ? p : NULL;
}

static bool says_nothing(const struct part *p)
{
	return p->number < 0 && (strcmp(p->word, "on") == 0 || strcmp(p->word, "the") == 0 ||
					strcmp(p->word, "of") == 0);
}

/* False: there is something in it that no date has. */
static bool take_parts(const char *text, struct parts *all)
{
	all->n = 0;
	while (*(text += strspn(text, " ,."))) {
		struct part part = { .number = -1 };
		text = isdigit((unsigned char)*text) ? take_number(text, &part)
						     : take_word(text, &part);
		if (!text || (all->n == MOST_PARTS && !says_nothing(&part)))
			return false;
		if (!says_nothing(&part))
			all->at[all->n++] = part;
	}
	return all->n > 0;
}

/* --- Names --- */

/* Which of the names it is, or begins with three letters at least; -1: none. */
static int name_of(const struct part *p, const char *const names[], size_t n)
{
	enum { LEAST = 3 };
	const size_t letters = strlen(p->word);
	for (size_t i = 0; p->number < 0 && letters >= LEAST && i < n; i++)
		if (strncasecmp(p->word, names[i], letters) == 0)
			return (int)i;
	return -1;
}

/* 1 to 12, or 0. */
static int month_of(const struct part *p)
{
	return name_of(p, months, MONTHS) + 1;
}

/* How many, also as a word; -1: it is no number. */
static int count_of(const struct part *p)
{
	static const char *const words[] = { "no", "one", "two", "three", "four", "five", "six",
		"seven", "eight", "nine", "ten", "eleven", "twelve" };
	if (p->number >= 0)
		return p->number;
	if (strcmp(p->word, "a") == 0)
		return 1;
	for (size_t i = 1; i < LENGTH(words); i++)
		if (strcmp(p->word, words[i]) == 0)
			return (int)i;
	return -1;
}

static bool is_unit(const struct part *p, const char *unit)
{
	const size_t n = strlen(unit);
	return p->number < 0 && strncmp(p->word, unit, n) == 0 &&
	       (!p->word[n] || strcmp(p->word + n, "s") == 0);
}

/* --- Days --- */

static char *moment(int64_t at_s, const char *format, char *buf, size_t size)
{
	const time_t at = (time_t)at_s;
	struct tm tm;
	buf[0] = '\0';
	if (gmtime_r(&at, &tm))
		strftime(buf, size, format, &tm);
	return buf;
}

char *calendar_date(int64_t day, char *buf, size_t size)
{
	return moment(day * CALENDAR_DAY_S, "%Y-%m-%d", buf, size);
}

bool calendar_date_read(const char *text, int64_t *day)
{
	int year, month, mday, used = 0;
	char again[CALENDAR_ISO_SIZE];
	if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &mday, &used) != 3 || text[used])
		return false;
	if (year < 1970 || month < 1 || month > 12 || mday < 1 || mday > 31)
		return false;
	/* The count of days of the civil calendar: months from March on have a simple rule. */
	const int64_t y = month <= 2 ? year - 1 : year, era = y / 400, of_era = y - era * 400;
	const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + mday - 1;
	*day = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
	/* February 30 and the like come back as another date. */
	return strcmp(calendar_date(*day, again, sizeof again), text) == 0;
}

static bool day_of(int year, int month, int mday, int64_t *day)
{
	char iso[32];
	snprintf(iso, sizeof iso, "%04d-%02d-%02d", year, month, mday);
	return calendar_date_read(iso, day);
}

static struct tm civil_of(int64_t day)
{
	const time_t at = (time_t)(day * CALENDAR_DAY_S);
	struct tm tm = { .tm_mday = 1 };
	gmtime_r(&at, &tm);
	return tm;
}

static int year_of(int64_t day)
{
	return civil_of(day).tm_year + 1900;
}

/* In the year that is said, or the first after today. A 29 February has to be waited for. */
static bool read_month_day(
	int month, int mday, const struct part *year, int64_t today, int64_t *day)
{
	if (year)
		return year->number >= 1000 && day_of(year->number, month, mday, day);
	const int now = year_of(today);
	for (int y = now; y <= now + LEAP_YEARS_APART; y++)
		if (day_of(y, month, mday, day) && *day > today)
			return true;
	return false;
}

/* So many months on, on the same day of the month, or the last that there is. */
static bool add_months(int n, int64_t today, int64_t *day)
{
	const struct tm tm = civil_of(today);
	const int at = tm.tm_mon + n;
	for (int mday = tm.tm_mday; mday > 0; mday--)
		if (day_of(tm.tm_year + 1900 + at / MONTHS, at % MONTHS + 1, mday, day))
			return true;
	return false;
}

static bool is_word(const struct part *p, const char *word)
{
	return p->number < 0 && strcmp(p->word, word) == 0;
}

/* "in 3 weeks", "3 weeks", "3 weeks from now", "in a fortnight". */
static bool read_wait(const struct parts *all, int64_t today, int64_t *day)
{
	const size_t in = is_word(&all->at[0], "in");
	const bool from_now = all->n == in + 4 && is_word(&all->at[in + 2], "from") &&
			      is_word(&all->at[in + 3], "now");
	if (all->n != in + 2 && !from_now)
		return false;
	const int n = count_of(&all->at[in]);
	const struct part *unit = &all->at[in + 1];
	if (n > 0 && is_unit(unit, "fortnight")) {
		*day = today + 2 * WEEK * n;
		return true;
	}
	if (n < 0)
		return false;
	if (is_unit(unit, "month"))
		return add_months(n, today, day);
	*day = today + (is_unit(unit, "week") ? WEEK * n : n);
	return is_unit(unit, "week") || is_unit(unit, "day");
}

/* "tomorrow", "friday". */
static bool read_name(const struct part *p, int64_t today, int64_t *day)
{
	const bool tomorrow = is_unit(p, "tomorrow");
	if (tomorrow || is_unit(p, "today")) {
		*day = today + tomorrow;
		return true;
	}
	for (*day = today + 1; *day <= today + WEEK; ++*day) {
		const char *name = stats_weekday(*day);
		if (name_of(p, &name, 1) == 0)
			return true;
	}
	return false;
}

/* Weeks begin on Mondays; the first day of all was a Thursday. */
static int64_t week_of(int64_t day)
{
	enum { FROM_MONDAY = 3 };
	return (day + FROM_MONDAY) / WEEK;
}

/* "monday in 2 weeks": that of the week which is so many after this one. */
static bool read_name_in(const struct parts *all, int64_t today, int64_t *day)
{
	if (all->n != 4 || !is_word(&all->at[1], "in") || !is_unit(&all->at[3], "week") ||
		count_of(&all->at[2]) < 1 || is_unit(&all->at[0], "today") ||
		is_unit(&all->at[0], "tomorrow") || !read_name(&all->at[0], today, day))
		return false;
	*day += WEEK * (count_of(&all->at[2]) - (week_of(*day) - week_of(today)));
	return true;
}

/* "14 December", "December 14", "14.12.", and a year behind. */
static bool read_day(const struct parts *all, int64_t today, int64_t *day)
{
	const struct part *first = &all->at[0], *second = &all->at[1],
			  *year = all->n == 3 ? &all->at[2] : NULL;
	if (all->n < 2 || all->n > 3)
		return false;
	if (month_of(first) && second->number > 0)
		return read_month_day(month_of(first), second->number, year, today, day);
	if (first->number <= 0)
		return false;
	const int month = month_of(second) ? month_of(second) : second->number;
	return month > 0 && read_month_day(month, first->number, year, today, day);
}

bool date_words_read(const char *text, int64_t today, int64_t *day)
{
	struct parts all;
	if (calendar_date_read(text, day))
		return true;
	if (!take_parts(text, &all))
		return false;
	/* "14 12" could be either; points are written where the day comes first. */
	if (all.n > 1 && all.at[0].number >= 0 && all.at[1].number >= 0 && !strchr(text, '.'))
		return false;
	if (read_name_in(&all, today, day))
		return true;
	/* "Monday 14 December": the name of the day is checked, not asked for. */
	struct parts rest = all;
	int64_t named;
	if (all.n > 2 && read_name(&all.at[0], today, &named)) {
		rest.n--;
		memmove(rest.at, rest.at + 1, rest.n * sizeof *rest.at);
		return read_day(&rest, today, day) && (*day - named) % WEEK == 0;
	}
	return all.n == 1 ? read_name(&all.at[0], today, day)
			  : read_wait(&all, today, day) || read_day(&all, today, day);
}

char *date_words(int64_t day, int64_t today, char *buf, size_t size)
{
	const struct tm tm = civil_of(day);
	char year[16] = "";
	if (year_of(day) != year_of(today))
		snprintf(year, sizeof year, " %d", year_of(day));
	snprintf(buf, size, "%s %d %s%s", stats_weekday(day), tm.tm_mday, months[tm.tm_mon], year);
	return buf;
}

char *moment_stamp(int64_t at_s, char *buf, size_t size)
{
	return moment(at_s, "%Y%m%d-%H%M%S", buf, size);
}

char *moment_text(int64_t at_s, char *buf, size_t size)
{
	return moment(at_s, "%Y-%m-%d %H:%M", buf, size);
}
