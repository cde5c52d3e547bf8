/* Going somewhere by name, and the way back: two stacks of places, behind and ahead, as in a web
 * browser. */
#include "ui/shell/app.h"

#include "sims/base/match.h"
#include "sims/registry/registry.h"
#include "ui/live/setting_words.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 256 };

static enum screen_id root_of(const struct app *app)
{
	int i = 0;
	while (i < N_SCREENS - 1 && !app->screens[i]->root)
		i++;
	return (enum screen_id)i;
}

void app_show(struct app *app, enum screen_id s)
{
	assert(s >= 0 && s < N_SCREENS);
	if (app->screens[s]->overlay)
		app->under = app->screen;
	app->screen = s;
	if (app->screens[s]->overlay && app->screens[s]->open)
		app->screens[s]->open(app, "", NULL, 0, NULL, 0);
}

static struct place here(const struct app *app)
{
	struct place p = { .screen = app->screen };
	if (app_screen(app)->remember)
		app_screen(app)->remember(app, &p);
	return p;
}

/* When the stack is full the oldest place is forgotten. */
static void push(struct trail *t, const struct place *p)
{
	if (t->n == MAX_TRAIL)
		memmove(t->places, t->places + 1, --t->n * sizeof *t->places);
	t->places[t->n++] = *p;
}

/* A new step makes whatever lay ahead unreachable. */
static void step_from(struct app *app, const struct place *p)
{
	push(&app->behind, p);
	app->ahead.n = 0;
}

void app_push(struct app *app)
{
	if (app_screen(app)->overlay)
		return;
	struct place p = here(app);
	step_from(app, &p);
}

static int refuse(const struct app *app, const char *name, char *err, size_t err_size)
{
	const char *names[MOST_NAMES];
	char hint[HINT_SIZE];
	size_t n = 0;
	names[n++] = "home";
	names[n++] = "drill";
	names[n++] = "stats";
	names[n++] = "case";
	names[n++] = "calendar";
	for (size_t i = 0; i < n_sims && n < MOST_NAMES; i++)
		names[n++] = sims[i]->id;
	for (size_t i = 0; i < app->pages.n && n < MOST_NAMES; i++)
		names[n++] = app->pages.pages[i].id;
	did_you_mean(name, names, n, hint, sizeof hint);
	snprintf(err, err_size, "nothing is called \"%.60s\"%s", name,
		*hint ? hint
		      : ": expected a page, a simulation, \"drill\", \"case\", \"calendar\" or \"stats\"");
	return -1;
}

/* A case may be named as a page and a simulation are. */
static bool is_case(struct app *app, const char *name)
{
	const struct case_list *l = app_cases(app);
	for (size_t i = 0; l && i < l->n; i++)
		if (strcmp(l->cases[i].id, name) == 0)
			return true;
	return false;
}

static int open_here(struct app *app, const char *name, const char *const settings[], size_t n,
	char *err, size_t err_size);

static int open_as_case(struct app *app, const char *name, const char *const settings[], size_t n,
	char *err, size_t err_size)
{
	char target[200];
	snprintf(target, sizeof target, "case:%.190s", name);
	return open_here(app, target, settings, n, err, err_size);
}

/* Each screen in turn is asked whether the name belongs to it. */
static int open_here(struct app *app, const char *name, const char *const settings[], size_t n,
	char *err, size_t err_size)
{
	if (!*name) {
		app_show(app, root_of(app));
		return 0;
	}
	for (int i = 0; i < N_SCREENS; i++) {
		const struct screen *s = app->screens[i];
		if (!s->open || s->overlay)
			continue;
		enum opened o = s->open(app, name, settings, n, err, err_size);
		if (o != OPEN_NOT_MINE)
			return o == OPENED ? 0 : -1;
	}
	return *name && strncmp(name, "case:", 5) != 0 && is_case(app, name)
		       ? open_as_case(app, name, settings, n, err, err_size)
		       : refuse(app, name, err, err_size);
}

