/* The calendar: dates by the civil calendar, tasks on days by hand, and what the commands say. */
#include "drills/stats.h"
#include "sims/base/array.h"
#include "ui/commands/commands.h"
#include "ui/practice/calendar.h"
#include "ui/practice/date_words.h"
#include "ui/shell/path.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* 2026-11-21, a Saturday, in days since 1970. */
enum { TODAY = 20778 };

/* Days since 1970 from tables of the calendar: 2000-03-01 is 11,017 days after 1970-01-01 (30 years with
 * 7 leap days, 31 + 29 days, and the first itself). */
Test(calendar, dates_are_those_of_the_civil_calendar)
{
	static const struct {
		const char *date;
		int64_t day;
		const char *weekday;
	} known[] = { { "1970-01-01", 0, "Thursday" }, { "1970-03-01", 59, "Sunday" },
		{ "2000-02-29", 11016, "Tuesday" }, { "2000-03-01", 11017, "Wednesday" },
		{ "2026-11-28", 20785, "Saturday" }, { "2026-12-14", 20801, "Monday" } };
	char buf[CALENDAR_ISO_SIZE];
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		int64_t day = -1;
		cr_assert(calendar_date_read(known[i].date, &day), "%s", known[i].date);
		cr_expect(eq(i64, day, known[i].day), "%s", known[i].date);
		cr_expect(zero(strcmp(stats_weekday(day), known[i].weekday)), "%s", known[i].date);
		cr_expect(zero(strcmp(calendar_date(day, buf, sizeof buf), known[i].date)));
	}
}

Test(calendar, every_day_comes_back_and_what_is_no_day_is_refused)
{
	static const char *const wrong[] = { "", "2026", "2026-12", "2026-13-01", "2026-00-10",
		"2026-02-29", "2026-02-30", "2026-04-31", "1969-12-31", "2026-12-14x", "14.12.2026",
		"2026-1-1", "tomorrow" };
	char buf[CALENDAR_ISO_SIZE];
	int64_t day, back;
	for (day = 0; day < 60000; day += 7) {
		cr_assert(calendar_date_read(calendar_date(day, buf, sizeof buf), &back));
		cr_assert(eq(i64, back, day), "%s", buf);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		cr_expect(not(calendar_date_read(wrong[i], &day)), "\"%s\"", wrong[i]);
}

/* From today on, each text by a calendar of these years. */
Test(calendar, dates_are_read_as_they_are_typed)
{
	static const struct {
		const char *text, *date;
	} known[] = { { "2026-12-14", "2026-12-14" }, { "14 December", "2026-12-14" },
		{ "14 dec 2026", "2026-12-14" }, { "Dec 14th, 2026", "2026-12-14" },
		{ "December 14", "2026-12-14" }, { "on the 14th of December", "2026-12-14" },
		{ "Monday 14 December", "2026-12-14" }, { "14.12.", "2026-12-14" },
		{ "14.12.2027", "2027-12-14" }, { "20 November", "2027-11-20" },
		{ "21 November", "2027-11-21" }, { "29 Feb", "2028-02-29" },
		{ "tomorrow", "2026-11-22" }, { "friday", "2026-11-27" },
		{ "on Saturday", "2026-11-28" }, { "in 3 weeks", "2026-12-12" },
		{ "10 days", "2026-12-01" }, { "in a month", "2026-12-21" },
		{ "in two months", "2027-01-21" }, { "today", "2026-11-21" },
		/* Weeks begin on Mondays: this one on the 16th, the second after it on the 30th. */
		{ "monday in 2 weeks", "2026-11-30" }, { "sunday in a week", "2026-11-29" },
		{ "a fortnight", "2026-12-05" }, { "3 weeks from now", "2026-12-12" },
		{ "in 12 months", "2027-11-21" }, { "in 0 days", "2026-11-21" },
		{ "1st of March 2027", "2027-03-01" }, { "the 2nd of March", "2027-03-02" },
		{ "3rd march", "2027-03-03" }, { "14december", "2026-12-14" },
		{ "Friday the 29th of October 2027", "2027-10-29" } };
	char buf[CALENDAR_ISO_SIZE];
	int64_t day;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		cr_assert(date_words_read(known[i].text, TODAY, &day), "%s", known[i].text);
		cr_expect(zero(strcmp(calendar_date(day, buf, sizeof buf), known[i].date)),
			"%s: %s", known[i].text, buf);
	}
	/* 2026-12-31 is day 20,818; February has no 31st. */
	cr_assert(date_words_read("in 2 months", 20818, &day));
	cr_expect(zero(strcmp(calendar_date(day, buf, sizeof buf), "2027-02-28")));
}

