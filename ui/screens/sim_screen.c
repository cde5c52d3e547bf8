/* A simulation as a screen of the explorer. */
#include "ui/shell/screen.h"
#include "ui/live/action.h"

#include "ui/shell/layout.h"

#include <stdio.h>
#include <string.h>

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	snprintf(trail, trail_size, "ridge › %s › %s",
		strchr(app->sim.sim->id, ':') ? "Formulas" : "Simulations", app->sim.sim->title);
	snprintf(right, size, "%s", app->sim.figure.subtitle ? app->sim.figure.subtitle : "");
}

static void draw(const struct app *app, struct canvas *cv, struct rect body)
{
	live_draw(cv, body, &app->sim);
}

static void open_page(struct app *app)
{
	char err[256];
	app_push(app);
	if (page_view_open(app, app->sim.sim->page, err, sizeof err)) {
		app->n_history--;
		app_say(app, "%s", err);
	}
}

/* One of many is chosen from a list; numbers, and yes or no, are typed. */
static void enter(struct app *app)
{
	const struct knob *k = &app->sim.sim->knobs[app->sim.focus];
	if (knob_choices(k, app->sim.tables) > 2)
		palette_open_choices(app);
	else
		entry_begin(&app->entry, ENTRY_VALUE, 0);
}

static bool act(struct app *app, enum action a)
{
	char setting[600];
	/* What lies over the figure is what Esc leaves first. */
	if (a == ACT_BACK && app->sim.notes)
		return live_act(&app->sim, ACT_NOTES);
	switch (a) {
	case ACT_ENTER:
		enter(app);
		return true;
	case ACT_OPEN_PAGE:
		open_page(app);
		return true;
	case ACT_COMMAND_LINE:
		app_say(app, "ridge open %s", live_setting(&app->sim, setting, sizeof setting));
		return true;
	default:
		return live_act(&app->sim, a);
	}
}

static bool acts(const struct app *app, enum action a)
{
	return a == ACT_PLAY   ? app->sim.figure.duration_s > 0
	       : a == ACT_UNDO ? app->sim.n_undo > 0
			       : true;
}

static int tick(struct app *app, int64_t now_ms)
{
	return live_tick(&app->sim, now_ms);
}

static void settle(struct app *app)
{
	live_update(&app->sim);
}

static void leave(struct app *app)
{
	app->sim.playing = false;
}

static void remember(const struct app *app, struct place *p)
{
	live_setting(&app->sim, p->name, sizeof p->name);
	p->focus = app->sim.focus;
}

static bool restore(struct app *app, const struct place *p)
{
	char err[256];
	if (app_open_target(app, p->name, err, sizeof err))
		return false;
	app->n_history--; /* going back is not a step forward */
	app->sim.focus = p->focus;
	return true;
}

static void click(struct app *app, struct rect body, int row, int col)
{
	int knob = live_knob_at(&app->sim, body, row, col);
	if (knob >= 0)
		app->sim.focus = knob;
}

extern const struct screen sim_screen;
const struct screen sim_screen = { "a simulation", title, draw, act, acts, tick, settle, leave,
	remember, restore, click };
