/* A page as a screen of the explorer: the hooks that the shell calls. */
#include "ui/screens/page/page_view.h"

#include "sims/registry/registry.h"
#include "ui/live/action.h"
#include "ui/live/live_mouse.h"
#include "ui/pages/page_place.h"
#include "ui/shell/bindings.h"
#include "ui/shell/layout.h"
#include "ui/screens/page/glossary_pane.h"
#include "ui/screens/page/page_window.h"
#include "ui/screens/screens.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* The place of the first entry in sight among all, and its name and that of the last, as over the page of a dictionary:
 * "1 of 170 · 1F1B – 2:4 sparsity". Where none begins, what the screen is in, and if that is no entry, how many
 * there are. */
static void running_head(const struct app *app, char *right, size_t size)
{
	const struct page *p = &page_seen(app)->page;
	const size_t top = (size_t)page_seen(app)->scroll, end = (size_t)page_view_end(app);
	const char *first = NULL, *last = NULL, *within = NULL;
	size_t n = 0, at = 0, at_within = 0;
	for (size_t i = 0; i < p->n_headings; i++) {
		const struct page_heading *h = &p->headings[i];
		const size_t row = page_row_of(p, h->line);
		const bool entry = h->level == LEVEL_OF_ENTRY;
		n += entry;
		if (h->level == 1 || row >= end)
			continue;
		within = h->text;
		at_within = entry ? n : 0;
		if (!entry || row < top)
			continue;
		at = first ? at : n;
		first = first ? first : h->text;
		last = h->text;
	}
	if (!first) {
		first = last = within;
		at = at_within;
	}
	char place[48];
	if (at)
		snprintf(place, sizeof place, "%zu of %zu", at, n);
	else
		snprintf(place, sizeof place, "%zu entries", n);
	/* In a narrow window the names go, and the place stays. */
	snprintf(right, size, "%s%s%s%s%s", place, first ? " · " : "", first ? first : "",
		first == last ? "" : " – ", first == last ? "" : last);
}

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	const struct page *p = &page_seen(app)->page;
	snprintf(trail, trail_size, "ridge › %s", p->title ? p->title : "");
	long rows = (long)p->n_rows, seen = page_seen(app)->scroll + page_view_rows(app);
	/* How long a page is that is laid out to the end of the screen, nobody knows yet. */
	if (rows <= 0 || page_seen(app)->draft)
		return;
	if (page_is_looked_up(page_seen(app)->id)) { /* nobody reads it to its end */
		running_head(app, right, size);
		return;
	}
	const struct page_info *info = page_list_find(&app->pages, page_seen(app)->id);
	long percent = 100 * (seen < rows ? seen : rows) / rows;
	/* A minute that has begun counts as a whole one, as in the list of pages. */
	long left =
		info ? (page_minutes(info, page_view_is_first(app)) * (100 - percent) + 99) / 100
		     : 0;
	int used = snprintf(right, size, "%ld %%", percent);
	if (left > 0 && text_width(trail) + 24 < app->cols)
		used += snprintf(right + used, size - (size_t)used, ", %ld min left", left);
	if (page_view_is_first(app) && text_width(trail) + 42 < app->cols)
		snprintf(right + used, size - (size_t)used, ", first reading");
}

static struct live *live(const struct app *app)
{
	struct page_state *state = app_state(app, SCREEN_PAGE);
	return page_view_figure(&state->view);
}

/* What lies over the page, whose keys are then the ones to tell of; marks of a search lie in it. */
enum over { OVER_NOTHING, OVER_CONTENTS, OVER_TERM, OVER_WORKING, OVER_SEARCH };

static enum over over(const struct app *app)
{
	const struct page_view *p = page_seen(app);
	if (p->contents)
		return OVER_CONTENTS;
	if (p->term.open)
		return OVER_TERM;
	if (page_view_works(p))
		return OVER_WORKING;
	return page_view_searches(p) ? OVER_SEARCH : OVER_NOTHING;
}

static bool acts_over(const struct app *app, enum over what, enum action a)
{
	switch (a) {
	case ACT_DOWN:
		return what == OVER_CONTENTS || (what == OVER_TERM && glossary_pane_scrolls(app));
	case ACT_TERM:
		return what == OVER_TERM;
	case ACT_NEXT:
		return what == OVER_WORKING;
	case ACT_FIND_NEXT:
	case ACT_SEARCH:
		return what == OVER_SEARCH;
	case ACT_ENTER:
		return what == OVER_CONTENTS || what == OVER_TERM;
	case ACT_CONTENTS:
	case ACT_DEPTH:
	case ACT_FOLDS:
	case ACT_PLAY:
	case ACT_SWAP:
	case ACT_UNDO:
	case ACT_LEFT:
		return false;
	default:
		return true;
	}
}

static bool acts(const struct app *app, enum action a)
{
	const struct live *figure = live(app);
	if (over(app) != OVER_NOTHING)
		return acts_over(app, over(app), a);
	if (a == ACT_DOWN || a == ACT_FIND_NEXT)
		return false;
	if (a == ACT_TERM)
		return page_seen(app)->page.n_terms > 0;
	if (a == ACT_DEPTH)
		return page_seen(app)->depth;
	if (a == ACT_FOLDS)
		return page_seen(app)->page.n_folds > 0;
	if (a == ACT_PLAY)
		return figure && figure->figure.duration_s > 0;
	if (a == ACT_SWAP)
		return figure && figure->has_pin;
	return a == ACT_UNDO || a == ACT_LEFT ? figure != NULL : true;
}

