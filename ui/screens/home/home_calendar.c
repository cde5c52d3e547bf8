#include "ui/screens/home/home_calendar.h"

#include "sims/base/array.h"
#include "ui/shell/path.h"

#include <stdio.h>
#include <string.h>

/* What is said of today, as it is written. */
struct today {
	char text[200];
	size_t used;
	bool full; /* something had no room, and what comes after it is not said either */
};

static void say(struct today *t, const char *before, const char *text)
{
	const size_t room = sizeof t->text - t->used;
	if (t->full)
		return;
	const int n = snprintf(t->text + t->used, room, "%s%s", t->used ? before : "", text);
	t->full = n < 0 || (size_t)n >= room;
	t->used += t->full ? 0 : (size_t)n;
	t->text[t->used] = '\0';
}

/* "chapters 0 and 2": what is to be learnt today in one of these ways. */
static void say_chapters(struct today *t, const struct calendar *c, enum task_kind kind,
	const char *one, const char *several)
{
	int chapters[64];
	size_t n = 0;
	for (size_t i = 0; i < c->n_learn && n < LENGTH(chapters); i++)
		if (c->learn[i].kind == kind && c->learn[i].day == 0 && !c->learn[i].done)
			chapters[n++] = c->learn[i].chapter;
	for (size_t i = 0; i < n; i++) {
		char number[32];
		snprintf(number, sizeof number, "%s%d",
			i        ? ""
			: n == 1 ? one
				 : several,
			chapters[i]);
		say(t, i == 0 ? ", " : i + 1 == n ? " and " : ", ", number);
	}
}

static void write_today(const struct calendar *c, char *text, size_t size)
{
	const int days = (int)(c->date - c->today);
	struct today t = { .used = 0 };
	say_chapters(&t, c, TASK_READ, "chapter ", "chapters ");
	say_chapters(&t, c, TASK_DRILL, "problems on chapter ", "problems on chapters ");
	for (size_t i = 0; i < c->n_practise; i++)
		if (c->practise[i].day == 0 && !c->practise[i].done)
			say(&t, ", ", c->practise[i].what);
	if (t.used)
		snprintf(text, size, "Interview in %d day%s. Today: %s, %d min: c", days,
			days == 1 ? "" : "s", t.text, calendar_minutes(c, 0));
	else
		snprintf(text, size, "Interview in %d day%s. Today is done: c", days,
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
	struct arena arena = { 0 };
	struct calendar c;
	char kept[CALENDAR_ISO_SIZE], err[300];
	int64_t date;
	/* What comes first is the same for any date. */
	const bool dated = path_date(today, kept, &date, err, sizeof err) == 0 && date > today;
	if (!(dated || was_placed(h)) || !app_tables(app))
		return;
	const struct path_sources from = { .pages = &app->pages,
		.tours = &app->tours,
		.cases = app_cases(app),
		.bank = app_bank(app, err, sizeof err),
		.history = h,
		.progress = app->progress };
	if (from.cases && from.bank &&
		path_calendar(&c, &from, today, dated ? date : today + CALENDAR_EXAMPLE_DAYS,
			&arena) == 0) {
		take_first(&c, answers);
		answers->days = dated ? (int)(date - today) : 0;
		if (dated)
			write_today(&c, answers->today, sizeof answers->today);
	}
	arena_release(&arena);
}
