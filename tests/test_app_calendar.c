/* The calendar in the explorer: what there is on each day, what is begun from it, and its date. */
#include "tests/explorer.h"

#include "ui/screens/calendar/calendar_screen.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <unistd.h>

static char folder[] = "/tmp/ridge-calendar-XXXXXX";

static void fresh_home(void)
{
	cr_assert(mkdtemp(folder) != NULL);
	setenv("XDG_DATA_HOME", folder, 1);
}

static void drop_home(void)
{
	char command[80];
	snprintf(command, sizeof command, "rm -r %s", folder);
	cr_expect(zero(int, system(command)));
}

TestSuite(app_calendar, .init = fresh_home, .fini = drop_home);

/* 2026-11-30, a Monday, is day 20,787 since 1970-01-01. */
static struct explorer start(int rows, int cols)
{
	struct explorer e = explorer_start(rows, cols, GLYPHS_BRAILLE);
	e.app->epoch_s = 20787ull * 24 * 60 * 60;
	return e;
}

static void expect_shown(const struct explorer *e, const char *part, bool is, int line)
{
	char *text = explorer_text(e);
	const bool found = strstr(text, part) != NULL;
	cr_expect(found == is, "line %d: \"%s\" in:\n%s", line, part, text);
	free(text);
}
#define shows(e, part) expect_shown(e, part, true, __LINE__)
#define hides(e, part) expect_shown(e, part, false, __LINE__)

Test(app_calendar, says_each_day_what_to_do)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "calendar 2026-12-14"));
	const struct calendar_view *v = calendar_seen(e.app);
	shows(&e, "ridge › Calendar");
	shows(&e, "until Monday 14 December");
	shows(&e, "Interview in 14 days: ");
	shows(&e, "  Today, Monday 30 November");
	shows(&e, "  Tomorrow, Tuesday 1 December");
	shows(&e, "▸ read       chapter 0, ");
	shows(&e, "Many GPUs: who holds what, who sends what "); /* whole beside its time */
	shows(&e, " e change date");
	/* A day's length has no track, which would say how much of it is done. */
	shows(&e, "━");
	hides(&e, "─  ");
	/* Every task of the plan has a row, and each day a head. */
	cr_expect(eq(sz, v->n_rows, 14 + v->c.n_learn + v->c.n_practise));
	/* Heads are passed over. */
	const size_t first = v->focus;
	for (size_t i = 0; i < v->n_rows; i++) {
		cr_expect(v->rows[v->focus].task != NULL);
		explorer_press(&e, "j");
	}
	cr_expect(lt(sz, first, v->focus));
	shows(&e, "▸ ");
	/* The day before the interview is left for reviews, and is seen below the last task. */
	shows(&e, "Sunday 13 December");
	shows(&e, "reviews alone");
	explorer_press(&e, "g");
	cr_expect(eq(sz, v->focus, first));
	shows(&e, "  Today");
	explorer_end(&e);
}

Test(app_calendar, begins_a_task_and_comes_back)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "calendar 2026-12-14"));
	explorer_press(&e, "Enter");
	cr_expect(eq(int, e.app->screen, SCREEN_PAGE));
	explorer_press(&e, "Esc");
	cr_assert(eq(int, e.app->screen, SCREEN_CALENDAR));
	shows(&e, "Today");
	explorer_press(&e, "j Enter");
	cr_expect(eq(int, e.app->screen, SCREEN_DRILL));
	shows(&e, "Set › chapter 0");
	explorer_press(&e, "Esc");
	cr_assert(eq(int, e.app->screen, SCREEN_CALENDAR));
	/* at the line that one came from */
	const struct calendar_view *v = calendar_seen(e.app);
	cr_assert(v->rows[v->focus].task != NULL);
	cr_expect(zero(strcmp(v->rows[v->focus].task->target, "drill chapter-0")));
	explorer_end(&e);
}

/* Each kind of task leads somewhere, from the plan of all of them. */
Test(app_calendar, every_task_can_be_begun)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "calendar 2026-12-14"));
	const size_t n = calendar_seen(e.app)->n_rows;
	unsigned kinds = 0;
	for (size_t i = 0; i < n; i++) {
		const struct calendar_row *r = &calendar_seen(e.app)->rows[i];
		if (!r->task || kinds >> r->task->kind & 1)
			continue;
		kinds |= 1u << r->task->kind;
		struct calendar_view *v = app_state(e.app, SCREEN_CALENDAR);
		v->focus = i;
		explorer_press(&e, "Enter");
		cr_expect(ne(int, e.app->screen, SCREEN_CALENDAR), "%s", e.app->message);
		cr_assert(explorer_open(&e, "calendar"));
	}
	for (unsigned kind = TASK_READ; kind < N_TASKS; kind++)
		cr_expect(kinds >> kind & 1, "%s", task_names[kind]);
	explorer_end(&e);
}

