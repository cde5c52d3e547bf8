/* A simulation as a screen of the explorer: the hooks that the shell calls. */
#include "ui/screens/sim/sim_screen.h"

#include "sims/registry/registry.h"
#include "ui/data/own_inputs.h"
#include "ui/live/action.h"
#include "ui/live/live_draw.h"
#include "ui/shell/layout.h"
#include "ui/live/live_mouse.h"
#include "ui/live/live_run.h"
#include "ui/pages/formula_sheet.h"
#include "ui/pages/formula_uses.h"
#include "ui/pages/page_anchor.h"
#include "ui/screens/screens.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The same to read while drawing. */
static const struct live *sim_seen(const struct app *app)
{
	return app_state(app, SCREEN_SIM);
}

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	snprintf(trail, trail_size, "ridge › %s › %s",
		strchr(sim_seen(app)->sim->id, ':') ? "Formulas" : "Simulations",
		sim_seen(app)->sim->title);
	snprintf(right, size, "%s",
		sim_seen(app)->figure.subtitle ? sim_seen(app)->figure.subtitle : "");
}

static void draw(const struct app *app, struct canvas *cv, struct rect body)
{
	live_draw(cv, body, sim_seen(app));
}

/* The formula that the screen is made from; NULL: it shows a simulation. */
static const struct formula *formula_shown(const struct live *s)
{
	static const char prefix[] = "formula:";
	const bool is = strncmp(s->sim->id, prefix, sizeof prefix - 1) == 0;
	return is ? formula_find(s->sim->id + sizeof prefix - 1) : NULL;
}

/* Its page; of a formula its entry among all formulas. */
static void open_page(struct app *app)
{
	char target[160];
	struct arena a = { 0 };
	const struct formula *f = formula_shown(sim_of(app));
	const char *anchor = f ? page_anchor(&a, f->title) : NULL;
	if (anchor)
		snprintf(target, sizeof target, "page:" FORMULAS_ID "#%s", anchor);
	else
		snprintf(target, sizeof target, "page:%s", sim_seen(app)->sim->page);
	arena_release(&a);
	app_go_to(app, target);
}

/* The simulation that the bar names where this knob stands; NULL: it goes over no bars. */
static const struct sim *named_by_bar(const struct figure *f, const struct knob *k)
{
	for (size_t i = 0; i < f->n_blocks; i++) {
		const struct bars *b = &f->blocks[i]->as.bars;
		if (f->blocks[i]->kind == BLOCK_BARS && b->knob && strcmp(b->knob, k->id) == 0 &&
			b->knob_at < b->n_bars)
			return b->bars[b->knob_at].opens ? sim_find(b->bars[b->knob_at].opens)
							 : NULL;
	}
	return NULL;
}

/* A knob that goes from box to box opens what the box names, and one with more than two choices a
 * list; a row of a table is taken; numbers and other switches are typed. */
static void enter(struct app *app)
{
	const struct knob *k = &sim_of(app)->sim->knobs[sim_of(app)->focus];
	const struct sim *named = named_by_bar(&sim_of(app)->figure, k);
	char target[64];
	snprintf(target, sizeof target, "sim:%s", named ? named->id : "");
	if (named)
		app_go_to(app, target);
	else if (live_table_of(sim_of(app), sim_of(app)->focus, NULL) || k->kind == KNOB_TOGGLE)
		live_act(sim_of(app), ACT_RIGHT);
	else if (knob_choices(k, sim_of(app)->tables) > 2)
		palette_open_choices(app);
	else
		entry_begin(&app->entry, ENTRY_VALUE, 0);
}

/* The command that opens this screen again, on the screen and in the clipboard. */
static void tell_command(struct app *app)
{
	static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "0123456789=_-+.,:/%@ ";
	char place[1024];
	live_place(sim_of(app), place, sizeof place);
	size_t used = (size_t)snprintf(app->copied, sizeof app->copied, "ridge open");
	/* A shell would read some letters of a file's name as its own. */
	for (char *rest = NULL, *w = strtok_r(place, " ", &rest);
		w && used + 4 < sizeof app->copied; w = strtok_r(NULL, " ", &rest)) {
		const char *quote = w[strspn(w, harmless)] ? "'" : "";
		used += (size_t)snprintf(
			app->copied + used, sizeof app->copied - used, " %s%s%s", quote, w, quote);
	}
	app_say(app, "%s", app->copied);
}

static void present_here(struct app *app)
{
	char setting[900], target[960];
	snprintf(target, sizeof target, "present:@%s",
		live_setting(sim_of(app), setting, sizeof setting));
	app_go_to(app, target);
}

/* A knob that stands at its end does not turn: without a word that looks like a broken key. */
static bool turn(struct app *app, enum action a)
{
	struct live *s = sim_of(app);
	const struct knob *k = &s->sim->knobs[s->focus];
	bool right = a == ACT_RIGHT || a == ACT_FAR_RIGHT;
	double was = s->now.v[s->focus];
	char value[64], called[64];
	bool known = live_act(s, a);
	if (known && s->now.v[s->focus] == was)
		app_say(app, "%s: %s is the %s; %s turns it the other way.",
			knob_said(k, called, sizeof called),
			knob_format(k, s->tables, was, value, sizeof value),
			k->kind == KNOB_NUMBER ? right ? "most" : "least"
			: right                ? "last"
					       : "first",
			right ? "h" : "l");
	return known;
}