static const char *calls(const struct app *app, enum action a)
{
	static const char *const backs[] = { [OVER_CONTENTS] = "close",
		[OVER_TERM] = "close",
		[OVER_WORKING] = "close",
		[OVER_SEARCH] = "done" };
	const enum over what = over(app);
	switch (a) {
	case ACT_ENTER:
		return what == OVER_CONTENTS ? "go there"
		       : what == OVER_TERM   ? "to glossary"
					     : NULL;
	case ACT_TERM:
		return what == OVER_TERM ? "next word" : NULL;
	case ACT_DOWN:
		return what == OVER_TERM ? "scroll" : NULL;
	case ACT_BACK:
		return backs[what];
	default:
		return NULL;
	}
}

/* A figure goes on playing after the focus has left it, as long as the page is shown. */
static int tick(struct app *app, int64_t now_ms)
{
	int next_ms = page_reading_tick(app, now_ms);
	for (size_t i = 0; i < page_of(app)->n_figures; i++) {
		int ms = live_tick(&page_of(app)->figures[i], now_ms);
		next_ms = next_ms < 0 || (ms >= 0 && ms < next_ms) ? ms : next_ms;
	}
	return next_ms;
}

static void leave(struct app *app)
{
	for (size_t i = 0; i < page_of(app)->n_figures; i++)
		page_of(app)->figures[i].playing = false;
	page_of(app)->read_at_ms = 0;
}

static void settle(struct app *app)
{
	if (!too_small(app->rows, app->cols))
		page_view_relayout(app);
}

static void remember(const struct app *app, struct place *p)
{
	const struct page_spot spot = page_view_top(app);
	page_spot_write(page_seen(app)->id, &spot, p->name, sizeof p->name);
	p->focus = page_seen(app)->focus;
}

static void target(const struct place *p, char *text, size_t size)
{
	snprintf(text, size, "page:%s", p->name);
}

static bool restore(struct app *app, const struct place *p)
{
	char id[64], err[256];
	struct page_spot spot;
	if (!page_spot_read(p->name, id, sizeof id, &spot))
		return false;
	if (strcmp(page_of(app)->id, id) == 0)
		page_view_relayout(app); /* the window may have another size by now */
	else if (page_view_open(app, id, err, sizeof err))
		return false;
	app_show(app, SCREEN_PAGE);
	page_view_go(app, &spot);
	page_of(app)->focus = p->focus;
	return true;
}

/* A bare name means a page only if no simulation has that name; "page:roofline" always means the
 * page. */
static enum opened open_page(struct app *app, const char *name, const char *const words[], size_t n,
	char *err, size_t err_size)
{
	(void)words;
	(void)n;
	bool mine = strncmp(name, "page:", 5) == 0;
	if (!mine && (sim_find(name) || !page_list_find(&app->pages, name)))
		return OPEN_NOT_MINE;
	return page_view_open(app, mine ? name + 5 : name, err, err_size) ? OPEN_FAILED : OPENED;
}

static void close_page(struct app *app)
{
	page_view_release(page_of(app));
	glossary_release(&page_shelf(app)->glossary);
}

static bool typed(struct app *app, enum entry_kind kind, const char *text)
{
	struct page_view *p = page_of(app);
	assert(kind == ENTRY_SEARCH);
	snprintf(p->search, sizeof p->search, "%s", text);
	if (*text)
		page_view_find(app, p->search, false, true);
	return true;
}

static void list(const struct app *app, struct palette *palette)
{
	const struct page_view *p = page_seen(app);
	char target[256];
	for (size_t i = 0; i < p->page.n_headings; i++) {
		const struct page_heading *h = &p->page.headings[i];
		snprintf(target, sizeof target, "page:%s#%s", p->id, h->anchor);
		palette_add(palette, "section", h->text, "in this page", target);
	}
}

static void click(struct app *app, struct rect body, int row, int col)
{
	page_view_press(app, body, row, col);
}

static void drag(struct app *app, struct rect body, int row, int col)
{
	(void)body;
	(void)row;
	if (live(app))
		live_drag(live(app), col);
}

static bool wheel(struct app *app, int by, struct rect body, int row, int col)
{
	enum { LINES = 3 };
	if (page_view_wheel(app, by, body, row, col))
		return true;
	page_of(app)->inside = false; /* it is the page that scrolls, whoever has the keys */
	for (int i = 0; i < LINES; i++)
		app_do(app, by < 0 ? ACT_UP : ACT_DOWN);
	return true;
}

static void kept(const struct app *app, char *target, size_t size, long *scroll)
{
	snprintf(target, size, "page:%s", page_seen(app)->id);
	*scroll = page_seen(app)->scroll;
}

static void scroll_to(struct app *app, long row)
{
	app->hurried = app->hurried && row == 0;
	if (row > 0)
		page_view_finish(app);
	page_of(app)->scroll = page_of(app)->paged = row;
}

static void work(struct app *app)
{
	page_view_finish(app);
}

const struct screen page_screen = {
	.name = "a page",
	.word = "page",
	.state_size = sizeof(struct page_state),
	.open = open_page,
	.close = close_page,
	.title = title,
	.draw = page_view_draw,
	.act = page_view_act,
	.acts = acts,
	.calls = calls,
	.hints = 6,
	.typed = typed,
	.live = live,
	.list = list,
	.click = click,
	.drag = drag,
	.wheel = wheel,
	.tick = tick,
	.settle = settle,
	.leave = leave,
	.remember = remember,
	.restore = restore,
	.target = target,
	.kept = kept,
	.scroll_to = scroll_to,
	.work = work,
};