Test(app_calendar, takes_a_date_and_forgets_it)
{
	struct explorer e = start(24, 80);
	char err[300] = "";
	cr_assert(explorer_open(&e, "calendar"));
	shows(&e, "When is your interview?");
	shows(&e, "to Monday 21 December"); /* three weeks from today */
	explorer_press(&e, "Enter");
	shows(&e, "in 3 weeks; off: none");
	explorer_type(&e, "2026-11-30");
	explorer_press(&e, "Enter");
	shows(&e, "interview on: 2026-11-30");
	shows(&e, "is not after today");
	explorer_press(&e, "Ctrl-U");
	explorer_type(&e, "12/14");
	explorer_press(&e, "Enter");
	shows(&e, "\"12/14\" is no date: try 14 December, in 3 weeks");
	explorer_press(&e, "Ctrl-U");
	explorer_type(&e, "7 Dec");
	shows(&e,
		"Monday 7 December, in 7 days: Enter"); /* how it is understood, before it is kept */
	explorer_press(&e, "Enter");
	shows(&e, "until Monday 7 December");
	shows(&e, "Interview in 7 days: ");
	cr_expect(ne(int, app_open_target(e.app, "calendar 2026-13-01", err, sizeof err), 0));
	cr_expect(strstr(err, "is no date: try 14 December") != NULL, "%s", err);
	cr_expect(ne(int, app_open_target(e.app, "calendar off 2026-12-07", err, sizeof err), 0));
	cr_assert(explorer_open(&e, "calendar"));
	shows(&e, "in 7 days");
	explorer_press(&e, "e o f f Enter");
	shows(&e, "When is your interview?");
	explorer_end(&e);
}

/* Without a date the screen shows what a plan would be, which nothing in it takes for one. */
Test(app_calendar, without_a_date_shows_an_example)
{
	struct explorer e = start(32, 100);
	cr_assert(explorer_open(&e, "calendar"));
	shows(&e, "An example of 21 days, to Monday 21 December");
	shows(&e, "Today, Monday 30 November");
	shows(&e, "read       chapter 0, ");
	shows(&e, "▸ Date: ______");
	hides(&e, "▸ read");
	hides(&e, "Interview on");
	cr_expect(zero(i64, calendar_seen(e.app)->date));
	/* It is looked through as a plan is, to its last day and no further. */
	shows(&e, " more days: PgDn");
	for (int i = 0; i < 20; i++)
		explorer_press(&e, "PgDn");
	shows(&e, "Sunday 20 December");
	hides(&e, ": PgDn");
	explorer_press(&e, "g");
	shows(&e, "Today, Monday 30 November");
	explorer_press(&e, "j Enter");
	cr_expect(eq(int, e.app->screen, SCREEN_CALENDAR));
	cr_expect(eq(int, e.app->entry.kind, ENTRY_DATE));
	explorer_type(&e, "14 dec");
	shows(&e, "▸ Date: 14 dec____"); /* what is typed stands where it was asked for */
	explorer_press(&e, "Esc");
	shows(&e, "When is your interview?");
	explorer_end(&e);
}

/* The line promises Enter only for a date that is taken, and cuts no word: it ends with a clause. */
Test(app_calendar, reads_a_date_as_it_is_typed)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "calendar 2026-12-14"));
	explorer_press(&e, "e");
	explorer_type(&e, "5 jan");
	shows(&e, "Tuesday 5 January 2027, in 36 days: Enter"); /* 31 days of December, and five */
	explorer_type(&e, "uary 2027");
	shows(&e, "5 January 2027, in 36 days");
	explorer_press(&e, "Esc e");
	explorer_type(&e, "14 December 2062");
	hides(&e, ": Enter");
	hides(&e, "December 2062,");
	explorer_end(&e);
}

/* Beside the list there is no room for the year, which the title has. */
Test(app_calendar, names_days_of_another_year_whole)
{
	struct explorer e = start(70, 200);
	cr_assert(explorer_open(&e, "calendar 2027-01-15"));
	shows(&e, "until Friday 15 January 2027");
	shows(&e, "Wednesday 13 January    ━");
	hides(&e, "January …");
	explorer_end(&e);
}

/* From the home screen, by its key, its entry and the palette. */
Test(app_calendar, is_found)
{
	struct explorer e = start(60, 160);
	shows(&e, "Calendar");
	explorer_press(&e, "c");
	cr_expect(eq(int, e.app->screen, SCREEN_CALENDAR));
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	explorer_press(&e, ": c a l e n d a r Enter");
	cr_expect(eq(int, e.app->screen, SCREEN_CALENDAR));
	explorer_end(&e);
}

Test(app_calendar, is_whole_at_every_size)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "calendar 2026-12-14"));
	for (int rows = 12; rows <= 60; rows += 6)
		for (int cols = 40; cols <= 200; cols += 20) {
			app_resize(e.app, rows, cols);
			explorer_press(&e, "G");
			const struct calendar_view *v = calendar_seen(e.app);
			cr_expect(v->scroll <= (long)v->focus, "%dx%d", rows, cols);
			shows(&e, "▸ ");
			explorer_press(&e, "g");
			shows(&e, "Today");
		}
	explorer_end(&e);
}
