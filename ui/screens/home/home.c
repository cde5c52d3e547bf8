/* The home screen: the line that counts, chapters with progress, talks, simulations in their groups,
 * interviews, drills. */
#include "ui/screens/home/home.h"

#include "sims/base/minmax.h"
#include "sims/registry/registry.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/views/parts.h"
#include "ui/live/action.h"
#include "ui/screens/home/home_drills.h"
#include "ui/screens/home/home_lead.h"
#include "ui/screens/home/home_lines.h"
#include "ui/screens/screens.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	STACKED_BELOW = 120, /* columns: drills stand under the simulations */
	STATES_FROM = 176,   /* columns: how far a page was read stands beside its time */
	LOW = 16,            /* rows of the body: no blank lines around the first one */
	ROOMY = 45,          /* rows from which the lists end above the last line alone */
	MARK = 2,            /* before an entry: where the cursor is */
	NUMBER = 3,          /* of a chapter */
	STATE = 6,           /* of a page: time to read it, a bar, or that it is read */
	STATE_AND_TIME = STATE + 8,
	SECOND = 22,       /* for the titles of the simulations */
	GROUP = 16,        /* for the name of a group beside its simulations */
	SAYS = 30,         /* the least room for what a simulation shows, beside its title */
	DRILLS_WIDTH = 29, /* no more: a number far from its name is hard to read */
	LEAST_LIST = 7,    /* rows that the lower of two lists keeps, its heading with it */
	LEAST_TALKS = 3,   /* the same of the talks below the chapters, a blank row above it */
	TOPIC_WIDTH = 29,  /* a heading, how many are below, and what their numbers count */
	GUTTER = 2,
	BETWEEN = 3
};

/* Columns that show every title whole, beside the state of its page. */
static int titles_width(const struct app *app)
{
	int width = 0;
	for (size_t i = 0; i < app->pages.n; i++) {
		const struct page_info *p = &app->pages.pages[i];
		width = max_int(width, text_width(p->title) + (p->chapter < 0 ? 0 : NUMBER));
	}
	for (size_t i = 0; i < app->tours.n_talks; i++)
		width = max_int(width, text_width(app->tours.tours[i].title));
	return MARK + width + 1;
}

/* Rows of the drills, where each heading has a blank one above it: of all, and up to the first way to drill, which
 * comes after the interviews. */
static int drills_rows(const struct app *app, int *least)
{
	const int entries = home_entries(app, HOME_DRILLS);
	int rows = 1; /* the head of the column */
	*least = 0;
	for (int i = 0; i < entries; i++) {
		const bool heading = home_heading(app, HOME_DRILLS, i) != NULL;
		rows += heading ? 3 : 1;
		*least = heading && !*least ? rows : *least;
	}
	return rows;
}

/* How many rows the simulations get above the drills. When both lists do not fit, the one with the
 * cursor gets most of the room, and the other keeps a few rows. */
static int upper_rows(const struct app *app, int rows)
{
	int least;
	const int sims_all = home_entries(app, HOME_SIMS) + 1;
	const int drills_all = drills_rows(app, &least), room = rows - 1;
	const int lower = max_int(min_int(least, room * 4 / 7), room * 3 / 7);
	if (sims_all + drills_all <= room)
		return room - drills_all;
	if (home_seen(app)->column == HOME_DRILLS)
		return max_int(room - drills_all, min_int(LEAST_LIST, room - lower));
	return min_int(sims_all + (int)n_sim_groups, room - lower);
}

/* How many rows the pages get above the talks. Where not all of both fits, the one with the cursor
 * gets the room; chapters give way only to the first of the talks, where they are scrolled in any case. */
static int reading_rows(const struct app *app, int rows)
{
	const int talks = home_entries(app, HOME_TALKS) + 1;
	const int chapters = home_chapters(app) + 1, left = rows - 1 - talks;
	if (home_seen(app)->column == HOME_TALKS)
		return left >= LEAST_LIST ? left : 0;
	if (rows - chapters < LEAST_TALKS)
		return rows > 2 * LEAST_LIST ? rows - LEAST_TALKS : rows;
	return max_int(left, chapters);
}