/* What moves the focus, or turns what it is on, brings it into sight. */
static bool in_sight(struct app *app, bool known)
{
	live_update(sim_of(app));
	live_show_focus(sim_of(app), frame_layout(app->rows, app->cols).body);
	return known;
}

/* What Space does here: it plays wherever there is a run, and where there is none it turns a check box.
 * Which of the two does not change while one goes from knob to knob. */
static enum action space_of(const struct live *s)
{
	return live_has_box(s) && !(s->figure.duration_s > 0) ? ACT_RIGHT : ACT_PLAY;
}

static bool act(struct app *app, enum action a)
{
	if (a == ACT_SWITCH_OR_PLAY)
		a = space_of(sim_of(app));
	/* Esc closes the notes that lie over the figure before it leaves the screen. */
	if (a == ACT_BACK && sim_of(app)->notes)
		return live_act(sim_of(app), ACT_NOTES);
	switch (a) {
	case ACT_ENTER:
		enter(app);
		return in_sight(app, true);
	case ACT_UP:
	case ACT_DOWN:
	case ACT_NEXT:
	case ACT_PREVIOUS:
	case ACT_TOP:
	case ACT_BOTTOM:
		return in_sight(app, live_act(sim_of(app), a));
	case ACT_OPEN_PAGE:
		open_page(app);
		return true;
	case ACT_COMMAND_LINE:
		tell_command(app);
		return true;
	case ACT_PRESENT:
		present_here(app);
		return true;
	case ACT_APPEND:
		app_ask_caption(app);
		return true;
	case ACT_SWAP:
		if (!sim_of(app)->has_pin)
			app_say(app, "Nothing is pinned: c pins this setting, and x swaps it with "
				     "a later one.");
		break;
	case ACT_PLAY:
	case ACT_EARLIER:
	case ACT_LATER:
	case ACT_SLOWER:
	case ACT_FASTER:
	case ACT_MOMENT_BEFORE:
	case ACT_MOMENT_NEXT:
		if (!(sim_of(app)->figure.duration_s > 0))
			app_say(app, "This figure has no run to play: it stands still.");
		else
			live_show_run(sim_of(app), frame_layout(app->rows, app->cols).body);
		break;
	case ACT_LEFT:
	case ACT_RIGHT:
	case ACT_FAR_LEFT:
	case ACT_FAR_RIGHT:
		return in_sight(app, turn(app, a));
	default:
		break;
	}
	return live_act(sim_of(app), a);
}

/* On a check box Enter and Space do the same, and the footer has one of them: that with a word of its
 * own ("buy"), else Space. */
static bool is_said_by_other(const struct live *s, enum action a)
{
	const struct table *t = live_table_of(s, s->focus, NULL);
	bool verb = t && t->verb;
	return space_of(s) != ACT_PLAY &&
	       (a == ACT_ENTER ? !verb : a == ACT_SWITCH_OR_PLAY && verb);
}

static bool acts(const struct app *app, enum action a)
{
	const struct live *s = sim_seen(app);
	if (is_said_by_other(s, a))
		return false;
	/* Among knobs j and k lead everywhere; from the rows of a table it is a long way. */
	if (a == ACT_NEXT)
		return live_table_of(s, s->focus, NULL) != NULL;
	return a == ACT_SWITCH_OR_PLAY ? s->figure.duration_s > 0 || space_of(s) != ACT_PLAY
	       : a == ACT_PLAY         ? s->figure.duration_s > 0
	       : a == ACT_UNDO         ? sim_seen(app)->n_undo > 0
	       : a == ACT_SWAP         ? sim_seen(app)->has_pin
				       : true;
}

static const char *calls(const struct app *app, enum action a)
{
	const struct live *s = sim_seen(app);
	/* A row of a table is no knob, and choosing it has a word of its own. */
	const struct table *t =
		a == ACT_ENTER || a == ACT_DOWN ? live_table_of(s, s->focus, NULL) : NULL;
	if (t && (a == ACT_DOWN || t->verb))
		return a == ACT_DOWN ? "row" : t->verb;
	/* What it opens says more than that it does. */
	const struct sim *named =
		a == ACT_ENTER ? named_by_bar(&s->figure, &s->sim->knobs[s->focus]) : NULL;
	if (named)
		return named->title;
	/* Enter turns a box as well: where Space does, that needs no second word. */
	const bool turns = space_of(s) != ACT_PLAY;
	if (live_has_box(s) && a == ACT_ENTER && turns)
		return "";
	if (live_has_box(s) && a == (turns ? ACT_SWITCH_OR_PLAY : ACT_ENTER))
		return s->now.v[s->focus] > 0 ? "turn off" : "turn on";
	if (a == ACT_ENTER && !live_has_box(s) && s->sim->knobs[s->focus].kind != KNOB_NUMBER)
		return "choose";
	return a == ACT_SWITCH_OR_PLAY && s->playing ? "pause"
	       : a == ACT_COMPARE && s->has_pin      ? "unpin"
	       : a == ACT_NOTES && s->notes          ? "close"
						     : NULL;
}

