/* A page as a screen of the explorer. */
#include "ui/explorer/page_view.h"
#include "ui/explorer/screen.h"

#include "ui/term/layout.h"

#include <stdio.h>
#include <string.h>

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	const struct page *p = &app->page.page;
	snprintf(trail, trail_size, "ridge › %s", p->title ? p->title : "");
	long lines = (long)p->n_lines, seen = app->page.scroll + app->rows - 3;
	if (lines > 0)
		snprintf(right, size, "%ld %%", 100 * (seen < lines ? seen : lines) / lines);
}

static bool acts(const struct app *app, enum action a)
{
	bool in_figure = page_view_figure((struct page_view *)&app->page) != NULL;
	if (a == ACT_TERM)
		return app->page.page.n_terms > 0;
	return a == ACT_UNDO || a == ACT_LEFT ? in_figure : true;
}

static void settle(struct app *app)
{
	if (!too_small(app->rows, app->cols))
		page_view_relayout(app);
}

static void remember(const struct app *app, struct place *p)
{
	snprintf(p->name, sizeof p->name, "%s", app->page.id);
	p->scroll = app->page.scroll;
	p->focus = app->page.focus;
}

static bool restore(struct app *app, const struct place *p)
{
	char err[256];
	if (strcmp(app->page.id, p->name) != 0 && page_view_open(app, p->name, err, sizeof err))
		return false;
	app->screen = SCREEN_PAGE;
	app->page.scroll = p->scroll;
	app->page.focus = p->focus;
	return true;
}

extern const struct screen page_screen;
const struct screen page_screen = { "a page", title, page_view_draw, page_view_act, acts, NULL,
	settle, NULL, remember, restore, NULL };