/* The pages, and below them the talks; a blank row between where there is one. */
static void read_and_talk(const struct app *app, struct rect r, struct rect out[HOME_COLUMNS])
{
	struct home_lines l = { .says = 0 };
	int upper = reading_rows(app, r.rows);
	home_lines(app, HOME_PAGES, max_int(upper - 1, 0), &l);
	upper = min_int(upper, l.n + 1);
	const int between = upper > 0 && r.rows - upper >= LEAST_TALKS;
	const int lower = upper > 0 ? upper + between : 0;
	out[HOME_PAGES] = (struct rect){ r.row, r.col, upper, r.cols };
	out[HOME_TALKS] = (struct rect){ r.row + lower, r.col, r.rows - lower, r.cols };
}

/* Rows above the columns: the lead, what stands under it, and blank ones where there is room. */
static int rows_above(const struct app *app, struct rect r)
{
	char line[HOME_LEAD_SIZE], under[HOME_LEAD_SIZE];
	home_lead(app, r.cols - MARK, line, under);
	const int below = min_int(text_lines(under, r.cols - MARK, app->glyphs), 2);
	return r.rows < LOW ? 2 : 1 + 1 + below + 1;
}

/* Places the columns side by side where they fit; otherwise the drills stand under the
 * simulations. */
static void columns(const struct app *app, struct rect r, struct rect out[HOME_COLUMNS])
{
	const int above = rows_above(app, r), top = r.row + above;
	const int rows = r.rows - above - 1 - (r.rows < ROOMY), titles = titles_width(app);
	out[HOME_LEAD] = (struct rect){ r.row + (r.rows >= LOW), r.col, 1, r.cols };
	if (r.cols + 2 >= STACKED_BELOW) {
		const bool roomy = r.cols + 2 >= STATES_FROM;
		const int between = roomy ? BETWEEN : GUTTER;
		int left = min_int(titles + (roomy ? STATE_AND_TIME : STATE), r.cols / 2);
		int both = r.cols - left - 2 * between;
		int drills = min_int(both - SECOND, DRILLS_WIDTH), second = both - drills;
		int col = r.col + left + between;
		read_and_talk(app, (struct rect){ top, r.col, rows, left }, out);
		out[HOME_SIMS] = (struct rect){ top, col, rows, second };
		out[HOME_DRILLS] = (struct rect){ top, col + second + between, rows, drills };
		return;
	}
	const int room = r.cols - GUTTER - min_int(SECOND, r.cols * 2 / 5);
	int left = titles + STATE_AND_TIME <= room ? titles + STATE_AND_TIME
						   : min_int(titles + STATE, room);
	int col = r.col + left + GUTTER, right = r.cols - left - GUTTER;
	int upper = upper_rows(app, rows);
	read_and_talk(app, (struct rect){ top, r.col, rows, left }, out);
	out[HOME_SIMS] = (struct rect){ top, col, upper, right };
	out[HOME_DRILLS] = (struct rect){ top + upper + 1, col, rows - upper - 1, right };
}

/* The right end of a page's line: minutes of reading, a bar for how far it was read, or "read". */
static void draw_state(
	const struct app *app, struct canvas *cv, struct rect r, const struct page_info *page)
{
	const struct pane p = pane_of(cv, r);
	char minutes[32];
	double share = progress_of(app->progress, page->id);
	bool both = r.cols >= STATE_AND_TIME, read = progress_is_read(app->progress, page->id);
	snprintf(minutes, sizeof minutes, "%d min", app_page_minutes(app, page));
	if (app_page_minutes(app, page) == 0)
		minutes[0] = '\0'; /* it is looked into, not read */
	if (read)
		canvas_text(cv, r.row, r.col, STATE, "✓ read", STYLE_DIM, 0);
	else if (share > 0) /* an empty bar tells nothing */
		meter_draw(&p, 0, 0, STATE, share, STYLE_ACCENT);
	if (both || (share <= 0 && !read))
		canvas_text_right(cv, r.row, r.col, r.cols, minutes, STYLE_DIM, 0);
}

/* How wide that part may be beside the titles. */
static int state_cols(const struct app *app, int cols)
{
	return cols >= titles_width(app) + STATE_AND_TIME ? STATE_AND_TIME : cols >= 30 ? STATE : 0;
}

static void draw_page(const struct app *app, const struct pane *line, int i, int state,
	enum style style, unsigned attr)
{
	const struct page_info *p = &app->pages.pages[i];
	const struct rect r = line->r;
	int col = MARK;
	if (p->chapter >= 0) {
		pane_printf(line, 0, col, NUMBER, style, attr, "%2d", p->chapter);
		col += NUMBER;
	}
	pane_fit(line, 0, col, r.cols - col - state - (state > 0), p->title, style, attr);
	if (state)
		draw_state(
			app, line->cv, (struct rect){ r.row, r.col + r.cols - state, 1, state }, p);
}