/* What stands first in the window is what the step shows. */
static bool typed(struct app *app, enum entry_kind kind, const char *text)
{
	const struct live *s = sim_of(app);
	assert(kind == ENTRY_CAPTION);
	(void)kind;
	app_keep_step(app, s, s->figure.n_blocks ? s->figure.blocks[s->first_block] : NULL, text);
	return true;
}

static int tick(struct app *app, int64_t now_ms)
{
	return live_tick(sim_of(app), now_ms);
}

static void settle(struct app *app)
{
	sim_of(app)->go_on = app->go_on;
	sim_of(app)->go_on_context = app->go_on_context;
	live_update(sim_of(app));
	app->works |= sim_of(app)->unfinished;
	if (sim_of(app)->opened_at)
		live_show_run(sim_of(app), frame_layout(app->rows, app->cols).body);
	sim_of(app)->opened_at = false;
	if (sim_of(app)->rows_unseen)
		live_show_focus(sim_of(app), frame_layout(app->rows, app->cols).body);
	sim_of(app)->rows_unseen = false;
	app->failed = sim_of(app)->figure.arena.failed;
}

static void work(struct app *app)
{
	live_finish(sim_of(app));
}

static void leave(struct app *app)
{
	sim_of(app)->playing = false;
}

static void remember(const struct app *app, struct place *p)
{
	live_setting(sim_seen(app), p->name, sizeof p->name);
	p->focus = sim_seen(app)->focus;
}

static void target(const struct place *p, char *text, size_t size)
{
	snprintf(text, size, "sim:%s", p->name);
}

static bool restore(struct app *app, const struct place *p)
{
	char err[256];
	if (app_reopen(app, p->name, err, sizeof err))
		return false;
	sim_of(app)->focus = p->focus;
	return true;
}

static void click(struct app *app, struct rect body, int row, int col)
{
	if (!sim_of(app)->notes)
		live_press(sim_of(app), body, app->glyphs, row, col);
}

static void drag(struct app *app, struct rect body, int row, int col)
{
	(void)body;
	(void)row;
	live_drag(sim_of(app), col);
}

static struct live *live(const struct app *app)
{
	return app_state(app, SCREEN_SIM);
}

static bool wheel(struct app *app, int by, struct rect body, int row, int col)
{
	int knob = live_knob_under(sim_of(app), body, app->glyphs, row, col);
	if (knob < 0)
		return false;
	sim_of(app)->focus = knob;
	app_do(app, by < 0 ? ACT_RIGHT : ACT_LEFT);
	return true;
}

static enum opened open_sim(struct app *app, const char *name, const char *const words[], size_t n,
	char *err, size_t err_size)
{
	struct live in_hand;
	bool mine = strncmp(name, "sim:", 4) == 0;
	name += mine ? 4 : 0;
	if (!mine && !sim_find(name))
		return OPEN_NOT_MINE;
	const struct tables *t = app_tables(app);
	if (!t) {
		snprintf(err, err_size, "%s", app->message);
		return OPEN_FAILED;
	}
	if (own_inputs_read(&app->tables, sim_find(name), words, n, err, err_size) ||
		(app->go_on ? live_open_hurried : live_open)(
			&in_hand, t, name, words, n, err, err_size))
		return OPEN_FAILED;
	live_release(sim_of(app));
	*sim_of(app) = in_hand;
	sim_of(app)->opened_at = !isnan(in_hand.playhead_s);
	live_take_rows(sim_of(app));
	if (formula_shown(sim_of(app)))
		formula_uses(formula_shown(sim_of(app)), &app->pages, app_bank(app, err, err_size),
			sim_of(app)->uses, sizeof sim_of(app)->uses);
	app_show(app, SCREEN_SIM);
	return OPENED;
}

static void close_sim(struct app *app)
{
	live_release(sim_of(app));
}

static void kept(const struct app *app, char *target, size_t size, long *scroll)
{
	char setting[480];
	(void)scroll;
	snprintf(target, size, "sim:%s", live_setting(sim_seen(app), setting, sizeof setting));
}

const struct screen sim_screen = {
	.name = "a simulation",
	.word = "simulation",
	.state_size = sizeof(struct live),
	.open = open_sim,
	.close = close_sim,
	.title = title,
	.draw = draw,
	.act = act,
	.typed = typed,
	.acts = acts,
	.calls = calls,
	.live = live,
	.click = click,
	.drag = drag,
	.wheel = wheel,
	.tick = tick,
	.settle = settle,
	.work = work,
	.leave = leave,
	.remember = remember,
	.restore = restore,
	.target = target,
	.kept = kept,
	.hints = 6, /* both ways to move */
};
