/* The calendar as a screen: what to read, drill and present on each day until an interview, today first. */
#ifndef RIDGE_UI_SCREENS_CALENDAR_CALENDAR_SCREEN_H
#define RIDGE_UI_SCREENS_CALENDAR_CALENDAR_SCREEN_H

#include "ui/practice/calendar.h"
#include "ui/shell/app.h"

/* A row of the list: the head of a day, the reviews that are due today, or a task. */
struct calendar_row {
	size_t day;
	bool due;
	const struct calendar_task *task; /* NULL: the head, or what is due */
};

struct calendar_view {
	char note[300];    /* said above the plan: its lead; or why there is none */
	int64_t date;      /* 0: none is kept */
	bool sample;       /* the plan is to no date that is kept: what one would look like */
	struct calendar c; /* in the arena, with the rows */
	struct arena arena;
	struct calendar_row *rows;
	size_t n_rows, focus; /* focus: a row that can be begun, where there is one */
	size_t n_due;
	double due_s;
	int longest; /* minutes of the longest day, with what is due */
	long scroll; /* the first row that is shown */
	/* The target of the row in focus as the screen was left, and its row then. */
	char begun[96];
	size_t begun_at;
};

static inline const struct calendar_view *calendar_seen(const struct app *app)
{
	return app_state(app, SCREEN_CALENDAR);
}

#endif