static void draw_talk(const struct app *app, const struct pane *line, int i, int state,
	enum style style, unsigned attr)
{
	const struct tour_info *t = &app->tours.tours[i];
	char minutes[32];
	snprintf(minutes, sizeof minutes, "%d min", t->minutes);
	pane_fit(line, 0, MARK, line->r.cols - MARK - state - (state > 0), t->title, style, attr);
	if (state)
		pane_fit_right(line, 0, 0, line->r.cols, minutes, STYLE_DIM, 0);
}

/* A column as it stands on the screen. */
struct list {
	struct home_lines lines;
	int first, rows;
};

/* Columns beside the titles for what the simulations show; 0: too few. */
static int says_cols(int cols)
{
	const int left = cols - MARK - SECOND;
	return left >= SAYS ? left : 0;
}

/* What a simulation shows, as long as there is room for it. */
static const char *said_of(int sim, int cols, enum glyphs glyphs)
{
	const char *whole = sims[sim]->summary;
	return text_cols(whole, glyphs) <= cols ? whole : sim_briefs[sim];
}

/* A line of its description, or a shorter one where it has one line only. */
static void draw_summary(const struct pane *p, const struct list *l, int i, enum style style)
{
	const struct home_line *at = &l->lines.at[l->first + i];
	const char *text = sims[at->entry]->summary;
	const bool whole = l->first + i + 1 < l->lines.n && l->lines.at[l->first + i + 1].part > 0;
	struct text_line line;
	if (at->part == 0 && !whole) {
		pane_clause(p, 0, MARK + SECOND, -1,
			said_of(at->entry, l->lines.says, p->cv->glyphs), style, 0);
		return;
	}
	for (int k = 0; text_wrap(&text, l->lines.says, p->cv->glyphs, &line); k++)
		if (k == at->part)
			pane_line(p, 0, MARK + SECOND, &line, style, 0);
}

/* A simulation: its group where that stands beside it, its title, what it shows. */
static void draw_sim(
	const struct pane *line, const struct list *l, int i, enum style style, unsigned attr)
{
	const struct home_line *at = &l->lines.at[l->first + i];
	if (l->lines.beside && at->text)
		pane_text(line, 0, 0, GROUP, at->text, STYLE_DIM, ATTR_BOLD);
	if (at->part == 0)
		pane_fit(line, 0, l->lines.beside ? GROUP + MARK : MARK,
			l->lines.says && !l->lines.beside ? SECOND - 1 : -1, sims[at->entry]->title,
			style, attr);
	if (l->lines.says && !l->lines.beside)
		draw_summary(line, l, i, STYLE_DIM);
}

static struct list list_of(const struct app *app, int column, struct rect r)
{
	const bool sims_here = column == HOME_SIMS;
	struct list l = { .rows = max_int(r.rows - 1, 0) };
	l.lines.says = sims_here ? says_cols(r.cols) : 0;
	l.lines.beside = sims_here && r.cols >= GROUP + MARK + SECOND - 1;
	home_lines(app, column, l.rows, &l.lines);
	l.first = home_lines_first(&l.lines, home_seen(app)->row[column], l.rows);
	/* A heading at the top stands as the column's. */
	while (!sims_here && l.first > 0 && l.lines.at[l.first].entry < 0)
		l.first++;
	return l;
}

static bool is_heading(const struct home_line *at)
{
	return at->entry < 0 && *at->text;
}

/* Drills have a heading as that of a column, under which they stand with the interviews; topics say what
 * their numbers count. */
static void draw_heading(const struct pane *line, int column, const struct home_line *at)
{
	const bool drills = column == HOME_DRILLS && is_heading(at);
	const bool topics = drills && at->above == home_drills_fixed();
	pane_text(line, 0, 0, -1, at->text, drills && !topics ? STYLE_PLAIN : STYLE_DIM, ATTR_BOLD);
	if (topics && line->r.cols >= TOPIC_WIDTH)
		pane_fit_right(line, 0, 0, line->r.cols, "problems", STYLE_DIM, 0);
}

