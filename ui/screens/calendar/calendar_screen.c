#include "ui/screens/calendar/calendar_screen.h"

#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "ui/data/calendar_file.h"
#include "ui/live/action.h"
#include "ui/practice/date_words.h"
#include "ui/screens/screens.h"
#include "ui/shell/layout.h"
#include "ui/shell/path.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/views/parts.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

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
	struct answers a = { 0 };
	struct path_sources from = { .pages = &app->pages,
		.tours = &app->tours,
		.cases = app_cases(app),
		.history = &a.history,
		.progress = app->progress };
	int rc = app_tables(app) && from.cases ? app_answers(app, &a, v->note, sizeof v->note) : -1;
	/* The last of these: a bank is there until the next call that asks for it, as answers do. */
	from.bank = rc == 0 ? app_bank(app, v->note, sizeof v->note) : NULL;
	rc = from.bank ? path_calendar(&v->c, &from, app_day(app), date, &v->arena) : -1;
	if (rc == 0) {
		v->n_due = a.stats.n_due;
		v->due_s = stats_due_s(&a.stats, &a.history);
		measure_days(v);
		list_rows(v);
	}
	answers_release(&a);
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
	char kept[CALENDAR_ISO_SIZE];
	const int64_t today = app_day(app);
	if (path_date(today, kept, &v->date, v->note, sizeof v->note))
		return;
	if (v->date > today) {
		try_plan(app, v, v->date);
		v->focus = v->n_rows ? next_row(v, 0, 1) : 0;
		if (v->n_rows)
			calendar_brief(&v->c, v->note, sizeof v->note);
		return;
	}
	char date[DATE_WORDS_SIZE];
	try_plan(app, v, today + CALENDAR_EXAMPLE_DAYS);
	v->sample = v->n_rows > 0;
	if (v->sample && *kept)
		snprintf(v->note, sizeof v->note, "The interview was on %s. When is the next?",
			date_words(v->date, today, date, sizeof date));
	else if (v->sample)
		snprintf(v->note, sizeof v->note, "When is your interview?");
}

static void show(struct app *app)
{
	release(app);
	app_show(app, SCREEN_CALENDAR);
	read_calendar(app);
}

/* Keeps a date, or forgets it. 0; or -1 and one line in err. */
static int take_date(
	const struct app *app, const char *const words[], size_t n, char *err, size_t err_size)
{
	char iso[CALENDAR_ISO_SIZE];
	return calendar_words(words, n, app_day(app), iso, err, err_size) ||
			       calendar_file_write(*iso ? iso : NULL, err, err_size)
		       ? -1
		       : 0;
}

static enum opened open_calendar(struct app *app, const char *name, const char *const words[],
	size_t n, char *err, size_t err_size)
{
	if (strcmp(name, "calendar") != 0)
		return OPEN_NOT_MINE;
	if (n > 0 && take_date(app, words, n, err, err_size))
		return OPEN_FAILED;
	show(app);
	return OPENED;
}

/* --- Drawing --- */

enum {
	MARK = 2,
	INDENT = 4,
	KIND = 11,
	TIME = 14,
	TASK_TIME = 10, /* of one task: what it is about needs the room */
	NAME = 24,      /* beside the list, of a day or of what is left */
	BAR = 14,
	BAR_FROM = 70
};

/* How long it is stands beside the list as well where there is room for that. */
static void draw_day(
	const struct calendar_view *v, const struct pane *p, int row, size_t day, bool beside)
{
	const int64_t at = v->c.today + (int64_t)day;
	const int minutes = minutes_of(v, day);
	const enum style style = day == 0 ? STYLE_ACCENT : STYLE_PLAIN;
	char text[64], date[DATE_WORDS_SIZE];
	snprintf(text, sizeof text, "%s%s",
		day == 0   ? "Today, "
		: day == 1 ? "Tomorrow, "
			   : "",
		date_words(at, v->c.today, date, sizeof date));
	pane_fit(p, row, MARK, p->r.cols - TIME - MARK, text, style, ATTR_BOLD);
	if (p->r.cols >= BAR_FROM && minutes && !beside)
		length_draw(p, row, p->r.cols - TIME - BAR, BAR, minutes / (double)v->longest,
			day == 0 ? STYLE_ACCENT : STYLE_DIM);
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
	pane_fit(p, row, INDENT + KIND, p->r.cols - INDENT - KIND - TASK_TIME, what, style,
		focus ? ATTR_BOLD : 0);
	if (!r->due)
		pane_fit_right(p, row, p->r.cols - TASK_TIME, TASK_TIME,
			done ? "done" : calendar_length(r->task->minutes, time, sizeof time),
			STYLE_DIM, 0);
}

