/* The home screen: chapters with progress, simulations, drills, and the one next step. */
#include "ui/screens/home/home.h"

#include "sims/base/minmax.h"
#include "sims/registry/registry.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/live/action.h"
#include "ui/screens/home/home_drills.h"
#include "ui/screens/screens.h"

#include <math.h>
#include <stdio.h>

enum { CHAPTERS, SIMULATIONS, DRILLS, N_COLUMNS };
enum {
	STACKED_BELOW = 120, /* columns: drills stand under the simulations */
	MARK = 2,            /* before an entry: where the cursor is */
	NUMBER = 3,          /* of a chapter */
	STATE = 6,           /* of a page: time to read it, a bar, or that it is read */
	STATE_AND_TIME = STATE + 8,
	SECOND = 23,       /* for the titles of the simulations */
	DRILLS_WIDTH = 44, /* no more: a number far from its name is hard to read */
	GUTTER = 2
};

static int entries(const struct app *app, int column)
{
	switch (column) {
	case CHAPTERS:
		return (int)app->pages.n;
	case SIMULATIONS:
		return (int)n_sims;
	default:
		return home_drills(app);
	}
}

static int chapters(const struct app *app)
{
	int n = 0;
	while ((size_t)n < app->pages.n && app->pages.pages[n].chapter >= 0)
		n++;
	return n;
}

/* The chapter to read next: the first that is not read to its end. */
static int next_chapter(const struct app *app)
{
	for (int i = 0; i < chapters(app); i++)
		if (!progress_is_read(app->progress, app->pages.pages[i].id))
			return i;
	return -1;
}

/* Columns that show every title whole, beside the state of its page. */
static int titles_width(const struct app *app)
{
	int width = 0;
	for (size_t i = 0; i < app->pages.n; i++) {
		const struct page_info *p = &app->pages.pages[i];
		width = max_int(width, text_width(p->title) + (p->chapter < 0 ? 0 : NUMBER));
	}
	return MARK + width + 1;
}

/* How many rows the simulations get above the drills. When both lists do not fit, the one with the
 * cursor gets most of the room and the other only its heading. */
static int upper_rows(const struct app *app, int rows)
{
	const int sims_all = entries(app, SIMULATIONS) + 1, drills_all = entries(app, DRILLS) + 1;
	const int room = rows - 1;
	if (sims_all + drills_all <= room)
		return sims_all;
	if (home_seen(app)->column == SIMULATIONS)
		return min_int(sims_all, room - 1);
	if (home_seen(app)->column == DRILLS)
		return max_int(room - drills_all, 1);
	return min_int(sims_all, max_int(room - drills_all, (room + 1) / 2));
}

/* The text above the columns: what to do next. */
static void intro(const struct app *app, char *text, size_t size)
{
	int next = next_chapter(app);
	if (app->progress->warning[0])
		snprintf(text, size, "%s", app->progress->warning);
	else if (app->progress->n_read == 0 && next >= 0)
		snprintf(text, size,
			"Start here: Enter opens \"%s\". Pages have live figures; Tab reaches "
			"them, h and l turn their knobs.",
			app->pages.pages[next].title);
	else if (next >= 0)
		snprintf(text, size, "Next: \"%s\", %.0f %% read.", app->pages.pages[next].title,
			100 * progress_of(app->progress, app->pages.pages[next].id));
	else
		snprintf(text, size, "Every chapter is read. Drills keep it.");
}

/* Places the three columns side by side where they fit; otherwise the drills stand under the
 * simulations. */
static void columns(const struct app *app, struct rect r, struct rect out[N_COLUMNS])
{
	char text[512];
	intro(app, text, sizeof text);
	const int above = text_width(text) <= r.cols ? 3 : 4, top = r.row + above;
	const int rows = r.rows - above - 2, titles = titles_width(app);
	if (r.cols + 2 >= STACKED_BELOW) {
		int left = min_int(titles + STATE_AND_TIME, r.cols / 2);
		int both = r.cols - left - 6, drills = min_int(both - SECOND, DRILLS_WIDTH);
		int second = both - drills;
		out[CHAPTERS] = (struct rect){ top, r.col, rows, left };
		out[SIMULATIONS] = (struct rect){ top, r.col + left + 3, rows, second };
		out[DRILLS] = (struct rect){ top, r.col + left + second + 6, rows, drills };
		return;
	}
	const int room = r.cols - GUTTER - min_int(SECOND, r.cols * 2 / 5);
	int left = titles + STATE_AND_TIME <= room ? titles + STATE_AND_TIME
						   : min_int(titles + STATE, room);
	int col = r.col + left + GUTTER, right = r.cols - left - GUTTER;
	int upper = upper_rows(app, rows);
	out[CHAPTERS] = (struct rect){ top, r.col, rows, left };
	out[SIMULATIONS] = (struct rect){ top, col, upper, right };
	out[DRILLS] = (struct rect){ top + upper + 1, col, rows - upper - 1, right };
}