/* The i-th row of a list. */
static void draw_line(
	const struct app *app, const struct pane *line, int column, const struct list *l, int i)
{
	const struct home_view *h = home_seen(app);
	const struct home_line *at = &l->lines.at[l->first + i];
	const bool focused = h->column == column && h->row[column] == at->entry;
	enum style style = focused ? STYLE_ACCENT : STYLE_PLAIN;
	unsigned attr = focused ? ATTR_BOLD : 0;
	if (at->entry < 0) {
		draw_heading(line, column, at);
		return;
	}
	if (focused && at->part == 0)
		pane_text(line, 0, l->lines.beside ? GROUP : 0, 1, "▸", style, ATTR_BOLD);
	if (column == HOME_PAGES)
		draw_page(app, line, at->entry, state_cols(app, line->r.cols), style, attr);
	else if (column == HOME_TALKS)
		draw_talk(app, line, at->entry, state_cols(app, line->r.cols), style, attr);
	else if (column == HOME_SIMS)
		draw_sim(line, l, i, style, attr);
	else
		home_drill_draw(app, line->cv, line->r, at->entry, focused);
}

/* How much is below, beside the heading that it belongs to: the last in sight of the drills, else the column's. What
 * is a group of its own is named. */
static void draw_more(const struct app *app, struct canvas *cv, struct rect r, int column,
	const struct list *l, const char *head, int shown)
{
	const int n = home_entries(app, column) - shown;
	const char *group = column == HOME_SIMS ? NULL : home_heading(app, column, shown);
	int row = r.row;
	char more[64];
	for (int i = 0; column == HOME_DRILLS && i < l->rows && l->first + i < l->lines.n; i++) {
		const struct home_line *at = &l->lines.at[l->first + i];
		if (is_heading(at) && at->above < shown) {
			row = r.row + 1 + i;
			head = at->text;
		}
	}
	if (group)
		snprintf(more, sizeof more, "  %s ↓ %d", group, n);
	else
		snprintf(more, sizeof more, "  ↓ %d more", n);
	const int used = text_width(head), room = r.cols - used;
	if (text_width(more) > room)
		snprintf(more, sizeof more, "  ↓ %d", n);
	canvas_text(cv, row, r.col + used, room, more, STYLE_DIM, 0);
}

/* What the lines in sight belong to: the column, or the heading in it that was scrolled away. */
static const char *head_of(const struct list *l, int column, const char *name)
{
	for (int i = 0; column != HOME_SIMS && i < l->first; i++)
		if (is_heading(&l->lines.at[i]))
			name = l->lines.at[i].text;
	return name;
}

static void draw_column(const struct app *app, struct canvas *cv, struct rect r, int column)
{
	static const char *const heads[] = { "", "Read", "Give a talk", "Simulate", "Interview" };
	if (r.rows <= 0)
		return;
	const struct list l = list_of(app, column, r);
	int n = home_entries(app, column), shown = 0;
	bool here = home_seen(app)->column == column;
	const char *head = head_of(&l, column, heads[column]);
	canvas_text(cv, r.row, r.col, r.cols, head, here ? STYLE_ACCENT : STYLE_PLAIN, ATTR_BOLD);
	for (int i = 0; i < l.rows && l.first + i < l.lines.n; i++) {
		const struct home_line *at = &l.lines.at[l.first + i];
		/* A heading with nothing under it waits for the next page. */
		if (at->entry < 0 && l.first + i + 1 < l.lines.n &&
			(i + 1 == l.rows || (*at->text == '\0' && i + 2 == l.rows)))
			break;
		struct pane line = pane_of(cv, (struct rect){ r.row + 1 + i, r.col, 1, r.cols });
		draw_line(app, &line, column, &l, i);
		shown = at->entry >= 0 ? at->entry + 1 : shown;
	}
	if (n == 0 && l.rows > 0)
		canvas_text(
			cv, r.row + 1, r.col + MARK, r.cols - MARK, "nothing here", STYLE_DIM, 0);
	if (shown < n)
		draw_more(app, cv, r, column, &l, head, shown);
}

/* How long a page takes and how much of it is left to read. */
static void about_page(const struct app *app, int i, char *text, size_t size)
{
	const struct page_info *p = &app->pages.pages[i];
	double share = progress_of(app->progress, p->id);
	int minutes = app_page_minutes(app, p);
	if (minutes == 0)
		snprintf(text, size, "to look things up in: / finds a word there, t an entry");
	else if (share <= 0)
		snprintf(text, size, "about %d minutes to read", minutes);
	else if (progress_is_read(app->progress, p->id))
		snprintf(text, size, "read; about %d minutes", minutes);
	else
		snprintf(text, size, "%.0f %% read, about %.0f of %d minutes left", 100 * share,
			ceil((1 - share) * minutes), minutes);
}