enum { FIELD = 18 }; /* "14 December 2026" and a little more */

static const char brings[] =
	"Each day until then gets its share: chapters, problems, talks, design cases, interviews. What "
	"you did is ticked off by itself, what you did not moves on.";

/* The date as it is typed, or the place for it. */
static void draw_field(const struct app *app, const struct pane *p, int row)
{
	static const char name[] = "Date: ";
	const int col = MARK + text_width(name), after = col + FIELD + MARK;
	const bool typing = app->entry.kind == ENTRY_DATE;
	pane_text(p, row, 0, MARK, "▸", STYLE_ACCENT, ATTR_BOLD);
	pane_text(p, row, MARK, -1, name, STYLE_ACCENT, ATTR_BOLD);
	for (int i = 0; i < FIELD; i++)
		pane_put(p, row, col + i, '_', STYLE_ACCENT, 0);
	if (typing)
		pane_text(p, row, col, FIELD, app->entry.text, STYLE_ACCENT, ATTR_BOLD);
	pane_clause(p, row, after, -1,
		typing ? "14 December, in 3 weeks, 30 days"
		       : "press Enter, type 14 December or in 3 weeks",
		STYLE_DIM, 0);
}

/* Rows of a text from a row and a column of the part on; drawn where there is a canvas. */
static int write_text(const struct app *app, struct canvas *cv, struct rect r, int row, int col,
	const char *text, enum style style, unsigned attr)
{
	if (cv)
		paragraph_draw(cv,
			(struct rect){
				r.row + row, r.col + col, max_int(r.rows - row, 0), r.cols - col },
			text, style, attr);
	return text_lines(text, r.cols - col, app->glyphs);
}

static void draw_example_head(const struct calendar_view *v, const struct pane *p, int row)
{
	char text[160], length[32], date[DATE_WORDS_SIZE];
	snprintf(text, sizeof text, "An example of %d days, to %s: %s in all",
		CALENDAR_EXAMPLE_DAYS, date_words(v->c.date, v->c.today, date, sizeof date),
		calendar_length(calendar_minutes_all(&v->c), length, sizeof length));
	pane_clause(p, row, 0, -1, text, STYLE_PLAIN, ATTR_BOLD);
}

/* What is said where no date is kept: the question, the way to answer it, what that brings, and the head of the
 * example. Returns its rows; without a canvas that is all it does. */
static int write_none(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct calendar_view *v = calendar_seen(app);
	const int field = write_text(app, cv, r, 0, 0, v->note, STYLE_PLAIN, ATTR_BOLD);
	const int below = field + 1 + write_text(app, cv, r, field + 1, MARK, brings, STYLE_DIM, 0);
	if (cv) {
		const struct pane p = pane_of(cv, r);
		draw_field(app, &p, field);
		draw_example_head(v, &p, below + 1);
	}
	return below + 2;
}

/* The parts of the body: what is said first, the list of days, and beside it, where there is room, how long
 * each day is (no columns: there is none). */
struct parts {
	struct rect head, list, days;
};

static struct parts parts_of(const struct app *app, struct rect body)
{
	enum { MEASURE = 100, GAP = 4, DAYS = 44, LOW = 20 };
	const struct calendar_view *v = calendar_seen(app);
	const bool beside = body.cols >= MEASURE + GAP + DAYS;
	const int cols = min_int(body.cols, MEASURE), above = body.rows >= LOW;
	const int rows = v->sample ? write_none(app, NULL, (struct rect){ 0, 0, body.rows, cols })
				   : text_lines(v->note, cols, app->glyphs);
	const int top = min_int(above + rows + 1, body.rows);
	return (struct parts){ { body.row + above, body.col, max_int(body.rows - above, 0), cols },
		{ body.row + top, body.col, body.rows - top, cols },
		{ body.row + top, body.col + MEASURE + GAP, body.rows - top,
			beside ? body.cols - MEASURE - GAP : 0 } };
}

