#include "ui/screens/calendar/calendar_screen.h"

#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "ui/data/bank_load.h"
#include "ui/data/calendar_file.h"
#include "ui/live/action.h"
#include "ui/screens/screens.h"
#include "ui/shell/layout.h"
#include "ui/shell/path.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/views/parts.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { DATE_SIZE = 16 };

static struct calendar_view *calendar_of(struct app *app)
{
	return app_state(app, SCREEN_CALENDAR);
}

/* --- What is planned --- */

static void release(struct app *app)
{
	struct calendar_view *v = calendar_of(app);
	arena_release(&v->arena);
	*v = (struct calendar_view){ .note = "" };
}

static void add_row(struct calendar_view *v, struct calendar_row row)
{
	v->rows[v->n_rows++] = row;
}

static void add_tasks(
	struct calendar_view *v, const struct calendar_task *tasks, size_t n, size_t day)
{
	for (size_t i = 0; i < n; i++)
		if (tasks[i].day == day)
			add_row(v, (struct calendar_row){ .day = day, .task = &tasks[i] });
}

static int minutes_of(const struct calendar_view *v, size_t day)
{
	return calendar_minutes_with(&v->c, day, v->due_s);
}

/* So that the bars of all days compare. */
static void measure_days(struct calendar_view *v)
{
	v->longest = 1;
	for (size_t day = 0; day < calendar_days(&v->c); day++)
		v->longest = max_int(v->longest, minutes_of(v, day));
}

/* A head for each day, and what there is to do on it. */
static void list_rows(struct calendar_view *v)
{
	const struct calendar *c = &v->c;
	const size_t days = calendar_days(c), most = days + 1 + c->n_learn + c->n_practise;
	v->rows = arena_alloc(&v->arena, most * sizeof *v->rows);
	for (size_t day = 0; v->rows && day < days; day++) {
		add_row(v, (struct calendar_row){ .day = day });
		if (day == 0 && v->n_due)
			add_row(v, (struct calendar_row){ .due = true });
		add_tasks(v, c->learn, c->n_learn, day);
		add_tasks(v, c->practise, c->n_practise, day);
	}
}

static bool can_begin(const struct calendar_row *r)
{
	return r->due || (r->task && !r->task->done);
}

/* The next row that can be begun, by way 1 or -1; the same where there is none. */
static size_t next_row(const struct calendar_view *v, size_t from, int way)
{
	for (size_t i = from + (size_t)way; i < v->n_rows; i += (size_t)way)
		if (can_begin(&v->rows[i]))
			return i;
	return from;
}

/* To a date. 0; or -1: memory is out, or something cannot be read and *note says why. */
static int plan(struct app *app, struct calendar_view *v, int64_t date)
{
	struct case_list cases = { .n = 0 };
	struct drill_bank bank = { .n = 0 };
	struct answers a = { 0 };
	const struct path_sources from = { .pages = &app->pages,
		.tours = &app->tours,
		.cases = &cases,
		.bank = &bank,
		.history = &a.history,
		.progress = app->progress };
	int rc = app_answers(app, &a, v->note, sizeof v->note) || !app_tables(app) ||
				 case_list_load(&cases, NULL) ||
				 bank_load(&bank, app_tables(app), v->note, sizeof v->note)
			 ? -1
			 : path_calendar(&v->c, &from, app_day(app), date, &v->arena);
	if (rc == 0) {
		v->n_due = a.stats.n_due;
		v->due_s = stats_due_s(&a.stats, &a.history);
		measure_days(v);
		list_rows(v);
	}
	answers_release(&a);
	bank_release(&bank);
	case_list_release(&cases);
	return rc || !v->rows ? -1 : 0;
}

static void try_plan(struct app *app, struct calendar_view *v, int64_t date)
{
	if (plan(app, v, date) == 0)
		return;
	app->failed |= v->arena.failed;
	v->n_rows = 0;
	if (!v->note[0])
		snprintf(v->note, sizeof v->note, "out of memory");
}