static void draw_bar(struct canvas *cv, int row, int col, int width, double share)
{
	bool ascii = cv->glyphs == GLYPHS_ASCII;
	int full = (int)lround(share * width);
	for (int i = 0; i < width; i++)
		canvas_put(cv, row, col + i,
			i < full ? (ascii ? '#' : 0x2501) : (ascii ? '.' : 0x2500),
			i < full ? STYLE_ACCENT : STYLE_DIM, 0);
}

/* The right end of a page's line: minutes of reading, a bar for how far it was read, or "read". */
static void draw_state(
	const struct app *app, struct canvas *cv, struct rect r, const struct page_info *p)
{
	char minutes[32];
	double share = progress_of(app->progress, p->id);
	bool both = r.cols >= STATE_AND_TIME, read = progress_is_read(app->progress, p->id);
	snprintf(minutes, sizeof minutes, "%d min", page_minutes(p));
	if (read)
		canvas_text(cv, r.row, r.col, STATE, "✓ read", STYLE_DIM, 0);
	else if (share > 0)
		draw_bar(cv, r.row, r.col, STATE, share);
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

/* state: how many columns draw_state gets. */
static void draw_entry(
	const struct app *app, const struct pane *line, int column, int i, int state, bool focused)
{
	enum style style = focused ? STYLE_ACCENT : STYLE_PLAIN;
	unsigned attr = focused ? ATTR_BOLD : 0;
	if (focused)
		pane_text(line, 0, 0, 1, "▸", style, ATTR_BOLD);
	if (column == CHAPTERS)
		draw_page(app, line, i, state, style, attr);
	else if (column == SIMULATIONS)
		pane_fit(line, 0, MARK, -1, sims[i]->title, style, attr);
	else
		home_drill_draw(app, line->cv, line->r, i, focused);
}

/* The line of an entry in its column: one line each, and one heading above the reference pages. */
static int line_of(const struct app *app, int column, int entry)
{
	return entry + (column == CHAPTERS && entry >= chapters(app));
}

/* The entry in a line; -1: none. */
static int entry_in(const struct app *app, int column, int line)
{
	const int over = column == CHAPTERS ? chapters(app) : -1;
	if (line == over)
		return -1;
	int entry = line - (over >= 0 && line > over);
	return entry >= 0 && entry < entries(app, column) ? entry : -1;
}

/* The first line that is shown, scrolled so that the entry in focus is visible. */
static int first_shown(const struct app *app, int column, int rows)
{
	int first = line_of(app, column, home_seen(app)->row[column]) - rows + 1;
	return first < 0 ? 0 : first;
}

static void draw_column(const struct app *app, struct canvas *cv, struct rect r, int column)
{
	static const char *const heads[] = { "Read", "Turn the knobs", "Drill" };
	int n = entries(app, column), rows = r.rows - 1, shown = 0;
	int first = first_shown(app, column, rows);
	int state = column == CHAPTERS ? state_cols(app, r.cols) : 0;
	bool here = home_seen(app)->column == column;
	canvas_text(cv, r.row, r.col, r.cols, heads[column], here ? STYLE_ACCENT : STYLE_DIM,
		here ? ATTR_BOLD : 0);
	for (int i = 0; i < rows; i++) {
		int entry = entry_in(app, column, first + i);
		struct pane line = pane_of(cv, (struct rect){ r.row + 1 + i, r.col, 1, r.cols });
		if (entry >= 0) {
			draw_entry(app, &line, column, entry, state,
				here && home_seen(app)->row[column] == entry);
			shown = entry + 1;
		} else if (first + i < n) {
			pane_text(&line, 0, 0, -1, "Look up", STYLE_DIM, 0);
		}
	}
	if (n == 0 && rows > 0)
		canvas_text(
			cv, r.row + 1, r.col + MARK, r.cols - MARK, "nothing here", STYLE_DIM, 0);
	if (shown < n) {
		const int used = text_width(heads[column]), room = r.cols - used;
		char more[32];
		snprintf(more, sizeof more, "  ↓ %d more", n - shown);
		canvas_text(cv, r.row, r.col + used,
			text_width(more) <= room ? room : text_width(more) - 5, more, STYLE_DIM, 0);
	}
}

/* How long a page takes and how much of it is left to read. */
static void about_page(const struct app *app, int i, char *text, size_t size)
{
	const struct page_info *p = &app->pages.pages[i];
	double share = progress_of(app->progress, p->id);
	int minutes = page_minutes(p);
	if (share <= 0)
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
	int i = home_seen(app)->row[home_seen(app)->column];
	if (i >= entries(app, home_seen(app)->column))
		return;
	if (home_seen(app)->column == CHAPTERS)
		about_page(app, i, text, sizeof text);
	else if (home_seen(app)->column == SIMULATIONS)
		snprintf(text, sizeof text, "%s", sims[i]->summary);
	else
		home_drill_about(app, i, text, sizeof text);
	struct pane line = pane_of(cv, r);
	pane_fit(&line, 0, 0, -1, text, STYLE_DIM, 0);
}

static void draw(const struct app *app, struct canvas *cv, struct rect r)
{
	struct rect column[N_COLUMNS];
	char text[512];
	intro(app, text, sizeof text);
	paragraph_draw(cv, (struct rect){ r.row + 1, r.col, 2, r.cols }, text,
		app->progress->warning[0] ? STYLE_WARN : STYLE_PLAIN, 0);
	columns(app, r, column);
	draw_about(app, cv, (struct rect){ r.row + r.rows - 1, r.col, 1, r.cols });
	for (int i = 0; i < N_COLUMNS; i++)
		draw_column(app, cv, column[i], i);
}

static void open_entry(struct app *app)
{
	char target[80];
	int i = home_of(app)->row[home_of(app)->column];
	if (i >= entries(app, home_of(app)->column))
		return;
	if (home_of(app)->column == CHAPTERS)
		snprintf(target, sizeof target, "page:%s", app->pages.pages[i].id);
	else if (home_of(app)->column == SIMULATIONS)
		snprintf(target, sizeof target, "sim:%s", sims[i]->id);
	else
		home_drill_target(app, i, target, sizeof target);
	app_go_to(app, target);
}

static void move(struct app *app, int by)
{
	struct home_view *h = home_of(app);
	int *row = &h->row[h->column], last = entries(app, h->column) - 1;
	bool stacked = app->cols < STACKED_BELOW;
	if (stacked && by == 1 && h->column == SIMULATIONS && *row == last) {
		h->column = DRILLS;
		h->row[DRILLS] = 0;
		return;
	}
	if (stacked && by == -1 && h->column == DRILLS && *row == 0) {
		h->column = SIMULATIONS;
		h->row[SIMULATIONS] = (int)n_sims - 1;
		return;
	}
	*row = *row + by < 0 ? 0 : *row + by > last ? last : *row + by;
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
		h->column = (h->column + 1) % N_COLUMNS;
		break;
	case ACT_PREVIOUS:
		h->column = (h->column + N_COLUMNS - 1) % N_COLUMNS;
		break;
	case ACT_LEFT:
		h->column -= h->column > 0;
		break;
	case ACT_RIGHT:
		h->column += h->column < N_COLUMNS - 1;
		break;
	case ACT_ENTER:
		open_entry(app);
		break;
	default:
		return false;
	}
	return true;
}

static void click(struct app *app, struct rect body, int row, int col)
{
	struct rect column[N_COLUMNS];
	columns(app, body, column);
	for (int i = 0; i < N_COLUMNS; i++) {
		int line = row - column[i].row - 1, rows = column[i].rows - 1;
		int at = entry_in(app, i, line + first_shown(app, i, rows));
		if (col < column[i].col || col >= column[i].col + column[i].cols || line < 0 ||
			line >= rows || at < 0)
			continue;
		bool again = home_of(app)->column == i && home_of(app)->row[i] == at;
		home_of(app)->column = i;
		home_of(app)->row[i] = at;
		if (again)
			open_entry(app);
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
	(void)app;
	return a != ACT_BACK;
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
	.title = title,
	.draw = draw,
	.act = act,
	.acts = acts,
	.click = click,
	.tick = home_drills_tick,
	.leave = leave,
	.kept = kept,
};
