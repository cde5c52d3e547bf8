#include "ui/app.h"

#include "sims/nearest.h"
#include "ui/layout.h"
#include "ui/tables_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int app_init(struct app *app, int rows, int cols, enum glyphs glyphs, char *err, size_t err_size)
{
	*app = (struct app){ .rows = rows, .cols = cols, .glyphs = glyphs };
	app->page.focus = -1;
	if (page_list_init(&app->pages)) {
		snprintf(err, err_size, "out of memory");
		return -1;
	}
	return 0;
}

void app_release(struct app *app)
{
	page_view_release(&app->page);
	sim_view_release(&app->sim);
	drill_view_release(&app->drill);
	palette_close(&app->palette);
	page_list_release(&app->pages);
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

static struct place here(const struct app *app)
{
	struct place p = { .screen = app->screen };
	switch (app->screen) {
	case SCREEN_PAGE:
		snprintf(p.name, sizeof p.name, "%s", app->page.id);
		p.scroll = app->page.scroll;
		p.focus = app->page.focus;
		break;
	case SCREEN_SIM:
		sim_view_setting(&app->sim, p.name, sizeof p.name);
		p.focus = app->sim.focus;
		break;
	default:
		break;
	}
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
	for (size_t i = 0; i < app->pages.n && n < 127; i++)
		names[n++] = app->pages.pages[i].id;
	names[n++] = "drill";
	const char *near = nearest_name(name, names, n);
	snprintf(err, err_size, "nothing is called \"%.60s\"%s%s%s", name,
		near ? "; did you mean \"" : "", near ? near : "",
		near ? "\"?" : ": expected a page, a simulation or \"drill\"");
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
	/* Whoever looks something up in the middle of a drill does so on the clock's pause. */
	if (from.screen == SCREEN_DRILL && app->screen != SCREEN_DRILL)
		drill_view_pause(app, true);
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

static void go_to(struct app *app, const struct place *p)
{
	char err[256];
	char target[600];
	switch (p->screen) {
	case SCREEN_PAGE:
		if (strcmp(app->page.id, p->name) != 0 &&
			page_view_open(app, p->name, err, sizeof err))
			break;
		app->screen = SCREEN_PAGE;
		app->page.scroll = p->scroll;
		app->page.focus = p->focus;
		return;
	case SCREEN_SIM:
		snprintf(target, sizeof target, "%s", p->name);
		if (app_open_target(app, target, err, sizeof err))
			break;
		app->n_history--; /* going back is not a step forward */
		app->sim.focus = p->focus;
		return;
	case SCREEN_DRILL:
		if (app->drill.open) {
			app->screen = SCREEN_DRILL;
			drill_view_return(app);
			return;
		}
		break;
	default:
		break;
	}
	app->screen = SCREEN_HOME;
}

static void go_back(struct app *app)
{
	if (app->screen == SCREEN_HELP) {
		app->screen = app->help_for;
	} else if (app->n_history > 0) {
		struct place p = app->history[--app->n_history];
		go_to(app, &p);
	} else {
		app->screen = SCREEN_HOME;
	}
}

void app_begin_entry(struct app *app, enum entry_kind kind, uint32_t first)
{
	app->entry = (struct entry){ .kind = kind };
	if (first) {
		app->entry.bytes = (size_t)utf8_write(app->entry.text, first);
		app->entry.cursor = app->entry.bytes;
	}
}

static void finish_entry(struct app *app)
{
	struct entry *e = &app->entry;
	enum entry_kind kind = e->kind;
	struct sim_view *s = app->screen == SCREEN_SIM ? &app->sim : page_view_figure(&app->page);
	switch (kind) {
	case ENTRY_VALUE:
		if (e->bytes && s && sim_view_type(s, s->focus, e->text, e->error, sizeof e->error))
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
	case ENTRY_NONE:
		break;
	}
	*e = (struct entry){ 0 };
}

static void delete_before(struct entry *e)
{
	size_t from = e->cursor;
	while (from > 0 && ((unsigned char)e->text[--from] & 0xc0) == 0x80)
		;
	memmove(e->text + from, e->text + e->cursor, e->bytes - e->cursor + 1);
	e->bytes -= e->cursor - from;
	e->cursor = from;
}

static void insert(struct entry *e, uint32_t key)
{
	char utf8[5];
	size_t n = (size_t)utf8_write(utf8, key);
	if (e->bytes + n + 1 > sizeof e->text) {
		snprintf(e->error, sizeof e->error, "at most %zu bytes", sizeof e->text - 1);
		return;
	}
	memmove(e->text + e->cursor + n, e->text + e->cursor, e->bytes - e->cursor + 1);
	memcpy(e->text + e->cursor, utf8, n);
	e->cursor += n;
	e->bytes += n;
}

static void move_cursor(struct entry *e, int by)
{
	do {
		if ((by < 0 && e->cursor == 0) || (by > 0 && e->cursor >= e->bytes))
			return;
		e->cursor = by < 0 ? e->cursor - 1 : e->cursor + 1;
	} while (((unsigned char)e->text[e->cursor] & 0xc0) == 0x80);
}

/* True when the key went into the line. */
static bool entry_key(struct app *app, uint32_t key)
{
	struct entry *e = &app->entry;
	e->error[0] = '\0';
	switch (key) {
	case KEY_ENTER_:
		finish_entry(app);
		return true;
	case KEY_ESC:
		if (e->kind == ENTRY_ANSWER && e->bytes == 0)
			return false; /* leaves the drill */
		if (e->kind == ENTRY_ANSWER) {
			app_begin_entry(app, ENTRY_ANSWER, 0);
			return true;
		}
		*e = (struct entry){ 0 };
		return true;
	case KEY_BACKSPACE_:
		if (e->cursor > 0)
			delete_before(e);
		else if (e->bytes == 0 && e->kind != ENTRY_ANSWER)
			*e = (struct entry){ 0 };
		return true;
	case KEY_DELETE_:
		if (e->cursor < e->bytes) {
			move_cursor(e, 1);
			delete_before(e);
		}
		return true;
	case KEY_LEFT_:
		move_cursor(e, -1);
		return true;
	case KEY_RIGHT_:
		move_cursor(e, 1);
		return true;
	case KEY_HOME_:
		e->cursor = 0;
		return true;
	case KEY_END_:
		e->cursor = e->bytes;
		return true;
	default:
		break;
	}
	/* No answer has these in it, and help must be in reach. */
	bool command = e->kind == ENTRY_ANSWER && (key == '?' || key == ':');
	if (key < 0x20 || key >= KEY_UP_ || command)
		return false;
	insert(e, key);
	return true;
}

static void open_sims_page(struct app *app)
{
	char err[256];
	const char *page = app->screen == SCREEN_SIM ? app->sim.sim->page : "";
	app_push(app);
	if (page_view_open(app, page, err, sizeof err)) {
		app->n_history--;
		app_say(app, "%s", err);
	}
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
		go_back(app);
		break;
	case ACT_HOME:
		app_push(app);
		app->screen = SCREEN_HOME;
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
	case ACT_OPEN_PAGE:
		open_sims_page(app);
		break;
	case ACT_COMMAND_LINE: {
		char setting[600];
		app_say(app, "ridge open %s", sim_view_setting(&app->sim, setting, sizeof setting));
		break;
	}
	default:
		break;
	}
	return true;
}

static void help_act(struct app *app, enum action a)
{
	long by = a == ACT_UP ? -1 : a == ACT_DOWN ? 1 : a == ACT_PAGE_UP ? -10 : 10;
	struct rect body = frame_layout(app->rows, app->cols).body;
	long last = help_lines(app, body.cols) - body.rows, to = app->help_scroll;
	if (a == ACT_TOP)
		to = 0;
	else if (a == ACT_BOTTOM)
		to = last;
	else if (a == ACT_UP || a == ACT_DOWN || a == ACT_PAGE_UP || a == ACT_PAGE_DOWN)
		to += by;
	to = to > last ? last : to;
	app->help_scroll = to < 0 ? 0 : to;
}

static bool starts_a_value(uint32_t key)
{
	return (key >= '0' && key <= '9') || key == '-';
}

static bool sim_act(struct app *app, enum action a)
{
	if (a == ACT_ENTER) {
		app_begin_entry(app, ENTRY_VALUE, 0);
		return true;
	}
	return sim_view_act(&app->sim, a);
}

/* The screen's own actions come first; true when it took this one. */
static bool screen_act(struct app *app, enum action a)
{
	switch (app->screen) {
	case SCREEN_HOME:
		return home_act(app, a);
	case SCREEN_PAGE:
		return page_view_act(app, a);
	case SCREEN_SIM:
		return sim_act(app, a);
	case SCREEN_DRILL:
		return drill_view_act(app, a);
	default:
		help_act(app, a);
		return false;
	}
}

bool app_do(struct app *app, enum action a)
{
	/* What lies over a screen is what Esc leaves first. */
	if (a == ACT_BACK && app->screen == SCREEN_SIM && app->sim.notes)
		return sim_view_act(&app->sim, ACT_NOTES);
	if (screen_act(app, a))
		return true;
	return common_act(app, a);
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
	if (app->entry.kind != ENTRY_ANSWER)
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
		app_begin_entry(app, ENTRY_VALUE, key);
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
	if (app->screen == SCREEN_SIM) {
		int knob = sim_view_knob_at(&app->sim, l.body, row, col);
		if (knob >= 0)
			app->sim.focus = knob;
	} else if (app->screen == SCREEN_HOME) {
		home_click(app, row, col);
	}
}

void app_wheel(struct app *app, int by, int row, int col)
{
	struct rect body = frame_layout(app->rows, app->cols).body;
	int knob = app->screen == SCREEN_SIM ? sim_view_knob_at(&app->sim, body, row, col) : -1;
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
	if (app->screen == SCREEN_DRILL)
		drill_view_pause(app, true);
	app->sim.playing = false;
}

void app_settle(struct app *app)
{
	if (app->screen == SCREEN_SIM)
		sim_view_update(&app->sim);
	if (app->screen == SCREEN_PAGE && !too_small(app->rows, app->cols))
		page_view_relayout(app);
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
	if (app->screen == SCREEN_SIM)
		return sim_view_tick(&app->sim, now_ms);
	if (app->screen == SCREEN_DRILL)
		return drill_view_tick(app, now_ms);
	return -1;
}
