/* A key goes to the first that wants it: the palette, the line that is being typed, the screen that
 * is shown, and what is the same on all of them. */
#include "ui/shell/app.h"

#include "ui/term/keys.h"
#include "ui/data/tables_load.h"
#include "ui/shell/layout.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* The next `bytes` of a block, of which *used are taken; NULL where there is none, or none asked for. */
static void *take(unsigned char *block, size_t *used, size_t bytes)
{
	void *p = block && bytes ? block + *used : NULL;
	const size_t align = _Alignof(max_align_t);
	*used += (bytes + align - 1) / align * align;
	return p;
}

/* Gives everything a place in a block, or with NULL counts how large it is. */
static size_t divide(struct app *app, void *block)
{
	size_t used = 0;
	for (int i = 0; i < N_SCREENS; i++)
		app->states[i] = take(block, &used, app->screens[i]->state_size);
	app->progress = take(block, &used, sizeof *app->progress);
	app->behind.places = take(block, &used, MAX_TRAIL * sizeof *app->behind.places);
	app->ahead.places = take(block, &used, MAX_TRAIL * sizeof *app->ahead.places);
	return used;
}

int app_init(struct app *app, const struct screen *const screens[N_SCREENS], int rows, int cols,
	enum glyphs glyphs)
{
	*app = (struct app){ .rows = rows, .cols = cols, .glyphs = glyphs, .screens = screens };
	for (int i = 0; i < N_SCREENS; i++)
		if (screens[i]->root)
			app->screen = (enum screen_id)i;
	/* One block, so large that it comes as pages nobody has written to: screens that are never opened
	 * take no memory. */
	app->room = calloc(1, divide(app, NULL));
	if (app->room) {
		divide(app, app->room);
		if (page_list_init(&app->pages) == 0 && bank_outline_init(&app->outline) == 0 &&
			tour_list_init(&app->tours) == 0)
			return 0;
	}
	app_release(app);
	return -1;
}

void app_release(struct app *app)
{
	for (int i = 0; i < N_SCREENS && app->screens; i++) {
		if (app->states[i] && app->screens[i]->close)
			app->screens[i]->close(app);
	}
	bank_outline_release(&app->outline);
	tour_list_release(&app->tours);
	palette_close(&app->palette);
	page_list_release(&app->pages);
	case_list_release(&app->cases);
	kept_bank_give_back(app->bank);
	tables_release(&app->tables);
	free(app->room);
	*app = (struct app){ 0 };
}

const struct screen *app_screen(const struct app *app)
{
	assert(app->screen >= 0 && app->screen < N_SCREENS);
	return app->screens[app->screen];
}