static void leave(struct app *app)
{
	if (app_screen(app)->leave)
		app_screen(app)->leave(app);
}

static void uncover(struct app *app)
{
	app->screen = app->under;
	if (app_screen(app)->uncover)
		app_screen(app)->uncover(app);
}

int app_open(struct app *app, const char *name, const char *const settings[], size_t n, char *err,
	size_t err_size)
{
	/* From the palette over the help: the way back leads to the screen under it. */
	if (app_screen(app)->overlay)
		uncover(app);
	const struct place from = here(app);
	if (open_here(app, name, settings, n, err, err_size))
		return -1;
	if (!*name)
		return 0;
	step_from(app, &from);
	if (from.screen != app->screen && app->screens[from.screen]->leave)
		app->screens[from.screen]->leave(app);
	return 0;
}

static int open_words(struct app *app, const char *target, bool steps, char *err, size_t err_size)
{
	struct setting_words w;
	if (setting_words(&w, target, err, err_size))
		return -1;
	if (w.n == 0) {
		snprintf(err, err_size, "nothing to open");
		return -1;
	}
	return (steps ? app_open : open_here)(app, w.words[0], w.words + 1, w.n - 1, err, err_size);
}

int app_open_target(struct app *app, const char *target, char *err, size_t err_size)
{
	return open_words(app, target, true, err, err_size);
}

void app_go_to(struct app *app, const char *target)
{
	char err[256];
	if (app_open_target(app, target, err, sizeof err))
		app_say(app, "%s", err);
}

/* The name that the command line takes is the link without its folder and ".md". */
void app_go_to_page(struct app *app, const char *link)
{
	char target[600];
	const char *base = strrchr(link, '/');
	snprintf(target, sizeof target, "page:%s", base ? base + 1 : link);
	char *suffix = strstr(target, ".md");
	if (suffix)
		memmove(suffix, suffix + 3, strlen(suffix + 3) + 1);
	app_go_to(app, target);
}

int app_reopen(struct app *app, const char *target, char *err, size_t err_size)
{
	return open_words(app, target, false, err, err_size);
}

void app_go_home(struct app *app)
{
	app_push(app);
	leave(app);
	app_show(app, root_of(app));
}

/* False when the place no longer exists. */
static bool go_to(struct app *app, const struct place *to)
{
	const struct place p = *to; /* opening can move the stack that it is in */
	const struct screen *s = app->screens[p.screen];
	if (!s->root)
		return s->restore && s->restore(app, &p);
	app_show(app, p.screen);
	return true;
}

void app_go_back(struct app *app)
{
	if (app_screen(app)->overlay) {
		uncover(app);
		return;
	}
	const struct place from = here(app);
	const bool home = app_screen(app)->root;
	leave(app);
	if (app->behind.n == 0 && home)
		return;
	if (app->behind.n == 0 || !go_to(app, &app->behind.places[--app->behind.n]))
		app_show(app, root_of(app));
	push(&app->ahead, &from);
}

void app_go_forward(struct app *app)
{
	if (app->ahead.n == 0) {
		app_say(app, "Nothing lies ahead: this is where you were last.");
		return;
	}
	const struct place from = here(app), to = app->ahead.places[--app->ahead.n];
	leave(app);
	push(&app->behind, &from);
	if (!go_to(app, &to)) {
		app->behind.n--;
		app_say(app, "What lay ahead is gone.");
	}
}

bool app_note_position(struct app *app)
{
	struct progress *p = app->progress;
	char place[sizeof p->place] = "";
	long scroll = 0;
	if (!app_screen(app)->kept)
		return p->unsaved;
	app_screen(app)->kept(app, place, sizeof place, &scroll);
	bool moved = strcmp(place, p->place) != 0 || scroll != p->scroll || p->unsaved;
	strcpy(p->place, place);
	p->scroll = scroll;
	return moved;
}