/* Tuesday is not the 14th; 12/14 and 12 14 are other days elsewhere. */
Test(calendar, texts_that_are_no_date_are_refused)
{
	static const char *const wrong[] = { "", " ", ".", "14", "December", "32 December",
		"30 February", "0 May", "Tuesday 14 December", "12/14", "12 14", "14.13.", "in",
		"in weeks", "in 3", "in -3 days", "3 lightyears", "ma 3", "14 December 26",
		"99999 days", "14 December 2026 2027", "de", "fri 5", "14 December at noon",
		"decemberly 3", "today in 2 weeks", "tomorrow in 2 weeks", "monday in 0 weeks",
		"monday in 2 days", "monday in no weeks", "monday on 2 weeks", "week in 2 weeks",
		"3 weeks from then", "3 weeks until now", "weeks", "in a year", "14 smarch", "14 0",
		"14 December 999", "14 stdecember", "14 abcdefghijklmnopqrst", "12345 May",
		"on the of", "Monday 14 December 2027 2028", "Monday December", "0 fortnights",
		"31.4." };
	int64_t day;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		cr_expect(not(date_words_read(wrong[i], TODAY, &day)), "\"%s\"", wrong[i]);
}

Test(calendar, days_are_said_with_a_year_where_it_is_another)
{
	char buf[DATE_WORDS_SIZE];
	cr_expect(
		zero(strcmp(date_words(TODAY + 23, TODAY, buf, sizeof buf), "Monday 14 December")));
	cr_expect(zero(strcmp(
		date_words(TODAY + 46, TODAY, buf, sizeof buf), "Wednesday 6 January 2027")));
}

/* Four chapters of 30 minutes and two cases in six days: five days are for new things, the first four of
 * them for chapters; cases are in the middle of the halves of days 2 to 4. Day 2 has its 45 minutes from a case, so
 * that the 120 of the chapters are 40 on each of the days 0, 1 and 3, and the middles of the chapters, at 15, 45, 75
 * and 105 minutes, are on the days 0, 1, 1 and 3. */
Test(calendar, tasks_are_on_their_days)
{
	struct calendar_task learn[4] = { { .minutes = 30 }, { .minutes = 30 }, { .minutes = 30 },
		{ .minutes = 30 } };
	struct calendar_task practise[2] = { { .minutes = 45 }, { .minutes = 45 } };
	struct calendar c = { 100, 106, learn, 4, practise, 2 };
	calendar_plan(&c);
	static const size_t days[] = { 0, 1, 1, 3 };
	for (size_t i = 0; i < 4; i++)
		cr_expect(eq(sz, learn[i].day, days[i]));
	cr_expect(eq(sz, practise[0].day, 2));
	cr_expect(eq(sz, practise[1].day, 4));
	cr_expect(eq(int, calendar_minutes(&c, 2), 45));
	cr_expect(eq(int, calendar_minutes(&c, 5), 0), "the day before is for reviews");
	char lead[300];
	calendar_lead(&c, lead, sizeof lead);
	cr_expect(
		strstr(lead,
			", in 6 days: 3 h 30 min of work, 35 min a day, 1 h at most, and reviews.") !=
			NULL,
		"%s", lead);
	learn[2].done = true;
	calendar_plan(&c);
	cr_expect(eq(sz, learn[2].day, 0), "what is done is today's");
	cr_expect(eq(int, calendar_minutes(&c, 0), 30), "and no work any more");
	for (size_t i = 0; i < 4; i++)
		learn[i].done = practise[i / 2].done = true;
	calendar_lead(&c, lead, sizeof lead);
	cr_expect(strstr(lead, ", in 6 days: reviews alone.") != NULL, "%s", lead);
}