static const char *const kind_words[N_TASKS] = { "chapters to read", "sets to drill",
	"talks to give", "cases to sit", "practice interviews" };

static size_t left_of(
	const struct calendar_task *tasks, size_t n, enum task_kind kind, int *minutes)
{
	size_t left = 0;
	for (size_t i = 0; i < n; i++)
		if (tasks[i].kind == kind && !tasks[i].done) {
			left++;
			*minutes += tasks[i].minutes;
		}
	return left;
}

static size_t tasks_left(const struct calendar *c, enum task_kind kind, int *minutes)
{
	return left_of(c->learn, c->n_learn, kind, minutes) +
	       left_of(c->practise, c->n_practise, kind, minutes);
}

/* All days at a glance, as long as they are. */
static void draw_days(const struct calendar_view *v, struct canvas *cv, struct rect r)
{
	const struct pane p = pane_of(cv, r);
	const int bar = r.cols - NAME - TIME;
	char text[64], date[DATE_WORDS_SIZE];
	if (bar <= 0)
		return;
	pane_text(&p, 0, 0, -1, "How long each day is", STYLE_PLAIN, ATTR_BOLD);
	for (size_t day = 0; day < calendar_days(&v->c) && (int)day + 1 < r.rows; day++) {
		const int row = (int)day + 1, minutes = minutes_of(v, day);
		/* As if it were today: the year, which the lead has, would not fit. */
		const int64_t at = v->c.today + (int64_t)day;
		pane_fit(&p, row, 0, NAME, date_words(at, at, date, sizeof date),
			day == 0 ? STYLE_ACCENT : STYLE_PLAIN, 0);
		length_draw(&p, row, NAME, bar, minutes / (double)v->longest,
			day == 0 ? STYLE_ACCENT : STYLE_PLAIN);
		pane_fit_right(&p, row, NAME + bar, TIME,
			minutes ? calendar_length(minutes, text, sizeof text) : "reviews",
			STYLE_DIM, 0);
	}
}

/* What all of them come to, kind by kind. */
static void draw_kinds(const struct calendar_view *v, struct canvas *cv, struct rect r)
{
	const struct pane p = pane_of(cv, r);
	char text[64], count[32];
	pane_text(&p, 0, 0, -1, "What it asks of you", STYLE_PLAIN, ATTR_BOLD);
	for (int kind = 0, row = 1; kind < N_TASKS; kind++) {
		int minutes = 0;
		const size_t n = tasks_left(&v->c, (enum task_kind)kind, &minutes);
		if (n == 0)
			continue;
		snprintf(count, sizeof count, "%zu", n);
		pane_text(&p, row, 0, NAME, kind_words[kind], STYLE_PLAIN, 0);
		pane_fit_right(&p, row, 0, NAME + 6, count, STYLE_PLAIN, 0);
		pane_fit_right(&p, row++, 0, r.cols, calendar_length(minutes, text, sizeof text),
			STYLE_DIM, 0);
	}
}

static void draw_beside(const struct calendar_view *v, struct canvas *cv, struct rect r)
{
	const int kinds = N_TASKS + 1, days = (int)calendar_days(&v->c) + 1;
	const int lower = max_int(min_int(days + 1, r.rows - kinds), 0);
	if (r.cols <= 0)
		return;
	draw_days(v, cv, (struct rect){ r.row, r.col, max_int(lower - 1, 0), r.cols });
	draw_kinds(v, cv, (struct rect){ r.row + lower, r.col, r.rows - lower, r.cols });
}

static bool is_head(const struct calendar_row *r)
{
	return !r->task && !r->due;
}