/* The date that is kept, and the plan to it; without one, what a plan to a date soon would be. */
static void read_calendar(struct app *app)
{
	struct calendar_view *v = calendar_of(app);
	char kept[DATE_SIZE];
	const int64_t today = app_day(app);
	if (path_date(today, kept, &v->date, v->note, sizeof v->note))
		return;
	if (v->date > today) {
		try_plan(app, v, v->date);
		v->focus = v->n_rows ? next_row(v, 0, 1) : 0;
		return;
	}
	try_plan(app, v, today + CALENDAR_EXAMPLE_DAYS);
	v->sample = v->n_rows > 0;
	if (v->sample && *kept)
		snprintf(v->note, sizeof v->note, "The interview was on %s.", kept);
	else if (v->sample)
		snprintf(v->note, sizeof v->note, "No interview is in the calendar.");
}

static void show(struct app *app)
{
	release(app);
	app_show(app, SCREEN_CALENDAR);
	read_calendar(app);
}

/* Keeps a date, or forgets it. 0; or -1 and one line in err. */
static int take_date(const struct app *app, const char *word, char *err, size_t err_size)
{
	int64_t date;
	if (strcmp(word, "off") == 0)
		return calendar_file_write(NULL, err, err_size);
	return calendar_word(word, app_day(app), &date, err, err_size) ||
			       calendar_file_write(word, err, err_size)
		       ? -1
		       : 0;
}

static enum opened open_calendar(struct app *app, const char *name, const char *const words[],
	size_t n, char *err, size_t err_size)
{
	if (strcmp(name, "calendar") != 0)
		return OPEN_NOT_MINE;
	if (n > 1) {
		snprintf(err, err_size, "calendar: expected a date or off, found \"%.40s\" as well",
			words[1]);
		return OPEN_FAILED;
	}
	if (n == 1 && take_date(app, words[0], err, err_size))
		return OPEN_FAILED;
	show(app);
	return OPENED;
}

/* --- Drawing --- */

enum { MARK = 2, INDENT = 4, KIND = 11, TIME = 14, BAR = 14, HEAD_ROWS = 3, BAR_FROM = 70 };

static void draw_day(const struct calendar_view *v, const struct pane *p, int row, size_t day)
{
	const int64_t at = v->c.today + (int64_t)day;
	const int minutes = minutes_of(v, day);
	const enum style style = day == 0 ? STYLE_ACCENT : STYLE_PLAIN;
	char text[64], date[DATE_SIZE];
	snprintf(text, sizeof text, "%s%s %s",
		day == 0   ? "▸ Today, "
		: day == 1 ? "  Tomorrow, "
			   : "  ",
		stats_weekday(at), calendar_date(at, date, sizeof date));
	pane_fit(p, row, 0, p->r.cols - TIME, text, style, ATTR_BOLD);
	if (p->r.cols >= BAR_FROM && minutes)
		meter_draw(p, row, p->r.cols - TIME - BAR, BAR, minutes / (double)v->longest,
			STYLE_ACCENT);
	pane_fit_right(p, row, p->r.cols - TIME, TIME,
		minutes    ? calendar_length(minutes, text, sizeof text)
		: day == 0 ? "all done"
			   : "reviews alone",
		STYLE_DIM, 0);
}

static void draw_task(
	const struct calendar_view *v, const struct pane *p, int row, const struct calendar_row *r)
{
	const bool focus = !v->sample && r == &v->rows[v->focus], done = r->task && r->task->done;
	const enum style style = focus ? STYLE_ACCENT : done ? STYLE_DIM : STYLE_PLAIN;
	char time[32], due[64];
	const char *what =
		r->due ? stats_due_brief(v->n_due, v->due_s, due, sizeof due) : r->task->what;
	pane_text(p, row, INDENT - MARK, MARK, focus ? "▸" : done ? "✓" : "", style, ATTR_BOLD);
	pane_text(
		p, row, INDENT, KIND, r->due ? "review" : task_names[r->task->kind], STYLE_DIM, 0);
	pane_words(p, row, INDENT + KIND, p->r.cols - INDENT - KIND - TIME, what, style,
		focus ? ATTR_BOLD : 0);
	if (!r->due)
		pane_fit_right(p, row, p->r.cols - TIME, TIME,
			done ? "done" : calendar_length(r->task->minutes, time, sizeof time),
			STYLE_DIM, 0);
}