/* 16 times 85 min in 23 days are 59.13 min a day; a minute in 30 days is still one a day. */
Test(calendar, a_mean_is_to_the_nearest_minute)
{
	struct calendar_task learn[16], once = { .minutes = 1 };
	for (size_t i = 0; i < 16; i++)
		learn[i] = (struct calendar_task){ .minutes = 85 };
	char lead[300];
	struct calendar c = { 100, 123, learn, 16, NULL, 0 };
	calendar_plan(&c);
	calendar_lead(&c, lead, sizeof lead);
	cr_expect(strstr(lead, "22 h 40 min of work, 59 min a day, ") != NULL, "%s", lead);
	c = (struct calendar){ 100, 130, &once, 1, NULL, 0 };
	calendar_plan(&c);
	calendar_lead(&c, lead, sizeof lead);
	cr_expect(strstr(lead, "1 min of work, 1 min a day, ") != NULL, "%s", lead);
}

/* Any number of tasks and days: nothing is lost, the order stays, no day is out of the plan. */
Test(calendar, plans_keep_order_and_days)
{
	enum { MOST = 40 };
	for (size_t n = 0; n < MOST; n += 3)
		for (int64_t days = 1; days < 60; days++) {
			struct calendar_task learn[MOST], practise[MOST];
			for (size_t i = 0; i < n; i++) {
				learn[i] =
					(struct calendar_task){ .minutes = 5 + (int)(i * 7 % 31) };
				practise[i] = (struct calendar_task){ .minutes = 45 };
			}
			struct calendar c = { 0, days, learn, n, practise, n };
			calendar_plan(&c);
			int sum = 0, all = 0;
			for (size_t d = 0; d < calendar_days(&c); d++)
				sum += calendar_minutes(&c, d);
			for (size_t i = 0; i < n; i++) {
				all += learn[i].minutes + practise[i].minutes;
				cr_assert(
					i == 0 || (learn[i - 1].day <= learn[i].day &&
							  practise[i - 1].day <= practise[i].day));
			}
			cr_assert(eq(int, sum, all), "%zu tasks in %d days", n, (int)days);
		}
}

static void own_home(void)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	setenv("XDG_DATA_HOME", "/nonexistent", 1);
	setenv("XDG_STATE_HOME", "/nonexistent", 1);
}

/* Somebody who has read chapter 0 yesterday and chapter 1 today, and done nothing else. */
Test(calendar, what_was_done_before_today_is_gone, .init = own_home)
{
	struct page_list pages;
	struct tour_list tours;
	struct case_list cases;
	struct progress progress = { .place = "" };
	struct drill_bank bank = { .n = 0 };
	struct history history = { .n = 0 };
	struct arena arena = { 0 };
	struct calendar c;
	cr_assert(zero(int, page_list_init(&pages)));
	cr_assert(zero(int, tour_list_init(&tours)));
	cr_assert(zero(int, case_list_load(&cases, NULL)));
	progress_finish(&progress, pages.pages[0].id, 99);
	progress_finish(&progress, pages.pages[1].id, 100);
	const struct path_sources from = { &pages, &tours, &cases, &bank, &history, &progress };
	cr_assert(zero(int, path_calendar(&c, &from, 100, 130, &arena)));
	size_t chapters = 0;
	while (chapters < pages.n && pages.pages[chapters].chapter >= 0)
		chapters++;
	cr_assert(eq(sz, c.n_learn, chapters - 1), "all but the first; no bank, no sets");
	cr_expect(c.learn[0].done && strstr(c.learn[0].what, "chapter 1"));
	cr_expect(not(c.learn[1].done));
	cr_expect(strstr(c.learn[1].what, "chapter 2") != NULL);
	cr_expect(eq(sz, c.n_practise, 20), "two in three days");
	size_t n[N_TASKS] = { 0 };
	for (size_t i = 0; i < c.n_practise; i++)
		n[c.practise[i].kind]++;
	cr_expect(eq(sz, n[TASK_INTERVIEW], 5), "every fourth");
	cr_expect(n[TASK_CASE] >= 9 && n[TASK_PRESENT] >= 5);
	arena_release(&arena);
	case_list_release(&cases);
	tour_list_release(&tours);
	page_list_release(&pages);
}

