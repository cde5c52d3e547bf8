#include "ui/screens/page/page_view.h"
#include "ui/term/keys.h"
#include "ui/shell/bindings.h"
#include "ui/live/action.h"
#include "ui/shell/screen.h"

#include "ui/shell/layout.h"
#include "ui/data/tables_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int app_init(struct app *app, int rows, int cols, enum glyphs glyphs)
{
	*app = (struct app){ .rows = rows, .cols = cols, .glyphs = glyphs };
	app->page.focus = -1;
	app->stats.focus = -1;
	if (page_list_init(&app->pages) == 0 && bank_outline_init(&app->outline) == 0)
		return 0;
	app_release(app);
	return -1;
}

void app_release(struct app *app)
{
	page_view_release(&app->page);
	live_release(&app->sim);
	drill_view_release(&app->drill);
	stats_view_release(&app->stats);
	bank_outline_release(&app->outline);
	interviewer_release(&app->interviewer);
	palette_close(&app->palette);
	page_list_release(&app->pages);
	glossary_release(&app->terms);
	bank_release(&app->sheet_bank);
	tables_release(&app->tables);
	*app = (struct app){ 0 };
}

void app_say(struct app *app, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(app->message, sizeof app->message, fmt, ap);
	va_end(ap);
}

int64_t app_now_s(const struct app *app)
{
	return (int64_t)app->epoch_s + (app->now_ms - app->started_ms) / 1000;
}

int app_history(const struct app *app, struct history *h, char *err, size_t err_size)
{
	*h = (struct history){ 0 };
	return app->load_history ? app->load_history(h, err, err_size) : 0;
}

const struct tables *app_tables(struct app *app)
{
	if (app->has_tables)
		return &app->tables;
	/* A slip in the user's own file is told, and the rest is used. */
	tables_load(&app->tables, app->message, sizeof app->message);
	app->has_tables = tables_usable(&app->tables);
	if (!app->has_tables)
		tables_release(&app->tables);
	return app->has_tables ? &app->tables : NULL;
}

static void finish_entry(struct app *app)
{
	struct entry *e = &app->entry;
	enum entry_kind kind = e->kind;
	struct live *s = app->screen == SCREEN_SIM ? &app->sim : page_view_figure(&app->page);
	switch (kind) {
	case ENTRY_VALUE:
		if (e->bytes && s && live_type(s, s->focus, e->text, e->error, sizeof e->error))
			return; /* the line stays, with what was wrong with it */
		break;
	case ENTRY_SEARCH:
		snprintf(app->page.search, sizeof app->page.search, "%s", e->text);
		if (e->bytes)
			page_view_find(app, app->page.search, false, true);
		break;
	case ENTRY_ANSWER:
		drill_view_answer(app, e->text);
		return;
	case ENTRY_NOTE:
		interviewer_view_note(app, e->text);
		break;
	case ENTRY_TALK:
		drill_view_note(app, e->text);
		return;
	case ENTRY_SCRATCH:
		drill_view_work(app, e->text);
		return;
	case ENTRY_NONE:
		break;
	}
	*e = (struct entry){ 0 };
}

/* True when the key went into the line. */
static bool entry_key(struct app *app, uint32_t key)
{
	struct entry *e = &app->entry;
	bool drill = e->kind >= ENTRY_ANSWER;
	e->error[0] = '\0';
	if (key == KEY_ENTER_) {
		finish_entry(app);
		return true;
	}
	if (key == KEY_ESC) {
		if (drill && e->bytes == 0)
			return false; /* leaves the drill, or the pad */
		entry_begin(e, drill ? e->kind : ENTRY_NONE, 0);
		return true;
	}
	/* No answer has these in it, and help must be in reach. */
	if (drill && e->kind != ENTRY_TALK && (key == '?' || key == ':'))
		return false;
	if (key == KEY_BACKSPACE_ && e->bytes == 0) {
		if (drill)
			app_do(app, ACT_UP); /* the line before is there again */
		else
			entry_begin(e, ENTRY_NONE, 0);
		return true;
	}
	return entry_edit(e, key);
}

static void toggle_glyphs(struct app *app)
{
	app->glyphs = app->glyphs == GLYPHS_BRAILLE ? GLYPHS_LINES : GLYPHS_BRAILLE;
	app->progress.braille = app->glyphs == GLYPHS_BRAILLE;
	app_say(app, app->glyphs == GLYPHS_BRAILLE ? "Braille plots. If this ⣀⡠⠔⠊⠉ is not a rising "
						     "line of dots, press b again."
						   : "Line drawing.");
}