static void draw_lead(const struct calendar_view *v, struct canvas *cv, struct rect r)
{
	char text[300];
	paragraph_draw(cv, (struct rect){ r.row, r.col, HEAD_ROWS - 1, r.cols },
		calendar_lead(&v->c, text, sizeof text), STYLE_PLAIN, ATTR_BOLD);
}

/* Above what a plan would look like: how to get one. Returns the rows that it takes. */
static int draw_none(const struct calendar_view *v, struct canvas *cv, struct rect r)
{
	char text[400], date[DATE_SIZE];
	int used = paragraph_draw(cv, r, v->note, STYLE_PLAIN, ATTR_BOLD);
	if (!v->sample)
		return used;
	snprintf(text, sizeof text,
		"Press e and type its date, such as %s: until then this page says on each day what "
		"to read, drill and present. It counts by itself what was done, and moves what was "
		"not to the days after. To that date it would be:",
		calendar_date(v->c.date, date, sizeof date));
	used += 1 + paragraph_draw(cv,
			    (struct rect){ r.row + used + 1, r.col, r.rows - used - 1, r.cols },
			    text, STYLE_DIM, 0);
	return used + 1;
}

static struct rect list_rect(struct rect body)
{
	enum { MEASURE = 100 };
	return (struct rect){ body.row + HEAD_ROWS, body.col, max_int(body.rows - HEAD_ROWS, 0),
		min_int(body.cols, MEASURE) };
}

static void draw(const struct app *app, struct canvas *cv, struct rect body)
{
	const struct calendar_view *v = calendar_seen(app);
	struct rect list = list_rect(body);
	if (v->sample || !v->n_rows) {
		const int used = draw_none(
			v, cv, (struct rect){ body.row + 1, body.col, body.rows - 1, list.cols });
		list = (struct rect){ body.row + 1 + used, body.col,
			max_int(body.rows - 1 - used, 0), list.cols };
	} else {
		draw_lead(v, cv, (struct rect){ body.row, body.col, body.rows, list.cols });
	}
	const struct pane p = pane_of(cv, list);
	for (int row = 0; row < list.rows && (size_t)(v->scroll + row) < v->n_rows; row++) {
		const struct calendar_row *r = &v->rows[v->scroll + row];
		if (r->task || r->due)
			draw_task(v, &p, row, r);
		else
			draw_day(v, &p, row, r->day);
	}
	/* Nobody takes for a plan of his own what is only an example. */
	if (v->sample)
		canvas_restyle(cv, list, STYLE_DIM, 0);
}

/* --- Keys --- */

/* Brings the focus into sight, with the head of its day where there is room. */
static void follow_focus(struct app *app)
{
	struct calendar_view *v = calendar_of(app);
	const long rows = list_rect(frame_layout(app->rows, app->cols).body).rows;
	const long at = (long)v->focus, last = (long)v->n_rows - rows;
	const bool ends =
		next_row(v, v->focus, 1) == v->focus; /* what comes after it is seen too */
	const long to = ends ? (long)v->n_rows - 1 : at;
	long head = at;
	while (head > 0 && (v->rows[head].task || v->rows[head].due))
		head--;
	if (at - head >= rows)
		head = at;
	if (head < v->scroll)
		v->scroll = head;
	if (to >= v->scroll + rows)
		v->scroll = min_int((int)(to - rows + 1), (int)at);
	v->scroll = v->scroll > last ? last : v->scroll;
	v->scroll = v->scroll < 0 ? 0 : v->scroll;
}