/* Of two chapters that were asked for in a placement the one that was right needs no reading; its
 * problems stay. */
Test(calendar, a_chapter_that_a_placement_found_known_is_not_read, .init = own_home)
{
	static struct drill drills[] = {
		{ .id = "a", .topic = "t", .skill = "s", .chapter = "chapter-0", .par_s = 60 },
		{ .id = "b", .topic = "t", .skill = "s", .chapter = "chapter-1", .par_s = 60 }
	};
	struct history_event events[] = { { .at_s = 1,
						  .kind = HISTORY_ANSWER,
						  .drill = "a",
						  .skill = "s",
						  .topic = "t",
						  .verdict = VERDICT_CORRECT,
						  .used = true,
						  .mode = "placement" },
		{ .at_s = 2,
			.kind = HISTORY_GAVE_UP,
			.drill = "b",
			.skill = "s",
			.topic = "t",
			.used = true,
			.mode = "placement" },
		{ .at_s = 3,
			.kind = HISTORY_ANSWER,
			.drill = "a",
			.skill = "s",
			.topic = "t",
			.seed = 2,
			.verdict = VERDICT_WRONG,
			.used = true,
			.mode = "set" } };
	struct page_list pages;
	struct tour_list tours = { .n = 0 };
	struct case_list cases = { .n = 0 };
	struct progress progress = { .place = "" };
	struct drill_bank bank = { .drills = drills, .n = 2 };
	struct history history = { .events = events, .n = 2 };
	struct arena arena = { 0 };
	struct calendar c;
	cr_assert(zero(int, page_list_init(&pages)));
	const struct path_sources from = { &pages, &tours, &cases, &bank, &history, &progress };
	cr_assert(zero(int, path_calendar(&c, &from, 100, 130, &arena)));
	cr_assert(ge(sz, c.n_learn, 3));
	cr_expect(zero(strcmp(c.learn[0].what, "five problems on chapter 0")));
	cr_expect(eq(int, c.learn[0].minutes, 5));
	cr_expect(strstr(c.learn[1].what, "chapter 1, ") != NULL);
	cr_expect(zero(strcmp(c.learn[2].what, "five problems on chapter 1")));
	/* A problem on it that is missed later brings the chapter back, one that is right in the end does not. */
	history.n = 3;
	cr_assert(zero(int, path_calendar(&c, &from, 100, 130, &arena)));
	cr_expect(strstr(c.learn[0].what, "chapter 0, ") == c.learn[0].what);
	events[2].verdict = VERDICT_CORRECT;
	cr_assert(zero(int, path_calendar(&c, &from, 100, 130, &arena)));
	cr_expect(zero(strcmp(c.learn[0].what, "five problems on chapter 0")));
	arena_release(&arena);
	page_list_release(&pages);
}

/* Six problems of a minute, 5 min for five of them; one is a program of 15 min instead, so that five are 4 x 1 + 15 =
 * 19 min at most, and 5 x 20 / 6 = 16.7 min on average. */
