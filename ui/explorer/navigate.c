/* Where the explorer is: places by their names, the way back. */
#include "ui/explorer/screen.h"

#include "sims/base/nearest.h"

#include <stdio.h>
#include <string.h>

static struct place here(const struct app *app)
{
	struct place p = { .screen = app->screen };
	if (screens[p.screen]->remember)
		screens[p.screen]->remember(app, &p);
	return p;
}

void app_push(struct app *app)
{
	if (app->screen == SCREEN_HELP)
		return;
	if (app->n_history == MAX_HISTORY) {
		memmove(app->history, app->history + 1, sizeof app->history - sizeof *app->history);
		app->n_history--;
	}
	app->history[app->n_history++] = here(app);
}

static int open_sim(struct app *app, const char *name, const char *const settings[], size_t n,
	char *err, size_t err_size)
{
	const struct tables *t = app_tables(app);
	struct sim_view view;
	if (!t) {
		snprintf(err, err_size, "%s", app->message);
		return -1;
	}
	if (sim_view_open(&view, t, name, settings, n, err, err_size))
		return -1;
	sim_view_release(&app->sim);
	app->sim = view;
	app->screen = SCREEN_SIM;
	return 0;
}

static int refuse(const struct app *app, const char *name, char *err, size_t err_size)
{
	const char *names[128];
	size_t n = 0;
	for (size_t i = 0; i < n_sims; i++)
		names[n++] = sims[i]->id;
	for (size_t i = 0; i < app->pages.n && n < 126; i++)
		names[n++] = app->pages.pages[i].id;
	names[n++] = "drill";
	names[n++] = "stats";
	const char *near = nearest_name(name, names, n);
	snprintf(err, err_size, "nothing is called \"%.60s\"%s%s%s", name,
		near ? "; did you mean \"" : "", near ? near : "",
		near ? "\"?" : ": expected a page, a simulation, \"drill\" or \"stats\"");
	return -1;
}

static int open_here(struct app *app, const char *name, const char *const settings[], size_t n,
	char *err, size_t err_size)
{
	/* A simulation may share its name with the page about it; bare names open the simulation,
	 * "page:roofline" the page. */
	if (strncmp(name, "page:", 5) == 0)
		return page_view_open(app, name + 5, err, err_size);
	if (strncmp(name, "sim:", 4) == 0)
		name += 4;
	if (strncmp(name, "drill:", 6) == 0 && name[6])
		return drill_view_open(app, (const char *[]){ name + 6 }, 1, err, err_size);
	if (strcmp(name, "drill") == 0 || strcmp(name, "drill:") == 0)
		return drill_view_open(app, settings, n, err, err_size);
	if (strcmp(name, "stats") == 0)
		return stats_view_open(app, err, err_size);
	if (strcmp(name, "interviewer") == 0)
		return interviewer_view_open(app, settings, n, err, err_size);
	if (sim_find(name))
		return open_sim(app, name, settings, n, err, err_size);
	if (page_list_find(&app->pages, name))
		return page_view_open(app, name, err, err_size);
	return refuse(app, name, err, err_size);
}

int app_open(struct app *app, const char *name, const char *const settings[], size_t n, char *err,
	size_t err_size)
{
	struct place from = here(app);
	if (!*name) {
		app->screen = SCREEN_HOME;
		return 0;
	}
	if (open_here(app, name, settings, n, err, err_size))
		return -1;
	if (app->n_history < MAX_HISTORY)
		app->history[app->n_history++] = from;
	if (from.screen != app->screen && screens[from.screen]->leave)
		screens[from.screen]->leave(app);
	return 0;
}

int app_open_target(struct app *app, const char *target, char *err, size_t err_size)
{
	char copy[1024];
	const char *words[MAX_KNOBS + 1];
	size_t n = 0;
	snprintf(copy, sizeof copy, "%s", target);
	char *rest = NULL;
	for (char *w = strtok_r(copy, " ", &rest); w && n <= MAX_KNOBS;
		w = strtok_r(NULL, " ", &rest))
		words[n++] = w;
	if (n == 0) {
		snprintf(err, err_size, "nothing to open");
		return -1;
	}
	return app_open(app, words[0], words + 1, n - 1, err, err_size);
}

void app_go_home(struct app *app)
{
	app_push(app);
	if (screens[app->screen]->leave)
		screens[app->screen]->leave(app);
	app->screen = SCREEN_HOME;
}

void app_go_back(struct app *app)
{
	if (app->screen == SCREEN_HELP) {
		app->screen = app->help_for;
		if (app->screen == SCREEN_DRILL)
			drill_view_return(app);
		return;
	}
	if (screens[app->screen]->leave)
		screens[app->screen]->leave(app);
	if (app->n_history > 0) {
		struct place p = app->history[--app->n_history];
		if (p.screen != SCREEN_HOME && screens[p.screen]->restore &&
			screens[p.screen]->restore(app, &p))
			return;
	}
	app->screen = SCREEN_HOME;
}