/* One line about the entry in focus. */
static void draw_about(const struct app *app, struct canvas *cv, struct rect r)
{
	char text[256] = "";
	const int column = home_seen(app)->column, i = home_seen(app)->row[column];
	if (column == HOME_LEAD || i >= home_entries(app, column))
		return;
	if (column == HOME_PAGES)
		about_page(app, i, text, sizeof text);
	else if (column == HOME_TALKS)
		snprintf(text, sizeof text, "notes in a second terminal: ridge present %s --notes",
			app->tours.tours[i].id);
	else if (column == HOME_SIMS)
		snprintf(text, sizeof text, "%s", said_of(i, r.cols, app->glyphs));
	else
		home_drill_about(app, i, text, sizeof text);
	struct pane line = pane_of(cv, r);
	pane_clause(&line, 0, 0, -1, text, STYLE_DIM, 0);
}

static void draw_lead(const struct app *app, struct canvas *cv, struct rect r, int rows)
{
	char line[HOME_LEAD_SIZE], under[HOME_LEAD_SIZE];
	const bool here = home_seen(app)->column == HOME_LEAD;
	struct pane p = pane_of(cv, r);
	home_lead(app, r.cols - MARK, line, under);
	if (here)
		pane_text(&p, 0, 0, 1, "▸", STYLE_ACCENT, ATTR_BOLD);
	pane_words(&p, 0, MARK, -1, line, STYLE_ACCENT, ATTR_BOLD);
	paragraph_draw(cv, (struct rect){ r.row + 1, r.col + MARK, rows, r.cols - MARK }, under,
		app->progress->warning[0] ? STYLE_WARN : STYLE_DIM, 0);
}

static void draw(const struct app *app, struct canvas *cv, struct rect r)
{
	struct rect column[HOME_COLUMNS];
	columns(app, r, column);
	draw_lead(app, cv, column[HOME_LEAD],
		max_int(column[HOME_PAGES].row - column[HOME_LEAD].row - 2, r.rows < LOW));
	draw_about(app, cv, (struct rect){ r.row + r.rows - 1, r.col, 1, r.cols });
	for (int i = HOME_PAGES; i < HOME_COLUMNS; i++)
		draw_column(app, cv, column[i], i);
}

static void open_entry(struct app *app)
{
	char target[80];
	const int column = home_of(app)->column, i = home_of(app)->row[column];
	if (i >= home_entries(app, column))
		return;
	if (column == HOME_LEAD)
		home_lead_target(app, target, sizeof target);
	else if (column == HOME_PAGES)
		snprintf(target, sizeof target, "page:%s", app->pages.pages[i].id);
	else if (column == HOME_TALKS)
		snprintf(target, sizeof target, "present:%s", app->tours.tours[i].id);
	else if (column == HOME_SIMS)
		snprintf(target, sizeof target, "sim:%s", sims[i]->id);
	else
		home_drill_target(app, i, target, sizeof target);
	app_go_to(app, target);
}

/* The list that stands above or below one; HOME_LEAD: none does. */
static int neighbour(const struct app *app, int column, int by)
{
	const bool stacked = app->cols < STACKED_BELOW;
	if (by > 0)
		return column == HOME_PAGES && app->tours.n_talks ? HOME_TALKS
		       : column == HOME_SIMS && stacked           ? HOME_DRILLS
								  : HOME_LEAD;
	return column == HOME_TALKS               ? HOME_PAGES
	       : column == HOME_DRILLS && stacked ? HOME_SIMS
						  : HOME_LEAD;
}

/* Down from the lead to the chapters, and up from the top of a list to the lead; also over the edge
 * between two lists that stand one above the other. True: the column has changed. */
static bool cross(struct app *app, int by)
{
	struct home_view *h = home_of(app);
	const int row = h->row[h->column], last = home_entries(app, h->column) - 1;
	if (h->column == HOME_LEAD && by > 0) {
		h->column = HOME_PAGES;
		return true;
	}
	if ((by != 1 || row != last) && (by != -1 || row != 0))
		return false;
	const int to = neighbour(app, h->column, by);
	if (to == HOME_LEAD && by == 1)
		return false;
	h->column = to;
	if (to != HOME_LEAD)
		h->row[to] = by == 1 ? 0 : max_int(home_entries(app, to) - 1, 0);
	return true;
}