/* Whether the last row would be the head of a day whose tasks are out of sight: it stands with them. */
static bool ends_in_head(const struct calendar_view *v, int rows)
{
	const size_t next = (size_t)(v->scroll + rows);
	return rows > 0 && next < v->n_rows && is_head(&v->rows[next - 1]) &&
	       !is_head(&v->rows[next]);
}

/* Days whose heads come after those in sight. */
static size_t days_below(const struct calendar_view *v, int rows)
{
	size_t n = ends_in_head(v, rows);
	for (size_t i = (size_t)(v->scroll + rows); i < v->n_rows; i++)
		n += is_head(&v->rows[i]);
	return n;
}

static void draw_rows(const struct calendar_view *v, const struct pane *p, int rows, bool beside)
{
	const int shown = rows - ends_in_head(v, rows);
	for (int row = 0; row < shown && (size_t)(v->scroll + row) < v->n_rows; row++) {
		const struct calendar_row *r = &v->rows[v->scroll + row];
		if (is_head(r))
			draw_day(v, p, row, r->day, beside);
		else
			draw_task(v, p, row, r);
	}
}

/* In the last row, how much comes after it. */
static void draw_more(const struct calendar_view *v, const struct pane *p, int rows)
{
	const size_t days = days_below(v, rows), next = (size_t)(v->scroll + rows);
	/* A day whose last tasks are below is not among those that are counted. */
	const bool cut = next < v->n_rows && !is_head(&v->rows[next]);
	char text[80];
	snprintf(text, sizeof text, "↓ %s%zu more day%s: PgDn",
		cut ? "the rest of this day and " : "", days, days == 1 ? "" : "s");
	pane_fit_right(p, rows, 0, p->r.cols, days ? text : "↓ more: PgDn",
		v->sample ? STYLE_DIM : STYLE_ACCENT, 0);
}

/* Rows of the list that hold rows of the plan, from one of those on: not the last, where that says that there is
 * more. */
static int rows_for(const struct calendar_view *v, long from, int all)
{
	return from + all < (long)v->n_rows ? max_int(all - 1, 0) : all;
}

static void draw(const struct app *app, struct canvas *cv, struct rect body)
{
	const struct calendar_view *v = calendar_seen(app);
	const struct parts at = parts_of(app, body);
	const struct pane p = pane_of(cv, at.list);
	if (v->sample)
		write_none(app, cv, at.head);
	else
		paragraph_draw(cv, at.head, v->note, STYLE_PLAIN, ATTR_BOLD);
	if (!v->n_rows)
		return;
	const int rows = rows_for(v, v->scroll, at.list.rows);
	draw_rows(v, &p, rows, at.days.cols > 0);
	draw_beside(v, cv, at.days);
	/* Nobody takes for a plan of his own what is only an example. */
	if (v->sample) {
		canvas_restyle(cv, at.list, STYLE_DIM, 0);
		canvas_restyle(cv, at.days, STYLE_DIM, 0);
	}
	if (rows < at.list.rows)
		draw_more(v, &p, rows);
}

/* --- Keys --- */

static int list_rows_of(const struct app *app)
{
	return parts_of(app, frame_layout(app->rows, app->cols).body).list.rows;
}

