/* An app without a terminal takes the keys and settles after each one; then its canvas is printed.
 * The clock stands at 0, so nothing moves by itself. */
#include "ui/commands/cmd_frame.h"

#include "sims/base/utf8.h"
#include "ui/term/ansi.h"
#include "ui/term/environment.h"
#include "ui/term/keys.h"
#include "ui/shell/app.h"
#include "ui/screens/screens.h"

#include <stdlib.h>
#include <string.h>

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
		return usage_error(io, COMMAND_FRAME,
			"--keys: no key \"%.40s\" (Tab Enter Esc Up Ctrl-L text:42 Down*3 ...)",
			word);
	for (int i = 0; i < times; i++) {
		app_key(app, key, 0);
		app_settle(app);
	}
	return 0;
}

static int show(struct app *app, bool colour, const struct streams *io)
{
	struct canvas cv;
	if (canvas_init(&cv, app->rows, app->cols, app->glyphs)) {
		fprintf(io->err, "ridge frame: out of memory\n");
		return 1;
	}
	cv.fills = colour ? theme_fills(DEPTH_256) : FILLS_TEXTURED;
	app_draw(app, &cv);
	if (colour)
		canvas_write_ansi(&cv, DEPTH_256, BACKGROUND_DARK, io->out);
	else
		canvas_write_text(&cv, io->out);
	canvas_release(&cv);
	return fflush(io->out) ? 1 : 0;
}

static int run(struct app *app, const struct command_line *line, const struct streams *io)
{
	const char *asked = line->values[OPTION_KEYS].text;
	char err[320], keys[4096], *rest = NULL;
	if (line->n_words &&
		app_open(app, line->words[0], line->words + 1, line->n_words - 1, err, sizeof err))
		return usage_error(io, COMMAND_FRAME, "%s", err);
	app_settle(app);
	snprintf(keys, sizeof keys, "%s", asked ? asked : "");
	for (char *w = strtok_r(keys, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
		int rc = press(app, w, io);
		if (rc)
			return rc;
		app_settle(app);
	}
	return show(app, option_wants_colour(line), io);
}

int cmd_frame(const struct command_line *line, const struct streams *io)
{
	const struct option_value *size = &line->values[OPTION_SIZE];
	const int rows = size->at ? size->rows : 24, cols = size->at ? size->cols : 80;
	const bool braille = option_says_yes(line, OPTION_BRAILLE);
	struct app app;
	if (app_init(&app, screens, rows, cols, environment_read(COLOUR_AUTO, braille).glyphs)) {
		fprintf(io->err, "ridge frame: out of memory\n");
		return 1;
	}
	int rc = run(&app, line, io);
	app_release(&app);
	return rc;
}
