/* The explorer in a test's hands: keys in, text out, no terminal. */
#ifndef RIDGE_TESTS_EXPLORER_H
#define RIDGE_TESTS_EXPLORER_H

#include "sims/base/utf8.h"
#include "ui/shell/app.h"
#include "ui/screens/screens.h"
#include "ui/term/keys.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct explorer {
	struct app *app;
	int64_t now_ms;
	bool over; /* a key quitted */
};

static inline struct explorer explorer_start(int rows, int cols, enum glyphs glyphs)
{
	struct explorer e = { malloc(sizeof *e.app), 0, false };
	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1); /* nobody's own tables */
	if (!e.app || app_init(e.app, screens, rows, cols, glyphs))
		abort();
	app_settle(e.app);
	return e;
}

static inline void explorer_end(struct explorer *e)
{
	app_release(e->app);
	free(e->app);
}

static inline void explorer_key(struct explorer *e, uint32_t key)
{
	e->over = !app_key(e->app, key, e->now_ms) || e->over;
	app_settle(e->app);
}

/* "l Tab Ctrl-P": names of keys, as `ridge frame` has them. */
static inline void explorer_press(struct explorer *e, const char *keys)
{
	char copy[512], *rest = NULL;
	snprintf(copy, sizeof copy, "%s", keys);
	for (char *w = strtok_r(copy, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
		uint32_t key = key_from_name(w);
		if (key == KEY_NONE_)
			abort();
		explorer_key(e, key);
	}
}

static inline void explorer_type(struct explorer *e, const char *text)
{
	while (*text)
		explorer_key(e, utf8_next(&text));
}

static inline bool explorer_open(struct explorer *e, const char *target)
{
	char err[256];
	int rc = app_open_target(e->app, target, err, sizeof err);
	app_settle(e->app);
	return rc == 0;
}

/* The screen, to be released. */
static inline struct canvas explorer_draw(const struct explorer *e)
{
	struct canvas cv;
	if (canvas_init(&cv, e->app->rows, e->app->cols, e->app->glyphs))
		abort();
	app_draw(e->app, &cv);
	return cv;
}

/* The screen as text without any style, to be freed. Not inlined: GCC 12 then takes what open_memstream writes for
 * a pointer to a variable of this function. */
__attribute__((noinline, unused)) static char *explorer_text(const struct explorer *e)
{
	char *text = NULL;
	size_t size;
	struct canvas cv = explorer_draw(e);
	FILE *f = open_memstream(&text, &size);
	canvas_write_text(&cv, f);
	fclose(f);
	canvas_release(&cv);
	return text;
}

static inline bool explorer_shows(const struct explorer *e, const char *part)
{
	char *text = explorer_text(e);
	bool found = strstr(text, part) != NULL;
	free(text);
	return found;
}

/* The row of the screen that a text stands in first; -1: in none. */
static inline int explorer_row_of(const struct explorer *e, const char *part)
{
	char *text = explorer_text(e);
	const size_t n = strlen(part);
	size_t at = 0;
	int row = 0;
	while (text[at] && strncmp(text + at, part, n) != 0)
		row += text[at++] == '\n';
	const bool there = text[at];
	free(text);
	return there ? row : -1;
}

#endif
