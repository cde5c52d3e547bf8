/* Where the explorer is: places by their names, the way back. */
#include "ui/shell/screen.h"
#include "ui/shell/bindings.h"

#include "sims/base/nearest.h"
#include "ui/data/own_trace.h"

#include <stdio.h>
#include <string.h>

static struct place here(const struct app *app)
{
	struct place p = { .screen = app->screen };
	if (screens[p.screen]->remember)
		screens[p.screen]->remember(app, &p);
	return p;
}

/* The oldest place makes room. */
static void push(struct place stack[static MAX_HISTORY], size_t *n, const struct place *p)
{
	if (*n == MAX_HISTORY)
		memmove(stack, stack + 1, --*n * sizeof *stack);
	stack[(*n)++] = *p;
}

/* From here a new way begins: what lay ahead is forgotten. */
static void step_from(struct app *app, const struct place *p)
{
	push(app->history, &app->n_history, p);
	app->n_ahead = 0;
}

void app_push(struct app *app)
{
	if (app->screen == SCREEN_HELP)
		return;
	struct place p = here(app);
	step_from(app, &p);
}

static int open_sim(struct app *app, const char *name, const char *const settings[], size_t n,
	char *err, size_t err_size)
{
	const struct tables *t = app_tables(app);
	struct live view;
	if (!t) {
		snprintf(err, err_size, "%s", app->message);
		return -1;
	}
	if (own_traces_read(&app->tables, name, settings, n, err, err_size) ||
		live_open(&view, t, name, settings, n, err, err_size))
		return -1;
	live_release(&app->sim);
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
	step_from(app, &from);
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

static void leave(struct app *app)
{
	if (screens[app->screen]->leave)
		screens[app->screen]->leave(app);
}

void app_go_home(struct app *app)
{
	app_push(app);
	leave(app);
	app->screen = SCREEN_HOME;
}

/* False: it is there no more. */
static bool go_to(struct app *app, const struct place *to)
{
	const struct place p = *to; /* opening may move what it stands in */
	if (p.screen != SCREEN_HOME)
		return screens[p.screen]->restore && screens[p.screen]->restore(app, &p);
	app->screen = SCREEN_HOME;
	return true;
}

void app_go_back(struct app *app)
{
	if (app->screen == SCREEN_HELP) {
		app->screen = app->help_for;
		if (app->screen == SCREEN_DRILL)
			drill_view_return(app);
		return;
	}
	const struct place from = here(app);
	const bool home = app->screen == SCREEN_HOME;
	leave(app);
	if (app->n_history == 0 && home)
		return;
	size_t ahead = app->n_ahead;
	if (app->n_history == 0 || !go_to(app, &app->history[--app->n_history]))
		app->screen = SCREEN_HOME;
	app->n_ahead = ahead;
	push(app->ahead, &app->n_ahead, &from);
}

void app_go_forward(struct app *app)
{
	if (app->n_ahead == 0) {
		app_say(app, "Nothing lies ahead: this is where you were last.");
		return;
	}
	const struct place from = here(app), to = app->ahead[--app->n_ahead];
	const size_t ahead = app->n_ahead;
	leave(app);
	push(app->history, &app->n_history, &from);
	if (!go_to(app, &to)) {
		app->n_history--;
		app_say(app, "What lay ahead is gone.");
	}
	app->n_ahead = ahead;
}