Test(calendar, says_how_long_a_set_with_a_program_may_be, .init = own_home)
{
	static struct drill drills[] = {
		{ .id = "a", .topic = "t", .skill = "s", .chapter = "chapter-0", .par_s = 60 },
		{ .id = "b", .topic = "t", .skill = "s", .chapter = "chapter-0", .par_s = 60 },
		{ .id = "c", .topic = "t", .skill = "s", .chapter = "chapter-0", .par_s = 60 },
		{ .id = "d", .topic = "t", .skill = "s", .chapter = "chapter-0", .par_s = 60 },
		{ .id = "e", .topic = "t", .skill = "s", .chapter = "chapter-0", .par_s = 60 },
		{ .id = "f", .topic = "t", .skill = "s", .chapter = "chapter-0", .par_s = 60 },
	};
	struct page_list pages;
	struct tour_list tours = { .n = 0 };
	struct case_list cases = { .n = 0 };
	struct progress progress = { .place = "" };
	struct drill_bank bank = { .drills = drills, .n = LENGTH(drills) };
	struct history history = { .n = 0 };
	struct arena arena = { 0 };
	struct calendar c;
	cr_assert(zero(int, page_list_init(&pages)));
	const struct path_sources from = { &pages, &tours, &cases, &bank, &history, &progress };
	cr_assert(zero(int, path_calendar(&c, &from, 100, 130, &arena)));
	cr_expect(zero(strcmp(c.learn[1].what, "five problems on chapter 0")));
	cr_expect(eq(int, c.learn[1].minutes, 5));
	drills[3].kind = KIND_CODE;
	drills[3].par_s = 900;
	cr_assert(zero(int, path_calendar(&c, &from, 100, 130, &arena)));
	cr_expect(zero(strcmp(c.learn[1].what, "five problems on chapter 0 (up to 19 min)")));
	cr_expect(eq(int, c.learn[1].minutes, 17));
	arena_release(&arena);
	page_list_release(&pages);
}

/* --- The commands, in a home of their own --- */

static char folder[64];

static void fresh_home(void)
{
	own_home();
	strcpy(folder, "/tmp/ridge-calendar-XXXXXX");
	cr_assert(mkdtemp(folder) != NULL);
	setenv("XDG_DATA_HOME", folder, 1);
}

static void drop_home(void)
{
	static const char *const files[] = { "ridge/calendar.json", "ridge/history.jsonl", "ridge",
		"" };
	char path[128];
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, files[i]);
		remove(path);
	}
}

struct said {
	int status;
	char *text; /* of both streams */
};

/* Today. */
static struct said say(const char *words)
{
	char copy[200], *argv[8], *rest = NULL;
	int argc = 0;
	size_t size;
	struct said s = { 0, NULL };
	snprintf(copy, sizeof copy, "%s", words);
	for (char *w = strtok_r(copy, " ", &rest); w && argc < 7; w = strtok_r(NULL, " ", &rest))
		argv[argc++] = w;
	argv[argc] = NULL;
	FILE *out = open_memstream(&s.text, &size);
	const struct streams io = { stdin, out, out, TODAY * INT64_C(86400), NULL };
	s.status = command_run(argc, argv, &io);
	fclose(out);
	return s;
}

static void expect(const char *words, int status, const char *part)
{
	struct said s = say(words);
	cr_expect(eq(int, s.status, status), "%s: %s", words, s.text);
	cr_expect(strstr(s.text, part) != NULL, "%s: %s", words, s.text);
	free(s.text);
}