static void move(struct app *app, int by)
{
	struct home_view *h = home_of(app);
	int *row = &h->row[h->column], last = home_entries(app, h->column) - 1;
	if (!cross(app, by))
		*row = max_int(0, min_int(*row + by, last));
}

/* The lead stands over the first column, and the talks under the pages. */
static void move_aside(struct home_view *h, int by)
{
	if (by > 0 && h->column < HOME_SIMS)
		h->column = HOME_SIMS;
	else if (by > 0)
		h->column = HOME_DRILLS;
	else if (h->column == HOME_DRILLS)
		h->column = HOME_SIMS;
	else if (h->column == HOME_SIMS)
		h->column = HOME_PAGES;
}

static bool act(struct app *app, enum action a)
{
	struct home_view *h = home_of(app);
	switch (a) {
	case ACT_UP:
		move(app, -1);
		break;
	case ACT_DOWN:
		move(app, 1);
		break;
	case ACT_PAGE_UP:
		move(app, -8);
		break;
	case ACT_PAGE_DOWN:
		move(app, 8);
		break;
	case ACT_TOP:
		h->row[h->column] = 0;
		break;
	case ACT_BOTTOM:
		move(app, 1000);
		break;
	case ACT_NEXT:
		h->column = (h->column + 1) % HOME_COLUMNS;
		break;
	case ACT_PREVIOUS:
		h->column = (h->column + HOME_COLUMNS - 1) % HOME_COLUMNS;
		break;
	case ACT_LEFT:
		move_aside(h, -1);
		break;
	case ACT_RIGHT:
		move_aside(h, 1);
		break;
	case ACT_ENTER:
		open_entry(app);
		break;
	case ACT_REVIEW:
		app_go_to(app, "drill mode=review");
		break;
	case ACT_CALENDAR:
		app_go_to(app, "calendar");
		break;
	default:
		return false;
	}
	return true;
}

static void click(struct app *app, struct rect body, int row, int col)
{
	struct rect column[HOME_COLUMNS];
	columns(app, body, column);
	for (int i = HOME_LEAD; i < HOME_COLUMNS; i++) {
		const struct list l = list_of(app, i, column[i]);
		const int line = row - column[i].row - (i != HOME_LEAD);
		const bool inside = col >= column[i].col && col < column[i].col + column[i].cols &&
				    line >= 0 && line < (i == HOME_LEAD ? 1 : l.rows);
		int at = i == HOME_LEAD ? 0 : -1;
		if (i != HOME_LEAD && inside && l.first + line < l.lines.n)
			at = l.lines.at[l.first + line].entry;
		if (!inside || at < 0)
			continue;
		bool again = home_of(app)->column == i && home_of(app)->row[i] == at;
		home_of(app)->column = i;
		home_of(app)->row[i] = at;
		if (again)
			open_entry(app);
		return;
	}
}

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	(void)app;
	snprintf(trail, trail_size, "ridge");
	snprintf(right, size, "machine-learning performance engineering");
}

static bool acts(const struct app *app, enum action a)
{
	return a != ACT_BACK && (a != ACT_REVIEW || home_seen(app)->answers.n_due > 0);
}

static enum opened open_home(struct app *app, const char *name, const char *const words[], size_t n,
	char *err, size_t err_size)
{
	(void)words;
	if (strcmp(name, "home") != 0)
		return OPEN_NOT_MINE;
	if (n > 0) {
		snprintf(err, err_size, "the home screen has no settings");
		return OPEN_FAILED;
	}
	app_show(app, SCREEN_HOME);
	return OPENED;
}

/* Answers given on other screens change these counts, so they are counted again on return. */
static void leave(struct app *app)
{
	home_of(app)->answers = (struct home_answers){ 0 };
}

/* An empty target: ridge opens on the home screen again. */
static void kept(const struct app *app, char *target, size_t size, long *scroll)
{
	(void)app;
	(void)size;
	(void)scroll;
	target[0] = '\0';
}

const struct screen home_screen = {
	.name = "the home screen",
	.word = "home",
	.state_size = sizeof(struct home_view),
	.root = true,
	.hints = 6, /* both ways to move, and what leads on and out */
	.open = open_home,
	.title = title,
	.draw = draw,
	.act = act,
	.acts = acts,
	.click = click,
	.tick = home_drills_tick,
	.leave = leave,
	.kept = kept,
};
