/* A page as a screen of the explorer. */
#include "ui/screens/page/page_view.h"
#include "ui/shell/bindings.h"
#include "ui/live/action.h"
#include "ui/shell/screen.h"

#include "ui/shell/layout.h"

#include <stdio.h>
#include <string.h>

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	const struct page *p = &app->page.page;
	snprintf(trail, trail_size, "ridge › %s", p->title ? p->title : "");
	long lines = (long)p->n_lines, seen = app->page.scroll + page_view_rows(app);
	if (lines <= 0)
		return;
	const struct page_info *info = page_list_find(&app->pages, app->page.id);
	long percent = 100 * (seen < lines ? seen : lines) / lines;
	/* Minutes begun count whole, as in the list of pages. */
	long left = info ? (page_minutes(info) * (100 - percent) + 99) / 100 : 0;
	int used = snprintf(right, size, "%ld %%", percent);
	if (left > 0 && text_width(trail) + 24 < app->cols)
		snprintf(right + used, size - (size_t)used, ", %ld min left", left);
}

static bool acts(const struct app *app, enum action a)
{
	const struct live *figure = page_view_figure((struct page_view *)&app->page);
	if (a == ACT_TERM)
		return app->page.page.n_terms > 0;
	if (a == ACT_PLAY)
		return figure && figure->figure.duration_s > 0;
	return a == ACT_UNDO || a == ACT_LEFT ? figure != NULL : true;
}

/* A figure that was left plays on to its end, as long as its page is open. */
static int tick(struct app *app, int64_t now_ms)
{
	int next_ms = -1;
	for (size_t i = 0; i < app->page.n_figures; i++) {
		int ms = live_tick(&app->page.figures[i], now_ms);
		next_ms = next_ms < 0 || (ms >= 0 && ms < next_ms) ? ms : next_ms;
	}
	return next_ms;
}

static void leave(struct app *app)
{
	for (size_t i = 0; i < app->page.n_figures; i++)
		app->page.figures[i].playing = false;
}

static void settle(struct app *app)
{
	if (!too_small(app->rows, app->cols))
		page_view_relayout(app);
}

static void remember(const struct app *app, struct place *p)
{
	struct page_spot spot = page_spot_at(&app->page.page, (size_t)app->page.scroll);
	page_spot_write(app->page.id, &spot, p->name, sizeof p->name);
	p->focus = app->page.focus;
}

static bool restore(struct app *app, const struct place *p)
{
	char id[64], err[256];
	struct page_spot spot;
	if (!page_spot_read(p->name, id, sizeof id, &spot))
		return false;
	if (strcmp(app->page.id, id) == 0)
		page_view_relayout(app); /* the window may be another by now */
	else if (page_view_open(app, id, err, sizeof err))
		return false;
	app->screen = SCREEN_PAGE;
	page_view_go(app, &spot);
	app->page.focus = p->focus;
	return true;
}

extern const struct screen page_screen;
const struct screen page_screen = { "a page", title, page_view_draw, page_view_act, acts, tick,
	settle, leave, remember, restore, NULL };