static bool common_act(struct app *app, enum action a)
{
	switch (a) {
	case ACT_QUIT:
		return false;
	case ACT_BACK:
		app_go_back(app);
		break;
	case ACT_FORWARD:
		app_go_forward(app);
		break;
	case ACT_BOOKMARKS:
		page_marks_list(app);
		break;
	case ACT_HOME:
		app_go_home(app);
		break;
	case ACT_HELP:
		app->help_for = app->screen;
		app->help_scroll = 0;
		app->screen = SCREEN_HELP;
		break;
	case ACT_PALETTE:
		palette_open(app);
		break;
	case ACT_MOUSE:
		app->mouse = !app->mouse;
		app_say(app, app->mouse ? "Mouse on." : "Mouse off.");
		break;
	case ACT_GLYPHS:
		if (app->glyphs == GLYPHS_ASCII)
			app_say(app, "This locale is not UTF-8: plots stay in ASCII.");
		else
			toggle_glyphs(app);
		break;
	case ACT_REDRAW:
		app->redraw = true;
		break;
	case ACT_SUSPEND:
		app->suspend = true;
		break;
	default:
		break;
	}
	return true;
}

static bool starts_a_value(uint32_t key)
{
	return (key >= '0' && key <= '9') || key == '-';
}

bool app_do(struct app *app, enum action a)
{
	return screens[app->screen]->act(app, a) || common_act(app, a);
}

/* In a window that shows nothing, keys change nothing either. */
static bool hidden_key(struct app *app, uint32_t key)
{
	enum action a = key_action(SCREEN_HOME, key);
	if (a == ACT_SUSPEND || a == ACT_REDRAW)
		common_act(app, a);
	return a != ACT_QUIT;
}

/* An answer goes on when its screen is seen again; help and palette can be reached from an empty
 * one. */
static bool is_typing(const struct app *app, uint32_t key)
{
	if (app->entry.kind < ENTRY_ANSWER)
		return app->entry.kind != ENTRY_NONE;
	return app->screen == SCREEN_DRILL && (app->entry.bytes > 0 || (key != '?' && key != ':'));
}

bool app_key(struct app *app, uint32_t key, int64_t now_ms)
{
	app->now_ms = now_ms;
	app->message[0] = '\0';
	if (key == KEY_CTRL_C)
		return false;
	if (too_small(app->rows, app->cols))
		return hidden_key(app, key);
	if (app->palette.open) {
		palette_key(app, key);
		return true;
	}
	if (is_typing(app, key) && entry_key(app, key))
		return true;
	bool turns = app->screen == SCREEN_SIM || (app->screen == SCREEN_PAGE && app->page.inside);
	if (turns && starts_a_value(key)) {
		entry_begin(&app->entry, ENTRY_VALUE, key);
		return true;
	}
	enum action a = key_action(app->screen, key);
	if (a == ACT_NONE) {
		char name[16];
		app_say(app, "%s does nothing here; ? shows the keys.",
			key_text(key, name, sizeof name));
		return true;
	}
	return app_do(app, a);
}

/* A value that is being typed is for the knob in focus, which the mouse is about to change. */
static void drop_value(struct app *app)
{
	if (app->entry.kind == ENTRY_VALUE)
		app->entry = (struct entry){ 0 };
}

void app_click(struct app *app, int row, int col)
{
	struct frame_layout l = frame_layout(app->rows, app->cols);
	if (app->palette.open || too_small(app->rows, app->cols))
		return;
	drop_value(app);
	if (screens[app->screen]->click)
		screens[app->screen]->click(app, l.body, row, col);
}

void app_wheel(struct app *app, int by, int row, int col)
{
	struct rect body = frame_layout(app->rows, app->cols).body;
	int knob = app->screen == SCREEN_SIM ? live_knob_at(&app->sim, body, row, col) : -1;
	if (app->palette.open || too_small(app->rows, app->cols))
		return;
	drop_value(app);
	if (knob >= 0) {
		app->sim.focus = knob;
		app_do(app, by < 0 ? ACT_RIGHT : ACT_LEFT);
		return;
	}
	for (int i = 0; i < (app->screen == SCREEN_PAGE ? 3 : 1); i++)
		app_do(app, by < 0 ? ACT_UP : ACT_DOWN);
}

void app_pause(struct app *app)
{
	if (screens[app->screen]->leave)
		screens[app->screen]->leave(app);
}

void app_settle(struct app *app)
{
	if (screens[app->screen]->settle)
		screens[app->screen]->settle(app);
	app->failed = app->page.page.arena.failed || app->sim.figure.arena.failed;
	for (size_t i = 0; i < app->page.n_figures; i++)
		app->failed |= app->page.figures[i].figure.arena.failed;
}

void app_resize(struct app *app, int rows, int cols)
{
	app->rows = rows;
	app->cols = cols;
}

int app_tick(struct app *app, int64_t now_ms)
{
	app->now_ms = now_ms;
	return screens[app->screen]->tick ? screens[app->screen]->tick(app, now_ms) : -1;
}
