/* ridge frame: the explorer's screen after some keys, without a terminal: same input, same
 * bytes. */
#include "ui/term/ansi.h"
#include "ui/term/keys.h"
#include "ui/screens/screens.h"
#include "ui/shell/app.h"
#include "ui/commands/commands.h"
#include "ui/term/environment.h"

#include <stdlib.h>
#include <string.h>

struct frame_line {
	const char *name, *keys;
	const char *settings[MAX_KNOBS];
	size_t n;
	int cols, rows;
	bool colour, braille;
};

static int read_line(int argc, char **argv, struct frame_line *l, const struct streams *io)
{
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : NULL;
		if (strcmp(argv[i], "--color") == 0) {
			l->colour = true;
		} else if (strcmp(argv[i], "--braille") == 0) {
			l->braille = true;
		} else if (strcmp(argv[i], "--size") == 0) {
			if (!value || size_read(value, &l->cols, &l->rows))
				return usage_error(
					io, "frame", "--size: expected COLSxROWS, such as 100x30");
			i++;
		} else if (strcmp(argv[i], "--keys") == 0) {
			if (!value)
				return usage_error(io, "frame", "--keys: expected names of keys");
			l->keys = value;
			i++;
		} else if (strncmp(argv[i], "--", 2) == 0) {
			return unknown_option(io, "frame", argv[i]);
		} else if (!l->name) {
			l->name = argv[i];
		} else if (l->n == MAX_KNOBS) {
			return usage_error(io, "frame", "more settings than knobs");
		} else {
			l->settings[l->n++] = argv[i];
		}
	}
	return 0;
}

/* "l l Tab Down*3 text:4096 Enter": the keys, one after another, each settled as in life. */
static int press(struct app *app, const char *word, const struct streams *io)
{
	char name[64];
	int times = 1;
	if (strncmp(word, "text:", 5) == 0) {
		for (const char *p = word + 5; *p;)
			app_key(app, utf8_next(&p), 0);
		return 0;
	}
	snprintf(name, sizeof name, "%s", word);
	char *star = strlen(name) > 1 ? strrchr(name, '*') : NULL;
	if (star && star > name && atoi(star + 1) > 0) {
		times = atoi(star + 1) < 10000 ? atoi(star + 1) : 10000;
		*star = '\0';
	}
	uint32_t key = key_from_name(name);
	if (key == KEY_NONE_)
		return usage_error(io, "frame",
			"--keys: no key \"%.40s\" (Tab Enter Esc Up Ctrl-L text:42 Down*3 ...)",
			word);
	for (int i = 0; i < times; i++) {
		app_key(app, key, 0);
		app_settle(app);
	}
	return 0;
}

static int show(struct app *app, const struct frame_line *l, const struct streams *io)
{
	struct canvas cv;
	if (canvas_init(&cv, l->rows, l->cols, app->glyphs)) {
		fprintf(io->err, "ridge frame: out of memory\n");
		return 1;
	}
	app_draw(app, &cv);
	if (l->colour)
		canvas_write_ansi(&cv, DEPTH_256, BACKGROUND_DARK, io->out);
	else
		canvas_write_text(&cv, io->out);
	canvas_release(&cv);
	return fflush(io->out) ? 1 : 0;
}

static int run(struct app *app, const struct frame_line *l, const struct streams *io)
{
	char err[320], keys[4096], *rest = NULL;
	if (l->name && app_open(app, l->name, l->settings, l->n, err, sizeof err))
		return usage_error(io, "frame", "%s", err);
	app_settle(app);
	snprintf(keys, sizeof keys, "%s", l->keys ? l->keys : "");
	for (char *w = strtok_r(keys, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
		int rc = press(app, w, io);
		if (rc)
			return rc;
		app_settle(app);
	}
	return show(app, l, io);
}

int cmd_frame(int argc, char **argv, const struct streams *io)
{
	struct frame_line l = { .cols = 80, .rows = 24 };
	if (wants_help(argc, argv, io))
		return 0;
	int rc = read_line(argc, argv, &l, io);
	if (rc)
		return rc;
	struct app app;
	enum glyphs glyphs = environment_read(COLOUR_AUTO, l.braille).glyphs;
	if (app_init(&app, screens, l.rows, l.cols, glyphs)) {
		fprintf(io->err, "ridge frame: out of memory\n");
		return 1;
	}
	rc = run(&app, &l, io);
	app_release(&app);
	return rc;
}