Test(calendar, a_date_is_kept_and_forgotten, .init = fresh_home, .fini = drop_home)
{
	expect("calendar", 0, "No interview is in the calendar");
	expect("calendar 2026-12-14", 0, "Interview on Monday 14 December, in 23 days");
	expect("calendar", 0, "Today, Saturday 21 November");
	expect("calendar --json", 0, "\"date\":");
	expect("calendar 2026-11-21", 2, "2026-11-21 is not after today, Saturday 21 November");
	expect("calendar 2026-12-32", 2,
		"\"2026-12-32\" is no date: try 14 December, in 3 weeks, or off");
	expect("calendar 6 jan", 0, "Interview on Wednesday 6 January 2027, in 46 days");
	expect("calendar two weeks from now", 0, "Interview on Saturday 5 December, in 14 days");
	expect("calendar in a fortnight", 0, "Interview on Saturday 5 December, in 14 days");
	expect("calendar monday in 2 weeks", 0, "Interview on Monday 30 November, in 9 days");
	/* Of a Saturday, the Sunday of this week is tomorrow, and that of the second after it in 15 days. */
	expect("calendar sunday in 2 weeks", 0, "Interview on Sunday 6 December, in 15 days");
	expect("calendar tomorrow in 2 weeks", 2, "is no date");
	expect("calendar in 23 days", 0, "Interview on Monday 14 December, in 23 days");
	expect("calendar --json", 0, "\"date\":\t\"2026-12-14\"");
	expect("calendar 2062-12-14", 2, "2062-12-14 is more than two years away");
	expect("calendar", 0, "in 23 days");
	expect("calendar off", 0, "No interview is in the calendar");
	expect("calendar", 0, "No interview is in the calendar");
}

static void write_own(const char *name, const char *text)
{
	char path[128];
	snprintf(path, sizeof path, "%s/ridge", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/ridge/%s", folder, name);
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL);
	fputs(text, f);
	fclose(f);
}

Test(calendar, a_damaged_file_is_told, .init = fresh_home, .fini = drop_home)
{
	expect("calendar 2026-12-14", 0, "in 23 days");
	write_own("calendar.json", "{\"date\": 14}");
	expect("calendar", 1, "calendar.json: expected {");
	write_own("calendar.json", "{\"date\": \"14 December\"}");
	expect("calendar", 1, "calendar.json: expected a date of the next two years");
	write_own("calendar.json", "{\"date\": \"2062-12-14\"}");
	expect("calendar", 1, "calendar.json: expected a date of the next two years");
}

/* Another file that is damaged is told as well, and the plan comes all the same. */
Test(calendar, a_plan_comes_over_other_damaged_files, .init = fresh_home, .fini = drop_home)
{
	char history[128];
	write_own("history.jsonl", "x\n");
	expect("calendar 2026-12-14", 0, "1 of 1 line of the history cannot be read");
	snprintf(history, sizeof history, "%s/ridge/history.jsonl", folder);
	cr_assert(zero(int, unlink(history) || mkdir(history, 0700)));
	expect("calendar", 0, "cannot read the history");
	expect("calendar", 0, "in 23 days");
	cr_assert(zero(int, rmdir(history)));
	write_own("machine.json", "x\n");
	expect("calendar", 0, "machine.json is damaged");
	expect("calendar", 0, "in 23 days");
}

/* An answer of two days ago, whose skill comes back after minutes. */
Test(calendar, due_is_one_line_and_a_status, .init = fresh_home, .fini = drop_home)
{
	char path[128];
	expect("due", 0, "nothing due");
	snprintf(path, sizeof path, "%s/ridge", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/ridge/history.jsonl", folder);
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL);
	fputs("{\"schema\":1,\"at\":1795046400,\"kind\":\"answer\",\"drill\":\"kv-cache\","
	      "\"skill\":\"kv-cache\",\"topic\":\"inference\",\"seed\":7,\"part\":0,"
	      "\"given\":\"1 GB\",\"value\":1e9,\"verdict\":\"WRONG\",\"used\":true,"
	      "\"credit\":0,\"cause\":\"\",\"hints\":0,\"attempt\":1,\"scratch\":false,"
	      "\"took_s\":42.5,\"par_s\":90,\"mode\":\"set\"}\n",
		f);
	fclose(f);
	/* A par of 90 s is two minutes, begun ones whole. */
	expect("due", 1, "1 review due, about 2 min: ridge drill mode=review\n");
	expect("calendar 2026-12-14", 0, "1 review due, about 2 min");
}
