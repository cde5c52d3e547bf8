/* The help screen: the key table's rows for the screen it was called on. */
#include "ui/term/keys.h"
#include "ui/term/textwrap.h"
#include "ui/live/action.h"
#include "ui/shell/app.h"
#include "ui/shell/bindings.h"
#include "ui/shell/layout.h"
#include "ui/screens/screens.h"

#include <stdio.h>
#include <string.h>

struct help_view {
	long scroll;
};

static const struct help_view *help_seen(const struct app *app)
{
	return app_state(app, SCREEN_HELP);
}

/* All keys of an action on a screen: "h Left". */
static void keys_of(enum screen_id s, enum action a, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < n_key_bindings; i++) {
		char name[16];
		size_t used = strlen(text);
		if (key_bindings[i].action == a && (key_bindings[i].screens & (1u << s)))
			snprintf(text + used, size - used, "%s%s", used ? " " : "",
				key_text(key_bindings[i].key, name, sizeof name));
	}
}

static const char *help_of(enum screen_id s, enum action a)
{
	const char *any = NULL;
	for (size_t i = 0; i < n_key_bindings; i++) {
		if (key_bindings[i].action != a || !key_bindings[i].help)
			continue;
		if (key_bindings[i].screens & (1u << s))
			return key_bindings[i].help;
		any = key_bindings[i].help;
	}
	return any;
}

/* One action: its keys, and beside them what it does, wrapped. `row` is where its first line stands
 * below the top of r; lines outside r are not drawn. Returns the number of lines. */
static int action_lines(
	struct canvas *cv, struct rect r, int row, const char *keys, const char *help)
{
	enum { KEYS = 20 };
	struct text_line line;
	int n = 0;
	while (text_wrap(&help, r.cols - KEYS, cv ? cv->glyphs : GLYPHS_LINES, &line)) {
		char piece[256];
		int at = row + n++;
		if (!cv || at < 0 || at >= r.rows)
			continue;
		snprintf(piece, sizeof piece, "%.*s", (int)line.bytes, line.start);
		if (n == 1)
			canvas_text(cv, r.row + at, r.col, KEYS - 1, keys, STYLE_PLAIN, ATTR_BOLD);
		canvas_text(cv, r.row + at, r.col + KEYS, r.cols - KEYS, piece, STYLE_PLAIN, 0);
	}
	return n;
}

/* Draws the visible part of the help unless cv is NULL; returns the number of all its lines. */
static int walk(const struct app *app, struct canvas *cv, struct rect r)
{
	bool done[N_ACTIONS] = { false };
	int line = 2;
	for (size_t i = 0; i < n_key_bindings; i++) {
		const struct key_binding *b = &key_bindings[i];
		const char *help = help_of(app->under, b->action);
		char keys[96];
		if (!(b->screens & (1u << app->under)) || done[b->action] || !help)
			continue;
		done[b->action] = true;
		keys_of(app->under, b->action, keys, sizeof keys);
		line += action_lines(cv, r, line - (int)help_seen(app)->scroll, keys, help);
	}
	return line;
}

static int lines(const struct app *app, int cols)
{
	return walk(app, NULL, (struct rect){ .cols = cols });
}

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	snprintf(trail, trail_size, "ridge › Help");
	snprintf(right, size, "%s", app->screens[app->under]->name);
}

static void draw(const struct app *app, struct canvas *cv, struct rect r)
{
	if (help_seen(app)->scroll == 0)
		canvas_printf(cv, r.row, r.col, r.cols, STYLE_ACCENT, ATTR_BOLD, "Keys on %s",
			app->screens[app->under]->name);
	if (walk(app, cv, r) - (int)help_seen(app)->scroll > r.rows)
		canvas_text_right(
			cv, r.row + r.rows - 1, r.col, r.cols, " ↓ more: j", STYLE_ACCENT, 0);
}

static bool act(struct app *app, enum action a)
{
	struct help_view *help = app_state(app, SCREEN_HELP);
	long by = a == ACT_UP ? -1 : a == ACT_DOWN ? 1 : a == ACT_PAGE_UP ? -10 : 10;
	struct rect body = frame_layout(app->rows, app->cols).body;
	long last = lines(app, body.cols) - body.rows, to = help->scroll;
	if (a == ACT_TOP)
		to = 0;
	else if (a == ACT_BOTTOM)
		to = last;
	else if (a == ACT_UP || a == ACT_DOWN || a == ACT_PAGE_UP || a == ACT_PAGE_DOWN)
		to += by;
	to = to > last ? last : to;
	help->scroll = to < 0 ? 0 : to;
	return false; /* the shell knows which screen the help goes back to */
}

static enum opened open_help(struct app *app, const char *name, const char *const words[], size_t n,
	char *err, size_t err_size)
{
	struct help_view *help = app_state(app, SCREEN_HELP);
	(void)name;
	(void)words;
	(void)n;
	(void)err;
	(void)err_size;
	help->scroll = 0;
	return OPENED;
}

const struct screen help_screen = {
	.name = "the help",
	.word = "help",
	.state_size = sizeof(struct help_view),
	.overlay = true,
	.open = open_help,
	.title = title,
	.draw = draw,
	.act = act,
};