void *app_state(const struct app *app, enum screen_id s)
{
	assert(s >= 0 && s < N_SCREENS && app->states[s]);
	return app->states[s];
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

int64_t app_day(const struct app *app)
{
	return app_now_s(app) / CALENDAR_DAY_S;
}

int app_history(const struct app *app, struct history *h, char *err, size_t err_size)
{
	*h = (struct history){ 0 };
	return app->load_history ? app->load_history(h, err, err_size) : 0;
}

int app_answers(struct app *app, struct answers *a, char *err, size_t err_size)
{
	*a = (struct answers){ 0 };
	if (app_history(app, &a->history, err, err_size) ||
		answers_count(a, app_now_s(app), err, err_size))
		return -1;
	if (a->stats.n_skills == 0 || !app_tables(app))
		return 0;
	char why[300];
	const struct drill_bank *bank = app_bank(app, why, sizeof why);
	if (bank ? answers_retire_by(&a->stats, bank) == 0 : errno != ENOMEM)
		return 0;
	snprintf(err, err_size, "out of memory");
	return -1;
}

bool app_tell_due(struct app *app)
{
	struct answers a = { 0 };
	char err[300], due[64];
	const bool any = !app_answers_are_many(app) && app_answers(app, &a, err, sizeof err) == 0 &&
			 a.stats.n_due > 0;
	if (any)
		app_say(app, "%s: ~ goes home, where they are.",
			stats_due_brief(
				a.stats.n_due, stats_due_s(&a.stats, &a.history), due, sizeof due));
	answers_release(&a);
	return any;
}

bool app_answers_are_many(const struct app *app)
{
	return app->history_bytes && app->history_bytes() > ANSWERS_AT_ONCE_BYTES;
}

int app_page_minutes(const struct app *app, const struct page_info *page)
{
	return page_minutes(page, app->progress->first);
}

const struct tables *app_tables(struct app *app)
{
	if (app->has_tables)
		return &app->tables;
	/* A mistake in the user's own file is reported; everything else is still used. */
	tables_load(&app->tables, app->message, sizeof app->message);
	app->has_tables = tables_usable(&app->tables);
	if (!app->has_tables)
		tables_release(&app->tables);
	return app->has_tables ? &app->tables : NULL;
}

const struct drill_bank *app_bank(struct app *app, char *err, size_t err_size)
{
	const struct tables *t = app_tables(app);
	errno = 0;
	if (!t) {
		snprintf(err, err_size, "%s", app->message);
		return NULL;
	}
	struct kept_bank *k = kept_bank_take(&app->bank, t, err, err_size);
	kept_bank_give_back(k); /* the app keeps it */
	return k ? &k->bank : NULL;
}

const struct case_list *app_cases(struct app *app)
{
	if (!app->has_cases)
		app->has_cases = case_list_load(&app->cases, NULL) == 0;
	if (!app->has_cases)
		app_forget_cases(app);
	return app->has_cases ? &app->cases : NULL;
}

void app_forget_cases(struct app *app)
{
	case_list_release(&app->cases);
	app->has_cases = false;
}

struct live *app_live(const struct app *app)
{
	return app_screen(app)->live ? app_screen(app)->live(app) : NULL;
}

/* The line has been typed to its end. A value goes to the knob in focus, on whatever screen that
 * is; every other kind of line belongs to the screen that began it. */
static void finish_entry(struct app *app)
{
	struct entry *e = &app->entry;
	const enum entry_kind kind = e->kind;
	bool done = true;
	if (kind == ENTRY_VALUE) {
		struct live *s = app_live(app);
		/* A value that cannot be used stays in the line, so that it can be corrected. */
		done = !(e->bytes && s &&
			 live_type(s, s->focus, e->text, e->error, sizeof e->error));
	} else if (app_screen(app)->typed) {
		done = app_screen(app)->typed(app, kind, e->text);
	}
	if (done)
		*e = (struct entry){ 0 };
}

/* True when the key went into the line. */
static bool entry_key(struct app *app, uint32_t key)
{
	struct entry *e = &app->entry;
	bool stays = entry_stays(e->kind);
	e->error[0] = '\0';
	if (key == KEY_ENTER_) {
		finish_entry(app);
		return true;
	}
	if (key == KEY_ESC) {
		if (stays && e->bytes == 0)
			return false; /* leaves the screen, or the pad */
		entry_begin(e, stays ? e->kind : ENTRY_NONE, 0);
		return true;
	}
	/* No answer contains these two, and help must stay within reach. */
	if (stays && e->kind != ENTRY_TALK && (key == '?' || key == ':'))
		return false;
	if (key == KEY_BACKSPACE_ && e->bytes == 0) {
		if (stays)
			app_do(app, ACT_UP); /* brings the previous line back */
		else
			entry_begin(e, ENTRY_NONE, 0);
		return true;
	}
	return entry_edit(e, key);
}

/* From the finest to the coarsest, and round. */
static void next_glyphs(struct app *app)
{
	static const char *const words[] = { "", "Curves in line drawing.",
		"Curves in braille. If this ⣀⡠⠔⠊⠉ is not a rising line of dots, press b again.",
		"Curves in octants. If they are boxes or question marks, press b again." };
	app->glyphs = app->glyphs == GLYPHS_OCTANTS   ? GLYPHS_BRAILLE
		      : app->glyphs == GLYPHS_BRAILLE ? GLYPHS_LINES
		      : app->octants                  ? GLYPHS_OCTANTS
						      : GLYPHS_BRAILLE;
	app->first_session = false;
	progress_choose_glyphs(app->progress, app->terminal, app->glyphs);
	app->progress->unsaved = true;
	app_say(app, "%s", words[app->glyphs]);
}

/* Whether the key that leaves ridge only says that a screen which is not shown is in the middle of
 * something. Pressed again, it leaves. */
static bool stays(struct app *app)
{
	for (int i = 0; i < N_SCREENS && !app->quits; i++) {
		const struct screen *s = app->screens[i];
		char why[200];
		if ((enum screen_id)i != app->screen && s->unfinished &&
			s->unfinished(app, why, sizeof why)) {
			app_say(app, "%s q again leaves ridge.", why);
			app->quits = true;
			return true;
		}
	}
	return false;
}

static bool common_act(struct app *app, enum action a)
{
	switch (a) {
	case ACT_QUIT:
		return stays(app);
	case ACT_BACK:
		app_go_back(app);
		break;
	case ACT_FORWARD:
		app_go_forward(app);
		break;
	case ACT_BOOKMARKS:
		palette_open_bookmarks(app);
		break;
	case ACT_HOME:
		app_go_home(app);
		break;
	case ACT_HELP:
		app_show(app, SCREEN_HELP);
		break;
	case ACT_PALETTE:
		palette_open(app);
		break;
	case ACT_SHOW_KEYS:
		app->caps.shown = !app->caps.shown;
		break;
	case ACT_MOUSE:
		app->mouse = !app->mouse;
		app_say(app, app->mouse ? "Mouse on." : "Mouse off.");
		break;
	case ACT_GLYPHS:
		if (app->glyphs == GLYPHS_ASCII)
			app_say(app, "This locale is not UTF-8: plots stay in ASCII.");
		else
			next_glyphs(app);
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

void app_ask_caption(struct app *app)
{
	if (app->keep_step)
		entry_begin(&app->entry, ENTRY_CAPTION, 0);
	else
		app_say(app, "Nothing is kept here: ridge open keeps steps.");
}

void app_keep_step(
	struct app *app, const struct live *s, const struct block *part, const char *caption)
{
	char said[400];
	if (!*caption || !app->keep_step)
		return;
	app->keep_step(s, part, caption, said, sizeof said);
	app_say(app, "%s", said);
}

static bool starts_a_value(uint32_t key)
{
	return (key >= '0' && key <= '9') || key == '-';
}

bool app_do(struct app *app, enum action a)
{
	const struct screen *s = app_screen(app);
	return (s->act && s->act(app, a)) || common_act(app, a);
}

/* A window that is too small shows nothing, so its keys must not change anything unseen. */
static bool hidden_key(struct app *app, uint32_t key)
{
	enum action a = key_action(SCREEN_HOME, key);
	if (a == ACT_SUSPEND || a == ACT_REDRAW)
		common_act(app, a);
	return a != ACT_QUIT;
}

bool app_types(const struct app *app, uint32_t key)
{
	const struct entry *e = &app->entry;
	/* From an empty answer, ? and : still open the help and the palette. */
	return entry_stays(e->kind) ? e->bytes > 0 || (key != '?' && key != ':')
				    : e->kind != ENTRY_NONE;
}

/* The line that a digit begins. */
static enum entry_kind digit_begins(const struct app *app)
{
	const struct screen *s = app_screen(app);
	if (app_live(app))
		return ENTRY_VALUE;
	return s->guesses && s->guesses(app) ? ENTRY_GUESS : ENTRY_NONE;
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
	if (app_types(app, key) && entry_key(app, key))
		return true;
	if (starts_a_value(key) && digit_begins(app) != ENTRY_NONE) {
		entry_begin(&app->entry, digit_begins(app), key);
		return true;
	}
	enum action a = key_action(app->screen, key);
	/* Whatever key it is, it ends a blank screen. */
	if (a == ACT_NONE && app_screen(app)->blank && app_screen(app)->blank(app))
		a = ACT_BLANK;
	if (a == ACT_NONE) {
		char name[16];
		app_say(app, "%s does nothing here; ? shows the keys.",
			key_text(key, name, sizeof name));
	}
	app->quits &= a == ACT_QUIT;
	bool goes_on = a == ACT_NONE || app_do(app, a);
	key_caps_press(&app->caps, key, now_ms);
	return goes_on;
}

/* A value that is being typed belongs to the knob in focus, and the mouse is about to move the
 * focus. */
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
	const enum screen_id from = app->screen;
	const enum entry_kind kind = app->entry.kind;
	if (app_screen(app)->click)
		app_screen(app)->click(app, l.body, row, col);
	/* A line belongs to the screen that it was begun on. */
	if (app->screen != from && app->entry.kind == kind && !entry_stays(kind))
		app->entry = (struct entry){ 0 };
}

void app_drag(struct app *app, int row, int col)
{
	struct frame_layout l = frame_layout(app->rows, app->cols);
	if (!app->palette.open && !too_small(app->rows, app->cols) && app_screen(app)->drag)
		app_screen(app)->drag(app, l.body, row, col);
}

void app_wheel(struct app *app, int by, int row, int col)
{
	struct rect body = frame_layout(app->rows, app->cols).body;
	const struct screen *s = app_screen(app);
	if (app->palette.open || too_small(app->rows, app->cols))
		return;
	drop_value(app);
	if (!s->wheel || !s->wheel(app, by, body, row, col))
		app_do(app, by < 0 ? ACT_UP : ACT_DOWN);
}

void app_pause(struct app *app)
{
	if (app_screen(app)->leave)
		app_screen(app)->leave(app);
}

void app_settle(struct app *app)
{
	app->failed = false;
	if (app_screen(app)->settle)
		app_screen(app)->settle(app);
}

void app_work(struct app *app)
{
	app->works = false;
	app->at_work = true;
	if (app_screen(app)->work)
		app_screen(app)->work(app);
	app->at_work = false;
}

void app_resize(struct app *app, int rows, int cols)
{
	app->rows = rows;
	app->cols = cols;
}

const char *app_clock_elsewhere(const struct app *app, char *buf, size_t size)
{
	for (int i = 0; i < N_SCREENS; i++) {
		const struct screen *s = app->screens[i];
		if ((enum screen_id)i != app->screen && s->elsewhere &&
			s->elsewhere(app, buf, size))
			return buf;
	}
	return NULL;
}

int app_tick(struct app *app, int64_t now_ms)
{
	enum { SECOND_MS = 1000 };
	char clock[64];
	app->now_ms = now_ms;
	int wait = app_screen(app)->tick ? app_screen(app)->tick(app, now_ms) : -1;
	if ((wait < 0 || wait > SECOND_MS) && app_clock_elsewhere(app, clock, sizeof clock))
		wait = SECOND_MS;
	int caps = key_caps_tick(&app->caps, now_ms);
	return wait < 0 || (caps >= 0 && caps < wait) ? caps : wait;
}