/* Brings the focus into sight, with the head of its day where there is room. */
static void follow_focus(struct app *app)
{
	struct calendar_view *v = calendar_of(app);
	const int all = list_rows_of(app), rows = rows_for(v, 0, all);
	const long at = (long)v->focus, last = (long)v->n_rows - all;
	const bool ends =
		next_row(v, v->focus, 1) == v->focus; /* what comes after it is seen too */
	const long to = ends ? (long)v->n_rows - 1 : at;
	long head = at;
	while (head > 0 && !is_head(&v->rows[head]))
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

/* An example has no focus: it is looked through. */
static void scroll_example(struct app *app, long rows)
{
	struct calendar_view *v = calendar_of(app);
	const long last = (long)v->n_rows - list_rows_of(app), to = v->scroll + rows;
	v->scroll = to > last ? last : to;
	v->scroll = v->scroll < 0 ? 0 : v->scroll;
}

static void move(struct app *app, int way, int steps)
{
	struct calendar_view *v = calendar_of(app);
	size_t before = v->n_rows;
	if (v->sample) {
		scroll_example(app, (long)way * steps);
		return;
	}
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
	const int page = max_int(rows_for(calendar_seen(app), 0, list_rows_of(app)), 1);
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
		if (calendar_seen(app)->sample)
			entry_begin(&app->entry, ENTRY_DATE, 0); /* a date comes first */
		else
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
		return v->sample || has_focus(v);
	if (a == ACT_REVIEW)
		return v->n_due > 0;
	return true;
}

static const char *calls(const struct app *app, enum action a)
{
	const bool sample = calendar_seen(app)->sample;
	return a == ACT_ENTER && sample ? "set the date" : a == ACT_EDIT && sample ? "" : NULL;
}

/* The day that is meant, as soon as one is. */
static void reads(
	const struct app *app, enum entry_kind kind, const char *text, char *note, size_t size)
{
	const int64_t today = app_day(app);
	int64_t date;
	char shown[DATE_WORDS_SIZE];
	if (kind != ENTRY_DATE)
		return;
	if (!*text)
		snprintf(note, size, "14 December, friday, in 3 weeks; off: none");
	else if (date_words_read(text, today, &date) && date > today &&
		 date - today <= CALENDAR_MOST_DAYS)
		snprintf(note, size, "%s, in %" PRId64 " day%s: Enter",
			date_words(date, today, shown, sizeof shown), date - today,
			date - today == 1 ? "" : "s");
}

static bool typed(struct app *app, enum entry_kind kind, const char *text)
{
	struct entry *e = &app->entry;
	if (kind != ENTRY_DATE || !*text)
		return true;
	if (take_date(app, &text, 1, e->error, sizeof e->error))
		return false;
	show(app);
	return true;
}

static void click(struct app *app, struct rect body, int row, int col)
{
	struct calendar_view *v = calendar_of(app);
	const struct rect list = parts_of(app, body).list;
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
	char date[DATE_WORDS_SIZE];
	snprintf(trail, trail_size, "ridge › Calendar");
	if (v->n_rows && !v->sample)
		snprintf(right, size, "until %s",
			date_words(v->date, v->c.today, date, sizeof date));
}

static void settle(struct app *app)
{
	const struct calendar_view *v = calendar_seen(app);
	if (!v->n_rows || too_small(app->rows, app->cols))
		return;
	if (v->sample)
		scroll_example(app, 0);
	else
		follow_focus(app);
}

static const char *target_of(const struct calendar_row *r)
{
	return r->due ? "drill mode=review" : r->task ? r->task->target : "";
}

/* What is done elsewhere changes the plan, so it is made anew on return, at what was begun there. */
static void leave(struct app *app)
{
	struct calendar_view *v = calendar_of(app);
	char begun[sizeof v->begun] = "";
	const size_t at = v->focus;
	if (has_focus(v))
		snprintf(begun, sizeof begun, "%s", target_of(&v->rows[at]));
	release(app);
	snprintf(v->begun, sizeof v->begun, "%s", begun);
	v->begun_at = at;
}

/* What was begun, or, where that is done, the next behind it. */
static void focus_begun(struct calendar_view *v, const char *begun, size_t at)
{
	if (!*begun || !v->n_rows || v->sample)
		return;
	size_t row = 0;
	while (row < v->n_rows &&
		(!can_begin(&v->rows[row]) || strcmp(target_of(&v->rows[row]), begun) != 0))
		row++;
	if (row == v->n_rows)
		for (row = at; row < v->n_rows && !can_begin(&v->rows[row]);)
			row++;
	if (row < v->n_rows)
		v->focus = row;
}

static bool restore(struct app *app, const struct place *p)
{
	struct calendar_view *v = calendar_of(app);
	char begun[sizeof v->begun];
	const size_t at = v->begun_at;
	(void)p;
	snprintf(begun, sizeof begun, "%s", v->begun);
	show(app);
	focus_begun(v, begun, at);
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
	.calls = calls,
	.reads = reads,
	.typed = typed,
	.click = click,
	.settle = settle,
	.leave = leave,
	.restore = restore,
	.target = target,
};