static void move(struct app *app, int way, int steps)
{
	struct calendar_view *v = calendar_of(app);
	size_t before = v->n_rows;
	if (v->sample)
		return;
	for (int i = 0; i < steps && v->focus != before && v->n_rows; i++) {
		before = v->focus;
		v->focus = next_row(v, before, way);
	}
	if (v->n_rows)
		follow_focus(app);
}

static bool has_focus(const struct calendar_view *v)
{
	return v->n_rows && !v->sample && can_begin(&v->rows[v->focus]);
}

static void begin(struct app *app)
{
	const struct calendar_view *v = calendar_seen(app);
	if (has_focus(v))
		app_go_to(app, v->rows[v->focus].due ? "drill mode=review"
						     : v->rows[v->focus].task->target);
}

static bool act(struct app *app, enum action a)
{
	const int page = max_int(list_rect(frame_layout(app->rows, app->cols).body).rows, 1);
	switch (a) {
	case ACT_UP:
	case ACT_DOWN:
		move(app, a == ACT_UP ? -1 : 1, 1);
		return true;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		move(app, a == ACT_PAGE_UP ? -1 : 1, page);
		return true;
	case ACT_TOP:
	case ACT_BOTTOM:
		move(app, a == ACT_TOP ? -1 : 1, INT_MAX);
		return true;
	case ACT_ENTER:
		begin(app);
		return true;
	case ACT_EDIT:
		entry_begin(&app->entry, ENTRY_DATE, 0);
		return true;
	case ACT_REVIEW:
		app_go_to(app, "drill mode=review");
		return true;
	default:
		return false;
	}
}

static bool acts(const struct app *app, enum action a)
{
	const struct calendar_view *v = calendar_seen(app);
	if (a == ACT_ENTER)
		return has_focus(v);
	if (a == ACT_REVIEW)
		return v->n_due > 0;
	return true;
}

static bool typed(struct app *app, enum entry_kind kind, const char *text)
{
	struct entry *e = &app->entry;
	if (kind != ENTRY_DATE || !*text)
		return true;
	if (take_date(app, text, e->error, sizeof e->error))
		return false;
	show(app);
	return true;
}

static void click(struct app *app, struct rect body, int row, int col)
{
	struct calendar_view *v = calendar_of(app);
	const struct rect list = list_rect(body);
	const long at = v->scroll + row - list.row;
	(void)col;
	if (v->sample || row < list.row || at < 0 || (size_t)at >= v->n_rows ||
		!can_begin(&v->rows[at]))
		return;
	const bool again = (size_t)at == v->focus;
	v->focus = (size_t)at;
	if (again)
		begin(app);
}

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	const struct calendar_view *v = calendar_seen(app);
	char date[DATE_SIZE];
	snprintf(trail, trail_size, "ridge › Calendar");
	if (v->n_rows && !v->sample)
		snprintf(right, size, "until %s", calendar_date(v->date, date, sizeof date));
}

static void settle(struct app *app)
{
	const struct calendar_view *v = calendar_seen(app);
	if (v->n_rows && !v->sample && !too_small(app->rows, app->cols))
		follow_focus(app);
}

/* What is done elsewhere changes the plan, so it is made anew on return. */
static void leave(struct app *app)
{
	release(app);
}

static bool restore(struct app *app, const struct place *p)
{
	(void)p;
	show(app);
	return true;
}

static void target(const struct place *p, char *text, size_t size)
{
	(void)p;
	snprintf(text, size, "calendar");
}

const struct screen calendar_screen = {
	.name = "the calendar",
	.word = "calendar",
	.state_size = sizeof(struct calendar_view),
	.open = open_calendar,
	.close = release,
	.title = title,
	.draw = draw,
	.act = act,
	.acts = acts,
	.typed = typed,
	.click = click,
	.settle = settle,
	.leave = leave,
	.restore = restore,
	.target = target,
};
