#include "ui/screens/home/home_calendar.h"

#include "ui/data/bank_load.h"
#include "ui/shell/path.h"

#include <stdio.h>
#include <string.h>

enum { DATE_SIZE = 16 };

/* A chapter without its title, for which a line has no room beside others. */
static size_t add_name(const struct calendar_task *t, bool first, char *text, size_t size)
{
	const size_t n = t->kind == TASK_READ ? strcspn(t->what, ",") : strlen(t->what);
	const int used = snprintf(text, size, "%s%.*s", first ? "" : ", ", (int)n, t->what);
	return used < 0 || (size_t)used >= size ? 0 : (size_t)used;
}

/* Returns the length of the text. */
static size_t add_names(
	const struct calendar_task *tasks, size_t n, size_t *named, char *text, size_t size)
{
	size_t used = 0;
	for (size_t i = 0; i < n; i++)
		if (tasks[i].day == 0 && !tasks[i].done) {
			used += add_name(&tasks[i], *named == 0, text + used, size - used);
			++*named;
		}
	return used;
}

static void write_today(const struct calendar *c, char *text, size_t size)
{
	const int64_t days = c->date - c->today;
	char names[160] = "";
	size_t n = 0, used = add_names(c->learn, c->n_learn, &n, names, sizeof names);
	add_names(c->practise, c->n_practise, &n, names + used, sizeof names - used);
	if (n)
		snprintf(text, size, "Interview in %d day%s. Today: %s, %d min: c", (int)days,
			days == 1 ? "" : "s", names, calendar_minutes(c, 0));
	else
		snprintf(text, size, "Interview in %d day%s. Today is done: c", (int)days,
			days == 1 ? "" : "s");
}

/* The first thing to learn or, behind all of that, to practise that is not done. */
static const struct calendar_task *first_of(const struct calendar *c)
{
	for (size_t i = 0; i < c->n_learn; i++)
		if (!c->learn[i].done)
			return &c->learn[i];
	for (size_t i = 0; i < c->n_practise; i++)
		if (!c->practise[i].done)
			return &c->practise[i];
	return NULL;
}

static void take_first(const struct calendar *c, struct home_answers *a)
{
	const struct calendar_task *first = first_of(c);
	if (!first)
		return;
	snprintf(a->first.what, sizeof a->first.what, "%s", first->what);
	snprintf(a->first.target, sizeof a->first.target, "%s", first->target);
	a->first.minutes = first->minutes;
}

static bool was_placed(const struct history *h)
{
	for (size_t i = 0; i < h->n; i++)
		if (strcmp(h->events[i].mode, mode_names[MODE_PLACEMENT]) == 0)
			return true;
	return false;
}

void home_calendar(struct app *app, const struct history *h, struct home_answers *answers)
{
	const int64_t today = app_day(app);
	struct case_list cases = { .n = 0 };
	struct drill_bank bank = { .n = 0 };
	struct arena arena = { 0 };
	struct calendar c;
	char kept[DATE_SIZE], err[300];
	int64_t date;
	/* What comes first is the same for any date. */
	const bool dated = path_date(today, kept, &date, err, sizeof err) == 0 && date > today;
	if (!(dated || was_placed(h)) || !app_tables(app))
		return;
	const struct path_sources from = { .pages = &app->pages,
		.tours = &app->tours,
		.cases = &cases,
		.bank = &bank,
		.history = h,
		.progress = app->progress };
	if (case_list_load(&cases, NULL) == 0 &&
		bank_load(&bank, app_tables(app), err, sizeof err) == 0 &&
		path_calendar(&c, &from, today, dated ? date : today + CALENDAR_EXAMPLE_DAYS,
			&arena) == 0) {
		take_first(&c, answers);
		if (dated)
			write_today(&c, answers->today, sizeof answers->today);
	}
	arena_release(&arena);
	bank_release(&bank);
	case_list_release(&cases);
}
