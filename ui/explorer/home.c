/* The home screen: chapters with progress, simulations, drills, and the one next step. */
#include "ui/explorer/home_drills.h"
#include "ui/explorer/screen.h"

#include "ui/term/layout.h"
#include "ui/term/paragraph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHAPTERS, SIMULATIONS, DRILLS, N_COLUMNS };
enum { STACKED_BELOW = 112 }; /* columns: drills stand under the simulations */

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

/* The chapter to read next: the first that is not read to its end. */
static int next_chapter(const struct app *app)
{
	for (size_t i = 0; i < app->pages.n; i++)
		if (progress_of(&app->progress, app->pages.pages[i].id) < 0.98)
			return (int)i;
	return -1;
}

/* Columns of the screen: three side by side where they fit, else the drills under the
 * simulations. */
static void columns(struct rect r, struct rect out[N_COLUMNS])
{
	int top = r.row + 4, rows = r.rows - 6;
	if (r.cols + 2 >= STACKED_BELOW) {
		int w = (r.cols - 6) / 3;
		for (int i = 0; i < N_COLUMNS; i++)
			out[i] = (struct rect){ top, r.col + i * (w + 3), rows, w };
		return;
	}
	int left = r.cols * 54 / 100, right = r.cols - left - 3;
	/* The drills follow the simulations; both give way where the window is low. */
	int upper = (int)n_sims + 1 < rows / 2 ? (int)n_sims + 1 : (rows - 1) / 2;
	out[CHAPTERS] = (struct rect){ top, r.col, rows, left };
	out[SIMULATIONS] = (struct rect){ top, r.col + left + 3, upper, right };
	out[DRILLS] = (struct rect){ top + upper + 1, r.col + left + 3, rows - upper - 1, right };
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

/* Text that is cut says so. */
static void fit_text(struct canvas *cv, int row, int col, int width, const char *text,
	enum style style, unsigned attr)
{
	bool cut = text_width(text) > width;
	canvas_text(cv, row, col, cut ? width - 1 : width, text, style, attr);
	if (cut)
		canvas_text(cv, row, col + width - 1, 1, "…", style, attr);
}

static void draw_entry(
	const struct app *app, struct canvas *cv, struct rect r, int column, int i, bool focused)
{
	enum style style = focused ? STYLE_ACCENT : STYLE_PLAIN;
	unsigned attr = focused ? ATTR_BOLD : 0;
	if (focused)
		canvas_text(cv, r.row, r.col, 1, "▸", style, ATTR_BOLD);
	if (column == CHAPTERS) {
		const struct page_info *p = &app->pages.pages[i];
		int bar = r.cols >= 36 ? 6 : 0;
		char title[160];
		snprintf(title, sizeof title, "%2d  %s", p->chapter, p->title);
		fit_text(cv, r.row, r.col + 2, r.cols - bar - 3, p->chapter < 0 ? p->title : title,
			style, attr);
		if (bar)
			draw_bar(cv, r.row, r.col + r.cols - bar, bar,
				progress_of(&app->progress, p->id));
	} else if (column == SIMULATIONS) {
		fit_text(cv, r.row, r.col + 2, r.cols - 2, sims[i]->title, style, attr);
	} else {
		home_drill_draw(app, cv, r, i, focused);
	}
}

/* The entry in the first of `rows` lines of a column: the chosen one is always seen. */
static int first_shown(const struct app *app, int column, int rows)
{
	int first = app->home.row[column] - rows + 1;
	return first < 0 ? 0 : first;
}

static void draw_column(const struct app *app, struct canvas *cv, struct rect r, int column)
{
	static const char *const heads[] = { "Read", "Turn the knobs", "Drill" };
	int n = entries(app, column), rows = r.rows - 1;
	int first = first_shown(app, column, rows);
	bool here = app->home.column == column;
	canvas_text(cv, r.row, r.col, r.cols, heads[column], here ? STYLE_ACCENT : STYLE_DIM,
		here ? ATTR_BOLD : 0);
	for (int i = 0; i < rows && first + i < n; i++)
		draw_entry(app, cv, (struct rect){ r.row + 1 + i, r.col, 1, r.cols }, column,
			first + i, here && app->home.row[column] == first + i);
	if (n == 0)
		canvas_text(cv, r.row + 1, r.col + 2, r.cols - 2, "nothing here", STYLE_DIM, 0);
	if (rows > 0 && first + rows < n)
		canvas_printf(cv, r.row, r.col + text_width(heads[column]), -1, STYLE_DIM, 0,
			"  ↓ %d more", n - first - rows);
}

/* A line on what the cursor stands on. */
static void draw_about(const struct app *app, struct canvas *cv, struct rect r)
{
	char text[256] = "";
	int i = app->home.row[app->home.column];
	if (i >= entries(app, app->home.column))
		return;
	if (app->home.column == CHAPTERS)
		snprintf(text, sizeof text, "about %d minutes to read",
			page_minutes(&app->pages.pages[i]));
	else if (app->home.column == SIMULATIONS)
		snprintf(text, sizeof text, "%s", sims[i]->summary);
	else
		home_drill_about(app, i, text, sizeof text);
	canvas_text(cv, r.row, r.col, r.cols, text, STYLE_DIM, 0);
}

static void draw(const struct app *app, struct canvas *cv, struct rect r)
{
	struct rect column[N_COLUMNS];
	char text[512];
	int next = next_chapter(app);
	if (app->progress.warning[0])
		snprintf(text, sizeof text, "%s", app->progress.warning);
	else if (app->progress.n_read == 0 && next >= 0)
		snprintf(text, sizeof text,
			"Start here: Enter opens \"%s\". Pages have live figures; Tab "
			"reaches them, h and l turn their knobs.",
			app->pages.pages[next].title);
	else if (next >= 0)
		snprintf(text, sizeof text, "Next: \"%s\", %.0f %% read.",
			app->pages.pages[next].title,
			100 * progress_of(&app->progress, app->pages.pages[next].id));
	else
		snprintf(text, sizeof text, "Every chapter is read. Drills keep it.");
	paragraph_draw(cv, (struct rect){ r.row + 1, r.col, 2, r.cols }, text,
		app->progress.warning[0] ? STYLE_WARN : STYLE_PLAIN, 0);
	columns(r, column);
	draw_about(app, cv, (struct rect){ r.row + r.rows - 1, r.col, 1, r.cols });
	for (int i = 0; i < N_COLUMNS; i++)
		draw_column(app, cv, column[i], i);
}

static void open_entry(struct app *app)
{
	char err[256] = "", target[80];
	int i = app->home.row[app->home.column];
	if (i >= entries(app, app->home.column))
		return;
	if (app->home.column == CHAPTERS)
		snprintf(target, sizeof target, "page:%s", app->pages.pages[i].id);
	else if (app->home.column == SIMULATIONS)
		snprintf(target, sizeof target, "sim:%s", sims[i]->id);
	else
		home_drill_target(app, i, target, sizeof target);
	if (app_open_target(app, target, err, sizeof err))
		app_say(app, "%s", err);
}

static void move(struct app *app, int by)
{
	struct home_view *h = &app->home;
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
	struct home_view *h = &app->home;
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
	columns(body, column);
	for (int i = 0; i < N_COLUMNS; i++) {
		int line = row - column[i].row - 1, rows = column[i].rows - 1;
		int at = line + first_shown(app, i, rows);
		if (col < column[i].col || col >= column[i].col + column[i].cols || line < 0 ||
			line >= rows || at >= entries(app, i))
			continue;
		bool again = app->home.column == i && app->home.row[i] == at;
		app->home.column = i;
		app->home.row[i] = at;
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

/* What is answered elsewhere changes it. */
static void leave(struct app *app)
{
	app->home.answers = (struct home_answers){ 0 };
}

extern const struct screen home_screen;
const struct screen home_screen = { "the home screen", title, draw, act, acts, home_drills_tick,
	NULL, leave, NULL, NULL, click };
